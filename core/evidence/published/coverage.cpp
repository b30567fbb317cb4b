#include "core/evidence/published/coverage.h"

#include "core/values/basics/phrase.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace plimsoll {

namespace {

bool lies_within(double error, double band) { return std::abs(std::log1p(error)) <= std::log1p(band) + 1e-12; }

// A rate falls as the time grows.
RowRange range_of_row(const ScoredRow& r, double error, double band, double wide) {
    RowRange range;
    if (!r.excluded.empty() || !(band > 0)) return range;
    const bool rate = (r.predicted - r.published) * r.error < 0;
    const double middle = rate ? r.published / (1 + error) : r.published * (1 + error);
    const LikelyRange<double> two_thirds = range_around(middle, band), nine_tenths = range_around(middle, wide);
    return {two_thirds.low,   two_thirds.high,          nine_tenths.low,          nine_tenths.high, error, true,
            lies_within(error, band), lies_within(error, wide)};
}

struct CoveredRow {
    const RowRange* range;
    double band;
};

CoverageSummary covered_share(const std::string& name, bool memory, const std::vector<CoveredRow>& rows) {
    CoverageSummary sum{name, memory, int(rows.size())};
    std::vector<double> bands;
    for (const CoveredRow& r : rows) {
        sum.two_thirds += r.range->covered / double(rows.size());
        sum.nine_tenths += r.range->wide_covered / double(rows.size());
        bands.push_back(r.band);
    }
    sum.band = median(std::move(bands));
    return sum;
}

// Every source counts alike, so that a large table is one of many.
CoverageSummary sources_alike(bool memory, const std::vector<CoverageSummary>& sources) {
    CoverageSummary sum{"all sources alike", memory};
    std::vector<double> bands;
    for (const CoverageSummary& s : sources) {
        sum.rows += s.rows;
        sum.two_thirds += s.two_thirds / double(sources.size());
        sum.nine_tenths += s.nine_tenths / double(sources.size());
        bands.push_back(s.band);
    }
    sum.band = median(std::move(bands));
    return sum;
}

void summarise(const std::vector<ScoredRow>& rows, const std::vector<RowRange>& ranges,
               const std::vector<double>& bands, bool memory, std::vector<CoverageSummary>& all) {
    std::map<std::string, std::vector<CoveredRow>> sources;
    std::vector<CoveredRow> every;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!ranges[i].counts) continue;
        sources[rows[i].source].push_back({&ranges[i], bands[i]});
        every.push_back({&ranges[i], bands[i]});
    }
    if (every.empty()) return;
    std::vector<CoverageSummary> sums;
    for (const auto& [source, members] : sources) sums.push_back(covered_share(source, memory, members));
    all.insert(all.end(), sums.begin(), sums.end());
    all.push_back(covered_share("all rows", memory, every));
    all.push_back(sources_alike(memory, sums));
}

// Rows of a source after each other: the bands of one are judged by the same others.
std::vector<std::size_t> by_source_order(const std::vector<ScoredRow>& rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a].source < rows[b].source; });
    return order;
}

std::vector<RowRange> ranges_of(const std::vector<ScoredRow>& rows, const std::vector<double>& errors, bool memory,
                                UnseenBands& bands, std::vector<double>& widths) {
    std::vector<RowRange> ranges(rows.size());
    widths.resize(rows.size());
    for (const std::size_t i : by_source_order(rows)) {
        if (!rows[i].excluded.empty()) continue;
        const Band b = bands.of(rows[i].plan, erring_with(rows[i]));
        widths[i] = memory ? b.memory : b.time;
        ranges[i] = range_of_row(rows[i], errors[i], widths[i], memory ? b.memory_wide : b.time_wide);
        ranges[i].knowledge = b.knowledge;
    }
    return ranges;
}

void add_known(const std::vector<ScoredRow>& rows, const std::vector<RowRange>& ranges,
               const std::vector<double>& bands, bool experts, const std::optional<Knowledge>& knowledge,
               std::vector<KnowledgeSummary>& all) {
    std::map<std::string, std::vector<CoveredRow>> sources;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (ranges[i].counts && has_experts(rows[i].plan.model) == experts
            && (!knowledge || ranges[i].knowledge == *knowledge))
            sources[rows[i].source].push_back({&ranges[i], bands[i]});
    if (sources.empty()) return;
    std::vector<double> errors;
    std::vector<CoverageSummary> sums;
    for (const auto& [source, members] : sources) {
        double error = 0;
        for (const CoveredRow& r : members) error += std::abs(r.range->error) / double(members.size());
        errors.push_back(error);
        sums.push_back(covered_share(source, false, members));
    }
    const CoverageSummary sum = sources_alike(false, sums);
    all.push_back({experts, knowledge, int(sources.size()), sum.rows, median(std::move(errors)), sum.band,
                   sum.two_thirds, sum.nine_tenths});
}

}  // namespace

Coverage coverage_of(const Score& score, const LeftOut& left_out) {
    const Evidence all = evidence_of(score, left_out);
    const JudgedErrors errors = judged_errors(score, left_out);
    UnseenBands bands(all);
    Coverage c;
    std::vector<double> widths;
    c.time = ranges_of(score.rows, errors.time, false, bands, widths);
    summarise(score.rows, c.time, widths, false, c.sources);
    for (const bool experts : {false, true})
        for (const std::optional<Knowledge> known :
             {std::optional(Knowledge::pair), std::optional(Knowledge::parts), std::optional(Knowledge::nothing),
              std::optional<Knowledge>()})
            add_known(score.rows, c.time, widths, experts, known, c.known);
    c.memory = ranges_of(score.memory_rows, errors.memory, true, bands, widths);
    summarise(score.memory_rows, c.memory, widths, true, c.sources);
    return c;
}

std::string say_known(const KnowledgeSummary& k) {
    if (!k.knowledge) return phrase("all of them");
    switch (*k.knowledge) {
        case Knowledge::pair: return phrase("stack and device measured together");
        case Knowledge::parts: return phrase("both measured, never together");
        case Knowledge::nothing: break;
    }
    return phrase("stack or device never measured");
}

}  // namespace plimsoll
