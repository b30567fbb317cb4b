#pragma once
// The operations of a device, declared once: name, parameters, and the names of the
// parameters, one row an operation. From these lists come
//
//   Kernels            the interface that the trainer calls       kernels/kernels.h
//   DryKernels         which does nothing                         kernels/kernels.h
//   CpuKernels         the processor's, one class a list          kernels/cpu.h
//   PlimsollBackend    the table of functions of a device library  cuda/abi.h
//   CudaKernels        the interface by way of that table         cuda/backend.h
//   plimsoll::device   the device's functions and the table       cuda/device.cuh, cuda/device.cu
//
// A new operation is a row here, a definition in kernels/cpu_*.cpp and in cuda/*.cu, the same in
// tests/engine/plain_kernels.h, and a row in the tests' own lists. PLIMSOLL_ABI counts the changes of the lists.
//
//   #define DECLARE(name, parameters, arguments) virtual void name parameters = 0;
//   PLIMSOLL_OPERATIONS(DECLARE)
//
// Real is what activations and weights are stored in, Wide what gradients, optimizer states and row statistics are
// stored in. All matrices are row-major and contiguous. One-letter shapes: B sequences of T tokens, R rows (tokens),
// C width, F width of the feed-forward part, H query heads, K key-value heads, D head size, V vocabulary rows held
// here. This header is C++17: nvcc reads it too.

#include <cstddef>
#include <cstdint>

#define PLIMSOLL_ABI 5

namespace plimsoll::engine {

enum class Norm : std::uint8_t { layer, rms };
enum class Activation : std::uint8_t { gelu, swiglu };
inline constexpr double norm_epsilon = 1e-5;

struct AttentionShape {
    int B, T, H, K, D;  // causal; H % K == 0; queries of head h use keys of head h / (H / K)
};

struct AdamW {  // Loshchilov and Hutter 2019; all rates of this step
    double rate, beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8, decay = 0.1;
    double correction1, correction2;  // 1 - beta^step
    double gradient_scale;            // clipping
};

}  // namespace plimsoll::engine

// Matrix products.
// linear                   y[m,n] = x[m,k] w[n,k]^T (+ bias[n]); bias may be null
// linear_input_gradient    dx[m,k] = dy[m,n] w[n,k]
// linear_weight_gradient   dw[n,k] += dy[m,n]^T x[m,k]
// bias_gradient            db[n] += column sums of dy[m,n]
#define PLIMSOLL_PRODUCTS(ROW)                                                                                \
    ROW(linear, (Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k),               \
        (y, x, w, bias, m, n, k))                                                                             \
    ROW(linear_input_gradient, (Real* dx, const Real* dy, const Real* w, int m, int n, int k),                \
        (dx, dy, w, m, n, k))                                                                                 \
    ROW(linear_weight_gradient, (Wide* dw, const Real* dy, const Real* x, int m, int n, int k),               \
        (dw, dy, x, m, n, k))                                                                                 \
    ROW(bias_gradient, (Wide* db, const Real* dy, int m, int n), (db, dy, m, n))

// Embeddings.
// embed                rows whose id lies outside [first, first + V) become zero
// embed_gradient       dtable[id - first] += dy of every row with that id
// add_positions        y[r] += table[(first_row + r) % T]
// positions_gradient   dtable[(first_row + r) % T] += dy[r]
#define PLIMSOLL_EMBEDDINGS(ROW)                                                                              \
    ROW(embed, (Real* y, const Real* table, const std::int32_t* ids, int R, int C, int first, int V),         \
        (y, table, ids, R, C, first, V))                                                                      \
    ROW(embed_gradient, (Wide* dtable, const Real* dy, const std::int32_t* ids, int R, int C, int first, int V), \
        (dtable, dy, ids, R, C, first, V))                                                                    \
    ROW(add_positions, (Real* y, const Real* table, int R, int C, int first_row, int T),                      \
        (y, table, R, C, first_row, T))                                                                       \
    ROW(positions_gradient, (Wide* dtable, const Real* dy, int R, int C, int first_row, int T),               \
        (dtable, dy, R, C, first_row, T))

