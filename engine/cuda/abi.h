#pragma once
/* The door between plimsoll-engine and a device back end in a library of its own.
 *
 * The engine starts where no driver or toolkit library is installed: it opens
 * backend_cuda.so when a device is asked for and takes one symbol from it,
 * `plimsoll_backend_v1`. One process uses one device.
 *
 *   const PlimsollBackend* b = ...;  if (b->version != PLIMSOLL_ABI) refuse;
 *   if (b->select(0) != 0) puts(b->last_error());
 *
 * Every function returns a PlimsollCode; last_error() says what happened in words.
 * Pointers are device memory unless said; work is queued in order on one stream and
 * may go on after a call returns. Operations mean what engine/kernels/kernels.h
 * says, for the storage named first: Real is void here, Wide is float. */

#include <stddef.h>
#include <stdint.h>

#define PLIMSOLL_ABI 2

enum PlimsollCode { plimsoll_ok, plimsoll_argument, plimsoll_memory, plimsoll_device, plimsoll_library, plimsoll_absent };
enum PlimsollStorage { plimsoll_bf16, plimsoll_f32 };  /* Real; Wide is fp32 for both */
enum PlimsollType { plimsoll_type_f64, plimsoll_type_f32, plimsoll_type_bf16, plimsoll_type_byte }; /* comm.h's Type */

typedef struct PlimsollDevice {
    char name[128], bus_id[32];
    int compute_major, compute_minor, multiprocessors;
    int clock_kHz, memory_clock_kHz;
    int driver_version, runtime_version; /* 1000 x major + 10 x minor */
    size_t memory_B, free_B, l2_B;
} PlimsollDevice;

typedef struct PlimsollAttention { int B, T, H, K, D; } PlimsollAttention;
typedef struct PlimsollAdamW { double rate, beta1, beta2, epsilon, decay, correction1, correction2, gradient_scale; } PlimsollAdamW;

typedef struct PlimsollBackend {
    int version;
    const char* (*last_error)(void);

    /* Devices. `devices` is answered before select; everything else after it. */
    int (*devices)(int* count);
    int (*describe)(int device, PlimsollDevice* about);
    int (*select)(int device);
    int (*allow_tf32)(int on);                   /* fp32 products only; off unless asked for */

    /* Memory; the _host functions are page-locked memory of the host. copy_in and copy_out are over on return. */
    int (*allocate)(void** memory, size_t bytes);
    int (*release)(void* memory);
    int (*allocate_host)(void** memory, size_t bytes);
    int (*release_host)(void* memory);
    int (*copy_in)(void* device, const void* host, size_t bytes);
    int (*copy_out)(void* host, const void* device, size_t bytes);
    int (*copy)(void* to, const void* from, size_t bytes);
    int (*zero)(void* memory, size_t bytes);
    int (*synchronize)(void);

    /* Operations: engine/kernels/kernels.h. */
    int (*linear)(int storage, void* y, const void* x, const void* w, const void* bias, int m, int n, int k);
    int (*linear_input_gradient)(int storage, void* dx, const void* dy, const void* w, int m, int n, int k);
    int (*linear_weight_gradient)(int storage, float* dw, const void* dy, const void* x, int m, int n, int k);
    int (*bias_gradient)(int storage, float* db, const void* dy, int m, int n);
    int (*embed)(int storage, void* y, const void* table, const int32_t* ids, int R, int C, int first, int V);
    int (*embed_gradient)(int storage, float* dtable, const void* dy, const int32_t* ids, int R, int C, int first, int V);
    int (*add_positions)(int storage, void* y, const void* table, int R, int C, int first_row, int T);
    int (*positions_gradient)(int storage, float* dtable, const void* dy, int R, int C, int first_row, int T);
    int (*norm)(int storage, void* y, float* stats, const void* x, const void* gain, const void* bias, int R, int C, int rms);
    int (*norm_gradient)(int storage, void* dx, float* dgain, float* dbias, const void* dy, const void* x, const void* gain,
                         const float* stats, int R, int C, int rms);
    int (*norm_again)(int storage, void* y, const float* stats, const void* x, const void* gain, const void* bias, int R, int C);
    int (*add_residual)(int storage, void* y, const void* x, const void* z, const void* bias, int R, int C);
    int (*activate)(int storage, void* y, const void* x, int R, int F, int swiglu);
    int (*activate_gradient)(int storage, void* dx, const void* dy, const void* x, int R, int F, int swiglu);
    int (*rotate)(int storage, void* qkv, PlimsollAttention, int direction);
    int (*attention)(int storage, void* out, float* logsum, const void* qkv, PlimsollAttention);
    int (*attention_gradient)(int storage, void* dqkv, const void* dout, const void* out, const float* logsum, const void* qkv,
                              PlimsollAttention);
    int (*row_max)(int storage, float* max, const void* logits, int R, int V);
    int (*exp_sum)(int storage, float* sums, float* targets, void* logits, const float* max, const int32_t* ids, int R, int V,
                   int first);
    int (*cross_entropy)(int storage, double* loss, void* logits, const float* sums, const float* targets, const int32_t* ids, int R,
                         int V, int first, double scale);
    int (*cross_entropy_whole)(int storage, double* loss, void* logits, const int32_t* ids, int R, int V, double scale);
    int (*adamw)(int storage, void* weights, float* master, const float* gradient, float* m, float* v, size_t n, PlimsollAdamW);
    int (*sgd)(int storage, void* weights, float* master, const float* gradient, size_t n, double rate, double gradient_scale);
    int (*add)(float* y, const float* x, size_t n);
    int (*sum_squares)(double* sum, const float* x, size_t n);

    /* NCCL. A communicator has a stream of its own; every verb starts after what was queued before it and
     * gives an event, to be handed to event_wait or, until it says done, event_test: both end its life. */
    int (*comm_id)(void* id); /* 128 bytes of host memory, made on one rank and handed to all */
    int (*comm_open)(void** comm, const void* id, int size, int rank);
    int (*comm_close)(void* comm);
    int (*comm_all_reduce)(void* comm, void* data, size_t count, int type, int maximum, void** event);
    int (*comm_reduce_scatter)(void* comm, const void* from, void* to, size_t count, int type, void** event);
    int (*comm_all_gather)(void* comm, const void* from, void* to, size_t count, int type, void** event);
    int (*comm_broadcast)(void* comm, void* data, size_t count, int type, int root, void** event);
    int (*comm_send)(void* comm, const void* data, size_t count, int type, int to, void** event);
    int (*comm_receive)(void* comm, void* data, size_t count, int type, int from, void** event);
    int (*event_wait)(void* event); /* what is queued from now on starts after it; the host goes on */
    int (*event_test)(void* event, int* done);
} PlimsollBackend;

#ifdef __cplusplus
extern "C" {
#endif
const PlimsollBackend* plimsoll_backend_v1(void);
#ifdef __cplusplus
}
#endif
