#include "core/answers/campaign/critical_batch.h"

#include "core/values/basics/phrase.h"
#include "core/values/plan/model.h"

#include <cmath>

namespace plimsoll {

namespace {

struct BatchLaw {
    const char* source;
    double (*critical)(double least_tokens);   // B_crit in tokens
    double largest_seen;
};
constexpr double overhead_of_zhang = 0.2;
constexpr BatchLaw batch_laws[] = {
    {"Bergsma et al. 2025", [](double least) { return 2048 * 0.0471 * std::pow(least, 0.462); }, 3.3e9},
    {"Zhang et al. 2024",
     [](double least) {
         const double trained = (1 + overhead_of_zhang) * least;   // at the batch that the law gives
         return 512 * 22.91 * std::pow(trained / 1e6, 0.47) / overhead_of_zhang;
     },
     1.2e9}};

// The least tokens of a run that takes `tokens` with this batch: what it takes grows with them.
double least_tokens(const BatchLaw& law, double tokens, double batch) {
    double low = 0, high = tokens;
    for (int i = 0; i < 200 && high - low > 1e-12 * tokens; ++i) {
        const double middle = (low + high) / 2;
        (middle * (1 + extra_tokens(batch, law.critical(middle))) < tokens ? low : high) = middle;
    }
    return high;
}

}  // namespace

std::string no_critical_batch(const Scenario& s) {
    if (tunes(s.method))
        return phrase("Unknown: critical batches were published for pre-training, and this plan tunes a model.");
    if (has_experts(s.model))
        return phrase("Unknown: critical batches were published for dense models, and this is a mixture of experts.");
    if (s.recipe.optimizer != Optimizer::adam && s.recipe.optimizer != Optimizer::adam_8bit)
        return phrase("Unknown: critical batches were published for Adam, and this plan has another optimizer.");
    return {};
}

std::vector<CriticalBatch> critical_batches(const Scenario& s) {
    std::vector<CriticalBatch> all;
    if (!no_critical_batch(s).empty()) return all;
    for (const BatchLaw& law : batch_laws) {
        const double least = least_tokens(law, tokens_read(s.recipe), tokens_of_step(s.recipe));
        all.push_back({law.source, law.critical(least), law.largest_seen, parameters(s.model) > law.largest_seen});
    }
    return all;
}

}  // namespace plimsoll
