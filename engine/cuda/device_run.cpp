#include "engine/cuda/device_run.h"

#include "engine/power/sources/sources.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace plimsoll::engine {
namespace {

// Staging through page-locked memory.
class DeviceStaging final : public Staging {
public:
    explicit DeviceStaging(const PlimsollBackend& table) : table_(table) {}
    void* allocate(std::size_t bytes) override {
        void* memory = nullptr;
        check(table_, table_.allocate_host(&memory, bytes));
        return memory;
    }
    void release(void* memory) override {
        if (!is_failing()) (void)table_.release_host(memory);
    }
    void to_host(void* host, const void* device, std::size_t bytes) override {
        check(table_, table_.copy_out(host, device, bytes));
    }
    void to_device(void* device, const void* host, std::size_t bytes) override {
        check(table_, table_.copy_in(device, host, bytes));
    }
    void on_device(void* to, const void* from, std::size_t bytes) override {
        check(table_, table_.copy(to, from, bytes));
    }

private:
    const PlimsollBackend& table_;
};

Staging& staging_of(const PlimsollBackend& table) {
    static DeviceStaging one(table);  // a process has one back end; groups may outlive a run
    return one;
}

bool all_say(Comm& ranks, bool yes) {
    double no = yes ? 0 : 1;
    ranks.all_reduce(&no, 1, Type::f64, Reduction::max);
    return no == 0;
}

using Messages = NcclComm::Messages;
std::unique_ptr<Comm> on_device(std::unique_ptr<Comm> host, const DeviceRun& run, Messages messages) {
    if (run.nccl && host->size() > 1)
        return std::make_unique<NcclComm>(*run.table, std::move(host), messages, run.opening);
    return std::make_unique<StagedComm>(std::move(host), staging_of(*run.table));
}

// Two ranks on one device, or none.
std::string shared_device(const std::vector<RankDevice>& ranks) {
    for (std::size_t b = 0; b < ranks.size(); ++b)
        for (std::size_t a = 0; a < b; ++a)
            if (ranks[a].same_device(ranks[b]))
                return "ranks " + std::to_string(a) + " and " + std::to_string(b) + " share the device "
                     + ranks[b].bus_id + " of node " + std::to_string(ranks[b].node);
    return {};
}

std::vector<RankDevice> devices_of_all(Comm& ranks, int node, const PlimsollDevice& mine) {
    std::vector<RankDevice> all(std::size_t(ranks.size()));
    RankDevice own{.node = node};
    std::snprintf(own.bus_id, sizeof own.bus_id, "%s", mine.bus_id);
    std::snprintf(own.name, sizeof own.name, "%.*s", int(sizeof own.name) - 1, mine.name);
    own.memory_B = double(mine.memory_B);
    ranks.all_gather(&own, all.data(), sizeof own, Type::byte);
    return all;
}

}  // namespace

bool RankDevice::same_device(const RankDevice& other) const {
    return node == other.node && std::string_view(bus_id) == other.bus_id;
}

DeviceRun open_devices(Platform wanted, const MpiComm& run_ranks, const std::vector<int>& nodes, Opening opening) {
    if (opening) opening("the device");
    const auto ranks = run_ranks.split(0, run_ranks.rank());
    const auto rank = std::size_t(ranks->rank());
    const auto here = nodes.begin() + ranks->rank();
    const Maker maker = wanted == Platform::hip ? Maker::amd : Maker::nvidia;
    const Backend mine = use_device(int(std::count(nodes.begin(), here, *here)), maker);
    DeviceRun run{.table = mine.table, .message = mine.message, .maker = maker, .opening = std::move(opening)};
    if (!all_say(*ranks, mine.table != nullptr)) {
        if (mine.table) run.message = std::string(toolkit(maker).name) + " is not used: another rank has no device";
        run.table = nullptr;
        return run;
    }
    const PlimsollDevice device = device_in_use(*run.table);
    run.bus_id = device.bus_id;
    run.cache_B = double(device.l2_B);
    run.ranks = devices_of_all(*ranks, *here, device);
    const auto on_mine = [&](const RankDevice& other) { return other.same_device(run.ranks[rank]); };
    run.sharing = int(std::count_if(run.ranks.begin(), run.ranks.end(), on_mine));
    run.first_on_device = std::none_of(run.ranks.begin(), run.ranks.begin() + ranks->rank(), on_mine);
    run.why_not_nccl = shared_device(run.ranks);
    run.nccl = run.why_not_nccl.empty();
    return run;
}

nlohmann::ordered_json transport_line(const DeviceRun& run) {
    const char* carrier = run.ranks.size() == 1 ? "none" : run.nccl ? "nccl" : "host_memory";
    nlohmann::ordered_json line{{"transport", carrier}}, all = nlohmann::ordered_json::array();
    if (run.ranks.size() > 1 && !run.nccl) line["reason"] = run.why_not_nccl;
    for (std::size_t r = 0; r < run.ranks.size(); ++r)
        all.push_back({{"rank", r},
                       {"node", run.ranks[r].node},
                       {"device", run.ranks[r].name},
                       {"bus_id", run.ranks[r].bus_id},
                       {"memory_B", run.ranks[r].memory_B}});
    line["ranks"] = std::move(all);
    return line;
}

double available_B(const DeviceRun& run, Comm& ranks) {
    ranks.barrier();  // everybody has opened what takes memory
    const double share = double(device_in_use(*run.table).free_B) / run.sharing;
    ranks.barrier();  // nobody takes more before everybody has looked
    return share;
}

std::unique_ptr<Comm> on_device(std::unique_ptr<Comm> host_group, const DeviceRun& run) {
    return on_device(std::move(host_group), run, Messages::none);
}

Grid on_devices(Grid grid, const DeviceRun& run) {
    grid.tensor = on_device(std::move(grid.tensor), run);
    grid.data = on_device(std::move(grid.data), run);
    grid.pipeline = on_device(std::move(grid.pipeline), run, Messages::to_neighbours);
    grid.ends = on_device(std::move(grid.ends), run);
    return grid;
}

Failure end_all_ranks(const DeviceError& e, Log& log, int rank) {
    const Failure failure{ExitCode::device, e.what(), rank};
    report(failure, log.run(), log.out());
    log.error(failure);
    MPI_Abort(MPI_COMM_WORLD, int(failure.code));
    return failure;
}

double energy_of(const DeviceRun& run) {
    if (!run.first_on_device) return 0;
    const power::Places places = power::places_of_environment();
    const auto joules = run.maker == Maker::amd ? power::amd_board_joules(places.rocm, run.bus_id)
                                                : power::board_joules(places.nvml, run.bus_id);
    return joules ? *joules : std::nan("");
}

}  // namespace plimsoll::engine
