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
// Whether it runs at all is asked of a prediction that errs, so there are three answers. Whoever says that a plan fits
// says this one. Searches rank what is predicted to take at most the memory, whichever of the first two it is.
//
//   fit_verdict(estimate);                               // FitVerdict::may_not_fit from 80 to 110 % of the device
//   search(plan, space, {.headroom = surely(plan, asked)});   // what may not fit comes after what surely does

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
// The same of a stage that is predicted to take so much, the stack's context in it.
double share_of_device(Bytes predicted, Bytes context, int devices, Bytes memory);
FitVerdict fit_verdict(double share);
FitVerdict fit_verdict(const Estimate&);   // tiers below the devices have to fit besides
// Predicted to take no more than there is, and not told to fail by its verdict.
bool may_run(const Estimate&);
bool may_run(const Outcome&);
std::string_view id_of(FitVerdict);        // "fits", "may_not_fit", "does_not_fit"
std::string say(FitVerdict);               // "fits", "may not fit", "does not fit"
std::string say_fit(double share);         // "may not fit, 93 %", for narrow places
std::string say_fit(const Estimate&);      // of what lacks memory below the devices without the share
std::string say_fit_verdict(const Estimate&);   // sentences, with the share and what the times assume
// "78 GiB, may not fit"; what surely fits is left as it was said.
std::string with_doubt(const std::string& said, FitVerdict);
std::string say_share(const Estimate&);    // "72 % of a device, what lives outside the allocator included"

// ---- The room a planner asks for

// Tight is also what does not fit by its verdict alone: small devices, of which much lies outside the allocator.
Room room_of(const Estimate&, const Headroom&);
bool is_tight(Bytes predicted, Bytes memory, double share_of_device, const Headroom&);
std::string_view id_of(Room);   // "enough", "tight", "short"
// Why between both shares there is no yes and no, and what the times of a plan that may lack memory assume.
std::string say_unsure();
std::string say_times_assume();
// What searches do with headroom and verdict.
std::string say_ranked_by_fit();
// At least the headroom asked for, and as much as the plan has to leave free to fit surely.
Headroom surely(const Scenario&, const Headroom& asked);

// Why a plan is tight: "96.2 % of the memory is used, and 5 % headroom is asked for", "the likely range ends at 66.5 of
// 64 GiB", or what it takes of a device with what lives outside the allocator. Empty where it is not.
std::string say_tight(const Estimate&, const Headroom&);

// "5%", "5 %" and "0.05" are one share; others than 0 to 50 % are an error in words.
Expected<double, std::string> parse_headroom(std::string_view);

}  // namespace plimsoll
