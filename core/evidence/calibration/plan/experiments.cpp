#include "core/evidence/calibration/plan/experiments.h"

#include "core/values/knobs/wording.h"
#include "core/answers/plan/estimate.h"
#include "core/evidence/calibration/plan/trial.h"
#include "core/evidence/calibration/plan/layouts.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace plimsoll {

namespace {

// How much is repeated; never which layouts run.
struct Effort {
    int steps = 8;
    double point_s = 0.05;
};
constexpr double least_effort = 0.4, usual_effort = 1, most_effort = 3;
// Steps of a visit. Two visits of the least, without what warms up, are the six steps that an interval of 95 % takes.
Effort effort(double share) { return {std::max(5, int(std::lround(8 * share))), 0.05 * share}; }

constexpr Seconds launch_s = 1.5 * second;       // mpirun and the first lines
constexpr Seconds fit_s = 1 * second;
constexpr double first_step_share = 1;           // pages and connections: as long again as a step
constexpr Seconds draw_s = 50e-9 * second;       // of one initial weight by one core
constexpr Seconds touch_s = 5e-9 * second;       // of its states, and bringing it to a device
constexpr int cores_of_a_gpu = 8;                // where nothing says how many: no node in the presets has fewer

// Options that say how a rank computes, in every run.
void add_device(std::vector<std::string>& words, const CalibrationPlace& place) {
    // A thread drives a GPU: with more the engine would take those that idle for time that others took.
    const char* device = device_kind(place.machine) == DeviceKind::amd ? "hip" : "cuda";
    if (place.accelerator) words.insert(words.end(), {"--device", device, "--threads", "1"});
    else words.insert(words.end(), {"--threads", std::to_string(std::max(0, place.threads))});
}

// A bench is of the trial's model: its words without layout and steps.
std::vector<std::string> model_words(std::vector<std::string> words) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < words.size();) {
        std::size_t next = i + 1;
        while (next < words.size() && !words[next].starts_with("--")) ++next;
        const bool layout = words[i] == "--dp" || words[i] == "--tp" || words[i] == "--pp" || words[i] == "--steps"
                         || words[i] == "--zero";
        if (!layout) kept.insert(kept.end(), words.begin() + long(i), words.begin() + long(next));
        i = next;
    }
    return kept;
}

// Cores that draw a rank's weights: all that it may use, which is more than the thread that drives a GPU.
int drawing_cores(const CalibrationPlace& place) {
    if (!place.accelerator) return std::max(1, place.threads);
    const auto& job = place.machine.scheduler.job;
    const int told = place.cores > 0 ? place.cores : job ? job->cores_per_rank : 0;
    return told > 0 ? told : cores_of_a_gpu;
}

void expect(PlannedRun& run, const CalibrationPlace& place, Sentences& wrong) {
    const Outcome e = estimate(run.plan);
    if (!e) {
        for (const Obstacle& o : e.error()) wrong.push_back(std::string(run.label).append(": ").append(say(o)));
        return;
    }
    if (!e->device_fits())
        wrong.push_back(std::string(run.label)
                            .append(": needs ")
                            .append(say(e->worst().total()))
                            .append(" of a device, which has ")
                            .append(say(e->memory_limit))
                            .append("; a device with more memory works"));
    const double share = double(run.plan.layout.devices)
                       / (run.plan.layout.zero_stage == 3 ? run.plan.layout.devices : run.plan.layout.data_parallel);
    const Seconds parameter = draw_s / double(drawing_cores(place)) + touch_s;
    run.expected = e->step.total() * (run.steps + first_step_share) + parameter * parameters(run.plan.model) / share;
}

class Planner {
public:
    Planner(const Scenario& subject, const CalibrationPlace& place)
        : subject_(subject), place_(place), small_(scaled_model(subject, place)) {}

