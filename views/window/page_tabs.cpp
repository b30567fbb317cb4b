#include "views/window/page_tabs.h"

#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

// As wide as its texts, shortened in a window that has no room for them: no arrow hides a tab.
QTabBar* row_of_tabs(const QString& name) {
    auto* tabs = new QTabBar;
    tabs->setAccessibleName(name);
    tabs->setDocumentMode(true);
    tabs->setDrawBase(true);
    tabs->setExpanding(false);
    tabs->setUsesScrollButtons(false);
    tabs->setElideMode(Qt::ElideRight);
    return tabs;
}

QScrollArea* with_scroll_bars(const WindowPage& page, QWidget* contents) {
    auto* area = new QScrollArea;   // what a low window has no room for
    area->setObjectName(QStringLiteral("page.") + page.id);
    area->setAccessibleName(page.title);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    contents->setObjectName(QStringLiteral("contents.") + page.id);
    area->setWidget(contents);
    return area;
}

}  // namespace

PageTabs::PageTabs(QWidget* parent)
    : QWidget(parent), groups_(row_of_tabs(tr("Groups of pages"))), row_(row_of_tabs(tr("Pages"))),
      stack_(new QStackedWidget) {
    groups_->setObjectName(QStringLiteral("page_groups"));
    row_->setObjectName(QStringLiteral("page_row"));
    set_bold(*groups_);
    for (const PageGroup group : page_groups) groups_->addTab(name_of(group));
    setLayout(below({groups_, row_, {stack_, 1}}, no_margins, 0));
    connect(groups_, &QTabBar::currentChanged, this, &PageTabs::fill_row);
    connect(row_, &QTabBar::currentChanged, this, &PageTabs::show_chosen);
}

void PageTabs::add(const WindowPage& page, QWidget* contents) {
    QScrollArea* area = with_scroll_bars(page, contents);
    QWidget* place = area;
    if (page.inside.isEmpty()) {
        stack_->addWidget(area);
    } else {
        QTabWidget* shared = shared_place(page.inside);
        shared->setTabToolTip(shared->addTab(area, page.title), plain_text(page.questions));
        place = shared;
    }
    held_.push_back({page, place, area});
    if (page.group == page_groups[groups_->currentIndex()]) fill_row();
}

// Tabs in the place of this page, which is the first of them.
QTabWidget* PageTabs::shared_place(const QString& id) {
    const auto host = std::ranges::find(held_, id, [](const Held& h) { return h.page.id; });
    if (auto* tabs = qobject_cast<QTabWidget*>(host->place)) return tabs;
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    const int at = stack_->indexOf(host->place);
    stack_->removeWidget(host->place);
    tabs->addTab(host->area, tr("Charts"));
    stack_->insertWidget(at, tabs);
    host->place = tabs;
    return tabs;
}

const PageTabs::Held* PageTabs::find(const QString& id) const {
    const auto at = std::ranges::find(held_, id, [](const Held& h) { return h.page.id; });
    return at == held_.end() ? nullptr : &*at;
}

void PageTabs::fill_row() {
    const PageGroup group = page_groups[groups_->currentIndex()];
    const QString front = last_[group];
    {
        const QSignalBlocker quiet(row_);
        while (row_->count() > 0) row_->removeTab(0);
        for (const Held& h : held_) {
            if (h.page.group != group || !h.page.inside.isEmpty()) continue;
            const int at = row_->addTab(h.page.title);
            row_->setTabData(at, h.page.id);
            row_->setTabToolTip(at, plain_text(h.page.questions));
            if (h.page.id == front) row_->setCurrentIndex(at);
        }
    }
    show_chosen();
}

void PageTabs::show_chosen() {
    const Held* chosen = find(row_->tabData(row_->currentIndex()).toString());
    if (!chosen) return;
    last_[chosen->page.group] = chosen->page.id;
    stack_->setCurrentWidget(chosen->place);
}

bool PageTabs::show_page(const QString& id) {
    const Held* wanted = find(id);
    if (!wanted) return false;
    const QString tab = wanted->page.inside.isEmpty() ? id : wanted->page.inside;
    last_[wanted->page.group] = tab;
    const int group = int(std::ranges::find(page_groups, wanted->page.group) - std::begin(page_groups));
    if (groups_->currentIndex() != group) groups_->setCurrentIndex(group);
    else fill_row();
    if (auto* shared = qobject_cast<QTabWidget*>(wanted->place)) shared->setCurrentWidget(wanted->area);
    return true;
}

QStringList PageTabs::ids() const {
    QStringList all;
    for (const Held& h : held_) all << h.page.id;
    return all;
}

const QWidget* PageTabs::current_page() const {
    const auto* shared = qobject_cast<const QTabWidget*>(stack_->currentWidget());
    return shared ? shared->currentWidget() : stack_->currentWidget();
}

QString PageTabs::current() const { return current_page()->objectName().section(u'.', 1); }

}  // namespace plimsoll
