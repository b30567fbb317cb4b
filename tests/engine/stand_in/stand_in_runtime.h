#pragma once
// The functions of CUDA, cuBLASLt and NCCL that the back end calls, as far as it
// calls them: memory of the host, products by three loops, groups of one.

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
    int major, minor, multiProcessorCount, l2CacheSize;
    std::size_t totalGlobalMem;
};
enum cudaDeviceAttr { cudaDevAttrClockRate, cudaDevAttrMemoryClockRate };
inline constexpr std::size_t stand_in_memory = std::size_t(1) << 30;
inline cudaError_t cudaGetDeviceCount(int* n) { return *n = 1, cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
    *p = {"stand-in", 9, 0, 1, 1 << 20, stand_in_memory};
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr, int) { return *v = 1, cudaSuccess; }
inline cudaError_t cudaDeviceGetPCIBusId(char* id, int n, int) {
    return std::snprintf(id, std::size_t(n), "0000:00:00.0"), cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* v) { return *v = 13000, cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int* v) { return *v = 13000, cudaSuccess; }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
    return *available = *total = stand_in_memory, cudaSuccess;
}

// Its size, then a fence, the memory, a fence: fences are NaN, so that what is read there is seen in results.
inline constexpr std::size_t stand_in_fence = 256;
inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
    *p = nullptr;
    void* block = nullptr;
    if (bytes > stand_in_memory || posix_memalign(&block, 256, bytes + 3 * stand_in_fence))
        return cudaErrorMemoryAllocation;
    std::memset(block, 0xff, bytes + 3 * stand_in_fence);  // NaN
    std::memcpy(block, &bytes, sizeof bytes);
    *p = static_cast<unsigned char*>(block) + 2 * stand_in_fence;
    return cudaSuccess;
}
inline cudaError_t cudaFree(void* p) {
    if (!p) return cudaSuccess;
    auto* const begin = static_cast<unsigned char*>(p);
    std::size_t bytes;
    std::memcpy(&bytes, begin - 2 * stand_in_fence, sizeof bytes);
    for (std::size_t i = 0; i < stand_in_fence; ++i)
        if (begin[bytes + i] != 0xff || (begin - stand_in_fence)[i] != 0xff)
            stand_in::complain("something was written beside an array");
    return std::free(begin - 2 * stand_in_fence), cudaSuccess;
}
inline cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return cudaMalloc(p, bytes); }
inline cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
enum cudaMemcpyKind { cudaMemcpyDefault };
using cudaStream_t = void*;
using cudaEvent_t = void*;
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind, cudaStream_t) {
    return std::memmove(to, from, n), cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* p, int v, std::size_t n, cudaStream_t) {
    return std::memset(p, v, n), cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return *s = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) {
    static char one;
    return *e = &one, cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
template <class F> cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int bytes) {
    return bytes <= 163 << 10 ? cudaSuccess : cudaErrorMemoryAllocation;  // an A100's
}

// cuBLASLt: everything column-major
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_INVALID_VALUE };
inline const char* cublasLtGetStatusString(cublasStatus_t) { return "stand-in"; }
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32 };
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
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t d, const void* alpha, const void* a,
                                     cublasLtMatrixLayout_t la, const void* b, cublasLtMatrixLayout_t lb,
                                     const void* beta, const void* c, cublasLtMatrixLayout_t lc, void* out,
                                     cublasLtMatrixLayout_t lo, const cublasLtMatmulAlgo_t* algorithm, void*,
                                     std::size_t, cudaStream_t) {
    const bool ta = d->a == CUBLAS_OP_T, tb = d->b == CUBLAS_OP_T;
    const std::uint64_t k = ta ? la->rows : la->columns;
    if ((ta ? la->columns : la->rows) != lo->rows || (tb ? lb->rows : lb->columns) != lo->columns
        || (tb ? lb->columns : lb->rows) != k || algorithm->chosen != 1)
        stand_in::complain("the matrices of a product do not fit");
    const float one = *static_cast<const float*>(alpha), before = *static_cast<const float*>(beta);
    const StandInMatrix bias{lo->type, lo->rows, 1, std::int64_t(lo->rows)};
    std::vector<float> left(lo->rows * k), right(lo->columns * k);  // both with k innermost
    for (std::uint64_t x = 0; x < k; ++x) {
        for (std::uint64_t i = 0; i < lo->rows; ++i) left[i * k + x] = ta ? la->get(a, x, i) : la->get(a, i, x);
        for (std::uint64_t j = 0; j < lo->columns; ++j) right[j * k + x] = tb ? lb->get(b, j, x) : lb->get(b, x, j);
    }
    for (std::uint64_t j = 0; j < lo->columns; ++j)
        for (std::uint64_t i = 0; i < lo->rows; ++i) {
            float lanes[8] = {}, sum = 0;
            for (std::uint64_t x = 0; x < k; ++x) lanes[x % 8] += left[i * k + x] * right[j * k + x];
            for (const float lane : lanes) sum += lane;
            sum *= one;
            if (before != 0) sum += before * lc->get(c, i, j);
            if (d->epilogue == CUBLASLT_EPILOGUE_BIAS) sum += bias.get(d->bias, i, 0);
            lo->set(out, i, j, sum);
        }
    return CUBLAS_STATUS_SUCCESS;
}

// NCCL: a group of one
enum ncclResult_t { ncclSuccess, ncclInvalidArgument };
enum ncclDataType_t { ncclFloat64, ncclFloat32, ncclBfloat16, ncclUint8 };
enum ncclRedOp_t { ncclSum, ncclMax };
struct ncclUniqueId { char internal[128]; };
using ncclComm_t = void*;
inline std::size_t stand_in_size(ncclDataType_t t) {
    return t == ncclFloat64 ? 8 : t == ncclFloat32 ? 4 : t == ncclBfloat16 ? 2 : 1;
}
inline const char* ncclGetErrorString(ncclResult_t) { return "the stand-in has groups of one only"; }
inline ncclResult_t ncclGetUniqueId(ncclUniqueId* id) { return *id = {}, ncclSuccess; }
inline ncclResult_t ncclCommInitRank(ncclComm_t*, int size, ncclUniqueId, int) {
    return size == 1 ? ncclSuccess : ncclInvalidArgument;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t) { return ncclSuccess; }
inline ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t n, ncclDataType_t t, ncclRedOp_t, ncclComm_t,
                                  cudaStream_t) {
    return std::memmove(to, from, n * stand_in_size(t)), ncclSuccess;
}
inline ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t n, ncclDataType_t t, ncclRedOp_t,
                                      ncclComm_t, cudaStream_t) {
    return std::memmove(to, from, n * stand_in_size(t)), ncclSuccess;
}
inline ncclResult_t ncclAllGather(const void* from, void* to, std::size_t n, ncclDataType_t t, ncclComm_t,
                                  cudaStream_t) {
    return std::memmove(to, from, n * stand_in_size(t)), ncclSuccess;
}
inline ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t n, ncclDataType_t t, int, ncclComm_t,
                                  cudaStream_t) {
    return std::memmove(to, from, n * stand_in_size(t)), ncclSuccess;
}
inline ncclResult_t ncclSend(const void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
    return ncclInvalidArgument;
}
inline ncclResult_t ncclRecv(void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
    return ncclInvalidArgument;
}
