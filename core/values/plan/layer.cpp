#include "core/values/plan/layer.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

double score_density(const Model& m, const LayerKind& kind, const Sequence& sequence) {
    double seen = window_density(kind.window, kind.chunks, sequence);
    // Of s queries each sees all keys before it until there are k.
    if (sees_chosen_keys(m, kind)) seen = std::min(seen, window_density(m.indexer.top_k, false, sequence));
    return pattern_density(m) * seen;
}

double score_variation(const Model& m, const LayerKind& kind, const Sequence& sequence) {
    if (!sees_chosen_keys(m, kind)) return density_variation(kind.window, kind.chunks, sequence);
    const int seen = kind.window > 0 ? std::min(kind.window, m.indexer.top_k) : m.indexer.top_k;
    return density_variation(seen, false, sequence);
}

bool has_module(const Model& m, const LayerKind& kind, Module module) {
    const bool experts = kind.feed == Feed::experts;
    const bool latent = kind.attends() && attention_of(m, kind).latent;
    switch (module) {
        case Module::core_attn: return kind.attends();
        case Module::layernorm: return experts || latent;
        case Module::moe_act:
        case Module::moe: return experts;
        case Module::mla_up_proj: return latent && !sees_chosen_keys(m, kind);
        case Module::mlp: return kind.feed == Feed::dense;
        case Module::shared_experts: return experts && m.experts.shared > 0;
        case Module::none: break;
    }
    return false;
}

bool has_module(const Model& m, const LayerKind& kind, SentModule module) {
    const bool attends = kind.attends() && !sees_chosen_keys(m, kind);
    switch (module) {
        case SentModule::attn_norm: return attends && attention_of(m, kind).latent;
        case SentModule::qkv_linear:
        case SentModule::core_attn:
        case SentModule::attn_proj: return attends;
        case SentModule::mlp_norm:
        case SentModule::expert_fc1:
        case SentModule::moe_act: return kind.feed == Feed::experts;
        case SentModule::none: break;
    }
    return false;
}

namespace {

template <class OfLayer>
bool in_some_layer(const Model& m, OfLayer module) {
    const Layers kinds(m);
    for (Kind k = 0; k < kinds.kinds(); ++k)
        if (has_module(m, kinds[k], module)) return true;
    return false;
}

}  // namespace

bool has_module(const Model& m, Module module) { return in_some_layer(m, module); }
bool has_module(const Model& m, SentModule module) { return in_some_layer(m, module); }

Flop attention_core_flop(const Model& m, const LayerKind& kind, double sequences, const Sequence& window) {
    if (!kind.attends()) return {};
    const double s = window.tokens;
    const double scored = s * window_density(0, false, window);   // by an indexer
    const double index = chooses_keys(m, kind) ? 2.0 * scored * m.indexer.width() : 0;
    return (4.0 * s * attention_of(m, kind).core() * score_density(m, kind, window) + index) * (sequences * s) * flop;
}

Model with_depth(Model m, int layers) {
    if (m.layers > 0) m.window.layers = int(std::lround(double(m.window.layers) * layers / m.layers));
    m.layers = layers;
    return m;
}

Layers::Layers(const Model& m) : layers_(m.layers), experts_from_(m.layers) {
    if (has_pattern(m)) read_pattern(m);
    else find_kinds(m);
    if (m.further.depths > 0) {
        for (const char letter : m.further.pattern) ++of_module_[named(letter)];
        if (m.further.pattern.empty() && layers_ > 0) ++of_module_[of_layer(layers_ - 1)];
    }
    if (m.wide.any()) widen(m);
}

// The same kind, with products in 16 bits: a row of the table behind the model's own, while there is room.
Kind Layers::in_16_bits(Kind k) {
    LayerKind kind = kind_[k];
    kind.in_16_bits = true;
    for (Kind i = 0; i < kinds(); ++i)
        if (kind_[i] == kind) return i;
    if (kinds() == most_kinds) return k;
    kind_.add(kind);
    return kinds() - 1;
}

void Layers::widen(const Model& m) {
    std::string order;
    for (int i = 0; i < layers_; ++i) order += char(of_layer(i));
    for (int i = 0; i < layers_; ++i)
        if (i < m.wide.first || i >= layers_ - m.wide.last) order[i] = char(in_16_bits(order[i]));
    order_ = std::move(order);
    if (!m.wide.further) return;
    const LayerCounts narrow = of_module_;
    of_module_ = {};
    for (Kind k = 0; k < most_kinds; ++k)
        if (narrow[k] > 0) of_module_[in_16_bits(k)] += narrow[k];
}

// Readers of files refuse a letter that names no kind; here it is the first kind.
Kind Layers::named(char letter) const {
    for (Kind k = 0; k < kinds(); ++k)
        if (kind_[k].letter == letter) return k;
    return 0;
}

void Layers::read_pattern(const Model& m) {
    for (const LayerKind& k : m.kinds)
        if (kinds() < most_kinds) kind_.add(k);
    order_.reserve(m.layers);
    for (int i = 0; i < m.layers; ++i) order_ += char(named(m.pattern[i % m.pattern.size()]));
}

void Layers::find_kinds(const Model& m) {
    if (has_window(m)) windowed_ = std::min(m.window.layers, m.layers);
    if (has_experts(m)) {
        experts_from_ = std::min(m.layers, m.experts.dense_layers);
        every_ = m.experts.every;
    }
    const int routed = experts_before(layers_), both = both_before(layers_);
    const auto add = [&](int layers, LayerKind kind, bool windowed) {
        if (windowed) kind.window = m.window.tokens, kind.chunks = m.window.chunks;
        if (layers > 0) kind_.add(kind);
    };
    add(layers_ - routed - (windowed_ - both), dense_layer, false);
    add(windowed_ - both, dense_layer, true);
    add(routed - both, expert_layer, false);
    add(both, expert_layer, true);
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
    if (!order_.empty()) return order_[number];
    const LayerCounts one = between(number, 1);
    Kind k = 0;
    while (k + 1 < kinds() && one[k] == 0) ++k;
    return k;
}

LayerCounts Layers::before(int layers) const {
    LayerCounts counts;
    if (all_alike()) {
        counts[0] = layers;
        return counts;
    }
    if (!order_.empty()) return between(0, layers);
    const int routed = experts_before(layers), windowed = windows_before(layers), both = both_before(layers);
    for (Kind k = 0; k < kinds(); ++k) {
        const int of_feed = kind_[k].feed == Feed::experts ? routed : layers - routed;
        const int with_window = kind_[k].feed == Feed::experts ? both : windowed - both;
        counts[k] = kind_[k].window > 0 ? with_window : of_feed - with_window;
    }
    return counts;
}

LayerCounts Layers::between(int first, int layers) const {
    if (order_.empty()) return before(first + layers) - before(first);
    LayerCounts counts;
    for (int i = first; i < first + layers; ++i) ++counts[order_[i]];
    return counts;
}

int Layers::with_experts(const LayerCounts& counts) const {
    int sum = 0;
    for (Kind k = 0; k < kinds(); ++k)
        if (kind_[k].feed == Feed::experts) sum += counts[k];
    return sum;
}

}  // namespace plimsoll
