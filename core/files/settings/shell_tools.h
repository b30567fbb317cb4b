#pragma once
// The usual tools of a script whose output follows from their words and from what they read: text in, text out.
//
//   tool_output(words of "cut -d, -f2", "a,b,c\n")    // "b\n"
//
// Internal to core/files/settings.

#include "core/files/settings/shell_runs.h"

#include <functional>
#include <map>
#include <optional>

namespace plimsoll::files {

// The words of a tool, taken apart as getopt does.
struct ToolWords {
    std::string letters;                 // of options without a value, in order
    std::map<char, std::string> values;  // of options with one; of "-3" under 'n'
    std::vector<std::string> operands;
    bool only(std::string_view allowed) const { return letters.find_first_not_of(allowed) == letters.npos; }
    std::string value(char letter, std::string otherwise = {}) const {
        const auto found = values.find(letter);
        return found == values.end() ? otherwise : found->second;
    }
};

// What a tool reads: the files that it is given, or its input where there is none.
using ToolInput = std::function<std::string(const std::vector<std::string>& files)>;
struct ToolOutput {
    std::optional<std::string> text;  // nothing: it is not known
    std::string in_place = {};        // the file that the text goes to instead
};
// Nothing: it is none of these tools.
std::optional<ToolOutput> tool_output(const std::vector<ShellWord>& words, const ToolInput&);

// Backslashes as echo -e and printf take them.
std::string with_escapes(std::string_view);
// printf's text: the format is the n-th word.
std::string formatted(const std::vector<ShellWord>& words, std::size_t format);
std::vector<std::string> lines_of(const std::string&);

}  // namespace plimsoll::files
