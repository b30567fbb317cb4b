#pragma once
// A running job of the plan: its measured steps against the prediction and,
// where they depart, whether another layout would pay from here on.
//
//   page.open("job.csv");      // a table with step_s, or a log of the engine
//   page.apply();              // the selected reading's layout becomes the plan's
//
// Readings belong to the plan they were searched for; another plan puts them out of view.

#include "core/answers/replan/replan.h"
#include "core/files/measured/training_log.h"
#include "views/charts/chart.h"
#include "views/charts/scatter_chart.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

namespace plimsoll {

class DriftPage : public QWidget {
    Q_OBJECT
public:
    explicit DriftPage(Workspace& workspace, QWidget* parent = nullptr);

    Problems open(const QString& path);              // steps opened before stay where it cannot be read
    Problems open(const TrainingLog&, const QString& name);
    void search();
    void cancel() { search_.forget(); }                 // half a search answers nothing
    void apply();                                    // as one undo step

    bool busy() const { return search_.busy(); }
    const std::vector<Replan>& readings() const;     // of the current plan; empty before a search, and after a change
    QString state() const { return state_->text(); }
    QString note() const { return note_->text(); }   // what went wrong, or belongs to another plan; empty: nothing
    QString advice() const { return advice_->text(); }
    QWidget* empty_text() const { return empty_; }
    TextTable* table() const { return table_; }
    QDoubleSpinBox* amount() const { return amount_; }
    QSpinBox* steps_left() const { return left_; }
    QPushButton* search_button() const { return search_.button(); }
    QPushButton* apply_button() const { return apply_; }
    QProgressBar* bar() const { return search_.bar(); }
    ScatterChart* steps() const { return steps_; }
    Chart* parts() const { return parts_; }

signals:
    void applied(const QString& layout);
    void busy_changed();

protected:
    void changeEvent(QEvent*) override;
    void dragEnterEvent(QDragEnterEvent*) override;
    void dropEvent(QDropEvent*) override;

private:
    struct Found {
        Scenario plan;                               // it was searched for
        std::vector<Replan> readings;
    };

    void build();
    QWidget* build_head();
    QWidget* build_charts();
    QWidget* build_readings();
    void ask_open();
    Problems take(Expected<MeasuredSteps, Problems>, const QString& name);
    void follow_plan();
    void search_if_departed();
    void adopt(Found);
    void show_all();
    void show_state();
    void show_charts();
    void show_readings();
    void show_selection();
    void enable_search();
    QString belongs_elsewhere() const;
    double share() const { return amount_->value() / 100; }

    Workspace& workspace_;
    BackgroundSearch search_{
        {tr("Every layout of the plan's devices, priced as the machine turned out, beside the window"),
         tr("Stop; half a search answers nothing")}};
    std::optional<MeasuredSteps> measured_;
    QString file_, trouble_;                         // name of what is open; why another file is not
    Scenario of_;                                    // the plan whose job was measured, as far as is known
    Scenario searching_;
    Found found_;
    Drift drift_;
    QPushButton* apply_;
    QDoubleSpinBox* amount_;
    QSpinBox* left_;
    QLabel *state_, *note_, *advice_, *empty_;
    QWidget *content_, *lower_;
    ScatterChart* steps_;
    Chart* parts_;
    TextTable* table_;
};

}  // namespace plimsoll
