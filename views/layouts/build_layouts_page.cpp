// Widgets of the page and what they are connected to; its lists.
#include "core/answers/explain/wording.h"
#include "core/answers/search/wording.h"
#include "views/layouts/layout_text.h"
#include "views/layouts/layouts_page.h"
#include "views/parts/flow_layout.h"
#include "views/parts/labelled.h"
#include "views/plan/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

QTableWidget* list(const QString& name, const QStringList& headers) {
    auto* table = new QTableWidget(0, int(headers.size()));
    table->setHorizontalHeaderLabels(headers);
    table->setAccessibleName(name);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    table->setWordWrap(true);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return table;
}

void fill(QTableWidget& table, int row, const QStringList& cells) {
    for (int c = 0; c < cells.size(); ++c) {
        auto* item = new QTableWidgetItem(cells[c]);
        item->setToolTip(cells[c]);
        table.setItem(row, c, item);
    }
}

}  // namespace

void LayoutsPage::build() {
    auto* sides = new QSplitter(Qt::Horizontal);
    sides->addWidget(build_lists());
    sides->addWidget(build_pictures());
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    sides->setSizes({600, 400});
    sides->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->addWidget(build_head());
    column->addWidget(sides, 1);
}

QWidget* LayoutsPage::build_head() {
    objective_ = new QComboBox;
    for (const Objective o : objectives()) objective_->addItem(objective_label(o));
    objective_->setAccessibleName(tr("What the search makes least"));
    objective_->setToolTip(tr("Cost and node-hours of the same devices follow from time"));
    space_ = new QComboBox;
    space_->addItems({tr("Common layouts"), tr("Every layout")});
    space_->setAccessibleName(tr("Which layouts are searched"));
    space_->setItemData(0, tr("Tensor ranks inside a node, even stages and chunks, micro-batch, recomputation, a sharded optimizer"), Qt::ToolTipRole);
    space_->setItemData(1, tr("Every axis the cost model knows: context and expert degrees, schedules, ZeRO stages, uneven stages, tensor modes"), Qt::ToolTipRole);
    search_ = new QPushButton;
    search_->setObjectName(QStringLiteral("search_layouts"));
    bar_ = new QProgressBar;
    bar_->setAccessibleName(tr("Progress of the search"));
    bar_->setMaximumWidth(180);
    auto_ = new QCheckBox(tr("Automatic"));
    auto_->setToolTip(automatic_.action()->toolTip());
    auto_->setObjectName(QStringLiteral("auto_layout"));
    summary_ = new QLabel(tr("Every way to spread the plan over its devices, priced."));
    summary_->setWordWrap(true);
    summary_->setAccessibleName(tr("What the search found"));
    connect(search_, &QPushButton::clicked, this, [this] { busy() ? cancel() : search(); });
    connect(objective_, &QComboBox::activated, this, [this](int i) {
        automatic_.set_objective(objectives()[std::size_t(i)]);
        search();
    });
    connect(space_, &QComboBox::activated, this, [this] { search(); });
    connect(auto_, &QCheckBox::toggled, automatic_.action(), &QAction::setChecked);
    connect(automatic_.action(), &QAction::toggled, auto_, &QCheckBox::setChecked);

    auto* controls = new QWidget;
    auto* flow = new FlowLayout(controls);
    flow->addWidget(labelled(tr("&Least"), objective_));
    flow->addWidget(labelled(tr("&Among"), space_));
    for (QWidget* w : std::initializer_list<QWidget*>{search_, auto_, bar_}) flow->addWidget(w);
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(4, 0, 4, 0);
    column->setSpacing(4);
    column->addWidget(controls);
    column->addWidget(summary_);
    return head;
}

