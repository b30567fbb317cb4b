#include "engine/power/sources/sources.h"

#include "engine/power/sources/files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <tuple>
#include <unistd.h>

namespace plimsoll::engine::power {

namespace fs = std::filesystem;

std::string Failed::why() const { return std::strerror(code); }

Expected<std::string, Failed> contents(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return Unexpected<Failed>{{errno}};
    std::string text(4096, '\0');
    const ssize_t n = ::read(file, text.data(), text.size());
    const int problem = errno;
    ::close(file);
    if (n < 0) return Unexpected<Failed>{{problem}};
    text.resize(std::size_t(n));
    text.erase(text.find_last_not_of(" \t\n\r") + 1);
    return text;
}

Expected<std::uint64_t, Failed> number(const fs::path& path) {
    const auto text = contents(path);
    if (!text) return Unexpected<Failed>{text.error()};
    std::uint64_t value = 0;
    if (std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
        return Unexpected<Failed>{{EINVAL}};
    return value;
}

std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
    // intel-rapl:2 before intel-rapl:10: shorter names first is enough for numbers behind one prefix.
    const auto key = [](const fs::path& p) { return std::tuple(p.filename().string().size(), p.filename().string()); };
    std::sort(found.begin(), found.end(), [&](const fs::path& a, const fs::path& b) { return key(a) < key(b); });
    return found;
}

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

std::vector<CounterSource> open_sources(const Places& places) {
    struct Way {
        const char* name;
        Opened (*open)(const Places&);
    };
    constexpr Way ways[] = {{"rapl", open_rapl}, {"nvml", open_nvml}, {"rocm", open_rocm},
                            {"cray", open_cray}, {"a64fx", open_a64fx}, {"hwmon", open_hwmon}};
    std::vector<CounterSource> sources;
    for (const Way& way : ways) {
        Opened opened = way.open(places);
        CounterSource& source = sources.emplace_back(CounterSource{.name = way.name});
        if (opened) source.reader = std::move(*opened);
        else source.reason = opened.error();
    }
    return sources;
}

}  // namespace plimsoll::engine::power
