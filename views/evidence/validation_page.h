#pragma once
// How far this build's predictions are off on published runs: every run, every
// miss, by source and by device. Filled when the workspace has its record.

#include "views/charts/export.h"
#include "views/charts/scatter_chart.h"
#include "views/document/workspace.h"
#include "views/evidence/run_table.h"
#include "views/parts/background.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>
#include <QWidget>

namespace plimsoll {

class ValidationPage : public QWidget {
    Q_OBJECT
public:
    explicit ValidationPage(Workspace& workspace, QWidget* parent = nullptr);

    void select(const QString& run);                // in table, charts and details
    QString selected() const;
    // Prices the runs of a file and shows them beside the shipped ones; a file of the same path replaces its runs.
    Problems add_runs(const QString& path);
    // The table as <stem>-published-runs.csv and each chart in every format.
    ExportFiles export_files(const QString& stem, const ExportOptions& = {}) const;
    std::vector<Figure> figures() const;   // none before the published runs are priced

    QTableView* table() const { return view_; }
    std::vector<ScatterChart*> charts() const { return charts_; }
    QPushButton* open_button() const { return open_; }
    RegretTable* regrets() const { return regrets_; }
    KnownTable* known() const { return known_; }
    QString headline() const { return headline_->text(); }
    QString details() const { return details_->toPlainText(); }

signals:
    void opened(const QString& run);  // it is the current plan now
    void export_wanted(const plimsoll::ExportFiles&, const QString& folder);

private:
    struct OwnFile {
        QString path;
        RunFile runs;
    };

    QWidget* build_runs();
    QWidget* build_charts();
    void present();
    void judge();
    std::vector<RunLine> lines() const;
    std::vector<ScoredRow> own_rows() const;
    void show_selection();
    void open_selected();
    void ask_save();

    Workspace& workspace_;
    std::shared_ptr<const TrackRecord> record_;  // rows of the table point into it
    std::vector<std::unique_ptr<OwnFile>> own_;
    RunTable model_;
    RunFilter filter_{model_};
    QLabel* headline_;
    QLineEdit* words_;
    QCheckBox* excluded_;
    QTableView* view_;
    QTextBrowser* details_;
    QPushButton* open_;
    SummaryTable *sources_, *families_;
    KnownTable* known_;
    RegretTable* regrets_;
    std::vector<ScatterChart*> charts_;
    std::vector<KnowledgeSummary> summaries_;    // of what is known of record_; empty until they are computed
    LatestJob job_;                              // last: it ends before the others go
};

}  // namespace plimsoll
