#include "core/answers/published/published_flop.h"

namespace plimsoll {

double flop_per_token(FlopRule rule, const Model& m, int sequence_length, double nominal) {
    const double blocks = m.layers * layer_matrix_parameters(m);
    const double attention = double(m.layers) * attention_width(m) * sequence_length;
    const double head = double(m.vocabulary) * m.hidden;
    switch (rule) {
        case FlopRule::hardware: return 8 * blocks + 16 * attention + 6 * head;
        case FlopRule::full_attention: return 6 * blocks + 12 * attention + 6 * head;
        case FlopRule::causal: return 6 * blocks + 6 * attention + 6 * head;
        case FlopRule::all_parameters: return 6 * nominal + 12 * attention;
        case FlopRule::eight_n: return 8 * nominal;
        case FlopRule::six_n: return 6 * nominal;
        case FlopRule::unknown: break;
    }
    return 0;
}

std::optional<PublishedTime> published_time(const PublishedRow& row, const Scenario& s, FlopRule rule) {
    const RowMeasured& m = row.measured;
    if (m.step_seconds) return PublishedTime{"iteration_s", *m.step_seconds, *m.step_seconds};
    const double tokens = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length / s.layout.devices;
    if (m.tokens_per_second)
        return PublishedTime{"tokens_per_s_per_device", *m.tokens_per_second, tokens / *m.tokens_per_second};
    if (!m.teraflops || rule == FlopRule::unknown) return std::nullopt;
    const double nominal = row.model.parameters.value_or(parameters(s.model));
    const double flop = tokens * flop_per_token(rule, s.model, s.recipe.sequence_length, nominal);
    return PublishedTime{"tflops_per_device", *m.teraflops, flop / (*m.teraflops * 1e12)};
}

}  // namespace plimsoll
