#include "views/jobs/drift_page.h"

#include "core/values/knobs/wording.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/replan/replan_wording.h"
#include "core/answers/search/wording.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/results/log_run.h"
#include "views/parts/arrange.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMimeData>

#include <algorithm>

namespace plimsoll {

namespace {

// Plans and calibrations are the window's own to open. It is asked while something is dragged: the first lines tell.
bool may_hold_steps(const QString& path) {
    if (path.isEmpty() || path.endsWith(QStringLiteral(".json"))) return false;
    QFile file(path);
    return !QFileInfo(path).isFile() || !file.open(QFile::ReadOnly)
        || !looks_like_calibration_log(file.read(1 << 18).toStdString());
}

}  // namespace

DriftPage::DriftPage(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    build();
    connect(&search_, &BackgroundSearch::busy_changed, this, &DriftPage::enable_search);
    connect(&search_, &BackgroundSearch::busy_changed, this, &DriftPage::busy_changed);
    connect(&search_, &BackgroundSearch::failed, this, [this](const QString& why) {
        trouble_ = why;
        show_state();
    });
    auto* seen = new WhenSeen(*this, [this] { follow_plan(); });
    connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (busy() && !isVisible()) follow_plan();
    });
    connect(search_.button(), &QPushButton::clicked, this, [this] { busy() ? cancel() : search(); });
    connect(amount_, &QDoubleSpinBox::valueChanged, this, [this] {
        show_all();
        search_if_departed();
    });
    connect(left_, &QSpinBox::valueChanged, this, &DriftPage::show_readings);
    connect(table_, &QTableWidget::currentCellChanged, this, &DriftPage::show_selection);
    connect(table_, &QTableWidget::cellActivated, this, &DriftPage::apply);   // Enter and double click
    show_all();
}

void DriftPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && note_) show_state();
}

void DriftPage::dragEnterEvent(QDragEnterEvent* event) {
    if (may_hold_steps(event->mimeData()->urls().value(0).toLocalFile())) event->acceptProposedAction();
}

void DriftPage::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    open(event->mimeData()->urls().value(0).toLocalFile());
}

void DriftPage::ask_open() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open measured steps"), {},
        tr("Tables and logs (*.csv *.tsv *.txt *.log *.out *.jsonl *.part);;All files (*)"));
    if (!path.isEmpty()) open(path);
}

Problems DriftPage::open(const QString& path) {
    return take(meanwhile(path, [file = path.toStdString(), plan = workspace_.scenario()] {
                    return load_measured_steps(file, plan);
                }),
                QFileInfo(path).fileName());
}

Problems DriftPage::open(const TrainingLog& log, const QString& name) {
    return take(steps_of(log, workspace_.scenario(), name.toStdString()), name);
}

Problems DriftPage::take(Expected<MeasuredSteps, Problems> read, const QString& name) {
    trouble_ = read ? QString() : to_qt(say(read.error())).trimmed();
    if (read) {
        search_.forget();
        measured_ = std::move(*read);
        file_ = name;
        found_ = {};
        of_ = workspace_.scenario();
    }
    follow_plan();
    if (!read) return read.error();
    search_if_departed();
    return {};
}

const std::vector<Replan>& DriftPage::readings() const {
    static const std::vector<Replan> none;
    return found_.plan == workspace_.scenario() ? found_.readings : none;
}

// A search for a plan that is no more answers nothing.
void DriftPage::follow_plan() {
    if (busy() && !(searching_ == workspace_.scenario())) search_.forget();
    drift_ = measured_ ? drift_of(workspace_.scenario(), *measured_) : Drift{};
    show_all();
}

void DriftPage::search_if_departed() {
    if (measured_ && !busy() && of_ == workspace_.scenario() && !(found_.plan == of_) && drift_.departs(share()))
        search();
}

void DriftPage::search() {
    if (!drift_.departs(share())) return;
    searching_ = of_ = workspace_.scenario();
    search_.start([this, plan = searching_, drift = drift_, headroom = workspace_.headroom(),
                   most = workspace_.search_threads()](
                      std::stop_token stop, const BackgroundSearch::Progress& note) -> LatestJob::Deliver {
        const ThreadShare threads(most);
        const SearchOptions options{.threads = threads.count(), .headroom = headroom, .ranking_only = true};
        const auto readings = replan(plan, drift, 0, full_space(), options, stop, note);
        const auto found = std::make_shared<Found>(Found{plan, readings});
        return [this, found] { adopt(std::move(*found)); };
    });
    show_all();
}

