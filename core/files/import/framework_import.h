#pragma once
// A plan from the configuration of a training framework: Megatron-LM's arguments or YAML, recipes of NeMo and
// Megatron-Bridge, torchtitan's TOML, DeepSpeed's JSON with the model's config.json, Primus' YAML, arguments of Hugging
// Face's Trainer with accelerate's YAML, files of axolotl, LLM Foundry, OLMo, OLMo-core, NeMo AutoModel, nanotron and
// MaxText, and the job scripts that `launch` writes.
//
//   Expected<ImportedPlan, Problems> p = import_plan({{{"train.sh", text}}}, library, {.machine = "frontier"});
//   p->plan           // opens as any other, perhaps with obstacles
//   p->remarks        // every setting, and what became of it; what was not said, and what was taken instead
//
// Nothing is executed. What is not understood is said, never guessed in silence. A file is read in the words of a
// framework only where it has signs of that framework; a plan needs model, batch and sequence length from the files.

#include "core/files/import/imported_plan.h"
#include "core/files/presets/library.h"
#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

Expected<ImportedPlan, Problems> import_plan(std::span<const NamedText>, const Library&, const PlanImportOptions& = {});

// Whether such a file may be one: neither a plan nor a preset of ours, nor a model's config.json by itself.
bool is_framework_configuration(std::string_view file, std::string_view text);

// The report as a table's rows: what became of it, key, value, what was done, place. Without settings that change
// nothing, of which the last row says how many there were, unless all are wanted.
std::vector<std::vector<std::string>> rows_of(const ImportedPlan&, bool all);

}  // namespace plimsoll
