#pragma once
// A device that is not there: the back end's kernels, compiled as C++, run thread
// by thread on the CPU.
//
// Every thread of a block is a fiber that runs until it must wait for others.
// Which one goes first is chosen by plimsoll_stand_in_order(): a kernel that reads what another
// thread has not been made to finish gives other bits in another order. Threads
// that wait for each other in vain, matrices at addresses that tensor cores
// refuse, and products that do not fit end the program; memory is filled with NaN
// before it is used, and copies arrive as late as they may.
// Time and memory traffic are nothing like a device's. Streams work by themselves while
// the host goes on (stand_in_streams.h), and ranks that are processes have an NCCL
// (stand_in_nccl.h).
//
//   plimsoll_stand_in_order(stand_in::Order::descending);   kernels.norm(...);

#include "stand_in_order.h"
#include "stand_in_streams.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

// The language
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __launch_bounds__(...)
#define PLIMSOLL_SHARED(name) unsigned char* name = stand_in::shared_memory

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct uint4 { std::uint32_t x, y, z, w; };
inline uint4 make_uint4(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w) { return {x, y, z, w}; }
inline dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace stand_in {

inline unsigned char* shared_memory = nullptr;

void run(dim3 grid, dim3 block, std::size_t shared, const std::function<void()>& thread);
void wait_for_block();
bool any_of_block(bool);
void wait_for_warp();
// All 32 lanes of a warp take part; of a wave of 64 those that have not ended and do not wait for the block, and what
// the others have is garbage.
std::uint64_t from_lane(std::uint64_t mine, int lane);
std::uint64_t ballot(bool);
// What all 32 lanes of a warp offer, by lane; good until this lane next waits for its warp.
const std::uint64_t* of_warp(std::uint64_t mine);
int lane();
// 16 bytes, or zeros, that arrive when this thread waits for their group, and not before.
void copy_later(void* to, const void* from, bool there);
void end_group();
void wait_for_groups(int open);
[[noreturn]] void complain(const char* what);

}  // namespace stand_in

template <class... P, class... A>
void launch_kernel(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared, stand_in::Stream* stream,
                   A... arguments) {
    stream->put([=] { stand_in::run(grid, block, shared, [=] { kernel(P(arguments)...); }); });
}

inline void __syncthreads() { stand_in::wait_for_block(); }
inline int __syncthreads_or(int v) { return stand_in::any_of_block(v != 0); }
inline void __syncwarp() { stand_in::wait_for_warp(); }
inline unsigned __ballot_sync(unsigned, int v) { return unsigned(stand_in::ballot(v != 0)); }
template <class T> T __shfl_xor_sync(unsigned, T v, int mask, int = 32) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    bits = stand_in::from_lane(bits, stand_in::lane() ^ mask);
    std::memcpy(&v, &bits, sizeof v);
    return v;
}

// Arithmetic
struct __nv_bfloat16 { std::uint16_t bits; };
inline float __bfloat162float(__nv_bfloat16 v) {
    const std::uint32_t bits = std::uint32_t(v.bits) << 16;
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
}
inline __nv_bfloat16 __float2bfloat16(float f) {  // to nearest, ties to even
    std::uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    if (std::isnan(f)) return {0x7fff};
    return {std::uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline int min(int a, int b) { return a < b ? a : b; }
inline int __ffs(int v) { return __builtin_ffs(v); }

// Tensor cores and copies, as names.h describes the instructions
namespace tensor {

using Bf16 = __nv_bfloat16;

// Row `row` of matrix `m`, whose address lane 8 m + row has.
inline const Bf16* named(const std::uint64_t* rows, int m, int row) {
    const std::uint64_t address = rows[8 * m + row];
    if (address % 16) stand_in::complain("the row of a matrix is not at a multiple of 16 bytes");
    return reinterpret_cast<const Bf16*>(address);
}
inline unsigned two(Bf16 first, Bf16 second) { return unsigned(first.bits) | unsigned(second.bits) << 16; }
inline void load_matrices(unsigned (&m)[4], const Bf16* row) {
    const std::uint64_t* rows = stand_in::of_warp(reinterpret_cast<std::uintptr_t>(row));
    const int l = stand_in::lane();
    for (int i = 0; i < 4; ++i) {
        const Bf16* at = named(rows, i, l / 4) + l % 4 * 2;
        m[i] = two(at[0], at[1]);
    }
    stand_in::wait_for_warp();
}
inline void load_transposed_matrices(unsigned (&m)[4], const Bf16* row) {
    const std::uint64_t* rows = stand_in::of_warp(reinterpret_cast<std::uintptr_t>(row));
    const int l = stand_in::lane();
    for (int i = 0; i < 4; ++i) m[i] = two(named(rows, i, l % 4 * 2)[l / 4], named(rows, i, l % 4 * 2 + 1)[l / 4]);
    stand_in::wait_for_warp();
}

struct Operands {
    unsigned a[4], b[2];
};
inline float half(unsigned both, int which) { return __bfloat162float({std::uint16_t(both >> 16 * which)}); }
inline void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    const Operands mine{{a[0], a[1], a[2], a[3]}, {b0, b1}};
    const std::uint64_t* all = stand_in::of_warp(reinterpret_cast<std::uintptr_t>(&mine));
    const auto held_by = [&](int lane) { return reinterpret_cast<const Operands*>(all[lane]); };
    const int l = stand_in::lane();
    for (int i = 0; i < 4; ++i) {
        const int row = l / 4, lower = i / 2, column = l % 4 * 2 + i % 2;
        for (int k = 0; k < 16; ++k)
            c[i] += half(held_by(row * 4 + k % 8 / 2)->a[k / 8 * 2 + lower], k % 2)
                  * half(held_by(column * 4 + k % 8 / 2)->b[k / 8], k % 2);
    }
    stand_in::wait_for_warp();
}
inline unsigned pack(float first, float second) { return two(__float2bfloat16(first), __float2bfloat16(second)); }

inline float power_of_two(float x) { return x < -126 ? 0 : std::exp2(x); }

inline void copy_later(void* to, const void* from, bool there) { stand_in::copy_later(to, from, there); }
inline void end_group() { stand_in::end_group(); }
template <int open> void wait_for_groups() { stand_in::wait_for_groups(open); }

}  // namespace tensor

#include "stand_in_runtime.h"
