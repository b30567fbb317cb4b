#include "core/answers/plan/rules.h"

#include "core/values/basics/integers.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace plimsoll {

namespace {

// The knobs outside of whose range nothing can be computed.
const std::vector<const Knob*>& with_valid_range() {
    static const auto all = [] {
        std::vector<const Knob*> of;
        for (const Knob& k : knobs())
            if (k.valid) of.push_back(&k);
        return of;
    }();
    return all;
}

class PlanRules : RuleSet {
public:
    using RuleSet::RuleSet;

    // False where values are out of range that the other rules divide by.
    bool run() {
        ranges();
        if (!found_.empty()) return false;
        devices();
        check_tensor(s_, found_);
        context();
        pipeline();
        kinds_without_costs();
        borrowed_indices();
        borrowed_keys();
        module_alone();
        batch();
        rows();
        sharding();
        capability();
        check_experts(s_, found_);
        wide_layers();
        optimizer();
        update_in_backward();
        reference();
        adapters();
        states();
        check_clusters(s_, found_);
        return true;
    }

private:
    void ranges() {
        for (const Knob* k : with_valid_range()) within(k->id.c_str(), k->get(s_), *k->valid);
        if (found_.empty()) check_expert_ranges(s_, found_);
    }

    // A reference model without the adapters needs some.
    void reference() {
        const Method& method = s_.method;
        if (method.purpose != Purpose::preference) return;
        if (method.reference == Reference::adapters_off && !trains_adapters(method))
            add(Reason::incompatible, "method.reference", double(method.reference), "method.trained",
                double(method.trained), {double(Reference::resident), double(Reference::precomputed)});
    }

    // Adapters: what costs or software know nothing of.
    void adapters() {
        if (!trains_adapters(s_.method)) return;
        const Method& method = s_.method;
        if (kept_by(s_.recipe.optimizer).by_matrix == MatrixState::factors)
            add(Reason::incompatible, "recipe.optimizer", double(s_.recipe.optimizer), "method.trained",
                double(method.trained),
                {double(Optimizer::adam), double(Optimizer::sgd), double(Optimizer::adam_8bit),
                 double(Optimizer::muon)});
        if (l_.on_grid())
            add(Reason::incompatible, "layout.tensor_mode", double(l_.tensor_mode), "method.trained",
                double(method.trained), {double(TensorMode::one_d)});
        if (trained_parameters(m_, method) == 0)
            add(Reason::out_of_range, "method.adapted.q_proj", 0, "", 0, {1});
        if (!quantises_frozen(method)) return;
        if (method.magnitudes && method.adapted.experts && has_experts(m_))
            add(Reason::incompatible, "method.magnitudes", 1, "method.frozen", double(method.frozen), {0});
        const auto clash = [&](const char* with, double value) {
            add(Reason::incompatible, "method.frozen", double(method.frozen), with, value,
                {double(FrozenFormat::as_products)});
        };
        if (s_.recipe.precision == Precision::fp8) clash("recipe.precision", double(s_.recipe.precision));
        if (l_.secondary_shard > 1) clash("layout.secondary_shard", l_.secondary_shard);
    }

    // Such models are read and counted; no cost is known of these.
    void kinds_without_costs() {
        const Model& m = s_.model;
        if (std::ranges::any_of(m.kinds, [](const LayerKind& k) { return k.has(Mixer::compressed); }))
            add(Reason::not_modelled, "model.compressed_attention", m.compressed.q_rank, "", 0, {});
        if (m.per_layer_embedding > 0)
            add(Reason::not_modelled, "model.per_layer_embedding", m.per_layer_embedding, "", 0, {0});
        if (m.streams > 1) add(Reason::not_modelled, "model.streams", m.streams, "", 0, {1});
    }

