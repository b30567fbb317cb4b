#include "views/explore/auto_layout.h"

#include "core/answers/curves/sweep.h"
#include "core/answers/search/envelope.h"
#include "core/answers/search/ranking.h"
#include "core/answers/search/study.h"
#include "core/answers/search/wording.h"
#include "core/values/basics/text.h"
#include "views/parts/text.h"

namespace plimsoll {

namespace {

bool chosen_by_hand(const Scenario& before, const Scenario& after) {
    return after.layout.devices == before.layout.devices && with_layout(after, before.layout) == before;
}

}  // namespace

AutoLayout::AutoLayout(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
    action_.setText(tr("&Automatic layout"));
    action_.setIconText(tr("Auto layout: off"));
    action_.setToolTip(tr("Search the best layout after every edit, and draw the best of each node count"));
    action_.setStatusTip(action_.toolTip());
    action_.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    action_.setCheckable(true);
    action_.setObjectName(QStringLiteral("plan.auto"));
    connect(&action_, &QAction::toggled, this, &AutoLayout::switched);
    connect(&workspace_, &Workspace::edited, this, &AutoLayout::follow);
    connect(&workspace_, &Workspace::switched, this, [this] {  // what is under way answers another plan
        search_.forget();
        envelope_.forget();
        fewest_.forget();
        drawn_.reset();
    });
    for (LatestJob* job : {&search_, &envelope_, &fewest_}) {
        connect(job, &LatestJob::failed, this,
                [this](const QString& why) { emit status_message(tr("Automatic layout: %1").arg(why)); });
        connect(job, &LatestJob::busy_changed, this, &AutoLayout::busy_changed);
    }
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (action_.isChecked() && !search_.busy()) search_node_counts();
    });
}

void AutoLayout::set_objective(Objective objective) {
    if (objective == objective_) return;
    objective_ = objective;
    drawn_.reset();
    if (action_.isChecked()) search(false);
}

SearchOptions AutoLayout::options() const {
    return {.objective = objective_,
            .limit = 1,
            .headroom = workspace_.headroom(),
            .most_power = workspace_.preferences().most_power,
            .with_plan = true,
            .ranking_only = true};
}

void AutoLayout::switched(bool on) {
    action_.setIconText(on ? tr("Auto layout: on") : tr("Auto layout: off"));
    if (on) return search(false);
    search_.forget();
    envelope_.forget();
    drawn_.reset();
    workspace_.set_envelope(nullptr);
}

void AutoLayout::follow(const Scenario& before) {
    if (!action_.isChecked() || taking_) return;
    if (!chosen_by_hand(before, workspace_.scenario())) return search(true);
    action_.setChecked(false);
    emit status_message(tr("Automatic layout is off: this one was chosen by hand"));
}

void AutoLayout::search(bool amending) {
    envelope_.forget();
    drawn_.reset();
    const Scenario plan = workspace_.scenario();
    search_.start([this, plan, amending, options = options(), most = workspace_.search_threads()](
                      std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        options.threads = share.count();
        const auto found = std::make_shared<SearchResult>(plimsoll::search(plan, common_space(plan), options, stop));
        return [this, plan, amending, found] { take(plan, *found, amending); };
    });
}

// The plan is among those tried: what does no worse stays.
void AutoLayout::take(const Scenario& plan, const SearchResult& found, bool amending) {
    if (!(workspace_.scenario() == plan)) return search_node_counts();   // undone meanwhile
    const Outcome here = estimate(plan);
    if (found.top.empty()) {
        emit status_message(runs(here) ? tr("The search found no layout that fits; this one stays")
                             : tr("No layout of these devices fits; the nearest are on the Layouts page"));
        return search_node_counts();
    }
    const Candidate& best = found.top.front();
    if (runs(here) && value_of(*candidate_of(plan, workspace_.headroom()), objective_) <= value_of(best, objective_))
        return search_node_counts();
    adopt(plan, best.layout, amending);
}

namespace {

std::optional<Scenario> best_on(const Scenario& plan, int nodes, const SearchOptions& options, std::stop_token stop) {
    const Scenario there = on_nodes(plan, nodes);
    const SearchResult found = search(there, common_space(there), options, std::move(stop));
    if (found.top.empty()) return std::nullopt;
    return with_layout(there, found.top.front().layout);
}

// Some node counts first, then those between the last that is too few and the first that is not.
std::optional<Scenario> on_fewest_nodes(const Scenario& plan, const SearchOptions& options,
                                        const std::stop_token& stop) {
    constexpr int all = 4096;
    std::optional<Scenario> found;
    int too_few = 0, enough = 0;
    for (const int nodes : envelope_nodes(plan)) {
        found = best_on(plan, nodes, options, stop);
        if (found || stop.stop_requested()) {
            enough = nodes;
            break;
        }
        too_few = nodes;
    }
    for (const int nodes : envelope_nodes(plan, all)) {
        if (nodes <= too_few || nodes >= enough || stop.stop_requested()) continue;
        if (auto fewer = best_on(plan, nodes, options, stop)) return fewer;
    }
    return found;
}

}  // namespace

void AutoLayout::take_fewest_nodes() {
    const Scenario plan = workspace_.scenario();
    SearchOptions each = options();
    each.with_plan = false;
    fewest_.start([this, plan, each, most = workspace_.search_threads()](
                      std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        each.threads = share.count();
        const auto found = on_fewest_nodes(plan, each, stop);
        return [this, plan, found] {
            if (!(workspace_.scenario() == plan)) return;   // edited meanwhile
            if (!found) return emit status_message(tr("No layout fits, whatever the number of nodes"));
            const QString name = tr("Fewest nodes that fit");
            workspace_.propose(*found, name);
            emit status_message(tr("%1: %2, %3").arg(name, to_qt(counted(nodes_used(*found), "node", "nodes")),
                                                     to_qt(say_layout(found->layout))));
        };
    });
}

// Switched on it is a step of its own; afterwards it belongs to the edit it follows.
void AutoLayout::adopt(const Scenario& plan, const Layout& layout, bool amending) {
    const QString name = tr("Automatic layout");
    taking_ = true;
    if (amending) workspace_.document().amend(with_layout(plan, layout), name);
    else workspace_.propose(with_layout(plan, layout), name);
    taking_ = false;
    emit status_message(tr("Automatic layout: %1").arg(to_qt(say_layout(layout))));
}

void AutoLayout::search_node_counts() {
    const Scenario plan = workspace_.scenario();
    if (drawn_ == plan) return;
    drawn_ = plan;
    envelope_.start([this, plan, options = options(), most = workspace_.search_threads()](
                        std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        options.threads = share.count();
        std::vector<int> nodes;
        for (const double count : node_counts(plan)) nodes.push_back(int(count));
        auto best =
            std::make_shared<const Envelope>(Envelope{plan, envelope(plan, common_space(plan), nodes, options, stop)});
        return [this, best] { workspace_.set_envelope(best); };
    });
}

}  // namespace plimsoll
