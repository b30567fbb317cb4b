// Rows of the knob table: the model's shape.
#include "core/values/knobs/knob_rows.h"

namespace plimsoll::rows {
namespace {

// What usually follows from hidden and heads keeps following from them: the head
// dimension while it is hidden / heads, key-value heads while every head has its own.
struct Ties {
    bool head_dim, kv_heads;
    explicit Ties(const Model& m) : head_dim(m.head_dim * m.heads == m.hidden), kv_heads(m.kv_heads == m.heads) {}
    void restore(Model& m) const {
        if (head_dim && m.heads > 0 && m.hidden % m.heads == 0) m.head_dim = m.hidden / m.heads;
        if (kv_heads) m.kv_heads = m.heads;
    }
};

template <int Model::*Field>
void set_tied(Scenario& s, double v) {
    const Ties ties(s.model);
    s.model.*Field = static_cast<int>(v);
    ties.restore(s.model);
}


void add_widths(Table& t) {
    t.push_back(count<model, &Model::layers>(
        "model.layers", "Layers", "", {1, 10000, true}, "Transformer layers, L. Megatron: --num-layers"));
    t.push_back(keeping(count<model, &Model::hidden>(
        "model.hidden", "Hidden size", "", {1, 1 << 20, true},
        "Width of the residual stream, h; the head dimension follows. Megatron: --hidden-size"),
        set_tied<&Model::hidden>));
    t.push_back(keeping(count<model, &Model::heads>(
        "model.heads", "Attention heads", "", {1, 8192, true},
        "Query heads, a; head dimension and key-value heads follow. Megatron: --num-attention-heads"),
        set_tied<&Model::heads>));
    t.push_back(count<model, &Model::kv_heads>("model.kv_heads", "Key-value heads", "", {1, 8192, true},
                                               "As many as heads for multi-head, fewer for grouped, 1 for multi-query "
                                               "attention. Megatron: --num-query-groups"));
    t.push_back(count<model, &Model::head_dim>(
        "model.head_dim", "Head dimension", "", {1, 65536, true}, "Width of one head. Megatron: --kv-channels"));
    t.push_back(count<model, &Model::ffn>(
        "model.ffn", "Feed-forward width", "", {1, 1 << 22, true},
        "Of each branch when gated; 4 h in the GPT family. Megatron: --ffn-hidden-size"));
    t.push_back(count<model, &Model::vocabulary>(
        "model.vocabulary", "Vocabulary", "entries", {1, 1e7, true},
        "Token types as published, V, before padding. Megatron: --vocab-size"));
    t.push_back(count<model, &Model::vocabulary_padding>(
        "model.vocabulary_padding", "Vocabulary padding", "", {1, 65536, true},
        "The vocabulary is padded to a multiple of this times t. Megatron: --make-vocab-size-divisible-by"));
    t.push_back(count<model, &Model::sequence_length>(
        "model.sequence_length", "Native context", "tokens", {1, 1 << 24, true},
        "Context the model was published with; a plan's own length is the recipe's"));
    t.push_back(count<model, &Model::position_rows>(
        "model.position_rows", "Position table rows", "", {0, 1 << 24},
        "Rows of a learned position table. Megatron: --max-position-embeddings"));
}

void add_parts(Table& t) {
    t.push_back(choice<Activation, model, &Model::activation>(
        "model.activation", "Activation",
        "swiglu and geglu are gated: three matrices instead of two. Megatron: --swiglu"));
    t.push_back(choice<Positions, model, &Model::positions>(
        "model.positions", "Positions", "How positions enter. Megatron: --position-embedding-type"));
    t.push_back(choice<Norm, model, &Model::norm>("model.norm", "Norm", "Megatron: --normalization"));
    t.push_back(count<model, &Model::norms_per_layer>(
        "model.norms_per_layer", "Norms per layer", "", {0, 8}, "Two in most families"));
    t.push_back(flag<model, &Model::tied_embeddings>(
        "model.tied_embeddings", "Tied embeddings",
        "Input embedding and LM head are one table. Megatron: off is --untie-embeddings-and-output-weights"));
    t.push_back(flag<model, &Model::qkv_bias>("model.qkv_bias", "QKV bias", "Megatron: --add-qkv-bias"));
    t.push_back(flag<model, &Model::out_bias>(
        "model.out_bias", "Attention output bias", "Megatron: off is --disable-bias-linear"));
    t.push_back(flag<model, &Model::mlp_bias>(
        "model.mlp_bias", "Feed-forward bias", "Megatron: off is --disable-bias-linear"));
    t.push_back(flag<model, &Model::final_norm>("model.final_norm", "Final norm", "A norm after the last layer"));
    t.push_back(flag<model, &Model::embedding_norm>(
        "model.embedding_norm", "Embedding norm", "A norm after the embedding, as in BLOOM"));
    t.push_back(count<model, &Model::qk_norm_width>(
        "model.qk_norm_width", "Query-key norm width", "elements", {0, 1 << 20},
        "Elements of one query or key norm; 0 without. Megatron: --qk-layernorm"));
    t.push_back(real<one, model, &Model::attention_density>(
        "model.attention_density", "Attention density", "", {1e-6, 1, true},
        "Share of the score matrix a sparse layer computes, against the same layer dense. DeepSpeed: sparse_attention"));
    t.push_back(real<one, model, &Model::sparse_layers>(
        "model.sparse_layers", "Sparse layers", "", {0, 1},
        "Share of the layers whose attention is sparse: one half where dense and sparse alternate. "
        "DeepSpeed: sparse_attention"));
    t.push_back(flag<model, &Model::dropout>(
        "model.dropout", "Dropout", "Masks are kept for the backward pass. Megatron: --hidden-dropout above 0"));
}

}  // namespace

void add_model(Table& t) {
    under("Shape", t, add_widths);
    under("Parts", t, add_parts);
}

}  // namespace plimsoll::rows
