#pragma once
// Runs a program and hands over its lines as they come. Nothing is left behind:
// a signal to us ends it by the ladder (close stdin, SIGTERM after 0.5 s, SIGKILL
// 1.5 s later), and the kernel ends it when we are killed.
//
//   const ChildEnd end = run_child(start, [](std::string_view line) { ... }, [](std::string_view line) { ... });

#include "core/files/launch/engine_launch.h"

#include <functional>
#include <string>
#include <string_view>

namespace plimsoll {

struct ChildEnd {
    int code = 0;              // as shells count: 128 + the signal's number for one that a signal ended
    bool cancelled = false;    // by a signal to us
    std::string failure;       // why it could not be started; empty: it ran
};

using Lines = std::function<void(std::string_view)>;
ChildEnd run_child(const EngineStart&, const Lines& out, const Lines& err);

}  // namespace plimsoll
