#include "core/answers/published/band_text.h"

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

std::string counted(int n, const char* one, const char* many) { return std::to_string(n).append(" ").append(n == 1 ? one : many); }

}  // namespace

std::string say_spread(const Spread& s) {
    if (s.runs == 0) return "No published run to judge by.";
    return std::string("Two thirds of comparable published runs lie within ") + std::to_string(std::lround(100 * s.band)) +
           " % of the prediction. Nearest: " + counted(s.runs, "run", "runs") + " of " + counted(s.sources, "source", "sources") + ' ' +
           likeness(s.circle) + "; runs less alike count less.";
}

std::string say_beyond(const Band& b) {
    std::string all;
    for (const std::string& sentence : b.beyond) all += (all.empty() ? "" : "; ") + sentence;
    return all;
}

}  // namespace plimsoll
