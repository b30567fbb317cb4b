#pragma once
// What a node is, as Linux tells it under /proc and /sys. One `hw` line a node:
// every node's first rank makes it, the caller brings them to rank 0.
//
//   nlohmann::ordered_json node = hardware();         // hardware(tree) in tests
//   node["node"] = index; node["gpus"] = gpus;  log.write("hw", node);
//
// What the system does not tell is null. The host's name is told as a hash only.

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

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

}  // namespace plimsoll::engine
