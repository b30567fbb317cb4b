#include "views/pages/explain_panel.h"

#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"
#include "views/evidence/evidence_view.h"
#include "views/inputs/knob_row.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll {

namespace {

QString name_of(Operator op) {
    switch (op) {
        case Operator::given:
            return {};
        case Operator::sum:
            return QObject::tr("sum of its terms");
        case Operator::difference:
            return QObject::tr("difference of its terms");
        case Operator::product:
            return QObject::tr("product of its terms");
        case Operator::quotient:
            return QObject::tr("quotient of its terms");
        case Operator::maximum:
            return QObject::tr("largest of its terms");
        case Operator::power_mean:
            return QObject::tr("power mean of its terms");
    }
    return {};
}

QString value_of(const Term& t) {
    if (t.unit == "B" && std::abs(t.value) >= 1e4) return to_qt(say(t.value * byte));
    const double size = std::abs(t.value);
    if (t.unit == "s" && size > 0 && size < 0.01) return to_qt(say(t.value * second));
    // The tree has room for short numbers only: 215B, not 215,000,000,000.
    const QString number = size == 0                 ? QStringLiteral("0")
                         : size >= 1e7 && size < 1e18 ? to_qt(say_count(t.value))
                         : size >= 1e4 && size < 1e7  ? grouped(t.value)
                                                      : QLocale::c().toString(t.value, 'g', 4);
    const QString text = t.unit.empty() ? number : number + QStringLiteral(" ") + worded(t.unit);
    // Nobody reads 5,640,000 seconds.
    return t.unit == "s" && t.value >= 7200 ? text + QStringLiteral(" = ") + to_qt(say(t.value * second)) : text;
}

QString origin_of(const Term& t) {
    if (t.op != Operator::given) return name_of(t.op);
    const bool says_itself = t.source.kind == SourceKind::user || say(t.source) == t.source.text;
    return says_itself ? worded_kept(t.source.text)
                       : QStringLiteral("%1: %2").arg(plimsoll::name_of(t.source.kind), to_qt(t.source.text));
}

// Items stay where they are as long as the number has the same terms, so that what is open stays open over an edit.
void fill(QTreeWidgetItem* item, const Term& t) {
    item->setText(0, worded(t.label));
    item->setText(1, value_of(t));
    item->setText(2, origin_of(t));
    for (const int column : {0, 1, 2}) item->setTextAlignment(column, (column == 1 ? Qt::AlignRight : Qt::AlignLeft)
                                                                          | Qt::AlignTop);
    item->setToolTip(0, plain_text(to_qt(t.formula.empty() ? t.label : t.formula)));
    item->setToolTip(2, plain_text(item->text(2)));
    item->setData(0, Qt::UserRole, to_qt(t.formula));
    const bool measured = t.op == Operator::given && t.source.kind == SourceKind::measured;
    item->setData(0, Qt::UserRole + 1, measured ? to_qt(t.source.text) : QString());
    while (item->childCount() > int(t.children.size())) delete item->takeChild(item->childCount() - 1);
    for (int i = 0; i < int(t.children.size()); ++i)
        fill(i < item->childCount() ? item->child(i) : new QTreeWidgetItem(item), t.children[std::size_t(i)]);
}

int depth_of(QModelIndex index) {
    int depth = 0;
    while ((index = index.parent()).isValid()) ++depth;
    return depth;
}

// Qt asks how high a wrapped text is without saying how far the branches of the tree have pushed it in.
class WrappedTerms : public QStyledItemDelegate {
public:
    explicit WrappedTerms(QTreeWidget* tree) : QStyledItemDelegate(tree), tree_(tree) {}
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        if (index.column() == 1) return size;
        const int margin = 2 * (tree_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, tree_) + 1);
        const int branches = index.column() == 0 ? (depth_of(index) + 1) * tree_->indentation() : 0;
        const int width = std::max(20, tree_->columnWidth(index.column()) - branches - margin);
        const QFontMetrics metrics(option.font);
        const QRect room(0, 0, width, 1 << 16);
        const int height = metrics.boundingRect(room, Qt::TextWordWrap, index.data().toString()).height() + 2;
        return {width, std::max(height, metrics.height() + 2)};
    }

private:
    QTreeWidget* tree_;
};

}  // namespace

ExplainPanel::ExplainPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      which_(new QComboBox),
      tree_(new QTreeWidget),
      path_(new QLabel),
      formula_(new QLabel) {
    which_->setAccessibleName(tr("Number to explain"));
    which_->setAccessibleDescription(which_->accessibleName());  // a list's own name is its value
    for (const std::string& id : explainable()) which_->addItem(to_qt(id), to_qt(id));
    build_tree();
    auto* copy = new QPushButton(tr("Copy as text"));
    auto* copy_latex = new QPushButton(tr("LaTeX"));
    copy_latex->setAccessibleName(tr("Copy as LaTeX"));
    copy_latex->setToolTip(copy_latex->accessibleName());
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_); });
    connect(copy_latex, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(latex_); });
    path_->setWordWrap(true);
    path_->setAccessibleName(tr("The way from the number to the term"));
    connect(path_, &QLabel::linkActivated, this, [this](const QString& above) {
        QTreeWidgetItem* item = tree_->currentItem();
        for (int i = above.toInt(); item && i > 0; --i) item = item->parent();
        if (item) tree_->setCurrentItem(item);
    });
    formula_->setWordWrap(true);
    formula_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(formula_, &QLabel::linkActivated, this, [this] { show_measurement(tree_->currentItem()); });

    auto* top = new QHBoxLayout;
    top->addWidget(which_, 1);
    top->addWidget(copy);
    top->addWidget(copy_latex);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 6, 6, 6);
    all->addLayout(top);
    all->addWidget(path_);
    all->addWidget(tree_, 1);
    all->addWidget(formula_);
    connect(which_, &QComboBox::currentIndexChanged, this, &ExplainPanel::refresh);
    connect(&workspace, &Workspace::changed, this, [this] {
        if (isVisible()) refresh();
        else behind_ = true;
    });
}

