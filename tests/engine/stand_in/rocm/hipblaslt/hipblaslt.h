#pragma once
// hipBLASLt on the stand-in device: cuBLASLt's, without what hipBLASLt has no kernel for on MI250X.

#include <hip/hip_runtime.h>

#define hipDataType cudaDataType_t
#define HIP_R_32F CUDA_R_32F
#define HIP_R_16BF CUDA_R_16BF
#define hipblasStatus_t cublasStatus_t
#define HIPBLAS_STATUS_SUCCESS CUBLAS_STATUS_SUCCESS
#define HIPBLAS_STATUS_INVALID_VALUE CUBLAS_STATUS_INVALID_VALUE
enum {
    HIPBLAS_STATUS_NOT_INITIALIZED = 101,
    HIPBLAS_STATUS_ALLOC_FAILED,
    HIPBLAS_STATUS_EXECUTION_FAILED,
    HIPBLAS_STATUS_NOT_SUPPORTED,
    HIPBLAS_STATUS_ARCH_MISMATCH
};
#define hipblasOperation_t cublasOperation_t
#define HIPBLAS_OP_N CUBLAS_OP_N
#define HIPBLAS_OP_T CUBLAS_OP_T
#define hipblasComputeType_t cublasComputeType_t
#define HIPBLAS_COMPUTE_32F CUBLAS_COMPUTE_32F
#define hipblasLtHandle_t cublasLtHandle_t
#define hipblasLtCreate cublasLtCreate
#define hipblasLtMatmul cublasLtMatmul
#define hipblasLtMatmulAlgo_t cublasLtMatmulAlgo_t
#define hipblasLtMatmulDesc_t cublasLtMatmulDesc_t
#define hipblasLtMatmulDescCreate cublasLtMatmulDescCreate
#define hipblasLtMatmulDescSetAttribute cublasLtMatmulDescSetAttribute
#define HIPBLASLT_MATMUL_DESC_TRANSA CUBLASLT_MATMUL_DESC_TRANSA
#define HIPBLASLT_MATMUL_DESC_TRANSB CUBLASLT_MATMUL_DESC_TRANSB
#define HIPBLASLT_MATMUL_DESC_EPILOGUE CUBLASLT_MATMUL_DESC_EPILOGUE
#define HIPBLASLT_MATMUL_DESC_BIAS_POINTER CUBLASLT_MATMUL_DESC_BIAS_POINTER
#define hipblasLtEpilogue_t cublasLtEpilogue_t
#define HIPBLASLT_EPILOGUE_DEFAULT CUBLASLT_EPILOGUE_DEFAULT
#define HIPBLASLT_EPILOGUE_BIAS CUBLASLT_EPILOGUE_BIAS
#define hipblasLtMatrixLayout_t cublasLtMatrixLayout_t
#define hipblasLtMatrixLayoutCreate cublasLtMatrixLayoutCreate
#define hipblasLtMatmulPreference_t cublasLtMatmulPreference_t
#define hipblasLtMatmulPreferenceCreate cublasLtMatmulPreferenceCreate
#define hipblasLtMatmulPreferenceDestroy cublasLtMatmulPreferenceDestroy
#define hipblasLtMatmulPreferenceSetAttribute cublasLtMatmulPreferenceSetAttribute
#define HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
#define hipblasLtMatmulHeuristicResult_t cublasLtMatmulHeuristicResult_t

inline cublasStatus_t hipblasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t d,
                                                      cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                      cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out,
                                                      cublasLtMatmulPreference_t p, int wanted,
                                                      cublasLtMatmulHeuristicResult_t* r, int* found) {
    *found = 0;
    if (a->type == CUDA_R_16BF && out->type == CUDA_R_32F) return CUBLAS_STATUS_SUCCESS;
    return cublasLtMatmulAlgoGetHeuristic(h, d, a, b, c, out, p, wanted, r, found);
}
