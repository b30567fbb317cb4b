#pragma once
// What measured runs of one's own are worth: of every published source some rows given, the others predicted.
//
//   for (const AnchoredSource& s : anchor_one(score, left_out)) s.after;   // one row of it given
//   for (const CopiedSource& s : anchor_copies(score, left_out)) s.one.after;   // one copy of each row given
//
// Errors are those without the source, where they are known.

#include "core/evidence/published/anchor.h"

namespace plimsoll {

struct AnchoredRow {
    std::size_t row = 0;                 // of Score::rows or memory_rows
    double before = 0, after = 0;        // predicted / measured - 1
    double share = 0;                    // of the variance that the anchors tell
};
struct AnchoredSource {
    std::string source;
    std::vector<std::string> given;      // ids of the rows given
    bool memory = false;
    std::vector<AnchoredRow> rows;       // without those given
    double before = 0, after = 0;        // means of their absolute errors
    double any_before = 0, any_after = 0;  // the same, mean over many choices of as many rows
};

// Sources of at least `least` rows, with one row given, then two, up to `most`. Given is what tells most of the others
// by the plans alone, whatever was measured. Beside it stands the mean over choices: each row, of a large source forty
// evenly spread ones; for two and more, forty drawn sets.
constexpr int least_anchored = 5;
std::vector<AnchoredSource> anchor_one(const Score&, const LeftOut&, int most = 1, int least = least_anchored);

// All rows that runs of one's own are like, anchored by them.
std::vector<AnchoredSource> anchor_with(const Score&, const LeftOut&, const std::vector<Anchor>&);

// Trials of rows that were anchored by one of their source.
AnchoredTrials anchored_trials(const Score&, const LeftOut&);

// ---- Copies of rows, cut in layers, replicas and stages (copies.h)

// Mean absolute errors of rows before a run like them was given and after, over all choices of it.
struct CopyErrors {
    int rows = 0, choices = 0;
    double before = 0, after = 0;
    double within = 0, within_wide = 0;  // shares of the choices that lay in the range of two thirds, of nine tenths
    bool any() const { return choices > 0; }
};
struct CopiedSource {
    std::string source;
    bool memory = false;
    bool unseen = false;                 // none of its rows had a part in the constants
    CopyErrors one, two;                 // copies with the same stages
    CopyErrors eighth;                   // one, on an eighth of the devices or less
    CopyErrors stages_kept, other_stages;
};
// Of each source whose rows have copies among them: equal in all that the source says of software, format and
// recomputation, word by word.
std::vector<CopiedSource> anchor_copies(const Score&, const LeftOut&);

}  // namespace plimsoll
