// A plan for Hugging Face's Trainer: the model's config.json, a program that trains it on made-up tokens, and its
// arguments.

#include "core/files/launch/framework_flags.h"

#include "core/files/launch/launch.h"
#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

// The classes of transformers whose layers are these, and that take every size from their configuration.
enum class TrainerModel { none, llama, gpt2 };

TrainerModel trainer_model(const Model& m) {
    const bool biases = m.qkv_bias && m.out_bias && m.mlp_bias, none = !m.qkv_bias && !m.out_bias && !m.mlp_bias;
    if (has_experts(m) || has_latent_attention(m) || m.window.tokens > 0 || has_pattern(m)
        || m.further.depths > 0 || m.attention_gate || m.attention_sinks || m.parallel_blocks || m.qk_norm_width > 0
        || m.norms_per_layer != 2)
        return TrainerModel::none;
    if (m.norm == Norm::rms_norm && m.activation == Activation::swiglu && m.positions == Positions::rotary && none)
        return TrainerModel::llama;
    if (m.norm == Norm::layer_norm && m.activation == Activation::gelu && m.positions == Positions::learned && biases
        && m.tied_embeddings && m.kv_heads == m.heads && 1LL * m.heads * m.head_dim == m.hidden)
        return TrainerModel::gpt2;
    return TrainerModel::none;
}

std::string trainer_config(const Scenario& s) {
    const Model& m = s.model;
    if (trainer_model(m) == TrainerModel::gpt2)
        return text_of({{"model_type", "gpt2"},
                        {"n_layer", m.layers},
                        {"n_embd", m.hidden},
                        {"n_head", m.heads},
                        {"n_inner", m.ffn},
                        {"n_positions", std::max(s.recipe.sequence_length, m.position_rows)},
                        {"vocab_size", m.vocabulary},
                        {"resid_pdrop", m.dropout ? 0.1 : 0.0},
                        {"embd_pdrop", m.dropout ? 0.1 : 0.0},
                        {"attn_pdrop", m.dropout ? 0.1 : 0.0},
                        {"use_cache", false}});
    return text_of({{"model_type", "llama"},
                    {"num_hidden_layers", m.layers},
                    {"hidden_size", m.hidden},
                    {"num_attention_heads", m.heads},
                    {"num_key_value_heads", m.kv_heads},
                    {"head_dim", m.head_dim},
                    {"intermediate_size", m.ffn},
                    {"vocab_size", m.vocabulary},
                    {"max_position_embeddings", std::max(s.recipe.sequence_length, m.sequence_length)},
                    {"tie_word_embeddings", m.tied_embeddings},
                    {"use_cache", false}});
}

// Tokens are drawn, so that nothing has to be there; every step says how long it took.
constexpr const char* trainer_program = R"(import time

import torch
from transformers import (AutoConfig, AutoModelForCausalLM, HfArgumentParser, Trainer, TrainerCallback,
                          TrainingArguments, default_data_collator)
from dataclasses import dataclass


@dataclass
class Sizes:
    config: str = "config.json"
    model_max_length: int = 1024


class Tokens(torch.utils.data.Dataset):
    def __init__(self, samples, length, vocabulary):
        self.samples, self.length, self.vocabulary = samples, length, vocabulary

    def __len__(self):
        return self.samples

    def __getitem__(self, i):
        ids = torch.randint(self.vocabulary, (self.length,), generator=torch.Generator().manual_seed(i))
        return {"input_ids": ids, "labels": ids}


class StepTimes(TrainerCallback):
    def on_step_begin(self, args, state, control, **kwargs):
        self.began = time.perf_counter()

    def on_step_end(self, args, state, control, **kwargs):
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        self.took = time.perf_counter() - self.began

    def on_log(self, args, state, control, logs=None, **kwargs):
        if logs is not None and hasattr(self, "took"):
            logs["step"], logs["step_time"] = state.global_step, round(self.took, 6)


def main():
    sizes, training = HfArgumentParser((Sizes, TrainingArguments)).parse_args_into_dataclasses()
    config = AutoConfig.from_pretrained(sizes.config)
    model = AutoModelForCausalLM.from_config(config)
    samples = (training.max_steps * training.gradient_accumulation_steps * training.world_size
               * training.per_device_train_batch_size)
    tokens = Tokens(samples, sizes.model_max_length, config.vocab_size)
    trainer = Trainer(model=model, args=training, train_dataset=tokens, data_collator=default_data_collator)
    trainer.callback_handler.callbacks.insert(0, StepTimes())
    trainer.train()


