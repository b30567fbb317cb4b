#include "core/files/import/model_import.h"

#include "core/files/import/hf_families.h"
#include "core/files/import/tensor_plan.h"
#include "core/files/presets/preset_json.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

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

void give_names(Model& m, const ImportOptions& o, const std::string& stated_name) {
    m.name = !o.name.empty() ? o.name : !stated_name.empty() ? stated_name : name_of_file(o.file);
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

void unknown_type(const Reader& at, const std::string& type, const std::string& key) {
    const auto types = model_types();
    at.error(phrase("model type {1} is not known{2}, and by its key {3} it is not Llama under another name; known are "
                    "{4}. The list of its weights' names and shapes imports too",
                    in_quotes(type), did_you_mean(type, types), in_quotes(key), one_of(types)));
}

constexpr long long widest_attention = 1 << 29;  // queries, keys and values together still fit an int

void check_config(const Reader& root, const Model& m) {
    const LatentAttention& l = m.latent;
    const int head = std::max({m.head_dim, l.value_dim, l.nope_dim + l.value_dim});
    if (1LL * std::max(m.heads, m.kv_heads) * head > widest_attention)
        root.error("num_attention_heads",
                   phrase("found {1} of {2} elements, expected at most {3} in all", m.heads, head, widest_attention));
    if (m.heads % std::max(1, m.kv_heads) != 0)
        root.error("num_key_value_heads",
                   phrase("found {1}, expected a divisor of the {2} attention heads", m.kv_heads, m.heads));
    const bool stated = root.member("head_dim") || root.member("attention_head_dim") || has_latent_attention(m);
    if (!stated && m.hidden % std::max(1, m.heads) != 0)
        root.missing("head_dim", phrase("a whole number: heads {1} do not divide hidden {2}", m.heads, m.hidden));
    if (m.experts.count > 0 && m.experts.top_k > m.experts.count)
        root.error("num_experts_per_tok",
                   phrase("found {1}, expected at most the {2} experts", m.experts.top_k, m.experts.count));
}

// `around`: the configuration of the larger model that this one is the language part of.
void read_config(const Reader& root, const ImportOptions& o, ImportedModel& result, const Reader* around = nullptr) {
    const HfConfig config(root);
    const auto type = root.member("model_type");
    const std::string name = type ? type->text().value_or("") : "";
    if (name.empty()) return;
    if (const auto text = root.member("text_config"); text && text->json().is_object() && text->member("model_type")) {
        root.warning("text_config",
                     phrase("only the language model is taken over; what encodes images or sound is left out"));
        return read_config(*text, o, result, &root);
    }
    if (const auto blocks = blocks_not_modelled(name); !blocks.empty()) return refuse_blocks(*type, blocks);
    const auto families = hf_families();
    const auto known = std::ranges::find(families, std::string_view(name), &HfFamily::model_type);
    const HfFamily* family = known != families.end() ? &*known : nullptr;
    if (!family) {
        const auto by_keys = family_by_keys(root);
        if (!by_keys) return unknown_type(*type, name, by_keys.error());
        family = *by_keys;
        root.warning("model_type", phrase("model type {1} is not known: by its keys it is Llama under another name, "
                                          "and it is read so",
                                          in_quotes(name)));
    }
    Model m;
    m.family = family->name;
    read_shared_keys(config, m);
    family->read(config, m);
    if (around && !config.has("tie_word_embeddings"))
        m.tied_embeddings = HfConfig(*around).flag("tie_word_embeddings", m.tied_embeddings);
    read_further_tokens(config, m);
    if (root.findings().errors() == 0) check_config(root, m);
    if (root.findings().errors() > 0) return;
    say_what_is_left_out(config);
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
    if (!shape) return at.missing("shape", phrase("a list of whole numbers"));
    if (!shape->array(most_sides)) return;
    TensorShape t{name, {}};
    double count = 1;
    for (const Reader& side : shape->elements()) {
        const auto length = side.whole({1, 1 << 30});
        if (!length) return;
        t.shape.push_back(*length);
        count *= *length;
    }
    if (count > 1e15) return at.error(phrase("more than 1e15 elements"));
    list.tensors.push_back(std::move(t));
}

void read_shapes(const Reader& root, const ImportOptions& o, ImportedModel& result) {
    const auto& json = root.json();
    if (json.size() > most_tensors) return root.error(phrase("more than {1} tensors", most_tensors));
    for (const std::string& name : root.keys())
        if (name != "__metadata__")
            if (const auto at = root.member(name)) read_tensor(*at, name, result.shapes);
    if (root.findings().errors() > 0) return;
    if (result.shapes.tensors.empty())
        return root.error(
            phrase("expected \"model_type\" (Hugging Face's config.json) or tensors as {1}",
                   "{\"name\": [rows, columns]}"));
    Model names;
    give_names(names, o, "");
    result.shapes.name = names.name;
    auto model = model_of(result.shapes, o.heads);
    if (!model) {
        for (const std::string& why : model.error())
            root.warning(phrase("no plan can be made of these shapes: {1}", why));
        return;
    }
    model->name = names.name;
    model->id = names.id;
    result.model = std::move(*model);
}

// Python writes numbers that JSON has no word for: they become null where they are no part of a text.
std::string without_python_numbers(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (bool inside = false; !text.empty();) {
        std::string_view number;
        for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
            if (!inside && text.starts_with(word)) number = word;
        if (text[0] == '"') inside = !inside;
        const std::size_t taken = std::min(text.size(), !number.empty() ? number.size()
                                                        : inside && text[0] == '\\' ? 2 : 1);
        out += number.empty() ? text.substr(0, taken) : "null";
        text.remove_prefix(taken);
    }
    return out;
}

}  // namespace

