#include "views/calibrate/measure_page.h"

#include "core/evidence/calibration/plan/experiments.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/launch/calibration_start.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/this_computer.h"
#include "core/files/measured/calibration_attempts.h"
#include "core/files/results/calibration_report.h"
#include "core/files/text/disk.h"
#include "views/calibrate/calibration_text.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace plimsoll {

namespace {

QString in_words(const ProcessStart& start) {
    QStringList words{to_qt(start.program)};
    words << to_qt(start.arguments);
    for (QString& word : words)
        if (word.contains(u' ')) word = u'\'' + word + u'\'';
    return words.join(u' ');
}

std::vector<std::string> engine_words(const QString& out, const QString& resumed) {
    std::vector<std::string> words{"--calibrate", CalibrationFiles::plan_of(out).toStdString(), "--out",
                                   out.toStdString()};
    if (!resumed.isEmpty()) words.insert(words.end(), {"--resume", resumed.toStdString()});
    return words;
}

}  // namespace

MeasurePage::MeasurePage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), presets_(users_presets()) {
    build();
    build_watch_.setInterval(1000);
    connect(&build_watch_, &QTimer::timeout, this, &MeasurePage::watch_build);
    connect(&session_, &EngineSession::changed, this, &MeasurePage::show_going);
    connect(&session_, &EngineSession::ended, this, &MeasurePage::finish);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible() && stage() == Stage::plan) refresh_plan();
    });
}

void MeasurePage::build() {
    stack_ = new QStackedWidget;
    plan_view_ = new PlanView;
    going_ = new CalibrationProgress;
    result_ = new ResultView;
    for (QWidget* each : std::initializer_list<QWidget*>{plan_view_, going_, result_}) stack_->addWidget(each);
    interrupted_ = new InterruptedBar;
    setLayout(below({interrupted_, {stack_, 1}}, no_margins));
    connect_views();
}

void MeasurePage::connect_views() {
    connect(plan_view_, &PlanView::changed, this, &MeasurePage::refresh_plan);
    connect(plan_view_, &PlanView::start, this, &MeasurePage::start);
    connect(plan_view_, &PlanView::import_asked, this, &MeasurePage::ask_import);
    connect(going_, &CalibrationProgress::cancel, this, &MeasurePage::cancel);
    connect(result_, &ResultView::save, this, &MeasurePage::save);
    connect(result_, &ResultView::use, this, &MeasurePage::use);
    connect(result_, &ResultView::resume, this, [this] { resume(shown_file_); });
    connect(result_, &ResultView::close, this, &MeasurePage::close_result);
    connect(result_, &ResultView::export_asked, this, &MeasurePage::ask_export);
    connect(result_, &ResultView::energy_asked, this, &MeasurePage::ask_energy);
    connect(result_, &ResultView::discard, this, [this] { ask_discard(shown_file_, [this] { discard(); }); });
    connect(interrupted_, &InterruptedBar::resume, this,
            [this] { resume(QString(left_->file)); });  // a copy: a start forgets what was left
    connect(interrupted_, &InterruptedBar::look, this, [this] { open_result(left_->file); });
    connect(interrupted_, &InterruptedBar::discard, this, [this] {
        ask_discard(left_->file, [this] {
            files_.remove(left_->file);
            look_for_interrupted();
        });
    });
}

void MeasurePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    look_for_engine();
    if (stage() == Stage::plan) refresh_plan();
    else show_going();
}

void MeasurePage::show_stage(Stage next) {
    stack_->setCurrentIndex(int(next));
    interrupted_->present(next == Stage::plan ? left_ : std::nullopt);
    if (next == Stage::plan) refresh_plan();
}

void MeasurePage::look_for_interrupted() {
    left_ = session_.busy() ? std::nullopt : files_.interrupted();
    interrupted_->present(stage() == Stage::plan ? left_ : std::nullopt);
}

// It may be installed while the window is open; asking mpirun for its version is too slow for every change of the plan.
void MeasurePage::look_for_engine() {
    build_ = engine_build();
    host_ = find_engine_host(this_computer().cores > 1);
    if (build_) build_watch_.start();
    else build_watch_.stop();
}

// The page is ready as soon as the engine is, without a restart.
void MeasurePage::watch_build() {
    if (!isVisible()) return build_watch_.stop();  // it is looked for again when the page is shown
    if (engine_build() == build_) return;
    look_for_engine();
    if (stage() == Stage::plan) refresh_plan();
}

