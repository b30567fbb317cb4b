#pragma once
// The program: no subcommand opens the window, every other one works without a
// display. Exit codes: 0 ok, 2 usage, 3 the plan cannot run, 4 invalid file.

namespace plimsoll {

enum ExitCode { exit_ok = 0, exit_failure = 1, exit_usage = 2, exit_infeasible = 3, exit_invalid_file = 4 };

class Window;

// Without a window the commands that need one say so.
int run(int argc, char** argv, Window* = nullptr);

}  // namespace plimsoll