bool is_importable(std::string_view text) {
    Findings findings({});
    const auto json = parse(without_python_numbers(text), findings);
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
    if (const auto json = parse(without_python_numbers(text), findings)) {
        const Reader root(*json, "", findings);
        if (root.object()) {
            if (root.member("model_type")) read_config(root, o, result);
            else read_shapes(root, o, result);
        }
    }
    // A preset that cannot be read back is none: ranges and agreement as for every model file.
    if (result.model && findings.errors() == 0)
        if (const auto reread = read_model(write_model(*result.model), o.file); !reread)
            for (const Problem& p : reread.error()) findings.error(p.pointer, p.message);
    const bool good = findings.errors() == 0;
    result.remarks = findings.take();
    if (!good) return Unexpected{std::move(result.remarks)};
    if (result.model && result.shapes.tensors.empty()) result.shapes = shapes_of(*result.model);
    return result;
}

namespace {

// "model.layers." of "model.layers.3.mlp.up_proj.weight"; empty without a number.
std::string stack_of(const std::string& name) {
    const std::string pattern = block_pattern(name);
    const auto star = pattern.find('*');
    return star == pattern.npos ? "" : pattern.substr(0, star);
}

int block_of(const std::string& name, const std::string& stack) { return std::atoi(name.c_str() + stack.size()); }

struct BlockWidths {
    int query = 0, keys = 0, fused = 0, attended = 0;  // widths of attention: in and out of its core
    int widening = 0, widened = 0, narrowing = 0;      // feed-forward: inner width, sum over branches, of the second
    int hidden_vectors = 0, norms = 0;
    bool qkv_bias = false, out_bias = false, mlp_bias = false, experts = false;
};

constexpr int widest = 1 << 29;  // queries, keys and values together still fit an int

bool contains(const std::string& text, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* w) { return text.find(w) != text.npos; });
}

bool of_attention(const std::string& name) { return contains(name, {"attn", "attention", "Attention"}); }
bool is_norm(const std::string& name) { return contains(name, {"norm", "ln_", "ln1", "ln2", "LayerNorm"}); }
bool is_bias(const std::string& name) { return name.ends_with("bias"); }