    Expected<ExperimentPlan, Sentences> with(Effort e) {
        ExperimentPlan plan{
            subject_, machine_of(place_, ranks_used(place_)), place_.engine, small_.model, small_.note, {}, {}, 1};
        Sentences wrong;
        auto layouts = planned_layouts(subject_, small_, place_, e.steps);
        for (PlannedRun& run : layouts) finish(run, wrong);
        for (PlannedRun& run : layouts) lengthen(run, wrong);
        if (!wrong.empty()) return Unexpected{unique(std::move(wrong))};
        const auto words = model_words(layouts.front().words);
        for (PlannedRun& run : planned_benches(subject_, place_, e.point_s)) {
            run.words.insert(run.words.begin(), words.begin(), words.end());
            plan.runs.push_back(std::move(run));
        }
        std::move(layouts.begin(), layouts.end(), std::back_inserter(plan.runs));
        plan.constants = planned_constants(plan.runs);
        for (const PlannedRun& run : plan.runs) plan.ranks = std::max(plan.ranks, run.ranks);
        return plan;
    }

private:
    void finish(PlannedRun& run, Sentences& wrong) const {
        const auto options = engine_options(run.plan, {run.steps});
        if (!options) {
            for (const std::string& why : options.error()) wrong.push_back(why);
            return;
        }
        run.words = options->words;
        add_device(run.words, place_);
        expect(run, place_, wrong);
    }
    // Counters need a window of seconds: where there may be some, the run at the end is long enough for one.
    void lengthen(PlannedRun& run, Sentences& wrong) const {
        constexpr Seconds window = 4 * second;
        const Outcome e = estimate(run.plan);
        if (!place_.power || run.role != Role::extra || run.repeats.empty() || !e) return;
        const int steps = std::min(1000, int(std::ceil(window / e->step.total())));
        if (steps <= run.steps) return;
        run.plan.recipe.tokens *= double(steps) / run.steps;
        run.steps = steps;
        finish(run, wrong);
    }
    static Sentences unique(Sentences all) {
        Sentences kept;
        for (std::string& each : all)
            if (std::find(kept.begin(), kept.end(), each) == kept.end()) kept.push_back(std::move(each));
        return kept;
    }

    const Scenario& subject_;
    const CalibrationPlace& place_;
    const ScaledModel small_;
};

std::string too_small(Seconds budget, Seconds least) {
    return std::string("A budget of ").append(say(budget)).append(" is too small: ").append(say(least * 1.05))
        .append(" is the least in which every layout that is held back still runs.");
}

}  // namespace

std::vector<const PlannedRun*> ExperimentPlan::visits_of(const PlannedRun& first) const {
    std::vector<const PlannedRun*> all;
    for (const PlannedRun& run : runs)
        if (run.id == first.id || (run.repeats == first.id && run.role == first.role)) all.push_back(&run);
    return all;
}

Seconds ExperimentPlan::expected() const {
    Seconds all = launch_s + fit_s;
    for (const PlannedRun& run : runs) all += run.expected;
    return all;
}

namespace {

// What is known of a back end that nobody has run on its device yet.
std::string say_untried(const Machine& m) {
    if (device_kind(m) != DeviceKind::amd) return {};
    return " The engine's back end for AMD's GPUs has been compiled for this one and tested on a stand-in device only: "
           "it has not run on an AMD GPU yet. Its attention works by rows without matrix cores, so what is measured of "
           "attention says nothing of a fused library kernel.";
}

}  // namespace

std::string say_subject(const ExperimentPlan& plan) {
    return std::string(plan.model_note)
        .append(" Numbers start from the preset of ")
        .append(plan.machine.name)
        .append(" (")
        .append(plan.machine.device.name)
        .append(").")
        .append(say_untried(plan.machine));
}

Expected<ExperimentPlan, Sentences> plan_experiments(const Scenario& subject, const CalibrationPlace& place) {
    Planner planner(subject, place);
    auto plan = planner.with(effort(usual_effort));
    if (!plan || place.budget <= Seconds{}) return plan;
    // Time is nearly linear in the effort: the largest that fits, in steps of a tenth.
    for (double share = most_effort; share > least_effort - 0.01; share -= 0.1) {
        plan = planner.with(effort(share));
        if (plan && plan->expected() <= place.budget) return plan;
    }
    return Unexpected{Sentences{too_small(place.budget, plan->expected())}};
}

