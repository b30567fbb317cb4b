#pragma once
// A plan as options of plimsoll-engine.
//
//   const auto options = engine_options(scenario, {.steps = 20});
//   if (!options) show(options.error());     // every reason why the engine cannot run it, in sentences
//
// The engine trains decoders of GPT-2's and LLaMA's kind under data, tensor and
// pipeline parallelism. What it leaves out of a plan without changing its work
// much (dropout) is a remark.

#include "core/values/basics/expected.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

struct EngineRun {
    int steps = 10;
};

struct EngineOptions {
    std::vector<std::string> words;      // "--layers", "6", ...
    std::vector<std::string> remarks;
};

Expected<EngineOptions, std::vector<std::string>> engine_options(const Scenario&, const EngineRun&);

}  // namespace plimsoll
