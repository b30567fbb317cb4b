#include "views/decide/compare_page.h"

#include "core/answers/compare/compare_figures.h"
#include "core/values/knobs/wording.h"
#include "views/charts/part_marks.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QMessageBox>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

constexpr int columns = 2 + Plans::most_beside;  // what, the plan, those beside it

TextTable* table_of_plans(const QString& name) {
    std::set<int> numbers;
    for (int c = 1; c < columns; ++c) numbers.insert(c);
    QStringList headings;
    for (int c = 0; c < columns; ++c) headings << QString();
    return new TextTable(name, headings, numbers);
}

QString days(Seconds s, bool with_sign) {
    return (with_sign && s > Seconds{} ? QStringLiteral("+") : QString()) + QString::number(s / day, 'f', 2);
}

constexpr int longest_label = 24;   // characters, below a bar and above a column

// An edit changes some cells of many, and measuring text takes longer than all else in a table: only those are written.
// Returns the columns that have changed.
std::set<int> write_cells(TextTable& table, const std::vector<QStringList>& cells) {
    std::set<int> changed;
    if (table.rowCount() != int(cells.size())) {
        table.show_rows(cells);
        for (int c = 0; c < table.columnCount(); ++c) changed.insert(c);
        return changed;
    }
    for (int r = 0; r < table.rowCount(); ++r)
        for (int c = 0; c < table.columnCount(); ++c) {
            const QString text = cells[std::size_t(r)].value(c);
            if (table.item(r, c)->text() == text) continue;
            table.item(r, c)->setText(text);
            table.item(r, c)->setToolTip(plain_text(text));
            changed.insert(c);
        }
    return changed;
}

// Variants of one plan begin alike: what they have in common says nothing.
QStringList short_names(QStringList names) {
    if (names.isEmpty()) return names;
    qsizetype alike = names.front().size();
    for (const QString& name : names) {
        qsizetype n = 0;
        while (n < std::min(alike, name.size()) && name[n] == names.front()[n]) ++n;
        alike = n;
    }
    while (alike > 0 && names.front()[alike - 1].isLetterOrNumber()) --alike;   // words stay whole
    constexpr qsizetype worth_it = 6;
    for (QString& name : names) {
        if (names.size() > 1 && alike >= worth_it && name.size() > alike) name = u'…' + name.mid(alike);
        if (name.size() > longest_label)
            name = name.left(longest_label / 2) + u'…' + name.right(longest_label / 2 - 1);
    }
    return names;
}

}  // namespace

ComparePage::ComparePage(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    content_ = new QSplitter(Qt::Horizontal);
    auto* sides = static_cast<QSplitter*>(content_);
    sides->addWidget(build_tables());
    sides->addWidget(build_charts());
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    sides->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(build_head());
    column->addWidget(content_, 1);
    part_ = paragraph(tr("The part that is marked, in each plan"));
    part_->setMinimumHeight(2 * part_->fontMetrics().lineSpacing());  // the charts stay where they are
    part_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(part_);
    column->addStretch();
    connect(&workspace_, &Workspace::changed, this, &ComparePage::follow);
    const auto others = [this] {
        refill();
        follow();
    };
    for (const auto change : {&Plans::listed, &Plans::shown, &Plans::choice_changed})
        connect(&plans_, change, this, others);
    connect(&plans_, &Plans::changed, this, [this, others](const Document* d) {
        if (d != &plans_.current()) others();   // the plan in front arrives with its snapshot
    });
    refill();
}

QWidget* ComparePage::build_head() {
    const auto button = [this](const QString& text, const char* name, const QString& tip, auto&& does) {
        auto* b = new QPushButton(text);
        b->setObjectName(QString::fromLatin1(name));
        b->setToolTip(tip);
        connect(b, &QPushButton::clicked, this, does);
        return b;
    };
    keep_ = button(tr("&Keep a copy beside"), "compare.keep",
                   tr("A copy of the plan as it is now in a tab of its own, which later edits leave alone"),
                   [this] { keep(); });
    add_ = button(tr("&Add a file..."), "compare.add", tr("A saved plan, in a tab of its own"), [this] { ask_add(); });
    choice_ = new QToolButton;
    choice_->setObjectName(QStringLiteral("compare.choice"));
    choice_->setText(tr("Plans") + QStringLiteral("  "));  // room for the arrow
    choice_->setToolTip(tr("Which of the other tabs are compared with this plan: five at most"));
    choice_->setPopupMode(QToolButton::InstantPopup);
    choice_->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(choice_);
    choice_->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &ComparePage::fill_choice);
    picked_ = new QComboBox;
    picked_->setObjectName(QStringLiteral("compare.picked"));
    picked_->setAccessibleName(tr("Plan that is explained"));
    picked_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picked_->setMinimumContentsLength(24);
    WheelGuard::install(picked_);
    connect(picked_, &QComboBox::currentIndexChanged, this, [this] {
        show_reason();
        if (chart_tabs_->currentWidget() == waterfall_) show_charts();
    });
    show_ = button(tr("&Go to it"), "compare.show", tr("Its tab comes to the front"),
                   [this] { plans_.show(plans_.place_of_id(picked_id())); });
    state_ = paragraph(tr("What is compared"));
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* line = new FlowLayout;
    for (QWidget* each : std::initializer_list<QWidget*>{keep_, add_, choice_, labelled(tr("&Why"), picked_), show_})
        line->addWidget(each);
    column->addLayout(line);
    column->addWidget(state_);
    return head;
}

