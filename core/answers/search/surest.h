#pragma once
// The best layout that surely fits, and where none does the best that may: what the program chooses by itself.
//
//   const SearchResult r = search_surest(plan, space, {.limit = 1, .headroom = asked, .ranking_only = true});
//   if (!r.top.empty()) take(r.top.front());        // tight only where all that fit are
//
// A layout that surely fits leaves the headroom that is asked for besides. Where none does, the layouts are ranked
// once more by that headroom alone.

#include "core/answers/search/envelope.h"

namespace plimsoll {

SearchResult search_surest(const Scenario&, const Space&, const SearchOptions&, const std::stop_token& = {});

// The same at every node count.
std::vector<EnvelopePoint> envelope_surest(const Scenario&, const Space&, std::span<const int> nodes,
                                           const SearchOptions&, const std::stop_token& = {});

}  // namespace plimsoll
