#include "core/values/plan/layer.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

double score_density(const Model& m, const LayerKind& kind, int sequence) {
    return pattern_density(m) * (kind.windowed ? window_density(m.window, sequence) : 1);
}

Flop attention_core_flop(const Model& m, const LayerKind& kind, double sequences, int s) {
    if (!kind.mixes()) return {};
    return 4.0 * s * core_width(m) * score_density(m, kind, s) * (sequences * s) * flop;
}

Model with_depth(Model m, int layers) {
    if (m.layers > 0) m.window.layers = int(std::lround(double(m.window.layers) * layers / m.layers));
    m.layers = layers;
    return m;
}

Layers::Layers(const Model& m)
    : layers_(m.layers),
      experts_from_(m.layers),
      every_(1),
      windowed_(has_window(m) ? std::min(m.window.layers, m.layers) : 0) {
    if (has_experts(m)) {
        experts_from_ = std::min(m.layers, m.experts.dense_layers);
        every_ = m.experts.every;
    }
    const int routed = experts_before(layers_), both = both_before(layers_);
    const auto add = [this](int layers, LayerKind kind) {
        if (layers > 0) kind_[kinds_++] = kind;
    };
    add(layers_ - routed - (windowed_ - both), dense_layer);
    add(windowed_ - both, {Feed::dense, true});
    add(routed - both, expert_layer);
    add(both, {Feed::experts, true});
}

// Numbers from `experts_from_` on that `every_` divides.
int Layers::experts_before(int layers) const {
    const auto multiples = [this](int below) { return (below + every_ - 1) / every_; };
    return layers <= experts_from_ ? 0 : multiples(layers) - multiples(experts_from_);
}

// Of L layers w have a window: among the first n there are w n / L, rounded up.
int Layers::windows_before(int layers) const {
    return windowed_ == 0 ? 0 : int(((long long)windowed_ * layers + layers_ - 1) / layers_);
}

int Layers::both_before(int layers) const {
    if (windowed_ == 0 || layers <= experts_from_) return 0;
    if (every_ == 1) return windows_before(layers) - windows_before(experts_from_);
    int both = 0;
    for (int i = (experts_from_ + every_ - 1) / every_ * every_; i < layers; i += every_)
        both += windows_before(i + 1) - windows_before(i);
    return both;
}

Kind Layers::of_layer(int number) const {
    const LayerCounts one = between(number, 1);
    Kind k = 0;
    while (k + 1 < kinds_ && one[k] == 0) ++k;
    return k;
}

LayerCounts Layers::before(int layers) const {
    LayerCounts counts;
    if (all_alike()) {
        counts[0] = layers;
        return counts;
    }
    const int routed = experts_before(layers), windowed = windows_before(layers), both = both_before(layers);
    for (Kind k = 0; k < kinds_; ++k) {
        const int of_feed = kind_[k].feed == Feed::experts ? routed : layers - routed;
        const int with_window = kind_[k].feed == Feed::experts ? both : windowed - both;
        counts[k] = kind_[k].windowed ? with_window : of_feed - with_window;
    }
    return counts;
}

int Layers::with_experts(const LayerCounts& counts) const {
    int sum = 0;
    for (Kind k = 0; k < kinds_; ++k)
        if (kind_[k].feed == Feed::experts) sum += counts[k];
    return sum;
}

}  // namespace plimsoll