QWidget* ComparePage::build_tables() {
    answers_ = table_of_plans(tr("Answers of the plans"));
    inputs_ = table_of_plans(tr("Inputs that differ"));
    reasons_ = new TextTable(tr("Where the time goes"), {tr("Part"), tr("Days")}, {1});
    reasons_->stretch(0);
    connect(reasons_, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row < 0 || row >= int(reason_ids_.size())) return;
        // To where the parts of the time are.
        if (chart_tabs_->currentWidget() != waterfall_) chart_tabs_->setCurrentIndex(0);
        mark(reason_ids_[std::size_t(row)]);
    });
    why_ = paragraph(tr("Why it takes longer or shorter"));
    auto* reasons = new QWidget;
    auto* column = new QVBoxLayout(reasons);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(why_);
    column->addWidget(reasons_, 1);
    auto* tabs = new QTabWidget;
    tabs->addTab(answers_, tr("Answers"));
    tabs->addTab(inputs_, tr("Inputs that differ"));
    tabs->addTab(reasons, tr("Why"));
    return tabs;
}

QWidget* ComparePage::build_charts() {
    chart_tabs_ = new QTabWidget;
    for (const auto& [id, title] : {std::pair{"compare-time", tr("Time")}, {"compare-memory", tr("Memory")},
                                    {"compare-nodes", tr("Over nodes")}}) {
        charts_.push_back(new Chart(id));
        chart_tabs_->addTab(charts_.back(), title);
    }
    waterfall_ = new ScatterChart;
    waterfall_->set_empty_text(tr("No other plan is picked."));
    connect(waterfall_, &ScatterChart::picked, this, [this](const QString& name) {
        if (const auto* part = part_of_picked(&WaterfallPart::label, name.toStdString())) mark(part->id);
    });
    chart_tabs_->addTab(waterfall_, tr("Why"));
    chart_tabs_->setMinimumSize(280, 360);  // a legend of nine parts leaves little of less
    connect(chart_tabs_, &QTabWidget::currentChanged, this, &ComparePage::show_charts);
    for (Chart* chart : charts_) {
        chart->offer_parts();
        connect(chart, &Chart::part_marked, this, [this](const QString& part) { mark(part.toStdString()); });
    }
    return chart_tabs_;
}

void ComparePage::set_theme(const ChartTheme& theme) {
    for (Chart* chart : charts_) chart->set_theme(theme);
    waterfall_->set_theme(theme);
}

void ComparePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present();
}

void ComparePage::follow() {
    if (isVisible()) present();
    else behind_ = true;
}

void ComparePage::keep() {
    Document& copy = plans_.add(plans_.copy_of(plans_.current()), Plans::Front::left);
    picked_->setCurrentIndex(picked_->findData(copy.id()));
}

Problems ComparePage::add(const QString& path) {
    if (plans_.place_of_file(path) >= 0) return {};
    auto plan = plans_.make();
    Problems problems = plan->open(path);
    if (has_errors(problems)) return problems;
    const QString id = plans_.add(std::move(plan), Plans::Front::left).id();
    picked_->setCurrentIndex(picked_->findData(id));
    return problems;
}

void ComparePage::ask_add() {
    const QString path = QFileDialog::getOpenFileName(this, tr("A plan to compare with"), {},
                                                      tr("Plans (*.plimsoll *.json);;All files (*)"));
    if (path.isEmpty()) return;
    const Problems problems = add(path);
    if (has_errors(problems))
        QMessageBox::warning(this, tr("Compare"), plain_text(to_qt(say(problems))));
}

