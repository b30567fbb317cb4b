#include "core/values/knobs/in_words.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/network_levels.h"

#include <iterator>

namespace plimsoll {

namespace {

// "machine.device.efficiency.attention.triton.forward" is "triton".
std::string owner_of(const std::string& id) {
    const auto parts = split(id, '.');
    return parts.size() < 2 ? std::string() : parts[parts.size() - 2];
}

// "Gradients, zfp rate" is {"Gradients", "zfp rate"}; the first is empty where there is no comma.
std::pair<std::string, std::string> halves(const std::string& label) {
    const auto comma = label.find(", ");
    if (comma == label.npos) return {{}, label};
    return {label.substr(0, comma), label.substr(comma + 2)};
}

}  // namespace

std::string label_in_words(const Knob& k) {
    if (!Speaking::now()) return k.label;
    const auto [whose, what] = halves(k.label);
    if (k.id.starts_with("machine.device.efficiency.attention."))
        return phrase("Attention {1}, {2}", owner_of(k.id), phrase(what));
    if (k.id.starts_with("machine.device.efficiency.fp8_scaled."))
        return phrase("fp8 {1}, {2}", owner_of(k.id), phrase(what));
    if (const auto level = level_of(k)) return phrase("Network level {1}, {2}", *level + 1, phrase(what));
    if (k.id.starts_with("machine.clusters."))
        return phrase("Cluster {1}, {2}", std::stoi(owner_of(k.id)) + 1, phrase(what));
    if (k.id.starts_with("compression.") || k.id.starts_with("machine.device.codecs."))
        return whose.empty() ? phrase(k.label) : phrase("{1}, {2}", phrase(whose), phrase(what));
    return phrase(k.label);
}

std::string label_in_words(const Knob& k, const Scenario& s) {
    const auto level = level_of(k);
    if (!level || *level >= std::ssize(s.machine.levels)) return label_in_words(k);
    const std::string name = s.machine.levels[std::size_t(*level)].name;
    return phrase("Network, {1}: {2}", phrase(name), phrase(halves(k.label).second));
}

std::string help_in_words(const Knob& k) {
    if (!Speaking::now()) return k.help;
    if (k.id.starts_with("machine.device.codecs."))
        return phrase("Payload bytes per second over the device's memory bandwidth; times that bandwidth {1}",
                      k.help.substr(k.help.rfind(' ') + 1));
    // The label and what follows its colon.
    const std::string begin = k.label + ": ";
    if (k.id.starts_with("compression.") && k.help.starts_with(begin))
        return phrase("{1}: {2}", label_in_words(k), phrase(k.help.substr(begin.size())));
    return phrase(k.help);
}

}  // namespace plimsoll
