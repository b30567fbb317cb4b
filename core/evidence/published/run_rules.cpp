#include "core/evidence/published/run_rules.h"

#include "core/values/basics/integers.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace plimsoll {

namespace {

class Filler {
public:
    Filler(const PublishedRow& row, FilledRun& out) : row_(row), l_(row.layout), out_(out), s_(out.scenario) {}

    bool run(const RowPresets& presets) {
        return machine(presets.machines) && framework(presets.stacks) && precision() && model(presets.models)
            && degrees() && batch() && rest();
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
        if (row_.machine.preset.empty()) return exclude("the machine is not named");
        const auto found = machines.find(row_.machine.preset);
        if (found == machines.end()) return exclude("no machine preset '" + row_.machine.preset + "'");
        s_.machine = found->second;
        return true;
    }

    bool framework(const std::map<std::string, Stack>& stacks) {
        rule_ = framework_rule(l_.framework, row_.machine.device);
        if (!rule_ && !l_.stack.empty()) rule_ = &any_framework();
        if (!rule_) return exclude("no stack preset for '" + l_.framework + "'");
        const std::string id = l_.stack.empty() ? rule_->stack : l_.stack;
        const auto found = stacks.find(id);
        if (found == stacks.end()) return exclude("no stack preset '" + id + "'");
        s_.stack = found->second;
        if (l_.stack.empty()) out_.filled.push_back("stack " + id + " for '" + l_.framework + "'");
        out_.flop_rule = row_.flop_rule;
        const bool needed = !row_.measured.step_seconds && !row_.measured.tokens_per_second && row_.measured.teraflops;
        if (out_.flop_rule == FlopRule::unknown && needed && rule_->flop != FlopRule::unknown) {
            out_.flop_rule = rule_->flop;
            out_.filled.push_back(std::string("FLOP rule not stated: ") + flop_words(rule_->flop));
        }
        return true;
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
        if (contains(words, "fp8")) p = Precision::fp8;
        else if (contains(words, "bf16")) p = Precision::bf16;
        else if (contains(words, "fp16")) p = Precision::fp16;
        else if (contains(words, "fp32")) p = Precision::fp32;
        else return exclude("number format not published");
        if (p == Precision::bf16 && contains(words, "fp16"))
            out_.filled.push_back("'" + l_.precision + "' read as bf16");
        const bool wide = rule_->fp32_gradients && (p == Precision::bf16 || p == Precision::fp8);
        s_.recipe.bytes_per_parameter = wide ? 18 : 16;
        if (l_.train_tokens) s_.recipe.tokens = *l_.train_tokens;
        return true;
    }

    // Tables print a mixture's routed experts alone.
    bool mixture(const std::map<std::string, Model>& models) {
        const RowModel& r = row_.model;
        const auto fits = [&](const Model& m) {
            return m.layers == r.layers && m.hidden == r.hidden && m.experts.count == r.expert_count
                && m.experts.top_k == r.top_k && m.experts.ffn == r.ffn && m.experts.order == ExpertOrder::cdac;
        };
        for (const auto& [id, preset] : models)
            if (fits(preset)) {
                s_.model = preset;
                s_.model.vocabulary_padding = rule_->pads_vocabulary ? 128 : 1;
                s_.model.sequence_length = s_.recipe.sequence_length =
                    or_else(r.sequence_length, preset.sequence_length, "sequence length");
                out_.filled.push_back("shared experts, dense layers, biases and attention of the model preset '" + id
                                      + "'");
                return true;
            }
        return exclude("no model preset has these layers and experts");
    }

