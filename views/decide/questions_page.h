#pragma once
// Questions that other plans answer: one is chosen, answered beside the window, and any row that is a plan can be taken
// over. The same answers as `plimsoll ask`; the job script of `plimsoll launch` and the constants of `plimsoll fit` are
// two more.
//
//   page->choose(QStringLiteral("batch"));    // shows the question and asks it

#include <QWidget>

#include "core/answers/ask/ask.h"
#include "core/evidence/fitting/fit.h"
#include "core/files/launch/launch.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace plimsoll {

class QuestionsPage : public QWidget {
    Q_OBJECT
public:
    explicit QuestionsPage(Workspace& workspace, QWidget* parent = nullptr);

    // What can be asked: ids and titles, in order. "launch" and "fit" stand after those of the core.
    static std::vector<std::pair<QString, QString>> kinds();
    void choose(const QString& id);            // and asks it
    QString chosen() const { return kind_->currentData().toString(); }
    void ask();
    bool busy() const { return search_.busy(); }
    void cancel() { search_.forget(); }        // half an answer is none
    bool save_to(const QString& path);         // the table as CSV, or the script

    QComboBox* kind() const { return kind_; }
    QSpinBox* devices() const { return devices_; }
    QDoubleSpinBox* node_hours() const { return node_hours_; }
    QComboBox* framework() const { return framework_; }
    QPushButton* ask_button() const { return search_.button(); }
    QPushButton* apply_button() const { return apply_; }
    TextTable* table() const { return table_; }
    QString answer() const { return answer_->text(); }
    QString notes() const { return notes_->text(); }
    QString script() const { return script_->toPlainText(); }
    void apply();                              // the selected row's plan, as one undo step
    void set_runs(const QString& file) { runs_file_ = file; }   // of "fit"

signals:
    void applied(const QString& plan);
    void busy_changed(bool busy);

protected:
    void showEvent(QShowEvent*) override;

private:
    void build();
    void show_kind();                          // the inputs that the question has
    void adopt(Asked answer);
    void show_script();
    void ask_fit();
    void follow();
    void show_selection();
    void choose_runs();
    void copy();
    void ask_save();
    const AskedRow* selected() const;

    Workspace& workspace_;
    BackgroundSearch search_{{tr("Works the answer out beside the window"), tr("Stop; half an answer is none")}};
    Scenario of_;                              // the plan that the answer is for
    Preferences judged_by_;                    // and the preferences
    Asked asked_;
    Asked for_file_;                           // the same in English
    QString of_kind_;                          // the question that was answered; empty: none
    QString runs_file_;
    QComboBox *kind_, *framework_, *free_;
    QWidget *devices_line_, *node_hours_line_, *framework_line_, *free_line_;
    QSpinBox* devices_;
    QDoubleSpinBox* node_hours_;
    QPushButton* runs_;
    QLabel *about_, *answer_, *notes_, *stale_;
    QStackedWidget* body_;                     // the table or the script
    QVBoxLayout* table_place_;
    TextTable* table_ = nullptr;               // made anew with each answer: its columns are the answer's
    QPlainTextEdit* script_;
    QPushButton *apply_, *copy_, *save_;
};

}  // namespace plimsoll