void ExplainPanel::build_tree() {
    tree_->setHeaderLabels({tr("Term"), tr("Value"), tr("Comes from")});
    tree_->setAccessibleName(tr("How the number comes about"));
    tree_->setAlternatingRowColors(true);
    tree_->setIndentation(9);
    tree_->setWordWrap(true);
    tree_->setTextElideMode(Qt::ElideNone);
    tree_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // its coming and going would wrap the terms anew
    auto* terms = new WrappedTerms(tree_);
    tree_->setItemDelegate(terms);
    QHeaderView* header = tree_->header();
    header->setStretchLastSection(false);
    header->moveSection(1, 0);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(2, QHeaderView::Stretch);
    connect(header, &QHeaderView::sectionResized, terms, [terms] { emit terms->sizeHintChanged({}); });
    connect(tree_, &QTreeWidget::currentItemChanged, this, &ExplainPanel::describe);
    connect(tree_, &QTreeWidget::itemActivated, this, &ExplainPanel::show_measurement);
}

void ExplainPanel::explain_id(const QString& id) {
    const int index = which_->findData(id);
    if (index >= 0) which_->setCurrentIndex(index);
    behind_ = true;
    if (isVisible()) refresh();
}

// Ids become the labels people see, once there is a plan that has them.
void ExplainPanel::name_choices() {
    if (named_ || workspace_.snapshot().stale()) return;
    named_ = true;
    for (int i = 0; i < which_->count(); ++i) {
        const std::string id = which_->itemData(i).toString().toStdString();
        const auto term = explain(workspace_.scenario(), id);
        if (!term || term->label.empty()) continue;
        const QString group = id.starts_with("step.")   ? tr("Step: ")
                            : id.starts_with("memory.") ? tr("Memory: ")
                                                        : QString();
        which_->setItemText(i, group + worded(term->label));
    }
}

std::vector<std::pair<QString, QString>> ExplainPanel::numbers() {
    name_choices();
    std::vector<std::pair<QString, QString>> all;
    for (int i = 0; i < which_->count(); ++i) all.emplace_back(which_->itemData(i).toString(), which_->itemText(i));
    return all;
}

// The selected term in full, and above the tree the terms it is part of: a click on one selects it.
void ExplainPanel::describe(QTreeWidgetItem* item) {
    if (!item) {
        path_->clear();
        return formula_->clear();
    }
    QStringList way;
    int above = 0;
    for (const QTreeWidgetItem* at = item->parent(); at; at = at->parent())
        way.prepend(QStringLiteral("<a href=\"%1\">%2</a>").arg(++above).arg(at->text(0).toHtmlEscaped()));
    way.append(item->text(0).toHtmlEscaped());
    path_->setText(way.join(QStringLiteral(" \u203a ")));
    QString text = QStringLiteral("<b>%1</b>: %2").arg(item->text(0).toHtmlEscaped(), item->text(1).toHtmlEscaped());
    for (const QString& line : {item->data(0, Qt::UserRole).toString(), item->text(2)})
        if (!line.isEmpty()) text += QStringLiteral("<br>") + line.toHtmlEscaped();
    if (!evidence_of_source(workspace_.scenario().machine, item->data(0, Qt::UserRole + 1).toString().toStdString())
             .empty())
        text += QStringLiteral("<br><a href=\"points\">%1</a>").arg(tr("Show the points it was measured by"));
    formula_->setText(text);
}

void ExplainPanel::show_measurement(QTreeWidgetItem* item) {
    if (item)
        show_evidence(this, evidence_of_source(workspace_.scenario().machine,
                                               item->data(0, Qt::UserRole + 1).toString().toStdString()));
}

// The origin needs room; where there is none it is below, for the selected term.
void ExplainPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    tree_->setColumnHidden(2, width() < 560);
}

void ExplainPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) refresh();
}

void ExplainPanel::refresh() {
    behind_ = false;
    name_choices();
    const QString id = which_->currentData().toString();
    const auto term = explain(workspace_.scenario(), id.toStdString());
    if (!term) {
        QStringList why;
        for (const Obstacle& o : term.error()) why.append(to_qt(say(o)));
        tree_->clear();
        text_ = latex_ = why.join(QLatin1Char('\n'));
        formula_->setText(text_.isEmpty() ? tr("Nothing to explain.") : text_);
        return;
    }
    const bool another = shown_ != id || tree_->topLevelItemCount() == 0;
    if (another) tree_->clear();
    auto* root = another ? new QTreeWidgetItem(tree_) : tree_->topLevelItem(0);
    fill(root, *term);
    shown_ = id;
    if (another) tree_->expandToDepth(1);
    if (another) tree_->setCurrentItem(root);
    else describe(tree_->currentItem());
    text_ = to_qt(to_text(*term));
    latex_ = to_qt(to_latex(*term));
}

}  // namespace plimsoll
