#include "views/calibrate/trial_page.h"

#include "core/evidence/calibration/proof/run_figures.h"
#include "core/answers/explain/wording.h"
#include "core/evidence/calibration/plan/engine_options.h"
#include "core/files/launch/this_computer.h"
#include "views/parts/colours.h"
#include "views/plan/text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace plimsoll {

namespace {

constexpr int frame = 100, quiet_alarm = 5;   // milliseconds between two drawings, seconds without a line

QString lines_of(const std::vector<std::string>& sentences) {
    QStringList all;
    for (const std::string& each : sentences) all << to_qt(each);
    return all.join(u'\n');
}

}  // namespace

TrialPage::TrialPage(const Library& library, QWidget* parent) : QWidget(parent), library_(library) {
    logs_ = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)).filePath(QStringLiteral("plimsoll/runs"));
    build();
    redraw_.setSingleShot(true);
    redraw_.setInterval(frame);
    watch_.setInterval(1000);
    connect(&redraw_, &QTimer::timeout, this, &TrialPage::show_run);
    connect(&watch_, &QTimer::timeout, this, &TrialPage::show_state);
    connect(&runner_, &EngineRunner::changed, this, &TrialPage::show_soon);
    connect(form_, &TrialForm::changed, this, &TrialPage::follow_form);
    connect(start_, &QPushButton::clicked, this, [this] { runner_.busy() ? stop() : start(); });
    follow_form();
}

void TrialPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    show_run();
}

void TrialPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && form_) show_state();
}

Scenario TrialPage::plan() const {
    const TrialRun trial = form_->trial();
    const auto machine = library_.machines.find("cpu-2core");
    const auto stack = library_.stacks.find("plimsoll-engine");
    if (machine == library_.machines.end() || stack == library_.stacks.end()) return trial_plan(trial, {}, {});
    return trial_plan(trial, shared_by(machine->second, this_computer(), trial.ranks()), stack->second);
}

// The shown run keeps its own prediction; a changed form clears it away.
void TrialPage::follow_form() {
    if (runner_.busy()) return;
    const Scenario next = plan();
    const bool other = !(next == plan_);
    plan_ = next;
    const Outcome outcome = estimate(plan_);
    predicted_ = outcome ? std::optional(*outcome) : std::nullopt;
    const auto options = engine_options(plan_, {});
    refusal_ = options ? QString() : lines_of(options.error());
    if (other) runner_.forget();
    show_run();
}

QString TrialPage::log_file() const {
    if (!QDir().mkpath(logs_)) return {};
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    return QDir(logs_).filePath(QStringLiteral("%1-%2.jsonl").arg(to_qt(plan_.model.id), stamp));
}

void TrialPage::start() {
    if (runner_.busy()) return;
    follow_form();
    const TrialRun trial = form_->trial();
    const auto options = engine_options(plan_, {trial.steps});
    if (!options) return;
    const auto host = find_engine_host(trial.ranks() > 1);
    if (!host) {
        refusal_ = to_qt(host.error());
        runner_.forget();
        return show_run();
    }
    std::vector<std::string> words = options->words;
    kept_ = log_file();
    if (!kept_.isEmpty()) words.insert(words.end(), {"--out", kept_.toStdString()});
    watch_.start();
    runner_.start(engine_start(*host, trial.ranks(), words));
}

// Lines may come faster than anybody can look; a start or an end is shown at once.
void TrialPage::show_soon() {
    if (!runner_.busy()) watch_.stop();
    if (runner_.phase() == shown_) {
        if (!redraw_.isActive()) redraw_.start();
        return;
    }
    shown_ = runner_.phase();
    redraw_.stop();
    show_run();
}

void TrialPage::show_run() {
    form_->setEnabled(!runner_.busy());
    start_->setText(runner_.busy() ? tr("Stop") : tr("Start"));
    start_->setEnabled(runner_.phase() != EngineRunner::Phase::stopping && (runner_.busy() || predicted_));
    show_state();
    if (!isVisible()) return;
    show_figures();
    show_charts();
    show_parts();
    show_messages();
}

void TrialPage::say(const QString& text, bool alert) {
    state_->setText(text);
    state_->setToolTip({});
    QPalette colours = palette();
    if (alert) colours.setColor(QPalette::WindowText, alert_colour(colours));
    state_->setPalette(colours);
}