void DriftPage::adopt(Found found) {
    trouble_.clear();
    found_ = std::move(found);
    show_all();
}

void DriftPage::show_all() {
    empty_->setVisible(!measured_);
    content_->setVisible(measured_.has_value());
    enable_search();
    show_state();
    show_charts();
    show_readings();
}

// Steps of one plan's job beside another plan: said, not hidden, for the plan may have been put right.
QString DriftPage::belongs_elsewhere() const {
    const Scenario& plan = workspace_.scenario();
    if (!measured_ || of_ == plan) return {};
    QString text =
        tr("The plan has changed: readings belonged to the plan before and are out of view. Search again if the job "
           "runs as the plan says now; Ctrl+Z returns.");
    if (!(of_.layout == plan.layout))
        text += u' ' + tr("These steps were opened for the layout %1.").arg(to_qt(say_layout(of_.layout)));
    return text;
}

void DriftPage::show_state() {
    const QString note = trouble_.isEmpty() ? belongs_elsewhere() : trouble_;
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    set_text_colour(*note_, alert_colour(palette()));
    state_->setVisible(measured_.has_value());
    if (!measured_) return;
    if (drift_.steps == 0)
        return state_->setText(
            tr("%1: the plan cannot be computed as it stands, so there is nothing to compare with.").arg(file_));
    state_->setText(file_ + QStringLiteral(": ") + to_qt(say_drift(drift_)) + QStringLiteral(". ")
                    + to_qt(say_verdict(drift_, share())));
}

void DriftPage::show_charts() {
    if (!measured_ || drift_.steps == 0) {
        steps_->set_empty_text(tr("No prediction for this plan."));
        steps_->present({});
        return parts_->hide();
    }
    steps_->present(drift_steps(*measured_, drift_, share()));
    const Outcome predicted = estimate(workspace_.scenario());
    parts_->setVisible(drift_.parts && predicted);
    if (drift_.parts && predicted) parts_->present(snapshot_of({drift_parts(*drift_.parts, predicted->step)}));
}

// The steps that are left change what a layout is worth, not which is best: nothing is searched again.
void DriftPage::show_readings() {
    const Scenario& plan = workspace_.scenario();
    const Outcome here = estimate(plan);
    const bool any = here && measured_ && found_.plan == plan && drift_.departs(share());
    lower_->setVisible(any);
    if (!any) return table_->show_rows({});
    const double left = left_->value() > 0 ? left_->value() : headline(plan, *here).steps;
    std::vector<QStringList> rows;
    for (Replan& r : found_.readings) {
        r.steps_left = left;
        rows.push_back(to_qt(replan_cells(r)));
    }
    table_->show_rows(rows);
    QString advice = QStringLiteral("<b>%1</b>").arg(to_qt(say_advice(found_.readings)).toHtmlEscaped());
    if (rows.size() > 1) advice += u' ' + to_qt(say_at_worst()).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    advice_->setText(advice);
    if (table_->currentRow() < 0 && !rows.empty()) table_->selectRow(int(safest(found_.readings).value_or(0)));
    show_selection();
}

void DriftPage::show_selection() {
    const int row = table_->currentRow();
    const auto& all = readings();
    apply_->setEnabled(row >= 0 && row < int(all.size()) && !all[std::size_t(row)].stays());
}

void DriftPage::apply() {
    show_selection();
    if (!apply_->isEnabled()) return;
    const Layout layout = readings()[std::size_t(table_->currentRow())].best->layout;
    const QString name = to_qt(say_degrees(layout));
    workspace_.propose(with_layout(workspace_.scenario(), layout), tr("Layout %1").arg(name));
    emit applied(name);
}

void DriftPage::enable_search() { search_.button()->setEnabled(busy() || drift_.departs(share())); }

// Widgets of the page and where they stand.

