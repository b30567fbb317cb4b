#include "engine/model/shape.h"

namespace plimsoll::engine {

Shape shape_of(const ModelOptions& o) {
    const bool llama = o.flavour == Flavour::llama;
    Shape s{};
    s.layers = o.layers, s.width = o.width, s.heads = o.heads, s.vocabulary = o.vocabulary, s.sequence = o.sequence;
    s.kv_heads = o.kv_heads ? o.kv_heads : o.heads;
    s.head_size = o.width / o.heads;
    s.ffn = o.ffn ? o.ffn : llama ? (8 * o.width / 3 + 63) / 64 * 64 : 4 * o.width;
    s.norm = llama ? Norm::rms : Norm::layer;
    s.activation = llama ? Activation::swiglu : Activation::gelu;
    s.rotary = llama, s.tied = !llama, s.biases = !llama;
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
