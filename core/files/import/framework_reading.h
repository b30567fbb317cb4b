#pragma once
// What the files of a configuration say together, and of which framework they are. Internal to core/files/import.

#include "core/files/import/dialects.h"
#include "core/files/import/launchers.h"
#include "core/files/import/plan_draft.h"
#include "core/files/import/setting_names.h"
#include "core/files/presets/plan_link.h"

namespace plimsoll::files {

struct PlacedSetting {
    Setting s;
    std::string name;  // as the rows have it: "num_layers", "parallelism.tensor_parallel_degree"
    std::string file;
    bool listed = false;   // one of all arguments that a log prints, most at their defaults
};

struct Reading {
    std::vector<PlacedSetting> settings;
    std::optional<PlanLink> link;
    std::optional<Model> model;  // of a config.json
    std::vector<ImportRemark> remarks;
    bool python = false;    // one of the files is in Python
    bool single_device = false;   // one names a recipe of torchtune for one device
    std::string model_file; // the config.json
    Signs signs;            // of which framework the files are
    bool titan() const { return signs.claims(Dialect::torchtitan); }
    JobShape job;           // of a script
    std::vector<std::string> not_given;  // configurations that its program reads besides
    std::span<const NamedText> beside;   // all files that were given
};

// Adds what one file says; files that a script writes for its program are read with it.
Expected<bool, Problems> read_configuration(Reading&, const NamedText&, const PlanImportOptions&, int depth = 0);
// The settings that a log prints, after the scripts: what they say otherwise is left out, and said.
Expected<bool, Problems> read_log(Reading&, const TrainingLog&, const std::string& file);

// Degrees, devices, batch and sharding of the plan; `devices_asked` by its user, 0: as the files say.
void settle_layout(Scenario& plan, PlanDraft&, Reading&, int devices_asked, bool titan);

// What is trained, and what adapters and frozen weights are where no setting says it.
void settle_method(Scenario& plan, PlanDraft&, Dialect, Preferences, std::vector<ImportRemark>&);

// What a configuration says of the training software, as software.h asks for it.
SoftwareAsked software_of(Dialect, const Reading&, const PlanDraft&);

}  // namespace plimsoll::files
