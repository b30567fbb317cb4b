#pragma once
// One source of energy on a node: which domains it counts, and how much each has
// used so far. What cannot be read says why, in words: that is a result too.
//
//   Expected<std::unique_ptr<Reader>, std::string> rapl = open_rapl(places);     // sources/sources.h
//   if (rapl) for (const Domain& d : (*rapl)->domains()) ...
//   const std::vector<Expected<Reading, std::string>> now = (*rapl)->read(clock.now_s());
//   // one a domain, in their order
//
// Readers are not thread-safe: the sampler takes turns.

#include "core/values/basics/expected.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::engine::power {

// What a counter counts. module: several devices whose energy cannot be told apart (two GCDs; CPU, GPU and memory of
// GH200).
enum class Scope : std::uint8_t { core, dram, package, gpu, module, node, job };
inline constexpr const char* scope_names[] = {"core", "dram", "package", "gpu", "module", "node", "job"};

struct Domain {
    std::string name;              // unique in its source: "package-0", "package-0/dram", "gpu3"
    Scope scope = Scope::node;
    std::string nested_in{};       // the domain of this source whose joules hold these too; empty: none
    std::optional<double> limit_W{};  // the board's or package's limit, where it is told
    bool with_host = false;        // a module that holds processor and memory too
    std::string doubt{};           // why its joules may not be this job's or node's alone, in words; empty: they are
    bool integrated = false;       // no counter: power summed over time, which misses what happens between two looks
};

struct Reading {
    double joules;                 // since the reader was opened; wraps are taken care of
    double stamp_s;                // when the counter had this value, on the clock that read() was given
};

using Readings = std::vector<Expected<Reading, std::string>>;

class Reader {
public:
    virtual ~Reader() = default;
    virtual const std::vector<Domain>& domains() const = 0;
    // All domains at `now_s` of a monotonic clock. An error says why this domain has no number now; one that was read
    // before and is an error once has lost its past: what was used meanwhile is not known.
    virtual Readings read(double now_s) = 0;
};
using Opened = Expected<std::unique_ptr<Reader>, std::string>;

// One domain, and how it is asked for its joules at `now_s`.
struct Meter {
    Domain domain;
    std::function<Expected<Reading, std::string>(double now_s)> read;
};
// Of meters that are asked one after the other.
std::unique_ptr<Reader> reader_of(std::vector<Meter>);

}  // namespace plimsoll::engine::power
