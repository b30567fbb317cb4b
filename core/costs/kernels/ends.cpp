#include "core/costs/kernels/ends.h"

#include "core/costs/kernels/split.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/pipeline/share.h"

namespace plimsoll {

namespace {

// A rank's elements of b s h: all of them unless they lie on a grid.
double token_elements(const Scenario& s) {
    return tokens_per_micro_batch(s) * s.model.hidden / (s.layout.on_grid() ? s.layout.tensor_parallel : 1);
}

}  // namespace

std::array<Gemm, 3> head_gemms(const Scenario& s) {
    const double v = padded_vocabulary(s.model, s.layout.tensor_parallel), h = s.model.hidden;
    const Gemm forward = column_split(s.layout, {"head", "LM head", tokens_per_micro_batch(s), v, h});
    return {{forward, data_gradient(forward), weight_gradient(forward)}};
}

// Look-up, position sum and dropout: 12 bytes an element of b s h in 16 bit.
Bytes embedding_forward_bytes(const Scenario& s) {
    return 6 * activation_bytes(s.recipe.precision) * token_elements(s) * byte;
}

// The same back, and one pass over the gradient of the whole table.
Bytes embedding_backward_bytes(const Scenario& s) {
    return embedding_forward_bytes(s)
         + activation_bytes(s.recipe.precision) * table_share(s) * byte;
}

Bytes cross_entropy_bytes(const Scenario& s) {
    return s.stack.cross_entropy_bytes * tokens_per_micro_batch(s) * vocabulary_share(s) * byte;
}

EndTime embedding_time(const Scenario& s) {
    const Rates r = rates_of(s);
    const TensorTime tensor = embedding_tensor_time(s);
    const double exposed = s.stack.tensor_exposed;
    return {embedding_forward_bytes(s) / r.memory, embedding_backward_bytes(s) / r.memory, exposed * tensor.forward, exposed * tensor.backward, {}};
}

EndTime head_time(const Scenario& s) {
    const Rates r = head_rates_of(s);
    const auto gemms = head_gemms(s);
    const Seconds loss = cross_entropy_bytes(s) / r.memory / 2;
    const Seconds weight = time_of(gemms[2], r).total();
    const TensorTime tensor = head_tensor_time(s);
    const double exposed = s.stack.tensor_exposed;
    return {time_of(gemms[0], r).total() + loss, time_of(gemms[1], r).total() + weight + loss,
            exposed * tensor.forward, exposed * tensor.backward, weight};
}

}  // namespace plimsoll