namespace {

constexpr const char* needs_ranks = "needs ranks that talk to each other, which this plan has not: stays as it was";
constexpr const char* no_counter =
    "no energy counter is known to be readable there: all watts and joules stay the preset's";

struct ConstantRow {
    const char *pointer, *label, *experiment, *why;
    const char* otherwise =
        needs_ranks;  // why it stays as it was where its run is not planned; nullptr: then nothing depends on it
};
constexpr ConstantRow rows[] = {
    {"/device/efficiency/gemm_ceiling", "Products: share of the peak", "gemm",
     "sets the time of every layer's products"},
    {"/device/efficiency/gemm_half_depth", "Products: depth at half the rate", "gemm",
     "slows products of narrow models and of tensor shares"},
    {"/device/efficiency/gemm_half_area", "Products: outputs at half the rate", "gemm", "slows small products"},
    {"/device/efficiency/gemm_half_rows", "Products: rows at half the rate", "gemm", "slows products of few rows"},
    {"stack/flash_forward_scale", "Attention forward: the engine's kernel over the preset's", "attention",
     "sets the time of attention, forward and recomputed; of this software alone, since others bring kernels of their "
     "own"},
    {"stack/flash_backward_scale", "Attention backward: the engine's kernel over the preset's", "attention",
     "sets the time of attention's gradients; of this software alone"},
    {"/device/efficiency/flash_forward", "Attention forward: share of the peak", "library-attention",
     "sets the time of attention of software that calls a library's kernel; measured where PyTorch is found", nullptr},
    {"/device/efficiency/flash_backward", "Attention backward: share of the peak", "library-attention",
     "sets the time of attention's gradients, likewise", nullptr},
    {"/device/efficiency/stream_fraction", "Memory: share of the bandwidth", "stream",
     "sets the time of norms, activations, residuals and the optimizer"},
    {"/device/efficiency/kernel_floor_us", "Shortest kernel", "gemm",
     "adds up over the many small operations of a layer"},
    {"stack/elementwise_factor", "Elementwise work against its bytes", "one",
     "scales norms, activations and residuals; from the steps of the layouts that fit"},
    {"stack/optimizer_bytes", "Optimizer: bytes of a parameter", "adamw", "sets the time of the update"},
    {"/levels/0/latency_us", "Network: latency", "collective-tensor",
     "decides what small messages cost: tensor ranks, pipelines"},
    {"/levels/0/efficiency", "Network: share of the bandwidth", "collective",
     "sets the time of gradients and gathered weights"},
    {"/levels/0/gather_factor", "Network: all-gathers over all-reduces", "collective",
     "sets the time of gathered weights"},
    {"/levels/0/scatter_factor", "Network: reduce-scatters over all-reduces", "collective",
     "sets the time of sharded gradients"},
    {"/levels/0/message_factor", "Network: messages over all-reduces", "p2p", "sets the time between pipeline stages"},
    {"stack/tensor_exposed", "Tensor communication that nothing hides", "tp2", "from the steps of two tensor ranks"},
    {"overlap", "Overlap of communication", "overlap",
     "what a product hides of an all-reduce, beside what the plan's software is taken to hide", nullptr},
    {"/host/link_GBps", "Host link: bandwidth", "hostlink", "sets the time of what is offloaded", nullptr},
    {"/storage/write_GBps_per_node", "File system: writing from one node", "storage",
     "sets how long a checkpoint takes while nobody else writes"},
    {"/power/device_idle_W", "Power of a device at rest", "power", "sets the energy of every wait", nullptr},
    {"/power/compute_weight", "Power of computing", "power", "sets the energy of products", no_counter},
    {"/power/memory_weight", "Power of streaming memory", "power", "sets the energy of elementwise work", nullptr},
    {"/power/network_weight", "Power of communicating", "power", "sets the energy of exposed communication", nullptr},
    {"/reliability/failures_per_1000_node_days", "Failures", "", "a failure a week does not show in two minutes"},
    {"/levels/last/efficiency", "Congestion by other jobs", "",
     "who else uses the network, and how its routes adapt, differs from hour to hour"},
    {"straggler", "Slowest rank at scale", "", "the tail of thousands of ranks does not show on a few"},
    {"thermal", "Thermal drift", "", "clocks settle over ten minutes and more"},
    {"/storage/write_GBps", "File system: writing from all nodes", "",
     "few nodes alone show a bound only, and the file system is shared"},
};

}  // namespace

