#include "core/values/plan/shapes.h"

#include <numeric>

namespace plimsoll {

double elements(const TensorShape& t) {
    return std::accumulate(t.shape.begin(), t.shape.end(), 1.0, [](double n, int side) { return n * side; });
}

double parameters(const ShapeList& list) {
    double sum = 0;
    for (const TensorShape& t : list.tensors) sum += elements(t);
    return sum;
}

namespace {

class Writer {
public:
    explicit Writer(const Model& m) : m_(m) { list_.name = m.name; }

    ShapeList run() && {
        add("model.embed_tokens.weight", {m_.vocabulary, m_.hidden});
        if (m_.position_rows > 0) add("model.embed_positions.weight", {m_.position_rows, m_.hidden});
        if (m_.embedding_norm) norm("model.embed_layernorm", m_.hidden);
        for (int i = 0; i < m_.layers; ++i) layer(i);
        if (m_.final_norm) norm("model.norm", m_.hidden);
        if (!m_.tied_embeddings) add("lm_head.weight", {m_.vocabulary, m_.hidden});
        return std::move(list_);
    }

private:
    void add(std::string name, std::vector<int> shape) { list_.tensors.push_back({std::move(name), std::move(shape)}); }
    void norm(const std::string& name, int width) {
        if (width == 0) return;
        add(name + ".weight", {width});
        if (m_.norm == Norm::layer_norm) add(name + ".bias", {width});
    }
    void linear(const std::string& name, int outputs, int inputs, bool bias) {
        add(name + ".weight", {outputs, inputs});
        if (bias) add(name + ".bias", {outputs});
    }

    void layer(int i) {
        const std::string at = "model.layers." + std::to_string(i) + '.';
        for (int n = 0; n < m_.norms_per_layer; ++n) norm(at + "norm" + std::to_string(n), m_.hidden);
        has_latent_attention(m_) ? latent_attention(at + "self_attn.") : attention(at + "self_attn.");
        expert_layers_before(m_, i + 1) > expert_layers_before(m_, i) ? experts(at + "mlp.")
                                                                      : feed_forward(at + "mlp.", m_.ffn);
    }

    void attention(const std::string& at) {
        linear(at + "q_proj", query_width(m_), m_.hidden, m_.qkv_bias);
        linear(at + "k_proj", kv_width(m_), m_.hidden, m_.qkv_bias);
        linear(at + "v_proj", kv_width(m_), m_.hidden, m_.qkv_bias);
        linear(at + "o_proj", m_.hidden, attention_width(m_), m_.out_bias);
        norm(at + "q_norm", m_.qk_norm_width);
        norm(at + "k_norm", m_.qk_norm_width);
    }

    void latent_attention(const std::string& at) {
        const LatentAttention& l = m_.latent;
        if (l.q_rank > 0) {
            linear(at + "q_a_proj", l.q_rank, m_.hidden, false);
            norm(at + "q_a_layernorm", l.q_rank);
        }
        linear(at + (l.q_rank > 0 ? "q_b_proj" : "q_proj"), query_width(m_), l.q_rank > 0 ? l.q_rank : m_.hidden,
               m_.qkv_bias);
        linear(at + "kv_a_proj_with_mqa", l.kv_rank + l.rope_dim, m_.hidden, false);
        norm(at + "kv_a_layernorm", l.kv_rank);
        linear(at + "kv_b_proj", m_.heads * (l.nope_dim + l.value_dim), l.kv_rank, false);
        // The biases the planner counts stand with the widths it counts them by.
        if (m_.qkv_bias) add(at + "kv_bias", {qkv_width(m_) - query_width(m_)});
        linear(at + "o_proj", m_.hidden, attention_width(m_), m_.out_bias);
        norm(at + "q_norm", m_.qk_norm_width);
        norm(at + "k_norm", m_.qk_norm_width);
    }

    void feed_forward(const std::string& at, int width) {
        if (gated(m_.activation)) linear(at + "gate_proj", width, m_.hidden, m_.mlp_bias);
        linear(at + "up_proj", width, m_.hidden, m_.mlp_bias);
        linear(at + "down_proj", m_.hidden, width, m_.mlp_bias);
    }

    void experts(const std::string& at) {
        const Experts& e = m_.experts;
        const int outer = int(exchange_width(m_));
        const int inner = int(e.ffn * (double(m_.hidden) / outer));
        linear(at + "router", e.count, m_.hidden, e.router_bias);
        const auto stacked = [&](const char* name, int outputs, int inputs) {
            add(at + "experts." + name + ".weight", {e.count, outputs, inputs});
            if (m_.mlp_bias) add(at + "experts." + name + ".bias", {e.count, outputs});
        };
        if (gated(m_.activation)) stacked("gate_proj", inner, outer);
        stacked("up_proj", inner, outer);
        stacked("down_proj", outer, inner);
        for (int i = 0; i < e.shared; ++i) feed_forward(at + "shared_experts." + std::to_string(i) + '.', e.shared_ffn);
        if (e.order != ExpertOrder::dcca) return;
        add(at + "exchange_down_proj.weight", {outer, m_.hidden});
        add(at + "exchange_up_proj.weight", {m_.hidden, outer});
    }

    const Model& m_;
    ShapeList list_;
};

}  // namespace

ShapeList shapes_of(const Model& m) { return Writer(m).run(); }

}  // namespace plimsoll
