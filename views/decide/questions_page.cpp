#include "views/decide/questions_page.h"

#include "core/evidence/published/suited.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"
#include "views/explore/gantt.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

#include <utility>

namespace plimsoll {

namespace {

const QString launch_kind = QStringLiteral("launch");
const QString fit_kind = QStringLiteral("fit");

std::string told(const QString& text) { return text.toStdString(); }

// What a fit of own runs says: the constants, and how far the predictions were off before and after.
Asked answer_of_fit(const FitProblem& problem, const FitReport& report) {
    Asked a;
    for (const QString& each : {QObject::tr("Constant"), QObject::tr("Of"), QObject::tr("Before"),
                                QObject::tr("Fitted"), QObject::tr("From"), QObject::tr("To"),
                                QObject::tr("Told by the runs")})
        a.headings.push_back(told(each));
    a.numbers = {2, 3, 4, 5, 6};
    for (const FittedConstant& c : report.fit.constants)
        a.rows.push_back({{told(worded(c.constant.knob->label)), c.constant.name, significant(c.constant.prior, 4),
                           significant(c.value, 4), significant(c.low, 4), significant(c.high, 4),
                           percent(c.determined, 0)}});
    for (const SourceError& s : report.sources)
        a.says.push_back(told(QObject::tr("%1: %2 off on average with the presets, %3 with these constants.")
                                  .arg(to_qt(s.source), to_qt(percent(s.before)), to_qt(percent(s.fitted)))));
    a.notes.push_back(told(QObject::tr("%1 measurements; from and to are two standard deviations. Taken over, the plan "
                                       "has a machine and software with these constants and without a preset.")
                               .arg(problem.observations.size())));
    return a;
}

}  // namespace

std::vector<std::pair<QString, QString>> QuestionsPage::kinds() {
    std::vector<std::pair<QString, QString>> all;
    for (const PlanQuestionWords& q : plan_questions()) all.emplace_back(QString::fromLatin1(q.id), worded(q.title));
    all.emplace_back(launch_kind, tr("Job script and arguments of the framework"));
    all.emplace_back(fit_kind, tr("Constants from runs of my own"));
    return all;
}

QuestionsPage::QuestionsPage(Workspace& workspace, QWidget* parent)
    : AnswerPage(workspace, "questions",
                 {tr("Works the answer out beside the window"), tr("Stop; half an answer is none")}, "mfu-vs-batch") {
    setParent(parent);
    build();
    connect(kind_, &QComboBox::activated, this, [this] { choose(chosen()); });
    connect(framework_, &QComboBox::activated, this, [this] { chose_framework_ = true; });
    for (QComboBox* each : {framework_, basis_}) connect(each, &QComboBox::activated, this, &QuestionsPage::ask);
    for (QDoubleSpinBox* each : {measured_, rate_}) {
        each->setKeyboardTracking(false);   // a value is asked about once it is typed to its end
        connect(each, &QDoubleSpinBox::valueChanged, this, &QuestionsPage::ask);
    }
    connect(&workspace_, &Workspace::library_changed, this, &QuestionsPage::offer_machines);
    offer_machines();
    show_kind();
}

QComboBox* QuestionsPage::choice(const char* name, const std::vector<std::pair<QString, QString>>& texts) {
    QComboBox* box = as_input(new QComboBox, name);
    for (const auto& [id, text] : texts) box->addItem(text, id);
    return box;
}

void QuestionsPage::build() {
    kind_ = choice("questions.kind", kinds());
    kind_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    devices_ = as_input(new QSpinBox, "questions.devices");
    devices_->setRange(0, 1 << 20);
    devices_->setSpecialValueText(tr("one node"));
    node_hours_ = number("node_hours", 0, tr("no limit"), {});
    measured_ = number("measured", 3, tr("not measured"), tr(" s"));
    rate_ = number("rate", 4, tr("not stated"), tr(" USD"));
    rate_->setToolTip(tr("No rate of exchange is built in: without one prices stay in their own currency"));
    basis_ = choice("questions.basis",
                    {{"devices", tr("Devices")}, {"nodes", tr("Nodes")}, {"peak", tr("Peak FLOP/s")},
                     {"fewest", tr("Nothing: fewest devices")}});
    machines_ = new TickedList(tr("Machines"));
    machines_->setObjectName(QStringLiteral("questions.machines"));
    std::vector<std::pair<QString, QString>> frameworks;
    for (const std::string_view id : framework_names())
        frameworks.emplace_back(to_qt(id), to_qt(title_of(*framework_from(id))));
    framework_ = choice("questions.framework", frameworks);
    runs_ = button(tr("&File of runs..."), "questions.runs", {}, this, &QuestionsPage::choose_runs);
    free_ = choice("questions.free", {{"device", tr("Device")}, {"network", tr("Network")}, {"stack", tr("Software")},
                                      {"memory", tr("Memory")}});
    inputs_ = {{"largest", labelled(tr("&Devices:"), devices_)},
               {"nodes", labelled(tr("&Budget in node-hours:"), node_hours_)},
               {"gap", labelled(tr("&Measured step:"), measured_)},
               {"machines", machines_},
               {"machines", labelled(tr("Held &equal:"), basis_)},
               {"machines", labelled(tr("One &CHF is:"), rate_)},
               {launch_kind, labelled(tr("&Framework:"), framework_)},
               {fit_kind, runs_},
               {fit_kind, labelled(tr("What may &change:"), free_)}};
    copy_ = button(tr("Co&py"), "questions.copy", tr("Copies the answer as text, with the table for a spreadsheet"),
                   this, &QuestionsPage::copy);
    save_ = button(tr("Sa&ve..."), "questions.save", {}, this, &QuestionsPage::ask_save);
    about_ = paragraph(tr("What is asked"));
    set_bold(*state_);
    notes_ = paragraph(tr("What the answer rests on"));
    FlowLayout* head = flow({labelled(tr("&Question:"), kind_)});
    for (const auto& [kind, input] : inputs_) head->addWidget(input);
    for (QWidget* each : std::initializer_list<QWidget*>{search_.button(), search_.bar(), apply_, copy_, save_})
        head->addWidget(each);
    setLayout(below({head, about_, state_, stale_, {build_body(), 1}, notes_}, page_margins));
}

// A curve, if the answer is one, stands beside the table.
QWidget* QuestionsPage::build_body() {
    script_ = read_only_text(tr("Job script"), tr("No script: the reasons stand above."));
    body_ = new QStackedWidget;
    table_place_ = below({});
    body_->addWidget(piece(beside({{curve_, 2}, {table_place_, 3}}, no_margins)));
    curve_->hide();
    body_->addWidget(script_);
    return body_;
}

void QuestionsPage::offer_machines() {
    std::vector<TickedList::Line> lines;
    const QStringList ticked = machines_->ticked_ids();
    for (const auto& [id, machine] : workspace_.library().machines)
        lines.push_back({to_qt(id), to_qt(machine.name), machines_->count() == 0 || ticked.contains(to_qt(id))});
    machines_->offer(lines);
}

void QuestionsPage::show_kind() {
    const QString kind = chosen();
    for (const auto& [of, input] : inputs_) input->setVisible(of == kind);
    const auto usual = usual_framework(workspace_.scenario());
    if (kind == launch_kind && usual && !chose_framework_) framework_->setCurrentIndex(int(*usual));
    search_.button()->setVisible(kind != launch_kind);
    body_->setCurrentIndex(kind == launch_kind ? 1 : 0);
    QString about = kind == launch_kind ? tr("What the framework is started with so that it runs this plan. Paths of "
                                             "data, tokenizer and checkpoints are left to you.")
                  : kind == fit_kind    ? tr("Give a table of measured runs, in the format of published runs. The "
                                             "answer is the set of constants that predicts them best; what the runs "
                                             "cannot tell stays near the preset.")
                                        : QString();
    for (const PlanQuestionWords& q : plan_questions())
        if (kind == QLatin1String(q.id)) about = worded(q.about);
    about_->setText(about);
    follow();
}

void QuestionsPage::choose(const QString& id) {
    const int at = kind_->findData(id);
    if (at < 0) return;
    kind_->setCurrentIndex(at);
    cancel();
    if (of_kind_ != id) {
        asked_ = {};
        of_kind_.clear();
        adopt({});
        of_kind_.clear();
    }
    show_kind();
    if (id != fit_kind || !runs_file_.isEmpty()) ask();
}

void QuestionsPage::ask() {
    of_ = workspace_.scenario();
    judged_by_ = workspace_.preferences();
    const QString kind = chosen();
    if (kind == launch_kind) return show_script();
    if (kind == fit_kind) return ask_fit();
    const PlanQuestion question = *question_named(kind.toStdString());
    search_.start([this, plan = of_, question, options = options(), machines = machines_asked(),
                   most = workspace_.search_threads()](
                      std::stop_token stop, const BackgroundSearch::Progress& note) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        options.threads = share.count();
        const auto found = std::make_shared<Asked>(plimsoll::ask(plan, question, options, machines, stop, note));
        // Files are the same in every language.
        const auto for_file = std::make_shared<Asked>(Speaking::now() ? [&] {
            const Speaking english(nullptr);
            return plimsoll::ask(plan, question, options, machines, stop, note);
        }() : *found);
        return [this, found, for_file] {
            for_file_ = *for_file;
            adopt(*found);
        };
    });
}

