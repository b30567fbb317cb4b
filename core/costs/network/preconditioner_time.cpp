#include "core/costs/network/preconditioner_time.h"

#include "core/costs/network/data_parallel.h"
#include "core/costs/network/placement.h"
#include "core/costs/pipeline/share.h"

namespace plimsoll {

namespace {

constexpr double fp32 = 4;

// Onto the owners; with several sharded copies, then across them.
Seconds reduce_onto_owners(const Scenario& s, Bytes payload, int stage) {
    const int owners = curvature_owners(s);
    if (owners == s.layout.weight_replicas()) return reduce_scatter(data_span(s, stage), payload).time;
    return reduce_scatter(shard_span(s, stage), payload).time + all_reduce(replica_span(s, stage), payload / owners).time;
}

}  // namespace

Bytes factor_payload(const Scenario& s, int stage) {
    if (s.recipe.optimizer != Optimizer::kfac) return {};
    return fp32 * stage_curvature(s, stage).packed * byte;
}

Bytes direction_payload(const Scenario& s, int stage) {
    if (!preconditions(s.recipe.optimizer) || s.layout.zero_stage > 0) return {};
    return state_bytes(s.recipe).weights * stage_curvature(s, stage).parameters * byte;
}

FlopRate inverse_rate(const Scenario& s) {
    return fp32_rates_of(s).gemm * s.recipe.optimizer_options.inverse_rate_share;
}

FlopRate application_rate(const Scenario& s) {
    const double h = s.model.hidden, block = blocks_of(h, s.recipe.optimizer_options.block_size).size;
    const Rates r = fp32_rates_of(s);
    return r.gemm / shape_penalty({"", "", block, h, block}, r);
}

PreconditionerTime preconditioner_time(const Scenario& s, int stage) {
    if (!preconditions(s.recipe.optimizer)) return {};
    const OptimizerOptions& o = s.recipe.optimizer_options;
    const Curvature owned = owned_curvature(s, stage);
    const FlopRate products = application_rate(s);
    const double layers = layers_of_stage(s, stage), speed = stage_speed(s, stage);
    PreconditionerTime t;
    t.statistics = (micro_batches(s) * layers * layer_statistics_time(s) + owned.statistics_flop * flop / products) / o.update_interval / speed;
    t.inverses = owned.inverse_flop * flop / inverse_rate(s) / o.inverse_interval / speed;
    t.application = owned.apply_flop * flop / products / speed;
    if (s.layout.weight_replicas() == 1) return t;
    if (const Bytes factors = factor_payload(s, stage); factors > Bytes{})
        t.factor_reduction = reduce_onto_owners(s, factors, stage) / o.update_interval;
    if (const Bytes directions = direction_payload(s, stage); directions > Bytes{})
        t.direction_gather = all_gather(data_span(s, stage), directions).time;
    return t;
}

}  // namespace plimsoll
