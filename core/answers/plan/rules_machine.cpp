#include "core/answers/plan/rules.h"

#include "core/values/basics/integers.h"
#include "core/values/basics/names.h"
#include "core/values/plan/placement.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plimsoll {

// ---- Tiers below device memory

namespace {

struct StateRow {
    const char* knob;
    Tier Offload::*tier;
    int zero_stage;   // from which data-parallel ranks share this state
};
constexpr StateRow state_rows[] = {{"layout.offload.weights", &Offload::weights, 3},
                               {"layout.offload.gradients", &Offload::gradients, 2},
                               {"layout.offload.optimizer_state", &Offload::optimizer, 1}};

class TierRules : RuleSet {
public:
    TierRules(const Scenario& s, std::vector<Obstacle>& found) : RuleSet(s, found), o_(s.layout.offload) {}

    void run() {
        within("layout.offload.activation_share", o_.activation_share, 0, 1);
        for (const StateRow& row : state_rows) {
            hardware(row.knob, o_.*row.tier);
            sharing(row);
        }
        hardware("layout.offload.activations", o_.activations);
        updating();
        schedule();
        swapping();
    }

private:
    struct Need { const char* knob; bool there; };
    // What a tier stands on; the first that is missing is named.
    const char* missing(Tier tier) const {
        const Host& h = s_.machine.host;
        const Need needs[] = {{"machine.host.link_GBps", h.link > ByteRate{}},
                              {"machine.host.memory_GiB", h.memory > Bytes{}},
                              {"machine.host.memory_bandwidth_GBps", h.memory_bandwidth > ByteRate{}},
                              {"machine.host.nvme.capacity_TB", h.nvme.capacity > Bytes{}},
                              {"machine.host.nvme.drives_read_GBps", h.nvme.read > ByteRate{}},
                              {"machine.host.nvme.drives_write_GBps", h.nvme.write > ByteRate{}}};
        const int count = tier == Tier::device ? 0 : tier == Tier::host ? 3 : 6;
        for (int i = 0; i < count; ++i)
            if (!needs[i].there) return needs[i].knob;
        return nullptr;
    }
    void hardware(const char* knob, Tier tier) {
        const char* without = missing(tier);
        if (!without) return;
        std::vector<double> valid;
        for (Tier t : {Tier::device, Tier::host})
            if (!missing(t)) valid.push_back(double(t));
        add(Reason::missing_hardware, knob, double(tier), without, 0, valid);
    }

    // DeepSpeed keeps only sharded states elsewhere; its stage 3 is what fetches weights, on one rank too.
    void sharing(const StateRow& row) {
        const int zero = s_.layout.zero_stage;
        const bool alone = s_.layout.weight_replicas() == 1 && row.zero_stage < 3;
        if (o_.*row.tier == Tier::device || zero >= row.zero_stage || alone) return;
        std::vector<double> valid;
        for (int z = row.zero_stage; z <= 3; ++z) valid.push_back(z);
        add(Reason::incompatible, "layout.zero_stage", zero, row.knob, double(o_.*row.tier), valid);
    }

    void updating() {
        // Updates on CPUs exist for these; the others' state goes by block or by matrix.
        const Optimizer rule = s_.recipe.optimizer;
        if (o_.optimizer != Tier::device) {
            if (!kept_by(rule).on_cpus)
                add(Reason::incompatible, "recipe.optimizer", double(rule), "layout.offload.optimizer_state",
                    double(o_.optimizer), {double(Optimizer::adam), double(Optimizer::sgd)});
            return;
        }
        if (o_.gradients != Tier::device)
            add(Reason::incompatible, "layout.offload.gradients", double(o_.gradients),
                "layout.offload.optimizer_state", double(o_.optimizer), {double(Tier::device)});
        if (o_.delayed_update)
            add(Reason::incompatible, "layout.offload.delayed_update", 1, "layout.offload.optimizer_state",
                double(o_.optimizer), {0});
    }

    // Traffic during passes hides behind whole backward passes; nothing says which half of a split one waits.
    void schedule() {
        if (!schedule_kind(s_.layout.schedule).splits_backward) return;
        std::vector<double> whole;
        for (int i = 0; i < int(std::size(schedule_kinds)); ++i)
            if (!schedule_kinds[i].splits_backward && schedule_kinds[i].runs(1)) whole.push_back(i);
        const StateRow moving[] = {
            state_rows[0], state_rows[1], {"layout.offload.activations", &Offload::activations, 0}};
        for (const StateRow& row : moving)
            if (o_.*row.tier != Tier::device)
                add(Reason::incompatible, "layout.schedule", double(s_.layout.schedule), row.knob, double(o_.*row.tier),
                    whole);
    }

    void swapping() {
        const Layout& l = s_.layout;
        if (!o_.swaps()) return;
        // One share of what a layer keeps leaves for all layers: they have to keep the same.
        if (l.recomputes_some())
            add(Reason::incompatible, "layout.recompute_layers", l.recompute_layers, "layout.offload.activations",
                double(o_.activations), {0});
        if (o_.stay_behind == StayBehind::keep) return;
        if (l.recompute != Recompute::none)
            add(Reason::incompatible, "layout.recompute", double(l.recompute), "layout.offload.stay_behind",
                double(o_.stay_behind), {double(Recompute::none)});
        if (s_.stack.kernels.attention != Attention::flash)
            add(Reason::incompatible, "stack.attention", double(s_.stack.kernels.attention),
                "layout.offload.stay_behind",
                double(o_.stay_behind), {double(Attention::flash)});
    }

