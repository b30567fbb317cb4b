#pragma once
// Facts that tables of published runs state only in a remark.
//
//   tokens_in("2.0T tokens. Power is the TDP.")               // 2e12
//   tokens_in("143,000 steps of 1024x2048 tokens.")           // 143000 x 1024 x 2048

#include <optional>
#include <string_view>

namespace plimsoll {

// Length of the whole run in tokens: billions or trillions of them, or steps of
// batch x sequence; a batch in millions of tokens is not one.
std::optional<double> tokens_in(std::string_view remark);

}  // namespace plimsoll
