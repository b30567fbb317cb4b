#pragma once
// What an import of a framework's configuration takes and gives: the files, the plan, and what became of each setting.

#include "core/values/plan/scenario.h"

#include <memory>
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
    maxtext,
    torchtune
};
inline constexpr std::size_t dialect_count = std::size_t(Dialect::torchtune) + 1;
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

}  // namespace plimsoll
