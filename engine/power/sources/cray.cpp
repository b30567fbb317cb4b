// HPE Cray EX: /sys/cray/pm_counters, ten times a second by the board's controller.
// A file holds "VALUE UNIT STAMP us", the stamp since 1970. `freshness` counts
// updates: files read before and after one do not belong together. `startup`
// changes when the controller began again, and then all counters did.
#include "engine/power/sources/counter.h"
#include "engine/power/sources/files.h"
#include "engine/power/sources/sources.h"

#include <chrono>
#include <cstdio>

namespace plimsoll::engine::power {
namespace {

namespace fs = std::filesystem;

struct Count {
    unsigned long long joules = 0, stamp_us = 0;   // stamp 0: not told
};

Expected<Count, std::string> count_in(const fs::path& file) {
    const auto text = contents(file);
    if (!text)
        return Unexpected<std::string>{file.filename().string().append(" cannot be read: ").append(text.error().why())};
    Count c;
    char unit[16] = "";
    if (std::sscanf(text->c_str(), "%llu %15s %llu", &c.joules, unit, &c.stamp_us) < 2 || std::string(unit) != "J")
        return Unexpected<std::string>{
            file.filename().string().append(" says \"").append(*text).append("\", not joules")};
    return c;
}

// On the caller's clock. A stamp in the future or minutes old is another clock's: then now is as good.
double stamp_of(const Count& c, double now_s) {
    const double wall_s = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    const double age_s = wall_s - 1e-6 * double(c.stamp_us);
    return c.stamp_us && age_s >= 0 && age_s < 10 ? now_s - age_s : now_s;
}

class Cray final : public Reader {
public:
    explicit Cray(fs::path folder) : folder_(std::move(folder)), startup_(number(folder_ / "startup")) {}
    const std::vector<Domain>& domains() const override { return domains_; }
    void add(const Domain& domain, const std::string& file) {
        domains_.push_back(domain);
        files_.push_back(file);
        counters_.emplace_back(CounterKind{.most_W = 50000});
    }
    Readings read(double now_s) override;

private:
    std::vector<Expected<Count, std::string>> counts() const;

    const fs::path folder_;
    Expected<std::uint64_t, Failed> startup_;
    std::vector<Domain> domains_;
    std::vector<std::string> files_;
    std::vector<Counter> counters_;
};

std::vector<Expected<Count, std::string>> Cray::counts() const {
    const auto freshness = [&] {
        const auto n = number(folder_ / "freshness");
        return n ? *n : 0;
    };
    return of_one_update(freshness, [&] {
        std::vector<Expected<Count, std::string>> found;
        for (const std::string& file : files_) found.push_back(count_in(folder_ / file));
        return found;
    });
}

Readings Cray::read(double now_s) {
    const auto startup = number(folder_ / "startup");
    const bool anew = startup && startup_ && *startup != *startup_;
    startup_ = startup;
    const auto found = counts();
    Readings readings;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (anew || !found[i]) counters_[i].restart();
        if (!found[i]) {
            readings.push_back(Unexpected<std::string>{found[i].error()});
            continue;
        }
        const auto joules = counters_[i].take(found[i]->joules, now_s);
        if (anew) readings.push_back(Unexpected<std::string>{"the node's controller began again (startup changed)"});
        else if (!joules) readings.push_back(Unexpected<std::string>{joules.error()});
        else readings.push_back(Reading{*joules, stamp_of(*found[i], now_s)});
    }
    return readings;
}

}  // namespace

Opened open_cray(const Places& places) {
    const fs::path folder = places.root / "sys/cray/pm_counters";
    const auto node = count_in(folder / "energy");
    if (!node)
        return Unexpected<std::string>{std::string("there are no counters of HPE Cray EX: sys/cray/pm_counters/")
                                       + node.error()};
    auto reader = std::make_unique<Cray>(folder);
    reader->add({.name = "node", .scope = Scope::node}, "energy");
    for (const fs::path& file : entries(folder, "")) {
        const std::string name = file.filename().string();
        if (!name.ends_with("_energy") || !count_in(file)) continue;
        const std::string part = name.substr(0, name.size() - 7);
        // accelN is a module: two GCDs of MI250X, or all of GH200.
        const Scope scope = part.starts_with("accel") ? Scope::module : part == "memory" ? Scope::dram : Scope::package;
        reader->add({.name = part, .scope = scope, .nested_in = "node"}, name);
    }
    return std::unique_ptr<Reader>(std::move(reader));
}

}  // namespace plimsoll::engine::power
