#include "views/explore/auto_layout.h"

#include "core/answers/curves/sweep.h"
#include "core/answers/search/surest.h"
#include "core/answers/search/ranking.h"
#include "core/answers/curves/study.h"
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
    connect(&action_, &QAction::toggled, this, &AutoLayout::turn);
    connect(&workspace_, &Workspace::edited, this, &AutoLayout::follow);
    connect(&workspace_, &Workspace::switched, this, [this] {  // what is under way answers another plan
        search_.forget();
        fewest_.forget();
        forget_node_counts();
    });
    connect(&workspace_, &Workspace::file_changed, this, &AutoLayout::turn_as_plan_says);
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
    forget_node_counts();
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

void AutoLayout::turn(bool on) {
    action_.setIconText(on ? tr("Auto layout: on") : tr("Auto layout: off"));
    if (!following_) workspace_.document().set_automatic_layout(on);
    emit switched(on);
    if (on && !following_) return search(false);
    search_.forget();
    forget_node_counts();
    if (!on) workspace_.set_envelope(nullptr);
}

// Nothing is searched before an edit: the plan has the layout it was saved with.
void AutoLayout::turn_as_plan_says() {
    following_ = true;
    set_on(workspace_.document().automatic_layout());
    following_ = false;
}

void AutoLayout::forget_node_counts() {
    envelope_.forget();
    known_.reset();
    drawn_.reset();
}

void AutoLayout::follow(const Scenario& before) {
    if (!action_.isChecked() || taking_) return;
    if (!chosen_by_hand(before, workspace_.scenario())) {
        if (!take_known()) search(true);
        return;
    }
    set_on(false);
    emit status_message(tr("Automatic layout is off: this one was chosen by hand"));
}

// Another number of nodes: what is best there was found when the curves were drawn.
bool AutoLayout::take_known() {
    const Scenario& plan = workspace_.scenario();
    if (!known_ || !share_envelope(known_->plan, plan)) return false;
    const auto here = std::ranges::find(known_->best, nodes_used(plan), &EnvelopePoint::nodes);
    if (here == known_->best.end() || plan.layout.devices != here->nodes * plan.machine.devices_per_node) return false;
    if (here->best && workspace_.headroom(with_layout(plan, here->best->layout)) != asked_) return false;
    search_.forget();
    SearchResult found;
    if (here->best) found.top.push_back(*here->best);
    take(plan, found, asked_, true);
    return true;
}

void AutoLayout::search(bool amending) {
    forget_node_counts();
    const Scenario plan = workspace_.scenario();
    search_.start([this, plan, amending, options = options(), most = workspace_.search_threads()](
                      std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        options.threads = share.count();
        const auto found = std::make_shared<SearchResult>(search_surest(plan, common_space(plan), options, stop));
        return [this, plan, amending, found, kept = options.headroom] { take(plan, *found, kept, amending); };
    });
}

// The plan is among those tried: what does no worse stays.
void AutoLayout::take(const Scenario& plan, const SearchResult& found, Headroom headroom, bool amending) {
    if (!(workspace_.scenario() == plan)) return search_node_counts();   // undone meanwhile
    if (found.top.empty()) {
        emit status_message(runs(estimate(plan))
                                ? tr("The search found no layout that fits; this one stays")
                                : tr("No layout of these devices fits; the nearest are on the Layouts page"));
        return search_node_counts();
    }
    const Candidate& best = found.top.front();
    const auto rank = [this](const Candidate& c) {
        return std::tuple(c.stalls, c.tight, c.verdict() != FitVerdict::fits, value_of(c, objective_));
    };
    const auto own = candidate_of(plan, headroom);
    if (own && rank(*own) <= rank(best)) return search_node_counts();
    adopt(plan, best.layout, amending);
}

namespace {

std::optional<Scenario> best_on(const Scenario& plan, int nodes, const SearchOptions& options,
                                const std::stop_token& stop) {
    const Scenario there = on_nodes(plan, nodes);
    const SearchResult found = search_surest(there, common_space(there), options, stop);
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
    const Scenario& plan = workspace_.scenario();
    const SearchOptions options = this->options();
    if (drawn_ && asked_ == options.headroom && share_envelope(*drawn_, plan)) return;
    known_.reset();
    drawn_ = plan;
    asked_ = options.headroom;
    envelope_.start([this, plan, options = options, most = workspace_.search_threads()](
                        std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        options.threads = share.count();
        std::vector<int> nodes;
        for (const double count : node_counts(plan)) nodes.push_back(int(count));
        auto best = std::make_shared<const Envelope>(
            Envelope{plan, envelope_surest(plan, common_space(plan), nodes, options, stop)});
        return [this, best] {
            known_ = best;
            workspace_.set_envelope(best);
        };
    });
}

}  // namespace plimsoll
