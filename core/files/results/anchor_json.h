#pragma once
// Measured runs of one's own as files: what --anchor takes, and what the window keeps.
//
//   {"schema": "plimsoll/anchors", "version": 1,
//    "anchors": [{"name": "64 nodes, June", "plan": {a scenario file}, "step_seconds": 12.4, "memory_GiB": 61.0}]}
//
// Step time or memory may be left out. "memory_kind" says what the memory is: "reserved" by the allocator, "allocated"
// to tensors or "used" of the device; "step_scatter" how far the steps lie apart, as a share. A table of measured runs
// (published_runs.h) is read as well, one anchor a row that counts.

#include "core/evidence/published/anchor.h"
#include "core/files/presets/library.h"

#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll {

// A run as it was measured; its error follows from whatever the program predicts today.
struct MeasuredRun {
    std::string name;
    Scenario plan;
    std::optional<Seconds> step;
    std::optional<Bytes> memory;
    MemoryKind memory_kind = MemoryKind::reserved;
    double scatter = 0;                  // of its step times, as a share of their middle; 0: not known
    friend bool operator==(const MeasuredRun&, const MeasuredRun&) = default;
};
Expected<Anchor, std::string> anchor_of(const MeasuredRun&);

std::string write_measured_runs(const std::vector<MeasuredRun>&, const Library&);
Expected<std::vector<MeasuredRun>, Problems> read_measured_runs(std::string_view json, const Library&,
                                                                const std::string& file = {});

// Of either kind of file.
Expected<std::vector<Anchor>, Problems> read_anchors(const std::filesystem::path&, const Library&);

}  // namespace plimsoll
