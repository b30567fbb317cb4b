#include "core/values/plan/layer.h"

#include <algorithm>

namespace plimsoll {

Layers::Layers(const Model& m) : layers_(m.layers), experts_from_(m.layers), every_(1) {
    if (has_experts(m)) {
        experts_from_ = std::min(m.layers, m.experts.dense_layers);
        every_ = m.experts.every;
    }
    const int routed = experts_before(layers_);
    if (routed < layers_) kind_[kinds_++] = dense_layer;
    if (routed > 0) kind_[kinds_++] = expert_layer;
}

// Numbers from `experts_from_` on that `every_` divides.
int Layers::experts_before(int layers) const {
    const auto multiples = [this](int below) { return (below + every_ - 1) / every_; };
    return layers <= experts_from_ ? 0 : multiples(layers) - multiples(experts_from_);
}

Kind Layers::of_layer(int number) const { return all_alike() ? 0 : between(number, 1)[1]; }

LayerCounts Layers::before(int layers) const {
    LayerCounts counts;
    counts[0] = layers;
    if (all_alike()) return counts;
    counts[1] = experts_before(layers);
    counts[0] -= counts[1];
    return counts;
}

int Layers::with_experts(const LayerCounts& counts) const {
    int sum = 0;
    for (Kind k = 0; k < kinds_; ++k)
        if (kind_[k].feed == Feed::experts) sum += counts[k];
    return sum;
}

}  // namespace plimsoll
