// Rows of the knob table: device, network, host, power, failures, storage.

#include "core/values/knobs/knob_rows.h"
#include "core/values/knobs/network_levels.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plimsoll::rows {

namespace {

constexpr auto device = &Machine::device;
constexpr auto efficiency = &Device::efficiency;
constexpr auto power = &Machine::power;

template <class M>
auto* level_at(M& m, int at) {
    return at < 0 || at >= std::ssize(m.levels) ? nullptr : &m.levels[std::size_t(at)];
}
template <class M>
auto* node_level(M& m) { return level_at(m, level_of_node(m)); }
template <class M>
auto* system_level(M& m) { return level_at(m, int(std::ssize(m.levels)) - 1); }

double rate(const Level* level) { return level ? level->bandwidth / GBps : 0; }
void set_rate(Level* level, double v) {
    if (level) level->bandwidth = v * GBps;
}

void set_installed_nodes(Scenario& s, double v) {
    set_machine_nodes(s.machine, static_cast<int>(v));
}

// Levels that ended with the node still do; those inside it are cut to it.
void set_devices_per_node(Scenario& s, double v) {
    Machine& m = s.machine;
    const int before = m.devices_per_node;
    m.devices_per_node = static_cast<int>(v);
    for (Level& l : m.levels)
        if (l.devices == before) l.devices = m.devices_per_node;
        else if (l.devices < before) l.devices = std::min(l.devices, m.devices_per_node);
    span_levels(m);
}

template <FlopRate Device::*Peak>
Knob peak(const char* id, const char* label) {
    return real<TFLOPS, machine, device, Peak>(
        id, label, "TFLOP/s", {0, 1e6, true}, "Dense peak of one device in this format; 0 where it has none");
}

std::string_view without_tf32(const Scenario& s) {
    return matrix_format(s.recipe) == NumberFormat::tf32 ? "" : "no products are in tf32";
}

void add_device(Table& t) {
    t.push_back(real<gibibyte, machine, device, &Device::memory>(
        "machine.device.memory_GiB", "Device memory", "GiB", {0.125, 1e5, true}, "Memory of one device"));
    t.push_back(real<GBps, machine, device, &Device::bandwidth>(
        "machine.device.bandwidth_GBps", "Memory bandwidth", "GB/s", {1, 1e6, true},
        "Of one device's memory, as the vendor states it"));
    t.push_back(peak<&Device::bf16>("machine.device.peak_TFLOPS.bf16", "bf16 peak"));
    t.push_back(peak<&Device::fp16>("machine.device.peak_TFLOPS.fp16", "fp16 peak"));
    t.push_back(peak<&Device::fp8>("machine.device.peak_TFLOPS.fp8", "fp8 peak"));
    t.push_back(peak<&Device::fp4>("machine.device.peak_TFLOPS.fp4", "fp4 peak"));
    t.push_back(idle_if(without_tf32, peak<&Device::tf32>("machine.device.peak_TFLOPS.tf32", "tf32 peak")));
    t.push_back(peak<&Device::fp32>("machine.device.peak_TFLOPS.fp32", "fp32 peak"));
}

template <double Efficiency::*Field>
Knob curve(const char* id, const char* label, Range range, const char* help) {
    return real<one, machine, device, efficiency, Field>(id, label, "", range, help);
}

std::string_view with_flash(const Scenario& s) {
    return s.stack.kernels.attention == Attention::flash ? "attention is fused" : "";
}
std::string_view without_16_bit(const Scenario& s) {
    return s.recipe.precision == Precision::fp32 ? "precision is fp32" : "";
}
std::string_view without_16_bit_experts(const Scenario& s) {
    const bool some_wide = s.model.wide.any() || std::ranges::any_of(s.model.kinds, &LayerKind::in_16_bits);
    if (s.recipe.precision == Precision::fp8 && !some_wide) return "precision is fp8";
    return without_experts(s);
}
std::string_view without_fp8_experts(const Scenario& s) {
    const std::string_view other = without_fp8(s);
    return other.empty() ? without_experts(s) : other;
}
std::string_view without_power_limit(const Scenario& s) {
    if (s.recipe.precision == Precision::fp32) return "precision is fp32";
    const Watts reference = s.machine.device.efficiency.reference_power;
    return reference > s.machine.power.device_max ? "" : "no less power than measured";
}
std::string_view without_measured_attention(const Scenario& s) {
    return measured_attention(s) ? "" : "no numbers of the stack's kernel";
}

void add_efficiency(Table& t) {
    t.push_back(curve<&Efficiency::gemm_ceiling>("machine.device.efficiency.gemm_ceiling", "GEMM ceiling", {0.01, 1},
                                                 "Share of peak a very large GEMM reaches"));
    t.push_back(curve<&Efficiency::gemm_half_depth>(
        "machine.device.efficiency.gemm_half_depth", "GEMM half depth", {0, 1e5},
        "Inner dimension at which half the rate is reached"));
    t.push_back(curve<&Efficiency::gemm_half_area>(
        "machine.device.efficiency.gemm_half_area", "GEMM half area", {0, 1e9},
        "Output elements at which half the rate is reached"));
    t.push_back(curve<&Efficiency::gemm_half_rows>(
        "machine.device.efficiency.gemm_half_rows", "GEMM half rows", {0, 1e5},
        "Rows (tokens) at which half the rate is reached"));
    t.push_back(curve<&Efficiency::stream_fraction>(
        "machine.device.efficiency.stream_fraction", "Stream fraction", {0.01, 1},
        "Share of the memory bandwidth a stream reaches"));
    t.push_back(real<microsecond, machine, device, efficiency, &Efficiency::kernel_floor>(
        "machine.device.efficiency.kernel_floor_us", "Shortest kernel", "us", {0, 1000}, "Time of an empty kernel"));
    t.push_back(idle_if(without_own_rates, curve<&Efficiency::flash_forward>(
        "machine.device.efficiency.flash_forward", "Fused attention, forward", {0.01, 1}, "Share of peak")));
    t.push_back(idle_if(without_own_rates, curve<&Efficiency::flash_backward>(
        "machine.device.efficiency.flash_backward", "Fused attention, backward", {0.01, 1}, "Share of peak")));
    t.push_back(idle_if(without_own_rates, curve<&Efficiency::flash_half_sequence>(
        "machine.device.efficiency.flash_half_sequence", "Fused attention half length", {0, 1e5},
        "Sequence length at which half the rate is reached")));
    t.push_back(idle_if(without_own_rates, curve<&Efficiency::flash_half_head>(
        "machine.device.efficiency.flash_half_head", "Fused attention half head", {0, 1e4},
        "Head dimension at which half the rate is reached")));
    t.push_back(idle_if(with_flash, curve<&Efficiency::softmax_traffic>(
        "machine.device.efficiency.softmax_traffic", "Softmax traffic", {0.1, 10},
        "Multiplies the bytes of materialised softmax")));
    t.push_back(idle_if(without_fp8, curve<&Efficiency::fp8_ceiling>(
        "machine.device.efficiency.fp8_ceiling", "fp8 ceiling", {0.01, 1},
        "Share of the fp8 peak a very large GEMM reaches, its inputs being fp8 already")));
    t.push_back(idle_if(without_fp8, curve<&Efficiency::fp8_half_depth>(
        "machine.device.efficiency.fp8_half_depth", "fp8 half depth", {0, 1e5},
        "Inner dimension at which half the fp8 rate is reached")));
    t.push_back(idle_if(without_fp8, curve<&Efficiency::fp8_half_area>(
        "machine.device.efficiency.fp8_half_area", "fp8 half area", {0, 1e9},
        "Output elements at which half the fp8 rate is reached")));
    t.push_back(idle_if(without_16_bit_experts, curve<&Efficiency::grouped_gemm>(
        "machine.device.efficiency.grouped_gemm", "Grouped GEMM share", {0.01, 1},
        "Products of several experts at once, as a share of the rate of one large product")));
    t.push_back(idle_if(without_fp8_experts, curve<&Efficiency::grouped_gemm_fp8>(
        "machine.device.efficiency.grouped_gemm_fp8", "Grouped GEMM share, fp8", {0.01, 1},
        "Products of several experts at once, as a share of the rate of one large product")));
    t.push_back(idle_if(without_experts, curve<&Efficiency::grouped_half_rows>(
        "machine.device.efficiency.grouped_half_rows", "Grouped GEMM half rows", {0, 1e5},
        "Rows of one expert at which half the rate is reached")));
    t.push_back(idle_if(without_experts, curve<&Efficiency::grouped_half_width>(
        "machine.device.efficiency.grouped_half_width", "Grouped GEMM half width", {0, 1e5},
        "Narrower width of an expert's weights at which half the rate is reached")));
    t.push_back(idle_if(without_experts, curve<&Efficiency::grouped_weight_gradient>(
        "machine.device.efficiency.grouped_weight_gradient", "Grouped weight gradients", {0.01, 1},
        "Rate of weight gradients against the other grouped products")));
    t.push_back(idle_if(without_16_bit, curve<&Efficiency::sustained>(
        "machine.device.efficiency.sustained", "Sustained share", {0.01, 1},
        "What 16-bit products keep, over a long run, of the rate of short bursts")));
    t.push_back(idle_if(without_fp8, curve<&Efficiency::sustained_fp8>(
        "machine.device.efficiency.sustained_fp8", "Sustained share, fp8", {0.01, 1},
        "What fp8 products keep, over a long run, of the rate of short bursts")));
    t.push_back(idle_if(without_measured_attention, curve<&Efficiency::sustained_attention>(
        "machine.device.efficiency.sustained_attention", "Sustained share, attention", {0.01, 1},
        "What a measured attention kernel as fast as large products keeps, over a long run, of the rate of short "
        "bursts; slower kernels draw less power and lose less in proportion")));
    t.push_back(real<watt, machine, device, efficiency, &Efficiency::reference_power>(
        "machine.device.efficiency.reference_power_W", "Reference power", "W", {0, 1e6},
        "Power at which the rates hold; a board with less reaches (its power / this) to the exponent below; 0: its "
        "power costs nothing"));
    t.push_back(idle_if(without_power_limit, curve<&Efficiency::power_exponent>(
        "machine.device.efficiency.power_exponent", "Power exponent", {0, 3},
        "How the rates of products and attention fall with the power of the board")));
}

// Rows of the attention kernels that a device may have numbers of; they matter where the stack calls that kernel.
template <AttentionKernel Kernel>
std::string_view without_kernel(const Scenario& s) {
    if (s.stack.kernels.attention != Attention::flash) return "attention is not fused";
    if (called_kernel(s) != Kernel) return "the stack calls another kernel";
    return s.recipe.precision == Precision::fp32 ? "precision is fp32" : "";
}

template <AttentionKernel Kernel, double FusedAttention::*Field>
void add_kernel_row(Table& t, const char* field, const char* what, Range range, const char* help) {
    const std::string name(name_of(Kernel));
    Knob k = row(("machine.device.efficiency.attention." + name + "." + field).c_str(),
                 ("Attention " + name + ", " + what).c_str(), "", KnobKind::real, range, help);
    k.get = [](const Scenario& s) { return s.machine.device.efficiency.attention[std::size_t(Kernel)].*Field; };
    k.set = [](Scenario& s, double v) { s.machine.device.efficiency.attention[std::size_t(Kernel)].*Field = v; };
    t.push_back(idle_if(without_kernel<Kernel>, k));
}

template <AttentionKernel Kernel>
void add_kernel(Table& t) {
    add_kernel_row<Kernel, &FusedAttention::forward>(
        t, "forward", "forward", {0, 1}, "Share of the 16-bit peak over an endless sequence; 0: not measured here");
    add_kernel_row<Kernel, &FusedAttention::backward>(
        t, "backward", "backward", {0, 1}, "Share of the 16-bit peak over an endless sequence; 0: not measured here");
    add_kernel_row<Kernel, &FusedAttention::half_forward>(
        t, "half_forward", "half length forward", {0, 1e5}, "Length of a causal sequence at half the rate, tokens");
    add_kernel_row<Kernel, &FusedAttention::half_backward>(
        t, "half_backward", "half length backward", {0, 1e5}, "Length of a causal sequence at half the rate, tokens");
}

template <std::size_t... At>
void add_attention_kernels(Table& t, std::index_sequence<At...>) {
    (add_kernel<AttentionKernel(At + 1)>(t), ...);   // generic has no row of its own
}

// Rows of fp8 products by the kind of their scales; they matter where the recipe has such scales.
template <Fp8Recipe Scales>
std::string_view without_scales(const Scenario& s) {
    if (s.recipe.precision != Precision::fp8) return "precision is not fp8";
    return s.recipe.fp8_recipe == Scales ? "" : "products have other scales";
}

template <Fp8Recipe Scales, double ProductSurface::*Field>
void add_scaled_row(Table& t, const char* field, const char* what, Range range, const char* help) {
    const std::string name(name_of(Scales));
    Knob k = row(("machine.device.efficiency.fp8_scaled." + name + "." + field).c_str(),
                 ("fp8 " + name + ", " + what).c_str(), "", KnobKind::real, range, help);
    k.get = [](const Scenario& s) { return s.machine.device.efficiency.fp8_scaled[std::size_t(Scales)].*Field; };
    k.set = [](Scenario& s, double v) { s.machine.device.efficiency.fp8_scaled[std::size_t(Scales)].*Field = v; };
    t.push_back(idle_if(without_scales<Scales>, k));
}

template <Fp8Recipe Scales>
void add_scaled(Table& t) {
    add_scaled_row<Scales, &ProductSurface::ceiling>(
        t, "ceiling", "ceiling", {0, 1},
        "Share of the peak a very large GEMM reaches; 0: not measured here, as one scale a tensor");
    add_scaled_row<Scales, &ProductSurface::half_depth>(
        t, "half_depth", "half depth", {0, 1e5}, "Inner dimension at which half the rate is reached");
    add_scaled_row<Scales, &ProductSurface::half_area>(
        t, "half_area", "half area", {0, 1e9}, "Output elements at which half the rate is reached");
}

void add_fp8_scales(Table& t) {
    add_scaled<Fp8Recipe::rowwise>(t);
    add_scaled<Fp8Recipe::blockwise>(t);
    add_scaled<Fp8Recipe::mxfp8>(t);
    add_scaled<Fp8Recipe::nvfp4>(t);
}

// Of the level of one node, and of all levels beyond it together.
template <auto Level::*Field, const auto& Unit>
void add_level_pair(Table& t, Knob node, Knob system) {
    node.get = [](const Scenario& s) { return node_level(s.machine) ? node_level(s.machine)->*Field / Unit : 0; };
    node.set = [](Scenario& s, double v) {
        if (Level* level = node_level(s.machine)) level->*Field = v * Unit;
    };
    system.get = [](const Scenario& s) { return system_level(s.machine) ? system_level(s.machine)->*Field / Unit : 0; };
    system.set = [](Scenario& s, double v) {
        for (Level& l : s.machine.levels)
            if (l.devices > node_level(s.machine)->devices || &l == system_level(s.machine)) l.*Field = v * Unit;
    };
    t.push_back(node);
    t.push_back(system);
}

template <int At>
std::string_view without_level(const Scenario& s) {
    if (At >= std::ssize(s.machine.levels)) return "no such level";
    return reaches(s, At) ? "" : "job lies inside a smaller level";
}

template <int At, auto Level::*Field, const auto& Unit>
void add_level_row(Table& t, std::string_view key, const char* what, const char* unit, Range range, const char* help) {
    const std::string label = "Network level " + std::to_string(At + 1) + ", " + what;
    Knob k = row(id_of_level(At, key).c_str(), label.c_str(), unit, KnobKind::real, range, help);
    k.get = [](const Scenario& s) {
        const Level* level = level_at(s.machine, At);
        return level ? level->*Field / Unit : 0;
    };
    k.set = [](Scenario& s, double v) {
        if (Level* level = level_at(s.machine, At)) level->*Field = v * Unit;
    };
    t.push_back(At == 0 ? k : idle_if(without_level<At>, k));
}

template <int At>
void add_level(Table& t) {
    add_level_row<At, &Level::bandwidth, GBps>(t, "bandwidth_GBps", "bandwidth", "GB/s", {0.01, 1e5, true},
                                               "Each device's share per direction when all send across this level");
    add_level_row<At, &Level::efficiency, one>(t, "efficiency", "share reached", "", {0.01, 1},
                                               "Of its bandwidth, by a large ring");
    add_level_row<At, &Level::latency, microsecond>(t, "latency_us", "latency", "us", {0, 1e5},
                                                    "Per step of a ring or message");
}

template <int... At>
void add_levels(Table& t, std::integer_sequence<int, At...>) {
    (add_level<At>(t), ...);
}

std::string_view with_whole_nodes(const Scenario& s) {
    return s.layout.devices % s.machine.devices_per_node == 0 ? "the plan fills its nodes" : "";
}

void add_network(Table& t) {
    t.push_back(keeping(count<machine, &Machine::nodes>(
        "machine.nodes", "Machine size", "nodes", {1, 1e6, by_factors, ranges::nodes},
        "Nodes of the whole machine"), set_installed_nodes));
    t.push_back(keeping(count<machine, &Machine::devices_per_node>(
        "machine.devices_per_node", "Devices per node", "devices", all_of(ranges::devices_per_node, by_factors),
        "What a launcher counts. Megatron: --nproc_per_node"), set_devices_per_node));
    t.push_back(idle_if(with_whole_nodes, flag<machine, &Machine::accounting, &Accounting::by_device>(
        "machine.accounting.by_device", "Charged by device",
        "Single devices of a node are let: charges, hosts and network count by the share of the node that a plan uses. "
        "Otherwise whole nodes are held and charged. Slurm: --gres with a shared partition, against --exclusive")));
    add_levels(t, std::make_integer_sequence<int, most_level_inputs>{});
}

void add_host(Table& t) {
    t.push_back(real<gibibyte, machine, host, &Host::memory>(
        "machine.host.memory_GiB", "Host memory", "GiB", {0, 1e6, true}, "Per node"));
    t.push_back(real<GBps, machine, host, &Host::memory_bandwidth>(
        "machine.host.memory_bandwidth_GBps", "Host memory bandwidth", "GB/s", {0, 1e5, true}, "Per node"));
    t.push_back(real<GBps, machine, host, &Host::link>(
        "machine.host.link_GBps", "Host link", "GB/s", {0, 1e5, true}, "Per device and direction; 0 without"));
    t.push_back(real<one, machine, host, &Host::issue_factor>(
        "machine.host.issue_factor", "Host issue time", "", {0.1, 10},
        "Time to issue a kernel over that of the hosts on which stacks were measured"));
}

template <Watts Power::*Field>
Knob watts(const char* id, const char* label, const char* help) {
    return real<watt, machine, power, Field>(id, label, "W", {0, 1e6}, help);
}

template <double Power::*Field>
Knob weight(const char* id, const char* label, const char* help) {
    return real<one, machine, power, Field>(id, label, "", {0, 1}, help);
}

void add_power(Table& t) {
    t.push_back(watts<&Power::device_idle>("machine.power.device_idle_W", "Device idle power", "Of one device"));
    t.push_back(watts<&Power::device_max>("machine.power.device_max_W", "Device power limit", "Of one device (TDP)"));
    t.push_back(weight<&Power::compute_weight>(
        "machine.power.compute_weight", "Power weight, compute", "Share of (max - idle) drawn in matrix products"));
    t.push_back(weight<&Power::memory_weight>(
        "machine.power.memory_weight", "Power weight, memory", "Share of (max - idle) drawn while streaming memory"));
    t.push_back(weight<&Power::network_weight>(
        "machine.power.network_weight", "Power weight, waiting", "Share of (max - idle) drawn while waiting"));
    t.push_back(watts<&Power::host>("machine.power.host_W", "Host power", "Per node: CPUs, memory, fans"));
    t.push_back(
        watts<&Power::network>("machine.power.network_W", "Network power", "Per node: NICs, share of switches"));
    t.push_back(real<one, machine, power, &Power::pue>(
        "machine.power.pue", "PUE", "", {1, 5}, "Facility power over IT power"));
}

constexpr double fewest_failures = 1e-4, most_failures = 1e6;  // per 1,000 node-days, as in files

double hours_between_failures(const Scenario& s) {
    return 24e3 / (nodes_used(s) * s.machine.reliability.failures_per_1000_node_days);
}

// The same value again leaves the rate as it was, to the last digit.
void set_hours_between_failures(Scenario& s, double v) {
    if (v == hours_between_failures(s)) return;
    s.machine.reliability.failures_per_1000_node_days =
        std::clamp(24e3 / (nodes_used(s) * v), fewest_failures, most_failures);
}

void add_reliability(Table& t) {
    constexpr auto reliability = &Machine::reliability;
    t.push_back(real<one, machine, reliability, &Reliability::failures_per_1000_node_days>(
        "machine.reliability.failures_per_1000_node_days", "Failure rate", "per 1,000 node-days",
        {fewest_failures, most_failures, true}, "Failures that end the job, per thousand nodes and day"));
    Knob mtbf = row("machine.reliability.job_mtbf_h", "Time between failures", "h", KnobKind::real, {0.1, 1e5, true},
                    "Mean time between failures of this job on its nodes, M. Turning it changes the failure rate");
    mtbf.get = hours_between_failures;
    mtbf.set = set_hours_between_failures;
    t.push_back(mtbf);
    t.push_back(real<second, machine, reliability, &Reliability::restart>(
        "machine.reliability.restart_s", "Restart", "s", {0, 1e6},
        "After a failure: notice it, replace the node, start the processes. Loading the checkpoint comes on top"));
}

void add_storage(Table& t) {
    constexpr auto storage = &Machine::storage;
    t.push_back(real<GBps, machine, storage, &Storage::write>(
        "machine.storage.write_GBps", "File system, writing", "GB/s", {1e-3, 1e6, true}, "All nodes together"));
    t.push_back(real<GBps, machine, storage, &Storage::read>(
        "machine.storage.read_GBps", "File system, reading", "GB/s", {1e-3, 1e6, true}, "All nodes together"));
    t.push_back(real<GBps, machine, storage, &Storage::write_per_node>(
        "machine.storage.write_GBps_per_node", "File system, one node", "GB/s", {1e-3, 1e5, true},
        "What one node alone writes or reads"));
}

}  // namespace

