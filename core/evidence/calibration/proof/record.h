#pragma once
// What a calibration leaves behind: the record that goes into the machine's
// preset, and whether the measurements are good enough to be one.
//
//   const RecordContext context{.date = "2026-11-21", .software = "plimsoll-engine 0.5"};
//   const Calibration c = record_of(plan, calibrated, proof, measurements, context);
//   if (const auto why = refusal(c)) say(*why);       // shown, but not saved as a preset
//
// Nothing in it names a host, a user or a folder.

#include "core/evidence/calibration/fit/calibrate.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// What the measurements do not say themselves.
struct RecordContext {
    std::string date{};              // ISO 8601
    std::string software{};          // "plimsoll-engine 0.5, OpenBLAS 0.3.21, Open MPI 4.1.4"
    std::string prediction_hash{};   // of all that was measured before the runs held back
    std::string energy{};            // where joules come from; empty: said from the steps
};

// The hash of the base stays empty: core/files/presets/derived_machine.h writes it.
Calibration record_of(const ExperimentPlan&, const Calibrated&, const std::vector<ProofRow>&, const Measurements&,
                      const RecordContext&);

// Why this calibration is none: somebody else had the processor during more than half of the points,
// or more than a third of the runs that were held back were disturbed. Nothing where it is good.
std::optional<std::string> refusal(const Calibration&);

// "2 nodes of 8 NVIDIA H200 of 140 GiB beside AMD EPYC 9654, 96 cores, 1.5 TiB"; equal nodes are named once.
std::string describe(const std::vector<EngineHardware>&, const std::vector<EngineDevice>& = {});

// Without words that are paths, addresses, `user@host` or one of `names`.
std::string scrubbed(std::string_view text, const std::vector<std::string>& names = {});

}  // namespace plimsoll
