#include "core/evidence/published/score.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace plimsoll {

namespace {

std::string without_version(std::string name) {
    std::erase_if(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return name;
}

// What a configuration is, the release of its framework left out.
std::string configuration(const PublishedRow& row, const FilledRun& run) {
    const Layout& l = run.scenario.layout;
    const Recipe& p = run.scenario.recipe;
    std::ostringstream key;
    key << row.source << ' ' << without_version(row.layout.framework) << ' ' << row.model.name << ' ' << row.machine.preset << ' ' << run.scenario.stack.id;
    for (int v : {l.devices, l.tensor_parallel, l.pipeline_parallel, l.context_parallel, l.data_parallel, l.virtual_stages, l.micro_batch, l.zero_stage,
                  l.shard_group, l.expert_parallel,
                  int(l.sequence_parallel), int(l.recompute), p.global_batch_sequences, p.sequence_length, int(p.precision)})
        key << ' ' << v;
    return key.str();
}

void keep_newest(const PublishedRows& published, const std::vector<std::string>& configurations, std::vector<ScoredRow>& rows) {
    std::map<std::string, std::string> newest;  // configuration -> release
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty())
            newest[configurations[i]] = std::max(newest[configurations[i]], published[i].layout.framework);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty() && published[i].layout.framework != newest[configurations[i]])
            rows[i].excluded = "superseded by the same configuration with '" + newest[configurations[i]] + "'";
}

ErrorSummary summary(const std::string& name, const std::vector<const ScoredRow*>& rows) {
    ErrorSummary s;
    s.name = name;
    std::vector<double> sizes;
    for (const ScoredRow* r : rows) {
        ++s.rows;
        if (s.family.find(r->family) == std::string::npos) s.family += (s.family.empty() ? "" : ", ") + r->family;
        if (!r->excluded.empty()) {
            ++s.excluded;
            continue;
        }
        sizes.push_back(std::abs(r->error));
        s.mean_absolute += std::abs(r->error);
        s.bias += r->error;
        if (s.worst_id.empty() || std::abs(r->error) > std::abs(s.worst)) {
            s.worst = r->error;
            s.worst_id = r->id;
        }
    }
    if (!sizes.empty()) {
        s.mean_absolute /= double(sizes.size());
        s.bias /= double(sizes.size());
    }
    s.median_absolute = median(sizes);
    return s;
}

using RowPointers = std::vector<const ScoredRow*>;

RowPointers pointers(const std::vector<ScoredRow>& rows) {
    RowPointers all;
    for (const ScoredRow& r : rows) all.push_back(&r);
    return all;
}

RowPointers of_kind(const std::vector<ScoredRow>& rows, const PublishedRows& published, bool experts) {
    RowPointers some;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (published[i].model.experts == experts) some.push_back(&rows[i]);
    return some;
}

std::vector<ErrorSummary> summaries(const RowPointers& rows, std::string ScoredRow::*by) {
    std::map<std::string, RowPointers> groups;
    for (const ScoredRow* r : rows) groups[r->*by].push_back(r);
    std::vector<ErrorSummary> all;
    for (const auto& [name, members] : groups) all.push_back(summary(name, members));
    return all;
}

std::optional<double> median_over(const std::vector<ErrorSummary>& sources) {
    std::vector<double> means;
    for (const ErrorSummary& s : sources)
        if (s.counted() > 0) means.push_back(s.mean_absolute);
    return means.empty() ? std::nullopt : std::optional(median(means));
}

}  // namespace

ErrorSummary summary_of(const std::string& name, const std::vector<ScoredRow>& rows) {
    return summary(name, pointers(rows));
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

Score score(const PublishedRows& rows, const RowPresets& presets, const Stack* instead) {
    Score result;
    std::vector<std::string> configurations;
    for (const PublishedRow& row : rows) {
        FilledRun run = filled_run(row, presets);
        if (instead) run.scenario.stack = *instead;
        RowScore r = score_row(row, run);
        configurations.push_back(r.time.excluded.empty() ? configuration(row, run) : "");
        result.rows.push_back(std::move(r.time));
        if (r.memory) result.memory_rows.push_back(std::move(*r.memory));
        for (ScoredRow& other : r.others) result.other_rows.push_back(std::move(other));
    }
    keep_newest(rows, configurations, result.rows);
    const auto dense = of_kind(result.rows, rows, false), experts = of_kind(result.rows, rows, true);
    result.sources = summaries(dense, &ScoredRow::source);
    result.families = summaries(dense, &ScoredRow::family);
    result.expert_sources = summaries(experts, &ScoredRow::source);
    result.memory_sources = summaries(pointers(result.memory_rows), &ScoredRow::source);
    result.dense = median_over(result.sources);
    result.experts = median_over(result.expert_sources);
    result.memory = median_over(result.memory_sources);
    return result;
}

}  // namespace plimsoll
