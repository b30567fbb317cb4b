#include "views/decide/compare_page.h"

#include "core/answers/compare/compare_figures.h"
#include "core/answers/compare/compare_sheet.h"
#include "core/values/knobs/wording.h"
#include "views/charts/part_marks.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/tables.h"
#include "views/parts/text.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace plimsoll {

namespace {

constexpr int columns = 2 + Plans::most_beside;  // what, the plan, those beside it
constexpr int against_role = Qt::UserRole;       // of a cell: its value against that of the first plan
constexpr int heading_lines = 3;

// A number, and below it its difference in the colour of what it means.
class SheetCell : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QStringList lines = index.data().toString().split(u'\n');
        if (lines.size() < 2) return QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem empty = option;
        initStyleOption(&empty, index);
        empty.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &empty, painter, option.widget);
        const bool selected = option.state & QStyle::State_Selected;
        const QPalette& p = option.palette;
        const QColor text = p.color(selected ? QPalette::HighlightedText : QPalette::Text);
        const QRect cell = option.rect.adjusted(3, 2, -4, -2);
        const QRect upper(cell.topLeft(), QSize(cell.width(), cell.height() / 2));
        painter->save();
        painter->setPen(text);
        painter->drawText(upper, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(lines[0], Qt::ElideRight, cell.width()));
        const Against against = Against(index.data(against_role).toInt());
        painter->setPen(selected                     ? text
                        : against == Against::better ? good_colour(p)
                        : against == Against::worse  ? alert_colour(p)
                                                     : faint_colour(p));
        painter->drawText(upper.translated(0, cell.height() - upper.height()), Qt::AlignRight | Qt::AlignVCenter,
                          lines[1]);
        painter->restore();
    }
};

// An edit changes some cells of many: only those are written.
void write_cell(QTableWidget& table, int row, int column, const QString& text, Against against = Against::same) {
    QTableWidgetItem* item = table.item(row, column);
    if (!item) {
        item = new QTableWidgetItem;
        item->setTextAlignment(Qt::AlignVCenter | (column > 0 ? Qt::AlignRight : Qt::AlignLeft));
        table.setItem(row, column, item);
    }
    if (item->text() == text && item->data(against_role) == int(against)) return;
    item->setText(text);
    item->setToolTip(plain_text(text));
    item->setData(against_role, int(against));
}

}  // namespace

ComparePage::ComparePage(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    tabs_ = new QTabWidget;
    build_sheet();
    build_charts();
    part_ = paragraph(tr("The part that is marked, in each plan"));
    part_->setMinimumHeight(2 * part_->fontMetrics().lineSpacing());  // the charts stay where they are
    part_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QBoxLayout* column = below({build_head(), {tabs_, 1}, part_}, page_margins);
    column->addStretch();
    setLayout(column);
    connect(tabs_, &QTabWidget::currentChanged, this, &ComparePage::show_charts);
    connect(&workspace_, &Workspace::changed, this, &ComparePage::follow);
    for (const auto change : {&Plans::listed, &Plans::shown, &Plans::choice_changed})
        connect(&plans_, change, this, &ComparePage::follow);
    connect(&plans_, &Plans::changed, this, [this](const Document* d) {
        if (d != &plans_.current()) follow();   // the plan in front arrives with its snapshot
    });
    refill();
}

QWidget* ComparePage::build_head() {
    QPushButton* keep = button(tr("&Keep a copy beside"), "compare.keep",
                               tr("A copy of the plan as it is now in a tab of its own, which later edits leave alone"),
                               this, &ComparePage::keep);
    QPushButton* add = button(tr("&Add a file..."), "compare.add", tr("A saved plan, in a tab of its own"), this,
                              &ComparePage::ask_add);
    choice_ = new TickedList(tr("Plans"));
    choice_->setObjectName(QStringLiteral("compare.choice"));
    choice_->setToolTip(tr("Which of the other tabs are compared with this plan: five at most"));
    connect(choice_, &TickedList::ticked, this, [this](const QString& id, bool on) {
        const int place = plans_.place_of_id(id);
        chosen_.insert(id);
        if (place >= 0) plans_.set_compared(place, on);
    });
    differences_ = new QCheckBox(tr("Only &differences"));
    differences_->setObjectName(QStringLiteral("compare.differences"));
    connect(differences_, &QCheckBox::toggled, this, &ComparePage::show_sheet);
    QPushButton* copy = button(tr("Copy as &Markdown"), "compare.copy", tr("The sheet as a table in Markdown; Ctrl+C"),
                               this, [this] { copy_markdown(cells_of(*sheet_)); });
    state_ = paragraph(tr("What is compared"));
    return piece(below({flow({keep, add, choice_, differences_, copy}), state_}, no_margins, 4));
}