void ComparePage::fill_choice() {
    QMenu* menu = choice_->menu();
    menu->clear();
    const QStringList names = plans_.names();
    for (int i = 0; i < plans_.count(); ++i) {
        if (i == plans_.place()) continue;
        QAction* action = menu->addAction(QString(names[i]).replace(u'&', QStringLiteral("&&")), this,
                                          [this, id = plans_.at(i).id()](bool on) {
                                              const int place = plans_.place_of_id(id);
                                              if (place >= 0) plans_.set_compared(place, on);
                                          });
        action->setCheckable(true);
        action->setChecked(plans_.compared(i));
    }
}

void ComparePage::refill() {
    const QString before = picked_id();
    const QSignalBlocker quiet(picked_);
    picked_->clear();
    const QStringList names = plans_.names();
    for (const int place : plans_.beside()) picked_->addItem(names[place], plans_.at(place).id());
    picked_->setCurrentIndex(std::max(picked_->findData(before), std::min(0, picked_->count() - 1)));
    const bool any = picked_->count() > 0;
    for (QWidget* each : std::initializer_list<QWidget*>{picked_, show_}) each->setEnabled(any);
    choice_->setEnabled(plans_.count() > 1);
}

std::vector<Scenario> ComparePage::plans() const {
    std::vector<Scenario> all{workspace_.scenario()};
    for (const int place : plans_.beside()) all.push_back(plans_.at(place).scenario());
    return all;
}

QStringList ComparePage::names() const {
    QStringList all{tr("This plan")};
    for (int i = 0; i < picked_->count(); ++i) all << picked_->itemText(i);
    return all;
}

QStringList ComparePage::labels() const {
    QStringList all = names();
    const QStringList others = short_names(all.mid(1));
    return all.mid(0, 1) + others;
}

// What stays in view is not hidden meanwhile: all of it would be laid out and painted anew with every edit.
void ComparePage::present() {
    behind_ = false;
    compared_.reset();
    const auto show = [this](const QString& text) {
        content_->setVisible(compared_.has_value());
        part_->setVisible(compared_.has_value());
        state_->setText(text);
    };
    if (plans_.count() == 1)
        return show(tr("Keep a copy of the plan beside it, then edit it: both are compared here with every edit. Other "
                       "plans can be opened too, each in a tab of its own."));
    if (plans_.beside().empty()) return show(tr("No other plan is chosen under Plans."));
    auto compared = compare(plans());
    if (!compared) {
        QString text = tr("%1 cannot be computed.").arg(names()[compared.error().plan]);
        for (const Obstacle& o : compared.error().obstacles) text += u' ' + to_qt(say(o));
        return show(text);
    }
    compared_ = *std::move(compared);
    const int others = plans_.count() - 1, shown = picked_->count();
    const QString counted = tr("Failures, checkpoints and ends of jobs are counted in all of them.");
    show(shown == others ? counted
                         : counted + u' ' + tr("%1 of %2 other plans are compared.").arg(shown).arg(others));
    show_rows(*answers_, compared_->answers);
    show_rows(*inputs_, compared_->inputs);
    show_charts();
    show_reason();
}

// The one that somebody sees: lines over the nodes take long, and drawing what is hidden takes as long as what is not.
void ComparePage::show_charts() {
    if (!compared_) return;
    std::vector<std::string> texts;
    for (const QString& label : labels()) texts.push_back(label.toStdString());
    const QWidget* shown = chart_tabs_->currentWidget();
    if (shown == waterfall_) {
        const Waterfall* w = picked_waterfall();
        const std::size_t place = std::size_t(picked_->currentIndex()) + 1;
        waterfall_->present(w ? waterfall_figure(*w, texts.front(), texts[place]) : Figure{});
        mark_bar();
    } else {
        std::vector<Figure> figures = compare_figures(plans(), texts, shown == charts_.back());
        if (shown == charts_.back() && !figures.empty()) add_ranges(figures.back());
        const Snapshot drawn = snapshot_of(std::move(figures));
        for (Chart* chart : charts_)
            if (chart == shown) chart->present(drawn);
    }
    say_part();
}

// Around each line, as far as the published runs are compared already.
void ComparePage::add_ranges(Figure& over_nodes) const {
    const auto record = workspace_.record();
    if (!record) return;
    const Speaking english(nullptr);   // as all of a figure, which its chart puts into words
    const QStringList names = labels();
    int number = 0;
    for (const Scenario& s : plans()) {
        const std::string name = names[number].toStdString(), id = "plan-" + std::to_string(++number);
        shade_line(over_nodes, id, anchored(s, record->evidence).band,
                   {id + "-range", "Likely range: " + name, Mark::band, {}, {}, {}});
    }
}

