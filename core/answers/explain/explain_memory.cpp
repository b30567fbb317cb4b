// Device memory of the stage that needs most.
#include "core/answers/explain/explain_parts.h"

#include "core/values/basics/phrase.h"
#include "core/costs/kernels/products.h"
#include "core/costs/memory/memory.h"
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
    if (state.own.routed() == 0) return share(label, state.own.common(), layers, state.shards);
    return sum(label, "B",
               {share("All but the experts", state.own.common(), layers, state.shards),
                share("Experts of this rank", state.own.routed(),
                      "routed experts over the expert-parallel and expert-tensor ranks", state.expert_shards)});
}

// In 16 bits, and the copies that products in fewer read.
Term weights_term(const Work& s, const Parameters& own, const char* label) {
    const HeldWeights held = held_weights(s, own);
    const bool adapters = held.frozen.bytes > 0, copies = held.by_rows.bytes > 0, reference = held.reference.bytes > 0;
    if (!adapters && !copies && !reference) return state_term(label, held.wide, "precision recipe");
    const bool alone = keeps_converted_weights_alone(s);
    std::vector<Term> parts{state_term(adapters ? "Trained" : alone ? "Weights that are not converted" : "In 16 bits",
                                       held.wide, "precision recipe")};
    if (adapters) parts.push_back(state_term("Frozen, as products read them", held.frozen, "precision recipe"));
    if (held.quantised.bytes > 0)
        parts.push_back(state_term("Frozen, quantised", held.quantised, "values and scales of the frozen format"));
    if (held.original.bytes > 0)
        parts.push_back(state_term("Tables before training", held.original, "the software keeps both"));
    if (reference) parts.push_back(state_term("Reference model", held.reference, "16 bits, no states"));
    if (!copies) return sum(label, "B", std::move(parts));
    parts.push_back(state_term("Converted, by rows", held.by_rows,
                               alone ? "a value and its share of a scale; no copy in 16 bits"
                                     : "a value and its share of a scale, kept for the micro-batches of a step"));
    if (held.by_columns.bytes > 0)
        parts.push_back(state_term("Converted, by columns", held.by_columns,
                                   "for the gradients of inputs: the device's products read weights in one order, or "
                                   "scales belong to rows of values"));
    return sum(label, "B", std::move(parts));
}

const char* held_by_text(HeldBy held) {
    switch (held) {
        case HeldBy::stream: return "on every tensor rank; sequence parallelism splits it";
        case HeldBy::tensor_ranks: return "split over the tensor ranks";
        case HeldBy::scores: return "heads of this rank";
        case HeldBy::expert_ranks: return "of this rank's experts";
    }
    return "";
}

// What one layer keeps for one micro-batch, tensor by tensor.
Term tensors_term(const Work& s, const LayerKind& kind, const KeptLayers& k, const std::string& from) {
    std::vector<Term> each;
    for (const Kept& t : kept_tensors(s, kind))
        if (const Bytes bytes = kept_bytes(s, kind, t, k.what); bytes > Bytes{})
            each.push_back(derived(t.label, bytes / byte, "B", held_by_text(t.held)));
    return sum("Bytes per layer and micro-batch", "B", std::move(each), from);
}

Term kept_term(const Work& s, const KeptLayers& k, int layers_of_stage) {
    const LayerKind& kind = s.layers[k.kind];
    const bool dense = kind.feed == Feed::dense, waiting = k.what == Keeps::waiting;
    const std::string from =
        dense ? "Korthikanti et al. 2022" : phrase("the same with the token copies this rank's experts work on");
    const char* label = waiting                ? "Kept for weight gradients that wait"
                      : k.what == Keeps::whole ? "Kept in full"
                                               : "Kept for the backward pass";
    const std::string bytes_from = waiting ? "inputs and output gradients of the products, Qi et al. 2024"
                                 : k.what == Keeps::whole ? from : phrase("{1}, after recomputation", from);
    const bool named = kind.letter != 0 || s.model.wide.any();
    const bool plain = !named && dense;
    const std::string which = named ? layers_in_words(kind, s.layers) : phrase("layers with experts");
    return product(
        plain ? phrase(label) : phrase("{1}, {2}", phrase(label), which), "B",
        {waiting ? derived("Micro-batches waiting", k.micro_batches, "", "zero-bubble schedule")
                 : derived("Micro-batches in flight", k.micro_batches, "", "schedule"),
         counted(k.layers == layers_of_stage ? "Layers on the stage" : "Of the layers on the stage", k.layers),
         tensors_term(s, kind, k, bytes_from)});
}

