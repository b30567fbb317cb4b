#pragma once
// A supercomputer as the cost model sees it: devices, nested network levels,
// hosts, power, failures, storage and how its hours are counted.
//
// A device is what a launcher counts: one GCD of an MI250X, one V100, one whole
// A64FX node. `per_package` says how many share a package, so a figure quoted
// per module can be turned into one per device.

#include "core/values/basics/source.h"
#include "core/values/basics/units.h"
#include "core/values/plan/attention_kernel.h"
#include "core/values/plan/calibration.h"
#include "core/values/plan/codec.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// ---- Clusters

// Clusters of one machine: nodes that share a network of their own. Between
// clusters lies the machine's outermost level, which all of them reach by TCP.
//
// A machine that names no clusters is one network throughout.

// Network cards by what can talk to what: remote memory access works inside one
// family only, across families TCP is what is left.
enum class Nic { infiniband, roce, ethernet };

struct Cluster {
    int nodes = 0;              // 0: there is no such cluster
    Nic nic = Nic::infiniband;
    // Each device's share per direction between nodes when all of them send.
    ByteRate bandwidth = 25 * gigabyte / second;
    double efficiency = 0.8;    // achieved fraction of it in a large ring
    Seconds latency = 5 * microsecond;
    double speed = 1;           // of its devices, against the machine's device
    // What a run on this cluster alone reached, to split layers by; 0 where not measured.
    FlopRate measured;
    friend bool operator==(const Cluster&, const Cluster&) = default;
};

inline constexpr int most_clusters = 4;
using Clusters = std::array<Cluster, most_clusters>;

inline bool any_cluster(const Clusters& all) {
    for (const Cluster& c : all)
        if (c.nodes > 0) return true;
    return false;
}
inline long long nodes_of(const Clusters& all) {
    long long nodes = 0;
    for (const Cluster& c : all) nodes += c.nodes;
    return nodes;
}

// ---- What a site wants of a job

// What a site's batch system wants of a job beyond nodes and time: extra
// directives, environment, how ranks are started and which files lie beside the
// script. Data of a machine preset, so that a site's habits need no code.
//
//   machine.scheduler.job = site_job({.queue = "batch", .launch = "srun -N {nodes} -n {ranks} {engine}"});
//
// Directives, environment and launch line may name {account}, {queue}, {nodes},
// {ranks}, {ranks_per_node}, {cores_per_rank} and {walltime} (hh:mm:ss); the
// launch line also {engine}, the program with its arguments. ${NAME} is the
// shell's and stays, as do files, word for word. $RUN is the job's folder.

struct SiteFile {
    std::string name;                       // in the job's folder; letters, digits, dot, dash, underscore
    std::vector<std::string> lines;
    friend bool operator==(const SiteFile&, const SiteFile&) = default;
};

struct SiteJob {
    std::string queue;                      // where a short job goes unless somebody says otherwise
    int ranks_per_node = 0;                 // 0: one for every device
    int cores_per_rank = 0;                 // of those a job may use; 0: not said
    std::vector<std::string> directives;    // without the scheduler's prefix: "--account={account}"
    std::vector<std::string> environment;   // lines of shell before the launch
    std::string launch;
    std::vector<SiteFile> files;
    std::string note;                       // a sentence for whoever submits it
    friend bool operator==(const SiteJob&, const SiteJob&) = default;
};

// Shared by all copies of a machine, which estimates make by the thousand; equal when what is described is.
struct SharedSiteJob {
    std::shared_ptr<const SiteJob> is;
    explicit operator bool() const { return is != nullptr; }
    const SiteJob* operator->() const { return is.get(); }
    const SiteJob& operator*() const { return *is; }
    friend bool operator==(const SharedSiteJob& a, const SharedSiteJob& b) {
        return a.is == b.is || (a.is && b.is && *a.is == *b.is);
    }
};
inline SharedSiteJob site_job(SiteJob job) { return {std::make_shared<const SiteJob>(std::move(job))}; }

// Everything that would make a script of it wrong: unknown placeholders, lines that break, file names that lead
// elsewhere.
std::vector<std::string> problems(const SiteJob&);
// The names in braces, in the order they stand: {"nodes", "ranks"}.
std::vector<std::string> placeholders(const std::string& template_text);

// ---- The machine

enum class NumberFormat { fp32, tf32, fp16, bf16, fp8, fp4 };

// How fp8 products get their scales: from the steps before (delayed), or from the data: one scale a tensor, one a row,
// one a block of 1x128 and 128x128, one for 32 values (MX). The last multiplies 4-bit numbers with a scale for 16
// (NVFP4, 2509.25149), at the fp4 peak; all else of it is as with fp8.
enum class Fp8Recipe { delayed, tensorwise, rowwise, blockwise, mxfp8, nvfp4 };
inline constexpr std::size_t fp8_recipes = 6;