    const Offload& o_;
};

}  // namespace

void check_offload(const Scenario& s, std::vector<Obstacle>& found) { TierRules(s, found).run(); }

// ---- Clusters

namespace {

void cluster_figures(const Machine& m, std::vector<Obstacle>& found) {
    const auto positive = [&](int cluster, const char* field, double value, double low, double high) {
        const std::string knob =
            std::string("machine.clusters.").append(std::to_string(cluster)).append(".").append(field);
        if (!(value >= low)) found.push_back({Reason::out_of_range, knob, value, "", 0, {low, high}});
    };
    for (int k = 0; k < most_clusters; ++k) {
        const Cluster& c = m.clusters[k];
        if (c.nodes == 0) continue;
        positive(k, "speed", c.speed, 0.001, 1000);
        positive(k, "bandwidth_GBps", c.bandwidth / (gigabyte / second), 0.001, 1e5);
    }
    if (const double nodes = double(nodes_of(m.clusters)); nodes != m.nodes)
        found.push_back({Reason::incompatible, "machine.nodes", double(m.nodes), "machine.clusters", nodes, {nodes}});
}

// Pipeline degrees whose stages the clusters hold whole.
std::vector<double> whole_stages(const Scenario& s) {
    const Layout& l = s.layout;
    const int ranks = l.devices / std::max(1, l.tensor_parallel * l.context_parallel);
    return nearest_divisors(ranks, l.pipeline_parallel, [&](int p) {
        Scenario other = s;
        other.layout.pipeline_parallel = p;
        return p <= s.model.layers && holds_whole_stages(other);
    });
}

void check_split(const Scenario& s, std::vector<Obstacle>& found) {
    const Layout& l = s.layout;
    if (l.stage_split == StageSplit::even || l.pipeline_parallel == 1 || l.pipeline_parallel > s.model.layers) return;
    const auto clash = [&](const char* of, double value, std::vector<double> valid) {
        found.push_back(
            {Reason::incompatible, "layout.stage_split", double(l.stage_split), of, value, std::move(valid)});
    };
    if (l.virtual_stages > 1) return clash("layout.virtual_stages", l.virtual_stages, {double(StageSplit::even)});
    if (l.stage_split == StageSplit::by_cost) return;   // stages of the head alone hold no layer
    for (int i = 0; i < l.pipeline_parallel; ++i)
        if (layers_of_stage(s, i) < 1)
            return clash("layout.pipeline_parallel", l.pipeline_parallel,
                         {double(StageSplit::even), double(StageSplit::min_max)});
}

}  // namespace

void check_clusters(const Scenario& s, std::vector<Obstacle>& found) {
    const Layout& l = s.layout;
    if (l.devices < l.pipeline_parallel) return;  // said elsewhere, and there are no stages to place
    if (any_cluster(s.machine.clusters)) {
        const std::size_t before = found.size();
        cluster_figures(s.machine, found);
        if (found.size() > before) return;
        if (l.mapping == Mapping::holmes && l.devices <= s.machine.devices() && !holds_whole_stages(s))
            found.push_back({Reason::incompatible, "layout.pipeline_parallel", double(l.pipeline_parallel),
                             "layout.mapping", double(l.mapping), whole_stages(s)});
    }
    check_split(s, found);
}

// ---- Codecs

namespace {

std::string knob_of(Traffic t, const char* field) {
    return std::string("compression.").append(name_of(t)).append(".").append(field);
}

void codec_range(std::vector<Obstacle>& found, Traffic t, const char* field, double value, double low, double high) {
    if (!(value >= low) || value > high)
        found.push_back({Reason::out_of_range, knob_of(t, field), value, "", 0, {low, high}});
}

}  // namespace

void check_compression(const Scenario& s, std::vector<Obstacle>& found) {
    const Compression& c = s.compression;
    for (int i = 0; i < traffics; ++i) {
        const Traffic t{i};
        const Codec codec = codec_of(s, t);
        if (codec.kind == CodecKind::zfp) codec_range(found, t, "rate", codec.rate, 1, 8 * value_bytes(s, t));
        if (codec.kind == CodecKind::lossless) codec_range(found, t, "ratio", codec.ratio, 0.5, 100);
        if (codec.kind == CodecKind::top_k) codec_range(found, t, "density", codec.density, 1e-6, 1);
        const bool sums = t == Traffic::gradients || t == Traffic::tensor;
        // Sums of sparse messages fill up on their way through a ring: there is no ratio to price.
        if (sums && codec.kind == CodecKind::top_k && c.encoding == Encoding::every_hop)
            found.push_back({Reason::incompatible, "compression.encoding", double(c.encoding), knob_of(t, "kind"),
                             double(codec.kind), {double(Encoding::once)}});
    }
}

}  // namespace plimsoll
