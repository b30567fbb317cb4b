#include "app/commands/evidence_parts.h"

#include "app/commands/tables.h"
#include "core/values/basics/text.h"

#include <map>
#include <numeric>

namespace plimsoll {

void print_headline_score(std::ostream& out, const Score& s, const LeftOut& left_out) {
    const HeadlineScore h = headline_score(of_rows_in(left_out, s));
    const auto part = [&](const char* what, const HeadlineScore::Part& p, const std::optional<double>& in_sample) {
        if (!p.left_out && !in_sample) return;
        out << "  " << what << ": ";
        if (p.left_out)
            out << percent(*p.left_out, 2) << ", " << say_sources(p) << "; with their rows in the fit "
                << percent(*p.shipped, 2) << ", half of a source's rows within " << percent(*p.typical, 2) << "; ";
        out << (in_sample ? percent(*in_sample, 2) : "none")
            << " median over all sources with the presets as they ship\n";
    };
    out << "Mean absolute error of a source whose rows had no part in the constants\n";
    part("step time", h.dense, s.dense);
    part("mixtures of experts", h.experts, s.experts);
    part("memory", h.memory, s.memory);
    if (const std::string why = staleness(left_out, s); !why.empty())
        out << "Mind: " << why << ". 'plimsoll fit --recipe shipped --leave-out source --left-out FILE' renews them\n";
}

void print_regret(std::ostream& out, const std::vector<Sweep>& sweeps) {
    const std::vector<RegretSummary> sources = regrets_by_source(sweeps);
    if (sources.empty()) return;
    TextRows rows{{"sweeps of layouts, source", "sweeps", "rows", "apart", "median regret", "mean",
                   "with runs that stood still by chance", "worst", "rank correlation"}};
    for (const RegretSummary& r : sources)
        rows.push_back({r.source, std::to_string(r.sweeps), std::to_string(r.rows), std::to_string(r.apart),
                        percent(r.median), percent(r.mean), percent(r.mean_by_chance),
                        percent(r.worst) + " " + r.worst_sweep, fixed(r.rank_correlation, 2)});
    out << "Regret: how much longer the measured run of the layout predicted fastest took than the fastest one\n"
        << table(rows) << "\n";
}

void print_coverage(std::ostream& out, const std::vector<CoverageSummary>& sources) {
    if (sources.empty()) return;
    TextRows rows{{"source", "of", "rows", "in the range of two thirds", "of nine tenths", "median range"}};
    for (const CoverageSummary& s : sources)
        rows.push_back({s.source, s.memory ? "memory" : "time", std::to_string(s.rows), percent(s.two_thirds, 0),
                        percent(s.nine_tenths, 0), percent(s.band, 0)});
    out << "Ranges: the rows of each source against ranges made without it\n" << table(rows) << "\n";
}

void print_known(std::ostream& out, const std::vector<KnowledgeSummary>& all) {
    if (all.empty()) return;
    TextRows rows{{"by another source", "of", "sources", "rows", "error", "median range", "in the range of two thirds",
                   "of nine tenths"}};
    for (const KnowledgeSummary& k : all)
        rows.push_back({say_known(k), k.experts ? "mixtures" : "dense", std::to_string(k.sources),
                        std::to_string(k.rows), percent(k.error, 1), percent(k.band, 0), percent(k.two_thirds, 0),
                        percent(k.nine_tenths, 0)});
    out << "Step time by what others had measured: median error over sources, all sources alike; of mixtures, what "
           "other vendors had measured\n"
        << table(rows) << "\n";
}

namespace {

void print_anchored_by(std::ostream& out, std::size_t given, const std::vector<AnchoredSource>& sources) {
    const bool averaged = sources.front().any_before > 0;
    TextRows rows{{"source", "of", "rows", "error", "anchored", "by"}};
    if (averaged) {
        rows.front()[4] = "by those that tell most";
        rows.front().insert(rows.front().begin() + 5, "error of the others, by any");
        rows.front().insert(rows.front().begin() + 6, "anchored");
    }
    const auto add = [&](const std::string& name, bool memory, const std::string& count, std::vector<double> errors,
                         const std::string& by) {
        std::vector<std::string> row{name, memory ? "memory" : "time", count};
        errors.resize(averaged ? 4 : 2);
        for (const double e : errors) row.push_back(percent(e, 2));
        row.push_back(by);
        rows.push_back(row);
    };
    for (const bool memory : {false, true}) {
        std::vector<double> columns[4];
        for (const AnchoredSource& s : sources) {
            if (s.memory != memory) continue;
            const double errors[] = {s.before, s.after, s.any_before, s.any_after};
            for (std::size_t c = 0; c < std::size(errors); ++c) columns[c].push_back(errors[c]);
            add(s.source, memory, std::to_string(s.rows.size()), {std::begin(errors), std::end(errors)},
                joined(s.given));
        }
        if (columns[0].empty()) continue;
        std::vector<double> medians, means;
        for (const std::vector<double>& c : columns) {
            medians.push_back(median(c));
            means.push_back(std::accumulate(c.begin(), c.end(), 0.0) / double(c.size()));
        }
        add("median over sources", memory, "", medians, "");
        add("mean over sources", memory, "", means, "");
    }
    out << "Anchors: rows predicted with "
        << (averaged ? counted(int(given), "run of their source", "runs of their source") : "measured runs")
        << " given, none of which is among them\n"
        << table(rows) << "\n";
}

}  // namespace

void print_anchored(std::ostream& out, const std::vector<AnchoredSource>& sources) {
    std::map<std::size_t, std::vector<AnchoredSource>> by_count;
    for (const AnchoredSource& s : sources) by_count[s.given.size()].push_back(s);
    for (const auto& [given, of] : by_count) print_anchored_by(out, given, of);
}

namespace {

// Median and mean over sources of one column: before and after.
std::string over_sources(const std::vector<CopiedSource>& sources, const CopyErrors CopiedSource::* of, bool unseen) {
    std::vector<double> before, after;
    double within = 0, within_wide = 0;
    for (const CopiedSource& s : sources) {
        if (!(s.*of).any() || (unseen && !s.unseen)) continue;
        before.push_back((s.*of).before);
        after.push_back((s.*of).after);
        within += (s.*of).within;
        within_wide += (s.*of).within_wide;
    }
    if (before.empty()) return {};
    const double n = double(before.size());
    const auto mean = [&](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0) / n; };
    return percent(median(before), 1) + " / " + percent(mean(before), 1) + " > " + percent(median(after), 1) + " / "
         + percent(mean(after), 1) + ", " + std::to_string(before.size()) + " sources; in the range of two thirds "
         + percent(within / n, 0) + ", of nine tenths " + percent(within_wide / n, 0);
}

std::string before_and_after(const CopyErrors& e) {
    return e.any() ? percent(e.before, 1) + " > " + percent(e.after, 1) : "";
}

void print_copies_of(std::ostream& out, const std::vector<CopiedSource>& sources) {
    TextRows rows{{"source", "rows", "one copy", "two", "on an eighth of the devices", "stages of as many layers",
                   "other stages", ""}};
    std::vector<std::string> vain;
    for (const CopiedSource& s : sources) {
        rows.push_back({s.source, std::to_string(s.one.rows), before_and_after(s.one), before_and_after(s.two),
                        before_and_after(s.eighth), before_and_after(s.stages_kept), before_and_after(s.other_stages),
                        s.unseen ? "in no fit" : ""});
        if (s.one.any() && s.one.after >= s.one.before) vain.push_back(s.source);
    }
    out << table(rows);
    constexpr std::pair<const char*, CopyErrors CopiedSource::*> columns[] = {
        {"one copy", &CopiedSource::one},
        {"two copies", &CopiedSource::two},
        {"one on an eighth of the devices", &CopiedSource::eighth},
        {"stages of as many layers", &CopiedSource::stages_kept},
        {"other stages", &CopiedSource::other_stages}};
    for (const bool unseen : {false, true}) {
        out << (unseen ? "Sources that no fit has seen" : "All sources") << ", median / mean\n";
        for (const auto& [name, of] : columns)
            if (const std::string text = over_sources(sources, of, unseen); !text.empty())
                out << "  " << name << ": " << text << "\n";
    }
    if (!vain.empty()) out << "Sources that gain nothing by one copy: " << joined(vain) << "\n";
    out << "\n";
}

}  // namespace

