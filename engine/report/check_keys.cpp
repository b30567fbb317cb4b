#include "engine/report/check_keys.h"

#include "engine/report/phases.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace plimsoll::engine {

using Json = nlohmann::ordered_json;

namespace {

// number: null only beside `<key>_reason`. maybe: a number, or null where the machine does not tell.
enum class Kind { text, count, number, maybe, list, object, flag };
constexpr const char* kind_names[] = {"a text", "a count", "a number", "a number or null", "a list", "an object", "true or false"};

struct Key {
    std::string_view type;  // empty: every line
    const char* name;
    Kind kind;
};
constexpr Key keys[] = {
    {"", "type", Kind::text},           {"", "run", Kind::text},            {"", "seq", Kind::count},           {"", "t_s", Kind::number},
    {"hello", "schema", Kind::count},   {"hello", "engine", Kind::text},    {"hello", "arguments", Kind::list}, {"hello", "ranks", Kind::count},
    {"hello", "seed", Kind::count},     {"hello", "environment", Kind::object},
    {"hw", "node", Kind::count},        {"hw", "cores", Kind::maybe},       {"hw", "threads", Kind::maybe},     {"hw", "memory_B", Kind::maybe},
    {"hw", "caches", Kind::list},       {"hw", "links", Kind::list},        {"hw", "gpus", Kind::list},
    {"layout", "dp", Kind::count},      {"layout", "tp", Kind::count},      {"layout", "pp", Kind::count},      {"layout", "zero", Kind::count},
    {"layout", "recompute", Kind::text}, {"layout", "micro_batch", Kind::count}, {"layout", "accumulate", Kind::count},
    {"layout", "grid", Kind::list},     {"layout", "predicted_B", Kind::object},
    {"bench", "kind", Kind::text},      {"bench", "n", Kind::count},        {"bench", "median_s", Kind::number}, {"bench", "lo95_s", Kind::number},
    {"bench", "hi95_s", Kind::number},  {"bench", "min_s", Kind::number},   {"bench", "flags", Kind::list},    {"bench", "params", Kind::object},
    {"bench", "warmup", Kind::count},   {"bench", "max_over_ranks_s", Kind::number}, {"bench", "bytes", Kind::number}, {"bench", "flop", Kind::number},
    {"bench", "wall_over_cpu", Kind::number}, {"bench", "clock_MHz", Kind::maybe},
    {"step", "step", Kind::count},      {"step", "loss", Kind::number},     {"step", "grad_norm", Kind::number}, {"step", "step_s", Kind::number},
    {"step", "tokens", Kind::count},    {"step", "tok_per_s", Kind::number}, {"step", "pass", Kind::object},    {"step", "phase", Kind::object},
    {"step", "comm", Kind::object},     {"step", "mem_peak_B", Kind::maybe}, {"step", "energy_J", Kind::maybe}, {"step", "quality", Kind::list},
    {"energy", "node", Kind::count},    {"energy", "available", Kind::flag}, {"energy", "sources", Kind::list},
    {"power", "node", Kind::count},     {"power", "domain", Kind::text},    {"power", "W", Kind::maybe},        {"power", "J", Kind::maybe},
    {"power", "source", Kind::text},    {"power", "counter_age_s", Kind::maybe},
    {"plan", "part", Kind::count},      {"plan", "of", Kind::count},        {"plan", "text", Kind::text},
    {"experiment", "id", Kind::text},   {"experiment", "role", Kind::text}, {"experiment", "label", Kind::text}, {"experiment", "expected_s", Kind::number},
    {"experiment", "number", Kind::count}, {"experiment", "of", Kind::count}, {"experiment", "plan", Kind::text},
    {"predict", "id", Kind::text},      {"predict", "step_s", Kind::number}, {"predict", "lo90_s", Kind::number}, {"predict", "hi90_s", Kind::number},
    {"predict", "parts", Kind::object}, {"predict", "memory_B", Kind::number}, {"predict", "hash", Kind::text},
    {"beat", "ranks", Kind::list},
    {"warn", "code", Kind::text},       {"warn", "rank", Kind::count},      {"warn", "text", Kind::text},
    {"error", "code", Kind::text},      {"error", "rank", Kind::count},     {"error", "text", Kind::text},      {"error", "exit_code", Kind::count},
    {"summary", "status", Kind::text},  {"summary", "steps", Kind::count},  {"summary", "lines", Kind::count},  {"summary", "hash", Kind::text},
};

bool holds(const Json& line, const Key& key) {
    const Json& value = line[key.name];
    switch (key.kind) {
    case Kind::text: return value.is_string();
    case Kind::count: return value.is_number() && value >= 0 && std::floor(value.get<double>()) == value.get<double>();
    case Kind::number: return value.is_number() || (value.is_null() && line.contains(std::string(key.name) + "_reason"));
    case Kind::maybe: return value.is_number() || value.is_null();
    case Kind::list: return value.is_array();
    case Kind::object: return value.is_object();
    case Kind::flag: return value.is_boolean();
    }
    return false;
}

std::string found(const Json& value) {
    if (value.is_string()) return "a text";
    if (value.is_null()) return "null without a reason";
    const std::string text = value.dump();
    return text.size() < 32 ? text : std::string("a ") + value.type_name();
}

// pass and phase hold {max, mean, min} of every part this program knows.
void check_parts(const Json& line, const char* key, const std::vector<std::string>& names, std::vector<std::string>& problems) {
    if (!line.contains(key) || !line[key].is_object()) return;
    for (const std::string& name : names) {
        const Json part = line[key].value(name, Json());
        for (const char* spread : {"max", "mean", "min"})
            if (!part.is_object() || !part.contains(spread) || !part[spread].is_number())
                return problems.push_back(std::string("step: ") + key + "." + name + " has no " + spread);
    }
}

}  // namespace

std::vector<std::string> problems_of_keys(const Json& line) {
    std::vector<std::string> problems;
    const Json named = line.value("type", Json());
    const std::string type = named.is_string() ? named.get<std::string>() : "";
    const std::string who = type.empty() ? "line" : type;
    for (const Key& key : keys) {
        if (!key.type.empty() && key.type != type) continue;
        if (!line.contains(key.name)) problems.push_back(who + " without " + key.name);
        else if (!holds(line, key)) problems.push_back(who + ": " + key.name + " is " + found(line[key.name]) + ", not " + kind_names[std::size_t(key.kind)]);
    }
    if (type != "step") return problems;
    std::vector<std::string> phases(std::begin(phase_names), std::end(phase_names));
    phases.push_back("recompute");  // all that is computed in the recompute pass
    check_parts(line, "pass", {std::begin(pass_names), std::end(pass_names)}, problems);
    check_parts(line, "phase", phases, problems);
    return problems;
}

}  // namespace plimsoll::engine
