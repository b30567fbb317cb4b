#pragma once
// The arithmetic of one device: every operation a decoder layer, its ends and
// the optimizer need, on plain pointers to device memory.
//
// Real is what activations and weights are stored in, Wide what gradients,
// optimizer states and row statistics are stored in: double and double (tests),
// float and float (CPU), bf16 and float (CUDA). All matrices are row-major and contiguous.
// One-letter shapes: B sequences, T tokens each, R = rows (tokens), C width,
// H query heads, K key-value heads, D head size, V vocabulary rows held here.
// Calls may return before the work is done; synchronize() ends that.

#include <cstddef>
#include <cstdint>

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

template <class Real, class Wide> class Kernels {
public:
    virtual ~Kernels() = default;

    // Memory, aligned to 256 bytes; what it holds at first is not said.
    virtual void* allocate(std::size_t bytes) = 0;  // null: there is not enough
    virtual void release(void*) = 0;
    virtual void copy_in(void* device, const void* host, std::size_t bytes) = 0;
    virtual void copy_out(void* host, const void* device, std::size_t bytes) = 0;
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void zero(void*, std::size_t bytes) = 0;
    virtual void synchronize() = 0;

    // Products. y[m,n] = x[m,k] w[n,k]^T (+ bias[n]); bias may be null.
    virtual void linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k) = 0;
    // dx[m,k] = dy[m,n] w[n,k]
    virtual void linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k) = 0;
    // dw[n,k] += dy[m,n]^T x[m,k]
    virtual void linear_weight_gradient(Wide* dw, const Real* dy, const Real* x, int m, int n, int k) = 0;
    // db[n] += column sums of dy[m,n]
    virtual void bias_gradient(Wide* db, const Real* dy, int m, int n) = 0;

    // Embedding. Rows whose id lies outside [first, first + V) become zero.
    virtual void embed(Real* y, const Real* table, const std::int32_t* ids, int R, int C, int first, int V) = 0;
    virtual void embed_gradient(Wide* dtable, const Real* dy, const std::int32_t* ids, int R, int C, int first, int V) = 0;
    // y[r] += table[(first_row + r) % T];   dtable[(first_row + r) % T] += dy[r]
    virtual void add_positions(Real* y, const Real* table, int R, int C, int first_row, int T) = 0;
    virtual void positions_gradient(Wide* dtable, const Real* dy, int R, int C, int first_row, int T) = 0;

    // Norm. y = norm(x) gain (+ bias). stats[R,2] holds mean and 1/deviation (rms: 0 and 1/rms).
    // bias, dbias: null for rms and where the model has none.
    virtual void norm(Real* y, Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, Norm) = 0;
    // dx += gradient through the norm (dx holds the residual branch's); dgain, dbias are added to.
    virtual void norm_gradient(Real* dx, Wide* dgain, Wide* dbias, const Real* dy, const Real* x, const Real* gain, const Wide* stats, int R,
                               int C, Norm) = 0;
    // y = norm from stats already known: what recomputation needs.
    virtual void norm_again(Real* y, const Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C) = 0;

    // y[R,C] = x + z (+ bias): the residual stream after a row-parallel product. y may be x or z.
    virtual void add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C) = 0;

    // gelu (tanh form): y[R,F] of x[R,F]. swiglu: y[R,F] = silu(x[R,:F]) x[R,F:], x is [R,2F].
    virtual void activate(Real* y, const Real* x, int R, int F, Activation) = 0;
    // dx may be the buffer of x's gradient only: same shape as x. dy[R,F].
    virtual void activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, Activation) = 0;

    // Rotary positions in place on the queries and keys of qkv [R, (H + 2K) D], row r at position r % T
    // (Su et al. 2021, halves rotated together, base 10,000); direction -1 undoes it: the gradient.
    virtual void rotate(Real* qkv, AttentionShape, int direction) = 0;
    // out[R, H D] of qkv [R, (H + 2K) D] = [queries | keys | values]; logsum[B,H,T] is what backward needs.
    virtual void attention(Real* out, Wide* logsum, const Real* qkv, AttentionShape) = 0;
    virtual void attention_gradient(Real* dqkv, const Real* dout, const Real* out, const Wide* logsum, const Real* qkv,
                                    AttentionShape) = 0;

    // Cross-entropy over a vocabulary that may be split over ranks, in three passes between which the
    // caller reduces: row maxima (max), then sums and target logits (sum).
    // ids outside [first, first + V) contribute no target. Rows are of `logits` [R,V].
    virtual void row_max(Wide* max, const Real* logits, int R, int V) = 0;
    // logits := exp(logits - max); sums[r] its row sum, targets[r] = logit - max of the target, or 0.
    virtual void exp_sum(Wide* sums, Wide* targets, Real* logits, const Wide* max, const std::int32_t* ids, int R, int V,
                         int first) = 0;
    // *loss += sum over rows of log(sum) - target;  logits := (logits / sum - onehot) scale
    virtual void cross_entropy(double* loss, Real* logits, const Wide* sums, const Wide* targets, const std::int32_t* ids, int R,
                               int V, int first, double scale) = 0;
    // All three at once, where the vocabulary is whole.
    virtual void cross_entropy_whole(double* loss, Real* logits, const std::int32_t* ids, int R, int V, double scale) = 0;

    // Optimizer, n elements. `weights` receives the new value in Real; `master` is the same array when Real is Wide.
    virtual void adamw(Real* weights, Wide* master, const Wide* gradient, Wide* m, Wide* v, std::size_t n, const AdamW&) = 0;
    virtual void sgd(Real* weights, Wide* master, const Wide* gradient, std::size_t n, double rate, double gradient_scale) = 0;
    virtual void add(Wide* y, const Wide* x, std::size_t n) = 0;  // y += x
    // *sum += squares, in double, in an order that does not depend on where x begins; device memory.
    virtual void sum_squares(double* sum, const Wide* x, std::size_t n) = 0;
};

}  // namespace plimsoll::engine
