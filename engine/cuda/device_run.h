#pragma once
// The device of each rank of a run, and the run's groups on devices.
//
//   const DeviceRun run = open_devices(Platform::cuda, ranks, nodes, opening);  // collective; nodes[r]: of rank r
//   if (!run.table) ...run.message                              // some rank has no device: nobody uses one
//   Grid grid = on_devices(grid_of(ranks, layout), run);        // collective
//   log.write("transport", transport_line(run));
//   available_B(run, *grid.world)                               // collective; once the groups are there
//
// NCCL carries the groups where every rank has a device of its own, the host
// otherwise. Devices are told apart by node and bus id: a launcher may show every task
// all devices of its node, or its own one alone, which it then calls device 0. The
// group of all ranks stays on the host: it carries losses and text.

#include "engine/comm/grid.h"
#include "engine/cuda/backend.h"
#include "engine/cuda/device_comms.h"
#include "engine/report/log.h"
#include "engine/run/options.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace plimsoll::engine {

using Opening = NcclComm::Opening;

// Where a rank computes; laid out to be sent.
struct RankDevice {
    int node = 0;
    char bus_id[32] = {}, name[92] = {};
    double memory_B = 0;
    bool same_device(const RankDevice&) const;
};

struct DeviceRun {
    const PlimsollBackend* table = nullptr;
    std::string message;                 // the device, or why there is none
    std::string bus_id{};                // by which its maker's library knows it
    Maker maker = Maker::nvidia;
    bool nccl = false;
    std::string why_not_nccl{};
    bool first_on_device = true;         // of the ranks that share a device
    int sharing = 1;                     // ranks on this rank's device
    double cache_B = 0;                  // the device's last cache
    std::vector<RankDevice> ranks{};     // of all of them
    Opening opening{};
};

// What is about to be opened, before it is: contexts and communicators may take long, and may never come.
DeviceRun open_devices(Platform, const MpiComm& ranks, const std::vector<int>& nodes, Opening = {});

// PROTOCOL.md, `transport`.
nlohmann::ordered_json transport_line(const DeviceRun&);

// This rank's share of the device's free memory. Collective over the run's ranks, in host memory.
double available_B(const DeviceRun&, Comm& ranks);
std::unique_ptr<Comm> on_device(std::unique_ptr<Comm> host_group, const DeviceRun&);
Grid on_devices(Grid, const DeviceRun&);

// Energy that this rank's device has used since its driver was loaded, in joule, by NVML or ROCm SMI. Not a number
// where it is
// not counted, 0 for ranks that share a device with one before them.
double energy_of(const DeviceRun&);

// A device failed on this rank. The others may wait for it on theirs: there is nothing to agree on, nor to clear up.
// Says so and ends all ranks.
Failure end_all_ranks(const DeviceError&, Log&, int rank);

}  // namespace plimsoll::engine
