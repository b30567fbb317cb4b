#include "core/files/results/published_runs.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace plimsoll {

namespace {

using namespace files;

const Json& member_at(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

std::string text_at(const Json& object, const char* key) {
    const Json& value = member_at(object, key);
    return value.is_string() ? value.get<std::string>() : std::string{};
}

std::optional<double> number_at(const Json& object, const char* key) {
    const Json& value = member_at(object, key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) return std::nullopt;
    return value.get<double>();
}

std::optional<double> positive_at(const Json& object, const char* key) {
    const auto value = number_at(object, key);
    return value && *value > 0 ? value : std::nullopt;
}

std::optional<int> whole_at(const Json& object, const char* key) {
    const auto value = number_at(object, key);
    if (!value || *value < 0 || *value > 1e9) return std::nullopt;
    return int(*value);
}

std::optional<bool> flag_at(const Json& object, const char* key) {
    const Json& value = member_at(object, key);
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

// Sources name their sharding, or say true, or give the size of the group.
std::string sharding(const Json& layout) {
    const Json& value = member_at(layout, "fsdp");
    if (value.is_string()) return value.get<std::string>();
    const bool on = (value.is_boolean() && value.get<bool>()) || (value.is_number() && value.get<double>() > 0);
    return on ? "sharded" : "";
}

constexpr std::pair<const char*, FlopRule> flop_rules[] = {
    {"hw_recompute", FlopRule::hardware}, {"model_noncausal", FlopRule::full_attention},
    {"model_causal", FlopRule::causal},   {"model_megatron", FlopRule::megatron},
    {"total_noncausal", FlopRule::all_parameters},
    {"8N", FlopRule::eight_n},            {"6N", FlopRule::six_n},
};

OrderedJson flop_rule_schema() {
    OrderedJson names = OrderedJson::array();
    for (const auto& [name, rule] : flop_rules) names.push_back(name);
    return {{"enum", std::move(names)}};
}

// ---- Tables: a row says the key and the member, and the member's type says what a file may hold there.

// Nothing where the key is absent, null or not of this kind.
void read_value(const Json& object, const char* key, std::string& value) { value = text_at(object, key); }
void read_value(const Json& object, const char* key, std::optional<double>& value) { value = positive_at(object, key); }
void read_value(const Json& object, const char* key, std::optional<int>& value) { value = whole_at(object, key); }
void read_value(const Json& object, const char* key, std::optional<bool>& value) { value = flag_at(object, key); }
void read_value(const Json& object, const char* key, bool& value) { value = flag_at(object, key).value_or(false); }
void read_value(const Json& object, const char* key, FlopRule& value) {
    const std::string name = text_at(object, key);
    for (const auto& [word, rule] : flop_rules)
        if (name == word) value = rule;
}
template <class E>
void read_value(const Json& object, const char* key, std::optional<E>& value) {
    value = from_name<E>(text_at(object, key));
}

OrderedJson value_schema(const std::string&) { return text_schema(0, {}); }
OrderedJson value_schema(const std::optional<double>&) { return number_schema("number", positive); }
OrderedJson value_schema(const std::optional<int>&) { return number_schema("integer", {0, largest}); }
OrderedJson value_schema(const std::optional<bool>&) { return {{"type", "boolean"}}; }
OrderedJson value_schema(bool) { return {{"type", "boolean"}}; }
OrderedJson value_schema(FlopRule) { return flop_rule_schema(); }
template <class E>
OrderedJson value_schema(const std::optional<E>&) {
    return enum_schema(names_of<E>());
}

template <class Owner, class T>
struct RecordKey {
    const char* key;
    T Owner::*member;
};
template <class Owner, class T>
RecordKey(const char*, T Owner::*) -> RecordKey<Owner, T>;

template <class Owner, class... Keys>
Owner read_record(const std::tuple<Keys...>& keys, const Json& object) {
    Owner owner;
    std::apply([&](const auto&... row) { (read_value(object, row.key, owner.*row.member), ...); }, keys);
    return owner;
}

template <class Owner, class... Keys>
OrderedJson record_schema(const std::tuple<Keys...>& keys, std::vector<std::string> required) {
    const Owner owner;
    OrderedJson schema{{"type", "object"}};
    if (!required.empty()) schema["required"] = std::move(required);
    OrderedJson& properties = schema["properties"];
    std::apply([&](const auto&... row) { ((properties[row.key] = value_schema(owner.*row.member)), ...); }, keys);
    return schema;
}

constexpr std::tuple model_keys{
    RecordKey{"name", &RowModel::name},           RecordKey{"arch", &RowModel::arch},
    RecordKey{"params", &RowModel::parameters},   RecordKey{"layers", &RowModel::layers},
    RecordKey{"hidden", &RowModel::hidden},       RecordKey{"heads", &RowModel::heads},
    RecordKey{"kv_heads", &RowModel::kv_heads},   RecordKey{"head_dim", &RowModel::head_dim},
    RecordKey{"ffn", &RowModel::ffn},             RecordKey{"vocab", &RowModel::vocabulary},
    RecordKey{"seq", &RowModel::sequence_length}, RecordKey{"gated_mlp", &RowModel::gated},
    RecordKey{"experts", &RowModel::expert_count}, RecordKey{"topk", &RowModel::top_k},
};

constexpr std::tuple machine_keys{
    RecordKey{"device", &RowMachine::device},
    RecordKey{"preset", &RowMachine::preset},
    RecordKey{"interconnect", &RowMachine::interconnect},
};

constexpr std::tuple layout_keys{
    RecordKey{"devices", &RowLayout::devices},
    RecordKey{"tp", &RowLayout::tensor},
    RecordKey{"pp", &RowLayout::pipeline},
    RecordKey{"dp", &RowLayout::data},
    RecordKey{"cp", &RowLayout::context},
    RecordKey{"ep", &RowLayout::expert},
    RecordKey{"zero_stage", &RowLayout::zero_stage},
    RecordKey{"virtual_pipeline", &RowLayout::virtual_stages},
    RecordKey{"micro_batch", &RowLayout::micro_batch},
    RecordKey{"global_batch", &RowLayout::global_batch},
    RecordKey{"sequence_parallel", &RowLayout::sequence_parallel},
    RecordKey{"recompute", &RowLayout::recompute},
    RecordKey{"precision", &RowLayout::precision},
    RecordKey{"framework", &RowLayout::framework},
    RecordKey{"train_tokens", &RowLayout::train_tokens},
    RecordKey{"stack", &RowLayout::stack},
};

// What the software did that the source leaves out; words of the framework's name say it where a row does not.
constexpr std::tuple software_keys{
    RecordKey{"dropout", &SoftwareHabits::dropout},
    RecordKey{"pads_vocabulary", &SoftwareHabits::pads_vocabulary},
    RecordKey{"fp32_gradients", &SoftwareHabits::fp32_gradients},
    RecordKey{"all_16bit", &SoftwareHabits::all_16bit},
    RecordKey{"distributed_optimizer", &SoftwareHabits::distributed},
    RecordKey{"whole_batch", &SoftwareHabits::whole_batch},
    RecordKey{"flop_formula", &SoftwareHabits::flop},
};
constexpr const char* tuning_key = "tuning";
constexpr const char* assumed = "assumed";
constexpr const char* method_key = "method";

constexpr std::tuple measured_keys{
    RecordKey{"iteration_s", &RowMeasured::step_seconds},
    RecordKey{"tokens_per_s_per_device", &RowMeasured::tokens_per_second},
    RecordKey{"tflops_per_device", &RowMeasured::teraflops},
    RecordKey{"memory_gb_per_device", &RowMeasured::memory_gb},
    RecordKey{"memory_unit", &RowMeasured::memory_unit},
    RecordKey{"memory_kind", &RowMeasured::memory_kind},
    RecordKey{"memory_rank", &RowMeasured::memory_rank},
    RecordKey{"mfu", &RowMeasured::mfu},
    RecordKey{"hfu", &RowMeasured::hfu},
    RecordKey{"device_hours", &RowMeasured::device_hours},
    RecordKey{"train_days", &RowMeasured::train_days},
    RecordKey{"energy_mwh", &RowMeasured::energy_mwh},
    RecordKey{"power_w_per_device", &RowMeasured::power_watts},
};

RowModel read_model_of(const Json& m) {
    RowModel model = read_record<RowModel>(model_keys, m);
    model.experts = model.expert_count.value_or(0) > 1 || model.arch == "moe";
    return model;
}

RowLayout read_layout_of(const Json& l) {
    RowLayout layout = read_record<RowLayout>(layout_keys, l);
    layout.sharding = sharding(l);
    if (const Json& software = member_at(l, "software"); software.is_object()) {
        layout.habits = read_record<SoftwareHabits>(software_keys, software);
        layout.tuning_assumed = text_at(software, tuning_key) == assumed;
    }
    return layout;
}

std::string citation_of(const Json& source) {
    std::string words = text_at(source, "title");
    for (const char* key : {"url_or_repo_path", "table", "provenance"})
        if (const std::string part = text_at(source, key); !part.empty()) words += (words.empty() ? "" : "; ") + part;
    return words;
}

PublishedRow read_row(const Json& row, const std::string& stem) {
    PublishedRow r;
    r.id = text_at(row, "id");
    const auto slash = r.id.find('/');
    r.source = slash == std::string::npos ? stem : r.id.substr(0, slash);
    r.citation = citation_of(member_at(row, "source"));
    r.vendor = text_at(member_at(row, "source"), "vendor");
    r.remark = text_at(row, "notes");
    r.reference = text_at(row, "use") == "reference";
    r.model = read_model_of(member_at(row, "model"));
    r.machine = read_record<RowMachine>(machine_keys, member_at(row, "machine"));
    r.layout = read_layout_of(member_at(row, "layout"));
    if (!r.layout.train_tokens) r.layout.train_tokens = tokens_in(r.remark);
    r.measured = read_record<RowMeasured>(measured_keys, member_at(row, "measured"));
    read_value(row, "flop_formula", r.flop_rule);
    return r;
}

constexpr std::string_view outcomes[] = {"ran", "oom"};   // of a memory case

// A word that is none of a member's would silently compare another figure. `outcome`: rows say what became of them.
void check_words(const Json& row, bool outcome, const std::string& at, const std::string& stem, Problems& problems) {
    const auto check = [&](const Json& value, const std::string& key, std::span<const std::string_view> names) {
        if (value.is_string() && std::ranges::find(names, value.get<std::string>()) != names.end()) return;
        std::string known;
        for (const std::string_view name : names) known.append(known.empty() ? "" : ", ").append(name);
        problems.push_back({Severity::error, stem, at + "/" + key,
                            phrase("found {1}, expected one of {2}",
                                   value.dump(-1, ' ', true, Json::error_handler_t::replace), known)});
    };
    const auto check_measured = [&](const char* key, std::span<const std::string_view> names) {
        const Json& value = member_at(member_at(row, "measured"), key);
        if (!value.is_null()) check(value, std::string("measured/").append(key), names);
    };
    check_measured("memory_unit", names_of<MemoryUnit>());
    check_measured("memory_kind", names_of<MemoryKind>());
    check_measured("memory_rank", names_of<MemoryRank>());
    if (outcome) check(member_at(row, "outcome"), "outcome", outcomes);
}

constexpr std::size_t most_row_problems = 100;
constexpr double most_of_anything = 1e9;

void check_count(const Json& object, const char* key, bool may_be_none, const std::string& at, const std::string& stem,
                 Problems& problems) {
    const Json& value = member_at(object, key);
    if (!value.is_number()) return;
    const NumberRange range{may_be_none ? 0.0 : 1.0, most_of_anything};
    const double v = value.get<double>();
    if (v >= range.low && v <= range.high && v == std::floor(v)) return;
    problems.push_back(
        {Severity::error, stem, at + key, phrase("found {1}, expected {2}", value.dump(), a_whole_number(range))});
}

// The rules divide by sizes and degrees. What a source does not publish is absent, not zero.
template <class... Keys>
void check_counts(const std::tuple<Keys...>& keys, const Json& object, const std::string& at, const std::string& stem,
                  Problems& problems) {
    const auto look = [&]<class Owner>(const char* key, std::optional<int> Owner::*) {
        const std::string_view name = key;
        check_count(object, key, name == "zero_stage" || name == "experts" || name == "topk", at, stem, problems);
    };
    const auto each = [&](const auto& row) {
        if constexpr (requires { look(row.key, row.member); }) look(row.key, row.member);
    };
    std::apply([&](const auto&... row) { (each(row), ...); }, keys);
}

// An absent member is not published; members beside these are allowed everywhere.
OrderedJson source_schema() {
    OrderedJson schema{{"type", "object"}, {"required", {"title", "provenance"}}};
    schema["properties"]["title"] = text_schema(1, {});
    for (const char* key : {"url_or_repo_path", "table", "licence"}) schema["properties"][key] = text_schema(0, {});
    schema["properties"]["vendor"] = text_schema(1, {});
    schema["properties"]["vendor"]["description"] =
        "Who made what was run and reports it; without it the source is its own";
    schema["properties"]["provenance"]["enum"] = {"verified", "recalled"};
    return schema;
}

OrderedJson published_layout_schema() {
    OrderedJson schema = record_schema<RowLayout>(layout_keys, {"framework"});
    // "selective: layernorm, moe", "selective layer (every second layer)": as the source calls it.
    schema["properties"]["recompute"] = text_schema(1, "^(none|selective|full)");
    schema["properties"]["stack"] = {
        {"type", {"string", "null"}},
        {"description", "Id of a stack preset; without it words of the framework's name say it"}};
    OrderedJson software = record_schema<SoftwareHabits>(software_keys, {});
    software["description"] = "What the software does and the source leaves out; without it words of the framework's "
                              "name say it";
    software["properties"][tuning_key] = {
        {"const", assumed}, {"description", "The stack is one of several that differ in how hard they were tuned"}};
    software["additionalProperties"] = false;
    schema["properties"]["software"] = std::move(software);
    return schema;
}

OrderedJson row_schema() {
    OrderedJson properties = OrderedJson::object();
    properties["id"] = text_schema(1, {});
    properties["id"]["description"] = "source/row";
    properties["use"]["enum"] = {"score", "reference"};
    properties["source"] = source_schema();
    properties["model"] = record_schema<RowModel>(model_keys, {"name", "arch"});
    properties["machine"] = record_schema<RowMachine>(machine_keys, {"device"});
    properties["layout"] = published_layout_schema();
    properties["measured"] = record_schema<RowMeasured>(measured_keys, {});
    properties["measured"]["minProperties"] = 1;
    properties[method_key] = method_schema();
    properties[method_key]["description"] = "What is trained of the model; absent: all of it, from nothing";
    properties["flop_formula"] = flop_rule_schema();
    OrderedJson schema{{"type", "object"}};
    schema["required"] = {"id", "use", "source", "model", "machine", "layout", "measured"};
    schema["properties"] = std::move(properties);
    return schema;
}

}  // namespace

OrderedJson files::published_runs_schema() {
    OrderedJson document{{"$schema", json_schema_dialect}, {"title", "Published runs as records"}};
    document["description"] = "One measurement an object; an absent member is not published";
    document.update(list_schema(row_schema(), 1, 0));
    return document;
}

namespace {

Expected<MemoryCases, Problems> read_cases(std::string_view json, const std::string& stem, bool outcome) {
    Findings findings(stem);
    const auto parsed = parse(json, findings);
    if (!parsed) return Unexpected{findings.take()};
    const Json& root = *parsed;
    if (!root.is_array())
        return Unexpected{Problems{{Severity::error, stem, "", phrase("expected a JSON array of published runs")}}};
    constexpr std::size_t most_rows = 100'000;   // each becomes a plan
    if (root.size() > most_rows)
        return Unexpected{Problems{{Severity::error, stem, "", phrase("more than {1} rows", most_rows)}}};
    MemoryCases rows;
    Problems problems;
    for (std::size_t i = 0; i < root.size(); ++i) {
        const std::string at = std::string("/") + std::to_string(i);
        if (problems.size() >= most_row_problems) break;
        check_words(root[i], outcome, at, stem, problems);
        check_counts(model_keys, member_at(root[i], "model"), at + "/model/", stem, problems);
        check_counts(layout_keys, member_at(root[i], "layout"), at + "/layout/", stem, problems);
        if (text_at(root[i], "id").empty())
            problems.push_back({Severity::error, stem, at + "/id", phrase("missing, expected a name of this row")});
        MemoryCase c{read_row(root[i], stem), text_at(root[i], "outcome") == "ran", text_at(root[i], method_key)};
        if (root[i].is_object() && !(outcome && member_at(root[i], method_key).is_string()))
            read_method(Reader(root[i], at, findings), c.row.method);
        rows.push_back(std::move(c));
    }
    const bool wrong = !problems.empty() || findings.errors() > 0;
    for (Problem& p : findings.take())
        if (p.severity == Severity::error && problems.size() < most_row_problems) problems.push_back(std::move(p));
    if (wrong) return Unexpected{std::move(problems)};
    return rows;
}

}  // namespace

Expected<PublishedRows, Problems> read_published_rows(std::string_view json, const std::string& stem) {
    auto read = read_cases(json, stem, false);
    if (!read) return Unexpected{std::move(read.error())};
    PublishedRows rows;
    for (MemoryCase& c : *read) rows.push_back(std::move(c.row));
    return rows;
}

Expected<MemoryCases, Problems> read_memory_cases(std::string_view json, const std::string& stem) {
    return read_cases(json, stem, true);
}

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// The number that ends before `end`: "143,000", "2.0".
std::optional<double> number_before(std::string_view text, std::size_t end) {
    std::size_t start = end;
    while (start > 0 && (digit(text[start - 1]) || text[start - 1] == '.' || text[start - 1] == ',')) --start;
    std::string digits(text.substr(start, end - start));
    std::erase(digits, ',');
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc{} || value <= 0) return std::nullopt;
    return value;
}

// "... 143,000 steps of 1024x2048 tokens"
std::optional<double> steps_of(std::string_view text, std::size_t tokens) {
    const std::size_t by = text.substr(0, tokens).rfind('x'), steps = text.substr(0, tokens).rfind(" steps of ");
    if (by == std::string_view::npos || steps == std::string_view::npos || by < steps) return std::nullopt;
    const auto count = number_before(text, steps), batch = number_before(text, by),
               length = number_before(text, tokens);
    if (!count || !batch || !length) return std::nullopt;
    return *count * *batch * *length;
}

}  // namespace

std::optional<double> tokens_in(std::string_view remark) {
    constexpr std::string_view unit = " tokens";
    for (std::size_t at = remark.find(unit); at != std::string_view::npos; at = remark.find(unit, at + 1)) {
        if (const auto run = steps_of(remark, at)) return run;
        std::size_t end = at;
        if (end > 0 && remark[end - 1] == '+') --end;
        const char scale = end > 0 ? remark[end - 1] : ' ';
        if (scale != 'B' && scale != 'T') continue;
        if (const auto value = number_before(remark, end - 1)) return *value * (scale == 'T' ? 1e12 : 1e9);
    }
    return std::nullopt;
}

}  // namespace plimsoll