AskOptions QuestionsPage::options() const {
    AskOptions o;
    o.devices = devices_->value();
    o.node_hours = node_hours_->value();
    o.headroom = workspace_.headroom();
    o.most_power = judged_by_.most_power;
    o.counting = judged_by_.counting;
    o.hours = judged_by_.hours;
    o.basis = Basis(basis_->currentIndex());
    if (rate_->value() > 0) o.dollars_for["CHF"] = rate_->value();
    o.measured_step = measured_->value() * second;
    // The user's own run of this plan, if there is one.
    for (const MeasuredRun& run : workspace_.anchors())
        if (measured_->value() == 0 && run.step && run.plan == of_) o.measured_step = *run.step;
    if (const auto record = workspace_.record()) {
        o.measured = [record](const Scenario& s) { return runs_of_pair(s, record->evidence); };
        o.likely_range = band_of(of_, record->evidence).time;
    }
    return o;
}

std::map<std::string, Machine> QuestionsPage::machines_asked() const {
    std::map<std::string, Machine> some = workspace_.library().machines;
    const QStringList ticked = machines_->ticked_ids();
    std::erase_if(some, [&](const auto& each) { return !ticked.contains(to_qt(each.first)); });
    return some;
}

void QuestionsPage::ask_fit() {
    if (runs_file_.isEmpty()) return choose_runs();
    search_.start([this, plan = of_, file = runs_file_.toStdString(), library = workspace_.library(),
                   words = free_->currentData().toString().toStdString(), most = workspace_.search_threads()](
                      std::stop_token, const BackgroundSearch::Progress&) -> LatestJob::Deliver {
        const ThreadShare share(most);
        const auto answer = std::make_shared<Asked>([&] {
            Asked a;
            const auto runs = read_run_file(file, library);
            if (!runs) {
                a.says.push_back(say(runs.error()));
                return a;
            }
            FitProblem problem;
            problem.observations = observations_of(score(runs->published, row_presets(library)));
            std::vector<Scenario> plans;
            for (const Observation& o : problem.observations) plans.push_back(o.plan);
            if (plans.empty()) {
                a.says.push_back(told(tr("None of the runs can be predicted; the page Validation says why, with the "
                                         "same file.")));
                return a;
            }
            auto chosen = plimsoll::choose({words}, plans, library.machines, library.stacks);
            if (!chosen) {
                a.says.push_back(chosen.error());
                return a;
            }
            problem.constants = *std::move(chosen);
            const FitReport report = fitted(problem, LeaveOut::none, share.count());
            a = answer_of_fit(problem, report);
            const Overlay found = overlay(problem, report.fit.constants, library.machines, library.stacks);
            Scenario with = plan;
            const auto machine = found.machines.find(plan.machine.id);
            const auto stack = found.stacks.find(plan.stack.id);
            if (machine != found.machines.end()) with.machine = machine->second;
            if (stack != found.stacks.end()) with.stack = stack->second;
            if (!(with == plan))
                for (AskedRow& row : a.rows) row.plan = with;
            return a;
        }());
        return [this, answer] {
            for_file_ = *answer;
            adopt(*answer);
        };
    });
}

