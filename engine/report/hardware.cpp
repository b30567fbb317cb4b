#include "engine/report/hardware.h"

#include "engine/report/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace plimsoll::engine {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    text.erase(
        std::find_if(text.rbegin(), text.rend(), [](unsigned char c) { return !std::isspace(c) && c != 0; }).base(),
        text.end());
    return text;
}

Json whole_if_it_is(double value) { return value == double(long(value)) ? Json(long(value)) : Json(value); }

// The number a text begins with; null where there is none.
Json number_in(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || std::abs(value) > 1e15) return nullptr;
    return whole_if_it_is(value);
}
Json times(const Json& number, double unit) {
    return number.is_null() ? number : whole_if_it_is(number.get<double>() * unit);
}
Json known(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// "key : value" or "key: value" in files like cpuinfo, meminfo and status: the first there is.
std::string field(const fs::path& path, std::string_view key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == line.npos || line.substr(0, line.find_last_not_of(" \t", colon ? colon - 1 : 0) + 1) != key)
            continue;
        const std::size_t value = line.find_first_not_of(" \t", colon + 1);
        return value == line.npos ? "" : line.substr(value);
    }
    return "";
}

// "0-3,8,10-11" -> 0 1 2 3 8 10 11
std::vector<int> ids_in(const std::string& list) {
    std::vector<int> ids;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');) {
        int first = 0, last = 0;
        const int read = std::sscanf(part.c_str(), "%d-%d", &first, &last);
        for (int id = first; read >= 1 && id <= (read == 2 ? last : first); ++id) ids.push_back(id);
    }
    return ids;
}

std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix)
            && (prefix.empty()
                || (name.size() > prefix.size() && std::isdigit(static_cast<unsigned char>(name[prefix.size()])))))
            found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

Json bytes_in(const std::string& size) {  // "32K", "36M"
    const double unit = size.ends_with('K') ? 1024 : size.ends_with('M') ? 1024 * 1024 : 1;
    return times(number_in(size), unit);
}

std::string cpu_model(const fs::path& root) {
    const fs::path info = root / "proc/cpuinfo";
    for (const char* key : {"model name", "cpu", "Model"})  // x86, POWER, some ARM
        if (const std::string model = field(info, key); !model.empty()) return model;
    // 64-bit Arm: numbers of the maker and of its design.
    const std::string implementer = field(info, "CPU implementer"), part = field(info, "CPU part");
    constexpr std::array<std::string_view, 3> designs[] = {
        {"0x46", "0x001", "Fujitsu A64FX"},   {"0x41", "0xd0c", "Arm Neoverse N1"},
        {"0x41", "0xd40", "Arm Neoverse V1"}, {"0x41", "0xd49", "Arm Neoverse N2"},
        {"0x41", "0xd4f", "Arm Neoverse V2"}, {"0x43", "0x0af", "Cavium ThunderX2"},
    };
    for (const auto& [maker, design, name] : designs)
        if (implementer == maker && part == design) return std::string(name);
    return implementer.empty() ? "" : "ARM implementer " + implementer + ", part " + part;
}

void add_cores(Json& hw, const fs::path& root) {
    const fs::path cpus = root / "sys/devices/system/cpu";
    const std::vector<int> online = ids_in(text_of(cpus / "online"));
    std::set<std::string> sockets, cores;
    for (const int id : online) {
        const fs::path topology = cpus / std::string("cpu").append(std::to_string(id)) / "topology";
        const std::string socket = text_of(topology / "physical_package_id"),
                          siblings = text_of(topology / "thread_siblings_list");
        if (!socket.empty()) sockets.insert(socket);
        if (!siblings.empty()) cores.insert(siblings);
    }
    const auto count = [](std::size_t n) { return n ? Json(n) : Json(nullptr); };
    hw["sockets"] = count(sockets.size());
    hw["cores"] = count(cores.size());
    hw["threads"] = count(online.size());
    hw["threads_allowed"] = count(ids_in(allowed_threads(root)).size());
    hw["numa_nodes"] = count(entries(root / "sys/devices/system/node", "node").size());
    hw["governor"] = known(text_of(cpus / "cpu0/cpufreq/scaling_governor"));
    hw["max_Hz"] = times(number_in(text_of(cpus / "cpu0/cpufreq/cpuinfo_max_freq")), 1000);
}

