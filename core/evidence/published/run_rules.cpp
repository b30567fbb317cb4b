#include "core/evidence/published/run_rules.h"

#include "core/evidence/published/mixture_recipe.h"
#include "core/evidence/published/open_values.h"
#include "core/values/basics/integers.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace plimsoll {

namespace {

// ---- Values assumed where a published row is silent, each from the row's own facts

int largest_divisor_up_to(int of, int most) {
    int best = 1;
    for (int d : divisors(of))
        if (d <= most) best = std::max(best, d);
    return best;
}

int micro_batch_by_size(double parameters, int sequence_length) {
    if (sequence_length >= 4096) return 1;
    const double billions = parameters / 1e9;
    for (const auto& [limit, size] : {std::pair{2.5, 16}, {5.0, 8}, {25.0, 4}, {100.0, 2}})
        if (billions < limit) return size;
    return 1;
}

// Small models share the table between embedding and head, and tables of models count the two input branches of a
// gated layer now as one matrix, now as two. The stated parameter count tells: shared or not as usual for the
// architecture, unless that misses the count by 5 % and the other hits it within 2 %, or by 30 % and the other within
// 5 %; gated or not as stated, unless that misses it by 15 % either way and the other hits it within 3 %.
struct CountedShape {
    bool tied = false, gated = false;
};
CountedShape shape_by_count(const RowModel& row, Model m, CountedShape stated) {
    if (!row.parameters) return stated;
    const auto miss = [&](bool tied, bool branches) {
        m.tied_embeddings = tied;
        m.activation = branches ? Activation::swiglu : Activation::gelu;
        return std::abs(parameters(m) / *row.parameters - 1);
    };
    CountedShape shape = stated;
    const double as_usual = miss(stated.tied, stated.gated), otherwise = miss(!stated.tied, stated.gated);
    if ((as_usual > 0.05 && otherwise < 0.02) || (as_usual > 0.3 && otherwise < 0.05)) shape.tied = !stated.tied;
    const bool neither = std::min(miss(true, stated.gated), miss(false, stated.gated)) > 0.15;
    if (neither && miss(stated.tied, !stated.gated) < 0.03) shape.gated = !stated.gated;
    return shape;
}

// What is published is taken. Else one each with sharded data parallelism; or tensor parallel inside a node first, then
// the pipeline, until the states of a rank take at most 0.6 of its memory. Model, machine and recipe of the plan are
// filled already.
struct AssumedSplit {
    int tensor = 1, pipeline = 1;
};
bool states_fit(const Scenario& s, const AssumedSplit& split) {
    constexpr double share = 0.6;
    const double rank =
        parameters(s.model) / split.tensor / split.pipeline * bytes_per_parameter(s.recipe.state_format);
    return rank * byte <= share * s.machine.device.memory;
}

AssumedSplit assumed_split(const RowLayout& l, const Scenario& s) {
    AssumedSplit split{l.tensor.value_or(1), l.pipeline.value_or(1)};
    const bool sharded = !l.sharding.empty() || l.zero_stage.value_or(0) == 3;
    const auto done = [&] { return sharded || states_fit(s, split); };
    const auto share_devices = [&](int ranks) {
        return !l.devices || *l.devices % (ranks * l.context.value_or(1)) == 0;
    };
    const Model& m = s.model;
    if (!l.tensor)
        for (int t = 2; t <= s.machine.devices_per_node && !done(); t *= 2)
            if (m.heads % t == 0 && m.kv_heads % t == 0 && m.ffn % t == 0 && share_devices(t)) split.tensor = t;
    if (!l.pipeline)
        for (int p = 2; p <= m.layers && !done(); ++p)
            if (l.devices ? share_devices(split.tensor * p) : m.layers % p == 0) split.pipeline = p;
    return split;
}

// ---- The plan

class Filler {
public:
    Filler(const PublishedRow& row, FilledRun& out) : row_(row), l_(row.layout), out_(out), s_(out.scenario) {}