PlanView::Planned MeasurePage::plan_of_subject() const {
    const Library& library = workspace_.library();
    const auto cores = library.machines.find("cpu-2core");
    const auto engine = library.stacks.find("plimsoll-engine");
    if (cores == library.machines.end() || engine == library.stacks.end())
        return Unexpected{std::vector<std::string>{
            tr("The presets cpu-2core and plimsoll-engine, which a calibration starts from, are not there.")
                .toStdString()}};
    CalibrationPlace place = place_here(workspace_.scenario(), cores->second, engine->second, this_computer());
    place.budget = plan_view_->budget();
    const int model = plan_view_->subject() - 1;
    return plan_experiments(
        model < 0 ? workspace_.scenario() : trial_plan({.model = model}, place.machine, place.engine), place);
}

// Several plans are made to find it out: not for every turn of a knob that says nothing of machine and model.
void MeasurePage::show_machine() {
    const Scenario& plan = workspace_.scenario();
    if (told_ && told_->machine == plan.machine && told_->model == plan.model
        && told_->recipe.precision == plan.recipe.precision && told_->stack == plan.stack)
        return;
    told_ = plan;
    plan_view_->show_machine(to_qt(say_start(plan.machine, calibration_start(plan, workspace_.library()))));
}

// The command names the file that a start now would write.
void MeasurePage::refresh_plan() {
    plan_view_->name_plan(to_qt(workspace_.scenario().name));
    show_machine();
    planned_ = plan_of_subject();
    QString command;
    if (planned_ && host_) {
        const QString out = files_.directory() + u'/' + to_qt(planned_->model.id) + QStringLiteral(".jsonl");
        command = in_words(engine_start(*host_, planned_->ranks, engine_words(out, {})));
    }
    plan_view_->present(planned_, command, host_ ? QString() : worded(host_.error()));
}

void MeasurePage::start() {
    if (session_.busy()) return;
    look_for_engine();
    refresh_plan();
    if (planned_) launch(*planned_, write_calibration_plan(*planned_), {});
}

// The engine goes on from a plan of the same text alone.
void MeasurePage::resume(const QString& file) {
    if (session_.busy()) return;
    const auto log = read_calibration_log(file.toStdString());
    if (!log) return plan_view_->show_failure(to_qt(say(log.error())));
    const auto plan = read_calibration_plan(log->plan, "the plan inside the log");
    if (!plan) return plan_view_->show_failure(to_qt(say(plan.error())));
    launch(*plan, log->plan, file);
}

void MeasurePage::launch(const ExperimentPlan& plan, const std::string& text, const QString& resumed) {
    plan_view_->show_failure({});
    out_ = files_.new_log(to_qt(plan.model.id));
    if (out_.isEmpty()) return plan_view_->show_failure(tr("%1 cannot be made.").arg(files_.directory()));
    const auto written = write_atomically(CalibrationFiles::plan_of(out_).toStdString(), text);
    if (!written) return plan_view_->show_failure(to_qt(say(written.error())));
    running_ = plan;
    resumed_ = resumed;
    left_.reset();
    clock_.start();
    show_stage(Stage::going);  // first: a program that cannot be started ends within start()
    const QString obstacle = session_.start(plan.ranks, engine_words(out_, resumed));
    if (obstacle.isEmpty()) return;
    QFile::remove(CalibrationFiles::plan_of(out_));
    close_result();
    plan_view_->show_failure(obstacle);
}

void MeasurePage::show_going() {
    if (stage() == Stage::going) going_->present(session_, running_, double(clock_.elapsed()) * millisecond);
}

void MeasurePage::finish() {
    QFile::remove(CalibrationFiles::plan_of(out_));   // the log holds it
    const CalibrationLog& log = session_.calibration();
    const QString file = CalibrationFiles::written(out_);
    const QString why = session_.well()
                          ? tr("Cancelled: %1.").arg(to_qt(log.state()))
                          : failure_text({log, session_.exit_code(), session_.beat(), session_.chatter()});
    if (log.experiments.empty()) {
        files_.remove(file);
        look_for_interrupted();
        show_stage(Stage::plan);
        return plan_view_->show_failure(session_.well() ? QString()
                                                      : (session_.exit_code() < 0 ? session_.ending() : why) + u'\n'
                                                            + messages_of(log, session_.chatter()));
    }
    if (log.complete() && !resumed_.isEmpty()) files_.remove(resumed_);
    show_log(log, file, log.complete() ? QString() : why, messages_of(log, session_.chatter()));
}

// What is done with a result: shown, saved, used, exported, discarded.

