#pragma once
// Every input of the plan from the knob table, in four blocks: the model, the machine with its software and nodes, the
// run, the layout. What most people turn is in view; everything else is under "More about ..." of its block, below the
// heading that its row in the table names, so that a new knob appears without a line changing. Nothing comes or goes
// while the plan is edited: what does not matter is greyed and says why. The search field opens what matches, by its
// name or one of those in other_names.h, and hides the rest; the block of the best match comes first.

#include "views/inputs/kinds_editor.h"
#include "views/inputs/knob_row.h"
#include "views/inputs/layer_strip.h"
#include "views/inputs/preset_picker.h"
#include "views/inputs/stages_editor.h"
#include "views/parts/widgets.h"

#include <QAction>
#include <QCheckBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>

#include <map>
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
    // The switch of the automatic layout, above the degrees that it chooses.
    void offer_automatic(QAction*);
    // The text of the input that has the keyboard, beside it. False where none has.
    bool say_what_has_the_keyboard();
    KnobRow* nodes() const { return row("nodes"); }
    KnobRow* row(const QString& id) const;  // null for an unknown id
    void remember_presets();  // which were used last, in the settings

signals:
    void find_everywhere(const QString& words);  // no input is called so

protected:
    bool eventFilter(QObject*, QEvent*) override;  // Enter in the search field

private:
    // Rows that stand together: in view, or below "More about ...", there perhaps below a heading.
    struct Fold {
        Section *block, *more, *section;   // null where there is none
        std::vector<KnobRow*> rows;
    };

    void present(const Snapshot&);
    void present_fold(const Fold&, const Snapshot&);
    static bool of_method(const KnobRow&);
    static bool is_absent(const Fold&, const KnobRow&);
    void refresh_stops();
    void filter(const QString& words);
    void commit_name();
    void note_what_is_set(const Snapshot&);
    void say_where_else(const QString& words);
    void follow_hint();
    void build_kinds(Section& more);
    void build_stages(Section& more);
    void show_kinds();
    void show_stages();
    void order_blocks(const std::map<Section*, int>& scores);
    void build_name(QLayout&);
    void build_search();
    Section* add_block(const QString& title, const std::vector<const char*>& in_view,
                       const std::vector<QWidget*>& above = {});
    Section* add_more(Section& block, const QString& title, const std::vector<KnobGroup>& groups);
    KnobRow* make_row(const Knob&, Fold&);

    Workspace& workspace_;
    QLineEdit* search_;
    QScrollArea* scroll_;
    QVBoxLayout* column_;  // of the blocks
    QLabel* nothing_;      // shown when no input is called so, and leads to what is
    PresetBox* elsewhere_ = nullptr;  // where the hint leads; null: to everything
    QLineEdit* name_;
    QCheckBox* automatic_;
    LayerStrip* layers_;
    KindsEditor* kinds_;
    StagesEditor* stages_;
    Section *model_more_ = nullptr, *kinds_section_ = nullptr, *layout_more_ = nullptr, *stages_section_ = nullptr;
    std::vector<PresetBox*> presets_;
    std::vector<Section*> blocks_;
    std::vector<Fold> folds_;
    QTimer naming_;  // typing of a name counts as finished after a short rest
    QTimer quiet_;  // slider stops are refreshed once edits pause
};

}  // namespace plimsoll