    void run(const RowPresets& presets, RunEnded ended) {
        s_.method = row_.method;
        const bool filled = machine(presets.machines) && framework(presets.stacks) && precision()
                         && model(presets.models) && degrees() && batch() && rest();
        if (!filled) return;
        keep_documents_apart();
        const bool tuned = s_.stack.tuning != Tuning::unknown && s_.stack.tuning != Tuning::as_it_comes;
        if (has_experts(s_.model)) {
            if (tuned && s_.stack.family == "megatron-core") take_mixture_recipe(row_, out_);
            take_mixture_words(row_, out_);
            if (!l_.expert) choose_expert_degree(out_, ended);
        }
        if (ended != RunEnded::well) return;
        if (tuned) choose_schedule(row_, out_);
        make_fit(row_, out_);
    }

private:
    bool exclude(const std::string& why) {
        out_.excluded = why;
        return false;
    }
    template <class T>
    T or_else(const std::optional<T>& published, T assumed, const std::string& what) {
        if (published) return *published;
        out_.filled.push_back(what + " not published: " + std::to_string(assumed));
        return assumed;
    }

    bool machine(const std::map<std::string, Machine>& machines) {
        const bool named = !row_.machine.preset.empty();
        const Machine* found = named ? machine_named(machines, row_.machine.preset) : of_device(machines);
        if (!found && named) return exclude("no machine preset '" + row_.machine.preset + "'");
        if (!found) return exclude("the machine is not named");
        if (contains(lower_case(row_.machine.interconnect), "efa")) found = over_efa(machines, found);
        s_.machine = *found;
        enlarge();
        if (!named) out_.filled.push_back("machine not named: " + s_.machine.id + ", which has the device");
        return true;
    }
    // The generic machine with this device whose nodes are the smallest that hold all devices, or the largest.
    const Machine* of_device(const std::map<std::string, Machine>& machines) const {
        const std::string family = device_family(row_.machine.device);
        const int devices = l_.devices.value_or(1);
        const Machine* best = nullptr;
        for (const auto& [id, m] : machines) {
            if (m.site != "generic" || device_family(m.device.name) != family) continue;
            const bool holds = m.devices_per_node >= devices, held = best && best->devices_per_node >= devices;
            const bool smaller = best && m.devices_per_node < best->devices_per_node;
            if (!best || (holds && (!held || smaller)) || (!holds && !held && !smaller)) best = &m;
        }
        return best;
    }
    // A row that names Amazon's network did not run on the InfiniBand of the machine that it names for its device.
    static const Machine* over_efa(const std::map<std::string, Machine>& machines, const Machine* like) {
        const auto has_efa = [](const Machine& m) {
            return !m.levels.empty() && contains(m.levels.back().topology, "EFA");
        };
        if (has_efa(*like)) return like;
        for (const auto& [id, m] : machines)
            if (m.device.name == like->device.name && has_efa(m)) return &m;
        return like;
    }
    // A preset that stands for machines of its kind has a size for examples.
    void enlarge() {
        Machine& m = s_.machine;
        constexpr int most = 2'000'000;
        const bool example = m.site == "generic" && m.nodes > 1;
        if (!example || !l_.devices || *l_.devices <= m.devices() || *l_.devices > most) return;
        m.nodes = (*l_.devices + m.devices_per_node - 1) / m.devices_per_node;
        if (!m.levels.empty()) m.levels.back().devices = int(m.devices());
        out_.filled.push_back("machine preset '" + m.id + "' taken with " + std::to_string(m.nodes) + " nodes");
    }

