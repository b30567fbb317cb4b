#pragma once
// Finding the device back end and the device this rank uses, and the kernels of that
// device: kernels.h by way of the back end's table.
//
// backend_cuda.so (NVIDIA) and backend_hip.so (AMD) lie beside the program or in the
// installed library folder. The one that is asked for may be absent, want libraries that
// are not there, be of another version, or find no driver or device: each is an answer
// in words, and the engine goes on without.
//
//   const Backend b = use_device(local_rank);
//   if (!b.table) fall_back(b.message);                 // "CUDA is not used: ..."
//   check(*b.table, b.table->zero(p, bytes));           // throws DeviceError
//   CudaKernels<bf16, float> kernels(*b.table);

#include "engine/comm/comm.h"  // bf16
#include "engine/cuda/abi.h"
#include "engine/kernels/kernels.h"

#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace plimsoll::engine {

// A device failed while it was in use: there is no going on. what() says which call and why.
struct DeviceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Whose devices: a back end is for one maker's.
enum class Maker { nvidia, amd };

struct Toolkit {
    const char *name, *file;
    const char *visible;                           // the variable that hides devices from a program
    const char *load_at_once, *load_at_once_value; // the variable that makes it load kernels when it starts
};
const Toolkit& toolkit(Maker);

struct Backend {
    const PlimsollBackend* table = nullptr;  // null: not usable, `message` says why
    std::string message;                     // or which device is in use
    Maker maker = Maker::nvidia;
};

// Where the back end is looked for, in this order: $PLIMSOLL_BACKEND_FOLDER alone where it is set; else beside this
// program, ../lib/plimsoll.
std::vector<std::filesystem::path> backend_folders();

// Opens the library and looks at its version and at the driver; selects no device. It stays open: CUDA does not
// survive unloading.
Backend open_backend(const std::vector<std::filesystem::path>& folders = backend_folders(),
                     Maker maker = Maker::nvidia);

// Selects the device for the `local_rank`-th rank of this node; with more ranks than devices they share.
Backend use_device(int local_rank, Maker maker = Maker::nvidia);
Backend use_device(Backend opened, int local_rank);

// What is known of the device in use: name, bus id, memory.
PlimsollDevice device_in_use(const PlimsollBackend&);

void check(const PlimsollBackend&, int code);  // throws DeviceError unless the code says ok

// Destructors run because a device failed.
inline bool is_failing() { return std::uncaught_exceptions() > 0; }

// Real is bf16, or float so that layouts can be compared in fp32; Wide is float. A call that the device refuses throws
// DeviceError; memory that is not there is a null from allocate().
template <class Real, class Wide> class CudaKernels final : public Kernels<Real, Wide> {
    static_assert(std::is_same_v<Wide, float> && (std::is_same_v<Real, bf16> || std::is_same_v<Real, float>));

public:
    explicit CudaKernels(const PlimsollBackend& table) : table_(table) {}

    void* allocate(std::size_t bytes) override {
        void* memory = nullptr;
        const int code = table_.allocate(&memory, bytes);
        if (code == plimsoll_memory) return nullptr;
        check(table_, code);
        return memory;
    }
    // Runs in destructors: what fails here was reported by the call before. After a failure nothing is given back: the
    // device may wait for a peer that never comes, and the process is about to end.
    void release(void* memory) override {
        if (memory && !is_failing()) (void)table_.release(memory);
    }
    void* allocate_host(std::size_t bytes) override {
        void* memory = nullptr;
        const int code = table_.allocate_host(&memory, bytes);
        if (code == plimsoll_memory) return nullptr;
        check(table_, code);
        return memory;
    }
    void release_host(void* memory) override {
        if (memory && !is_failing()) (void)table_.release_host(memory);
    }
    void copy_in(void* device, const void* host, std::size_t bytes) override {
        check(table_, table_.copy_in(device, host, bytes));
    }
    void copy_out(void* host, const void* device, std::size_t bytes) override {
        check(table_, table_.copy_out(host, device, bytes));
    }
    void copy(void* to, const void* from, std::size_t bytes) override { check(table_, table_.copy(to, from, bytes)); }
    void zero(void* memory, std::size_t bytes) override { check(table_, table_.zero(memory, bytes)); }
    void synchronize() override { check(table_, table_.synchronize()); }
    bool reserve_scratch(std::size_t rows, int heads, int width, std::size_t elements) override {
        const int code = table_.reserve_scratch(rows, heads, width, elements);
        if (code != plimsoll_memory) check(table_, code);
        return code == plimsoll_ok;
    }
    bool has_marks() const override { return true; }
    void mark() override {
        check(table_, table_.mark());
        ++marks_;
    }
    std::vector<double> between_marks() override {
        std::vector<double> seconds(marks_);
        std::size_t count = 0;
        check(table_, table_.between_marks(seconds.data(), seconds.size(), &count));
        seconds.resize(count);
        marks_ = marks_ > 0 ? 1 : 0;
        return seconds;
    }

#define PLIMSOLL_CALL(name, parameters, arguments) \
    void name parameters override { checked(table_.name) arguments; }
    PLIMSOLL_OPERATIONS(PLIMSOLL_CALL)
#undef PLIMSOLL_CALL

private:
    // The table's entry as a function that puts the storage first and throws what it refuses.
    template <class Entry> auto checked(Entry entry) const {
        return [this, entry](auto... arguments) {
            constexpr int storage = std::is_same_v<Real, bf16> ? plimsoll_bf16 : plimsoll_f32;
            check(table_, entry(storage, arguments...));
        };
    }

    const PlimsollBackend& table_;
    std::size_t marks_ = 0;  // in the queue
};

}  // namespace plimsoll::engine
