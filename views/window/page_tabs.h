#pragma once
// The pages of the window behind two rows of tabs: groups, and below them the pages of the group in front. Both rows
// are always there, so that nothing below them moves; each group opens with the page that was in front of it last.
//
//   tabs->add(page, contents);
//   tabs->show("memory");        // its group comes to the front too

#include "views/window/pages.h"

#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>

#include <map>

namespace plimsoll {

class PageTabs : public QWidget {
    Q_OBJECT
public:
    explicit PageTabs(QWidget* parent = nullptr);

    void add(const WindowPage&, QWidget* contents);
    bool show_page(const QString& id);    // false where there is none of this name
    QStringList ids() const;
    QString current() const;              // the id of the page in front
    const QWidget* current_page() const;  // with its scroll bars
    QTabBar* groups() const { return groups_; }
    QTabBar* row() const { return row_; }

private:
    struct Held {
        WindowPage page;
        QWidget* place;          // in the stack: the page, or the tabs that it shares with others
        QScrollArea* area;
    };
    const Held* find(const QString& id) const;
    QTabWidget* shared_place(const QString& id);
    void fill_row();
    void show_chosen();

    QTabBar *groups_, *row_;
    QStackedWidget* stack_;
    std::vector<Held> held_;
    std::map<PageGroup, QString> last_;   // by group, the page that was in front of it
};

}  // namespace plimsoll
