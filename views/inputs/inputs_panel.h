#pragma once
// Every input of the plan from the knob table: a new knob appears here without
// a line changing, in the group and under the heading its row names. Headings
// are folded until opened; the search field opens what matches, by its name or
// one of those in other_names.h, and hides the rest. The group of the best match comes first.

#include "views/inputs/controls.h"
#include "views/inputs/knob_row.h"
#include "views/inputs/preset_picker.h"
#include "views/parts/widgets.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>

#include <vector>

namespace plimsoll {

// Only what readers of plans take: a plan that cannot be opened again is lost.
inline constexpr int longest_plan_name = 200;  // characters; files with longer ones are refused
std::string plan_name_of(const QString& typed);

class InputsPanel : public QWidget {
    Q_OBJECT
public:
    explicit InputsPanel(Workspace& workspace, QWidget* parent = nullptr);
    ~InputsPanel() override;

    void focus_search();
    void commit();  // everything that is being typed becomes part of the plan now
    void leave();   // likewise; what cannot is given up, as another plan comes in its place
    // Unfolds what holds the input of this id, scrolls to it and gives it the keyboard. False for an unknown id.
    bool show_input(const QString& id);
    // Inputs that change no number of the plan are hidden unless somebody looks for them. On: they stand there with the
    // reason.
    void show_unused(bool on);
    // The text of the input that has the keyboard, beside it. False where none has.
    bool say_what_has_the_keyboard();
    bool shows_unused() const { return shows_unused_; }
    NodeControl* nodes() const { return nodes_; }
    void remember_presets();  // which were used last, in the settings

private:
    struct Fold {
        Section* section;  // null for the rows that are always in view
        std::vector<KnobRow*> rows;
    };
    struct Group {
        Section* section;
        Section* details;  // holds the folds below a preset; null where there is none
        std::vector<Fold> folds;
    };

    void present(const Snapshot&);
    void present_fold(const Fold&, const Snapshot&);
    void refresh_stops();
    void filter(const QString& words);
    void commit_name();
    bool note_unused();
    bool is_shown(const KnobRow&, const Typed&, int least) const;
    int filter_group(const Group&, const Typed&, int least);
    void order_groups(const std::vector<int>& scores);
    void build_name(QLayout&);
    void build_search();
    void add_group(QLayout&, KnobGroup, const QString& title, QWidget* preset);

    Workspace& workspace_;
    QLineEdit* search_;
    QScrollArea* scroll_;
    QVBoxLayout* column_;  // of the groups
    QLabel* nothing_;  // shown when no input matches
    QLineEdit* name_;
    NodeControl* nodes_;
    std::vector<PresetBox*> presets_;
    std::vector<Group> groups_;
    QTimer naming_;  // typing of a name counts as finished after a short rest
    std::vector<bool> unused_;        // of every row, when rows were last shown and hidden
    const KnobRow* asked_for_ = nullptr;  // shown whether it is used or not
    bool shows_unused_ = false;
    QTimer quiet_;  // slider stops are refreshed once edits pause
};

}  // namespace plimsoll