    // What one layer chose another sees on the same stage alone (Megatron-Core, dsa.py, index_share), so no stage's
    // part of the model begins with a layer that borrows.
    void borrowed_indices() {
        const Model& m = s_.model;
        const auto borrows = [&](const LayerKind& k) { return sees_chosen_keys(m, k) && k.index == Index::borrowed; };
        if (std::ranges::none_of(m.kinds, borrows) || l_.pipeline_parallel > m.layers) return;
        const Layers layers(m);
        const std::vector<int> held = layers_of_stages(s_);
        int first = 0;
        for (int chunk = 0; chunk < l_.virtual_stages; ++chunk)
            for (int stage = 0; stage < l_.pipeline_parallel && first < m.layers; ++stage) {
                if (borrows(layers[layers.of_layer(first)]))
                    return add(Reason::incompatible, "layout.pipeline_parallel", l_.pipeline_parallel,
                               "model.kinds.index", first, {1});
                first += layers_of_chunk(s_, stage, chunk, held[stage]);
            }
    }

    // No software sends keys on to another stage: a layer that reads those of an earlier one lies in its chunk, behind
    // it.
    void borrowed_keys() {
        const Model& m = s_.model;
        const auto borrows = [](const LayerKind& k) { return k.attends() && k.keys == Keys::borrowed; };
        if (std::ranges::none_of(m.kinds, borrows) || l_.pipeline_parallel > m.layers) return;
        const auto refuse = [&](int layer) {
            add(Reason::incompatible, "layout.pipeline_parallel", l_.pipeline_parallel, "model.kinds.keys", layer, {1});
        };
        const Layers layers(m);
        const ChunkPlace& place = schedule_kind(l_.schedule).place;
        for (int at = 0, first = 0; at < l_.pipeline_parallel * l_.virtual_stages; ++at) {
            const Slot slot = place.slot(at, l_.pipeline_parallel);
            std::vector<int> lent;   // windows of the layers that lend
            const int behind = std::min(m.layers, first + layers_of_chunk(s_, slot.stage, slot.chunk));
            for (; first < behind; ++first) {
                const LayerKind& k = layers[layers.of_layer(first)];
                if (k.attends() && k.keys == Keys::lent) lent.push_back(k.window);
                if (borrows(k) && std::ranges::find(lent, k.window) == lent.end()) return refuse(first);
            }
        }
    }

    // A module for a further token holds its weights alone, and has no layer before it to borrow keys from.
    void module_alone() {
        const Model& m = s_.model;
        if (m.further.depths == 0) return;
        const Layers layers(m);
        const LayerCounts module = layers.of_module();
        for (Kind k = 0; k < layers.kinds(); ++k)
            if (module[k] > 0 && (layers[k].shared.on || layers[k].keys == Keys::borrowed))
                return add(Reason::incompatible, "model.further_tokens.depths", m.further.depths,
                           layers[k].shared.on ? "model.kinds.shared" : "model.kinds.keys", k, {0});
    }

    void devices() {
        const double model_parallel = l_.model_parallel();
        const double product = model_parallel * l_.data_parallel;
        const double limit = s_.machine.devices();
        if (product != l_.devices)
            add(Reason::device_count_mismatch, "layout.devices", l_.devices, "layout.data_parallel", product,
                nearest_multiples(model_parallel, l_.devices, limit));
        if (l_.devices > limit)
            add(Reason::exceeds_devices, "layout.devices", l_.devices, "machine.nodes", limit,
                nearest_multiples(model_parallel, limit + model_parallel, limit));
    }

