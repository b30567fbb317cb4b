#pragma once
// How far off the predictions are on sources that had no part in them.
//
//   const LeftOut errors = *read_left_out(text);            // presets/fits/left_out.json
//   const HeadlineScore h = headline_score(errors.rows);
//   h.dense;                                                 // median over sources of each one's mean error
//   std::string why = staleness(errors, score(rows, presets));   // "" : made with these presets and formulas
//
// `plimsoll fit --leave-out source --left-out FILE` fits the constants once without each source, predicts its rows and
// writes both errors of every row: the one of the presets as they ship and the one without the own source. The first
// tells whether the file still belongs to the presets and the formulas that read it.

#include "core/evidence/published/score.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct LeftOutRow {
    std::string id, source;
    bool memory = false;                 // else the step time
    bool experts = false;                // of a mixture of experts
    double shipped = 0;                  // error with the presets as they are: predicted / measured - 1
    double left_out = 0;                 // with all constants determined by the other sources
};

struct LeftOut {
    std::string recipe;                  // of the fit
    std::vector<LeftOutRow> rows;
};

// Sources with fewer rows say more about their rows than about the model: they do not count in the headline.
constexpr int headline_rows = 3;

// Median over sources of their mean absolute error; none without a source of `headline_rows` rows. `typical`: of
// their median error, with the presets as they ship. Half of a source's rows are closer.
struct HeadlineScore {
    struct Part {
        std::optional<double> left_out, shipped, typical;
        int sources = 0;
    };
    Part dense, experts, memory;
};
HeadlineScore headline_score(const std::vector<LeftOutRow>&);
// Those of the rows that count in a score: of the sources somebody asked for.
std::vector<LeftOutRow> of_rows_in(const LeftOut&, const Score&);
// "median over 21 sources of at least 3 rows": what stands beside each part.
std::string say_sources(const HeadlineScore::Part&);

// Why the file does not belong to this score; empty: every row that both know has the error it was made with.
std::string staleness(const LeftOut&, const Score&);

// The errors that judge a prediction of unseen runs: left out where the file knows the row as it is predicted now.
struct JudgedErrors {
    std::vector<double> time, memory;    // of Score::rows and memory_rows
};
JudgedErrors judged_errors(const Score&, const LeftOut&);

}  // namespace plimsoll
