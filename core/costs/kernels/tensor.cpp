#include "core/costs/kernels/tensor.h"

#include "core/costs/kernels/indexer.h"
#include "core/costs/kernels/products.h"
#include "core/values/plan/placement.h"

#include <algorithm>

namespace plimsoll {

Bytes tensor_payload(const Work& s) {
    return s.element * s.tokens * s.model.hidden * byte;
}

Span tensor_span(const Work& s) { return s.tensor_ranks(); }

Transfer tensor_all_reduce(const Work& s) {
    return all_reduce(s.tensor_ranks(), tensor_payload(s), s.coding(Traffic::tensor));
}

Seconds tensor_crossing(const Work& s) {
    if (s.stack.tensor.crossing <= Seconds{}) return {};
    const Span& ranks = s.tensor_ranks();
    const bool leaves = ranks.hops > 0 && transport_of(s.machine, ranks) != Transport::node;
    return leaves ? s.layout.tensor_parallel * s.stack.tensor.crossing : Seconds{};
}

TensorPair tensor_pair(const Work& s) {
    const Seconds crossing = tensor_crossing(s);
    if (!s.layout.sequence_parallel) return {{}, tensor_all_reduce(s).time + crossing};
    const Span& ranks = s.tensor_ranks();
    const Coding coding = s.coding(Traffic::tensor);
    return {all_gather(ranks, tensor_payload(s), coding).time + crossing,
            reduce_scatter(ranks, tensor_payload(s), coding).time + crossing};
}

GridPayload grid_payload(const Work& s, const Gemm& g) {
    const double element = s.element;
    return {element * g.m * g.k * byte, element * g.k * g.n * byte, element * g.k / g.steps * g.n * byte};
}

GridTime grid_time(const Work& s, const Gemm& g) {
    const GridPayload p = grid_payload(s, g);
    const Coding coding = s.coding(Traffic::tensor);
    return {all_gather(s.grid_rows(), p.inputs, coding).time, all_gather(s.grid_columns(), p.weights, coding).time,
            all_reduce(s.grid_depths(), p.block, coding).time};
}

Bytes grid_embedding_payload(const Work& s) { return tensor_payload(s) / s.layout.tensor_parallel; }

namespace {

TensorTime grid_layer(const Work& s, const LayerKind& kind) {
    TensorTime t;
    for (const Gemm& g : layer_gemms(s, kind)) {
        const GridTime one = grid_time(s, g);
        t.forward += one.forward();
        t.backward += one.backward();
    }
    return t;
}

}  // namespace

TensorTime layer_tensor_time(const Work& s, const LayerKind& kind) {
    if (s.layout.tensor_parallel == 1) return {};
    if (s.layout.on_grid()) return grid_layer(s, kind);
    const TensorPair pair = tensor_pair(s);
    // Blocks that start from one input and are added up at one end are reduced together.
    const int reduced = kind.mixes() + (kind.feed == Feed::dense)
                      + (kind.feed == Feed::experts && s.model.experts.shared > 0);
    const double count = s.model.parallel_blocks ? std::min(reduced, 1) : reduced;
    const bool again = s.layout.sequence_parallel && s.stack.tensor.gathers_inputs_again;
    const Seconds index = chooses_keys(s.model, kind) ? index_tensor_time(s) : Seconds{};
    // The embedding beside the stream is gathered like it, and so is its gradient added up.
    const Seconds gathered = kind.shared.reads_embedding ? pair.before : Seconds{};
    const Seconds added = kind.shared.reads_embedding ? pair.after : Seconds{};
    return {count * pair.time() + index + gathered,
            count * (pair.time() + (again ? pair.before : Seconds{})) + added + (again ? gathered : Seconds{})};
}

TensorTime embedding_tensor_time(const Work& s) {
    if (s.layout.tensor_parallel == 1) return {};
    if (s.layout.on_grid())
        return {all_reduce(s.grid_columns(), grid_embedding_payload(s), s.coding(Traffic::tensor)).time, {}};
    const TensorPair pair = tensor_pair(s);
    return {pair.after, pair.before};
}

TensorTime head_tensor_time(const Work& s) {
    if (s.layout.tensor_parallel == 1) return {};
    if (!s.layout.on_grid()) {
        const TensorPair pair = tensor_pair(s);
        return {pair.before, pair.after};
    }
    const GridTime one = grid_time(s, head_gemms(s)[0]);
    return {one.forward(), one.backward()};
}

}  // namespace plimsoll
