#include "core/evidence/calibration/plan/planned_benches.h"

#include "core/evidence/calibration/plan/planned_layouts.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

enum class Over { data, tensor, pipeline };

// What a suite has to do with this trial; engine/bench/ lists the points.
struct Suite {
    const char *id, *label, *suite;
    Over over;
    double points, point_seconds;    // point_seconds: a point's own, whatever its budget: filling buffers, longest calls
    bool needs_ranks;
    double fixed_s = 0;              // it takes besides, however short a point is
};
constexpr Suite suites[] = {
    {"gemm", "Matrix products", "gemm", Over::data, 57, 0.06, false},
    {"attention", "Attention", "attention", Over::data, 12, 0.03, false},
    {"stream", "Memory bandwidth", "stream", Over::data, 6, 0.05, false},
    {"adamw", "Optimizer update", "adamw", Over::data, 3, 0.2, false},
    {"collective", "Collectives of data ranks", "collectives", Over::data, 24, 0.1, true},
    {"collective-tensor", "Collectives of tensor ranks", "collectives", Over::tensor, 24, 0.05, true},
    {"p2p", "Messages between stages", "p2p", Over::pipeline, 16, 0.03, true},
    {"overlap", "A product beside an all-reduce", "overlap", Over::data, 3, 0.05, true},
    {"hostlink", "Copies between host and device", "hostlink", Over::data, 16, 0.05, false},
    {"storage", "Files, written and read back", "storage", Over::data, 4, 0.15, false},
    {"power", "Power at rest and under load", "power", Over::data, 5, 0, false, 30},
};
constexpr int visits = 2;
constexpr double start_s = 0.1, warm_up_share = 1.0;  // of a bench; of a point's budget, spent before it counts

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) { words.insert(words.end(), more); }

// Data ranks all of them; tensor and pipeline ranks in pairs, the other dimension being data's.
void add_layout(std::vector<std::string>& words, Over over, int ranks) {
    const int inner = over == Over::data || ranks < 2 ? 1 : 2;
    append(words, {"--dp", std::to_string(ranks / inner), "--tp", std::to_string(over == Over::tensor ? inner : 1), "--pp",
                   std::to_string(over == Over::pipeline ? inner : 1)});
}

PlannedRun run_of(const Suite& suite, int ranks, double seconds, const CalibrationPlace& place) {
    PlannedRun run;
    run.id = suite.id, run.label = suite.label, run.role = Role::measure, run.ranks = ranks;
    add_layout(run.words, suite.over, ranks);
    append(run.words, {"--bench", suite.suite, "--bench-own", "--bench-seconds", significant(seconds, 4), "--bench-visits", std::to_string(visits),
                       "--bench-size", place.accelerator ? "256M" : "16M"});
    const std::string_view name = suite.suite;
    if (suite.needs_ranks && name != "overlap")
        append(run.words, {"--bench-dimension", suite.over == Over::data ? "data" : suite.over == Over::tensor ? "tensor" : "pipeline"});
    if (name == "collectives") append(run.words, {"--bench-cache", suite.over == Over::data ? "cold" : "warm"});
    // A job begins in its folder, which is where checkpoints would go; a node's own /tmp is not.
    if (name == "storage" && place.fixed) append(run.words, {"--offload-directory", "."});
    run.expected = (start_s + suite.fixed_s + visits * suite.points * (seconds * (1 + warm_up_share) + suite.point_seconds)) * second;
    return run;
}

// Whether the prediction depends on it here.
bool matters(const Suite& suite, const Scenario& subject, const CalibrationPlace& place, int ranks) {
    const std::string_view name = suite.suite;
    if (suite.needs_ranks && ranks < 2) return false;
    if (name == "overlap") return overlaps(subject.stack) && subject.layout.devices > 1;
    if (name == "hostlink") return place.accelerator;
    return name != "power" || place.power;
}

}  // namespace

bool overlaps(const Stack& s) { return s.gradient_overlap > 0 || s.gather_overlap_tax < 1 || s.tensor_exposed < 1; }

std::vector<PlannedRun> planned_benches(const Scenario& subject, const CalibrationPlace& place, double seconds) {
    const int ranks = ranks_used(place);
    std::vector<PlannedRun> runs;
    for (const Suite& suite : suites)
        if (matters(suite, subject, place, ranks)) runs.push_back(run_of(suite, ranks, seconds, place));
    return runs;
}

}  // namespace plimsoll
