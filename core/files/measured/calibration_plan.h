#pragma once
// A calibration's plan as a file: what plimsoll-engine follows where only it is
// installed, and what a result is read against later.
//
//   {"schema": "plimsoll/calibration-plan", "version": 1, "ranks": 2, "model_note": "...",
//    "machine": {...}, "stack": {...}, "model": {...}, "subject": {scenario},
//    "runs": [{"id": "dp2", "label": "...", "role": "fit", "ranks": 2, "expected_s": 3.1, "words": ["--dp", "2", ...],
//              "steps": 10, "plan": {scenario}}, ...],
//    "constants": [{"pointer": "/levels/0/latency_us", "label": "...", "experiment": "collective-tensor",
//                   "why": "..."}]}
//
//   plimsoll-engine --calibrate plan.json;   const auto plan = read_calibration_plan(text, "plan.json");
//
// Machine, stack and every plan are complete, as in scenario files: nothing outside the file is needed.

#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/text/problem.h"

#include <string>
#include <string_view>

namespace plimsoll {

std::string write_calibration_plan(const ExperimentPlan&);
// Errors: what any reader finds wrong; a run without id or words, two runs of one id, a layout to predict without plan.
Expected<ExperimentPlan, Problems> read_calibration_plan(std::string_view json, const std::string& file = {});

// "measure", "fit", "held_out", "extra".
std::string_view name_of(Role);

}  // namespace plimsoll
