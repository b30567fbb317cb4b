#include "core/answers/search/winner.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"
#include "core/answers/campaign/headline.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace plimsoll {

std::vector<PartChange> changes(const Scenario& from, const Scenario& to) {
    const Outcome a = estimate(from), b = estimate(to);
    std::vector<PartChange> found;
    if (!a || !b) return found;
    for (const auto& part : step_parts)
        if (a->step.*part.value != b->step.*part.value)
            found.push_back({part.id, part.label, a->step.*part.value, b->step.*part.value});
    std::stable_sort(found.begin(), found.end(), [](const PartChange& x, const PartChange& y) {
        return std::abs((x.to - x.from) / second) > std::abs((y.to - y.from) / second);
    });
    return found;
}

std::optional<EnvelopePoint> fewest_nodes(std::span<const EnvelopePoint> points) {
    std::optional<EnvelopePoint> fewest;
    for (const EnvelopePoint& p : points)
        if (p.best && (!fewest || p.nodes < fewest->nodes)) fewest = p;
    return fewest;
}

std::optional<EnvelopePoint> fastest_within(const Scenario& s, std::span<const EnvelopePoint> points,
                                            double node_hours) {
    std::optional<EnvelopePoint> fastest;
    Seconds shortest;
    for (const EnvelopePoint& p : points) {
        if (!p.best) continue;
        const Scenario here = with_layout(s, p.best->layout);
        const Outcome e = estimate(here);
        if (!e) continue;
        const Headline h = headline(here, *e);
        if (h.node_hours > node_hours || (fastest && h.wall >= shortest)) continue;
        fastest = p;
        shortest = h.wall;
    }
    return fastest;
}

namespace {

void turn_network(Machine& m, double by) {
    for (Level& level : m.levels) {
        level.bandwidth = by * level.bandwidth;
        level.large_bandwidth = by * level.large_bandwidth;
    }
    for (Cluster& c : m.clusters) c.bandwidth = by * c.bandwidth;
}
void turn_memory(Machine& m, double by) { m.device.memory = by * m.device.memory; }
void turn_bandwidth(Machine& m, double by) { m.device.bandwidth = by * m.device.bandwidth; }
void turn_products(Machine& m, double by) {
    Efficiency& e = m.device.efficiency;
    for (double Efficiency::*ceiling : {&Efficiency::gemm_ceiling, &Efficiency::fp8_ceiling})
        e.*ceiling = std::min(1.0, by * e.*ceiling);
    for (ProductSurface& surface : e.fp8_scaled) surface.ceiling = std::min(1.0, by * surface.ceiling);
}

struct Property { const char* what; void (*turn)(Machine&, double); };
constexpr Property properties[] = {{"Network bandwidth", turn_network},
                                   {"Device memory", turn_memory},
                                   {"Memory bandwidth", turn_bandwidth},
                                   {"Efficiency of large products", turn_products}};

}  // namespace

Sensitivity sensitivity(const Scenario& scenario, const Space& space, const SearchOptions& options,
                        std::stop_token stop, const SearchProgress& progress) {
    const Scenario plan = without_sources(scenario);
    SearchOptions one = options;
    one.limit = 1;
    one.ranking_only = true;
    const auto best = [&](const Scenario& s) -> std::optional<Candidate> {
        const SearchResult r = search(s, space, one, stop);
        return r.top.empty() ? std::nullopt : std::optional(r.top.front());
    };
    Sensitivity found{best(plan), {}};
    for (const Property& p : properties)
        for (const double factor : {0.8, 1.25}) {
            if (stop.stop_requested()) return found;
            if (progress) progress((long long)found.turns.size(), 2 * (long long)std::size(properties));
            Scenario turned = plan;
            p.turn(turned.machine, factor);
            Turn t{p.what, factor, best(turned), {}};
            if (found.winner)
                if (const Outcome o = estimate(with_layout(turned, found.winner->layout))) {
                    if (runs(o)) t.present = o->step.total();
                    t.verdict = fit_verdict(*o);
                }
            found.turns.push_back(std::move(t));
        }
    return found;
}

namespace {

constexpr int most_named = 3;      // of each sign
constexpr double noticed = 0.005;  // of the former step

// "Pipeline bubble" inside a sentence; an abbreviation stays.
std::string inside(std::string_view label) {
    std::string text(label);
    const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    if (text.size() > 1 && lower(text[1]))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

// "pipeline bubble 1.24 s less, recompute 410 ms less"
std::string named(const std::vector<PartChange>& changes, bool less, Seconds smallest) {
    std::string text;
    int count = 0;
    for (const PartChange& c : changes) {
        const Seconds size = max(c.to - c.from, c.from - c.to);
        if ((c.to < c.from) != less || size < smallest || count++ >= most_named) continue;
        const std::string part = inside(phrase(c.label));
        text.append(text.empty() ? "" : ", ")
            .append(less ? phrase("{1} {2} less", part, say(size)) : phrase("{1} {2} more", part, say(size)));
    }
    return text;
}

}  // namespace

std::string say_changes(Seconds before, Seconds after, const std::vector<PartChange>& changes) {
    const double percent = 100 * std::abs(after / before - 1);
    const bool less = after < before;
    if (percent < 0.05) return phrase("As much time");
    std::string text = std::to_string(std::lround(percent));
    if (const long tenths = std::lround(10 * percent); tenths < 100)
        text = std::to_string(tenths / 10).append(".").append(std::to_string(tenths % 10));
    text = less ? phrase("{1} % less time", text) : phrase("{1} % more time", text);
    const std::string gains = named(changes, less, noticed * before), losses = named(changes, !less, noticed * before);
    if (!gains.empty()) text = phrase("{1}: {2}", text, gains);
    if (losses.empty()) return text;
    return gains.empty() ? phrase("{1}: although {2}", text, losses) : phrase("{1}; but {2}", text, losses);
}

}  // namespace plimsoll
