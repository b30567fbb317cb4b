// What lies around the devices: the file system, the host's link, how much of an all-reduce a product beside it hides,
// watts, and codecs.
#include "core/answers/plan/estimate.h"
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace plimsoll::fitting {

namespace {

constexpr double giga = 1e9;
using Points = std::vector<const BenchPoint*>;

double ranks_of(const BenchPoint& p) { return std::max(1.0, p.number("ranks")); }
double all_bytes(const BenchPoint& p) { return p.bytes / byte * ranks_of(p); }

// A rate in GB/s, its constant and its points.
void keep_rate(Workbench& w, const char* pointer, ByteRate& field, const Rate& r, const char* experiment) {
    w.note(pointer, experiment, field / (gigabyte / second), rounded(r.value / giga), rounded(r.low / giga),
           rounded(r.high / giga));
    field = rounded(r.value / giga) * gigabyte / second;
}
void show(Workbench& w, const char* id, const char* label, const Points& points, const char* word,
          double (*work)(const BenchPoint&), double rate) {
    Experiment shown{id, label, "bytes", {}, 0};
    for (const BenchPoint* p : points)
        shown.points.push_back(point_of(*p, std::string(p->word(word)), work(*p), work(*p) / rate));
    w.note(std::move(shown));
}

// Of all ranks at once, by their number of nodes. Memory that poses as files, and files that memory still held, are no
// storage. One node says nothing of many: what they share stays as it was, unless the machine has no more.
void fit_files(Workbench& w, const Measurements& m, bool write) {
    Points points = w.usable(m, "storage");
    bool memory = false;
    std::erase_if(points, [&](const BenchPoint* p) {
        const bool in_memory = p->word("file_system") == "tmpfs" || p->word("file_system") == "ramfs";
        memory = memory || in_memory;
        return in_memory || p->has("cached") || p->word("operation") != (write ? "write" : "read");
    });
    if (memory && write)
        w.so_far.cautions.push_back(
            "The files that were written lay in memory: nothing was learned of the file system.");
    if (points.empty()) return;
    points = largest(std::move(points), ranks_of, 1);
    const Rate all = rate_of(points, all_bytes);
    const double nodes = double(std::max<std::size_t>(1, m.nodes.size()));
    const Rate each{all.value / nodes, all.low / nodes, all.high / nodes};
    Storage& storage = w.so_far.machine.storage;
    const char* id = write ? "storage" : "storage-read";
    if (write) keep_rate(w, "/storage/write_GBps_per_node", storage.write_per_node, each, id);
    if (w.so_far.base.nodes == 1)
        keep_rate(w, write ? "/storage/write_GBps" : "/storage/read_GBps", write ? storage.write : storage.read, all,
                  id);
    show(w, id, write ? "Writing files" : "Reading files", points, "operation", all_bytes, all.value);
}

// Large copies, the slower direction: what is offloaded goes both ways, and lies in page-locked memory.
void fit_link(Workbench& w, const Measurements& m) {
    const auto bytes = [](const BenchPoint& p) { return p.bytes / byte; };
    std::optional<Rate> slower;
    Points shown;
    for (const std::string_view direction : {"to_device", "to_host"}) {
        Points points = w.usable(m, "hostlink");
        std::erase_if(points, [&](const BenchPoint* p) {
            return p->word("direction") != direction || p->word("memory") != "page_locked";
        });
        if (points.empty()) continue;
        points = largest(std::move(points), bytes, 0.5);
        const Rate r = rate_of(points, bytes);
        if (!slower || r.value < slower->value) slower = r;
        shown.insert(shown.end(), points.begin(), points.end());
    }
    if (!slower) return;
    keep_rate(w, "/host/link_GBps", w.so_far.machine.host.link, *slower, "hostlink");
    show(w, "hostlink", "Copies between host and device", shown, "direction", bytes, slower->value);
}

// Time of both at once is max + (1 - hidden) min. Where the all-reduce is short, the product's own scatter is larger
// than all of it.
void fit_overlap(Workbench& w, const Measurements& m) {
    constexpr double least_share = 0.25;
    Points points = w.usable(m, "overlap");
    std::erase_if(
        points, [&](const BenchPoint* p) { return p->number("collective_s") < least_share * p->number("product_s"); });
    if (points.empty()) return;
    double saved = 0, shorter = 0;
    for (const BenchPoint* p : points) {
        const double product = p->number("product_s"), collective = p->number("collective_s");
        saved += product + collective - p->best() / second;
        shorter += std::min(product, collective);
    }
    const double hidden = std::clamp(saved / shorter, 0.0, 1.0);
    Experiment shown{"overlap", "A product beside an all-reduce", "bytes", {}, 0};
    for (const BenchPoint* p : points) {
        const double product = p->number("product_s"), collective = p->number("collective_s");
        shown.points.push_back(point_of(*p, "both at once", p->bytes / byte,
                                        std::max(product, collective) + (1 - hidden) * std::min(product, collective)));
    }
    w.note(std::move(shown));
    const Stack& software = w.plan.subject.stack;
    if (overlaps(software) && w.plan.subject.layout.devices > 1)
        w.so_far.cautions.push_back(
            std::string("A product beside an all-reduce hid ")
                .append(percent(hidden, 0))
                .append(" of the shorter one here; \"")
                .append(software.name)
                .append("\" is taken to hide up to ")
                .append(percent(std::max(software.gradients.overlap, 1 - software.sharding.gather_overlap_tax), 0))
                .append(", which stays as it was: it depends on how that software does it."));
}

}  // namespace

void fit_surroundings(Workbench& w, const Measurements& m) {
    fit_files(w, m, true);
    fit_files(w, m, false);
    fit_link(w, m);
    fit_overlap(w, m);
}

// ---- Watts of the machine at rest and under one load at a time, as the cost model has
// them: idle + weight x (max - idle) of every device, beside its host.

namespace {

// Watts of all nodes under a load; nothing where no counter told, a counter cannot be believed, or others drew some of
// them.
std::optional<double> watts(const Measurements& m, std::string_view load) {
    for (const BenchPoint& p : m.points)
        if (p.kind == "power" && p.word("load") == load && p.number("W") > 0 && !p.has("off_limit") && !p.contended())
            return p.number("W");
    return std::nullopt;
}

struct Rest {
    double watts = 0, unsure = 0;    // of all nodes; how far rest differed before and after, at least 2 %
    std::string_view scope;          // "gpu", "package+dram", "node"
    double boards = 0;               // whose counters were read; 0: none of their own
};
std::optional<Rest> rest_of(const Measurements& m) {
    const auto before = watts(m, "idle");
    if (!before) return std::nullopt;
    constexpr double least = 0.02;
    Rest r{*before, least * *before, {}, 0};
    if (const auto after = watts(m, "idle_after")) r.unsure = std::max(r.unsure, std::abs(*after - *before));
    for (const BenchPoint& p : m.points)
        if (p.kind == "power" && p.word("load") == "idle") {
            r.scope = p.word("scope");
            r.boards = p.number("boards");
        }
    return r;
}

// Boards alone, or processors that are the devices: rest is the devices' own. Else what the devices do not draw is the
// host's.
bool of_devices(std::string_view scope, const Machine& m) {
    if (scope.find("node") != scope.npos) return false;
    return scope == "gpu" || scope == "module" || m.host.link <= ByteRate{};
}

// Without an experiment: points are times, and these are watts.
double keep(Workbench& w, const char* pointer, double before, double value, double unsure) {
    w.note(pointer, "", before, rounded(value), rounded(std::max(0.0, value - unsure)), rounded(value + unsure));
    return rounded(value);
}

// The devices that the counters cover: where boards tell of themselves as many as there are, which in a part of a node
// are fewer than the node has; else those of whole nodes.
double devices_at_rest(const Rest& rest, const Machine& m, double nodes) {
    if (rest.boards <= 0 || rest.scope.find("node") != rest.scope.npos) return nodes * m.devices_per_node;
    return rest.boards * (rest.scope.find("module") != rest.scope.npos ? m.device.per_package : 1);
}

void fit_rest(Workbench& w, const Rest& rest, double nodes) {
    Power& power = w.so_far.machine.power;
    const double devices = devices_at_rest(rest, w.plan.machine, nodes);
    if (of_devices(rest.scope, w.plan.machine)) {
        power.device_idle =
            keep(w, "/power/device_idle_W", power.device_idle / watt, rest.watts / devices, rest.unsure / devices)
            * watt;
    } else {
        const double host = std::max(0.0, (rest.watts - devices * (power.device_idle / watt)) / nodes);
        power.host = keep(w, "/power/host_W", power.host / watt, host, rest.unsure / nodes) * watt;
    }
}

struct Load {
    const char *name, *pointer;
    double Power::*weight;
};
constexpr Load loads[] = {{"gemm", "/power/compute_weight", &Power::compute_weight},
                          {"stream", "/power/memory_weight", &Power::memory_weight},
                          {"all_reduce", "/power/network_weight", &Power::network_weight}};

// `busy`: the ranks that bore the loads, a device each.
void fit_loads(Workbench& w, const Measurements& m, const Rest& rest, double busy) {
    Power& power = w.so_far.machine.power;
    const double idle = power.device_idle / watt;
    const auto extra = [&](const Load& load) {
        const auto all = watts(m, load.name);
        return all ? std::optional(std::max(0.0, *all - rest.watts) / busy) : std::nullopt;
    };
    double most = 0;
    for (const Load& load : loads) most = std::max(most, extra(load).value_or(0));
    // More than the preset says a device draws at most: the limit was another's.
    if (idle + most > power.device_max / watt)
        power.device_max =
            keep(w, "/power/device_max_W", power.device_max / watt, idle + most, rest.unsure / busy) * watt;
    const double range = power.device_max / watt - idle;
    if (range <= 0) return;
    for (const Load& load : loads)
        if (const auto more = extra(load))
            power.*load.weight = std::min(1.0, keep(w, load.pointer, power.*load.weight, std::min(1.0, *more / range),
                                                    rest.unsure / busy / range));
}

}  // namespace

void fit_power(Workbench& w, const Measurements& m) {
    if (std::any_of(m.points.begin(), m.points.end(),
                    [](const BenchPoint& p) { return p.kind == "power" && p.contended(); }))
        w.so_far.cautions.push_back("Other programs ran while power was measured: those loads were left out.");
    const auto rest = rest_of(m);
    if (!rest) return;
    fit_rest(w, *rest, double(std::max<std::size_t>(1, m.nodes.size())));
    const auto& runs = w.plan.runs;
    const auto power = std::find_if(runs.begin(), runs.end(), [](const PlannedRun& r) { return r.id == "power"; });
    if (power != runs.end()) fit_loads(w, m, *rest, power->ranks);
}

// ---- Runs with a codec beside the same runs without: what it does to step and loss,
// and how fast it must be for the difference that was measured.

namespace {

const TrainingRun* ran(const Measurements& m, const std::string& id) {
    for (const TrainingRun& run : m.runs)
        if (run.id == id && !run.steps.empty()) return &run;
    return nullptr;
}

std::optional<Traffic> coded_traffic(const Compression& c) {
    for (int i = 0; i < traffics; ++i)
        if (entry(c, Traffic{i}).kind != CodecKind::none) return Traffic{i};
    return std::nullopt;
}

// Mean loss of the last three of `steps` steps; single ones go up and down.
std::optional<double> last_loss(const TrainingRun& run, std::size_t steps) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = steps > 3 ? steps - 3 : 0; i < steps; ++i)
        if (run.steps[i].loss) {
            sum += *run.steps[i].loss;
            ++count;
        }
    return count ? std::optional(sum / count) : std::nullopt;
}