    bool model(const std::map<std::string, Model>& models) {
        const RowModel& r = row_.model;
        if (!r.layers || !r.hidden) return exclude("the model's shape is not published");
        if (r.experts) return mixture(models);
        if (r.arch != "gpt" && r.arch != "llama") return exclude("architecture '" + r.arch + "' is not modelled");
        const bool llama = r.arch == "llama";
        Model& m = s_.model;
        m.name = r.name;
        m.layers = *r.layers;
        m.hidden = *r.hidden;
        m.heads = r.head_dim ? r.heads.value_or(m.hidden / *r.head_dim) : or_else(r.heads, m.hidden / 128, "heads");
        if (m.heads < 1) return exclude("the model's shape is not published");
        m.kv_heads = r.kv_heads.value_or(m.heads);
        m.head_dim = r.head_dim.value_or(m.hidden / m.heads);
        m.ffn = or_else(r.ffn, 4 * m.hidden, "feed-forward width");
        m.vocabulary = or_else(r.vocabulary, 51200, "vocabulary");
        m.sequence_length = s_.recipe.sequence_length = or_else(r.sequence_length, 2048, "sequence length");
        m.vocabulary_padding = rule_->pads_vocabulary ? 128 : 1;
        m.positions = llama ? Positions::rotary : Positions::learned;
        m.position_rows = llama ? 0 : m.sequence_length;
        m.norm = llama ? Norm::rms_norm : Norm::layer_norm;
        m.tied_embeddings = !llama;
        m.qkv_bias = m.out_bias = m.mlp_bias = !llama;
        m.dropout = !llama && rule_->dropout;
        const bool stated = r.gated.value_or(llama), gated = gated_by_count(r, m, stated);
        m.activation = gated ? Activation::swiglu : Activation::gelu;
        if (gated != stated)
            out_.filled.push_back(std::string("feed-forward read as ") + (gated ? "gated" : "not gated")
                                  + ": only so it has the stated parameters");
        return true;
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
        if (l.context_parallel > 1) out_.filled.push_back("exchange between context ranks not published: ring");
        const int shard = int(std::min(1000000LL, l.model_parallel()));
        l.devices = or_else(l_.devices, l_.data.value_or(1) * shard, "device count");
        l.data_parallel = l_.data.value_or(std::max(1, l.devices / std::max(1, shard)));
        return true;
    }

    static int fills_pipeline(const Layout& l) { return l.pipeline_parallel > 1 ? 8 * l.pipeline_parallel : 1; }