    bool framework(const std::map<std::string, Stack>& stacks) {
        const std::string& device = row_.machine.device;
        const int year = stated_year(row_);
        const FrameworkRule* named = framework_rule(l_.framework, device, year);
        const FrameworkRule* rule = named ? named : everyday_rule(device);
        habits_ = l_.habits ? *l_.habits : rule ? rule->habits : SoftwareHabits{.dropout = true};
        const bool by_name = l_.stack.empty() && named, by_tuning = by_name && named->by_tuning;
        const auto chosen = chosen_software({.words = l_.framework,
                                             .device = device,
                                             .year = year,
                                             .preset = l_.stack,
                                             .tuning = by_tuning ? std::optional(tuning(*named)) : std::nullopt,
                                             .or_usual = true},
                                            stacks);
        if (!chosen) return exclude("no stack preset '" + (l_.stack.empty() && rule ? rule->stack : l_.stack) + "'");
        s_.stack = *chosen;
        if (!named) s_.stack.kernels = kernels_in(l_.framework, std::move(s_.stack.kernels));
        if (by_name && year == 0 && depends_on_year(l_.framework, device))
            out_.filled.push_back("release of '" + l_.framework + "' not dated: the newest");
        if (l_.tuning_assumed) tell_assumed_tuning();
        wait_for_tensor_traffic();
        const bool stated = !l_.stack.empty() && !l_.habits;   // by the source
        const char* usual = l_.stack.empty() && !named ? ", a name that is not known" : "";
        if (!stated) out_.filled.push_back("stack " + s_.stack.id + " for '" + l_.framework + "'" + usual);
        out_.flop_rule = row_.flop_rule;
        const bool needed = !row_.measured.step_seconds && !row_.measured.tokens_per_second && row_.measured.teraflops;
        if (out_.flop_rule == FlopRule::unknown && needed && habits_.flop != FlopRule::unknown) {
            out_.flop_rule = habits_.flop;
            out_.filled.push_back(std::string("FLOP rule not stated: ") + flop_words(habits_.flop));
        }
        return true;
    }
    // Transformer Engine hides tensor traffic of Blackwell in user buffers since the containers of 25.09. Before, GB200
    // runs of NVIDIA's recipes waited for 0.7 to 1.1 of it.
    void wait_for_tensor_traffic() {
        constexpr double waited = 0.9;
        const bool before = container_release(row_) < 250900;
        const bool blackwell = contains_any(lower_case(row_.machine.device), {"b200", "b300"});
        if (!before || !blackwell || s_.stack.family != "megatron-core" || s_.stack.tensor.exposed >= waited) return;
        out_.set_own("stack.tensor_exposed", s_.stack.tensor.exposed, waited);
        out_.filled.push_back("tensor traffic waited for: a container before 25.09 on Blackwell");
    }
    Tuning tuning(const FrameworkRule& rule) {
        const Tuning known = tuning_of(row_, rule);
        if (known == Tuning::tuned_2025 && release_year(row_, rule) == 0)
            out_.filled.push_back("release of '" + l_.framework + "' not dated: the newest");
        if (known != Tuning::unknown) return known;
        tell_assumed_tuning();
        return Tuning::tuned_2024;
    }
    void tell_assumed_tuning() {
        out_.filled.push_back("how hard the software was tuned is not known: as usual in 2024, give or take 12 %");
    }
    static const char* flop_words(FlopRule rule) {
        switch (rule) {
            case FlopRule::hardware: return "recomputation counted";
            case FlopRule::causal: return "model FLOP, half of the attention";
            case FlopRule::megatron: return "model FLOP as Megatron counts";
            default: return "model FLOP, full attention";
        }
    }

    bool precision() {
        const std::string words = lower_case(l_.precision);
        Precision& p = s_.recipe.precision;
        if (contains_any(words, {"fp8", "fp4"})) p = Precision::fp8;
        else if (contains(words, "bf16")) p = Precision::bf16;
        else if (contains(words, "fp16")) p = Precision::fp16;
        else if (contains(words, "fp32")) p = Precision::fp32;
        else return exclude("number format not published");
        if (p == Precision::bf16 && contains(words, "fp16"))
            out_.filled.push_back("'" + l_.precision + "' read as bf16");
        if (p == Precision::fp8) s_.recipe.fp8_recipe = fp8_recipe(words, lower_case(l_.framework));
        const bool wide = habits_.fp32_gradients && (p == Precision::bf16 || p == Precision::fp8);
        s_.recipe.state_format = wide ? StateFormat::fp32_moments_fp32_sums : StateFormat::fp32_moments;
        if (const auto format = narrow_states(wide)) {
            s_.recipe.state_format = *format;
            out_.filled.push_back("no fp32 weights or moments: " + std::to_string(int(bytes_per_parameter(*format)))
                                  + " bytes a parameter");
        }
        if (uses_8bit_adam(row_)) s_.recipe.optimizer = Optimizer::adam_8bit;
        choose_loss();
        if (l_.train_tokens) s_.recipe.tokens = *l_.train_tokens;
        return true;
    }

    // As the source says, else as its software does. Where there are no replicas, no gradients are added up over them.
    std::optional<StateFormat> narrow_states(bool fp32_sums) const {
        if (const auto said = state_format_in(row_)) return said;
        if (!habits_.all_16bit || s_.recipe.precision == Precision::fp32) return std::nullopt;
        return fp32_sums && l_.data.value_or(2) > 1 ? StateFormat::all_16bit_fp32_sums : StateFormat::all_16bit;
    }

    // TorchTitan computes the loss eagerly in 2024 and compiles it since, but not on Intel's devices.
    void choose_loss() {
        LossComputation& loss = s_.stack.loss;
        loss.chunks = loss_chunks(row_).value_or(loss.chunks);
        const bool compiled = s_.stack.family == "torchtitan" && contains(lower_case(l_.framework), "compile");
        const bool intel = contains(lower_case(row_.machine.device), "intel");
        if (!l_.stack.empty() || !compiled || intel || loss.kernel != LossKernel::eager || says_2024(row_)) return;
        loss.kernel = LossKernel::compiled;
        out_.filled.push_back("the loss of a release after 2024 is compiled");
    }

