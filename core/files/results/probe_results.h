#pragma once
// What came of the probes of a plan: the logs of a folder that probe_job() was written to.
//
//   const auto read = read_probes("probes", library);
//   for (const ProbeResult& r : read->results) r.measured, r.run.step;     // beside what was predicted before
//   if (const auto after = after_probes(plan, read->anchors, evidence)) say(*after);   // the plan before and after
//
// The step of a probe is the median of its visits' middle steps. Its scatter is what lies between the visits of all
// probes, which ran in turn on the same machine, and within its own. A visit that is far slower than another was
// disturbed: the faster one counts, the scatter of all grows with it, and it is said. A log that states another model
// or layout than its probe is refused with what differs.

#include "core/files/launch/probe_job.h"
#include "core/files/measured/training_log.h"
#include "core/files/results/anchor_json.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct ProbeVisit {
    std::string log;                     // its file's name
    Seconds step;                        // the middle one
    double half = 0;                     // half the width of the middle half of its steps, as a share
    int counted = 0;                     // steps
    bool disturbed = false;              // far slower than another visit: it does not count
};

struct ProbeResult {
    ProbeRun run;
    std::vector<ProbeVisit> visits;
    std::optional<Seconds> measured;     // nothing: no visit counts
    double scatter = 0;                  // of what was measured, as a share
    std::optional<LogMemory> memory;
    std::vector<std::string> remarks;    // why a visit does not count, and what is odd
};

struct ProbeReading {
    ProbeRecord record;
    std::vector<ProbeResult> results;    // one a run
    std::vector<MeasuredRun> measured;   // of those that were
    std::vector<Anchor> anchors;         // the same, priced
    double between = 0;                  // standard deviation between visits of one probe, as a share
    std::vector<std::string> remarks;    // of all of them: what would narrow the range
};
// Errors: no probes.json, or one that cannot be read; logs that are missing are said in the results.
Expected<ProbeReading, Problems> read_probes(const std::filesystem::path& folder, const Library&);

// A plan's step as the model alone says it, and as the runs do; the bands of `anchoring` lie around the two.
struct AfterProbes {
    Seconds before, after;
    Anchoring anchoring;
};
// Nothing where the plan cannot be computed.
std::optional<AfterProbes> after_probes(const Scenario& plan, const std::vector<Anchor>&, const Evidence&);
Sentences say(const AfterProbes&);

}  // namespace plimsoll
