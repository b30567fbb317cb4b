#pragma once
// Unsaved changes of a plan as a file, for the start after one that did not end in order.
//
//   {"schema": "plimsoll/unsaved", "version": 1, "file": "/where/the/plan/was/opened.json",
//    "file_fingerprint": "sha256:...", "plan_fingerprint": "sha256:...", "id": "5d0c...", "plan": {a scenario file}}
//
// What is damaged is refused: a plan with one digit changed would look like any other.

#include "core/files/text/problem.h"

#include <string>
#include <string_view>

namespace plimsoll {

struct UnsavedPlan {
    std::string plan;         // as write_scenario() wrote it
    std::string file;         // where it was opened or saved; empty: nowhere yet
    std::string fingerprint;  // of that file's bytes as they were then; empty: there was none
    std::string id = {};      // of the plan among those that were open; empty: it is not known
    friend bool operator==(const UnsavedPlan&, const UnsavedPlan&) = default;
};

std::string write_unsaved(const UnsavedPlan&);
Expected<UnsavedPlan, Problems> read_unsaved(std::string_view json, const std::string& file = {});

}  // namespace plimsoll
