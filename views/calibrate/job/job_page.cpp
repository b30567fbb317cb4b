#include "views/calibrate/job/job_page.h"

#include "core/evidence/calibration/plan/place.h"
#include "core/files/launch/calibration_plan.h"
#include "core/files/text/disk.h"
#include "views/parts/colours.h"
#include "views/plan/text.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QMessageBox>

#include <algorithm>

namespace plimsoll {

namespace {

// On the machine's own devices, by its preset; or why not.
Expected<CalibrationPlace, std::string> place_of(const Workspace& workspace, const JobShape& shape) {
    const auto& stacks = workspace.library().stacks;
    const auto engine = stacks.find("plimsoll-engine");
    return place_on(workspace.scenario().machine, engine == stacks.end() ? Stack{} : engine->second, {shape.nodes, shape.ranks_per_node, shape.cores_per_rank});
}

}  // namespace

BatchKind JobPage::kind() const { return BatchKind(kind_->currentData().toInt()); }

void JobPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow_machine();
    refresh();
}

// Another machine opens with its own batch system; what was typed stays otherwise.
void JobPage::follow_machine() {
    const Machine& machine = workspace_.scenario().machine;
    if (machine.id == machine_) return;
    machine_ = machine.id;
    nodes_->setMaximum(machine.nodes);
    nodes_->setValue(std::min(2, machine.nodes));   // two show the network between them
    const auto theirs = batch_kind(machine.scheduler);
    if (theirs) kind_->setCurrentIndex(std::max(0, kind_->findData(int(*theirs))));
}

Expected<JobFiles, std::vector<std::string>> JobPage::job_for(const QString& folder) const {
    JobRequest request;
    request.nodes = nodes_->value();
    request.account = account_->text().trimmed().toStdString();
    request.queue = queue_->text().trimmed().toStdString();
    if (minutes_->value() > 0) request.walltime = minutes_->value() * minute;
    if (!engine_->text().trimmed().isEmpty()) request.engine = engine_->text().trimmed().toStdString();
    request.folder = folder.toStdString();
    const Machine& machine = workspace_.scenario().machine;
    request.ranks_per_node = machine.devices_per_node;   // a rank of a calibration is a device
    const auto place = place_of(workspace_, job_shape(machine, kind(), request));
    if (!place) return Unexpected{std::vector<std::string>{place.error()}};
    const auto plan = plan_experiments(workspace_.scenario(), *place);
    if (!plan) return Unexpected{plan.error()};
    request.budget = plan->expected();
    request.plan = write_calibration_plan(*plan);
    return calibration_job(machine, kind(), request);
}

// What to know before a job is submitted, or every reason why there is none.
QStringList JobPage::notes_on(const Expected<JobFiles, std::vector<std::string>>& job, bool present) const {
    QStringList notes;
    if (!job) {
        for (const std::string& why : job.error()) notes << to_qt(why);
        return notes;
    }
    notes << to_qt(say_run_for_real(kind()));
    for (const std::string& note : job->notes)
        if (!notes.contains(to_qt(note))) notes << to_qt(note);
    const QString title = QString::fromUtf8(title_of(kind()).data(), qsizetype(title_of(kind()).size()));
    if (!present) notes << tr("%1 is not on this computer: save the folder, submit it there, and import the result afterwards.").arg(title);
    return notes;
}

void JobPage::refresh() {
    const auto job = job_for({});
    const auto here = schedulers_here();
    const bool present = std::find(here.begin(), here.end(), kind()) != here.end();
    preview_->clear();
    if (job)
        for (const JobFile& file : job->files)
            if (file.name == job->script) preview_->setPlainText(to_qt(file.text));
    notes_->setText(notes_on(job, present).join(u'\n'));
    QPalette colours = palette();
    if (!job) colours.setColor(QPalette::WindowText, alert_colour(palette()));
    notes_->setPalette(colours);
    save_->setEnabled(job.has_value());
    submit_->setEnabled(job && present && !job_.active() && !job_.asking());
    show_state();
}

void JobPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible()) refresh();
}

void JobPage::show_state() {
    state_->setText(job_.state());
    state_->setVisible(!job_.state().isEmpty());
    cancel_->setVisible(job_.active());
}

Problems JobPage::save_to(const QString& folder) {
    const auto job = job_for(folder);
    Problems problems;
    if (!job) {
        for (const std::string& why : job.error()) problems.push_back({Severity::error, {}, {}, why});
        return problems;
    }
    if (!QDir().mkpath(folder)) return {{Severity::error, folder.toStdString(), {}, "cannot be made"}};
    for (const JobFile& file : job->files)
        if (const auto written = write_atomically(QDir(folder).filePath(to_qt(file.name)).toStdString(), file.text); !written) return written.error();
    emit told(tr("The job is in %1").arg(QDir::toNativeSeparators(folder)));
    return {};
}

void JobPage::submit_from(const QString& folder) {
    if (const Problems problems = save_to(folder); !problems.empty()) {
        QMessageBox::warning(this, tr("Submit"), to_qt(say(problems)));
        return;
    }
    job_.submit(kind(), folder, to_qt(JobFiles{}.script));
}

void JobPage::ask_save() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder for the job"));
    if (folder.isEmpty()) return;
    if (const Problems problems = save_to(folder); !problems.empty()) QMessageBox::warning(this, tr("Save the job"), to_qt(say(problems)));
}

void JobPage::ask_submit() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder for the job that all its nodes can see"));
    if (!folder.isEmpty()) submit_from(folder);
}

}  // namespace plimsoll
