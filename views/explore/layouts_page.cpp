#include "views/explore/layouts_page.h"

#include "core/answers/curves/figure_units.h"
#include "core/values/knobs/wording.h"
#include "core/answers/search/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <chrono>

namespace plimsoll {

namespace {

constexpr int ranked = 200;

}  // namespace

LayoutsPage::LayoutsPage(Workspace& workspace, AutoLayout& automatic, QWidget* parent)
    : QWidget(parent), workspace_(workspace), automatic_(automatic) {
    build();
    auto* seen = new WhenSeen(*this, [this] { follow_plan(); }, WhenSeen::Shown::always);
    connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
    show_selection();
}

bool LayoutsPage::outdated() const { return study_ && !answers(*study_, workspace_.scenario()); }

// Another headroom ranks the same layouts otherwise. The likely range moves with the layout and asks for no new search.
bool LayoutsPage::ranked_otherwise() const {
    const Preferences& p = workspace_.preferences();
    return study_ && (study_->options.headroom.share != p.headroom || study_->options.most_power != p.most_power);
}

void LayoutsPage::follow_plan() {
    const bool quick = space_->currentIndex() == 0;
    if (!study_ ? !search_.busy() : quick && (outdated() || (ranked_otherwise() && !search_.busy()))) search();
    show_plan();
}

void LayoutsPage::search() {
    const Scenario plan = workspace_.scenario();
    const Space space = space_->currentIndex() == 0 ? common_space(plan) : full_space();
    const Objective objective = objectives()[std::size_t(objective_->currentIndex())];
    SearchOptions options{.objective = objective,
                          .limit = ranked,
                          .headroom = workspace_.headroom(),
                          .most_power = workspace_.preferences().most_power};
    search_.start([this, plan, space, options, most = workspace_.search_threads()](
                      std::stop_token stop, const BackgroundSearch::Progress& note) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        options.threads = share.count();
        const auto began = std::chrono::steady_clock::now();
        const auto found = std::make_shared<const Study>(plimsoll::study(plan, space, options, stop, note));
        const Seconds took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() * second;
        return [this, found, took] { adopt(found, took); };
    });
}

void LayoutsPage::cancel() { search_.stop(); }

void LayoutsPage::adopt(std::shared_ptr<const Study> found, Seconds took) {
    const bool fitted = !study_ || !study_->rows.empty();
    study_ = std::move(found);
    found_ = summary_of(*study_, took);
    map_->present(study_);
    fill_misses();
    fill_exclusions();
    show_plan();
    if (study_->rows.empty()) lists_->setCurrentWidget(misses_);
    else if (!fitted && lists_->currentWidget() == misses_) lists_->setCurrentIndex(0);
}

void LayoutsPage::show_plan() {
    if (!study_) return;
    const Candidate* before = selected();
    const Scenario& plan = workspace_.scenario();
    const QString kept = before ? to_qt(say_layout(before->layout)) : QString();
    const bool old = outdated();
    summary_->setText(old && !search_.busy() ? tr("<b>The plan has changed since this search.</b> ") + found_ : found_);
    model_.set_study(study_, old ? std::nullopt : candidate_of(plan, study_->options.headroom),
                     old ? Layout{} : plan.layout);
    for (int c = 0; c < LayoutTable::columns; ++c) view_->setColumnHidden(c, model_.is_dull(c));
    scatter_->present(in_shown_units(layout_figure(*study_, old ? study_->plan : plan)));
    select(model_.row_of(kept) >= 0 ? kept
           : study_->rows.empty()   ? QString()
                                    : to_qt(say_layout(study_->rows.front().layout)));
    show_selection();
}

const Candidate* LayoutsPage::selected() const {
    const QModelIndex at = filter_.mapToSource(view_->currentIndex());
    return at.isValid() ? &model_.candidate(at.row()) : nullptr;
}

void LayoutsPage::select(const QString& layout) {
    const int row = model_.row_of(layout);
    if (row < 0) return;
    if (!filter_.mapFromSource(model_.index(row, 0)).isValid()) words_->clear();   // hidden by the filter
    view_->setCurrentIndex(filter_.mapFromSource(model_.index(row, 0)));
    view_->scrollTo(view_->currentIndex());
}