void QuestionsPage::show_script() {
    of_kind_ = launch_kind;
    const Framework framework = *framework_from(framework_->currentData().toString().toStdString());
    const auto script = [&] {
        const Speaking english(nullptr);   // it becomes a file
        const UsualUnits the_same_for_everybody;
        return launch_script(of_, framework);
    }();
    script_->setPlainText(script ? to_qt(*script) : QString());
    const auto in_words = script ? script : launch_script(of_, framework);
    state_->setText(in_words ? QString() : to_qt(joined(in_words.error(), "\n")));
    notes_->clear();
    follow();
}

void QuestionsPage::adopt(Asked answer) {
    asked_ = std::move(answer);
    of_kind_ = chosen();
    state_->setText(to_qt(joined(asked_.says, " ")));
    notes_->setText(to_qt(joined(asked_.notes, " ")));
    curve_->setVisible(asked_.figure.has_value());
    if (asked_.figure) curve_->present(snapshot_of({*for_file_.figure}));
    delete std::exchange(table_, nullptr);
    if (!asked_.rows.empty()) {
        const QStringList headings = to_qt(asked_.headings);
        table_ = new TextTable(kind_->currentText(), headings, asked_.numbers);
        table_->setObjectName(QStringLiteral("questions.table"));
        table_->stretch(int(headings.size()) - 1);
        std::vector<QStringList> cells;
        int first_plan = -1;
        for (const AskedRow& row : asked_.rows) {
            if (row.plan && first_plan < 0) first_plan = int(cells.size());
            cells.push_back(to_qt(row.cells));
        }
        table_->show_rows(cells);
        draw_timelines();
        table_place_->addWidget(table_);
        take_rows_of(*table_);
        table_->selectRow(std::max(first_plan, 0));
    }
    follow();
}

