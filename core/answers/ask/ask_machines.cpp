// The same run on other machines: on as many devices, nodes or FLOP/s, or on the fewest devices that hold it, and why a
// machine cannot have it.
#include "core/answers/ask/ask_parts.h"

#include "core/answers/campaign/money.h"
#include "core/answers/plan/rules.h"
#include "core/answers/search/envelope.h"
#include "core/answers/search/surest.h"
#include "core/answers/search/wording.h"
#include "core/values/basics/integers.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::asking {

namespace {

struct OnMachine {
    Scenario plan;
    Estimate estimate;
    Totals totals;
    int measured = -1;   // published runs of its software on its device; -1: not known
};

// Whole nodes that stand for the plan's by what is held equal.
int nodes_for(const Scenario& plan, const Machine& m, Basis basis) {
    if (basis == Basis::nodes) return nodes_used(plan);
    double devices = plan.layout.devices;
    const NumberFormat format = matrix_format(plan.recipe.precision);
    if (basis == Basis::peak && m.device.peak(format) > FlopRate{})
        devices *= plan.machine.device.peak(format) / m.device.peak(format);
    return std::max(1, int(std::ceil(devices / m.devices_per_node - 1e-9)));
}

// The next number of nodes, half as many more at most, whose devices some layout can use; 0: there is none.
int next_usable(const Scenario& s, int nodes) {
    for (const int each : envelope_nodes(s, 1'000'000))
        if (each > nodes && each <= 1.5 * nodes) return each;
    return 0;
}

// The first rule that stops every layout, or by how much the nearest one is too large.
std::string why_none(const Scenario& s, const AskOptions& o, std::stop_token stop) {
    SearchOptions options = one_best(o);
    options.ranking_only = false;
    const SearchResult r = search(s, common_space(s), options, stop);
    if (!r.near_misses.empty())
        return phrase("nothing fits: {1} {2}", say_layout(r.near_misses.front().layout),
                      say_miss(r.near_misses.front()));
    if (r.exclusions.empty()) return phrase("no layout of the common choices draws so little power");
    return say(r.exclusions.front().obstacle, with_layout(s, r.exclusions.front().example));
}

// Numbers of devices to try, one after the other: what is held equal and the next that some layout can use; without
// anything equal every share of a node, and ever more nodes.
Expected<std::vector<int>, std::string> counts_on(const Scenario& there, const Scenario& plan, Basis basis) {
    const Machine& m = there.machine;
    std::vector<int> counts;
    if (basis == Basis::fewest) {
        counts = divisors(m.devices_per_node);
        for (const int nodes : envelope_nodes(there))
            if (nodes > 1) counts.push_back(nodes * m.devices_per_node);
        return counts;
    }
    const int nodes = nodes_for(plan, m, basis);
    if (nodes > m.nodes)
        return Unexpected{phrase("it has {1}, and the plan needs {2}", numbered(m.nodes, "node", "nodes"), nodes)};
    counts.push_back(nodes * m.devices_per_node);
    if (const int more = next_usable(on_nodes(there, nodes), nodes)) counts.push_back(more * m.devices_per_node);
    return counts;
}

Expected<OnMachine, std::string> on_machine(const Scenario& plan, const Machine& m, const AskOptions& o,
                                            std::stop_token stop) {
    Scenario s = plan;
    s.machine = m;
    for (const Obstacle& each : check(s))
        if (each.reason == Reason::unsupported_precision) return Unexpected{say(each, s)};
    const auto counts = counts_on(s, plan, o.basis);
    if (!counts) return Unexpected{counts.error()};
    for (const int devices : *counts) {
        s.layout.devices = devices;
        // The fewest devices hold it rather than make it fast: a layout that surely fits goes before a faster one.
        const SearchResult r = o.basis == Basis::fewest ? search_surest(s, common_space(s), one_best(o), stop)
                                                        : search(s, common_space(s), one_best(o), stop);
        if (r.top.empty()) continue;
        Scenario best = with_layout(s, r.top.front().layout);
        Outcome e = estimate(best);
        if (!e) return Unexpected{say(e.error().front())};
        const Totals t = totals(best, headline(best, *e), o.counting);
        const int measured = o.measured ? o.measured(best) : -1;
        return OnMachine{std::move(best), *std::move(e), t, measured};
    }
    s.layout.devices = o.basis == Basis::fewest ? counts->back() : counts->front();
    return Unexpected{why_none(s, o, stop)};
}

// In the currency that was asked for where its rate is stated, else in its own.
Cost exchanged(Cost c, const AskOptions& o) {
    const auto rate = o.dollars_for.find(c.currency);
    if (rate == o.dollars_for.end()) return c;
    for (double* each : {&c.low, &c.high, &c.hour_low, &c.hour_high}) *each *= rate->second;
    c.currency = "USD";
    return c;
}

std::string price_of_node_hour(Cost c, const Machine& m) {
    const double hours = c.per == PerHour::node_hour ? 1 : m.devices_per_node;
    c.low = std::stod(significant(c.hour_low * hours, 3));
    c.high = std::stod(significant(c.hour_high * hours, 3));
    return say(c);
}

std::string say_measured(int runs) {
    if (runs < 0) return phrase("unknown");
    return runs == 0 ? phrase("none: extrapolated") : numbered(runs, "run", "runs");
}

constexpr int machine_columns = 13;

AskedRow row_of_machine(const OnMachine& m, const AskOptions& o, bool here) {
    const Machine& machine = m.plan.machine;
    auto cost = cost_of(m.plan, m.totals);
    if (cost) cost = exchanged(*cost, o);
    const auto carbon = carbon_of(m.plan, m.totals).operational_kg;
    const bool ends = m.totals.ends();
    const Headline h = headline(m.plan, m.estimate);
    return {{here ? phrase("{1}, the plan", machine.name) : machine.name, time_of(m.plan, m.estimate, o.counting),
             ends ? count_of(m.totals.node_hours) : "", cost ? price_of_node_hour(*cost, machine) : phrase("unknown"),
             cost ? say(*cost) : phrase("unknown"), ends ? say(m.totals.facility_energy) : "",
             carbon ? say_kg(*carbon) : phrase("unknown"), percent(h.mfu),
             say_measured(m.measured), say(m.estimate.worst().total()),
             count_of(h.tokens_per_second / (token / second)),
             phrase("{1} x {2}, {3}", count_of(m.estimate.devices), machine.device.name, say(machine.device.memory)),
             with_doubt(say_layout(m.plan.layout), fit_verdict(m.estimate))},
            here ? std::nullopt : std::optional(m.plan)};
}

AskedRow row_of_none(const Machine& m, const std::string& why) {
    AskedRow row{{m.name, phrase("cannot run it")}};
    row.cells.resize(machine_columns);
    row.cells.back() = why;
    return row;
}

std::string say_basis(const Scenario& plan, Basis basis) {
    if (basis == Basis::nodes) return numbered(nodes_used(plan), "node", "nodes");
    const std::string devices = numbered(plan.layout.devices, "device", "devices");
    return basis == Basis::devices ? phrase("{1} (or the next number that a layout can use)", devices)
                                   : phrase("the peak FLOP/s of {1} (or the next number of devices that a layout "
                                            "can use)",
                                            devices);
}

Bytes memory_of_devices(const OnMachine& m) { return double(m.estimate.devices) * m.plan.machine.device.memory; }

// Of those that surely hold it, where any does.
std::string say_least(const std::vector<OnMachine>& found) {
    const auto fits = [](const OnMachine& m) { return fit_verdict(m.estimate) == FitVerdict::fits; };
    const auto sure = std::ranges::find_if(found, fits);
    const OnMachine& least = sure == found.end() ? found.front() : *sure;
    const Device& d = least.plan.machine.device;
    return phrase("The least memory that holds it is {1} x {2} of {3} (a device: {4}), {5} tokens/s.",
                  count_of(least.estimate.devices), d.name, say(d.memory), memory_of(least.estimate),
                  count_of(headline(least.plan, least.estimate).tokens_per_second / (token / second)));
}

// Who ends first, and who does of those whose software somebody measured on their device.
std::string say_winner(const std::vector<OnMachine>& found, const std::string& on, const std::string& stack) {
    const auto measured = std::ranges::find_if(found, [](const OnMachine& m) { return m.measured != 0; });
    const std::string& first = found.front().plan.machine.name;
    if (measured == found.begin()) return phrase("On {1} the run ends first on {2}.", on, first);
    if (measured == found.end())
        return phrase("On {1} the run would end first on {2}: an extrapolation, since nobody published a run of {3} "
                      "on any of these machines.",
                      on, first, stack);
    return phrase("On {1} the run ends first on {2}, of the machines on which runs of {3} were published; {4} would "
                  "end before it by an extrapolation.",
                  on, measured->plan.machine.name, stack, first);
}

void note_prices(Asked& a, const std::vector<OnMachine>& found, const AskOptions& o) {
    std::set<std::string> currencies, stated;
    for (const OnMachine& m : found)
        if (const auto cost = cost_of(m.plan, m.totals))
            (o.dollars_for.contains(cost->currency) ? stated : currencies).insert(cost->currency);
    for (const std::string& each : stated)
        a.notes.push_back(phrase("{1} at {2} USD, a rate that you stated.", each, shortest(o.dollars_for.at(each))));
    if (!stated.empty()) currencies.insert("USD");
    if (currencies.size() > 1)
        a.notes.push_back(phrase("Prices stand in {1}: no rate of exchange is built in, and none was stated.",
                                 joined({currencies.begin(), currencies.end()})));
}

}  // namespace

