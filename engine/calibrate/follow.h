#pragma once
// Follows the plan of a calibration: its benches and layouts one after the other in
// this allocation, and before the first layout that is held back what the
// measurements so far predict of all of them.
//
//   // options.calibrate names the plan; the log keeps its lines
//   return follow(options, {world, log, watchdog, run_one});
//
// A layout that does not fit is left out and said; the rest goes on. What is
// complete in the log of an earlier attempt (--resume) is taken over, except what is
// held back: that runs after this log's predictions, always.

#include "core/evidence/calibration/plan/experiments.h"
#include "core/values/basics/expected.h"
#include "core/values/basics/fingerprint.h"
#include "engine/run/options.h"
#include "engine/train/run.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::engine {

struct Allocation {
    const MpiComm& world;
    Log& log;
    Watchdog& watchdog;
    std::function<Outcome(Options&, const MpiComm& part)> run;  // a bench or a training run, collective over `part`
};

// Exit code; the log is closed.
int follow(const Options&, const Allocation&);

// The log of an earlier attempt at the same plan: which of its runs are complete,
// and their lines.
//
//   const auto earlier = read_earlier("run.jsonl.part", Fingerprint().add(plan_text));
//   if (earlier) if (const auto* lines = earlier->lines_of("gemm")) for (const auto& line : *lines) log.write(...);
class EarlierLog {
public:
    using Lines = std::vector<nlohmann::ordered_json>;
    // Null unless the run ended well. From the line after its announcement to its `run` line.
    const Lines* lines_of(const std::string& id) const {
        const auto at = complete_.find(id);
        return at == complete_.end() ? nullptr : &at->second;
    }
    const std::vector<std::string>& processors() const { return processors_; }  // of its nodes

private:
    friend Expected<EarlierLog, std::string> read_earlier(const std::string&, const Fingerprint&);
    void take(const nlohmann::ordered_json& line);
    std::map<std::string, Lines> complete_;
    std::vector<std::string> processors_;
    std::string open_;               // id of the run whose lines come
    Lines lines_;
};

// Or why it cannot be taken over: not readable, of another plan. A last line that is cut off is left out.
Expected<EarlierLog, std::string> read_earlier(const std::string& path, const Fingerprint& plan);

// What the lines of a log so far say of the layouts that come.
//
//   for (const auto& line : predictions(plan, log.kept()).lines) ...    // fields of `predict` lines
//
// A line for every layout that fits or is held back, in the plan's order: PROTOCOL.md, `predict`, without the hash.
struct Predicted {
    std::vector<nlohmann::ordered_json> lines;
    std::vector<MeasuredConstant> constants;   // that they were made with
};
Predicted predictions(const ExperimentPlan&, std::string_view lines);

}  // namespace plimsoll::engine
