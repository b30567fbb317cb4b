#pragma once
// Text that somebody else wrote: whether it may become part of a path or of a script, and how it is shown.
//
//   is_plain_name("../x") == false      is_plain_word("a b") == false      is_line("a\nb") == false
//   visible("\x1b[2J") == "\\x1b[2J"

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll {

// Whether it can stand in a path as the name of a file: letters, digits, dots, dashes and underscores,
// not beginning with a dot or a dash.
bool is_plain_name(std::string_view);
// Whether it is one word to every shell and scheduler: letters, digits and _ . : @ + -, not beginning with a dash.
bool is_plain_word(std::string_view);
inline constexpr std::string_view say_plain_name = "letters, digits, dots, dashes and underscores";
inline constexpr std::string_view say_plain_word = "letters, digits and _ . : @ + -";

// Whether it is UTF-8 without control characters, also those that Unicode has for the direction of writing.
bool is_line(std::string_view);
// The same, but line feeds and tabs may be in it.
bool is_text(std::string_view);
std::size_t characters(std::string_view);   // of UTF-8, not bytes

// What is_text() refuses becomes "\x1b" or "\u202e", so that a terminal or a widget shows it and does not obey it.
std::string visible(std::string_view);
// How many bytes at the end are the beginning of a character that is not complete yet.
std::size_t incomplete_end(std::string_view);

}  // namespace plimsoll
