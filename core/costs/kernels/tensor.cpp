#include "core/costs/kernels/tensor.h"

#include "core/values/plan/placement.h"

#include "core/costs/kernels/layer.h"

namespace plimsoll {

Bytes tensor_payload(const Scenario& s) {
    return activation_bytes(s.recipe.precision) * tokens_per_micro_batch(s) * s.model.hidden * byte;
}

Span tensor_span(const Scenario& s) { return span_of(s.machine, {s.layout.tensor_parallel, 1}, network_of_layers(s)); }

Transfer tensor_all_reduce(const Scenario& s) {
    return all_reduce(tensor_span(s), tensor_payload(s), coding_of(s, Traffic::tensor));
}

Span row_span(const Scenario& s) { return span_of(s.machine, {s.layout.grid_side(), 1}, network_of_layers(s)); }

Span column_span(const Scenario& s) {
    return span_of(s.machine, {s.layout.grid_side(), s.layout.grid_side()}, network_of_layers(s));
}

Span depth_span(const Scenario& s) {
    return span_of(s.machine, {s.layout.grid_depth(), s.layout.weight_shards()}, network_of_layers(s));
}

GridPayload grid_payload(const Scenario& s, const Gemm& g) {
    const double element = activation_bytes(s.recipe.precision);
    return {element * g.m * g.k * byte, element * g.k * g.n * byte, element * g.k / g.steps * g.n * byte};
}

GridTime grid_time(const Scenario& s, const Gemm& g) {
    const GridPayload p = grid_payload(s, g);
    const Coding coding = coding_of(s, Traffic::tensor);
    return {all_gather(row_span(s), p.inputs, coding).time, all_gather(column_span(s), p.weights, coding).time,
            all_reduce(depth_span(s), p.block, coding).time};
}

Bytes grid_embedding_payload(const Scenario& s) { return tensor_payload(s) / s.layout.tensor_parallel; }

namespace {

TensorTime grid_layer(const Scenario& s) {
    TensorTime t;
    for (const Gemm& g : layer_gemms(s)) {
        const GridTime one = grid_time(s, g);
        t.forward += one.forward();
        t.backward += one.backward();
    }
    return t;
}

}  // namespace

TensorTime layer_tensor_time(const Scenario& s, Block block) {
    if (s.layout.tensor_parallel == 1) return {};
    if (s.layout.on_grid()) return grid_layer(s);
    const Seconds one = tensor_all_reduce(s).time;
    const double count = block == Block::dense || s.model.experts.shared > 0 ? 2 : 1;
    return {count * one, count * one + (s.layout.sequence_parallel ? count * one / 2 : Seconds{})};
}

TensorTime embedding_tensor_time(const Scenario& s) {
    if (s.layout.tensor_parallel == 1) return {};
    if (s.layout.on_grid())
        return {all_reduce(column_span(s), grid_embedding_payload(s), coding_of(s, Traffic::tensor)).time, {}};
    return {tensor_all_reduce(s).time, {}};
}

TensorTime head_tensor_time(const Scenario& s) {
    if (s.layout.tensor_parallel == 1) return {};
    if (!s.layout.on_grid()) return {{}, tensor_all_reduce(s).time};
    const GridTime one = grid_time(s, head_gemms(s)[0]);
    return {one.forward(), one.backward()};
}

}  // namespace plimsoll
