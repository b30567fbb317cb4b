// Runs with a codec beside the same runs without: what it does to step and loss,
// and how fast it must be for the difference that was measured.
#include "core/evidence/calibration/fit/workbench.h"
#include "core/answers/plan/estimate.h"
#include "core/values/basics/names.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace plimsoll::fitting {

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
        if (run.steps[i].loss) sum += *run.steps[i].loss, ++count;
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

// Encoding and decoding as many times faster as makes the exposed part what was measured; the ratio of the two stays. The part
// falls with the factor, so halving its logarithm's range finds it.
std::optional<double> factor_for(const Workbench& w, const PlannedRun& run, Traffic traffic, CodecKind kind, Seconds measured) {
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
    w.note(at + "/encode", "codecs", before.encode, speed.encode, rounded(speed.encode / spread), rounded(speed.encode * spread));
    w.note(at + "/decode", "codecs", before.decode, speed.decode, rounded(speed.decode / spread), rounded(speed.decode * spread));
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
        CodecTrial trial{run.id, run.label, std::string(name_of(*traffic)), std::string(name_of(codec.kind)), 1, coded.median, plain.median, 0, 0,
                         coded.disturbed() || plain.disturbed()};
        trial.ratio = compression_ratio(codec, value_bytes(run.plan, *traffic));
        trial.steps = int(std::min(with->steps.size(), without->steps.size()));
        const auto a = last_loss(*with, std::size_t(trial.steps)), b = last_loss(*without, std::size_t(trial.steps));
        trial.loss_change = a && b ? *a - *b : 0;
        if (*traffic == Traffic::gradients && !trial.contended) keep_speed(w, run, coded, codec.kind);
        if (const Outcome e = estimate(plan_with(w.so_far, run)))
            shown.points.push_back({run.label, plain.median / second, coded.median, coded.low, coded.high, e->step.total(), trial.contended});
        w.so_far.codecs.push_back(std::move(trial));
    }
    if (!shown.points.empty()) w.note(std::move(shown));
}

}  // namespace plimsoll::fitting
