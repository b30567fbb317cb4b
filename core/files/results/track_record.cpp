#include "core/files/results/track_record.h"

#include "core/evidence/published/anchor_score.h"
#include "core/files/results/left_out_json.h"
#include "core/files/results/published_runs.h"
#include "core/files/text/disk.h"

namespace plimsoll {

namespace {

Expected<PublishedRows, Problems> read_rows(const std::string& id, const std::filesystem::path& path) {
    const auto text = read_text(path);
    return text ? read_published_rows(*text, id) : Expected<PublishedRows, Problems>(Unexpected{text.error()});
}

std::vector<ScoredRow> rows_of_kind(const TrackRecord& r, bool experts) {
    std::vector<ScoredRow> rows;
    for (std::size_t i = 0; i < r.published.size(); ++i)
        if (r.published[i].model.experts == experts) rows.push_back(r.score.rows[i]);
    return rows;
}

}  // namespace

LeftOut shipped_left_out(const Library& library, Problems& problems) {
    if (library.left_out.empty()) return {};
    const auto text = read_text(library.left_out);
    auto errors = text ? read_left_out(*text, library.left_out.string())
                       : Expected<LeftOut, Problems>(Unexpected{text.error()});
    if (errors) return *std::move(errors);
    problems.insert(problems.end(), errors.error().begin(), errors.error().end());
    return {};
}

TrackRecord track_record(const Library& library) {
    TrackRecord r;
    for (const auto& [id, path] : library.published_runs) {
        auto file = read_rows(id, path);
        if (file) std::move(file->begin(), file->end(), std::back_inserter(r.published));
        else r.problems.insert(r.problems.end(), file.error().begin(), file.error().end());
    }
    r.score = score(r.published, row_presets(library));
    r.time = summary_of("all", r.score.rows);
    r.memory = summary_of("all", r.score.memory_rows);
    r.dense = summary_of("dense", rows_of_kind(r, false));
    r.experts = summary_of("mixture of experts", rows_of_kind(r, true));
    r.left_out = shipped_left_out(library, r.problems);
    r.headline = headline_score(r.left_out.rows);
    r.stale = staleness(r.left_out, r.score);
    r.evidence = evidence_of(r.score, r.left_out);
    r.evidence.anchored = anchored_trials(r.score, r.left_out);
    return r;
}

Expected<RunFile, Problems> read_run_file(const std::filesystem::path& path, const Library& library) {
    auto rows = read_rows(path.stem().string(), path);
    if (!rows) return Unexpected{rows.error()};
    Score scored = score(*rows, row_presets(library));
    return RunFile{std::move(*rows), std::move(scored.rows), std::move(scored.memory_rows),
                   std::move(scored.other_rows)};
}

}  // namespace plimsoll
