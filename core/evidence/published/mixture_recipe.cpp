#include "core/evidence/published/mixture_recipe.h"

#include "core/evidence/published/source_words.h"

#include <cstdlib>

namespace plimsoll {

namespace {

// Devices behind the widest switches inside a system.
int nvlink_domain(const Machine& m) {
    return m.levels.size() < 2 ? m.devices_per_node : m.levels[m.levels.size() - 2].devices;
}

}  // namespace

MixtureRecipe mixture_recipe(const Scenario& s, const RecipeWords& w) {
    // Graphs, copies a rank and overlap of the exchange came with the containers of 25.09.
    if (!w.of_the_maker || w.release < 250900) return {};
    const Layout& l = s.layout;
    const int domain = nvlink_domain(s.machine);
    const bool blackwell = contains_any(w.device, {"b200", "b300"}), b300 = contains_any(w.device, {"b300"});
    const bool rack = domain > 8, mx = contains_any(w.format, {"mxfp8", "fp8-mx"});
    const bool step = mx && ((rack && w.release >= 260600) || (b300 && l.micro_batch >= 8 && w.release >= 260600)
                             || (blackwell && w.release >= 260800));
    const bool far = l.pipeline_parallel > 1 && l.expert_parallel > domain;
    // On machines of single nodes the recipes of 25.11 and 26.02 overlap inside a node as well, wherever a stage has
    // chunks (moe_a2a_overlap); those of 26.02.01 took that back.
    const bool near = !rack && l.pipeline_parallel > 1 && l.virtual_stages > 1 && w.release >= 251100
                   && w.release <= 260200;
    // What overlaps between Blackwell nodes has graphs of attention and router since 26.04.01.
    const bool part = rack || (blackwell && (l.micro_batch >= 2 || (far && w.release >= 260401)));
    MixtureRecipe r;
    r.graph = step ? Graph::whole_step : part ? Graph::attention_router : Graph::none;
    r.dispatch = rack || w.release > 260200 ? Dispatch::per_rank : Dispatch::per_expert;
    r.overlaps = step || far || near;
    r.fused = step;   // pull requests 3983, 4249 and 4606: cuTeDSL fused grouped MLP
    return r;
}

namespace {

// Whether the word is there, and "off" does not follow it.
std::optional<bool> switched(const std::string& text, const char* word) {
    const auto at = text.find(word);
    if (at == std::string::npos) return std::nullopt;
    return text.compare(at + std::string(word).size(), 4, " off") != 0;
}

}  // namespace

MixtureWords mixture_words(const std::string& text) {
    MixtureWords w;
    const std::string capacity = "capacity factor ";
    if (const auto at = text.find(capacity); at != std::string::npos) {
        const double factor = std::atof(text.c_str() + at + capacity.size());
        if (factor >= 0.1 && factor <= 100) w.capacity = factor;
    }
    if (contains(text, "first layer dense")) w.dense_layers = 1;
    else if (const auto at = text.find(" dense layer"); at != std::string::npos && at > 0)
        if (const int count = text[at - 1] - '0'; count >= 1 && count <= 9) w.dense_layers = count;
    for (const std::string word : {"expert tp ", "etp "})
        if (const auto at = text.find(word); at != std::string::npos && !w.expert_tensor)
            if (const int ranks = std::atoi(text.c_str() + at + word.size()); ranks >= 1 && ranks <= 64)
                w.expert_tensor = ranks;
    w.not_attention = contains_any(text, {"mamba", "deltanet", "linear attention"});
    for (const char* word : {"ep overlap", "all-to-all overlap"})
        if (!w.overlaps) w.overlaps = switched(text, word);
    if (contains(text, "full-iteration")) w.graph = Graph::whole_step;
    else if (contains_any(text, {"attention and router", "router and preprocess", "attn, moe_router"}))
        w.graph = Graph::attention_router;
    w.per_expert = contains_any(text, {"nccl all-to-all", "all-to-all dispatcher"});
    w.natural = contains_any(text, {"natural routing", "dropless routing"});
    return w;
}

}  // namespace plimsoll