// What works on rows one by one. stats[R,2] holds mean and 1/deviation (rms: 0 and 1/rms). bias and dbias are null for
// rms and where the model has none.
// norm                y = norm(x) gain (+ bias); writes stats
// norm_gradient       dx += gradient through the norm (dx holds the residual branch's); dgain, dbias are added to
// norm_again          y = norm from stats already known: what recomputation needs
// add_residual        y[R,C] = x + z (+ bias), after a row-parallel product; y may be x or z
// activate            gelu (tanh form): y[R,F] of x[R,F]; swiglu: y[R,F] = silu(x[R,:F]) x[R,F:], x is [R,2F]
// activate_gradient   dy[R,F]; dx has the shape of x and may be the buffer of x's gradient only
#define PLIMSOLL_ROWS(ROW)                                                                                    \
    ROW(norm, (Real* y, Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, Norm kind), \
        (y, stats, x, gain, bias, R, C, kind))                                                                \
    ROW(norm_gradient, (Real* dx, Wide* dgain, Wide* dbias, const Real* dy, const Real* x, const Real* gain,  \
                        const Wide* stats, int R, int C, Norm kind),                                          \
        (dx, dgain, dbias, dy, x, gain, stats, R, C, kind))                                                   \
    ROW(norm_again, (Real* y, const Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C), \
        (y, stats, x, gain, bias, R, C))                                                                      \
    ROW(add_residual, (Real* y, const Real* x, const Real* z, const Real* bias, int R, int C),                \
        (y, x, z, bias, R, C))                                                                                \
    ROW(activate, (Real* y, const Real* x, int R, int F, Activation kind), (y, x, R, F, kind))                \
    ROW(activate_gradient, (Real* dx, const Real* dy, const Real* x, int R, int F, Activation kind),          \
        (dx, dy, x, R, F, kind))

// Causal attention.
// rotate               rotary positions in place on the queries and keys of qkv [R, (H + 2K) D], row r at position r
// % T
//                      (Su et al. 2021, halves rotated together, base 10,000); direction -1 undoes it: the gradient
// attention            out[R, H D] of qkv [R, (H + 2K) D] = [queries | keys | values]; writes logsum[B,H,T]
// attention_gradient   of qkv, from out and logsum as `attention` left them
#define PLIMSOLL_ATTENTION(ROW)                                                                               \
    ROW(rotate, (Real* qkv, AttentionShape shape, int direction), (qkv, shape, direction))                    \
    ROW(attention, (Real* out, Wide* logsum, const Real* qkv, AttentionShape shape), (out, logsum, qkv, shape)) \
    ROW(attention_gradient, (Real* dqkv, const Real* dout, const Real* out, const Wide* logsum,               \
                             const Real* qkv, AttentionShape shape),                                          \
        (dqkv, dout, out, logsum, qkv, shape))

// Cross-entropy over a vocabulary that may be split over ranks, in three passes between which the caller reduces: row
// maxima (max), then sums and target logits (sum). Ids outside [first, first + V) contribute no target.
// row_max               max[r] of logits [R,V]
// exp_sum               logits := exp(logits - max); sums[r] its row sum, targets[r] = logit - max of the target, or 0
// cross_entropy         *loss += sum over rows of log(sum) - target;  logits := (logits / sum - onehot) scale
// cross_entropy_whole   all three at once, where the vocabulary is whole
#define PLIMSOLL_LOSS(ROW)                                                                                    \
    ROW(row_max, (Wide* max, const Real* logits, int R, int V), (max, logits, R, V))                          \
    ROW(exp_sum, (Wide* sums, Wide* targets, Real* logits, const Wide* max, const std::int32_t* ids,          \
                  int R, int V, int first),                                                                   \
        (sums, targets, logits, max, ids, R, V, first))                                                       \
    ROW(cross_entropy, (double* loss, Real* logits, const Wide* sums, const Wide* targets,                    \
                        const std::int32_t* ids, int R, int V, int first, double scale),                      \
        (loss, logits, sums, targets, ids, R, V, first, scale))                                               \
    ROW(cross_entropy_whole, (double* loss, Real* logits, const std::int32_t* ids, int R, int V, double scale), \
        (loss, logits, ids, R, V, scale))

// The optimizer, n elements. `weights` receives the new value in Real; `master` is the same array when Real is Wide.
// add           y += x
// sum_squares   *sum += squares, in double, in an order that does not depend on where x begins; sum is device memory
#define PLIMSOLL_UPDATES(ROW)                                                                                 \
    ROW(adamw, (Real* weights, Wide* master, const Wide* gradient, Wide* m, Wide* v, std::size_t n, AdamW step), \
        (weights, master, gradient, m, v, n, step))                                                           \
    ROW(sgd, (Real* weights, Wide* master, const Wide* gradient, std::size_t n, double rate, double gradient_scale), \
        (weights, master, gradient, n, rate, gradient_scale))                                                 \
    ROW(add, (Wide* y, const Wide* x, std::size_t n), (y, x, n))                                              \
    ROW(sum_squares, (double* sum, const Wide* x, std::size_t n), (sum, x, n))

#define PLIMSOLL_OPERATIONS(ROW) \
    PLIMSOLL_PRODUCTS(ROW)       \
    PLIMSOLL_EMBEDDINGS(ROW)     \
    PLIMSOLL_ROWS(ROW)           \
    PLIMSOLL_ATTENTION(ROW)      \
    PLIMSOLL_LOSS(ROW)           \
    PLIMSOLL_UPDATES(ROW)
