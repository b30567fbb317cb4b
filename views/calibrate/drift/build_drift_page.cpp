// Widgets of the page and where they stand.
#include "core/answers/replan/replan_wording.h"
#include "views/calibrate/drift/drift_page.h"
#include "views/parts/flow_layout.h"
#include "views/parts/labelled.h"
#include "views/parts/paragraph.h"
#include "views/parts/wheel_guard.h"
#include "views/plan/text.h"

#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr int legend_beside = 390;   // a chart as wide as this has its legend beside the bars; below, a dozen parts would leave them no room

constexpr int numbers[] = {2, 3, 4, 5, 6};   // columns of the table

// Those of numbers on two lines: the verdict, last, is to stay in view.
QStringList headings() {
    QStringList all;
    for (const std::string& each : replan_headings()) {
        all << to_qt(each);
        all.back()[0] = all.back()[0].toUpper();
    }
    for (const int column : numbers) all[column][all[column].indexOf(u' ')] = u'\n';
    return all;
}

QString part_names() {
    QStringList all;
    for (const auto& part : step_parts) all << to_qt(std::string(part.id));
    return all.join(QStringLiteral(", "));
}

}  // namespace

void DriftPage::build() {
    setAcceptDrops(true);
    empty_ = paragraph(tr("What this page is for"));
    empty_->setTextFormat(Qt::RichText);
    empty_->setText(tr("<p>Is this plan's job running? Open its measured steps to see whether they depart from the prediction, and whether another layout would pay "
                       "from here on.</p><p>The file: a table with a header and a step a line, its time in the column <b>step_s</b> or <b>step_ms</b> and, where they are known, "
                       "the parts of a step in columns of their own (<b>gemm</b>, <b>data_parallel</b>, ...); or a log of plimsoll-engine.</p>"));
    empty_->setToolTip(tr("Parts of a step: %1").arg(part_names()));
    empty_->setAlignment(Qt::AlignTop);
    content_ = new QWidget;
    auto* halves = new QVBoxLayout(content_);
    halves->setContentsMargins(0, 0, 0, 0);
    halves->addWidget(build_charts(), 1);
    halves->addWidget(build_readings());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(build_head());
    column->addWidget(empty_, 1);
    column->addWidget(content_, 1);
}

QWidget* DriftPage::build_head() {
    open_ = new QPushButton(tr("Open measured steps..."));
    open_->setObjectName(QStringLiteral("drift.open"));
    open_->setToolTip(tr("A table with step_s, or a log of plimsoll-engine; it can also be dropped here"));
    amount_ = new QDoubleSpinBox;
    amount_->setRange(0, 1000);
    amount_->setDecimals(1);
    amount_->setValue(10);
    amount_->setSuffix(tr(" %"));
    amount_->setObjectName(QStringLiteral("drift.amount"));
    amount_->setAccessibleName(tr("Departure that counts"));
    amount_->setToolTip(tr("A search begins where the whole 95 % interval of the median step is further from the prediction"));
    left_ = new QSpinBox;
    left_->setRange(0, 2000000000);
    left_->setSpecialValueText(tr("the whole run"));
    left_->setGroupSeparatorShown(true);
    left_->setObjectName(QStringLiteral("drift.left"));
    left_->setAccessibleName(tr("Steps left"));
    left_->setToolTip(tr("What the job still has to do: changing pays the longer it goes on"));
    for (QWidget* input : std::initializer_list<QWidget*>{amount_, left_}) WheelGuard::install(input);
    search_ = new QPushButton;
    search_->setObjectName(QStringLiteral("drift.search"));
    bar_ = new QProgressBar;
    bar_->setAccessibleName(tr("Progress of the search"));
    bar_->setMaximumWidth(180);
    state_ = paragraph(tr("Measured against predicted"));
    QFont bold = state_->font();
    bold.setBold(true);
    state_->setFont(bold);
    note_ = paragraph(tr("What to know of this comparison"));
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* line = new FlowLayout;
    for (QWidget* each : {static_cast<QWidget*>(open_), labelled(tr("&Counts from"), amount_), labelled(tr("Steps &left"), left_), static_cast<QWidget*>(search_),
                          static_cast<QWidget*>(bar_)})
        line->addWidget(each);
    column->addLayout(line);
    column->addWidget(note_);
    column->addWidget(state_);
    return head;
}

QWidget* DriftPage::build_charts() {
    steps_ = new ScatterChart;
    parts_ = new Chart("drift-parts");
    parts_->setMinimumWidth(legend_beside);
    auto* charts = new QSplitter(Qt::Horizontal);
    charts->addWidget(steps_);
    charts->addWidget(parts_);
    charts->setSizes({500, 500});
    charts->setChildrenCollapsible(false);
    return charts;
}

QWidget* DriftPage::build_readings() {
    table_ = new TextTable(tr("What the steps may mean, and what would pay"), headings(), std::set<int>(std::begin(numbers), std::end(numbers)));
    table_->stretch(1);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);   // as high as its rows
    table_->horizontalHeaderItem(4)->setToolTip(to_qt(say_at_worst()));
    advice_ = paragraph(tr("What to do"));
    apply_ = new QPushButton(tr("Use this layout"));
    apply_->setObjectName(QStringLiteral("drift.apply"));
    apply_->setToolTip(tr("Puts the selected row's layout into the plan, as one step that can be undone"));
    auto* line = new QHBoxLayout;
    line->addWidget(apply_, 0, Qt::AlignTop);
    line->addWidget(advice_, 1);
    lower_ = new QWidget;
    auto* column = new QVBoxLayout(lower_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(line);
    column->addWidget(table_);
    return lower_;
}

void DriftPage::set_theme(const ChartTheme& theme) {
    steps_->set_theme(theme);
    parts_->set_theme(theme);
}

}  // namespace plimsoll
