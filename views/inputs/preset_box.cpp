#include "views/inputs/preset_box.h"

#include "views/parts/wheel_guard.h"
#include "views/plan/text.h"

namespace plimsoll {

namespace {

template <class Presets>
void fill(QComboBox& box, const Presets& presets) {
    for (const auto& [id, preset] : presets) {
        box.addItem(to_qt(preset.name.empty() ? id : preset.name), to_qt(id));
        box.setItemData(box.count() - 1, to_qt(preset.note), Qt::ToolTipRole);
    }
    box.model()->sort(0);
}

template <class Presets, class Part>
void mark(QComboBox& box, const Presets& presets, const Part& part) {
    const auto found = presets.find(part.id);
    const bool edited = found == presets.end() || !(found->second == part);
    const int index = box.findData(to_qt(part.id));
    box.setCurrentIndex(index);
    const QString name = to_qt(part.name.empty() ? part.id : part.name);
    box.setPlaceholderText(name.isEmpty() ? QObject::tr("Choose a preset") : name);
    for (int i = 0; i < box.count(); ++i) {  // at most one carries the suffix
        const auto p = presets.find(box.itemData(i).toString().toStdString());
        if (p == presets.end()) continue;
        const QString plain = to_qt(p->second.name.empty() ? p->first : p->second.name);
        const QString wanted = i == index && edited ? QObject::tr("%1 (edited)").arg(plain) : plain;
        if (box.itemText(i) != wanted) box.setItemText(i, wanted);
    }
    box.setToolTip(to_qt(part.note));
}

}  // namespace

PresetBox::PresetBox(Part part, Workspace& workspace, QWidget* parent)
    : QComboBox(parent), part_(part), workspace_(workspace) {
    WheelGuard::install(this);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(18);
    setMaxVisibleItems(24);
    refill();
    connect(&workspace, &Workspace::library_changed, this, [this] {
        refill();
        present(workspace_.snapshot());
    });
    connect(this, &QComboBox::activated, this, &PresetBox::choose);
}

void PresetBox::refill() {
    const Library& library = workspace_.library();
    clear();
    switch (part_) {
        case Part::model:
            fill(*this, library.models);
            setAccessibleName(tr("Model preset"));
            break;
        case Part::machine:
            fill(*this, library.machines);
            setAccessibleName(tr("Machine preset"));
            break;
        case Part::stack:
            fill(*this, library.stacks);
            setAccessibleName(tr("Stack preset"));
            break;
    }
}

void PresetBox::present(const Snapshot& s) {
    const Library& library = workspace_.library();
    switch (part_) {
        case Part::model:
            mark(*this, library.models, s.scenario.model);
            break;
        case Part::machine:
            mark(*this, library.machines, s.scenario.machine);
            break;
        case Part::stack:
            mark(*this, library.stacks, s.scenario.stack);
            break;
    }
}

void PresetBox::choose(int index) {
    const Library& library = workspace_.library();
    const std::string id = itemData(index).toString().toStdString();
    Scenario next = workspace_.scenario();
    switch (part_) {
        case Part::model:
            next.model = library.models.at(id);
            next.recipe.sequence_length = next.model.sequence_length;  // the recipe opens with the model's own context
            break;
        case Part::machine:
            next.machine = library.machines.at(id);
            break;
        case Part::stack:
            next.stack = library.stacks.at(id);
            break;
    }
    workspace_.propose(next, itemText(index));
}

}  // namespace plimsoll
