#pragma once
// Whether a plan leaves room in its memory. One that fits to the last byte of a prediction may run out when it runs.
//
//   const Headroom asked{usual_headroom};                // 5 % of a device's memory stay free
//   room_of(estimate, asked);                            // Room::tight at 99 %
//   room_of(estimate, {usual_headroom, 1.08});           // also where the likely range, 8 % above it, ends too high
//   search(plan, space, {.headroom = asked});            // what is tight comes after what is not
//
// A wish of whoever plans and no property of the plan: it changes no price, only what is said of it.

#include "core/answers/plan/estimate.h"

#include <string>
#include <string_view>

namespace plimsoll {

enum class Room { enough, tight, none };   // none: it does not fit

inline constexpr double usual_headroom = 0.05;
inline constexpr double most_headroom = 0.5;

struct Headroom {
    double share = 0;    // of a device's memory, to stay free
    double likely = 1;   // the upper end of the likely range, as a multiple of the prediction

    // The most that may be predicted on a device with so much memory.
    Bytes limit(Bytes memory) const { return min((1 - share) * memory, memory / likely); }
    friend bool operator==(const Headroom&, const Headroom&) = default;
};

Room room_of(const Estimate&, const Headroom&);
std::string_view id_of(Room);   // "fits", "tight", "short"

// Why a plan that fits is tight: "96.2 % of the memory is used, and 5 % headroom is asked for", or "the likely range
// ends at 66.5 of 64 GiB". Empty where it is not.
std::string say_tight(const Estimate&, const Headroom&);

// "5%", "5 %" and "0.05" are one share; others than 0 to 50 % are an error in words.
Expected<double, std::string> parse_headroom(std::string_view);

}  // namespace plimsoll
