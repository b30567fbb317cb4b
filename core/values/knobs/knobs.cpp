#include "core/values/knobs/knobs.h"

#include "core/values/basics/edit_distance.h"
#include "core/values/knobs/knob_rows.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

KnobGroup group_of(std::string_view id) {
    if (id.starts_with("model.")) return KnobGroup::model;
    if (id.starts_with("machine.")) return KnobGroup::machine;
    if (id.starts_with("recipe.")) return KnobGroup::recipe;
    if (id.starts_with("stack.")) return KnobGroup::stack;
    if (id.starts_with("compression.")) return KnobGroup::compression;
    return KnobGroup::layout;  // and "nodes"
}

std::vector<Knob> build_table() {
    std::vector<Knob> table;
    rows::add_model(table);
    rows::add_experts(table);
    rows::add_machine(table);
    rows::add_clusters(table);
    rows::add_plan(table);
    rows::add_offload(table);
    rows::add_stack(table);
    rows::add_expert_stack(table);
    rows::add_compression(table);
    for (Knob& k : table) k.group = group_of(k.id);
    return table;
}

// "memory_GiB" and "device.memory_GiB" both end "machine.device.memory_GiB"; "GiB" does not.
bool ends_id(std::string_view id, std::string_view tail) {
    return id.size() > tail.size() && id.ends_with(tail) && id[id.size() - tail.size() - 1] == '.';
}

std::string_view last_part(std::string_view id) { return id.substr(id.rfind('.') + 1); }

bool discrete(const Knob& k) { return k.kind != KnobKind::real; }

}  // namespace

std::span<const Knob> knobs() {
    static const std::vector<Knob> table = build_table();
    return table;
}

const Knob* find_knob(std::string_view id) {
    const Knob* found = nullptr;
    bool ambiguous = false;
    for (const Knob& k : knobs()) {
        if (k.id == id) return &k;
        if (!ends_id(k.id, id)) continue;
        ambiguous = found != nullptr;
        found = &k;
    }
    return ambiguous ? nullptr : found;
}

std::string nearest_knob(std::string_view id) {
    const Knob* nearest = nullptr;
    if (id.size() > 64) return {};
    std::size_t best = id.size() / 2 + 1;  // further away is no suggestion
    for (const Knob& k : knobs()) {
        const std::size_t d = std::min(edit_distance(id, k.id), edit_distance(id, last_part(k.id)));
        if (d < best) best = d, nearest = &k;
    }
    return nearest ? nearest->id : std::string{};
}

Expected<Scenario, Obstacle> with(const Scenario& s, const Knob& k, double value) {
    if (discrete(k)) value = std::round(value);
    if (!(value >= k.low && value <= k.high))
        return Unexpected{Obstacle{Reason::out_of_range, k.id, value, {}, 0, {k.low, k.high}}};
    Scenario turned = s;
    k.set(turned, value);
    return turned;
}

}  // namespace plimsoll