namespace {

// The preset it started from where it is here, else as the log holds it.
const Machine& base_of(const Library& library, const CalibrationResult& r) {
    const auto here = library.machines.find(r.plan.machine.id);
    return here == library.machines.end() ? r.plan.machine : here->second;
}

}  // namespace

void MeasurePage::show_log(const CalibrationLog& log, const QString& file, const QString& ending,
                           const QString& messages) {
    auto result = result_of(log);
    saved_.reset();
    shown_file_ = file;
    ShownResult shown;
    shown.ending = ending;
    if (log.seal) shown.seal = to_qt(log.seal->hash);
    if (result) {
        const auto ledger = attempts_in(files_.directory().toStdString());
        const CalibrationAttempt attempt = attempt_of(log, *result);
        // A folder that cannot be written to loses a line of the ledger, never the result.
        if (files_.holds(file)) (void)keep_attempt(ledger, attempt);
        shown.attempts = to_qt(say_attempts(read_attempts(ledger), attempt));
        if (!shown.attempts.isEmpty())
            shown.attempts += u' ' + tr("Every attempt has a line in %1.").arg(to_qt(ledger.string()));
    }
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
    if (session_.busy())
        return {
            {Severity::error, path.toStdString(), "", tr("a calibration is running: cancel it first").toStdString()}};
    const auto log = meanwhile(path, [file = path.toStdString()] { return read_calibration_log(file); });
    if (!log) return log.error();
    show_log(*log, QFileInfo(path).absoluteFilePath(),
             log->complete() ? QString() : tr("Not finished: %1.").arg(to_qt(log->state())), messages_of(*log, {}));
    return {};
}

Problems MeasurePage::save() {
    const auto& shown = result_->shown().result;
    if (!shown || shown->refused) return {};
    auto saved = save_calibrated(base_of(workspace_.library(), *shown), shown->calibrated, shown->record, presets_);
    if (!saved) {
        if (isVisible()) warn(this, tr("Save as machine preset"), saved.error());
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
    emit status_message(tr("The plan is now on %1; Ctrl+Z returns").arg(name));
}

ExportFiles MeasurePage::export_files(const QString& dir) const {
    const Speaking english(nullptr);   // it becomes files
    const auto& shown = result_->shown().result;
    if (!shown) return {};
    const QString stem = QDir(dir).filePath(QFileInfo(shown_file_).completeBaseName());
    const Machine machine = derived(base_of(workspace_.library(), *shown), shown->calibrated, shown->record);
    ExportFiles files{
        {stem + QStringLiteral("-calibration-proof.csv"), [record = shown->record] { return proof_csv(record); }},
        {stem + QStringLiteral("-calibration-proof.md"), [machine] { return calibration_markdown(machine); }}};
    for (const Figure& f : proof_figures(shown->record))
        for (ExportFile& file : figure_files(f, to_csv(f, {}), stem))
            files.push_back(std::move(file));
    return files;
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
    const QString path = QFileDialog::getOpenFileName(this, tr("Import a calibration"), files_.directory(),
                                                      tr("Logs of calibrations (*.jsonl *.part);;All files (*)"));
    if (path.isEmpty()) return;
    if (const Problems problems = open_result(path); !problems.empty())
        warn(this, tr("Import a calibration"), problems);
}

Problems MeasurePage::add_energy(const QString& path) {
    const auto text = meanwhile(path, [file = path.toStdString()] { return read_text(file); });
    if (!text) return text.error();
    const auto job = read_job_energy(*text);
    if (job) {
        result_->add(*job);
        return {};
    }
    Problems problems = job.error();
    for (Problem& p : problems) p.file = path.toStdString();
    return problems;
}

void MeasurePage::ask_energy() {
    const QString path = QFileDialog::getOpenFileName(this, tr("What sacct printed of the job"), files_.directory(),
                                                      tr("Text (*.txt *.csv *.sacct);;All files (*)"));
    if (path.isEmpty()) return;
    if (const Problems problems = add_energy(path); !problems.empty())
        warn(this, tr("What sacct printed of the job"), problems);
}

void MeasurePage::ask_export() {
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Export the proof into a folder"));
    if (dir.isEmpty()) return;
    emit export_wanted(export_files(dir), dir);
}

void MeasurePage::ask_discard(const QString& file, const std::function<void()>& then) {
    const auto answer =
        QMessageBox::question(this, tr("Discard a calibration"),
                              tr("Delete \"%1\" with all that was measured?").arg(QFileInfo(file).fileName()),
                              QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Discard) then();
}

}  // namespace plimsoll
