// The device in use: finding it, its memory, its stream, its errors; and the one symbol
// of the library, a table of every function, in which each operation chooses its storage type.
#include "device.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace plimsoll::device {

namespace {
char error_text[512] = "no error";
}

State& state() {
    static State s;
    return s;
}

const char* last_error() { return error_text; }

int fail(int code, const char* what, const char* detail) {
    std::snprintf(error_text, sizeof error_text, "%s: %s", what, detail);
    return code;
}

int checked(cudaError_t e, const char* call) {
    if (e == cudaSuccess) return plimsoll_ok;
    const int code = e == cudaErrorMemoryAllocation ? plimsoll_memory
                     : e == cudaErrorNoDevice || e == cudaErrorInsufficientDriver ? plimsoll_absent : plimsoll_device;
    fail(code, call, cudaGetErrorString(e));
    (void)cudaGetLastError();  // a failed allocation is no reason to fail the next launch
    return code;
}

// A stream is asked, not waited for, while NCCL may have something to say.
int wait_for(cudaStream_t stream) {
    if (!has_communicators()) {
        PLIMSOLL_TRY(cudaStreamSynchronize(stream));
        return plimsoll_ok;
    }
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds every{1};
    auto asked = Clock::now();
    cudaError_t status;
    while ((status = cudaStreamQuery(stream)) == cudaErrorNotReady) {
        (void)cudaGetLastError();  // "not ready" stays as the last error otherwise, and fails the next launch
        if (Clock::now() - asked < every) continue;
        PLIMSOLL_PASS(check_communicators());
        std::this_thread::yield();
        asked = Clock::now();
    }
    PLIMSOLL_TRY(status);
    return plimsoll_ok;
}

void* scratch(std::size_t bytes) {
    State& s = state();
    if (bytes <= s.scratch_B) return s.scratch;
    if (wait_for(s.stream) != plimsoll_ok) return nullptr;
    if (s.scratch) (void)cudaFree(s.scratch);
    s.scratch = nullptr;
    s.scratch_B = 0;
    if (checked(cudaMalloc(&s.scratch, bytes), "scratch memory") != plimsoll_ok) return nullptr;
    s.scratch_B = bytes;
    return s.scratch;
}

int devices(int* count) {
    *count = 0;
    int driver = 0;
    PLIMSOLL_TRY(cudaDriverGetVersion(&driver));
    if (driver == 0) return fail(plimsoll_absent, "devices", "no driver is installed");
    PLIMSOLL_TRY(cudaGetDeviceCount(count));
    return plimsoll_ok;
}

namespace {

#if defined(PLIMSOLL_HIP)
#if !defined(PLIMSOLL_HIP_ARCHITECTURES)
#error "PLIMSOLL_HIP_ARCHITECTURES must name what this library is compiled for, as in \"gfx90a gfx942\""
#endif

// "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string architecture(const cudaDeviceProp& p) {
    const std::string name = p.gcnArchName;
    return name.substr(0, name.find(':'));
}

// AMD's code runs on the architecture that it was compiled for and on no other.
int check_device(const cudaDeviceProp& p) {
    const std::string has = std::string(" ") + PLIMSOLL_HIP_ARCHITECTURES + " ", own = architecture(p);
    std::string why;
    if (p.warpSize != 64) why = own + " has waves of " + std::to_string(p.warpSize) + " lanes; the kernels count on 64";
    else if (has.find(" " + own + " ") == std::string::npos)
        why = "this backend_hip.so has code for" + has + "and none for " + own + ": build it with "
            + "-DPLIMSOLL_HIP_ARCHITECTURES=" + own;
    return why.empty() ? int(plimsoll_ok) : fail(plimsoll_absent, "select", why.c_str());
}

std::string name_of(const cudaDeviceProp& p) { return std::string(p.name) + " (" + architecture(p) + ")"; }
#else
int check_device(const cudaDeviceProp&) { return plimsoll_ok; }
std::string name_of(const cudaDeviceProp& p) { return p.name; }
#endif

}  // namespace

int describe(int device, PlimsollDevice* about) {
    std::memset(about, 0, sizeof *about);
    cudaDeviceProp properties;
    PLIMSOLL_TRY(cudaGetDeviceProperties(&properties, device));
    std::snprintf(about->name, sizeof about->name, "%.127s", name_of(properties).c_str());
    PLIMSOLL_TRY(cudaDeviceGetPCIBusId(about->bus_id, int(sizeof about->bus_id), device));
    about->compute_major = properties.major;
    about->compute_minor = properties.minor;
    about->memory_B = properties.totalGlobalMem;
    about->l2_B = std::size_t(properties.l2CacheSize);
    if (state().index == device) {  // asking makes a context, so only of the device in use
        std::size_t total = 0;
        PLIMSOLL_TRY(cudaMemGetInfo(&about->free_B, &total));
    }
    return plimsoll_ok;
}