namespace {

// A chart as wide as this has its legend beside the bars; below, a dozen parts would leave them no room.
constexpr int legend_beside = 390;

constexpr int numbers[] = {2, 3, 4, 5, 6};   // columns of the table

// Those of numbers on two lines: the verdict, last, is to stay in view.
QStringList headings() {
    QStringList all = to_qt(replan_headings());
    for (QString& each : all) each[0] = each[0].toUpper();
    for (const int column : numbers)
        if (const qsizetype gap = all[column].indexOf(u' '); gap > 0) all[column][gap] = u'\n';
    return all;
}

QString part_names() {
    QStringList all;
    for (const auto& part : step_parts) all << to_qt(part.id);
    return all.join(QStringLiteral(", "));
}

}  // namespace

void DriftPage::build() {
    setAcceptDrops(true);
    empty_ = paragraph(tr("What this page is for"));
    empty_->setTextFormat(Qt::RichText);
    empty_->setText(
        tr("<p>Is this plan's job running? Open its measured steps to see whether they depart from the prediction, and "
           "whether another layout would pay "
           "from here on.</p><p>The file: a table with a header and a step a line, its time in the column "
           "<b>step_s</b> or <b>step_ms</b> and, where they are known, "
           "the parts of a step in columns of their own (<b>gemm</b>, <b>data_parallel</b>, ...); or a log of "
           "a training framework or of plimsoll-engine.</p>"));
    empty_->setToolTip(tr("Parts of a step: %1").arg(part_names()));
    empty_->setAlignment(Qt::AlignTop);
    content_ = piece(below({{build_charts(), 1}, build_readings()}, no_margins));
    setLayout(below({build_head(), {empty_, 1}, {content_, 1}}, page_margins));
}

QWidget* DriftPage::build_head() {
    QPushButton* open = button(tr("Open measured steps..."), "drift.open",
                               tr("A table with step_s, or a log of the job; it can also be dropped here"),
                               this, &DriftPage::ask_open);
    amount_ = as_input(
        number_box(0, 1000, 1, tr(" %")), "drift.amount",
        tr("A search begins where the whole 95 % interval of the median step is further from the prediction"));
    amount_->setValue(10);
    amount_->setAccessibleName(tr("Departure that counts"));
    left_ = as_input(new QSpinBox, "drift.left",
                     tr("What the job still has to do: changing pays the longer it goes on"));
    left_->setRange(0, 2000000000);
    left_->setSpecialValueText(tr("the whole run"));
    left_->setGroupSeparatorShown(true);
    left_->setAccessibleName(tr("Steps left"));
    search_.button()->setObjectName(QStringLiteral("drift.search"));
    state_ = paragraph(tr("Measured against predicted"));
    set_bold(*state_);
    note_ = paragraph(tr("What to know of this comparison"));
    FlowLayout* line = flow({open, labelled(tr("&Counts from"), amount_), labelled(tr("Steps &left"), left_),
                             search_.button(), search_.bar()});
    return piece(below({line, note_, state_}, no_margins, 4));
}

QWidget* DriftPage::build_charts() {
    steps_ = new ScatterChart;
    parts_ = new Chart("drift-parts");
    parts_->setMinimumWidth(legend_beside);
    return split(Qt::Horizontal, {steps_, parts_}, {500, 500});
}

QWidget* DriftPage::build_readings() {
    table_ = new TextTable(tr("What the steps may mean, and what would pay"), headings(),
                           std::set<int>(std::begin(numbers), std::end(numbers)));
    table_->stretch(1);
    table_->fit_to_rows();   // there are three at most
    table_->horizontalHeaderItem(4)->setToolTip(to_qt(say_at_worst()));
    advice_ = paragraph(tr("What to do"));
    advice_->setTextFormat(Qt::RichText);   // of our own, all else escaped
    apply_ = button(tr("Use this layout"), "drift.apply",
                    tr("Puts the selected row's layout into the plan, as one step that can be undone"), this,
                    &DriftPage::apply);
    QBoxLayout* line = beside({apply_, {advice_, 1}});
    line->setAlignment(apply_, Qt::AlignTop);
    lower_ = piece(below({line, table_}, no_margins));
    return lower_;
}

}  // namespace plimsoll
