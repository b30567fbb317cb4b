#pragma once
// What a process of its own does and leaves: watchdogs, stop flags and logs end or mark the whole of theirs.
//
//   QCOMPARE(in_child([&] { ...; return 3; }), 3);   contents(out + ".rank1")

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace plimsoll::engine {

inline std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline pid_t start(const std::function<int()>& act) {
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == nullptr) _exit(99);
        _exit(act());
    }
    return child;
}

// As a shell would say it.
inline int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline int in_child(const std::function<int()>& act) { return status_of(start(act)); }

}  // namespace plimsoll::engine
