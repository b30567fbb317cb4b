#pragma once
// What the files of a configuration say together, and of which framework they are. Internal to core/files/import.

#include "core/files/import/plan_draft.h"
#include "core/files/launch/plan_link.h"

namespace plimsoll::files {

struct PlacedSetting {
    Setting s;
    std::string name;  // as the rows have it: "num_layers", "parallelism.tensor_parallel_degree"
    std::string file;
};

struct Reading {
    std::vector<PlacedSetting> settings;
    std::optional<PlanLink> link;
    std::optional<Model> model;  // of a config.json
    std::vector<ImportRemark> remarks;
    bool only_arguments = true;  // no file but scripts
    bool titan = false, deepspeed = false, fsdp = false, primus = false, python = false, nemo = false, bridge = false;
};

// Adds what one file says; files that a script writes for its program are read with it.
Expected<bool, Problems> read_configuration(Reading&, const NamedText&, const PlanImportOptions&, int depth = 0);
Dialect dialect_of(const Reading&);

std::string leaf_of(std::string_view key);                // "num_layers" of "model.num_layers"
std::string place_of(const std::string& file, int line);  // "train.sh:12"

}  // namespace plimsoll::files
