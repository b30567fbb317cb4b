#include "core/files/presets/calibration_json.h"
#include "core/files/presets/site_job_json.h"
#include "core/files/text/part.h"

#include <algorithm>
#include <limits>

namespace plimsoll::files {
namespace {

constexpr double most_devices = std::numeric_limits<int>::max();
constexpr NumberRange watts{0, 1e9};
constexpr NumberRange peak{0, 1e9};
constexpr NumberRange codec_speed{1e-6, 10};  // payload over memory bandwidth
constexpr NumberRange failures{1e-4, 1e6};  // nothing runs for ever: a rate of zero has no interval between failures

template <FlopRate Device::*Peak>
constexpr auto peak_row(std::string_view key) {
    return Field{key, Peak, Real<FlopRate>{TFLOPS, peak, true}};  // a format without a key is not supported
}

constexpr auto peak_fields = std::tuple{
    peak_row<&Device::fp32>("fp32"), peak_row<&Device::tf32>("tf32"), peak_row<&Device::fp16>("fp16"),
    peak_row<&Device::bf16>("bf16"), peak_row<&Device::fp8>("fp8"),
};

constexpr auto efficiency_fields = std::tuple{
    pure("gemm_ceiling", &Efficiency::gemm_ceiling, fraction),
    pure("gemm_half_depth", &Efficiency::gemm_half_depth, not_negative),
    pure("gemm_half_area", &Efficiency::gemm_half_area, not_negative),
    pure("gemm_half_rows", &Efficiency::gemm_half_rows, not_negative),
    pure("stream_fraction", &Efficiency::stream_fraction, fraction),
    real("kernel_floor_us", &Efficiency::kernel_floor, microsecond, {0, 1e9}),
    pure("flash_forward", &Efficiency::flash_forward, fraction),
    pure("flash_backward", &Efficiency::flash_backward, fraction),
    pure("flash_half_sequence", &Efficiency::flash_half_sequence, not_negative),
    pure("flash_half_head", &Efficiency::flash_half_head, not_negative),
    pure("softmax_traffic", &Efficiency::softmax_traffic, factor),
    pure("fp8_gain", &Efficiency::fp8_gain, factor),
    pure("fp8_half_factor", &Efficiency::fp8_half_factor, factor),
};
static_assert(members_in(efficiency_fields) == members_of<Efficiency>, "every member has a row");

constexpr auto codec_speed_fields = std::tuple{
    pure("encode", &CodecSpeed::encode, codec_speed).needed(),
    pure("decode", &CodecSpeed::decode, codec_speed).needed(),
};
static_assert(members_in(codec_speed_fields) == members_of<CodecSpeed>, "every member has a row");

constexpr auto codec_speeds_fields = std::tuple{
    nested("lossless", &CodecSpeeds::lossless, codec_speed_fields),
    nested("zfp", &CodecSpeeds::zfp, codec_speed_fields),
    nested("fp8", &CodecSpeeds::fp8, codec_speed_fields),
    nested("top_k", &CodecSpeeds::top_k, codec_speed_fields),
};
static_assert(members_in(codec_speeds_fields) == members_of<CodecSpeeds>, "every member has a row");

constexpr auto device_fields = std::tuple{
    text("name", &Device::name).needed(),
    text("package", &Device::package),
    whole("per_package", &Device::per_package, {1, 1024}),
    real("memory_GiB", &Device::memory, gibibyte, positive).needed(),
    real("bandwidth_GBps", &Device::bandwidth, GBps, positive).needed(),
    FieldGroup{"peak_TFLOPS", peak_fields},
    nested("efficiency", &Device::efficiency, efficiency_fields),
    nested("codecs", &Device::codecs, codec_speeds_fields),
};
static_assert(members_in(device_fields) == members_of<Device>, "every member has a row");

constexpr auto level_fields = std::tuple{
    text("name", &Level::name).needed(),
    whole("devices", &Level::devices, {1, most_devices}).needed(),
    real("bandwidth_GBps", &Level::bandwidth, GBps, positive).needed(),
    pure("efficiency", &Level::efficiency, fraction),
    real("latency_us", &Level::latency, microsecond, {0, 1e9}),
    real("large_from_MB", &Level::large_from, megabyte, not_negative),
    real("large_bandwidth_GBps", &Level::large_bandwidth, GBps, not_negative),
    pure("gather_factor", &Level::gather_factor, factor),
    pure("scatter_factor", &Level::scatter_factor, factor),
    pure("message_factor", &Level::message_factor, factor),
    text("topology", &Level::topology),
};
static_assert(members_in(level_fields) == members_of<Level>, "every member has a row");

constexpr auto nvme_fields = std::tuple{
    whole("drives", &Nvme::drives, {0, 256}),
    real("capacity_TB", &Nvme::capacity, terabyte, not_negative),
    real("drives_read_GBps", &Nvme::read, GBps, not_negative),
    real("drives_write_GBps", &Nvme::write, GBps, not_negative),
    Field{"drive_endurance_PB", &Nvme::endurance, Real<Bytes>{1e3 * terabyte, not_negative, true}},
};
static_assert(members_in(nvme_fields) == members_of<Nvme>, "every member has a row");
constexpr auto cluster_fields = std::tuple{
    whole("nodes", &Cluster::nodes, {0, 1e7}).needed(),
    choice("nic", &Cluster::nic).needed(),
    real("bandwidth_GBps", &Cluster::bandwidth, GBps, positive).needed(),
    pure("efficiency", &Cluster::efficiency, fraction),
    real("latency_us", &Cluster::latency, microsecond, {0, 1e9}),
    pure("speed", &Cluster::speed, factor),
    Field{"measured_TFLOPS", &Cluster::measured, Real<FlopRate>{TFLOPS, peak, true}},
};
static_assert(members_in(cluster_fields) == members_of<Cluster>, "every member has a row");

// Only as many as the machine has; clusters that do not exist stand at the end.
struct ClusterList {
    std::optional<Clusters> read(const Reader& at) const {
        if (!at.array(most_clusters)) return std::nullopt;
        Clusters all;
        int i = 0;
        for (const Reader& element : at.elements()) read_fields(cluster_fields, element, all[i++]);
        return all;
    }
    OrderedJson write(const Clusters& all) const {
        int count = most_clusters;
        while (count > 0 && all[count - 1] == Cluster{}) --count;
        OrderedJson list;
        for (int i = 0; i < count; ++i) list.push_back(write_fields(cluster_fields, all[i]));
        return list;  // null, and left out, where there are none
    }
    std::string expected() const { return "a list of at most " + std::to_string(most_clusters) + " clusters"; }
};

constexpr auto host_fields = std::tuple{
    real("memory_GiB", &Host::memory, gibibyte, not_negative),
    real("memory_bandwidth_GBps", &Host::memory_bandwidth, GBps, not_negative),
    real("link_GBps", &Host::link, GBps, not_negative),
    Field{"adam_Gparameters_per_s", &Host::adam_rate, Real<double>{1e9, not_negative, true}},
    feature("nvme", &Host::nvme, nvme_fields),
};
static_assert(members_in(host_fields) == members_of<Host>, "every member has a row");

constexpr auto power_fields = std::tuple{
    real("device_idle_W", &Power::device_idle, watt, watts).needed(),
    real("device_max_W", &Power::device_max, watt, watts).needed(),
    pure("compute_weight", &Power::compute_weight, share),
    pure("memory_weight", &Power::memory_weight, share),
    pure("network_weight", &Power::network_weight, share),
    real("host_W", &Power::host, watt, watts),
    real("network_W", &Power::network, watt, watts),
    pure("pue", &Power::pue, {1, 10}),
};
static_assert(members_in(power_fields) == members_of<Power>, "every member has a row");

constexpr auto reliability_fields = std::tuple{
    pure("failures_per_1000_node_days", &Reliability::failures_per_1000_node_days, failures),
    real("restart_s", &Reliability::restart, second, {0, 1e7}),
};
static_assert(members_in(reliability_fields) == members_of<Reliability>, "every member has a row");

constexpr auto storage_fields = std::tuple{
    real("write_GBps", &Storage::write, GBps, positive),
    real("read_GBps", &Storage::read, GBps, positive),
    real("write_GBps_per_node", &Storage::write_per_node, GBps, positive),
};
static_assert(members_in(storage_fields) == members_of<Storage>, "every member has a row");

constexpr auto accounting_fields = std::tuple{
    Field{"unit", &Accounting::unit, Text{true}},
    pure("units_per_node_hour", &Accounting::units_per_node_hour, not_negative),
};
static_assert(members_in(accounting_fields) == members_of<Accounting>, "every member has a row");

constexpr auto bin_fields = std::tuple{
    whole("min_nodes", &QueueBin::min_nodes, {1, 1e7}).needed(),
    whole("max_nodes", &QueueBin::max_nodes, {1, 1e7}).needed(),
    real("walltime_h", &QueueBin::walltime, hour, positive).needed(),
};
static_assert(members_in(bin_fields) == members_of<QueueBin>, "every member has a row");

constexpr auto scheduler_fields = std::tuple{
    text("kind", &Scheduler::kind),
    text("launcher", &Scheduler::launcher),
    list("bins", &Scheduler::bins, bin_fields, 100),
    Field{"job", &Scheduler::job, SiteJobCodec{}},
};
static_assert(members_in(scheduler_fields) == members_of<Scheduler>, "every member has a row");

constexpr auto machine_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/machine")},
    FixedField{"version", preset_version},
    text("id", &Machine::id),
    text("name", &Machine::name),
    text("site", &Machine::site),
    text("status", &Machine::status),
    text("as_of", &Machine::as_of),
    text("note", &Machine::note),
    nested("device", &Machine::device, device_fields).needed(),
    whole("devices_per_node", &Machine::devices_per_node, {1, 1024}).needed(),
    whole("nodes", &Machine::nodes, {1, 1e7}).needed(),
    list("levels", &Machine::levels, level_fields, 16).needed(),
    Field{"clusters", &Machine::clusters, ClusterList{}},
    nested("host", &Machine::host, host_fields),
    nested("power", &Machine::power, power_fields).needed(),
    nested("reliability", &Machine::reliability, reliability_fields),
    nested("storage", &Machine::storage, storage_fields),
    nested("accounting", &Machine::accounting, accounting_fields),
    nested("scheduler", &Machine::scheduler, scheduler_fields),
    optional("grid_gCO2e_per_kWh", &Machine::grid_gCO2e_per_kWh, not_negative),
    optional("usd_per_device_hour_low", &Machine::usd_per_device_hour_low, not_negative),
    optional("usd_per_device_hour_high", &Machine::usd_per_device_hour_high, not_negative),
    Field{"calibration", &Machine::calibration, CalibrationField{}},
    sources("sources", &Machine::sources),
};
static_assert(members_in(machine_fields) == members_of<Machine>, "every member has a row");

std::string level_path(std::size_t i) { return "levels/" + std::to_string(i) + "/devices"; }

void check_size(const Reader& at, const Machine& m) {
    if (m.devices() > most_devices)
        at.error("nodes", "found " + std::to_string(m.nodes) + ", expected nodes x devices_per_node to be at most " +
                              std::to_string(static_cast<long long>(most_devices)));
}

// Each level holds whole domains of the one before; the last may be cut off by the machine's edge.
void check_nesting(const Reader& at, const Machine& m) {
    for (std::size_t i = 1; i < m.levels.size(); ++i) {
        const int inner = m.levels[i - 1].devices, outer = m.levels[i].devices;
        const bool last = i + 1 == m.levels.size();
        if (outer < inner || (!last && outer % inner != 0))
            at.conflict(level_path(i), "found " + std::to_string(outer) + ", expected " +
                                           (last ? "at least " : "a multiple of ") + std::to_string(inner) +
                                           ", the devices of the level before");
    }
}

void check_span(const Reader& at, const Machine& m) {
    const auto all = std::to_string(m.devices());
    if (m.levels.empty()) {
        if (m.devices() > 1) at.conflict("levels", "found none, expected a last level of " + all + " devices");
        return;
    }
    if (m.levels.back().devices != m.devices())
        at.conflict(level_path(m.levels.size() - 1), "found " + std::to_string(m.levels.back().devices) +
                                                         ", expected nodes x devices_per_node = " + all);
    const auto is_node = [&](const Level& l) { return l.devices == m.devices_per_node; };
    if (m.devices_per_node > 1 && std::none_of(m.levels.begin(), m.levels.end(), is_node))
        at.conflict("levels", "expected a level of " + std::to_string(m.devices_per_node) + " devices, one node");
}

void check_clusters(const Reader& at, const Machine& m) {
    const long long nodes = nodes_of(m.clusters);
    if (any_cluster(m.clusters) && nodes != m.nodes)
        at.conflict("clusters", "found " + std::to_string(nodes) + " nodes, expected the machine's " + std::to_string(m.nodes));
}

void check_device(const Reader& at, const Machine& m) {
    const Device& d = m.device;
    const FlopRate none{};
    if (max(max(max(d.fp32, d.tf32), max(d.fp16, d.bf16)), d.fp8) == none)
        at.conflict("device/peak_TFLOPS", "expected at least one of fp32, tf32, fp16, bf16, fp8 above 0");
    if (m.power.device_max < m.power.device_idle)
        at.conflict("power/device_max_W", "expected at least device_idle_W");
}

void check_ranges(const Reader& at, const Machine& m) {
    if (m.usd_per_device_hour_low && m.usd_per_device_hour_high &&
        *m.usd_per_device_hour_low > *m.usd_per_device_hour_high)
        at.conflict("usd_per_device_hour_high", "expected at least usd_per_device_hour_low");
    for (std::size_t i = 0; i < m.scheduler.bins.size(); ++i)
        if (m.scheduler.bins[i].min_nodes > m.scheduler.bins[i].max_nodes)
            at.conflict("scheduler/bins/" + std::to_string(i) + "/max_nodes", "expected at least min_nodes");
}

}  // namespace

template <> std::string_view schema_of<Machine>() { return "plimsoll/machine"; }

void read_part(const Reader& at, Machine& m) {
    const auto errors = at.findings().errors();
    read_fields(machine_fields, at, m);
    if (at.findings().errors() != errors) return;
    check_size(at, m);
    check_nesting(at, m);
    check_span(at, m);
    check_clusters(at, m);
    check_device(at, m);
    check_ranges(at, m);
}

OrderedJson write_part(const Machine& m) { return write_fields(machine_fields, m); }

}  // namespace plimsoll::files
