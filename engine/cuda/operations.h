#pragma once
// The operations of the back end, one family a source file; what each computes
// stands in engine/kernels/kernels.h. Real is bf16 or float, all sums are float.
//
//   int code = norm(y, stats, x, gain, bias, R, C, false);   // a PlimsollCode

#include "device.cuh"

namespace plimsoll::device {

// device.cu
int devices(int* count);
int describe(int device, PlimsollDevice*);
int select(int device);
int allow_tf32(int on);
int allocate(void**, std::size_t bytes);
int release(void*);
int allocate_host(void**, std::size_t bytes);
int release_host(void*);
int copy_in(void* device, const void* host, std::size_t bytes);
int copy_out(void* host, const void* device, std::size_t bytes);
int copy(void* to, const void* from, std::size_t bytes);
int zero(void*, std::size_t bytes);
int synchronize();


// products.cu
int prepare_products();
template <class Real> int linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k);
template <class Real> int linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k);
template <class Real> int linear_weight_gradient(float* dw, const Real* dy, const Real* x, int m, int n, int k);

// columns.cu
template <class Real> int bias_gradient(float* db, const Real* dy, int m, int n);
// dgain[c] += sum over r of dy x-hat, dbias[c] += sum over r of dy; dbias may be null.
template <class Real> int norm_parameters(float* dgain, float* dbias, const Real* dy, const Real* x, const float* stats, int R, int C);

// norm.cu
template <class Real> int norm(Real* y, float* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, int rms);
template <class Real>
int norm_gradient(Real* dx, float* dgain, float* dbias, const Real* dy, const Real* x, const Real* gain, const float* stats, int R,
                  int C, int rms);
template <class Real> int norm_again(Real* y, const float* stats, const Real* x, const Real* gain, const Real* bias, int R, int C);

// elementwise.cu
template <class Real> int add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C);
template <class Real> int activate(Real* y, const Real* x, int R, int F, int swiglu);
template <class Real> int activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, int swiglu);
template <class Real> int rotate(Real* qkv, PlimsollAttention, int direction);

// embedding.cu
template <class Real> int embed(Real* y, const Real* table, const int32_t* ids, int R, int C, int first, int V);
template <class Real> int embed_gradient(float* dtable, const Real* dy, const int32_t* ids, int R, int C, int first, int V);
template <class Real> int add_positions(Real* y, const Real* table, int R, int C, int first_row, int T);
template <class Real> int positions_gradient(float* dtable, const Real* dy, int R, int C, int first_row, int T);

// attention.cu chooses; the fused kernels take bf16 with heads of 64 or 128, the plain ones any head up to 256.
template <class Real> int attention(Real* out, float* logsum, const Real* qkv, PlimsollAttention);
template <class Real>
int attention_gradient(Real* dqkv, const Real* dout, const Real* out, const float* logsum, const Real* qkv, PlimsollAttention);
template <int D> int attention_fused(bf16* out, float* logsum, const bf16* qkv, PlimsollAttention);
template <int D>
int attention_fused_gradient(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv, PlimsollAttention);
template <class Real> int attention_plain(Real* out, float* logsum, const Real* qkv, PlimsollAttention);
template <class Real>
int attention_plain_gradient(Real* dqkv, const Real* dout, const float* delta, const float* logsum, const Real* qkv, PlimsollAttention);

// loss.cu
template <class Real> int row_max(float* max, const Real* logits, int R, int V);
template <class Real>
int exp_sum(float* sums, float* targets, Real* logits, const float* max, const int32_t* ids, int R, int V, int first);
template <class Real>
int cross_entropy(double* loss, Real* logits, const float* sums, const float* targets, const int32_t* ids, int R, int V, int first,
                  double scale);
template <class Real> int cross_entropy_whole(double* loss, Real* logits, const int32_t* ids, int R, int V, double scale);

// optimizer.cu
template <class Real>
int adamw(Real* weights, float* master, const float* gradient, float* m, float* v, std::size_t n, PlimsollAdamW);
template <class Real> int sgd(Real* weights, float* master, const float* gradient, std::size_t n, double rate, double gradient_scale);
int add(float* y, const float* x, std::size_t n);
int sum_squares(double* sum, const float* x, std::size_t n);
// *sum += terms[0..n), in one fixed order.
int add_in_order(double* sum, const double* terms, std::size_t n);

// nccl.cu
int comm_id(void* id);
int comm_open(void** comm, const void* id, int size, int rank);
int comm_close(void* comm);
int comm_all_reduce(void* comm, void* data, std::size_t count, int type, int maximum, void** event);
int comm_reduce_scatter(void* comm, const void* from, void* to, std::size_t count, int type, void** event);
int comm_all_gather(void* comm, const void* from, void* to, std::size_t count, int type, void** event);
int comm_broadcast(void* comm, void* data, std::size_t count, int type, int root, void** event);
int comm_send(void* comm, const void* data, std::size_t count, int type, int to, void** event);
int comm_receive(void* comm, void* data, std::size_t count, int type, int from, void** event);
int event_wait(void* event);
int event_test(void* event, int* done);

}  // namespace plimsoll::device