// A product's rate by its shape: a share of peak where it is infinitely large, and the inner dimension and the output
// elements at which half of that is reached. A ceiling of zero: not measured.
struct ProductSurface {
    double ceiling = 0, half_depth = 0, half_area = 0;
    bool known() const { return ceiling > 0; }
    friend bool operator==(const ProductSurface&, const ProductSurface&) = default;
};
using Fp8Surfaces = std::array<ProductSurface, fp8_recipes>;

// How close this device comes to its peaks (fitted or estimated; see
// resources/help/model.md for the forms). Peak rates are facts, these are not.
struct Efficiency {
    double gemm_ceiling = 0.75;        // of peak, for an infinitely large GEMM
    double gemm_half_depth = 64;       // inner dimension k at which half the rate is reached
    double gemm_half_area = 1.5e6;     // output elements m*n at which half the rate is reached
    double gemm_half_rows = 0;         // rows m likewise: a processor copies the other operand for every product
    double stream_fraction = 0.8;      // of memory bandwidth, measured by a stream
    Seconds kernel_floor = 4 * microsecond;  // shortest kernel
    double flash_forward = 0.39;       // of peak, fused attention by a kernel that has no row in `attention`
    double flash_backward = 0.42;
    double flash_half_sequence = 290;
    double flash_half_head = 30;
    double softmax_traffic = 1.28;     // multiplies the bytes of materialised softmax
    double fp8_ceiling = 0.62;         // of the fp8 peak, for an infinitely large GEMM whose inputs are fp8 already
    double fp8_half_depth = 110;
    double fp8_half_area = 1.5e6;
    // Where each row or block of the inputs has a scale of its own, kernels apply it as they add up: other surfaces
    // than that of one scale a tensor. Those that were not measured here count as one scale a tensor.
    Fp8Surfaces fp8_scaled{};
    // Products of several experts at once: a share of the rate of one large product, E_g / (1 + r0/rows) /
    // (1 + w0/min(n, k)) with the rows of one expert and the widths of its weights. Where a device was not measured,
    // the surface of B200 counts, the only one that was measured over narrow and wide experts (108 operators of
    // SimuMax); of fp8 what mixtures on Hopper and Blackwell keep against it.
    double grouped_gemm = 1;
    double grouped_gemm_fp8 = 0.9;
    double grouped_half_rows = 276;
    double grouped_half_width = 706;
    double grouped_weight_gradient = 0.772;  // weight gradients against the other products
    // What a training run of hours keeps of these rates, which short bursts show: clocks fall under the power limit.
    double sustained = 1;              // of 16-bit products
    double sustained_fp8 = 1;
    double sustained_attention = 1;    // of the kernels in `attention`
    // The same device on a board with less power: (W / reference)^exponent of all three. Zero: its limit costs nothing.
    Watts reference_power;
    double power_exponent = 0.74;
    AttentionTable attention{};        // kernels that were measured on this device
    friend bool operator==(const Efficiency&, const Efficiency&) = default;
};

struct Device {
    std::string name;
    std::string package;       // what is soldered to the board, e.g. "MI250X"
    int per_package = 1;
    Bytes memory;
    ByteRate bandwidth;        // of device memory, as the vendor states it
    FlopRate fp32, tf32, fp16, bf16, fp8, fp4;  // dense peaks; zero = not supported
    Efficiency efficiency;
    CodecSpeeds codecs;
    FlopRate peak(NumberFormat) const;
    friend bool operator==(const Device&, const Device&) = default;
};

// One ring of the nest: package pair, node, group, system. Domains of a level
// contain whole domains of the level before it.
struct Level {
    std::string name;
    int devices = 1;        // in one domain of this level
    ByteRate bandwidth;     // each device's share per direction when all of them send across this level
    double efficiency = 1;  // achieved fraction of it in a large ring
    Seconds latency;        // per ring step or message
    // Messages beyond this size move at another rate from there on (caches left, another
    // protocol), of which `efficiency` is achieved too; a rate of zero: there is one alone.
    Bytes large_from;
    ByteRate large_bandwidth;
    // Rates of other operations over an all-reduce's: libraries differ between them on processors, hardly on GPUs.
    double gather_factor = 1, scatter_factor = 1, message_factor = 1;
    double exchange_factor = 1;  // likewise of tokens sent to experts and back
    // Short messages: a collective that crosses this level begins with `start`, and V bytes move at
    // rate / (1 + sqrt(half_size / V)).
    Seconds start;
    Bytes half_size;
    // Where the switch itself adds up: share of the rate that data reach on their way through it; 0: it does not.
    double switch_reduction = 0;
    double per_doubling = 0;  // each doubling of the domains joined here, beyond two, adds this share to a transfer
    // A torus: `bandwidth` is that of one axis, both ways, and there are so many; 0: any other network.
    int axes = 0;
    std::string topology;
    friend bool operator==(const Level&, const Level&) = default;
};