int inner_side(const TensorShape& t, int hidden, bool row) {
    const int rows = t.shape[0], columns = t.shape[1];
    if ((rows == hidden) != (columns == hidden)) return rows == hidden ? columns : rows;
    return row ? rows : columns;
}

void read_matrix(BlockWidths& b, const TensorShape& t, const std::string& inside, int hidden) {
    const TensorRole role = role_of(t.name);
    const int width = inner_side(t, hidden, role == TensorRole::first);
    if (of_attention(inside)) {
        if (role == TensorRole::second) b.attended = width;
        else if (role != TensorRole::first) return;
        else if (contains(inside, {"k_proj", "key.", ".k.", "wk."}) && !contains(inside, {"query_key"})) b.keys = width;
        else if (contains(inside, {"v_proj", "value.", ".v.", "wv."}) && !contains(inside, {"query_key"})) return;
        else if (contains(inside, {"qkv", "query_key_value", "c_attn", "w_pack", "W_pack"})) b.fused = width;
        else b.query = width;
        return;
    }
    if (role == TensorRole::first) b.widening = std::max(b.widening, width), b.widened += width;
    if (role == TensorRole::second) b.narrowing = width;
}

void read_vector(BlockWidths& b, const TensorShape& t, const std::string& inside, int hidden) {
    if (is_norm(inside)) {
        if (t.shape[0] == hidden && !is_bias(t.name)) ++b.norms;
        return;
    }
    if (!is_bias(t.name)) return;
    const TensorRole role = role_of(t.name);
    if (of_attention(inside)) (role == TensorRole::second ? b.out_bias : b.qkv_bias) = true;
    else if (role == TensorRole::first || role == TensorRole::second) b.mlp_bias = true;
}

BlockWidths read_block(const ShapeList& list, const std::string& stack, int hidden) {
    BlockWidths b;
    for (const TensorShape& t : list.tensors) {
        if (!t.name.starts_with(stack) || stack_of(t.name) != stack || block_of(t.name, stack) != 0) continue;
        const std::string inside = t.name.substr(stack.size());
        if (contains(inside, {"expert"})) b.experts = true;
        if (t.shape.size() == 2) read_matrix(b, t, inside, hidden);
        if (t.shape.size() == 1) read_vector(b, t, inside, hidden);
    }
    return b;
}

// Tables outside the blocks: vocabulary, its second copy, positions.
struct Ends {
    int vocabulary = 0, tables = 0, positions = 0;
    bool final_norm = false, norm_bias = false;
};

Ends read_ends(const ShapeList& list, int hidden, const TensorPlan& plan) {
    Ends e;
    std::set<std::string> vocabularies;
    for (const TensorCut& c : plan.cuts)
        if (c.split == TensorSplit::vocabulary) vocabularies.insert(c.name);
    for (const TensorShape& t : list.tensors) {
        if (is_norm(t.name) && is_bias(t.name)) e.norm_bias = true;
        if (!stack_of(t.name).empty()) continue;
        if (t.shape.size() == 2 && vocabularies.contains(t.name)) {
            ++e.tables;
            e.vocabulary = std::max(e.vocabulary, inner_side(t, hidden, true));
        } else if (t.shape.size() == 2) {
            e.positions = std::max(e.positions, inner_side(t, hidden, true));
        } else if (t.shape.size() == 1 && is_norm(t.name) && !is_bias(t.name)) {
            e.final_norm = true;
        }
    }
    return e;
}

int blocks_in(const ShapeList& list, const std::string& stack) {
    std::set<int> numbers;
    for (const TensorShape& t : list.tensors)
        if (stack_of(t.name) == stack) numbers.insert(block_of(t.name, stack));
    return int(numbers.size());
}

