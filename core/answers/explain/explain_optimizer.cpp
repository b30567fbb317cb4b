// Optimizers beyond Adam: what they keep and compute.
#include "core/answers/explain/explain_parts.h"

#include "core/values/basics/phrase.h"
#include "core/costs/optimizer/curvature.h"
#include "core/costs/optimizer/muon.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/values/plan/share.h"

namespace plimsoll {

namespace {

Term none(const char* label, const char* unit) { return derived(label, 0, unit, "the optimizer keeps no factors"); }

// An equal share of the stage's, unless one piece that has a single owner is more.
Term owned(const CurvatureShare& share, int stage, const char* what, double Curvature::*number, const char* formula) {
    return maximum(
        phrase("{1} on the busiest owner", phrase(what)), "",
        {quotient("Equal share", "", derived(what, share.stage.*number, "", formula), counted("Owners", share.owners)),
         derived("Largest piece with one owner", share.largest.*number, "",
                 "a matrix under K-FAC and SOAP, a tile under Shampoo")},
        phrase("stage {1} of one tensor rank", stage + 1));
}

Term every(const char* label, int steps) { return given(label, steps, "steps", by_user); }

Term inverses_term(const Scenario& s, int stage) {
    const FlopRate products = fp32_rates_of(s).gemm, unit = flop / second;
    return quotient(
        "Inverses, mean over the steps", "s",
        quotient("One inversion", "s",
                 owned(curvature_share(s, stage), stage, "FLOP", &Curvature::inverse_flop,
                       s.recipe.optimizer == Optimizer::soap ? "QR of every factor, 8/3 n^3"
                                                             : "n^3 per factor block; inverse fourth roots 11 n^3"),
                 product("Rate of inversions", "FLOP/s",
                         {derived("fp32 products", products / unit, "FLOP/s", "peak x ceiling x the stack's factor"),
                          given("Share reached", s.recipe.optimizer_options.inverse_rate_share, "", by_user)})),
        every("Inverted every", inversion_interval(s.recipe)));
}

Term products_term(const Scenario& s, int stage, const char* label, double Curvature::*number, const char* formula) {
    return quotient(label, "s", owned(curvature_share(s, stage), stage, "FLOP", number, formula),
                    derived("Rate of fp32 products", application_rate(s) / (flop / second), "FLOP/s",
                            "of blocks against a matrix as wide as the model"));
}

// Of the tokens of a step, kind by kind.
Term factors_term(const Scenario& s, int stage) {
    const LayerCounts counts = blocks_of_stage(s, stage);
    const Layers kinds(s.model);
    std::vector<Term> each;
    for (Kind k = 0; k < kinds.kinds(); ++k)
        if (counts[k] > 0)
            each.push_back(product(layers_in_words(kinds[k], kinds), "s",
                                   {counted("Layers on the stage", counts[k]),
                                    derived("One layer", layer_statistics_time(s, kinds[k]) / second, "s",
                                            "2 tokens k^2 FLOP per block, as products of k x tokens x k")}));
    return product("Factors of a step's tokens", "s",
                   {counted("Micro-batches per step", micro_batches(s)),
                    sum("Layers of the stage", "s", std::move(each))});
}

Term statistics_term(const Scenario& s, int stage) {
    Term once = s.recipe.optimizer == Optimizer::kfac
                  ? factors_term(s, stage)
                  : products_term(s, stage, "Factors of the reduced gradient", &Curvature::statistics_flop,
                                  s.recipe.optimizer == Optimizer::soap
                                      ? "G G^T and G^T G of every matrix, and 2 n^3 before every QR"
                                      : "G G^T and G^T G of every tile");
    return quotient("Statistics, mean over the steps", "s", std::move(once),
                    every("Updated every", statistics_interval(s.recipe)));
}

// ---- Muon

Term share_of(const char* label, const Orthogonalised& set, int owners) {
    return quotient(label, "s",
                    derived("All matrices of the rank", set.time / second, "s",
                            phrase("{1} parameters; a matrix of m x n takes 4 m^2 n + 2 m^3 FLOP an iteration, with "
                                   "symmetric products 3 m^2 n + m^3, in three bf16 products",
                                   (long long)(set.parameters))),
                    counted("Ranks that share the work", owners));
}

Term muon_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.step.heaviest_stage;
    const MuonShare share = muon_share(Work(s), stage);
    std::vector<Term> sets{share_of("Matrices of all tokens", share.common, share.owners)};
    if (share.experts.parameters > 0) sets.push_back(share_of("Experts", share.experts, share.expert_owners));
    Term each = sum("Equal share", "s", std::move(sets));
    Term longest = derived("Longest matrix", share.longest() / second, "s", "one rank computes the whole of it");
    std::vector<Term> both{std::move(each), std::move(longest)};
    Term busiest = share.whole ? sum("Matrices that the rank owns slices of", "s", std::move(both))
                               : maximum("Busiest rank", "s", std::move(both));
    return at_speed(p, stage, std::move(busiest));
}

Term muon_exchange(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.step.heaviest_stage;
    const Work w(s);
    const MuonTraffic t = muon_traffic(w, muon_share(w, stage), stage);
    const char* formula = "momenta in bf16, or new weights, as the matrices are spread; sums among tensor ranks";
    return sum("Preconditioner's exchange", "s",
               {derived("Matrices of all tokens", t.common / second, "s", formula),
                derived("Experts", t.experts / second, "s", formula)});
}

}  // namespace