StagePeak peak_of(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.fullest_stage();
    return stage_peak(s, work_memory(s, p.swap, stage), stage_parameters(s, stage), stage);
}

const char* moment_text(Moment when) {
    switch (when) {
        case Moment::everything: return "at the deepest point of the passes";
        case Moment::loss: return "when the loss is computed, before anything is recomputed";
        case Moment::head_reduced: return "when the head's gradient is shared out, after the logits are gone";
        case Moment::layer_reduced: return "when a layer's gradient is shared out, after the logits are gone";
        case Moment::first_layer: return "when the first layer is back, after the logits are gone";
        case Moment::last_layer: return "when the backward pass is at its last layer, beside the gradients that stay";
        case Moment::update: return "when the optimizer runs, after all activations are gone";
    }
    return "";
}

const char* released_text(Moment when) {
    switch (when) {
        case Moment::last_layer: return "all layers but the last";
        case Moment::update: return "everything";
        default: return "one layer, whose gradient is reduced";
    }
}

const char* layer_back(const StagePeak& peak) {
    if (peak.when == Moment::loss) return "none yet at the loss, where most is held";
    if (peak.when == Moment::update) return "none any more when the optimizer runs";
    return "what one layer keeps that is not recomputed, beyond what others have released";
}

Term activations_term(const StepParts& p) {
    const Work plan(p.scenario);
    const Work& s = plan.longest();
    const int stage = p.fullest_stage();
    const Swap& swap = p.swap;
    const Layers kinds(s.model);
    const LayerCounts blocks = blocks_of_stage(s, stage);
    // Layers with and without a window keep the same.
    std::vector<KeptLayers> layers;
    const auto note = [&](const KeptLayers& k) {
        const auto same = std::ranges::find_if(layers, [&](const KeptLayers& other) {
            return other.what == k.what && same_but_window(kinds[other.kind], kinds[k.kind]);
        });
        if (same == layers.end()) layers.push_back(k);
        else same->layers += k.layers;
    };
    if (!swap.on()) layers_in_flight(s, stage, note);
    layers_waiting(s, stage, note);
    std::ranges::stable_sort(layers, {}, [&](const KeptLayers& k) { return kinds[k.kind].feed; });
    std::vector<Term> parts;
    if (swap.on()) parts.push_back(explain_residue(s, swap, stage));
    for (const KeptLayers& k : layers) {
        int alike = 0;
        for (Kind other = 0; other < kinds.kinds(); ++other)
            if (same_but_window(kinds[other], kinds[k.kind])) alike += blocks[other];
        parts.push_back(kept_term(s, k, alike));
    }
    const StageActivations all = stage_activations(s, swap, stage);
    const StagePeak peak = peak_of(p);
    parts.push_back(derived("Ends", all.ends / byte, "B",
                            "embedding mask, head input and what waits for its weight gradient"));
    if (all.recomputed_layer > Bytes{})
        parts.push_back(derived("The layer being recomputed", peak.recomputed_layer / byte, "B", layer_back(peak)));
    Term kept = sum("Activations", "B", std::move(parts), moment_text(peak.when));
    if (peak.released == Bytes{}) return kept;
    return difference("Activations", "B", std::move(kept),
                      derived("Released by then", peak.released / byte, "B", released_text(peak.when)),
                      moment_text(peak.when));
}

Term gradients_term(const StepParts& p, const Parameters& own) {
    const char* from = "precision recipe, and 16-bit gradients of the stack";
    if (p.memory[p.fullest_stage()].gradients == Bytes{})
        return derived("Gradients", 0, "B", p.scenario.recipe.updates_in_backward
                                                ? "each is gone when its parameter is updated"
                                                : moment_text(peak_of(p).when));
    return state_term("Gradients", held_gradients(p.scenario, own), from);
}

// ---- Logits

