// Rows of the knob table: what second-order optimizers leave open.
#include "core/values/knobs/knob_rows.h"

namespace plimsoll::rows {
namespace {

constexpr auto options = &Recipe::optimizer_options;

std::string_view without_factors(const Scenario& s) {
    return preconditions(s.recipe.optimizer) ? "" : "the optimizer keeps no factors";
}

}  // namespace

void add_optimizer(Table& t) {
    t.push_back(idle_if(without_factors, count<recipe, options, &OptimizerOptions::block_size>(
        "recipe.optimizer_options.block_size", "Factor block", "rows", {0, 1 << 20, true},
        "K-FAC and Shampoo: widest factor, k; wider sides are cut into diagonal blocks, 0 cuts nothing. "
        "Distributed Shampoo: max_preconditioner_dim")));
    t.push_back(idle_if(without_factors, count<recipe, options, &OptimizerOptions::update_interval>(
        "recipe.optimizer_options.update_interval", "Factor update every", "steps", {1, 1e6, true},
        "K-FAC and Shampoo: steps between two updates of the factors. kfac-pytorch: factor_update_steps")));
    t.push_back(idle_if(without_factors, count<recipe, options, &OptimizerOptions::inverse_interval>(
        "recipe.optimizer_options.inverse_interval", "Inversion every", "steps", {1, 1e6, true},
        "K-FAC and Shampoo: steps between two inversions, a multiple of the factor update. kfac-pytorch: "
        "inv_update_steps; Distributed Shampoo: precondition_frequency")));
    t.push_back(idle_if(without_factors, real<one, recipe, options, &OptimizerOptions::inverse_rate_share>(
        "recipe.optimizer_options.inverse_rate_share", "Rate of inversions", "", {0.001, 1},
        "K-FAC and Shampoo: share of the fp32 product rate that inversions and roots reach. Estimated: time "
        "torch.linalg.cholesky or eigh on one block to know it")));
    t.push_back(real<one, recipe, options, &OptimizerOptions::iteration_reduction>(
        "recipe.optimizer_options.iteration_reduction", "Iteration reduction", "", {0.1, 100, true},
        "Steps a first-order optimizer takes over the steps this one takes to the same loss, as you measured it; "
        "1 claims nothing"));
}

}  // namespace plimsoll::rows
