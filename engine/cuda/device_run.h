#pragma once
// The device of each rank of a run, and the run's groups on devices.
//
//   const DeviceRun run = open_devices(ranks, nodes);     // collective; nodes[r]: where rank r runs
//   if (!run.table) ...run.message                        // some rank has no device: nobody uses one
//   Grid grid = on_devices(grid_of(ranks, layout), run);  // collective
//
// NCCL carries the groups where every rank has a device of its own, the host
// otherwise. The group of all ranks stays on the host: it carries losses and text.

#include "engine/comm/grid.h"
#include "engine/cuda/backend.h"
#include "engine/report/log.h"

#include <string>
#include <vector>

namespace plimsoll::engine {

struct DeviceRun {
    const PlimsollBackend* table = nullptr;
    std::string message;       // the device, or why there is none
    std::string bus_id{};      // by which its maker's library knows it
    bool nccl = false;
    bool first_on_device = true;         // of the ranks that share a device
    double available_B = 0, cache_B = 0; // this rank's share of the device's free memory; the device's last cache
};

DeviceRun open_devices(const MpiComm& ranks, const std::vector<int>& nodes);
std::unique_ptr<Comm> on_device(std::unique_ptr<Comm> host_group, const DeviceRun&);
Grid on_devices(Grid, const DeviceRun&);

// Energy that this rank's device has used since its driver was loaded, in joule, by NVML. Not a number where it is
// not counted, 0 for ranks that share a device with one before them.
double energy_of(const DeviceRun&);

// A device failed on this rank. The others may wait for it on theirs: there is nothing to agree on, nor to clear up.
// Says so and ends all ranks.
Failure end_all_ranks(const DeviceError&, Log&, int rank);

}  // namespace plimsoll::engine