    void take_length(int usual) {
        s_.model.sequence_length = s_.recipe.sequence_length =
            or_else(row_.model.sequence_length, packed_.value_or(usual), "sequence length");
    }

    // Layers, widths and length as the row states them; false where they make no model.
    bool own_shape(bool llama) {
        const RowModel& r = row_.model;
        Model& m = s_.model;
        m.name = r.name;
        m.layers = *r.layers;
        m.hidden = *r.hidden;
        m.heads = r.head_dim ? r.heads.value_or(m.hidden / *r.head_dim) : or_else(r.heads, m.hidden / 128, "heads");
        if (m.heads < 1) return false;
        m.kv_heads = r.kv_heads.value_or(m.heads);
        m.head_dim = r.head_dim.value_or(m.hidden / m.heads);
        m.vocabulary = or_else(r.vocabulary, 51200, "vocabulary");
        take_length(2048);
        m.positions = llama ? Positions::rotary : Positions::learned;
        m.position_rows = llama ? 0 : m.sequence_length;
        m.norm = llama ? Norm::rms_norm : Norm::layer_norm;
        m.qkv_bias = m.out_bias = m.mlp_bias = !llama;
        m.dropout = !llama && habits_.dropout;
        return true;
    }

    // Heads are those of the rule: of values, and of keys that they share.
    void all_of_delta_rule(Model& m) {
        const Recurrence sizes{
            .heads = m.heads, .head_dim = m.head_dim, .key_heads = m.kv_heads, .key_dim = m.head_dim};
        m.kinds = {{.letter = 'G', .mixer = Mixer::gated_delta, .recurrence = sizes}};
        m.pattern = "G";
        out_.filled.push_back("Gated DeltaNet in every layer, with the stated heads");
    }

    bool model(const std::map<std::string, Model>& models) {
        const RowModel& r = row_.model;
        if (!r.layers || !r.hidden) return exclude("the model's shape is not published");
        const Model* like = r.experts ? mixture_like(r, models) : nullptr;
        if (const std::string why = r.experts ? mixture_obstacle(row_, like) : ""; !why.empty()) return exclude(why);
        const bool delta = r.arch == "hybrid-gdn", llama = r.arch == "llama" || r.experts || delta;
        if (!llama && r.arch != "gpt") return exclude("architecture '" + r.arch + "' is not modelled");
        if (like) {
            s_.model = *like;
            take_length(like->sequence_length);
        } else if (!own_shape(llama)) {
            return exclude("the model's shape is not published");
        }
        if (delta) all_of_delta_rule(s_.model);
        s_.model.vocabulary_padding = habits_.pads_vocabulary ? 128 : 1;
        if (r.experts) fill_experts(row_, like, out_);
        else fill_feed_forward(llama);
        return has_stated_size();
    }

    void fill_feed_forward(bool llama) {
        const RowModel& r = row_.model;
        Model& m = s_.model;
        m.ffn = or_else(r.ffn, 4 * m.hidden, "feed-forward width");
        const CountedShape stated{!llama, r.gated.value_or(llama)}, shape = shape_by_count(r, m, stated);
        m.tied_embeddings = shape.tied;
        m.activation = shape.gated ? Activation::swiglu : Activation::gelu;
        const auto read = [&](bool otherwise, const std::string& what) {
            if (otherwise) out_.filled.push_back(what + ": only so it has the stated parameters");
        };
        read(shape.tied != stated.tied,
             std::string("embedding and head read as ") + (shape.tied ? "one table" : "two tables"));
        read(shape.gated != stated.gated,
             std::string("feed-forward read as ") + (shape.gated ? "gated" : "not gated"));
    }

    // What misses the parameters that the source states by more is another architecture.
    bool has_stated_size() {
        constexpr double most = 0.3;
        const double stated = row_.model.parameters.value_or(0), built = parameters(s_.model);
        if (stated <= 0 || std::abs(built / stated - 1) <= most) return true;
        const long percent = std::lround(100 * std::abs(built / stated - 1));
        return exclude("its layers and widths make " + std::to_string(percent) + " % "
                       + (built > stated ? "more" : "fewer") + " parameters than stated");
    }

