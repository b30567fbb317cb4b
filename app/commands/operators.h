#pragma once
// Measured operators on the command line: plimsoll validate --operators, plimsoll fit --operators.

#include <string>
#include <vector>

namespace plimsoll {

// `names`: ids of shipped tables or files; none: all that ship. The exit code.
int validate_operators(const std::vector<std::string>& names, bool json);
// `out`: a folder for the machine presets that change; empty: none is written.
int fit_operator_constants(const std::vector<std::string>& names, const std::string& out, bool json);

}  // namespace plimsoll