Seconds exposed(const StepTime& t, Traffic traffic) {
    if (traffic == Traffic::tensor) return t.tensor_parallel;
    return traffic == Traffic::pipeline ? t.pipeline_transfer : t.data_parallel;
}

CodecSpeed* speed_of(CodecSpeeds& all, CodecKind kind) {
    switch (kind) {
        case CodecKind::lossless: return &all.lossless;
        case CodecKind::zfp: return &all.zfp;
        case CodecKind::fp8: return &all.fp8;
        case CodecKind::top_k: return &all.top_k;
        case CodecKind::none: break;
    }
    return nullptr;
}

// Encoding and decoding as many times faster as makes the exposed part what was measured; the ratio of the two stays.
// The part falls with the factor, so halving its logarithm's range finds it.
std::optional<double> factor_for(const Workbench& w, const PlannedRun& run, Traffic traffic, CodecKind kind,
                                 Seconds measured) {
    Calibrated c = w.so_far;
    const CodecSpeed before = *speed_of(c.machine.device.codecs, kind);
    const auto at = [&](double factor) {
        *speed_of(c.machine.device.codecs, kind) = {factor * before.encode, factor * before.decode};
        const Outcome e = estimate(plan_with(c, run));
        return e ? exposed(e->step, traffic) : Seconds{};
    };
    constexpr double least = 1e-3, most = 1e3;
    if (at(most) > measured || at(least) < measured) return std::nullopt;
    double low = std::log(least), high = std::log(most);
    for (int i = 0; i < 40; ++i) (at(std::exp((low + high) / 2)) > measured ? low : high) = (low + high) / 2;
    return std::exp((low + high) / 2);
}

