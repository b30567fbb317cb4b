#include "core/evidence/calibration/proof/energy_evidence.h"

#include "core/answers/campaign/headline.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/estimate.h"

#include <algorithm>

namespace plimsoll {

namespace {

std::vector<EnergySource> sources_of(const std::vector<EngineEnergy>& nodes) {
    std::vector<EnergySource> all;
    for (const EngineEnergy& node : nodes)
        for (const EngineEnergySource& s : node.sources) {
            const auto same = [&](const EnergySource& known) {
                return known.source == s.source && known.available == s.available && known.scope == s.scope
                    && known.reason == s.reason;
            };
            const auto at = std::find_if(all.begin(), all.end(), same);
            if (at == all.end()) all.push_back({s.source, s.scope, s.reason, s.available, 1});
            else ++at->nodes;
        }
    return all;
}

// Boards and modules on the first `nodes` nodes that tell of themselves.
long long boards_of(const std::vector<EngineEnergy>& all, int nodes) {
    long long boards = 0;
    for (const EngineEnergy& node : all)
        for (const EngineEnergySource& s : node.sources)
            if (node.node < nodes && s.available && (s.scope == "gpu" || s.scope == "module"))
                boards += (long long)s.domains.size();
    return boards;
}

// Devices whose joules counters of this scope add up: all of the layout's nodes, the boards there are, or, where
// nothing is counted, those of the layout itself.
double covered(const EngineEnergyUse* use, const std::vector<EngineEnergy>& nodes, const Machine& m, double own,
               double held) {
    if (!use || !use->available) return own;
    const auto has = [&](const char* word) { return use->scope.find(word) != use->scope.npos; };
    if (has("node") || m.host.link <= ByteRate{}) return held;   // processors that are the devices count as whole ones
    if (!has("gpu") && !has("module")) return own;
    return std::clamp(double(boards_of(nodes, use->nodes)), own, held);
}

// Of a layout whose estimate there is: the devices that are counted, those beside the layout's own at rest, and as much
// of the hosts as is theirs.
std::optional<LayoutEnergy> modelled(const Calibrated& c, const PlannedRun& run, const EngineEnergyUse* use,
                                     const std::vector<EngineEnergy>& nodes) {
    Scenario s = plan_with(c, run);
    s.machine.power = c.machine.power;   // of times alone, a prediction leaves it as it was
    const Outcome e = estimate(s);
    if (!e) return std::nullopt;
    const double own = s.layout.devices, unused = double(unused_devices(s)), held = own + unused;
    const double counted = covered(use, nodes, s.machine, own, held);
    LayoutEnergy layout{.id = run.id, .label = run.label, .devices = e->energy.devices};
    if (unused > 0) layout.devices += (counted - own) / unused * e->energy.unused;
    layout.hosts = counted / held * e->energy.hosts;
    return layout;
}

void measure(LayoutEnergy& layout, const EngineEnergyUse& use) {
    layout.scope = use.scope;
    layout.source = use.source;
    layout.reason = use.reason;
    if (!use.available || use.steps < 1) return;
    layout.measured = use.gross / use.steps;
    layout.steps = use.steps;
}

// The first layout stands for all where none was measured: one rank, whose figure is easiest to check.
std::string say_first(const EnergyEvidence& e) {
    if (e.layouts.empty()) return {};
    const LayoutEnergy& first = e.layouts.front();
    return std::string(" Modelled, not measured: ")
        .append(say(first.devices))
        .append(" of the devices and ")
        .append(say(first.hosts))
        .append(" of the hosts for a step of \"")
        .append(first.label)
        .append("\". ")
        .append(say_model(e));
}

std::string say_measured(const LayoutEnergy& l) {
    return std::string(" \"")
        .append(l.label)
        .append("\": ")
        .append(say(*l.measured))
        .append(" a step over ")
        .append(std::to_string(l.steps))
        .append(" steps (")
        .append(l.scope)
        .append(", by ")
        .append(l.source)
        .append("), modelled ")
        .append(say(l.modelled()))
        .append(l.covers_hosts() ? " of devices and hosts." : " of the devices.");
}

}  // namespace

int EnergyEvidence::measured() const {
    return int(
        std::count_if(layouts.begin(), layouts.end(), [](const LayoutEnergy& l) { return l.measured.has_value(); }));
}

EnergyEvidence energy_evidence(const ExperimentPlan& plan, const Calibrated& c, const std::vector<EngineEnergy>& nodes,
                               const std::map<std::string, EngineEnergyUse>& uses) {
    EnergyEvidence e;
    e.sources = sources_of(nodes);
    e.power_measured = std::any_of(c.constants.begin(), c.constants.end(),
                                   [](const MeasuredConstant& m) { return m.pointer.starts_with("/power/"); });
    for (const PlannedRun& run : plan.runs) {
        const bool again = !run.repeats.empty();   // at the end one runs as long as counters need: that is a number too
        if (run.role == Role::measure || (run.role == Role::extra) != again) continue;
        const auto use = uses.find(run.id);
        auto layout = modelled(c, run, use == uses.end() ? nullptr : &use->second, nodes);
        if (!layout) continue;
        if (use != uses.end()) {
            measure(*layout, use->second);
            for (const std::string& remark : use->second.remarks)
                if (std::find(e.remarks.begin(), e.remarks.end(), remark) == e.remarks.end())
                    e.remarks.push_back(remark);
        } else if (run.role == Role::extra) continue;
        e.layouts.push_back(std::move(*layout));
    }
    return e;
}

std::string headline(const EnergyEvidence& e) {
    if (const int n = e.measured())
        return std::string("Measured by the machine's own counters in ")
            .append(std::to_string(n))
            .append(" of ")
            .append(std::to_string(e.layouts.size()))
            .append(e.layouts.size() == 1 ? " layout." : " layouts.");
    if (e.sources.empty()) return "Unavailable: nothing is said of energy counters, so joules stay modelled.";
    if (std::none_of(e.sources.begin(), e.sources.end(), [](const EnergySource& s) { return s.available; }))
        return "Unavailable: no energy counter can be read on this machine, so joules stay modelled.";
    // There are counters, and yet no number: the runs say why.
    std::string text = "Unavailable: there are counters, but no layout has a number, so joules stay modelled.";
    for (const LayoutEnergy& l : e.layouts)
        if (!l.reason.empty()) return text.append(" \"").append(l.label).append("\": ").append(l.reason).append(".");
    return text;
}

std::string say_model(const EnergyEvidence& e) {
    return e.power_measured ? "Modelled joules follow from watts that the power bench measured, and from the preset's "
                              "where it told nothing."
                            : "Modelled joules follow from the preset's power figures, which nothing here measured.";
}

std::vector<std::string> say_sources(const EnergyEvidence& e) {
    const auto nodes_of = [&](const std::string& source) {
        int n = 0;
        for (const EnergySource& s : e.sources) n += s.source == source ? s.nodes : 0;
        return n;
    };
    std::vector<std::string> all;
    for (const EnergySource& s : e.sources) {
        std::string text = s.source;
        if (const int n = nodes_of(s.source); s.nodes < n)
            text.append(" on ")
                .append(std::to_string(s.nodes))
                .append(" of ")
                .append(std::to_string(n))
                .append(" nodes");
        if (s.available) text.append(": can be read").append(s.scope.empty() ? "" : ", of ").append(s.scope);
        else text.append(": ").append(s.reason.empty() ? "cannot be read" : s.reason);
        all.push_back(std::move(text));
    }
    return all;
}

std::string say(const EnergyEvidence& e) {
    std::string text = headline(e);
    const auto sources = say_sources(e);
    for (std::size_t i = 0; i < sources.size(); ++i) text.append(i ? "; " : " Sources: ").append(sources[i]);
    if (!sources.empty()) text.append(".");
    for (const LayoutEnergy& l : e.layouts)
        if (l.measured) text.append(say_measured(l));
    if (!e.measured()) text.append(say_first(e));
    for (const std::string& remark : e.remarks) text.append(" Doubtful: ").append(remark).append(".");
    return e.job.empty() ? text : text.append(" ").append(e.job);
}

}  // namespace plimsoll