// Names of before each level had rows of its own.
void add_former(Table& t) {
    Knob node = row("machine.network.node_GBps", "Network inside a node", "GB/s", KnobKind::real, {0.01, 1e5, true},
                    "Each device's share per direction inside its node");
    node.get = [](const Scenario& s) { return rate(node_level(s.machine)); };
    node.set = [](Scenario& s, double v) { set_rate(node_level(s.machine), v); };
    t.push_back(node);
    Knob system = row("machine.network.system_GBps", "Network between nodes", "GB/s", KnobKind::real,
                      {0.01, 1e5, true}, "Each device's share per direction across the whole machine");
    system.get = [](const Scenario& s) { return rate(system_level(s.machine)); };
    system.set = [](Scenario& s, double v) { set_rate(system_level(s.machine), v); };
    t.push_back(system);
    add_level_pair<&Level::efficiency, one>(
        t,
        row("machine.network.node_efficiency", "Share reached inside a node", "", KnobKind::real, {0.01, 1},
            "Of its bandwidth, by a large ring"),
        row("machine.network.system_efficiency", "Share reached between nodes", "", KnobKind::real, {0.01, 1},
            "Of the bandwidth of every level beyond the node, by a large ring"));
    add_level_pair<&Level::latency, microsecond>(
        t,
        row("machine.network.node_latency_us", "Latency inside a node", "us", KnobKind::real, {0, 1000},
            "Per step of a ring or message"),
        row("machine.network.system_latency_us", "Latency between nodes", "us", KnobKind::real, {0, 1e5},
            "Per step of a ring or message, at every level beyond the node"));
}

