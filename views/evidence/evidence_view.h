#pragma once
// The points a measured number comes from: in a sentence, drawn measured beside
// fitted, and as a table with their intervals.
//
//   show_evidence(this, evidence_for(machine, "machine.device.efficiency.gemm_ceiling"));   // a window of its own

#include "core/evidence/calibration/proof/evidence.h"
#include "core/values/plan/machine.h"
#include "views/charts/scatter_chart.h"
#include "views/parts/tables.h"

#include <QDialog>
#include <QLabel>
#include <QWidget>

namespace plimsoll {

class EvidenceView : public QWidget {
    Q_OBJECT
public:
    explicit EvidenceView(QWidget* parent = nullptr);

    void present(const ConstantEvidence&);
    void clear();
    void set_theme(const ChartTheme&);

    QString sentence() const { return sentence_->text(); }
    ScatterChart* chart() const { return chart_; }
    TextTable* points() const { return points_; }

private:
    QLabel* sentence_;
    ScatterChart* chart_;
    TextTable* points_;
};

// Numbers of the plan's machine that came from the source text, as the Explain panel knows them.
std::vector<ConstantEvidence> evidence_of_source(const Machine&, const std::string& source_text);

// A window over the parent, not modal; null where there is no evidence.
QDialog* show_evidence(QWidget* parent, const std::vector<ConstantEvidence>&);

}  // namespace plimsoll
