#include "core/evidence/published/left_out.h"

#include "core/values/basics/text.h"

#include <cmath>
#include <map>

namespace plimsoll {

namespace {

// Of an error of either side: what rounding to three digits of a preset and to five of the file explains.
constexpr double same_error = 2e-3;

struct Means {
    double left_out = 0, shipped = 0;
    std::vector<double> sizes;   // of the errors as shipped
    int rows() const { return int(sizes.size()); }
};

HeadlineScore::Part part_of(const std::vector<LeftOutRow>& rows, bool memory, bool experts) {
    std::map<std::string, Means> sources;
    for (const LeftOutRow& r : rows) {
        if (r.memory != memory || (!memory && r.experts != experts)) continue;
        Means& m = sources[r.source];
        m.left_out += std::abs(r.left_out);
        m.shipped += std::abs(r.shipped);
        m.sizes.push_back(std::abs(r.shipped));
    }
    std::vector<double> left_out, shipped, typical;
    for (const auto& [source, m] : sources) {
        if (m.rows() < headline_rows) continue;
        left_out.push_back(m.left_out / m.rows());
        shipped.push_back(m.shipped / m.rows());
        typical.push_back(median(m.sizes));
    }
    HeadlineScore::Part part;
    part.sources = int(left_out.size());
    if (left_out.empty()) return part;
    part.left_out = median(std::move(left_out));
    part.shipped = median(std::move(shipped));
    part.typical = median(std::move(typical));
    return part;
}

using RowKey = std::pair<std::string, bool>;   // id, and whether its memory is meant

std::map<RowKey, const LeftOutRow*> by_id(const LeftOut& errors) {
    std::map<RowKey, const LeftOutRow*> all;
    for (const LeftOutRow& r : errors.rows) all[{r.id, r.memory}] = &r;
    return all;
}

const LeftOutRow* known(const std::map<RowKey, const LeftOutRow*>& all, const ScoredRow& row, bool memory) {
    const auto found = all.find({row.id, memory});
    return found == all.end() ? nullptr : found->second;
}

double moved(const LeftOutRow& known, const ScoredRow& row) { return std::abs(known.shipped - row.error); }

}  // namespace

HeadlineScore headline_score(const std::vector<LeftOutRow>& rows) {
    return {part_of(rows, false, false), part_of(rows, false, true), part_of(rows, true, false)};
}

std::vector<LeftOutRow> of_rows_in(const LeftOut& errors, const Score& score) {
    const auto all = by_id(errors);
    std::vector<LeftOutRow> rows;
    for (const bool memory : {false, true})
        for (const ScoredRow& row : memory ? score.memory_rows : score.rows)
            if (const LeftOutRow* r = row.excluded.empty() ? known(all, row, memory) : nullptr) rows.push_back(*r);
    return rows;
}

std::string say_sources(const HeadlineScore::Part& p) {
    return "median over " + counted(p.sources, "source", "sources") + " of at least " + std::to_string(headline_rows)
         + " rows";
}

std::string staleness(const LeftOut& errors, const Score& score) {
    const auto all = by_id(errors);
    int differing = 0, compared = 0;
    double most = 0;
    std::string worst;
    for (const bool memory : {false, true})
        for (const ScoredRow& row : memory ? score.memory_rows : score.rows) {
            const LeftOutRow* r = row.excluded.empty() ? known(all, row, memory) : nullptr;
            if (!r) continue;
            ++compared;
            const double by = moved(*r, row);
            differing += by > same_error;
            if (by <= most) continue;
            most = by;
            worst = row.id;
        }
    if (differing == 0) return {};
    return "the errors of sources left out were computed with other presets or formulas: "
         + counted(differing, "row is", "rows are") + " predicted otherwise now, of " + std::to_string(compared)
         + ", most of all " + worst + " by " + percent(most, 1);
}

JudgedErrors judged_errors(const Score& score, const LeftOut& errors) {
    const auto all = by_id(errors);
    JudgedErrors judged;
    for (const bool memory : {false, true})
        for (const ScoredRow& row : memory ? score.memory_rows : score.rows) {
            const LeftOutRow* r = known(all, row, memory);
            const bool same = r && moved(*r, row) <= same_error;
            (memory ? judged.memory : judged.time).push_back(same ? r->left_out : row.error);
        }
    return judged;
}

}  // namespace plimsoll
