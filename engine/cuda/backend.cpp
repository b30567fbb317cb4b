#include "engine/cuda/backend.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <system_error>

namespace plimsoll::engine {
namespace {

int selected = -1;  // one process, one device

Backend refused(Maker maker, const std::string& why) {
    return {nullptr, std::string(toolkit(maker).name).append(" is not used: ").append(why), maker};
}

std::string places(const std::vector<std::filesystem::path>& folders) {
    std::string text;
    for (const auto& folder : folders) text.append(text.empty() ? "" : " nor ").append(folder.string());
    return text;
}

// Kernels are loaded when the context is made. Loaded on first use they wait for the device to be idle, which it never
// is while NCCL's kernel waits for a peer that waits for this rank.
void load_kernels_eagerly(const Toolkit& t) { ::setenv(t.load_at_once, t.load_at_once_value, 0); }

Backend from(void* library, Maker maker) {
    const Toolkit& t = toolkit(maker);
    const auto entry = reinterpret_cast<decltype(&plimsoll_backend_v1)>(dlsym(library, "plimsoll_backend_v1"));
    if (!entry)
        return refused(maker,
                       std::string(t.file).append(" is not a back end of this engine (it has no plimsoll_backend_v1)"));
    const PlimsollBackend* table = entry();
    if (table->version != PLIMSOLL_ABI)
        return refused(maker, std::string(t.file) + " speaks version " + std::to_string(table->version)
                                  + ", this engine version " + std::to_string(PLIMSOLL_ABI)
                                  + ": install both from one build");
    int count = 0;
    if (table->devices(&count) != plimsoll_ok) return refused(maker, table->last_error());
    if (count == 0)
        return refused(maker, std::string("the driver shows no device (is ").append(t.visible).append(" empty?)"));
    return {table, {}, maker};
}

}  // namespace

const Toolkit& toolkit(Maker maker) {
    static constexpr Toolkit all[] = {
        {"CUDA", "backend_cuda.so", "CUDA_VISIBLE_DEVICES", "CUDA_MODULE_LOADING", "EAGER"},
        {"ROCm", "backend_hip.so", "ROCR_VISIBLE_DEVICES", "HIP_ENABLE_DEFERRED_LOADING", "0"},
    };
    return all[int(maker)];
}

std::vector<std::filesystem::path> backend_folders() {
    if (const char* chosen = std::getenv("PLIMSOLL_BACKEND_FOLDER")) return {chosen};
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed) return {};
    const auto folder = program.parent_path();
    return {folder, folder.parent_path() / PLIMSOLL_LIBRARY_FOLDER};
}

Backend open_backend(const std::vector<std::filesystem::path>& folders, Maker maker) {
    const Toolkit& t = toolkit(maker);
    load_kernels_eagerly(t);
    for (const auto& folder : folders) {
        std::error_code ignored;
        const auto file = folder / t.file;
        if (!std::filesystem::exists(file, ignored)) continue;
        void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        return library ? from(library, maker)
                       : refused(maker, std::string(dlerror()).append(
                                            " (install that library, or add its folder to LD_LIBRARY_PATH)"));
    }
    return refused(maker, std::string("there is no ") + t.file + " in " + places(folders) + " (this build has no "
                              + t.name + ")");
}

Backend use_device(int local_rank, Maker maker) {
    return use_device(open_backend(backend_folders(), maker), local_rank);
}

Backend use_device(Backend opened, int local_rank) {
    if (!opened.table) return opened;
    const PlimsollBackend& b = *opened.table;
    int count = 0;
    PlimsollDevice about{};
    const auto failed = [&] {
        return refused(opened.maker, std::string("device ")
                                         .append(std::to_string(local_rank % std::max(count, 1)))
                                         .append(": ")
                                         .append(b.last_error()));
    };
    if (b.devices(&count) != plimsoll_ok || count == 0) return failed();
    const int device = local_rank % count;
    if (b.describe(device, &about) != plimsoll_ok) return failed();
    if (opened.maker == Maker::nvidia && about.compute_major < 8)
        return refused(opened.maker, std::string(about.name) + " has compute capability "
                                         + std::to_string(about.compute_major) + "."
                                         + std::to_string(about.compute_minor) + "; bf16 needs 8.0 (A100) or newer");
    if (b.select(device) != plimsoll_ok) return failed();
    selected = device;
    return {opened.table, std::string(about.name) + ", bus " + about.bus_id, opened.maker};
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
