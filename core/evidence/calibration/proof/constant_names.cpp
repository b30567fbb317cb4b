#include "core/evidence/calibration/proof/constant_names.h"

#include "core/evidence/calibration/plan/planned_constants.h"

#include <algorithm>
#include <string_view>

namespace plimsoll {

namespace {

// What a fit may tell that no plan promises.
constexpr struct {
    std::string_view pointer, name;
} others[] = {
    {"/device/efficiency/flash_half_head", "Attention: head size at half the rate"},
    {"/device/efficiency/flash_half_sequence", "Attention: sequence at half the rate"},
    {"/device/bandwidth_GBps", "Memory: bandwidth"},
    {"/levels/0/bandwidth_GBps", "Network: bandwidth"},
    {"/levels/0/large_from_MB", "Network: size of large messages"},
    {"/levels/0/large_bandwidth_GBps", "Network: bandwidth of large messages"},
    {"/storage/read_GBps", "File system: reading"},
    {"/power/host_W", "Power of a host"},
    {"/power/device_max_W", "Power of a device at most"},
};

constexpr std::string_view levels = "/levels/", codecs = "/device/codecs/";

std::string name_or_nothing(std::string_view pointer) {
    for (const auto& other : others)
        if (other.pointer == pointer) return std::string(other.name);
    return std::string(planned_name(pointer));
}

// "/levels/1/latency_us": the name it has at the innermost level, and which one it is.
std::string name_at_level(std::string_view pointer) {
    const std::string_view rest = pointer.substr(levels.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view number = rest.substr(0, slash);
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != number.npos) return {};
    const std::string name = name_or_nothing(std::string(levels).append("0").append(rest.substr(slash)));
    return name.empty() ? name : name + " (level " + std::to_string(std::stoi(std::string(number)) + 1) + ")";
}

// "/device/codecs/fp8/encode" is "Codec fp8: encoding".
std::string name_of_codec(std::string_view pointer) {
    const std::string_view rest = pointer.substr(codecs.size());
    const std::string_view kind = rest.substr(0, rest.find('/'));
    if (rest.ends_with("/encode")) return std::string("Codec ").append(kind).append(": encoding");
    if (rest.ends_with("/decode")) return std::string("Codec ").append(kind).append(": decoding");
    return {};
}

}  // namespace

std::string constant_name(const std::string& pointer) {
    std::string name = name_or_nothing(pointer);
    if (name.empty() && pointer.starts_with(levels)) name = name_at_level(pointer);
    if (name.empty() && pointer.starts_with(codecs)) name = name_of_codec(pointer);
    return name.empty() ? pointer : name;
}

}  // namespace plimsoll
