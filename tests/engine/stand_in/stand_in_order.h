#pragma once
// Which thread of a block the stand-in device lets run first, for tests.
//
//   stand_in::set_order(stand_in::Order::shuffled);

namespace stand_in {

enum class Order { ascending, descending, shuffled };
void set_order(Order);

}  // namespace stand_in
