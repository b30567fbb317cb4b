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

#include "core/files/presets/library.h"
#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"
#include "core/values/plan/scenario.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct TrainingLog;   // core/files/measured/training_log.h

enum class Dialect {
    megatron,
    nemo,
    bridge,
    torchtitan,
    deepspeed,
    fsdp,
    primus,
    huggingface,
    axolotl,
    llm_foundry,
    olmo,
    olmo_core,
    automodel,
    nanotron,
    maxtext
};
inline constexpr std::size_t dialect_count = std::size_t(Dialect::maxtext) + 1;
std::string_view say(Dialect);  // "Megatron-LM"

// What became of a setting; the order is that of a report.
enum class SettingFate {
    not_understood,  // may well change the plan
    missing,         // was not said; the nearest default stands in the plan
    assumed,         // was said, and taken for the nearest that a plan knows
    taken,
    no_effect,  // changes neither time nor memory here: paths, logs, rates of learning
};
std::string say(SettingFate);

struct ImportRemark {
    SettingFate fate = SettingFate::taken;
    std::string key, value;  // as they stand in the file; the value is empty where there is none
    std::string done;        // a sentence or a name of ours
    std::string place = {};  // "train.sh:12"; empty for what is missing
};

struct ImportedPlan {
    Scenario plan;
    Dialect dialect = Dialect::megatron;
    std::vector<ImportRemark> remarks;   // by fate, then as in the files
    std::vector<std::string> obstacles;  // what keeps the plan from being computed, in sentences
};

struct NamedText {
    std::string file, text;
    std::shared_ptr<const TrainingLog> log = nullptr;  // instead of a text: what a run printed, which decides
};
struct PlanImportOptions {
    std::string machine = {};  // id; empty: the files' own, else dgx-h100
    int devices = 0;           // 0: as the files say
    std::string recipe = {};   // of a Python file that has several: the name of the function
    std::string name = {};     // of the plan
};

Expected<ImportedPlan, Problems> import_plan(std::span<const NamedText>, const Library&, const PlanImportOptions& = {});

// Whether such a file may be one: neither a plan nor a preset of ours, nor a model's config.json by itself.
bool is_framework_configuration(std::string_view file, std::string_view text);

// The report as a table's rows: what became of it, key, value, what was done, place. Without settings that change
// nothing, of which the last row says how many there were, unless all are wanted.
std::vector<std::vector<std::string>> rows_of(const ImportedPlan&, bool all);

}  // namespace plimsoll
