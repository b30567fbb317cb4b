#include "core/evidence/calibration/plan/planned_constants.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr const char* needs_ranks = "needs ranks that talk to each other, which this plan has not: stays as it was";
constexpr const char* no_counter = "no energy counter is known to be readable there: all watts and joules stay the preset's";

struct Row {
    const char *pointer, *label, *experiment, *why;
    const char* otherwise = needs_ranks;   // why it stays as it was where its run is not planned; nullptr: then nothing depends on it
};
constexpr Row rows[] = {
    {"/device/efficiency/gemm_ceiling", "Products: share of the peak", "gemm", "sets the time of every layer's products"},
    {"/device/efficiency/gemm_half_depth", "Products: depth at half the rate", "gemm", "slows products of narrow models and of tensor shares"},
    {"/device/efficiency/gemm_half_area", "Products: outputs at half the rate", "gemm", "slows small products"},
    {"/device/efficiency/gemm_half_rows", "Products: rows at half the rate", "gemm", "slows products of few rows"},
    {"/device/efficiency/flash_forward", "Attention forward: share of the peak", "attention", "sets the time of attention, forward and recomputed"},
    {"/device/efficiency/flash_backward", "Attention backward: share of the peak", "attention", "sets the time of attention's gradients"},
    {"/device/efficiency/stream_fraction", "Memory: share of the bandwidth", "stream", "sets the time of norms, activations, residuals and the optimizer"},
    {"/device/efficiency/kernel_floor_us", "Shortest kernel", "gemm", "adds up over the many small operations of a layer"},
    {"stack/elementwise_factor", "Elementwise work against its bytes", "one", "scales norms, activations and residuals; from the steps of the layouts that fit"},
    {"stack/optimizer_bytes", "Optimizer: bytes of a parameter", "adamw", "sets the time of the update"},
    {"/levels/0/latency_us", "Network: latency", "collective-tensor", "decides what small messages cost: tensor ranks, pipelines"},
    {"/levels/0/efficiency", "Network: share of the bandwidth", "collective", "sets the time of gradients and gathered weights"},
    {"/levels/0/gather_factor", "Network: all-gathers over all-reduces", "collective", "sets the time of gathered weights"},
    {"/levels/0/scatter_factor", "Network: reduce-scatters over all-reduces", "collective", "sets the time of sharded gradients"},
    {"/levels/0/message_factor", "Network: messages over all-reduces", "p2p", "sets the time between pipeline stages"},
    {"stack/tensor_exposed", "Tensor communication that nothing hides", "tp2", "from the steps of two tensor ranks"},
    {"overlap", "Overlap of communication", "overlap", "what a product hides of an all-reduce, beside what the plan's software is taken to hide", nullptr},
    {"/host/link_GBps", "Host link: bandwidth", "hostlink", "sets the time of what is offloaded", nullptr},
    {"/storage/write_GBps_per_node", "File system: writing from one node", "storage", "sets how long a checkpoint takes while nobody else writes"},
    {"/power/device_idle_W", "Power of a device at rest", "power", "sets the energy of every wait", nullptr},
    {"/power/compute_weight", "Power of computing", "power", "sets the energy of products", no_counter},
    {"/power/memory_weight", "Power of streaming memory", "power", "sets the energy of elementwise work", nullptr},
    {"/power/network_weight", "Power of communicating", "power", "sets the energy of exposed communication", nullptr},
    {"/reliability/failures_per_1000_node_days", "Failures", "", "a failure a week does not show in two minutes"},
    {"/levels/last/efficiency", "Congestion by other jobs", "", "who else uses the network, and how its routes adapt, differs from hour to hour"},
    {"straggler", "Slowest rank at scale", "", "the tail of thousands of ranks does not show on a few"},
    {"thermal", "Thermal drift", "", "clocks settle over ten minutes and more"},
    {"/storage/write_GBps", "File system: writing from all nodes", "", "few nodes alone show a bound only, and the file system is shared"},
};

}  // namespace

std::vector<PlannedConstant> planned_constants(const std::vector<PlannedRun>& runs) {
    std::vector<PlannedConstant> all;
    for (const Row& row : rows) {
        const auto found = std::find_if(runs.begin(), runs.end(), [&](const PlannedRun& r) { return *row.experiment && r.id.starts_with(row.experiment); });
        if (found != runs.end() || !*row.experiment) all.push_back({row.pointer, row.label, found == runs.end() ? "" : found->id, row.why});
        else if (row.otherwise) all.push_back({row.pointer, row.label, "", row.otherwise});
    }
    return all;
}

std::string_view planned_name(std::string_view pointer) {
    const auto at = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.pointer == pointer; });
    return at == std::end(rows) ? std::string_view{} : at->label;
}

}  // namespace plimsoll
