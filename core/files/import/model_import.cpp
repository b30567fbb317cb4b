#include "core/files/import/model_import.h"

#include "core/files/import/shape_model.h"
#include "core/files/import/hf_families.h"
#include "core/files/presets/preset_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_tensors = 200000, most_sides = 8;

std::string usable_id(const std::string& name) {
    std::string id;
    for (const unsigned char c : name) {
        if (std::isalnum(c) || c == '.' || c == '_' || c == '-') id += static_cast<char>(std::tolower(c));
        else if (!id.empty() && id.back() != '-') id += '-';
    }
    while (!id.empty() && (id[0] == '.' || id[0] == '-')) id.erase(0, 1);
    return id.substr(0, 80);
}

// "config.json" says nothing: the folder it lies in does.
std::string name_of_file(const std::string& file) {
    const std::filesystem::path path(file);
    const std::string stem = path.stem().string();
    return stem == "config" && path.has_parent_path() ? path.parent_path().filename().string() : stem;
}

void give_names(Model& m, const ImportOptions& o, const std::string& own) {
    m.name = !o.name.empty() ? o.name : !own.empty() ? own : name_of_file(o.file);
    if (m.name.empty()) m.name = "Imported model";
    m.id = usable_id(m.name);
    if (m.id.empty()) m.id = "imported-model";
}

// ---- config.json

std::vector<std::string_view> model_types() {
    std::vector<std::string_view> types;
    for (const HfFamily& f : hf_families()) types.push_back(f.model_type);
    return types;
}

void unknown_type(const Reader& at, const std::string& type) {
    const auto types = model_types();
    at.error("model type " + in_quotes(type) + " is not known" + did_you_mean(type, types) + "; known are " + one_of(types)
             + ". The list of its weights' names and shapes imports too");
}

constexpr long long widest_attention = 1 << 29;  // queries, keys and values together still fit an int

void check_config(const Reader& root, const Model& m) {
    const LatentAttention& l = m.latent;
    const int head = std::max({m.head_dim, l.value_dim, l.nope_dim + l.value_dim});
    if (1LL * std::max(m.heads, m.kv_heads) * head > widest_attention)
        root.error("num_attention_heads", "found " + std::to_string(m.heads) + " of " + std::to_string(head)
                                              + " elements, expected at most " + std::to_string(widest_attention) + " in all");
    if (m.heads % std::max(1, m.kv_heads) != 0)
        root.error("num_key_value_heads", "found " + std::to_string(m.kv_heads) + ", expected a divisor of the "
                                              + std::to_string(m.heads) + " attention heads");
    if (!root.member("head_dim") && !has_latent_attention(m) && m.hidden % std::max(1, m.heads) != 0)
        root.missing("head_dim", "a whole number: heads " + std::to_string(m.heads) + " do not divide hidden " + std::to_string(m.hidden));
    if (m.experts.count > 0 && m.experts.top_k > m.experts.count)
        root.error("num_experts_per_tok", "found " + std::to_string(m.experts.top_k) + ", expected at most the "
                                              + std::to_string(m.experts.count) + " experts");
}

void read_config(const Reader& root, const ImportOptions& o, ImportedModel& result) {
    const HfConfig config(root);
    const auto type = root.member("model_type");
    const std::string name = type->text().value_or("");
    if (name.empty()) return;
    const auto families = hf_families();
    const auto family = std::find_if(families.begin(), families.end(), [&](const HfFamily& f) { return f.model_type == name; });
    if (family == families.end()) return unknown_type(*type, name);
    Model m;
    m.family = family->name;
    read_shared_keys(config, m);
    family->read(config, m);
    if (root.findings().errors() == 0) check_config(root, m);
    if (root.findings().errors() > 0) return;
    const std::string path = config.text({"_name_or_path"}, "");
    give_names(m, o, path.substr(path.rfind('/') + 1));
    m.sources[""] = {SourceKind::vendor, "config.json of the model (" + name + ")"};
    m.sources["/vocabulary_padding"] = {SourceKind::estimated, "as published, without padding"};
    m.published_parameters = parameters(m);
    m.sources["/published_parameters"] = {SourceKind::derived, "from the shape"};
    result.model = std::move(m);
}

// ---- Shapes

void read_tensor(const Reader& at, const std::string& name, ShapeList& list) {
    std::optional<Reader> shape = at;
    if (at.json().is_object()) shape = at.member("shape");
    if (!shape) return at.missing("shape", "a list of whole numbers");
    if (!shape->array(most_sides)) return;
    TensorShape t{name, {}};
    double count = 1;
    for (const Reader& side : shape->elements()) {
        const auto length = side.whole({1, 1 << 30});
        if (!length) return;
        t.shape.push_back(*length);
        count *= *length;
    }
    if (count > 1e15) return at.error("more than 1e15 elements");
    list.tensors.push_back(std::move(t));
}

void read_shapes(const Reader& root, const ImportOptions& o, ImportedModel& result) {
    const auto& json = root.json();
    if (json.size() > most_tensors) return root.error("more than " + std::to_string(most_tensors) + " tensors");
    for (const std::string& name : root.keys())
        if (name != "__metadata__")
            if (const auto at = root.member(name)) read_tensor(*at, name, result.shapes);
    if (root.findings().errors() > 0) return;
    if (result.shapes.tensors.empty())
        return root.error("expected \"model_type\" (Hugging Face's config.json) or tensors as {\"name\": [rows, columns]}");
    Model names;
    give_names(names, o, "");
    result.shapes.name = names.name;
    auto model = model_of(result.shapes, o.heads);
    if (!model) {
        for (const std::string& why : model.error()) root.warning("no plan can be made of these shapes: " + why);
        return;
    }
    model->name = names.name;
    model->id = names.id;
    result.model = std::move(*model);
}

}  // namespace

bool is_importable(std::string_view text) {
    Findings findings({});
    const auto json = parse(text, findings);
    return json && json->is_object() && !json->empty() && !json->contains("schema");
}

std::vector<std::string> importable_model_types() {
    std::vector<std::string> types;
    for (const std::string_view type : model_types()) types.emplace_back(type);
    return types;
}

Expected<ImportedModel, Problems> import_model(std::string_view text, const ImportOptions& o) {
    Findings findings(o.file);
    ImportedModel result;
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        if (root.object()) {
            if (root.member("model_type")) read_config(root, o, result);
            else read_shapes(root, o, result);
        }
    }
    // A preset that cannot be read back is none: ranges and agreement as for every model file.
    if (result.model && findings.errors() == 0)
        if (const auto again = read_model(write_model(*result.model), o.file); !again)
            for (const Problem& p : again.error()) findings.error(p.pointer, p.message);
    const bool good = findings.errors() == 0;
    result.remarks = findings.take();
    if (!good) return Unexpected{std::move(result.remarks)};
    if (result.model && result.shapes.tensors.empty()) result.shapes = shapes_of(*result.model);
    return result;
}

}  // namespace plimsoll
