#pragma once
// HIP on the stand-in device: a wave has 64 lanes, a shuffle goes among the lanes of a wave that are still there, and a
// ballot has 64 bits. What the back end's names.h calls in HIP's names is what the stand-in has in CUDA's.

#include "stand_in.h"

#include <type_traits>

// As the libraries have it, a name is looked up once: names.h defines cudaMalloc as hipMalloc, which ends here.
#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorNoDevice cudaErrorNoDevice
#define hipErrorInsufficientDriver cudaErrorInsufficientDriver
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipDeviceGetPCIBusId cudaDeviceGetPCIBusId
#define hipDriverGetVersion cudaDriverGetVersion
#define hipSetDevice cudaSetDevice
#define hipMemGetInfo cudaMemGetInfo
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipHostMalloc cudaMallocHost
#define hipHostFree cudaFreeHost
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpyDefault cudaMemcpyDefault
#define hipMemsetAsync cudaMemsetAsync
#define hipStream_t cudaStream_t
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamQuery cudaStreamQuery
#define hipStreamWaitEvent cudaStreamWaitEvent
#define hipEvent_t cudaEvent_t
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventDefault cudaEventDefault
#define hipEventDisableTiming cudaEventDisableTiming
#define hipEventRecord cudaEventRecord
#define hipEventQuery cudaEventQuery
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventDestroy cudaEventDestroy

struct hipDeviceProp_t : cudaDeviceProp {
    char gcnArchName[256] = "gfx90a:sramecc+:xnack-";
    int warpSize = 64;
};

inline unsigned long long __ballot(int v) { return stand_in::ballot(v != 0); }

// A lane asks within `width` lanes around its own; one that is not there leaves it what it had.
template <class T> T __shfl_xor(T v, int mask, int width = 64) {
    static_assert(sizeof(T) <= 8);
    const int self = stand_in::lane(), asked = self ^ mask;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    bits = stand_in::from_lane(bits, asked < ((self + width) & ~(width - 1)) ? asked : self);
    std::memcpy(&v, &bits, sizeof v);
    return v;
}
