#include "views/jobs/job_page.h"

#include "core/files/launch/calibration_start.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "views/jobs/job_folder.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QMessageBox>

#include <algorithm>
#include <utility>

namespace plimsoll {

namespace {

Stack engine_of(const Library& library) {
    const auto engine = library.stacks.find("plimsoll-engine");
    return engine == library.stacks.end() ? Stack{} : engine->second;
}

}  // namespace

BatchKind JobPage::kind() const { return BatchKind(kind_->currentData().toInt()); }

// Another machine opens with its own batch system; what was typed stays otherwise.
void JobPage::follow_machine() {
    const Machine& machine = workspace_.scenario().machine;
    if (machine.id == machine_) return;
    machine_ = machine.id;
    nodes_->setMaximum(machine.nodes);
    nodes_->setValue(std::min(2, machine.nodes));   // two show the network between them
    const auto theirs = batch_kind(machine.scheduler);
    // Where it has none that scripts are written for, the first: the notes say whose lines are missing.
    kind_->setCurrentIndex(std::max(0, theirs ? kind_->findData(int(*theirs)) : 0));
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
    const auto plan = plan_for_job(workspace_.scenario(), engine_of(workspace_.library()), kind(), {}, request);
    if (!plan) return Unexpected{plan.error()};
    const auto read_here = calibration_job(machine, kind(), request);
    if (!read_here) return read_here;
    auto job = [&] {
        const Speaking english(nullptr);   // it becomes files
        return calibration_job(machine, kind(), request);
    }();
    if (job) job->notes = read_here->notes;
    return job;
}

// What to know before a job is submitted, or every reason why there is none.
QStringList JobPage::notes_on(const Expected<JobFiles, std::vector<std::string>>& job, bool installed) const {
    if (!job) return to_qt(job.error());
    QStringList notes{to_qt(say_run_for_real(kind()))};
    for (const std::string& note : job->notes)
        if (!notes.contains(to_qt(note))) notes << to_qt(note);
    if (const QStringList lines = lines_of_plan(); !lines.isEmpty())
        notes << tr("The script executes %n line(s) that come from this plan and from no installed preset.", nullptr,
                    int(lines.size()));
    const QString title = worded(title_of(kind()));
    if (!installed)
        notes << tr("%1 is not on this computer: save the folder, submit it there, and import the result afterwards.")
                     .arg(title);
    return notes;
}

void JobPage::refresh() {
    const auto job = job_for({});
    const auto here = schedulers_here();
    const bool installed = std::find(here.begin(), here.end(), kind()) != here.end();
    preview_->clear();
    if (job)
        for (const JobFile& file : job->files)
            if (file.name == job->script) preview_->setPlainText(to_qt(file.text));
    notes_->setText(notes_on(job, installed).join(u'\n'));
    set_text_colour(*notes_, job ? palette().color(QPalette::WindowText) : alert_colour(palette()));
    save_->setEnabled(job.has_value());
    submit_->setEnabled(job && installed && !job_.active() && !job_.asking());
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
    forget_->setVisible(job_.lost());
}

Problems JobPage::save_to(const QString& folder) {
    const auto job = job_for(folder);
    Problems problems;
    if (!job) {
        for (const std::string& why : job.error()) problems.push_back({Severity::error, {}, {}, why});
        return problems;
    }
    problems = write_into(folder, job->files);
    if (!problems.empty()) return problems;
    emit status_message(tr("The job is in %1").arg(QDir::toNativeSeparators(folder)));
    return {};
}

void JobPage::submit_from(const QString& folder) {
    if (const Problems problems = save_to(folder); !problems.empty()) return warn(this, tr("Submit"), problems);
    job_.submit({kind(), {}, folder, to_qt(workspace_.scenario().machine.name)}, to_qt(JobFiles{}.script));
}

QStringList JobPage::lines_of_plan() const {
    return to_qt(foreign_lines(workspace_.scenario().machine, kind(), workspace_.library().machines));
}

bool JobPage::accepts_lines() {
    const QStringList lines = lines_of_plan();
    if (lines.isEmpty()) return true;
    QMessageBox box(QMessageBox::Warning, tr("Lines of the plan"),
                    tr("The script executes lines that come from this plan and from no installed preset. Read them "
                       "before you go on."),
                    QMessageBox::Ok | QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setDetailedText(lines.join(u'\n'));
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Ok;
}

bool JobPage::may_write(const QString& folder) {
    const auto job = job_for(folder);
    return !job || may_write_into(this, folder, job->files);
}

bool JobPage::may_submit() {
    const auto job = job_for({});
    if (!job) return false;
    const QString account = account_->text().trimmed();
    const QString nodes = to_qt(numbered(job->shape.nodes, "node", "nodes"));
    QMessageBox box(QMessageBox::Question, tr("Submit the job"),
                    plain_text(tr("Submit a job of %1 for at most %2 (hh:mm) to %3?")
                                   .arg(nodes, to_qt(hours_and_minutes(job->walltime)), worded(title_of(kind())))),
                    QMessageBox::Ok | QMessageBox::Cancel, this);
    box.button(QMessageBox::Ok)->setText(tr("Submit"));
    box.setInformativeText(plain_text(account.isEmpty() ? tr("No account is named; the site's default pays.")
                                                        : tr("%1 pays.").arg(account)));
    box.setDefaultButton(QMessageBox::Cancel);
    return box.exec() == QMessageBox::Ok;
}

void JobPage::ask_save() {
    if (!accepts_lines()) return;
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder for the job"));
    if (folder.isEmpty() || !may_write(folder)) return;
    if (const Problems problems = save_to(folder); !problems.empty()) warn(this, tr("Save the job"), problems);
}

void JobPage::ask_submit() {
    if (!accepts_lines()) return;
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("A folder for the job that all its nodes can see"));
    if (!folder.isEmpty() && may_write(folder) && may_submit()) submit_from(folder);
}

namespace {

constexpr int patience = 30000;   // milliseconds a command of the batch system may take

}  // namespace

BatchJob::BatchJob(QObject* parent) : QObject(parent) {
    next_.setSingleShot(true);
    process_.setProcessChannelMode(QProcess::MergedChannels);
    connect(&next_, &QTimer::timeout, this, [this] { poll(0); });
    const auto done = [this](int code) {
        if (const Answer answer = std::exchange(answer_, nullptr)) answer(code, process_.readAll().toStdString());
    };
    connect(&process_, &QProcess::finished, this,
            [done](int code, QProcess::ExitStatus how) { done(how == QProcess::NormalExit ? code : -1); });
    connect(&process_, &QProcess::errorOccurred, this, [done](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) done(-1);
    });
}

