#pragma once
// What the files of the back end share: the device in use, its stream and scratch
// memory, how errors are passed on, how a kernel is started, and every function by name.
//
//   PLIMSOLL_TRY(cudaMemcpyAsync(...));                    // leaves with a code, text kept
//   return launch(kernel, blocks, threads, 0, y, x, n);

#include "abi.h"
#include "names.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace plimsoll::device {

using bf16 = __nv_bfloat16;

struct State {
    int index = -1;
    cudaStream_t stream = nullptr;
    void* scratch = nullptr;
    std::size_t scratch_B = 0;
};
State& state();

int fail(int code, const char* what, const char* detail);  // returns `code`
const char* last_error();
int checked(cudaError_t, const char* call);
int take_event(cudaEvent_t&, std::vector<cudaEvent_t>& spare, unsigned flags);  // one of the spare ones, or a new one

// Memory that the next launches may use until the next call of scratch(); null (and an error kept) when there is not
// enough.
void* scratch(std::size_t bytes);

// How much operations ask for; reserve_scratch takes the most of them.
constexpr int most_slabs = 64;                            // of rows, in sums down columns
constexpr std::size_t squares_of_chunk = 16384;
inline std::size_t scratch_of_attention(std::size_t rows, int heads) { return rows * heads * sizeof(float); }
inline std::size_t scratch_of_columns(int slabs, int width) { return std::size_t(2) * slabs * width * sizeof(float); }
inline std::size_t scratch_of_losses(std::size_t rows) { return rows * sizeof(double); }
inline std::size_t scratch_of_squares(std::size_t n) {
    return ((n + squares_of_chunk - 1) / squares_of_chunk + 1) * sizeof(double);
}

template <class... P, class... A>
int launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared, A... arguments) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return plimsoll_ok;
    launch_kernel(kernel, grid, block, shared, state().stream, arguments...);
    return checked(cudaGetLastError(), "kernel launch");
}

inline unsigned blocks_for(std::size_t items, std::size_t per_block) {
    return unsigned((items + per_block - 1) / per_block);
}

// The functions of the library, in device.cu and nccl.cu (abi.h), and the operations, one family a source file
// (engine/kernels/operations.h). All return a PlimsollCode. Sums are float.
using engine::Activation;
using engine::AdamW;
using engine::AttentionShape;
using engine::Norm;
using Wide = float;

#define PLIMSOLL_FUNCTION(name, parameters) int name parameters;
PLIMSOLL_BACKEND_FUNCTIONS(PLIMSOLL_FUNCTION)
#undef PLIMSOLL_FUNCTION

#define PLIMSOLL_OPERATION(name, parameters, arguments) template <class Real> int name parameters;
PLIMSOLL_OPERATIONS(PLIMSOLL_OPERATION)
#undef PLIMSOLL_OPERATION

// What the files need of one another.
int wait_for(cudaStream_t);                                                 // device.cu: or NCCL's error
bool has_communicators();                                                   // nccl.cu: open ones
int check_communicators();                                                  // nccl.cu: what NCCL noticed by itself
int prepare_products();                                                     // products.cu
int add_in_order(double* sum, const double* terms, std::size_t n);  // optimizer.cu: *sum += terms[0..n), in one order
// attention_forward.cu and attention_backward.cu: bf16 with heads of 64 or 128
template <int D> int attention_fused(bf16* out, float* logsum, const bf16* qkv, AttentionShape);
template <int D>
int attention_fused_gradient(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
                             AttentionShape);

}  // namespace plimsoll::device

// At the end of the file that defines the operation: it for both storages. The types follow from its declaration.
#define PLIMSOLL_INSTANTIATE(name)            \
    template decltype(name<bf16>) name<bf16>; \
    template decltype(name<float>) name<float>;

// A call as text, with the names that names.h gives it: an error on AMD speaks of HIP.
#define PLIMSOLL_TEXT(...) #__VA_ARGS__

// Whichever library's: each has a `checked` for its errors.
#define PLIMSOLL_TRY(call)                                                    \
    do {                                                                      \
        if (const int code_ = checked((call), PLIMSOLL_TEXT(call))) return code_; \
    } while (false)
#define PLIMSOLL_PASS(call)                  \
    do {                                     \
        if (const int code_ = (call)) return code_; \
    } while (false)
