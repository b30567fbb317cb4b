#include "core/files/launch/this_computer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <unistd.h>

namespace plimsoll {

namespace {

namespace fs = std::filesystem;

// "Model: 		 NVIDIA H200" of proc/driver/nvidia/gpus/*/information.
std::string model_in(const fs::path& information) {
    constexpr std::string_view key = "Model:";
    std::ifstream file(information);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const auto begin = line.find_first_not_of(" \t", key.size()), end = line.find_last_not_of(" \t\r");
        return begin == line.npos ? "" : line.substr(begin, end + 1 - begin);
    }
    return {};
}

std::vector<std::string> nvidia_gpus(const fs::path& root) {
    std::vector<std::string> models;
    std::error_code error;
    for (const fs::directory_entry& each : fs::directory_iterator(root / "proc/driver/nvidia/gpus", error))
        if (std::string model = model_in(each.path() / "information"); !model.empty())
            models.push_back(std::move(model));
    std::sort(models.begin(), models.end());
    return models;
}

// "AMD INSTINCT MI250X (MCM) OAM AC MBA" of sys/class/drm/card1/device/product_name.
std::vector<std::string> amd_gpus(const fs::path& root) {
    std::vector<std::string> models;
    std::error_code error;
    for (const fs::directory_entry& each : fs::directory_iterator(root / "sys/class/drm", error)) {
        const std::string card = each.path().filename().string();
        if (!card.starts_with("card") || card.find('-') != card.npos) continue;  // card1-DP-1 is a connector
        std::string vendor, model;
        std::ifstream(each.path() / "device/vendor") >> vendor;
        std::ifstream named(each.path() / "device/product_name");
        if (vendor == "0x1002" && std::getline(named, model) && !model.empty()) models.push_back(std::move(model));
    }
    std::sort(models.begin(), models.end());
    return models;
}

// What a user hides from the makers' libraries is hidden from the engine as well.
void hide(std::vector<std::string>& models, const char* variable) {
    const char* visible = std::getenv(variable);
    if (!visible) return;
    const std::string_view list(visible);
    const auto most = list.empty() || list == "-1" ? 0u : std::size_t(1 + std::count(list.begin(), list.end(), ','));
    models.resize(std::min(models.size(), most));
}

std::vector<std::string> gpus(const fs::path& root) {
    std::vector<std::string> all = nvidia_gpus(root), amd = amd_gpus(root);
    hide(all, "CUDA_VISIBLE_DEVICES");
    hide(amd, "ROCR_VISIBLE_DEVICES");
    all.insert(all.end(), amd.begin(), amd.end());
    return all;
}

// Processors' counters that the engine reads: RAPL's, which root alone may read on many systems, and HPE Cray EX's.
bool energy_counters(const fs::path& root) {
    constexpr std::array files{"sys/class/powercap/intel-rapl:0/energy_uj", "sys/cray/pm_counters/energy"};
    return std::any_of(files.begin(), files.end(),
                       [&](const char* file) { return access((root / file).c_str(), R_OK) == 0; });
}

}  // namespace

Computer this_computer(const fs::path& root) {
    return {int(std::max(1u, std::thread::hardware_concurrency())),
            double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE)) * byte, energy_counters(root),
            gpus(root)};
}

}  // namespace plimsoll
