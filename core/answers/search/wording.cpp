#include "core/answers/search/wording.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

void append(std::string& text, const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
}

std::string tensor_of(const Layout& l) {
    std::string text = phrase("tensor {1}", l.tensor_parallel);
    if (l.tensor_mode == TensorMode::summa_2d) text = phrase("{1} in 2D", text);
    if (l.tensor_mode == TensorMode::tesseract) text = phrase("{1} in 2.5D, depth {2}", text, l.tensor_depth);
    if (l.sequence_parallel) text += " SP";
    return text;
}

std::string recompute_of(const Layout& l) {
    const std::string text = l.recompute == Recompute::full        ? phrase("full recompute")
                           : l.recompute == Recompute::selective ? phrase("selective recompute")
                                                                 : phrase("{1} recompute", name_of(l.recompute));
    const bool listed = l.recompute == Recompute::selective && l.recompute_modules != RecomputeModules{};
    if (listed) return phrase("recompute of {1}", names_of_modules(l.recompute_modules));
    return l.recompute_layers > 0 ? phrase("{1} of {2} layers a chunk", text, l.recompute_layers) : text;
}

std::string offload_of(const Offload& o) {
    std::string text;
    const auto add = [&](const std::string& what, Tier tier) {
        if (tier != Tier::device)
            append(text, tier == Tier::host ? phrase("{1} in host memory", what) : phrase("{1} in NVMe", what));
    };
    add(phrase("weights"), o.weights);
    add(phrase("gradients"), o.gradients);
    const long percent = std::lround(100 * o.optimizer_share);
    const std::string optimizer = o.paged_optimizer ? phrase("paged optimizer") : phrase("optimizer");
    add(o.optimizer_share < 1 ? phrase("{1} % of the optimizer", percent) : optimizer, o.optimizer);
    const bool listed = o.modules != OffloadModules{};
    add(listed ? phrase("activations of {1}", names_of_modules(o.modules)) : phrase("activations"), o.activations);
    return text;
}

}  // namespace

template <> std::span<const std::string_view> names_of<Objective>() {
    static constexpr std::string_view names[] = {"time", "energy", "cost", "node-hours", "memory"};
    return names;
}

std::string say_degrees(const Layout& l) {
    std::string text = tensor_of(l);
    if (l.context_parallel > 1)
        text += " x " + phrase("{1} context {2}", name_of(l.context_mode), l.context_parallel);
    text += " x " + phrase("pipeline {1}", l.pipeline_parallel);
    if (l.virtual_stages > 1) text = phrase("{1} of {2} chunks", text, l.virtual_stages);
    text += " x " + phrase("data {1}", l.data_parallel);
    if (l.expert_parallel > 1) append(text, phrase("expert {1}", l.expert_parallel));
    return text;
}

std::string say_layout(const Layout& l) {
    std::string text = say_degrees(l);
    append(text, phrase("micro-batch {1}", l.micro_batch));
    const bool told = l.pipeline_parallel > 1 || schedule_kind(l.schedule).pairs;
    if (told && l.schedule != usual_schedule(l.virtual_stages))
        append(text, std::string(name_of(l.schedule)));
    if (l.recompute != Recompute::none) append(text, recompute_of(l));
    if (l.zero_stage > 0) append(text, "ZeRO-" + std::to_string(l.zero_stage));
    if (l.zero_stage > 0 && l.shard_group > 0) text = phrase("{1} in groups of {2}", text, l.shard_group);
    if (l.secondary_shard == 1) append(text, phrase("gathered weights kept"));
    if (l.secondary_shard > 1) append(text, phrase("a second copy of the weights in {1}", l.secondary_shard));
    if (l.offload.any()) append(text, offload_of(l.offload));
    return text;
}

