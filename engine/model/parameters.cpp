#include "engine/model/parameters.h"

#include "engine/model/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll::engine {

namespace {

constexpr std::size_t alignment = 64;  // elements: whole cache lines and whole vectors of every type
std::size_t aligned(std::size_t n, std::size_t to = alignment) { return (n + to - 1) / to * to; }

// Puts tensors one after the other and notes where the ranges end.
class Builder {
public:
    Builder(const Stage& stage, UnitKind kind, int layer = -1) : stage_(stage) {
        unit_.kind = kind;
        unit_.layer = layer;
        if (layer >= 0) prefix_.append("h.").append(std::to_string(layer)).append(".");
    }
    void add(const char* name, int rows, int columns, Split split, double deviation, double constant = 0) {
        Parameter t{prefix_ + name, rows, columns, split, deviation, constant, at_, rows, columns, 0, 0};
        const int ranks = stage_.tensor_ranks, rank = stage_.tensor_rank;
        if (split == Split::rows) {
            t.local_rows = rows / ranks;
            t.first_row = rank * t.local_rows;
        }
        if (split == Split::columns) {
            t.local_columns = columns / ranks;
            t.first_column = rank * t.local_columns;
        }
        place(std::move(t));
    }
    // A table of one row per token, padded to equal shares.
    void add_vocabulary(const char* name) {
        const Shape& s = stage_.shape;
        const auto share = vocabulary_share(s, stage_.tensor_rank, stage_.tensor_ranks);
        place({name, s.vocabulary, s.width, Split::rows, 0.02, 0, at_, share.padded, s.width, share.first, 0});
    }
    // Products of several tensors at once need them side by side: only between groups is there padding.
    void end_group() { at_ = aligned(at_); }
    void end_replicated() {
        end_group();
        unit_.replicated = at_;
    }
    void end_undecayed() {
        end_group();
        unit_.decays = at_;
    }
    Unit finish() {
        unit_.count = aligned(at_, alignment * std::size_t(stage_.data_ranks));
        return std::move(unit_);
    }

private:
    void place(Parameter t) {
        at_ += t.count();
        unit_.parameters.push_back(std::move(t));
    }
    const Stage& stage_;
    Unit unit_;
    std::string prefix_;
    std::size_t at_ = 0;
};

void add_norm(Builder& b, const Shape& s, const char* gain, const char* bias) {
    b.add(gain, 1, s.width, Split::none, 0, 1);
    b.end_group();
    if (s.norm == Norm::layer) b.add(bias, 1, s.width, Split::none, 0);
    b.end_group();
}

Unit layer_unit(const Stage& stage, int layer) {
    const Shape& s = stage.shape;
    const bool gated = s.activation == Activation::swiglu;
    // Radford et al. 2019, section 2.3.
    const double deviation = 0.02, onto_residual = 0.02 / std::sqrt(2.0 * s.layers);
    Builder b(stage, UnitKind::layer, layer);
    add_norm(b, s, "ln1.gain", "ln1.bias");
    add_norm(b, s, "ln2.gain", "ln2.bias");
    if (s.biases) {
        b.add("o.bias", 1, s.width, Split::none, 0);
        b.end_group();
    }
    if (s.biases) b.add("down.bias", 1, s.width, Split::none, 0);
    b.end_replicated();
    if (s.biases) {
        b.add("q.bias", 1, s.queries(), Split::columns, 0);
        b.add("k.bias", 1, s.keys(), Split::columns, 0);
        b.add("v.bias", 1, s.keys(), Split::columns, 0);
        b.end_group();
        b.add("up.bias", 1, s.ffn, Split::columns, 0);
    }
    b.end_undecayed();
    b.add("q.weight", s.queries(), s.width, Split::rows, deviation);
    b.add("k.weight", s.keys(), s.width, Split::rows, deviation);
    b.add("v.weight", s.keys(), s.width, Split::rows, deviation);
    b.end_group();
    b.add("o.weight", s.width, s.queries(), Split::columns, onto_residual);
    b.end_group();
    if (gated) b.add("gate.weight", s.ffn, s.width, Split::rows, deviation);
    b.add("up.weight", s.ffn, s.width, Split::rows, deviation);
    b.end_group();
    b.add("down.weight", s.width, s.ffn, Split::columns, onto_residual);
    return b.finish();
}

Unit table_unit(const Stage& stage, UnitKind kind, const char* name) {
    Builder b(stage, kind);
    b.add_vocabulary(name);
    return b.finish();
}

}  // namespace

