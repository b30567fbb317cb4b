#pragma once
// What a large batch costs: tokens beyond those that many small steps would need for the same loss.
//
//   for (const CriticalBatch& c : critical_batches(plan)) c.tokens;     // by each published law; empty: unknown
//   extra_tokens(4e6, c.tokens);                                        // 0.09: nine per cent more tokens
//
// McCandlish et al. 2018 (An Empirical Model of Large-Batch Training, arXiv 1812.06162, eq. 2.11): a run that needs
// S_min steps at the least and E_min examples at the least needs S steps of B examples with
//
//     S / S_min = 1 + B_crit / B        E / E_min = 1 + B / B_crit
//
// At the critical batch half of all tokens are the price of the batch. Two published fits say how B_crit grows:
//
//   Bergsma et al. 2025 (Power Lines, arXiv 2505.13738):    B_crit = 0.0471 D_min^0.462 sequences of 2,048 tokens,
//       D_min being E_min in tokens; models of 111M to 3.3B parameters on SlimPajama, AdamW
//   Zhang et al. 2024 (How Does Critical Batch Size Scale in Pre-training?, arXiv 2410.21676):    the batch that takes
//       20 % more than its share of steps is 22.91 (D / 10^6)^0.47 sequences of 512 tokens; models of 85M to 1.2B
//       parameters on C4, Adam
//
// Both found that the model's size hardly matters at the same number of tokens. 20 % more is a fifth of B_crit, and
// read so the two agree within a third from 10^9 to 10^13 tokens. For mixtures of experts and other optimizers than
// Adam neither says anything: unknown. No estimate uses any of this.

#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

struct CriticalBatch {
    std::string source;            // "Bergsma et al. 2025"
    double tokens = 0;             // B_crit as McCandlish et al. define it
    double largest_seen = 0;       // parameters of the largest model of the fit
    bool extrapolated = false;     // the plan's model is larger
};
// By both laws, for the loss that the plan's tokens reach with the plan's batch. Empty where nothing is published.
std::vector<CriticalBatch> critical_batches(const Scenario&);
// Why they are empty; empty where they are not.
std::string no_critical_batch(const Scenario&);

// E / E_min - 1 with B tokens in a batch.
inline double extra_tokens(double batch, double critical) { return batch / critical; }
// The tokens that reach the same loss with another batch.
inline double tokens_with_batch(double tokens, double batch, double other, double critical) {
    return tokens * (1 + extra_tokens(other, critical)) / (1 + extra_tokens(batch, critical));
}

}  // namespace plimsoll
