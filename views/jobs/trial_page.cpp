#include "views/jobs/trial_page.h"

#include "core/values/knobs/wording.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/files/launch/this_computer.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace plimsoll {

namespace {

constexpr int trial_alarm = 5;  // seconds without a line

QString lines_of(const std::vector<std::string>& sentences) {
    QStringList all;
    for (const std::string& each : sentences) all << worded(each);
    return all.join(u'\n');
}

}  // namespace

TrialPage::TrialPage(const Library& library, QWidget* parent) : QWidget(parent), library_(library) {
    logs_ = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation))
                .filePath(QStringLiteral("plimsoll/runs"));
    setLayout(below({build_head(), {build_tabs(), 1}}, {0, 6, 0, 0}));
    connect(&session_, &EngineSession::changed, this, &TrialPage::show_run);
    connect(form_, &TrialForm::changed, this, &TrialPage::follow_form);
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
    if (session_.busy()) return;
    const Scenario next = plan();
    const bool other = !(next == plan_);
    plan_ = next;
    const Outcome outcome = estimate(plan_);
    predicted_ = outcome ? std::optional(*outcome) : std::nullopt;
    const auto options = engine_options(plan_, {});
    refusal_ = options ? QString() : lines_of(options.error());
    if (other) session_.forget();
    show_run();
}

QString TrialPage::log_file() const {
    if (!QDir().mkpath(logs_)) return {};
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    return QDir(logs_).filePath(QStringLiteral("%1-%2.jsonl").arg(to_qt(plan_.model.id), stamp));
}

void TrialPage::start() {
    if (session_.busy()) return;
    follow_form();
    const TrialRun trial = form_->trial();
    const auto options = engine_options(plan_, {trial.steps});
    if (!options) return;
    std::vector<std::string> words = options->words;
    kept_ = log_file();
    if (!kept_.isEmpty()) words.insert(words.end(), {"--out", kept_.toStdString()});
    refusal_ = session_.start(trial.ranks(), words);
    if (refusal_.isEmpty()) return;
    session_.forget();
    show_run();
}

void TrialPage::show_run() {
    form_->setEnabled(!session_.busy());
    const bool stopping = session_.phase() == EngineSession::Phase::stopping;
    start_->setText(stopping ? tr("Stop now") : session_.busy() ? tr("Stop") : tr("Start"));
    start_->setEnabled(session_.busy() || predicted_);
    show_state();
    if (!isVisible()) return;
    show_figures();
    show_charts();
    show_parts();
    show_messages();
}

void TrialPage::set_state(const QString& text, bool alert) {
    state_->setText(text);
    state_->setToolTip({});
    set_text_colour(*state_, alert ? alert_colour(palette()) : palette().color(QPalette::WindowText));
}

void TrialPage::show_state() {
    const EngineLog& log = session_.log();
    const int quiet = session_.quiet_seconds();
    if (session_.phase() == EngineSession::Phase::stopping) return set_state(tr("Stopping after this step..."), false);
    if (session_.busy() && quiet >= trial_alarm)
        return set_state(
            tr("No line for %1 s. The engine ends by itself after 30 s without progress; pressing Stop twice ends it.")
                .arg(quiet),
            true);
    if (session_.busy() && log.steps.empty())
        return set_state(
            form_->trial().ranks() == 1 ? tr("Starting...") : tr("Starting on %1 ranks...").arg(form_->trial().ranks()),
            false);
    if (session_.busy())
        return set_state(tr("Running: step %1 of %2").arg(log.steps.back().step).arg(form_->trial().steps), false);
    if (!refusal_.isEmpty()) return set_state(refusal_, true);
    if (session_.ending().isEmpty())
        return set_state(tr("Trains this model on this computer for some seconds and measures where the time goes."),
                         false);
    const QString kept = kept_ + (log.summary ? QString() : QStringLiteral(".part"));
    set_state(
        session_.ending() + (QFileInfo::exists(kept) ? tr(". Log: %1").arg(QFileInfo(kept).fileName()) : QString()),
        !session_.well());
    state_->setToolTip(QFileInfo::exists(kept) ? plain_text(QDir::toNativeSeparators(kept)) : QString());
}

