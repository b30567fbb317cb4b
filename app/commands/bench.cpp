// The speed of the program itself: plimsoll bench and bench search.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/curves/sweep.h"
#include "core/answers/search/envelope.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/speed_json.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>

namespace plimsoll {

namespace {

using BenchClock = std::chrono::steady_clock;

// ---- bench

struct BenchArguments {
    bool json = false, digest_only = false, totals = false;
};

struct ShippedPlan {
    std::string id;
    Scenario plan;
};

std::vector<ShippedPlan> shipped_plans() {
    std::vector<ShippedPlan> plans;
    const Library& library = shipped_library();
    for (const auto& [id, path] : library.scenarios) {
        const auto text = read_text(path);
        if (!text) continue;
        if (const auto file = read_scenario(*text, library, id)) plans.push_back({id, file->scenario});
    }
    return plans;
}

// Everything they can show: each of them, and each along its node counts.
std::vector<Scenario> along_node_counts(const std::vector<ShippedPlan>& shipped) {
    std::vector<Scenario> plans;
    const Knob* nodes = find_knob("nodes");
    for (const ShippedPlan& each : shipped) {
        plans.push_back(each.plan);
        for (double n : node_counts(each.plan))
            if (const auto s = with(each.plan, *nodes, n)) plans.push_back(*s);
    }
    return plans;
}

// To nine digits, which do not depend on the compiler's choice of instructions.
std::string nine_digits(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.8e", v);
    return text;
}

// FNV-1a over nine digits of every figure of every estimate.
class Digest {
public:
    void add(double v) {
        for (const char c : nine_digits(v) + ";") hash_ = (hash_ ^ (unsigned char)c) * 1099511628211ull;
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

// Each shipped scenario's totals, a line each: which of the estimates a change moved, and by how much. The memory is
// that of the fullest stage. tests/digest.txt keeps it; with the id last, no line depends on another's length.
std::string totals_of(const std::vector<ShippedPlan>& shipped) {
    std::string out = "step_s          energy_J        memory_B        scenario\n";
    for (const ShippedPlan& each : shipped) {
        const Outcome o = estimate(each.plan);
        if (!o) out += "none            none            none            ";
        else
            for (const double total : {o->step.total() / second, o->energy.total() / joule, o->worst().total() / byte})
                out += nine_digits(total) + "  ";
        out += each.id + "\n";
    }
    return out;
}

// The best of three rounds of at least half a second: the rate the code allows.
double estimates_per_second(const std::vector<Scenario>& plans) {
    double best = 0;
    for (int round = 0; round < 3; ++round) {
        long count = 0;
        double kept = 0;
        const auto start = BenchClock::now();
        std::chrono::duration<double> spent{};
        while (spent.count() < 0.5) {
            for (const Scenario& s : plans) {
                const Outcome o = estimate(s);
                if (o) kept += o->step.total() / second;
                ++count;
            }
            spent = BenchClock::now() - start;
        }
        if (kept > 0) best = std::max(best, count / spent.count());
    }
    return best;
}

constexpr const char* usual_plan = "gpt3-175b-1024-a100";

WindowSpeed speed_of(const LiveTimes& t) {
    return {{t.charts.median_ms, t.charts.p95_ms}, {t.best.median_ms, t.best.p95_ms}, t.longest_batch_ms};
}

std::string window_text(const std::optional<WindowSpeed>& w) {
    if (!w) return "no window in this build";
    const auto said = [](const Percentiles& p) {
        return fixed(p.median, 1) + " ms (95th percentile " + fixed(p.p95, 1) + ")";
    };
    return "charts " + said(w->ms) + ", best layout " + said(w->best_ms) + ", longest batch of events "
           + fixed(w->longest_batch_ms, 1) + " ms";
}

int run_bench(Window* window, const BenchArguments& a) {
    const std::vector<ShippedPlan> shipped = shipped_plans();
    const std::vector<Scenario> plans = along_node_counts(shipped);
    EstimatorSpeed speed{.digest = digest_of(plans), .plans = plans.size()};
    if (a.digest_only || a.totals) {
        std::cout << speed.digest << "\n" << (a.totals ? totals_of(shipped) : "");
        return exit_ok;
    }
    speed.estimates_per_second = estimates_per_second(plans);
    std::string alone = "no window in this build", six_open = alone, six_compared = alone;
    if (window) {
        const WindowTimes times = window->measure_frames(200);
        if (const auto plan = load_plan({usual_plan, {}})) {
            const AutomaticTimes live = window->measure_live(*plan, 60);
            speed.automatic = speed_of(live.nodes);
            speed.automatic_six_open = speed_of(live.nodes_six_open);
            speed.automatic_batch = speed_of(live.batch);
        }
        const auto said = [](const FrameTimes& t) {
            return "median " + fixed(t.median_ms, 2) + " ms, 95th percentile " + fixed(t.p95_ms, 2) + " ms";
        };
        const auto percentiles = [](const FrameTimes& t) { return Percentiles{t.median_ms, t.p95_ms}; };
        speed.frame_ms = percentiles(times.alone);
        speed.frame_ms_six_open = percentiles(times.six_open);
        speed.frame_ms_six_compared = percentiles(times.six_compared);
        alone = said(times.alone);
        six_open = said(times.six_open);
        six_compared = said(times.six_compared);
    }
    if (a.json) {
        std::cout << to_json(speed);
        return exit_ok;
    }
    std::cout << "estimates per second, one core  " << std::uint64_t(speed.estimates_per_second) << "  ("
              << plans.size() << " plans)\n"
              << "slider move to painted charts   " << alone << "\n"
              << "  with six plans open           " << six_open << "\n"
              << "  with six plans compared       " << six_compared << "\n"
              << "automatic layout, slider move   " << window_text(speed.automatic) << "\n"
              << "  with six plans open           " << window_text(speed.automatic_six_open) << "\n"
              << "  an edit of the batch          " << window_text(speed.automatic_batch) << "\n"
              << "digest of all estimates         " << speed.digest << "\n";
    return exit_ok;
}

// ---- bench search

struct BenchSearchArguments {
    PlanArguments plan{usual_plan, {}};
    int threads = 1;
    bool json = false;
};

template <class Work>
double seconds_of(Work work) {
    const auto began = BenchClock::now();
    work();
    return std::chrono::duration<double>(BenchClock::now() - began).count();
}

// Of the times of so many repetitions.
template <class Work>
Percentiles percentiles_of(int repetitions, Work work) {
    std::vector<double> seconds;
    for (int i = 0; i < repetitions; ++i) seconds.push_back(seconds_of(work));
    std::sort(seconds.begin(), seconds.end());
    return {seconds[seconds.size() / 2], seconds[std::min(seconds.size() - 1, seconds.size() * 95 / 100)]};
}

SpaceSpeed speed_of(const Scenario& s, const Space& space, int searches, int envelopes, int threads) {
    SpaceSpeed speed{.space = space.name};
    SearchResult found;
    speed.seconds = percentiles_of(searches, [&] { found = search(s, space); }).median;
    speed.count = found.count;
    speed.feasible = found.feasible;
    speed.fits = found.fits;
    const std::vector<int> nodes = envelope_nodes(s);
    speed.node_counts = int(nodes.size());
    speed.envelope_seconds = percentiles_of(envelopes, [&] { envelope(s, space, nodes, {.threads = threads}); });
    return speed;
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

// The same job on ever more devices, weak scaling: as many sequences per device.
std::vector<GrowthPoint> growth_of(const Scenario& plan) {
    std::vector<GrowthPoint> all;
    const double each = std::max(1.0, double(plan.recipe.global_batch_sequences) / plan.layout.devices);
    for (int devices = 64; devices <= 65536; devices *= 4) {
        Scenario s = plan;
        s.layout.devices = devices;
        s.machine.nodes = std::max(s.machine.nodes, devices / s.machine.devices_per_node);
        s.recipe.global_batch_sequences = int(each * devices);
        SearchResult found;
        const double took = seconds_of([&] { found = search(s, full_space()); });
        all.push_back({devices, found.count, took});
    }
    return all;
}

void print_search_speed(const std::string& plan, const SearchSpeed& speed) {
    const auto count = [](double n) { return say_count(n); };
    std::cout << plan << "\none by one, estimate() of each   " << count(speed.estimates_per_second)
              << " layouts a second, one core\n\n";
    TextRows rows{{"space", "layouts", "computable", "fit", "one search", "layouts/s", "node counts", "envelope",
                   "95th percentile"}};
    for (const SpaceSpeed& s : speed.spaces)
        rows.push_back({s.space, count(double(s.count)), count(double(s.feasible)), count(double(s.fits)),
                        say(s.seconds * second), count(double(s.count) / s.seconds), std::to_string(s.node_counts),
                        say(s.envelope_seconds.median * second), say(s.envelope_seconds.p95 * second)});
    std::cout << table(rows) << "\nfull space, as many sequences per device:\n";
    rows = {{"devices", "layouts", "one search"}};
    for (const GrowthPoint& g : speed.growth)
        rows.push_back({count(g.devices), count(double(g.count)), say(g.seconds * second)});
    std::cout << table(rows) << "\nautomatic layout, slider move: "
              << window_text(speed.window) << "\n";
}

int run_bench_search(Window* window, const BenchSearchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    SearchSpeed speed{.devices = plan->layout.devices,
                      .estimates_per_second = estimates_per_second(*plan),
                      .envelope_threads = a.threads,
                      .spaces = {speed_of(*plan, common_space(), 21, 41, a.threads),
                                 speed_of(*plan, full_space(), 1, 21, a.threads)},
                      .growth = growth_of(*plan)};
    if (window) speed.window = speed_of(window->measure_live(*plan, 60).nodes);
    if (a.json) std::cout << to_json(speed);
    else print_search_speed(plan->name, speed);
    return exit_ok;
}

}  // namespace

void add_bench(Program& program) {
    const auto a = std::make_shared<BenchArguments>();
    CLI::App& command = add_command(program.app, {
        "bench", "Estimates per second, frame times and the digest of all estimates",
        "The digest is of the estimates of all shipped scenarios. It changes when any of them does."});
    command.add_flag("--json", a->json, "As JSON");
    command.add_flag("--digest", a->digest_only, "Only the digest");
    command.add_flag("--totals", a->totals, "Only the digest, and each scenario's step, energy and fullest stage");

    const auto s = std::make_shared<BenchSearchArguments>();
    CLI::App& search = add_command(command, {
        "search", "Layouts per second, the envelope over node counts, growth with the number of devices", ""});
    search.add_option("file", s->plan.file, "Scenario file, or the id of a shipped scenario")
        ->type_name(scenario_value);
    add_settings(search, s->plan.settings, "Change a knob first: id=value");
    search.add_option("--threads", s->threads, "Threads for the envelope over node counts")->check(CLI::Range(1, 1024));
    search.add_flag("--json", s->json, "As JSON");
    search.callback([s, &program] { program.code = run_bench_search(program.window, *s); });
    command.callback([a, &command, &program] {
        if (command.get_subcommands().empty()) program.code = run_bench(program.window, *a);
    });
}

}  // namespace plimsoll
