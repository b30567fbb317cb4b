#include "engine/comm/ranks.h"

#include "engine/report/stopping.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace plimsoll::engine {

namespace {

// A node goes by its first rank until all first ranks are known.
std::vector<int> nodes_of(const MpiComm& world, MPI_Comm node) {
    int first = world.rank();
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    std::vector<int> firsts(std::size_t(world.size()));
    MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, world.handle());
    const std::set<int> nodes(firsts.begin(), firsts.end());
    for (int& f : firsts) f = int(std::distance(nodes.begin(), nodes.find(f)));
    return firsts;
}

// Half the threads taken by others a minute ago is enough to spoil every time.
void warn_of_load(const nlohmann::ordered_json& hw, Log& log) {
    const auto &load = hw["load_1min"], &threads = hw["threads_allowed"];
    if (!load.is_number() || !threads.is_number() || load.get<double>() <= 0.5 * threads.get<double>()) return;
    log.warn("load", "load average " + load.dump() + " before the start on the " + threads.dump()
                         + " hardware threads of node " + hw["node"].dump()
                         + ": somebody else computes there, times will be longer");
}

// The hardware threads that a rank may use, as Linux lists them.
struct Threads {
    int node = 0;
    char text[124] = {};
    bool operator==(const Threads& o) const { return node == o.node && std::string_view(text) == o.text; }
};
std::vector<Threads> threads_of_all(Comm& ranks, int node) {
    Threads mine{.node = node};
    std::snprintf(mine.text, sizeof mine.text, "%s", allowed_threads().c_str());
    std::vector<Threads> all(std::size_t(ranks.size()));
    ranks.all_gather(&mine, all.data(), sizeof mine, Type::byte);
    return all;
}

// Which hardware threads the launcher gave to each rank: where two ranks have the same, they wait for each other.
void write_binding(MpiComm& world, const Nodes& nodes, Log& log) {
    const auto all = threads_of_all(world, nodes.of_rank()[std::size_t(world.rank())]);
    if (world.rank() != 0) return;
    auto ranks = nlohmann::ordered_json::array();
    for (std::size_t r = 0; r < all.size(); ++r)
        ranks.push_back({{"rank", r}, {"node", all[r].node}, {"threads", all[r].text}});
    log.write("binding", {{"ranks", ranks}});
}

nlohmann::ordered_json with_status(const char* status, const nlohmann::ordered_json& summary) {
    nlohmann::ordered_json last{{"status", status}, {"steps", 0}};
    if (summary.is_object()) last.update(summary);
    last["status"] = status;
    return last;
}

}  // namespace

Nodes::Nodes(const MpiComm& world) {
    MPI_Comm node;
    MPI_Comm_split_type(world.handle(), MPI_COMM_TYPE_SHARED, world.rank(), MPI_INFO_NULL, &node);
    int size = 1;
    MPI_Comm_rank(node, &local_);
    MPI_Comm_size(node, &size);
    // All of it is the first rank's, with room to begin at an aligned byte: MPI promises no alignment,
    // but pages are mapped whole, so that every rank finds the same one.
    void *mine = nullptr, *first = nullptr;
    MPI_Win_allocate_shared(local_ == 0 ? MPI_Aint(sizeof(Heartbeat)) * (size + 1) : 0, 1, MPI_INFO_NULL, node, &mine,
                            &window_);
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &bytes, &unit, &first);
    std::size_t room = std::size_t(bytes);
    beats_ = {
        static_cast<Heartbeat*>(std::align(alignof(Heartbeat), sizeof(Heartbeat) * std::size_t(size), first, room)),
        std::size_t(size)};
    new (own()) Heartbeat{};
    own()->rank = world.rank();
    of_rank_ = nodes_of(world, node);
    MPI_Barrier(node);
    MPI_Comm_free(&node);
}

Nodes::~Nodes() { MPI_Win_free(&window_); }

void introduce(MpiComm& world, const Nodes& nodes, Log& log, const HelloInputs& inputs) {
    log.write("hello", hello(inputs));
    write_binding(world, nodes, log);
    int node = 0;
    for (const std::string& text : gathered(world, nodes.local_rank() == 0 ? one_line(hardware()) : "")) {
        auto line = nlohmann::ordered_json::parse(text);
        line["node"] = node++;
        log.write("hw", line);
        warn_of_load(line, log);
    }
}