QWidget* LayoutsPage::build_ranking() {
    words_ = new QLineEdit;
    words_->setPlaceholderText(tr("Filter: e.g. TP8 ZeRO1 full, or unbeaten"));
    words_->setAccessibleName(tr("Filter the layouts"));
    words_->setObjectName(QStringLiteral("filter_layouts"));
    words_->setClearButtonEnabled(true);
    connect(words_, &QLineEdit::textChanged, &filter_, &WordFilter::set_words);
    view_ = new QTableView;
    view_->setModel(&filter_);
    view_->setAccessibleName(tr("Layouts, best first"));
    view_->setSortingEnabled(true);
    view_->sortByColumn(LayoutTable::rank, Qt::AscendingOrder);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setAlternatingRowColors(true);
    view_->setTabKeyNavigation(false);
    view_->setWordWrap(false);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    const int em = view_->fontMetrics().horizontalAdvance(u'0');
    const int widths[LayoutTable::columns] = {7, 8, 9, 9, 5, 5, 5, 5, 8, 5, 5, 5, 11, 6, 12, 8, 10, 40};
    for (int c = 0; c < LayoutTable::columns; ++c) view_->setColumnWidth(c, em * widths[c]);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LayoutsPage::show_selection);
    connect(view_, &QTableView::activated, this, &LayoutsPage::apply);   // Enter and double click
    apply_ = new QPushButton(tr("Apply"));
    apply_->setToolTip(tr("Make this the plan's layout, as one step that can be undone (Enter)"));
    apply_->setObjectName(QStringLiteral("apply_layout"));
    pin_ = new QPushButton(tr("Pin to compare"));
    pin_->setCheckable(true);
    pin_->setToolTip(tr("Compare other layouts with this one instead of the present plan"));
    connect(apply_, &QPushButton::clicked, this, &LayoutsPage::apply);
    connect(pin_, &QPushButton::toggled, this, &LayoutsPage::pin);

    auto* foot = new QHBoxLayout;
    foot->addWidget(apply_);
    foot->addWidget(pin_);
    foot->addStretch();
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(words_);
    column->addWidget(view_, 1);
    column->addLayout(foot);
    return page;
}

QWidget* LayoutsPage::build_lists() {
    misses_ = list(tr("Layouts that nearly fit"), {tr("Layout"), tr("What it lacks")});
    connect(misses_, &QTableWidget::cellActivated, this, [this](int row) { propose(study_->found.near_misses[std::size_t(row)].layout); });
    excluded_ = list(tr("Rules that exclude layouts"), {tr("Layouts"), tr("Excluded, as"), tr("For example")});
    excluded_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    lists_ = new QTabWidget;
    lists_->addTab(build_ranking(), tr("Ranking"));
    lists_->addTab(misses_, tr("Nearly fit"));
    lists_->addTab(excluded_, tr("Excluded"));
    lists_->setMinimumWidth(300);
    return lists_;
}

QWidget* LayoutsPage::build_pictures() {
    scatter_ = new ScatterChart;
    scatter_->set_empty_text(tr("No layout to show yet."));
    connect(scatter_, &ScatterChart::picked, this, &LayoutsPage::select);
    map_ = new SplitMap;
    connect(map_, &SplitMap::picked, this, &LayoutsPage::select);
    cell_ = new QLabel;
    cell_->setWordWrap(true);
    cell_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    cell_->setMinimumHeight(3 * cell_->fontMetrics().height());
    cell_->setAccessibleName(tr("The cell pointed at"));
    connect(map_, &SplitMap::explained, this, [this](const QString& what) {
        cell_->setText(what.isEmpty() ? tr("Point at a cell, or walk with the arrow keys, to read why.") : what);
    });
    auto* mapped = new QWidget;
    auto* column = new QVBoxLayout(mapped);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(map_, 1);
    column->addWidget(cell_);
    comparison_ = new QTextBrowser;
    comparison_->setAccessibleName(tr("Why it is faster or slower"));
    comparison_->setPlaceholderText(tr("Select a layout to read why it beats the present plan, or does not."));
    pictures_ = new QTabWidget;
    pictures_->addTab(scatter_, tr("Time and memory"));
    pictures_->addTab(mapped, tr("Splits"));
    pictures_->addTab(comparison_, tr("Why"));
    pictures_->setMinimumWidth(260);
    return pictures_;
}

void LayoutsPage::set_theme(const ChartTheme& theme) {
    scatter_->set_theme(theme);
    map_->set_theme(theme);
}

void LayoutsPage::fill_misses() {
    const auto& all = study_->found.near_misses;
    misses_->setRowCount(int(all.size()));
    for (int i = 0; i < misses_->rowCount(); ++i) fill(*misses_, i, {to_qt(say_layout(all[std::size_t(i)].layout)), to_qt(say_miss(all[std::size_t(i)]))});
    lists_->setTabText(1, tr("Nearly fit (%1)").arg(all.size()));
}

void LayoutsPage::fill_exclusions() {
    const auto& all = study_->found.exclusions;
    excluded_->setRowCount(int(all.size()));
    long long count = 0;
    for (int i = 0; i < excluded_->rowCount(); ++i) {
        const Exclusion& e = all[std::size_t(i)];
        fill(*excluded_, i, {grouped(double(e.count)), to_qt(say(e.obstacle)), to_qt(say_layout(e.example))});
        count += e.count;
    }
    lists_->setTabText(2, tr("Excluded (%1)").arg(grouped(double(count))));
}

}  // namespace plimsoll
