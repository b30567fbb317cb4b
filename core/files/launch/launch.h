#pragma once
// A plan as the job script of a framework: scheduler header, launcher line and
// the framework's own flags or JSON.
//
//   Expected<std::string, std::vector<std::string>> script = launch_script(scenario, Framework::megatron);
//
// Arguments are those of Megatron-LM's arguments.py (August 2026), DeepSpeed's configuration JSON and PyTorch's FSDP;
// torchtitan's are those of its TOML files (until 0.2), Megatron-Bridge's the settings of a YAML file over one of its
// recipes (0.6), and those of Hugging Face's Trainer are TrainingArguments (transformers 4.46 and later). Fine-tuning
// is written for torchtune (0.6), axolotl (0.12) and Megatron-Bridge alone, preference training for the first two; the
// others begin from nothing. Which is a plan's follows from the software of its stack (stack.h). Every script names the
// plan it was made from (plan_link.h). Paths of data, tokenizer and checkpoints are left to the user, as shell
// variables.

#include "core/values/basics/expected.h"
#include "core/values/plan/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class Framework { megatron, deepspeed, fsdp, torchtitan, bridge, trainer, torchtune, axolotl };
std::span<const std::string_view> framework_names();   // in this order: "megatron", ...
std::optional<Framework> framework_from(std::string_view name);
std::string_view title_of(Framework);                  // "Megatron-LM"
// What a plan is written for unless its user says otherwise: of fine-tuning that of its stack, or nothing.
std::optional<Framework> usual_framework(const Scenario&);

// Or, in sentences, every reason why the plan cannot be started so: obstacles of
// the plan, memory, and what the framework has no switch for.
Expected<std::string, std::vector<std::string>> launch_script(const Scenario&, Framework);

// The same for a short run that is timed: so many steps, each in the log, on made-up data where the framework has some,
// without checkpoints and evaluation.
Expected<std::string, std::vector<std::string>> timed_script(const Scenario&, Framework, int steps);

}  // namespace plimsoll
