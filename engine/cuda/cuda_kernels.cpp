#include "engine/cuda/cuda_kernels.h"

#include "engine/cuda/backend.h"

#include <type_traits>

namespace plimsoll::engine {
namespace {

template <class Real> constexpr int storage = std::is_same_v<Real, bf16> ? plimsoll_bf16 : plimsoll_f32;

PlimsollAttention plain(AttentionShape s) { return {s.B, s.T, s.H, s.K, s.D}; }
PlimsollAdamW plain(const AdamW& a) {
    return {a.rate, a.beta1, a.beta2, a.epsilon, a.decay, a.correction1, a.correction2, a.gradient_scale};
}

}  // namespace

template <class Real> void* CudaKernels<Real, float>::allocate(std::size_t bytes) {
    void* memory = nullptr;
    const int code = table_.allocate(&memory, bytes);
    if (code == plimsoll_memory) return nullptr;
    check(table_, code);
    return memory;
}
template <class Real> void CudaKernels<Real, float>::release(void* memory) {
    if (memory) (void)table_.release(memory);  // runs in destructors: what fails here was reported by the call before
}

// The rest are the table's entries, with the storage put first where there is one.
#define CALL(...) check(table_, table_.__VA_ARGS__)
#define METHOD template <class Real> void CudaKernels<Real, float>::

METHOD copy_in(void* device, const void* host, std::size_t bytes) { CALL(copy_in(device, host, bytes)); }
METHOD copy_out(void* host, const void* device, std::size_t bytes) { CALL(copy_out(host, device, bytes)); }
METHOD copy(void* to, const void* from, std::size_t bytes) { CALL(copy(to, from, bytes)); }
METHOD zero(void* memory, std::size_t bytes) { CALL(zero(memory, bytes)); }
METHOD synchronize() { CALL(synchronize()); }

METHOD linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k) {
    CALL(linear(storage<Real>, y, x, w, bias, m, n, k));
}
METHOD linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k) {
    CALL(linear_input_gradient(storage<Real>, dx, dy, w, m, n, k));
}
METHOD linear_weight_gradient(Wide* dw, const Real* dy, const Real* x, int m, int n, int k) {
    CALL(linear_weight_gradient(storage<Real>, dw, dy, x, m, n, k));
}
METHOD bias_gradient(Wide* db, const Real* dy, int m, int n) { CALL(bias_gradient(storage<Real>, db, dy, m, n)); }

METHOD embed(Real* y, const Real* table, const std::int32_t* ids, int R, int C, int first, int V) {
    CALL(embed(storage<Real>, y, table, ids, R, C, first, V));
}
METHOD embed_gradient(Wide* dtable, const Real* dy, const std::int32_t* ids, int R, int C, int first, int V) {
    CALL(embed_gradient(storage<Real>, dtable, dy, ids, R, C, first, V));
}
METHOD add_positions(Real* y, const Real* table, int R, int C, int first_row, int T) {
    CALL(add_positions(storage<Real>, y, table, R, C, first_row, T));
}
METHOD positions_gradient(Wide* dtable, const Real* dy, int R, int C, int first_row, int T) {
    CALL(positions_gradient(storage<Real>, dtable, dy, R, C, first_row, T));
}

METHOD norm(Real* y, Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, Norm kind) {
    CALL(norm(storage<Real>, y, stats, x, gain, bias, R, C, kind == Norm::rms));
}
METHOD norm_gradient(Real* dx, Wide* dgain, Wide* dbias, const Real* dy, const Real* x, const Real* gain, const Wide* stats, int R, int C,
                     Norm kind) {
    CALL(norm_gradient(storage<Real>, dx, dgain, dbias, dy, x, gain, stats, R, C, kind == Norm::rms));
}
METHOD norm_again(Real* y, const Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C) {
    CALL(norm_again(storage<Real>, y, stats, x, gain, bias, R, C));
}
METHOD add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C) {
    CALL(add_residual(storage<Real>, y, x, z, bias, R, C));
}
METHOD activate(Real* y, const Real* x, int R, int F, Activation kind) {
    CALL(activate(storage<Real>, y, x, R, F, kind == Activation::swiglu));
}
METHOD activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, Activation kind) {
    CALL(activate_gradient(storage<Real>, dx, dy, x, R, F, kind == Activation::swiglu));
}

METHOD rotate(Real* qkv, AttentionShape s, int direction) { CALL(rotate(storage<Real>, qkv, plain(s), direction)); }
METHOD attention(Real* out, Wide* logsum, const Real* qkv, AttentionShape s) {
    CALL(attention(storage<Real>, out, logsum, qkv, plain(s)));
}
METHOD attention_gradient(Real* dqkv, const Real* dout, const Real* out, const Wide* logsum, const Real* qkv, AttentionShape s) {
    CALL(attention_gradient(storage<Real>, dqkv, dout, out, logsum, qkv, plain(s)));
}

METHOD row_max(Wide* max, const Real* logits, int R, int V) { CALL(row_max(storage<Real>, max, logits, R, V)); }
METHOD exp_sum(Wide* sums, Wide* targets, Real* logits, const Wide* max, const std::int32_t* ids, int R, int V, int first) {
    CALL(exp_sum(storage<Real>, sums, targets, logits, max, ids, R, V, first));
}
METHOD cross_entropy(double* loss, Real* logits, const Wide* sums, const Wide* targets, const std::int32_t* ids, int R, int V, int first,
                     double scale) {
    CALL(cross_entropy(storage<Real>, loss, logits, sums, targets, ids, R, V, first, scale));
}
METHOD cross_entropy_whole(double* loss, Real* logits, const std::int32_t* ids, int R, int V, double scale) {
    CALL(cross_entropy_whole(storage<Real>, loss, logits, ids, R, V, scale));
}

METHOD adamw(Real* weights, Wide* master, const Wide* gradient, Wide* m, Wide* v, std::size_t n, const AdamW& a) {
    CALL(adamw(storage<Real>, weights, master, gradient, m, v, n, plain(a)));
}
METHOD sgd(Real* weights, Wide* master, const Wide* gradient, std::size_t n, double rate, double gradient_scale) {
    CALL(sgd(storage<Real>, weights, master, gradient, n, rate, gradient_scale));
}
METHOD add(Wide* y, const Wide* x, std::size_t n) { CALL(add(y, x, n)); }
METHOD sum_squares(double* sum, const Wide* x, std::size_t n) { CALL(sum_squares(sum, x, n)); }

#undef METHOD
#undef CALL

template class CudaKernels<bf16, float>;
template class CudaKernels<float, float>;

}  // namespace plimsoll::engine