const char* loss_text(LossKernel loss) {
    switch (loss) {
        case LossKernel::stated: return "logit_bytes of the stack";
        case LossKernel::parallel: return "over a split vocabulary, in place: logits and fp32 softmax";
        case LossKernel::parallel_fused: return "over a split vocabulary, fused: logits and two fp32 buffers";
        case LossKernel::parallel_copied: return "over a split vocabulary: logits, a copy in fp32, the gradient";
        case LossKernel::eager: return "operation by operation: logits, softmax and two gradients in fp32, gradient";
        case LossKernel::compiled: return "compiled: logits and their gradient in 16 bit";
        case LossKernel::fused_linear: return "together with the head's product: their gradient in 16 bit";
    }
    return "";
}

Term logits_term(const StepParts& p) {
    const Work plan(p.scenario);
    const Work& s = plan.longest();
    const int stage = p.fullest_stage();
    const Bytes logits = p.memory[stage].logits;
    if (logits == Bytes{}) {
        const Moment when = peak_of(p).when;
        const bool gone = when != Moment::everything && when != Moment::loss
                       && (holds_loss(s, stage) || holds_modules(s, stage));
        return derived("Logits", 0, "B", gone ? moment_text(when) : "on the stage of the loss only");
    }
    if (s.stack.loss.logits_at_once > Bytes{})
        return derived("Logits", logits / byte, "B", "all, or as many as the loss takes at once");
    const LossBytes each = loss_bytes(s);
    const auto of_share = [&](const char* label, Term bytes, double micro_batches) {
        std::vector<Term> factors{std::move(bytes), counted("Tokens of a micro-batch", tokens_per_micro_batch(s)),
                                  derived("Vocabulary share", vocabulary_share(s), "", "padded, of a tensor rank")};
        if (micro_batches > 1) factors.push_back(counted("Losses that wait", micro_batches));
        return product(label, "B", std::move(factors));
    };
    Term peak = derived("Bytes per logit at the peak", each.peak, "B", loss_text(s.stack.loss.kernel));
    const LossComputation& loss = s.stack.loss;
    if (loss.chunks > 1 && !loss.chunks_keep_logits)
        return sum("Logits", "B",
                   {of_share("One chunk",
                             quotient("Bytes per logit", "B", std::move(peak),
                                      stack_value(s, "Loss chunks", loss.chunks, "", "loss_chunks")), 1),
                    derived("Gradient of the head's input", 2 * layer_input(s) / byte, "B", "fp32, over all chunks")});
    const int waiting = logits_held(s, stage) - 1;
    if (loss.chunks > 1)
        return sum("Logits", "B",
                   {of_share("One chunk at work",
                             quotient("Bytes per logit", "B",
                                      derived("Bytes per logit beyond those that stay", each.peak - each.kept, "B",
                                              loss_text(loss.kernel)),
                                      stack_value(s, "Loss chunks", loss.chunks, "", "loss_chunks")), 1),
                    of_share("Of all chunks",
                             derived("Bytes per logit that stay", each.kept, "B", "until the backward pass"),
                             waiting + 1)});
    if (waiting == 0) return of_share("Logits", std::move(peak), 1);
    return sum("Logits", "B",
               {of_share("Of the micro-batch at work", std::move(peak), 1),
                of_share("Of those that wait",
                         derived("Bytes per logit that stay", each.kept, "B", "until the backward pass"), waiting)});
}

// ---- Buffers

const char* buffer_text(const Scenario& s, std::string_view id) {
    const bool units = s.layout.zero_stage == 3;
    if (id == "bucket") return "bucket_MB, and unpipelined_buckets_MB where there is no pipeline";
    if (id == "error_feedback") return "what top-k left out, until the next step";
    if (id == "gathered")
        return units ? "ZeRO-3: units at work and fetched ahead, or all of the stage where they stay gathered"
                     : "layers at work and on their way from another tier";
    if (id == "gathered_wide") return "MXFP8: values in 16 bits, of which both copies are made on arrival";
    if (id == "whole_gradients")
        return units ? "ZeRO-3: of the unit whose gradient is shared out, with its fp32 copy; or fp32 sums of all"
                     : "of the layer whose gradient leaves for another tier";
    if (id == "gradient_copies") return "gradient_copy_bytes of the stack x parameters";
    if (id == "between_stages") return "activations that arrive and leave";
    if (id == "unsplit_stream") return "unsplit_stream_bytes x tokens x width x micro-batches in flight x (1 - 1/t)";
    if (id == "context") return "blocks of keys and values, all of them, or heads in the other split";
    if (id == "dense_update") return "four copies of the largest matrix with an adapter, for the norms of its outputs";
    if (id == "decoded") return "the largest quantised matrix, in 16 bits while a product reads it";
    return "blocks of inputs and weights at work and arriving";
}

