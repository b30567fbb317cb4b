#pragma once
// Every name of the device toolkit that the back end uses, from one place.
//
// The sources are written in CUDA's names. A HIP build maps them onto HIP, hipBLASLt,
// rocBLAS and RCCL (ROCm 6.0 and newer), for AMD's GPUs whose waves have 64 lanes. The
// tests map either onto a stand-in that runs thread blocks on the CPU.

#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#define PLIMSOLL_HIP
#include <hip/hip_runtime.h>
#include <hipblaslt/hipblaslt.h>
#include <rccl/rccl.h>
#include <rocblas/rocblas.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Attention works by rows: attention_forward.cu and attention_backward.cu count on 32 lanes to a matrix product.
#define PLIMSOLL_NO_TILES

// Blocks count warps of 32 lanes: a wave of the hardware holds two of them, side by side. They leave loops at different
// times, so a lane may ask those of its own warp only. Lanes that have left a loop take no part and count as false.
#define __shfl_xor_sync(mask, v, lane, width) __shfl_xor(v, lane, width)
#define __ballot_sync(mask, v) unsigned(__ballot(v) >> (threadIdx.x & 32u))

// bf16 by its bits. hip_bf16.h changed its type between releases, and that of ROCm 6.0 cannot be included twice in one
// library: its functions are not inline.
namespace plimsoll::device {
struct Bf16 { std::uint16_t bits; };
__host__ __device__ inline float __bfloat162float(Bf16 v) {
    const std::uint32_t bits = std::uint32_t(v.bits) << 16;
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
}
__host__ __device__ inline Bf16 __float2bfloat16(float f) {  // to nearest, ties to even
    std::uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    if (f != f) return {std::uint16_t(0x7fff)};
    return {std::uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}
}  // namespace plimsoll::device
#define __nv_bfloat16 ::plimsoll::device::Bf16

// hipBLAS has a function for this, in a library of its own.
inline const char* text_of_hipblaslt(int status) {
    switch (status) {
    case HIPBLAS_STATUS_NOT_INITIALIZED: return "hipBLASLt is not initialised";
    case HIPBLAS_STATUS_ALLOC_FAILED: return "hipBLASLt found no memory";
    case HIPBLAS_STATUS_INVALID_VALUE: return "hipBLASLt refuses a value";
    case HIPBLAS_STATUS_ARCH_MISMATCH: return "hipBLASLt has no code for this GPU";
    case HIPBLAS_STATUS_NOT_SUPPORTED: return "hipBLASLt does not support this product";
    case HIPBLAS_STATUS_EXECUTION_FAILED: return "hipBLASLt failed on the GPU";
    default: return "hipBLASLt failed";
    }
}

#define cudaError_t hipError_t
#define cudaSuccess hipSuccess
#define cudaErrorNotReady hipErrorNotReady
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#define cudaErrorNoDevice hipErrorNoDevice
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaGetDeviceProperties hipGetDeviceProperties
#define cudaDeviceProp hipDeviceProp_t
#define cudaDeviceGetPCIBusId hipDeviceGetPCIBusId
#define cudaDriverGetVersion hipDriverGetVersion
#define cudaSetDevice hipSetDevice
#define cudaMemGetInfo hipMemGetInfo
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaMallocHost hipHostMalloc
#define cudaFreeHost hipHostFree
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpyDefault hipMemcpyDefault
#define cudaMemsetAsync hipMemsetAsync
#define cudaStream_t hipStream_t
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamNonBlocking hipStreamNonBlocking
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamQuery hipStreamQuery
#define cudaStreamWaitEvent hipStreamWaitEvent
#define cudaEvent_t hipEvent_t
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#define cudaEventDefault hipEventDefault
#define cudaEventDisableTiming hipEventDisableTiming
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaEventRecord hipEventRecord
#define cudaEventQuery hipEventQuery
#define cudaDataType_t hipDataType
#define CUDA_R_32F HIP_R_32F
#define CUDA_R_16BF HIP_R_16BF
#define cublasStatus_t hipblasStatus_t
#define CUBLAS_STATUS_SUCCESS HIPBLAS_STATUS_SUCCESS
#define cublasOperation_t hipblasOperation_t
#define CUBLAS_OP_N HIPBLAS_OP_N
#define CUBLAS_OP_T HIPBLAS_OP_T
#define CUBLAS_COMPUTE_32F HIPBLAS_COMPUTE_32F
#define cublasLtGetStatusString text_of_hipblaslt
#define cublasLtHandle_t hipblasLtHandle_t
#define cublasLtCreate hipblasLtCreate
#define cublasLtMatmul hipblasLtMatmul
#define cublasLtMatmulAlgo_t hipblasLtMatmulAlgo_t
#define cublasLtMatmulDesc_t hipblasLtMatmulDesc_t
#define cublasLtMatmulDescCreate hipblasLtMatmulDescCreate
#define cublasLtMatmulDescSetAttribute hipblasLtMatmulDescSetAttribute
#define CUBLASLT_MATMUL_DESC_TRANSA HIPBLASLT_MATMUL_DESC_TRANSA
#define CUBLASLT_MATMUL_DESC_TRANSB HIPBLASLT_MATMUL_DESC_TRANSB
#define CUBLASLT_MATMUL_DESC_EPILOGUE HIPBLASLT_MATMUL_DESC_EPILOGUE
#define CUBLASLT_MATMUL_DESC_BIAS_POINTER HIPBLASLT_MATMUL_DESC_BIAS_POINTER
#define cublasLtEpilogue_t hipblasLtEpilogue_t
#define CUBLASLT_EPILOGUE_DEFAULT HIPBLASLT_EPILOGUE_DEFAULT
#define CUBLASLT_EPILOGUE_BIAS HIPBLASLT_EPILOGUE_BIAS
#define cublasLtMatrixLayout_t hipblasLtMatrixLayout_t
#define cublasLtMatrixLayoutCreate hipblasLtMatrixLayoutCreate
#define cublasLtMatmulPreference_t hipblasLtMatmulPreference_t
#define cublasLtMatmulPreferenceCreate hipblasLtMatmulPreferenceCreate
#define cublasLtMatmulPreferenceDestroy hipblasLtMatmulPreferenceDestroy
#define cublasLtMatmulPreferenceSetAttribute hipblasLtMatmulPreferenceSetAttribute
#define CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
#define cublasLtMatmulHeuristicResult_t hipblasLtMatmulHeuristicResult_t
#define cublasLtMatmulAlgoGetHeuristic hipblasLtMatmulAlgoGetHeuristic
#elif defined(PLIMSOLL_STAND_IN)
#include "stand_in.h"
#else
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <nccl.h>

// What a warp does with tensor cores, and copies that go on beside it: instructions of PTX (ISA 8.0, sections 9.7.3.21,
// 9.7.8.24 and 9.7.14) that have no function of their own. Compute capability 8.0 and newer have them all.
namespace tensor {

// Four matrices of 8 x 8: lane l names row l % 8 of matrix l / 8, 16 bytes of shared memory, and receives of each
// matrix the two neighbours of row l / 4 that begin at column 2 (l % 4); transposed, of its transpose.
__device__ inline void load_matrices(unsigned (&m)[4], const __nv_bfloat16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(unsigned(__cvta_generic_to_shared(row))));
}
__device__ inline void load_transposed_matrices(unsigned (&m)[4], const __nv_bfloat16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(unsigned(__cvta_generic_to_shared(row))));
}
// c[16, 8] += a[16, 16] b[16, 8]. A lane has of c columns 2 (l % 4) and the next, of row l / 4 and then of row
// l / 4 + 8; of a the quarters of 8 x 8 down the columns, of b^T those along its rows, each as load_matrices has them.
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// Two neighbours as bf16, the first in the low half.
__device__ inline unsigned pack(float first, float second) {
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
}
// 2^x, within two units in the last place; below 2^-126 it is zero.
__device__ inline float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
// 16 bytes to shared memory, zeros where nothing is there; they have arrived once their group was waited for.
__device__ inline void copy_later(void* shared, const void* global, bool there) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 ::"r"(unsigned(__cvta_generic_to_shared(shared))), "l"(global), "r"(there ? 16 : 0) : "memory");
}
__device__ inline void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Until at most `open` of this thread's groups are still under way.
template <int open> __device__ void wait_for_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(open) : "memory");
}

}  // namespace tensor
#endif

// A kernel's launch and its dynamic shared memory: the two things that are language, not names.
#if !defined(PLIMSOLL_STAND_IN)
#define PLIMSOLL_SHARED(name) extern __shared__ __align__(128) unsigned char name[]
template <class... P, class... A>
void launch_kernel(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream,
                   A... arguments) {
    kernel<<<grid, block, shared, stream>>>(P(arguments)...);
}
#endif
