#include "core/evidence/published/contradicted.h"

#include "core/values/basics/text.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll {

namespace {

// BigScience states that runs of one layout on Jean Zay differ by up to 40 % with the traffic of other jobs, the most
// that a source states of itself.
constexpr double known_scatter = 1.4;

// Lists of modules as far as the model has them: what is computed again, and what leaves the device.
std::string modules_of(const Scenario& s) {
    std::string text;
    if (recomputes_by_module(s)) text += names_of_modules(s.layout.recompute_modules);
    text += ';';
    if (sends_by_module(s.model, s.layout.offload)) text += names_of_modules(s.layout.offload.modules);
    return text;
}

// What two runs have in common that do the same work in a slot.
auto work_of(const ScoredRow& r) {
    const Scenario& s = r.plan;
    const Layout& l = s.layout;
    return std::tuple(r.source, s.machine.id, s.stack.id, s.model.name, parameters(s.model), s.model.layers,
                      s.recipe.sequence_length, int(s.recipe.precision), int(s.recipe.fp8_recipe), l.tensor_parallel,
                      l.pipeline_parallel, l.context_parallel, l.expert_parallel, l.virtual_stages, int(l.recompute),
                      l.recompute_layers, modules_of(s), l.sequence_parallel,
                      l.devices > s.machine.devices_per_node, method_key(s.method));
}

double slots_of(const Scenario& s) { return micro_batches(s) + s.layout.pipeline_parallel - 1.0; }

// The longest that `of` can take, as the other was measured.
double bound(const ScoredRow& of, const ScoredRow& other) {
    const double tokens = double(of.plan.layout.micro_batch) / other.plan.layout.micro_batch;
    return other.measured * (1 + slots_of(of.plan) / slots_of(other.plan) * std::max(1.0, tokens));
}

}  // namespace

std::vector<std::string> contradicted_by(const std::vector<ScoredRow>& rows) {
    using Members = std::vector<std::size_t>;
    std::map<decltype(work_of(rows.front())), Members> alike;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty() || !rows[i].stalls.empty()) alike[work_of(rows[i])].push_back(i);
    std::vector<std::string> why(rows.size());
    for (const auto& [work, members] : alike)
        for (const std::size_t i : members) {
            const ScoredRow* strictest = nullptr;
            double least = 0;
            for (const std::size_t k : members) {
                if (k == i) continue;
                const double most = bound(rows[i], rows[k]);
                if (strictest && most >= least) continue;
                strictest = &rows[k];
                least = most;
            }
            if (strictest && rows[i].measured > known_scatter * least)
                why[i] = "took " + fixed(rows[i].measured / least, 1) + " times as long as it can by "
                       + strictest->id + ", which does the same work";
        }
    return why;
}

}  // namespace plimsoll
