#include "core/costs/kernels/indexer.h"

#include "core/values/plan/layer.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double half_of_pairs = 0.5;            // no query sees what comes after it
constexpr double score_bytes = 4, index_bytes = 8;   // fp32; written once and read once
constexpr int index_gradients = 3;               // products of the backward pass
constexpr int index_kernels = 3;                 // scores, selection, target

// A latent key and the part with positions, which all heads share.
double latent_key(const Work& s) { return s.model.latent.kv_rank + s.model.latent.rope_dim; }

}  // namespace

namespace {

double pairs(const Work& s) { return s.tokens * s.row.tokens * half_of_pairs; }

}  // namespace

double scored_pairs(const Work& s) { return pairs(s) * window_density(0, false, s.row); }

double chosen_pairs(const Work& s, const LayerKind& kind) {
    return pairs(s) * score_density(s.model, kind, s.row);
}

Bytes chosen_key_bytes(const Work& s, const LayerKind& kind) {
    return s.element * latent_key(s) * chosen_pairs(s, kind) * byte;
}

IndexTime index_time(const Work& s, const LayerKind& kind, const Rates& r) {
    const AttentionSizes a = attention_of(s.model, kind);
    const double width = 2 * s.model.indexer.width(), chosen = chosen_pairs(s, kind);
    const double heads = double(a.heads) / s.layout.tensor_parallel;
    const Flop scores = width * scored_pairs(s) * flop, target = 2 * heads * a.score_dim * chosen * flop;
    const Bytes selected = index_bytes * scored_pairs(s) * byte;
    return {(scores + target) / r.flash_forward + selected / r.memory + index_kernels * r.floor,
            index_gradients * width * chosen * flop / r.flash_backward + r.floor};
}

Seconds index_tensor_time(const Work& s) {
    const double keys = std::min<double>(s.model.indexer.top_k, s.row.tokens);
    const Bytes target = score_bytes * s.tokens * keys * byte;
    const Seconds added = all_reduce(s.tensor_ranks(), target).time;
    if (!s.layout.sequence_parallel) return added;
    const double in = s.model.hidden + s.model.latent.q_rank;
    return added + all_gather(s.tensor_ranks(), s.element * s.tokens * in * byte).time;
}

Bytes gathered_keys(const Work& s, const LayerKind& kind) {
    const double width = latent_key(s) + (chooses_keys(s.model, kind) ? s.model.indexer.head_dim : 0);
    return s.element * s.tokens * s.layout.context_parallel * width * byte;
}

ContextTime chosen_context_time(const Work& s, const LayerKind& kind) {
    const Bytes keys = gathered_keys(s, kind);
    return {all_gather(s.context_ranks(), keys).time, reduce_scatter(s.context_ranks(), keys).time};
}

}  // namespace plimsoll
