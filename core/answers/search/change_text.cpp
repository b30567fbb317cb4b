#include "core/answers/search/change_text.h"

#include "core/values/knobs/wording.h"

#include <cctype>
#include <cmath>

namespace plimsoll {

namespace {

constexpr int most_named = 3;      // of each sign
constexpr double noticed = 0.005;  // of the former step

// "Pipeline bubble" inside a sentence; an abbreviation stays.
std::string inside(std::string_view label) {
    std::string text(label);
    const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    if (text.size() > 1 && lower(text[1])) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

// "pipeline bubble 1.24 s less, recompute 410 ms less"
std::string named(const std::vector<PartChange>& changes, bool less, Seconds smallest) {
    std::string text;
    int count = 0;
    for (const PartChange& c : changes) {
        const Seconds size = max(c.to - c.from, c.from - c.to);
        if ((c.to < c.from) != less || size < smallest || count++ == most_named) continue;
        text.append(text.empty() ? "" : ", ").append(inside(c.label)).append(" ").append(say(size)).append(less ? " less" : " more");
    }
    return text;
}

}  // namespace

std::string say_changes(Seconds before, Seconds after, const std::vector<PartChange>& changes) {
    const double percent = 100 * std::abs(after / before - 1);
    const bool less = after < before;
    if (percent < 0.05) return "As much time";
    std::string text = std::to_string(std::lround(percent));
    if (const long tenths = std::lround(10 * percent); tenths < 100) text = std::to_string(tenths / 10).append(".").append(std::to_string(tenths % 10));
    text.append(less ? " % less time" : " % more time");
    const std::string gains = named(changes, less, noticed * before), losses = named(changes, !less, noticed * before);
    if (!gains.empty()) text.append(": ").append(gains);
    if (!losses.empty()) text.append(gains.empty() ? ": although " : "; but ").append(losses);
    return text;
}

}  // namespace plimsoll
