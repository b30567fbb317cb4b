#include "core/answers/search/wording.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

void append(std::string& text, const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
}

std::string tensor_of(const Layout& l) {
    std::string text = "tensor " + std::to_string(l.tensor_parallel);
    if (l.tensor_mode == TensorMode::summa_2d) text += " in 2D";
    if (l.tensor_mode == TensorMode::tesseract) text.append(" in 2.5D, depth ").append(std::to_string(l.tensor_depth));
    if (l.sequence_parallel) text += " SP";
    return text;
}

std::string recompute_of(const Layout& l) {
    std::string text(name_of(l.recompute));
    text += " recompute";
    if (l.recompute_layers > 0)
        text.append(" of ").append(std::to_string(l.recompute_layers)).append(" layers a chunk");
    return text;
}

std::string offload_of(const Offload& o) {
    std::string text;
    const auto add = [&](const char* what, Tier tier) {
        if (tier != Tier::device)
            append(text, std::string(what).append(" in ").append(tier == Tier::host ? "host memory" : "NVMe"));
    };
    add("weights", o.weights);
    add("gradients", o.gradients);
    add("optimizer", o.optimizer);
    add("activations", o.activations);
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
        text.append(" x ")
            .append(name_of(l.context_mode))
            .append(" context ")
            .append(std::to_string(l.context_parallel));
    text.append(" x pipeline ").append(std::to_string(l.pipeline_parallel));
    if (l.virtual_stages > 1) text.append(" of ").append(std::to_string(l.virtual_stages)).append(" chunks");
    text.append(" x data ").append(std::to_string(l.data_parallel));
    if (l.expert_parallel > 1) text.append(", expert ").append(std::to_string(l.expert_parallel));
    return text;
}

std::string say_layout(const Layout& l) {
    std::string text = say_degrees(l);
    append(text, "micro-batch " + std::to_string(l.micro_batch));
    if (l.pipeline_parallel > 1 && l.schedule != Schedule::one_f_one_b && l.schedule != Schedule::interleaved)
        append(text, std::string(name_of(l.schedule)));
    if (l.recompute != Recompute::none) append(text, recompute_of(l));
    if (l.zero_stage > 0) append(text, "ZeRO-" + std::to_string(l.zero_stage));
    if (l.zero_stage > 0 && l.shard_group > 0) text.append(" in groups of ").append(std::to_string(l.shard_group));
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
    return lacking.empty() ? "ZeRO stage " + last : "ZeRO stages " + joined(lacking) + " and " + last;
}

std::string schedules_left_out(const Space& s) {
    std::vector<std::string> lacking;
    for (const Schedule one : {Schedule::interleaved, Schedule::gpipe, Schedule::zb_h1, Schedule::zb_h2})
        if (lacks(s.schedules, one)) lacking.emplace_back(name_of(one));
    return lacking.empty() ? "" : "the schedules " + joined(lacking);
}

}  // namespace

std::string say_left_out(const Space& s, const Scenario& plan) {
    const bool line_alone = has_experts(plan.model) || has_latent_attention(plan.model);   // no grid goes with them
    const auto only = [](const std::vector<int>& axis) { return axis.size() == 1; };
    std::vector<std::string> lacking;
    const auto note = [&](bool left_out, const std::string& what) {
        if (left_out && !what.empty()) lacking.push_back(what);
    };
    note(s.largest_tensor != 0 && plan.layout.devices > plan.machine.devices_per_node, "tensor ranks across nodes");
    note(s.tensor_modes.size() < 3 && !line_alone, "tensor ranks on grids");
    note(only(s.context_parallel) && plan.layout.devices > 1, "context ranks");
    note(only(s.expert_parallel) && has_experts(plan.model), "expert ranks");
    note(true, stages_left_out(s));
    note(true, schedules_left_out(s));
    note(s.even_stages, "stages of unequal layers");
    note(!s.even_stages && !s.pipeline_parallel.empty(), "other stages of unequal layers");
    note(!s.recompute_counts, "recomputation of some layers");
    note(s.offload.size() < 2, "host memory");
    return joined(lacking);
}

std::string say_model_parallel(const Layout& l) {
    std::string text = "TP " + std::to_string(l.tensor_parallel);
    if (l.context_parallel > 1) text.append(" CP ").append(std::to_string(l.context_parallel));
    if (l.pipeline_parallel > 1) text.append(" PP ").append(std::to_string(l.pipeline_parallel));
    if (l.expert_parallel > 1) text.append(" EP ").append(std::to_string(l.expert_parallel));
    return text;
}

std::string say_miss(const NearMiss& m) {
    constexpr const char* where[] = {"device memory", "host memory", "NVMe"};
    const double percent = 100 * m.excess();
    std::string text = "needs " + say(m.need) + " of " + say(m.limit) + " of " + where[int(m.tier)];
    if (!std::isfinite(percent)) return text;
    return text.append(", ").append(std::to_string(std::lround(std::ceil(percent)))).append(" % too much");
}

}  // namespace plimsoll
