#include "core/values/plan/shapes.h"

#include "core/values/plan/weights.h"

#include <algorithm>
#include <numeric>
#include <string_view>

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

// Names of the tensors that make up a weight, after that of their layer.
struct TensorNames {
    std::string_view weight, at;
    std::vector<const char*> names;
};

const std::vector<TensorNames>& tensor_names() {
    static const std::vector<TensorNames> all{
        {"qkv", "self_attn.", {"q_proj", "k_proj", "v_proj"}},
        {"query_down", "self_attn.", {"q_a_proj"}},
        {"query_up", "self_attn.", {"q_b_proj"}},
        {"kv_down", "self_attn.", {"kv_a_proj_with_mqa"}},
        {"kv_up", "self_attn.", {"kv_b_proj"}},
        {"attention_gate", "self_attn.", {"g_proj"}},
        {"attention_out", "self_attn.", {"o_proj"}},
        {"qkv_adapter_down", "self_attn.", {"qkv_adapter.down_proj"}},
        {"qkv_adapter_up", "self_attn.", {"q_adapter.up_proj", "k_adapter.up_proj", "v_adapter.up_proj"}},
        {"ffn_adapter_down", "mlp.", {"adapter.down_proj"}},
        {"ffn_adapter_up", "mlp.", {"adapter.up_proj"}},
        {"projection_back", "", {"back_proj"}},
        {"per_layer_gate", "", {"per_layer_input_gate"}},
        {"per_layer_up", "", {"per_layer_projection"}},
        {"mixer_in", "mixer.", {"in_proj"}},
        {"mixer_out", "mixer.", {"out_proj"}},
        {"decay_down", "mixer.", {"decay_a_proj"}},
        {"decay_up", "mixer.", {"decay_b_proj"}},
        {"attention_narrow", "self_attn.", {"o_a_proj"}},
        {"compressor", "self_attn.compressor.", {"kv_gate_proj"}},
        {"index_query", "self_attn.indexer.", {"wq_b"}},
        {"index_key", "self_attn.indexer.", {"wk", "weights_proj"}},
        {"index_weights", "self_attn.indexer.", {"weights_proj"}},
        {"index_compressor", "self_attn.indexer.compressor.", {"kv_gate_proj"}},
        {"ffn_in", "mlp.", {"gate_proj", "up_proj"}},
        {"ffn_out", "mlp.", {"down_proj"}},
        {"router", "mlp.", {"router"}},
        {"exchange_down", "mlp.", {"exchange_down_proj"}},
        {"exchange_up", "mlp.", {"exchange_up_proj"}},
        {"experts_in", "mlp.experts.", {"gate_proj", "up_proj"}},
        {"experts_out", "mlp.experts.", {"down_proj"}},
        {"shared_in", "mlp.shared_experts.", {"gate_proj", "up_proj"}},
        {"shared_out", "mlp.shared_experts.", {"down_proj"}},
    };
    return all;
}

class Writer {
public:
    explicit Writer(const Model& m) : m_(m), layers_(m) { list_.name = m.name; }

    ShapeList run() && {
        add("model.embed_tokens.weight", {m_.vocabulary, m_.hidden});
        if (m_.position_rows > 0) add("model.embed_positions.weight", {m_.position_rows, m_.hidden});
        if (m_.embedding_norm) norm("model.embed_layernorm", m_.hidden);
        per_layer_embedding();
        for (int i = 0; i < m_.layers; ++i) layer(i, layers_[layers_.of_layer(i)]);
        for (int i = 0; i < modules_held(m_); ++i) module(i);
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
    void per_layer_embedding() {
        const int width = m_.per_layer_embedding;
        if (width == 0) return;
        const int all = int(std::min(1LL << 30, 1LL * m_.layers * width));
        add("model.embed_tokens_per_layer.weight", {m_.vocabulary, all});
        add("model.per_layer_model_projection.weight", {all, m_.hidden});
        norm("model.per_layer_projection_norm", width);
    }
    void layer(int i, const LayerKind& kind) {
        const std::string at = "model.layers." + std::to_string(i) + '.';
        const bool written = std::ranges::find(shared_, kind.letter) != shared_.end();
        if (kind.shared.on && !written) shared_ += kind.letter;
        for (const Weight& w : weights_of(m_, kind))
            if (w.shared && written) continue;
            else if (w.group == ParameterGroup::vectors) vectors(at, kind, w);
            else weight(at, w);
    }

    // Of a further token: stream and embedding joined, and layers of its own.
    void module(int number) {
        const std::string at = "model.further." + std::to_string(number) + '.';
        for (const char* name : {"stream_norm", "embedding_norm", "norm"}) norm(at + name, m_.hidden);
        add(at + "join_proj.weight", {m_.hidden, 2 * m_.hidden});
        const LayerCounts counts = layers_.of_module();
        int next = m_.layers + number * counts.total();
        for (Kind k = 0; k < layers_.kinds(); ++k)
            for (int i = 0; i < counts[k]; ++i) layer(next++, layers_[k]);
    }

    void vectors(const std::string& at, const LayerKind& kind, const Weight& w) {
        const std::string_view id = w.id;
        if (id == "norms") {
            const int norms = m_.norms_per_layer * kind.blocks() / 2;
            for (int n = 0; n < norms; ++n)
                norm(at + "norm" + std::to_string(n),
                     m_.hidden * (n == 0 && kind.shared.reads_embedding ? 2 : 1));
        } else if (id == "qk_norms") {
            norm(at + "self_attn.q_norm", m_.qk_norm_width);
            if (kind.keys != Keys::borrowed) norm(at + "self_attn.k_norm", m_.qk_norm_width);
        } else if (id == "latent_norms") {
            norm(at + "self_attn.q_a_layernorm", m_.latent.q_rank);
            norm(at + "self_attn.kv_a_layernorm", m_.latent.kv_rank);
        } else if (id == "per_layer_norm") {
            norm(at + "post_per_layer_input_norm", m_.hidden);
        } else {
            add(at + w.id + ".weight", {int(w.out)});
        }
    }

    // A matrix as [outputs, inputs], experts stacked in front; of several beside each other, one after the other.
    void weight(const std::string& layer, const Weight& w) {
        const auto known = std::ranges::find(tensor_names(), std::string_view(w.id), &TensorNames::weight);
        std::vector<double> outputs;
        for (const double part : w.parts)
            if (part > 0) outputs.push_back(part);
        if (outputs.empty()) outputs.push_back(w.out);
        // Without a gate the second of its two names is left; without values or keys the first ones.
        const std::size_t skipped = known->names.size() > 2 ? 0 : known->names.size() - outputs.size();
        // What is left of the biases once every output has one belongs to the last tensor.
        double biases = w.biases;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const bool direct = known->weight == "query_up" && m_.latent.q_rank == 0;
            const std::string name = layer + std::string(known->at) + (direct ? "q_proj" : known->names[i + skipped]);
            tensor(name + ".weight", w.copies, {int(outputs[i]), int(w.in)});
            const double own = i + 1 == outputs.size() ? biases : std::min(biases, outputs[i]);
            if (own > 0) tensor(name + ".bias", w.copies, {int(own)});
            biases -= own;
        }
    }

    void tensor(std::string name, double copies, std::vector<int> shape) {
        if (copies > 1) shape.insert(shape.begin(), int(copies));
        add(std::move(name), std::move(shape));
    }

    const Model& m_;
    Layers layers_;
    std::string shared_;   // kinds whose shared weights have been written
    ShapeList list_;
};

}  // namespace

ShapeList shapes_of(const Model& m) { return Writer(m).run(); }

}  // namespace plimsoll
