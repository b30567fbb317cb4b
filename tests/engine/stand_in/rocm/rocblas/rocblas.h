#pragma once
// rocBLAS on the stand-in device: one product, by what the stand-in has for cuBLASLt.

#include <hipblaslt/hipblaslt.h>

enum rocblas_operation { rocblas_operation_none, rocblas_operation_transpose };
enum rocblas_datatype { rocblas_datatype_f32_r, rocblas_datatype_bf16_r };
enum rocblas_status { rocblas_status_success, rocblas_status_not_implemented };
enum rocblas_gemm_algo { rocblas_gemm_algo_standard };
enum rocblas_atomics_mode { rocblas_atomics_not_allowed, rocblas_atomics_allowed };
struct StandInRocblas {
    cudaStream_t stream = nullptr;
    rocblas_atomics_mode atomics = rocblas_atomics_allowed;
};
using rocblas_handle = StandInRocblas*;

inline const char* rocblas_status_to_string(rocblas_status) { return "the stand-in does not do that"; }
inline rocblas_status rocblas_create_handle(rocblas_handle* handle) {
    return *handle = new StandInRocblas, rocblas_status_success;
}
inline rocblas_status rocblas_set_stream(rocblas_handle handle, cudaStream_t stream) {
    return handle->stream = stream, rocblas_status_success;
}
inline rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode) {
    return handle->atomics = mode, rocblas_status_success;
}
inline rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation op_a, rocblas_operation op_b, int m,
                                      int n, int k, const void* alpha, const void* a, rocblas_datatype a_type, int lda,
                                      const void* b, rocblas_datatype b_type, int ldb, const void* beta, const void* c,
                                      rocblas_datatype c_type, int ldc, void* d, rocblas_datatype d_type, int ldd,
                                      rocblas_datatype compute, rocblas_gemm_algo, std::int32_t, std::uint32_t) {
    if (compute != rocblas_datatype_f32_r || handle->atomics == rocblas_atomics_allowed)
        return rocblas_status_not_implemented;
    const auto layout = [](rocblas_datatype type, bool turned, int rows, int columns, int ld) {
        return StandInMatrix{type == rocblas_datatype_bf16_r ? CUDA_R_16BF : CUDA_R_32F,
                             std::uint64_t(turned ? columns : rows), std::uint64_t(turned ? rows : columns), ld};
    };
    const bool ta = op_a == rocblas_operation_transpose, tb = op_b == rocblas_operation_transpose;
    StandInProduct product{ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT,
                           nullptr};
    StandInMatrix la = layout(a_type, ta, m, k, lda), lb = layout(b_type, tb, k, n, ldb),
                  lc = layout(c_type, false, m, n, ldc), ld = layout(d_type, false, m, n, ldd);
    const cublasLtMatmulAlgo_t algorithm{1};
    (void)cublasLtMatmul(nullptr, &product, alpha, a, &la, b, &lb, beta, c, &lc, d, &ld, &algorithm, nullptr, 0,
                         handle->stream);
    return rocblas_status_success;
}
