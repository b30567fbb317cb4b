#include "core/costs/optimizer/optimizer.h"

namespace plimsoll {

const OptimizerRule& rule_of(Optimizer o) {
    switch (o) {
        case Optimizer::adam:
        case Optimizer::sgd:
        case Optimizer::adam_8bit: return adam_rule;
        case Optimizer::adafactor: return adafactor_rule;
        case Optimizer::kfac:
        case Optimizer::shampoo:
        case Optimizer::soap: return curvature_rule;
        case Optimizer::muon: return muon_rule;
    }
    return adam_rule;
}

Bytes moments_by_matrix(const Work& s, int stage) {
    const OptimizerRule& rule = rule_of(s.recipe.optimizer);
    return rule.moments ? rule.moments(s, stage) : Bytes{};
}

Bytes preconditioner_bytes(const Work& s, int stage) {
    const OptimizerRule& rule = rule_of(s.recipe.optimizer);
    return rule.factors ? rule.factors(s, stage) : Bytes{};
}

PreconditionerTime preconditioner_time(const Work& s, int stage) {
    const OptimizerRule& rule = rule_of(s.recipe.optimizer);
    return rule.work ? rule.work(s, stage) : PreconditionerTime{};
}

Bytes checkpoint_by_matrix(const Work& s) {
    const OptimizerRule& rule = rule_of(s.recipe.optimizer);
    if (!rule.elements) return {};
    double elements = 0;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) elements += rule.elements(s, i);
    return matrix_element_bytes * s.layout.tensor_parallel * elements * byte;
}

double checkpoint_bytes_per_parameter(const Work& s) {
    const ParameterCounts all = grouped_parameters(s.model, s.method).trained;
    double mean = 0;
    all.by_value(checkpoint_bytes_per_parameter(s.recipe), [&](double bytes, const ParameterCounts& alike) {
        mean += bytes * (alike.total() / all.total());
    });
    return mean;
}

double checkpointed_parameters(const Work& s) {
    return trains_adapters(s.method) ? trained_parameters(s.model, s.method) : parameters(s.model);
}

Bytes checkpoint_bytes(const Work& s) {
    return checkpointed_parameters(s) * checkpoint_bytes_per_parameter(s) * byte + checkpoint_by_matrix(s);
}

}  // namespace plimsoll
