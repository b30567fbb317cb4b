#include "engine/cuda/backend.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <system_error>

namespace plimsoll::engine {
namespace {

int selected = -1;  // one process, one device

Backend refused(const std::string& why) { return {nullptr, "CUDA is not used: " + why}; }

std::string places(const std::vector<std::filesystem::path>& folders) {
    std::string text;
    for (const auto& folder : folders) text.append(text.empty() ? "" : " nor ").append(folder.string());
    return text;
}

// Kernels are loaded when the context is made. Loaded on first use they wait for the device to be idle, which it never
// is while NCCL's kernel waits for a peer that waits for this rank.
void load_kernels_eagerly() { ::setenv("CUDA_MODULE_LOADING", "EAGER", 0); }

Backend from(void* library) {
    const auto entry = reinterpret_cast<decltype(&plimsoll_backend_v1)>(dlsym(library, "plimsoll_backend_v1"));
    if (!entry)
        return refused(
            std::string(backend_file).append(" is not a back end of this engine (it has no plimsoll_backend_v1)"));
    const PlimsollBackend* table = entry();
    if (table->version != PLIMSOLL_ABI)
        return refused(std::string(backend_file) + " speaks version " + std::to_string(table->version)
                       + ", this engine version " + std::to_string(PLIMSOLL_ABI) + ": install both from one build");
    int count = 0;
    if (table->devices(&count) != plimsoll_ok) return refused(table->last_error());
    if (count == 0) return refused("the driver shows no device (is CUDA_VISIBLE_DEVICES empty?)");
    return {table, {}};
}

}  // namespace

std::vector<std::filesystem::path> backend_folders() {
    if (const char* chosen = std::getenv("PLIMSOLL_BACKEND_FOLDER")) return {chosen};
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed) return {};
    const auto folder = program.parent_path();
    return {folder, folder.parent_path() / PLIMSOLL_LIBRARY_FOLDER};
}

Backend open_backend(const std::vector<std::filesystem::path>& folders) {
    load_kernels_eagerly();
    for (const auto& folder : folders) {
        std::error_code ignored;
        const auto file = folder / backend_file;
        if (!std::filesystem::exists(file, ignored)) continue;
        void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        return library ? from(library)
                       : refused(std::string(dlerror()).append(
                           " (install that library, or add its folder to LD_LIBRARY_PATH)"));
    }
    return refused("there is no " + std::string(backend_file) + " in " + places(folders) + " (this build has no CUDA)");
}

Backend use_device(int local_rank) { return use_device(open_backend(), local_rank); }

Backend use_device(Backend opened, int local_rank) {
    if (!opened.table) return opened;
    const PlimsollBackend& b = *opened.table;
    int count = 0;
    PlimsollDevice about{};
    const auto failed = [&] {
        return refused(std::string("device ")
                           .append(std::to_string(local_rank % std::max(count, 1)))
                           .append(": ")
                           .append(b.last_error()));
    };
    if (b.devices(&count) != plimsoll_ok || count == 0) return failed();
    const int device = local_rank % count;
    if (b.describe(device, &about) != plimsoll_ok) return failed();
    if (about.compute_major < 8)
        return refused(std::string(about.name) + " has compute capability " + std::to_string(about.compute_major) + "."
                       + std::to_string(about.compute_minor) + "; bf16 needs 8.0 (A100) or newer");
    if (b.select(device) != plimsoll_ok) return failed();
    selected = device;
    return {opened.table, std::string(about.name) + ", bus " + about.bus_id};
}

PlimsollDevice device_in_use(const PlimsollBackend& b) {
    PlimsollDevice about{};
    check(b, b.describe(selected, &about));
    return about;
}

void check(const PlimsollBackend& b, int code) {
    if (code != plimsoll_ok) throw DeviceError(b.last_error());
}

}  // namespace plimsoll::engine
