#pragma once
// Sentences that files keep in English, as the window says them.
//
//   worded_kept("Width 768, two tensor ranks")  is  "幅 768、2 テンソルランク"
//
// Logs, plans and records of calibrations are the same in every language, and what they say of a run is a sentence with
// numbers in it. It is recognised by the pattern it was made from, whoever made it; what no pattern fits stays as it
// is.

#include <QString>

#include <string_view>

namespace plimsoll {

QString worded_kept(std::string_view english);

}  // namespace plimsoll
