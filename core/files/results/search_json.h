#pragma once
// What a search found, for other programs: `plimsoll search --json` and `--csv`.

#include "core/answers/search/search.h"

#include <string>

namespace plimsoll {

// Layouts have the keys they have in scenario files, with step_seconds, energy_joules
// per step and memory_bytes of the fullest device. `seconds`: what the search took.
std::string search_json(const SearchResult&, Seconds seconds);
// The ranking, one layout a line.
std::string search_csv(const SearchResult&);

}  // namespace plimsoll
