#include "core/files/results/answers_json.h"

#include "core/files/presets/library.h"
#include "core/files/presets/parts.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_pulls = 20;

OrderedJson maybe(const std::optional<double>& v) { return v ? OrderedJson(*v) : OrderedJson(nullptr); }
const char* quantity_name(bool memory) { return memory ? "memory" : "time"; }

OrderedJson constant_json(const FittedConstant& f, const std::vector<FittedConstant>& all) {
    const Constant& c = f.constant;
    const OrderedJson family = c.family < 0 ? OrderedJson() : OrderedJson(all[std::size_t(c.family)].constant.name);
    return {{"id", c.id()},     {"knob", c.knob->id},         {"of", c.owners},         {"unit", c.knob->unit},
            {"pooled_with", family},
            {"prior", c.prior}, {"width", c.width},           {"value", f.value},       {"low", f.low},
            {"high", f.high},   {"determined", f.determined}, {"at_limit", f.at_limit}, {"reason", c.reason}};
}

OrderedJson source_json(const SourceError& e) {
    return {{"source", e.source},
            {"quantity", quantity_name(e.quantity == Measured::memory)},
            {"experts", e.experts},
            {"rows", e.rows},
            {"before", e.before},
            {"fitted", e.fitted},
            {"left_out", maybe(e.left_out)}};
}

OrderedJson score_json(const FitReport& r, Measured quantity, bool experts = false) {
    const auto at = [&](FitStage stage) {
        return maybe(median_error(r.sources, quantity, stage, experts, headline_rows));
    };
    return {{"before", at(FitStage::before)}, {"fitted", at(FitStage::fitted)}, {"left_out", at(FitStage::left_out)}};
}

}  // namespace

std::string write_fit(const FitProblem& problem, const FitReport& r, const std::vector<SourceError>& held_back) {
    const auto constant = [&](const FittedConstant& f) { return constant_json(f, r.fit.constants); };
    const auto pull = [&](const Pull& p) -> OrderedJson {
        const Observation& o = problem.observations[p.observation];
        return {{"id", o.id},
                {"quantity", quantity_name(o.quantity == Measured::memory)},
                {"error", r.fit.errors[p.observation]},
                {"shift", p.shift}};
    };
    const std::span strongest = std::span(r.fit.pulls).first(std::min(most_pulls, r.fit.pulls.size()));
    return text_of({{"constants", json_list(r.fit.constants, constant)},
                    {"sources", json_list(r.sources, source_json)},
                    {"score",
                     {{"time", score_json(r, Measured::time)},
                      {"experts", score_json(r, Measured::time, true)},
                      {"memory", score_json(r, Measured::memory)}}},
                    {"held_back", json_list(held_back, source_json)},
                    {"pulls", json_list(strongest, pull)},
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
            {"stalls", r.stalls.empty() ? OrderedJson() : OrderedJson(r.stalls)},
            {"filled", r.filled}};
}

void add_range(OrderedJson& row, const RowRange& r) {
    const auto number = [&](double v) { return r.counts ? score_number(v) : OrderedJson(); };
    const auto inside = [&](bool v) { return r.counts ? OrderedJson(v) : OrderedJson(); };
    row["left_out"] = number(r.error);
    row["range_low"] = number(r.low);
    row["range_high"] = number(r.high);
    row["covered"] = inside(r.covered);
    row["wide_low"] = number(r.wide_low);
    row["wide_high"] = number(r.wide_high);
    row["wide_covered"] = inside(r.wide_covered);
}

// `ranges`: of the rows, or none.
OrderedJson rows_json(const std::vector<ScoredRow>& all, const std::vector<RowRange>& ranges = {}) {
    OrderedJson list = OrderedJson::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        list.push_back(row_json(all[i]));
        if (i < ranges.size()) add_range(list.back(), ranges[i]);
    }
    return list;
}

OrderedJson coverage_json(const CoverageSummary& s) {
    return {{"source", s.source},
            {"quantity", quantity_name(s.memory)},
            {"rows", s.rows},
            {"two_thirds", score_number(s.two_thirds)},
            {"nine_tenths", score_number(s.nine_tenths)},
            {"band", score_number(s.band)}};
}

