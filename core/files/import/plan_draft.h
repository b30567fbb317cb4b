#pragma once
// A plan while settings of a framework are taken into it. Internal to core/files/import.

#include "core/answers/plan/software.h"
#include "core/files/import/dialects.h"
#include "core/files/import/imported_plan.h"
#include "core/files/presets/library.h"
#include "core/files/settings/settings.h"

#include <optional>
#include <set>
#include <span>
#include <vector>

namespace plimsoll::files {

struct PlanDraft {
    Model model;
    Layout layout;
    Recipe recipe;
    std::set<std::string, std::less<>> said;   // ids of the knobs that settings set: "model.layers"

    // What has to be combined before it is a value of the plan.
    int nodes = 0, devices_per_node = 0, devices = 0;
    std::optional<double> steps, samples, tokens;
    std::optional<double> epochs;              // of a data set whose size no file says
    std::optional<double> length;              // OLMo-core: in the unit that is said beside it
    std::string length_unit;
    double batch_tokens = 0, micro_tokens = 0; // OLMo-core counts both in tokens
    double batch_of_device = 0;                // MaxText: sequences of a device, a fraction where several share one
    int data_ranks = 0;                        // nanotron
    double ffn_ratio = 0;                      // of the hidden size
    bool ratio_holds_both = false;             // OLMo counts both halves of a gated block
    int ffn_of_both = 0;                       // OLMo, the same as a width
    std::optional<bool> sums_in_fp32;          // gradients
    bool all_in_16_bits = false;               // weights and moments, too
    bool loads_16_bits = false;                // weights: what shards states keeps wider ones beside them
    bool tells_16_bits = false;                // gradients are said to be kept in 16 bits
    bool precision_aware = false;              // Megatron's optimizer keeps states in formats of their own:
    MomentFormat first_moment = MomentFormat::fp32, second_moment = MomentFormat::fp32;
    MasterFormat master = MasterFormat::fp32;
    bool bf16_moments = false;                 // torchtitan
    bool reuses_gradients = false;             // for gathered weights in MXFP8
    bool wide_ends = false;                    // Megatron's first and last layers in bf16, so many
    int wide_first = 1, wide_last = 1;
    bool unfused_attention = false, compiled = false;
    SoftwareSwitches switches;                 // how the software is run
    bool uses_deepspeed = false, pure_16_bits = false;
    bool zero_stated = false;                  // by a file of DeepSpeed
    std::string zero_file;                     // that says the stage
    bool launched = false;                     // the script is one of ours
    bool asynchronous = false;                 // torchtitan's tensor parallelism
    bool gated = false;                        // "gated_linear_unit"; the activation function is said apart
    std::string activation;
    bool grouped_queries = false;
    int replicas = 0, shards = 0;              // torchtitan: copies, and ranks that share one
    std::optional<bool> reshards;
    bool shards_a_node = false;                // FSDP's hybrid sharding: copies are of one node each
    std::optional<bool> megatron_fsdp;         // whether the strategy of sharding counts
    int fsdp_stage = 0;
    int optimizer_copies = 0;                  // Megatron's instances of the distributed optimizer
    double recomputed_share = 0;               // of the layers, where not all of them are
    int layers_per_chunk = 0, first_stage_layers = 0, last_stage_layers = 0;
    bool documents_apart = false;              // attention does not look from one document into another
    int accumulated = 0;                       // micro-batches of a step
    int local_batch = 0;                       // torchtitan: sequences of a data rank
    int micro_batches = 0;                     // torchtitan of 2024: of a pipeline's data rank
    std::string expert_layers;                 // "([0]*3+[1]*58)" or "2"
    double shared_expert_width = 0;
    std::string hybrid_pattern;                // Megatron's, a letter each half layer: "M-M*-|MEM*E/*E"
    Recurrence mamba{.head_dim = 64, .key_heads = 8, .key_dim = 128};   // heads as wide as 2 h together
    Recurrence delta{.heads = 32, .head_dim = 128, .key_heads = 16, .key_dim = 128};
    std::string model_name, model_flavor;      // as the framework calls it