const Parameter* Unit::find(std::string_view suffix) const {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& t) { return t.name.ends_with(suffix); });
    return found == parameters.end() ? nullptr : &*found;
}

std::vector<Unit> units_of(const Stage& stage) {
    std::vector<Unit> units;
    if (stage.first || (stage.last && stage.shape.tied)) {
        units.push_back(table_unit(stage, UnitKind::tokens, "wte"));
        units.back().copy = !stage.first;
    }
    if (stage.first && !stage.shape.rotary) {
        Builder b(stage, UnitKind::positions);
        b.add("wpe", stage.shape.sequence, stage.shape.width, Split::none, 0.02);
        units.push_back(b.finish());
        units.back().replicated = units.back().count;
    }
    for (const int layer : stage.layers) units.push_back(layer_unit(stage, layer));
    if (stage.last) {
        Builder b(stage, UnitKind::last_norm);
        add_norm(b, stage.shape, "lnf.gain", "lnf.bias");
        units.push_back(b.finish());
        units.back().replicated = units.back().decays = units.back().count;
        if (!stage.shape.tied) units.push_back(table_unit(stage, UnitKind::head, "head.weight"));
    }
    for (std::size_t i = 1; i < units.size(); ++i) units[i].offset = units[i - 1].offset + units[i - 1].count;
    return units;
}

VocabularyShare vocabulary_share(const Shape& s, int rank, int ranks) {
    const int padded = (s.vocabulary + ranks - 1) / ranks;
    const int first = std::min(rank * padded, s.vocabulary);
    return {first, std::min(padded, s.vocabulary - first), padded};
}

void initial_values(const Parameter& p, std::uint64_t seed, int row, std::span<double> values) {
    if (p.deviation == 0) {
        std::ranges::fill(values, p.constant);
        return;
    }
    normals(seed, stream_of(p.name), std::uint64_t(row) * std::uint64_t(p.columns) + std::uint64_t(p.first_column),
            values);
    for (double& x : values) x = p.constant + p.deviation * x;
}

std::vector<int> layers_of_block(int layers, int blocks, int b) {
    const int each = layers / blocks, left = layers % blocks;
    std::vector<int> mine(std::size_t(each + (b < left)));
    std::iota(mine.begin(), mine.end(), b * each + std::min(b, left));
    return mine;
}

Shape shape_of(const ModelOptions& o) {
    const bool llama = o.flavour == Flavour::llama;
    Shape s{};
    s.layers = o.layers;
    s.width = o.width;
    s.heads = o.heads;
    s.vocabulary = o.vocabulary;
    s.sequence = o.sequence;
    s.kv_heads = o.kv_heads ? o.kv_heads : o.heads;
    s.head_size = o.width / o.heads;
    s.ffn = o.ffn ? o.ffn : llama ? (8 * o.width / 3 + 63) / 64 * 64 : 4 * o.width;
    s.norm = llama ? Norm::rms : Norm::layer;
    s.activation = llama ? Activation::swiglu : Activation::gelu;
    s.rotary = llama;
    s.tied = !llama;
    s.biases = !llama;
    return s;
}

double product_parameters(const Shape& s) {
    const double layer = double(s.width) * (2.0 * s.queries() + 2.0 * s.keys() + s.up_width() + s.ffn);
    return s.layers * layer + double(s.vocabulary) * s.width;
}

double flop_per_token(const Shape& s, bool causal) {
    return 6 * product_parameters(s) + (causal ? 6.0 : 12.0) * s.layers * s.queries() * s.sequence;
}

}  // namespace plimsoll::engine
