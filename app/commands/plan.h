#pragma once
// From command-line words to a Scenario.

#include "core/answers/search/space.h"
#include "core/evidence/published/anchor.h"
#include "core/files/presets/library.h"
#include "core/values/basics/expected.h"
#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

// A plan as named on the command line: a file or the id of a shipped scenario, then changes.
struct PlanArguments {
    std::string file;
    std::vector<std::string> settings;
    std::string price = {};   // "2.69 CHF/node-hour": goes before the machine's
    std::string anchor = {};  // file of measured runs of one's own that estimates start from
};

struct Refusal {
    int code;             // ExitCode
    std::string message;  // for stderr
};

// "no knob 'x'; did you mean ...?", with everything whose name is closest.
Refusal unknown_knob(const std::string& id);

// Says on stderr why there is no answer, and returns the exit code for it.
int refuse(const Refusal&);
int refuse(const std::vector<Obstacle>&);

// The library of preset_directories(); its problems go to stderr once.
const Library& shipped_library();

// Reads the file (or shipped scenario), applies the settings in order and lets it carry the measured runs.
Expected<Scenario, Refusal> load_plan(const PlanArguments&);

// Of --space: "common", "full", or a file that lists values (space_json.h).
Expected<Space, Refusal> space_of(const std::string& name, const Scenario& plan);

// "tensor_parallel=8" on a plan; "machine=frontier" swaps a preset.
Expected<Scenario, Refusal> apply_setting(const Scenario&, const std::string& setting);

// Measured runs of --anchor FILE, priced; none without a file. A table of nodes and step times is of `plan`. What is
// hard to believe of a run goes to stderr.
Expected<std::vector<Anchor>, Refusal> anchors_of(const std::string& file, const Scenario* plan);

// What these runs say of the plan that carries them, a line for people; empty where it carries none.
std::string say_own_runs(const Scenario&);

// "8,16,32", "8:1024:x2" or "8:64:8" in the knob's unit.
Expected<std::vector<double>, Refusal> parse_values(const struct Knob&, const std::string& text);

}  // namespace plimsoll