    void context() {
        const int c = l_.context_parallel, length = s_.recipe.sequence_length;
        if (c == 1) return;
        const bool whole = l_.context_mode == ContextMode::ulysses;
        const bool passed = l_.state_mode == StateMode::passed && has_recurrence(s_.model);
        // A rank without all queries of its heads holds two pieces of the sequence, an early and a late one, so that
        // all have equal work.
        const int pieces = whole || passed ? 1 : 2;
        const auto splits = [&](int d) { return d == 1 || length % (1LL * pieces * d) == 0; };
        if (!splits(c))
            add(Reason::indivisible, "layout.context_parallel", c, "recipe.sequence_length", length,
                nearest_divisors(length, c, splits));
        if (!whole && s_.stack.kernels.attention != Attention::flash)
            add(Reason::incompatible, "layout.context_mode", double(l_.context_mode), "stack.attention",
                double(s_.stack.kernels.attention), {double(ContextMode::ulysses)});
        const int across = l_.on_grid() ? std::max(1, l_.grid_side()) : l_.tensor_parallel;
        const int heads = std::max(1, s_.model.kv_heads / across);  // key-value heads of a tensor rank
        if (whole && heads % c != 0)
            add(Reason::indivisible, "layout.context_parallel", c, "model.kv_heads", heads, nearest_divisors(heads, c));
        if (l_.context_mode == ContextMode::ulysses_ring) groups_of_heads(heads);
        if (passed) return;
        // Ranks that share a sequence take heads of its states each (Megatron-Core, mamba_context_parallel.py).
        for (const LayerKind& k : s_.model.kinds) {
            const int states = std::max(1, k.recurrence.heads / across);
            if (!k.recurs() || states % c == 0) continue;
            add(Reason::indivisible, "layout.context_parallel", c, "model.kinds.recurrence_heads", states,
                nearest_divisors(states, c));
            return;
        }
    }

    // Neighbours that exchange heads: of the context ranks, and of the key-value heads of a tensor rank.
    void groups_of_heads(int heads) {
        const int u = l_.ulysses_ranks, c = l_.context_parallel;
        const auto works = [&](int d) { return heads % d == 0; };
        if (c % u != 0)
            add(Reason::indivisible, "layout.ulysses_ranks", u, "layout.context_parallel", c,
                nearest_divisors(c, u, works));
        else if (!works(u))
            add(Reason::indivisible, "layout.ulysses_ranks", u, "model.kv_heads", heads, nearest_divisors(c, u, works));
    }

    void pipeline() {
        const int p = l_.pipeline_parallel, v = l_.virtual_stages, layers = s_.model.layers;
        const bool listed = !l_.stages.empty();   // stages may hold nothing, and differ (rules_machine.cpp)
        if (p > layers && !listed)
            add(Reason::out_of_range, "layout.pipeline_parallel", p, "model.layers", layers,
                nearest_divisors(layers, layers));
        const ScheduleKind& kind = schedule_kind(l_.schedule);
        if ((p > 1 || kind.pairs) && !kind.offered_by(s_.stack)) {
            std::vector<double> others;
            for (int i = 0; i < int(std::size(schedule_kinds)); ++i)
                if (schedule_kinds[i].offered_by(s_.stack) && schedule_kinds[i].runs(v)) others.push_back(i);
            if (kind.pairs && s_.stack.pipeline.schedules >= kind.needs)
                add(Reason::incompatible, "layout.schedule", double(l_.schedule), "stack.experts.paired_exposed",
                    s_.stack.experts.paired_exposed, others);
            else
                add(Reason::incompatible, "layout.schedule", double(l_.schedule), "stack.schedules",
                    double(s_.stack.pipeline.schedules), others);
        }
        if (kind.pairs) pairs();
        group();
        if (kind.needs_stages() && p == 1)
            add(Reason::incompatible, "layout.schedule", double(l_.schedule), "layout.pipeline_parallel", p,
                {double(usual_schedule(1))});
        if (!kind.runs(v))
            add(Reason::incompatible, "layout.virtual_stages", v, "layout.schedule", double(l_.schedule),
                kind.most_chunks == any_chunks
                    ? nearest_divisors(std::max(1, layers / p), kind.least_chunks,
                                       [&](int d) { return d >= kind.least_chunks; })
                    : std::vector<double>{double(kind.most_chunks)});
        // Two empty slots, one on either end, are allowed: they hold the embedding and the head.
        if (v > 1 && !listed && !(s_.stack.pipeline.uneven_chunks && layers >= p * v) && layers % (p * v) != 0
            && (layers + 2) % (p * v) != 0)
            add(Reason::indivisible, "layout.virtual_stages", v, "model.layers", layers,
                layers % p == 0 ? nearest_divisors(layers / p, v, [](int d) { return d > 1; }) : std::vector<double>{});
    }

