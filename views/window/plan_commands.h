#pragma once
// Commands on the plans that are open, for the Plan menu and the tabs, which close, copy, rename and move them; and the
// splits of devices that one press gives.

#include "core/answers/search/fit_first.h"
#include "views/document/workspace.h"
#include "views/window/plan_tabs.h"

#include <QObject>

#include <functional>

class QAction;
class QMenu;

namespace plimsoll {

class PlanCommands : public QObject {
    Q_OBJECT
public:
    // `may_discard` asks about unsaved changes of the plan in front; `window` is below the dialogs.
    PlanCommands(Workspace&, PlanTabs&, QWidget* window, std::function<bool()> may_discard);

    void add_tab_actions(QMenu&);
    void add_splits(QMenu&);

signals:
    void about_to_act();     // what is being typed belongs to the plan in front
    void compare_asked();
    void status_message(const QString& text);

private:
    void enable();
    void show_next_plan(int by);
    void duplicate_plan(int place);
    void rename_plan(int place);
    bool close_plan(int place);   // asks about unsaved changes
    void take_split(std::optional<PricedSplit> Splits::*split, const QString& name);

    Workspace& workspace_;
    QWidget* window_;
    std::function<bool()> may_discard_;
    std::vector<QAction*> for_several_;        // of no use to a single plan
    QAction* reopen_ = nullptr;
};

}  // namespace plimsoll
