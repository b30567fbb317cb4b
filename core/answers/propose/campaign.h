#pragma once
// What a request pays for, run by run: the form that panels ask for, in the programme's unit.
//
//   const Campaign c = campaign_of(programme, rate, {&plan}, {.contingency = 0.1});
//   c.units;                       // the sum of its rows, and what is asked for
//
// A row's units per run are rounded up to whole units, and its total is that times its runs, so that anybody can add up
// the printed table.

#include "core/answers/campaign/totals.h"
#include "core/answers/propose/programme.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

struct CampaignOptions {
    std::vector<int> runs{};            // of each plan; where it is shorter, one
    int ablations = 8;
    double ablation_share = 0.01;       // of the first plan's training each
    int evaluations = 20;
    double evaluation_share = 0.0025;
    int scaling_points = 4, scaling_repeats = 2;
    double scaling_h = 0.5;             // of each scaling run
    double contingency = 0.10;          // of all that is above
    int checkpoints_kept = 3;
};

enum class CampaignKind { scaling, ablations, training, restarts, evaluation, contingency };

struct CampaignRow {
    CampaignKind kind = CampaignKind::training;
    std::string experiment, purpose, model, plan;   // plan: fingerprint of its file, in short
    double tokens = 0;
    int nodes = 0, runs = 1;
    double node_hours_each = 0;                     // before rounding
    double units_each = 0, units = 0;               // whole units
    double storage_TB = 0;
    Seconds wall;                                   // of all its runs, one after the other
};

struct Campaign {
    std::vector<CampaignRow> rows;
    double rate = 1;                                // units of a node-hour
    double units = 0, reserve = 0;                  // reserve: of the units, contingency and restarts
    double node_hours() const { return units / rate; }
    double storage_TB = 0;
};

// What the hours of a plan rest on where somebody measured steps: the step that is taken, and the prediction beside it.
struct StepTaken {
    Seconds taken, predicted;                       // on the nodes of the plan
    int measured_on = 0;                            // nodes of the run that was taken; 0: an anchor, of another plan
    std::string words;                              // which run it is, and how it was carried to the plan's nodes
    double change() const { return taken / predicted - 1; }
};

struct CampaignPlan {
    Scenario plan;
    Estimate estimate;                              // always the prediction
    Headline headline;                              // of the step that is taken
    std::string hash, file;                         // of its file's text
    std::optional<StepTaken> taken = {};            // nothing: the predicted step
};

// Eight digits of a plan's fingerprint.
std::string short_hash(const CampaignPlan&);
// "3 node-hours", "12,000 CU" without the separators: of an amount that is whole.
std::string units_text(double amount, const std::string& unit);   // "3,225,103 node-hours"

// Every plan's run has to end.
Campaign campaign_of(const Programme&, double rate, std::span<const CampaignPlan>, const CampaignOptions&);

Bytes dataset_size(const Scenario&);                // of token ids: two bytes each, four beyond 65,536 words
int bytes_of_token(const Model&);

// ---- When: one row after the other from the start, and what of the award is used by then

// Failures and restarts lengthen the training before them.
struct CampaignSpan {
    std::string experiment;
    double from_day = 0, to_day = 0;                // from the start
    double units = 0;
};
std::vector<CampaignSpan> schedule_of(const Campaign&);
// Units used by a day, as soon as the jobs can run one after the other, or evenly over the award.
double used_earliest(const Campaign&, double days);
double used_evenly(const Campaign&, const Programme&, double days);

struct CheckpointVerdict {
    UseCheckpoint checkpoint;
    std::string date;                               // "2027-05-01"
    double used_evenly = 0, used_earliest = 0, used_at_half_pace = 0;   // shares of the award
    std::optional<double> lost_at_half_pace;        // units; nothing where the programme does not say
};
std::vector<CheckpointVerdict> burn_down(const Campaign&, const Programme&, const std::string& start, double award);
// What is lost of an award of which `used` was used by the checkpoint; nothing where it is not stated.
std::optional<double> lost_units(const UseCheckpoint&, double award, double used);

// "2027-01-01" and so many months or days on; the same text where it is no date.
bool is_date(const std::string&);
std::string months_later(const std::string& date, double months);
std::string days_later(const std::string& date, double days);

}  // namespace plimsoll