// All plans share the width: nothing is out of sight.
void ComparePage::build_sheet() {
    sheet_ = new QTableWidget(0, columns);
    set_up_table(*sheet_, tr("Inputs that differ, and answers of the plans"));
    sheet_->setProperty(copies_markdown, true);
    sheet_->setItemDelegate(new SheetCell(sheet_));
    QHeaderView& header = *sheet_->horizontalHeader();
    header.setHighlightSections(false);
    header.setFixedHeight(heading_lines * header.fontMetrics().lineSpacing() + 6);
    header.setSectionResizeMode(QHeaderView::Stretch);
    header.setSectionResizeMode(0, QHeaderView::ResizeToContents);
    for (int c = 0; c < columns; ++c) {
        sheet_->setHorizontalHeaderItem(c, new QTableWidgetItem);
        sheet_->horizontalHeaderItem(c)->setData(Qt::TextAlignmentRole,
                                                 int(Qt::AlignVCenter | Qt::AlignRight) | int(Qt::TextWordWrap));
    }
    tabs_->addTab(sheet_, tr("Sheet"));
}

void ComparePage::build_charts() {
    for (const auto& [id, title] : {std::pair{"compare-time", tr("Time")}, {"compare-memory", tr("Memory")},
                                    {"compare-nodes", tr("Over nodes")}}) {
        charts_.push_back(new Chart(id));
        tabs_->addTab(charts_.back(), title);
    }
    for (Chart* chart : charts_) {
        chart->offer_parts();
        connect(chart, &Chart::part_marked, this, [this](const QString& part) { mark(part.toStdString()); });
    }
    picked_ = as_input(new QComboBox, "compare.picked");
    picked_->setAccessibleName(tr("Plan that is explained"));
    picked_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picked_->setMinimumContentsLength(24);
    connect(picked_, &QComboBox::currentIndexChanged, this, &ComparePage::show_reason);
    show_ = button(tr("&Go to it"), "compare.show", tr("Its tab comes to the front"), this,
                   [this] { plans_.show(plans_.place_of_id(picked_id())); });
    why_ = paragraph(tr("Why it takes longer or shorter"));
    waterfall_ = new ScatterChart;
    waterfall_->set_empty_text(tr("No other plan is picked."));
    connect(waterfall_, &ScatterChart::picked, this, [this](const QString& name) {
        if (const auto* part = part_of_picked(&WaterfallPart::label, name.toStdString())) mark(part->id);
    });
    tabs_->addTab(
        piece(below({flow({labelled(tr("&Why"), picked_), show_}), why_, {waterfall_, 1}}, page_margins)), tr("Why"));
}

void ComparePage::follow() {
    refill();
    seen_->due();
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
    chosen_.insert(id);
    plans_.set_compared(plans_.place_of_id(id), true);
    picked_->setCurrentIndex(picked_->findData(id));
    return problems;
}

void ComparePage::ask_add() {
    const QString path = QFileDialog::getOpenFileName(this, tr("A plan to compare with"), {},
                                                      tr("Plans (*.plimsoll *.json);;All files (*)"));
    if (path.isEmpty()) return;
    const Problems problems = add(path);
    if (has_errors(problems)) warn(this, tr("Compare"), problems);
}

// Until somebody ticks or unticks them, plans of the same model are compared.
void ComparePage::tick_alike() {
    const QSignalBlocker quiet(&plans_);
    for (int i = 0; i < plans_.count(); ++i)
        if (i != plans_.place() && !chosen_.contains(plans_.at(i).id()))
            plans_.set_compared(i, plans_.at(i).scenario().model.name == plans_.current().scenario().model.name);
}

void ComparePage::refill() {
    tick_alike();
    const QStringList names = plans_.names();
    std::vector<TickedList::Line> lines;
    for (int i = 0; i < plans_.count(); ++i)
        if (i != plans_.place()) lines.push_back({plans_.at(i).id(), names[i], plans_.compared(i)});
    choice_->offer(lines);
    choice_->setEnabled(!lines.empty());
    const QString before = picked_id();
    const QSignalBlocker quiet(picked_);
    picked_->clear();
    for (const int place : plans_.beside()) picked_->addItem(names[place], plans_.at(place).id());
    picked_->setCurrentIndex(std::max(picked_->findData(before), std::min(0, picked_->count() - 1)));
    for (QWidget* each : std::initializer_list<QWidget*>{picked_, show_}) each->setEnabled(picked_->count() > 0);
}

std::vector<Scenario> ComparePage::plans() const {
    std::vector<Scenario> all{workspace_.scenario()};
    for (const int place : plans_.beside()) all.push_back(plans_.at(place).scenario());
    return all;
}

