#include "core/answers/plan/check_offload.h"

#include <utility>

namespace plimsoll {

namespace {

struct StateRow {
    const char* knob;
    Tier Offload::*tier;
    int zero_stage;   // from which data-parallel ranks share this state
};
constexpr StateRow states[] = {{"layout.offload.weights", &Offload::weights, 3},
                               {"layout.offload.gradients", &Offload::gradients, 2},
                               {"layout.offload.optimizer_state", &Offload::optimizer, 1}};

class TierChecker {
public:
    TierChecker(const Scenario& s, std::vector<Obstacle>& found) : s_(s), o_(s.layout.offload), found_(found) {}

    void run() {
        if (!(o_.activation_share >= 0 && o_.activation_share <= 1))
            add(Reason::out_of_range, "layout.offload.activation_share", o_.activation_share, "", 0, {0, 1});
        for (const StateRow& row : states) {
            hardware(row.knob, o_.*row.tier);
            sharing(row);
        }
        hardware("layout.offload.activations", o_.activations);
        updating();
        schedule();
        swapping();
    }

private:
    void add(Reason reason, const char* knob, double found, const char* of, double of_value, std::vector<double> valid) {
        found_.push_back({reason, knob, found, of, of_value, std::move(valid)});
    }

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
            if (rule != Optimizer::adam && rule != Optimizer::sgd)
                add(Reason::incompatible, "recipe.optimizer", double(rule), "layout.offload.optimizer_state", double(o_.optimizer),
                    {double(Optimizer::adam), double(Optimizer::sgd)});
            return;
        }
        if (o_.gradients != Tier::device)
            add(Reason::incompatible, "layout.offload.gradients", double(o_.gradients), "layout.offload.optimizer_state",
                double(o_.optimizer), {double(Tier::device)});
        if (o_.delayed_update)
            add(Reason::incompatible, "layout.offload.delayed_update", 1, "layout.offload.optimizer_state", double(o_.optimizer), {0});
    }

    // Traffic during passes hides behind whole backward passes; nothing says which half of a split one waits.
    void schedule() {
        if (!splits_backward(s_.layout.schedule)) return;
        const StateRow moving[] = {states[0], states[1], {"layout.offload.activations", &Offload::activations, 0}};
        for (const StateRow& row : moving)
            if (o_.*row.tier != Tier::device)
                add(Reason::incompatible, "layout.schedule", double(s_.layout.schedule), row.knob, double(o_.*row.tier),
                    {double(Schedule::gpipe), double(Schedule::one_f_one_b)});
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
        if (s_.stack.attention != Attention::flash)
            add(Reason::incompatible, "stack.attention", double(s_.stack.attention), "layout.offload.stay_behind",
                double(o_.stay_behind), {double(Attention::flash)});
    }

    const Scenario& s_;
    const Offload& o_;
    std::vector<Obstacle>& found_;
};

}  // namespace

void check_offload(const Scenario& s, std::vector<Obstacle>& found) { TierChecker(s, found).run(); }

}  // namespace plimsoll
