// A plan of fine-tuning as torchtune's YAML, axolotl's YAML and what Megatron-Bridge's settings say of adapters. Every
// text of these files is ours: of the plan they hold numbers alone.

#include "core/files/launch/framework_flags.h"

#include "core/files/launch/batch.h"
#include "core/files/launch/launch.h"
#include "core/values/basics/phrase.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>
#include <concepts>

namespace plimsoll::files {

namespace {

// A YAML file line by line.
class YamlLines {
public:
    void group(const char* name) { text_ += std::string(name) + ":\n", indent_ = "  "; }
    void top() { indent_.clear(); }
    void add(const char* key, const std::string& value) { text_ += indent_ + key + ": " + value + "\n"; }
    void add(const char* key, const char* value) { add(key, std::string(value)); }
    template <std::integral T>
    void add(const char* key, T value) {
        if constexpr (std::same_as<T, bool>) add(key, value ? "true" : "false");
        else add(key, std::to_string(value));
    }
    void say(const std::string& sentence) { text_ += indent_ + comment_line(sentence); }
    std::string text() && { return std::move(text_); }

private:
    std::string text_, indent_;
};

constexpr const char* to_fill_in = "FILL_IN";

// The share changes no cost: PEFT's usual one.
const char* dropout_of(const Method& m) { return m.adapter_dropout ? "0.05" : "0.0"; }

std::string in_brackets(const std::string& words) { return "[" + words + "]"; }

// Of attention and feed-forward blocks, without what names no matrix.
AdaptedMatrices dense_matrices(AdaptedMatrices a) { return a.experts = a.mixer = false, a; }

bool all_or_none(std::initializer_list<bool> parts) {
    return std::ranges::all_of(parts, [&](bool p) { return p == *parts.begin(); });
}

// Of adapters the bytes of a parameter hardly count, so that another format is said and no obstacle.
Sentences other_states(const Scenario& s, const StateFormat& kept, std::string_view who) {
    if (s.recipe.precision == Precision::fp32 || s.recipe.state_format.same_formats(kept)) return {};
    return {phrase("{1} keeps {2} bytes per trained parameter here, the plan {3}.", who,
                   shortest(bytes_per_parameter(kept)), shortest(bytes_per_parameter(s.recipe.state_format)))};
}

void need_replicas_alone(const Scenario& s, std::string_view who, Sentences& cannot) {
    const Layout& l = s.layout;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    demand(l.model_parallel() == 1 && l.expert_parallel == 1,
           "{1}'s file here splits no model. Nearest: tensor, pipeline, context and expert parallel 1.");
    demand(l.recompute != Recompute::selective && !l.recomputes_some(),
           "{1} recomputes whole layers, all of them. Nearest: recompute none, full.");
    demand(!has_experts(s.model) || !trains_adapters(s.method) || !s.method.adapted.experts,
           "{1}'s file here names no experts. Nearest: no adapters of routed experts.");
    demand(!trains_adapters(s.method) || !s.method.fused_adapters,
           "{1} has an adapter for each matrix. Nearest: no adapters of fused matrices.");
    demand(s.recipe.precision != Precision::fp8, "{1}'s file here asks for no fp8. Nearest: bf16.");
    demand(l.micro_batch % sequences_of_sample(s) == 0,
           "{1} counts pairs of answers, each two sequences. Nearest: an even micro-batch.");
}

void need_fsdp(const Scenario& s, std::string_view who, Sentences& cannot) {
    const Layout& l = s.layout;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    demand(l.data_parallel == 1 || l.zero_stage != 1,
           "{1}'s file here shards with FSDP, gradients included. Nearest: ZeRO stage 2, 3.");
    demand(l.shard_group == 0 || l.shard_group >= l.data_parallel,
           "{1}'s file here shards over all devices. Nearest: shard group 0.");
    demand(l.secondary_shard == 0, "{1} keeps no second copy of the weights. Nearest: secondary shard 0.");
}

bool prefers(const Scenario& s) { return s.method.purpose == Purpose::preference; }

// ---- torchtune: its builders (torchtune/models, 0.6) by shape. The vocabulary tells Llama 2 and Mistral from Llama 3.
struct TuneModel {
    const char *family, *name;
    int layers, hidden, heads, kv_heads, ffn, vocabulary;
    const char *tokenizer, *type;
};
constexpr const char* llama3_tokens = "llama3.llama3_tokenizer";
constexpr const char* qwen_tokens = "qwen2_5.qwen2_5_tokenizer";
constexpr TuneModel tune_models[] = {
    {"llama3_1", "llama3_1_8b", 32, 4096, 32, 8, 14336, 128256, llama3_tokens, "LLAMA3"},
    {"llama3_1", "llama3_1_70b", 80, 8192, 64, 8, 28672, 128256, llama3_tokens, "LLAMA3"},
    {"llama3_1", "llama3_1_405b", 126, 16384, 128, 8, 53248, 128256, llama3_tokens, "LLAMA3"},
    {"llama3_2", "llama3_2_1b", 16, 2048, 32, 8, 8192, 128256, llama3_tokens, "LLAMA3_2"},
    {"llama3_2", "llama3_2_3b", 28, 3072, 24, 8, 8192, 128256, llama3_tokens, "LLAMA3_2"},
    {"llama2", "llama2_7b", 32, 4096, 32, 32, 11008, 32000, "llama2.llama2_tokenizer", "LLAMA2"},
    {"llama2", "llama2_13b", 40, 5120, 40, 40, 13824, 32000, "llama2.llama2_tokenizer", "LLAMA2"},
    {"llama2", "llama2_70b", 80, 8192, 64, 8, 28672, 32000, "llama2.llama2_tokenizer", "LLAMA2"},
    {"mistral", "mistral_7b", 32, 4096, 32, 8, 14336, 32000, "mistral.mistral_tokenizer", "MISTRAL"},
    {"gemma", "gemma_2b", 18, 2048, 8, 1, 16384, 256000, "gemma.gemma_tokenizer", "GEMMA"},
    {"gemma", "gemma_7b", 28, 3072, 16, 16, 24576, 256000, "gemma.gemma_tokenizer", "GEMMA"},
    {"gemma2", "gemma2_2b", 26, 2304, 8, 4, 9216, 256000, "gemma.gemma_tokenizer", "GEMMA2"},
    {"gemma2", "gemma2_9b", 42, 3584, 16, 8, 14336, 256000, "gemma.gemma_tokenizer", "GEMMA2"},
    {"gemma2", "gemma2_27b", 46, 4608, 32, 16, 36864, 256000, "gemma.gemma_tokenizer", "GEMMA2"},
    {"qwen2_5", "qwen2_5_0_5b", 24, 896, 14, 2, 4864, 151936, qwen_tokens, "QWEN2"},
    {"qwen2_5", "qwen2_5_1_5b_base", 28, 1536, 12, 2, 8960, 151936, qwen_tokens, "QWEN2"},
    {"qwen2_5", "qwen2_5_3b", 36, 2048, 16, 2, 11008, 151936, qwen_tokens, "QWEN2"},
    {"qwen2_5", "qwen2_5_7b_base", 28, 3584, 28, 4, 18944, 152064, qwen_tokens, "QWEN2"},
    {"qwen2_5", "qwen2_5_14b_base", 48, 5120, 40, 8, 13824, 152064, qwen_tokens, "QWEN2"},
    {"qwen2_5", "qwen2_5_32b_base", 64, 5120, 40, 8, 27648, 152064, qwen_tokens, "QWEN2"},
    {"qwen2_5", "qwen2_5_72b_base", 80, 8192, 64, 8, 29568, 152064, qwen_tokens, "QWEN2"},
};

const TuneModel* tune_model(const Model& m) {
    constexpr double padding = 1.02;
    for (const TuneModel& t : tune_models) {
        const double times = double(m.vocabulary) / t.vocabulary;
        if (t.layers == m.layers && t.hidden == m.hidden && t.heads == m.heads && t.kv_heads == m.kv_heads
            && t.ffn == m.ffn && !has_experts(m) && !has_pattern(m) && times < padding && times > 1 / padding)
            return &t;
    }
    return nullptr;
}

}  // namespace

std::string torchtune_recipe(const Scenario& s) {
    return std::string(trains_adapters(s.method) ? "lora" : "full") + (prefers(s) ? "_dpo_" : "_finetune_")
         + (s.layout.devices == 1 ? "single_device" : "distributed");
}

Sentences beyond_torchtune(const Scenario& s) {
    const std::string_view who = title_of(Framework::torchtune);
    const Layout& l = s.layout;
    const Method& m = s.method;
    const AdaptedMatrices a = dense_matrices(m.adapted);
    Sentences cannot;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    demand(tune_model(s.model),
           "{1}'s files name a model that its code defines: here Llama 2 and 3, Mistral 7B, Gemma 1 and 2, Qwen2.5. "
           "This one it has not.");
    need_replicas_alone(s, who, cannot);
    need_fsdp(s, who, cannot);
    if (prefers(s)) {
        demand(trains_adapters(m) || l.devices > 1,
               "{1} has no recipe for preferences that trains all weights on one device. Nearest: adapters.");
        demand(m.reference == (trains_adapters(m) ? Reference::adapters_off : Reference::resident),
               "{1}'s reference model is the model without its adapters, or a copy beside all weights. Nearest: "
               "these.");
        demand(s.stack.loss.chunks == 1, "{1}'s loss over pairs takes all tokens at once. Nearest: loss in 1 piece.");
    }
    demand(l.data_parallel == 1 || l.zero_stage > 0, "{1} keeps no whole copies. Nearest: ZeRO stage 2, 3.");
    if (trains_adapters(m)) {
        demand(!m.trains_tables, "{1} trains adapters alone. Nearest: tables not trained.");
        demand(m.frozen == FrozenFormat::as_products || m.frozen == FrozenFormat::nf4_double,
               "{1} keeps frozen weights in 16 bits or in NF4 with double quantisation. Nearest: these.");
        demand(all_or_none({a.gate, a.up, a.down}),
               "{1} adapts all of a feed-forward block or nothing. Nearest: gate, up and down together.");
        demand(a.query || a.key || a.value || a.output,
               "{1} adapts at least one matrix of attention. Nearest: queries.");
    } else
        demand(other_states(s, StateFormat::all_16bit, who).empty(),
               "{1} keeps weights, gradients and moments in bf16. Nearest: 8 bytes per parameter.");
    demand(s.recipe.precision != Precision::fp16, "{1} scales no loss. Nearest: bf16.");
    const RowKind rows = s.recipe.rows;
    demand(filling_of(s.recipe).whole() || rows == RowKind::padded_to_longest,
           "{1} packs rows, or pads them to the longest of a batch. Nearest: packed, padded_to_longest.");
    const Optimizer o = s.recipe.optimizer;
    demand(o == Optimizer::adam || o == Optimizer::adam_8bit || o == Optimizer::sgd,
           "{1}'s file here knows AdamW, its 8-bit form and SGD. Nearest: adam, adam-8bit, sgd.");
    const Offload& off = l.offload;
    const bool all_on_host = off.weights == Tier::host && off.gradients == Tier::host && off.optimizer == Tier::host;
    demand(!s.recipe.updates_in_backward || !trains_adapters(s.method),
           "{1} updates in the backward pass where all weights are tuned. Nearest: updates_in_backward off.");
    const bool paged = off.optimizer == Tier::host && off.paged_optimizer;
    if (paged) demand(l.devices == 1, "{1} pages states of one device alone. Nearest: one device.");
    else
        demand(!off.states() || (all_on_host && l.devices > 1),
               "{1} moves weights, gradients and optimizer to the host together (FSDP). Nearest: all, none.");
    demand(!off.swaps() || (off.activations == Tier::host && l.recompute == Recompute::full),
           "{1} sends the inputs of recomputed layers to the host. Nearest: full recomputation, host memory.");
    return cannot;
}

std::string torchtune_yaml(const Scenario& s) {
    const TuneModel* model = tune_model(s.model);
    if (!model) return {};
    const Layout& l = s.layout;
    const Method& m = s.method;
    YamlLines y;
    const bool packed = filling_of(s.recipe).whole();
    y.say("What is marked FILL_IN is yours: weights, tokenizer and data. torchtune saves at the end.");
    if (packed)
        y.say(prefers(s) ? "The plan counts rows that are full; a pair's are padded to the longer answer of the batch."
                         : "The plan counts rows that are full, so they are packed.");
    if (trains_adapters(m))
        for (const std::string& each : other_states(s, StateFormat::all_16bit, title_of(Framework::torchtune)))
            y.say(each);
    if (l.offload.swaps() && (l.offload.solve_share || l.offload.activation_share < 1))
        y.say("torchtune sends all inputs of layers to the host, the plan a share of them.");
    y.group("model");
    y.add("_component_", std::string("torchtune.models.") + model->family + "." + (trains_adapters(m) ? "lora_" : "")
                             + model->name);
    if (trains_adapters(m)) {
        AdaptedMatrices attention = dense_matrices(m.adapted);
        attention.gate = attention.up = attention.down = false;
        std::string names = names_of_adapted(attention);
        if (const auto at = names.find("o_proj"); at != names.npos) names.replace(at, 6, "output_proj");
        y.add("lora_attn_modules", in_brackets(names));
        y.add("apply_lora_to_mlp", m.adapted.gate);
        // Gemma's builders, whose tables are tied, do not take it.
        if (!std::string_view(model->family).starts_with("gemma")) y.add("apply_lora_to_output", false);
        y.add("lora_rank", m.rank);
        y.add("lora_alpha", 2 * m.rank);
        y.add("lora_dropout", dropout_of(m));
        if (m.magnitudes) y.add("use_dora", true);
        if (quantises_frozen(m)) y.add("quantize_base", true);
    }
    y.group("tokenizer");
    y.add("_component_", std::string("torchtune.models.") + model->tokenizer);
    y.add("path", to_fill_in);
    if (model->tokenizer == qwen_tokens) y.add("merges_file", to_fill_in);
    y.add("max_seq_len", s.recipe.sequence_length);
    for (const char* weights : {"checkpointer", "ref_checkpointer"}) {
        if (weights == std::string_view("ref_checkpointer") && !keeps_reference(m)) continue;
        y.group(weights);
        y.add("_component_", "torchtune.training.FullModelHFCheckpointer");
        y.add("checkpoint_dir", to_fill_in);
        y.add("checkpoint_files", in_brackets(to_fill_in));
        y.add("output_dir", "out");
        y.add("model_type", model->type);
    }
    y.group("dataset");
    y.add("_component_", prefers(s) ? "torchtune.datasets.stack_exchange_paired_dataset   # FILL_IN: or yours"
                                    : "torchtune.datasets.alpaca_dataset   # FILL_IN: or yours");
    if (!prefers(s)) y.add("packed", packed);
    y.group("optimizer");
    const Optimizer o = s.recipe.optimizer;
    const bool paged = s.layout.offload.paged_optimizer && s.layout.offload.optimizer == Tier::host;
    y.add("_component_", o == Optimizer::adam_8bit ? paged ? "bitsandbytes.optim.PagedAdamW8bit"
                                                           : "bitsandbytes.optim.AdamW8bit"
                         : o == Optimizer::sgd     ? "torch.optim.SGD"
                         : paged                   ? "bitsandbytes.optim.PagedAdamW"
                                                   : "torch.optim.AdamW");
    if (o == Optimizer::adam && !paged) y.add("fused", true);
    y.add("lr", "2e-5   # FILL_IN");
    y.group("lr_scheduler");
    y.add("_component_", "torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup");
    y.add("num_warmup_steps", 100);
    y.group("loss");
    y.add("_component_", prefers(s) ? "torchtune.rlhf.loss.DPOLoss" : "torchtune.modules.loss.LinearCrossEntropyLoss");
    if (!prefers(s)) y.add("num_output_chunks", s.stack.loss.chunks);
    y.group("metric_logger");
    y.add("_component_", "torchtune.training.metric_logging.StdoutLogger");
    y.top();
    y.add("output_dir", "out");
    y.add("resume_from_checkpoint", false);
    y.add("seed", "null");
    y.add("shuffle", true);
    y.add("batch_size", l.micro_batch / sequences_of_sample(s));
    y.add("gradient_accumulation_steps", micro_batches(s));
    const double epochs = s.recipe.examples > 0 ? std::max(1.0, std::ceil(s.recipe.epochs)) : 1;
    y.add("epochs", int(epochs));
    y.add("max_steps_per_epoch", (long long)std::ceil(training_steps(s) / epochs));
    y.add("clip_grad_norm", "null");
    y.add("compile", !s.stack.memory.eager_layers);
    if (!trains_adapters(m)) y.add("optimizer_in_bwd", s.recipe.updates_in_backward);
    y.add("log_level", "INFO");
    y.add("log_every_n_steps", 1);
    y.add("log_peak_memory_stats", true);
    y.add("device", "cuda");
    y.add("dtype", s.recipe.precision == Precision::fp32 ? "fp32" : "bf16");
    y.add("enable_activation_checkpointing", l.recompute == Recompute::full);
    y.add("enable_activation_offloading", l.offload.swaps());
    if (l.devices > 1) {
        y.add("fsdp_cpu_offload", l.offload.states());
        y.add("fsdp_reshard_after_forward", l.zero_stage == 3);
    }
    return std::move(y).text();
}

// ---- axolotl: any model of Hugging Face, which the user names

namespace {

bool over_deepspeed(const Scenario& s) { return s.stack.software == Software::transformers_deepspeed; }

}  // namespace

Sentences beyond_axolotl(const Scenario& s) {
    const std::string_view who = title_of(Framework::axolotl);
    Sentences cannot;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    need_replicas_alone(s, who, cannot);
    const bool deepspeed = over_deepspeed(s);
    if (!deepspeed) {
        need_fsdp(s, who, cannot);
        demand(!s.layout.offload.states(), "{1}'s file here keeps states on the device. Nearest: no offloading.");
    } else
        for (const std::string& why : beyond_deepspeed(s)) cannot.push_back(why);
    // Its kernels of adapters read weights in 16 or 4 bits.
    demand(s.stack.kernels.adapter_fusion == 0 || s.method.frozen != FrozenFormat::int8 || !trains_adapters(s.method),
           "{1}'s fused kernels of adapters do not go with weights in int8. Nearest: nf4, or unfused adapters.");
    demand(!s.layout.offload.swaps()
               || (s.layout.offload.activations == Tier::host && s.layout.recompute == Recompute::full),
           "{1} sends the inputs of recomputed layers to the host. Nearest: full recomputation, host memory.");
    const Optimizer o = s.recipe.optimizer;
    demand(o == Optimizer::adam || o == Optimizer::adam_8bit || o == Optimizer::adafactor || o == Optimizer::sgd,
           "{1}'s file here knows AdamW, its 8-bit form, Adafactor and SGD. Nearest: adam, adam-8bit.");
    const bool known = deepspeed || s.recipe.state_format.same_formats(StateFormat::all_16bit)
                    || s.recipe.state_format.same_formats(StateFormat::fp32_moments);
    demand(filling_of(s.recipe).whole() || s.recipe.rows != RowKind::padding_free,
           "{1} packs rows or pads them. Nearest: packed, padded, padded_to_longest.");
    demand(trains_adapters(s.method) || known || s.recipe.precision == Precision::fp32,
           "{1} keeps 16 bytes per parameter, or 8 all in 16 bits. Nearest: 8, 16.");
    demand(s.stack.kernels.adapter_fusion == 0 || (!trains_magnitudes(s.method) && !drops_inputs(s.method)),
           "{1}'s fused kernels of adapters take neither dropout nor magnitudes. Nearest: neither.");
    demand(!trains_adapters(s.method) || !has_recurrence(s.model) || !s.method.adapted.mixer,
           "{1}'s file here names no mixers. Nearest: no adapters of other mixers.");
    return cannot;
}

std::string axolotl_yaml(const Scenario& s, bool timed) {
    const Layout& l = s.layout;
    const Recipe& r = s.recipe;
    const Method& m = s.method;
    const bool narrow = r.state_format.same_formats(StateFormat::all_16bit);
    YamlLines y;
    const bool packed = filling_of(r).whole();
    y.say("What is marked FILL_IN is yours: the weights, as a repository or a folder, and the data.");
    if (packed)
        y.say(prefers(s) ? "The plan counts rows that are full; a pair's are padded to the longest answer of the batch."
                         : "The plan counts rows that are full, so they are packed.");
    if (!narrow && !over_deepspeed(s))
        for (const std::string& each : other_states(s, StateFormat::fp32_moments, title_of(Framework::axolotl)))
            y.say(each);
    y.add("base_model", to_fill_in);
    if (trains_adapters(m)) {
        const bool four = m.frozen == FrozenFormat::nf4 || m.frozen == FrozenFormat::nf4_double;
        y.add("adapter", four ? "qlora" : "lora");
        y.add("lora_r", m.rank);
        y.add("lora_alpha", 2 * m.rank);
        y.add("lora_dropout", dropout_of(m));
        if (m.magnitudes) y.add("peft_use_dora", true);
        y.add("lora_target_modules", in_brackets(names_of_adapted(dense_matrices(m.adapted))));
        if (m.trains_tables) y.add("lora_modules_to_save", "[embed_tokens, lm_head]");
        if (m.frozen == FrozenFormat::int8) y.add("load_in_8bit", true);
        if (four) {
            y.add("load_in_4bit", true);
            y.group("bnb_config_kwargs");
            y.add("bnb_4bit_quant_type", "nf4");
            y.add("bnb_4bit_use_double_quant", m.frozen == FrozenFormat::nf4_double);
            y.top();
        }
        if (s.stack.kernels.adapter_fusion > 0)
            for (const char* kernel : {"lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel"}) y.add(kernel, true);
    }
    if (s.stack.loss.repeats_head()) {
        y.add("plugins", "[axolotl.integrations.liger.LigerPlugin]");
        y.add(prefers(s) ? "dpo_use_liger_kernel" : "liger_fused_linear_cross_entropy", true);
    }
    if (prefers(s)) {
        y.add("rl", "dpo");
        if (m.reference == Reference::precomputed) y.add("precompute_ref_log_probs", true);
        if (keeps_reference(m) && trains_adapters(m)) y.add("rl_adapter_ref_model", true);
    }
    y.add("datasets", std::string("[{path: ") + to_fill_in
                          + (prefers(s) ? ", type: chat_template.default}]" : ", type: chat_template}]"));
    y.add("sequence_len", r.sequence_length);
    if (!prefers(s)) {   // axolotl packs no pairs
        y.add("sample_packing", packed);
        y.add("pad_to_sequence_len", packed || r.rows == RowKind::padded);
    }
    y.add("micro_batch_size", l.micro_batch / sequences_of_sample(s));
    y.add("gradient_accumulation_steps", micro_batches(s));
    y.add("max_steps", training_steps(s));
    y.add("optimizer", r.optimizer == Optimizer::adam_8bit   ? "adamw_bnb_8bit"
                       : r.optimizer == Optimizer::adafactor ? "adafactor"
                       : r.optimizer == Optimizer::sgd       ? "sgd"
                                                             : "adamw_torch_fused");
    y.add("learning_rate", "2e-5   # FILL_IN");
    y.add("lr_scheduler", "cosine");
    if (r.precision == Precision::bf16) y.add(narrow ? "bfloat16" : "bf16", true);
    if (r.precision == Precision::fp16) y.add("fp16", true);
    if (r.precision == Precision::fp32) y.add("bf16", false);
    y.add("gradient_checkpointing", l.recompute == Recompute::full);
    if (l.offload.swaps()) y.add("activation_offloading", true);
    y.add(s.stack.kernels.attention == Attention::flash ? "flash_attention" : "eager_attention", true);
    if (over_deepspeed(s)) y.add("deepspeed", "ds_config.json");
    else if (l.zero_stage >= 2 && l.data_parallel > 1) {
        y.add("fsdp_version", 2);
        y.group("fsdp_config");
        y.add("auto_wrap_policy", "TRANSFORMER_BASED_WRAP");
        y.add("reshard_after_forward", l.zero_stage == 3);
        y.top();
    }
    y.add("output_dir", "out");
    y.add("logging_steps", 1);
    if (timed) y.add("save_strategy", "\"no\"");
    else y.add("save_steps", save_interval(s));
    return std::move(y).text();
}

// ---- Megatron-Bridge: LoRA beside the fused matrices of its layers, CanonicalLoRA beside their parts

Sentences beyond_bridge_tuning(const Scenario& s) {
    if (!tunes(s.method)) return {};
    const Method& m = s.method;
    const AdaptedMatrices& a = m.adapted;
    const std::string_view who = title_of(Framework::bridge);
    Sentences cannot;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    demand(filling_of(s.recipe).whole() || s.recipe.rows != RowKind::padding_free,
           "{1} packs rows or pads them. Nearest: packed, padded, padded_to_longest.");
    demand(s.recipe.rows != RowKind::packed || s.layout.micro_batch == 1,
           "{1} takes one packed row at a time. Nearest: a micro-batch of 1.");
    if (!trains_adapters(m)) return cannot;
    demand(!quantises_frozen(m), "{1} keeps frozen weights in the format of the products. Nearest: as_products.");
    demand(!m.trains_tables, "{1} trains adapters alone. Nearest: tables not trained.");
    demand(!m.magnitudes, "{1}'s settings here name no magnitudes (DoRA). Nearest: none.");
    demand(!m.fused_adapters || (all_or_none({a.query, a.key, a.value}) && all_or_none({a.gate, a.up})),
           "{1}'s adapters of fused matrices take queries, keys and values together, and gate with its branch. "
           "Nearest: these together, or no adapters of fused matrices.");
    demand(!has_experts(s.model) || a.experts || !(a.gate || a.up || a.down),
           "{1} finds feed-forward matrices of experts by the same names. Nearest: adapters of routed experts.");
    demand(!has_latent_attention(s.model), "{1}'s names of latent attention are not written here.");
    return cannot;
}

// Keys of GPTSFTDatasetConfig, as of August 2026.
std::string bridge_data(const Scenario& s) {
    const Recipe& r = s.recipe;
    const bool packed = r.rows == RowKind::packed;
    YamlLines y;
    if (packed && r.document_length <= 0) y.say("The plan counts rows that are full, so they are packed.");
    y.group("dataset");
    y.add("seq_length", r.sequence_length);
    y.add("enable_offline_packing", packed);
    y.add("offline_packing_specs",
          packed ? "{packed_sequence_size: " + std::to_string(r.sequence_length) + "}" : std::string("null"));
    y.add("dataset_kwargs", std::string("{pad_to_max_length: ")
                                + (packed || r.rows == RowKind::padded ? "true" : "false") + "}");
    return std::move(y).text();
}

std::string bridge_adapters(const Scenario& s) {
    const Method& m = s.method;
    const AdaptedMatrices& a = m.adapted;
    if (!trains_adapters(m)) return {};
    std::string names;
    const auto target = [&](bool on, const char* name) {
        if (on) names.append(names.empty() ? "" : ", ").append(name);
    };
    if (m.fused_adapters) target(a.query, "linear_qkv");
    else target(a.query, "linear_q"), target(a.key, "linear_k"), target(a.value, "linear_v");
    target(a.output, "linear_proj");
    if (m.fused_adapters) target(a.gate, "linear_fc1");
    else target(a.gate, "linear_fc1_gate"), target(a.up, "linear_fc1_up");
    target(a.down, "linear_fc2");
    if (has_recurrence(s.model) && a.mixer) target(true, "in_proj"), target(true, "out_proj");
    YamlLines y;
    y.say(m.fused_adapters ? "Over a recipe with peft_scheme lora, whose adapters stand beside fused matrices."
                           : "These names are CanonicalLoRA's: over a recipe whose peft is of that class.");
    y.group("peft");
    y.add("dim", m.rank);
    y.add("alpha", 2 * m.rank);
    y.add("dropout", dropout_of(m));
    y.add("target_modules", in_brackets(names));
    // Otherwise those of a rank share one.
    if (has_experts(s.model) && a.experts) y.add("share_expert_adapters", false);
    return std::move(y).text();
}

}  // namespace plimsoll::files
