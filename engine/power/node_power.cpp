#include "engine/power/node_power.h"

#include <algorithm>
#include <limits>
#include <unistd.h>

namespace plimsoll::engine::power {

using Json = nlohmann::ordered_json;

namespace {

Json maybe(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json line_of(int node, const Present& p) {
    return {{"node", node},        {"source", p.source}, {"domain", p.domain},
            {"W", maybe(p.watts)}, {"J", p.joules},      {"counter_age_s", maybe(p.counter_age_s)}};
}

// Processors of this node that no rank may run on; nothing where ranks may run everywhere. Collective over the node.
std::optional<cpu_set_t> spare_processors(const MpiComm& node) {
    cpu_set_t mine, used, spare;
    for (cpu_set_t* set : {&mine, &used, &spare}) CPU_ZERO(set);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Allreduce(&mine, &used, int(sizeof mine), MPI_BYTE, MPI_BOR, node.handle());
    const long count = std::min<long>(sysconf(_SC_NPROCESSORS_ONLN), CPU_SETSIZE);
    for (int cpu = 0; cpu < count; ++cpu)
        if (!CPU_ISSET(cpu, &used)) CPU_SET(cpu, &spare);
    if (CPU_COUNT(&spare) == 0) return std::nullopt;
    return spare;
}

bool all_say(const MpiComm& ranks, bool yes) {
    int mine = yes, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, ranks.handle());
    return all;
}

}  // namespace

NodePower::NodePower(const MpiComm& world, const Nodes& nodes, Log& log, const Places& places)
    : node_(nodes.of_rank()[std::size_t(world.rank())]) {
    const auto node = world.split(node_, world.rank());
    const auto spare = spare_processors(*node);
    if (nodes.local_rank() == 0) {
        std::function<void(const std::vector<Present>&)> each_second;
        if (world.rank() == 0)
            each_second = [this, &log](const std::vector<Present>& all) {
                for (const Present& p : all) log.try_write("power", line_of(node_, p));
            };
        sampler_ = std::make_unique<Sampler>(open_sources(places),
                                             SamplerOptions{.processors = spare, .each_second = each_second});
    }
    available_ = all_say(world, !sampler_ || sampler_->available());
    for (const std::string& text : gathered(world, sampler_ ? one_line(energy_line()) : ""))
        log.write("energy", Json::parse(text));
}

Json NodePower::energy_line() const {
    Json sources = Json::array();
    for (const CounterSource& s : sampler_->sources()) {
        Json domains = Json::array();
        if (s.reader)
            for (const Domain& d : s.reader->domains())
                domains.push_back({{"name", d.name},
                                   {"scope", scope_names[int(d.scope)]},
                                   {"nested_in", d.nested_in.empty() ? Json(nullptr) : Json(d.nested_in)},
                                   {"limit_W", maybe(d.limit_W)},
                                   {"integrated", d.integrated}});
        // The widest thing that it counts.
        Json scope;
        if (s.reader) {
            const auto& all = s.reader->domains();
            scope = scope_names[int(std::max_element(all.begin(), all.end(), [](const Domain& a, const Domain& b) {
                                        return a.scope < b.scope;
                                    })->scope)];
        }
        sources.push_back({{"source", s.name},
                           {"available", s.reader != nullptr},
                           {"reason", s.reader ? Json(nullptr) : Json(s.reason)},
                           {"domains", domains},
                           {"scope", scope}});
    }
    return {{"node", node_}, {"available", sampler_->available()}, {"sources", sources}};
}

std::optional<Account> NodePower::own_account(double from_s, double to_s, Json& domains) {
    if (!sampler_) return std::nullopt;
    const auto shares = sampler_->energy(from_s, to_s);
    for (const Share& s : shares) {
        if (!s.joules) continue;
        domains.push_back({{"node", node_},
                           {"source", s.source},
                           {"domain", s.domain.name},
                           {"scope", scope_names[int(s.domain.scope)]},
                           {"W", *s.joules / (to_s - from_s)},
                           {"J", *s.joules},
                           {"limit_W", maybe(s.domain.limit_W)}});
    }
    return account_of(shares);
}

Used NodePower::used(const MpiComm& ranks, double from_s, double to_s) {
    Json mine = Json::array();
    const auto own = own_account(from_s, to_s, mine);
    double sums[] = {own && own->joules ? *own->joules : 0, own ? 1.0 : 0, own && !own->joules ? 1.0 : 0};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, ranks.handle());
    Json told{{"domains", mine}};
    if (own)
        told.update(
            {{"scope", own->scope}, {"sources", own->sources}, {"reason", own->reason}, {"remarks", own->remarks}});
    Used used{.window_s = to_s - from_s, .nodes = int(sums[1])};
    for (const std::string& text : gathered(ranks, own ? told.dump() : "")) {
        const Json node = Json::parse(text);
        used.domains.insert(used.domains.end(), node["domains"].begin(), node["domains"].end());
        for (const Json& remark : node["remarks"]) used.remarks.push_back(remark);
        if (used.reason.empty()) used.reason = node["reason"];
        if (used.scope.empty()) {
            used.scope = node["scope"];
            used.sources = node["sources"];
        }
        if (used.reason.empty() && node["scope"] != used.scope)
            used.reason =
                std::string("nodes count different things: ") + used.scope + " and " + node["scope"].get<std::string>();
    }
    if (used.reason.empty() && used.nodes == 0 && ranks.rank() == 0)
        used.reason = "no node of these ranks samples its counters";
    int good = used.reason.empty() && sums[2] == 0;   // rank 0 has compared the nodes
    MPI_Bcast(&good, 1, MPI_INT, 0, ranks.handle());
    MPI_Bcast(&used.window_s, 1, MPI_DOUBLE, 0, ranks.handle());
    if (good) used.joules = sums[0];
    return used;
}

void NodePower::write_other_nodes(const MpiComm& ranks, Log& log) {
    Json lines = Json::array();
    if (sampler_ && ranks.rank() != 0)
        for (const Present& p : sampler_->present()) lines.push_back(line_of(node_, p));
    for (const std::string& text : gathered(ranks, lines.empty() ? "" : lines.dump()))
        for (const Json& line : Json::parse(text)) log.write("power", line);
}

Sampler::Cost NodePower::cost(const MpiComm& ranks) const {
    const Sampler::Cost own = sampler_ ? sampler_->cost() : Sampler::Cost{0, 0, true};
    double most[] = {own.cpu_s, own.wall_s, own.pinned ? 0.0 : 1.0};
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, ranks.handle());
    return {most[0], most[1], most[2] == 0};
}

}  // namespace plimsoll::engine::power
