#include "views/evidence/evidence_view.h"

#include "core/files/presets/derived_machine.h"
#include "views/calibrate/calibration_text.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QTabWidget>

namespace plimsoll {

EvidenceView::EvidenceView(QWidget* parent)
    : QWidget(parent),
      sentence_(paragraph(tr("What the number comes from"))),
      chart_(new ScatterChart),
      points_(new TextTable(tr("Points"),
                            {tr("Point"), tr("Size"), tr("Measured"), tr("95 % from"), tr("to"), tr("Fitted"),
                             tr("Error"), tr("Remark")},
                            {1, 2, 3, 4, 5, 6})) {
    sentence_->setTextFormat(Qt::RichText);   // of our own, all else escaped
    chart_->set_empty_text(tr("Choose a number to see the points it comes from."));
    connect(chart_, &ScatterChart::picked, this, [this](const QString& name) {
        const auto found = points_->findItems(name, Qt::MatchExactly);
        if (!found.isEmpty()) points_->setCurrentItem(found.front());
    });
    connect(points_, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0) chart_->select(points_->item(row, 0)->text());
    });
    setLayout(below({sentence_, {split(Qt::Vertical, {{chart_, 3}, {points_, 2}}), 1}}, no_margins));
}

void EvidenceView::present(const ConstantEvidence& e) {
    sentence_->setText(
        QStringLiteral("<b>%1</b>: %2")
            .arg(name_of_constant(e.constant.pointer).toHtmlEscaped(), to_qt(e.sentence).toHtmlEscaped()));
    chart_->set_empty_text(tr("This number was fitted to whole steps of training layouts: see them in the proof."));
    chart_->select({});
    chart_->present(e.figure);
    points_->show_rows(point_rows(e.experiment));
}

void EvidenceView::clear() {
    sentence_->clear();
    chart_->present({});
    points_->show_rows({});
}

void EvidenceView::set_theme(const ChartTheme& theme) { chart_->set_theme(theme); }

std::vector<ConstantEvidence> evidence_of_source(const Machine& machine, const std::string& source_text) {
    std::vector<ConstantEvidence> all;
    const Calibration* c = machine.calibration.get();
    if (!c) return all;
    for (const MeasuredConstant& m : c->constants)
        if (measured_text(m, *c) == source_text)
            for (ConstantEvidence& e : evidence_for(machine, m.pointer)) all.push_back(std::move(e));
    return all;
}

QDialog* show_evidence(QWidget* parent, const std::vector<ConstantEvidence>& evidence) {
    if (evidence.empty()) return nullptr;
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("evidence"));
    dialog->setWindowTitle(EvidenceView::tr("Measured: %1").arg(name_of_constant(evidence.front().constant.pointer)));
    auto* tabs = new QTabWidget;
    for (const ConstantEvidence& e : evidence) {
        auto* view = new EvidenceView;
        view->set_theme(is_dark(parent->palette()) ? dark_chart() : light_chart());
        view->present(e);
        tabs->addTab(view, name_of_constant(e.constant.pointer));
    }
    tabs->setTabBarAutoHide(true);
    dialog->setLayout(below({{tabs, 1}, close_button(*dialog)}));
    dialog->resize(760, 620);
    dialog->show();
    return dialog;
}

}  // namespace plimsoll
