#pragma once
// The interface between plimsoll-engine and a device back end in a library of its own.
//
// The engine starts where no driver or toolkit library is installed: it opens
// backend_cuda.so when a device is asked for and takes one symbol from it,
// `plimsoll_backend_v1`. One process uses one device.
//
//   const PlimsollBackend* b = ...;  if (b->version != PLIMSOLL_ABI) refuse;
//   if (b->select(0) != 0) puts(b->last_error());
//
// Every function returns a PlimsollCode; last_error() says what happened in words.
// Pointers are device memory unless said; work is queued in order on one stream and
// may go on after a call returns. Operations mean what engine/kernels/operations.h
// says, for the storage that is their first argument: Real is void here, Wide is float.

#include "engine/kernels/operations.h"

#include <cstddef>
#include <cstdint>

enum PlimsollCode {
    plimsoll_ok,
    plimsoll_argument,
    plimsoll_memory,
    plimsoll_device,
    plimsoll_library,
    plimsoll_absent
};
enum PlimsollStorage { plimsoll_bf16, plimsoll_f32 };  // Real; Wide is fp32 for both
enum PlimsollType { plimsoll_type_f64, plimsoll_type_f32, plimsoll_type_bf16, plimsoll_type_byte };  // comm.h's Type

struct PlimsollDevice {
    char name[128], bus_id[32];
    int compute_major, compute_minor;
    std::size_t memory_B, free_B, l2_B;
};

// The functions that are no operations: name, parameters.
//
// Devices. `devices` is answered before `select`, everything else after it. Memory. The _host functions are page-locked
// memory of the host. copy_in and copy_out are over on return. reserve_scratch takes at once what operations on so many
// rows, heads, columns and elements at most want for a moment; else they take it when they want it first.
//
// Time. mark leaves a mark in the queue. between_marks waits for all that is queued, gives the seconds from each mark
// to the next on the device, at most `room` of them, and keeps the last mark as the first of what comes.
//
// NCCL. While one of its communicators reports an error, whatever waits for the device fails with that error instead of
// waiting on: a peer that is gone would never be heard of. comm_seconds is what verbs took on the device since it was
// asked last. A communicator has a stream of its own; every verb starts after what was queued before it and
// gives an event, to be handed to event_wait or, until it says done, to event_test: both end its life. The id is 128
// bytes of host memory, made on one rank and handed to all. After event_wait, what is queued starts after the event;
// the host goes on.
#define PLIMSOLL_BACKEND_FUNCTIONS(ROW)                                                                     \
    ROW(devices, (int* count))                                                                              \
    ROW(describe, (int device, PlimsollDevice* about))                                                      \
    ROW(select, (int device))                                                                               \
    ROW(allocate, (void** memory, std::size_t bytes))                                                       \
    ROW(release, (void* memory))                                                                            \
    ROW(allocate_host, (void** memory, std::size_t bytes))                                                  \
    ROW(release_host, (void* memory))                                                                       \
    ROW(copy_in, (void* device, const void* host, std::size_t bytes))                                       \
    ROW(copy_out, (void* host, const void* device, std::size_t bytes))                                      \
    ROW(copy, (void* to, const void* from, std::size_t bytes))                                              \
    ROW(zero, (void* memory, std::size_t bytes))                                                            \
    ROW(synchronize, ())                                                                                    \
    ROW(reserve_scratch, (std::size_t rows, int heads, int width, std::size_t elements))                    \
    ROW(mark, ())                                                                                           \
    ROW(between_marks, (double* seconds, std::size_t room, std::size_t* count))                             \
    ROW(comm_id, (void* id))                                                                                \
    ROW(comm_open, (void** comm, const void* id, int size, int rank))                                       \
    ROW(comm_close, (void* comm))                                                                           \
    ROW(comm_seconds, (void* comm, double* seconds))                                                        \
    ROW(comm_all_reduce, (void* comm, void* data, std::size_t count, int type, int maximum, void** event))  \
    ROW(comm_reduce_scatter,                                                                                \
        (void* comm, const void* from, void* to, std::size_t count, int type, void** event))                \
    ROW(comm_all_gather,                                                                                    \
        (void* comm, const void* from, void* to, std::size_t count, int type, void** event))                \
    ROW(comm_broadcast, (void* comm, void* data, std::size_t count, int type, int root, void** event))      \
    ROW(comm_send, (void* comm, const void* data, std::size_t count, int type, int to, void** event))       \
    ROW(comm_receive, (void* comm, void* data, std::size_t count, int type, int from, void** event))        \
    ROW(event_wait, (void* event))                                                                          \
    ROW(event_test, (void* event, int* done))

// An operation's entry: its parameters after the storage that they point to.
template <class Parameters> struct PlimsollEntry;
template <class... Parameters> struct PlimsollEntry<void(Parameters...)> {
    using Function = int (*)(int storage, Parameters...);
};

struct PlimsollBackend {
    using Real = void;
    using Wide = float;
    using Norm = plimsoll::engine::Norm;
    using Activation = plimsoll::engine::Activation;
    using AttentionShape = plimsoll::engine::AttentionShape;
    using AdamW = plimsoll::engine::AdamW;

    int version;
    const char* (*last_error)();

#define PLIMSOLL_FUNCTION(name, parameters) int (*name) parameters;
    PLIMSOLL_BACKEND_FUNCTIONS(PLIMSOLL_FUNCTION)
#undef PLIMSOLL_FUNCTION

#define PLIMSOLL_ENTRY(name, parameters, arguments) PlimsollEntry<void parameters>::Function name;
    PLIMSOLL_OPERATIONS(PLIMSOLL_ENTRY)
#undef PLIMSOLL_ENTRY
};

extern "C" const PlimsollBackend* plimsoll_backend_v1();
