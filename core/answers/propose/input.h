#pragma once
// What a proposal is made of: programme, plans with the range of their predictions, and the applicant's own runs.

#include "core/answers/propose/campaign.h"
#include "core/answers/propose/measured_scaling.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// A measured run on the plan's machine that the plan's step is told from.
struct TellingRun {
    std::string name, what;               // "probe-1", "4 layers on 8 devices"
    int nodes = 1;
    Seconds predicted, measured;          // a step; predicted by the cost model alone
};

// How far predictions may be off, as whoever holds published runs against them says it.
struct ProposalBand {
    double time = 0, memory = 0;          // two thirds within a factor 1 + this; 0: nobody has judged it
    double time_wide = 0;                 // nine in ten
    std::string words;                    // "Two thirds of comparable published runs lie within 6 % ..."
    std::string beyond;                   // what no run covers; empty: nothing
    double time_factor = 1;               // by which measured runs of other plans move the step
    std::string anchored = {};            // which, in words; empty: none
    std::vector<TellingRun> told_by = {}; // those of the plan's own layers and machine
};

// What numbers of the proposal were taken from: published runs, data sheets, papers.
struct ProposalSource {
    std::string key, text;                // "data3"; the source as its preset or table words it
    std::string of;                       // "PUE", "published runs of the range"
};

struct ProposalInput {
    Programme programme;
    std::vector<CampaignPlan> plans;      // the first is what is measured and taken apart
    std::vector<ProposalBand> bands;      // of each plan
    std::vector<ScalingRun> measured;
    CampaignOptions campaign;
    std::string start;                    // "2027-01-01"
    std::optional<double> award;          // in the programme's unit; else what is asked for
    std::optional<double> rate;           // units of a node-hour, where the user states them
    std::string version;                  // of the program
    std::vector<ProposalSource> sources = {};
};

}  // namespace plimsoll
