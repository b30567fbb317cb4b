// plimsoll-engine: trains a small GPT under any layout and says so in JSON lines.
//
// One walk through the program: here options become runs; train/run.cpp takes a run
// from memory to summary; train/trainer.cpp is one step; train/layer.cpp one layer.

#include "core/values/basics/expected.h"
#include "engine/mutation.h"
#include "engine/report/stopping.h"
#include "engine/train/run.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace plimsoll::engine {
namespace {

int end_with(const Failure& failure, const Options& o, Log& log) {
    log.error(failure);
    if (o.out.empty() || failure.rank != 0) report(failure, log.run(), o.out);
    return int(failure.code);
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text.append(text.empty() ? "" : "; ").append(line);
    return text;
}

// Options of every run: the command line's own, or those plus each line of --runs.
Expected<std::vector<Options>, std::string> runs_of(const Options& o) {
    if (o.runs.empty()) return std::vector<Options>{o};
    std::ifstream in(o.runs);
    if (!in) return Unexpected("--runs " + o.runs + " cannot be read");
    std::vector<Options> runs;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream words(line);
        std::vector<std::string> arguments(std::istream_iterator<std::string>(words), {});
        if (arguments.empty() || arguments.front().starts_with("#")) continue;
        const Parsed parsed = parse(arguments, o);
        if (!parsed.message.empty()) return Unexpected(o.runs + ", line " + std::to_string(number) + ": " + parsed.message);
        runs.push_back(parsed.options);
    }
    return runs;
}

// Ranks that have no part in a run sleep until the others are done: spinning would take their cores.
void meet(const MpiComm& world, Watchdog& dog) {
    MPI_Request request;
    MPI_Ibarrier(world.handle(), &request);
    for (int done = 0; !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        dog.changed(Pass::data, Phase::launch);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

void settle(Options& o) {
    if (o.threads < 1) o.threads = o.layout.ranks() > 1 ? 1 : int(std::max(1u, std::thread::hardware_concurrency()));
#ifdef PLIMSOLL_MUTATIONS
    mutation_under_test = Mutation::none;
    for (std::size_t i = 0; i < std::size(mutation_names); ++i)
        if (o.mutate == mutation_names[i]) mutation_under_test = Mutation(i);
#endif
}

int run_all(std::vector<Options> runs, const MpiComm& world, Log& log, Watchdog& dog) {
    nlohmann::ordered_json summary;
    bool stopped = false;
    for (Options& o : runs) {
        settle(o);
        const int ranks = o.layout.ranks();
        if (const auto found = problems(o, runs.size() > 1 ? std::max(1, std::min(ranks, world.size())) : world.size()); !found.empty())
            return end_with({ExitCode::unsupported_layout, joined(found), 0}, o, log);
        const auto part = world.split(world.rank() < ranks ? 0 : -1, world.rank());
        Outcome outcome;
        if (part) outcome = train(o, {*part, log, dog});
        if (runs.size() > 1) meet(world, dog);
        if (outcome.failure) return end_with(*outcome.failure, o, log);
        if (runs.size() > 1) log.write("run", outcome.summary);
        summary = std::move(outcome.summary);
        if ((stopped = outcome.stopped)) break;
    }
    if (world.rank() != 0) return stopped ? int(ExitCode::cancelled) : 0;
    nlohmann::ordered_json last{{"status", stopped ? "cancelled" : "ok"}};
    last.update(summary);
    if (stopped) last["reason"] = stop_reasons[int(stop_reason())];
    const int code = log.close(last);
    return code ? code : stopped ? int(ExitCode::cancelled) : 0;
}

int run(const Options& o, const MpiComm& world) {
    Log log({.out = o.out, .run = o.run.empty() ? hex(std::uint64_t(getpid())) : o.run, .rank = world.rank()});
    double refused = log.failure() ? 1 : 0;
    const_cast<MpiComm&>(world).all_reduce(&refused, 1, Type::f64, Reduction::max);
    if (refused > 0) {
        if (log.failure()) report(*log.failure(), log.run(), "");
        return log.failure() ? int(log.failure()->code) : int(ExitCode::usage);
    }
    Heartbeat beat{};
    Watchdog dog({.limit_s = o.watchdog, .beat = &beat, .all = {&beat, 1}, .log = &log, .abort = [](int code) { MPI_Abort(MPI_COMM_WORLD, code); }}, world.rank());
    StopWatch watch({.rank = world.rank(), .with_parent = world.size() > 1, .stdin_ends = o.stdin_stops, .cancel_file = o.cancel_file, .run = log.run(), .out = o.out});
    auto runs = runs_of(o);
    const int code = runs ? run_all(std::move(*runs), world, log, dog) : end_with({ExitCode::usage, runs.error(), 0}, o, log);
    watch.ended();
    return code;
}

}  // namespace
}  // namespace plimsoll::engine

int main(int argc, char** argv) {
    using namespace plimsoll::engine;
    const Parsed parsed = parse({argv + 1, argv + argc}, {});
    if (!parsed.message.empty()) {
        (parsed.failed ? std::cerr : std::cout) << parsed.message;
        return parsed.failed ? int(ExitCode::usage) : 0;
    }
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int code;
    {
        const MpiComm world(MPI_COMM_WORLD);
        code = run(parsed.options, world);
    }
    MPI_Finalize();
    return code;
}
