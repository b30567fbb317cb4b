#include "core/files/launch/engine_launch.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {

namespace {

void append(std::vector<std::string>& to, std::initializer_list<const char*> words) { to.insert(to.end(), words.begin(), words.end()); }

// Quiet, unbound and willing: ranks may outnumber cores, and then they must not
// spin while they wait, or the one that computes gets no core.
void open_mpi(EngineStart& start, const EngineHost& host, int ranks) {
    append(start.arguments, {"--oversubscribe", "--bind-to", "none"});
    if (ranks > host.computer.cores) append(start.arguments, {"--mca", "mpi_yield_when_idle", "1"});
    if (!host.root) return;
    start.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT", "1");
    start.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
}

// Hydra takes more ranks than cores as it is; its ranks are bound only when asked.
void mpich(EngineStart& start) { append(start.arguments, {"-bind-to", "none"}); }

// The value of one option in either spelling, 1 where it is not given or no number.
int degree(const std::vector<std::string>& options, std::string_view name) {
    int value = 1;
    const auto read = [&](std::string_view text) { std::from_chars(text.data(), text.data() + text.size(), value); };
    for (std::size_t i = 0; i < options.size(); ++i) {
        const std::string_view word = options[i];
        if (!word.starts_with(name)) continue;
        if (word.size() == name.size() && i + 1 < options.size()) read(options[i + 1]);
        else if (word.size() > name.size() && word[name.size()] == '=') read(word.substr(name.size() + 1));
    }
    return std::clamp(value, 1, 1 << 20);
}

}  // namespace

EngineStart engine_start(const EngineHost& host, int ranks, const std::vector<std::string>& options) {
    EngineStart start;
    start.program = host.engine;
    if (ranks > 1) {
        start.program = host.mpirun;
        if (host.mpi == Mpi::open_mpi) open_mpi(start, host, ranks);
        else mpich(start);
        start.arguments.insert(start.arguments.end(), {"-np", std::to_string(ranks), host.engine});
    }
    start.arguments.push_back("--stdin-stops");
    start.arguments.insert(start.arguments.end(), options.begin(), options.end());
    return start;
}

Mpi mpi_from(std::string_view version) {
    for (const std::string_view ours : {"Open MPI", "OpenRTE", "PRRTE", "Open-MPI"})
        if (version.find(ours) != version.npos) return Mpi::open_mpi;
    return Mpi::mpich;
}

int ranks_of(const std::vector<std::string>& options) {
    const long long product = 1LL * degree(options, "--dp") * degree(options, "--tp") * degree(options, "--pp");
    return int(std::min<long long>(product, 1 << 20));
}

std::string say_exit(int code) {
    switch (code) {
        case 0: return "";
        case 2: return "the engine was given options it cannot use";
        case 3: return "this model cannot be laid out so";
        case 4: return "the run needs more memory than there is";
        case 5: return "the loss is not finite";
        case 6: return "the device or its driver failed";
        case 70: return "no progress: the watchdog ended the run";
        case 74: return "its log could not be written";
        case 75: return "the run was cancelled";
        case 127: return "a library the engine needs is missing";
        default: break;
    }
    return code > 128 && code < 160 ? "ended by signal " + std::to_string(code - 128) : "";
}

}  // namespace plimsoll
