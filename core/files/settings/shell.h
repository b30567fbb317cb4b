#pragma once
// What a shell script would start: it is worked out by bash's rules, and nothing is executed. What cannot be known
// spreads: a variable of the site, the output of a program. A condition that hangs on such a thing is undecided, and
// the script is worked out once for each way that it can go.
//
//   ShellRuns r = run_shell({.script = "T=$((2 * 4))\nsrun train --t $T\n"});
//   r.runs[0].commands[0].words    // srun, train, --t, 8
//
// Bounded in steps, depth and text. Internal to core/files.

#include "core/files/settings/shell_runs.h"

namespace plimsoll::files {

ShellRuns run_shell(const ShellInput&);

}  // namespace plimsoll::files
