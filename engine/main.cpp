// plimsoll-engine: trains a small GPT under any layout and says so in JSON lines.
//
// One walk through the program: here options become runs; train/run.cpp takes a run
// from memory to summary; train/trainer.cpp is one step; train/layer.cpp one layer.

#include "core/files/text/disk.h"
#include "core/values/basics/expected.h"
#include "engine/arguments/options_parse.h"
#include "engine/bench/bench.h"
#include "engine/calibrate/follow.h"
#include "engine/comm/ranks.h"
#include "engine/cuda/device_run.h"
#include "engine/kernels/blas.h"
#include "engine/kernels/loops.h"
#include "engine/power/node_power.h"
#include "engine/report/check.h"
#include "engine/report/stopping.h"
#include "engine/run/mutation.h"
#include "engine/train/run.h"

#include <iostream>
#include <thread>
#include <sstream>
#include <unistd.h>

namespace plimsoll::engine {
namespace {

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text.append(text.empty() ? "" : "; ").append(line);
    return text;
}

// Options of every run: the command line's own, or those plus each line of --runs.
Expected<std::vector<Options>, std::string> runs_of(const Options& o) {
    if (o.runs.empty()) return std::vector<Options>{o};
    const auto text = read_text(o.runs);
    if (!text) return Unexpected{"--runs " + o.runs + " cannot be read: " + text.error().front().message};
    std::istringstream in(*text);
    std::vector<Options> runs;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream words(line);
        std::vector<std::string> arguments(std::istream_iterator<std::string>(words), {});
        if (arguments.empty() || arguments.front().starts_with("#")) continue;
        const Parsed parsed = parse(arguments, o);
        if (!parsed.message.empty())
            return Unexpected{o.runs + ", line " + std::to_string(number) + ": " + parsed.message};
        runs.push_back(parsed.options);
    }
    return runs;
}

void settle(Options& o) {
    if (o.threads < 1) o.threads = o.layout.ranks() > 1 ? 1 : int(std::max(1u, std::thread::hardware_concurrency()));
    seed(o.mutate);
}

// A device that fails ends all ranks: the others may be waiting for it on theirs.
Outcome bench_or_train(const Options& o, const RunPlace& place) {
    try {
        return (o.bench.empty() ? train : bench)(o, place);
    } catch (const DeviceError& e) {
        return {end_all_ranks(e, place.log, place.ranks.rank()), false, {}};
    }
}

int run_all(std::vector<Options> runs, const MpiComm& world, const std::vector<int>& nodes, Log& log,
            Watchdog& watchdog, power::NodePower& power) {
    nlohmann::ordered_json summary;
    int status = done;
    for (Options& o : runs) {
        settle(o);
        const int ranks = o.layout.ranks();
        if (const auto found = problems(o, runs.size() > 1 ? std::max(1, std::min(ranks, world.size())) : world.size());
            !found.empty())
            return complete_log(log, {ExitCode::unsupported_layout, joined(found), 0}, world, {});
        const auto part = world.split(world.rank() < ranks ? 0 : -1, world.rank());
        Outcome outcome;
        if (part) outcome = bench_or_train(o, {*part, log, watchdog, nodes, &power});
        status = outcome.failure ? failed : outcome.stopped ? stopped : done;
        if (runs.size() > 1) status = wait_for_all(world, watchdog, status);
        if (outcome.failure) return complete_log(log, *outcome.failure, world, outcome.summary);
        if (runs.size() > 1) log.write("run", outcome.summary);
        summary = std::move(outcome.summary);
        if (status != done) break;
    }
    return complete_log(log, status, summary);
}

// One run of a calibration, which checks what it is asked for by itself: its failure is its own.
Outcome run_one(Options& o, const RunPlace& place) {
    settle(o);
    if (const auto found = problems(o, place.ranks.size()); !found.empty())
        return {Failure{ExitCode::unsupported_layout, joined(found), 0}, false, {}};
    return bench_or_train(o, place);
}

// Whether some rank's log cannot be written, and if so how this rank ends.
std::optional<int> refused(const MpiComm& world, const Log& log) {
    int mine = log.failure() ? int(log.failure()->code) : 0, worst = 0;
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, world.handle());
    if (worst == 0) return std::nullopt;
    if (mine) report(*log.failure(), log.run(), "");
    return worst;
}

