#include "app/commands/validate_report.h"

#include "app/commands/tables.h"
#include "core/evidence/published/score.h"
#include "core/files/results/answers_json.h"

#include <cmath>
#include <cstdio>

namespace plimsoll {

namespace {

using Table = std::vector<std::vector<std::string>>;

// ---- text -------------------------------------------------------------------

// Runs near the limit are slower than any formula here: the allocator retries.
std::string fill_level(const ScoredRow& r) {
    return r.memory_share > 1 ? "over" : r.memory_share > 0.9 ? "nearly full" : "fits";
}

void print_rows(std::ostream& out, const std::vector<ScoredRow>& rows) {
    std::vector<std::string> told;  // what was assumed is said once, then only when it changes
    Table lines;
    const auto flush = [&] {
        if (lines.size() > 1) out << table(lines);
        lines = {{"run", "quantity", "published", "predicted", "error", "memory", ""}};
    };
    flush();
    for (const ScoredRow& r : rows) {
        if (!r.quantity.empty() && r.filled != told) {
            flush();
            told = r.filled;
            for (const std::string& sentence : told) out << "  assumed: " << sentence << "\n";
        }
        if (r.quantity.empty()) lines.push_back({r.id, "not scored: " + r.excluded});
        else lines.push_back({r.id, r.quantity, fixed(r.published, 3), fixed(r.predicted, 3), signed_percent(r.error), fill_level(r), r.excluded});
    }
    flush();
    out << "\n";
}

void print_summaries(std::ostream& out, const char* what, const std::vector<ErrorSummary>& all) {
    Table rows{{what, "devices", "rows", "not scored", "mean abs.", "median", "bias", "worst"}};
    for (const ErrorSummary& s : all) {
        std::vector<std::string> row{s.name, s.family, std::to_string(s.rows), std::to_string(s.excluded)};
        if (s.counted() > 0)
            for (const std::string& cell : {fixed(100 * s.mean_absolute, 2) + " %", fixed(100 * s.median_absolute, 2) + " %",
                                            signed_percent(s.bias), signed_percent(s.worst) + " " + s.worst_id})
                row.push_back(cell);
        rows.push_back(row);
    }
    out << table(rows) << "\n";
}

std::string share(const std::optional<double>& value) { return value ? fixed(100 * *value, 2) + " %" : "none"; }

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.8g", value);
    return std::isfinite(value) ? text : "null";
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : "null"; }

}  // namespace

void print_text(std::ostream& out, const Score& s) {
    if (s.rows.empty()) return;
    print_rows(out, s.rows);
    print_summaries(out, "source", s.sources);
    print_summaries(out, "device family", s.families);
    if (!s.expert_sources.empty()) print_summaries(out, "mixture of experts, source", s.expert_sources);
    if (!s.memory_rows.empty()) {
        print_rows(out, s.memory_rows);
        print_summaries(out, "memory, source", s.memory_sources);
    }
    if (!s.other_rows.empty()) {
        out << "shown, not scored\n";
        print_rows(out, s.other_rows);
    }
    out << "median over sources of the mean absolute error: step time " << share(s.dense) << ", memory " << share(s.memory)
        << ", mixtures of experts " << share(s.experts) << "\n";
}

void print_json(std::ostream& out, const Score& s) { out << to_json(s); }

void print_csv(std::ostream& out, const Score& s) {
    out << csv_header() << to_csv(s.rows) << to_csv(s.memory_rows) << to_csv(s.other_rows);
}

}  // namespace plimsoll
