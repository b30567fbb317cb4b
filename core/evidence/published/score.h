#pragma once
// How far the predictions are off, over rows of many sources.
//
//   Score s = score(rows, presets);
//   s.dense;            // median over sources of each one's mean absolute error of the step time
//   std::cout << csv_header() << to_csv(s.rows);
//
// The median over sources, not over rows: a few sources hold most of the rows.
// Rows without a prediction keep their reason. Where one source repeats a
// configuration with several releases of one framework, the newest counts.
// Mixtures of experts are told apart: nearly all such rows come from one vendor.

#include "core/answers/curves/figures.h"
#include "core/answers/plan/estimate.h"
#include "core/evidence/published/run_rules.h"
#include "core/values/basics/median.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

// ---- The step time behind a published rate: each source counts FLOP in its own way

// FLOP of one token under a source's rule; `nominal` is the parameter count it states.
double flop_per_token(FlopRule, const Model&, int sequence_length, double nominal);

// Seconds of one step behind a quantity of the row.
struct PublishedTime {
    const char* quantity = "";   // key of the measured value
    double value = 0;            // as published
    double seconds = 0;          // of one step of the filled plan
    bool rate = false;           // more is faster
};

// All the row allows, the best witness first: step time where the batch is published, tokens/s, TFLOP/s, MFU, HFU, step
// time, then hours and days of the whole run, which hold restarts and checkpoints too.
std::vector<PublishedTime> published_times(const PublishedRow&, const Scenario&, FlopRule);

// ---- One published row against the plan it was filled to

struct MemoryFigure {
    MemoryKind kind = MemoryKind::reserved;
    MemoryRank rank = MemoryRank::worst;
};
// A plan's own memory is what the allocator reserves; tensors alone take less, and a monitor of the device sees more.
Bytes figure_of(const Estimate&, const MemoryFigure&);
Bytes figure_of(const MemoryUse&, MemoryKind, int devices);

struct ScoredRow {
    std::string id, source, family;      // family: of the device, "A100"
    std::string vendor = {};             // PublishedRow::vendor
    std::string quantity;                // key of the measured value
    double published = 0, predicted = 0; // in that quantity
    double error = 0;                    // of time or memory: predicted / published - 1
    double measured = 0;                 // the published value as seconds of a step or bytes of memory
    MemoryFigure memory;                 // which of the plan's figures a published memory is compared with
    double memory_share = 0;             // predicted memory over the device's: near 1 allocators slow runs down
    std::string stalls;                  // that the layout may stand still at times is the reason why it does not count
    std::string contradicted;            // that a like run was much faster is (contradicted.h)
    double weight = 1;                   // in a fit: less where what the source leaves out matters (FilledRun::weight)
    std::vector<std::string> own_knobs;  // that no fit moves in this row (FilledRun::own_knobs)
    std::string software;                // what the source says of framework, format and recomputation, word by word
    std::string excluded;                // why it does not count; empty: it does. A reference row has figures as well
    std::vector<std::string> filled;     // what was assumed
    Scenario plan;                       // the row as a plan, without provenance; as far as it was filled if excluded
};

struct RowScore {
    ScoredRow time;
    std::optional<ScoredRow> memory;     // where the row has one
    std::vector<ScoredRow> others;       // hours, days, energy and power; of a reference row every further rate too
};

RowScore score_row(const PublishedRow&, const FilledRun&);

// ---- All of them

struct ErrorSummary {
    std::string name, family;            // a source and its device families, or a family alone
    int rows = 0, excluded = 0;
    double mean_absolute = 0, median_absolute = 0, bias = 0;  // of the rows that count
    std::string worst_id;
    double worst = 0;
    int counted() const { return rows - excluded; }
};

struct Score {
    std::vector<ScoredRow> rows, memory_rows;
    std::vector<ScoredRow> other_rows;    // shown, never counted: figures of whole runs, all figures of reference rows
    std::vector<ErrorSummary> sources, families, memory_sources;  // of dense models
    std::vector<ErrorSummary> expert_sources;                     // of mixtures of experts, step time
    std::optional<double> dense, experts, memory;  // none without a row that counts
};

// `instead`: price every row with this stack.
Score score(const PublishedRows&, const RowPresets&, const Stack* instead = nullptr);

// The same of two methods that do the same work: "pretrain", "adapters 16 q_proj, v_proj 0 0 nf4".
std::string method_key(const Method&);

// Of all rows together; excluded ones are only counted.
ErrorSummary summary_of(const std::string& name, const std::vector<ScoredRow>&);

// Scored rows as CSV: "." decimals, errors as signed fractions of time or memory.

std::string csv_header();                             // source,id,quantity,published,predicted,error,excluded,...
std::string to_csv(const std::vector<ScoredRow>&);    // one line a row, without the header

// ---- Charts: predicted against published, errors by source and by device. A point is named by the id of its run.
//
//   for (const Figure& f : residual_figures(record.score.rows, {})) write(to_csv(f));

// Ids, in order: predicted-vs-published, error-by-source, error-by-device. Runs that do not count are left out. `own`
// are the user's: a series of their own.
std::vector<Figure> residual_figures(const std::vector<ScoredRow>& shipped, const std::vector<ScoredRow>& own);

}  // namespace plimsoll
