#include "core/answers/calibrate/plan/planned_benches.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll {
namespace {

enum class Over { data, tensor, pipeline };

// What a suite has to do with this trial; engine/bench/ lists the points.
struct Suite {
    const char *id, *label, *suite;
    Over over;
    double points, point_seconds;    // point_seconds: a point's own, whatever its budget: filling buffers, longest calls
    bool needs_ranks, visits_twice;
};
constexpr Suite suites[] = {
    {"gemm", "Matrix products", "gemm", Over::data, 57, 0.06, false, true},
    {"attention", "Attention", "attention", Over::data, 12, 0.03, false, true},
    {"stream", "Memory bandwidth", "stream", Over::data, 6, 0.05, false, true},
    {"adamw", "Optimizer update", "adamw", Over::data, 3, 0.2, false, true},
    {"collective", "Collectives of data ranks", "collectives", Over::data, 24, 0.1, true, true},
    {"collective-tensor", "Collectives of tensor ranks", "collectives", Over::tensor, 24, 0.05, true, true},
    {"p2p", "Messages between stages", "p2p", Over::pipeline, 16, 0.03, true, true},
};
constexpr double start_s = 0.1, warm_up_share = 1.0;  // of a bench; of a point's budget, spent before it counts

std::string decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) { words.insert(words.end(), more); }

// Data ranks all of them; tensor and pipeline ranks in pairs, the other dimension being data's.
void add_layout(std::vector<std::string>& words, Over over, int ranks) {
    const int inner = over == Over::data || ranks < 2 ? 1 : 2;
    append(words, {"--dp", std::to_string(ranks / inner), "--tp", std::to_string(over == Over::tensor ? inner : 1), "--pp",
                   std::to_string(over == Over::pipeline ? inner : 1)});
}

PlannedRun run_of(const Suite& suite, int ranks, double seconds, bool accelerator) {
    PlannedRun run;
    run.id = suite.id, run.label = suite.label, run.role = Role::measure, run.ranks = ranks;
    const int visits = suite.visits_twice ? 2 : 1;
    add_layout(run.words, suite.over, ranks);
    append(run.words, {"--bench", suite.suite, "--bench-own", "--bench-seconds", decimal(seconds), "--bench-visits", std::to_string(visits),
                       "--bench-size", accelerator ? "256M" : "16M"});
    if (suite.needs_ranks) append(run.words, {"--bench-dimension", suite.over == Over::data ? "data" : suite.over == Over::tensor ? "tensor" : "pipeline"});
    if (std::string_view(suite.suite) == "collectives") append(run.words, {"--bench-cache", suite.over == Over::data ? "cold" : "warm"});
    run.expected = (start_s + visits * suite.points * (seconds * (1 + warm_up_share) + suite.point_seconds)) * second;
    return run;
}

}  // namespace

std::vector<PlannedRun> planned_benches(int ranks, double seconds, bool accelerator) {
    std::vector<PlannedRun> runs;
    for (const Suite& suite : suites)
        if (ranks > 1 || !suite.needs_ranks) runs.push_back(run_of(suite, ranks, seconds, accelerator));
    return runs;
}

}  // namespace plimsoll