    // Megatron-Core, arguments.py: --overlap-moe-expert-parallel-comm asks for ranks that share experts, and with a
    // pipeline for chunks.
    void pairs() {
        const int p = l_.pipeline_parallel, v = l_.virtual_stages;
        if (l_.expert_parallel == 1 || !has_experts(s_.model))
            add(Reason::incompatible, "layout.schedule", double(l_.schedule), "layout.expert_parallel",
                l_.expert_parallel, {double(usual_schedule(v))});
        else if (p > 1 && v == 1)
            add(Reason::incompatible, "layout.virtual_stages", v, "layout.schedule", double(l_.schedule),
                nearest_divisors(std::max(1, s_.model.layers / p), 2, [](int d) { return d > 1; }));
        else if (p == 1 && v > 1)
            add(Reason::incompatible, "layout.virtual_stages", v, "layout.pipeline_parallel", p, {1});
    }

    // Chunks take turns of no fewer micro-batches than there are stages, and no more than there are.
    void group() {
        const int group = l_.micro_batch_group, p = l_.pipeline_parallel, m = micro_batches(s_);
        if (group == 0) return;
        if (!schedule_kind(l_.schedule).in_rounds || p == 1)
            add(Reason::incompatible, "layout.micro_batch_group", group, "layout.schedule", double(l_.schedule), {0});
        else if (group < p || (m > 0 && group > m))
            add(Reason::out_of_range, "layout.micro_batch_group", group, "", 0,
                {double(p), double(std::max(p, m))});
    }

    // The last group has what is left: nothing, or again no fewer than there are stages.
    bool groups_go_round(int m) const {
        const int turn = std::max(l_.pipeline_parallel, l_.micro_batch_group), rest = m % turn;
        return rest == 0 || (l_.micro_batch_group > 0 && rest >= l_.pipeline_parallel);
    }

    void batch() {
        const double batch = s_.recipe.global_batch_sequences, round = double(l_.data_parallel) * l_.micro_batch;
        if (batch < round) {
            add(Reason::batch_too_small, "recipe.global_batch_sequences", batch, "layout.data_parallel", round,
                {round, 2 * round});
            return;
        }
        const int m = micro_batches(s_);
        if (m == 0)
            add(Reason::indivisible, "recipe.global_batch_sequences", batch, "layout.data_parallel", round,
                nearest_multiples(round, batch, 1e9));
        else if (schedule_kind(l_.schedule).in_rounds && !groups_go_round(m) && l_.micro_batch_group > 0)
            add(Reason::indivisible, "recipe.global_batch_sequences", batch, "layout.micro_batch_group",
                round * l_.micro_batch_group, nearest_multiples(round * l_.micro_batch_group, batch, 1e9));
        else if (schedule_kind(l_.schedule).in_rounds && m % l_.pipeline_parallel != 0 && l_.micro_batch_group == 0)
            add(Reason::indivisible, "recipe.global_batch_sequences", batch, "layout.pipeline_parallel",
                round * l_.pipeline_parallel, nearest_multiples(round * l_.pipeline_parallel, batch, 1e9));
        else if (const double least = round * schedule_kind(l_.schedule).least_rounds * l_.pipeline_parallel;
                 l_.pipeline_parallel > 1 && batch < least)
            add(Reason::batch_too_small, "recipe.global_batch_sequences", batch, "layout.pipeline_parallel", least,
                {least, 2 * least});
    }