if __name__ == "__main__":
    main()
)";

}  // namespace

Sentences beyond_trainer(const Scenario& s) {
    const Layout& l = s.layout;
    Sentences cannot;
    const auto demand = [&](bool can, std::string_view why) {
        if (!can) cannot.push_back(phrase(why));
    };
    demand(trainer_model(s.model) != TrainerModel::none,
           "This writer knows the Trainer's models of Llama's layers (RMS norm, SwiGLU, rotary positions, no biases) "
           "and of GPT-2's (layer norm, GELU, learned positions, biases, tied tables). This one is neither.");
    demand(l.model_parallel() == 1 && l.expert_parallel == 1,
           "The Trainer does not split a model by itself. Nearest: tensor, pipeline, context and expert parallel 1.");
    demand(l.zero_stage != 1, "The Trainer shards with FSDP, gradients included. Nearest: ZeRO stage 0, 2, 3.");
    demand(l.shard_group == 0 || (l.zero_stage == 3 && l.shard_group == s.machine.devices_per_node),
           "The Trainer's hybrid sharding is that of stage 3, within a node. Nearest: shard group of a node, or none.");
    demand(l.secondary_shard == 0, "The Trainer keeps no second copy of shards. Nearest: secondary shard 0.");
    demand(!l.offload.any(), "The Trainer keeps everything on the device here. Nearest: no offloading.");
    demand(l.recompute != Recompute::selective && !l.recomputes_some(),
           "The Trainer recomputes whole layers, all of them. Nearest: recompute none, full.");
    demand(s.recipe.precision != Precision::fp8, "The Trainer has no fp8 products. Nearest: bf16.");
    demand(s.recipe.optimizer == Optimizer::adam || s.recipe.optimizer == Optimizer::adafactor
               || s.recipe.optimizer == Optimizer::adam_8bit || s.recipe.optimizer == Optimizer::sgd,
           "The Trainer shards no factors of K-FAC or Shampoo. Nearest: adam, adam-8bit, sgd.");
    return cannot;
}

std::string trainer_files(const Scenario& s) {
    return "mkdir -p model && cat > model/config.json <<'EOF'\n" + trainer_config(s) + "EOF\ncat > train.py <<'EOF'\n"
         + trainer_program + "EOF\n\n";
}

Arguments trainer_arguments(const Scenario& s) {
    const Layout& l = s.layout;
    const Recipe& r = s.recipe;
    Arguments all;
    const auto add = [&](const char* name, std::string value) { all.push_back({name, std::move(value)}); };
    add("--config", "model");
    add("--model_max_length", std::to_string(r.sequence_length));
    add("--per_device_train_batch_size", std::to_string(l.micro_batch));
    add("--gradient_accumulation_steps", std::to_string(std::max(1, micro_batches(s))));
    add("--max_steps", std::to_string(training_steps(s)));
    if (r.precision == Precision::bf16) add("--bf16", "True");
    if (r.precision == Precision::fp16) add("--fp16", "True");
    if (l.recompute == Recompute::full) add("--gradient_checkpointing", "True");
    const char* optimizer = r.optimizer == Optimizer::sgd       ? "sgd"
                          : r.optimizer == Optimizer::adafactor ? "adafactor"
                          : r.optimizer == Optimizer::adam_8bit ? "adamw_bnb_8bit"
                                                                : "adamw_torch";
    add("--optim", optimizer);
    if (l.zero_stage > 0)
        add("--fsdp", std::string(l.zero_stage == 2      ? "'shard_grad_op"
                                  : l.shard_group > 0 ? "'hybrid_shard"
                                                         : "'full_shard")
                          + " auto_wrap'");
    if (s.machine.host.link == ByteRate{}) add("--use_cpu", "True");
    for (const auto& [name, value] :
         {std::pair{"--output_dir", "out"}, {"--save_strategy", "no"}, {"--eval_strategy", "no"},
          {"--report_to", "none"},
          {"--logging_steps", "1"}, {"--logging_first_step", "True"}, {"--dataloader_num_workers", "1"}})
        add(name, value);
    return all;
}

}  // namespace plimsoll::files
