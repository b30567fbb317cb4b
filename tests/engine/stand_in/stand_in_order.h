#pragma once
// Which thread of a block the stand-in device lets run first, for tests.
//
//   plimsoll_stand_in_order(stand_in::Order::shuffled);   // a symbol of the stand-in's backend_cuda.so

namespace stand_in {

enum class Order { ascending, descending, shuffled };

}  // namespace stand_in

extern "C" void plimsoll_stand_in_order(stand_in::Order);