Term explain_optimizer_memory(const Scenario& s, int stage, Term by_parameter) {
    if (kept_by(s.recipe.optimizer).by_matrix != MatrixState::sums) {
        by_parameter.label = "Optimizer state";
        return by_parameter;
    }
    const int shards = s.layout.shards();
    return sum(
        "Optimizer state", "B",
        {std::move(by_parameter),
         quotient("By matrix", "B",
                  product("Of one tensor rank", "B",
                          {derived("Elements", adafactor_elements(s, stage), "",
                                   "rows + columns of every matrix, all of every vector (Shazeer and Stern 2018)"),
                           derived("Bytes of an element", matrix_element_bytes, "B", "fp32")}),
                  counted("Ranks that share them (ZeRO)", shards))});
}

Term explain_preconditioner_memory(const Scenario& s, int stage) {
    if (kept_by(s.recipe.optimizer).by_matrix != MatrixState::factors) return none("Preconditioner", "B");
    return sum(
        "Preconditioner", "B",
        {product("Factors and inverses", "B",
                 {derived(s.recipe.optimizer == Optimizer::soap ? "Factors and their eigenvectors"
                                                                 : "Factors and their inverses",
                          2, "", "both kept"),
                  derived("Bytes of an element", matrix_element_bytes, "B", "fp32"),
                  owned(curvature_share(s, stage), stage, "Elements", &Curvature::elements,
                        "k^2 per factor block, of whole matrices m^2 + n^2")}),
         derived("Statistics not yet reduced", unreduced_statistics(s, stage) / byte, "B",
                 "K-FAC adds up factors on every rank: the stage's over several micro-batches, else one layer's")});
}

Term explain_preconditioner(const StepParts& p) {
    const Scenario& s = p.scenario;
    if (s.recipe.optimizer == Optimizer::muon)
        return sum("Preconditioner", "s", {muon_term(p)}, "Newton-Schulz iterations on the momentum of every matrix");
    if (kept_by(s.recipe.optimizer).by_matrix != MatrixState::factors) return none("Preconditioner", "s");
    const int stage = p.step.heaviest_stage;
    return sum("Preconditioner", "s",
               {at_speed(p, stage, statistics_term(s, stage)), at_speed(p, stage, inverses_term(s, stage)),
                at_speed(p, stage,
                         s.recipe.optimizer == Optimizer::soap
                             ? products_term(s, stage, "Gradients into the basis, updates back", &Curvature::apply_flop,
                                             "2 (2 m^2 n + 2 m n^2) every step, and the same before every QR")
                             : products_term(s, stage, "Inverses times gradients", &Curvature::apply_flop,
                                             "2 k_in^2 d_out + 2 k_out^2 d_in summed over blocks, every step"))},
               "the stage that holds most parameters; mean over the steps between two inversions");
}

Term explain_preconditioner_exchange(const StepParts& p) {
    const Scenario& s = p.scenario;
    if (s.recipe.optimizer == Optimizer::muon) return muon_exchange(p);
    const int stage = p.step.heaviest_stage;
    const double once = p.step.preconditioner.factor_reduction / second * statistics_interval(s.recipe);
    std::vector<Term> parts;
    if (factor_payload(s, stage) > Bytes{})
        parts.push_back(
            quotient("Factors onto their owners, mean over the steps", "s",
                     derived(phrase("One reduction of {1} B", (long long)(factor_payload(s, stage) / byte)),
                             once, "s", "packed fp32 triangles, reduce-scatter (Osawa et al. 2019)"),
                     every("Updated every", statistics_interval(s.recipe))));
    if (const Bytes directions = direction_payload(s, stage); directions > Bytes{})
        parts.push_back(explain_transfer(s, data_span(s, stage), directions, Collective::all_gather, {},
                                         "Multiplied gradients to all replicas"));
    return sum("Preconditioner's exchange", "s", std::move(parts));
}

}  // namespace plimsoll
