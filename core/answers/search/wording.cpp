#include "core/answers/search/wording.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"

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
    if (l.offload.any()) append(text, offload_of(l.offload));
    return text;
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
