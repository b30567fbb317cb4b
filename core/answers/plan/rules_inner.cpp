#include "core/answers/plan/rules.h"

#include "core/values/basics/names.h"
#include "core/values/knobs/ranges.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/share.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace plimsoll {

Inner inner_of(const Layout& l) {
    return {l.recompute, l.recompute_layers, l.zero_stage, l.offload, l.recompute_modules};
}

InnerFacts inner_facts(const Scenario& s) {
    const Layout& l = s.layout;
    return {l.schedule, l.pipeline_parallel, largest_chunk(s), l.weight_replicas() > 1};
}

namespace {

struct StateRow {
    const char* knob;
    Tier Offload::*tier;
    int zero_stage;   // from which data-parallel ranks share this state
};
constexpr StateRow state_rows[] = {{"layout.offload.weights", &Offload::weights, 3},
                                   {"layout.offload.gradients", &Offload::gradients, 2},
                                   {"layout.offload.optimizer_state", &Offload::optimizer, 1}};
constexpr StateRow activation_row{"layout.offload.activations", &Offload::activations, 0};

class InnerRules : FoundObstacles {
public:
    InnerRules(const PlanBesideLayout& plan, const InnerFacts& pipeline, const Inner& inner,
               std::vector<Obstacle>& found)
        : FoundObstacles(found), plan_(plan), pipeline_(pipeline), inner_(inner), o_(inner.offload) {}

    void run() {
        within("layout.recompute_layers", inner_.recompute_layers, ranges::recomputed_layers);
        within("layout.zero_stage", inner_.zero_stage, ranges::zero_stage);
        recomputation();
        for (int m = 0; m < layer_modules; ++m) module(Module{m});
        sharding();
        if (plan_.recipe.precision == Precision::fp8 && plan_.recipe.converted_weights_alone) converted_weights();
        if (plan_.recipe.optimizer == Optimizer::muon) muon(plan_.recipe.optimizer_options.muon_spread);
        if (has_experts(plan_.model)) with_experts();
        for (int t = 0; t < traffics; ++t) codec(Traffic{t});
        within("layout.offload.activation_share", o_.activation_share, ranges::share);
        within("layout.offload.optimizer_share", o_.optimizer_share, ranges::share);
        sharing_the_update();
        for (const StateRow& row : state_rows) {
            hardware(row.knob, o_.*row.tier);
            sharing(row);
        }
        hardware(activation_row.knob, o_.activations);
        updating();
        schedule();
        swapping();
        if (by_module()) sent_by_module();
        reference();
    }

private:
    bool recomputes_some() const { return inner_.recompute != Recompute::none && inner_.recompute_layers > 0; }

    void recomputation() {
        // Weight gradients that wait need the activations full recomputation has thrown away again by then. Passes in
        // pairs cannot repeat an exchange (Megatron-Core, arguments.py).
        const ScheduleKind& kind = schedule_kind(pipeline_.schedule);
        if ((kind.splits_backward || kind.pairs) && inner_.recompute == Recompute::full)
            add(Reason::incompatible, "layout.recompute", double(inner_.recompute), "layout.schedule",
                double(pipeline_.schedule), {double(Recompute::none), double(Recompute::selective)});
        // Chunks with fewer layers recompute all of theirs.
        if (const int most = pipeline_.largest_chunk; recomputes_some() && inner_.recompute_layers > most)
            add(Reason::out_of_range, "layout.recompute_layers", inner_.recompute_layers, "model.layers", most,
                {0, double(most)});
    }

    // Weights that come from another tier come for one model.
    void reference() {
        if (!runs_reference(plan_.method) || o_.weights == Tier::device) return;
        add(Reason::incompatible, "method.reference", double(plan_.method.reference), "layout.offload.weights",
            double(o_.weights), {double(Reference::precomputed)});
    }