Term buffers_term(const StepParts& p) {
    const Buffers buffers = peak_of(p).buffers;
    std::vector<Term> parts;
    for (const auto& part : buffer_parts)
        if (const Bytes b = buffers.*part.value; b > Bytes{})
            parts.push_back(derived(std::string(part.label), b / byte, "B", buffer_text(p.scenario, part.id)));
    if (parts.empty()) return derived("Communication buffers", 0, "B", "none");
    return sum("Communication buffers", "B", std::move(parts));
}

}  // namespace

Term explain_memory_part(const StepParts& p, std::string_view id) {
    const Scenario& s = p.scenario;
    const int stage = p.fullest_stage();
    const Parameters own = stage_parameters(s, stage);
    const Offload& away = s.layout.offload;
    if (id == "weights" && away.weights != Tier::device) return explain_kept_on(away.weights, "Weights");
    if (id == "gradients" && away.gradients != Tier::device) return explain_kept_on(away.gradients, "Gradients");
    if (id == "optimizer" && p.memory[stage].optimizer == Bytes{})
        return explain_kept_on(away.optimizer, "Optimizer state");
    if (id == "weights") {
        if (s.layout.secondary_shard <= 1) return weights_term(s, own, "Weights");
        return sum("Weights", "B",
                   {weights_term(s, own, "Shards"),
                    state_term("Second copy for the backward pass", held_second_copy(s, own), "as they are gathered")});
    }
    if (id == "gradients") return gradients_term(p, own);
    if (id == "optimizer") {
        std::vector<Term> states;
        held_by_optimizer(s, own, [&](const HeldState& state) {
            states.push_back(state_term("By parameter", state,
                                        away.optimizer == Tier::device
                                            ? "precision recipe, and optimizer_peak_bytes of the stack"
                                            : "precision recipe, in the mean with those that the CPUs update"));
        });
        Term all = states.size() == 1 ? std::move(states[0]) : sum("By parameter", "B", std::move(states));
        Term kept = explain_optimizer_memory(s, stage, std::move(all));
        if (peak_of(p).when != Moment::update) return kept;
        const UpdateExtras more = held_by_update(s, own);
        std::vector<Term> all_of_it{std::move(kept)};
        if (more.moment > Bytes{})
            all_of_it.push_back(
                derived("Moments beside the states", more.moment / byte, "B", moment_text(Moment::update)));
        if (more.widened > Bytes{})
            all_of_it.push_back(derived("Moments in fp32", more.widened / byte, "B",
                                        "of the experts or of all others, whose optimizers step in turn"));
        return all_of_it.size() == 1 ? std::move(all_of_it[0]) : sum("Optimizer state", "B", std::move(all_of_it));
    }
    if (id == "preconditioner") return explain_preconditioner_memory(s, stage);
    if (id == "activations") return activations_term(p);
    if (id == "logits") return logits_term(p);
    if (id == "buffers") return buffers_term(p);
    const MemoryUse& m = p.memory[stage];
    if (id == "fragmentation")
        return given("Fragmentation", m.fragmentation / byte, "B", source_of(s.stack, "/fragmentation"));
    if (id == "context") return given("Context", m.context / byte, "B", source_of(s.stack, "/context_GiB"));
    return {};
}

Term explain_memory(const StepParts& p) {
    std::vector<Term> parts;
    for (const auto& part : memory_parts)
        parts.push_back(named(explain_memory_part(p, part.id), "memory." + std::string(part.id)));
    return sum(phrase("Memory of stage {1}", p.fullest_stage() + 1), "B", std::move(parts),
               phrase("the stage that needs most, {1}", phrase(moment_text(peak_of(p).when))));
}

}  // namespace plimsoll
