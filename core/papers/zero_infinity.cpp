#include "core/papers/zero_infinity.h"

#include "core/costs/kernels/data_parallel.h"
#include "core/values/basics/text.h"

namespace plimsoll::infinity {

std::vector<CardRow> card(const Scenario& s) {
    std::vector<CardRow> rows;
    const Offload& o = s.layout.offload;
    const Device& d = s.machine.device;
    const FlopRate peak = d.efficiency.gemm_ceiling * d.peak(matrix_format(s.recipe));
    const double batch = s.layout.micro_batch, length = s.recipe.sequence_length;
    const TierRates rates = tier_rates(s);
    const ByteRate each = min(rates.link, rates.memory), all = double(s.layout.shards()) * each;
    // Weights come over every rank's link at once, and then over the network.
    const LayerKind layer = first_layer(s);
    const Seconds gather = layer_gather_time(s, layer, 0);
    const ByteRate gathered = gather > Seconds{} ? min(all, layer_gather_bytes(s, layer).common / gather) : all;
    const auto row = [&](const char* label, double intensity, ByteRate r) {
        rows.push_back(
            {"", label,
             percent(efficiency(intensity, r, peak)) + " at " + significant(r / (gigabyte / second), 3) + " GB/s"});
    };
    if (o.weights != Tier::device)
        row("Closed form of ZeRO-Infinity, weights", intensity_states(length, batch), gathered);
    if (o.optimizer != Tier::device)
        row("Closed form of ZeRO-Infinity, optimizer", intensity_optimizer(length, batch * micro_batches(s)), all);
    if (o.swaps() && s.layout.recompute == Recompute::full)
        row("Closed form of ZeRO-Infinity, checkpoints", intensity_activations(s.model.hidden, 1), each);
    return rows;
}

}  // namespace plimsoll::infinity
