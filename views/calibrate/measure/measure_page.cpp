// From the plan of a calibration to the end of its run; the rest is in measure_result.cpp.
#include "views/calibrate/measure/measure_page.h"

#include "core/files/launch/calibration_plan.h"
#include "core/evidence/calibration/plan/place.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/this_computer.h"
#include "core/files/text/disk.h"
#include "views/calibrate/measure/failure_text.h"
#include "views/plan/text.h"

#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr int frame = 200;   // milliseconds between two drawings

QString in_words(const EngineStart& start) {
    QStringList words{to_qt(start.program)};
    for (const std::string& word : start.arguments) words << to_qt(word);
    for (QString& word : words)
        if (word.contains(u' ')) word = u'\'' + word + u'\'';
    return words.join(u' ');
}

std::vector<std::string> engine_words(const QString& out, const QString& resumed) {
    std::vector<std::string> words{"--calibrate", CalibrationFiles::plan_of(out).toStdString(), "--out", out.toStdString()};
    if (!resumed.isEmpty()) words.insert(words.end(), {"--resume", resumed.toStdString()});
    return words;
}

}  // namespace

MeasurePage::MeasurePage(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace), presets_(users_presets()) {
    build();
    redraw_.setSingleShot(true);
    redraw_.setInterval(frame);
    watch_.setInterval(1000);
    connect(&redraw_, &QTimer::timeout, this, &MeasurePage::show_going);
    connect(&watch_, &QTimer::timeout, this, &MeasurePage::show_going);
    connect(&runner_, &EngineRunner::changed, this, &MeasurePage::follow);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible() && stage() == Stage::plan) refresh_plan();
    });
}

void MeasurePage::build() {
    stack_ = new QStackedWidget;
    plan_view_ = new PlanView;
    going_ = new GoingView;
    result_ = new ResultView;
    for (QWidget* each : {static_cast<QWidget*>(plan_view_), static_cast<QWidget*>(going_), static_cast<QWidget*>(result_)}) stack_->addWidget(each);
    interrupted_ = new InterruptedBar;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(interrupted_);
    column->addWidget(stack_, 1);
    connect_views();
}

void MeasurePage::connect_views() {
    connect(plan_view_, &PlanView::changed, this, &MeasurePage::refresh_plan);
    connect(plan_view_, &PlanView::start, this, &MeasurePage::start);
    connect(plan_view_, &PlanView::import_asked, this, &MeasurePage::ask_import);
    connect(going_, &GoingView::cancel, this, &MeasurePage::cancel);
    connect(result_, &ResultView::save, this, &MeasurePage::save);
    connect(result_, &ResultView::use, this, &MeasurePage::use);
    connect(result_, &ResultView::resume, this, [this] { resume(shown_file_); });
    connect(result_, &ResultView::close, this, &MeasurePage::close_result);
    connect(result_, &ResultView::export_asked, this, &MeasurePage::ask_export);
    connect(result_, &ResultView::discard, this, [this] { ask_discard(shown_file_, [this] { discard(); }); });
    connect(interrupted_, &InterruptedBar::resume, this, [this] { resume(QString(left_->file)); });   // a copy: a start forgets what was left
    connect(interrupted_, &InterruptedBar::look, this, [this] { open_result(left_->file); });
    connect(interrupted_, &InterruptedBar::discard, this, [this] {
        ask_discard(left_->file, [this] {
            files_.remove(left_->file);
            look_for_interrupted();
        });
    });
}

void MeasurePage::set_theme(const ChartTheme& theme) {
    going_->set_theme(theme);
    result_->set_theme(theme);
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
    left_ = runner_.busy() ? std::nullopt : files_.interrupted();
    interrupted_->present(stage() == Stage::plan ? left_ : std::nullopt);
}

// It may be installed while the window is open; asking mpirun for its version is too slow for every change of the plan.
void MeasurePage::look_for_engine() { host_ = find_engine_host(this_computer().cores > 1); }