std::vector<PlannedConstant> planned_constants(const std::vector<PlannedRun>& runs) {
    std::vector<PlannedConstant> all;
    for (const ConstantRow& row : rows) {
        const auto found = std::find_if(runs.begin(), runs.end(), [&](const PlannedRun& r) {
            return *row.experiment && r.id.starts_with(row.experiment);
        });
        if (found != runs.end() || !*row.experiment)
            all.push_back({row.pointer, row.label, found == runs.end() ? "" : found->id, row.why});
        else if (row.otherwise) all.push_back({row.pointer, row.label, "", row.otherwise});
    }
    return all;
}

std::string_view planned_name(std::string_view pointer) {
    const auto at =
        std::find_if(std::begin(rows), std::end(rows), [&](const ConstantRow& r) { return r.pointer == pointer; });
    return at == std::end(rows) ? std::string_view{} : at->label;
}

namespace {

enum class Over { data, tensor, pipeline };

// What a suite has to do with this trial; engine/bench/ lists the points.
struct Suite {
    const char *id, *label, *suite;
    Over over;
    double points, point_seconds;  // point_seconds: a point's own, whatever its budget: filling buffers, longest calls
    bool needs_ranks;
    double fixed_s = 0;              // it takes besides, however short a point is
};
constexpr Suite suites[] = {
    {"library-attention", "Attention of PyTorch, where it is found", "library", Over::data, 14, 0.2, false, 10},
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

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
}

// Data ranks all of them; tensor and pipeline ranks in pairs, the other dimension being data's.
void add_layout(std::vector<std::string>& words, Over over, int ranks) {
    const int inner = over == Over::data || ranks < 2 ? 1 : 2;
    append(words, {"--dp", std::to_string(ranks / inner), "--tp", std::to_string(over == Over::tensor ? inner : 1),
                   "--pp", std::to_string(over == Over::pipeline ? inner : 1)});
}

PlannedRun run_of(const Suite& suite, int ranks, double seconds, const CalibrationPlace& place) {
    PlannedRun run;
    run.id = suite.id;
    run.label = suite.label;
    run.role = Role::measure;
    run.ranks = ranks;
    add_layout(run.words, suite.over, ranks);
    append(run.words, {"--bench", suite.suite, "--bench-own", "--bench-seconds", significant(seconds, 4),
                       "--bench-visits", std::to_string(visits), "--bench-size", place.accelerator ? "256M" : "16M"});
    const std::string_view name = suite.suite;
    if (suite.needs_ranks && name != "overlap")
        append(run.words, {"--bench-dimension", suite.over == Over::data     ? "data"
                                                : suite.over == Over::tensor ? "tensor"
                                                                             : "pipeline"});
    if (name == "collectives") append(run.words, {"--bench-cache", suite.over == Over::data ? "cold" : "warm"});
    // A job begins in its folder, which is where checkpoints would go; a node's own /tmp is not.
    if (name == "storage" && place.fixed) append(run.words, {"--storage-directory", "."});
    run.expected =
        (start_s + suite.fixed_s + visits * suite.points * (seconds * (1 + warm_up_share) + suite.point_seconds))
        * second;
    return run;
}

// Whether the prediction depends on it here.
bool matters(const Suite& suite, const Scenario& subject, const CalibrationPlace& place, int ranks) {
    const std::string_view name = suite.suite;
    if (suite.needs_ranks && ranks < 2) return false;
    if (name == "library") return place.accelerator;
    if (name == "overlap") return overlaps(subject.stack) && subject.layout.devices > 1;
    // An APU has no link to its host: both use the same memory.
    if (name == "hostlink") return place.accelerator && place.machine.host.link > ByteRate{};
    return name != "power" || place.power;
}

}  // namespace

