#pragma once
// Profiles of allocation programmes: presets/programmes/*.json, and the user's own beside the user's other presets.
//
//   const auto p = load_programme("csc-roihu", library);
//   if (!p) say(p.error());      // file, pointer, what was expected
//
// Refused: a missing date, a unit that is no hour of anything, a machine that no preset describes, a unit of a machine
// that contradicts what its preset says the site charges, shares that are no shares.

#include "core/answers/propose/programme.h"
#include "core/files/presets/library.h"
#include "core/files/text/problem.h"

#include <string>
#include <string_view>

namespace plimsoll {

struct ProgrammeFile { Programme programme; Problems warnings; };

Expected<ProgrammeFile, Problems> read_programme(std::string_view json, const Library&, const std::string& file = {});
// By its id, or a file's name.
Expected<ProgrammeFile, Problems> load_programme(const std::string& name, const Library&);

}  // namespace plimsoll