// What stays in view is not hidden meanwhile: all of it would be laid out and painted anew with every edit.
void ComparePage::present() {
    compared_.reset();
    const auto show = [this](const QString& text) {
        tabs_->setVisible(compared_.has_value());
        part_->setVisible(compared_.has_value());
        state_->setText(text);
    };
    if (plans_.count() == 1)
        return show(tr("Keep a copy of the plan beside it, then edit it: both are compared here with every edit. Other "
                       "plans can be opened too, each in a tab of its own."));
    if (plans_.beside().empty())
        return show(tr("No other plan is ticked under Plans. Plans of the same model are ticked from the start."));
    const std::vector<Scenario> all = plans();
    auto compared = compare(all);
    if (!compared) {
        const int plan = compared.error().plan;
        QString text = tr("%1 cannot be computed.").arg(plan == 0 ? tr("This plan") : picked_->itemText(plan - 1));
        for (const Obstacle& o : compared.error().obstacles) text += u' ' + to_qt(say(o));
        return show(text);
    }
    compared_ = *std::move(compared);
    labels_ = names_by_difference(all, *compared_);
    const int others = plans_.count() - 1, shown = picked_->count();
    QString text = to_qt(about_signs()) + u' ' + tr("Failures, checkpoints and ends of jobs are counted.");
    if (shown != others) text += u' ' + tr("%1 of %2 other plans are compared.").arg(shown).arg(others);
    show(text);
    show_sheet();
    show_reason();
    show_charts();
}

// The one that somebody sees: lines over the nodes take long, and drawing what is hidden takes as long as what is not.
void ComparePage::show_charts() {
    const auto shown = std::ranges::find(charts_, tabs_->currentWidget(), [](Chart* c) -> QWidget* { return c; });
    if (compared_ && shown != charts_.end()) {
        const bool over_nodes = *shown == charts_.back();
        std::vector<Figure> figures = compare_figures(plans(), labels_, over_nodes);
        if (over_nodes && !figures.empty()) add_ranges(figures.back());
        (*shown)->present(snapshot_of(std::move(figures)));
    }
    say_part();
}

// Around each line, as far as the published runs are compared already.
void ComparePage::add_ranges(Figure& over_nodes) const {
    const auto record = workspace_.record();
    if (!record) return;
    const Speaking english(nullptr);   // as all of a figure, which its chart puts into words
    int number = 0;
    for (const Scenario& s : plans()) {
        const std::string name = labels_[std::size_t(number)], id = "plan-" + std::to_string(++number);
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

void ComparePage::show_sheet() {
    if (!compared_) return;
    for (int c = 1; c < columns; ++c) {
        const bool used = c <= int(labels_.size());
        sheet_->setColumnHidden(c, !used);
        if (!used) continue;
        const QString name = c == 1 ? tr("This plan: %1").arg(to_qt(labels_[0])) : to_qt(labels_[std::size_t(c - 1)]);
        QTableWidgetItem* head = sheet_->horizontalHeaderItem(c);
        if (head->text() != name) head->setText(name);
        head->setToolTip(plain_text(c == 1 ? plans_.names()[plans_.place()] : picked_->itemText(c - 2)));
    }
    int row = 0;
    for (const auto* rows : {&compared_->inputs, &compared_->answers})
        for (const ComparedRow& r : *rows) {
            if (differences_->isChecked() && !r.differs) continue;
            if (row == sheet_->rowCount()) sheet_->insertRow(row);
            write_cell(*sheet_, row, 0, worded(r.label));
            bool tall = false;
            for (std::size_t i = 0; i < r.values.size(); ++i) {
                const QString change = rows == &compared_->answers ? to_qt(say_change(r, i)) : QString();
                tall |= !change.isEmpty();
                write_cell(*sheet_, row, int(i) + 1,
                           change.isEmpty() ? to_qt(r.values[i]) : to_qt(r.values[i]) + u'\n' + change,
                           against_first(r, i));
            }
            const int height = (tall ? 2 : 1) * sheet_->fontMetrics().height() + 6;
            if (sheet_->rowHeight(row) != height) sheet_->setRowHeight(row, height);
            ++row;
        }
    sheet_->setRowCount(row);
}

// From this plan's time to that of the one picked, part by part.
void ComparePage::show_reason() {
    const Waterfall* w = picked_waterfall();
    const std::size_t place = std::size_t(picked_->currentIndex()) + 1;
    why_->setText(w ? tr("%1 against %2: %3.").arg(to_qt(labels_[place]), to_qt(labels_[0]), to_qt(w->why))
                    : QString());
    waterfall_->present(w ? waterfall_figure(*w, labels_[0], labels_[place]) : Figure{});
    mark_bar();
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
    say_part();
}

void ComparePage::say_part() {
    QString text;
    const auto* chart = qobject_cast<const Chart*>(tabs_->currentWidget());
    if (const Series* part = chart && chart->figure() ? find_part(*chart->figure(), marked_) : nullptr) {
        const QStringList values = part_values(*chart->figure(), marked_);
        QStringList each;
        for (int i = 0; i < std::min(int(labels_.size()), int(values.size())); ++i)
            each << tr("%1: %2").arg(to_qt(labels_[std::size_t(i)]), values[i]);
        text = tr("%1. %2").arg(worded(part->label), each.join(QStringLiteral("; ")));
    }
    part_->setText(text);
}

}  // namespace plimsoll
