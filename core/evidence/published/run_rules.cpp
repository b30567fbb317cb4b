#include "core/evidence/published/run_rules.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/published/mixture_recipe.h"
#include "core/values/basics/integers.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace plimsoll {

namespace {

// The run was made, so it fitted: what misses by no more than two thirds of memory predictions do, for software and
// devices of which no memory was published, counts as fitting.
constexpr double room = 1.2;

class Filler {
public:
    Filler(const PublishedRow& row, FilledRun& out, RunEnded ended)
        : row_(row), l_(row.layout), out_(out), s_(out.scenario), fitted_(ended == RunEnded::well) {}

    bool run(const RowPresets& presets) {
        const bool filled = machine(presets.machines) && framework(presets.stacks) && precision()
                         && model(presets.models) && degrees() && batch() && rest();
        if (filled) keep_documents_apart();
        if (filled && has_experts(s_.model)) fill_mixture();
        if (filled && fitted_ && tuned(s_.stack.tuning)) choose();
        if (filled && fitted_) make_fit();
        return filled;
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
        if (!named) take_stated_kernels();
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
    // What somebody's own trainer says of its kernels goes before those of the everyday software.
    void take_stated_kernels() {
        DeviceKernels& k = s_.stack.kernels;
        const std::string said = lower_case(l_.framework);
        if (contains_any(said, {"fused rmsnorm", "fused rms norm"})) k.fuses_rms_norms = true;
        if (contains_any(said, {"unfused attention", "attention unfused", "fused softmax"})) {
            k.attention = Attention::materialised;
            k.fuses_softmax = contains(said, "fused softmax");
        } else if (contains_any(said, {"flashattention 1", "flashattention-1", "triton"})) {
            k.attention_kernel = AttentionKernel::generic;   // kernels of 2022 and 2023
            k.cudnn_first = false;
            k.flash_forward_scale = k.flash_backward_scale = 1;
        } else if (contains_any(said, {"flashattention 2", "flashattention-2"})) {
            k.cudnn_first = false;
        }
    }
    // Transformer Engine hides tensor traffic of Blackwell in user buffers since the containers of 25.09. Before, GB200
    // runs of NVIDIA's recipes waited for 0.7 to 1.1 of it.
    void wait_for_tensor_traffic() {
        constexpr double waited = 0.9;
        const bool before = release_of(row_).value_or(999999) < 250900;
        const bool blackwell = contains_any(lower_case(row_.machine.device), {"b200", "b300"});
        if (!before || !blackwell || s_.stack.family != "megatron-core" || s_.stack.tensor.exposed >= waited) return;
        of_the_run("stack.tensor_exposed", s_.stack.tensor.exposed, waited);
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
            out_.filled.push_back("no fp32 weights or moments: " + std::to_string(bytes_per_parameter(*format))
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
        const bool compiled = s_.stack.family == "torchtitan" && contains(lower_case(l_.framework), "compile");
        const bool intel = contains(lower_case(row_.machine.device), "intel");
        if (!l_.stack.empty() || !compiled || intel || loss.kernel != LossKernel::eager || says_2024(row_)) return;
        loss.kernel = LossKernel::compiled;
        out_.filled.push_back("the loss of a release after 2024 is compiled");
    }

    // Tables print a mixture's routed experts alone. What else its layers have is that of the model preset with such
    // experts, of which a run may take fewer layers; where there is none, experts in every layer.
    bool mixture(const std::map<std::string, Model>& models) {
        const RowModel& r = row_.model;
        const MixtureWords words = mixture_words(lower_case(r.name + "; " + row_.remark));
        if (words.not_attention) return exclude("some of its layers have neither attention nor a feed-forward block");
        if (!r.expert_count || !r.top_k || !r.ffn) return exclude("the model's experts are not published");
        const auto* found = family_of(models);
        if (!found && !own_shape(true)) return exclude("the model's shape is not published");
        Model& m = s_.model;
        if (found) {
            m = found->second;
            m.vocabulary_padding = habits_.pads_vocabulary ? 128 : 1;
            take_length(m.sequence_length);
            out_.filled.push_back("shared experts, dense layers, biases and attention of the model preset '"
                                  + found->first + "'");
            if (m.layers != *r.layers) cut(words);
        } else {
            m.ffn = *r.ffn;
            m.activation = r.gated.value_or(true) ? Activation::swiglu : Activation::gelu;
            m.tied_embeddings = false;
            m.experts.count = *r.expert_count;
            m.experts.top_k = *r.top_k;
            m.experts.ffn = *r.ffn;
            m.experts.dense_layers = words.dense_layers.value_or(0);
            out_.filled.push_back("no model preset has such experts: in every layer, none of them shared");
        }
        return has_stated_size();
    }
    const std::pair<const std::string, Model>* family_of(const std::map<std::string, Model>& models) const {
        const RowModel& r = row_.model;
        const std::pair<const std::string, Model>* deeper = nullptr;
        for (const auto& preset : models) {
            const Model& m = preset.second;
            const bool alike = m.hidden == r.hidden && m.experts.count == r.expert_count && m.experts.top_k == r.top_k
                            && m.experts.ffn == r.ffn && m.experts.order == ExpertOrder::cdac;
            if (alike && m.layers == r.layers) return &preset;
            if (alike && m.layers > *r.layers) deeper = &preset;
        }
        return deeper;
    }
    // The first of a preset's layers. Those with windows lie evenly.
    void cut(const MixtureWords& words) {
        Model& m = s_.model;
        const int layers = std::max(1, *row_.model.layers);
        m.window.layers = int(std::lround(double(m.window.layers) * layers / m.layers));
        m.layers = layers;
        m.experts.dense_layers = std::min(layers, words.dense_layers.value_or(m.experts.dense_layers));
        m.published_parameters = 0;
        out_.filled.push_back("its first " + std::to_string(layers) + " layers, of which "
                              + std::to_string(m.experts.dense_layers) + " have no experts");
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
        m.vocabulary_padding = habits_.pads_vocabulary ? 128 : 1;
        m.positions = llama ? Positions::rotary : Positions::learned;
        m.position_rows = llama ? 0 : m.sequence_length;
        m.norm = llama ? Norm::rms_norm : Norm::layer_norm;
        m.qkv_bias = m.out_bias = m.mlp_bias = !llama;
        m.dropout = !llama && habits_.dropout;
        return true;
    }

    bool model(const std::map<std::string, Model>& models) {
        const RowModel& r = row_.model;
        if (!r.layers || !r.hidden) return exclude("the model's shape is not published");
        if (r.experts) return mixture(models);
        if (r.arch != "gpt" && r.arch != "llama") return exclude("architecture '" + r.arch + "' is not modelled");
        const bool llama = r.arch == "llama";
        if (!own_shape(llama)) return exclude("the model's shape is not published");
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
        return has_stated_size();
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
        l.expert_tensor_parallel = expert_tensor();
        if (l.context_parallel > 1) out_.filled.push_back("exchange between context ranks not published: ring");
        const int shard = int(std::min(1000000LL, l.model_parallel()));
        const long long copies = l_.data.value_or(1);
        l.devices = or_else(l_.devices, int(std::min(1'000'000'000LL, copies * shard)), "device count");
        l.data_parallel = l_.data.value_or(std::max(1, l.devices / std::max(1, shard)));
        return true;
    }

    // Megatron cuts experts over the tensor ranks unless told otherwise; recipes for many narrow experts tell it.
    int expert_tensor() {
        constexpr int few = 16;
        const Layout& l = s_.layout;
        if (!has_experts(s_.model) || l.tensor_parallel == 1) return 1;
        const MixtureWords words = mixture_words(lower_case(row_.remark));
        const bool usual = s_.stack.family == "megatron-core" && s_.model.experts.count <= few;
        const int taken = words.expert_tensor.value_or(usual ? l.tensor_parallel : 1);
        if (taken > 1) out_.filled.push_back("experts cut over " + std::to_string(taken) + " tensor ranks");
        return taken;
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

    // "sharded over 8 ranks", "replicated over 2 slices", "hybrid shard": the states are copied across such groups.
    int shard_group() const {
        const std::string name = lower_case(l_.framework + " " + l_.sharding);
        const auto number_after = [&](const std::string& words) {
            const auto at = name.find(words);
            return at == std::string::npos ? 0 : std::atoi(name.c_str() + at + words.size());
        };
        const int d = int(s_.layout.weight_replicas());
        int group = contains(name, "hybrid") ? s_.machine.devices_per_node : 0;
        if (const int copies = number_after("replicated over "); copies > 0) group = d / copies;
        if (const int ranks = number_after("sharded over "); ranks > 0) group = ranks;
        return group > 0 && group < d && d % group == 0 ? group : 0;
    }

    // TorchTitan's configurations keep every other product unless told otherwise, however hard the rest was tuned.
    bool keeps_alternate_by_default() const {
        return s_.stack.recomputation.keeps_alternate_products && contains(lower_case(l_.framework), "torchtitan");
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
        l.shard_group = l.zero_stage > 0 ? shard_group() : 0;
        const bool parallel = habits_.distributed && l.tensor_parallel > 1;
        if (l.tensor_parallel > 1)
            l.sequence_parallel = or_else<bool>(l_.sequence_parallel, parallel, "sequence parallelism");
        if (l_.recompute == "full") l.recompute = Recompute::full;
        else if (contains_any(lower_case(l_.recompute), {"every second layer", "every other layer"})) {
            l.recompute = Recompute::full;
            l.recompute_layers = std::max(1, largest_chunk(s_) / 2);
            out_.filled.push_back("'" + l_.recompute + "': full, in " + std::to_string(l.recompute_layers)
                                  + " layers of a chunk");
        } else if (l_.recompute == "selective") l.recompute = Recompute::selective;
        else if (l_.recompute.empty()) {
            const bool cpu = s_.recipe.precision == Precision::fp32;
            l.recompute = cpu                         ? Recompute::full
                        : keeps_alternate_by_default() ? Recompute::selective
                                                       : Recompute::none;
            out_.filled.push_back("recomputation not published: " + std::string(name_of(l.recompute)));
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

    void fill_mixture() {
        if (s_.stack.family == "megatron-core" && tuned(s_.stack.tuning)) apply_recipe();
        if (contains_any(lower_case(l_.framework), {"deepep", "hybridep"}))
            s_.stack.experts.dispatch = Dispatch::per_rank;
        apply_words(mixture_words(lower_case(l_.framework + "; " + row_.remark)));
        if (!l_.expert) choose_experts();
    }

    // Behind the work of another micro-batch: 0.30 of the exchange is left in the tables of Megatron-Bridge.
    static constexpr double overlapped = 0.3;

    void apply_words(const MixtureWords& w) {
        ExpertStack& e = s_.stack.experts;
        if (w.capacity) s_.model.experts.capacity = *w.capacity;
        if (w.overlaps)
            of_the_run("stack.experts.exchange_exposed", e.exchange_exposed, *w.overlaps ? overlapped : 1);
        if (w.graph) e.graph = *w.graph;
        if (w.per_expert) e.dispatch = Dispatch::per_expert;
        if (!w.natural) return;
        if (s_.model.experts.capacity == 0) s_.model.experts.imbalance = natural_imbalance;
        if (e.graph == Graph::whole_step) e.graph = Graph::none;   // shapes depend on the routing
        out_.filled.push_back("natural routing: 1.5 times the mean on the busiest rank");
    }

    // The degree that a practitioner would have chosen: the fastest of those that fit, or of all where none does.
    void choose_experts() {
        struct Best {
            double seconds = 0;
            int degree = 1;
            void consider(double time, int with) {
                if (seconds == 0 || time < seconds) seconds = time, degree = with;
            }
        } fitting, any;
        for (const int degree : divisors(s_.model.experts.count)) {
            s_.layout.expert_parallel = degree;
            const Outcome o = estimate(s_);
            if (!o) continue;
            any.consider(o->step.total() / second, degree);
            const bool fits = o->worst().total() <= room * o->memory_limit;
            if (fitted_ && fits) fitting.consider(o->step.total() / second, degree);
        }
        s_.layout.expert_parallel = (fitting.seconds > 0 ? fitting : any).degree;
        std::erase_if(out_.filled, [](const std::string& said) { return said.starts_with("expert-parallel degree"); });
        out_.filled.push_back("expert-parallel degree not published: " + std::to_string(s_.layout.expert_parallel)
                              + ", the fastest" + (fitting.seconds > 0 ? " that fits" : ""));
    }

    void apply_recipe() {
        ExpertStack& e = s_.stack.experts;
        const MixtureRecipe r = mixture_recipe(s_, {lower_case(row_.machine.device), lower_case(l_.precision),
                                                    container_release(row_), !from_elsewhere(row_)});
        e.graph = r.graph;
        e.dispatch = r.dispatch;
        constexpr double fused_grouped = 1.2;
        if (r.fused) of_the_run("stack.experts.grouped_gemm_factor", e.grouped_gemm_factor, fused_grouped);
        if (r.overlaps) of_the_run("stack.experts.exchange_exposed", e.exchange_exposed, overlapped);
        out_.filled.push_back("graph " + std::string(name_of(e.graph)) + ", dispatch "
                              + std::string(name_of(e.dispatch)) + (r.overlaps ? "," : ", not")
                              + " overlapped: the recipes of "
                              + (release_of(row_) ? "such containers" : "the newest container, as none is stated"));
    }
    void of_the_run(const char* knob, double& of, double value) {
        of = value;
        out_.own_knobs.push_back(knob);
    }

    static bool tuned(Tuning t) {
        return t == Tuning::tuned_2024 || t == Tuning::tuned_2025 || t == Tuning::record;
    }

    // Chunks of a stage that the schedule can run.
    std::vector<int> open_chunks() const {
        const Layout& l = s_.layout;
        const int p = l.pipeline_parallel;
        std::vector<int> open{l.virtual_stages};
        if (l_.virtual_stages || p == 1 || s_.model.layers % p != 0) return open;
        open.clear();
        for (const int v : divisors(s_.model.layers / p))
            if (v == 1 || micro_batches(s_) % p == 0) open.push_back(v);
        return open;
    }

    // What a tuned row leaves out of its schedule: the fastest that fits.
    void choose() {
        const Layout given = s_.layout;
        const bool open_chunk = !l_.virtual_stages && given.pipeline_parallel > 1;
        const bool open_recompute = l_.recompute.empty() && !keeps_alternate_by_default();
        if (l_.micro_batch && !open_chunk && !open_recompute) return;
        const int replica = std::max(1, s_.recipe.global_batch_sequences / std::max(1, given.data_parallel));
        struct Tried {
            double seconds;
            Layout layout;
        };
        std::vector<Tried> tried;
        const auto price = [&](Recompute recompute, int layers) {
            s_.layout.recompute = recompute;
            s_.layout.recompute_layers = layers;
            const Outcome o = estimate(s_);
            if (!o || o->worst().total() > room * o->memory_limit) return false;
            tried.push_back({o->step.total() / second, s_.layout});
            return true;
        };
        // Of whole layers only as many of each chunk as have to be: fewer never fit where more do not.
        const auto fewest_layers = [&] {
            int least = 1, most = largest_chunk(s_);
            if (!price(Recompute::full, 0)) return;
            while (least < most) {
                const int middle = (least + most) / 2;
                if (price(Recompute::full, middle)) most = middle;
                else least = middle + 1;
            }
        };
        const auto price_all = [&](int micro, int chunks) {
            s_.layout.virtual_stages = chunks;
            s_.layout.schedule = usual_schedule(chunks);
            s_.layout.micro_batch = micro;
            if (!open_recompute) return void(price(given.recompute, given.recompute_layers));
            if (price(Recompute::none, 0)) return;   // whatever is repeated comes on top
            price(Recompute::selective, 0);
            fewest_layers();
        };
        for (const int micro : {1, 2, 4, 8}) {
            if (l_.micro_batch ? micro > 1 : replica % micro != 0) continue;
            s_.layout = given;
            s_.layout.micro_batch = l_.micro_batch ? given.micro_batch : micro;
            const int taken = s_.layout.micro_batch;
            for (const int chunks : open_chunks()) price_all(taken, chunks);
        }
        s_.layout = given;
        if (tried.empty()) return;   // nothing fits: what the other rules say
        std::sort(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) { return a.seconds < b.seconds; });
        s_.layout = tried.front().layout;
        out_.span = tried[tried.size() / 2].seconds / tried.front().seconds - 1;
        tell_choice(int(tried.size()), open_recompute);
    }

    // It ran, so what nobody states was chosen so that it could. "Not stated" in the remark goes for what whoever
    // gathered the row assumed.
    void make_fit() {
        const std::string said = lower_case(row_.remark);
        const bool open = l_.recompute.empty()
                       || contains_any(said, {"checkpointing not stated", "recomputation not stated"});
        if (!open || contains(lower_case(row_.machine.device), "tpu") || !needs_too_much()) return;
        if (!l_.zero_stage && l_.sharding.empty() && s_.layout.weight_replicas() > 1) {
            const int most = s_.layout.pipeline_parallel > 1 ? s_.stack.sharding.stage_with_pipeline : 3;
            if (most > s_.layout.zero_stage) {
                s_.layout.zero_stage = most;
                out_.filled.push_back("it ran and would not have fitted otherwise: ZeRO stage " + std::to_string(most));
            }
        }
        if (s_.layout.recompute == Recompute::full || !needs_too_much()) return;
        s_.layout.recompute = Recompute::full;
        s_.layout.recompute_layers = 0;
        out_.filled.push_back("it ran and would not have fitted otherwise: recomputation full");
    }
    bool needs_too_much() const {
        const Outcome o = estimate(s_);
        return o && o->worst().total() > room * o->memory_limit;
    }

    void tell_choice(int of, bool open_recompute) {
        const Layout& l = s_.layout;
        const auto drop = [&](const char* what) {
            std::erase_if(out_.filled, [&](const std::string& said) { return said.starts_with(what); });
        };
        std::string chosen;
        const auto add = [&](bool open, const char* what, const std::string& value) {
            if (!open) return;
            drop(what);
            chosen += (chosen.empty() ? "" : ", ") + std::string(what) + " " + value;
        };
        add(!l_.micro_batch, "micro-batch", std::to_string(l.micro_batch));
        add(!l_.virtual_stages && l.pipeline_parallel > 1, "chunks per stage", std::to_string(l.virtual_stages));
        const std::string layers =
            l.recomputes_some() ? " in " + std::to_string(l.recompute_layers) + " layers of a chunk" : "";
        add(open_recompute, "recomputation", std::string(name_of(l.recompute)) + layers);
        const int percent = int(std::lround(100 * out_.span));
        out_.filled.push_back("not published and chosen as the fastest of " + std::to_string(of) + " that fit: "
                              + chosen + "; half of them within " + std::to_string(percent) + " %");
    }

    const PublishedRow& row_;
    const RowLayout& l_;
    std::optional<int> packed_ = micro_batch_tokens(row_);
    FilledRun& out_;
    Scenario& s_;
    SoftwareHabits habits_;
    bool fitted_;   // the run did, so rules may suppose it
};

}  // namespace

// As if the open values were a further error of this size beside one of 5 %.
double FilledRun::weight() const {
    const double relative = span / 0.05;
    return span > 0.03 ? 1 / (1 + relative * relative) : 1;
}

FilledRun filled_run(const PublishedRow& row, const RowPresets& presets, RunEnded ended) {
    FilledRun out;
    out.scenario.name = row.id;
    Filler(row, out, ended).run(presets);
    return out;
}

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

namespace {

bool states_fit(const Scenario& s, const AssumedSplit& split) {
    constexpr double share = 0.6;
    const double rank =
        parameters(s.model) / split.tensor / split.pipeline * bytes_per_parameter(s.recipe.state_format);
    return rank * byte <= share * s.machine.device.memory;
}

}  // namespace

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

}  // namespace plimsoll
