#pragma once
// Every input of the plan, grouped, from the knob table: a new knob appears
// here without a line changing. The search field hides what does not match.

#include "views/inputs/knob_row.h"
#include "views/inputs/node_control.h"
#include "views/inputs/preset_box.h"
#include "views/parts/section.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>

#include <vector>

namespace plimsoll {

class InputsPanel : public QWidget {
    Q_OBJECT
public:
    explicit InputsPanel(Workspace& workspace, QWidget* parent = nullptr);

    void focus_search();
    NodeControl* nodes() const { return nodes_; }

private:
    struct Group {
        Section* section;
        Section* details;  // folded; null where everything is in view
        std::vector<KnobRow*> rows, folded;
    };

    void present(const Snapshot&);
    void refresh_stops();
    void filter(const QString& words);
    void build_name(QLayout&);
    void add_group(QLayout&, KnobGroup, const QString& title, QWidget* preset, const QString& details);

    Workspace& workspace_;
    QLineEdit* search_;
    QLineEdit* name_;
    NodeControl* nodes_;
    std::vector<PresetBox*> presets_;
    std::vector<Group> groups_;
    QTimer quiet_;  // slider stops are refreshed once edits pause
};

}  // namespace plimsoll
