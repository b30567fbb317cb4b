#include "views/calibrate/result_view.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/proof/figures.h"
#include "views/calibrate/calibration_text.h"
#include "views/jobs/engine_session.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QEvent>

namespace plimsoll {

namespace {

QString list_html(const QString& title, const std::vector<std::string>& items) {
    if (items.empty()) return {};
    QString html = QStringLiteral("<p><b>%1</b></p><ul>").arg(title.toHtmlEscaped());
    for (const std::string& each : items) html += QStringLiteral("<li>%1</li>").arg(worded_kept(each).toHtmlEscaped());
    return html + QStringLiteral("</ul>");
}

QString table_html(const QStringList& headings, const TextRows& rows) {
    const auto line = [](const QStringList& cells, const char* tag) {
        QString html = QStringLiteral("<tr>");
        for (qsizetype i = 0; i < cells.size(); ++i)
            html += QStringLiteral("<%1 align=\"%2\">%3</%1>")
                        .arg(QLatin1String(tag), QLatin1String(i > 0 ? "right" : "left"), cells[i].toHtmlEscaped());
        return html + QStringLiteral("</tr>");
    };
    QString html = QStringLiteral("<table cellpadding=\"4\">") + line(headings, "th");
    for (const QStringList& row : rows) html += line(row, "td");
    return html + QStringLiteral("</table>");
}

QString paragraph_html(const QString& text) { return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()); }

// Sources with their reasons, and joules of a step; of an older result its sentence alone.
QString energy_html(const CalibrationResult& r) {
    const EnergyEvidence& e = r.energy;
    const QString head = ResultView::tr("Energy: %1").arg(worded_kept(e.empty() ? r.record.energy : headline(e)));
    QString html = list_html(head, say_sources(e));
    if (html.isEmpty()) html = paragraph_html(head);
    if (!e.job.empty()) html += paragraph_html(worded_kept(e.job));
    if (e.layouts.empty()) return html;
    return html + table_html(energy_headings(e), energy_rows_of(e)) + paragraph_html(worded_kept(say_model(e)));
}

}  // namespace

void ResultView::present(ShownResult shown) {
    shown_ = std::move(shown);
    const auto& result = shown_.result;
    const bool unproven = result && scores_of(result->record).all.rows == 0 && !shown_.ending.isEmpty();
    headline_->setText(!result    ? tr("Nothing of this log can be shown")
                       : unproven ? tr("Not finished")
                                  : headline_of(result->record));
    QStringList why;
    if (!shown_.ending.isEmpty()) why << shown_.ending;
    else if (result && result->refused) why << to_qt(*result->refused);
    ending_->setText(why.join(u'\n'));
    ending_->setVisible(!why.isEmpty());
    set_text_colour(*ending_, alert_colour(palette()));
    offer(why);
    constants_->show_rows(result ? constant_rows(result->record) : TextRows{});
    proof_->show_rows(result ? proof_rows_of(result->record) : TextRows{});
    const std::vector<Figure> figures = result ? proof_figures(result->record) : std::vector<Figure>{};
    parts_->present(snapshot_of(figures));
    errors_->present(figures.size() > 1 ? figures[1] : Figure{});
    evidence_->clear();
    constants_->setCurrentCell(0, 0);
    show_evidence_of(0);
    show_remarks();
    messages_->setPlainText(shown_.messages);
    tabs_->setTabText(
        4, shown_.messages.isEmpty() ? tr("Messages") : tr("Messages (%1)").arg(shown_.messages.count(u'\n') + 1));
    set_saved({});
}

// What can be done with it; `why` says why it cannot be saved.
void ResultView::offer(const QStringList& why) {
    const bool whole = shown_.result && !shown_.result->refused;
    save_->setEnabled(whole);
    save_->setToolTip(whole ? tr("Into your presets; the machine it started from stays as it is")
                            : plain_text(why.join(u'\n')));
    resume_->setVisible(shown_.resumable);
    export_->setEnabled(shown_.result.has_value());
    energy_->setEnabled(shown_.result.has_value());
    discard_->setVisible(shown_.own);
}

void ResultView::add(const JobEnergy& job) {
    if (!shown_.result) return;
    add_job_energy(*shown_.result, job);
    show_remarks();
    tabs_->setCurrentIndex(3);
}

void ResultView::set_saved(const QString& preset) {
    saved_->setText(preset.isEmpty() ? QString() : tr("Saved as \"%1\".").arg(preset));
    saved_->setVisible(!preset.isEmpty());
    set_text_colour(*saved_, good_colour(palette()));
    use_->setVisible(!preset.isEmpty());
    save_->setVisible(preset.isEmpty());
}

