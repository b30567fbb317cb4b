#include "core/files/measured/log_dialects.h"

#include "core/values/basics/phrase.h"

namespace plimsoll {

std::string_view say(LogDialect d) {
    constexpr std::string_view names[] = {"Megatron-LM", "Megatron-Bridge", "NeMo",
                                          "Primus",      "torchtitan",      "DeepSpeed",
                                          "Hugging Face Trainer", "axolotl", "torchtune",
                                          "nanotron",    "LLM Foundry",     "MaxText",
                                          "Levanter"};
    return names[std::size_t(d)];
}

}  // namespace plimsoll

namespace plimsoll::files {

namespace {

using enum LogQuantity;
using D = LogDialect;

constexpr double MiB_of_logs = 1 << 20, GiB_of_logs = 1 << 30, GB_of_logs = 1e9;

// Megatron-LM, and what is built on it. A mean of the interval since the line before.
constexpr LogField megatron_step[] = {
    {"iteration", number}, {"elapsed time per iteration (ms)", milliseconds},
    {"elapsed time per iteration (s)", seconds}, {"global batch size", batch},
    {"throughput per GPU (TFLOP/s/GPU)", tflops}, {"TFLOPs", tflops},
    {"tokens per GPU (tokens/s/GPU)", tokens_of_device}, {"tokens/s/GPU inst/harmonic mean", tokens_of_device},
};
constexpr LogField megatron_memory[] = {
    {"max allocated", allocated, MiB_of_logs}, {"max reserved", reserved, MiB_of_logs}};
constexpr LogField bridge_memory[] = {
    {"mem-max-allocated-gigabytes", allocated, GB_of_logs}, {"mem-max-reserved-gigabytes", reserved, GB_of_logs}};
constexpr LogField bridge_utilization[] = {{"GPU utilization", tflops}};
constexpr LogField primus_memory[] = {
    {"hip mem usage/free/total/usage_ratio", device_memory, GiB_of_logs},
    {"rocm mem usage/free/total/usage_ratio", device_memory, GiB_of_logs},
    {"hip mem usage/free/total/usage_percentage", device_memory, GiB_of_logs}};

// One step each; an iteration from 0.
constexpr LogField nemo_step[] = {
    {"global_step", number}, {"iteration", number}, {"train_step_timing in s", seconds}, {"global_batch_size", batch}};

// Tokens of a device; what is reserved on the last stage.
constexpr LogField titan_step[] = {{"step", number}, {"tps", tokens_of_device}, {"wps", tokens_of_device},
                                   {"memory", reserved, GiB_of_logs}, {"tflops", tflops}};

// Samples of all ranks; memory of the first, and its GB is GiB.
constexpr LogField deepspeed_step[] = {
    {"global_step", number}, {"CurrSamplesPerSec", samples_of_all}, {"MaxMemAllocated", allocated, GiB_of_logs}};
constexpr LogField deepspeed_old_step[] = {
    {"stop] 0/", number}, {"SamplesPerSec", samples_of_all}, {"MaxMemAllocated", allocated, GiB_of_logs}};
constexpr LogField deepspeed_count[] = {{"step", number}};

constexpr LogField trainer_totals[] = {{"train_steps_per_second", total_rate}};
// Of the program that a launch script for the Trainer writes.
constexpr LogField trainer_step[] = {{"'step':", number}, {"'step_time':", seconds}};

constexpr LogField axolotl_step[] = {{"tokens_per_second_per_gpu", tokens_of_device}};
constexpr LogField axolotl_dict[] = {
    {"memory/max_allocated (GiB)", allocated, GiB_of_logs}, {"memory/device_reserved (GiB)", reserved, GiB_of_logs},
    {"memory/max_mem_allocated(gib)", allocated, GiB_of_logs},
    {"memory/device_mem_reserved(gib)", reserved, GiB_of_logs}};
constexpr LogField axolotl_memory[] = {{"GPU memory usage while training", allocated, GiB_of_logs}};

constexpr LogField torchtune_step[] = {
    {"Step", number}, {"tokens_per_second_per_gpu", tokens_of_device},
    {"peak_memory_alloc", allocated, GiB_of_logs}, {"peak_memory_reserved", reserved, GiB_of_logs}};

constexpr LogField nanotron_step[] = {
    {"iteration", number, 1, true}, {"elapsed_time_per_iteration_ms", milliseconds, 1, true},
    {"tokens_per_sec_per_gpu", tokens_of_device, 1, true}, {"hardware_tflops_per_gpu", tflops, 1, true},
    {"cuda_max_memory_reserved", reserved, 1, true}};
constexpr LogField nanotron_memory[] = {
    {"Peak allocated", allocated, MiB_of_logs}, {"Peak reserved", reserved, MiB_of_logs}};

constexpr LogField foundry_batch[] = {{"[batch=", number}};
constexpr LogField foundry_rate[] = {{"throughput/batches_per_sec", steps_per_second}};
constexpr LogField foundry_tokens[] = {{"throughput/device/tokens_per_sec", tokens_of_device}};
constexpr LogField foundry_memory[] = {{"memory/peak_reserved_mem", reserved, GB_of_logs},
                                       {"memory/peak_allocated_mem", allocated, GB_of_logs}};

constexpr LogField maxtext_step[] = {
    {"completed step", number},
    {"seconds", seconds},
    {"TFLOP/s/device", tflops},
    {"Tokens/s/device", tokens_of_device}};

constexpr LogField levanter_step[] = {{"global_step", number}, {"_step", number}, {"throughput/duration", seconds}};
constexpr LogField levanter_rate[] = {{"throughput/tokens_per_second", tokens_of_all}};

constexpr LogForm forms_of_logs[] = {
    {D::megatron, false, "elapsed time per iteration (", {}, megatron_step},
    {D::megatron, false, "memory (MB) |", {}, megatron_memory},
    {D::bridge, true, "mem-max-allocated-gigabytes", {}, bridge_memory},
    {D::bridge, true, "MODEL_TFLOP/s/GPU", {}, bridge_utilization},
    {D::primus, true, "mem usage/free/total/usage_", {}, primus_memory},
    {D::primus, true, "tokens/s/GPU inst/harmonic mean", {}, {}},
    {D::primus, true, "tokens per GPU (tokens/s/GPU)", {}, {}},
    {D::nemo, true, "train_step_timing in s", {}, nemo_step},
    {D::nemo, true, "Training epoch ", "consumed_samples", nemo_step},
    {D::torchtitan, true, "memory:", "mfu:", titan_step},
    {D::deepspeed, true, "CurrSamplesPerSec", {}, deepspeed_step},
    {D::deepspeed, true, ", SamplesPerSec", {}, deepspeed_old_step},
    {D::deepspeed, false, "skipped=", "step=", deepspeed_count},
    {D::trainer, false, "train_steps_per_second", {}, trainer_totals},
    {D::trainer, true, "'step_time':", {}, trainer_step},
    {D::axolotl, true, "'tokens_per_second_per_gpu", {}, axolotl_step},
    {D::axolotl, true, "GPU memory usage while training", {}, axolotl_memory},
    {D::axolotl, true, "'memory/max_", {}, axolotl_dict},
    {D::axolotl, true, "'memory/device_", {}, axolotl_dict},
    {D::torchtune, true, " tokens_per_second_per_gpu:", {}, torchtune_step},
    {D::nanotron, true, "elapsed_time_per_iteration_ms", {}, nanotron_step},
    {D::nanotron, true, "Peak allocated", "Peak reserved", nanotron_memory},
    {D::llm_foundry, false, "[batch=", {}, foundry_batch},
    {D::llm_foundry, true, "throughput/batches_per_sec", {}, foundry_rate},
    {D::llm_foundry, true, "throughput/device/tokens_per_sec", {}, foundry_tokens},
    {D::llm_foundry, true, "memory/peak_", {}, foundry_memory},
    {D::maxtext, true, "completed step:", {}, maxtext_step},
    {D::levanter, true, "throughput/duration", {}, levanter_step},
    {D::levanter, true, "throughput/tokens_per_second", {}, levanter_rate},
};

constexpr LogEventSign event_signs_of_logs[] = {
    {LogEvent::saving, "aving checkpoint"},   {LogEvent::saving, "aving the checkpoint"},
    {LogEvent::saving, "aving model checkpoint"}, {LogEvent::saving, "aving a full checkpoint"},
    {LogEvent::saving, "aved checkpoint"},    {LogEvent::saving, "aved a checkpoint"},
    {LogEvent::saving, "inished saving"},     {LogEvent::saving, "aving weights"},
    {LogEvent::evaluation, "validation loss at"}, {LogEvent::evaluation, "***** Running Evaluation"},
    {LogEvent::evaluation, "valuating on"},   {LogEvent::evaluation, "'eval_loss'"},
    {LogEvent::evaluation, "'eval_runtime'"}, {LogEvent::evaluation, "validate step"},
    {LogEvent::evaluation, "Validation: "},   {LogEvent::evaluation, "Eval metrics/"},
};

constexpr LogPhrase phrases_of_logs[] = {
    {D::torchtitan, "local batch size ", "local batch size", "training.local_batch_size"},
    {D::torchtitan, "local batch size ", "global batch size", "training.global_batch_size"},
    {D::torchtitan, "local batch size ", "sequence length", "training.seq_len"},
    {D::torchtitan, "local batch size ", "total steps", "training.steps"},
    {D::trainer, "Instantaneous batch size per ", "Instantaneous batch size per device =", "micro_batch_size"},
    {D::trainer, "Total train batch size (", "Total train batch size (w. parallel, distributed & accumulation) =",
     "global_batch_size"},
    {D::trainer, "Total optimization steps", "Total optimization steps =", "train_iters"},
    {D::megatron, "> padded vocab (size:", "padded vocab (size:", "vocab_size"},
    {D::maxtext, "Num_devices:", "Num_devices:", "world_size"},
};

const LogHabits habits_of_logs[] = {
    {D::megatron, {StepMeasure::seconds}},
    {D::bridge, {StepMeasure::seconds}},
    {D::nemo, {StepMeasure::seconds, StepMeasure::bar}},
    {D::primus, {StepMeasure::seconds}},
    {D::torchtitan, {StepMeasure::tokens_of_device}},
    {D::deepspeed, {StepMeasure::samples_of_all, StepMeasure::bar}},
    {D::trainer, {StepMeasure::seconds, StepMeasure::bar, StepMeasure::total}},
    {D::axolotl, {StepMeasure::bar, StepMeasure::tokens_of_device, StepMeasure::total},
     [] {
         return phrase("some releases of axolotl divided tokens a second by the steps between two lines: the bar goes "
                       "before them");
     }},
    {D::torchtune, {StepMeasure::bar, StepMeasure::tokens_of_device},
     [] {
         return phrase("torchtune counts only tokens that have a label: a step by its tokens a second may be shorter "
                       "than it looks");
     }},
    {D::nanotron, {StepMeasure::seconds},
     [] { return phrase("nanotron prints three digits: a step is known to half a per cent at best"); }},
    {D::llm_foundry, {StepMeasure::seconds, StepMeasure::tokens_of_device}},
    {D::maxtext, {StepMeasure::seconds},
     [] {
         return phrase("the first steps of MaxText only hand work to the devices: they are short and do not count");
     }},
    {D::levanter, {StepMeasure::seconds, StepMeasure::bar, StepMeasure::tokens_of_all}},
};

}  // namespace

std::span<const LogForm> log_forms() { return forms_of_logs; }
std::span<const LogEventSign> log_event_signs() { return event_signs_of_logs; }
std::span<const LogPhrase> log_phrases() { return phrases_of_logs; }
const LogHabits& habits_of(LogDialect d) { return habits_of_logs[std::size_t(d)]; }

}  // namespace plimsoll::files
