#pragma once
// Figures as rows for people: the window and the command line show the same.

#include "core/answers/campaign/totals.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"

#include <string>
#include <vector>

namespace plimsoll {

struct CardRow {
    std::string id;      // of explain(); empty where there is no tree
    std::string label, value;
};

// Host memory and drives: what they hold, whether that fits, the rates a device needs of them, how
// long drives last.
std::vector<CardRow> tier_card(const Scenario&, const Estimate&);

// "Host memory is short by 120 GiB per node" for what does not fit below the devices; empty where all does.
std::string say_tier_shortage(const Estimate&);

// What sending activations away buys: the largest micro-batch and the fewest pipeline stages that
// fit with it and without.
struct FreedMemory {
    int micro_batch_kept = 0, micro_batch_sent = 0;  // 0: none fits
    int stages_kept = 0, stages_sent = 0;
};
FreedMemory freed_memory(const Scenario&);   // of a plan whose activations leave

// Failures, checkpoints and the job chain.
std::vector<CardRow> resilience_card(const Scenario&, const Headline&);

// Energy, money and carbon of the run, with what each rests on. What nobody has published is "unknown", with the
// reason.
std::vector<CardRow> cost_card(const Scenario&, const StepTime&, const Totals&);

// "Failures take 6 % of the time" or why there is no progress.
std::string resilience_verdict(const Resilience&);

}  // namespace plimsoll