    // Fine-tuning.
    Method method;
    bool from_weights = false;                 // training goes on from weights that are there
    std::optional<bool> adapters;              // what a switch says of them
    bool names_matrices = false;               // those with adapters
    int frozen_bits = 0;                       // 8 or 4 of weights that are not trained
    std::string frozen_by;                     // the setting that says so
    std::optional<bool> nested_scales;         // NF4's scales are quantised as well
    std::string stage;                         // LLaMA-Factory's: "sft", "pt"
    bool reference_computed = false;           // before the run
    bool reference_apart = false;              // a model of its own
    bool packs = false;                        // samples are put into one row
    std::optional<bool> packed;                // whether they are, where a file says it
    bool padding_free = false, pads_to_length = false;   // one after the other; each to the length of a sequence
    bool liger = false, unsloth = false;       // kernels in the place of the model's own
    int loss_chunks = 0;                       // 0: as the software has it
    std::optional<double> steps_of_epoch;      // torchtune
    std::string nearest;                       // a sentence of the row that took a value for another
};

// What one setting means. `take` answers whether the value was understood.
struct SettingRow {
    std::string_view key;    // "num_layers"; of frameworks that group their settings with the group
    const char* knob;        // whose label says what it is
    bool (*take)(PlanDraft&, const Setting&);
};
std::span<const SettingRow> megatron_rows();     // also NeMo's, Megatron-Bridge's and Primus' names
std::span<const SettingRow> launcher_rows();     // how many nodes and devices: torchrun, srun, schedulers
std::span<const SettingRow> torchtitan_rows();
std::span<const SettingRow> deepspeed_rows();
std::span<const SettingRow> fsdp_rows();
std::span<const SettingRow> huggingface_rows();      // arguments of its Trainer, accelerate's YAML
std::span<const SettingRow> axolotl_rows();
std::span<const SettingRow> automodel_rows();
std::span<const SettingRow> llm_foundry_rows();
std::span<const SettingRow> olmo_rows();
std::span<const SettingRow> olmo_core_rows();
std::span<const SettingRow> nanotron_rows();
std::span<const SettingRow> maxtext_rows();
std::span<const SettingRow> torchtune_rows();
std::span<const SettingRow> adapter_rows();          // PEFT's words, and those of trainers around it and Megatron
std::span<const SettingRow> spoken_rows();           // what a file of arguments states beside any of them
// The dialect's own, then those of what it is started with.
std::vector<std::span<const SettingRow>> rows_of(Dialect, const Signs&);

// Settings that change neither time nor memory of a plan: by their name, or how it begins or ends.
bool has_no_effect(std::string_view key);

// ---- Models by name

// The preset that a name of a framework or of Hugging Face means: "meta-llama/Meta-Llama-3-8B", "llama3.1_8B.yaml".
const Model* model_named(const Library&, const std::string& name);
// One of the same layers and widths, with the same vocabulary where there is one; null if there is none.
const Model* model_of_shape(const Library&, const Model&);

// What a framework's model is where no setting says otherwise: Megatron-LM's is GPT-2, nanotron's Llama.
void take_defaults(PlanDraft&, Dialect, const Model* base);
// Widths and switches that follow from others; `whole`: what the settings leave out is as the framework has it.
void settle_model(PlanDraft&, const Model* base, bool whole);

// ---- Taking values

bool take_whole(int& field, const Setting&, int low = 1);
bool take_flag(bool& field, const Setting&);
bool take_number(std::optional<double>& field, const Setting&);   // above 0
bool take_precision(PlanDraft&, const Setting&);                  // "bf16-mixed", "amp_bf16", "bfloat16"
bool take_optimizer(PlanDraft&, const Setting&);
bool take_attention(PlanDraft&, const Setting&);                  // "flash_attention_2", "local"
bool take_activation(PlanDraft&, const Setting&);                 // "fast-swiglu", "torch.nn.functional.silu"
bool take_dropout(PlanDraft&, const Setting&);                    // a share; any above 0 is dropout
bool take_zero_stage(PlanDraft&, const Setting&);                 // of DeepSpeed
bool take_zero_file(PlanDraft&, const Setting&);                  // "ds_z3_config.json"
bool take_sharding(PlanDraft&, const Setting&);                   // FSDP's "FULL_SHARD" in any spelling
bool take_adapted(PlanDraft&, const Setting&);                    // "[q_proj, v_proj]", "linear_qkv", "all-linear"
bool take_adapted_head(PlanDraft&, const Setting&);               // a switch
bool take_adapter_dropout(PlanDraft&, const Setting&);
bool take_dora(PlanDraft&, const Setting&);
bool take_packed(PlanDraft&, const Setting&);                     // rows that look from no sample into another
bool asks_for_adapters(const PlanDraft&);
bool take_offloaded_activations(PlanDraft&, const Setting&);      // of all layers that are recomputed
inline bool flag_said(const Setting& s) {
    bool value = false;
    return take_flag(value, s) && value;
}

}  // namespace plimsoll::files
