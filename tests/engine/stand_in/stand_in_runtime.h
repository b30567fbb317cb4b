#pragma once
// The functions of CUDA and cuBLASLt that the back end calls, as far as it calls them:
// memory of the host, products by three loops, on streams that work by themselves.
// NCCL's are in stand_in_nccl.h.

#include "stand_in_nccl.h"

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

enum cudaError_t {
    cudaSuccess,
    cudaErrorNotReady,
    cudaErrorMemoryAllocation,
    cudaErrorNoDevice,
    cudaErrorInsufficientDriver
};
inline const char* cudaGetErrorString(cudaError_t e) {
    return e == cudaErrorMemoryAllocation ? "out of memory" : "stand-in";
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }

struct cudaDeviceProp {
    char name[256];
    int major, minor, l2CacheSize;
    std::size_t totalGlobalMem;
};
inline cudaError_t cudaGetDeviceCount(int* n) { return *n = stand_in::devices().count, cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
    const stand_in::Devices& d = stand_in::devices();
    *p = {"stand-in", d.major, d.minor, 1 << 20, d.memory};
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* id, int n, int device) {
    std::snprintf(id, std::size_t(n), "0000:%02x:00.0", unsigned(stand_in::devices().first + device));
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* v) { return *v = 13000, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) { return stand_in::use_device(device), cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
    *available = stand_in::free_memory();
    *total = stand_in::devices().memory;
    return cudaSuccess;
}

// Its size, then a fence, the memory, a fence: fences are NaN, so that what is read there is seen in results.
inline constexpr std::size_t stand_in_fence = 256;
inline cudaError_t cudaMallocHost(void** p, std::size_t bytes) {
    *p = nullptr;
    void* block = nullptr;
    if (posix_memalign(&block, 256, bytes + 3 * stand_in_fence)) return cudaErrorMemoryAllocation;
    std::memset(block, 0xff, bytes + 3 * stand_in_fence);  // NaN
    std::memcpy(block, &bytes, sizeof bytes);
    *p = static_cast<unsigned char*>(block) + 2 * stand_in_fence;
    return cudaSuccess;
}
inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
    *p = nullptr;
    if (bytes > stand_in::free_memory()) return cudaErrorMemoryAllocation;
    if (const cudaError_t failed = cudaMallocHost(p, bytes)) return failed;
    stand_in::take_memory(std::ptrdiff_t(bytes));
    return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void* p) {
    if (!p) return cudaSuccess;
    auto* const begin = static_cast<unsigned char*>(p);
    std::size_t bytes;
    std::memcpy(&bytes, begin - 2 * stand_in_fence, sizeof bytes);
    for (std::size_t i = 0; i < stand_in_fence; ++i)
        if (begin[bytes + i] != 0xff || (begin - stand_in_fence)[i] != 0xff)
            stand_in::complain("something was written beside an array");
    return std::free(begin - 2 * stand_in_fence), cudaSuccess;
}
// Waits for all that is queued anywhere, as CUDA's does.
inline cudaError_t cudaFree(void* p) {
    if (!p) return cudaSuccess;
    stand_in::wait_for_all_streams();
    std::size_t bytes;
    std::memcpy(&bytes, static_cast<unsigned char*>(p) - 2 * stand_in_fence, sizeof bytes);
    stand_in::take_memory(-std::ptrdiff_t(bytes));
    return cudaFreeHost(p);
}
enum cudaMemcpyKind { cudaMemcpyDefault };
using cudaStream_t = stand_in::Stream*;
using cudaEvent_t = std::shared_ptr<stand_in::Event>*;
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2;
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind, cudaStream_t s) {
    return s->put([=] { std::memmove(to, from, n); }), cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* p, int v, std::size_t n, cudaStream_t s) {
    return s->put([=] { std::memset(p, v, n); }), cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) {
    return *s = stand_in::new_stream(), cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t s) { return s->wait(), cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t s) { return s->is_idle() ? cudaSuccess : cudaErrorNotReady; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
    return stand_in::hold(*s, *e), cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
    *e = new std::shared_ptr<stand_in::Event>(std::make_shared<stand_in::Event>());
    (**e)->timed = flags != cudaEventDisableTiming;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { return stand_in::record(*e, *s), cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t e) {
    return stand_in::is_reached(**e) ? cudaSuccess : cudaErrorNotReady;
}
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
    stand_in::Event &a = **from, &b = **to;
    if (!a.timed || !b.timed) stand_in::complain("an event without a time is asked for one");
    if (!stand_in::is_reached(a) || !stand_in::is_reached(b)) return cudaErrorNotReady;
    *ms = std::chrono::duration<float, std::milli>(b.at - a.at).count();
    return cudaSuccess;
}
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
template <class F> cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int bytes) {
    return bytes <= 163 << 10 ? cudaSuccess : cudaErrorMemoryAllocation;  // an A100's
}