// Cores of time this group may use; null: no limit.
Json cpu_quota(const fs::path& root) {
    std::string quota = text_of(root / "sys/fs/cgroup/cpu.max"),
                period = quota.substr(std::min(quota.find(' '), quota.size()));
    if (quota.empty()) {
        quota = text_of(root / "sys/fs/cgroup/cpu/cpu.cfs_quota_us");
        period = text_of(root / "sys/fs/cgroup/cpu/cpu.cfs_period_us");
    }
    const Json share = number_in(quota), of = number_in(period);
    if (share.is_null() || of.is_null() || share.get<double>() <= 0 || of.get<double>() <= 0) return nullptr;
    return share.get<double>() / of.get<double>();
}

Json caches(const fs::path& root) {
    Json list = Json::array();
    for (const fs::path& index : entries(root / "sys/devices/system/cpu/cpu0/cache", "index"))
        list.push_back({{"level", number_in(text_of(index / "level"))},
                        {"type", known(text_of(index / "type"))},
                        {"size_B", bytes_in(text_of(index / "size"))},
                        {"shared_by", ids_in(text_of(index / "shared_cpu_list")).size()}});
    return list;
}

// Network devices with hardware behind them; the rate is the link's, one way.
Json links(const fs::path& root) {
    Json list = Json::array();
    std::error_code ignored;
    for (const fs::path& nic : entries(root / "sys/class/net", ""))
        if (fs::exists(nic / "device", ignored)) {
            const Json speed = number_in(text_of(nic / "speed"));  // Mbit/s; -1: unknown
            const bool is_known = !speed.is_null() && speed.get<double>() > 0;
            list.push_back({{"name", nic.filename().string()},
                            {"rate_B_per_s", is_known ? times(speed, 1e6 / 8) : Json(nullptr)}});
        }
    for (const fs::path& hca : entries(root / "sys/class/infiniband", ""))
        for (const fs::path& port : entries(hca / "ports", ""))  // "200 Gb/sec (4X HDR)"
            list.push_back({{"name", hca.filename().string().append("/").append(port.filename().string())},
                            {"rate_B_per_s", times(number_in(text_of(port / "rate")), 1e9 / 8)}});
    return list;
}

bool in_container(const fs::path& root) {
    std::error_code ignored;
    for (const char* mark : {".dockerenv", "run/.containerenv", ".singularity.d"})
        if (fs::exists(root / mark, ignored)) return true;
    const std::string groups = text_of(root / "proc/1/cgroup");
    for (const char* word : {"docker", "kubepods", "lxc", "libpod"})
        if (groups.find(word) != groups.npos) return true;
    return false;
}

}  // namespace

Json hardware(const fs::path& root) {
    const std::string host = text_of(root / "proc/sys/kernel/hostname");
    Json hw;
    hw["node_id"] = host.empty() ? Json(nullptr) : Json(hex16(fnv1a(host)));
    hw["kernel"] = known(text_of(root / "proc/sys/kernel/osrelease"));
    hw["cpu_model"] = known(cpu_model(root));
    add_cores(hw, root);
    hw["cpu_quota"] = cpu_quota(root);
    hw["caches"] = caches(root);
    hw["memory_B"] = times(number_in(field(root / "proc/meminfo", "MemTotal")), 1024);
    hw["memory_available_B"] = times(number_in(field(root / "proc/meminfo", "MemAvailable")), 1024);
    hw["load_1min"] = number_in(text_of(root / "proc/loadavg"));
    hw["in_container"] = in_container(root);
    hw["links"] = links(root);
    return hw;
}

std::string allowed_threads(const fs::path& root) { return field(root / "proc/self/status", "Cpus_allowed_list"); }

double available_memory_B(double otherwise) {
    const Json bytes = times(number_in(field("/proc/meminfo", "MemAvailable")), 1024);
    return bytes.is_null() ? otherwise : bytes.get<double>();
}

double resident_memory_B() {
    std::ifstream pages("/proc/self/statm");
    double all = 0, resident = 0;
    return pages >> all >> resident ? resident * double(sysconf(_SC_PAGESIZE)) : 0;
}

double thread_cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace plimsoll::engine
