#pragma once
// One training run from its options to its last line in the log.
//
//   const Outcome o = train(options, {ranks, log, watchdog, nodes.of_rank()});   // collective over `ranks`
//   if (o.failure) ...

#include "engine/comm/mpi.h"
#include "engine/report/log.h"
#include "engine/report/watchdog.h"
#include "engine/run/options.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>

namespace plimsoll::engine {

namespace power { class NodePower; }

struct RunPlace {
    const MpiComm& ranks;  // layout.ranks() of them
    Log& log;
    Watchdog& watchdog;
    const std::vector<int>& nodes;  // of each rank
    power::NodePower* power = nullptr;  // null: energy is not asked for
};

struct Outcome {
    std::optional<Failure> failure;  // the same on all ranks
    bool stopped = false;
    nlohmann::ordered_json summary;  // on rank 0
};

Outcome train(const Options&, const RunPlace&);

// What open_devices calls: the watchdog is told what the rank waits for.
std::function<void(const std::string&)> opening_of(const RunPlace&);

// Bytes a rank takes: what for, in the cost model's words, and altogether.
struct MemoryPlan {
    std::size_t uses[5], scratch, total;  // uses: as use_names
};
MemoryPlan predict_memory(const Options&, int rank);
nlohmann::ordered_json json_of(const MemoryPlan&);

}  // namespace plimsoll::engine
