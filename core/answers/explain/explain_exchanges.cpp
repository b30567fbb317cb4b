// What the ranks that share a layer exchange: matrices, sequences, experts.
#include "core/answers/explain/explain_parts.h"

#include "core/values/basics/phrase.h"
#include "core/costs/kernels/context.h"
#include "core/costs/kernels/exchange.h"
#include "core/costs/kernels/indexer.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/recurrence.h"
#include "core/costs/kernels/tensor.h"
#include "core/values/plan/share.h"

#include <algorithm>

namespace plimsoll {

// ---- Tensor parallelism

namespace {

const StageTime& busiest(const StepParts& p) { return p.stages[p.step.busiest_stage]; }

Term exchanged(const Scenario& s, const Span& span, Bytes payload, Collective what, const std::string& label) {
    return explain_transfer(s, span, payload, what, coding_of(s, Traffic::tensor), label);
}

Term exposed_share(const Scenario& s) {
    return given("Exposed share", s.stack.tensor.exposed, "", source_of(s.stack, "/tensor_exposed"));
}

Term with_crossing(const Scenario& s, Collective what, const std::string& label) {
    Term one = exchanged(s, tensor_span(s), tensor_payload(s), what, label);
    const Seconds crossing = tensor_crossing(s);
    if (crossing <= Seconds{}) return one;
    return sum(phrase("{1}, between nodes", phrase(label)), "s",
               {std::move(one), stack_value(s, "Crossing nodes, all ranks", crossing / second, "s",
                                            "tensor_crossing_us")});
}

Term line_micro_batch(const StepParts& p) {
    const Scenario& s = p.scenario;
    const double exposed_one = tensor_pair(s).time() * s.stack.tensor.exposed / second;
    const double count = exposed_one > 0 ? busiest(p).micro.tensor_parallel / second / exposed_one : 0;
    if (!s.layout.sequence_parallel)
        return product("One micro-batch", "s",
                       {derived("All-reduces", count, "",
                                "per layer two forward, two backward, two more when recomputed; one at each end"),
                        with_crossing(s, Collective::all_reduce, "One all-reduce of the activation")});
    return product(
        "One micro-batch", "s",
        {derived("Gathers and scatters, in pairs", count, "",
                 "per layer two pairs forward, two backward, two more when recomputed, and what gathering inputs again "
                 "adds; half a pair forward and backward at each end"),
         sum("One pair", "s",
             {with_crossing(s, Collective::all_gather, "Gather of the activation"),
              with_crossing(s, Collective::reduce_scatter, "Scatter of the activation")})});
}

Term gathers(const Scenario& s, const Gemm& g) {
    const GridPayload p = grid_payload(s, g);
    return sum(
        g.label, "s",
        {exchanged(s, Work(s).grid_rows(), p.inputs, Collective::all_gather, "Blocks of the input along a row"),
         exchanged(s, Work(s).grid_columns(), p.weights, Collective::all_gather,
                   "Blocks of the weights down a column")});
}

Term layer_gathers(const Scenario& s) {
    std::vector<Term> terms;
    for (const Gemm& g : layer_gemms(s, first_layer(s))) terms.push_back(gathers(s, g));
    return sum("Gathers of one layer", "s", std::move(terms));
}

Term depth_reductions(const Scenario& s) {
    std::vector<Term> terms;
    for (const Gemm& g : layer_gemms(s, first_layer(s)))
        terms.push_back(exchanged(s, Work(s).grid_depths(), grid_payload(s, g).block, Collective::all_reduce,
                                  std::string("Weight gradients over the depth: ") + g.label));
    return sum("Over the depth", "s", std::move(terms));
}

Term grid_ends(const Scenario& s, int stage) {
    std::vector<Term> terms;
    if (holds_embedding(s, stage))
        terms.push_back(exchanged(s, Work(s).grid_columns(), grid_embedding_payload(s), Collective::all_reduce,
                                  "Embedding, added up down a column"));
    if (holds_head(s, stage)) {
        const Gemm head = head_gemms(s)[0];
        terms.push_back(
            product("LM head, three passes", "s", {counted("Passes", GridTime::gathering_passes), gathers(s, head)}));
        terms.push_back(exchanged(s, Work(s).grid_depths(), grid_payload(s, head).block, Collective::all_reduce,
                                  "LM head, weight gradient over the depth"));
    }
    if (terms.empty()) terms.push_back(derived("The busiest stage holds neither end", 0, "s", "pipeline layout"));
    return sum("Ends", "s", std::move(terms));
}

Term grid_micro_batch(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.step.busiest_stage;
    const double layers = layers_of_stage(s, stage), exposed = s.stack.tensor.exposed;
    Term gathered = layer_gathers(s), reduced = depth_reductions(s), ends = grid_ends(s, stage);
    // Forward, both gradients, and what is recomputed: all gather alike.
    const double one = exposed > 0 ? busiest(p).micro.tensor_parallel / second / exposed : 0;
    const double of_layer = (one - ends.value) / std::max(1.0, layers);
    const double passes = gathered.value > 0 ? (of_layer - reduced.value) / gathered.value : 0;
    return sum(
        "One micro-batch", "s",
        {product("Layers", "s",
                 {counted("Layers on the stage", layers),
                  sum("One layer", "s",
                      {product("Passes", "s",
                               {counted("Forward, two gradients, recomputed ones", passes), std::move(gathered)}),
                       std::move(reduced)},
                      "SUMMA: Xu et al. 2021, Wang et al. 2021")}),
         std::move(ends)});
}

}  // namespace

Term explain_tensor(const StepParts& p) {
    const Scenario& s = p.scenario;
    return product("Tensor-parallel wait", "s", {counted("Micro-batches per step", micro_batches(s)), exposed_share(s),
                                                 s.layout.on_grid() ? grid_micro_batch(p) : line_micro_batch(p)});
}

// ---- Context parallelism

namespace {

Term ring_step_term(const std::string& label, const RingStep& step, const char* payload) {
    return sum(label, "s",
               {derived("Latency", step.latency / second, "s", "of the outermost level of the ring; nothing hides it"),
                difference("Transfer beyond the block's attention", "s",
                           derived("Transfer", step.transfer / second, "s",
                                   phrase("{1} over the achieved rate of the outermost level", phrase(payload))),
                           derived("Hidden behind the attention of a block", step.hidden() / second, "s",
                                   "at most 1/c of the attention core"))});
}

Term ring_pass(const char* label, int steps, const RingStep& step, const char* payload) {
    return product(label, "s", {counted("Ring steps", steps), ring_step_term("One step", step, payload)});
}

// Forward and backward pass of one layer.
std::pair<Term, Term> ring_terms(const StepParts& p, const LayerKind& kind) {
    const Rates r = rates_of(p.scenario);
    const RingPasses ring = ring_passes(p.scenario, kind, attention_forward(p.scenario, kind, r).total(),
                                        attention_backward(p.scenario, kind, r).total());
    Term forward = ring_pass("Keys and values round the ring", ring.steps, ring.forward, "2 b s/c kv elements");
    Term backward = sum("Keys, values and their gradients round the ring", "s",
        {ring_pass("Ring, backward", ring.steps, ring.backward, "4 b s/c kv elements"),
         ring_step_term("Gradients come home", ring.home, "2 b s/c kv elements")});
    return {std::move(forward), std::move(backward)};
}

Term exchanges(const UlyssesPass& pass, const char* label) {
    const auto all = [&](const char* what, Seconds one) {
        return product(what, "s", {counted("Exchanges", pass.exchanges), derived("All-to-all", one / second, "s",
            "(c-1)/c of b s/c width elements to the other ranks, the slowest level counts")});
    };
    return sum(label, "s", {all("Queries and output", pass.queries), all("Keys and values", pass.keys)});
}

std::pair<Term, Term> ulysses_terms(const StepParts& p, const LayerKind& kind) {
    const UlyssesPass pass = ulysses_pass(p.scenario, kind);
    return {exchanges(pass, "Forward"), exchanges(pass, "Backward")};
}

std::pair<Term, Term> gather_terms(const StepParts& p, const LayerKind& kind) {
    const GatherPasses passes = gather_passes(p.scenario, kind);
    const auto gather = [&] {
        return derived("All-gather of keys and values", passes.gather / second, "s",
                       "2 b s kv elements of all ranks; nothing hides it");
    };
    return {gather(), sum("Keys and values again, and their gradients", "s",
                          {gather(), derived("Reduce-scatter of their gradients", passes.scatter / second, "s",
                                             "2 b s kv elements of all ranks")})};
}

std::pair<Term, Term> ulysses_ring_terms(const StepParts& p, const LayerKind& kind) {
    auto [heads, heads_back] = ulysses_terms(p, kind);
    if (p.scenario.layout.ring_ranks() == 1) return {std::move(heads), std::move(heads_back)};
    auto [ring, ring_back] = ring_terms(p, kind);
    if (p.scenario.layout.head_ranks() == 1) return {std::move(ring), std::move(ring_back)};
    return {sum("Forward", "s", {std::move(heads), std::move(ring)}),
            sum("Backward", "s", {std::move(heads_back), std::move(ring_back)})};
}

Term state_exchange_term(const StepParts& p, const LayerKind& kind) {
    if (Work(p.scenario).in_order)
        return derived("All-gather of states", state_context_time(p.scenario, kind).forward / second, "s",
                       "4 bytes of n d_k d_v, and of delta rules n d_k d_k more, of every rank");
    return derived("All-to-all of the state's projections and output",
                   state_context_time(p.scenario, kind).forward / second, "s",
                   "(c-1)/c of b s/c width elements to the other ranks, the slowest level counts");
}

std::pair<Term, Term> chosen_keys_terms(const StepParts& p, const LayerKind& kind) {
    const ContextTime t = chosen_context_time(p.scenario, kind);
    return {derived("All-gather of keys to choose from", t.forward / second, "s", "latent keys, and the indexer's"),
            derived("Reduce-scatter of their gradients", t.backward / second, "s", "latent keys, and the indexer's")};
}

// Forward and backward pass of one layer: of attention, of a mixer with a state, or of both beside each other.
std::pair<Term, Term> mixer_exchange_terms(const StepParts& p, const LayerKind& kind) {
    const auto of_attention = [&] {
        if (sees_chosen_keys(p.scenario.model, kind)) return chosen_keys_terms(p, kind);
        switch (p.scenario.layout.context_mode) {
            case ContextMode::ring: return ring_terms(p, kind);
            case ContextMode::ulysses: return ulysses_terms(p, kind);
            case ContextMode::all_gather: return gather_terms(p, kind);
            case ContextMode::ulysses_ring: break;
        }
        return ulysses_ring_terms(p, kind);
    };
    if (!kind.recurs()) return of_attention();
    Term state = state_exchange_term(p, kind);
    if (!kind.attends()) return {state, state};
    auto [forward, backward] = of_attention();
    return {sum("Forward", "s", {std::move(forward), state}), sum("Backward", "s", {std::move(backward), state})};
}

const char* source_of_exchange(ContextMode mode) {
    switch (mode) {
        case ContextMode::ring: return "Liu et al. 2023";
        case ContextMode::ulysses: return "Jacobs et al. 2023";
        case ContextMode::all_gather: return "Llama 3 (2407.21783, section 3.3.2)";
        case ContextMode::ulysses_ring: break;
    }
    return "USP (2405.07719)";
}

}  // namespace

Term explain_context(const StepParts& p) {
    const Scenario& s = p.scenario;
    const std::string label = "Context-parallel wait";
    if (s.layout.context_parallel == 1) return derived(label, 0, "s", "no ranks share a sequence");
    const int stage = p.step.busiest_stage;
    const LayerCounts layers = blocks_of_stage(s, stage), repeating = repeating_layers(s, p.swap, stage);
    const Layers kinds(s.model);
    return per_layer(p, layers, label, "on the stage", [&](Kind k) {
        if (!kinds[k].mixes()) return derived("No mixer", 0, "s", "the model's kinds");
        auto [forward, backward] = mixer_exchange_terms(p, kinds[k]);
        // Recomputed layers exchange again, or the share of them a selective policy repeats.
        const Seconds once = p.layers[k].forward.context;
        const Seconds again = repeated_work(s, kinds[k], p.layers[k], p.swap).time().context;
        const double passes = once > Seconds{} ? 1 + double(repeating[k]) / layers[k] * (again / once) : 1;
        Term repeated =
            product("Forward passes", "s", {counted("Passes, recomputed ones included", passes), std::move(forward)});
        return sum("One layer", "s", {std::move(repeated), std::move(backward)},
                   source_of_exchange(s.layout.context_mode));
    });
}

// ---- Experts

namespace {

const char* copies_formula(const Scenario& s) {
    switch (s.stack.experts.dispatch) {
        case Dispatch::per_expert: return "one per expert that lies beyond this level";
        case Dispatch::per_node:
            return "between nodes one for each node visited, G (1 - (1 - 1/G)^k) (G-1)/G expected; inside a node one "
                   "per expert";
        case Dispatch::per_rank:
            return "between nodes one for each node visited, G (1 - (1 - 1/G)^k) (G-1)/G expected; inside a node one "
                   "for each of e ranks visited, e (1 - (1 - 1/e)^k), that lies beyond this level";
    }
    return "";
}

std::string exchange_key(const Hop& hop) {
    return std::string("/levels/").append(std::to_string(hop.level)).append("/exchange_factor");
}

Term over_level(const Scenario& s, const Span& span, int i) {
    const Hop& hop = span.hop[i];
    const ExchangeLevel level = exchange_level(s, span, i);
    return quotient(phrase("Over {1}", network_name(s.machine, hop)), "s",
                    product("Bytes of the busiest rank", "B",
                            {derived("Own tokens once", routed_payload(s) / byte, "B",
                                     "tokens x width of an exchanged token x bytes, times capacity or imbalance"),
                             derived("Copies of a token", level.copies, "", copies_formula(s))}),
                    product("Achieved rate", "B/s",
                            {explain_rate(s.machine, hop, level.bytes),
                             given("Tokens to experts over an all-reduce", hop.exchange, "",
                                   source_of(s.machine, exchange_key(hop))),
                             stack_value(s, "All-to-all efficiency", s.stack.experts.exchange_efficiency, "",
                                         "experts/exchange_efficiency")}));
}

Term one_exchange(const Scenario& s) {
    const Span span = expert_span(s);
    const ExchangeTime t = expert_exchange(s);
    std::vector<Term> parts{derived("Latency", t.latency / second, "s",
                                    "exchange_start_us of the stack, and messages x latency of each level")};
    std::vector<Term> levels;
    for (int i = 0; i < span.hops; ++i) levels.push_back(over_level(s, span, i));
    if (!levels.empty()) parts.push_back(maximum("Slowest level", "s", std::move(levels)));
    if (s.layout.expert_tensor_parallel > 1)
        parts.push_back(explain_transfer(s, expert_slice_span(s), slices_payload(s), Collective::all_gather, {},
                                         "Tokens to all slices of an expert"));
    return sum("One all-to-all", "s", std::move(parts),
               phrase("dispatch or combine, among {1} ranks", span.size));
}

}  // namespace

namespace {

// What is waited for, and what the kernels of the hidden rest take from the work beside them.
Term exchange_share(const Scenario& s) {
    Term exposed =
        stack_value(s, "Exposed share", s.stack.experts.exchange_exposed, "", "experts/exchange_exposed");
    const double slows = exchange_slows(s), units = s.stack.experts.exchange_units;
    if (slows <= 0) return exposed;
    const double hidden = 1 - s.stack.experts.exchange_exposed;
    return sum("Share of the exchange that lengthens the step", "",
               {std::move(exposed),
                product("Slower work beside the rest", "",
                        {derived("Hidden share", hidden, "", "1 less the exposed share"),
                         quotient("Longer by", "", stack_value(s, "Units the exchange takes", units, "",
                                                               "experts/exchange_units"),
                                  derived("Units that are left", 1 - units, "", "1 less those taken"))})});
}

}  // namespace

namespace {

// Of passes side by side a share is left.
Term left_of_pairs(const Work& s) {
    const ExpertStack& e = s.stack.experts;
    const double units = e.exchange_units, taken = units / (1 - units);
    std::vector<Term> hidden{derived("Passes side by side", passes_side_by_side(s), "",
                                     "schedule: all but those before the first backward pass and after the last "
                                     "forward pass of a stage"),
                             difference("Hidden of these", "", counted("All", 1),
                                        stack_value(s, "Exposed share of passes side by side", e.paired_exposed, "",
                                                    "experts/paired_exposed"))};
    if (taken > 0) hidden.push_back(derived("Less what it takes from work beside it", 1 - taken, "",
                                            "1 less units the exchange takes over those that are left"));
    return difference("Left where passes run side by side", "", counted("All", 1),
                      product("Hidden", "", std::move(hidden)));
}

}  // namespace

Term explain_exchange(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int layers = Layers(s.model).with_experts(blocks_of_stage(s, p.step.busiest_stage));
    if (layers == 0) return derived("Expert all-to-all", 0, "s", "no layer of the busiest stage has experts");
    const double left = exchange_left(s), one = left * (exposed_exchange(s) / second),
                 all = p.stages[p.step.busiest_stage].micro.expert_exchange / second;
    std::vector<Term> factors{counted("Micro-batches per step", micro_batches(s)),
                    counted("Layers with experts on the stage", layers),
                    derived("All-to-alls per layer", one > 0 ? all / one / layers : 0, "",
                            "dispatch and combine, forward and backward; again where the forward pass is recomputed"),
                    exchange_share(s),
                    one_exchange(s)};
    if (schedule_kind(s.layout.schedule).pairs) factors.push_back(left_of_pairs(s));
    return product("Expert all-to-all", "s", std::move(factors));
}

Term explain_exchange_volume(const Scenario& s) {
    const Model& m = s.model;
    if (!has_experts(m)) return derived("Expert all-to-all per step", 0, "B", "a dense model");
    const ExchangeVolume v = exchange_volume_parts(s);
    return product("Expert all-to-all per step", "B",
                   {counted("All-to-alls per pass of a layer: dispatch and combine", exchanges_per_pass),
                    sum("Passes of layers with experts", "",
                        {counted("Forward and backward", v.passes), counted("Recomputed", v.repeated_passes)}),
                    counted("Tokens per step", v.tokens),
                    given("Experts per token", v.copies, "", source_of(m, "/experts/per_token")),
                    derived("Capacity factor", v.load, "", "1 without a capacity"),
                    derived("Share that leaves its rank", v.leaving(), "", "(e-1)/e"),
                    derived("Width of an exchanged token", v.width, "", "h, or r h in BigMac's order"),
                    derived("Bytes per element", v.element, "B", "precision recipe")},
                   "8 B s L h k (e-1)/e in 16 bit (BigMac, 2502.16927); one copy per expert, however sent");
}

}  // namespace plimsoll
