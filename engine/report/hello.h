#pragma once
// The first line of a log: which program this is and how it was started, so that
// a number can be made again. Without host names and folders: logs travel.
//
//   log.write("hello", hello({.arguments = {argv + 1, argv + argc}, .seed = o.train.seed, .ranks = n,
//                             .blas = "OpenBLAS 0.3.21, openmp", .blas_threads = 1, .mpi = library_version}));

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::engine {

struct HelloInputs {
    std::vector<std::string> arguments{};  // without the program's name
    std::uint64_t seed = 0;
    int ranks = 1;
    std::string vectors{};                 // of the loops: "AVX2", "SVE of 512 bits"
    std::string blas{};                    // library and version; empty: none
    int blas_threads = 1;                  // per rank
    std::string mpi{};                     // MPI_Get_library_version
    const char* const* environment = nullptr;  // "NAME=value", ends with null; null: this process's own
};
nlohmann::ordered_json hello(const HelloInputs&);

// "--out=/scratch/me/run.jsonl" -> "--out=run.jsonl": of every piece between = : , ; @ and blanks what follows its
// last slash.
std::string without_folders(std::string_view text);

}  // namespace plimsoll::engine
