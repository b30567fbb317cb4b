#pragma once
// What came of a calibration: constants with their evidence, predictions beside
// what was measured, what disturbed it, and what can be done with it.
//
//   view->present({log, result, tr("Cancelled..."), ResultView::Kind::cancelled});

#include "core/files/measured/calibration_log.h"
#include "views/charts/chart.h"
#include "views/evidence/evidence_view.h"
#include "views/parts/tables.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBrowser>
#include <QWidget>

#include <optional>

namespace plimsoll {

struct ShownResult {
    std::optional<CalibrationResult> result;   // none where the log carries no plan
    QString ending;                            // how an attempt ended that did not go to its end; else empty
    QString messages;                          // other output
    QString origin;                            // where the log is, for people
    QString seal, attempts;                    // of plan, constants and predictions; what other attempts came to
    bool resumable = false, own = false;       // own: its file lies with this user's calibrations
};

class ResultView : public QWidget {
    Q_OBJECT
public:
    explicit ResultView(QWidget* parent = nullptr);

    void present(ShownResult);
    void add(const JobEnergy&);                // what a batch system counted of the job, into the remarks
    void set_saved(const QString& preset);     // offers it for the plan; empty: not saved yet
    const ShownResult& shown() const { return shown_; }

    QString headline() const { return headline_->text(); }
    QString remarks() const { return remarks_->toPlainText(); }
    TextTable* constants() const { return constants_; }
    TextTable* proof() const { return proof_; }
    EvidenceView* evidence() const { return evidence_; }
    QTabWidget* tabs() const { return tabs_; }
    QPushButton* save_button() const { return save_; }
    QPushButton* use_button() const { return use_; }
    QPushButton* energy_button() const { return energy_; }
    QPushButton* resume_button() const { return resume_; }
    QPushButton* discard_button() const { return discard_; }

protected:
    void changeEvent(QEvent*) override;

signals:
    void save();
    void use();
    void resume();
    void discard();
    void close();
    void export_asked();
    void energy_asked();

private:
    QWidget* build_buttons();
    QWidget* build_proof();
    QWidget* build_constants();
    void show_evidence_of(int row);
    void show_remarks();
    void offer(const QStringList& why_not_saved);

    ShownResult shown_;
    QLabel *headline_ = nullptr, *ending_ = nullptr, *saved_ = nullptr;
    TextTable *constants_, *proof_;
    EvidenceView* evidence_;
    ScatterChart* errors_;
    Chart* parts_;
    QTextBrowser* remarks_;
    QPlainTextEdit* messages_;
    QTabWidget* tabs_;
    QPushButton *save_, *use_, *export_, *energy_, *resume_, *discard_;
};

}  // namespace plimsoll
