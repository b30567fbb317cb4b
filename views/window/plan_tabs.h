#pragma once
// One tab for each plan that is open: its name, and a star while it has changes that are not saved. Dragged tabs change
// the order of the plans; the middle button asks to close one. A tab never gets narrower than its name needs to be told
// apart: where many are open, the words that all names begin with are left out, and those beyond the edge are scrolled
// to or chosen from a list.

#include "views/document/plans.h"

#include <QTabBar>
#include <QToolButton>

namespace plimsoll {

class PlanTabs : public QTabBar {
    Q_OBJECT
public:
    explicit PlanTabs(Plans& plans, QWidget* parent = nullptr);
    QToolButton* list() const { return list_; }   // all plans by their whole names; whoever places it owns it

signals:
    void close_asked(int place);
    void close_others_asked(int place);
    void rename_asked(int place);
    void duplicate_asked(int place);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;

private:
    void refresh();
    void fill_list();

    Plans& plans_;
    QToolButton* list_ = new QToolButton;
};

}  // namespace plimsoll
