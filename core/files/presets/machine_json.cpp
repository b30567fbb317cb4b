#include "core/files/presets/parts.h"

#include "core/values/basics/phrase.h"

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
    return Field{key, Peak, Real<FlopRate>{TFLOPS, peak, true}}.schema_limits({smallest, 1e6}).about(about);
}

// A format without a key is not supported.
constexpr auto peak_fields = std::tuple{
    peak_row<&Device::fp32>("fp32", "Dense fp32 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::tf32>("tf32", "Dense tf32 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::fp16>("fp16", "Dense fp16 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::bf16>("bf16", "Dense bf16 peak, TFLOP/s; absent where unsupported"),
    peak_row<&Device::fp8>("fp8", "Dense fp8 peak, TFLOP/s; absent where unsupported"),
};

constexpr auto attention_fields = std::tuple{
    pure("forward", &FusedAttention::forward, share).needed()
        .about("Share of the 16-bit peak over an endless causal sequence, heads of 128; 0: not measured"),
    pure("backward", &FusedAttention::backward, share).needed().about("The same, backward"),
    pure("half_forward", &FusedAttention::half_forward, not_negative)
        .schema_limits({0, 1e5}).needed().about("Length of a causal sequence at half the rate, tokens"),
    pure("half_backward", &FusedAttention::half_backward, not_negative)
        .schema_limits({0, 1e5}).needed().about("The same, backward"),
};
static_assert(members_in(attention_fields) == members_of<FusedAttention>, "every member has a row");

constexpr auto surface_fields = std::tuple{
    pure("ceiling", &ProductSurface::ceiling, share).needed()
        .about("Share of the fp8 peak a very large GEMM reaches; 0: not measured"),
    pure("half_depth", &ProductSurface::half_depth, not_negative)
        .schema_limits({0, 1e5}).needed().about("Inner dimension at half the rate"),
    pure("half_area", &ProductSurface::half_area, not_negative)
        .schema_limits({0, 1e9}).needed().about("Output elements at half the rate"),
};
static_assert(members_in(surface_fields) == members_of<ProductSurface>, "every member has a row");

// One object for each value of an enumeration from `First` on, by its name; those that are not measured are left out.
template <class Table, auto First, const auto& Fields>
struct TableField {
    using Key = decltype(First);
    std::string_view about;
    static std::span<const std::string_view> keys() { return names_of<Key>().subspan(std::size_t(First)); }
    OrderedJson schema() const {
        SchemaObject object;
        for (const std::string_view key : keys()) object.add(key, object_schema(Fields), about, false);
        return std::move(object).finished();
    }
    std::optional<Table> read(const Reader& at) const {
        if (!at.object()) return std::nullopt;
        Table table{};
        for (const std::string_view key : keys())
            if (const auto one = at.member(key)) read_fields(Fields, *one, table[std::size_t(*from_name<Key>(key))]);
        at.warn_of_keys_beyond(keys());
        return table;
    }
    OrderedJson write(const Table& table) const {
        OrderedJson object;
        for (const std::string_view key : keys()) {
            const auto& one = table[std::size_t(*from_name<Key>(key))];
            if (one != typename Table::value_type{}) object[std::string(key)] = write_fields(Fields, one);
        }
        return object;  // null, and left out, where nothing was measured
    }
    std::string expected() const { return phrase("an object"); }
};

// `generic` attention is what the flash_* rows describe; one scale a tensor what the fp8_* rows do.
constexpr TableField<AttentionTable, AttentionKernel::triton, attention_fields> attention_table{
    "This kernel on this device"};
constexpr TableField<Fp8Surfaces, Fp8Recipe::rowwise, surface_fields> fp8_table{"Products with these scales"};

constexpr auto efficiency_fields = std::tuple{
    pure("gemm_ceiling", &Efficiency::gemm_ceiling, fraction).stated().about("Share of peak a very large GEMM reaches"),
    pure("gemm_half_depth", &Efficiency::gemm_half_depth, not_negative)
        .schema_limits({0, 1e5}).stated().about("Inner dimension at half the rate"),
    pure("gemm_half_area", &Efficiency::gemm_half_area, not_negative)
        .schema_limits({0, 1e9}).stated().about("Output elements at half the rate"),
    pure("gemm_half_rows", &Efficiency::gemm_half_rows, not_negative)
        .schema_limits({0, 1e5}).about("Rows at half the rate; 0: none"),
    pure("stream_fraction", &Efficiency::stream_fraction, fraction)
        .stated().about("Share of the memory bandwidth a stream reaches"),
    real("kernel_floor_us", &Efficiency::kernel_floor, microsecond, {0, 1e9})
        .schema_limits({0, 1000}).stated().about("Shortest kernel, microseconds"),
    pure("flash_forward", &Efficiency::flash_forward, fraction)
        .stated().about("Fused attention forward, share of peak"),
    pure("flash_backward", &Efficiency::flash_backward, fraction)
        .stated().about("Fused attention backward, share of peak"),
    pure("flash_half_sequence", &Efficiency::flash_half_sequence, not_negative)
        .schema_limits({0, 1e5}).stated().about("Sequence length at half the rate"),
    pure("flash_half_head", &Efficiency::flash_half_head, not_negative)
        .schema_limits({0, 1e4}).stated().about("Head dimension at half the rate"),
    pure("softmax_traffic", &Efficiency::softmax_traffic, factor)
        .schema_limits({0.1, 10}).stated().about("Multiplies the bytes of materialised softmax"),
    pure("fp8_ceiling", &Efficiency::fp8_ceiling, fraction)
        .about("Share of the fp8 peak a very large GEMM reaches, its inputs being fp8 already"),
    pure("fp8_half_depth", &Efficiency::fp8_half_depth, not_negative)
        .schema_limits({0, 1e5}).about("Inner dimension at half the fp8 rate"),
    pure("fp8_half_area", &Efficiency::fp8_half_area, not_negative)
        .schema_limits({0, 1e9}).about("Output elements at half the fp8 rate"),
    Field{"fp8_scaled", &Efficiency::fp8_scaled, fp8_table}
        .about("The three of fp8 products whose rows or blocks have scales of their own; "
               "absent: as one scale a tensor"),
    pure("grouped_gemm", &Efficiency::grouped_gemm, fraction)
        .about("Products of several experts at once: share of the rate of one large product"),
    pure("grouped_gemm_fp8", &Efficiency::grouped_gemm_fp8, fraction).about("The same of fp8 products"),
    pure("grouped_half_rows", &Efficiency::grouped_half_rows, not_negative)
        .schema_limits({0, 1e5}).about("Rows of one expert at half the rate"),
    pure("grouped_half_width", &Efficiency::grouped_half_width, not_negative)
        .schema_limits({0, 1e5}).about("Narrower width of an expert's weights at half the rate"),
    pure("grouped_weight_gradient", &Efficiency::grouped_weight_gradient, fraction)
        .about("Weight gradients of grouped products against the others"),
    pure("sustained", &Efficiency::sustained, fraction)
        .about("Share of the rate of short bursts that 16-bit products keep over a long run"),
    pure("sustained_fp8", &Efficiency::sustained_fp8, fraction).about("The same of fp8 products"),
    pure("sustained_attention", &Efficiency::sustained_attention, fraction)
        .about("The same of the fused attention kernels under `attention`"),
    real("reference_power_W", &Efficiency::reference_power, watt, watts)
        .schema_limits({0, 1e6})
        .about("Power at which the rates hold; a board with less reaches (device_max_W / this)^power_exponent of "
               "them. 0 or absent: its power costs nothing"),
    pure("power_exponent", &Efficiency::power_exponent, {0, 3}).about("See reference_power_W"),
    Field{"attention", &Efficiency::attention, attention_table}
        .about("Fused attention kernels that were measured on this device"),
};
static_assert(members_in(efficiency_fields) == members_of<Efficiency>, "every member has a row");

constexpr auto codec_speed_fields = std::tuple{
    pure("encode", &CodecSpeed::encode, codec_speed).needed()
        .about("Payload per second over the memory bandwidth, encoding"),
    pure("decode", &CodecSpeed::decode, codec_speed).needed()
        .about("Payload per second over the memory bandwidth, decoding"),
};
static_assert(members_in(codec_speed_fields) == members_of<CodecSpeed>, "every member has a row");

constexpr auto codec_speeds_fields = std::tuple{
    nested("lossless", &CodecSpeeds::lossless, codec_speed_fields).about("Lossless codecs such as MPC"),
    nested("zfp", &CodecSpeeds::zfp, codec_speed_fields).about("zfp at a fixed rate"),
    nested("fp8", &CodecSpeeds::fp8, codec_speed_fields).about("Cast to fp8 with a scale per block"),
    nested("top_k", &CodecSpeeds::top_k, codec_speed_fields).about("Selection of the largest values"),
};
static_assert(members_in(codec_speeds_fields) == members_of<CodecSpeeds>, "every member has a row");

constexpr auto device_fields = std::tuple{
    text("name", &Device::name).needed().not_empty().about("Device as its vendor calls it"),
    text("package", &Device::package).not_empty().stated().about("What is soldered to the board"),
    whole("per_package", &Device::per_package, {1, 1024})
        .schema_limits({1, 64}).stated().about("Devices in one package"),
    real("memory_GiB", &Device::memory, gibibyte, positive)
        .schema_limits({smallest, 1e5}).needed().about("Memory of one device"),
    real("bandwidth_GBps", &Device::bandwidth, GBps, positive).schema_limits({smallest, 1e6}).needed()
        .about("Memory bandwidth as the vendor states it"),
    FieldGroup{"peak_TFLOPS", peak_fields, "Dense peaks by number format", 1},
    nested("efficiency", &Device::efficiency, efficiency_fields)
        .stated().about("How close the device comes to its peaks"),
    nested("codecs", &Device::codecs, codec_speeds_fields)
        .about("How fast the device runs codecs of compressed communication; estimates where absent"),
};
static_assert(members_in(device_fields) == members_of<Device>, "every member has a row");

constexpr auto level_fields = std::tuple{
    text("name", &Level::name).needed().not_empty().about("package, node, group, system ..."),
    whole("devices", &Level::devices, {1, most_devices})
        .schema_limits({1, 1e8}).needed().about("Devices in one domain of this level"),
    real("bandwidth_GBps", &Level::bandwidth, GBps, positive).schema_limits({smallest, 1e5}).needed()
        .about("Share of each device per direction when all send across this level"),
    pure("efficiency", &Level::efficiency, fraction).stated().about("Share of it reached in a large ring"),
    real("latency_us", &Level::latency, microsecond, {0, 1e9})
        .schema_limits({0, 1e5}).stated().about("Per ring step or message, microseconds"),
    real("large_from_MB", &Level::large_from, megabyte, not_negative)
        .about("Messages move at the second rate beyond this size, MB"),
    real("large_bandwidth_GBps", &Level::large_bandwidth, GBps, not_negative)
        .schema_limits({0, 1e5})
        .about("The second rate, share of each device as bandwidth_GBps; 0 or absent: there is one rate"),
    pure("gather_factor", &Level::gather_factor, factor)
        .about("Rate of an all-gather over that of an all-reduce; absent: 1"),
    pure("scatter_factor", &Level::scatter_factor, factor)
        .about("Rate of a reduce-scatter over that of an all-reduce; absent: 1"),
    pure("message_factor", &Level::message_factor, factor)
        .about("Rate of a message between two ranks over that of an all-reduce; absent: 1"),
    pure("exchange_factor", &Level::exchange_factor, factor)
        .about("Rate of tokens sent to experts and back over that of an all-reduce; absent: 1"),
    real("start_us", &Level::start, microsecond, {0, 1e9})
        .schema_limits({0, 1e5}).about("What a collective that crosses this level begins with, microseconds"),
    real("half_size_MB", &Level::half_size, megabyte, {0, 1e9})
        .schema_limits({0, 1e6}).about("V bytes of a rank move at the rate / (1 + sqrt(half size / V)), MB"),
    pure("switch_reduction", &Level::switch_reduction, share)
        .about("The switch adds up: share of the rate that data reach through it; absent or 0: it does not"),
    pure("per_doubling", &Level::per_doubling, {0, 10})
        .about("What each doubling of the domains joined here, beyond two, adds to a transfer, as a share of it"),
    whole("axes", &Level::axes, {0, 8})
        .about("A torus of so many axes, of which bandwidth_GBps is one; absent or 0: another network"),
    text("topology", &Level::topology).stated().about("In a few words"),
};
static_assert(members_in(level_fields) == members_of<Level>, "every member has a row");

constexpr auto nvme_fields = std::tuple{
    whole("drives", &Nvme::drives, {0, 256}).stated().about("Per node"),
    real("capacity_TB", &Nvme::capacity, terabyte, not_negative).schema_limits({0, 1e4}).stated().about("Per node"),
    real("drives_read_GBps", &Nvme::read, GBps, not_negative).schema_limits({0, 1e4}).stated().about("Per node"),
    real("drives_write_GBps", &Nvme::write, GBps, not_negative).schema_limits({0, 1e4}).stated().about("Per node"),
    Field{"drive_endurance_PB", &Nvme::endurance, Real<Bytes>{1e3 * terabyte, not_negative, true}}
        .schema_limits({0, 1e6}).about("That may be written to one drive before it wears out; left out when not known"),
};
static_assert(members_in(nvme_fields) == members_of<Nvme>, "every member has a row");
constexpr auto cluster_fields = std::tuple{
    whole("nodes", &Cluster::nodes, {0, 1e7}).needed().about("Nodes of the cluster; 0 where there is none"),
    choice("nic", &Cluster::nic).needed().about("Family of network cards; remote memory access works inside one only"),
    real("bandwidth_GBps", &Cluster::bandwidth, GBps, positive).schema_limits({smallest, 1e6}).needed()
        .about("Each device's share per direction between the cluster's nodes when all of them send"),
    pure("efficiency", &Cluster::efficiency, fraction).about("Achieved fraction of it in a large ring"),
    real("latency_us", &Cluster::latency, microsecond, {0, 1e9})
        .schema_limits({0, 1e6}).about("Per ring step or message"),
    pure("speed", &Cluster::speed, factor).about("Of its devices, against the machine's device"),
    Field{"measured_TFLOPS", &Cluster::measured, Real<FlopRate>{TFLOPS, peak, true}}
        .schema_limits({0, 1e6}).about("Per device, of a run on this cluster alone, to split layers by"),
};
static_assert(members_in(cluster_fields) == members_of<Cluster>, "every member has a row");

// Only as many as the machine has; clusters that do not exist stand at the end.
struct ClusterList {
    OrderedJson schema() const { return list_schema(object_schema(cluster_fields), 0, most_clusters); }
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
    std::string expected() const { return phrase("a list of at most {1} clusters", most_clusters); }
};

constexpr auto host_fields = std::tuple{
    real("memory_GiB", &Host::memory, gibibyte, not_negative).schema_limits({0, 1e6}).stated().about("Per node"),
    real("memory_bandwidth_GBps", &Host::memory_bandwidth, GBps, not_negative)
        .schema_limits({0, 1e5}).stated().about("Per node"),
    real("link_GBps", &Host::link, GBps, not_negative)
        .schema_limits({0, 1e5}).stated().about("Host to device, per device and direction; 0 for none"),
    Field{"adam_Gparameters_per_s", &Host::adam_rate, Real<double>{1e9, not_negative, true}}
        .schema_limits({0, 1000})
        .about("Adam on the CPUs of a node, billion parameters a second; left out, from the memory bandwidth"),
    feature("nvme", &Host::nvme, nvme_fields).about("Drives inside one node, all together; left out, none"),
};
static_assert(members_in(host_fields) == members_of<Host>, "every member has a row");

constexpr auto power_fields = std::tuple{
    real("device_idle_W", &Power::device_idle, watt, watts).schema_limits({0, 1e6}).needed().about("Of one device"),
    real("device_max_W", &Power::device_max, watt, watts).schema_limits({0, 1e6}).needed().about("Of one device"),
    pure("compute_weight", &Power::compute_weight, share)
        .stated().about("Share of (max - idle) drawn in matrix products"),
    pure("memory_weight", &Power::memory_weight, share).stated().about("Share drawn while streaming memory"),
    pure("network_weight", &Power::network_weight, share).stated().about("Share drawn while waiting"),
    real("host_W", &Power::host, watt, watts).schema_limits({0, 1e6}).stated().about("Per node: CPUs, memory, fans"),
    real("network_W", &Power::network, watt, watts)
        .schema_limits({0, 1e6}).stated().about("Per node: NICs and their share of the switches"),
    pure("pue", &Power::pue, {1, 10}).schema_limits({1, 5}).stated().about("Facility power over IT power"),
};
static_assert(members_in(power_fields) == members_of<Power>, "every member has a row");

constexpr auto reliability_fields = std::tuple{
    pure("failures_per_1000_node_days", &Reliability::failures_per_1000_node_days, failures)
        .stated().about("Failures that end a job, per thousand nodes and day"),
    real("restart_s", &Reliability::restart, second, {0, 1e7})
        .stated().about("From the failure to running processes, without loading the checkpoint"),
};
static_assert(members_in(reliability_fields) == members_of<Reliability>, "every member has a row");

constexpr auto storage_fields = std::tuple{
    real("write_GBps", &Storage::write, GBps, positive)
        .schema_limits({smallest, 1e6}).stated().about("All nodes together"),
    real("read_GBps", &Storage::read, GBps, positive)
        .schema_limits({smallest, 1e6}).stated().about("All nodes together"),
    real("write_GBps_per_node", &Storage::write_per_node, GBps, positive)
        .schema_limits({smallest, 1e5}).stated().about("One node alone, reading likewise"),
};
static_assert(members_in(storage_fields) == members_of<Storage>, "every member has a row");

constexpr auto accounting_fields = std::tuple{
    Field{"unit", &Accounting::unit, TextField{true}}.not_empty().stated().about("What the site charges in"),
    pure("units_per_node_hour", &Accounting::units_per_node_hour, not_negative)
        .schema_limits({smallest, 1e6}).stated().about("Units one node-hour costs"),
    Field{"by_device", &Accounting::by_device, UnlessOff<FlagField>{}}
        .about("Single devices of a node are let and charged; left out, whole nodes"),
};
static_assert(members_in(accounting_fields) == members_of<Accounting>, "every member has a row");

constexpr auto price_fields = std::tuple{
    pure("amount", &HourPrice::amount, positive).schema_limits({smallest, 1e6}).needed().about("Of one hour"),
    choice("per", &HourPrice::per).needed().about("Hour of what"),
    text("currency", &HourPrice::currency).needed().not_empty().about("As people write it: CHF, EUR, USD"),
    text("as_of", &HourPrice::as_of).needed().not_empty().about("From when the price holds"),
};
static_assert(members_in(price_fields) == members_of<HourPrice>, "every member has a row");

constexpr auto bin_fields = std::tuple{
    whole("min_nodes", &QueueBin::min_nodes, {1, 1e7}).needed().about("Smallest job"),
    whole("max_nodes", &QueueBin::max_nodes, {1, 1e7}).needed().about("Largest job"),
    real("walltime_h", &QueueBin::walltime, hour, positive)
        .schema_limits({smallest, 1e5}).needed().about("Longest job, hours"),
    text("queue", &QueueBin::queue).about("Queue or quality of service as the site calls it"),
    whole("running", &QueueBin::running, {0, 1e6})
        .about("Jobs of one user or project admitted at once; 0 or absent: not stated"),
};
static_assert(members_in(bin_fields) == members_of<QueueBin>, "every member has a row");

// ---- What a site wants of a job, as the value of /scheduler/job

constexpr std::size_t most_lines = 1000, most_files = 20;
constexpr NumberRange count_range{1, 1024};

// ["--account={account}", "-S 8"]
constexpr TextList text_lines{most_lines, 0, most_lines};

constexpr auto file_fields = std::tuple{
    text("name", &SiteFile::name).needed().matching(R"(^[A-Za-z0-9_][A-Za-z0-9._-]*$)").about("Plain file name"),
    Field{"lines", &SiteFile::lines, text_lines}.needed().about("Of the file"),
};
static_assert(members_in(file_fields) == members_of<SiteFile>, "every member has a row");

struct FileList {
    OrderedJson schema() const { return list_schema(object_schema(file_fields), 0, most_files); }
    std::optional<std::vector<SiteFile>> read(const Reader& at) const { return all.read(at); }
    OrderedJson write(const std::vector<SiteFile>& files) const {
        return files.empty() ? OrderedJson() : all.write(files);
    }
    std::string expected() const { return all.expected(); }
    List<SiteFile, decltype(file_fields)> all{file_fields, most_files};
};

// Zero is what a file says by saying nothing.
struct Count {
    OrderedJson schema() const { return number_schema("integer", count_range); }
    std::optional<int> read(const Reader& at) const { return at.whole(count_range); }
    OrderedJson write(int v) const { return v == 0 ? OrderedJson() : OrderedJson(v); }
    std::string expected() const { return a_whole_number(count_range); }
};

constexpr auto job_fields = std::tuple{
    text("queue", &SiteJob::queue).about("Where a short job goes unless somebody says otherwise"),
    Field{"ranks_per_node", &SiteJob::ranks_per_node, Count{}}.about("Absent: one for every device"),
    Field{"cores_per_rank", &SiteJob::cores_per_rank, Count{}}.about("Of the cores a job may use"),
    Field{"directives", &SiteJob::directives, text_lines}.about("Without the scheduler's prefix: --account={account}"),
    Field{"environment", &SiteJob::environment, text_lines}.about("Lines of shell before the launch"),
    text("launch", &SiteJob::launch).prose().needed()
        .matching(R"(\{engine\})")
        .about("What starts the ranks; {engine} is the program with its arguments, $RUN the job's folder"),
    Field{"files", &SiteJob::files, FileList{}}.about("Written beside the script, word for word"),
    text("note", &SiteJob::note).prose().about("A sentence for whoever submits the job"),
};
static_assert(members_in(job_fields) == members_of<SiteJob>, "every member has a row");

// Left out of the file where there is none; what would make a wrong script is an error of the file.
struct SiteJobCodec {
    std::optional<SharedSiteJob> read(const Reader&) const;
    OrderedJson schema() const;
    OrderedJson write(const SharedSiteJob&) const;
    std::string expected() const { return phrase("an object"); }
};

std::optional<SharedSiteJob> SiteJobCodec::read(const Reader& at) const {
    const auto errors = at.findings().errors();
    SiteJob job;
    read_fields(job_fields, at, job);
    if (at.findings().errors() != errors) return std::nullopt;
    for (const std::string& problem : problems(job)) at.error(problem);
    if (at.findings().errors() != errors) return std::nullopt;
    return site_job(std::move(job));
}

OrderedJson SiteJobCodec::schema() const { return object_schema(job_fields); }

OrderedJson SiteJobCodec::write(const SharedSiteJob& job) const {
    return job ? write_fields(job_fields, *job) : OrderedJson();
}

// ---- The whole machine

constexpr auto scheduler_fields = std::tuple{
    text("kind", &Scheduler::kind).stated().about("Slurm, LSF, PBS Pro ..."),
    text("launcher", &Scheduler::launcher).stated().about("Command that starts the ranks"),
    list("bins", &Scheduler::bins, bin_fields, 100)
        .each("Job sizes with one time limit").stated().about("Empty where the site publishes none"),
    Field{"job", &Scheduler::job, SiteJobCodec{}}
        .about("What the site wants of a job beyond nodes and time. Lines become part of a job script as they "
               "stand; {account}, {queue}, {nodes}, {ranks}, {ranks_per_node}, {cores_per_rank} and {walltime} are "
               "filled in"),
};
static_assert(members_in(scheduler_fields) == members_of<Scheduler>, "every member has a row");

constexpr auto machine_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/machine")},
    FixedField{"version", preset_version},
    text("id", &Machine::id).matching(id_pattern).stated().about("File name without .json"),
    text("name", &Machine::name).not_empty().stated().about("For people"),
    text("site", &Machine::site).stated().about("Operator and country"),
    text("status", &Machine::status).stated().about("In production, retired, preset ..."),
    text("as_of", &Machine::as_of)
        .matching(month_pattern).stated().about("Year and month the facts were gathered"),
    text("note", &Machine::note).prose().stated().about("What a user should know"),
    Field{"former_ids", &Machine::former_ids, TextList{20}}.about("Ids it had before, which files may still name"),
    nested("device", &Machine::device, device_fields).needed().about("What a launcher counts"),
    whole("devices_per_node", &Machine::devices_per_node, ranges::devices_per_node).needed()
        .about("Devices a launcher sees on one node"),
    whole("nodes", &Machine::nodes, ranges::nodes).schema_limits({1, 1e6}).needed().about("Nodes of the whole machine"),
    list("levels", &Machine::levels, level_fields, 16)
        .each("One level of the network", 1, 8).needed()
        .about("Network levels, innermost first; the last spans the machine"),
    Field{"clusters", &Machine::clusters, ClusterList{}}
        .about("Nodes that share a network of their own, in the order nodes are handed out; between clusters lies "
               "the outermost level. Absent: one network throughout"),
    nested("host", &Machine::host, host_fields).stated().about("CPU side of a node"),
    nested("power", &Machine::power, power_fields).needed().about("Power"),
    nested("reliability", &Machine::reliability, reliability_fields)
        .stated().about("How often a node ends the job that runs on it"),
    nested("storage", &Machine::storage, storage_fields).stated().about("The file system checkpoints go to"),
    nested("accounting", &Machine::accounting, accounting_fields).stated().about("How hours are counted"),
    nested("scheduler", &Machine::scheduler, scheduler_fields).stated().about("Batch system"),
    optional("grid_gCO2e_per_kWh", &Machine::grid_gCO2e_per_kWh, not_negative)
        .schema_limits({0, 3000}).about("Carbon intensity of the grid"),
    optional("embodied_gCO2e_per_node_hour", &Machine::embodied_gCO2e_per_node_hour, not_negative)
        .schema_limits({0, 1e6}).about("Carbon of making the machine per node-hour; absent where nobody published it"),
    optional("usd_per_device_hour_low", &Machine::usd_per_device_hour_low, not_negative)
        .schema_limits({0, 1e4}).about("Market price, low"),
    optional("usd_per_device_hour_high", &Machine::usd_per_device_hour_high, not_negative)
        .schema_limits({0, 1e4}).about("Market price, high"),
    feature("price", &Machine::price, price_fields)
        .about("The one price of the site, or your own: it goes before the market's; absent: none is stated"),
    Field{"calibration", &Machine::calibration, CalibrationField{}}
        .about("What of this preset was measured, and how its predictions compared with runs held back; written by "
               "a calibration"),
    sources("sources", &Machine::sources).stated(),
};
static_assert(members_in(machine_fields) == members_of<Machine>, "every member has a row");

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