void QuestionsPage::draw_timelines() {
    if (!table_ || of_kind_ != QLatin1String("schedules")) return;
    constexpr QSize size(240, 48);
    std::vector<Scenario> plans;
    for (const AskedRow& row : asked_.rows) plans.push_back(row.plan.value_or(of_));
    const ChartTheme& theme = is_dark(palette()) ? dark_chart() : light_chart();
    const std::vector<QPixmap> pictures = small_timelines(plans, size, devicePixelRatioF(), theme);
    table_->setIconSize(size);
    for (int row = 0; row < int(pictures.size()); ++row) {
        QIcon icon(pictures[row]);
        icon.addPixmap(pictures[row], QIcon::Selected);   // Qt would tint it
        table_->item(row, 0)->setIcon(icon);
        table_->setRowHeight(row, size.height() + 8);
    }
}

void QuestionsPage::changeEvent(QEvent* event) {
    AnswerPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) draw_timelines();
}

// The first question takes no time: it is answered when the page is first seen.
void QuestionsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (of_kind_.isEmpty() && !busy() && kind_->currentIndex() == 0) return ask();
    follow();
}

// An answer for another plan stays to be read, and says so. What is judged otherwise or shown in other units is asked
// again; a script is written anew with every edit.
void QuestionsPage::follow() {
    const bool answered = !of_kind_.isEmpty();
    if (answered && !busy() && of_kind_ == launch_kind && !(of_ == workspace_.scenario())) return ask();
    if (answered && !busy() && of_kind_ != fit_kind && !(judged_by_ == workspace_.preferences())) return ask();
    show_stale(answered);
    state_->setVisible(!state_->text().isEmpty());
    notes_->setVisible(!notes_->text().isEmpty());
    const bool anything = of_kind_ == launch_kind ? !script_->toPlainText().isEmpty() : table_ != nullptr;
    copy_->setEnabled(anything);
    save_->setEnabled(anything);
    apply_->setVisible(chosen() != launch_kind);
    show_selection();
}

std::optional<AnswerPage::Offer> QuestionsPage::selected() const {
    const int row = table_ ? table_->currentRow() : -1;
    if (row < 0 || row >= int(asked_.rows.size())) return std::nullopt;
    const AskedRow& asked = asked_.rows[std::size_t(row)];
    if (!asked.plan) return std::nullopt;
    return Offer{tr("%1: %2").arg(kind_->currentText(), to_qt(asked.cells.front())), *asked.plan};
}

void QuestionsPage::choose_runs() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Measured runs"), {}, tr("Runs (*.json *.csv)"));
    if (file.isEmpty()) return;
    runs_file_ = file;
    ask();
}

void QuestionsPage::copy() {
    if (of_kind_ == launch_kind) return QApplication::clipboard()->setText(script());
    if (!table_) return;
    QApplication::clipboard()->setText(answer() + QStringLiteral("\n\n") + table_->as_text() + QStringLiteral("\n\n")
                                       + notes());
}

bool QuestionsPage::save_to(const QString& path) {
    const std::string text = of_kind_ == launch_kind ? script().toStdString() : to_csv(for_file_, WithNotes::yes);
    const auto written = write_atomically(path.toStdString(), text);
    if (!written) warn(this, tr("Save"), written.error());
    return written.has_value();
}

void QuestionsPage::ask_save() {
    const bool launch = of_kind_ == launch_kind;
    const QString path = QFileDialog::getSaveFileName(
        this, launch ? tr("Save the job script") : tr("Save the table"),
        launch ? QStringLiteral("job.sh") : QStringLiteral("%1.csv").arg(of_kind_),
        launch ? tr("Scripts (*.sh);;All files (*)") : tr("Tables (*.csv)"));
    if (!path.isEmpty()) save_to(path);
}

}  // namespace plimsoll