BatchJob::~BatchJob() {
    process_.disconnect(this);
    process_.kill();
    process_.waitForFinished(1000);
}

// Through env, which looks the program up in PATH.
void BatchJob::ask(const Command& command, Answer answer) {
    answer_ = std::move(answer);
    process_.start(QStringLiteral("/usr/bin/env"), to_qt(command), QIODevice::ReadOnly);
    QTimer::singleShot(patience, &process_, [this, started = process_.processId()] {
        if (process_.processId() == started) process_.kill();
    });
}

void BatchJob::submit(const SubmittedJob& job, const QString& script) {
    if (active() || asking()) return;
    job_ = job;
    job_.id.clear();
    problem_.clear();
    status_ = {};
    known_ = true;
    polls_ = 0;
    const Command command = submit_command(job.kind, job.folder.toStdString(), script.toStdString());
    ask(command, [this](int code, const std::string& printed) {
        const auto id = code == 0 ? job_id(job_.kind, printed) : std::nullopt;
        if (id) {
            job_.id = *id;
            status_.state = JobState::queued;
            wait();
        } else {
            problem_ = tr("%1 took no job: %2").arg(worded(title_of(job_.kind)), to_qt(printed).trimmed());
        }
        emit changed();
    });
    emit changed();
}

// The id comes from a file of settings and goes to a command line.
void BatchJob::follow(const SubmittedJob& job) {
    if (active() || asking() || !is_job_id(job.kind, job.id)) return;
    job_ = job;
    problem_.clear();
    status_ = {};
    known_ = false;  // until it answers
    polls_ = 0;
    poll(0);
    emit changed();
}

void BatchJob::forget() {
    if (asking()) {  // its answer is nobody's any more
        answer_ = [this](int, const std::string&) { emit changed(); };
        process_.kill();
    }
    next_.stop();
    job_ = {};
    status_ = {};
    emit changed();
}

// Each command in turn until one knows the job; a queue that cannot be asked now is asked again later.
void BatchJob::poll(std::size_t command) {
    if (!active() || asking()) return;
    const auto commands = poll_commands(job_.kind, job_.id);
    if (command >= commands.size()) {
        known_ = false;
        emit changed();
        return wait();
    }
    ask(commands[command], [this, command](int, const std::string& printed) {
        const JobStatus found = job_status(job_.kind, job_.id, printed);
        if (found.state == JobState::unknown) return poll(command + 1);
        status_ = found;
        known_ = true;
        emit changed();
        wait();
    });
}