// cuBLASLt: everything column-major
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_INVALID_VALUE };
inline const char* cublasLtGetStatusString(cublasStatus_t) { return "stand-in"; }
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F };
enum cudaDataType_t { CUDA_R_32F, CUDA_R_16BF };
enum cublasLtEpilogue_t { CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_BIAS };
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_TRANSA,
    CUBLASLT_MATMUL_DESC_TRANSB,
    CUBLASLT_MATMUL_DESC_EPILOGUE,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER
};
struct StandInProduct {
    cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
    cublasLtEpilogue_t epilogue{};
    const void* bias = nullptr;
};
struct StandInMatrix {
    cudaDataType_t type;
    std::uint64_t rows, columns;
    std::int64_t ld;
    float get(const void* p, std::uint64_t r, std::uint64_t c) const {
        const std::size_t at = r + c * std::uint64_t(ld);
        return type == CUDA_R_32F ? static_cast<const float*>(p)[at]
                                  : __bfloat162float(static_cast<const __nv_bfloat16*>(p)[at]);
    }
    void set(void* p, std::uint64_t r, std::uint64_t c, float v) const {
        const std::size_t at = r + c * std::uint64_t(ld);
        if (type == CUDA_R_32F) static_cast<float*>(p)[at] = v;
        else static_cast<__nv_bfloat16*>(p)[at] = __float2bfloat16(v);
    }
};
using cublasLtHandle_t = void*;
using cublasLtMatmulDesc_t = StandInProduct*;
using cublasLtMatrixLayout_t = StandInMatrix*;
using cublasLtMatmulPreference_t = int*;
struct cublasLtMatmulAlgo_t { int chosen; };
struct cublasLtMatmulHeuristicResult_t { cublasLtMatmulAlgo_t algo; };
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t*) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t, cudaDataType_t) {
    return *d = new StandInProduct, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t which,
                                                     const void* value, std::size_t n) {
    switch (which) {
    case CUBLASLT_MATMUL_DESC_TRANSA: std::memcpy(&d->a, value, n); break;
    case CUBLASLT_MATMUL_DESC_TRANSB: std::memcpy(&d->b, value, n); break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE: std::memcpy(&d->epilogue, value, n); break;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: std::memcpy(&d->bias, value, n); break;
    }
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* l, cudaDataType_t t, std::uint64_t rows,
                                                 std::uint64_t columns, std::int64_t ld) {
    return *l = new StandInMatrix{t, rows, columns, ld}, CUBLAS_STATUS_SUCCESS;
}
enum cublasLtMatmulPreferenceAttributes_t {
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES
};
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t*) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                           cublasLtMatmulPreferenceAttributes_t, const void*,
                                                           std::size_t) {
    return CUBLAS_STATUS_SUCCESS;
}
// Like a library that has no bias epilogue for odd shapes, so that both ways are taken.
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t,
                                                     cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                     cublasLtMatrixLayout_t out, cublasLtMatmulPreference_t, int,
                                                     cublasLtMatmulHeuristicResult_t* r, int* found) {
    r->algo.chosen = 1;
    *found = !(d->epilogue == CUBLASLT_EPILOGUE_BIAS && out->rows % 2);
    return CUBLAS_STATUS_SUCCESS;
}
inline void stand_in_multiply(const StandInProduct& d, float one, const void* a, const StandInMatrix& la, const void* b,
                              const StandInMatrix& lb, float before, const void* c, const StandInMatrix& lc, void* out,
                              const StandInMatrix& lo) {
    const bool ta = d.a == CUBLAS_OP_T, tb = d.b == CUBLAS_OP_T;
    const std::uint64_t k = ta ? la.rows : la.columns;
    const StandInMatrix bias{lo.type, lo.rows, 1, std::int64_t(lo.rows)};
    std::vector<float> left(lo.rows * k), right(lo.columns * k);  // both with k innermost
    for (std::uint64_t x = 0; x < k; ++x) {
        for (std::uint64_t i = 0; i < lo.rows; ++i) left[i * k + x] = ta ? la.get(a, x, i) : la.get(a, i, x);
        for (std::uint64_t j = 0; j < lo.columns; ++j) right[j * k + x] = tb ? lb.get(b, j, x) : lb.get(b, x, j);
    }
    for (std::uint64_t j = 0; j < lo.columns; ++j)
        for (std::uint64_t i = 0; i < lo.rows; ++i) {
            float lanes[8] = {}, sum = 0;
            for (std::uint64_t x = 0; x < k; ++x) lanes[x % 8] += left[i * k + x] * right[j * k + x];
            for (const float lane : lanes) sum += lane;
            sum *= one;
            if (before != 0) sum += before * lc.get(c, i, j);
            if (d.epilogue == CUBLASLT_EPILOGUE_BIAS) sum += bias.get(d.bias, i, 0);
            lo.set(out, i, j, sum);
        }
}
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t d, const void* alpha, const void* a,
                                     cublasLtMatrixLayout_t la, const void* b, cublasLtMatrixLayout_t lb,
                                     const void* beta, const void* c, cublasLtMatrixLayout_t lc, void* out,
                                     cublasLtMatrixLayout_t lo, const cublasLtMatmulAlgo_t* algorithm, void*,
                                     std::size_t, cudaStream_t stream) {
    const bool ta = d->a == CUBLAS_OP_T, tb = d->b == CUBLAS_OP_T;
    if ((ta ? la->columns : la->rows) != lo->rows || (tb ? lb->rows : lb->columns) != lo->columns
        || (tb ? lb->columns : lb->rows) != (ta ? la->rows : la->columns) || algorithm->chosen != 1)
        stand_in::complain("the matrices of a product do not fit");
    // What the host handed over is its own again when this returns.
    const float one = *static_cast<const float*>(alpha), before = *static_cast<const float*>(beta);
    stream->put([=, product = *d, left = *la, right = *lb, sum = *lc, result = *lo] {
        stand_in_multiply(product, one, a, left, b, right, before, c, sum, out, result);
    });
    return CUBLAS_STATUS_SUCCESS;
}
