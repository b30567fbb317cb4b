#pragma once
// rocBLAS as far as the back end calls it (hipblaslt/hipblaslt.h beside this one).

#include <cstdint>
#include <hip/hip_runtime.h>

typedef struct _rocblas_handle* rocblas_handle;
typedef int32_t rocblas_int;
typedef enum { rocblas_operation_none = 111, rocblas_operation_transpose = 112 } rocblas_operation;
typedef enum { rocblas_datatype_f32_r = 151, rocblas_datatype_bf16_r = 168 } rocblas_datatype;
typedef enum { rocblas_status_success = 0 } rocblas_status;
typedef enum { rocblas_gemm_algo_standard = 0 } rocblas_gemm_algo;
typedef enum { rocblas_atomics_not_allowed = 0, rocblas_atomics_allowed = 1 } rocblas_atomics_mode;

extern "C" {
rocblas_status rocblas_create_handle(rocblas_handle* handle);
rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream);
rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode);
const char* rocblas_status_to_string(rocblas_status status);
rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation op_a, rocblas_operation op_b, rocblas_int m,
                               rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type,
                               rocblas_int lda, const void* b, rocblas_datatype b_type, rocblas_int ldb,
                               const void* beta, const void* c, rocblas_datatype c_type, rocblas_int ldc, void* d,
                               rocblas_datatype d_type, rocblas_int ldd, rocblas_datatype compute,
                               rocblas_gemm_algo algorithm, int32_t solution, uint32_t flags);
}