PlanView::Planned MeasurePage::plan_of_subject() const {
    const Library& library = workspace_.library();
    const auto cores = library.machines.find("cpu-2core");
    const auto engine = library.stacks.find("plimsoll-engine");
    if (cores == library.machines.end() || engine == library.stacks.end())
        return Unexpected{std::vector<std::string>{tr("The presets cpu-2core and plimsoll-engine, which a calibration starts from, are not there.").toStdString()}};
    CalibrationPlace place = place_here(workspace_.scenario(), cores->second, engine->second, this_computer());
    place.budget = plan_view_->budget();
    const int model = plan_view_->subject() - 1;
    return plan_experiments(model < 0 ? workspace_.scenario() : trial_plan({.model = model}, place.machine, place.engine), place);
}

// The command names the file that a start now would write.
void MeasurePage::refresh_plan() {
    plan_view_->name_plan(to_qt(workspace_.scenario().name));
    planned_ = plan_of_subject();
    QString command;
    if (planned_ && host_) {
        const QString out = files_.directory() + u'/' + to_qt(planned_->model.id) + QStringLiteral(".jsonl");
        command = in_words(engine_start(*host_, planned_->ranks, engine_words(out, {})));
    }
    plan_view_->present(planned_, command, host_ ? QString() : to_qt(host_.error()));
}

void MeasurePage::start() {
    if (runner_.busy()) return;
    look_for_engine();
    refresh_plan();
    if (planned_) launch(*planned_, write_calibration_plan(*planned_), {});
}

// The engine goes on from a plan of the same text alone.
void MeasurePage::resume(const QString& file) {
    if (runner_.busy()) return;
    const auto log = read_calibration_log(file.toStdString());
    if (!log) return plan_view_->say_failed(to_qt(say(log.error())));
    const auto plan = read_calibration_plan(log->plan, "the plan inside the log");
    if (!plan) return plan_view_->say_failed(to_qt(say(plan.error())));
    launch(*plan, log->plan, file);
}

void MeasurePage::launch(const ExperimentPlan& plan, const std::string& text, const QString& resumed) {
    const auto host = find_engine_host(plan.ranks > 1);
    plan_view_->say_failed(host ? QString() : to_qt(host.error()));
    if (!host) return;
    out_ = files_.new_log(to_qt(plan.model.id));
    if (out_.isEmpty()) return plan_view_->say_failed(tr("%1 cannot be made.").arg(files_.directory()));
    const auto written = write_atomically(CalibrationFiles::plan_of(out_).toStdString(), text);
    if (!written) return plan_view_->say_failed(to_qt(say(written.error())));
    running_ = plan;
    resumed_ = resumed;
    left_.reset();
    clock_.start();
    watch_.start();
    show_stage(Stage::going);
    phase_ = EngineRunner::Phase::running;            // a program that cannot be started ends within start()
    runner_.start(engine_start(*host, plan.ranks, engine_words(out_, resumed)));
}

// Lines may come faster than anybody can look; an end is shown at once.
void MeasurePage::follow() {
    const bool ended = phase_ != EngineRunner::Phase::idle && !runner_.busy();
    phase_ = runner_.phase();
    if (ended) return finish();
    if (!redraw_.isActive()) redraw_.start();
}

void MeasurePage::show_going() {
    if (stage() == Stage::going) going_->present(runner_, running_, double(clock_.elapsed()) * millisecond);
}

void MeasurePage::finish() {
    watch_.stop();
    redraw_.stop();
    QFile::remove(CalibrationFiles::plan_of(out_));   // the log holds it
    const CalibrationLog& log = runner_.calibration();
    const QString file = CalibrationFiles::written(out_);
    const QString why = runner_.well() ? tr("Cancelled: %1.").arg(to_qt(log.state())) : failure_text({log, runner_.exit_code(), runner_.beat(), runner_.chatter()});
    if (log.experiments.empty()) {
        files_.remove(file);
        look_for_interrupted();
        show_stage(Stage::plan);
        return plan_view_->say_failed(runner_.well() ? QString() : (runner_.exit_code() < 0 ? runner_.ending() : why) + u'\n' + messages_of(log, runner_.chatter()));
    }
    if (log.complete() && !resumed_.isEmpty()) files_.remove(resumed_);
    show_log(log, file, log.complete() ? QString() : why, messages_of(log, runner_.chatter()));
}

}  // namespace plimsoll
