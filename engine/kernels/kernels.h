#pragma once
// The arithmetic of one device: memory, and every operation that a decoder layer,
// its ends and the optimizer need, on plain pointers to device memory. What each
// operation computes stands in operations.h.
//
// Real and Wide are double and double (tests), float and float (CPU), bf16 and float
// (CUDA). Calls may return before the work is done; synchronize() ends that.

#include "engine/kernels/operations.h"

#include <vector>

namespace plimsoll::engine {

template <class Real, class Wide> class Kernels {
public:
    virtual ~Kernels() = default;

    // Memory, aligned to 256 bytes; what it holds at first is not said.
    virtual void* allocate(std::size_t bytes) = 0;  // null: there is not enough
    virtual void release(void*) = 0;
    // Memory of the host that a device copies from and to at the link's full rate: page-locked where there is a device.
    virtual void* allocate_host(std::size_t bytes) { return allocate(bytes); }  // null: there is not enough
    virtual void release_host(void* memory) { release(memory); }
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void zero(void*, std::size_t bytes) = 0;
    // Where the device's memory is the host's, as on the processor, and work is done when a call returns.
    virtual void copy_in(void* device, const void* host, std::size_t bytes) { copy(device, host, bytes); }
    virtual void copy_out(void* host, const void* device, std::size_t bytes) { copy(host, device, bytes); }
    virtual void synchronize() {}
    // Takes now what operations of these sizes at most want for a moment; false: it is not there.
    virtual bool reserve_scratch(std::size_t /*rows*/, int /*heads*/, int /*width*/, std::size_t /*elements*/) {
        return true;
    }

    // Marks in a device's queue, where the host's clock would see when work is queued and not when it is done.
    // between_marks() waits, gives the seconds from each mark to the next, and keeps the last one as the first of what
    // comes.
    virtual bool has_marks() const { return false; }
    virtual void mark() {}
    virtual std::vector<double> between_marks() { return {}; }

#define PLIMSOLL_DECLARE(name, parameters, arguments) virtual void name parameters = 0;
    PLIMSOLL_OPERATIONS(PLIMSOLL_DECLARE)
#undef PLIMSOLL_DECLARE
};

// Kernels that do nothing: with them a step only asks for memory, which is how the
// size of the arena is known before anything is allocated.
template <class Real, class Wide> class DryKernels final : public Kernels<Real, Wide> {
public:
    void* allocate(std::size_t) override { return nullptr; }
    void release(void*) override {}
    void copy(void*, const void*, std::size_t) override {}
    void zero(void*, std::size_t) override {}

#define PLIMSOLL_DO_NOTHING(name, parameters, arguments) \
    void name parameters override { ignore arguments; }
    PLIMSOLL_OPERATIONS(PLIMSOLL_DO_NOTHING)
#undef PLIMSOLL_DO_NOTHING

private:
    template <class... A> static void ignore(const A&...) {}
};

}  // namespace plimsoll::engine