    // A module that the model does not have changes nothing.
    void module(Module m) {
        const bool listed = inner_.modules[m], usual = RecomputeModules{}[m];
        if (inner_.recompute != Recompute::selective || listed == usual || !has_module(plan_.model, m)) return;
        const std::string knob = std::string("layout.recompute_modules.").append(module_rows[int(m)].name);
        if (!plan_.stack.recomputation.takes_modules)
            add(Reason::incompatible, knob.c_str(), listed, "stack.recompute_modules", 0, {double(usual)});
        if (!listed) return;
        // Megatron-Core: what is exchanged beside other work cannot be exchanged again, and scales that follow the
        // values of earlier steps would follow those of this step twice.
        const double exposed = plan_.stack.experts.exchange_exposed;
        if (m == Module::moe && exposed < 1)
            add(Reason::incompatible, knob.c_str(), 1, "stack.experts.exchange_exposed", exposed, {0});
        else if (m == Module::moe && schedule_kind(pipeline_.schedule).pairs)
            add(Reason::incompatible, knob.c_str(), 1, "layout.schedule", double(pipeline_.schedule), {0});
        const Recipe& r = plan_.recipe;
        const bool output_alone = m == Module::moe_act || m == Module::layernorm;
        if (output_alone && r.precision == Precision::fp8 && r.fp8_recipe == Fp8Recipe::delayed)
            add(Reason::incompatible, knob.c_str(), 1, "recipe.fp8_recipe", double(r.fp8_recipe), {0});
    }

    // Software that keeps no copies has no weights in the recipe's format; ZeRO-3 fetches 16-bit ones here, and so do
    // other tiers.
    void converted_weights() {
        const auto clash = [&](const char* with, double value) {
            add(Reason::incompatible, "recipe.converted_weights_alone", 1, with, value, {0});
        };
        const Fp8Storage kept = plan_.stack.memory.fp8_storage;
        if (kept == Fp8Storage::none) clash("stack.fp8_storage", double(kept));
        if (inner_.zero_stage == 3) clash("layout.zero_stage", 3);
        if (o_.weights != Tier::device) clash("layout.offload.weights", double(o_.weights));
    }

    // ZeRO-2 and 3 cut matrices, which a rank that does not gather them then lacks; without ZeRO there are no slices.
    void muon(MuonSpread spread) {
        const bool slices = spread == MuonSpread::gathered || spread == MuonSpread::all_to_all;
        const bool cut = inner_.zero_stage >= 2, whole = inner_.zero_stage == 0;
        const auto clash = [&](std::vector<double> valid) {
            add(Reason::incompatible, "recipe.optimizer_options.muon_spread", double(spread), "layout.zero_stage",
                inner_.zero_stage, std::move(valid));
        };
        if (spread == MuonSpread::layer_wise && cut)
            clash({double(MuonSpread::gathered), double(MuonSpread::all_to_all), double(MuonSpread::redundant)});
        if (slices && whole) clash({double(MuonSpread::layer_wise), double(MuonSpread::redundant)});
    }

    void sharding() {
        const int most = plan_.stack.sharding.stage_with_pipeline;
        if (pipeline_.pipeline_parallel == 1 || inner_.zero_stage <= most) return;
        std::vector<double> valid;
        for (int z = 0; z <= most; ++z) valid.push_back(z);
        add(Reason::incompatible, "layout.zero_stage", inner_.zero_stage, "layout.pipeline_parallel",
            pipeline_.pipeline_parallel, valid);
    }

    // What goes to other tiers, and when, is known of equal layers whose states all ranks share alike.
    void with_experts() {
        const auto stays = [this](const char* knob, Tier tier) {
            add(Reason::incompatible, knob, double(tier), "model.experts.count", plan_.model.experts.count,
                {double(Tier::device)});
        };
        for (const StateRow& row : {state_rows[0], state_rows[1]})
            if (o_.*row.tier != Tier::device) stays(row.knob, o_.*row.tier);
        if (o_.swaps() && !by_module()) stays(activation_row.knob, o_.activations);
    }
    bool by_module() const { return sends_by_module(plan_.model, o_); }

    // Rates beyond the bits of a value, and sparse sums that are encoded at every hop.
    void codec(Traffic t) {
        const Compression& c = plan_.compression;
        if (!coded(c, t)) return;
        const double bytes = value_bytes(plan_.recipe, plan_.stack, inner_.zero_stage, t);
        const Codec codec = effective(c, t, bytes);
        const auto knob = [t](const char* field) {
            return std::string("compression.").append(name_of(t)).append(".").append(field);
        };
        const auto range = [&](const char* field, double value, double low, double high) {
            within(knob(field).c_str(), value, {low, high});
        };
        if (codec.kind == CodecKind::zfp) range("rate", codec.rate, 1, 8 * bytes);
        if (codec.kind == CodecKind::lossless) range("ratio", codec.ratio, 0.5, 100);
        if (codec.kind != CodecKind::top_k) return;
        range("density", codec.density, 1e-6, 1);
        const bool sums = t == Traffic::gradients || t == Traffic::tensor;
        // Sums of sparse messages fill up on their way through a ring: there is no ratio to price.
        if (sums && c.encoding == Encoding::every_hop)
            add(Reason::incompatible, "compression.encoding", double(c.encoding), knob("kind").c_str(),
                double(codec.kind), {double(Encoding::once)});
    }

