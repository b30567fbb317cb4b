#include "core/costs/pipeline/share.h"

#include "core/costs/pipeline/stage_split.h"

#include <algorithm>

namespace plimsoll {

int layers_of_stage(const Scenario& s, int stage) {
    const int p = s.layout.pipeline_parallel;
    if (p > 1 && s.layout.stage_split != StageSplit::even) return uneven_layers(s, stage);
    const int each = s.model.layers / p, extra = s.model.layers % p;
    // Order in which stages receive an extra layer: 1, 2, ..., p-1, and stage 0 never before the others.
    const int turn = stage == 0 ? p - 1 : stage == p - 1 ? p - 2 : stage - 1;
    return each + (turn < extra ? 1 : 0);
}

int layers_of_chunk(const Scenario& s, int stage, int chunk) {
    const int v = s.layout.virtual_stages, here = layers_of_stage(s, stage);
    const int slots = (here + v - 1) / v, empty = slots * v - here;
    // Empty slots sit at the model's start on the first stage, at its end on the others.
    const int turn = first_stage(stage) ? chunk : v - 1 - chunk;
    return slots - (turn < empty ? 1 : 0);
}

namespace {

// Number of the chunk's first layer, or one beyond `enough` if it is later than that.
int first_layer(const Scenario& s, int stage, int chunk, int enough) {
    const int p = s.layout.pipeline_parallel;
    int first = 0;
    for (int at = 0; at < chunk * p + stage && first <= enough; ++at) first += layers_of_chunk(s, at % p, at / p);
    return first;
}

// The chunk's first `layers` layers.
LayerMix first_blocks(const Scenario& s, int stage, int chunk, int layers) {
    const Model& m = s.model;
    if (!has_experts(m)) return {layers, 0};
    // From the first layers on all are alike, unless only every n-th has experts.
    const int first = first_layer(s, stage, chunk, m.experts.every > 1 ? m.layers : m.experts.dense_layers);
    const int routed = expert_layers_before(m, first + layers) - expert_layers_before(m, first);
    return {layers - routed, routed};
}

}  // namespace

LayerMix& LayerMix::operator+=(const LayerMix& o) {
    dense += o.dense;
    experts += o.experts;
    return *this;
}

LayerMix blocks_of_chunk(const Scenario& s, int stage, int chunk) {
    return first_blocks(s, stage, chunk, layers_of_chunk(s, stage, chunk));
}

LayerMix blocks_of_stage(const Scenario& s, int stage) {
    if (!has_experts(s.model)) return {layers_of_stage(s, stage), 0};
    LayerMix sum;
    for (int c = 0; c < s.layout.virtual_stages; ++c) sum += blocks_of_chunk(s, stage, c);
    return sum;
}

LayerMix recomputed_of_chunk(const Scenario& s, int stage, int chunk) {
    const Layout& l = s.layout;
    if (l.recompute == Recompute::none) return {};
    const int layers = layers_of_chunk(s, stage, chunk);
    return first_blocks(s, stage, chunk, l.recomputes_some() ? std::min(layers, l.recompute_layers) : layers);
}

LayerMix recomputed_of_stage(const Scenario& s, int stage) { return recomputed_of_stage(s, stage, blocks_of_stage(s, stage)); }

LayerMix recomputed_of_stage(const Scenario& s, int stage, const LayerMix& blocks) {
    const Layout& l = s.layout;
    if (l.recompute == Recompute::none) return {};
    if (!l.recomputes_some()) return blocks;
    LayerMix sum;
    for (int c = 0; c < l.virtual_stages; ++c) sum += recomputed_of_chunk(s, stage, c);
    return sum;
}

LayerMix recomputed_layers(const Scenario& s) {
    const int routed = expert_layers(s.model);
    if (s.layout.recompute == Recompute::none) return {};
    if (!s.layout.recomputes_some()) return {s.model.layers - routed, routed};
    LayerMix sum;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) sum += recomputed_of_stage(s, i);
    return sum;
}

int largest_chunk(const Scenario& s) {
    int stage = 0;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) stage = std::max(stage, layers_of_stage(s, i));
    return (stage + s.layout.virtual_stages - 1) / s.layout.virtual_stages;
}

Owned layer_share(const Scenario& s, Block block) {
    const LayerParameters one = layer_parameter_parts(s.model, block);
    return {(one.matrices + one.rest) / s.layout.weight_shards(), one.routed / (1.0 * s.layout.expert_parallel * s.layout.expert_tensor_parallel)};
}

namespace {

double table_parameters(const Scenario& s) {
    return embedding_parameters(s.model, padded_vocabulary(s.model, s.layout.tensor_parallel));
}

}  // namespace

double vocabulary_share(const Scenario& s) {
    return double(padded_vocabulary(s.model, s.layout.tensor_parallel)) / s.layout.tensor_parallel;
}

double table_share(const Scenario& s) { return table_parameters(s) / s.layout.weight_shards(); }

Owned stage_parameters(const Scenario& s, int stage) {
    const Model& m = s.model;
    const LayerMix blocks = blocks_of_stage(s, stage);
    const double table = table_parameters(s);
    double count = blocks.dense > 0 ? blocks.dense * layer_parameters(m) : 0;
    if (first_stage(stage)) count += table + double(m.position_rows) * m.hidden;
    if (last_stage(s, stage) && (!m.tied_embeddings || s.layout.pipeline_parallel > 1)) count += table;
    Owned owned{count / s.layout.weight_shards(), 0};
    if (blocks.experts > 0) {
        const Owned one = layer_share(s, Block::experts);
        owned.common += blocks.experts * one.common;
        owned.routed += blocks.experts * one.routed;
    }
    return owned;
}

}  // namespace plimsoll
