#pragma once
// The two ends of the model: tokens to the residual stream, and the residual
// stream to the loss, both over a vocabulary split over tensor ranks.
//
// The loss never holds all logits: rows go through in chunks, and a chunk's
// gradient is taken while it is there, so the head's forward pass happens with the
// backward pass. Of the reductions over tensor ranks only three numbers a row are
// left (Shoeybi et al. 2019, section 3).

#include "engine/model/parameters.h"
#include "engine/train/context.h"

namespace plimsoll::engine {

// Rows of logits in flight at once, of `rows` with row_bytes each: what stays in the cache of a core, or fills a GPU.
int logit_rows(Platform, std::size_t row_bytes, int rows);

template <class Real, class Wide> class EmbeddingAndLoss {
public:
    explicit EmbeddingAndLoss(const Context<Real, Wide>&);

    // x [local rows, C] of ids [rows]; positions null where the model has none.
    void embed(Real* x, const Real* tokens, const Real* positions, const std::int32_t* ids) const;
    void embed_tokens_backward(Wide* tokens, const Real* d, const std::int32_t* ids) const;
    void embed_positions_backward(Wide* positions, const Real* d) const;

    struct Norm {
        const Real *gain, *bias;
        Wide *dgain, *dbias;
    };
    // Adds the micro-batch's summed loss to *loss and leaves d [local rows, C], the gradient of x [local rows, C];
    // scale: of every token's gradient. The weights' gradients are added to.
    void loss_and_gradient(double* loss, Real* d, const Real* x, const Norm&, const Real* head, Wide* dhead,
                           const std::int32_t* targets, double scale) const;

private:
    void chunk(double* loss, Real* dx, const Real* x, const Real* head, Wide* dhead, const std::int32_t* targets,
               int rows, double scale) const;

    const Context<Real, Wide>& c_;
    VocabularyShare vocabulary_;
    std::size_t width_;
    int chunk_rows_;
};

}  // namespace plimsoll::engine
