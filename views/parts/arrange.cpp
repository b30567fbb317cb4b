#include "views/parts/arrange.h"

#include "views/parts/text.h"

#include <QDialog>
#include <QMessageBox>

namespace plimsoll {

namespace {

QBoxLayout* boxed(QBoxLayout* box, Placings parts, const QMargins& margins, int spacing) {
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    for (const Placed& part : parts) {
        if (part.widget) box->addWidget(part.widget, part.share);
        else box->addLayout(part.layout, part.share);
    }
    return box;
}

}  // namespace

QBoxLayout* below(Placings parts, const QMargins& margins, int spacing) {
    return boxed(new QVBoxLayout, parts, margins, spacing);
}

QBoxLayout* beside(Placings parts, const QMargins& margins, int spacing) {
    return boxed(new QHBoxLayout, parts, margins, spacing);
}

FlowLayout* flow(std::initializer_list<QWidget*> parts) {
    auto* flow = new FlowLayout;
    for (QWidget* part : parts) flow->addWidget(part);
    return flow;
}

QWidget* piece(QLayout* parts) {
    auto* whole = new QWidget;
    whole->setLayout(parts);
    return whole;
}

QSplitter* split(Qt::Orientation side, Placings parts, const QList<int>& sizes) {
    auto* halves = new QSplitter(side);
    for (const Placed& part : parts) {
        halves->addWidget(part.widget ? part.widget : piece(part.layout));
        if (part.share > 0) halves->setStretchFactor(halves->count() - 1, part.share);
    }
    halves->setChildrenCollapsible(false);
    if (!sizes.isEmpty()) halves->setSizes(sizes);
    return halves;
}

QPushButton* button(const QString& text, const char* name, const QString& tip) {
    auto* made = new QPushButton(text);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    return made;
}

QDoubleSpinBox* number_box(double least, double most, int decimals, const QString& unit, const QString& none) {
    auto* box = new QDoubleSpinBox;
    box->setRange(least, most);
    box->setDecimals(decimals);
    box->setSuffix(unit);
    box->setSpecialValueText(none);
    return box;
}

void set_bold(QWidget& widget, double larger) {
    QFont font = widget.font();
    font.setBold(true);
    if (larger > 1) font.setPointSizeF(larger * font.pointSizeF());
    widget.setFont(font);
}

QDialogButtonBox* close_button(QDialog& dialog) {
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(close, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return close;
}

void warn(QWidget* over, const QString& title, const Problems& problems) {
    QMessageBox::warning(over, title, plain_text(to_qt(say(problems))));
}

void WhenSeen::due() {
    due_ = !page_.isVisible();
    if (!due_) work_();
}

bool WhenSeen::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Show && (std::exchange(due_, false) || shown_ == Shown::always)) work_();
    return false;
}

}  // namespace plimsoll
