#pragma once
// What a search found, for other programs: `plimsoll search --json` and `--csv`.

#include "core/answers/search/envelope.h"

#include <string>

namespace plimsoll {

// Layouts have the keys they have in scenario files, with step_seconds, energy_joules
// per step and memory_bytes of the fullest device. `seconds`: what the search took.
std::string search_json(const SearchResult&, Seconds seconds);
// The ranking, one layout a line.
std::string search_csv(const SearchResult&);
// The best layout at every node count, one a line; where none fits the layout's fields are empty.
std::string envelope_csv(std::span<const EnvelopePoint>);

}  // namespace plimsoll