void TrialPage::show_figures() {
    const auto typical = session_.log().typical_step();
    const auto pair = [](const QString& name, const QString& measured, const QString& predicted) {
        const QString beside = predicted.isEmpty() ? QString() : tr(" (predicted %1)").arg(predicted);
        return name + QStringLiteral(" <b>") + measured + QStringLiteral("</b>") + beside;
    };
    const QString none = QStringLiteral("-");
    QStringList all;
    const QString step = predicted_ ? to_qt(say(predicted_->step.total())) : QString();
    const double tokens = tokens_of_step(plan_.recipe);
    const QString rate = predicted_ ? grouped(tokens / (predicted_->step.total() / second)) : QString();
    const QString memory = predicted_ ? to_qt(say(predicted_->worst().total())) : QString();
    all << pair(tr("Step"), typical ? to_qt(say(typical->wall)) : none, step);
    all << pair(tr("Tokens per second"), typical ? grouped(typical->rate() / (token / second)) : none, rate);
    all << pair(tr("Memory of a rank"),
                typical && typical->memory_peak > Bytes{} ? to_qt(say(typical->memory_peak)) : none, memory);
    const auto& steps = session_.log().steps;
    if (!steps.empty())
        all << pair(tr("Loss"), steps.back().loss ? QString::number(*steps.back().loss, 'f', 4) : tr("not finite"), {});
    if (predicted_) all << tr("Predictions are uncalibrated.");
    figures_->setText(all.join(QStringLiteral(" &nbsp; ")));
    note_->setText(to_qt(calibration_note(plan_.machine))
                   + (typical && !typical->quality.empty() ? tr(" Contended: other programs took part of the cores.")
                                                           : QString()));
}

void TrialPage::show_charts() {
    const EngineLog& log = session_.log();
    Snapshot s;
    s.scenario = plan_;
    if (predicted_) {
        s.outcome = *predicted_;
        const std::vector<Figure> figures{run_steps(log.latest(), *predicted_)};
        auto answer = std::make_shared<Answer>(
            Answer{plan_, *predicted_, headline(plan_, *predicted_), figures, {}, {}, {}});
        const Figure loss = run_loss(log.latest(), log.layout ? log.layout->loss_floor : std::nullopt);
        if (!loss.series.empty()) answer->figures.push_back(loss);
        s.last_good = std::move(answer);
    }
    loss_->present(s);
    steps_->present(s);
}

void TrialPage::show_parts() {
    const auto typical = session_.log().typical_step();
    const StepTime measured = typical ? typical->parts.mean : StepTime{};
    const std::vector<PartRow> rows = predicted_ ? compare_parts(measured, predicted_->step) : std::vector<PartRow>{};
    std::vector<QStringList> cells;
    for (const PartRow& row : rows) {
        const bool both = typical && row.measured > Seconds{} && row.predicted > Seconds{};
        cells.push_back({worded(row.label), typical ? to_qt(say(row.measured)) : QString(),
                         to_qt(say(row.predicted)),
                         both ? QString::number(row.predicted / row.measured, 'f', 2) : QString()});
    }
    parts_->show_rows(cells);
}

void TrialPage::show_messages() {
    const QString text = session_.messages();
    if (text != messages_->toPlainText()) messages_->setPlainText(text);
    const auto lines = text.isEmpty() ? 0 : text.count(u'\n') + 1;
    tabs_->setTabText(2, lines == 0 ? tr("Messages") : tr("Messages (%1)").arg(lines));
}

// Widgets of the page and where they stand.

QWidget* TrialPage::build_charts() {
    loss_ = new Chart("run-loss");
    loss_->set_empty_text(tr("The loss of every step, once the first is done."));
    steps_ = new Chart("run-steps");
    steps_->set_empty_text(tr("No prediction for this layout."));
    return split(Qt::Horizontal, {{loss_, 2}, {steps_, 3}}, {400, 600});
}

QWidget* TrialPage::build_head() {
    form_ = new TrialForm;
    start_ = button(tr("Start"), "start_trial",
                    tr("Train for the steps given; Stop keeps what was measured up to then"), this,
                    [this] { session_.busy() ? stop() : start(); });
    state_ = paragraph(tr("State of the run"));
    figures_ = paragraph(tr("Figures of the run"));
    figures_->setTextFormat(Qt::RichText);   // of numbers and our own words
    return piece(below({form_, beside({start_, {state_, 1}}, usual_margins, 10), figures_}, {4, 0, 4, 0}, 6));
}

