#include "core/answers/plan/tier_card.h"

#include "core/values/knobs/wording.h"
#include "core/costs/offload/ledger.h"
#include "core/costs/network/data_parallel.h"
#include "core/papers/zero_infinity.h"
#include "core/values/basics/text.h"


namespace plimsoll {

namespace {

std::string bandwidth_text(ByteRate r) { return significant(r / (gigabyte / second), 3) + " GB/s"; }

std::string against(const TierLedger& t) {
    return say(t.use.total()) + " of " + say(t.limit) + (t.fits() ? "" : ": short by " + say(t.use.total() - t.limit));
}

std::string both(ByteRate read, ByteRate write) { return bandwidth_text(read) + " read, " + bandwidth_text(write) + " written"; }

void add_tier(std::vector<CardRow>& rows, const TierLedger& t, const char* name, const char* id) {
    if (t.use.total() <= Bytes{} && t.written <= Bytes{}) return;
    rows.push_back({id, name, against(t)});
    for (const auto& part : tier_parts)
        if (t.use.*part.value > Bytes{}) rows.push_back({"", std::string("  ") + std::string(part.label), say(t.use.*part.value)});
    rows.push_back({"", "  Needed by each device during passes", both(t.need.read, t.need.write)});
    rows.push_back({"", "  There for each device", both(t.need.read_available, t.need.write_available) + (t.need.covered() ? "" : ": passes wait")});
}

void add_drives(std::vector<CardRow>& rows, const Scenario& s, const Estimate& e) {
    if (e.nvme.written <= Bytes{}) return;
    rows.push_back({"", "  Written per step", say(e.nvme.written)});
    const auto life = drive_life(s.machine.host.nvme, e.nvme.written, e.step.total());
    rows.push_back({"tiers.drive_life_seconds", "  Drives last", life ? say(*life) + " at this rate" : "not known: no endurance stated"});
}

// What the paper's closed form says of the links alone, against the rate of an infinitely large product.
void add_closed_form(std::vector<CardRow>& rows, const Scenario& s) {
    const Offload& o = s.layout.offload;
    const Device& d = s.machine.device;
    const FlopRate peak = d.efficiency.gemm_ceiling * d.peak(matrix_format(s.recipe.precision));
    const double batch = s.layout.micro_batch, length = s.recipe.sequence_length;
    const TierRates rates = tier_rates(s);
    const ByteRate each = min(rates.link, rates.memory), all = double(s.layout.shards()) * each;
    // Weights come over every rank's link at once, and then over the network.
    const Seconds gather = layer_gather_time(s);
    const ByteRate gathered = gather > Seconds{} ? min(all, layer_gather_bytes(s).common / gather) : all;
    const auto row = [&](const char* label, double intensity, ByteRate r) {
        rows.push_back({"", label, percent(infinity::efficiency(intensity, r, peak)) + " at " + bandwidth_text(r)});
    };
    if (o.weights != Tier::device)
        row("Closed form of ZeRO-Infinity, weights", infinity::intensity_states(length, batch), gathered);
    if (o.optimizer != Tier::device)
        row("Closed form of ZeRO-Infinity, optimizer", infinity::intensity_optimizer(length, batch * micro_batches(s)), all);
    if (o.swaps() && s.layout.recompute == Recompute::full)
        row("Closed form of ZeRO-Infinity, checkpoints", infinity::intensity_activations(s.model.hidden, 1), each);
}

void add_shortage(std::string& text, const TierLedger& t, const char* name) {
    if (t.fits()) return;
    text += (text.empty() ? "" : "; ") + std::string(name) + " short by " + say(t.use.total() - t.limit) + " per node";
}

}  // namespace

std::vector<CardRow> tier_card(const Scenario& s, const Estimate& e) {
    std::vector<CardRow> rows;
    add_tier(rows, e.host, "Host memory", "tiers.host_bytes");
    add_tier(rows, e.nvme, "NVMe drives", "tiers.nvme_bytes");
    add_drives(rows, s, e);
    if (s.layout.offload.swaps()) {
        const Swap w = swap_of(s);
        rows.push_back({"tiers.activation_share", "Share of activations sent",
                        fixed(w.share, 4) + " (nobody waits up to " + fixed(w.in_time, 4) + ", the tier holds " + fixed(w.in_capacity, 4) + ")"});
    }
    rows.push_back({"step.offload", "Waited for in a step", say(e.step.offload)});
    add_closed_form(rows, s);
    return rows;
}

std::string say_tier_shortage(const Estimate& e) {
    std::string text;
    add_shortage(text, e.host, "Host memory is");
    add_shortage(text, e.nvme, "The drives are");
    return text;
}

}  // namespace plimsoll