void print_copies(std::ostream& out, const std::vector<CopiedSource>& sources) {
    for (const bool memory : {false, true}) {
        std::vector<CopiedSource> of;
        for (const CopiedSource& s : sources)
            if (s.memory == memory) of.push_back(s);
        if (of.empty()) continue;
        out << "Copies, " << (memory ? "memory" : "step time")
            << ": mean absolute error of rows before a run of the source that is cut in layers and replicas is given, "
               "and after\n";
        print_copies_of(out, of);
    }
}

namespace {

void print_verdict_shares(std::ostream& out, const std::vector<CaseSummary>& sources, bool ran) {
    const auto line = [&](const char* alike, const VerdictShares& v) {
        out << "  " << alike << ": " << percent(v.right) << " said to " << (ran ? "fit" : "not fit") << ", "
            << percent(v.undecided) << " that may not, " << percent(v.wrong) << " said to "
            << (ran ? "not fit" : "fit") << "\n";
    };
    out << (ran ? "Runs that ran\n" : "Runs that ran out of memory\n");
    line("cases alike", over_rows(sources, ran));
    line("sources alike", over_sources(sources, ran));
}

}  // namespace

void print_cases(std::ostream& out, const JudgedCases& judged) {
    TextRows rows{{"source", "ran: fits", "may not", "does not", "out of memory: does not", "may not", "fits",
                   "no verdict"}};
    for (const CaseSummary& s : judged.sources) {
        std::vector<std::string> row{s.source};
        for (const int n : {s.ran.fits, s.ran.may_not_fit, s.ran.does_not_fit, s.out_of_memory.does_not_fit,
                            s.out_of_memory.may_not_fit, s.out_of_memory.fits, s.unpriced})
            row.push_back(std::to_string(n));
        rows.push_back(row);
    }
    out << "Fits: up to " << percent(surely_fits, 0)
        << " of the device with what lives outside the allocator; does not: above " << percent(surely_fails, 0) << "\n"
        << table(rows) << "\n";
    for (const bool ran : {true, false}) print_verdict_shares(out, judged.sources, ran);
    const auto unpriced = judged.unpriced();
    if (unpriced.empty()) return;
    TextRows reasons{{"cases without a verdict", "why"}};
    for (const auto& [why, count] : unpriced) reasons.push_back({std::to_string(count), why});
    out << "\n" << table(reasons);
}

}  // namespace plimsoll
