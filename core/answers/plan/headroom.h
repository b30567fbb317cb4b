#pragma once
// Whether a plan leaves room in its memory. One that fits to the last byte of a prediction may run out when it runs.
//
//   const Headroom asked{usual_headroom};                // 5 % of a device's memory stay free
//   room_of(estimate, asked);                            // Room::tight at 99 %
//   room_of(estimate, {usual_headroom, 1.08});           // also where the likely range, 8 % above it, ends too high
//   search(plan, space, {.headroom = asked});            // what is tight comes after what is not
//
// A wish of whoever plans and no property of the plan: it changes no price, only what is said of it.
//
// Whether it runs at all is asked of a prediction that errs, so there are three answers.
//
//   fit_verdict(estimate);                               // FitVerdict::may_not_fit from 80 to 110 % of the device

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

// ---- Whether it runs

// What a run holds of a device outside the framework's allocator: driver, libraries and kernels, and NCCL where several
// devices talk. A plan's context is what the allocator holds beside tensors, and lies inside these.
//   several devices   3.0 GB   nvidia-smi over what the allocator can hold, 84 runs of BigScience (2.9 to 3.5)
//   one               0.6 GB   the same on single devices, published fine-tuning tables (0.5 to 1.0): no NCCL
inline constexpr Bytes outside_with_several_devices = 3.0 * gigabyte, outside_with_one_device = 0.6 * gigabyte;
// What a monitor of the device shows of a stage that so many devices run.
Bytes shown_by_monitor(const MemoryUse&, int devices);

// The prediction over what the device has, outside the allocator included. Measured over predicted memory, sources
// weighted alike: 95 % of 3,025 published runs lie below 1.24 of the prediction, so 95 % of what is predicted to take
// less than 1/1.24 of a device runs on it. Upwards, 4 % of runs that ran are predicted to take more than 1.10 of it.
inline constexpr double surely_fits = 0.80, surely_fails = 1.10;
enum class FitVerdict { fits, may_not_fit, does_not_fit };
double share_of_device(const Estimate&);   // of the stage that needs most
FitVerdict fit_verdict(double share);
FitVerdict fit_verdict(const Estimate&);   // tiers below the devices have to fit besides
std::string_view id_of(FitVerdict);        // "fits", "may_not_fit", "does_not_fit"
std::string say_fit_verdict(const Estimate&);   // a sentence, with the share

// ---- The room a planner asks for

Room room_of(const Estimate&, const Headroom&);
std::string_view id_of(Room);   // "fits", "tight", "short"

// Why a plan that fits is tight: "96.2 % of the memory is used, and 5 % headroom is asked for", or "the likely range
// ends at 66.5 of 64 GiB". Empty where it is not.
std::string say_tight(const Estimate&, const Headroom&);

// "5%", "5 %" and "0.05" are one share; others than 0 to 50 % are an error in words.
Expected<double, std::string> parse_headroom(std::string_view);

}  // namespace plimsoll
