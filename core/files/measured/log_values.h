#pragma once
// Which frameworks print logs, what a printed value of a step is, and what became of the step.

#include <string>
#include <string_view>

namespace plimsoll {

enum class LogDialect {
    megatron, bridge, nemo, primus, torchtitan, deepspeed, trainer, axolotl, torchtune, nanotron, llm_foundry, maxtext,
    levanter
};
std::string_view say(LogDialect);   // "Hugging Face Trainer"

// What became of a printed step.
enum class StepFate { counted, first, warm_up, evaluated, saved, repeated, other_batch };
std::string say(StepFate);          // "an evaluation ran in it"

// What a framework prints of a step, and what a value of it is.
enum class StepMeasure {
    seconds,            // of a step
    tokens_of_device,   // a second
    tokens_of_all,
    samples_of_all,
    bar,                // seconds of a step, a running mean of a progress bar
    total               // seconds of a step, from the totals at the end
};

struct LogStep {
    long long number = 0;
    int start = 0;       // 0: the first attempt
    double value = 0;    // by TrainingLog::measure
    StepFate fate = StepFate::counted;
};

}  // namespace plimsoll
