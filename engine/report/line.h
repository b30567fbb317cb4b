#pragma once
// One object as one line of the log: no number that is not finite, no line that
// is too long, always valid UTF-8.
//
//   line_of({{"type", "step"}, {"loss", nan}}, 65536)  ->  {"type":"step","loss":null,"loss_reason":"nan"}\n

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace plimsoll::engine {

// NaN and infinity become null; the object that holds them, or the list they are in, gets `<key>_reason`: nan, inf or -inf.
// While the line is longer than `longest` bytes, its longest list at the first level (then text) is halved;
// `truncated` maps its key to the length it had.
std::string line_of(nlohmann::ordered_json object, std::size_t longest);

}  // namespace plimsoll::engine