void set_attention(Model& m, const BlockWidths& b, int heads, std::vector<std::string>& missing) {
    const int width = b.attended > 0 ? b.attended : b.query;
    if (width == 0) return missing.push_back(phrase("no attention output projection is recognised in the first block"));
    if (width > widest || b.keys > widest || b.fused > widest)
        return missing.push_back(phrase("attention is wider than {1}", widest));
    if (heads < 1)
        return missing.push_back(phrase("heads are not in any shape: state them ({1} wide in all)", width));
    if (width % heads != 0)
        return missing.push_back(phrase("{1} heads do not divide the attention width {2}", heads, width));
    m.heads = heads;
    m.head_dim = width / heads;
    const int keys = b.keys > 0 ? b.keys : b.fused > width ? (b.fused - width) / 2 : width;
    if (keys % m.head_dim != 0 || heads % (keys / m.head_dim) != 0)
        return missing.push_back(
            phrase("keys {1} wide are no whole number of groups of {2} heads", keys, heads));
    m.kv_heads = keys / m.head_dim;
}

void set_feed_forward(Model& m, const BlockWidths& b, std::vector<std::string>& missing) {
    if (b.experts)
        return missing.push_back(
            phrase("a mixture of experts cannot be told from shapes alone: import its config.json"));
    if (b.narrowing == 0) return missing.push_back(phrase("no feed-forward pair is recognised in the first block"));
    m.ffn = b.narrowing;
    m.activation = b.widened > b.narrowing ? Activation::swiglu : Activation::gelu;
}

}  // namespace

std::vector<std::string> stacks_of(const ShapeList& list) {
    std::vector<std::string> stacks;
    for (const TensorShape& t : list.tensors) {
        const std::string stack = stack_of(t.name);
        if (!stack.empty() && std::find(stacks.begin(), stacks.end(), stack) == stacks.end()) stacks.push_back(stack);
    }
    return stacks;
}

Expected<Model, std::vector<std::string>> model_of(const ShapeList& list, int heads) {
    std::vector<std::string> missing;
    const TensorPlan plan = tensor_plan(list, 1);
    const std::vector<std::string> stacks = stacks_of(list);
    if (stacks.size() != 1)
        return Unexpected{std::vector<std::string>{
            stacks.empty() ? phrase("no numbered blocks are found in the names")
                           : phrase("several stacks of blocks ({1}*, {2}*): the step of an encoder-decoder is not "
                                    "modelled, its memory and its cut are",
                                    stacks[0], stacks[1])}};
    const BlockWidths block = read_block(list, stacks[0], plan.hidden);
    const Ends ends = read_ends(list, plan.hidden, plan);
    Model m;
    m.name = list.name;
    m.layers = blocks_in(list, stacks[0]);
    m.hidden = plan.hidden;
    set_attention(m, block, heads, missing);
    set_feed_forward(m, block, missing);
    if (ends.vocabulary == 0) missing.push_back(phrase("no embedding table is recognised"));
    if (!missing.empty()) return Unexpected{std::move(missing)};
    m.vocabulary = ends.vocabulary;
    m.tied_embeddings = ends.tables < 2;
    m.position_rows = ends.positions;
    m.positions = ends.positions > 0 ? Positions::learned : Positions::rotary;
    m.norm = ends.norm_bias ? Norm::layer_norm : Norm::rms_norm;
    m.norms_per_layer = block.norms;
    m.final_norm = ends.final_norm;
    m.qkv_bias = block.qkv_bias;
    m.out_bias = block.out_bias;
    m.mlp_bias = block.mlp_bias;
    m.dropout = false;
    m.vocabulary_padding = 1;
    m.published_parameters = plan.parameters;
    m.extra_parameters = plan.parameters - parameters(m);
    m.sources[""] = {SourceKind::derived, "shapes of the weights"};
    m.sources["/heads"] = {SourceKind::user, "stated at the import"};
    m.sources["/extra_parameters"] = {SourceKind::derived, "what the shapes count beyond the formula"};
    return m;
}

}  // namespace plimsoll
