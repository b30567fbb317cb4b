#include "core/costs/kernels/ends.h"

namespace plimsoll {

namespace {

double vocabulary_shard(const Scenario& s) {
    return double(padded_vocabulary(s.model, s.layout.tensor_parallel)) / s.layout.tensor_parallel;
}

Seconds exposed_all_reduce(const Scenario& s) {
    return s.layout.tensor_parallel > 1 ? tensor_all_reduce(s).time * s.stack.tensor_exposed : Seconds{};
}

}  // namespace

std::array<Gemm, 3> head_gemms(const Scenario& s) {
    const double tok = tokens_per_micro_batch(s), h = s.model.hidden, v = vocabulary_shard(s);
    return {{{"head", "LM head", tok, v, h}, {"head", "LM head", tok, h, v}, {"head", "LM head", v, h, tok}}};
}

// Look-up, position sum and dropout: 12 bytes an element of b s h in 16 bit.
Bytes embedding_forward_bytes(const Scenario& s) {
    return 6 * activation_bytes(s.recipe.precision) * tokens_per_micro_batch(s) * s.model.hidden * byte;
}

// The same back, and one pass over the gradient of the whole table.
Bytes embedding_backward_bytes(const Scenario& s) {
    return embedding_forward_bytes(s)
         + activation_bytes(s.recipe.precision) * vocabulary_shard(s) * s.model.hidden * byte;
}

Bytes cross_entropy_bytes(const Scenario& s) {
    return s.stack.cross_entropy_bytes * tokens_per_micro_batch(s) * vocabulary_shard(s) * byte;
}

EndTime embedding_time(const Scenario& s) {
    const Rates r = rates_of(s);
    return {embedding_forward_bytes(s) / r.memory, embedding_backward_bytes(s) / r.memory, exposed_all_reduce(s), {}, {}};
}

EndTime head_time(const Scenario& s) {
    const Rates r = head_rates_of(s);
    const auto gemms = head_gemms(s);
    const Seconds loss = cross_entropy_bytes(s) / r.memory / 2;
    const Seconds weight = time_of(gemms[2], r).total();
    return {time_of(gemms[0], r).total() + loss, time_of(gemms[1], r).total() + weight + loss, {}, exposed_all_reduce(s), weight};
}

}  // namespace plimsoll
