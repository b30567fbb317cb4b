#pragma once
// A plan with what many of its costs need, worked out once: tokens, rates, groups of ranks, the kinds of layers and
// what every stage holds.
//
//   const Work work(scenario);            // refers to the scenario, which must outlive it
//   layer_time(work, work.layers[0]);
//
// Cost functions take it in place of the scenario and pass it on. A scenario converts to it, so that each of them may
// also be asked on its own; nothing is worked out before it is asked for, and nothing twice. A search goes further:
// plans that share a model, the layers' degrees, or the pipeline as well, share what follows from these.

#include "core/costs/kernels/kernel.h"
#include "core/costs/network/network.h"
#include "core/values/plan/number_formats.h"
#include "core/values/plan/share.h"
#include "core/values/plan/weights.h"

#include <memory>
#include <optional>
#include <vector>

namespace plimsoll {

// Layers of one chunk, or of one stage; modules that predict further tokens count with the layers of every depth.
struct LayersHeld {
    LayerCounts layers, recomputed;
    LayersHeld& operator+=(const LayersHeld& o) {
        layers += o.layers;
        recomputed += o.recomputed;
        return *this;
    }
    friend bool operator==(const LayersHeld&, const LayersHeld&) = default;
};
// What one stage holds on one rank, and the stages behind it that are alike. These do the same work: they have the same
// ends and, chunk by chunk, the same layers on devices and networks of the same speed. They differ in the micro-batches
// in flight.
struct StageShare : LayersHeld {
    int first = 0;   // of these stages
    Parameters parameters;
};

// What one layer keeps for its backward pass, per micro-batch and rank (memory/activations.h).
struct LayerActivations {
    Bytes replicated;   // on every tensor rank unless sequence parallelism splits it
    Bytes sharded;      // split over the tensor ranks
    Bytes scores;       // attention matrix or, fused, its row statistics
    Bytes routed;       // of the busiest rank: token copies and what its experts make of them, router scores
    Bytes alternate;    // where every other product is recomputed
    Bytes waiting;      // while weight gradients wait, of a micro-batch whose input gradients are done
    Bytes always;       // where the layer is recomputed whole
    std::array<Bytes, layer_modules> by_module;   // of the first four, what is not kept where a module is recomputed
    // And what leaves the device with a module, by the module that may compute it again.
    std::array<std::array<Bytes, layer_modules + 1>, sent_modules> sent;
    Bytes total() const { return replicated + sharded + scores + routed; }
};

// Of all layers in turn: what their exchanges over a sequence or a grid of tensor ranks keep (memory/memory.cpp).
struct ExchangeBuffers {
    Bytes context, grid;
};

// What two plans have in common.
enum class InCommon {
    model,
    layers,   // and all that the work of a layer depends on: degrees but the pipeline's, micro-batch, devices
    stages,   // and the pipeline with its recomputation
};

class Work {
public:
    Work(const Scenario&);
    Work(const Scenario&, const Work& like, InCommon);   // `like` must outlive it
    Work(const Work&) = delete;

private:
    template <class T>
    using Known = std::optional<T>;
    Known<Layers> own_layers_;   // of the first one; those like it refer to them

public:
    const Scenario& scenario;
    const Model& model;
    const Machine& machine;
    const Layout& layout;
    const Recipe& recipe;
    const Stack& stack;
    const Compression& compression;
    const Method& method;
    operator const Scenario&() const { return scenario; }

    const Layers& layers;
    const Sequence row;         // of tokens, as time sees it: the mean one; longest() has the longest
    const double tokens;        // of one micro-batch on one rank
    const double own_tokens;    // whose residual stream this rank holds: sequence parallelism splits them
    const double element;       // bytes of an activation
    const int micro_batches;
    const StateBytes states;
    const int embedding_stage, head_stage, loss_stage;
    const Slot module_slot;     // of modules that predict further tokens; no stage in a model without them
    const double vocabulary;    // rows of an embedding table, and logits of a token, on one tensor rank
    const bool clusters;        // of nodes that differ
    const bool comes_round;     // the last stage sends to the first one
    const bool by_module;       // selective recomputation repeats a list of modules
    const bool sends_modules;   // of the activations, those of listed modules leave the device
    const bool in_order;        // ranks that share a sequence hold its tokens in order, since they pass states on

    // The same plan at the longest micro-batch of the run, by which memory is sized; itself where all are as long.
    const Work& longest() const;
    const Rates& rates() const;
    const Rates& head_rates() const;
    const Span& tensor_ranks() const;           // that share a layer's matrices
    const Span& context_ranks() const;          // that share a sequence
    const Span& head_ranks() const;             // of these, neighbours that exchange heads,
    const Span& ring_ranks() const;             // and those that pass keys and values round
    const Span& expert_ranks() const;           // that share the experts of a layer
    const Span& expert_slices() const;          // that share one expert's matrices
    const Span& grid_rows() const;              // a grid of tensor ranks: in a row, in a column, layer above layer
    const Span& grid_columns() const;
    const Span& grid_depths() const;
    // So many ranks, every `stride`-th, over the network of a stage, or that between it and the next.
    Span ranks_of_stage(int ranks, int stride, int stage) const;
    Span ranks_over_boundary(int ranks, int stride, int stage) const;
    double speed(int stage) const;              // of its devices, over that of the machine's
    const Coding& coding(Traffic) const;
    const KindParameters& parameters(Kind) const;
    const Parameters& table() const;            // of one embedding table, or of the head, on one rank
    const StageShare& stage(int i) const { return stages()[of_stages_->group_of_stage_[i]]; }
    const std::vector<StageShare>& stages() const {   // neighbours that are alike are one entry
        if (of_stages_->stages_.empty()) of_stages_->find_stages();
        return of_stages_->stages_;
    }
    bool like_before(int i) const { return stage(i).first < i; }
    const LayersHeld& chunk(int stage, int chunk) const;
    // Of a layer of this kind, found by `find` the first time.
    template <class Find>
    const LayerActivations& activations(Kind k, Find find) const {
        auto& known = of_layers_->activations_;
        for (Kind i = known.size(); i < layers.kinds(); ++i) known.add(find(layers[i]));
        return known[k];
    }

