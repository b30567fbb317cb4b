#include "core/files/results/answers_json.h"

#include "core/files/presets/library.h"
#include "core/files/presets/parts.h"

#include <cmath>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_pulls = 20;

OrderedJson maybe(const std::optional<double>& v) { return v ? OrderedJson(*v) : OrderedJson(nullptr); }
const char* name_of(Measured q) { return q == Measured::time ? "time" : "memory"; }

OrderedJson constant_json(const FittedConstant& f) {
    const Constant& c = f.constant;
    return {{"id", c.id()},     {"knob", c.knob->id},         {"of", c.owners},         {"unit", c.knob->unit},
            {"prior", c.prior}, {"width", c.width},           {"value", f.value},       {"low", f.low},
            {"high", f.high},   {"determined", f.determined}, {"at_limit", f.at_limit}, {"reason", c.reason}};
}

OrderedJson source_json(const SourceError& e) {
    return {{"source", e.source}, {"quantity", name_of(e.quantity)}, {"rows", e.rows}, {"before", e.before},
            {"fitted", e.fitted}, {"left_out", maybe(e.left_out)}};
}

OrderedJson score_json(const FitReport& r, Measured quantity) {
    const auto at = [&](FitStage stage) { return maybe(median_error(r.sources, quantity, stage)); };
    return {{"before", at(FitStage::before)}, {"fitted", at(FitStage::fitted)}, {"left_out", at(FitStage::left_out)}};
}

}  // namespace

std::string write_fit(const FitProblem& problem, const FitReport& r) {
    OrderedJson constants = OrderedJson::array(), sources = OrderedJson::array(), pulls = OrderedJson::array();
    for (const FittedConstant& f : r.fit.constants) constants.push_back(constant_json(f));
    for (const SourceError& e : r.sources) sources.push_back(source_json(e));
    for (std::size_t i = 0; i < std::min(most_pulls, r.fit.pulls.size()); ++i) {
        const Pull& p = r.fit.pulls[i];
        const Observation& o = problem.observations[p.observation];
        pulls.push_back({{"id", o.id},
                         {"quantity", name_of(o.quantity)},
                         {"error", r.fit.errors[p.observation]},
                         {"shift", p.shift}});
    }
    return text_of({{"constants", constants},
                    {"sources", sources},
                    {"score", {{"time", score_json(r, Measured::time)}, {"memory", score_json(r, Measured::memory)}}},
                    {"pulls", pulls},
                    {"loss", r.fit.loss},
                    {"steps", r.fit.steps},
                    {"converged", r.fit.converged}});
}

// ---- Predictions against measured runs

namespace {

constexpr int score_digits = 8;

// Null where there is no finite number.
OrderedJson score_number(double value) {
    return std::isfinite(value) ? number_json(rounded(value, score_digits)) : OrderedJson();
}

OrderedJson score_number(const std::optional<double>& value) { return value ? score_number(*value) : OrderedJson(); }

OrderedJson summary_json(const ErrorSummary& s) {
    OrderedJson object{{"source", s.name}, {"family", s.family}, {"rows", s.rows}, {"excluded", s.excluded}};
    const bool counted = s.counted() > 0;
    object["mape"] = counted ? score_number(s.mean_absolute) : OrderedJson();
    object["median"] = counted ? score_number(s.median_absolute) : OrderedJson();
    object["bias"] = counted ? score_number(s.bias) : OrderedJson();
    object["worst"] = counted ? OrderedJson{{"id", s.worst_id}, {"error", score_number(s.worst)}} : OrderedJson();
    return object;
}

OrderedJson row_json(const ScoredRow& r) {
    const bool predicted = !r.quantity.empty();
    return {{"id", r.id},
            {"source", r.source},
            {"quantity", r.quantity},
            {"published", predicted ? score_number(r.published) : OrderedJson()},
            {"predicted", predicted ? score_number(r.predicted) : OrderedJson()},
            {"error", predicted ? score_number(r.error) : OrderedJson()},
            {"excluded", r.excluded.empty() ? OrderedJson() : OrderedJson(r.excluded)},
            {"memory_share", score_number(r.memory_share)},
            {"filled", r.filled}};
}

OrderedJson summaries_json(const std::vector<ErrorSummary>& all) {
    OrderedJson list = OrderedJson::array();
    for (const ErrorSummary& each : all) list.push_back(summary_json(each));
    return list;
}

OrderedJson rows_json(const std::vector<ScoredRow>& all) {
    OrderedJson list = OrderedJson::array();
    for (const ScoredRow& each : all) list.push_back(row_json(each));
    return list;
}

}  // namespace

std::string to_json(const Score& s) {
    const OrderedJson score{{"dense", score_number(s.dense)},
                            {"moe", score_number(s.experts)},
                            {"memory", score_number(s.memory)}};
    return text_of({{"score", score},
                    {"sources", summaries_json(s.sources)},
                    {"families", summaries_json(s.families)},
                    {"expert_sources", summaries_json(s.expert_sources)},
                    {"memory_sources", summaries_json(s.memory_sources)},
                    {"rows", rows_json(s.rows)},
                    {"memory_rows", rows_json(s.memory_rows)},
                    {"other_rows", rows_json(s.other_rows)}});
}

// ---- What ships

std::string to_json(const std::vector<PresetList>& lists) {
    OrderedJson root = OrderedJson::object();
    for (const PresetList& list : lists) {
        OrderedJson& entries = root[list.kind] = OrderedJson::array();
        for (const PresetEntry& entry : list.entries) {
            OrderedJson object{{"id", entry.id}, {"name", entry.name}};
            if (entry.calibrated) object["calibrated"] = *entry.calibrated;
            entries.push_back(std::move(object));
        }
    }
    return text_of(root);
}

}  // namespace plimsoll