    struct Need { const char* knob; bool there; };
    // What a tier stands on; the first that is missing is named.
    const char* missing(Tier tier) const {
        const Host& h = plan_.machine.host;
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
        const char* without = tier == Tier::device ? nullptr : missing(tier);
        if (!without) return;
        std::vector<double> valid;
        for (Tier t : {Tier::device, Tier::host})
            if (!missing(t)) valid.push_back(double(t));
        add(Reason::missing_hardware, knob, double(tier), without, 0, valid);
    }

    // DeepSpeed keeps only sharded states elsewhere; its stage 3 is what fetches weights, on one rank too.
    void sharing(const StateRow& row) {
        const int zero = inner_.zero_stage;
        const bool paged = o_.paged_optimizer && row.tier == &Offload::optimizer;   // by each rank for itself
        const bool alone = (!pipeline_.replicated && row.zero_stage < 3) || paged;
        if (o_.*row.tier == Tier::device || zero >= row.zero_stage || alone) return;
        std::vector<double> valid;
        for (int z = row.zero_stage; z <= 3; ++z) valid.push_back(z);
        add(Reason::incompatible, "layout.zero_stage", zero, row.knob, double(o_.*row.tier), valid);
    }

    // Devices that update some of the parameters read their gradients and write their weights.
    void sharing_the_update() {
        if (o_.optimizer == Tier::device || o_.updated_on_devices() <= 0) return;
        const bool paged = o_.paged_optimizer;
        for (const StateRow& row : {state_rows[0], state_rows[1]})
            if (o_.*row.tier != Tier::device)
                add(Reason::incompatible, paged ? "layout.offload.paged_optimizer" : "layout.offload.optimizer_share",
                    paged ? 1 : o_.optimizer_share, row.knob, double(o_.*row.tier), {paged ? 0.0 : 1.0});
    }

    void updating() {
        // Updates on CPUs exist for these; the others' state goes by block or by matrix.
        const Optimizer rule = plan_.recipe.optimizer;
        if (o_.paged_optimizer && o_.optimizer == Tier::nvme)
            add(Reason::incompatible, "layout.offload.paged_optimizer", 1, "layout.offload.optimizer_state",
                double(o_.optimizer), {0});
        if (o_.paged_optimizer && o_.optimizer == Tier::host
            && kept_by(rule).by_matrix != MatrixState::none)
            add(Reason::incompatible, "recipe.optimizer", double(rule), "layout.offload.paged_optimizer", 1,
                {double(Optimizer::adam), double(Optimizer::sgd), double(Optimizer::adam_8bit)});
        if (o_.updates_on_cpus()) {
            if (!kept_by(rule).on_cpus)
                add(Reason::incompatible, "recipe.optimizer", double(rule), "layout.offload.optimizer_state",
                    double(o_.optimizer), {double(Optimizer::adam), double(Optimizer::sgd)});
            return;
        }
        if (o_.gradients != Tier::device && o_.optimizer == Tier::device)
            add(Reason::incompatible, "layout.offload.gradients", double(o_.gradients),
                "layout.offload.optimizer_state", double(o_.optimizer), {double(Tier::device)});
        if (o_.delayed_update && o_.optimizer != Tier::device)
            add(Reason::incompatible, "layout.offload.delayed_update", 1, "layout.offload.paged_optimizer", 1, {0});
        else if (o_.delayed_update)
            add(Reason::incompatible, "layout.offload.delayed_update", 1, "layout.offload.optimizer_state",
                double(o_.optimizer), {0});
    }

    // Traffic during passes hides behind whole backward passes; nothing says which half of a split one waits.
    void schedule() {
        if (!schedule_kind(pipeline_.schedule).splits_backward) return;
        std::vector<double> whole;
        for (int i = 0; i < int(std::size(schedule_kinds)); ++i)
            if (!schedule_kinds[i].splits_backward && schedule_kinds[i].runs(1)) whole.push_back(i);
        for (const StateRow& row : {state_rows[0], state_rows[1], activation_row})
            if (o_.*row.tier != Tier::device)
                add(Reason::incompatible, "layout.schedule", double(pipeline_.schedule), row.knob,
                    double(o_.*row.tier), whole);
    }