    bool batch() {
        Layout& l = s_.layout;
        const int length = s_.recipe.sequence_length;
        int& global = s_.recipe.global_batch_sequences;
        const int data = std::max(1, l.data_parallel);
        global =
            or_else(l_.global_batch, data * std::max(fills_pipeline(l), 524288 / length / data), "batch in sequences");
        const int replica = std::max(1, global / data);
        const double size = row_.model.parameters.value_or(parameters(s_.model));
        const int most = rule_->whole_batch ? replica : micro_batch_by_size(size, length);
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
        return (rule_->distributed || bf16_optimizer) && s_.layout.weight_replicas() > 1 ? 1 : 0;
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

    bool rest() {
        Layout& l = s_.layout;
        const bool stated = l_.virtual_stages.has_value() || l.pipeline_parallel == 1;
        l.virtual_stages = stated ? std::max(1, l_.virtual_stages.value_or(1))
                                  : or_else(l_.virtual_stages, virtual_stages(), "chunks per stage");
        l.schedule = l.virtual_stages > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
        const bool sharded = l.weight_replicas() > 1;
        l.zero_stage = sharded ? or_else(l_.zero_stage, zero_stage(), "ZeRO stage") : l_.zero_stage.value_or(0);
        if (const int most = s_.stack.zero_stage_with_pipeline; l.pipeline_parallel > 1 && l.zero_stage > most) {
            l.zero_stage = most;
            out_.filled.push_back("ZeRO stage with a pipeline: " + std::to_string(most) + ", the highest of the stack");
        }
        l.shard_group = l.zero_stage > 0 ? shard_group() : 0;
        const bool parallel = rule_->distributed && l.tensor_parallel > 1;
        if (l.tensor_parallel > 1)
            l.sequence_parallel = or_else<bool>(l_.sequence_parallel, parallel, "sequence parallelism");
        if (l_.recompute == "full") l.recompute = Recompute::full;
        else if (l_.recompute == "selective") l.recompute = Recompute::selective;
        else if (l_.recompute.empty()) {
            const bool cpu = s_.recipe.precision == Precision::fp32;
            l.recompute = cpu ? Recompute::full : Recompute::none;
            out_.filled.push_back(std::string("recomputation not published: ") + (cpu ? "full" : "none"));
        }
        return true;
    }

    const PublishedRow& row_;
    const RowLayout& l_;
    FilledRun& out_;
    Scenario& s_;
    const FrameworkRule* rule_ = nullptr;
};

}  // namespace

FilledRun filled_run(const PublishedRow& row, const RowPresets& presets) {
    FilledRun out;
    out.scenario.name = row.id;
    Filler(row, out).run(presets);
    return out;
}

namespace {

constexpr auto unknown = FlopRule::unknown, hardware = FlopRule::hardware, full = FlopRule::full_attention;

constexpr FrameworkRule rules[] = {
    // words, device, stack, dropout, pads, fp32 gradients, distributed, FLOP
    {"fugaku", "", "fugaku-megatron", true, true, false, false, hardware},
    {"fsdp+rocm", "", "pytorch-fsdp-rocm-2022", true, true, false, false, hardware},
    {"deepspeed-megatron", "", "deepspeed-megatron", true, true, true, false, hardware},
    {"rocm", "", "deepspeed-megatron-flash", true, true, true, false, hardware},
    {"llm foundry+pure", "", "llm-foundry-pure", false, false, false, false, unknown},
    {"llm foundry", "h100", "llm-foundry-amp-h100", false, false, false, false, unknown},
    {"llm foundry", "", "llm-foundry-amp", false, false, false, false, unknown},
    {"internevo", "", "internevo", false, false, false, false, unknown},
    {"megatron bridge", "", "megatron-core", false, true, true, true, FlopRule::causal},
    {"nemo+megatron-core", "", "nemo-24.07", true, true, true, true, full},
    {"megatron-core r", "", "megatron-core", false, true, true, true, full},
    {"megatron-lm+megatron-core", "", "megatron-core", false, true, true, true, full},
    {"torchtitan+compile", "", "torchtitan-compile", false, false, false, false, unknown},
    {"torchtitan", "", "torchtitan-eager", false, false, false, false, unknown},
    {"deepspeed zero-3", "", "deepspeed-zero3-2021", true, true, true, false, hardware},
    {"gpt-neox+flash", "", "deepspeed-megatron-flash", false, true, true, false, hardware},
    {"gpt-neox", "", "deepspeed-megatron", false, true, true, false, hardware},
    {"synapseai", "", "megatron-core", false, true, true, true, full},
    {"megatron-deepspeed", "", "deepspeed-3d", true, true, true, false, hardware},
    {"megatron-lm+1f1b", "", "megatron-lm-2023", true, true, false, false, unknown},
    {"megatron-lm 2021", "", "megatron-lm-2021", true, true, true, false, hardware},
    {"megatron-lm ptd", "", "megatron-lm-2021", true, true, true, false, hardware},
    // No year in the name: the release that was current on the device.
    {"megatron-lm", "v100", "megatron-lm-2021", true, true, true, false, hardware},
    {"megatron-lm", "a100", "megatron-lm-2022", true, true, true, false, hardware},
    {"megatron-lm", "h100", "megatron-core", false, true, true, true, full},
    {"flashattention", "", "llm-foundry-pure", false, false, false, false, full},
    {"maxtext", "", "maxtext", false, false, false, false, full},
    {"levanter", "", "maxtext", false, false, false, false, full},
    {"t5x", "", "maxtext", false, false, false, false, full, true},
    {"megascale", "", "megatron-core", false, true, true, true, full},
    {"metaseq", "", "llm-foundry-pure", true, true, false, false, hardware},
    {"pytorch fsdp", "", "pytorch-fsdp", false, false, false, false, full},
    {"meta internal", "h100", "megatron-core", false, true, true, true, full},
    {"meta internal", "", "nemo-24.07", false, true, true, true, full},
    {"colossal-ai", "", "pytorch-fsdp", false, false, false, false, full},
    {"axonn", "", "nemo-24.07", false, true, true, true, hardware},
    {"neuron", "", "nemo-24.07", false, false, false, true, full},
    {"ascendspeed", "", "nemo-24.07", false, true, true, true, full},
    {"hugging face", "", "torchtitan-eager", true, false, false, false, full},
    {"alpa", "", "alpa", true, true, false, true, hardware},
};

constexpr FrameworkRule any{"", "", "", true, false, false, false, unknown};

}  // namespace

const FrameworkRule& any_framework() { return any; }

bool reports_first_stage(const std::string& framework) { return contains(lower_case(framework), "deepspeed"); }

bool contains(const std::string& text, const char* words) {
    std::string_view rest = words;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('+'), rest.size());
        if (text.find(rest.substr(0, end)) == std::string::npos) return false;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return true;
}

const FrameworkRule* framework_rule(const std::string& framework, const std::string& device) {
    const std::string name = lower_case(framework), on = lower_case(device);
    for (const FrameworkRule& rule : rules)
        if (contains(name, rule.words) && contains(on, rule.device)) return &rule;
    return nullptr;
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

bool gated_by_count(const RowModel& row, Model m, bool stated) {
    if (!row.parameters) return stated;
    const auto miss = [&](bool branches) {
        m.activation = branches ? Activation::swiglu : Activation::gelu;
        return std::abs(parameters(m) / *row.parameters - 1);
    };
    return miss(stated) > 0.15 && miss(!stated) < 0.03 ? !stated : stated;
}

namespace {

bool states_fit(const Scenario& s, const AssumedSplit& split) {
    constexpr double share = 0.6;
    const double rank = parameters(s.model) / split.tensor / split.pipeline * s.recipe.bytes_per_parameter;
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
