#include "core/answers/search/difference.h"

#include "core/answers/explain/wording.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace plimsoll {

namespace {

constexpr int most_named = 3;      // of each sign
constexpr double noticed = 0.005;  // of the former step

Seconds size(Seconds change) { return max(change, -change); }

// "pipeline bubble 1.24 s less, recompute 410 ms less"
std::string named(const Difference& d, bool less) {
    std::string text;
    int count = 0;
    for (const TermDifference& t : d.terms) {
        if ((t.change() < Seconds{}) != less || size(t.change()) < noticed * d.before || count++ == most_named) continue;
        std::string label(t.label);
        if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1]))) label[0] = char(std::tolower(static_cast<unsigned char>(label[0])));
        text.append(text.empty() ? "" : ", ").append(label).append(" ").append(plimsoll::say(size(t.change()))).append(less ? " less" : " more");
    }
    return text;
}

}  // namespace

Difference difference(const StepTime& before, const StepTime& after) {
    Difference d{before.total(), after.total(), {}};
    for (const auto& part : step_parts)
        if (const TermDifference t{part.label, before.*part.value, after.*part.value}; t.before > Seconds{} || t.after > Seconds{}) d.terms.push_back(t);
    std::stable_sort(d.terms.begin(), d.terms.end(), [](const auto& a, const auto& b) { return size(a.change()) > size(b.change()); });
    return d;
}

std::string say(const Difference& d) {
    const double percent = 100 * (d.after / d.before - 1);
    const bool less = percent < 0;
    if (std::abs(percent) < 0.05) return "As much time";
    std::string text = std::to_string(std::lround(std::abs(percent)));
    if (std::abs(percent) < 10) {
        const long tenths = std::lround(10 * std::abs(percent));
        text = std::to_string(tenths / 10).append(".").append(std::to_string(tenths % 10));
    }
    text.append(less ? " % less time" : " % more time");
    const std::string gains = named(d, less), losses = named(d, !less);
    if (!gains.empty()) text.append(": ").append(gains);
    if (!losses.empty()) text.append(gains.empty() ? ": although " : "; but ").append(losses);
    return text;
}

}  // namespace plimsoll