namespace {

// Values of one axis that a space lacks, in words: "ZeRO stages 2 and 3".
template <class T>
bool lacks(const std::vector<T>& axis, T value) {
    return std::find(axis.begin(), axis.end(), value) == axis.end();
}

std::string stages_left_out(const Space& s) {
    std::vector<std::string> lacking;
    for (int stage = 0; stage <= 3; ++stage)
        if (lacks(s.zero_stages, stage)) lacking.push_back(std::to_string(stage));
    if (lacking.empty()) return {};
    const std::string last = lacking.back();
    lacking.pop_back();
    return lacking.empty() ? phrase("ZeRO stage {1}", last) : phrase("ZeRO stages {1} and {2}", joined(lacking), last);
}

std::string schedules_left_out(const Space& s) {
    std::vector<std::string> lacking;
    for (const Schedule one : full_space().schedules)
        if (one != usual_schedule(1) && lacks(s.schedules, one)) lacking.emplace_back(name_of(one));
    return lacking.empty() ? "" : phrase("the schedules {1}", joined(lacking));
}

}  // namespace

std::string say_left_out(const Space& s, const Scenario& plan) {
    const bool line_alone = has_experts(plan.model) || has_latent_attention(plan.model);   // no grid goes with them
    const auto only = [](const std::vector<int>& axis) { return axis.size() == 1; };
    std::vector<std::string> lacking;
    const auto note = [&](bool left_out, const std::string& what) {
        if (left_out && !what.empty()) lacking.push_back(what);
    };
    note(s.largest_tensor != 0 && plan.layout.devices > plan.machine.devices_per_node,
         phrase("tensor ranks across nodes"));
    note(s.tensor_modes.size() < 3 && !line_alone, phrase("tensor ranks on grids"));
    note(only(s.context_parallel) && plan.layout.devices > 1, phrase("context ranks"));
    note(only(s.expert_parallel) && has_experts(plan.model), phrase("expert ranks"));
    note(true, stages_left_out(s));
    note(true, schedules_left_out(s));
    note(s.even_stages, phrase("stages of unequal layers"));
    note(!s.even_stages && !s.pipeline_parallel.empty(), phrase("other stages of unequal layers"));
    note(!s.recompute_counts, phrase("recomputation of some layers"));
    note(!s.module_lists && !module_lists(plan).empty(), phrase("recomputation by module"));
    note(s.offload.size() < 2, phrase("host memory"));
    note(!s.sent_lists && s.offload.size() > 1 && sent_by_module(plan), phrase("activations in host memory by module"));
    return joined(lacking);
}

std::string say_model_parallel(const Layout& l) {
    std::string text = "TP " + std::to_string(l.tensor_parallel);
    if (l.context_parallel > 1) text.append(" CP ").append(std::to_string(l.context_parallel));
    if (l.pipeline_parallel > 1) text.append(" PP ").append(std::to_string(l.pipeline_parallel));
    if (l.expert_parallel > 1) text.append(" EP ").append(std::to_string(l.expert_parallel));
    return text;
}

std::string say_shape(const Model& m) {
    return phrase("{1} layers x {2}, {3} heads", m.layers, m.hidden, m.heads);
}

std::string say_surely(const SearchResult& r) {
    if (r.top.empty() || r.top.front().verdict() == FitVerdict::fits) return {};
    const Candidate& best = r.top.front();
    const std::string first = phrase("The best {1} ({2} of a device).", say(best.verdict()), percent(best.share, 0));
    if (const auto sure = best_that_surely_fits(r))
        return first + ' '
             + phrase("The best that surely fits: {1}, {2} a step, {3} of a device.", say_layout(sure->layout),
                      say(sure->step), percent(sure->share, 0));
    const auto listed = [&](const Candidate& c) { return std::ranges::find(r.top, c) != r.top.end(); };
    const auto kept = r.top.size() + r.front.size() - std::size_t(std::ranges::count_if(r.front, listed));
    return first + ' ' + phrase("None of the {1} layouts kept surely fits.", kept);
}

std::string say_miss(const NearMiss& m) {
    const std::string where[] = {phrase("device memory"), phrase("host memory"), "NVMe"};
    const double percent = 100 * m.excess();
    const std::string text = phrase("needs {1} of {2} of {3}", say(m.need), say(m.limit), where[int(m.tier)]);
    if (!std::isfinite(percent)) return text;
    return phrase("{1}, {2} % too much", text, std::lround(std::ceil(percent)));
}

}  // namespace plimsoll