QWidget* TrialPage::build_parts() {
    parts_ =
        new TextTable(tr("Measured parts beside predicted ones"),
                      {tr("Part of a step"), tr("Measured"), tr("Predicted"), tr("Predicted / measured")}, {1, 2, 3});
    parts_->wrap({0, 1, 2, 3});
    note_ = new PlainLabel;
    note_->setWordWrap(true);
    return piece(below({{parts_, 1}, note_}, page_margins));
}

QWidget* TrialPage::build_tabs() {
    messages_ = message_list();
    tabs_ = new QTabWidget;
    tabs_->addTab(build_charts(), tr("Charts"));
    tabs_->addTab(build_parts(), tr("Parts"));
    tabs_->addTab(messages_, tr("Messages"));
    return tabs_;
}

TrialForm::TrialForm(QWidget* parent) : QWidget(parent), flow_(new FlowLayout(this)) {
    QStringList models;
    for (const TrialModel& m : trial_models()) models << worded(m.label);
    model_ = choice("trial.model", tr("&Model"),
                    tr("The larger it is, the closer it comes to a real one, and the longer a step takes"), models);
    data_ = number("trial.data", tr("&Data"),
                   tr("Data-parallel ranks: each trains on sequences of its own"), 64);
    tensor_ =
        number("trial.tensor", tr("Te&nsor"), tr("Tensor-parallel ranks: they share every layer"), 64);
    pipeline_ = number("trial.pipeline", tr("&Pipeline"),
                       tr("Pipeline stages: each has some of the layers"), 64);
    zero_ = choice("trial.zero", tr("&ZeRO"), tr("What data ranks share instead of keeping it all"),
                   {tr("0: nothing"), tr("1: optimizer"), tr("2: gradients"), tr("3: weights")});
    recompute_ = choice("trial.recompute", tr("&Recompute"),
                        tr("What the backward pass computes again instead of keeping it"),
                        {tr("None"), tr("Selective"), tr("Full")});
    sequence_ = new QCheckBox(tr("Se&quence parallel"));
    sequence_->setObjectName(QStringLiteral("trial.sequence"));
    sequence_->setToolTip(tr("Tensor ranks share the tokens where they do not share the weights"));
    connect(sequence_, &QCheckBox::toggled, this, &TrialForm::changed);
    flow_->addWidget(sequence_);
    micro_ =
        number("trial.micro_batch", tr("M&icro-batch"), tr("Sequences a rank takes at a time"), 256);
    accumulate_ =
        number("trial.accumulate", tr("&Accumulate"), tr("Micro-batches of a rank in a step"), 256);
    steps_ = number("trial.steps", tr("Step&s"),
                    tr("Optimizer steps of the run; the first one warms up"), 100000);
    set_trial({});
}

void TrialForm::add(QWidget* field, const char* name, const QString& label, const QString& help) {
    as_input(field, name, help)->setAccessibleDescription(help);
    flow_->addWidget(labelled(label, field));
}

QSpinBox* TrialForm::number(const char* name, const QString& label, const QString& help, int most) {
    auto* box = new QSpinBox;
    box->setRange(1, most);
    connect(box, &QSpinBox::valueChanged, this, &TrialForm::changed);
    add(box, name, label, help);
    return box;
}

QComboBox* TrialForm::choice(const char* name, const QString& label, const QString& help, const QStringList& items) {
    auto* box = new QComboBox;
    box->addItems(items);
    connect(box, &QComboBox::currentIndexChanged, this, &TrialForm::changed);
    add(box, name, label, help);
    return box;
}

TrialRun TrialForm::trial() const {
    TrialRun t;
    t.model = model_->currentIndex();
    t.data = data_->value();
    t.tensor = tensor_->value();
    t.pipeline = pipeline_->value();
    t.zero_stage = zero_->currentIndex();
    t.recompute = Recompute(recompute_->currentIndex());
    t.sequence_parallel = sequence_->isChecked();
    t.micro_batch = micro_->value();
    t.accumulate = accumulate_->value();
    t.steps = steps_->value();
    return t;
}

void TrialForm::set_trial(const TrialRun& t) {
    const QSignalBlocker quiet(this);
    model_->setCurrentIndex(t.model);
    data_->setValue(t.data);
    tensor_->setValue(t.tensor);
    pipeline_->setValue(t.pipeline);
    zero_->setCurrentIndex(t.zero_stage);
    recompute_->setCurrentIndex(int(t.recompute));
    sequence_->setChecked(t.sequence_parallel);
    micro_->setValue(t.micro_batch);
    accumulate_->setValue(t.accumulate);
    steps_->setValue(t.steps);
}

}  // namespace plimsoll
