#pragma once
// The shipped presets and published rows, read once per test program.

#include "core/evidence/published/score.h"
#include "core/files/presets/library.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/published_runs.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"

#include <QtTest>

namespace plimsoll {

inline const Library& library() {
    static const Library l = load_library(std::vector<std::filesystem::path>{PLIMSOLL_PRESETS_DIR});
    return l;
}

inline Scenario shipped_plan(const std::string& id) {
    const auto& path = library().scenarios.at(id);
    return read_scenario(*read_text(path), library(), path.string())->scenario;
}

inline const PublishedRows& shipped_rows() {
    static const PublishedRows rows = [] {
        PublishedRows all;
        for (const auto& [id, path] : library().published_runs) {
            const auto file = read_published_rows(*read_text(path), id);
            if (!file) qFatal("%s", say(file.error()).c_str());
            all.insert(all.end(), file->begin(), file->end());
        }
        return all;
    }();
    return rows;
}

inline const Score& shipped_score() {
    static const Score s = score(shipped_rows(), row_presets(library()));
    return s;
}

// Errors of the same rows without their source.
inline const LeftOut& shipped_errors() {
    static const LeftOut errors = [] {
        Problems problems;
        LeftOut read = shipped_left_out(library(), problems);
        if (!problems.empty()) qFatal("%s", say(problems).c_str());
        return read;
    }();
    return errors;
}

}  // namespace plimsoll
