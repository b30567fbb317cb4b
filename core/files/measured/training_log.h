#pragma once
// What a training framework printed while it ran: which settings, how long steps took, how much memory.
//
//   Expected<TrainingLog, Problems> log = load_training_log("run.log");    // a gigabyte in constant memory
//   log->step();                      // the middle of the steps that count; nothing where only rates are printed
//   step_of(*log, plan);              // the same, with the batch and length of the plan where the log prints a rate
//   say_counting(*log);               // which steps were left out, and why
//
//   TrainingLogReader reader;         // or piece by piece
//   while (more) reader.take(piece);
//   reader.finish("run.log");
//
// Which steps count. Of every start the first interval is left out, and its first 20 steps or its first tenth,
// whichever is less; then every interval in which something was evaluated or saved, and steps of another batch than
// the last one's, as a ramp-up has them. A step that ran again after a restart counts once, as it ran last. Where
// several ranks print the same step the slowest counts. Slow steps in between are kept: the median does not follow
// them, and they are named.
//
// Times decide. Tokens a second become a time with batch and length; TFLOP/s never do. Paths, hosts and people's names
// are not kept: of settings only those that the importer understands, and none that hold a path.

#include "core/answers/replan/replan.h"
#include "core/evidence/published/source_words.h"
#include "core/files/measured/log_values.h"
#include "core/files/presets/plan_link.h"
#include "core/files/settings/settings.h"
#include "core/files/text/problem.h"
#include "core/values/basics/text.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

std::string say(MemoryKind);        // "reserved by the framework"; the kinds differ by several GiB
struct LogMemory {
    MemoryKind kind = MemoryKind::reserved;
    Bytes most;          // over steps and ranks
    int rank = -1;       // that printed it; -1: not said
};

struct TrainingLog {
    LogDialect dialect = LogDialect::megatron;
    std::vector<files::Setting> settings;        // as the log prints them; without any that holds a path
    std::string model_config;                    // the text of a config.json that it prints; empty: none
    StepMeasure measure = StepMeasure::seconds;
    std::vector<LogStep> steps;                  // by start and number
    std::vector<LogMemory> memory;               // at most one of a kind
    double batch = 0, tflops = 0;                // sequences of a step; of a device, as printed; 0: not printed
    double tokens_of_device = 0;                 // a second, the middle of the steps that count, beside a time
    int devices = 0;                             // 0: not said
    int restarts = 0, evaluations = 0, saves = 0;
    int untimed = 0;                             // step lines without a time
    long long every = 1;                         // of the printed steps so many were kept: one of
    std::optional<PlanLink> link;
    Sentences remarks;

    int counted() const;
    // The middle of the counted values and their middle half, by the measure; of a log with steps.
    struct Middle { double value = 0, low = 0, high = 0; };
    std::optional<Middle> middle() const;
    std::optional<Seconds> step() const;         // where the measure is a time
    // Reserved, else allocated, else of the whole device: what a plan's memory is compared with.
    const LogMemory* fullest() const;
};

// Reads whatever is fed; holds at most some 100,000 steps.
class TrainingLogReader {
public:
    TrainingLogReader();
    ~TrainingLogReader();
    TrainingLogReader(const TrainingLogReader&) = delete;
    TrainingLogReader& operator=(const TrainingLogReader&) = delete;

    void take(std::string_view piece);
    // A last line without an end may be cut off: what touches its end does not count.
    Expected<TrainingLog, Problems> finish(const std::string& file = {});

private:
    struct State;
    std::unique_ptr<State> state_;
};

Expected<TrainingLog, Problems> read_training_log(std::string_view text, const std::string& file = {});
Expected<TrainingLog, Problems> load_training_log(const std::filesystem::path&);
// Whether a text holds lines that only such logs have.
bool looks_like_training_log(std::string_view text);
// The same of a file, of which it reads the first 32 MiB; scripts and configurations by their name are none.
bool is_training_log(const std::filesystem::path&);

// ---- Beside a plan

// Seconds of a step, where need be with the batch, the length and the devices of the plan.
std::optional<Seconds> step_of(const TrainingLog&, const Scenario&);
// Every counted step, for replan(). Errors: none counts.
Expected<MeasuredSteps, Problems> steps_of(const TrainingLog&, const Scenario&, const std::string& file = {});

// "40 of 50 printed steps count. Left out: 5 of the first steps, 5 ..." One sentence each.
Sentences say_counting(const TrainingLog&);
// What is odd about it beside this plan: another batch, a rate that contradicts the times.
Sentences doubts_of(const TrainingLog&, const Scenario&);

}  // namespace plimsoll
