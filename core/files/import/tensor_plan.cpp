#include "core/files/import/tensor_plan.h"

#include "core/values/basics/phrase.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace plimsoll {

namespace {

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts(1);
    for (const char c : name) {
        if (c == '.' || c == '/') parts.emplace_back();
        else parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return parts;
}

bool is_number(const std::string& part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c); });
}

template <std::size_t N>
bool among(const std::string& part, const std::string_view (&names)[N]) {
    return std::find(std::begin(names), std::end(names), part) != std::end(names);
}

// What the common implementations call their layers.
constexpr std::string_view leaves[] = {"weight", "kernel", "bias", "embedding", "scale", "gamma", "beta", "w", "b"};
constexpr std::string_view firsts[] = {"q",
                                       "k",
                                       "v",
                                       "q_proj",
                                       "k_proj",
                                       "v_proj",
                                       "query",
                                       "key",
                                       "value",
                                       "qkv",
                                       "qkv_proj",
                                       "query_key_value",
                                       "c_attn",
                                       "wqkv",
                                       "wq",
                                       "wk",
                                       "wv",
                                       "w_pack",
                                       "q_b_proj",
                                       "kv_b_proj",
                                       "up_proj",
                                       "gate_proj",
                                       "gate_up_proj",
                                       "fc1",
                                       "fc_in",
                                       "c_fc",
                                       "wi",
                                       "wi_0",
                                       "wi_1",
                                       "w1",
                                       "w3",
                                       "dense_h_to_4h",
                                       "lin1",
                                       "intermediate"};
constexpr std::string_view seconds[] = {"o",   "o_proj", "out_proj",  "c_proj",        "wo",  "w2",
                                        "fc2", "fc_out", "down_proj", "dense_4h_to_h", "lin2"};
constexpr std::string_view tables[] = {"wte",    "embed_tokens", "word_embeddings", "tok_embeddings", "token_embedding",
                                       "shared", "embed_in",     "lm_head",         "embed_out",      "output_layer"};
constexpr std::string_view kept[] = {
    "wpe",  "embed_positions", "position_embeddings", "pos_embed", "relative_attention_bias", "router",
    "gate", "q_a_proj",        "kv_a_proj_with_mqa"};

bool is_bias_tensor(const std::string& name) {
    const std::string last = parts_of(name).back();
    return last == "bias" || last == "b" || last == "beta";
}

}  // namespace

std::string block_pattern(const std::string& name) {
    std::string pattern, part;
    const auto flush = [&] {
        pattern += is_number(part) ? "*" : part;
        part.clear();
    };
    for (const char c : name) {
        if (c == '.' || c == '/') flush(), pattern += c;
        else part += c;
    }
    flush();
    return pattern;
}

TensorRole role_of(const std::string& name) {
    std::vector<std::string> parts = parts_of(name);
    if (parts.size() > 1 && among(parts.back(), leaves)) parts.pop_back();
    const std::string last_part = parts.back(), part_before = parts.size() > 1 ? parts[parts.size() - 2] : "";
    if (among(last_part, firsts)) return TensorRole::first;
    if (among(last_part, seconds)) return TensorRole::second;
    if (last_part == "dense")
        return among(part_before, firsts) ? TensorRole::first : TensorRole::second;  // BERT, GPT-NeoX
    if (among(last_part, tables)) return TensorRole::vocabulary;
    if (among(last_part, kept) || last_part.find("norm") != last_part.npos || last_part.starts_with("ln"))
        return TensorRole::whole;
    return TensorRole::unknown;
}

std::string_view say(TensorSplit s) {
    switch (s) {
        case TensorSplit::whole: return "whole";
        case TensorSplit::output: return "outputs";
        case TensorSplit::input: return "inputs";
        case TensorSplit::vocabulary: return "vocabulary";
    }
    return "";
}

