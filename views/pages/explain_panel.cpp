#include "views/pages/explain_panel.h"

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
#include <QVBoxLayout>

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
    return QStringLiteral("%1: %2").arg(plimsoll::name_of(t.source.kind), to_qt(t.source.text));
}

void fill(QTreeWidgetItem* item, const Term& t) {
    item->setText(0, worded(t.label));
    item->setText(1, value_of(t));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setText(2, origin_of(t));
    item->setToolTip(0, plain_text(to_qt(t.formula.empty() ? t.label : t.formula)));
    item->setToolTip(2, plain_text(item->text(2)));
    item->setData(0, Qt::UserRole, to_qt(t.formula));
    if (t.op == Operator::given && t.source.kind == SourceKind::measured)
        item->setData(0, Qt::UserRole + 1, to_qt(t.source.text));
    for (const Term& child : t.children) fill(new QTreeWidgetItem(item), child);
}

}  // namespace

ExplainPanel::ExplainPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), which_(new QComboBox), tree_(new QTreeWidget), formula_(new QLabel) {
    which_->setAccessibleName(tr("Number to explain"));
    which_->setAccessibleDescription(which_->accessibleName());  // a list's own name is its value
    for (const std::string& id : explainable()) which_->addItem(to_qt(id), to_qt(id));
    auto* copy = new QPushButton(tr("Copy as text"));
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_); });
    tree_->setHeaderLabels({tr("Term"), tr("Value"), tr("Comes from")});
    tree_->setAccessibleName(tr("How the number comes about"));
    tree_->setAlternatingRowColors(true);
    tree_->setIndentation(13);
    tree_->setUniformRowHeights(true);
    tree_->header()->setStretchLastSection(true);
    formula_->setWordWrap(true);
    formula_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(formula_, &QLabel::linkActivated, this, [this] { show_measurement(tree_->currentItem()); });
    connect(tree_, &QTreeWidget::currentItemChanged, this, &ExplainPanel::describe);
    connect(tree_, &QTreeWidget::itemActivated, this, &ExplainPanel::show_measurement);

    auto* top = new QHBoxLayout;
    top->addWidget(which_, 1);
    top->addWidget(copy);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 6, 6, 6);
    all->addLayout(top);
    all->addWidget(tree_, 1);
    all->addWidget(formula_);
    connect(which_, &QComboBox::currentIndexChanged, this, &ExplainPanel::refresh);
    connect(&workspace, &Workspace::changed, this, [this] {
        if (isVisible()) refresh();
        else behind_ = true;
    });
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

// The selected term in full: a narrow tree cuts its columns.
void ExplainPanel::describe(QTreeWidgetItem* item) {
    if (!item) return formula_->clear();
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

void ExplainPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_columns();
}

// The source needs room; where there is none it is below, for the selected term.
void ExplainPanel::fit_columns() {
    tree_->setColumnHidden(2, width() < 560);
    tree_->resizeColumnToContents(1);
    const int rest = tree_->viewport()->width() - tree_->columnWidth(1);
    tree_->setColumnWidth(0, std::max(150, tree_->isColumnHidden(2) ? rest - 2 : rest * 6 / 10));
    tree_->header()->setStretchLastSection(!tree_->isColumnHidden(2));
}

void ExplainPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) refresh();
}

void ExplainPanel::refresh() {
    behind_ = false;
    name_choices();
    tree_->clear();
    formula_->clear();
    const auto term = explain(workspace_.scenario(), which_->currentData().toString().toStdString());
    if (!term) {
        QStringList why;
        for (const Obstacle& o : term.error()) why.append(to_qt(say(o)));
        text_ = why.join(QLatin1Char('\n'));
        formula_->setText(text_.isEmpty() ? tr("Nothing to explain.") : text_);
        return;
    }
    auto* root = new QTreeWidgetItem(tree_);
    fill(root, *term);
    tree_->expandToDepth(1);
    fit_columns();
    tree_->setCurrentItem(root);
    text_ = to_qt(to_text(*term));
}

}  // namespace plimsoll