    // Documents that NeMo packs into one sequence do not see each other: a third of the scores is left in sets for
    // fine-tuning.
    void keep_documents_apart() {
        constexpr double left = 0.35;
        const bool packed = contains(lower_case(l_.framework + "; " + row_.remark), "packed ");
        if (!packed || s_.stack.family != "megatron-core") return;
        s_.model.sparse_layers = 1;
        s_.model.attention_density = left;
        out_.filled.push_back("packed documents: 0.35 of the scores inside them");
    }

    bool degrees() {
        Layout& l = s_.layout;
        const AssumedSplit split = assumed_split(l_, s_);
        l.tensor_parallel = split.tensor;
        l.pipeline_parallel = split.pipeline;
        if (!l_.tensor || !l_.pipeline)
            out_.filled.push_back("tensor and pipeline split not published: " + std::to_string(split.tensor) + " x "
                                  + std::to_string(split.pipeline));
        l.context_parallel = l_.context.value_or(1);
        if (has_experts(s_.model)) l.expert_parallel = or_else(l_.expert, 1, "expert-parallel degree");
        l.expert_tensor_parallel = expert_tensor_ranks(row_, s_);
        if (const int ranks = l.expert_tensor_parallel; ranks > 1)
            out_.filled.push_back("experts cut over " + std::to_string(ranks) + " tensor ranks");
        if (l.context_parallel > 1) out_.filled.push_back("exchange between context ranks not published: ring");
        const int shard = int(std::min(1000000LL, l.model_parallel()));
        const long long copies = l_.data.value_or(1);
        l.devices = or_else(l_.devices, int(std::min(1'000'000'000LL, copies * shard)), "device count");
        l.data_parallel = l_.data.value_or(std::max(1, l.devices / std::max(1, shard)));
        return true;
    }

    // In sequences: half a million tokens, and enough micro-batches to fill a pipeline. A file may state any degrees.
    static int usual_batch(const Layout& l, int length, int micro) {
        const double round = double(std::max(1, l.data_parallel)) * micro;
        const double least = l.pipeline_parallel > 1 ? 8.0 * l.pipeline_parallel : 1;
        return int(std::min(1e9, round * std::max(least, std::floor(524288 / length / round))));
    }

    bool batch() {
        Layout& l = s_.layout;
        const int length = s_.recipe.sequence_length;
        int& global = s_.recipe.global_batch_sequences;
        const int data = std::max(1, l.data_parallel);
        global = or_else(l_.global_batch, usual_batch(l, length, l_.micro_batch.value_or(1)), "batch in sequences");
        const int replica = std::max(1, global / data);
        const double size = row_.model.parameters.value_or(parameters(s_.model));
        const int most = habits_.whole_batch ? replica : micro_batch_by_size(size, length);
        l.micro_batch = or_else(l_.micro_batch, largest_divisor_up_to(replica, most), "micro-batch");
        return true;
    }

    int virtual_stages() const {
        const std::string name = lower_case(l_.framework);
        const int p = s_.layout.pipeline_parallel, layers = s_.model.layers;
        if (p == 1) return 1;
        if (contains(name, "interleaved")) return (layers + p - 1) / p;
        const bool early = contains(name, "megatron-lm 2021") || contains(name, "megatron-lm ptd");
        if (early && p >= 8 && layers % p == 0)
            for (int v = 2; v <= layers / p; ++v)
                if (layers / p % v == 0) return v;
        return 1;
    }

    int zero_stage() const {
        if (!l_.sharding.empty()) return 3;
        // DeepSpeed's bf16 optimizer owns a share of the states on each data-parallel rank.
        const bool bf16_optimizer =
            contains(lower_case(l_.framework), "deepspeed") && s_.recipe.precision == Precision::bf16;
        return (habits_.distributed || bf16_optimizer) && s_.layout.weight_replicas() > 1 ? 1 : 0;
    }

    bool rest() {
        Layout& l = s_.layout;
        const bool stated = l_.virtual_stages.has_value() || l.pipeline_parallel == 1;
        l.virtual_stages = stated ? std::max(1, l_.virtual_stages.value_or(1))
                                  : or_else(l_.virtual_stages, virtual_stages(), "chunks per stage");
        l.schedule = usual_schedule(l.virtual_stages);
        const bool sharded = l.weight_replicas() > 1;
        l.zero_stage = sharded ? or_else(l_.zero_stage, zero_stage(), "ZeRO stage") : l_.zero_stage.value_or(0);
        if (const int most = s_.stack.sharding.stage_with_pipeline; l.pipeline_parallel > 1 && l.zero_stage > most) {
            l.zero_stage = most;
            out_.filled.push_back("ZeRO stage with a pipeline: " + std::to_string(most) + ", the highest of the stack");
        }
        const int copies = int(l.weight_replicas());
        l.shard_group = l.zero_stage > 0 ? shard_group_in(l_, copies, s_.machine.devices_per_node) : 0;
        const bool parallel = habits_.distributed && l.tensor_parallel > 1;
        if (l.tensor_parallel > 1)
            l.sequence_parallel = or_else<bool>(l_.sequence_parallel, parallel, "sequence parallelism");
        if (l_.recompute == "full") l.recompute = Recompute::full;
        else if (contains_any(lower_case(l_.recompute), {"every second layer", "every other layer"})) {
            l.recompute = Recompute::full;
            l.recompute_layers = std::max(1, largest_chunk(s_) / 2);
            out_.filled.push_back("'" + l_.recompute + "': full, in " + std::to_string(l.recompute_layers)
                                  + " layers of a chunk");
        } else if (const auto listed = recomputed_modules(row_)) {
            l.recompute = Recompute::selective;
            l.recompute_modules = *listed;
            s_.stack.recomputation.takes_modules = true;   // as it did
        } else if (l_.recompute == "selective") l.recompute = Recompute::selective;
        else if (l_.recompute.empty()) {
            const bool cpu = s_.recipe.precision == Precision::fp32;
            l.recompute = cpu                                        ? Recompute::full
                        : keeps_alternate_by_default(l_, s_.stack) ? Recompute::selective
                                                                   : Recompute::none;
            out_.filled.push_back("recomputation not published: " + std::string(name_of(l.recompute)));
        }
        const std::string software = lower_case(l_.framework);
        if (contains(software, "optimizer in backward")) {
            s_.recipe.updates_in_backward = true;
            out_.filled.push_back("a parameter is updated as soon as its gradient is there");
        }
        if (contains(software, "paged adam")) {
            l.offload.optimizer = Tier::host;
            l.offload.paged_optimizer = true;
            out_.filled.push_back("paged optimizer: its states are in the host's memory");
        }
        if (contains(software, "cpu offload")) {
            l.offload.weights = l.offload.gradients = l.offload.optimizer = Tier::host;
            out_.filled.push_back("CPU offload: weights, gradients and optimizer in the host's memory");
        }
        if (contains(software, "activation offloading")) {
            l.offload.activations = Tier::host;
            out_.filled.push_back("activations offloaded: as many to the host's memory as nobody waits for");
        }
        pad_sequence();
        return true;
    }

    // Frameworks pad a sequence to a length that its ranks can share.
    void pad_sequence() {
        const Layout& l = s_.layout;
        const long long context = l.context_parallel, shared = l.sequence_parallel ? context * l.tensor_parallel : 1,
                        ring = context > 1 ? 2 * context : 1, by = std::lcm(shared, ring);
        int& length = s_.recipe.sequence_length;
        const long long padded = (length + by - 1) / by * by;
        if (padded == length || padded > 1'000'000'000) return;
        out_.filled.push_back("sequence of " + std::to_string(length) + " tokens padded to " + std::to_string(padded)
                              + ", which its ranks can share");
        length = int(padded);
        s_.model.sequence_length = std::max(s_.model.sequence_length, length);
    }

    const PublishedRow& row_;
    const RowLayout& l_;
    std::optional<int> packed_ = micro_batch_tokens(row_);
    FilledRun& out_;
    Scenario& s_;
    SoftwareHabits habits_;
};

}  // namespace

// As if the open values were a further error of this size beside one of 5 %.
double FilledRun::weight() const {
    const double relative = span / 0.05;
    return span > 0.03 ? 1 / (1 + relative * relative) : 1;
}

Schedule schedule_of_run(const FilledRun& run, int chunks) {
    const bool pairs = run.overlaps && (chunks > 1 || run.scenario.layout.pipeline_parallel == 1);
    return pairs ? Schedule::combined : usual_schedule(chunks);
}

void FilledRun::set_own(const char* knob, double& of, double value) {
    of = value;
    own_knobs.push_back(knob);
}

FilledRun filled_run(const PublishedRow& row, const RowPresets& presets, RunEnded ended) {
    FilledRun out;
    out.scenario.name = row.id;
    Filler(row, out).run(presets, ended);
    return out;
}

}  // namespace plimsoll
