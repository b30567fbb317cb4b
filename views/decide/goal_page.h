#pragma once
// Questions asked backwards: what is aimed at is chosen, what must hold is fixed, what may change is ticked, and the
// answer is the best plan, what stops it, what there would be without that limit, and a curve over the nodes.
//
//   page->aim()->setCurrentIndex(int(GoalAim::nodes));   // the fewest nodes ...
//   page->days()->setValue(130);                         // ... whose end is within 130 days
//   page->search();

#include "core/answers/search/goal.h"
#include "views/decide/answer_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateEdit>
#include <QDoubleSpinBox>

namespace plimsoll {

class GoalPage : public AnswerPage {
    Q_OBJECT
public:
    explicit GoalPage(Workspace& workspace, QWidget* parent = nullptr);

    void search();
    // One of the three questions to begin with: its fields are set, and it is asked.
    enum class Example { fewest_nodes, earliest_end, least_energy };
    void ask_example(Example);

    QComboBox* aim() const { return aim_; }
    QDoubleSpinBox* days() const { return days_; }
    QDateEdit* end() const { return end_; }
    QDoubleSpinBox* most_nodes() const { return most_nodes_; }
    QDoubleSpinBox* node_hours() const { return node_hours_; }
    QDoubleSpinBox* energy() const { return energy_; }
    QDoubleSpinBox* money() const { return money_; }
    QDoubleSpinBox* power() const { return power_; }
    QDoubleSpinBox* headroom() const { return headroom_; }
    QCheckBox* nodes() const { return nodes_; }
    QCheckBox* layout_moves() const { return layout_; }
    QCheckBox* size() const { return size_; }
    QCheckBox* tokens() const { return tokens_; }
    TextTable* table() const { return table_; }
    QString state() const { return state_->text(); }

protected:
    void begin() override { search(); }
    void follow() override;
    std::optional<Offer> selected() const override;

private:
    struct Line {
        QString name;
        GoalPlan plan;
    };

    QDoubleSpinBox* limit(const char* name, const QString& text, const QString& unit, int decimals);
    QWidget* build_limits();
    QWidget* build_moves();
    QWidget* build_examples();
    void follow_end();                    // the date and the days say the same
    GoalAim aimed_at() const { return GoalAim(aim_->currentIndex()); }
    GoalLimits limits() const;
    GoalMoves moves() const;
    QString hindrance() const;            // why nothing can be searched; empty: it can
    void adopt(const GoalAnswer&, const Figure& curve);
    void fill();

    std::vector<Line> lines_;
    QString answer_;                      // what was found, in sentences; empty before the first search
    Preferences shown_by_;                // whose units the table has
    QComboBox* aim_;
    QDoubleSpinBox *days_, *most_nodes_, *node_hours_, *energy_, *power_, *money_, *headroom_;
    QDateEdit* end_;
    QCheckBox *nodes_, *layout_, *size_, *tokens_;
    TextTable* table_;
};

}  // namespace plimsoll
