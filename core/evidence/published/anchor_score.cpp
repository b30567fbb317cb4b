#include "core/evidence/published/anchor_score.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace plimsoll {

namespace {

using Places = std::vector<std::size_t>;

// The rows of one source, as likeness sees them.
struct SourceRows {
    const std::vector<ScoredRow>& rows;
    const std::vector<double>& errors;
    bool memory;
    Places of;                              // in `rows`
    std::vector<Peer> peers;                // of each of them
};

// Times, then memory; of sources with enough rows.
template <class Do>
void for_each_source(const Score& score, const LeftOut& left_out, int least, Do&& with) {
    const JudgedErrors errors = judged_errors(score, left_out);
    for (const bool memory : {false, true}) {
        const std::vector<ScoredRow>& rows = memory ? score.memory_rows : score.rows;
        std::map<std::string, Places> sources;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].excluded.empty()) sources[rows[i].source].push_back(i);
        for (auto& [source, of] : sources) {
            if (int(of.size()) < least) continue;
            SourceRows s{rows, memory ? errors.memory : errors.time, memory, std::move(of), {}};
            for (const std::size_t i : s.of) s.peers.push_back(peer_of(rows[i].plan));
            with(std::as_const(s));
        }
    }
}

// Places in `of`: all of a small source.
constexpr std::size_t most_choices = 40;
Places evenly_spread(std::size_t rows) {
    const std::size_t n = std::min(rows, most_choices);
    Places places;
    for (std::size_t k = 0; k < n; ++k) places.push_back(k * rows / n);
    return places;
}

ErrorTeller teller_of(const SourceRows& s, const Places& given, bool blindly = false) {
    std::vector<KnownError> known;
    for (const std::size_t k : given)
        known.push_back({&s.peers[k], blindly ? 0 : std::log1p(s.errors[s.of[k]]), 0, s.rows[s.of[k]].memory.kind});
    return {std::move(known), s.memory};
}

// The run to measure next: the one whose time would tell most about the others. Chosen from the plans alone, not from
// measured times.
std::size_t most_telling(const SourceRows& s, const Places& given) {
    const Places choices = evenly_spread(s.of.size());
    std::size_t best = 0;
    double most = -1;
    for (const std::size_t c : choices) {
        if (std::find(given.begin(), given.end(), c) != given.end()) continue;
        Places with = given;
        with.push_back(c);
        const ErrorTeller teller = teller_of(s, with, true);
        double told = 0;
        for (const std::size_t k : choices) told += teller.of(s.peers[k]).share;
        if (told <= most) continue;
        most = told;
        best = c;
    }
    return best;
}

void add_means(AnchoredSource& s) {
    for (const AnchoredRow& r : s.rows) {
        s.before += std::abs(r.before) / double(s.rows.size());
        s.after += std::abs(r.after) / double(s.rows.size());
    }
}

AnchoredSource anchored_rows(const SourceRows& s, const Places& given) {
    const ErrorTeller teller = teller_of(s, given);
    AnchoredSource result;
    result.source = s.rows[s.of.front()].source;
    result.memory = s.memory;
    for (const std::size_t k : given) result.given.push_back(s.rows[s.of[k]].id);
    for (std::size_t k = 0; k < s.of.size(); ++k) {
        if (std::find(given.begin(), given.end(), k) != given.end()) continue;
        const ToldError told = teller.of(s.peers[k]);
        const double before = s.errors[s.of[k]], after = std::expm1(std::log1p(before) - told.log_error);
        result.rows.push_back({s.of[k], before, after, told.share});
    }
    add_means(result);
    return result;
}

// Sets of so many rows, the same in every run of the program.
std::vector<Places> choices_of(std::size_t rows, int given) {
    std::vector<Places> all;
    if (given == 1) {
        for (const std::size_t k : evenly_spread(rows)) all.push_back({k});
        return all;
    }
    std::mt19937 draw(1);
    while (all.size() < most_choices) {
        Places set;
        while (int(set.size()) < given)
            if (const std::size_t k = draw() % rows; std::find(set.begin(), set.end(), k) == set.end())
                set.push_back(k);
        all.push_back(std::move(set));
    }
    return all;
}

void average_over_choices(const SourceRows& s, int given, AnchoredSource& result) {
    const std::vector<Places> choices = choices_of(s.of.size(), given);
    for (const Places& choice : choices) {
        const AnchoredSource one = anchored_rows(s, choice);
        result.any_before += one.before / double(choices.size());
        result.any_after += one.after / double(choices.size());
    }
}

}  // namespace

std::vector<AnchoredSource> anchor_one(const Score& score, const LeftOut& left_out, int most, int least) {
    std::vector<AnchoredSource> all;
    for_each_source(score, left_out, least, [&](const SourceRows& s) {
        Places given;
        while (int(given.size()) < most && given.size() + 1 < s.of.size()) {
            given.push_back(most_telling(s, given));
            all.push_back(anchored_rows(s, given));
            average_over_choices(s, int(given.size()), all.back());
        }
    });
    return all;
}

