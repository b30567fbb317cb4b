// Device memory of the stage that needs most.
#include "core/answers/explain/explain_parts.h"

#include "core/values/plan/share.h"

#include <algorithm>

namespace plimsoll {

namespace {

Term state_term(const char* label, const HeldState& state, const char* bytes_from) {
    const auto share = [&](const std::string& name, double count, const char* formula, int shards) {
        return quotient(name, "B",
                        product("Of one rank", "B",
                                {derived("Bytes per parameter", state.bytes, "B", bytes_from),
                                 derived("Parameters on the stage", count, "", formula)}),
                        counted("Ranks that share them (ZeRO)", shards));
    };
    const char* layers = "layers, and embedding or head on the end stages, over the tensor ranks";
    if (state.own.routed == 0) return share(label, state.own.common, layers, state.shards);
    return sum(label, "B",
               {share("All but the experts", state.own.common, layers, state.shards),
                share("Experts of this rank", state.own.routed,
                      "routed experts over the expert-parallel and expert-tensor ranks", state.expert_shards)});
}

Term kept_term(const KeptLayers& k, int layers_of_stage) {
    const bool dense = k.block == Block::dense, waiting = k.what == Keeps::waiting;
    const std::string whose = dense ? "" : ", layers with experts";
    const std::string from =
        dense ? "Korthikanti et al. 2022" : "the same with the token copies this rank's experts work on";
    const char* label = waiting                ? "Kept for weight gradients that wait"
                      : k.what == Keeps::whole ? "Kept in full"
                                               : "Kept for the backward pass";
    const std::string bytes_from = waiting ? "inputs and output gradients of the products, Qi et al. 2024"
                                 : k.what == Keeps::whole ? from : from + ", after recomputation";
    return product(
        label + whose, "B",
        {waiting ? derived("Micro-batches waiting", k.micro_batches, "", "zero-bubble schedule")
                 : derived("Micro-batches in flight", k.micro_batches, "", "schedule"),
         counted(k.layers == layers_of_stage ? "Layers on the stage" : "Of the layers on the stage", k.layers),
         derived("Bytes per layer and micro-batch", k.each / byte, "B", bytes_from)});
}

Term activations_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.fullest_stage();
    const Swap& swap = p.swap;
    const LayerMix blocks = blocks_of_stage(s, stage);
    std::vector<KeptLayers> layers;
    const auto note = [&](const KeptLayers& k) { layers.push_back(k); };
    if (!swap.on()) layers_in_flight(s, stage, note);
    layers_waiting(s, stage, note);
    std::ranges::stable_sort(layers, {}, &KeptLayers::block);
    std::vector<Term> parts;
    if (swap.on()) parts.push_back(explain_residue(swap, residue_of(s, swap, stage)));
    for (const KeptLayers& k : layers) parts.push_back(kept_term(k, blocks.of(k.block)));
    const StageActivations all = stage_activations(s, swap, stage);
    parts.push_back(derived("Ends, and the layer being recomputed", (all.ends + all.recomputed_layer) / byte, "B",
                            "embedding mask, head input and what waits for its weight gradient, recomputation"));
    return sum("Activations", "B", std::move(parts));
}

Source source_of_part(const Scenario& s, std::string_view id) {
    if (id == "context") return source_of(s.stack.sources, "/context_GiB");
    const char* formula = id == "logits"  ? "bytes per logit of the stack x tokens x vocabulary share"
                        : id == "buffers" ? "gradient bucket, copies of the gradients, gathered units, stage inputs"
                                          : "allocator factor of the stack";
    return {SourceKind::derived, formula};
}

}  // namespace

Term explain_memory_part(const StepParts& p, std::string_view id) {
    const Scenario& s = p.scenario;
    const int stage = p.fullest_stage();
    const Owned own = stage_parameters(s, stage);
    const char* recipe = "precision recipe";
    const Offload& away = s.layout.offload;
    if (id == "weights" && away.weights != Tier::device) return explain_kept_on(away.weights, "Weights");
    if (id == "gradients" && away.gradients != Tier::device) return explain_kept_on(away.gradients, "Gradients");
    if (id == "optimizer" && away.optimizer != Tier::device) return explain_kept_on(away.optimizer, "Optimizer state");
    if (id == "weights") return state_term("Weights", held_weights(s, own), recipe);
    if (id == "gradients") return state_term("Gradients", held_gradients(s, own), recipe);
    if (id == "optimizer")
        return explain_optimizer_memory(s, stage,
                                        state_term("By parameter", held_optimizer(s, own),
                                                   "precision recipe, and optimizer_peak_bytes of the stack"));
    if (id == "preconditioner") return explain_preconditioner_memory(s, stage);
    if (id == "activations") return activations_term(p);
    for (const auto& part : memory_parts)
        if (part.id == id)
            return given(std::string(part.label), (p.memory[stage].*part.value) / byte, "B", source_of_part(s, id));
    return {};
}

Term explain_memory(const StepParts& p) {
    std::vector<Term> parts;
    for (const auto& part : memory_parts)
        parts.push_back(named(explain_memory_part(p, part.id), "memory." + std::string(part.id)));
    return sum("Memory of stage " + std::to_string(p.fullest_stage()), "B", std::move(parts),
               "the stage that needs most");
}

}  // namespace plimsoll