// The drives inside one node, all together unless said; no drives, no capacity.
struct Nvme {
    int drives = 0;
    Bytes capacity;
    ByteRate read, write;
    Bytes endurance;           // that may be written to one of them before it wears out (TBW); zero = not known
    friend bool operator==(const Nvme&, const Nvme&) = default;
};

struct Host {
    Bytes memory;              // per node
    ByteRate memory_bandwidth; // per node
    ByteRate link;             // host to device, per device and direction; zero = none
    // Time to issue a kernel over that of the hosts on which stacks were measured: slow cores issue slowly.
    double issue_factor = 1;
    double adam_rate = 0;      // parameters per second and node of Adam on the CPUs; zero = from the memory bandwidth
    Nvme nvme{};
    friend bool operator==(const Host&, const Host&) = default;
};

struct Power {
    Watts device_idle, device_max;
    // Share of (max - idle) drawn while the device computes, streams memory or waits on the network.
    double compute_weight = 0.85, memory_weight = 0.6, network_weight = 0.15;
    Watts host;                // per node: CPUs, memory, fans, under a GPU job
    Watts network;             // per node: NICs and its share of the switches
    double pue = 1.2;          // facility power over IT power
    friend bool operator==(const Power&, const Power&) = default;
};

// How often a node ends the job that runs on it, and what going on then takes.
struct Reliability {
    double failures_per_1000_node_days = 6.5;
    Seconds restart = 300 * second;  // notice, replace the node, start the processes; reloading comes on top
    friend bool operator==(const Reliability&, const Reliability&) = default;
};

// The file system checkpoints go to, as one job finds it.
struct Storage {
    ByteRate write = 100 * gigabyte / second, read = 100 * gigabyte / second;  // all nodes together
    ByteRate write_per_node = 2 * gigabyte / second;  // one node alone, reading likewise
    friend bool operator==(const Storage&, const Storage&) = default;
};

// How the site counts what a job costs: `units_per_node_hour` of `unit`, of whole nodes or of single devices.
struct Accounting {
    std::string unit = "node-hour";
    double units_per_node_hour = 1;
    bool by_device = false;  // a job may have, and is charged for, single devices of a node that others share
    friend bool operator==(const Accounting&, const Accounting&) = default;
};

// What an hour costs where one price is stated: the site's own, or the user's in a preset of theirs. It goes before the
// range of the market.
enum class PerHour { device_hour, node_hour };
struct HourPrice {
    double amount = 0;         // 0: none is stated
    PerHour per = PerHour::node_hour;
    std::string currency{};    // as people write it: "CHF"
    std::string as_of{};       // from when it holds
    friend bool operator==(const HourPrice&, const HourPrice&) = default;
};

struct QueueBin {
    int min_nodes = 1, max_nodes = 1;
    Seconds walltime;
    std::string queue{};  // as the site calls it; empty where it has one alone
    int running = 0;      // jobs of one user or project that are admitted at once; 0: not stated
    friend bool operator==(const QueueBin&, const QueueBin&) = default;
};

struct Scheduler {
    std::string kind, launcher;
    std::vector<QueueBin> bins;  // empty when the site publishes none
    SharedSiteJob job{};         // nothing where only the kind is known
    friend bool operator==(const Scheduler&, const Scheduler&) = default;
};

struct Machine {
    std::string id, name, site, status, as_of, note;
    std::vector<std::string> former_ids;  // that plans and published rows may still name it by
    Device device;
    int devices_per_node = 1;
    int nodes = 1;               // in the whole machine
    std::vector<Level> levels;   // innermost first; the last spans the machine
    Clusters clusters;           // in the order nodes are handed out; their nodes are the machine's where there are any
    Host host;
    Power power;
    Reliability reliability;
    Storage storage;
    Accounting accounting;
    Scheduler scheduler;
    std::optional<double> grid_gCO2e_per_kWh;
    std::optional<double> embodied_gCO2e_per_node_hour;  // of making the machine, where its operator publishes it
    std::optional<double> usd_per_device_hour_low, usd_per_device_hour_high;
    HourPrice price{};
    CalibrationRecord calibration;  // what of it was measured; empty in presets that were not
    Sources sources;
    long long devices() const { return 1LL * nodes * devices_per_node; }
    friend bool operator==(const Machine&, const Machine&) = default;
};

// By its id, or by one it had before; null if there is none.
const Machine* machine_named(const std::map<std::string, Machine>&, const std::string& id);
// Levels stay nested after a change of size: the outermost spans the machine, none is wider.
void span_levels(Machine&);
// Where there are clusters, the last of them takes the difference, down to one node.
void set_machine_nodes(Machine&, int nodes);
// Afterwards the machine's number of nodes is the sum over its clusters.
void set_cluster_nodes(Machine&, int cluster, int nodes);

}  // namespace plimsoll
