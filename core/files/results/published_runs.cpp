#include "core/files/results/published_runs.h"

#include "core/files/results/run_remarks.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace plimsoll {

namespace {

using Json = nlohmann::json;

const Json& member(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

std::string text(const Json& object, const char* key) {
    const Json& value = member(object, key);
    return value.is_string() ? value.get<std::string>() : std::string{};
}

std::optional<double> number(const Json& object, const char* key) {
    const Json& value = member(object, key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) return std::nullopt;
    return value.get<double>();
}

std::optional<double> positive(const Json& object, const char* key) {
    const auto value = number(object, key);
    return value && *value > 0 ? value : std::nullopt;
}

std::optional<int> whole(const Json& object, const char* key) {
    const auto value = number(object, key);
    if (!value || *value < 0 || *value > 1e9) return std::nullopt;
    return int(*value);
}

std::optional<bool> flag(const Json& object, const char* key) {
    const Json& value = member(object, key);
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

// Sources name their sharding, or say true, or give the size of the group.
std::string sharding(const Json& layout) {
    const Json& value = member(layout, "fsdp");
    if (value.is_string()) return value.get<std::string>();
    const bool on = (value.is_boolean() && value.get<bool>()) || (value.is_number() && value.get<double>() > 0);
    return on ? "sharded" : "";
}

constexpr std::pair<const char*, FlopRule> flop_rules[] = {
    {"hw_recompute", FlopRule::hardware}, {"model_noncausal", FlopRule::full_attention},
    {"model_causal", FlopRule::causal},   {"total_noncausal", FlopRule::all_parameters},
    {"8N", FlopRule::eight_n},            {"6N", FlopRule::six_n},
};

FlopRule flop_rule(const Json& row) {
    const std::string name = text(row, "flop_formula");
    for (const auto& [key, rule] : flop_rules)
        if (name == key) return rule;
    return FlopRule::unknown;
}

RowModel read_model_of(const Json& m) {
    return {text(m, "name"),      text(m, "arch"),      positive(m, "params"), whole(m, "layers"), whole(m, "hidden"),
            whole(m, "heads"),    whole(m, "kv_heads"), whole(m, "head_dim"),  whole(m, "ffn"),    whole(m, "vocab"),
            whole(m, "seq"),      flag(m, "gated_mlp"), number(m, "experts").value_or(0) > 1 || text(m, "arch") == "moe",
            whole(m, "experts"),  whole(m, "topk")};
}

RowLayout read_layout_of(const Json& l) {
    return {whole(l, "devices"), whole(l, "tp"), whole(l, "pp"), whole(l, "dp"), whole(l, "cp"), whole(l, "ep"), whole(l, "zero_stage"),
            whole(l, "virtual_pipeline"), whole(l, "micro_batch"), whole(l, "global_batch"), flag(l, "sequence_parallel"),
            sharding(l), text(l, "recompute"), text(l, "precision"), text(l, "framework"), positive(l, "train_tokens"), text(l, "stack")};
}

RowMeasured read_measured_of(const Json& m) {
    return {positive(m, "iteration_s"), positive(m, "tokens_per_s_per_device"), positive(m, "tflops_per_device"),
            positive(m, "memory_gb_per_device"), positive(m, "mfu"), positive(m, "hfu"), positive(m, "device_hours"),
            positive(m, "train_days"), positive(m, "energy_mwh"), positive(m, "power_w_per_device")};
}

std::string citation_of(const Json& source) {
    std::string words = text(source, "title");
    for (const char* key : {"url_or_repo_path", "table", "provenance"})
        if (const std::string part = text(source, key); !part.empty()) words += (words.empty() ? "" : "; ") + part;
    return words;
}

PublishedRow read_row(const Json& row, const std::string& stem) {
    PublishedRow r;
    r.id = text(row, "id");
    const auto slash = r.id.find('/');
    r.source = slash == std::string::npos ? stem : r.id.substr(0, slash);
    r.citation = citation_of(member(row, "source"));
    r.reference = text(row, "use") == "reference";
    r.model = read_model_of(member(row, "model"));
    const Json& machine = member(row, "machine");
    r.machine = {text(machine, "device"), text(machine, "preset")};
    r.layout = read_layout_of(member(row, "layout"));
    if (!r.layout.train_tokens) r.layout.train_tokens = tokens_in(text(row, "notes"));
    r.measured = read_measured_of(member(row, "measured"));
    r.flop_rule = flop_rule(row);
    return r;
}

}  // namespace

Expected<PublishedRows, Problems> read_published_rows(std::string_view json, const std::string& stem) {
    const Json root = Json::parse(json, nullptr, false);
    if (!root.is_array())
        return Unexpected{Problems{{Severity::error, stem, "", "expected a JSON array of published runs"}}};
    PublishedRows rows;
    Problems problems;
    for (std::size_t i = 0; i < root.size(); ++i) {
        if (text(root[i], "id").empty())
            problems.push_back({Severity::error, stem, std::string("/") + std::to_string(i) + "/id", "missing, expected a name of this row"});
        else rows.push_back(read_row(root[i], stem));
    }
    if (!problems.empty()) return Unexpected{std::move(problems)};
    return rows;
}

}  // namespace plimsoll
