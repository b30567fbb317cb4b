#pragma once
// A second stack that a function runs on, and goes back and forth.
//
//   Fiber f(live);   f.resume();   // runs live() until it calls f.leave(); the next resume() goes on there
//
// By hand on x86-64, because swapcontext asks the system to keep signal masks and a
// test switches millions of times; by swapcontext elsewhere. `live` must not return.

#include <cstdint>
#include <memory>

#if defined(__x86_64__)

// Saves what a call must keep on this stack, leaves its place in *from, and goes on at `to`.
extern "C" void plimsoll_switch_stack(void** from, void* to);
asm(R"(
.text
.globl plimsoll_switch_stack
.type plimsoll_switch_stack, @function
plimsoll_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size plimsoll_switch_stack, .-plimsoll_switch_stack
)");

class Fiber {
public:
    explicit Fiber(void (*live)()) : stack_(new char[bytes]) {
        auto top = reinterpret_cast<std::uintptr_t>(stack_.get() + bytes) / 16 * 16;
        auto* words =
            reinterpret_cast<void**>(top) - 2;  // `ret` leaves the stack as a call would: 8 off a multiple of 16
        words[0] = reinterpret_cast<void*>(live);
        words[1] = nullptr;
        for (int i = 1; i <= 6; ++i) words[-i] = nullptr;  // the six registers
        inside_ = words - 6;
    }
    void resume() { plimsoll_switch_stack(&outside_, inside_); }
    void leave() { plimsoll_switch_stack(&inside_, outside_); }

private:
    static constexpr std::size_t bytes = std::size_t(256) << 10;
    std::unique_ptr<char[]> stack_;
    void *inside_ = nullptr, *outside_ = nullptr;
};

#else
#include <ucontext.h>

class Fiber {
public:
    explicit Fiber(void (*live)()) : stack_(new char[bytes]), inside_(new ucontext_t), outside_(new ucontext_t) {
        getcontext(inside_.get());
        inside_->uc_stack.ss_sp = stack_.get();
        inside_->uc_stack.ss_size = bytes;
        inside_->uc_link = nullptr;
        makecontext(inside_.get(), live, 0);
    }
    void resume() { swapcontext(outside_.get(), inside_.get()); }
    void leave() { swapcontext(inside_.get(), outside_.get()); }

private:
    static constexpr std::size_t bytes = std::size_t(256) << 10;
    std::unique_ptr<char[]> stack_;
    std::unique_ptr<ucontext_t> inside_, outside_;
};

#endif
