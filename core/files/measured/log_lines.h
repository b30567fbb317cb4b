#pragma once
// Lines of logs as programs write them: without colours and the prefixes that launchers add, and the numbers in them.
// Nothing here remembers, allocates more than a line, or calls itself. Internal to core/files/measured.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::files {

struct BareLine {
    std::string_view text;       // into the line or into the scratch
    std::uint64_t who = 0;       // who printed it, as the prefix tells; 0: not told
    std::uint64_t launcher = 0;  // the same without what the program itself prints of its rank
    int rank = -1;               // its number over all devices; -1: not told
    int of = 0;                  // how many there are, where the prefix tells
};

// "3: ", "[rank3]:", "[default0]:", "(node7) ", "[1,3]<stdout>:" and "[rank-15/16]" are prefixes.
BareLine bare_line(std::string_view line, std::string& scratch);

// The number behind a key: after blanks, colons, equals signs and quotes. "40,351" is one; "1.02K" where it is scaled.
// Nothing where it touches the end of a line that is not whole.
struct NumberRule {
    bool whole = true;
    bool scaled = false;
};
std::optional<double> number_behind(std::string_view line, std::string_view key, NumberRule = {});

// A progress bar: "80%|####  | 40/50 [00:33<00:08,  1.23it/s]".
struct BarLine {
    std::string_view before;     // what stands before the per cent, without blanks
    double done = 0, all = 0;    // all: 0 where the bar does not know
    double seconds = 0;          // of a step
};
std::optional<BarLine> bar_in(std::string_view line, bool whole);

// Whether one of some words, each at least seven characters long, may stand in a line: looks at every fourth place.
class WordFilter {
public:
    explicit WordFilter(std::span<const std::string_view> words);
    bool may_hold_one(std::string_view line) const;

private:
    static std::uint32_t slot(const char* four);
    std::uint8_t slots_[1 << 14] = {};
};

}  // namespace plimsoll::files
