// A model from what settings said of it, each in its own words.
#include "core/files/import/plan_draft.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

// Frameworks have one number for both: positions that are trained for, and rows of a learned table. `launch` writes
// the larger of the table and the sequence of the plan.
void settle_positions(PlanDraft& d, const Model* base) {
    Model& m = d.model;
    const bool launched =
        d.launched && base && m.sequence_length == std::max(d.recipe.sequence_length, base->position_rows);
    if (launched) m.sequence_length = base->sequence_length;
    if (m.positions != Positions::learned)
        m.position_rows = base && base->positions == m.positions ? base->position_rows : 0;
    else m.position_rows = launched && base->position_rows > 0 ? base->position_rows : m.sequence_length;
}

void settle_experts(PlanDraft& d) {
    Experts& e = d.model.experts;
    if (e.count == 0) return void(e = Experts{});
    if (!d.said.contains("model.experts.expert_ffn") && e.ffn <= 1) e.ffn = d.model.ffn;
    if (d.said.contains("model.experts.shared_ffn")) {
        // One width for all shared experts together: as many as the base has, where they divide it.
        const int width = e.shared_ffn;
        e.shared = width == 0 ? 0 : e.shared > 0 && width % e.shared == 0 ? e.shared : 1;
        if (e.shared > 0) e.shared_ffn = width / e.shared;
    }
    if (d.expert_layers.empty()) return;
    if (const auto every = whole_of(d.expert_layers); every && *every >= 1 && *every <= d.model.layers) {
        e.dense_layers = 0;
        e.every = int(*every);
        return;
    }
    const auto pattern = list_of(d.expert_layers);
    if (!pattern || int(pattern->size()) != d.model.layers) return;
    const int dense = int(std::ranges::find(*pattern, 1) - pattern->begin());
    Model tried;
    tried.layers = d.model.layers;
    tried.experts = e;
    for (int lead = dense; lead >= 0; --lead)
        for (int every = 1; every <= std::min(d.model.layers, 64); ++every) {
            tried.experts.dense_layers = lead;
            tried.experts.every = every;
            const Layers layers(tried);
            bool same = true;
            for (int i = 0; same && i < d.model.layers; ++i)
                same = (layers[layers.of_layer(i)].feed == Feed::experts) == ((*pattern)[std::size_t(i)] == 1);
            if (same) return void((e.dense_layers = lead, e.every = every));
        }
}

// Megatron's hybrids: a mixer or a block alone is a layer, and behind / stands what predicts each further token.
void settle_hybrid(PlanDraft& d) {
    const std::size_t end = d.hybrid_pattern.find('/');
    const auto read = pattern_by_stage(d.hybrid_pattern.substr(0, end));
    if (!read || read->pattern.empty()) return;
    Model& m = d.model;
    m.pattern = read->pattern;
    const auto depths = int(std::ranges::count(d.hybrid_pattern, '/'));
    if (end != std::string::npos) {
        m.further.depths = depths;
        m.further.pattern = d.hybrid_pattern.substr(end + 1, d.hybrid_pattern.find('/', end + 1) - end - 1);
    }
    if (d.mamba.heads == 0) d.mamba.heads = std::max(1, int(2LL * m.hidden / d.mamba.head_dim));
    m.kinds.clear();
    for (const char letter : m.pattern + m.further.pattern) {
        if (std::ranges::find(m.kinds, letter, &LayerKind::letter) != m.kinds.end()) continue;
        LayerKind kind{.letter = letter, .feed = Feed::none};
        if (letter == 'M') kind.mixer = Mixer::mamba2, kind.recurrence = d.mamba;
        if (letter == 'G') kind.mixer = Mixer::gated_delta, kind.recurrence = d.delta;
        if (letter == '-' || letter == 'E') kind.mixer = Mixer::none;
        if (letter == '-') kind.feed = Feed::dense;
        if (letter == 'E') kind.feed = Feed::experts;
        m.kinds.push_back(kind);
    }
}

// Megatron's defaults of its multi-head latent attention.
void settle_latent(PlanDraft& d, bool whole) {
    Model& m = d.model;
    if (!d.said.contains("latent attention")) {
        if (whole) m.latent = {};
        return;
    }
    LatentAttention& l = m.latent;
    if (l.kv_rank == 0) l.kv_rank = 32;
    if (l.nope_dim == 0) l.nope_dim = 128;
    if (l.rope_dim == 0 && !d.said.contains("model.latent.rope_dim")) l.rope_dim = 64;
    if (l.value_dim == 0) l.value_dim = 128;
    if (!d.said.contains("model.latent.q_rank") && whole) l.q_rank = 0;
    m.head_dim = int(std::min(1LL << 28, 1LL * l.nope_dim + l.rope_dim));
    m.kv_heads = m.heads;
}

// Of frameworks that state the feed-forward block as a multiple of the hidden size; 0 where there is none.
int width_by_ratio(const PlanDraft& d) {
    const double halves = d.ratio_holds_both && gated(d.model.activation) ? 2 : 1;
    const double width = d.ffn_of_both > 0 ? d.ffn_of_both : d.ffn_ratio * d.model.hidden;
    return int(std::min(width / halves, double(1 << 28)));
}

}  // namespace

void settle_model(PlanDraft& d, const Model* base, bool whole) {
    Model& m = d.model;
    if (!d.activation.empty()) {
        const auto has = [&](const char* word) { return d.activation.find(word) != d.activation.npos; };
        if (has("swiglu") || (has("silu") && d.gated)) m.activation = Activation::swiglu;
        else if (has("geglu") || (has("gelu") && d.gated)) m.activation = Activation::geglu;
        else if (has("squared")) m.activation = Activation::squared_relu;
        else if (has("relu")) m.activation = Activation::relu;
        else if (!d.said.contains("model.activation") || has("gelu")) m.activation = Activation::gelu;
    }
    else if (d.gated && !gated(m.activation)) m.activation = Activation::swiglu;
    if (d.said.contains("queries, keys and values have biases")) m.qkv_bias = true;
    if (whole) {
        if (m.head_dim <= 0) m.head_dim = std::max(1, m.hidden / std::max(1, m.heads));
        if (m.kv_heads <= 0) m.kv_heads = d.grouped_queries ? 1 : m.heads;
        if (!d.said.contains("model.kv_heads")) m.kv_heads = m.heads;
        if (m.ffn <= 0 || d.ffn_of_both > 0) m.ffn = width_by_ratio(d);
        if (m.ffn <= 0) m.ffn = gated(m.activation) ? m.hidden * 8LL / 3 / 64 * 64 : 4 * std::min(m.hidden, 1 << 28);
        m.qk_norm_width = !d.said.contains("queries and keys are normed") ? 0
                        : base && base->qk_norm_width > 0                 ? base->qk_norm_width
                                                                          : m.head_dim;
    }
    settle_experts(d);
    settle_hybrid(d);
    settle_latent(d, whole);
    settle_positions(d, base);
}

}  // namespace plimsoll::files
