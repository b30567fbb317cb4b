#pragma once
// Questions that other plans answer: one is chosen, answered beside the window, and any row that is a plan can be taken
// over. The same answers as `plimsoll ask`; the job script of `plimsoll launch` and the constants of `plimsoll fit` are
// two more.
//
//   page->choose(QStringLiteral("batch"));    // shows the question and asks it

#include "core/answers/ask/ask.h"
#include "core/evidence/fitting/fit.h"
#include "core/files/launch/launch.h"
#include "views/decide/answer_page.h"
#include "views/decide/ticked_list.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QWidget>

namespace plimsoll {

class QuestionsPage : public AnswerPage {
    Q_OBJECT
public:
    explicit QuestionsPage(Workspace& workspace, QWidget* parent = nullptr);

    // What can be asked: ids and titles, in order. "launch" and "fit" stand after those of the core.
    static std::vector<std::pair<QString, QString>> kinds();
    void choose(const QString& id);            // and asks it
    QString chosen() const { return kind_->currentData().toString(); }
    void ask();
    bool save_to(const QString& path);         // the table as CSV, or the script

    QComboBox* kind() const { return kind_; }
    QSpinBox* devices() const { return devices_; }
    QDoubleSpinBox* node_hours() const { return node_hours_; }
    QDoubleSpinBox* measured() const { return measured_; }
    QDoubleSpinBox* rate() const { return rate_; }
    QComboBox* basis() const { return basis_; }
    TickedList* machines() const { return machines_; }
    QComboBox* framework() const { return framework_; }
    TextTable* table() const { return table_; }
    QString answer() const { return state_->text(); }
    QString notes() const { return notes_->text(); }
    QString script() const { return script_->toPlainText(); }
    void set_runs(const QString& file) { runs_file_ = file; }   // of "fit"

protected:
    void begin() override { ask(); }
    void follow() override;
    std::optional<Offer> selected() const override;
    void showEvent(QShowEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void build();
    QWidget* build_body();
    QComboBox* choice(const char* name, const std::vector<std::pair<QString, QString>>& texts);
    void show_kind();                          // the inputs that the question has
    void adopt(Asked answer);
    void draw_timelines();                     // beside the rows that are schedules of the plan
    void show_script();
    AskOptions options() const;
    std::map<std::string, Machine> machines_asked() const;
    void ask_fit();
    void offer_machines();
    void choose_runs();
    void copy();
    void ask_save();

    Preferences judged_by_;                    // that the answer is for
    Asked asked_;
    Asked for_file_;                           // the same in English
    QString of_kind_;                          // the question that was answered; empty: none
    QString runs_file_;
    std::vector<std::pair<QString, QWidget*>> inputs_;   // with the question that has them
    QComboBox *kind_, *framework_, *free_, *basis_;
    bool chose_framework_ = false;             // until then it is the one that is usual with the plan's software
    QSpinBox* devices_;
    QDoubleSpinBox *node_hours_, *measured_, *rate_;
    TickedList* machines_;
    QPushButton* runs_;
    QLabel *about_, *notes_;
    QStackedWidget* body_;                     // the table or the script
    QBoxLayout* table_place_;
    TextTable* table_ = nullptr;               // made anew with each answer: its columns are the answer's
    QPlainTextEdit* script_;
    QPushButton *copy_, *save_;
};

}  // namespace plimsoll
