#pragma once
// One tab for each plan that is open: its name, and a star while it has changes that are not saved. Dragged tabs change
// the order of the plans; the middle button asks to close one.

#include "views/document/plans.h"

#include <QTabBar>

namespace plimsoll {

class PlanTabs : public QTabBar {
    Q_OBJECT
public:
    explicit PlanTabs(Plans& plans, QWidget* parent = nullptr);

signals:
    void close_asked(int place);
    void close_others_asked(int place);
    void rename_asked(int place);
    void duplicate_asked(int place);

protected:
    QSize tabSizeHint(int index) const override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;

private:
    void refresh();

    Plans& plans_;
};

}  // namespace plimsoll
