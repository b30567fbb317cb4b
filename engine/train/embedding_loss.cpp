#include "engine/train/embedding_loss.h"

#include <algorithm>

namespace plimsoll::engine {

int logit_rows(Platform device, std::size_t row_bytes, int rows) {
    const std::size_t bytes = device == Platform::cpu ? std::size_t(8) << 20 : std::size_t(512) << 20;
    return int(std::clamp<std::size_t>(bytes / row_bytes / 64 * 64, 64, std::size_t(std::max(rows, 64))));
}

template <class Real, class Wide>
EmbeddingAndLoss<Real, Wide>::EmbeddingAndLoss(const Context<Real, Wide>& c)
    : c_(c),
      vocabulary_(vocabulary_share(c.shape, c.at.tensor, c.options.layout.tensor)),
      width_(std::size_t(c.shape.width)),
      chunk_rows_(logit_rows(c.options.device, std::size_t(vocabulary_.padded) * sizeof(Real), c.rows())) {}

template <class Real, class Wide>
void EmbeddingAndLoss<Real, Wide>::embed(Real* x, const Real* tokens, const Real* positions,
                                         const std::int32_t* ids) const {
    Frame frame(c_.arena);
    Real* all = c_.shards_rows() ? frame.take<Real>(std::size_t(c_.rows()) * width_) : x;
    c_.in(Phase::ends,
          [&] { c_.kernels.embed(all, tokens, ids, c_.rows(), c_.shape.width, vocabulary_.first, vocabulary_.rows); });
    if (c_.shards_rows()) c_.tensor.reduce_scatter(all, x, std::size_t(c_.local_rows()) * width_, type_of<Real>);
    else if (c_.tensor.size() > 1) c_.tensor.all_reduce(x, std::size_t(c_.rows()) * width_, type_of<Real>);
    if (positions)
        c_.in(Phase::ends, [&] {
            c_.kernels.add_positions(x, positions, c_.local_rows(), c_.shape.width, c_.first_row(), c_.shape.sequence);
        });
}

template <class Real, class Wide>
void EmbeddingAndLoss<Real, Wide>::embed_tokens_backward(Wide* tokens, const Real* d, const std::int32_t* ids) const {
    Frame frame(c_.arena);
    const Real* all = c_.gathered(d, frame);
    c_.in(Phase::ends, [&] {
        c_.kernels.embed_gradient(tokens, all, ids, c_.rows(), c_.shape.width, vocabulary_.first, vocabulary_.rows);
    });
}

template <class Real, class Wide>
void EmbeddingAndLoss<Real, Wide>::embed_positions_backward(Wide* positions, const Real* d) const {
    c_.in(Phase::ends, [&] {
        c_.kernels.positions_gradient(positions, d, c_.local_rows(), c_.shape.width, c_.first_row(), c_.shape.sequence);
    });
}

template <class Real, class Wide>
void EmbeddingAndLoss<Real, Wide>::loss_and_gradient(double* loss, Real* d, const Real* x, const Norm& norm,
                                                     const Real* head, Wide* dhead, const std::int32_t* targets,
                                                     double scale) const {
    Frame frame(c_.arena);
    const int local = c_.local_rows(), rows = c_.rows(), C = c_.shape.width;
    Real* ln = frame.take<Real>(std::size_t(local) * width_);
    Wide* stats = frame.take<Wide>(std::size_t(local) * 2);
    Real* dln = frame.take<Real>(std::size_t(rows) * width_);
    c_.in(Phase::ends, [&] { c_.kernels.norm(ln, stats, x, norm.gain, norm.bias, local, C, c_.shape.norm); });
    const Real* all = c_.gathered(ln, frame);
    for (int row = 0; row < rows; row += chunk_rows_) {
        const std::size_t at = std::size_t(row) * width_;
        chunk(loss, dln + at, all + at, head, dhead, targets + row, std::min(chunk_rows_, rows - row), scale);
    }
    const Real* mine = c_.reduced(dln, frame);
    c_.in(Phase::ends, [&] {
        c_.kernels.zero(d, std::size_t(local) * width_ * sizeof(Real));
        c_.kernels.norm_gradient(d, norm.dgain, norm.dbias, mine, x, norm.gain, stats, local, C, c_.shape.norm);
    });
}

template <class Real, class Wide>
void EmbeddingAndLoss<Real, Wide>::chunk(double* loss, Real* dx, const Real* x, const Real* head, Wide* dhead,
                             const std::int32_t* targets, int rows, double scale) const {
    auto& kernels = c_.kernels;
    const int V = vocabulary_.rows, C = c_.shape.width;
    Frame frame(c_.arena);
    Real* logits = frame.take<Real>(std::size_t(rows) * std::size_t(vocabulary_.padded));
    c_.in(Phase::ends, [&] { kernels.linear(logits, x, head, nullptr, rows, V, C); });
    if (c_.tensor.size() == 1) {
        c_.in(Phase::ends, [&] { kernels.cross_entropy_whole(loss, logits, targets, rows, V, scale); });
    } else {
        Wide* max = frame.take<Wide>(std::size_t(rows));
        Wide* sums = frame.take<Wide>(2 * std::size_t(rows));  // and target logits, reduced together
        c_.in(Phase::ends, [&] { kernels.row_max(max, logits, rows, V); });
        c_.tensor.all_reduce(max, std::size_t(rows), type_of<Wide>, Reduction::max);
        c_.in(Phase::ends,
              [&] { kernels.exp_sum(sums, sums + rows, logits, max, targets, rows, V, vocabulary_.first); });
        c_.tensor.all_reduce(sums, 2 * std::size_t(rows), type_of<Wide>, Reduction::exact_sum);
        c_.in(Phase::ends, [&] {
            kernels.cross_entropy(loss, logits, sums, sums + rows, targets, rows, V, vocabulary_.first, scale);
        });
    }
    c_.in(Phase::ends, [&] {
        kernels.linear_weight_gradient(dhead, logits, x, rows, V, C);
        kernels.linear_input_gradient(dx, logits, head, rows, V, C);
    });
}

template class EmbeddingAndLoss<double, double>;
template class EmbeddingAndLoss<float, float>;
template class EmbeddingAndLoss<bf16, float>;

}  // namespace plimsoll::engine
