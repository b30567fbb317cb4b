// Widgets of the result and where they stand.
#include "views/calibrate/measure/calibration_text.h"
#include "views/calibrate/measure/result_view.h"
#include "views/parts/flow_layout.h"
#include "views/parts/paragraph.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

ResultView::ResultView(QWidget* parent)
    : QWidget(parent), headline_(paragraph(tr("How well predictions did"))), ending_(paragraph(tr("How it ended"))), saved_(paragraph(tr("Where it is saved"))),
      constants_(new TextTable(tr("Measured numbers"), constant_headings(), {1, 2, 3, 4})), proof_(new TextTable(tr("Predictions beside measurements"), proof_headings(), {2, 4, 6, 8, 9, 10})),
      evidence_(new EvidenceView), errors_(new ScatterChart), parts_(new Chart("calibration-parts")), remarks_(new QTextBrowser), messages_(new QPlainTextEdit),
      tabs_(new QTabWidget) {
    QFont large = headline_->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.25);
    headline_->setFont(large);
    remarks_->setAccessibleName(tr("Cautions, energy, and what stays assumed"));
    messages_->setReadOnly(true);
    messages_->setTabChangesFocus(true);
    messages_->setAccessibleName(tr("What engine and launcher said besides"));
    messages_->setPlaceholderText(tr("Warnings, errors, and whatever was said that is no measurement."));
    tabs_->addTab(build_proof(), tr("Proof"));
    tabs_->addTab(parts_, tr("Steps"));
    tabs_->addTab(build_constants(), tr("Numbers"));
    tabs_->addTab(remarks_, tr("Cautions and energy"));
    tabs_->addTab(messages_, tr("Messages"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(headline_);
    column->addWidget(ending_);
    column->addWidget(build_buttons());
    column->addWidget(saved_);
    column->addWidget(tabs_, 1);
}

QWidget* ResultView::build_buttons() {
    auto* row = new QWidget;
    auto* line = new FlowLayout(row);
    const auto button = [&](const QString& text, const char* name, const QString& help, auto signal) {
        auto* b = new QPushButton(text);
        b->setObjectName(QLatin1String(name));
        b->setToolTip(help);
        connect(b, &QPushButton::clicked, this, signal);
        line->addWidget(b);
        return b;
    };
    resume_ = button(tr("Resume"), "calibrate.resume", tr("Goes on after the runs that are complete; layouts held back run again"), &ResultView::resume);
    save_ = button(tr("Save as machine preset"), "calibrate.save", {}, &ResultView::save);
    use_ = button(tr("Use in this plan"), "calibrate.use", tr("The measured machine and software in place of the plan's, as one step that can be undone"), &ResultView::use);
    export_ = button(tr("Export table..."), "calibrate.export", tr("The proof as CSV and Markdown and its figures, into a folder"), &ResultView::export_asked);
    discard_ = button(tr("Discard"), "calibrate.discard", tr("Deletes its file"), &ResultView::discard);
    close_ = button(tr("Close"), "calibrate.close", tr("Back to the plan of the next calibration; its file stays"), &ResultView::close);
    return row;
}

QWidget* ResultView::build_proof() {
    errors_->set_empty_text(tr("No layout ran far enough to be compared."));
    parts_->set_empty_text(tr("No layout ran far enough to be compared."));
    auto* halves = new QSplitter(Qt::Vertical);
    halves->addWidget(proof_);
    halves->addWidget(errors_);
    halves->setStretchFactor(0, 2);
    halves->setStretchFactor(1, 3);
    halves->setChildrenCollapsible(false);
    return halves;
}

QWidget* ResultView::build_constants() {
    connect(constants_, &QTableWidget::currentCellChanged, this, &ResultView::show_evidence_of);
    auto* sides = new QSplitter(Qt::Horizontal);
    sides->addWidget(constants_);
    sides->addWidget(evidence_);
    sides->setChildrenCollapsible(false);
    constants_->stretch(5);
    sides->setSizes({600, 400});
    return sides;
}

}  // namespace plimsoll
