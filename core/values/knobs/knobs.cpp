#include "core/values/knobs/knobs.h"

#include "core/values/basics/other_names.h"
#include "core/values/basics/text.h"
#include "core/values/basics/units.h"
#include "core/values/knobs/knob_rows.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace plimsoll {

namespace {

KnobGroup group_of(std::string_view id) {
    if (id.starts_with("model.")) return KnobGroup::model;
    if (id.starts_with("machine.")) return KnobGroup::machine;
    if (id.starts_with("recipe.") || id.starts_with("method.")) return KnobGroup::recipe;
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
    rows::add_method(table);
    rows::add_plan(table);
    rows::add_offload(table);
    rows::add_stack(table);
    rows::add_expert_stack(table);
    rows::add_compression(table);
    for (Knob& k : table) k.group = group_of(k.id);
    return table;
}

std::vector<Knob> build_former() {
    std::vector<Knob> table;
    rows::add_former(table);
    for (Knob& k : table) k.group = group_of(k.id);
    return table;
}

std::span<const Knob> former_knobs() {
    static const std::vector<Knob> table = build_former();
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
    for (const std::span<const Knob> table : {knobs(), former_knobs()})
        for (const Knob& k : table) {
            if (k.id == id) return &k;
            if (!ends_id(k.id, id)) continue;
            ambiguous = ambiguous || found != nullptr;
            found = &k;
        }
    return ambiguous ? nullptr : found;
}

std::vector<std::string> nearest_knobs(std::string_view id) {
    std::vector<std::string> nearest;
    if (id.size() > 64) return nearest;
    std::size_t best = id.size() / 2 + 1;  // further away is no suggestion
    for (const Knob& k : knobs()) {
        const std::size_t d = std::min(edit_distance(id, k.id), edit_distance(id, last_part(k.id)));
        if (d > best || d > id.size() / 2) continue;
        if (d < best) nearest.clear();
        best = d;
        nearest.push_back(k.id);
    }
    return nearest;
}

namespace {

// Where the range ends for this plan: more nodes than the machine has are no use to anybody.
double highest(const Scenario& s, const Knob& k) {
    if (k.id == "nodes") return std::clamp<double>(s.machine.nodes, k.low, k.high);
    return k.id == "layout.devices" ? std::clamp<double>(s.machine.devices(), k.low, k.high) : k.high;
}

}  // namespace

Expected<Scenario, Obstacle> with(const Scenario& s, const Knob& k, double value) {
    if (discrete(k)) value = std::round(value);
    if (!(value >= k.low && value <= k.high))
        return Unexpected{Obstacle{Reason::out_of_range, k.id, value, {}, 0, {k.low, highest(s, k)}}};
    Scenario turned = s;
    k.set(turned, value);
    return turned;
}

// Text to knob values and back.

namespace {

using Parsed = Expected<double, std::string>;

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

Parsed parse_choice(const Knob& k, std::string_view text) {
    const std::vector<std::string_view> names(k.choices.begin(), k.choices.end());
    if (const auto meant = choice_of(text, names)) return static_cast<double>(*meant);
    return Unexpected{k.label + " is one of " + joined(k.choices) + "; found " + in_quotes(text) + "."};
}

Parsed parse_flag(const Knob& k, std::string_view text) {
    const std::string word = plain_word(text);
    for (const char* yes : {"true", "on", "yes", "1"})
        if (word == yes) return 1.0;
    for (const char* no : {"false", "off", "no", "0"})
        if (word == no) return 0.0;
    return Unexpected{k.label + " is on or off; found " + in_quotes(text) + "."};
}

bool grouped(std::string_view digits) {  // "1,024" and "12,288,000"
    const auto comma = digits.find(',');
    if (comma == 0 || comma > 3) return false;
    for (std::size_t i = comma; i < digits.size(); i += 4) {
        if (digits[i] != ',' || digits.size() < i + 4) return false;
        for (int j = 1; j < 4; ++j)
            if (!std::isdigit(static_cast<unsigned char>(digits[i + j]))) return false;
    }
    return true;
}

// A comma groups digits when there is a point or several commas, or when the
// value has to be whole; otherwise it is the decimal sign of half of Europe.
std::string with_points(std::string_view number, bool whole) {
    const auto commas = std::count(number.begin(), number.end(), ',');
    const auto point = number.find('.');
    const bool groups = commas > 0 && grouped(number.substr(0, point)) &&
                        (point != number.npos || commas > 1 || whole);
    std::string out;
    for (char c : number)
        if (c != ',') out += c;
        else if (!groups) out += '.';
    return out;
}

struct Number {
    double value;
    std::string_view rest;  // what follows: multiplier, unit
};

std::size_t number_length(std::string_view text) {
    std::size_t n = 0;
    const auto is = [&](std::size_t i, std::string_view any) {
        return i < text.size() && any.find(text[i]) != any.npos;
    };
    n += is(n, "+-");
    while (is(n, "0123456789.,")) ++n;
    const std::size_t exponent = n + 1 + is(n + 1, "+-");
    if (is(n, "eE") && is(exponent, "0123456789"))
        for (n = exponent; is(n, "0123456789");) ++n;
    return n;
}

bool take_number(std::string_view& text, bool whole, double& value) {
    text = trimmed(text);
    const std::size_t n = number_length(text);
    std::string digits = with_points(text.substr(0, n), whole);
    if (digits.starts_with('+')) digits.erase(0, 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (n == 0 || error != std::errc{} || end != digits.data() + digits.size()) return false;
    text = trimmed(text.substr(n));
    return true;
}

// "1.4", "1e12", "2^20"
bool take_power(std::string_view& text, bool whole, double& value) {
    if (!take_number(text, whole, value)) return false;
    if (!text.starts_with('^')) return true;
    text.remove_prefix(1);
    double exponent = 0;
    if (!take_number(text, true, exponent)) return false;
    value = std::pow(value, exponent);
    return true;
}

double multiplier(char c) {
    switch (c) {
    case 'k': case 'K': return 1e3;
    case 'M': case 'm': return 1e6;
    case 'B': case 'b': case 'G': return 1e9;
    case 'T': case 't': return 1e12;
    case 'P': return 1e15;
    default: return 0;
    }
}

// Singular or plural: "1 node", "300B tokens".
bool same_word(std::string_view a, std::string_view b) {
    auto stem = [](std::string_view w) { return plain_word(w.ends_with('s') ? w.substr(0, w.size() - 1) : w); };
    return stem(a) == stem(b);
}

// What the text after the number multiplies it by, in the knob's unit; 0 if it does not belong there.
double factor_of(const Knob& k, std::string_view rest) {
    if (rest.empty()) return 1;
    if (const auto knob_unit = find_unit(k.unit)) {
        const auto given = find_unit(rest);
        return given && given->dimension == knob_unit->dimension ? given->factor / knob_unit->factor : 0;
    }
    if (rest == "%") return k.unit.empty() && k.kind == KnobKind::real ? 0.01 : 0;
    if (same_word(rest, k.unit)) return 1;
    const double times = multiplier(rest.front());
    const std::string_view unit = trimmed(rest.substr(1));
    return unit.empty() || same_word(unit, k.unit) ? times : 0;
}

std::string unit_message(const Knob& k, std::string_view rest) {
    if (k.unit.empty()) return k.label + " has no unit; found " + in_quotes(rest) + ".";
    return k.label + " is given in " + k.unit + "; " + in_quotes(rest) + " does not convert to it.";
}

Parsed parse_number(const Knob& k, std::string_view text) {
    double value = 0;
    std::string_view rest = text;
    if (!take_power(rest, k.kind == KnobKind::integer, value))
        return Unexpected{k.label + " needs a number" + (k.unit.empty() ? "" : " in " + k.unit) + "; found "
                          + in_quotes(text) + "."};
    const double factor = factor_of(k, rest);
    if (factor == 0) return Unexpected{unit_message(k, rest)};
    value *= factor;
    if (k.kind == KnobKind::real) return value;
    if (std::abs(value - std::round(value)) > 1e-9 * std::abs(value))
        return Unexpected{k.label + " is a whole number; found " + in_quotes(text) + "."};
    return std::round(value);
}

// Counts of tokens and the like: "300B". Only where no unit makes the letter ambiguous.
std::string with_letter(double v) {
    struct Letter { double times; const char* name; };
    for (const Letter& l : {Letter{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}})
        if (std::abs(v) >= l.times) return significant(v / l.times, 6) + l.name;
    return significant(v, 6);
}

}  // namespace

Expected<double, std::string> parse_value(const Knob& k, std::string_view text) {
    text = trimmed(text);
    if (k.kind == KnobKind::choice) return parse_choice(k, text);
    if (k.kind == KnobKind::flag) return parse_flag(k, text);
    if (k.id == "layout.zero_stage")
        if (const auto stage = zero_stage_of(text)) return *stage;
    return parse_number(k, text);
}

Expected<double, std::string> parse_value(const Scenario& s, const Knob& k, std::string_view text) {
    constexpr std::string_view unit = "tokens";
    text = trimmed(text);
    const bool in_tokens = k.id == "recipe.global_batch_sequences" && text.size() > unit.size()
                        && same_word(text.substr(text.size() - unit.size()), unit);
    if (!in_tokens || s.recipe.sequence_length < 1) return parse_value(k, text);
    const auto tokens = parse_value(*find_knob("recipe.tokens"), text);
    if (!tokens) return tokens;
    return std::max(1.0, std::round(*tokens / counted_sequence(s.recipe).tokens));
}

std::string format_value(const Knob& k, double value) {
    if (k.kind == KnobKind::flag) return value != 0 ? "on" : "off";
    if (k.kind == KnobKind::choice) {
        const auto i = static_cast<std::size_t>(std::max(0.0, std::round(value)));
        return i < k.choices.size() ? k.choices[i] : fixed(value, 0);
    }
    if (k.kind == KnobKind::integer) return fixed(value, 0);
    const bool countable = k.unit.empty() || k.unit == "tokens";
    return countable && std::abs(value) >= 1e4 ? with_letter(value) : significant(value, 6);
}

}  // namespace plimsoll
