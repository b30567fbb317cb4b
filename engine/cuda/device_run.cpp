#include "engine/cuda/device_run.h"

#include "engine/cuda/nccl_comm.h"
#include "engine/cuda/staged_comm.h"
#include "engine/power/sources/sources.h"

#include <algorithm>
#include <cmath>

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
    void release(void* memory) override { (void)table_.release_host(memory); }
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
    if (run.nccl && host->size() > 1) return std::make_unique<NcclComm>(*run.table, std::move(host), messages);
    return std::make_unique<StagedComm>(std::move(host), staging_of(*run.table));
}

}  // namespace

DeviceRun open_devices(const MpiComm& run_ranks, const std::vector<int>& nodes) {
    const auto ranks = run_ranks.split(0, run_ranks.rank());
    const auto here = nodes.begin() + ranks->rank(), end = nodes.begin() + ranks->size();
    const int local_rank = int(std::count(nodes.begin(), here, *here)),
              local_ranks = int(std::count(nodes.begin(), end, *here));
    const Backend mine = use_device(local_rank);
    DeviceRun run{.table = mine.table, .message = mine.message};
    if (!all_say(*ranks, mine.table != nullptr)) {
        if (mine.table) run.message = "CUDA is not used: another rank has no device";
        run.table = nullptr;
        return run;
    }
    int devices = 0;
    check(*run.table, run.table->devices(&devices));
    run.nccl = all_say(*ranks, local_ranks <= devices);
    run.first_on_device = local_rank < devices;
    const int sharing = (local_ranks - local_rank % devices + devices - 1) / devices;
    const PlimsollDevice device = device_in_use(*run.table);
    run.bus_id = device.bus_id;
    run.available_B = double(device.free_B) / sharing;
    run.cache_B = double(device.l2_B);
    ranks->barrier();  // nobody takes memory before everybody has looked
    return run;
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
    const auto joules = power::board_joules(power::places_of_environment().nvml, run.bus_id);
    return joules ? *joules : std::nan("");
}

}  // namespace plimsoll::engine
