#pragma once
// The automatic layout: while it is on, every edit is followed by a search and
// the best layout becomes part of the edit's undo step; curves over nodes get
// the best layout of each node count.
//
//   AutoLayout automatic(workspace);
//   automatic.set_on(true);
//
// It never argues: undo and redo are left alone, a layout chosen by hand turns
// it off, and a plan that was edited meanwhile is searched again. Whether it is
// on belongs to each plan and is saved with it. An edit of the node count needs
// no search once the best of each is known.

#include <QAction>

#include "core/answers/search/search.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"

namespace plimsoll {

class AutoLayout : public QObject {
    Q_OBJECT
public:
    explicit AutoLayout(Workspace& workspace, QObject* parent = nullptr);

    QAction* action() { return &action_; }      // checkable, for menu, status bar and page
    bool on() const { return action_.isChecked(); }
    void set_on(bool on) { action_.setChecked(on); }
    void set_objective(Objective);
    bool searching() const { return search_.busy(); }
    bool busy() const { return search_.busy() || envelope_.busy(); }

    // The smallest number of nodes with a layout that fits, and the best of these, as one undo step.
    void take_fewest_nodes();
    void stop_counting() { fewest_.forget(); }
    bool counting() const { return fewest_.busy(); }

signals:
    void switched(bool on);                               // by whomever, also as another plan comes to the front
    void status_message(const QString& text);             // for the status bar
    void busy_changed();

private:
    void turn(bool on);
    void turn_as_plan_says();
    void follow(const Scenario& before);
    bool take_known();
    void search(bool amending);
    void take(const Scenario& plan, const SearchResult&, Headroom, bool amending);
    void adopt(const Scenario& plan, const Layout&, bool amending);
    void search_node_counts();
    void forget_node_counts();
    SearchOptions options() const;

    Workspace& workspace_;
    QAction action_;
    Objective objective_ = Objective::time;
    LatestJob search_, envelope_, fewest_;
    // The best of each node count that was searched last, and for what; empty while a search is under way.
    std::shared_ptr<const Envelope> known_;
    std::optional<Scenario> drawn_;   // whose node counts were searched last
    Headroom asked_;                  // by that search
    bool taking_ = false;             // the edit under way is its own
    bool following_ = false;          // the plan in front is turned to
};

}  // namespace plimsoll
