#include "engine/bench/point.h"

#include "engine/report/statistics.h"

#include <fstream>
#include <sched.h>

namespace plimsoll::engine {
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
    line.update({{"n", t.seconds.size()}, {"calls", t.calls}, {"warmup", t.warmup}, {"median_s", s.median}, {"lo95_s", s.low95},
                 {"hi95_s", s.high95}, {"min_s", s.least}, {"p10_s", quantile(t.seconds, 0.1)}, {"max_over_ranks_s", t.largest_median},
                 {"bytes", point.bytes}, {"flop", point.flop}});
    if (point.bytes > 0) line["B_per_s"] = point.bytes / s.median;
    if (point.flop > 0) line["flop_per_s"] = point.flop / s.median;
    line.update({{"wall_over_cpu", t.wall_over_cpu}, {"clock_MHz", clock_MHz()}, {"flags", flags_of(work, t)}});
    return line;
}

}  // namespace plimsoll::engine
