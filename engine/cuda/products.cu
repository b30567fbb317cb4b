// Matrix products by cuBLASLt, with the choice of algorithm kept per shape. On AMD by
// hipBLASLt, and by rocBLAS what that has no kernel for: sums of bf16 products in fp32,
// which are the weight gradients, on MI250X.
//
// Our matrices are row-major; read as column-major they are their transposes, so
// y = x w^T is computed as y^T = w x^T with the operands swapped. Sums are fp32.
// fp32 products stay fp32: no TF32. One workspace of fixed size
// on one stream keeps results repeatable.
#include "device.cuh"
#include "rows.cuh"

#include <array>
#include <map>
#include <type_traits>

namespace plimsoll::device {

static int checked(cublasStatus_t s, const char* call) {
    return s == CUBLAS_STATUS_SUCCESS ? int(plimsoll_ok) : fail(plimsoll_library, call, cublasLtGetStatusString(s));
}
#if defined(PLIMSOLL_HIP)
static int checked(rocblas_status s, const char* call) {
    return s == rocblas_status_success ? int(plimsoll_ok) : fail(plimsoll_library, call, rocblas_status_to_string(s));
}
#endif

namespace {

constexpr std::size_t workspace_B = 32u << 20;
cublasLtHandle_t handle = nullptr;
void* workspace = nullptr;

// d[m, n] = op(a) op(b) + beta d, all column-major without gaps; op(a) is [m, k], op(b) is [k, n].
struct Product {
    cublasOperation_t op_a, op_b;
    int m, n, k;
    const void *a, *b;
    void* d;
    cudaDataType_t in, out;
    float beta;
    const void* bias;  // [m], or null
};

// Everything that cuBLASLt needs for one kind of product; `possible` is false where it has no algorithm.
struct Plan {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr;
    cublasLtMatmulAlgo_t algorithm{};
    bool possible = false;
};

int alignment(const void* p) {  // of null: any
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return address == 0 ? 256 : int(std::min<std::uintptr_t>(address & -address, 256));
}

template <class T, class Attribute> int set(cublasLtMatmulDesc_t d, Attribute attribute, const T& value) {
    PLIMSOLL_TRY(cublasLtMatmulDescSetAttribute(d, attribute, &value, sizeof value));
    return plimsoll_ok;
}

int describe_operation(Plan& plan, const Product& p) {
    PLIMSOLL_TRY(cublasLtMatmulDescCreate(&plan.operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    PLIMSOLL_PASS(set(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, p.op_a));
    PLIMSOLL_PASS(set(plan.operation, CUBLASLT_MATMUL_DESC_TRANSB, p.op_b));
    const cublasLtEpilogue_t epilogue = p.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
    PLIMSOLL_PASS(set(plan.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue));
    if (p.bias) PLIMSOLL_PASS(set(plan.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias));
    const bool ta = p.op_a == CUBLAS_OP_T, tb = p.op_b == CUBLAS_OP_T;
    PLIMSOLL_TRY(cublasLtMatrixLayoutCreate(&plan.a, p.in, ta ? p.k : p.m, ta ? p.m : p.k, ta ? p.k : p.m));
    PLIMSOLL_TRY(cublasLtMatrixLayoutCreate(&plan.b, p.in, tb ? p.n : p.k, tb ? p.k : p.n, tb ? p.n : p.k));
    PLIMSOLL_TRY(cublasLtMatrixLayoutCreate(&plan.d, p.out, p.m, p.n, p.m));
    return plimsoll_ok;
}

int choose_algorithm(Plan& plan, [[maybe_unused]] const std::array<int, 3>& alignments) {
    cublasLtMatmulPreference_t preference;
    PLIMSOLL_TRY(cublasLtMatmulPreferenceCreate(&preference));
    const auto ask = [&](auto attribute, auto value) {
        return cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value);
    };
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    cublasStatus_t status = ask(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_B);
#if !defined(PLIMSOLL_HIP)  // hipBLASLt asks for no alignment
    if (status == CUBLAS_STATUS_SUCCESS)
        status = ask(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, std::uint32_t(alignments[0]));
    if (status == CUBLAS_STATUS_SUCCESS)
        status = ask(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, std::uint32_t(alignments[1]));
    if (status == CUBLAS_STATUS_SUCCESS)
        status = ask(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, std::uint32_t(alignments[2]));
    if (status == CUBLAS_STATUS_SUCCESS)
        status = ask(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, std::uint32_t(alignments[2]));
#endif
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmulAlgoGetHeuristic(handle, plan.operation, plan.a, plan.b, plan.d, plan.d, preference, 1,
                                                &found, &count);
    (void)cublasLtMatmulPreferenceDestroy(preference);
    plan.possible = status == CUBLAS_STATUS_SUCCESS && count > 0;
    plan.algorithm = found.algo;
    return plimsoll_ok;
}

// The plan for a product like this one, made on first use.
int plan_for(Plan*& plan, const Product& p) {
    static std::map<std::array<long long, 13>, Plan> plans;
    const std::array<int, 3> alignments{alignment(p.a), alignment(p.b), alignment(p.d)};
    const auto [at, fresh] =
        plans.try_emplace({p.op_a, p.op_b, p.m, p.n, p.k, p.in, p.out, p.beta != 0, p.bias != nullptr,
                           alignments[0], alignments[1], alignments[2], alignment(p.bias)});
    plan = &at->second;
    if (!fresh) return plimsoll_ok;
    PLIMSOLL_PASS(describe_operation(*plan, p));
    return choose_algorithm(*plan, alignments);
}

// `done` is false, and nothing computed, where cuBLASLt cannot do it as asked.
int multiply(const Product& p, bool& done) {
    Plan* plan = nullptr;
    PLIMSOLL_PASS(plan_for(plan, p));
    done = plan->possible;
    if (!done) return plimsoll_ok;
    if (p.bias) PLIMSOLL_PASS(set(plan->operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias));
    const float one = 1;
    PLIMSOLL_TRY(cublasLtMatmul(handle, plan->operation, &one, p.a, plan->a, p.b, plan->b, &p.beta, p.d, plan->d, p.d,
                                 plan->d, &plan->algorithm, workspace, workspace_B, state().stream));
    return plimsoll_ok;
}

#if defined(PLIMSOLL_HIP)
rocblas_handle classic = nullptr;

int prepare_otherwise() {
    PLIMSOLL_TRY(rocblas_create_handle(&classic));
    PLIMSOLL_TRY(rocblas_set_stream(classic, state().stream));
    PLIMSOLL_TRY(rocblas_set_atomics_mode(classic, rocblas_atomics_not_allowed));  // the same bits every time
    return plimsoll_ok;
}

// Without a bias.
int multiply_otherwise(const Product& p) {
    const auto type = [](cudaDataType_t t) {
        return t == CUDA_R_16BF ? rocblas_datatype_bf16_r : rocblas_datatype_f32_r;
    };
    const bool ta = p.op_a == CUBLAS_OP_T, tb = p.op_b == CUBLAS_OP_T;
    const float one = 1;
    PLIMSOLL_TRY(rocblas_gemm_ex(classic, ta ? rocblas_operation_transpose : rocblas_operation_none,
                                  tb ? rocblas_operation_transpose : rocblas_operation_none, p.m, p.n, p.k, &one, p.a,
                                  type(p.in), ta ? p.k : p.m, p.b, type(p.in), tb ? p.n : p.k, &p.beta, p.d,
                                  type(p.out), p.m, p.d, type(p.out), p.m, rocblas_datatype_f32_r,
                                  rocblas_gemm_algo_standard, 0, 0));
    return plimsoll_ok;
}
#else
int prepare_otherwise() { return plimsoll_ok; }
int multiply_otherwise(const Product&) {
    return fail(plimsoll_library, "cublasLtMatmul", "no algorithm for this shape");
}
#endif

int multiply(const Product& p) {
    if (p.m == 0 || p.n == 0) return plimsoll_ok;
    bool done = false;
    PLIMSOLL_PASS(multiply(p, done));
    return done ? int(plimsoll_ok) : multiply_otherwise(p);
}

template <class Real> __global__ void add_bias(Real* y, const Real* bias, std::size_t count, int n) {
    const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at < count) y[at] = to_real<Real>(to_float(y[at]) + to_float(bias[at % n]));
}

template <class Real> constexpr cudaDataType_t type_in = std::is_same_v<Real, bf16> ? CUDA_R_16BF : CUDA_R_32F;

}  // namespace

int prepare_products() {
    PLIMSOLL_TRY(cublasLtCreate(&handle));
    PLIMSOLL_TRY(cudaMalloc(&workspace, workspace_B));
    return prepare_otherwise();
}

// y^T[n, m] = w[n, k] x^T[k, m]; as column-major, w is [k, n] and x^T is [k, m].
template <class Real> int linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k) {
    Product p{CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, w, x, y, type_in<Real>, type_in<Real>, 0.0f, bias};
    if (!bias || m == 0 || n == 0) return multiply(p);
    bool done = false;
    PLIMSOLL_PASS(multiply(p, done));
    if (done) return plimsoll_ok;
    p.bias = nullptr;
    PLIMSOLL_PASS(multiply(p));
    const std::size_t count = std::size_t(m) * n;
    return launch(add_bias<Real>, dim3(blocks_for(count, 256)), dim3(256), 0, y, bias, count, n);
}

// dx^T[k, m] = w^T[k, n] dy^T[n, m], both as they lie.
template <class Real> int linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k) {
    return multiply({CUBLAS_OP_N, CUBLAS_OP_N, k, m, n, w, dy, dx, type_in<Real>, type_in<Real>, 0.0f, nullptr});
}

// dw^T[k, n] += x^T[k, m] dy[m, n]; x^T as it lies, dy is [n, m].
template <class Real> int linear_weight_gradient(float* dw, const Real* dy, const Real* x, int m, int n, int k) {
    return multiply({CUBLAS_OP_N, CUBLAS_OP_T, k, n, m, x, dy, dw, type_in<Real>, CUDA_R_32F, 1.0f, nullptr});
}

PLIMSOLL_INSTANTIATE(linear)
PLIMSOLL_INSTANTIATE(linear_input_gradient)
PLIMSOLL_INSTANTIATE(linear_weight_gradient)

}  // namespace plimsoll::device
