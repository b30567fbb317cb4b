#pragma once
// Numbers and words as text, the same in every locale.
//
//   shortest(0.1) == "0.1"            significant(1234.5, 3) == "1.23e+03"      fixed(2, 3) == "2.000"
//   percent(0.034) == "3.4 %"    signed_percent(0.034) == "+3.4 %"         counted(2, "node", "nodes") == "2 nodes"
//   joined({"a", "b"}) == "a, b"      split("a+b", '+') == {"a", "b"}           shell_word("it's") == "'it'\''s'"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

using Sentences = std::vector<std::string>;

std::string shortest(double);                              // the shortest text that reads back as the same number
std::string significant(double, int digits);               // as printf's "%.<digits>g"
std::string fixed(double, int decimals);                   // as printf's "%.<decimals>f"
std::string percent(double share, int decimals = 1);
std::string signed_percent(double share, int decimals = 1);
std::string in_thousands(std::string digits);             // "3225103": "3,225,103"
std::string counted(long long n, std::string_view singular, std::string_view plural);

std::string joined(const std::vector<std::string>&, std::string_view separator = ", ");
std::vector<std::string> split(std::string_view, char separator);  // empty parts are left out
std::string_view trimmed(std::string_view);                // without white space at both ends
std::string lower_case(std::string);
std::string one_line(std::string);                         // line ends become spaces
std::string shell_word(std::string_view);                  // in single quotes: one word of a POSIX shell

// How many edits apart two words are, for "did you mean".
// Insertions, deletions and substitutions (Levenshtein), letter case aside.
// Takes the product of the lengths: callers cut long words.
std::size_t edit_distance(std::string_view, std::string_view);

}  // namespace plimsoll