    // Documents one after the other without end, each seen by itself, are what fused kernels are told of.
    void rows() {
        const Recipe& r = s_.recipe;
        const Attention attention = s_.stack.kernels.attention;
        if (r.document_length > 0 && r.rows == RowKind::padding_free && attention != Attention::flash)
            add(Reason::incompatible, "recipe.rows", double(r.rows), "stack.attention", double(attention),
                {double(RowKind::packed), double(RowKind::padded), double(RowKind::padded_to_longest)});
    }

    void sharding() {
        const int replicas = int(std::min<long long>(l_.weight_replicas(), INT_MAX));
        if (l_.shard_group > 0 && replicas % l_.shard_group != 0)
            add(Reason::indivisible, "layout.shard_group", l_.shard_group, "layout.data_parallel", replicas,
                nearest_divisors(replicas, l_.shard_group));
        if (l_.shard_group > 0 && l_.zero_stage == 0)
            add(Reason::incompatible, "layout.shard_group", l_.shard_group, "layout.zero_stage", 0, {0});
        if (l_.secondary_shard > 0) second_copy();
    }

    // Some of the ranks that share the weights, gathered, share a copy of them as well.
    void second_copy() {
        const int shards = l_.shards(), among = l_.secondary_shard;
        if (l_.zero_stage < 3)
            add(Reason::incompatible, "layout.secondary_shard", among, "layout.zero_stage", l_.zero_stage, {0});
        else if (shards % among != 0)
            add(Reason::indivisible, "layout.secondary_shard", among,
                l_.shard_group > 0 ? "layout.shard_group" : "layout.data_parallel", shards,
                nearest_divisors(shards, among));
        if (l_.offload.weights != Tier::device)
            add(Reason::incompatible, "layout.secondary_shard", among, "layout.offload.weights",
                double(l_.offload.weights), {0});
    }

    void capability() {
        const Precision precision = s_.recipe.precision;
        const Device& device = s_.machine.device;
        // fp8 multiplies weights; attention and what stays in 16 bits run at the peak of bf16 beside it.
        const auto supported = [&](Precision p) {
            const bool alone = p != Precision::fp8 || device.peak(matrix_format(Precision::bf16)) > FlopRate{};
            return alone && device.peak(matrix_format(p)) > FlopRate{};
        };
        if (matrix_format(s_.recipe) == NumberFormat::tf32 && device.tf32 <= FlopRate{})
            return add(Reason::unsupported_precision, "recipe.tf32", 1, "machine.device.peak_TFLOPS.tf32", 0, {0});
        // Units that multiply 4-bit numbers are those that apply a scale for 16 or 32 values, too (Blackwell, CDNA 4).
        const Fp8Recipe recipe = s_.recipe.fp8_recipe;
        const bool of_few = recipe == Fp8Recipe::mxfp8 || recipe == Fp8Recipe::nvfp4;
        if (precision == Precision::fp8 && of_few && device.fp8 > FlopRate{} && device.fp4 <= FlopRate{})
            return add(Reason::unsupported_precision, "recipe.fp8_recipe", double(recipe),
                       "machine.device.peak_TFLOPS.fp4", 0,
                       {double(Fp8Recipe::delayed), double(Fp8Recipe::tensorwise), double(Fp8Recipe::blockwise)});
        if (supported(precision)) return;
        const bool fp8_alone = precision == Precision::fp8 && device.fp8 > FlopRate{};
        const Precision lacking = fp8_alone ? Precision::bf16 : precision;
        std::vector<double> valid;
        for (Precision p : {Precision::fp32, Precision::fp16, Precision::bf16, Precision::fp8})
            if (supported(p)) valid.push_back(double(p));
        add(Reason::unsupported_precision, "recipe.precision", double(lacking), "machine.device", 0, valid);
    }

