#pragma once
// The kinds of layers a model has, and where in the model they lie.
//
//   const Layers layers(model);                  // DeepSeek-V3: kind 0 dense, kind 1 with experts
//   layers.before(10)[1];                        // layers with experts among the first ten
//   layers[0].feed;                              // Feed::dense
//
// A kind is a row of the model's table of kinds. Costs are worked out once for each kind and multiplied by the number
// of its layers. A model without a table has dense layers without and with an attention window, then those with
// experts.
//
// There layers with a window lie as evenly as whole layers allow, first in each group: five of six are layers 0 to 4, 6
// to 10 and so on, as in Gemma 3; GPT-OSS and Llama 4 follow the same rule.

#include "core/values/basics/short_list.h"
#include "core/values/plan/layout.h"
#include "core/values/plan/model.h"

#include <array>
#include <span>
#include <string>

namespace plimsoll {

using Kind = int;   // place in the table

constexpr LayerKind dense_layer{}, expert_layer{.feed = Feed::experts};

// Whether two kinds differ in their windows at most: they hold the same weights and keep the same.
constexpr bool same_but_window(LayerKind a, LayerKind b) {
    a.window = b.window = 0;
    a.chunks = b.chunks = false;
    a.letter = b.letter = 0;
    return a == b;   // among it whether products keep 16 bits
}

// Share of the causal scores of a layer that has to be computed: sparse patterns (their mean over the layers), its
// window, the keys that an indexer chose, and documents.
double score_density(const Model&, const LayerKind&, const Sequence&);
// How much that varies from sequence to sequence, standard deviation over mean.
double score_variation(const Model&, const LayerKind&, const Sequence&);
// Of one layer's attention core (scores and values, and an indexer's scores of all keys), forward; none of a layer that
// does not attend.
Flop attention_core_flop(const Model&, const LayerKind&, double sequences, const Sequence&);

// The model with another number of layers, of which as large a share has a window.
Model with_depth(Model, int layers);

// Whether a layer, or any of the model, has what selective recomputation may compute again. A norm stands alone before
// experts and before latent attention; others are fused into the product behind them (Transformer Engine).
bool has_module(const Model&, const LayerKind&, Module);
bool has_module(const Model&, Module);
// The same of what may leave the device by itself. How sparse attention keeps what its indexer chose, no software that
// sends modules says.
bool has_module(const Model&, const LayerKind&, SentModule);
bool has_module(const Model&, SentModule);

// Layers by kind.
struct LayerCounts {
    std::array<int, most_kinds> of{};
    int operator[](Kind k) const { return of[k]; }
    int& operator[](Kind k) { return of[k]; }
    int total() const {
        int sum = 0;
        for (const int n : of) sum += n;
        return sum;
    }
    LayerCounts& operator+=(const LayerCounts& o) {
        for (int k = 0; k < most_kinds; ++k) of[k] += o.of[k];
        return *this;
    }
    LayerCounts operator-(const LayerCounts& o) const {
        LayerCounts rest;
        for (int k = 0; k < most_kinds; ++k) rest.of[k] = of[k] - o.of[k];
        return rest;
    }
    friend bool operator==(const LayerCounts&, const LayerCounts&) = default;
};

class Layers {
public:
    explicit Layers(const Model&);

    int kinds() const { return kind_.size(); }
    const LayerKind& operator[](Kind k) const { return kind_[k]; }
    bool all_alike() const { return kind_.size() == 1; }
    Kind of_layer(int number) const;                  // from 0
    Kind named(char letter) const;                    // of a pattern
    LayerCounts all() const { return before(layers_); }
    LayerCounts before(int layers) const;             // among the first so many
    LayerCounts between(int first, int layers) const;
    LayerCounts of_module() const { return of_module_; }   // of one depth that predicts a further token
    int with_experts(const LayerCounts&) const;       // of these, the layers that have experts
    int with_experts() const { return with_experts(all()); }

private:
    int experts_before(int layers) const;
    int windows_before(int layers) const;
    int both_before(int layers) const;

    void read_pattern(const Model&);
    void find_kinds(const Model&);
    void widen(const Model&);
    Kind in_16_bits(Kind);

    int layers_, experts_from_, every_ = 1, windowed_ = 0;
    ShortList<LayerKind, most_kinds> kind_;
    std::string order_;   // of a pattern, or where some keep 16 bits: the kind of every layer
    LayerCounts of_module_;
};

}  // namespace plimsoll
