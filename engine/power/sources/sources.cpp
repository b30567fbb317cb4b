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