    template <class Find>
    const ExchangeBuffers& exchange_buffers(Find find) const {
        Known<ExchangeBuffers>& known = of_layers_->exchange_buffers_;
        if (!known) known = find();
        return *known;
    }
    // One activation from a stage to the next, where all of these are alike; found by `find` the first time.
    template <class Find>
    const Transfer& handover(Find find) const {
        Known<Transfer>& known = of_stages_->handover_;
        if (!known) known = find();
        return *known;
    }

private:
    Work(const Scenario&, const Layers* known, const StateBytes&, bool clusters, const Work* stages, const Sequence&);

    void find_stages() const;
    void find_even_stages() const;
    void find_stages_in_order() const;
    LayersHeld modules() const;
    void add_stage(const StageShare&) const;
    const Span& neighbours(Known<Span>&, int size, int stride, int axes) const;

    const Work *of_model_ = this, *of_layers_ = this, *of_stages_ = this;   // who keeps what is worked out
    mutable Known<Rates> rates_, head_rates_;
    mutable Known<Span> tensor_, context_, head_exchange_, ring_, experts_, slices_, rows_, columns_, depths_;
    mutable std::array<Known<Coding>, std::size_t(traffics)> coding_;
    mutable Known<Parameters> table_;
    mutable Known<Transfer> handover_;
    mutable Known<ExchangeBuffers> exchange_buffers_;
    mutable ShortList<KindParameters, most_kinds> parameters_;
    mutable ShortList<LayerActivations, most_kinds> activations_;
    mutable std::vector<StageShare> stages_;
    mutable std::vector<LayersHeld> chunks_;   // of one of `stages_` after the other; none where a stage is one chunk
    mutable std::vector<int> group_of_stage_;  // place in `stages_`
    mutable std::unique_ptr<Work> longest_;
};

inline double tokens_per_micro_batch(const Work& w) { return w.tokens; }
inline double own_tokens(const Work& w) { return w.own_tokens; }
inline int micro_batches(const Work& w) { return w.micro_batches; }
inline const Rates& rates_of(const Work& w) { return w.rates(); }
inline const Rates& head_rates_of(const Work& w) { return w.head_rates(); }
// Of the products of such a layer.
inline const Rates& rates_of(const Work& w, const LayerKind& k) { return k.in_16_bits ? w.head_rates() : w.rates(); }
// Whether these have fewer than 16 bits; and what the recipe then says.
inline bool converts(const Work& w, const LayerKind& k) {
    return w.recipe.precision == Precision::fp8 && !k.in_16_bits;
}
inline const NumberRecipe& number_recipe(const Work& w) {
    return number_recipe(w.recipe.fp8_recipe, w.machine.device);
}
// Weights of products are there in its format alone, without a copy in 16 bits.
inline bool keeps_converted_weights_alone(const Work& w) {
    const Fp8Storage kept = w.stack.memory.fp8_storage;
    return w.recipe.precision == Precision::fp8
        && (kept == Fp8Storage::primary || (kept == Fp8Storage::copies && w.recipe.converted_weights_alone));
}
inline int embedding_stage(const Work& w) { return w.embedding_stage; }
inline int head_stage(const Work& w) { return w.head_stage; }
inline int loss_stage(const Work& w) { return w.loss_stage; }
inline bool holds_embedding(const Work& w, int stage) { return stage == w.embedding_stage; }
inline bool holds_head(const Work& w, int stage) { return stage == w.head_stage; }
inline bool holds_loss(const Work& w, int stage) { return stage == w.loss_stage; }
inline bool holds_modules(const Work& w, int stage) { return stage == w.module_slot.stage; }
inline LayerCounts blocks_of_stage(const Work& w, int stage) { return w.stage(stage).layers; }
inline LayerCounts recomputed_of_stage(const Work& w, int stage) { return w.stage(stage).recomputed; }
LayerCounts recomputed_layers(const Work&);   // of the whole model
// Widths of the stream that stages send on: its own, and the embedding's where some layer reads it.
inline double sent_with_stream(const Work& w) { return carries_embedding(w.model) ? 2 : 1; }
inline int layers_of_stage(const Work& w, int stage) { return w.stage(stage).layers.total(); }
inline Parameters stage_parameters(const Work& w, int stage) { return w.stage(stage).parameters; }

}  // namespace plimsoll
