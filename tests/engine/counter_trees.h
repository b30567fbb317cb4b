#pragma once
// Counters as the kernel shows them, in a folder of a test's own.
//
//   CounterTree tree;   tree.with("sys/class/powercap/intel-rapl:0/name", "package-0");
//   open_rapl(tree.places());

#include "engine/power/sources/sources.h"

#include <QTemporaryDir>

#include <fstream>

namespace plimsoll {

class CounterTree {
public:
    CounterTree() : root_(folder_.path().toStdString()) {}
    CounterTree& with(const std::filesystem::path& path, const std::string& text) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << "\n";
        return *this;
    }
    CounterTree& with_zone(const std::string& key, const std::string& name, std::uint64_t uj,
                           std::uint64_t range = 262143328850) {
        const auto folder = zone(key);
        return with(folder / "name", name)
            .with(folder / "energy_uj", std::to_string(uj))
            .with(folder / "max_energy_range_uj", std::to_string(range));
    }
    static std::filesystem::path zone(const std::string& key) {
        return std::filesystem::path("sys/class/powercap") / std::string("intel-rapl:").append(key);
    }
    static std::filesystem::path cray(const std::string& file) {
        return std::filesystem::path("sys/cray/pm_counters") / file;
    }

    // No library but what a test names: this machine's own would answer.
    engine::power::Places places() const {
        return {.root = root_,
                .nvml = "no-such-nvml.so",
                .rocm = "no-such-rocm.so",
                .pwr = "no-such-pwr.so",
                .rocm_check_s = 0.01};
    }
    const std::filesystem::path& root() const { return root_; }

private:
    QTemporaryDir folder_;
    std::filesystem::path root_;
};

}  // namespace plimsoll
