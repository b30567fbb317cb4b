#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/answers/search/envelope.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"

#ifdef PLIMSOLL_GUI
#include "app/instruments/instruments.h"
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace plimsoll {

namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double seconds_of(Work work) {
    const auto began = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - began).count();
}

// Sorted times of so many repetitions.
template <class Work>
std::vector<double> repeated(int times, Work work) {
    std::vector<double> all;
    for (int i = 0; i < times; ++i) all.push_back(seconds_of(work));
    std::sort(all.begin(), all.end());
    return all;
}

double median(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }
double p95(const std::vector<double>& sorted) { return sorted[std::min(sorted.size() - 1, sorted.size() * 95 / 100)]; }

struct SpaceTime {
    std::string name;
    long long count = 0, feasible = 0, fits = 0;
    double seconds = 0, envelope_median = 0, envelope_p95 = 0;
    int points = 0;
};

SpaceTime time_of(const Scenario& s, const Space& space, int searches, int envelopes, int threads) {
    SpaceTime t{.name = space.name};
    SearchResult r;
    t.seconds = median(repeated(searches, [&] { r = search(s, space); }));
    t.count = r.count;
    t.feasible = r.feasible;
    t.fits = r.fits;
    const std::vector<int> nodes = envelope_nodes(s);
    t.points = int(nodes.size());
    const std::vector<double> live = repeated(envelopes, [&] { envelope(s, space, nodes, {.threads = threads}); });
    t.envelope_median = median(live);
    t.envelope_p95 = p95(live);
    return t;
}

// Layouts of the common space, one estimate() each.
double estimates_per_second(const Scenario& s) {
    const Layouts layouts(s, common_space());
    Scenario each = without_sources(s);
    double kept = 0;
    long long count = 0;
    const double took = seconds_of([&] {
        for (const Layout& l : layouts.all()) {
            each.layout = l;
            const Outcome o = estimate(each);
            if (o) kept += o->step.total() / second;
            ++count;
        }
    });
    return kept > 0 ? double(count) / took : 0;
}

struct Growth { int devices; long long count; double seconds; };

// The same job on ever more devices, weak scaling: as many sequences per device.
std::vector<Growth> growth_of(const Scenario& plan) {
    std::vector<Growth> all;
    const double each = std::max(1.0, double(plan.recipe.global_batch_sequences) / plan.layout.devices);
    for (int devices = 64; devices <= 65536; devices *= 4) {
        Scenario s = plan;
        s.layout.devices = devices;
        s.machine.nodes = std::max(s.machine.nodes, devices / s.machine.devices_per_node);
        s.recipe.global_batch_sequences = int(each * devices);
        SearchResult r;
        const double took = seconds_of([&] { r = search(s, full_space()); });
        all.push_back({devices, r.count, took});
    }
    return all;
}

void print_json(const Scenario& plan, double one_by_one, const std::vector<SpaceTime>& spaces, const std::vector<Growth>& growth, int threads,
                const std::string& window) {
    std::ostream& out = std::cout;
    out << "{\"devices\": " << plan.layout.devices << ", \"estimates_per_second\": " << one_by_one << ", \"envelope_threads\": " << threads << ",\n\"spaces\": [";
    const char* separator = "\n";
    for (const SpaceTime& t : spaces) {
        out << separator << "{\"space\": \"" << t.name << "\", \"count\": " << t.count << ", \"feasible\": " << t.feasible << ", \"fits\": " << t.fits
            << ", \"seconds\": " << t.seconds << ", \"layouts_per_second\": " << double(t.count) / t.seconds
            << ", \"feasible_per_second\": " << double(t.feasible) / t.seconds << ", \"envelope\": {\"node_counts\": " << t.points
            << ", \"median_seconds\": " << t.envelope_median << ", \"p95_seconds\": " << t.envelope_p95 << "}}";
        separator = ",\n";
    }
    out << "],\n\"growth\": [";
    separator = "\n";
    for (const Growth& g : growth) {
        out << separator << "{\"devices\": " << g.devices << ", \"count\": " << g.count << ", \"seconds\": " << g.seconds << "}";
        separator = ",\n";
    }
    out << "],\n\"window\": " << window << "}\n";
}

}  // namespace

int run_bench_search([[maybe_unused]] int argc, [[maybe_unused]] char** argv, const BenchSearchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const double one_by_one = estimates_per_second(*plan);
    const std::vector<SpaceTime> spaces{time_of(*plan, common_space(), 21, 41, a.threads), time_of(*plan, full_space(), 1, 21, a.threads)};
    const std::vector<Growth> growth = growth_of(*plan);
    std::string window = "null", spoken = "no window in this build";
#ifdef PLIMSOLL_GUI
    const LiveTimes live = measure_live(argc, argv, *plan, 60);
    char text[160];
    std::snprintf(text, sizeof text, "{\"median_ms\": %.1f, \"p95_ms\": %.1f, \"longest_gap_ms\": %.1f}", live.median_ms, live.p95_ms, live.longest_gap_ms);
    window = text;
    std::snprintf(text, sizeof text, "median %.1f ms, 95th percentile %.1f ms; longest batch of events %.1f ms", live.median_ms, live.p95_ms, live.longest_gap_ms);
    spoken = text;
#endif
    if (a.json) {
        print_json(*plan, one_by_one, spaces, growth, a.threads, window);
        return exit_ok;
    }
    std::cout << plan->name << "\none by one, estimate() of each   " << say_count(one_by_one) << " layouts a second, one core\n\n";
    std::vector<std::vector<std::string>> rows{{"space", "layouts", "computable", "fit", "one search", "layouts/s", "node counts", "envelope", "95th percentile"}};
    for (const SpaceTime& t : spaces)
        rows.push_back({t.name, say_count(double(t.count)), say_count(double(t.feasible)), say_count(double(t.fits)), say(t.seconds * second),
                        say_count(double(t.count) / t.seconds), std::to_string(t.points), say(t.envelope_median * second), say(t.envelope_p95 * second)});
    std::cout << table(rows) << "\nfull space, as many sequences per device:\n";
    rows = {{"devices", "layouts", "one search"}};
    for (const Growth& g : growth) rows.push_back({say_count(g.devices), say_count(double(g.count)), say(g.seconds * second)});
    std::cout << table(rows) << "\nautomatic layout, slider move to painted charts and curves: " << spoken << "\n";
    return exit_ok;
}

}  // namespace plimsoll