// From the exchange of gradients alone: it is long, and its ranks meet once.
void keep_speed(Workbench& w, const PlannedRun& run, const StepSummary& s, CodecKind kind) {
    const auto factor = factor_for(w, run, Traffic::gradients, kind, s.parts.data_parallel);
    if (!factor) return;
    CodecSpeed& speed = *speed_of(w.so_far.machine.device.codecs, kind);
    const CodecSpeed before = speed;
    speed = {rounded(*factor * before.encode), rounded(*factor * before.decode)};
    const double spread = std::max(1.1, s.high / s.low);   // of the step it comes from
    const std::string at = std::string("/device/codecs/").append(kind == CodecKind::top_k ? "top_k" : name_of(kind));
    w.note(at + "/encode", "codecs", before.encode, speed.encode, rounded(speed.encode / spread),
           rounded(speed.encode * spread));
    w.note(at + "/decode", "codecs", before.decode, speed.decode, rounded(speed.decode / spread),
           rounded(speed.decode * spread));
}

}  // namespace

void fit_codecs(Workbench& w, const Measurements& m) {
    Experiment shown{"codecs", "Steps with codecs", "seconds without", {}, 0};
    for (const PlannedRun& run : w.plan.runs) {
        const TrainingRun *with = ran(m, run.id), *without = ran(m, run.without);
        const auto traffic = coded_traffic(run.plan.compression);
        if (run.without.empty() || !with || !without || !traffic) continue;
        const Codec& codec = entry(run.plan.compression, *traffic);
        const StepSummary coded = summary_of(*with), plain = summary_of(*without);
        CodecTrial trial{run.id,
                         run.label,
                         std::string(name_of(*traffic)),
                         std::string(name_of(codec.kind)),
                         1,
                         coded.median,
                         plain.median,
                         0,
                         0,
                         coded.disturbed() || plain.disturbed()};
        trial.ratio = compression_ratio(codec, value_bytes(run.plan, *traffic));
        trial.steps = int(std::min(with->steps.size(), without->steps.size()));
        const auto a = last_loss(*with, std::size_t(trial.steps)), b = last_loss(*without, std::size_t(trial.steps));
        trial.loss_change = a && b ? *a - *b : 0;
        if (*traffic == Traffic::gradients && !trial.contended) keep_speed(w, run, coded, codec.kind);
        if (const Outcome e = estimate(plan_with(w.so_far, run)))
            shown.points.push_back({run.label, plain.median / second, coded.median, coded.low, coded.high,
                                    e->step.total(), trial.contended});
        w.so_far.codecs.push_back(std::move(trial));
    }
    if (!shown.points.empty()) w.note(std::move(shown));
}

}  // namespace plimsoll::fitting
