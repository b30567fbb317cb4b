#pragma once
// A device that is not there: the back end's kernels, compiled as C++, run thread
// by thread on the CPU.
//
// Every thread of a block is a fiber that runs until it must wait for others.
// Which one goes first is chosen by plimsoll_stand_in_order(): a kernel that reads what another
// thread has not been made to finish gives other bits in another order. Threads
// that wait for each other in vain, fragments at addresses that tensor cores
// refuse, and products that do not fit end the program; memory is filled with NaN
// before it is used. Fragments lie scrambled over the lanes, as no device has them.
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
int lane();
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

// Tensor cores
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int, int, int, class T, class Layout = void> struct fragment { float at[256]; };  // [row, column]
template <class T> struct fragment<accumulator, 16, 16, 16, T, void> {
    static constexpr int num_elements = 8;
    T x[num_elements];
    static int held(int lane, int i) {
        return (lane * 8 + i) * 101 % 256;
    }  // 16 row + column; 101 is odd: every one once
};
using Total = fragment<accumulator, 16, 16, 16, float>;

inline void check(const void* p, unsigned ld, std::size_t element) {
    if (reinterpret_cast<std::uintptr_t>(p) % 32)
        stand_in::complain("a fragment's address is not a multiple of 32 bytes");
    if (ld * element % 16) stand_in::complain("a fragment's rows are not a multiple of 16 bytes apart");
}

template <class Use, class Layout>
void load_matrix_sync(fragment<Use, 16, 16, 16, __nv_bfloat16, Layout>& f, const __nv_bfloat16* p, unsigned ld) {
    check(p, ld, 2);
    for (unsigned r = 0; r < 16; ++r)
        for (unsigned c = 0; c < 16; ++c)
            f.at[r * 16 + c] = __bfloat162float(std::is_same_v<Layout, row_major> ? p[r * ld + c] : p[c * ld + r]);
}
inline unsigned offset(int held, unsigned ld, layout_t layout) {
    const unsigned r = unsigned(held) / 16, c = unsigned(held) % 16;
    return layout == mem_row_major ? r * ld + c : c * ld + r;
}
inline void load_matrix_sync(Total& f, const float* p, unsigned ld, layout_t layout) {
    check(p, ld, 4);
    for (int i = 0; i < 8; ++i) f.x[i] = p[offset(Total::held(stand_in::lane(), i), ld, layout)];
}
inline void store_matrix_sync(float* p, const Total& f, unsigned ld, layout_t layout) {
    check(p, ld, 4);
    for (int i = 0; i < 8; ++i) p[offset(Total::held(stand_in::lane(), i), ld, layout)] = f.x[i];
}
inline void fill_fragment(Total& f, float v) {
    for (float& x : f.x) x = v;
}
template <class A, class B> void mma_sync(Total& d, const A& a, const B& b, const Total& c) {
    for (int i = 0; i < 8; ++i) {
        const int at = Total::held(stand_in::lane(), i), row = at / 16, column = at % 16;
        float sum = c.x[i];
        for (int k = 0; k < 16; ++k) sum += a.at[row * 16 + k] * b.at[k * 16 + column];
        d.x[i] = sum;
    }
}

}  // namespace wmma

#include "stand_in_runtime.h"