    // Formats in which states of a parameter are kept.
    void states() {
        if (s_.recipe.precision == Precision::fp32) return;
        const StateFormat& f = s_.recipe.state_format;
        const StateSet offered = s_.stack.memory.states;
        // A master weight beside an fp32 one is the same number again.
        if (f.weights == WeightFormat::fp32 && f.master != MasterFormat::none)
            add(Reason::incompatible, "recipe.bytes_per_parameter.master_format", double(f.master),
                "recipe.bytes_per_parameter.weight_format", double(f.weights), {double(MasterFormat::none)});
        // The upper 16 bits of an fp32 number are a bf16 one.
        else if (f.master == MasterFormat::remainders && s_.recipe.precision == Precision::fp16)
            add(Reason::incompatible, "recipe.bytes_per_parameter.master_format", double(f.master), "recipe.precision",
                double(s_.recipe.precision), {double(MasterFormat::fp32), double(MasterFormat::none)});
        if (offered == StateSet::any || named_state(f) < named_state_count) return;
        const auto refuse = [&](const char* knob, double found, std::vector<double> valid) {
            add(Reason::incompatible, knob, found, "stack.state_formats", double(offered), std::move(valid));
        };
        const bool each = offered == StateSet::precision_aware;
        const bool narrow_master = f.master == MasterFormat::fp16 || f.master == MasterFormat::remainders;
        if (narrow_master && !each)
            refuse("recipe.bytes_per_parameter.master_format", double(f.master), {double(MasterFormat::fp32)});
        const auto moments = [&](MomentFormat m) {
            return m == MomentFormat::fp32 || m == MomentFormat::bf16 || (each && m != MomentFormat::scaled_8bit);
        };
        const OptimizerState& kept = kept_by(s_.recipe.optimizer);
        if (kept.narrow || kept.others == 0) return;
        const MomentFormat first = f.first_moment, second = f.second_moment;
        if (!moments(first))
            refuse("recipe.bytes_per_parameter.first_moment", double(first),
                   {double(MomentFormat::bf16), double(MomentFormat::fp32)});
        const bool as_first = !each && moments(first);   // where formats go by name, both moments have one
        if (kept.others == 2 && (!moments(second) || (as_first && first != second)))
            refuse("recipe.bytes_per_parameter.second_moment", double(second),
                   as_first ? std::vector{double(first)}
                            : std::vector{double(MomentFormat::bf16), double(MomentFormat::fp32)});
    }

    // Layers in 16 bits stand beside others in fewer. Scales that follow the values of earlier steps are reduced over
    // all layers at once, which leaves none out (Megatron-Core, fp8_utils.py).
    void wide_layers() {
        const WideLayers& w = s_.model.wide;
        const Recipe& r = s_.recipe;
        if (!w.any()) return;
        const char* knob = w.first > 0  ? "model.layers_in_16_bits.first"
                         : w.last > 0   ? "model.layers_in_16_bits.last"
                                        : "model.layers_in_16_bits.further";
        const double value = w.first > 0 ? w.first : w.last > 0 ? w.last : 1;
        if (r.precision != Precision::fp8)
            return add(Reason::incompatible, knob, value, "recipe.precision", double(r.precision), {0});
        if (r.fp8_recipe == Fp8Recipe::delayed)
            return add(Reason::incompatible, knob, value, "recipe.fp8_recipe", double(r.fp8_recipe), {0});
        if (1LL * w.first + w.last > s_.model.layers)
            add(Reason::out_of_range, knob, value, "model.layers", s_.model.layers,
                {double(std::max(0, s_.model.layers - (w.first > 0 ? w.last : w.first)))});
    }

    // A gradient that is gone after its layer cannot be added to those of other micro-batches. Factors of a matrix are
    // updated from all of its gradient, by the rank that owns them, after the pass.
    void update_in_backward() {
        if (!s_.recipe.updates_in_backward) return;
        const auto clash = [&](const char* with, double value) {
            add(Reason::incompatible, "recipe.updates_in_backward", 1, with, value, {0});
        };
        if (l_.pipeline_parallel > 1) clash("layout.pipeline_parallel", l_.pipeline_parallel);
        else if (micro_batches(s_) > 1) clash("recipe.global_batch_sequences", s_.recipe.global_batch_sequences);
        if (kept_by(s_.recipe.optimizer).by_matrix == MatrixState::factors)
            clash("recipe.optimizer", double(s_.recipe.optimizer));
    }