void ResultView::show_evidence_of(int row) {
    if (!shown_.result || row < 0 || row >= int(shown_.result->record.constants.size())) return;
    Machine measured = shown_.result->calibrated.machine;
    measured.calibration = shown_.result->record;
    const auto found = evidence_for(measured, shown_.result->record.constants[std::size_t(row)].pointer);
    if (!found.empty()) evidence_->present(found.front());
}

void ResultView::show_remarks() {
    if (!shown_.result) return remarks_->clear();
    const Calibration& c = shown_.result->record;
    QString html = paragraph_html(tr("Measured on %1: %2; %3. From \"%4\".")
                                      .arg(to_qt(c.date), to_qt(c.host), to_qt(c.software), shown_.origin));
    html +=
        list_html(tr("Cautions"), c.cautions) + list_html(tr("Stays assumed"), c.assumed) + energy_html(*shown_.result);
    if (!c.prediction_hash.empty())
        html += paragraph_html(
            tr("Predictions were written before the layouts held back ran, over lines with the hash %1.")
                .arg(to_qt(c.prediction_hash)));
    if (!shown_.seal.isEmpty())
        html += paragraph_html(tr("Fingerprint of plan, constants and predictions: %1.").arg(shown_.seal));
    if (!shown_.attempts.isEmpty()) html += paragraph_html(shown_.attempts);
    remarks_->setHtml(html);
}

void ResultView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !saved_) return;
    set_text_colour(*ending_, alert_colour(palette()));
    set_text_colour(*saved_, good_colour(palette()));
}

// Widgets of the result and where they stand.

ResultView::ResultView(QWidget* parent)
    : QWidget(parent),
      headline_(paragraph(tr("How well predictions did"))),
      ending_(paragraph(tr("How it ended"))),
      saved_(paragraph(tr("Where it is saved"))),
      constants_(new TextTable(
          tr("Measured numbers"),
          {tr("Number"), tr("Was"), tr("Now"), tr("95 % from"), tr("to"), tr("Evidence")}, {1, 2, 3, 4})),
      proof_(new TextTable(tr("Predictions beside measurements"),
                           {tr("Layout"), tr("Role"), tr("Predicted"), tr("90 %"), tr("Measured"), tr("95 %"),
                            tr("Error"), tr("In range"), tr("Memory predicted"), tr("Measured"), tr("Error"),
                            tr("Remark")},
                           {2, 4, 6, 8, 9, 10})),
      evidence_(new EvidenceView),
      errors_(new ScatterChart),
      parts_(new Chart("calibration-parts")),
      remarks_(new QTextBrowser),
      messages_(message_list()),
      tabs_(new QTabWidget) {
    set_bold(*headline_, 1.25);
    remarks_->setAccessibleName(tr("Cautions, energy, and what stays assumed"));
    tabs_->addTab(build_proof(), tr("Proof"));
    tabs_->addTab(parts_, tr("Steps"));
    tabs_->addTab(build_constants(), tr("Numbers"));
    tabs_->addTab(remarks_, tr("Cautions and energy"));
    tabs_->addTab(messages_, tr("Messages"));
    setLayout(below({headline_, ending_, build_buttons(), saved_, {tabs_, 1}}, page_margins));
}

QWidget* ResultView::build_buttons() {
    resume_ = button(tr("Resume"), "calibrate.resume",
                     tr("Goes on after the runs that are complete; layouts held back run again"), this,
                     &ResultView::resume);
    save_ = button(tr("Save as machine preset"), "calibrate.save", {}, this, &ResultView::save);
    use_ = button(tr("Use in this plan"), "calibrate.use",
                  tr("The measured machine and software in place of the plan's, as one step that can be undone"), this,
                  &ResultView::use);
    export_ = button(tr("Export table..."), "calibrate.export",
                     tr("The proof as CSV and Markdown and its figures, into a folder"), this,
                     &ResultView::export_asked);
    discard_ = button(tr("Discard"), "calibrate.discard", tr("Deletes its file"), this, &ResultView::discard);
    energy_ = button(tr("Add the job's energy..."), "calibrate.sacct",
                     tr("Reads what sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P printed of the "
                        "batch job that measured it"),
                     this, &ResultView::energy_asked);
    QPushButton* close =
        button(tr("Close"), "calibrate.close", tr("Back to the plan of the next calibration; its file stays"), this,
               &ResultView::close);
    return piece(flow({resume_, save_, use_, export_, discard_, energy_, close}));
}

QWidget* ResultView::build_proof() {
    errors_->set_empty_text(tr("No layout ran far enough to be compared."));
    parts_->set_empty_text(tr("No layout ran far enough to be compared."));
    return split(Qt::Vertical, {{proof_, 2}, {errors_, 3}});
}

QWidget* ResultView::build_constants() {
    connect(constants_, &QTableWidget::currentCellChanged, this, &ResultView::show_evidence_of);
    constants_->stretch(5);
    return split(Qt::Horizontal, {constants_, evidence_}, {600, 400});
}

}  // namespace plimsoll
