#include "engine/kernels/cpu.h"
#include "engine/kernels/parallel.h"

#include <sys/mman.h>
#include <cstdlib>
#include <cstring>

namespace plimsoll::engine {
namespace {
constexpr std::size_t huge_page = std::size_t(1) << 21;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }
}  // namespace

template <class Real>
CpuMemory<Real>::CpuMemory(int threads, ProductLibrary library) : threads_(threads), library_(library) {
    use_one_thread(library);
}

// Large blocks start on a huge page: a step walks through hundreds of MB, and every 4 KiB page costs a fault and a
// translation.
template <class Real>
void* CpuMemory<Real>::allocate(std::size_t bytes) {
    const std::size_t alignment = bytes >= huge_page ? huge_page : 256;
    void* memory = std::aligned_alloc(alignment, rounded_up(bytes ? bytes : 1, alignment));
    if (!memory) return nullptr;
#ifdef MADV_HUGEPAGE
    if (alignment == huge_page) (void)madvise(memory, rounded_up(bytes, alignment), MADV_HUGEPAGE);
#endif
    return memory;
}

template <class Real>
void CpuMemory<Real>::release(void* memory) {
    std::free(memory);
}

template <class Real>
void CpuMemory<Real>::copy(void* to, const void* from, std::size_t bytes) {
    over(threads_, bytes, huge_page, [&](std::size_t begin, std::size_t end, int) {
        std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
    });
}

template <class Real>
void CpuMemory<Real>::copy_in(void* device, const void* host, std::size_t bytes) {
    copy(device, host, bytes);
}

template <class Real>
void CpuMemory<Real>::copy_out(void* host, const void* device, std::size_t bytes) {
    copy(host, device, bytes);
}

template <class Real>
void CpuMemory<Real>::zero(void* memory, std::size_t bytes) {
    over(threads_, bytes, huge_page, [&](std::size_t begin, std::size_t end, int) {
        std::memset(static_cast<char*>(memory) + begin, 0, end - begin);
    });
}

template class CpuMemory<float>;
template class CpuMemory<double>;

}  // namespace plimsoll::engine