namespace {

// The side most tensors have: norms, biases and one side of nearly every matrix.
int residual_width(const ShapeList& list) {
    std::map<int, int> tensors;
    for (const TensorShape& t : list.tensors)
        for (const int side : std::set<int>(t.shape.begin(), t.shape.end()))
            if (side > 1) ++tensors[side];
    const auto most = std::max_element(tensors.begin(), tensors.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == tensors.end() ? 0 : most->first;
}

// PyTorch writes [outputs, inputs], JAX and GPT-2's Conv1D the other way: the
// named matrices that are not square vote.
bool rows_are_outputs(const ShapeList& list, int hidden) {
    int votes = 0;
    for (const TensorShape& t : list.tensors) {
        if (t.shape.size() < 2) continue;
        const int rows = t.shape[t.shape.size() - 2], columns = t.shape.back();
        if (rows == columns || (rows == hidden) == (columns == hidden)) continue;
        const TensorRole role = role_of(t.name);
        if (role != TensorRole::first && role != TensorRole::second) continue;
        const bool widens = rows != hidden;  // hidden in, if rows are outputs
        votes += widens == (role == TensorRole::first) ? 1 : -1;
    }
    return votes >= 0;
}

class Cutter {
public:
    Cutter(const ShapeList& list, int ranks, int head_dim) : head_dim_(head_dim) {
        plan_.ranks = ranks;
        plan_.hidden = residual_width(list);
        plan_.rows_are_outputs = rows_are_outputs(list, plan_.hidden);
        for (const TensorShape& t : list.tensors) add(t);
    }
    TensorPlan run() && { return std::move(plan_); }

private:
    void add(const TensorShape& t) {
        const std::string pattern = block_pattern(t.name);
        const auto [at, fresh] = rows_.try_emplace({pattern, t.shape}, plan_.cuts.size());
        if (fresh) plan_.cuts.push_back(cut(t, pattern));
        TensorCut& row = plan_.cuts[at->second];
        const double one = row.per_device / row.count;
        if (!fresh) {
            ++row.count;
            row.elements += elements(t);
            row.per_device += one;
        }
        plan_.parameters += elements(t);
        plan_.per_device += one;
    }

    TensorCut cut(const TensorShape& t, const std::string& pattern) {
        TensorCut c;
        c.name = pattern;
        c.shape = t.shape;
        c.elements = c.per_device = elements(t);
        const TensorRole role = t.shape.size() > 1 ? role_of_matrix(t) : role_of_vector(t);
        if (role == TensorRole::vocabulary) along(c, widest(t.shape), TensorSplit::vocabulary);
        if (role == TensorRole::first) along(c, split_axis(t, true), TensorSplit::output);
        if (role == TensorRole::second) along(c, split_axis(t, false), TensorSplit::input);
        return c;
    }

    TensorRole role_of_matrix(const TensorShape& t) {
        const TensorRole named = role_of(t.name);
        if (named != TensorRole::unknown) return named;
        // By shape: a side far wider than the rest is a vocabulary; otherwise the linears of a block take turns.
        const int wide = t.shape[widest(t.shape)];
        if (t.shape.size() == 2 && block_pattern(t.name) == t.name && wide > 8 * plan_.hidden)
            return TensorRole::vocabulary;
        if (std::find(t.shape.begin(), t.shape.end(), plan_.hidden) == t.shape.end()) return TensorRole::whole;
        unnamed_first_ = !unnamed_first_;
        return unnamed_first_ ? TensorRole::first : TensorRole::second;
    }

    // Biases follow their matrix where it is split along outputs; sums come after the second.
    static TensorRole role_of_vector(const TensorShape& t) {
        const TensorRole named = role_of(t.name);
        return is_bias_tensor(t.name) && named == TensorRole::first ? TensorRole::first : TensorRole::whole;
    }

    static int widest(const std::vector<int>& shape) {
        return int(std::max_element(shape.begin(), shape.end()) - shape.begin());
    }

    // The last two sides are the matrix; a stack of experts stands in front.
    int split_axis(const TensorShape& t, bool first) const {
        const int rank = int(t.shape.size());
        if (rank == 1 || (is_bias_tensor(t.name) && rank == 2)) return rank - 1;
        const int rows = rank - 2, columns = rank - 1;
        const bool row_is_stream = t.shape[rows] == plan_.hidden, column_is_stream = t.shape[columns] == plan_.hidden;
        if (row_is_stream != column_is_stream) return row_is_stream ? columns : rows;
        return first == plan_.rows_are_outputs ? rows : columns;
    }

    void along(TensorCut& c, int axis, TensorSplit split) const {
        const double side = c.shape[axis], others = c.elements / side;
        if (split == TensorSplit::vocabulary) {  // padded up
            c.per_device = std::ceil(side / plan_.ranks) * others;
        } else if (c.shape[axis] % plan_.ranks != 0) {
            c.why = phrase("{1} ranks do not divide {2}", plan_.ranks, c.shape[axis]);
            return;
        } else if (head_dim_ > 0 && keys_or_values(c.name) && c.shape[axis] / plan_.ranks % head_dim_ != 0) {
            // Fewer key heads than ranks: ranks that need the same head hold a copy.
            c.why = phrase("fewer key and value heads than ranks: each rank holds one");
            c.per_device = head_dim_ * others;
        } else {
            c.per_device = side / plan_.ranks * others;
        }
        c.split = split;
        c.axis = axis;
    }

    static bool keys_or_values(const std::string& name) {
        constexpr std::string_view names[] = {"k", "v", "k_proj", "v_proj", "key", "value", "wk", "wv"};
        std::vector<std::string> parts = parts_of(name);
        if (parts.size() > 1 && among(parts.back(), leaves)) parts.pop_back();
        return among(parts.back(), names);
    }

    TensorPlan plan_;
    std::map<std::pair<std::string, std::vector<int>>, std::size_t> rows_;  // where a kind of tensor stands in `cuts`
    int head_dim_;
    bool unnamed_first_ = false;
};

}  // namespace

TensorPlan tensor_plan(const ShapeList& list, int ranks, int head_dim) { return Cutter(list, ranks, head_dim).run(); }

}  // namespace plimsoll
