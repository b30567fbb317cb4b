#pragma once
// The presets of the library as they are offered: in groups, each with what tells it from its neighbours.
//
//   for (const PresetName& p : presets_of(PresetKind::machine, library)) ...
//   workspace.propose(*with_preset(plan, PresetKind::machine, "frontier", library), tr("Frontier"));

#include "core/files/presets/library.h"
#include "views/parts/find_words.h"

#include <QString>

#include <optional>
#include <vector>

namespace plimsoll {

enum class PresetKind { model, machine, stack };

struct PresetName {
    std::string id;
    QString name;
    QString group;   // models: family; machines: country or kind; stacks: maker
    QString detail;  // "80 layers, 8192 wide", "ORNL OLCF, US, 9,408 x 8 MI250X GCD"
    QString note;
};

// By group and name; sizes in their order: 7B before 13B before 70B.
std::vector<PresetName> presets_of(PresetKind, const Library&);
Findable findable(const PresetName&);
// The plan with this part from the library; nothing where there is no such preset. The recipe opens with the model's
// own context.
std::optional<Scenario> with_preset(const Scenario&, PresetKind, const std::string& id, const Library&);
// "Model", "Machine", "Stack"
QString name_of(PresetKind);

// The part of the plan: the id of the preset it came from, its own name, and whether it is no longer like the preset.
struct PresetPart {
    std::string id;
    QString name, note;
    bool edited = false;
};
PresetPart part_of(const Scenario&, PresetKind, const Library&);

// The numbers of the plan's machine that the user set, each as "Network, group: bandwidth 50 GB/s, not 25 GB/s";
// empty for a machine that is a preset or came from none.
QStringList numbers_unlike_the_preset(const Scenario&, const Library&);

}  // namespace plimsoll
