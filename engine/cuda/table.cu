// The one symbol of the library: a table of every function, each choosing its
// storage type at the door.
#include "operations.h"

#include <type_traits>

namespace plimsoll::device {

namespace {

template <class T> struct Stored { using Real = T; };

// Calls `operation` with the type that `storage` names; no exception leaves the library.
template <class Operation> int with(int storage, Operation operation) {
    if (state().index < 0) return fail(plimsoll_argument, "operation", "no device was selected");
    try {
        if (storage == plimsoll_bf16) return operation(Stored<bf16>{});
        if (storage == plimsoll_f32) return operation(Stored<float>{});
    } catch (...) {
        return fail(plimsoll_memory, "operation", "the host is out of memory");
    }
    return fail(plimsoll_argument, "operation", "unknown storage type");
}

// Void pointers of the door become pointers to Real, as constant as they were; everything else passes as it is.
template <class Real> struct Typed {
    template <class T> static T of(T v) { return v; }
    static Real* of(void* p) { return static_cast<Real*>(p); }
    static const Real* of(const void* p) { return static_cast<const Real*>(p); }
    static float* of(float* p) { return p; }
    static const float* of(const float* p) { return p; }
    static double* of(double* p) { return p; }
    static const int32_t* of(const int32_t* p) { return p; }
};

// An entry `int f(int storage, ...)` for the function template of that name.
#define PLIMSOLL_ENTRY(name)                                                     \
    [](int storage, auto... arguments) -> int {                                  \
        return with(storage, [&](auto stored) {                                  \
            using Real = typename decltype(stored)::Real;                        \
            return ::plimsoll::device::name<Real>(Typed<Real>::of(arguments)...); \
        });                                                                      \
    }

const PlimsollBackend table = {
    PLIMSOLL_ABI, last_error, devices, describe, select, allow_tf32,
    allocate, release, allocate_host, release_host, copy_in, copy_out, copy, zero, synchronize,
    PLIMSOLL_ENTRY(linear), PLIMSOLL_ENTRY(linear_input_gradient), PLIMSOLL_ENTRY(linear_weight_gradient), PLIMSOLL_ENTRY(bias_gradient),
    PLIMSOLL_ENTRY(embed), PLIMSOLL_ENTRY(embed_gradient), PLIMSOLL_ENTRY(add_positions), PLIMSOLL_ENTRY(positions_gradient),
    PLIMSOLL_ENTRY(norm), PLIMSOLL_ENTRY(norm_gradient), PLIMSOLL_ENTRY(norm_again), PLIMSOLL_ENTRY(add_residual),
    PLIMSOLL_ENTRY(activate), PLIMSOLL_ENTRY(activate_gradient), PLIMSOLL_ENTRY(rotate), PLIMSOLL_ENTRY(attention),
    PLIMSOLL_ENTRY(attention_gradient), PLIMSOLL_ENTRY(row_max), PLIMSOLL_ENTRY(exp_sum), PLIMSOLL_ENTRY(cross_entropy),
    PLIMSOLL_ENTRY(cross_entropy_whole), PLIMSOLL_ENTRY(adamw), PLIMSOLL_ENTRY(sgd), add, sum_squares,
    comm_id, comm_open, comm_close, comm_all_reduce, comm_reduce_scatter, comm_all_gather, comm_broadcast, comm_send, comm_receive,
    event_wait, event_test,
};

}  // namespace

}  // namespace plimsoll::device

extern "C" __attribute__((visibility("default"))) const PlimsollBackend* plimsoll_backend_v1(void) { return &plimsoll::device::table; }