Asked ask_machines(const Scenario& plan, const AskOptions& o, const std::map<std::string, Machine>& machines,
                   std::stop_token stop, const Progress& progress) {
    Asked a;
    a.headings = {phrase("Machine"), phrase("Time to train"), phrase("Node-hours"), phrase("Price of a node-hour"),
                  phrase("Cost"), phrase("Energy, facility"), phrase("Carbon, operational"), phrase("MFU"),
                  phrase("Published runs"), phrase("Memory"), phrase("Tokens/s"), phrase("Devices"),
                  phrase("Best layout")};
    a.numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    std::vector<OnMachine> found;
    std::vector<AskedRow> none;
    long long done = 0;
    for (const auto& [id, m] : machines) {
        if (stop.stop_requested()) return a;
        if (progress) progress(done++, (long long)machines.size());
        if (auto there = on_machine(plan, m, o, stop)) found.push_back(*std::move(there));
        else none.push_back(row_of_none(m, there.error()));
    }
    const bool fewest = o.basis == Basis::fewest;
    std::ranges::stable_sort(found, {}, [&](const OnMachine& m) {
        return std::pair(fewest ? memory_of_devices(m) : Bytes{}, m.totals.time);
    });
    if (const Outcome e = estimate(plan))
        a.rows.push_back(row_of_machine({plan, *e, totals(plan, headline(plan, *e), o.counting),
                                         o.measured ? o.measured(plan) : -1}, o, true));
    for (const OnMachine& m : found) a.rows.push_back(row_of_machine(m, o, false));
    std::ranges::move(none, std::back_inserter(a.rows));
    const std::string on = say_basis(plan, o.basis);
    if (fewest) a.says.push_back(found.empty() ? phrase("No machine has devices that hold it.") : say_least(found));
    else a.says.push_back(found.empty() ? phrase("No machine has a layout that fits on {1}.", on)
                                   : say_winner(found, on, plan.stack.name));
    if (!none.empty())
        a.says.push_back(phrase("{1} of {2} machines cannot run it; their rows say why.", none.size(),
                                machines.size()));
    if (fewest)
        a.notes.push_back(phrase("Each machine has the fewest of its devices on which a layout fits, those with the "
                                 "least memory in all first."));
    a.notes.push_back(phrase("Each machine has its best layout of the common choices; the software stays the plan's. "
                             "Published runs are those of this software on the device of the row: without one the "
                             "prediction rests on other devices alone."));
    note_prices(a, found, o);
    note_power(a, o);
    return a;
}

}  // namespace plimsoll::asking
