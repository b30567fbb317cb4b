#pragma once
// Asks what people know of a run: what is done with which model, the machine, one of nodes, a date, days and
// node-hours, and the tokens.
// Answers with a plan, or with why there is none and the nearest that work, each on a button.
//
//   connect(form, &FirstPlanForm::planned, this, [&](const Scenario& s) { plans.start(new_plan(s)); });

#include <QWidget>

#include "core/answers/search/nearest_plans.h"
#include "views/document/workspace.h"
#include "views/inputs/preset_picker.h"
#include "views/parts/background.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace plimsoll {

class FirstPlanForm : public QWidget {
    Q_OBJECT
public:
    explicit FirstPlanForm(Workspace& workspace, QWidget* parent = nullptr);

    PresetPicker* model() const { return model_; }
    PresetPicker* machine() const { return machine_; }
    bool busy() const { return job_.busy() || near_.busy(); }
    QString answer() const { return answer_->isHidden() ? QString() : answer_->text(); }

signals:
    void planned(const plimsoll::Scenario&);

private:
    enum class Known { nodes, date, days, node_hours };
    Known known() const { return Known(which_->currentIndex()); }
    QWidget* row(const QString& text, QWidget* field);
    bool tunes_model() const { return what_->currentIndex() > 0; }
    void propose();
    void say_what_is_known();
    std::optional<FirstAsk> asked();
    std::optional<FirstAsk> refuse(QLineEdit* field, const QString& why);
    void plan();
    void take(const FirstPlan&, const FirstAsk&);
    void offer(const QString& text, const Scenario&);
    void clear_answer();
    Method chosen_method() const;
    const Model& chosen_model() const { return workspace_.library().models.at(model_->shown()); }
    const Machine& chosen_machine() const { return workspace_.library().machines.at(machine_->shown()); }

    Workspace& workspace_;
    PresetPicker *model_, *machine_;
    QComboBox *what_, *which_;    // is trained; is known
    QLineEdit *amount_, *tokens_, *examples_, *length_;
    QWidget *tokens_row_ = nullptr, *examples_row_ = nullptr;   // one of them is shown
    QString proposed_;            // tokens, of the model; what somebody typed stays
    QPushButton* plan_;
    QLabel* answer_;
    QVBoxLayout* offers_;
    LatestJob job_, near_;
};

}  // namespace plimsoll