bool overlaps(const Stack& s) {
    return s.gradients.overlap > 0 || s.sharding.gather_overlap_tax < 1 || s.tensor.exposed < 1;
}

std::vector<PlannedRun> planned_benches(const Scenario& subject, const CalibrationPlace& place, double seconds) {
    const int ranks = ranks_used(place);
    std::vector<PlannedRun> runs;
    for (const Suite& suite : suites)
        if (matters(suite, subject, place, ranks))
            runs.push_back(run_of(suite, suite.id == library_attention_id ? 1 : ranks, seconds, place));
    return runs;
}

namespace {

std::string with_what_works(const std::string& why) {
    return why + ' '
         + phrase("What works there: a trial job (plimsoll calibrate with --script and --trial 3), and its network "
                  "measured from the processors (plimsoll-engine --bench collectives,p2p, with --dp and --pp for its "
                  "ranks).");
}

std::string foreign(const Machine& m) {
    return with_what_works(
        phrase("{1} computes on {2}, for which plimsoll-engine has no back end: it runs on processors, on NVIDIA's "
               "GPUs from the A100 on and on AMD's MI200 and MI300 series. Its processors could be measured, and a "
               "preset with their rates would be wrong in everything.",
               m.name, m.device.name));
}

std::string outdated(const Machine& m) {
    return with_what_works(
        phrase("{1} computes on {2}, which plimsoll-engine cannot use: its kernels need compute capability 8.0, which "
               "NVIDIA's GPUs have from the A100 on (bf16 on tensor cores). A job would wait in the queue and end at "
               "its first line.",
               m.name, m.device.name));
}

std::string of_two(const Machine& m) {
    return with_what_works(
        phrase("{1} computes on {2}, which the preset counts as one device: a rank of plimsoll-engine computes on one "
               "GCD of the two. The preset of the same machine that counts GCDs works.",
               m.name, m.device.name));
}

// Layouts of a plan span nodes as the preset's levels do: every device of a node before the next node's first.
std::string shape_problem(const Machine& m, const Allocation& a) {
    if (a.ranks_per_node > m.devices_per_node)
        return phrase("{1} on a node of {2}: a rank of a calibration is a device, and a node has {3} ({4}); "
                      "--ranks-per-node {5} works",
                      numbered(a.ranks_per_node, "rank", "ranks"), m.name,
                      numbered(m.devices_per_node, "device", "devices"), m.device.name, m.devices_per_node);
    if (a.nodes > 1 && a.ranks_per_node < m.devices_per_node)
        return phrase("On {1} nodes of {2} a calibration takes all {3} devices of each: --ranks-per-node {3} works, "
                      "and so does --nodes 1",
                      a.nodes, m.name, m.devices_per_node);
    return {};
}

// Of a rank on processors. 0: all there are, which the engine finds where one rank is alone.
Expected<int, std::string> threads_of(const Machine& m, const Allocation& a) {
    if (a.cores_per_rank > 0) return a.cores_per_rank;
    if (m.devices_per_node > 1) return 1;     // such presets count cores
    if (a.nodes == 1) return 0;
    return Unexpected{phrase("The preset of {1} does not say how many cores a job has on a node (cores_per_rank of the "
                             "scheduler's job): ranks would use one each and stand for {2}; --nodes 1 works",
                             m.name, m.device.name)};
}

// "A100" of "NVIDIA A100-SXM4-80GB", "4090" of "NVIDIA GeForce RTX 4090": the first word with a digit in it.
std::string numbered_word(const std::string& name) {
    const auto alphanumeric = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (auto at = name.begin(); at != name.end();) {
        const auto begin = std::find_if(at, name.end(), alphanumeric),
                   end = std::find_if_not(begin, name.end(), alphanumeric);
        if (std::any_of(begin, end, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
            return {begin, end};
        at = end;
    }
    return {};
}

// Of those that computing centres have or had: Kepler to Turing, compute capability 3.5 to 7.5. The engine itself asks
// the driver.
bool before_ampere(const std::string& name) {
    constexpr std::string_view models[] = {"K20", "K40",   "K80",  "M40",   "M60", "P4",
                                           "P40", "P100", "V100", "V100S", "T4",  "GV100"};
    return std::find(std::begin(models), std::end(models), numbered_word(name)) != std::end(models);
}

// CDNA 2 and 3, gfx90a and gfx942, for which backend_hip.so is compiled.
bool has_hip_kernels(const std::string& name) {
    constexpr std::string_view models[] = {"MI210", "MI250", "MI250X", "MI300A", "MI300X", "MI325X"};
    return name.starts_with("AMD")
        && std::find(std::begin(models), std::end(models), numbered_word(name)) != std::end(models);
}

// An MI250 or MI250X is two devices to its driver, GCDs with 64 GiB each.
bool is_of_two(const Device& d) { return numbered_word(d.name).starts_with("MI250") && d.memory > 64 * gibibyte; }

}  // namespace

DeviceKind device_kind(const Machine& m) {
    if (has_hip_kernels(m.device.name)) return is_of_two(m.device) ? DeviceKind::module : DeviceKind::amd;
    if (m.device.name.starts_with("NVIDIA"))
        return before_ampere(m.device.name) ? DeviceKind::outdated : DeviceKind::nvidia;
    // An APU shares its memory with its processor: no link leads to it, and yet no core computes.
    const bool graphics =
        m.device.name.find("APU") != std::string::npos || m.device.name.find("GPU") != std::string::npos;
    return m.host.link > ByteRate{} || graphics ? DeviceKind::foreign : DeviceKind::processor;
}

Expected<CalibrationPlace, std::string> place_on(const Machine& m, const Stack& engine, const Allocation& a) {
    const DeviceKind kind = device_kind(m);
    if (kind == DeviceKind::foreign) return Unexpected{foreign(m)};
    if (kind == DeviceKind::module) return Unexpected{of_two(m)};
    if (kind == DeviceKind::outdated) return Unexpected{outdated(m)};
    if (std::string why = shape_problem(m, a); !why.empty()) return Unexpected{std::move(why)};
    CalibrationPlace place{.machine = m, .engine = engine, .ranks = a.nodes * a.ranks_per_node, .nodes = a.nodes,
                           .accelerator = kind == DeviceKind::nvidia || kind == DeviceKind::amd, .fixed = true,
                           .power = true};
    if (place.accelerator) return place;
    const auto threads = threads_of(m, a);
    if (!threads) return Unexpected{threads.error()};
    place.threads = *threads;
    return place;
}

CalibrationPlace place_here(const Scenario& subject, const Machine& cores, const Stack& engine, const Computer& here) {
    const int gpus = int(std::count_if(here.gpus.begin(), here.gpus.end(), [&](const std::string& gpu) {
        return same_gpu(subject.machine.device.name, gpu);
    }));
    const DeviceKind kind = device_kind(subject.machine);
    if (gpus > 0 && (kind == DeviceKind::nvidia || kind == DeviceKind::amd)) {
        const int ranks = std::min(gpus, subject.machine.devices_per_node);
        return {.machine = subject.machine,
                .engine = engine,
                .ranks = ranks,
                .accelerator = true,
                .power = true,
                .cores = std::max(1, here.cores / ranks)};
    }
    CalibrationPlace place{.machine = cores, .engine = engine, .ranks = here.cores, .power = here.energy_counters};
    place.machine.host.memory = here.memory;
    return place;
}

bool same_gpu(const std::string& preset, const std::string& driver) {
    const std::string number = numbered_word(driver);
    return !number.empty() && number == numbered_word(preset);
}

}  // namespace plimsoll
