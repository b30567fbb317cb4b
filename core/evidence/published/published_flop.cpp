#include "core/evidence/published/published_flop.h"

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

namespace {

// MFU counts no recomputation, whatever the source's TFLOP/s count.
FlopRule model_rule(FlopRule rule) {
    const bool model = rule == FlopRule::causal || rule == FlopRule::all_parameters || rule == FlopRule::six_n;
    return model ? rule : FlopRule::full_attention;
}

}  // namespace

std::vector<PublishedTime> published_times(const PublishedRow& row, const Scenario& s, FlopRule rule) {
    const RowMeasured& m = row.measured;
    const double step_tokens = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length;
    const double tokens = step_tokens / s.layout.devices;
    const double nominal = row.model.parameters.value_or(parameters(s.model));
    const double peak = s.machine.device.peak(matrix_format(s.recipe.precision)) / (flop / second);
    std::vector<PublishedTime> times;
    const auto rate = [&](const char* key, const std::optional<double>& value, double work_per_unit) {
        if (value && work_per_unit > 0) times.push_back({key, *value, work_per_unit / *value, true});
    };
    const auto work = [&](FlopRule counted) { return tokens * flop_per_token(counted, s.model, s.recipe.sequence_length, nominal); };
    if (m.step_seconds) times.push_back({"iteration_s", *m.step_seconds, *m.step_seconds, false});
    rate("tokens_per_s_per_device", m.tokens_per_second, tokens);
    rate("tflops_per_device", m.teraflops, work(rule) / 1e12);
    if (peak > 0) {
        rate("mfu", m.mfu, work(model_rule(rule)) / peak);
        rate("hfu", m.hfu, work(s.layout.recompute == Recompute::full ? FlopRule::hardware : model_rule(rule)) / peak);
    }
    if (row.layout.train_tokens) {
        const double steps = *row.layout.train_tokens / step_tokens;
        if (m.device_hours) times.push_back({"device_hours", *m.device_hours, *m.device_hours * 3600 / s.layout.devices / steps, false});
        if (m.train_days) times.push_back({"train_days", *m.train_days, *m.train_days * 86400 / steps, false});
    }
    return times;
}

}  // namespace plimsoll