int threads_to_spare(Comm& ranks, int node) {
    const auto all = threads_of_all(ranks, node);
    const auto sharing = std::count(all.begin(), all.end(), all[std::size_t(ranks.rank())]);
    return std::max(1, int(std::thread::hardware_concurrency() / sharing));
}

int wait_for_all(const MpiComm& world, Watchdog& watchdog, int status) {
    int worst = status;
    MPI_Request request;
    MPI_Iallreduce(&status, &worst, 1, MPI_INT, MPI_MAX, world.handle(), &request);
    for (int arrived = 0; !arrived; MPI_Test(&request, &arrived, MPI_STATUS_IGNORE)) {
        watchdog.changed(Pass::data, Phase::launch);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return worst;
}

int complete_log(Log& log, int status, const nlohmann::ordered_json& summary) {
    nlohmann::ordered_json last = with_status(status == stopped ? "cancelled" : "ok", summary);
    if (status == stopped) last["reason"] = stop_reasons[int(stop_reason())];
    const int code = log.close(last);
    return code ? code : status == stopped ? int(ExitCode::cancelled) : 0;
}

int complete_log(Log& log, const Failure& failure, const MpiComm& world, const nlohmann::ordered_json& summary) {
    if (world.rank() == 0) report(failure, log.run(), "");
    log.error(failure);
    log.close(with_status("failed", summary));
    return int(failure.code);
}

// A launcher of MPI's knows best; Slurm's numbers are those of a step, since a batch script has its job's as well.
std::string alone_among_tasks(int world_size, const std::function<const char*(const char*)>& variable) {
    if (world_size != 1) return {};
    const bool in_step = variable("SLURM_STEP_ID") != nullptr;
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}) {
        if (std::string_view(name) == "SLURM_NTASKS" && !in_step) continue;
        const char* tasks = variable(name);
        if (!tasks) continue;
        if (std::atoi(tasks) < 2) return {};
        return std::string(tasks) + " tasks were started (" + name
             + "), and MPI sees each of them alone: launcher and MPI library do not speak the same interface. "
               "Open MPI: srun --mpi=pmix; MPICH, Cray MPICH and Intel MPI: srun --mpi=pmi2 (srun --mpi=list says "
               "which there are); or the mpirun that belongs to the library";
    }
    return {};
}

std::string broadcast_text(const MpiComm& world, std::string text) {
    unsigned long long length = text.size();
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, world.handle());
    text.resize(std::size_t(length));
    MPI_Bcast(text.data(), int(length), MPI_BYTE, 0, world.handle());
    return text;
}

std::vector<std::string> gathered(const MpiComm& ranks, const std::string& mine) {
    const int length = int(mine.size());
    std::vector<int> lengths(std::size_t(ranks.size())), offsets(lengths.size());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, ranks.handle());
    std::size_t all = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        offsets[i] = int(all);
        all += std::size_t(lengths[i]);
    }
    std::string text(all, ' ');
    MPI_Gatherv(mine.data(), length, MPI_CHAR, text.data(), lengths.data(), offsets.data(), MPI_CHAR, 0,
                ranks.handle());
    std::vector<std::string> found;
    if (ranks.rank() == 0)
        for (std::size_t i = 0; i < lengths.size(); ++i)
            if (lengths[i] > 0) found.push_back(text.substr(std::size_t(offsets[i]), std::size_t(lengths[i])));
    return found;
}

std::optional<Failure> first_failure(Comm& ranks, std::string problem, ExitCode code) {
    double worst = problem.empty() ? 0 : double(ranks.size() - ranks.rank());
    ranks.all_reduce(&worst, 1, Type::f64, Reduction::max);
    if (worst == 0) return std::nullopt;
    const int rank = ranks.size() - int(worst);
    problem.resize(1000, '\0');
    ranks.broadcast(problem.data(), problem.size(), Type::byte, rank);
    return Failure{code, problem.c_str(), rank};
}

}  // namespace plimsoll::engine
