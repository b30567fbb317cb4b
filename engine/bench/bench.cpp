#include "engine/bench/bench.h"

#include "engine/bench/library.h"
#include "engine/cuda/backend.h"
#include "engine/cuda/device_run.h"
#include "engine/kernels/cpu.h"
#include "engine/model/random.h"
#include "engine/report/hardware.h"
#include "engine/report/statistics.h"
#include "engine/report/stopping.h"

#include <fstream>
#include <map>
#include <sched.h>
#include <sstream>

namespace plimsoll::engine {

namespace {

using Json = nlohmann::ordered_json;

bool asked(const std::string& list, const std::string& name) {
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');) if (word == name || word == "all") return true;
    return false;
}

double cache_bytes(const Json& hw, int level, double otherwise) {
    double found = 0;
    for (const Json& cache : hw["caches"])
        if (cache["type"] != "Instruction" && cache["level"] == level && cache["size_B"].is_number())
            found = cache["size_B"];
    return found > 0 ? found : otherwise;
}

// The points of every suite asked for; a suite without any on this layout is told.
template <class Real, class Wide> std::vector<Point> points_of(const Bench<Real, Wide>& b, Log& log) {
    using Make = std::vector<Point> (*)(const Bench<Real, Wide>&);
    const Make makers[] = {gemm_points,    attention_points, stream_points,  adamw_points,  collective_points,
                           message_points, host_link_points, storage_points, overlap_points};
    static_assert(std::size(makers) + 2 == std::size(suites));  // power holds loads, library asks another program
    std::vector<Point> all;
    for (std::size_t i = 0; i < std::size(makers); ++i) {
        if (!asked(b.options.bench, suites[i].name)) continue;
        auto some = makers[i](b);
        if (some.empty())
            log.warn("bench_empty", std::string(suites[i].name)
                                        .append(" has nothing to measure here: it needs ranks to talk to (--dp, --tp; "
                                                "p2p --pp), or a larger --bench-size"));
        std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
}

// Neighbours in a list warm each other's caches and share the machine's moods. The same order on all ranks.
void shuffle(std::vector<Point>& points, std::uint64_t seed) {
    for (std::size_t i = points.size(); i > 1; --i)
        std::swap(points[i - 1], points[std::size_t(random_bits(seed, stream_of("bench"), i)[0]) % i]);
}

std::string named(const Point& point) {
    return point.kind + " " + point.parameters.dump() + " of " + std::to_string(std::size_t(point.bytes)) + " bytes: ";
}

template <class Real, class Wide> class Session {
public:
    Session(const Bench<Real, Wide>& b, const RunPlace& place) : b_(b), place_(place) {}
    Outcome go() {
        auto points = points_of(b_, place_.log);
        shuffle(points, b_.options.train.seed);
        for (visit_ = 1; visit_ <= b_.options.bench_visits && !outcome_.stopped; ++visit_) {
            for (std::size_t i = 0; i < points.size() && !outcome_.stopped; ++i) one(points[i]);
            std::reverse(points.begin(), points.end());
        }
        if (asked(b_.options.bench, "power") && !outcome_.stopped) {
            const PowerLines done =
                power_lines(b_, place_, [this] { place_.watchdog.changed(Pass::data, Phase::launch); });
            written_ += done.written;
            outcome_.stopped = done.stopped;
        }
        outcome_.summary = {{"steps", 0}, {"points", written_}};
        return std::move(outcome_);
    }

private:
    void one(const Point& point) {
        const auto alive = [this] { place_.watchdog.changed(Pass::data, Phase::launch); };
        alive();
        const auto work = point.prepare();
        if (const auto why = first_failure(b_.ranks, work ? "" : work.error(), ExitCode::device))
            return place_.log.warn("bench_left_out", named(point) + why->text);
        const Timing t = measure(*work, {b_.ranks, b_.options.bench_seconds,
                                         [this] { b_.kernels.synchronize(); }, alive, device_clock()});
        if ((outcome_.stopped = t.stopped)) return;
        Json line = line_of(point, *work, t);
        if (work->finish) work->finish(line, t);
        if (const auto wrong = first_failure(b_.ranks, work->check ? work->check() : "", ExitCode::device)) {
            line["flags"].push_back("wrong");
            if (!outcome_.failure) outcome_.failure = Failure{ExitCode::device, named(point) + wrong->text, 0};
        }
        write(point, line);
    }
    // The host's clock would count its own way to the device and back.
    DeviceClock device_clock() const {
        if (!b_.kernels.has_marks()) return {};
        return {[this] { b_.kernels.mark(); }, [this] { return b_.kernels.between_marks(); }};
    }
    void write(const Point& point, Json& line) {
        line["precision"] = name_of(b_.options.precision);
        line["visit"] = visit_;
        const double median = line["median_s"];
        double& before = first_[named(point)];
        if (before > 0 && std::abs(median - before) > 0.1 * before) line["flags"].push_back("unstable");
        before = before > 0 ? before : median;
        place_.log.write("bench", line);
        ++written_;
    }

    const Bench<Real, Wide>& b_;
    const RunPlace& place_;
    Outcome outcome_;
    std::map<std::string, double> first_;  // median of the first visit
    int visit_ = 1;
    long written_ = 0;
};

template <class Real> Outcome bench_on_cpu(const Options& o, const RunPlace& place) {
    const auto kernels = cpu_kernels<Real>(o.threads, product_library(o.precision == RealFormat::bf16));
    Grid grid = grid_of(place.ranks, o.layout);
    return bench_on(o, place, *kernels, grid, available_memory_B(1e9) / place.ranks.size());
}

}  // namespace

std::string unknown_suite(const std::string& list) {
    std::istringstream in(list);
    std::string known = "all";
    for (const Suite& s : suites) known.append(", ").append(s.name);
    for (std::string word; std::getline(in, word, ',');)
        if (word != "all"
            && std::none_of(std::begin(suites), std::end(suites), [&](const Suite& s) { return word == s.name; }))
            return "--bench " + word + ": there is " + known;
    return {};
}

std::string bench_help() {
    std::string text =
        "--bench LIST measures instead of training; LIST is \"all\" or some of these with commas between:\n";
    for (const Suite& s : suites)
        text.append("  ")
            .append(s.name)
            .append(std::string(13 - std::string_view(s.name).size(), ' '))
            .append(s.about)
            .append("\n");
    return text
         + "Sizes follow the model's and the layout's options; --bench-seconds is the time for a point, --bench-size "
           "the\n"
           "largest message, --bench-visits how often each point is come back to. Columns: PROTOCOL.md.\n";
}

// One point takes a quarter of the memory at most, of the rank that has least.
template <class Real, class Wide>
Outcome bench_on(const Options& o, const RunPlace& place, Kernels<Real, Wide>& kernels, Grid& grid, double memory_B,
                 double cache_B) {
    const Shape shape = shape_of(o.model);
    const auto ranks = place.ranks.split(0, place.ranks.rank());  // in host memory, wherever the grid's groups are
    const Json hw = hardware();
    double least = -(o.memory_limit > 0 ? o.memory_limit : memory_B) / 4;
    ranks->all_reduce(&least, 1, Type::f64, Reduction::max);
    const Bench<Real, Wide> b{o,
                              shape,
                              kernels,
                              grid,
                              *ranks,
                              cache_B > 0 ? cache_B : cache_bytes(hw, 2, 1 << 20),
                              cache_B > 0 ? cache_B : cache_bytes(hw, 3, 32 << 20),
                              -least};
    return Session<Real, Wide>(b, place).go();
}
template Outcome bench_on(const Options&, const RunPlace&, Kernels<double, double>&, Grid&, double, double);
template Outcome bench_on(const Options&, const RunPlace&, Kernels<float, float>&, Grid&, double, double);
template Outcome bench_on(const Options&, const RunPlace&, Kernels<bf16, float>&, Grid&, double, double);

bool asks_library(const std::string& list) {
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');)
        if (word == "library") return true;
    return false;
}

Outcome bench(const Options& o, const RunPlace& place) {
    if (asks_library(o.bench)) {   // before this process opens the device: some let only one in
        Outcome library = bench_library(o, place);
        if (library.stopped || o.bench == "library") return library;
    }
    if (o.device != Platform::cpu) return bench_on_device(o, place);
    return o.precision == RealFormat::fp64 ? bench_on_cpu<double>(o, place) : bench_on_cpu<float>(o, place);
}

namespace {

using Json = nlohmann::ordered_json;

// Of the core this thread is on, now; null where Linux does not tell.
Json clock_MHz() {
    const int cpu = sched_getcpu();
    std::ifstream scaling("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq");
    if (double kHz = 0; scaling >> kHz) return kHz / 1000;
    std::ifstream info("/proc/cpuinfo");
    int seen = -1;
    for (std::string line; std::getline(info, line);) {
        seen += line.starts_with("processor");
        if (seen == cpu && line.starts_with("cpu MHz")) return std::strtod(line.c_str() + line.find(':') + 1, nullptr);
    }
    return nullptr;
}

Json flags_of(const Work& work, const Timing& t) {
    Json flags = Json::array();
    if (work.busy && contended(t.wall_over_cpu, 1)) flags.push_back("contended");
    if (!t.steady) flags.push_back("unsettled");
    if (t.seconds.size() < least_repetitions) flags.push_back("few");
    if (uncertainty(t.seconds) > wanted_interval) flags.push_back("wide");
    if (work.cached) flags.push_back("cached");
    return flags;
}

}  // namespace

Json line_of(const Point& point, const Work& work, const Timing& t) {
    const Spread s = spread_of(t.seconds);
    Json line{{"kind", point.kind}, {"params", point.parameters}};
    line.update({{"n", t.seconds.size()},
                 {"calls", t.calls},
                 {"warmup", t.warmup},
                 {"median_s", s.median},
                 {"lo95_s", s.low95},
                 {"hi95_s", s.high95},
                 {"min_s", s.least},
                 {"p10_s", quantile(t.seconds, 0.1)},
                 {"max_over_ranks_s", t.largest_median},
                 {"bytes", point.bytes},
                 {"flop", point.flop}});
    if (point.bytes > 0) line["B_per_s"] = point.bytes / s.median;
    if (point.flop > 0) line["flop_per_s"] = point.flop / s.median;
    line.update({{"wall_over_cpu", t.wall_over_cpu}, {"clock_MHz", clock_MHz()}, {"flags", flags_of(work, t)}});
    return line;
}

namespace {

template <class Real> Outcome measure(const Options& o, const RunPlace& place, const DeviceRun& device) {
    CudaKernels<Real, float> kernels(*device.table);
    Grid grid = on_devices(grid_of(place.ranks, o.layout), device);
    place.log.write("transport", transport_line(device));
    const double available = available_B(device, *grid.world);
    grid.world = on_device(std::move(grid.world), device);
    return bench_on<Real, float>(o, place, kernels, grid, available, device.cache_B);
}

}  // namespace

Outcome bench_on_device(const Options& o, const RunPlace& place) {
    const DeviceRun device = open_devices(o.device, place.ranks, place.nodes, opening_of(place));
    if (!device.table) return {Failure{ExitCode::device, device.message, 0}, false, {}};
    return o.precision == RealFormat::bf16 ? measure<bf16>(o, place, device) : measure<float>(o, place, device);
}

}  // namespace plimsoll::engine
