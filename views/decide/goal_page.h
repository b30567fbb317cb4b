#pragma once
// Questions asked backwards: what must hold is fixed, what may change is ticked, and the answer is the best plan, what
// stops it, and what there would be without that limit.

#include <QWidget>

#include "core/answers/search/goal.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>

namespace plimsoll {

class GoalPage : public QWidget {
    Q_OBJECT
public:
    explicit GoalPage(Workspace& workspace, QWidget* parent = nullptr);

    void search();
    bool busy() const { return search_.busy(); }
    QDoubleSpinBox* days() const { return days_; }
    QDoubleSpinBox* node_hours() const { return node_hours_; }
    QDoubleSpinBox* energy() const { return energy_; }
    QDoubleSpinBox* money() const { return money_; }
    QDoubleSpinBox* power() const { return power_; }
    QCheckBox* nodes() const { return nodes_; }
    QCheckBox* layout_moves() const { return layout_; }
    QCheckBox* size() const { return size_; }
    QCheckBox* tokens() const { return tokens_; }
    QPushButton* search_button() const { return search_.button(); }
    QPushButton* apply_button() const { return apply_; }
    TextTable* table() const { return table_; }
    QString state() const { return state_->text(); }
    void apply();                         // the selected plan, as one undo step

    void cancel() { search_.forget(); }   // half a search answers nothing

signals:
    void applied(const QString& plan);
    void busy_changed(bool busy);

protected:
    void showEvent(QShowEvent*) override;

private:
    struct Line {
        QString name;
        GoalPlan plan;
    };

    QDoubleSpinBox* limit(const char* name, const QString& text, const QString& unit);
    QWidget* build_limits();
    QWidget* build_moves();
    GoalLimits limits() const;
    GoalMoves moves() const;
    QString hindrance() const;            // why nothing can be searched; empty: it can
    void adopt(const GoalAnswer&);
    void fill();
    void follow();
    void show_selection();

    Workspace& workspace_;
    BackgroundSearch search_{{tr("The best plan within these limits, looked for beside the window"),
                              tr("Stop; half a search answers nothing")}};
    Scenario of_;                         // the plan that the lines were searched for
    std::vector<Line> lines_;
    QString answer_;                      // what was found, in sentences; empty before the first search
    Preferences shown_by_;                // whose units the table has
    QDoubleSpinBox *days_, *node_hours_, *energy_, *power_, *money_;
    QCheckBox *nodes_, *layout_, *size_, *tokens_;
    QLabel *state_, *note_;
    TextTable* table_;
    QPushButton* apply_;
};

}  // namespace plimsoll
