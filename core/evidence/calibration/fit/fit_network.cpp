// Levels of the network from collectives and messages: a latency, and one rate or
// two. Which of the two forms is decided by Schwarz's criterion.
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/fitting/least_squares.h"
#include "core/costs/network/network.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace plimsoll::fitting {

namespace {

struct Exchange {
    const BenchPoint* point;
    Collective kind;
    Group group;
    int level;        // the outermost one it crosses
};

std::optional<Collective> collective_of(const BenchPoint& p) {
    if (p.kind == "p2p") return Collective::message;
    if (p.word("collective") == "all_reduce") return Collective::all_reduce;
    if (p.word("collective") == "all_gather") return Collective::all_gather;
    if (p.word("collective") == "reduce_scatter") return Collective::reduce_scatter;
    return std::nullopt;   // a broadcast has no place in a step
}

// Benches of tensor and data ranks lie side by side (they have no other dimension inside); stages as far apart as can
// be.
Group group_of(const Workbench& w, const BenchPoint& p) {
    const int size = std::max(2, p.count("ranks"));
    if (p.word("dimension") != "pipeline") return {size, 1};
    for (const PlannedRun& run : w.plan.runs)
        if (run.id == p.word("experiment")) return {size, std::max(1, run.ranks / size)};
    return {size, 1};
}

std::vector<Exchange> exchanges(Workbench& w, const Measurements& m) {
    std::vector<Exchange> all;
    for (const char* kind : {"collective", "p2p"})
        for (const BenchPoint* p : w.usable(m, kind)) {
            const auto c = collective_of(*p);
            if (!c) continue;
            const Group group = group_of(w, *p);
            const Span span = span_of(w.so_far.machine, group);
            if (span.hops > 0) all.push_back({p, *c, group, span.outermost().level});
        }
    return all;
}

struct LevelFit {
    CurveFit fit;
    bool two = false;
};

// Of the values: latency in microseconds, rate of an all-reduce in GB/s, and factors of the other operations on it;
// with two rates the size in MB and the second.
constexpr std::size_t two_rates = 7;
void set_level(Level& level, std::span<const double> v) {
    level.latency = v[0] * microsecond;
    level.bandwidth = v[1] * gigabyte / second;
    level.efficiency = 1;
    level.gather_factor = v[2];
    level.scatter_factor = v[3];
    level.message_factor = v[4];
    level.large_from = v.size() == two_rates ? v[5] * megabyte : Bytes{};
    level.large_bandwidth = v.size() == two_rates ? v[6] * gigabyte / second : ByteRate{};
}

LevelFit fit_level(Machine machine, int at, const std::vector<Exchange>& points) {
    std::vector<double> measured;
    for (const Exchange& e : points) measured.push_back(e.point->best() / second);
    Level& level = machine.levels[std::size_t(at)];
    const auto curve = [&](std::span<const double> v) {
        set_level(level, v);
        std::vector<double> t;
        for (const Exchange& e : points)
            t.push_back(transfer(e.kind, span_of(machine, e.group), e.point->bytes).time / second);
        return t;
    };
    const double rate = level.bandwidth * level.efficiency / (gigabyte / second),
                 latency = std::max(0.05, level.latency / microsecond);
    constexpr double noise = 0.1, delta = 0.2;   // libraries change algorithms between sizes, and no form knows where
    const std::vector<CurveParameter> single{{latency, 1.5}, {rate, 1}, {1, 0.7}, {1, 0.7}, {1, 0.7}};
    LevelFit best{fit_curve(measured, single, curve, {}, noise, delta), false};
    if (points.size() < 8) return best;
    std::optional<CurveFit> two;
    for (const double from_MB :
         {0.25, 1.0, 4.0, 16.0}) {  // the cost has a minimum between any two sizes: start from several
        auto parameters = single;
        parameters.push_back({from_MB, 0.7, 0.01, 1024});
        parameters.push_back({rate / 2, 1});
        const CurveFit f = fit_curve(measured, parameters, curve, {}, noise, delta);
        if (!two || f.cost < two->cost) two = f;
    }
    // Schwarz's criterion: two more parameters have to gain 2 ln n. Caches and protocols make messages slower, never
    // faster, per byte.
    if (two->values[6] < two->values[1] && best.fit.cost - two->cost > 2 * std::log(double(points.size())))
        best = {*two, true};
    return best;
}

// Keeps the vendor's bandwidth where the measured rate is below it: then the share that is achieved is what was
// measured.
void keep(Workbench& w, int at, const LevelFit& found, const std::string& experiment) {
    Level& level = w.so_far.machine.levels[std::size_t(at)];
    const Level before = level;
    const std::string path = std::string("/levels/").append(std::to_string(at));
    const auto& v = found.fit.values;
    const auto note = [&](const char* key, double was, std::size_t i, double unit = 1) {
        w.note(path + key, experiment, was, rounded(v[i] / unit), rounded(found.fit.low[i] / unit),
               rounded(found.fit.high[i] / unit));
    };
    set_level(level, v);
    const double nominal = before.bandwidth / (gigabyte / second);
    note("/latency_us", before.latency / microsecond, 0);
    level.latency = rounded(v[0]) * microsecond;
    const double share = v[1] <= nominal ? rounded(v[1] / nominal) : 1;
    level.efficiency = share;
    level.bandwidth = v[1] <= nominal ? before.bandwidth : rounded(v[1]) * gigabyte / second;
    if (v[1] <= nominal) note("/efficiency", before.efficiency, 1, nominal);
    else note("/bandwidth_GBps", nominal, 1);
    note("/gather_factor", before.gather_factor, 2);
    note("/scatter_factor", before.scatter_factor, 3);
    note("/message_factor", before.message_factor, 4);
    level.gather_factor = rounded(v[2]);
    level.scatter_factor = rounded(v[3]);
    level.message_factor = rounded(v[4]);
    std::vector<std::string> pointers;
    for (const char* key : {"/latency_us", "/bandwidth_GBps", "/gather_factor", "/scatter_factor", "/message_factor",
                            "/large_from_MB", "/large_bandwidth_GBps"})
        pointers.push_back(path + key);
    w.leave_open(pointers, found.fit);
    if (!found.two) return;
    note("/large_from_MB", before.large_from / megabyte, 5);
    note("/large_bandwidth_GBps", before.large_bandwidth / (gigabyte / second), 6, share);
    level.large_from = rounded(v[5]) * megabyte;
    level.large_bandwidth = rounded(v[6] / share) * gigabyte / second;
}

std::string label_of(const Exchange& e) {
    const std::string what = e.kind == Collective::message ? "message " + std::string(e.point->word("way"))
                                                           : std::string(e.point->word("collective"));
    const std::string cache = e.point->word("cache").empty() ? "" : ", " + std::string(e.point->word("cache"));
    return what + " over " + std::to_string(e.group.size) + " ranks of " + std::string(e.point->word("dimension"))
         + cache;
}

}  // namespace

void fit_network(Workbench& w, const Measurements& m) {
    const auto all = exchanges(w, m);
    for (int at = 0; at < int(w.so_far.machine.levels.size()); ++at) {
        std::vector<Exchange> here;
        for (const Exchange& e : all)
            if (e.level == at) here.push_back(e);
        if (here.size() < 3) continue;
        const LevelFit found = fit_level(w.so_far.machine, at, here);
        const std::string id = "network-" + w.so_far.machine.levels[std::size_t(at)].name;
        keep(w, at, found, id);
        Experiment shown{id, "Network, " + w.so_far.machine.levels[std::size_t(at)].name, "bytes", {}, 0};
        for (std::size_t i = 0; i < here.size(); ++i)
            shown.points.push_back(
                point_of(*here[i].point, label_of(here[i]), here[i].point->bytes / byte, found.fit.curve[i]));
        w.note(std::move(shown));
    }
}

}  // namespace plimsoll::fitting
