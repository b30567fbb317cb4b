#include "engine/train/step_line.h"

#include "engine/report/statistics.h"

#include <utility>
#include <vector>

namespace plimsoll::engine {
namespace {

// Named numbers of this rank, in the order in which all ranks list them.
using Figures = std::vector<std::pair<std::string, double>>;

// A part as the cost model knows it: arithmetic repeated for the backward pass is `recompute`, whatever it is.
bool is_recompute(Pass pass, Phase phase) {
    return pass == Pass::recompute
        && (phase == Phase::gemm || phase == Phase::attention || phase == Phase::elementwise || phase == Phase::launch);
}
// Of the passes and parts that count.
template <class Counts> double seconds_where(const PhaseSeconds& phases, Counts counts) {
    double sum = 0;
    for (std::size_t p = 0; p < pass_count; ++p)
        for (std::size_t f = 0; f < phase_count; ++f)
            if (counts(Pass(p), Phase(f))) sum += phases.of(Pass(p), Phase(f));
    return sum;
}

struct OverRanks {
    std::vector<double> sum, max, min;
};
OverRanks over_ranks(const Figures& figures, Comm& world) {
    const std::size_t n = figures.size();
    OverRanks r{std::vector<double>(n), {}, std::vector<double>(n)};
    std::vector<double> extremes(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        r.sum[i] = extremes[i] = figures[i].second;
        extremes[n + i] = -figures[i].second;
    }
    world.all_reduce(r.sum.data(), n, Type::f64);
    world.all_reduce(extremes.data(), 2 * n, Type::f64, Reduction::max);
    for (std::size_t i = 0; i < n; ++i) r.min[i] = -extremes[n + i];
    extremes.resize(n);
    r.max = std::move(extremes);
    return r;
}

nlohmann::ordered_json spread(const Figures& figures, Comm& world) {
    const OverRanks r = over_ranks(figures, world);
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < figures.size(); ++i)
        object[figures[i].first] = {{"max", r.max[i]}, {"mean", r.sum[i] / world.size()}, {"min", r.min[i]}};
    return object;
}

nlohmann::ordered_json traffic(const Figures& figures, Comm& world) {
    const OverRanks r = over_ranks(figures, world);
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    const char* keys[] = {"total_s", "exposed_s", "bytes_B", "raw_B"};
    for (std::size_t i = 0; i < figures.size(); ++i) object[figures[i].first][keys[i % std::size(keys)]] = r.max[i];
    return object;
}

}  // namespace

nlohmann::ordered_json step_line(const StepTiming& t, Comm& world) {
    Figures passes, parts;
    for (std::size_t p = 0; p < pass_count; ++p)
        passes.emplace_back(pass_names[p], seconds_where(*t.phases, [p](Pass a, Phase) { return a == Pass(p); }));
    for (std::size_t f = 0; f < phase_count; ++f)
        parts.emplace_back(phase_names[f], seconds_where(*t.phases, [f](Pass a, Phase b) {
                               return b == Phase(f) && !is_recompute(a, b);
                           }));
    parts.emplace_back("recompute", seconds_where(*t.phases, is_recompute));
    Figures sent;
    for (const auto& [name, a] :
         {std::pair{"tensor", t.tensor}, std::pair{"data", t.data}, std::pair{"pipeline", t.pipeline}})
        for (const double x : {a.total, a.exposed, a.bytes, a.raw}) sent.emplace_back(name, x);
    const OverRanks whole = over_ranks(
        {{"seconds", t.seconds},
         {"peak", t.peak_bytes},
         {"idle", t.seconds - t.cpu_seconds},
         {"device", t.device_bytes}},
        world);
    const double seconds = whole.sum[0] / world.size();  // as the means of its parts
    nlohmann::ordered_json line{{"step", t.step}, {"loss", t.loss}, {"grad_norm", t.norm}, {"step_s", seconds},
                                {"tokens", std::int64_t(t.tokens)}, {"tok_per_s", t.tokens / seconds}};
    line["pass"] = spread(passes, world);
    line["phase"] = spread(parts, world);
    line["comm"] = traffic(sent, world);
    line["mem_peak_B"] = whole.max[1];
    line["mem_device_B"] = whole.min[3] > 0 ? nlohmann::ordered_json(whole.max[3]) : nlohmann::ordered_json(nullptr);
    line["energy_J"] = nullptr;
    line["quality"] = nlohmann::ordered_json::array();
    // Ranks wait for each other by spinning, so time off the processor belongs to somebody else.
    if (contended(t.seconds, t.seconds - whole.max[2])) line["quality"].push_back("contended");
    return line;
}

}  // namespace plimsoll::engine
