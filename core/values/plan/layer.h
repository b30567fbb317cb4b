#pragma once
// The kinds of layers a model has, and where in the model they lie.
//
//   const Layers layers(model);                  // DeepSeek-V3: kind 0 dense, kind 1 with experts
//   layers.before(10)[1];                        // layers with experts among the first ten
//   layers[0].feed;                              // Feed::dense
//
// A kind is a row of the model's table of kinds, in which dense layers come first. Costs are worked out once for each
// kind and multiplied by the number of its layers.

#include "core/values/plan/model.h"

#include <array>
#include <compare>

namespace plimsoll {

using Kind = int;   // place in the table
constexpr int most_kinds = 4;

enum class Feed { dense, experts };   // what stands behind the attention

struct LayerKind {
    Feed feed = Feed::dense;
    friend auto operator<=>(const LayerKind&, const LayerKind&) = default;
};
constexpr LayerKind dense_layer{Feed::dense}, expert_layer{Feed::experts};

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

    int kinds() const { return kinds_; }
    const LayerKind& operator[](Kind k) const { return kind_[k]; }
    bool all_alike() const { return kinds_ == 1; }
    Kind of_layer(int number) const;                  // from 0
    LayerCounts all() const { return before(layers_); }
    LayerCounts before(int layers) const;             // among the first so many
    LayerCounts between(int first, int layers) const { return before(first + layers) - before(first); }
    int with_experts(const LayerCounts&) const;       // of these, the layers that have experts
    int with_experts() const { return with_experts(all()); }

private:
    int experts_before(int layers) const;

    int layers_, experts_from_, every_, kinds_ = 0;
    std::array<LayerKind, most_kinds> kind_{};
};

}  // namespace plimsoll