void LayoutsPage::show_selection() {
    const Candidate* c = study_ ? selected() : nullptr;
    const Scenario& plan = workspace_.scenario();
    const bool usable = c && !outdated();
    apply_->setEnabled(usable && !(c->layout == plan.layout));
    pin_->setEnabled(usable || pinned_);
    scatter_->select(c ? to_qt(say_layout(c->layout)) : QString());
    map_->mark(plan.layout, c ? &c->layout : nullptr);
    comparison_->clear();
    if (!usable) return;
    const bool pinned = pinned_ && pinned_->devices == plan.layout.devices;
    const QString versus = pinned ? tr("the pinned layout") : tr("the current plan");
    comparison_->setHtml(difference_html(without_sources(plan), c->layout, pinned ? *pinned_ : plan.layout, versus));
}

void LayoutsPage::pin(bool on) {
    const Candidate* c = selected();
    pinned_ = on && c ? std::optional(c->layout) : std::nullopt;
    show_selection();
    if (on) pictures_->setCurrentWidget(comparison_);
}

void LayoutsPage::apply() {
    if (const Candidate* c = selected()) propose(c->layout);
}

void LayoutsPage::propose(const Layout& layout) {
    if (outdated()) return;
    const QString name = to_qt(say_degrees(layout));
    workspace_.propose(with_layout(workspace_.scenario(), layout), tr("Layout %1").arg(name));
    emit applied(name);
}

// Widgets of the page and what they are connected to; its lists.

void LayoutsPage::build() {
    QSplitter* sides = split(Qt::Horizontal, {{build_lists(), 3}, {build_pictures(), 2}}, {600, 400});
    setLayout(below({build_head(), {sides, 1}}, {0, 6, 0, 0}));
}

QWidget* LayoutsPage::build_head() {
    objective_ = new QComboBox;
    for (const Objective o : objectives()) objective_->addItem(objective_label(o));
    objective_->setAccessibleName(tr("What the search minimizes"));
    objective_->setToolTip(tr("Cost and node-hours of the same devices follow from time"));
    space_ = new QComboBox;
    space_->addItems({tr("Common layouts"), tr("Every layout")});
    space_->setAccessibleName(tr("Which layouts are searched"));
    space_->setItemData(
        0, tr("Tensor ranks inside a node, even stages and chunks, micro-batch, recomputation, a sharded optimizer; "
              "expert ranks, context ranks and all that the plan uses besides"),
        Qt::ToolTipRole);
    space_->setItemData(1,
                        tr("Every axis the cost model knows: context and expert degrees, schedules, ZeRO stages, "
                           "uneven stages, tensor modes"),
                        Qt::ToolTipRole);
    search_.button()->setObjectName(QStringLiteral("search_layouts"));
    auto_ = new QCheckBox(tr("Automatic"));
    auto_->setToolTip(automatic_.action()->toolTip());
    auto_->setObjectName(QStringLiteral("auto_layout"));
    summary_ = new QLabel(tr("Every way to spread the plan over its devices, priced."));
    summary_->setWordWrap(true);
    summary_->setAccessibleName(tr("What the search found"));
    connect(search_.button(), &QPushButton::clicked, this, [this] { busy() ? cancel() : search(); });
    connect(&search_, &BackgroundSearch::busy_changed, this, &LayoutsPage::busy_changed);
    connect(&search_, &BackgroundSearch::failed, this,
            [this](const QString& why) { summary_->setText(why.toHtmlEscaped()); });
    connect(objective_, &QComboBox::activated, this, [this](int i) {
        automatic_.set_objective(objectives()[std::size_t(i)]);
        search();
    });
    connect(space_, &QComboBox::activated, this, [this] { search(); });
    connect(auto_, &QCheckBox::toggled, automatic_.action(), &QAction::setChecked);
    connect(automatic_.action(), &QAction::toggled, auto_, &QCheckBox::setChecked);

    QWidget* controls = piece(flow({labelled(tr("&Rank by"), objective_), labelled(tr("Search &in"), space_),
                                    search_.button(), auto_, search_.bar()}));
    return piece(below({controls, summary_}, {4, 0, 4, 0}, 4));
}