void add_machine(Table& t) {
    under("Device", t, add_device);
    under("Efficiency of kernels", t, add_efficiency);
    under("Attention kernels", t,
          [](Table& rows) { add_attention_kernels(rows, std::make_index_sequence<attention_kernels - 1>{}); });
    under("Scales of fp8 products", t, add_fp8_scales);
    under("Nodes and network", t, add_network);
    under("Host", t, add_host);
    under("Drives and updates of the host", t, add_host_tiers);
    under("Power", t, add_power);
    under("Failures", t, add_reliability);
    under("File system", t, add_storage);
}

// Rows of the knob table: clusters of a machine.

namespace {

template <int At>
std::string_view without_cluster(const Scenario& s) {
    return s.machine.clusters[At].nodes > 0 ? "" : "no such cluster";
}

template <int At, auto Field, const auto& Unit>
double get(const Scenario& s) { return s.machine.clusters[At].*Field / Unit; }
template <int At, auto Field, const auto& Unit>
void set(Scenario& s, double v) { s.machine.clusters[At].*Field = v * Unit; }

std::string id_of(int at, const char* field) { return "machine.clusters." + std::to_string(at) + '.' + field; }
std::string label_of(int at, const char* what) { return "Cluster " + std::to_string(at + 1) + ", " + what; }

template <int At, auto Field, const auto& Unit>
Knob figure(const char* field, const char* what, const char* unit, Range range, const char* help) {
    Knob k = row(id_of(At, field).c_str(), label_of(At, what).c_str(), unit, KnobKind::real, range, help);
    k.get = get<At, Field, Unit>;
    k.set = set<At, Field, Unit>;
    return idle_if(without_cluster<At>, k);
}

template <int At>
void add_cluster(Table& t) {
    Knob nodes =
        row(id_of(At, "nodes").c_str(), label_of(At, "nodes").c_str(), "nodes", KnobKind::integer, {0, 1e6, true},
            "Nodes that share a network of their own; 0 without. The machine has the nodes of all its clusters");
    nodes.get = [](const Scenario& s) { return double(s.machine.clusters[At].nodes); };
    nodes.set = [](Scenario& s, double v) { set_cluster_nodes(s.machine, At, static_cast<int>(v)); };
    t.push_back(nodes);
    Knob nic = row(id_of(At, "nic").c_str(), label_of(At, "network cards").c_str(), "", KnobKind::choice, {0, 0},
                   "Family: remote memory access works inside one only, TCP is what several have in common");
    for (const auto& name : names_of<Nic>()) nic.choices.emplace_back(name);
    nic.high = static_cast<double>(nic.choices.size()) - 1;
    nic.get = [](const Scenario& s) { return double(s.machine.clusters[At].nic); };
    nic.set = [](Scenario& s, double v) { s.machine.clusters[At].nic = static_cast<Nic>(static_cast<int>(v)); };
    t.push_back(idle_if(without_cluster<At>, nic));
    t.push_back(figure<At, &Cluster::bandwidth, GBps>("bandwidth_GBps", "bandwidth", "GB/s", {0.001, 1e5, true},
        "Each device's share per direction between the cluster's nodes when all of them send"));
    t.push_back(figure<At, &Cluster::efficiency, one>("efficiency", "achieved bandwidth", "", {0.001, 1},
                                                      "Share a large ring reaches"));
    t.push_back(figure<At, &Cluster::latency, microsecond>("latency_us", "latency", "us", {0, 1e6},
                                                           "Per ring step or message"));
    t.push_back(figure<At, &Cluster::speed, one>("speed", "speed of devices", "", {0.001, 1000, true},
        "Against the machine's device: multiplies its arithmetic and its memory bandwidth"));
    t.push_back(figure<At, &Cluster::measured, TFLOPS>("measured_TFLOPS", "measured rate", "TFLOP/s", {0, 1e6},
        "What a run on this cluster alone reached per device, r, to split layers by; 0 where not measured"));
}

template <int... At>
void add_all(Table& t, std::integer_sequence<int, At...>) {
    (add_cluster<At>(t), ...);
}

}  // namespace

void add_clusters(Table& t) {
    under("Clusters", t, [](Table& rows) { add_all(rows, std::make_integer_sequence<int, most_clusters>{}); });
}

}  // namespace plimsoll::rows
