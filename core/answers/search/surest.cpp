#include "core/answers/search/surest.h"

#include <algorithm>

namespace plimsoll {

namespace {

SearchOptions asked_surely(const Scenario& s, SearchOptions options) {
    options.headroom = surely(s, options.headroom);
    return options;
}

bool none_surely(const std::optional<Candidate>& best) { return best && best->tight; }

}  // namespace

SearchResult search_surest(const Scenario& s, const Space& space, const SearchOptions& options,
                           const std::stop_token& stop) {
    SearchResult sure = search(s, space, asked_surely(s, options), stop);
    if (sure.top.empty() || !sure.top.front().tight) return sure;
    return search(s, space, options, stop);
}

std::vector<EnvelopePoint> envelope_surest(const Scenario& s, const Space& space, std::span<const int> nodes,
                                           const SearchOptions& options, const std::stop_token& stop) {
    std::vector<EnvelopePoint> points = envelope(s, space, nodes, asked_surely(s, options), stop);
    std::vector<int> left;
    for (const EnvelopePoint& p : points)
        if (none_surely(p.best)) left.push_back(p.nodes);
    if (left.empty()) return points;
    for (const EnvelopePoint& p : envelope(s, space, left, options, stop))
        *std::ranges::find(points, p.nodes, &EnvelopePoint::nodes) = p;
    return points;
}

}  // namespace plimsoll
