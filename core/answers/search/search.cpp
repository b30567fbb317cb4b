#include "core/answers/search/search.h"

namespace plimsoll {

SearchResult search(const Scenario& s, const Space& space, const SearchOptions& options, std::stop_token stop, const SearchProgress& progress) {
    return search_plainly(s, space, options, stop, progress);
}

}  // namespace plimsoll
