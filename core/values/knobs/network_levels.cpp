#include "core/values/knobs/network_levels.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {

namespace {

constexpr std::string_view levels_of_machine = "machine.levels.";

}  // namespace

// Whatever lies inside one domain of a level has nothing to send over those around it.
int widest_level(const Scenario& s) {
    const auto& levels = s.machine.levels;
    if (levels.empty() || s.layout.devices < 2) return -1;
    const auto holds = [&](const Level& l) { return l.devices >= s.layout.devices; };
    const auto found = std::find_if(levels.begin(), levels.end(), holds);
    return int((found == levels.end() ? std::prev(found) : found) - levels.begin());
}

bool reaches(const Scenario& s, int level) {
    if (level >= std::ssize(s.machine.levels) || s.layout.devices < 2) return false;
    if (level == 0) return true;
    const long long spanned = s.layout.devices * (s.layout.pipeline_parallel > 1 ? 2LL : 1LL);
    return s.machine.levels[std::size_t(level) - 1].devices < spanned;
}

int level_of_node(const Machine& m) {
    const auto spans = [&](const Level& l) { return l.devices >= m.devices_per_node; };
    const auto found = std::find_if(m.levels.begin(), m.levels.end(), spans);
    return found == m.levels.end() ? -1 : int(found - m.levels.begin());
}

std::string id_of_level(int level, std::string_view key) {
    return std::string(levels_of_machine).append(std::to_string(level)).append(".").append(key);
}

std::optional<int> level_of(const Knob& k) {
    if (!k.id.starts_with(levels_of_machine)) return std::nullopt;
    int level = 0;
    const char* digits = k.id.data() + levels_of_machine.size();
    std::from_chars(digits, k.id.data() + k.id.size(), level);
    return level;
}

}  // namespace plimsoll
