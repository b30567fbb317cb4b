#include "engine/report/hardware.h"

#include "core/evidence/calibration/fit/measurements.h"
#include "engine/report/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <unistd.h>

#ifndef PLIMSOLL_GIT
#define PLIMSOLL_GIT ""
#endif
#ifndef PLIMSOLL_BUILD_FLAGS
#define PLIMSOLL_BUILD_FLAGS ""
#endif

namespace plimsoll::engine {

using Json = nlohmann::ordered_json;

namespace {

// What changes speed or results. Launchers' own variables hold addresses and user names: not listed, not told.
constexpr std::string_view told[] = {
    "OMP_",          "OPENBLAS_NUM_THREADS", "GOMP_",         "KMP_",         "MALLOC_",         "OMPI_MCA_btl",
    "OMPI_MCA_pml",  "OMPI_MCA_coll",        "OMPI_MCA_mpi_", "MPICH_",       "NCCL_",           "CUDA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_", "HIP_VISIBLE_",         "SLURM_NNODES",  "SLURM_NTASKS", "SLURM_CPUS_PER_", "SLURM_CPU_BIND_TYPE",
    "RCCL_",         "HIP_ENABLE_",          "HSA_",          "FI_CXI_",      "FI_MR_CACHE_",
    "PBS_NNODES",    "FLUX_JOB_NNODES",      "PLE_MPI_",
    "XOS_MMM_L_",    "OMPI_MCA_plm_ple_",
};
constexpr std::string_view not_told[] = {"NCCL_COMM_ID", "NCCL_HOSTID"};

bool is_told(std::string_view name) {
    const auto begins = [name](std::string_view prefix) { return name.starts_with(prefix); };
    return std::any_of(std::begin(told), std::end(told), begins)
        && std::none_of(std::begin(not_told), std::end(not_told), begins);
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Json environment_of(const char* const* variables) {
    Json environment = Json::object();
    const std::string host = host_name();
    for (; variables && *variables; ++variables) {
        const std::string_view variable = *variables;
        const std::size_t equals = variable.find('=');
        if (equals == variable.npos || !is_told(variable.substr(0, equals))) continue;
        const std::string_view value = variable.substr(equals + 1);
        if (host.size() > 2 && value.find(host) != value.npos) continue;
        environment[std::string(variable.substr(0, equals))] = without_folders(value);
    }
    return environment;
}

std::string now_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

Json known(std::string text) { return text.empty() ? Json(nullptr) : Json(std::move(text)); }

}  // namespace

std::string without_folders(std::string_view text) {
    std::string kept;
    std::size_t piece = 0;  // where in `kept` the piece begins
    for (const char c : text) {
        kept += c;
        if (c == '/') kept.resize(piece);
        if (std::string_view("=:,;@ \t").find(c) != std::string_view::npos) piece = kept.size();
    }
    return kept;
}

Json hello(const HelloInputs& inputs) {
    Json arguments = Json::array();
    for (const std::string& argument : inputs.arguments) arguments.push_back(without_folders(argument));
    return {
        {"schema", engine_schema},
        {"engine", PLIMSOLL_VERSION},
        {"git", known(PLIMSOLL_GIT)},
        {"compiler", "GCC-compatible " __VERSION__},
        {"build_flags", without_folders(PLIMSOLL_BUILD_FLAGS)},
        {"started", now_utc()},
        {"arguments", arguments},
        {"ranks", inputs.ranks},
        {"seed", inputs.seed},
        {"vectors", known(inputs.vectors)},
        {"blas", known(inputs.blas)},
        {"blas_threads", inputs.blas_threads},
        {"mpi", known(inputs.mpi.substr(0, inputs.mpi.find('\n')))},
        {"environment", environment_of(inputs.environment ? inputs.environment : environ)},
    };
}

}  // namespace plimsoll::engine