QWidget* LayoutsPage::build_ranking() {
    words_ = new QLineEdit;
    words_->setPlaceholderText(tr("Filter: e.g. TP8 ZeRO1 full, or Pareto-best"));
    words_->setAccessibleName(tr("Filter the layouts"));
    words_->setObjectName(QStringLiteral("filter_layouts"));
    words_->setClearButtonEnabled(true);
    connect(words_, &QLineEdit::textChanged, &filter_, &WordFilter::set_words);
    view_ = new QTableView;
    view_->setModel(&filter_);
    set_up_table(*view_, tr("Layouts, best first"));
    view_->setSortingEnabled(true);
    view_->sortByColumn(LayoutTable::rank, Qt::AscendingOrder);
    const int em = view_->fontMetrics().horizontalAdvance(u'0');
    const int widths[LayoutTable::columns] = {7, 8, 9, 13, 5, 5, 5, 5, 8, 5, 5, 5, 11, 6, 12, 8, 10, 40};
    for (int c = 0; c < LayoutTable::columns; ++c) view_->setColumnWidth(c, em * widths[c]);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LayoutsPage::show_selection);
    connect(view_, &QTableView::activated, this, &LayoutsPage::apply);   // Enter and double click
    apply_ = button(tr("Apply"), "apply_layout",
                    tr("Make this the plan's layout, as one step that can be undone (Enter)"), this,
                    &LayoutsPage::apply);
    pin_ = button(tr("Pin to compare"), "pin_layout",
                  tr("Compare other layouts with this one instead of the current plan"));
    pin_->setCheckable(true);
    connect(pin_, &QPushButton::toggled, this, &LayoutsPage::pin);

    QBoxLayout* foot = beside({apply_, pin_});
    foot->addStretch();
    return piece(below({words_, {view_, 1}, foot}, page_margins));
}

QWidget* LayoutsPage::build_lists() {
    misses_ = new TextTable(tr("Layouts that nearly fit"), {tr("Layout"), tr("What it lacks")});
    misses_->wrap({0, 1});
    connect(misses_, &QTableWidget::cellActivated, this,
            [this](int row) { propose(study_->found.near_misses[std::size_t(row)].layout); });
    excluded_ = new TextTable(tr("Rules that exclude layouts"), {tr("Layouts"), tr("Excluded, as"), tr("For example")});
    excluded_->wrap({1, 2});
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
    cell_ = new PlainLabel;
    cell_->setWordWrap(true);
    cell_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    cell_->setMinimumHeight(3 * cell_->fontMetrics().height());
    cell_->setAccessibleName(tr("The cell pointed at"));
    connect(map_, &SplitMap::explained, this, [this](const QString& what) {
        cell_->setText(what.isEmpty() ? tr("Point at a cell, or walk with the arrow keys, to read why.") : what);
    });
    comparison_ = new QTextBrowser;
    comparison_->setAccessibleName(tr("Why it is faster or slower"));
    comparison_->setPlaceholderText(tr("Select a layout to read why it beats the current plan, or does not."));
    pictures_ = new QTabWidget;
    pictures_->addTab(scatter_, tr("Time and memory"));
    pictures_->addTab(piece(below({{map_, 1}, cell_}, no_margins)), tr("Splits"));
    pictures_->addTab(comparison_, tr("Why"));
    pictures_->setMinimumWidth(260);
    return pictures_;
}

void LayoutsPage::fill_misses() {
    std::vector<QStringList> rows;
    for (const auto& miss : study_->found.near_misses)
        rows.push_back({to_qt(say_layout(miss.layout)), to_qt(say_miss(miss))});
    misses_->show_rows(rows);
    lists_->setTabText(1, tr("Nearly fit (%1)").arg(rows.size()));
}

void LayoutsPage::fill_exclusions() {
    std::vector<QStringList> rows;
    long long count = 0;
    for (const Exclusion& e : study_->found.exclusions) {
        rows.push_back({grouped(double(e.count)), to_qt(say(e.obstacle)), to_qt(say_layout(e.example))});
        count += e.count;
    }
    excluded_->show_rows(rows);
    lists_->setTabText(2, tr("Excluded (%1)").arg(grouped(double(count))));
}

}  // namespace plimsoll
