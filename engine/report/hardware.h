#pragma once
// What a node is, as Linux tells it under /proc and /sys. One `hw` line a node:
// every node's first rank makes it, the caller brings them to rank 0.
//
//   nlohmann::ordered_json node = hardware();         // hardware(tree) in tests
//   node["node"] = index;  log.write("hw", node);
//
// What the system does not tell is null. The host's name is told as a hash only.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::engine {

// Keys and units: PROTOCOL.md, `hw`.
nlohmann::ordered_json hardware(const std::filesystem::path& root = "/");

// Memory that could be had now on this node, in bytes; `otherwise` where Linux does not tell.
double available_memory_B(double otherwise);

// Hardware threads that this process may use, as Linux lists them: "0-3,8". Empty where it does not tell.
std::string allowed_threads(const std::filesystem::path& root = "/");

// CPU time of the calling thread so far. The thread that drives a rank has a share in all its loops and is alone in
// collectives: where its CPU time falls behind the wall's, somebody else had the processor, however many threads the
// rank has.
double thread_cpu_seconds();
// Pages of this process that lie in memory, shared ones included, in bytes; 0 where Linux does not tell.
double resident_memory_B();

// The first line of a log: which program this is and how it was started, so that
// a number can be made again. Without host names and folders: logs travel.
//
//   log.write("hello", hello({.arguments = {argv + 1, argv + argc}, .seed = o.train.seed, .ranks = n,
//                             .blas = "OpenBLAS 0.3.21, openmp", .blas_threads = 1, .mpi = library_version}));
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
