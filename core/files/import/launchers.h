#pragma once
// How a script starts its program: what of a command belongs to srun, mpirun, torchrun, deepspeed, accelerate and their
// like, or to a container around it, where the program's own options begin, and how many nodes and devices they make.
// Internal to core/files/import.

#include "core/files/import/imported_plan.h"
#include "core/files/settings/settings.h"

namespace plimsoll::files {

struct JobShape {
    int nodes = 0, devices_per_node = 0, devices = 0;  // 0: not said
    friend bool operator==(const JobShape&, const JobShape&) = default;
};

// A command, taken apart.
struct LaunchedProgram {
    std::vector<JobStatement> said;  // by launchers, from the outermost on
    JobShape shape;
    std::vector<Setting> options;  // of the program: "--num-layers", and "model.num_layers" of words with =
    std::vector<std::string> reads;  // configurations that it is handed by their names
    bool of_training = false;      // whether it has options at all
};
LaunchedProgram taken_apart(const ShellCommand&, const BatchRequest&);

// The program of a script that trains, with its options; of what the script leaves open both values are said.
struct ScriptReading {
    std::vector<Setting> settings;
    std::vector<ImportRemark> remarks;
    std::vector<std::string> reads;
    JobShape shape;
};
ScriptReading read_launches(const Settings& script, const std::string& file);

}  // namespace plimsoll::files
