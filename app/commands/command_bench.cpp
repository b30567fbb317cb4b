#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/answers/curves/sweep.h"
#include "core/files/text/disk.h"
#include "core/files/presets/scenario_json.h"
#ifdef PLIMSOLL_GUI
#include "app/instruments/instruments.h"
#endif

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>

namespace plimsoll {

namespace {

// Everything the shipped scenarios can show: each of them, and each along its node counts.
std::vector<Scenario> shipped_plans() {
    std::vector<Scenario> plans;
    const Library& library = shipped_library();
    for (const auto& [id, path] : library.scenarios) {
        const auto text = read_text(path);
        const auto file = text ? read_scenario(*text, library, id) : Expected<ScenarioFile, Problems>(Unexpected{Problems{}});
        if (!file) continue;
        plans.push_back(file->scenario);
        const Knob* nodes = find_knob("nodes");
        for (double n : node_counts(file->scenario))
            if (const auto s = with(file->scenario, *nodes, n)) plans.push_back(*s);
    }
    return plans;
}

// FNV-1a over every figure of every estimate, rounded to nine digits so that it
// does not depend on the compiler's choice of instructions.
class Digest {
public:
    void add(double v) {
        char text[32];
        const int n = std::snprintf(text, sizeof text, "%.8e;", v);
        for (int i = 0; i < n; ++i) hash_ = (hash_ ^ (unsigned char)text[i]) * 1099511628211ull;
    }
    void add(const Outcome& o) {
        add(o ? 1.0 : 0.0);
        if (!o) return;
        for (const auto& part : step_parts) add((o->step.*part.value) / second);
        for (const MemoryUse& stage : o->stages)
            for (const auto& part : memory_parts) add((stage.*part.value) / byte);
        for (const auto& part : energy_parts) add((o->energy.*part.value) / joule);
        add(o->model_flop / flop);
        add(o->parameters);
    }
    std::string text() const {
        char out[20];
        std::snprintf(out, sizeof out, "%016llx", (unsigned long long)hash_);
        return out;
    }

private:
    std::uint64_t hash_ = 14695981039346656037ull;
};

std::string digest_of(const std::vector<Scenario>& plans) {
    Digest digest;
    for (const Scenario& s : plans) digest.add(estimate(s));
    return digest.text();
}

// The best of three rounds of at least half a second: the rate the code allows.
double estimates_per_second(const std::vector<Scenario>& plans) {
    using Clock = std::chrono::steady_clock;
    double best = 0;
    for (int round = 0; round < 3; ++round) {
        long count = 0;
        double kept = 0;
        const auto start = Clock::now();
        std::chrono::duration<double> spent{};
        while (spent.count() < 0.5) {
            for (const Scenario& s : plans) {
                const Outcome o = estimate(s);
                if (o) kept += o->step.total() / second;
                ++count;
            }
            spent = Clock::now() - start;
        }
        if (kept > 0) best = std::max(best, count / spent.count());
    }
    return best;
}

}  // namespace

int run_bench([[maybe_unused]] int argc, [[maybe_unused]] char** argv, const BenchArguments& a) {
    const std::vector<Scenario> plans = shipped_plans();
    const std::string digest = digest_of(plans);
    if (a.digest_only) {
        std::cout << digest << "\n";
        return exit_ok;
    }
    const double rate = estimates_per_second(plans);
    std::string frames = "null", spoken = "no window in this build";
#ifdef PLIMSOLL_GUI
    const FrameTimes times = measure_frames(argc, argv, 200);
    char text[120];
    std::snprintf(text, sizeof text, "{\"median\": %.3f, \"p95\": %.3f}", times.median_ms, times.p95_ms);
    frames = text;
    std::snprintf(text, sizeof text, "median %.2f ms, 95th percentile %.2f ms", times.median_ms, times.p95_ms);
    spoken = text;
#endif
    if (a.json)
        std::cout << "{\"estimates_per_second\": " << std::uint64_t(rate) << ", \"digest\": \"" << digest << "\", \"frame_ms\": " << frames
                  << ", \"plans\": " << plans.size() << "}\n";
    else
        std::cout << "estimates per second, one core  " << std::uint64_t(rate) << "  (" << plans.size() << " plans)\n"
                  << "slider move to painted charts   " << spoken << "\n"
                  << "digest of all estimates         " << digest << "\n";
    return exit_ok;
}

}  // namespace plimsoll
