#include "core/files/launch/engine_launch.h"

#include "core/files/launch/process.h"
#include "core/files/launch/this_computer.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace plimsoll {

namespace {

void append(std::vector<std::string>& to, std::initializer_list<const char*> words) {
    to.insert(to.end(), words.begin(), words.end());
}

// Quiet, unbound and willing: ranks may outnumber cores, and then they must not
// spin while they wait, or the one that computes gets no core.
void open_mpi(ProcessStart& start, const EngineHost& host, int ranks) {
    append(start.arguments, {"--oversubscribe", "--bind-to", "none"});
    if (ranks > host.computer.cores) append(start.arguments, {"--mca", "mpi_yield_when_idle", "1"});
    if (!host.root) return;
    start.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT", "1");
    start.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
}

// Hydra takes more ranks than cores as it is; its ranks are bound only when asked.
void mpich(ProcessStart& start) { append(start.arguments, {"-bind-to", "none"}); }

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

Seconds longest_step(const EngineLog& log) {
    Seconds longest;
    for (const EngineStep& step : log.steps) longest = max(longest, step.wall);
    return longest;
}

StopLadder engine_patience(Seconds longest_step) {
    constexpr Seconds least = 5 * second, most = 600 * second, to_write = 1 * second, after_terminate = 2 * second;
    const Seconds clean = std::clamp(2.5 * longest_step, least, most) + to_write;
    const auto whole = [](Seconds s) { return std::chrono::milliseconds(std::llround(s / millisecond)); };
    return {whole(clean), whole(clean + after_terminate)};
}

ProcessStart engine_start(const EngineHost& host, int ranks, const std::vector<std::string>& options) {
    ProcessStart start;
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

// ---- Where the engine and mpirun are on this computer

namespace {

namespace fs = std::filesystem;

fs::path beside_this_program(const char* name) {
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path{} : own.parent_path() / name;
}

// Where the engine is, or will be once it is built.
fs::path place_of_engine() {
    const std::string named = environment("PLIMSOLL_ENGINE");
    return named.empty() ? beside_this_program("plimsoll-engine") : fs::path(named);
}

std::string say_build(const EngineBuild& build) {
    if (!build.failed) return "The engine is being built; Calibrate will be ready in a few minutes.";
    return "The engine could not be built, so nothing can be measured here. " +
           (build.log.empty() ? std::string("Build Plimsoll again.") : "The log of the build is " + build.log + ".");
}

// What `mpirun --version` prints, or why that cannot be known.
Expected<std::string, std::string> version_of(const std::string& mpirun, std::chrono::milliseconds limit) {
    std::string text;
    const auto gather = [&text](std::string_view line) { text.append(line).append("\n"); };
    const ProcessEnd end = run_process({mpirun, {"--version"}, {}}, {gather, gather}, {.limit = limit});
    if (!end.failure.empty()) return Unexpected{"mpirun cannot be started: " + end.failure};
    if (end.timed_out)
        return Unexpected{mpirun + " --version has not ended within " + std::to_string(limit.count()) +
                          " ms and was stopped. PLIMSOLL_MPIRUN can name another mpirun; a layout of one rank runs "
                          "without."};
    return text;
}

Expected<std::string, std::string> find_engine() {
    if (const std::string named = environment("PLIMSOLL_ENGINE"); !named.empty()) {
        if (executable(named)) return named;
        if (const auto build = engine_build()) return Unexpected{say_build(*build)};
        return Unexpected{"PLIMSOLL_ENGINE names " + named + ", which is no program that can be run"};
    }
    if (const fs::path beside = beside_this_program("plimsoll-engine"); executable(beside)) return beside.string();
    if (const fs::path found = program_in_path("plimsoll-engine"); !found.empty()) return found.string();
    if (const auto build = engine_build()) return Unexpected{say_build(*build)};
    return Unexpected{
        std::string("plimsoll-engine, the micro-trainer, is neither beside this program nor in PATH. It is built where "
                    "MPI is installed: "
                    "on Debian and Ubuntu 'apt install libopenmpi-dev openmpi-bin libopenblas-openmp-dev', then build "
                    "Plimsoll again. "
                    "PLIMSOLL_ENGINE can name one that lies elsewhere.")};
}

}  // namespace

std::optional<EngineBuild> engine_build() {
    const fs::path engine = place_of_engine();
    if (engine.empty() || executable(engine)) return std::nullopt;
    const auto marker = read_text(engine.string() + ".building");
    if (!marker) return std::nullopt;
    constexpr std::string_view failed = "failed";
    const std::string_view line = trimmed(*marker);
    if (!line.starts_with(failed)) return EngineBuild{};
    return EngineBuild{true, std::string(trimmed(line.substr(failed.size())))};
}

Expected<EngineHost, std::string> find_engine_host(bool needs_mpi, std::chrono::milliseconds limit) {
    const auto engine = find_engine();
    if (!engine) return Unexpected{engine.error()};
    EngineHost host;
    host.engine = *engine;
    host.root = geteuid() == 0;
    host.computer = this_computer();
    if (!needs_mpi) return host;
    host.mpirun = environment("PLIMSOLL_MPIRUN");
    if (host.mpirun.empty()) host.mpirun = program_in_path("mpirun").string();
    if (!executable(host.mpirun))
        return Unexpected{std::string(
            "several ranks need mpirun, which is not in PATH: on Debian and Ubuntu 'apt install openmpi-bin'. "
            "PLIMSOLL_MPIRUN can name one that lies elsewhere; a layout of one rank runs without.")};
    const auto version = version_of(host.mpirun, limit);
    if (!version) return Unexpected{version.error()};
    host.mpi = mpi_from(*version);
    return host;
}

}  // namespace plimsoll