    // Inverses are taken in fp32, of factors that have just been updated.
    void optimizer() {
        const OptimizerOptions& o = s_.recipe.optimizer_options;
        if (kept_by(s_.recipe.optimizer).by_matrix != MatrixState::factors) return;
        if (s_.recipe.optimizer != Optimizer::soap && o.inverse_interval % o.update_interval != 0)
            add(Reason::indivisible, "recipe.optimizer_options.inverse_interval", o.inverse_interval,
                "recipe.optimizer_options.update_interval", o.update_interval,
                nearest_multiples(o.update_interval, o.inverse_interval, 1e6));
        if (s_.machine.device.fp32 <= FlopRate{})
            add(Reason::incompatible, "recipe.optimizer", double(s_.recipe.optimizer),
                "machine.device.peak_TFLOPS.fp32", 0,
                {double(Optimizer::adam), double(Optimizer::sgd), double(Optimizer::adafactor)});
    }

};

// Found in no time, because a search asks for the obstacles of many layouts.
const Knob* knob_of(const std::string& id) {
    static const auto by_id = [] {
        std::unordered_map<std::string_view, const Knob*> all;
        for (const Knob& k : knobs()) all[k.id] = &k;
        return all;
    }();
    const auto at = by_id.find(id);
    return at == by_id.end() ? nullptr : at->second;
}

// Multiples and grids know nothing of how far a knob can be turned: what it refuses is no way out.
void keep_to_ranges(std::vector<Obstacle>& found) {
    for (Obstacle& o : found) {
        const Knob* k = o.valid.empty() ? nullptr : knob_of(o.knob);
        if (!k) continue;
        if (o.reason == Reason::out_of_range)
            for (double& bound : o.valid) bound = std::clamp(bound, k->low, k->high);
        else
            std::erase_if(o.valid, [k](double v) { return v < k->low || v > k->high; });
    }
}

}  // namespace

std::vector<Obstacle> check_pipeline(const Scenario& s) {
    std::vector<Obstacle> found;
    PlanRules(s, found).run();
    keep_to_ranges(found);
    return found;
}

std::vector<Obstacle> check_inner(const PlanBesideLayout& plan, const InnerFacts& pipeline, const Inner& inner) {
    std::vector<Obstacle> found;
    add_inner_obstacles(plan, pipeline, inner, found);
    keep_to_ranges(found);
    return found;
}

std::vector<Obstacle> check(const Scenario& s) {
    std::vector<Obstacle> found;
    if (PlanRules(s, found).run()) add_inner_obstacles(s, inner_facts(s), inner_of(s.layout), found);
    keep_to_ranges(found);
    return found;
}

std::string say(const Obstacle& o, const Scenario& s) {
    const auto devices = [](double n) { return numbered((long long)n, "device", "devices"); };
    if (o.reason == Reason::device_count_mismatch) {
        const Layout& l = s.layout;
        std::string product;
        for (const int degree : {l.tensor_parallel, l.context_parallel, l.data_parallel, l.pipeline_parallel})
            product += (product.empty() ? "" : " x ") + std::to_string(degree);
        return phrase("{1}, but the layout asks for {2} = {3} (tensor x context x data x pipeline).",
                      devices(l.devices), product, say_count(o.of_value));
    }
    if (o.reason == Reason::exceeds_devices)
        return phrase("The plan asks for {1}; the machine has {2} ({3} of {4}).", devices(o.found),
                      say_count(o.of_value), numbered(s.machine.nodes, "node", "nodes"), s.machine.devices_per_node);
    return say(o);
}

}  // namespace plimsoll
