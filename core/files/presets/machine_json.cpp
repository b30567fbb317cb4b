#include "core/files/presets/parts.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/ranges.h"

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
constexpr auto peak_row(std::string_view key, std::string_view about) {
    return real<Peak>(key, TFLOPS, peak).left_out_by_default().schema_limits({smallest, 1e6}).about(about);
}

// A format without a key is not supported.
constexpr Table peak_fields{
    peak_row<&Device::fp32>("fp32", "Dense fp32 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::tf32>("tf32", "Dense tf32 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::fp16>("fp16", "Dense fp16 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::bf16>("bf16", "Dense bf16 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::fp8>("fp8", "Dense fp8 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::fp4>("fp4", "Dense fp4 peak, TFLOP/s; absent where unsupported"),
};

constexpr Table attention_fields{
    pure<&FusedAttention::forward>("forward", share).needed()
        .about("Share of the 16-bit peak over an endless causal sequence, heads of 128; 0: not measured"),
    pure<&FusedAttention::backward>("backward", share).needed().about("The same, backward"),
    pure<&FusedAttention::half_forward>("half_forward", not_negative)
        .schema_limits({0, 1e5}).needed().about("Length of a causal sequence at half the rate, tokens"),
    pure<&FusedAttention::half_backward>("half_backward", not_negative)
        .schema_limits({0, 1e5}).needed().about("The same, backward"),
};
static_assert(complete(attention_fields), "every member has a row");

constexpr Table surface_fields{
    pure<&ProductSurface::ceiling>("ceiling", share).needed()
        .about("Share of the peak a very large GEMM reaches; 0: not measured"),
    pure<&ProductSurface::half_depth>("half_depth", not_negative)
        .schema_limits({0, 1e5}).needed().about("Inner dimension at half the rate"),
    pure<&ProductSurface::half_area>("half_area", not_negative)
        .schema_limits({0, 1e9}).needed().about("Output elements at half the rate"),
};
static_assert(complete(surface_fields), "every member has a row");

// One object for each value of an enumeration from `First` on, by its name; those that are not measured are left out.
template <class Values, auto First, const auto& fields>
struct ByName : Object {
    using Key = decltype(First);
    static std::span<const std::string_view> keys() { return names_of<Key>().subspan(std::size_t(First)); }
    static OrderedJson schema(const Field& f) {
        SchemaObject object;
        for (const std::string_view key : keys()) object.add(key, object_schema(fields), f.item, false);
        return std::move(object).finished();
    }
    static void read(const Field&, const Reader& at, Values& values) {
        if (!at.object()) return;
        values = {};
        for (const std::string_view key : keys())
            if (const auto one = at.member(key)) read_fields(fields, *one, values[std::size_t(*from_name<Key>(key))]);
        at.warn_of_keys_beyond(keys());
    }
    static OrderedJson write(const Field&, const Values& values) {
        OrderedJson object;
        for (const std::string_view key : keys()) {
            const auto& one = values[std::size_t(*from_name<Key>(key))];
            if (one != typename Values::value_type{}) object[std::string(key)] = write_fields(fields, one);
        }
        return object;  // null, and left out, where nothing was measured
    }
};

// `generic` attention is what the flash_* rows describe; one scale a tensor what the fp8_* rows do.
using AttentionByKernel = ByName<AttentionTable, AttentionKernel::triton, attention_fields>;
using Fp8ByRecipe = ByName<Fp8Surfaces, Fp8Recipe::rowwise, surface_fields>;

constexpr Table efficiency_fields{
    pure<&Efficiency::gemm_ceiling>("gemm_ceiling", fraction).stated().about("Share of peak a very large GEMM reaches"),
    pure<&Efficiency::gemm_half_depth>("gemm_half_depth", not_negative)
        .schema_limits({0, 1e5}).stated().about("Inner dimension at half the rate"),
    pure<&Efficiency::gemm_half_area>("gemm_half_area", not_negative)
        .schema_limits({0, 1e9}).stated().about("Output elements at half the rate"),
    pure<&Efficiency::gemm_half_rows>("gemm_half_rows", not_negative)
        .schema_limits({0, 1e5}).about("Rows at half the rate; 0: none"),
    pure<&Efficiency::stream_fraction>("stream_fraction", fraction)
        .stated().about("Share of the memory bandwidth a stream reaches"),
    real<&Efficiency::kernel_floor>("kernel_floor_us", microsecond, {0, 1e9})
        .schema_limits({0, 1000}).stated().about("Shortest kernel, microseconds"),
    pure<&Efficiency::flash_forward>("flash_forward", fraction)
        .stated().about("Fused attention forward, share of peak"),
    pure<&Efficiency::flash_backward>("flash_backward", fraction)
        .stated().about("Fused attention backward, share of peak"),
    pure<&Efficiency::flash_half_sequence>("flash_half_sequence", not_negative)
        .schema_limits({0, 1e5}).stated().about("Sequence length at half the rate"),
    pure<&Efficiency::flash_half_head>("flash_half_head", not_negative)
        .schema_limits({0, 1e4}).stated().about("Head dimension at half the rate"),
    pure<&Efficiency::softmax_traffic>("softmax_traffic", factor)
        .schema_limits({0.1, 10}).stated().about("Multiplies the bytes of materialised softmax"),
    pure<&Efficiency::fp8_ceiling>("fp8_ceiling", fraction)
        .about("Share of the fp8 peak a very large GEMM reaches, its inputs being fp8 already"),
    pure<&Efficiency::fp8_half_depth>("fp8_half_depth", not_negative)
        .schema_limits({0, 1e5}).about("Inner dimension at half the fp8 rate"),
    pure<&Efficiency::fp8_half_area>("fp8_half_area", not_negative)
        .schema_limits({0, 1e9}).about("Output elements at half the fp8 rate"),
    row<Fp8ByRecipe, &Efficiency::fp8_scaled>("fp8_scaled")
        .each("Products with these scales")
        .about("The three of fp8 products whose rows or blocks have scales of their own; "
               "absent: as one scale a tensor"),
    pure<&Efficiency::grouped_gemm>("grouped_gemm", fraction)
        .about("Products of several experts at once: share of the rate of one large product"),
    pure<&Efficiency::grouped_gemm_fp8>("grouped_gemm_fp8", fraction).about("The same of fp8 products"),
    pure<&Efficiency::grouped_half_rows>("grouped_half_rows", not_negative)
        .schema_limits({0, 1e5}).about("Rows of one expert at half the rate"),
    pure<&Efficiency::grouped_half_width>("grouped_half_width", not_negative)
        .schema_limits({0, 1e5}).about("Narrower width of an expert's weights at half the rate"),
    pure<&Efficiency::grouped_weight_gradient>("grouped_weight_gradient", fraction)
        .about("Weight gradients of grouped products against the others"),
    pure<&Efficiency::sustained>("sustained", fraction)
        .about("Share of the rate of short bursts that 16-bit products keep over a long run"),
    pure<&Efficiency::sustained_fp8>("sustained_fp8", fraction).about("The same of fp8 products"),
    pure<&Efficiency::sustained_attention>("sustained_attention", fraction)
        .about("The same of the fused attention kernels under `attention`"),
    real<&Efficiency::reference_power>("reference_power_W", watt, watts)
        .schema_limits({0, 1e6})
        .about("Power at which the rates hold; a board with less reaches (device_max_W / this)^power_exponent of "
               "them. 0 or absent: its power costs nothing"),
    pure<&Efficiency::power_exponent>("power_exponent", {0, 3}).about("See reference_power_W"),
    row<AttentionByKernel, &Efficiency::attention>("attention")
        .each("This kernel on this device")
        .about("Fused attention kernels that were measured on this device"),
};
static_assert(complete(efficiency_fields), "every member has a row");

constexpr Table codec_speed_fields{
    pure<&CodecSpeed::encode>("encode", codec_speed).needed()
        .about("Payload per second over the memory bandwidth, encoding"),
    pure<&CodecSpeed::decode>("decode", codec_speed).needed()
        .about("Payload per second over the memory bandwidth, decoding"),
};
static_assert(complete(codec_speed_fields), "every member has a row");

constexpr Table codec_speeds_fields{
    nested<&CodecSpeeds::lossless>("lossless", codec_speed_fields).about("Lossless codecs such as MPC"),
    nested<&CodecSpeeds::zfp>("zfp", codec_speed_fields).about("zfp at a fixed rate"),
    nested<&CodecSpeeds::fp8>("fp8", codec_speed_fields).about("Cast to fp8 with a scale per block"),
    nested<&CodecSpeeds::top_k>("top_k", codec_speed_fields).about("Selection of the largest values"),
};
static_assert(complete(codec_speeds_fields), "every member has a row");

constexpr Table device_fields{
    text<&Device::name>("name").needed().not_empty().about("Device as its vendor calls it"),
    text<&Device::package>("package").not_empty().stated().about("What is soldered to the board"),
    whole<&Device::per_package>("per_package", {1, 1024})
        .schema_limits({1, 64}).stated().about("Devices in one package"),
    real<&Device::memory>("memory_GiB", gibibyte, positive)
        .schema_limits({smallest, 1e5}).needed().about("Memory of one device"),
    real<&Device::bandwidth>("bandwidth_GBps", GBps, positive).schema_limits({smallest, 1e6}).needed()
        .about("Memory bandwidth as the vendor states it"),
    group("peak_TFLOPS", peak_fields, 1).about("Dense peaks by number format"),
    nested<&Device::efficiency>("efficiency", efficiency_fields)
        .stated().about("How close the device comes to its peaks"),
    nested<&Device::codecs>("codecs", codec_speeds_fields)
        .about("How fast the device runs codecs of compressed communication; estimates where absent"),
};
static_assert(complete(device_fields), "every member has a row");

constexpr Table level_fields{
    text<&Level::name>("name").needed().not_empty().about("package, node, group, system ..."),
    whole<&Level::devices>("devices", {1, most_devices})
        .schema_limits({1, 1e8}).needed().about("Devices in one domain of this level"),
    real<&Level::bandwidth>("bandwidth_GBps", GBps, positive).schema_limits({smallest, 1e5}).needed()
        .about("Share of each device per direction when all send across this level"),
    pure<&Level::efficiency>("efficiency", fraction).stated().about("Share of it reached in a large ring"),
    real<&Level::latency>("latency_us", microsecond, {0, 1e9})
        .schema_limits({0, 1e5}).stated().about("Per ring step or message, microseconds"),
    real<&Level::large_from>("large_from_MB", megabyte, not_negative)
        .about("Messages move at the second rate beyond this size, MB"),
    real<&Level::large_bandwidth>("large_bandwidth_GBps", GBps, not_negative)
        .schema_limits({0, 1e5})
        .about("The second rate, share of each device as bandwidth_GBps; 0 or absent: there is one rate"),
    pure<&Level::gather_factor>("gather_factor", factor)
        .about("Rate of an all-gather over that of an all-reduce; absent: 1"),
    pure<&Level::scatter_factor>("scatter_factor", factor)
        .about("Rate of a reduce-scatter over that of an all-reduce; absent: 1"),
    pure<&Level::message_factor>("message_factor", factor)
        .about("Rate of a message between two ranks over that of an all-reduce; absent: 1"),
    pure<&Level::exchange_factor>("exchange_factor", factor)
        .about("Rate of tokens sent to experts and back over that of an all-reduce; absent: 1"),
    real<&Level::start>("start_us", microsecond, {0, 1e9})
        .schema_limits({0, 1e5}).about("What a collective that crosses this level begins with, microseconds"),
    real<&Level::half_size>("half_size_MB", megabyte, {0, 1e9})
        .schema_limits({0, 1e6}).about("V bytes of a rank move at the rate / (1 + sqrt(half size / V)), MB"),
    pure<&Level::switch_reduction>("switch_reduction", share)
        .about("The switch adds up: share of the rate that data reach through it; absent or 0: it does not"),
    pure<&Level::per_doubling>("per_doubling", {0, 10})
        .about("What each doubling of the domains joined here, beyond two, adds to a transfer, as a share of it"),
    whole<&Level::axes>("axes", {0, 8})
        .about("A torus of so many axes, of which bandwidth_GBps is one; absent or 0: another network"),
    text<&Level::topology>("topology").stated().about("In a few words"),
};
static_assert(complete(level_fields), "every member has a row");

constexpr Table nvme_fields{
    whole<&Nvme::drives>("drives", {0, 256}).stated().about("Per node"),
    real<&Nvme::capacity>("capacity_TB", terabyte, not_negative).schema_limits({0, 1e4}).stated().about("Per node"),
    real<&Nvme::read>("drives_read_GBps", GBps, not_negative).schema_limits({0, 1e4}).stated().about("Per node"),
    real<&Nvme::write>("drives_write_GBps", GBps, not_negative).schema_limits({0, 1e4}).stated().about("Per node"),
    real<&Nvme::endurance>("drive_endurance_PB", 1e3 * terabyte, not_negative)
        .left_out_by_default()
        .schema_limits({0, 1e6}).about("That may be written to one drive before it wears out; left out when not known"),
};
static_assert(complete(nvme_fields), "every member has a row");
constexpr Table cluster_fields{
    whole<&Cluster::nodes>("nodes", {0, 1e7}).needed().about("Nodes of the cluster; 0 where there is none"),
    choice<&Cluster::nic>("nic").needed().about("Family of network cards; remote memory access works inside one only"),
    real<&Cluster::bandwidth>("bandwidth_GBps", GBps, positive).schema_limits({smallest, 1e6}).needed()
        .about("Each device's share per direction between the cluster's nodes when all of them send"),
    pure<&Cluster::efficiency>("efficiency", fraction).about("Achieved fraction of it in a large ring"),
    real<&Cluster::latency>("latency_us", microsecond, {0, 1e9})
        .schema_limits({0, 1e6}).about("Per ring step or message"),
    pure<&Cluster::speed>("speed", factor).about("Of its devices, against the machine's device"),
    real<&Cluster::measured>("measured_TFLOPS", TFLOPS, peak)
        .left_out_by_default()
        .schema_limits({0, 1e6}).about("Per device, of a run on this cluster alone, to split layers by"),
};
static_assert(complete(cluster_fields), "every member has a row");

// Only as many as the machine has; clusters that do not exist stand at the end.
struct ClusterList {
    static OrderedJson schema(const Field&) { return list_schema(object_schema(cluster_fields), 0, most_clusters); }
    static std::string expected(const Field&) { return phrase("a list of at most {1} clusters", most_clusters); }
    static void read(const Field&, const Reader& at, Clusters& all) {
        if (!at.array(most_clusters)) return;
        all = {};
        int i = 0;
        for (const Reader& element : at.elements()) read_fields(cluster_fields, element, all[i++]);
    }
    static OrderedJson write(const Field&, const Clusters& all) {
        int count = most_clusters;
        while (count > 0 && all[count - 1] == Cluster{}) --count;
        OrderedJson list;
        for (int i = 0; i < count; ++i) list.push_back(write_fields(cluster_fields, all[i]));
        return list;  // null, and left out, where there are none
    }
};

constexpr Table host_fields{
    real<&Host::memory>("memory_GiB", gibibyte, not_negative).schema_limits({0, 1e6}).stated().about("Per node"),
    real<&Host::memory_bandwidth>("memory_bandwidth_GBps", GBps, not_negative)
        .schema_limits({0, 1e5}).stated().about("Per node"),
    real<&Host::link>("link_GBps", GBps, not_negative)
        .schema_limits({0, 1e5}).stated().about("Host to device, per device and direction; 0 for none"),
    pure<&Host::issue_factor>("issue_factor", factor)
        .schema_limits({0.1, 10})
        .about("Time to issue a kernel over that of the hosts on which stacks were measured"),
    real<&Host::adam_rate>("adam_Gparameters_per_s", 1e9, not_negative)
        .left_out_by_default().schema_limits({0, 1000})
        .about("Adam on the CPUs of a node, billion parameters a second; left out, from the memory bandwidth"),
    feature<&Host::nvme>("nvme", nvme_fields).about("Drives inside one node, all together; left out, none"),
};
static_assert(complete(host_fields), "every member has a row");

constexpr Table power_fields{
    real<&Power::device_idle>("device_idle_W", watt, watts).schema_limits({0, 1e6}).needed().about("Of one device"),
    real<&Power::device_max>("device_max_W", watt, watts).schema_limits({0, 1e6}).needed().about("Of one device"),
    pure<&Power::compute_weight>("compute_weight", share)
        .stated().about("Share of (max - idle) drawn in matrix products"),
    pure<&Power::memory_weight>("memory_weight", share).stated().about("Share drawn while streaming memory"),
    pure<&Power::network_weight>("network_weight", share).stated().about("Share drawn while waiting"),
    real<&Power::host>("host_W", watt, watts).schema_limits({0, 1e6}).stated().about("Per node: CPUs, memory, fans"),
    real<&Power::network>("network_W", watt, watts)
        .schema_limits({0, 1e6}).stated().about("Per node: NICs and their share of the switches"),
    pure<&Power::pue>("pue", {1, 10}).schema_limits({1, 5}).stated().about("Facility power over IT power"),
};
static_assert(complete(power_fields), "every member has a row");

constexpr Table reliability_fields{
    pure<&Reliability::failures_per_1000_node_days>("failures_per_1000_node_days", failures)
        .stated().about("Failures that end a job, per thousand nodes and day"),
    real<&Reliability::restart>("restart_s", second, {0, 1e7})
        .stated().about("From the failure to running processes, without loading the checkpoint"),
};
static_assert(complete(reliability_fields), "every member has a row");

constexpr Table storage_fields{
    real<&Storage::write>("write_GBps", GBps, positive)
        .schema_limits({smallest, 1e6}).stated().about("All nodes together"),
    real<&Storage::read>("read_GBps", GBps, positive)
        .schema_limits({smallest, 1e6}).stated().about("All nodes together"),
    real<&Storage::write_per_node>("write_GBps_per_node", GBps, positive)
        .schema_limits({smallest, 1e5}).stated().about("One node alone, reading likewise"),
};
static_assert(complete(storage_fields), "every member has a row");

constexpr Table accounting_fields{
    text<&Accounting::unit>("unit").kept_when_empty().not_empty().stated().about("What the site charges in"),
    pure<&Accounting::units_per_node_hour>("units_per_node_hour", not_negative)
        .schema_limits({smallest, 1e6}).stated().about("Units one node-hour costs"),
    flag<&Accounting::by_device>("by_device")
        .left_out_by_default().about("Single devices of a node are let and charged; left out, whole nodes"),
};
static_assert(complete(accounting_fields), "every member has a row");

constexpr Table price_fields{
    pure<&HourPrice::amount>("amount", positive).schema_limits({smallest, 1e6}).needed().about("Of one hour"),
    choice<&HourPrice::per>("per").needed().about("Hour of what"),
    text<&HourPrice::currency>("currency").needed().not_empty().about("As people write it: CHF, EUR, USD"),
    text<&HourPrice::as_of>("as_of").needed().not_empty().about("From when the price holds"),
};
static_assert(complete(price_fields), "every member has a row");

constexpr Table bin_fields{
    whole<&QueueBin::min_nodes>("min_nodes", {1, 1e7}).needed().about("Smallest job"),
    whole<&QueueBin::max_nodes>("max_nodes", {1, 1e7}).needed().about("Largest job"),
    real<&QueueBin::walltime>("walltime_h", hour, positive)
        .schema_limits({smallest, 1e5}).needed().about("Longest job, hours"),
    text<&QueueBin::queue>("queue").about("Queue or quality of service as the site calls it"),
    whole<&QueueBin::running>("running", {0, 1e6})
        .about("Jobs of one user or project admitted at once; 0 or absent: not stated"),
};
static_assert(complete(bin_fields), "every member has a row");

// ---- What a site wants of a job, as the value of /scheduler/job

constexpr std::size_t most_lines = 1000, most_files = 20;
constexpr NumberRange count_range{1, 1024};

// ["--account={account}", "-S 8"]
template <auto Member>
constexpr auto lines(std::string_view key) { return texts<Member>(key, most_lines).each({}, 0, most_lines); }

constexpr Table file_fields{
    text<&SiteFile::name>("name").needed().matching(R"(^[A-Za-z0-9_][A-Za-z0-9._-]*$)").about("Plain file name"),
    lines<&SiteFile::lines>("lines").needed().about("Of the file"),
};
static_assert(complete(file_fields), "every member has a row");

constexpr Table job_fields{
    text<&SiteJob::queue>("queue").about("Where a short job goes unless somebody says otherwise"),
    whole<&SiteJob::ranks_per_node>("ranks_per_node", count_range)
        .left_out_by_default().about("Absent: one for every device"),
    whole<&SiteJob::cores_per_rank>("cores_per_rank", count_range)
        .left_out_by_default().about("Of the cores a job may use"),
    lines<&SiteJob::directives>("directives").about("Without the scheduler's prefix: --account={account}"),
    lines<&SiteJob::environment>("environment").about("Lines of shell before the launch"),
    text<&SiteJob::launch>("launch").prose().needed()
        .matching(R"(\{engine\})")
        .about("What starts the ranks; {engine} is the program with its arguments, $RUN the job's folder"),
    list<&SiteJob::files>("files", file_fields, most_files)
        .each({}, 0, most_files).left_out_by_default().about("Written beside the script, word for word"),
    text<&SiteJob::note>("note").prose().about("A sentence for whoever submits the job"),
};
static_assert(complete(job_fields), "every member has a row");

// Left out of the file where there is none; what would make a wrong script is an error of the file.
struct SiteJobField : Object {
    static void read(const Field&, const Reader& at, SharedSiteJob& v) {
        const auto errors = at.findings().errors();
        SiteJob job;
        read_fields(job_fields, at, job);
        if (at.findings().errors() != errors) return;
        for (const std::string& problem : problems(job)) at.error(problem);
        if (at.findings().errors() == errors) v = site_job(std::move(job));
    }
    static OrderedJson write(const Field&, const SharedSiteJob& job) {
        return job ? write_fields(job_fields, *job) : OrderedJson();
    }
    static OrderedJson schema(const Field&) { return object_schema(job_fields); }
};

// ---- The whole machine

constexpr Table scheduler_fields{
    text<&Scheduler::kind>("kind").stated().about("Slurm, LSF, PBS Pro ..."),
    text<&Scheduler::launcher>("launcher").stated().about("Command that starts the ranks"),
    list<&Scheduler::bins>("bins", bin_fields, 100)
        .each("Job sizes with one time limit").stated().about("Empty where the site publishes none"),
    row<SiteJobField, &Scheduler::job>("job")
        .about("What the site wants of a job beyond nodes and time. Lines become part of a job script as they "
               "stand; {account}, {queue}, {nodes}, {ranks}, {ranks_per_node}, {cores_per_rank} and {walltime} are "
               "filled in"),
};
static_assert(complete(scheduler_fields), "every member has a row");

constexpr Table machine_fields{
    constant<Machine>("schema", "plimsoll/machine"),
    constant<Machine>("version", preset_version),
    text<&Machine::id>("id").matching(id_pattern).stated().about("File name without .json"),
    text<&Machine::name>("name").not_empty().stated().about("For people"),
    text<&Machine::site>("site").stated().about("Operator and country"),
    text<&Machine::status>("status").stated().about("In production, retired, preset ..."),
    text<&Machine::as_of>("as_of")
        .matching(month_pattern).stated().about("Year and month the facts were gathered"),
    text<&Machine::note>("note").prose().stated().about("What a user should know"),
    texts<&Machine::former_ids>("former_ids", 20).about("Ids it had before, which files may still name"),
    nested<&Machine::device>("device", device_fields).needed().about("What a launcher counts"),
    whole<&Machine::devices_per_node>("devices_per_node", ranges::devices_per_node).needed()
        .about("Devices a launcher sees on one node"),
    whole<&Machine::nodes>("nodes", ranges::nodes).schema_limits({1, 1e6}).needed().about("Nodes of the whole machine"),
    list<&Machine::levels>("levels", level_fields, 16)
        .each("One level of the network", 1, 8).needed()
        .about("Network levels, innermost first; the last spans the machine"),
    row<ClusterList, &Machine::clusters>("clusters")
        .about("Nodes that share a network of their own, in the order nodes are handed out; between clusters lies "
               "the outermost level. Absent: one network throughout"),
    nested<&Machine::host>("host", host_fields).stated().about("CPU side of a node"),
    nested<&Machine::power>("power", power_fields).needed().about("Power"),
    nested<&Machine::reliability>("reliability", reliability_fields)
        .stated().about("How often a node ends the job that runs on it"),
    nested<&Machine::storage>("storage", storage_fields).stated().about("The file system checkpoints go to"),
    nested<&Machine::accounting>("accounting", accounting_fields).stated().about("How hours are counted"),
    nested<&Machine::scheduler>("scheduler", scheduler_fields).stated().about("Batch system"),
    optional<&Machine::grid_gCO2e_per_kWh>("grid_gCO2e_per_kWh", not_negative)
        .schema_limits({0, 3000}).about("Carbon intensity of the grid"),
    optional<&Machine::embodied_gCO2e_per_node_hour>("embodied_gCO2e_per_node_hour", not_negative)
        .schema_limits({0, 1e6}).about("Carbon of making the machine per node-hour; absent where nobody published it"),
    optional<&Machine::usd_per_device_hour_low>("usd_per_device_hour_low", not_negative)
        .schema_limits({0, 1e4}).about("Market price, low"),
    optional<&Machine::usd_per_device_hour_high>("usd_per_device_hour_high", not_negative)
        .schema_limits({0, 1e4}).about("Market price, high"),
    feature<&Machine::price>("price", price_fields)
        .about("The one price of the site, or your own: it goes before the market's; absent: none is stated"),
    row<CalibrationField, &Machine::calibration>("calibration")
        .about("What of this preset was measured, and how its predictions compared with runs held back; written by "
               "a calibration"),
    sources<&Machine::sources>("sources").stated(),
};
static_assert(complete(machine_fields), "every member has a row");

std::string level_path(std::size_t i) { return "levels/" + std::to_string(i) + "/devices"; }

void check_size(const Reader& at, const Machine& m) {
    if (m.devices() > most_devices)
        at.error("nodes", phrase("found {1}, expected nodes x devices_per_node to be at most {2}", m.nodes,
                                 static_cast<long long>(most_devices)));
}

// Each level holds whole domains of the one before; the last may be cut off by the machine's edge.
void check_nesting(const Reader& at, const Machine& m) {
    for (std::size_t i = 1; i < m.levels.size(); ++i) {
        const int inner = m.levels[i - 1].devices, outer = m.levels[i].devices;
        const bool last = i + 1 == m.levels.size();
        if (outer < inner || (!last && outer % inner != 0))
            at.conflict(level_path(i),
                        last ? phrase("found {1}, expected at least {2}, the devices of the level before", outer, inner)
                             : phrase("found {1}, expected a multiple of {2}, the devices of the level before", outer,
                                      inner));
    }
}

void check_span(const Reader& at, const Machine& m) {
    const auto all = std::to_string(m.devices());
    if (m.levels.empty()) {
        if (m.devices() > 1)
            at.conflict("levels", phrase("found none, expected a last level of {1} devices", all));
        return;
    }
    if (m.levels.back().devices != m.devices())
        at.conflict(level_path(m.levels.size() - 1),
                    phrase("found {1}, expected nodes x devices_per_node = {2}", m.levels.back().devices, all));
    const auto is_node = [&](const Level& l) { return l.devices == m.devices_per_node; };
    if (m.devices_per_node > 1 && std::none_of(m.levels.begin(), m.levels.end(), is_node))
        at.conflict("levels", phrase("expected a level of {1} devices, one node", m.devices_per_node));
}

void check_clusters(const Reader& at, const Machine& m) {
    const long long nodes = nodes_of(m.clusters);
    if (any_cluster(m.clusters) && nodes != m.nodes)
        at.conflict("clusters", phrase("found {1} nodes, expected the machine's {2}", nodes, m.nodes));
}

void check_device(const Reader& at, const Machine& m) {
    const Device& d = m.device;
    const FlopRate none{};
    if (max(max(max(d.fp32, d.tf32), max(d.fp16, d.bf16)), d.fp8) == none)
        at.conflict("device/peak_TFLOPS",
                    phrase("expected at least one of {1} above 0", "fp32, tf32, fp16, bf16, fp8"));
    if (m.power.device_max < m.power.device_idle)
        at.conflict("power/device_max_W", phrase("expected at least {1}", "device_idle_W"));
}

void check_ranges(const Reader& at, const Machine& m) {
    if (m.usd_per_device_hour_low && m.usd_per_device_hour_high &&
        *m.usd_per_device_hour_low > *m.usd_per_device_hour_high)
        at.conflict("usd_per_device_hour_high", phrase("expected at least {1}", "usd_per_device_hour_low"));
    for (std::size_t i = 0; i < m.scheduler.bins.size(); ++i)
        if (m.scheduler.bins[i].min_nodes > m.scheduler.bins[i].max_nodes)
            at.conflict("scheduler/bins/" + std::to_string(i) + "/max_nodes",
                        phrase("expected at least {1}", "min_nodes"));
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

template <> OrderedJson preset_schema<Machine>() {
    return document_schema("Machine preset", object_schema(machine_fields));
}

OrderedJson write_part(const Machine& m) { return write_fields(machine_fields, m); }

}  // namespace plimsoll::files
