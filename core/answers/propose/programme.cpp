#include "core/answers/propose/programme.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace plimsoll {

namespace {

constexpr std::string_view states[] = {"complete", "partial", "skeleton"};
constexpr std::string_view losses[] = {"unused", "shortfall", "period", "unstated"};

}  // namespace

std::string_view name_of_loss(Loses l) { return losses[static_cast<std::size_t>(l)]; }

Completeness Programme::completeness() const {
    const auto found = std::find(std::begin(states), std::end(states), state);
    return found == std::end(states) ? Completeness::skeleton : static_cast<Completeness>(found - std::begin(states));
}

std::optional<double> units_per_node_hour(const Programme& p, const Machine& m) {
    if (const auto listed = p.unit.per_node_hour.find(m.id); listed != p.unit.per_node_hour.end())
        return listed->second;
    const auto of = hour_named(p.unit.hour_of);
    if (!of) return std::nullopt;
    const auto hours = hours_per_node_hour(m, *of, p.cores_per_node);
    return hours ? std::optional(p.unit.factor * *hours) : std::nullopt;
}

double charged_node_hours(const Programme& p, int nodes, double hours) {
    return nodes * std::max(hours, p.unit.shortest_job_h);
}

bool offers(const Programme& p, const Machine& m) {
    if (p.machines.empty() && p.other_machines.empty()) return true;
    return std::find(p.machines.begin(), p.machines.end(), m.id) != p.machines.end();
}

std::string say_date(const Programme& p) { return p.name + ", profile of " + p.as_of; }

std::string say_worth(const Programme& p) {
    const std::string made = "Made by Plimsoll's profile of " + p.name + " as of " + p.as_of + ", which is " + p.state;
    const std::string check = " Check it against the current call.";
    switch (p.completeness()) {
    case Completeness::complete: return made + ": all that the tables need was read." + check;
    case Completeness::partial: return made + ": some of what the programme asks for was not found." + check;
    case Completeness::skeleton: break;
    }
    return made + ": hardly anything of what the programme asks for was found." + check;
}

std::string say(const UseCheckpoint& c) {
    const std::string when = "after " + counted(std::llround(c.month), "month", "months") + ", used below "
                           + percent(c.used_below, 0);
    switch (c.of) {
    case Loses::unused: return when + ": loses up to " + percent(c.share, 0) + " of the unused balance";
    case Loses::shortfall: return when + ": loses what is lacking to " + percent(c.used_below, 0);
    case Loses::period: return when + ": loses what the period has left";
    case Loses::unstated: break;
    }
    return when + ": is cut, by an amount that is not stated";
}

}  // namespace plimsoll