void TrialPage::show_state() {
    const EngineLog& log = runner_.log();
    const int quiet = runner_.quiet_seconds();
    if (runner_.phase() == EngineRunner::Phase::stopping) return say(tr("Stopping..."), false);
    if (runner_.busy() && quiet >= quiet_alarm)
        return say(tr("No line for %1 s. The engine ends by itself after 30 s without progress; Stop ends it now.").arg(quiet), true);
    if (runner_.busy() && log.steps.empty()) return say(form_->trial().ranks() == 1 ? tr("Starting...") : tr("Starting on %1 ranks...").arg(form_->trial().ranks()), false);
    if (runner_.busy()) return say(tr("Running: step %1 of %2").arg(log.steps.back().step).arg(form_->trial().steps), false);
    if (!refusal_.isEmpty()) return say(refusal_, true);
    if (runner_.ending().isEmpty()) return say(tr("Trains this model on this computer for some seconds and measures where the time goes."), false);
    const QString kept = kept_ + (log.summary ? QString() : QStringLiteral(".part"));
    say(runner_.ending() + (QFileInfo::exists(kept) ? tr(". Log: %1").arg(QFileInfo(kept).fileName()) : QString()), !runner_.well());
    state_->setToolTip(QFileInfo::exists(kept) ? QDir::toNativeSeparators(kept) : QString());
}

void TrialPage::show_figures() {
    const auto typical = runner_.log().typical_step();
    const auto pair = [](const QString& name, const QString& measured, const QString& predicted) {
        const QString beside = predicted.isEmpty() ? QString() : tr(" (predicted %1)").arg(predicted);
        return name + QStringLiteral(" <b>") + measured + QStringLiteral("</b>") + beside;
    };
    const QString none = QStringLiteral("-");
    QStringList all;
    const QString step = predicted_ ? to_qt(plimsoll::say(predicted_->step.total())) : QString();
    const double tokens = double(plan_.recipe.global_batch_sequences) * plan_.recipe.sequence_length;
    const QString rate = predicted_ ? grouped(tokens / (predicted_->step.total() / second)) : QString();
    const QString memory = predicted_ ? to_qt(plimsoll::say(predicted_->worst().total())) : QString();
    all << pair(tr("Step"), typical ? to_qt(plimsoll::say(typical->wall)) : none, step);
    all << pair(tr("Tokens per second"), typical ? grouped(typical->rate() / (token / second)) : none, rate);
    all << pair(tr("Memory of a rank"), typical && typical->memory_peak > Bytes{} ? to_qt(plimsoll::say(typical->memory_peak)) : none, memory);
    const auto& steps = runner_.log().steps;
    if (!steps.empty()) all << pair(tr("Loss"), steps.back().loss ? QString::number(*steps.back().loss, 'f', 4) : tr("not finite"), {});
    if (predicted_) all << tr("Predictions are uncalibrated.");
    figures_->setText(all.join(QStringLiteral(" &nbsp; ")));
    note_->setText(to_qt(calibration_note(plan_.machine)) + (typical && !typical->quality.empty() ? tr(" Contended: other programs took part of the cores.") : QString()));
}

void TrialPage::show_charts() {
    const EngineLog& log = runner_.log();
    Snapshot s;
    s.scenario = plan_;
    if (predicted_) {
        s.outcome = *predicted_;
        auto answer = std::make_shared<Answer>(Answer{plan_, *predicted_, headline(plan_, *predicted_), {run_steps(log.latest(), *predicted_)}, {}, {}});
        const Figure loss = run_loss(log.latest(), log.layout ? log.layout->loss_floor : std::nullopt);
        if (!loss.series.empty()) answer->figures.push_back(loss);
        s.last_good = std::move(answer);
    }
    loss_->present(s);
    steps_->present(s);
}

void TrialPage::show_parts() {
    const auto typical = runner_.log().typical_step();
    const StepTime measured = typical ? typical->parts.mean : StepTime{};
    const std::vector<PartRow> rows = predicted_ ? compare_parts(measured, predicted_->step) : std::vector<PartRow>{};
    parts_->setRowCount(int(rows.size()));
    for (int i = 0; i < int(rows.size()); ++i) {
        const PartRow& row = rows[std::size_t(i)];
        const bool both = typical && row.measured > Seconds{} && row.predicted > Seconds{};
        const QStringList cells{to_qt(row.label), typical ? to_qt(plimsoll::say(row.measured)) : QString(), to_qt(plimsoll::say(row.predicted)),
                                both ? QString::number(row.predicted / row.measured, 'f', 2) : QString()};
        for (int c = 0; c < cells.size(); ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            if (c > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            parts_->setItem(i, c, item);
        }
    }
}

void TrialPage::show_messages() {
    const EngineLog& log = runner_.log();
    QStringList all;
    for (const EngineNote& n : log.notes) {
        const QString who = n.rank && *n.rank >= 0 ? tr(", rank %1").arg(*n.rank) : QString();
        all << (n.error ? tr("Error") : tr("Warning")) + who + QStringLiteral(": ") + to_qt(n.text.empty() ? n.code : n.text);
    }
    for (const Problem& p : log.problems) all << tr("Not understood, %1").arg(to_qt(p.message));
    all << runner_.chatter();
    const QString text = all.join(u'\n');
    if (text != messages_->toPlainText()) messages_->setPlainText(text);
    tabs_->setTabText(2, all.isEmpty() ? tr("Messages") : tr("Messages (%1)").arg(all.size()));
}

}  // namespace plimsoll
