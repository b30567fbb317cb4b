#include "core/evidence/published/band_text.h"

#include "core/values/basics/text.h"

#include <cmath>

namespace plimsoll {

namespace {

const char* likeness(Circle c) {
    switch (c) {
        case Circle::same_reach: return "with this stack, device, number format and reach";
        case Circle::same_stack_and_device: return "with this stack on this device";
        case Circle::same_stack_or_device: return "with this stack or this device";
        case Circle::all: break;
    }
    return "of any kind, none with this stack or device";
}

// "Narrowed from 8 % by 6 runs held back on this machine, mean error 4.1 %."
std::string say_held_back(const Spread& s) {
    if (!s.held_back) return {};
    const long now = std::lround(100 * s.band), before = std::lround(100 * s.without);
    const std::string verb = s.without == 0 ? "Judged" : now < before ? "Narrowed from " + std::to_string(before) + " %"
                             : now > before ? "Widened from " + std::to_string(before) + " %" : "Neither narrowed nor widened";
    return " " + verb + " by " + counted(s.held_back, "run", "runs") + " held back on this machine, mean error " + percent(s.held_back_error) + '.';
}

}  // namespace

std::string say_spread(const Spread& s) {
    if (s.runs == 0) return "No published run to judge by.";
    return std::string(s.held_back ? "Two thirds of comparable runs lie within " : "Two thirds of comparable published runs lie within ") + std::to_string(std::lround(100 * s.band)) +
           " % of the prediction. Nearest: " + counted(s.runs, "run", "runs") + " of " + counted(s.sources, "source", "sources") + ' ' +
           likeness(s.circle) + "; runs less alike count less." + say_held_back(s);
}

std::string say_beyond(const Band& b) {
    std::string all;
    for (const std::string& sentence : b.beyond) all += (all.empty() ? "" : "; ") + sentence;
    return all;
}

}  // namespace plimsoll
