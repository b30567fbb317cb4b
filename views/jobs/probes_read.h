#pragma once
// What short runs of the user's own software measured: the logs of a folder beside what was predicted before they ran,
// and what they say of the plan in front. The folder belongs to the plan and is watched while the page is in view, so
// that a job that runs is followed.
//
//   view.read(folder);      // a folder that probe_job() was written to
//   view.keep();            // the measured runs, as "I measured this" keeps one

#include "core/files/results/measured_figures.h"
#include "views/charts/scatter_chart.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

namespace plimsoll {

class ProbesRead : public QWidget {
    Q_OBJECT
public:
    explicit ProbesRead(Workspace&, QWidget* parent = nullptr);

    void remember_folders() { remember_ = true; }   // of plans that have a file, between starts
    void read(const QString& folder);                // from here on of the plan in front
    void keep();
    bool busy() const { return job_.busy(); }

    const QString& folder() const { return folder_; }
    QString state() const { return state_->text(); }
    QString remarks() const { return remarks_->text(); }
    QString after() const { return after_->text(); }   // the plan before and after
    TextTable* table() const { return table_; }
    ScatterChart* chart() const { return chart_; }
    QPushButton* keep_button() const { return keep_; }
    QTimer& watch() { return watch_; }

signals:
    void kept(int runs);

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    // What a look at the folder rests on: the same again shows nothing new.
    struct Asked {
        QString folder;
        Scenario plan;
        std::shared_ptr<const TrackRecord> record;
        std::string stamp;               // of the files
        friend bool operator==(const Asked&, const Asked&) = default;
    };
    struct Found {
        Asked asked;
        Expected<ProbeReading, Problems> reading = Unexpected{Problems{}};
        std::optional<AfterProbes> after;
        Figure figure;
        std::vector<std::string> due;    // logs that are not there yet
    };

    QString folder_of_plan();
    void store(const QString& folder);
    void follow_plan();
    void look();
    void adopt(Found);
    void show_all();
    void show_reading(const ProbeReading&);
    void show_kept();
    void fit_texts();
    std::vector<MeasuredRun> measured() const;
    bool sure_of(const std::vector<MeasuredRun>&);
    void ask_read();

    Workspace& workspace_;
    bool remember_ = false;
    QHash<QString, QString> folders_;    // by plan
    QString folder_;
    std::shared_ptr<const Library> library_;
    std::optional<Asked> asking_;        // of the look that goes on, without its stamp
    std::optional<Found> found_;
    QTimer watch_;
    QPushButton *keep_;
    QLabel *state_, *remarks_, *after_, *empty_;
    TextTable* table_;
    ScatterChart* chart_;
    QWidget* content_;
    LatestJob job_;                      // last: it ends before the others go
};

}  // namespace plimsoll