HelloInputs inputs(const Options& o, const std::vector<std::string>& arguments, const MpiComm& world) {
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(mpi, &length);
    return {.arguments = arguments, .seed = o.train.seed, .ranks = world.size(), .vectors = vectors_in_use(),
            .blas = describe(product_library(o.precision == RealFormat::bf16)),
            .blas_threads = 1, .mpi = std::string(mpi, std::size_t(length))};
}

int predict(Options o, const MpiComm& world) {
    settle(o);
    if (world.rank() != 0) return 0;
    if (const auto found = problems(o, o.layout.ranks()); !found.empty()) {
        std::cerr << joined(found) << "\n";
        return int(ExitCode::unsupported_layout);
    }
    for (int rank = 0; rank < o.layout.ranks(); ++rank) {
        nlohmann::ordered_json line{{"rank", rank}};
        line["predicted_B"] = json_of(predict_memory(o, rank));
        std::cout << line.dump() << "\n";
    }
    return 0;
}

// One id for all ranks: their error lines carry it too.
std::string agreed_id(const Options& o, const MpiComm& world) {
    if (!o.run.empty()) return o.run;
    std::uint64_t id =
        std::uint64_t(std::chrono::system_clock::now().time_since_epoch().count()) ^ std::uint64_t(getpid()) << 48;
    MPI_Bcast(&id, 1, MPI_UINT64_T, 0, world.handle());
    return hex16(id);
}

// Said once, not by every task.
std::optional<int> refused_as_alone(const Options& o, const MpiComm& world) {
    const std::string why = alone_among_tasks(world.size(), [](const char* name) { return std::getenv(name); });
    if (why.empty()) return std::nullopt;
    bool first = true;
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char* number = std::getenv(name)) first = first && std::atoi(number) == 0;
    if (first) report({ExitCode::usage, why, 0}, o.run, o.out);
    return int(ExitCode::usage);
}

int run(const Options& o, const std::vector<std::string>& arguments, MpiComm& world) {
    if (const auto code = refused_as_alone(o, world)) return *code;
    Log log({.out = o.out, .run = agreed_id(o, world), .rank = world.rank(), .keep = !o.calibrate.empty()});
    if (const auto code = refused(world, log)) return *code;
    const Nodes nodes(world);
    Watchdog watchdog({.limit_s = o.watchdog, .beat = nodes.own(), .all = nodes.beats(), .log = &log,
                  .abort = [](int code) { MPI_Abort(MPI_COMM_WORLD, code); }}, world.rank());
    StopWatch watch({.rank = world.rank(), .with_parent = world.size() > 1, .stdin_ends = o.stdin_stops,
                     .cancel_file = o.cancel_file, .run = log.run(), .out = o.out});
    introduce(world, nodes, log, inputs(o, arguments, world));
    power::NodePower power(world, nodes, log);
    int code = 0;
    if (!o.calibrate.empty()) {
        code = follow(o, {world, log, watchdog, [&](Options& one, const MpiComm& part) {
                              return run_one(one, {part, log, watchdog, nodes.of_rank(), &power});
                          }});
    } else {
        auto runs = runs_of(o);
        code = runs ? run_all(std::move(*runs), world, nodes.of_rank(), log, watchdog, power)
                    : complete_log(log, {ExitCode::usage, runs.error(), 0}, world, {});
    }
    // Rank 0's, which knows of the log: mpirun passes on the first code it sees.
    MPI_Bcast(&code, 1, MPI_INT, 0, world.handle());
    watch.ended();
    return code;
}

}  // namespace
}  // namespace plimsoll::engine

int main(int argc, char** argv) {
    using namespace plimsoll::engine;
    const auto words = with_files({argv + 1, argv + argc});
    if (!words) {
        std::cerr << words.error() << "\n";
        return int(ExitCode::usage);
    }
    const std::vector<std::string>& arguments = *words;
    const Parsed parsed = parse(arguments, {});
    if (!parsed.message.empty()) {
        (parsed.failed ? std::cerr : std::cout) << parsed.message;
        return parsed.failed ? int(ExitCode::usage) : 0;
    }
    if (!parsed.options.check.empty()) return check_file(parsed.options.check, std::cout);
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int code;
    {
        MpiComm world(MPI_COMM_WORLD);
        code = parsed.options.predict ? predict(parsed.options, world) : run(parsed.options, arguments, world);
    }
    MPI_Finalize();
    return code;
}