void BatchJob::wait() {
    if (active()) next_.start(int(poll_interval(polls_++) / millisecond));
}

// A question after the job that is under way is given up for it: it may take as long as the batch system likes.
void BatchJob::cancel() {
    if (!active() || cancelling_) return;
    cancelling_ = true;
    next_.stop();
    const auto begin = [this](int, const std::string&) {
        ask(cancel_command(job_.kind, job_.id), [this](int code, const std::string& printed) {
            cancelling_ = false;
            problem_ = code == 0 ? QString() : to_qt(printed).trimmed();
            polls_ = 0;
            poll(0);
            emit changed();
        });
    };
    if (!asking()) return begin(0, {});
    answer_ = begin;
    process_.kill();
}

QString BatchJob::state() const {
    if (!problem_.isEmpty()) return problem_;
    if (job_.id.empty()) return asking() ? tr("Submitting...") : QString();
    const QString state = tr("Job %1: %2").arg(to_qt(job_.id), to_qt(say(status_)));
    return job_.folder.isEmpty() ? state
                                 : state + u'\n' + tr("For %1, submitted from %2").arg(job_.machine, job_.folder);
}

// Widgets of the job's page and where they stand.

JobPage::JobPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      kind_(new QComboBox),
      nodes_(new QSpinBox),
      minutes_(new QSpinBox),
      account_(new QLineEdit),
      queue_(new QLineEdit),
      engine_(new QLineEdit),
      preview_(read_only_text(tr("The job's script"), tr("No script: the reason stands above."))),
      notes_(paragraph(tr("What to know before it is submitted"))),
      state_(paragraph(tr("State of the job"))),
      save_(button(tr("Save..."), "job.save", {}, this, &JobPage::ask_save)),
      submit_(button(tr("Submit..."), "job.submit", {}, this, &JobPage::ask_submit)),
      cancel_(button(tr("Cancel job"), "job.cancel", {}, &job_, &BatchJob::cancel)),
      forget_(button(tr("Forget job"), "job.forget",
                     tr("The batch system does not know this job: it is asked after no longer"), &job_,
                     &BatchJob::forget)) {
    preview_->setLineWrapMode(QPlainTextEdit::NoWrap);
    preview_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLayout(below({build_form(), notes_, state_, {preview_, 1}}, page_margins));
    connect(&job_, &BatchJob::changed, this, &JobPage::refresh);
    const auto follow = [this] {
        follow_machine();
        refresh();
    };
    auto* seen = new WhenSeen(*this, follow, WhenSeen::Shown::always);
    connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
}

QWidget* JobPage::build_form() {
    auto* line = new FlowLayout;
    for (const BatchKind each : batch_kinds()) kind_->addItem(worded(title_of(each)), int(each));
    nodes_->setMinimum(1);
    minutes_->setRange(0, 24 * 60);
    minutes_->setSpecialValueText(tr("as needed"));
    minutes_->setSuffix(tr(" min"));
    account_->setPlaceholderText(tr("project"));
    queue_->setPlaceholderText(tr("the site's"));
    engine_->setPlaceholderText(QStringLiteral("plimsoll-engine"));
    const auto add = [&](const QString& label, const char* name, QWidget* field, const QString& help) {
        line->addWidget(labelled(label, as_input(field, name, help)));
    };
    add(tr("&Batch system"), "job.system", kind_, tr("Opens with the one of the plan's machine"));
    add(tr("&Nodes"), "job.nodes", nodes_, tr("Two show the network between nodes; more show little more"));
    add(tr("&Account"), "job.account", account_, tr("The project that pays"));
    add(tr("&Queue"), "job.queue", queue_, tr("Queue or partition; the site's for short jobs where it is empty"));
    add(tr("T&ime limit"), "job.minutes", minutes_,
        tr("As needed: half as much again as the runs are expected to take, and 5 minutes"));
    add(tr("&Engine"), "job.engine", engine_,
        tr("plimsoll-engine on that machine: an absolute path, or a name in its PATH"));
    for (QPushButton* b : {save_, submit_, cancel_, forget_}) line->addWidget(b);
    connect(kind_, &QComboBox::currentIndexChanged, this, &JobPage::refresh);
    for (QSpinBox* box : {nodes_, minutes_}) connect(box, &QSpinBox::valueChanged, this, &JobPage::refresh);
    for (QLineEdit* edit : {account_, queue_, engine_}) connect(edit, &QLineEdit::textChanged, this, &JobPage::refresh);
    return piece(line);
}

}  // namespace plimsoll