int select(int device) {
    State& s = state();
    if (s.index == device) return plimsoll_ok;
    if (s.index >= 0) return fail(plimsoll_argument, "select", "this process already uses another device");
    cudaDeviceProp properties;
    PLIMSOLL_TRY(cudaGetDeviceProperties(&properties, device));
    PLIMSOLL_PASS(check_device(properties));
    PLIMSOLL_TRY(cudaSetDevice(device));
    PLIMSOLL_TRY(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
    PLIMSOLL_PASS(prepare_products());
    s.index = device;
    return plimsoll_ok;
}

int reserve_scratch(std::size_t rows, int heads, int width, std::size_t elements) {
    const std::size_t most = std::max({scratch_of_attention(rows, heads), scratch_of_columns(most_slabs, width),
                                       scratch_of_losses(rows), scratch_of_squares(elements)});
    return scratch(most) ? int(plimsoll_ok) : int(plimsoll_memory);
}

int allocate(void** memory, std::size_t bytes) {
    *memory = nullptr;
    PLIMSOLL_TRY(cudaMalloc(memory, bytes));
    return plimsoll_ok;
}

int release(void* memory) {
    PLIMSOLL_PASS(synchronize());
    PLIMSOLL_TRY(cudaFree(memory));
    return plimsoll_ok;
}

int allocate_host(void** memory, std::size_t bytes) {
    *memory = nullptr;
    PLIMSOLL_TRY(cudaMallocHost(memory, bytes));
    return plimsoll_ok;
}

int release_host(void* memory) {
    PLIMSOLL_TRY(cudaFreeHost(memory));
    return plimsoll_ok;
}

int copy(void* to, const void* from, std::size_t bytes) {
    PLIMSOLL_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, state().stream));
    return plimsoll_ok;
}

int synchronize() { return wait_for(state().stream); }

int take_event(cudaEvent_t& event, std::vector<cudaEvent_t>& spare, unsigned flags) {
    if (spare.empty()) {
        PLIMSOLL_TRY(cudaEventCreateWithFlags(&event, flags));
    } else {
        event = spare.back();
        spare.pop_back();
    }
    return plimsoll_ok;
}

namespace {
std::vector<cudaEvent_t> marks, spare_marks;  // those in the queue, in order; those to be used again
}

int mark() {
    cudaEvent_t event = nullptr;
    PLIMSOLL_PASS(take_event(event, spare_marks, cudaEventDefault));
    PLIMSOLL_TRY(cudaEventRecord(event, state().stream));
    marks.push_back(event);
    return plimsoll_ok;
}

int between_marks(double* seconds, std::size_t room, std::size_t* count) {
    *count = 0;
    if (marks.empty()) return plimsoll_ok;
    PLIMSOLL_PASS(synchronize());
    for (; *count + 1 < marks.size() && *count < room; ++*count) {
        float ms = 0;
        PLIMSOLL_TRY(cudaEventElapsedTime(&ms, marks[*count], marks[*count + 1]));
        seconds[*count] = 1e-3 * double(ms);
    }
    spare_marks.insert(spare_marks.end(), marks.begin(), marks.end() - 1);
    marks.erase(marks.begin(), marks.end() - 1);
    return plimsoll_ok;
}

// The caller may use its memory at once: in and out wait, copies on the device do not.
int copy_in(void* device, const void* host, std::size_t bytes) {
    PLIMSOLL_PASS(copy(device, host, bytes));
    return synchronize();
}

int copy_out(void* host, const void* device, std::size_t bytes) {
    PLIMSOLL_PASS(copy(host, device, bytes));
    return synchronize();
}

int zero(void* memory, std::size_t bytes) {
    PLIMSOLL_TRY(cudaMemsetAsync(memory, 0, bytes, state().stream));
    return plimsoll_ok;
}

namespace {

template <class T> struct Stored {
    using Real = T;
};

// Calls `operation` with the type that `storage` names; no exception leaves the library.
template <class Operation> int with_storage(int storage, Operation operation) {
    if (state().index < 0) return fail(plimsoll_argument, "operation", "no device was selected");
    try {
        if (storage == plimsoll_bf16) return operation(Stored<bf16>{});
        if (storage == plimsoll_f32) return operation(Stored<float>{});
    } catch (...) {
        return fail(plimsoll_memory, "operation", "the host is out of memory");
    }
    return fail(plimsoll_argument, "operation", "unknown storage type");
}

// Void pointers of the table become pointers to Real, as constant as they were; everything else passes as it is.
template <class Real, class T> auto typed(T argument) {
    if constexpr (std::is_same_v<T, void*>) return static_cast<Real*>(argument);
    else if constexpr (std::is_same_v<T, const void*>) return static_cast<const Real*>(argument);
    else return argument;
}

#define PLIMSOLL_FUNCTION(name, parameters) name,
#define PLIMSOLL_ENTRY(name, parameters, arguments)                                 \
    [](int storage, auto... a) -> int {                                             \
        return with_storage(storage, [&](auto stored) {                             \
            using Real = typename decltype(stored)::Real;                           \
            return ::plimsoll::device::name<Real>(typed<Real>(a)...);               \
        });                                                                         \
    },

// In the order of PlimsollBackend.
const PlimsollBackend table = {
    PLIMSOLL_ABI,
    last_error,
    PLIMSOLL_BACKEND_FUNCTIONS(PLIMSOLL_FUNCTION)
    PLIMSOLL_OPERATIONS(PLIMSOLL_ENTRY)
};

}  // namespace

}  // namespace plimsoll::device

extern "C" __attribute__((visibility("default"))) const PlimsollBackend* plimsoll_backend_v1() {
    return &plimsoll::device::table;
}
