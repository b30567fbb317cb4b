#include "views/calibrate/drift/drift_page.h"

#include "core/answers/explain/wording.h"
#include "core/answers/plan/headline.h"
#include "core/answers/replan/drift_figures.h"
#include "core/answers/replan/replan_wording.h"
#include "core/answers/search/wording.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/measured/measured_steps.h"
#include "core/files/text/disk.h"
#include "views/calibrate/measure/figure_snapshot.h"
#include "views/parts/colours.h"
#include "views/plan/text.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMimeData>
#include <QScrollBar>

#include <algorithm>

namespace plimsoll {

namespace {

// Plans and calibrations are the window's own to open.
bool may_hold_steps(const QString& path) {
    if (path.isEmpty() || path.endsWith(QStringLiteral(".json"))) return false;
    const auto text = read_text(path.toStdString());
    return !text || !looks_like_calibration_log(*text);
}

}  // namespace

DriftPage::DriftPage(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    build();
    watch_.setInterval(80);
    connect(&watch_, &QTimer::timeout, this, &DriftPage::show_progress);
    connect(&job_, &LatestJob::busy_changed, this, &DriftPage::show_busy);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible() || busy()) follow_plan();
    });
    connect(open_, &QPushButton::clicked, this, &DriftPage::ask_open);
    connect(search_, &QPushButton::clicked, this, [this] { busy() ? cancel() : search(); });
    connect(amount_, &QDoubleSpinBox::valueChanged, this, [this] {
        show_all();
        search_if_departed();
    });
    connect(left_, &QSpinBox::valueChanged, this, &DriftPage::show_readings);
    connect(table_, &QTableWidget::currentCellChanged, this, &DriftPage::show_selection);
    connect(table_, &QTableWidget::cellActivated, this, &DriftPage::apply);   // Enter and double click
    connect(apply_, &QPushButton::clicked, this, &DriftPage::apply);
    show_busy(false);
    show_all();
}

void DriftPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow_plan();
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
    const QString path = QFileDialog::getOpenFileName(this, tr("Open measured steps"), {}, tr("Tables and logs (*.csv *.tsv *.txt *.jsonl *.part);;All files (*)"));
    if (!path.isEmpty()) open(path);
}

Problems DriftPage::open(const QString& path) {
    auto read = load_measured_steps(path.toStdString());
    trouble_ = read ? QString() : to_qt(say(read.error())).trimmed();
    if (read) {
        job_.forget();
        measured_ = std::move(*read);
        file_ = QFileInfo(path).fileName();
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
    if (busy() && !(searching_ == workspace_.scenario())) job_.forget();
    drift_ = measured_ ? drift_of(workspace_.scenario(), *measured_) : Drift{};
    show_all();
}

void DriftPage::search_if_departed() {
    if (measured_ && !busy() && of_ == workspace_.scenario() && !(found_.plan == of_) && drift_.departs(share())) search();
}

void DriftPage::search() {
    if (!drift_.departs(share())) return;
    searching_ = of_ = workspace_.scenario();
    progress_ = std::make_shared<Progress>();
    job_.start([this, plan = searching_, drift = drift_, progress = progress_](std::stop_token stop) -> LatestJob::Deliver {
        const auto note = [&](long long done, long long count) {
            progress->done = done;
            progress->count = count;
        };
        const SearchOptions options{.threads = int(std::max(1u, std::thread::hardware_concurrency())), .ranking_only = true};
        const auto found = std::make_shared<Found>(Found{plan, replan(plan, drift, 0, full_space(), options, stop, note)});
        return [this, found] { adopt(std::move(*found)); };
    });
    show_all();
}

void DriftPage::adopt(Found found) {
    found_ = std::move(found);
    show_all();
}

void DriftPage::show_all() {
    empty_->setVisible(!measured_);
    content_->setVisible(measured_.has_value());
    search_->setEnabled(busy() || drift_.departs(share()));
    show_state();
    show_charts();
    show_readings();
}

// Steps of one plan's job beside another plan: said, not hidden, for the plan may have been put right.
QString DriftPage::belongs_elsewhere() const {
    const Scenario& plan = workspace_.scenario();
    if (!measured_ || of_ == plan) return {};
    QString text = tr("The plan has changed: readings belonged to the plan before and are out of view. Search again if the job runs as the plan says now; Ctrl+Z returns.");
    if (!(of_.layout == plan.layout)) text += u' ' + tr("These steps were opened for the layout %1.").arg(to_qt(say_layout(of_.layout)));
    return text;
}

void DriftPage::show_state() {
    const QString note = trouble_.isEmpty() ? belongs_elsewhere() : trouble_;
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, alert_colour(colours));
    note_->setPalette(colours);
    state_->setVisible(measured_.has_value());
    if (!measured_) return;
    if (drift_.steps == 0) return state_->setText(tr("%1: the plan cannot be computed as it stands, so there is nothing to compare with.").arg(file_));
    state_->setText(file_ + QStringLiteral(": ") + to_qt(say_drift(drift_)) + QStringLiteral(". ") + to_qt(say_verdict(drift_, share())));
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
    const bool any = measured_ && found_.plan == plan && drift_.departs(share());
    lower_->setVisible(any);
    if (!any) return table_->show_rows({});
    const double left = left_->value() > 0 ? left_->value() : headline(plan, *estimate(plan)).steps;
    std::vector<QStringList> rows;
    for (Replan& r : found_.readings) {
        r.steps_left = left;
        rows.emplace_back();
        for (const std::string& cell : replan_cells(r)) rows.back() << to_qt(cell);
    }
    table_->show_rows(rows);
    fit_table();
    QString advice = QStringLiteral("<b>%1</b>").arg(to_qt(say_advice(found_.readings)).toHtmlEscaped());
    if (rows.size() > 1) advice += u' ' + to_qt(say_at_worst()).toHtmlEscaped();
    advice_->setText(advice);
    if (table_->currentRow() < 0 && !rows.empty()) table_->selectRow(int(safest(found_.readings).value_or(0)));
    show_selection();
}

// All readings in view: there are three at most.
void DriftPage::fit_table() {
    int height = table_->horizontalHeader()->sizeHint().height() + 2 * table_->frameWidth() + table_->horizontalScrollBar()->sizeHint().height();
    for (int r = 0; r < table_->rowCount(); ++r) height += table_->rowHeight(r);
    table_->setFixedHeight(height);
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

void DriftPage::show_busy(bool busy) {
    search_->setText(busy ? tr("Cancel") : tr("Search"));
    search_->setToolTip(busy ? tr("Stop; half a search answers nothing") : tr("Every layout of the plan's devices, priced as the machine turned out, beside the window"));
    bar_->setRange(0, 0);
    bar_->setVisible(busy);
    if (busy) watch_.start();
    else watch_.stop();
    search_->setEnabled(busy || drift_.departs(share()));
}

void DriftPage::show_progress() {
    const long long count = progress_->count;
    if (count <= 0) return;
    bar_->setRange(0, 1000);
    bar_->setValue(int(1000 * progress_->done / count));
}

}  // namespace plimsoll