const Waterfall* ComparePage::picked_waterfall() const {
    const int place = picked_->currentIndex();
    const bool known = compared_ && place >= 0 && place < int(compared_->waterfalls.size());
    return known ? &compared_->waterfalls[std::size_t(place)] : nullptr;
}

// The part that has this label or id; null where none has.
const WaterfallPart* ComparePage::part_of_picked(std::string WaterfallPart::*field, const std::string& value) const {
    const Waterfall* w = picked_waterfall();
    if (!w) return nullptr;
    const auto at = std::ranges::find(w->parts, value, field);
    return at == w->parts.end() ? nullptr : &*at;
}

void ComparePage::show_rows(TextTable& table, const std::vector<ComparedRow>& rows) {
    const QStringList heads = labels(), whole = names();
    for (int c = 0; c < columns; ++c) {
        table.setColumnHidden(c, c > int(heads.size()));
        QTableWidgetItem* head = table.horizontalHeaderItem(c);
        const QString text = c == 0 ? QString() : heads.value(c - 1);
        if (head->text() == text) continue;
        head->setText(text);
        head->setToolTip(plain_text(whole.value(c - 1)));
        table.resizeColumnToContents(c);
    }
    std::vector<QStringList> cells;
    for (const ComparedRow& r : rows) {
        cells.emplace_back(worded(r.label));
        for (const std::string& value : r.values) cells.back() << to_qt(value);
        cells.back().resize(columns);
    }
    std::set<int> changed = write_cells(table, cells);
    // What differs stands out, by its weight.
    for (int r = 0; r < table.rowCount(); ++r)
        for (int c = 1; c <= int(heads.size()); ++c) {
            const bool bold = rows[std::size_t(r)].differs && &table == answers_;
            QFont font = table.item(r, c)->font();
            if (font.bold() == bold) continue;
            font.setBold(bold);
            table.item(r, c)->setFont(font);
            changed.insert(c);
        }
    for (const int c : changed) table.resizeColumnToContents(c);  // bold text is wider
}

// From this plan's time to that of the one picked, part by part.
void ComparePage::show_reason() {
    const Waterfall* found = picked_waterfall();
    if (!found) return;
    const Waterfall& w = *found;
    const QString name = picked_->currentText();
    why_->setText(tr("%1 against this plan: %2.").arg(name, to_qt(w.why)));
    std::vector<QStringList> cells{{tr("This plan"), days(w.from, false)}};
    reason_ids_ = {{}};
    for (const WaterfallPart& p : w.parts) {
        if (p.change == Seconds{}) continue;
        cells.push_back({QStringLiteral("    ") + worded(p.label), days(p.change, true)});
        reason_ids_.push_back(p.id);
    }
    cells.push_back({name, days(w.to, false)});
    reason_ids_.emplace_back();
    const QSignalBlocker quiet(reasons_);
    write_cells(*reasons_, cells);
    mark_reason();
}

// The row of the part that is marked; none where it is no part of the time or the same in both plans.
void ComparePage::mark_reason() {
    const QSignalBlocker quiet(reasons_);
    const auto at = std::ranges::find(reason_ids_, marked_);
    if (marked_.empty() || at == reason_ids_.end()) return reasons_->setCurrentIndex({});
    reasons_->selectRow(int(at - reason_ids_.begin()));
}

void ComparePage::mark_bar() {
    const auto* part = part_of_picked(&WaterfallPart::id, marked_);
    waterfall_->select(part ? to_qt(part->label) : QString());
}

void ComparePage::mark(const std::string& part) {
    if (part == marked_) return;
    marked_ = part;
    for (Chart* chart : charts_) chart->mark_part(part);
    mark_bar();
    mark_reason();
    say_part();
}

void ComparePage::say_part() {
    QString text;
    const auto* chart = qobject_cast<const Chart*>(chart_tabs_->currentWidget());
    if (const Series* part = chart && chart->figure() ? find_part(*chart->figure(), marked_) : nullptr) {
        const QStringList heads = labels(), values = part_values(*chart->figure(), marked_);
        QStringList each;
        for (int i = 0; i < std::min(heads.size(), values.size()); ++i)
            each << tr("%1: %2").arg(heads[i], values[i]);
        text = tr("%1. %2").arg(worded(part->label), each.join(QStringLiteral("; ")));
    }
    part_->setText(text);
}

}  // namespace plimsoll
