#include "engine/power/sources/sources.h"

#include <cstdlib>

namespace plimsoll::engine::power {

Places places_of_environment() {
    Places places;
    const auto replace = [](const char* variable, auto& value) {
        if (const char* set = std::getenv(variable)) value = set;
    };
    replace("PLIMSOLL_POWER_ROOT", places.root);
    replace("PLIMSOLL_NVML", places.nvml);
    replace("PLIMSOLL_ROCM_SMI", places.rocm);
    replace("PLIMSOLL_PWR", places.pwr);
    return places;
}

namespace {

class Meters final : public Reader {
public:
    explicit Meters(std::vector<Meter> meters) : meters_(std::move(meters)) {
        for (const Meter& m : meters_) domains_.push_back(m.domain);
    }
    const std::vector<Domain>& domains() const override { return domains_; }
    Readings read(double now_s) override {
        Readings readings;
        for (Meter& m : meters_) readings.push_back(m.read(now_s));
        return readings;
    }

private:
    std::vector<Meter> meters_;
    std::vector<Domain> domains_;
};

}  // namespace

std::unique_ptr<Reader> reader_of(std::vector<Meter> meters) { return std::make_unique<Meters>(std::move(meters)); }

std::vector<Source> open_sources(const Places& places) {
    struct Way {
        const char* name;
        Opened (*open)(const Places&);
    };
    constexpr Way ways[] = {{"rapl", open_rapl}, {"nvml", open_nvml}, {"rocm", open_rocm},
                            {"cray", open_cray}, {"a64fx", open_a64fx}, {"hwmon", open_hwmon}};
    std::vector<Source> sources;
    for (const Way& way : ways) {
        Opened opened = way.open(places);
        Source& source = sources.emplace_back(Source{.name = way.name});
        if (opened) source.reader = std::move(*opened);
        else source.reason = opened.error();
    }
    return sources;
}

}  // namespace plimsoll::engine::power
