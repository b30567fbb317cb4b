#pragma once
// Finding the device back end and the device this rank uses.
//
// backend_cuda.so lies beside the program or in the installed library folder. It
// may be absent, want libraries that are not there, be of another version, or find
// no driver or device: each is an answer in words, and the engine goes on without.
//
//   const Backend b = use_device(local_rank);
//   if (!b.table) fall_back(b.message);                 // "CUDA is not used: ..."
//   check(*b.table, b.table->zero(p, bytes));           // throws DeviceError

#include "engine/cuda/abi.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace plimsoll::engine {

// A device failed while it was in use: there is no going on. what() says which call and why.
struct DeviceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Backend {
    const PlimsollBackend* table = nullptr;  // null: not usable, `message` says why
    std::string message;                     // or which device is in use
};

inline constexpr const char* backend_file = "backend_cuda.so";

// Where the back end is looked for, in this order: $PLIMSOLL_BACKEND_FOLDER alone where it is set; else beside this program,
// ../lib/plimsoll.
std::vector<std::filesystem::path> backend_folders();

// Opens the library and looks at its version and at the driver; selects no device. It stays open: CUDA does not survive unloading.
Backend open_backend(const std::vector<std::filesystem::path>& folders = backend_folders());

// Selects the device for the `local_rank`-th rank of this node; with more ranks than devices they share.
Backend use_device(int local_rank);
Backend use_device(Backend opened, int local_rank);

// What is known of the device in use: name, bus id, clocks, memory.
PlimsollDevice device_in_use(const PlimsollBackend&);

void check(const PlimsollBackend&, int code);  // throws DeviceError unless the code says ok

}  // namespace plimsoll::engine
