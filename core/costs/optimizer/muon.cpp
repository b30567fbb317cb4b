#include "core/costs/optimizer/muon.h"

#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/products.h"
#include "core/costs/kernels/tensor.h"
#include "core/values/plan/placement.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double exchanged_bytes = 2;   // momentum and Gram matrices travel in bf16

// One matrix as the tensor ranks have it: the side of the Gram matrix and the other one, as far as a rank works on it,
// and what travels among them in a step.
struct Sides {
    double gram, other;
    Bytes gathered, added_up;   // all-gather; all-reduce, in all iterations
};

Sides sides_of(const Work& s, double in, double out, Split split, int ranks) {
    const OptimizerOptions& o = s.recipe.optimizer_options;
    const bool cut = ranks > 1 && (split == Split::rows || split == Split::columns);
    const double own_in = cut && split == Split::rows ? in / ranks : in;
    const double own_out = cut && split == Split::columns ? out / ranks : out;
    if (!cut || o.muon_tensor == MuonTensor::blockwise)
        return {std::min(own_in, own_out), std::max(own_in, own_out), {}, {}};
    const double m = std::min(in, out), n = std::max(in, out);
    if (o.muon_tensor == MuonTensor::duplicated) return {m, n, exchanged_bytes * in * out * byte, {}};
    return {m, n / ranks, {}, o.muon_iterations * exchanged_bytes * m * m * byte};
}

void add(Orthogonalised& sum, const Work& s, const Weight& w, double out, double held, int ranks) {
    const Sides one = sides_of(s, w.in, out, w.split, ranks);
    const Seconds time = orthogonalisation_time(s, one.gram, one.other, 1);
    const bool cut = w.split == Split::rows || w.split == Split::columns;
    const double own = w.in * out / (cut ? ranks : 1);
    sum.parameters += held * own;
    sum.time += orthogonalisation_time(s, one.gram, one.other, held);
    sum.longest = max(sum.longest, time);
    sum.largest = std::max(sum.largest, own);
    if (one.gathered > Bytes{}) sum.tensor_exchange += held * all_gather(tensor_span(s), one.gathered).time;
    if (one.added_up > Bytes{}) sum.tensor_exchange += held * all_reduce(tensor_span(s), one.added_up).time;
}

Orthogonalised times(double n, Orthogonalised o) {
    o.parameters *= n;
    o.time *= n;
    o.tensor_exchange *= n;
    return o;
}

void add(Orthogonalised& sum, const Orthogonalised& o) {
    sum.parameters += o.parameters;
    sum.time += o.time;
    sum.longest = max(sum.longest, o.longest);
    sum.largest = std::max(sum.largest, o.largest);
    sum.tensor_exchange += o.tensor_exchange;
}

void add_layer(const Work& s, const LayerKind& kind, double layers, MuonShare& share) {
    Orthogonalised common, experts;
    for (const Weight& w : weights_of(s.model, kind, s.method)) {
        if (!of_matrices(w.group) || !w.trained) continue;
        const bool routed = w.group == ParameterGroup::routed;
        const double held = routed ? local_experts(s) : 1;
        const int ranks = routed ? s.layout.expert_tensor_parallel : s.layout.tensor_parallel;
        double rest = w.out;
        for (const double part : w.parts) {
            if (part > 0) add(routed ? experts : common, s, w, part, held, ranks);
            rest -= part;
        }
        if (rest > 0.5) add(routed ? experts : common, s, w, rest, held, ranks);
    }
    add(share.common, times(layers, common));
    add(share.experts, times(layers, experts));
}

int ranks_that_share(const Work& s, bool experts) {
    const int replicas = experts ? expert_data_span(s).size : int(s.layout.weight_replicas());
    switch (s.recipe.optimizer_options.muon_spread) {
        case MuonSpread::redundant: return 1;
        case MuonSpread::layer_wise: return replicas;
        case MuonSpread::gathered:
        case MuonSpread::all_to_all: return experts ? s.layout.expert_shards() : s.layout.shards();
    }
    return 1;
}

}  // namespace

Seconds orthogonalisation_time(const Work& s, double m, double n, double copies) {
    const OptimizerOptions& o = s.recipe.optimizer_options;
    const Rates r = head_rates_of(s);
    const Seconds gram = time_of(Gemm{"", "", m, m, n, copies}, r).total();
    const Seconds square = time_of(Gemm{"", "", m, m, m, copies}, r).total();
    const Seconds product = time_of(Gemm{"", "", m, n, m, copies}, r).total();
    const double symmetric = o.muon_symmetric ? 0.5 : 1;
    return o.muon_fraction * o.muon_iterations * (symmetric * (gram + square) + product);
}

MuonShare muon_share(const Work& s, int stage) {
    MuonShare share;
    const Layers& layers = s.layers;
    const LayerCounts counts = blocks_of_stage(s, stage);
    for (Kind k = 0; k < layers.kinds(); ++k)
        if (counts[k] > 0) add_layer(s, layers[k], counts[k], share);
    share.owners = ranks_that_share(s, false);
    share.expert_owners = ranks_that_share(s, true);
    share.whole = s.recipe.optimizer_options.muon_spread == MuonSpread::gathered;
    return share;
}

namespace {

Seconds traffic_of(const Work& s, const Orthogonalised& set, int owners, const Span& replicas, const Span& shards) {
    const OptimizerOptions& o = s.recipe.optimizer_options;
    const Seconds tensor = set.tensor_exchange / owners;
    if (set.parameters == 0) return {};
    const Bytes all = o.muon_fraction * exchanged_bytes * set.parameters * byte;
    switch (o.muon_spread) {
        case MuonSpread::layer_wise:
            // Under ZeRO-1 the gather of new weights is counted with it.
            if (s.layout.zero_stage > 0) return tensor;
            return tensor + all_gather(replicas, s.states.weights * set.parameters * byte).time;
        case MuonSpread::gathered: {
            const Bytes slices = o.muon_fraction * exchanged_bytes
                               * std::min(set.parameters, set.parameters / owners + 2 * set.largest) * byte;
            return tensor + all_gather(shards, slices).time;
        }
        case MuonSpread::all_to_all: return tensor + 2 * all_to_all(shards, all / owners).time;
        case MuonSpread::redundant:
            return set.tensor_exchange + (s.layout.zero_stage > 0 ? all_gather(shards, all).time : Seconds{});
    }
    return tensor;
}

}  // namespace

MuonTraffic muon_traffic(const Work& s, const MuonShare& share, int stage) {
    return {traffic_of(s, share.common, share.owners, data_span(s, stage), shard_span(s, stage)),
            traffic_of(s, share.experts, share.expert_owners, expert_data_span(s, stage),
                       expert_shard_span(s, stage))};
}

namespace {

PreconditionerTime muon_time(const Work& s, int stage) {
    const MuonShare share = muon_share(s, stage);
    const MuonTraffic traffic = muon_traffic(s, share, stage);
    PreconditionerTime t;
    t.application = share.busiest() / s.speed(stage);
    t.direction_gather = traffic.common + traffic.experts;
    return t;
}

}  // namespace

const OptimizerRule muon_rule{.work = muon_time};

}  // namespace plimsoll
