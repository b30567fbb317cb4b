#include "core/files/import/shape_model.h"

#include "core/files/import/tensor_plan.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {

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
    const Role role = role_of(t.name);
    const int width = inner_side(t, hidden, role == Role::first);
    if (of_attention(inside)) {
        if (role == Role::second) b.attended = width;
        else if (role != Role::first) return;
        else if (contains(inside, {"k_proj", "key.", ".k.", "wk."}) && !contains(inside, {"query_key"})) b.keys = width;
        else if (contains(inside, {"v_proj", "value.", ".v.", "wv."}) && !contains(inside, {"query_key"})) return;
        else if (contains(inside, {"qkv", "query_key_value", "c_attn", "w_pack", "W_pack"})) b.fused = width;
        else b.query = width;
        return;
    }
    if (role == Role::first) b.widening = std::max(b.widening, width), b.widened += width;
    if (role == Role::second) b.narrowing = width;
}

void read_vector(BlockWidths& b, const TensorShape& t, const std::string& inside, int hidden) {
    if (is_norm(inside)) {
        if (t.shape[0] == hidden && !is_bias(t.name)) ++b.norms;
        return;
    }
    if (!is_bias(t.name)) return;
    const Role role = role_of(t.name);
    if (of_attention(inside)) (role == Role::second ? b.out_bias : b.qkv_bias) = true;
    else if (role == Role::first || role == Role::second) b.mlp_bias = true;
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
        if (c.split == Split::vocabulary) vocabularies.insert(c.name);
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
    if (width == 0) return missing.push_back("no attention output projection is recognised in the first block");
    if (width > widest || b.keys > widest || b.fused > widest) return missing.push_back("attention is wider than " + std::to_string(widest));
    if (heads < 1) return missing.push_back("heads are not in any shape: state them (" + std::to_string(width) + " wide in all)");
    if (width % heads != 0)
        return missing.push_back(std::to_string(heads) + " heads do not divide the attention width " + std::to_string(width));
    m.heads = heads;
    m.head_dim = width / heads;
    const int keys = b.keys > 0 ? b.keys : b.fused > width ? (b.fused - width) / 2 : width;
    if (keys % m.head_dim != 0 || heads % (keys / m.head_dim) != 0)
        return missing.push_back("keys " + std::to_string(keys) + " wide are no whole number of groups of " + std::to_string(heads) + " heads");
    m.kv_heads = keys / m.head_dim;
}

void set_feed_forward(Model& m, const BlockWidths& b, std::vector<std::string>& missing) {
    if (b.experts) return missing.push_back("a mixture of experts cannot be told from shapes alone: import its config.json");
    if (b.narrowing == 0) return missing.push_back("no feed-forward pair is recognised in the first block");
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
        return Unexpected{std::vector<std::string>{stacks.empty() ? "no numbered blocks are found in the names"
            : "several stacks of blocks (" + stacks[0] + "*, " + stacks[1] + "*): the step of an encoder-decoder is not modelled, its memory and its cut are"}};
    const BlockWidths block = read_block(list, stacks[0], plan.hidden);
    const Ends ends = read_ends(list, plan.hidden, plan);
    Model m;
    m.name = list.name;
    m.layers = blocks_in(list, stacks[0]);
    m.hidden = plan.hidden;
    set_attention(m, block, heads, missing);
    set_feed_forward(m, block, missing);
    if (ends.vocabulary == 0) missing.push_back("no embedding table is recognised");
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
