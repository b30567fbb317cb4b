#include "views/window/plan_tabs.h"

#include "views/parts/text.h"

#include <QContextMenuEvent>
#include <QDir>
#include <QMenu>
#include <QMouseEvent>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr int widest_tab = 240, narrowest_tab = 130;   // pixels; the middle of longer names becomes dots
constexpr int few_tabs = 4;                             // that show their whole names

// How many letters all names begin with, to the end of a word and not to the end of any name.
qsizetype common_beginning(const QStringList& names) {
    if (names.size() <= few_tabs) return 0;
    qsizetype common = names.front().size();
    for (const QString& name : names) {
        common = std::min(common, name.size() - 1);
        while (common > 0 && name.first(common) != names.front().first(common)) --common;
    }
    return common > 0 ? names.front().lastIndexOf(u' ', common - 1) + 1 : 0;
}

QString tooltip_of(const Document& d, const QString& name, const QString& together) {
    QString text = name;
    if (!d.file().isEmpty()) text += u'\n' + QDir::toNativeSeparators(d.file());
    else if (!together.isEmpty() && !d.modified()) text += u'\n' + QObject::tr("In the workspace %1").arg(together);
    else text += u'\n' + QObject::tr("Without a file of its own");
    if (d.modified()) text += u'\n' + QObject::tr("Changes are not saved");
    return plain_text(text);
}

}  // namespace

PlanTabs::PlanTabs(Plans& plans, QWidget* parent) : QTabBar(parent), plans_(plans) {
    setObjectName(QStringLiteral("plan_tabs"));
    setAccessibleName(tr("Plans"));
    setDocumentMode(true);
    setDrawBase(false);
    setExpanding(false);
    setMovable(true);
    setTabsClosable(true);
    setElideMode(Qt::ElideMiddle);  // names of variants differ at their end
    setUsesScrollButtons(true);
    setFocusPolicy(Qt::TabFocus);
    list_->setObjectName(QStringLiteral("plans.list"));
    list_->setArrowType(Qt::DownArrow);
    list_->setAccessibleName(tr("All open plans"));
    list_->setToolTip(tr("All open plans"));
    list_->setPopupMode(QToolButton::InstantPopup);
    list_->setMenu(new QMenu(list_));
    connect(list_->menu(), &QMenu::aboutToShow, this, &PlanTabs::fill_list);
    connect(this, &QTabBar::currentChanged, this, [this](int i) { plans_.show(i); });
    connect(this, &QTabBar::tabMoved, this, [this](int from, int to) { plans_.move(from, to); });
    connect(this, &QTabBar::tabCloseRequested, this, &PlanTabs::close_asked);
    for (const auto follows : {&Plans::listed, &Plans::shown}) connect(&plans_, follows, this, &PlanTabs::refresh);
    connect(&plans_, &Plans::changed, this, &PlanTabs::refresh);
    connect(&plans_, &Plans::file_changed, this, &PlanTabs::refresh);
    refresh();
}

// Texts alone: whatever was moved or closed, tabs differ in nothing else. Only what is new is painted.
void PlanTabs::refresh() {
    const QSignalBlocker quiet(this);
    while (count() > plans_.count()) removeTab(count() - 1);
    while (count() < plans_.count()) addTab(QString());
    const QStringList names = plans_.names();
    const qsizetype common = common_beginning(names);
    for (int i = 0; i < count(); ++i) {
        const Document& d = plans_.at(i);
        QString text = names[i].sliced(common).replace(u'&', QStringLiteral("&&"));
        if (common > 0) text.prepend(QChar(0x2026));
        if (d.modified()) text += QStringLiteral(" *");
        if (text != tabText(i)) setTabText(i, text);
        const QString tip = tooltip_of(d, names[i], plans_.file_name());
        if (tip != tabToolTip(i)) setTabToolTip(i, tip);
    }
    if (currentIndex() != plans_.place()) setCurrentIndex(plans_.place());
}

QSize PlanTabs::tabSizeHint(int index) const {
    const QSize size = QTabBar::tabSizeHint(index);
    return {std::min(size.width(), widest_tab), size.height()};
}

QSize PlanTabs::minimumTabSizeHint(int index) const {
    const QSize size = tabSizeHint(index);
    return {std::min(size.width(), narrowest_tab), size.height()};
}

void PlanTabs::fill_list() {
    QMenu& menu = *list_->menu();
    menu.clear();
    const QStringList names = plans_.names();
    for (int i = 0; i < names.size(); ++i) {
        QAction* plan = menu.addAction(QString(names[i]).replace(u'&', QStringLiteral("&&")), this,
                                       [this, i] { plans_.show(i); });
        plan->setCheckable(true);
        plan->setChecked(i == plans_.place());
    }
}

void PlanTabs::mouseReleaseEvent(QMouseEvent* event) {
    const int place = tabAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton && place >= 0) emit close_asked(place);
    QTabBar::mouseReleaseEvent(event);
}

void PlanTabs::mouseDoubleClickEvent(QMouseEvent* event) {
    const int place = tabAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && place >= 0) emit rename_asked(place);
    else QTabBar::mouseDoubleClickEvent(event);
}

void PlanTabs::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
    const int place = by_key ? currentIndex() : tabAt(event->pos());
    if (place < 0) return;
    QMenu menu(this);
    menu.addAction(tr("&Duplicate"), this, [this, place] { emit duplicate_asked(place); });
    menu.addAction(tr("&Rename..."), this, [this, place] { emit rename_asked(place); });
    menu.addSeparator();
    menu.addAction(tr("&Close"), this, [this, place] { emit close_asked(place); });
    menu.addAction(tr("Close the &others"), this, [this, place] { emit close_others_asked(place); })
        ->setEnabled(count() > 1);
    menu.exec(by_key ? mapToGlobal(tabRect(place).bottomLeft()) : event->globalPos());
}

}  // namespace plimsoll
