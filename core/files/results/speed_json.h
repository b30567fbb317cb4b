#pragma once
// The speed of the program itself as JSON, for plimsoll bench.

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct Percentiles {
    double median = 0, p95 = 0;
};

struct WindowSpeed {
    Percentiles ms, best_ms;                 // from an edit to painted charts, and to those of the best layout
    double longest_batch_ms = 0;             // the longest time that any batch of events took
};

struct EstimatorSpeed {
    double estimates_per_second = 0;         // on one core
    std::string digest;                      // of all estimates
    std::optional<Percentiles> frame_ms{};    // from a slider move to painted charts; none without a window
    std::size_t plans = 0;
    std::optional<Percentiles> frame_ms_six_open{}, frame_ms_six_compared{};   // likewise, with six plans in tabs
    // With automatic layout on: a move of the node slider alone and with six plans open, and an edit of the batch.
    std::optional<WindowSpeed> automatic{}, automatic_six_open{}, automatic_batch{};
};
// {"estimates_per_second", "digest", "frame_ms": {"median", "p95"} or null, "plans", "frame_ms_six_open", ...,
//  "automatic_layout_ms": {"median", "p95", "best_median", "best_p95", "longest_batch"} or null,
//  "automatic_layout_ms_six_open", "automatic_layout_ms_batch"}
std::string to_json(const EstimatorSpeed&);

struct SpaceSpeed {
    std::string space;
    long long count = 0, feasible = 0, fits = 0;   // layouts
    double seconds = 0;                      // of one search
    int node_counts = 0;                     // of the envelope
    Percentiles envelope_seconds{};
};
struct GrowthPoint {
    int devices = 0;
    long long count = 0;                     // layouts
    double seconds = 0;
};
struct SearchSpeed {
    int devices = 0;
    double estimates_per_second = 0;         // one by one, on one core
    int envelope_threads = 1;
    std::vector<SpaceSpeed> spaces;
    std::vector<GrowthPoint> growth;         // as many sequences per device
    std::optional<WindowSpeed> window{};     // none without one
};
// {"devices", "estimates_per_second", "envelope_threads",
//  "spaces": [{"space", "count", "feasible", "fits", "seconds", "layouts_per_second", "feasible_per_second",
//              "envelope": {"node_counts", "median_seconds", "p95_seconds"}}],
//  "growth": [{"devices", "count", "seconds"}], "window": as "automatic_layout_ms" above, of the plan}
std::string to_json(const SearchSpeed&);

}  // namespace plimsoll