    void swapping() {
        if (!o_.swaps()) return;
        // One share of what a layer keeps leaves for all layers: they have to keep the same.
        if (recomputes_some())
            add(Reason::incompatible, "layout.recompute_layers", inner_.recompute_layers, activation_row.knob,
                double(o_.activations), {0});
        // Layers that come back whole keep their input alone, and policies that keep every other product no inputs.
        const bool selective = inner_.recompute == Recompute::selective;
        const bool set = plan_.stack.recomputation.keeps_alternate_products
                      || plan_.stack.recomputation.selective_share > 0;
        if (by_module() && (inner_.recompute == Recompute::full || (selective && set)))
            add(Reason::incompatible, "layout.recompute", double(inner_.recompute), activation_row.knob,
                double(o_.activations),
                set ? std::vector{double(Recompute::none)}
                    : std::vector{double(Recompute::none), double(Recompute::selective)});
        if (o_.stay_behind == StayBehind::keep) return;
        if (by_module())
            add(Reason::incompatible, "layout.offload.stay_behind", double(o_.stay_behind), activation_row.knob,
                double(o_.activations), {double(StayBehind::keep)});
        if (inner_.recompute != Recompute::none)
            add(Reason::incompatible, "layout.recompute", double(inner_.recompute), "layout.offload.stay_behind",
                double(o_.stay_behind), {double(Recompute::none)});
        if (const Attention kernel = plan_.stack.kernels.attention; kernel != Attention::flash)
            add(Reason::incompatible, "stack.attention", double(kernel), "layout.offload.stay_behind",
                double(o_.stay_behind), {double(Attention::flash)});
    }

    // What a listed module that the model has does not go with.
    struct Excluding {
        std::string knob;
        double value;
    };
    std::optional<Excluding> excluding(SentModule m) const {
        if (!plan_.stack.memory.sends_modules) return Excluding{"stack.offload_modules", 0};
        const Module repeated = leaves_nothing_of(m);
        if (inner_.recompute == Recompute::selective && inner_.modules[repeated])
            return Excluding{std::string("layout.recompute_modules.").append(module_rows[int(repeated)].name), 1};
        // What a graph replays takes from outside does not leave.
        const Graph graph = plan_.stack.experts.graph;
        const bool attention = graph == Graph::attention_router;
        if ((m == SentModule::attn_norm && attention) || (m == SentModule::mlp_norm && graph != Graph::none))
            return Excluding{"stack.experts.graph", double(graph)};
        return std::nullopt;
    }

    // Without the last of them whole layers would leave: then all activations stay.
    void sent_by_module() {
        const auto knob = [](SentModule m) {
            return std::string("layout.offload.modules.").append(sent_module_rows[int(m)].name);
        };
        std::vector<std::pair<SentModule, Excluding>> excluded;
        Offload rest = o_;
        for (int i = 0; i < sent_modules; ++i) {
            const SentModule m{i};
            if (!o_.modules[m] || !has_module(plan_.model, m)) continue;
            if (auto with = excluding(m)) excluded.emplace_back(m, *std::move(with));
            if (!excluded.empty() && excluded.back().first == m) rest.modules.*sent_module_rows[i].listed = false;
        }
        const bool some = sends_by_module(plan_.model, rest);
        for (const auto& [m, with] : excluded)
            if (some) add(Reason::incompatible, knob(m).c_str(), 1, with.knob.c_str(), with.value, {0});
            else
                add(Reason::incompatible, activation_row.knob, double(o_.activations), with.knob.c_str(), with.value,
                    {double(Tier::device)});
        // Attention's backward pass needs its output, too (Megatron-Core).
        const bool output_alone = rest.modules.attn_proj && !rest.modules.core_attn;
        if (some && output_alone && has_module(plan_.model, SentModule::attn_proj))
            add(Reason::incompatible, knob(SentModule::core_attn).c_str(), 0, knob(SentModule::attn_proj).c_str(), 1,
                {1});
    }

    const PlanBesideLayout& plan_;
    const InnerFacts& pipeline_;
    const Inner& inner_;
    const Offload& o_;
};

}  // namespace

void add_inner_obstacles(const PlanBesideLayout& plan, const InnerFacts& pipeline, const Inner& inner,
                         std::vector<Obstacle>& found) {
    InnerRules(plan, pipeline, inner, found).run();
}

}  // namespace plimsoll