OrderedJson sweep_json(const Sweep& s) {
    return {{"source", s.source},
            {"name", s.name},
            {"rows", s.rows},
            {"apart", s.apart},
            {"chosen", s.chosen},
            {"fastest", s.fastest},
            {"regret", score_number(s.regret)},
            {"by_chance", score_number(s.by_chance)},
            {"rank_correlation", score_number(s.rank_correlation)}};
}

OrderedJson regret_json(const RegretSummary& r) {
    return {{"source", r.source},
            {"sweeps", r.sweeps},
            {"rows", r.rows},
            {"apart", r.apart},
            {"median", score_number(r.median)},
            {"mean", score_number(r.mean)},
            {"mean_by_chance", score_number(r.mean_by_chance)},
            {"worst", score_number(r.worst)},
            {"worst_sweep", r.worst_sweep},
            {"rank_correlation", score_number(r.rank_correlation)}};
}

OrderedJson copy_errors_json(const CopyErrors& e) {
    if (!e.any()) return {};
    return {{"rows", e.rows},
            {"choices", e.choices},
            {"before", score_number(e.before)},
            {"after", score_number(e.after)},
            {"within", score_number(e.within)},
            {"within_wide", score_number(e.within_wide)}};
}

OrderedJson copies_json(const CopiedSource& s) {
    return {{"source", s.source},
            {"quantity", quantity_name(s.memory)},
            {"unseen", s.unseen},
            {"one", copy_errors_json(s.one)},
            {"two", copy_errors_json(s.two)},
            {"eighth_of_devices", copy_errors_json(s.eighth)},
            {"stages_kept", copy_errors_json(s.stages_kept)},
            {"other_stages", copy_errors_json(s.other_stages)}};
}

OrderedJson anchored_json(const AnchoredSource& s) {
    return {{"source", s.source},
            {"quantity", quantity_name(s.memory)},
            {"given", s.given},
            {"rows", s.rows.size()},
            {"before", score_number(s.before)},
            {"after", score_number(s.after)},
            {"any_before", score_number(s.any_before)},
            {"any_after", score_number(s.any_after)}};
}

OrderedJson known_json(const KnowledgeSummary& k) {
    return {{"experts", k.experts},
            {"known", k.knowledge ? OrderedJson(name_of(*k.knowledge)) : OrderedJson()},
            {"sources", k.sources},
            {"rows", k.rows},
            {"error", score_number(k.error)},
            {"band", score_number(k.band)},
            {"two_thirds", score_number(k.two_thirds)},
            {"nine_tenths", score_number(k.nine_tenths)}};
}

OrderedJson headline_json(const LeftOut& left_out, const Score& s) {
    const HeadlineScore h = headline_score(of_rows_in(left_out, s));
    const std::string stale = staleness(left_out, s);
    return {{"dense", score_number(h.dense.left_out)},
            {"moe", score_number(h.experts.left_out)},
            {"memory", score_number(h.memory.left_out)},
            {"sources",
             {{"dense", h.dense.sources}, {"moe", h.experts.sources}, {"memory", h.memory.sources}}},
            {"stale", stale.empty() ? OrderedJson() : OrderedJson(stale)}};
}

}  // namespace

std::string to_json(const Score& s, const Judgement& judged) {
    const OrderedJson score{{"dense", score_number(s.dense)},
                            {"moe", score_number(s.experts)},
                            {"memory", score_number(s.memory)},
                            {"left_out", headline_json(judged.left_out, s)}};
    return text_of({{"score", score},
                    {"sources", json_list(s.sources, summary_json)},
                    {"families", json_list(s.families, summary_json)},
                    {"expert_sources", json_list(s.expert_sources, summary_json)},
                    {"memory_sources", json_list(s.memory_sources, summary_json)},
                    {"rows", rows_json(s.rows, judged.coverage.time)},
                    {"memory_rows", rows_json(s.memory_rows, judged.coverage.memory)},
                    {"other_rows", rows_json(s.other_rows)},
                    {"coverage", json_list(judged.coverage.sources, coverage_json)},
                    {"known", json_list(judged.coverage.known, known_json)},
                    {"sweeps", json_list(judged.sweeps, sweep_json)},
                    {"regret", json_list(regrets_by_source(judged.sweeps), regret_json)},
                    {"anchored", json_list(judged.anchored, anchored_json)},
                    {"copies", json_list(judged.copies, copies_json)}});
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