std::vector<AnchoredSource> anchor_with(const Score& score, const LeftOut& left_out,
                                        const std::vector<Anchor>& anchors) {
    const JudgedErrors errors = judged_errors(score, left_out);
    std::vector<AnchoredSource> all;
    for (const bool memory : {false, true}) {
        const AnchorTeller given(anchors, memory);
        const auto& rows = memory ? score.memory_rows : score.rows;
        const auto& judged = memory ? errors.memory : errors.time;
        std::map<std::string, AnchoredSource> sources;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!rows[i].excluded.empty()) continue;
            const ToldError told = given.of(peer_of(rows[i].plan));
            if (!(told.share > 0)) continue;
            AnchoredSource& s = sources[rows[i].source];
            s.rows.push_back({i, judged[i], std::expm1(std::log1p(judged[i]) - told.log_error), told.share});
        }
        for (auto& [source, s] : sources) {
            s.source = source;
            s.memory = memory;
            for (const Anchor& a : anchors) s.given.push_back(a.name);
            add_means(s);
            all.push_back(std::move(s));
        }
    }
    return all;
}

AnchoredTrials anchored_trials(const Score& score, const LeftOut& left_out) {
    AnchoredTrials trials;
    for_each_source(score, left_out, least_anchored, [&](const SourceRows& s) {
        for (const AnchoredRow& r : anchored_rows(s, {most_telling(s, {})}).rows) {
            const ScoredRow& row = s.rows[r.row];
            (s.memory ? trials.memory : trials.time).push_back({{kind_of(row.plan), row.source, r.after}, r.share});
        }
    });
    return trials;
}

// ---- Copies

namespace {

// Sums over choices, until they are divided by their number.
struct CopySums {
    CopyErrors sums;
    std::set<std::size_t> rows;
    void add(std::size_t row, double error, const ToldError& told) {
        rows.insert(row);
        ++sums.choices;
        const double left = std::log1p(error) - told.log_error;
        sums.before += std::abs(error);
        sums.after += std::abs(std::expm1(left));
        sums.within += std::abs(left) <= std::log1p(told.band);
        sums.within_wide += std::abs(left) <= std::log1p(told.wide);
    }
    CopyErrors means() const {
        CopyErrors e = sums;
        e.rows = int(rows.size());
        for (double* each : {&e.before, &e.after, &e.within, &e.within_wide})
            if (e.choices > 0) *each /= e.choices;
        return e;
    }
};

struct SourceSums {
    CopySums one, two, eighth, stages_kept, other_stages;
};

constexpr double eighth = 8;

// Places of the runs that tell of row k in this way, the row itself not among them.
Places kin_to(const SourceRows& s, std::size_t k, Kin kin) {
    Places all, some;
    for (std::size_t j = 0; j < s.of.size(); ++j) {
        if (j == k || kin_of(s.peers[k].shape, s.peers[j].shape) != kin) continue;
        const ScoredRow &row = s.rows[s.of[k]], &run = s.rows[s.of[j]];
        if (row.software == run.software && row.memory.kind == run.memory.kind && row.memory.rank == run.memory.rank)
            all.push_back(j);
    }
    for (const std::size_t place : evenly_spread(all.size())) some.push_back(all[place]);
    return some;
}

void add_copies_of(const SourceRows& s, std::size_t k, SourceSums& sums) {
    const double error = s.errors[s.of[k]];
    const auto add = [&](CopySums& to, const Places& given) {
        to.add(s.of[k], error, teller_of(s, given).of(s.peers[k]));
    };
    const Places copies = kin_to(s, k, Kin::copy);
    for (std::size_t i = 0; i < copies.size(); ++i) {
        add(sums.one, {copies[i]});
        if (s.peers[k].shape.devices >= eighth * s.peers[copies[i]].shape.devices) add(sums.eighth, {copies[i]});
        if (copies.size() > 1) add(sums.two, {copies[i], copies[(i + 1) % copies.size()]});
    }
    for (const std::size_t j : kin_to(s, k, Kin::stages_kept)) add(sums.stages_kept, {j});
    for (const std::size_t j : kin_to(s, k, Kin::other_stages)) add(sums.other_stages, {j});
}

}  // namespace

std::vector<CopiedSource> anchor_copies(const Score& score, const LeftOut& left_out) {
    std::set<std::string> fitted;
    for (const LeftOutRow& r : left_out.rows) fitted.insert(r.source);
    std::vector<CopiedSource> all;
    for_each_source(score, left_out, 2, [&](const SourceRows& s) {
        SourceSums sums;
        for (std::size_t k = 0; k < s.of.size(); ++k) add_copies_of(s, k, sums);
        CopiedSource c;
        c.source = s.rows[s.of.front()].source;
        c.memory = s.memory;
        c.unseen = !fitted.contains(c.source);
        c.one = sums.one.means();
        c.two = sums.two.means();
        c.eighth = sums.eighth.means();
        c.stages_kept = sums.stages_kept.means();
        c.other_stages = sums.other_stages.means();
        if (c.one.any() || c.stages_kept.any() || c.other_stages.any()) all.push_back(std::move(c));
    });
    return all;
}

}  // namespace plimsoll
