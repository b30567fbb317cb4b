#pragma once
// What the files of the back end share: the device in use, its stream and scratch
// memory, how errors travel, how a kernel is started.
//
//   PLIMSOLL_TRY(cudaMemcpyAsync(...));                    // leaves with a code, text kept
//   return launch(kernel, blocks, threads, 0, y, x, n);

#include "abi.h"
#include "names.h"

#include <cstddef>
#include <cstdint>

namespace plimsoll::device {

using bf16 = __nv_bfloat16;

struct State {
    int index = -1;
    cudaStream_t stream = nullptr;
    void* scratch = nullptr;
    std::size_t scratch_B = 0;
    bool tf32 = false;
};
State& state();

int fail(int code, const char* what, const char* detail);  // returns `code`
const char* last_error();
int checked(cudaError_t, const char* call);

// Memory that the next launches may use until the next call of scratch(); null (and an error kept) when there is not enough.
void* scratch(std::size_t bytes);

template <class... P, class... A>
int launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared, A... arguments) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return plimsoll_ok;
    launch_kernel(kernel, grid, block, shared, state().stream, arguments...);
    return checked(cudaGetLastError(), "kernel launch");
}

inline unsigned blocks_for(std::size_t items, std::size_t per_block) { return unsigned((items + per_block - 1) / per_block); }

}  // namespace plimsoll::device

#define PLIMSOLL_TRY(call)                                                        \
    do {                                                                          \
        if (const int code_ = ::plimsoll::device::checked((call), #call)) return code_; \
    } while (false)
#define PLIMSOLL_PASS(call)                  \
    do {                                     \
        if (const int code_ = (call)) return code_; \
    } while (false)
