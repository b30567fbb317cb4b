// What is done with a result: shown, saved, used, exported, discarded.
#include "views/calibrate/measure/measure_page.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/files/results/calibration_report.h"
#include "core/files/text/disk.h"
#include "views/charts/export.h"
#include "views/plan/text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace plimsoll {

namespace {

// The preset it started from where it is here, else as the log holds it.
const Machine& base_of(const Library& library, const CalibrationResult& r) {
    const auto here = library.machines.find(r.plan.machine.id);
    return here == library.machines.end() ? r.plan.machine : here->second;
}

}  // namespace

void MeasurePage::show_log(const CalibrationLog& log, const QString& file, const QString& ending, const QString& messages) {
    auto result = result_of(log);
    saved_.reset();
    shown_file_ = file;
    ShownResult shown;
    shown.ending = ending;
    if (result) shown.result = std::move(*result);
    else shown.ending += (ending.isEmpty() ? QString() : QStringLiteral("\n")) + to_qt(say(result.error()));
    shown.messages = messages;
    shown.origin = QFileInfo(file).fileName();
    shown.own = files_.holds(file);
    shown.resumable = shown.own && shown.result && !log.complete();
    show_stage(Stage::result);
    result_->present(std::move(shown));
}

Problems MeasurePage::open_result(const QString& path) {
    if (runner_.busy()) return {{Severity::error, path.toStdString(), "", tr("a calibration is running: cancel it first").toStdString()}};
    const auto log = read_calibration_log(path.toStdString());
    if (!log) return log.error();
    show_log(*log, QFileInfo(path).absoluteFilePath(), log->complete() ? QString() : tr("Not to its end: %1.").arg(to_qt(log->state())), messages_of(*log, {}));
    return {};
}

Problems MeasurePage::save() {
    const auto& shown = result_->shown().result;
    if (!shown || shown->refused) return {};
    auto saved = save_calibrated(base_of(workspace_.library(), *shown), shown->calibrated, shown->record, presets_);
    if (!saved) {
        if (isVisible()) QMessageBox::warning(this, tr("Save as machine preset"), to_qt(say(saved.error())));
        return saved.error();
    }
    saved_ = std::move(*saved);
    workspace_.add_presets(saved_->machine, saved_->stack);
    result_->set_saved(to_qt(saved_->machine.name));
    return {};
}

void MeasurePage::use() {
    if (!saved_) return;
    Scenario next = workspace_.scenario();
    next.machine = saved_->machine;
    if (saved_->stack) next.stack = *saved_->stack;
    const QString name = to_qt(saved_->machine.name);
    workspace_.propose(next, name);
    emit told(tr("The plan is now on %1; Ctrl+Z returns").arg(name));
}

Problems MeasurePage::export_to(const QString& dir) {
    const auto& shown = result_->shown().result;
    if (!shown) return {};
    const QString stem = QDir(dir).filePath(QFileInfo(shown_file_).completeBaseName());
    const Machine machine = derived(base_of(workspace_.library(), *shown), shown->calibrated, shown->record);
    const auto file = [&](const char* ending) { return (stem + QLatin1String(ending)).toStdString(); };
    if (const auto written = write_atomically(file("-calibration-proof.csv"), proof_csv(shown->record)); !written) return written.error();
    if (const auto written = write_atomically(file("-calibration-proof.md"), calibration_markdown(machine)); !written) return written.error();
    for (const Figure& f : proof_figures(shown->record))
        if (const Problems problems = export_figure(f, to_csv(f, {}), stem, export_formats(), 300); !problems.empty()) return problems;
    return {};
}

void MeasurePage::discard() {
    files_.remove(shown_file_);
    close_result();
}

void MeasurePage::close_result() {
    shown_file_.clear();
    saved_.reset();
    look_for_interrupted();
    show_stage(Stage::plan);
}

void MeasurePage::ask_import() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import a calibration"), files_.directory(), tr("Logs of calibrations (*.jsonl *.part);;All files (*)"));
    if (path.isEmpty()) return;
    if (const Problems problems = open_result(path); !problems.empty()) QMessageBox::warning(this, tr("Import a calibration"), to_qt(say(problems)));
}

void MeasurePage::ask_export() {
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Export the proof into a folder"));
    if (dir.isEmpty()) return;
    const Problems problems = export_to(dir);
    if (!problems.empty()) QMessageBox::warning(this, tr("Export the proof"), to_qt(say(problems)));
    else emit told(tr("The proof is in %1").arg(QDir::toNativeSeparators(dir)));
}

void MeasurePage::ask_discard(const QString& file, const std::function<void()>& then) {
    const auto answer = QMessageBox::question(this, tr("Discard a calibration"), tr("Delete \"%1\" with all that was measured?").arg(QFileInfo(file).fileName()),
                                              QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Discard) then();
}

}  // namespace plimsoll
