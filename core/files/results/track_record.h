#pragma once
// How the predictions of this build did on every published run that ships with it.
//
//   const TrackRecord record = track_record(library);    // reads and prices them: 0.1 s
//   record.time.median_absolute;                         // what the badge says
//   band_of(scenario, record.evidence);                  // what that makes of a plan
//
// Pure apart from reading the files, so a thread may compute it.

#include "core/evidence/published/anchor.h"
#include "core/evidence/published/band.h"
#include "core/files/presets/library.h"

#include <filesystem>

namespace plimsoll {

// Where rows look up the presets they name.
inline RowPresets row_presets(const Library& l) { return {l.machines, l.stacks, l.models}; }

struct TrackRecord {
    PublishedRows published;     // published[i] became score.rows[i]
    Score score;
    ErrorSummary time, memory;   // over all rows that count
    ErrorSummary dense, experts; // of the time, by kind of model
    LeftOut left_out;            // errors of the same rows as the other sources predict them; empty: none ship
    HeadlineScore headline;      // of those; none of a part without them
    std::string stale;           // why they do not belong to this score; empty: they do
    Evidence evidence;
    Problems problems;           // of files that could not be read; the rest is usable
};

TrackRecord track_record(const Library&);

// The file of left-out errors that ships; empty, with its problems noted, where there is none.
LeftOut shipped_left_out(const Library&, Problems&);

// The runs of one file (published_runs.h), priced.
struct RunFile {
    PublishedRows published;     // published[i] became rows[i]
    std::vector<ScoredRow> rows, memory_rows, other_rows;
};
Expected<RunFile, Problems> read_run_file(const std::filesystem::path&, const Library&);

}  // namespace plimsoll
