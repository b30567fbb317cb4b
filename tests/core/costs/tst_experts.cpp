// Layers with experts: who holds and moves what, against counting it out.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/explain/explain.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/memory/memory.h"
#include "core/costs/kernels/exchange.h"
#include "core/costs/step/stage.h"
#include "core/values/knobs/knobs.h"
#include "core/values/plan/share.h"
#include "levels.h"
#include "scenarios.h"
#include "shipped.h"
#include "near.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

const Model& shipped_model(const char* id) { return library().models.at(id); }

Scenario mixture_on_selene(int tensor, int pipeline, int data, int experts) {
    Scenario s = gpt3_on_selene();
    s.model = small_mixture();
    s.layout = {};
    s.layout.tensor_parallel = tensor;
    s.layout.sequence_parallel = tensor > 1;
    s.layout.pipeline_parallel = pipeline;
    s.layout.data_parallel = data;
    s.layout.devices = tensor * pipeline * data;
    s.layout.expert_parallel = experts;
    s.layout.zero_stage = 1;
    s.recipe.global_batch_sequences = data * pipeline * 4;
    s.stack.kernels.attention = Attention::flash;
    return s;
}

// 32 GPUs on PCIe and 100 Gb/s InfiniBand, as in the BigMac paper. Which GPUs and how many share a port it does not
// say: a port each, A100s, one sequence at a time; the fitted efficiency takes up the difference.
Scenario bigmac(int top_k, ExpertOrder order, double efficiency) {
    Scenario s = mixture_on_selene(1, 1, 32, 32);
    s.model = shipped_model("deepseekmoe-gpt-3.7b");
    s.model.experts.top_k = top_k;
    s.model.experts.order = order;
    s.machine.nodes = 4;
    s.machine.levels = {testing::level("node", 8, 25 * gigabyte / second, 0.8, 5 * microsecond, "PCIe 4"),
                        testing::level("system", 32, 12.5 * gigabyte / second, 0.8, 5 * microsecond, "InfiniBand")};
    s.recipe.global_batch_sequences = 256;
    s.stack.experts.exchange_efficiency = efficiency;
    return s;
}

double exchange_share(const Scenario& s) {
    const Outcome o = estimate(s);
    return o ? o->step.expert_exchange / o->step.total() : -1;
}

// The largest distance, in points, from the shares the paper measured.
double worst_share(double efficiency) {
    double worst = 0;
    for (const auto& [k, share] : {std::pair{1, 59.9}, {2, 71.3}, {4, 84.1}, {6, 89.1}, {8, 91.8}})
        worst = std::max(worst, std::abs(100 * exchange_share(bigmac(k, ExpertOrder::cdac, efficiency)) - share));
    return worst;
}

double fitted_efficiency() {
    double best = 1;
    for (double e = 1; e > 0.05; e *= 0.98)
        if (worst_share(e) < worst_share(best)) best = e;
    return best;
}

// Other groups that k draws over `groups` hit, averaged over every outcome.
double enumerated_visits(int groups, int draws) {
    const int outcomes = int(std::pow(groups, draws) + 0.5);
    double sum = 0;
    for (int i = 0; i < outcomes; ++i) {
        std::set<int> hit;
        for (int d = 0, code = i; d < draws; ++d, code /= groups) hit.insert(code % groups);
        sum += double(hit.size() - hit.count(0));   // the sender's own is group 0
    }
    return sum / outcomes;
}

}  // namespace

class ExpertsTest : public QObject {
    Q_OBJECT

private slots:
    void copies_to_nodes_are_the_enumerated_ones_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("top_k");
        for (const auto& [g, k] : {std::pair{2, 1}, {2, 4}, {4, 2}, {4, 4}, {8, 1}, {8, 4}})
            QTest::newRow(qPrintable(QString("%1 of the experts over %2 nodes").arg(k).arg(g))) << g << k;
    }
    void copies_to_nodes_are_the_enumerated_ones() {
        QFETCH(int, nodes);
        QFETCH(int, top_k);
        Scenario s = mixture_on_selene(1, 1, 8 * nodes, 8 * nodes);
        s.model.experts.count = 64;
        s.model.experts.top_k = top_k;
        s.stack.experts.dispatch = Dispatch::per_node;
        const Span span = expert_span(s);
        QCOMPARE(span.hops, 2);
        QVERIFY(off(copies_across(s, span, 1), enumerated_visits(nodes, top_k)) < 1e-12);
        QCOMPARE(copies_across(s, span, 0), top_k * 7 / 8.0);
        s.stack.experts.dispatch = Dispatch::per_expert;
        QVERIFY(off(copies_across(s, span, 1), top_k * (nodes - 1.0) / nodes) < 1e-12);
        QVERIFY(copies_across(s, span, 1) >= enumerated_visits(nodes, top_k) * (1 - 1e-12));
    }

    // Two experts on the same rank share a copy there.
    void copies_to_ranks_are_the_enumerated_ones() {
        Scenario s = mixture_on_selene(1, 1, 8, 8);
        s.model.experts.count = 64;
        s.model.experts.top_k = 4;
        s.stack.experts.dispatch = Dispatch::per_rank;
        QVERIFY(off(copies_across(s, expert_span(s), 0), enumerated_visits(8, 4)) < 1e-12);
        Scenario nodes = mixture_on_selene(1, 1, 32, 32);
        nodes.model.experts = s.model.experts;
        nodes.stack.experts.dispatch = Dispatch::per_rank;
        const double per_rank = copies_across(nodes, expert_span(nodes), 0);
        QVERIFY(off(copies_across(nodes, expert_span(nodes), 1), enumerated_visits(4, 4)) < 1e-12);
        nodes.stack.experts.dispatch = Dispatch::per_node;
        QVERIFY(per_rank < copies_across(nodes, expert_span(nodes), 0));
    }

    void an_exchange_begins_with_what_the_software_needs() {
        Scenario s = mixture_on_selene(1, 1, 8, 8);
        const Seconds before = expert_exchange(s).total();
        s.stack.experts.exchange_start = 50 * microsecond;
        QVERIFY(off((expert_exchange(s).total() - before) / microsecond, 50) < 1e-9);
        s.layout.expert_parallel = 1;
        QCOMPARE(expert_exchange(s).total(), Seconds{});
    }

    void one_node_sends_to_all_but_itself() {
        Scenario s = mixture_on_selene(1, 1, 8, 8);
        const double expected = s.model.experts.top_k * 7 / 8.0;
        for (const Dispatch d : {Dispatch::per_expert, Dispatch::per_node}) {
            s.stack.experts.dispatch = d;
            QVERIFY(off(copies_across(s, expert_span(s), 0), expected) < 1e-12);
        }
        s.layout.expert_parallel = 1;
        QCOMPARE(expert_span(s).hops, 0);
        QCOMPARE(expert_exchange(s).total(), Seconds{});
    }

    // Mixtral's shape, expert parallel 8 to 4: the products of a rank once were 2.7 times slower for it.
    void fewer_experts_a_rank_change_the_products_little() {
        const auto products = [](int ranks) {
            const Scenario s = mixture_on_selene(1, 1, 16, ranks);
            return layer_time(s, expert_layer).forward.gemm / second;
        };
        QVERIFY(products(16) < products(8));
        for (const int ranks : {16, 8, 4, 2}) QVERIFY(off(products(ranks), products(ranks / 2)) < 0.4);
    }
    void one_expert_a_rank_is_an_ordinary_product_unless_the_software_groups_it() {
        Scenario s = mixture_on_selene(1, 1, 16, 16);
        s.model.experts.count = 16;
        const auto grouped = [&] {
            int found = 0;
            for (const Gemm& g : layer_gemms(s, expert_layer)) found += g.grouped;
            return found;
        };
        QCOMPARE(grouped(), 0);
        s.stack.experts.groups_one_expert = true;
        QVERIFY(grouped() > 0);
        s.stack.experts.groups_one_expert = false;
        s.model.experts.count = 32;
        QVERIFY(grouped() > 0);
    }
    void grouped_products_slow_down_smoothly_with_their_rows() {
        const Scenario s = mixture_on_selene(1, 1, 16, 16);
        const Rates r = rates_of(s);
        const auto rate = [&](double rows) {
            const Gemm g{"", "", rows, 4096, 4096, 8, 1, 1, true};
            return flop_of(g) / time_of(g, r).compute / r.gemm;
        };
        const Efficiency& e = s.machine.device.efficiency;
        for (double rows = 64; rows < 1e5; rows *= 2) {
            QVERIFY(rate(2 * rows) > rate(rows) && rate(2 * rows) < 2 * rate(rows));
            QVERIFY(off(rate(rows), e.grouped_gemm / (1 + e.grouped_half_rows / rows)
                                        / (1 + e.grouped_half_width / 4096)) < 1e-12);
        }
    }
    void a_grouped_weight_gradient_is_slower_by_a_factor() {
        const Scenario s = mixture_on_selene(1, 1, 16, 8);
        const Rates r = rates_of(s);
        const Gemm forward{"", "", 1000, 2048, 4096, 8, 1, 1, true};
        const double one = time_of(forward, r).compute / second;
        QVERIFY(off(time_of(data_gradient(forward), r).compute / second, one) < 1e-12);
        const double share = s.machine.device.efficiency.grouped_weight_gradient;
        QVERIFY(off(time_of(weight_gradient(forward), r).compute / second, one / share) < 1e-12);
    }

    void a_graph_takes_the_host_out_of_the_way() {
        const auto host = [](Graph graph, double exposed) {
            Scenario s = mixture_on_selene(1, 1, 16, 16);
            s.stack.experts.graph = graph;
            s.stack.experts.host_experts = 2 * millisecond;
            s.stack.experts.host_exchange = 1.5 * millisecond;
            s.stack.experts.exchange_exposed = exposed;
            return stage_times(s).front().host / second;
        };
        QVERIFY(host(Graph::router, 1) > host(Graph::none, 1));
        QVERIFY(host(Graph::attention_router, 1) < host(Graph::none, 1));
        QVERIFY(host(Graph::none, 0.3) > host(Graph::none, 1));
        // What a graph leaves is the software's: all of it is no graph at all.
        const auto left = [&](Graph graph, double ExpertStack::*leaves) {
            Scenario s = mixture_on_selene(1, 1, 16, 16);
            s.stack.experts.graph = graph;
            s.stack.experts.host_experts = 2 * millisecond;
            s.stack.experts.exchange_exposed = s.stack.experts.*leaves = 1;
            return stage_times(s).front().host / second;
        };
        QCOMPARE(left(Graph::router, &ExpertStack::router_graph_leaves), host(Graph::none, 1));
        QCOMPARE(left(Graph::attention_router, &ExpertStack::attention_graph_leaves), host(Graph::none, 1));
        // Slow hosts take longer for all of it.
        Scenario slow = mixture_on_selene(1, 1, 16, 16);
        const double usual = stage_times(slow).front().host / second;
        slow.machine.host.issue_factor = 1.5;
        QVERIFY(off(stage_times(slow).front().host / second, 1.5 * usual) < 1e-12);
        // Latent attention issues more, unless a graph does it.
        Scenario latent = mixture_on_selene(1, 1, 16, 16);
        QVERIFY(has_latent_attention(latent.model));
        latent.stack.experts.host_latent = 1 * millisecond;
        QVERIFY(stage_times(latent).front().host / second > usual);
        Scenario plain = latent;
        plain.model.latent = {};
        const double without = stage_times(plain).front().host / second;
        plain.stack.experts.host_latent = {};
        QCOMPARE(stage_times(plain).front().host / second, without);
        latent.stack.experts.graph = Graph::whole_step;
        const double replayed = stage_times(latent).front().host / second;
        latent.stack.experts.host_latent = {};
        QCOMPARE(stage_times(latent).front().host / second, replayed);
        // One dense layer is left.
        const Scenario s = mixture_on_selene(1, 1, 16, 16);
        QVERIFY(off(host(Graph::whole_step, 0.3), 3 * (s.stack.host.layer / second)) < 1e-12);
    }

    // The host reads how many tokens go to each rank, and issues the gathers of the next layer only then.
    void gathers_wait_for_the_counts_of_tokens() {
        const auto step = [](Dispatch dispatch, double capacity, double host) {
            Scenario s = mixture_on_selene(1, 1, 64, 8);
            s.layout.zero_stage = 3;
            s.stack.sharding.gather_overlap_tax = 0.2;
            s.stack.experts.dispatch = dispatch;
            s.stack.experts.host_experts = host * millisecond;
            s.stack.experts.exchange_exposed = 0;
            s.model.experts.capacity = capacity;
            return estimate(s)->step.shard_gather / second;
        };
        QVERIFY(step(Dispatch::per_expert, 0, 1) > 1.2 * step(Dispatch::per_rank, 0, 1));
        QVERIFY(off(step(Dispatch::per_expert, 1, 1), step(Dispatch::per_rank, 1, 1)) < 1e-9);   // counts are fixed
        QVERIFY(off(step(Dispatch::per_expert, 0, 0), step(Dispatch::per_rank, 0, 0)) < 1e-9);   // compiled as a whole
    }

    void a_limit_on_nodes_caps_the_copies() {
        Scenario s = mixture_on_selene(1, 1, 64, 64);
        s.model.experts.count = 64;
        s.model.experts.top_k = 8;
        s.stack.experts.dispatch = Dispatch::per_node;
        const double free = copies_across(s, expert_span(s), 1);
        s.model.experts.node_limit = 4;
        QCOMPARE(copies_across(s, expert_span(s), 1), 4 * 7 / 8.0);
        QVERIFY(free > 4 * 7 / 8.0);
    }

    // 38
    void bigmac_moves_the_printed_bytes() {
        const auto gib = [](ExpertOrder order) { return estimate(bigmac(8, order, 1))->exchange_volume / gibibyte; };
        QVERIFY(off(gib(ExpertOrder::cdac), 1488) < 1e-12);
        QVERIFY(off(gib(ExpertOrder::dcca), 372) < 1e-12);
        const Scenario s = bigmac(8, ExpertOrder::cdac, 1);
        QVERIFY(off(explain(s, "expert_exchange.bytes")->value, estimate(s)->exchange_volume / byte) < 1e-12);
        QVERIFY(off(explain(s, "expert_exchange.share")->value, exchange_share(s)) < 1e-9);
    }

    void bigmac_shares_and_speedup_follow_from_one_fitted_bandwidth() {
        const double efficiency = fitted_efficiency();
        QVERIFY2(worst_share(efficiency) < 5,
                 qPrintable(QString("%1 points at %2").arg(worst_share(efficiency)).arg(efficiency)));
        const auto seconds = [&](ExpertOrder order) { return estimate(bigmac(8, order, efficiency))->step.total(); };
        const double speedup = seconds(ExpertOrder::cdac) / seconds(ExpertOrder::dcca);
        QVERIFY2(speedup > 2.4 && speedup < 3.1, qPrintable(QString::number(speedup)));
    }

    void layers_are_found_one_by_one() {
        for (const int first : {0, 1, 3, 7})
            for (const int every : {1, 2, 3})
                for (const auto& [p, v] : {std::pair{1, 1}, {4, 1}, {4, 3}, {6, 2}}) {
                    Scenario s = mixture_on_selene(1, p, 1, 1);
                    s.layout.virtual_stages = v;
                    s.model.experts.dense_layers = first;
                    s.model.experts.every = every;
                    const Work work(s);
                    const Kind experts = Layers(s.model).kinds() - 1;
                    int layer = 0;
                    std::vector<LayerCounts> stages(p);
                    for (int chunk = 0; chunk < v; ++chunk)
                        for (int stage = 0; stage < p; ++stage) {
                            LayerCounts slow;
                            for (int i = 0; i < layers_of_chunk(s, stage, chunk); ++i, ++layer)
                                ++slow[layer >= first && layer % every == 0 ? experts : 0];
                            QCOMPARE(work.chunk(stage, chunk).layers, slow);
                            stages[stage] += slow;
                        }
                    QCOMPARE(layer, s.model.layers);
                    for (int stage = 0; stage < p; ++stage) QCOMPARE(work.stage(stage).layers, stages[stage]);
                }
    }

    void all_ranks_together_hold_the_model() {
        for (const auto& [t, p, d, e, slices] :
             {std::tuple{1, 1, 8, 8, 1}, {2, 4, 4, 8, 1}, {2, 4, 4, 4, 2}, {8, 2, 2, 16, 1}}) {
            Scenario s = mixture_on_selene(t, p, d, e);
            s.layout.expert_tensor_parallel = slices;
            s.model.vocabulary_padding = 1;
            QCOMPARE(check(s).size(), std::size_t(0));
            double common = 0, routed = 0;
            for (int i = 0; i < p; ++i) {
                const ParameterCounts own = stage_parameters(s, i).all;
                common += own.common() * t;
                routed += own.routed() * e * slices;
            }
            const double experts = Layers(s.model).with_experts() * s.model.experts.count * expert_parameters(s.model);
            QVERIFY(off(routed, experts) < 1e-12);
            // The final norm is not counted on a stage.
            QVERIFY(off(common + routed + s.model.hidden, parameters(s.model)) < 1e-12);
        }
    }

    void experts_are_sharded_over_their_own_replicas() {
        // 8 ranks, two copies of every expert: half of the optimizer state of 16 / 4 experts each.
        const Scenario s = mixture_on_selene(1, 1, 8, 4);
        const ParameterCounts own = stage_parameters(s, 0).trained;
        const StateBytes bytes = state_bytes(s.recipe);
        const MemoryUse m = stage_memory(s, 0);
        QCOMPARE(s.layout.expert_data(), 2);
        QVERIFY(off(m.weights / byte, bytes.weights * own.total()) < 1e-12);
        const double shared = own.common() / 8 + own.routed() / 2;
        QVERIFY(off(m.optimizer / byte, bytes.optimizer[ParameterGroup::routed] * shared) < 1e-12);
        // As many experts a rank as ranks allow: nothing of theirs is left to reduce.
        Scenario whole = s;
        whole.layout.expert_parallel = 8;
        QVERIFY(estimate(whole)->step.data_parallel < estimate(s)->step.data_parallel);
        QVERIFY(estimate(whole)->worst().optimizer == m.optimizer);
    }

    // The width of a published shape, which is said to have fewer than the formula counts, turned down.
    void no_model_has_fewer_parameters_than_none() {
        for (Model m : {small_gated(), mixture_on_selene(8, 2, 8, 1).model}) {
            m.extra_parameters = -1e9;
            m.hidden = m.heads;
            QVERIFY(active_parameters(m) > 0);
            QVERIFY(parameters(m) >= active_parameters(m));
        }
    }

    void one_expert_for_all_is_a_dense_layer() {
        Scenario dense = mixture_on_selene(1, 1, 8, 1);
        dense.model = small_gated();
        Scenario one = dense;
        one.model.experts.count = 1;
        one.model.experts.ffn = one.model.ffn;
        for (Scenario* s : {&dense, &one}) {
            Efficiency& e = s->machine.device.efficiency;
            e.grouped_gemm = e.grouped_weight_gradient = 1;
            e.grouped_half_rows = e.grouped_half_width = e.gemm_half_depth = e.gemm_half_area = 0;
        }
        QCOMPARE(parameters(one.model), parameters(dense.model) + one.model.layers * one.model.hidden);
        QCOMPARE(active_parameters(one.model), parameters(one.model));
        QCOMPARE(model_flop(one.model, 8, 2048, 32000), model_flop(dense.model, 8, 2048, 32000));
        const LayerTime a = layer_time(dense, dense_layer), b = layer_time(one, expert_layer);
        QVERIFY(b.forward.gemm > a.forward.gemm && off(b.forward.gemm / second, a.forward.gemm / second) < 0.05);
        QCOMPARE(b.forward.exchange, Seconds{});
        QVERIFY(estimate(one)->step.total() > estimate(dense)->step.total());
    }

    void imbalance_and_capacity_move_the_slowest_rank_only() {
        const Scenario even = mixture_on_selene(1, 1, 16, 16);
        Scenario skewed = even, capped = even;
        skewed.model.experts.imbalance = 1.5;
        capped.model.experts.capacity = 1.5;
        QVERIFY(estimate(skewed)->step.gemm > estimate(even)->step.gemm);
        QVERIFY(estimate(skewed)->step.expert_exchange > estimate(even)->step.expert_exchange);
        QCOMPARE(estimate(skewed)->step.total(), estimate(capped)->step.total());
        QCOMPARE(estimate(skewed)->exchange_volume, estimate(even)->exchange_volume);
        QVERIFY(off(estimate(capped)->exchange_volume / byte, 1.5 * (estimate(even)->exchange_volume / byte)) < 1e-12);
        QCOMPARE(estimate(skewed)->model_flop, estimate(even)->model_flop);
        QVERIFY(estimate(skewed)->worst().activations > estimate(even)->worst().activations);
    }

    void a_capacity_without_padding_only_drops_data() {
        QTest::addColumn<double>("capacity");
        QTest::addColumn<double>("load");
        QTest::addColumn<double>("exchanged");
        QTest::newRow("above what comes: nothing is dropped") << 2.0 << 1.5 << 1.0;
        QTest::newRow("between the mean and the busiest rank") << 1.25 << 1.25 << 1.0;
        QTest::newRow("below the mean: all ranks drop tokens") << 0.75 << 0.75 << 0.75;
    }
    void a_capacity_without_padding_only_drops() {
        QFETCH(double, capacity);
        QFETCH(double, load);
        QFETCH(double, exchanged);
        Scenario s = mixture_on_selene(1, 1, 16, 16);
        const Scenario even = s;
        s.model.experts.imbalance = 1.5;
        s.model.experts.capacity = capacity;
        s.model.experts.pads = false;
        QCOMPARE(routed_rows(s), load * routed_rows(even));
        QVERIFY(off(estimate(s)->exchange_volume / byte, exchanged * (estimate(even)->exchange_volume / byte)) < 1e-12);
        s.model.experts.pads = true;
        QCOMPARE(routed_rows(s), capacity * routed_rows(even));
    }

    void room_for_a_rank_is_memory_and_no_work() {
        Scenario s = mixture_on_selene(1, 1, 16, 16), room = s, busy = s;
        room.model.experts.rank_capacity = 1.5;
        busy.model.experts.imbalance = 1.5;
        QCOMPARE(estimate(room)->step.total(), estimate(s)->step.total());
        QCOMPARE(estimate(room)->worst().activations / byte, estimate(busy)->worst().activations / byte);
    }

    void kernels_of_a_hidden_exchange_slow_what_runs_beside_it() {
        Scenario s = mixture_on_selene(1, 1, 16, 16);
        s.stack.experts.exchange_exposed = 0.25;
        s.stack.experts.exchange_units = 0;
        const double hidden = estimate(s)->step.expert_exchange / second;
        s.stack.experts.exchange_units = 0.2;   // 0.75 of the exchange, over 0.8 of the device
        QVERIFY(off(estimate(s)->step.expert_exchange / second, hidden / 0.25 * (0.25 + 0.75 * 0.25)) < 1e-12);
        const auto term = explain(s, "step.expert_exchange");
        QVERIFY(term);
        QVERIFY(off(evaluate(*term), estimate(s)->step.expert_exchange / second) < 1e-9);
        s.stack.experts.exchange_exposed = 1;   // nothing runs beside it
        const double all = estimate(s)->step.expert_exchange / second;
        QVERIFY(off(all, hidden / 0.25) < 1e-12);
    }

    // Megatron-Core's combined 1F1B: all passes but the first forward and the last backward one are in pairs.
    void passes_in_pairs_hide_the_exchange() {
        Scenario plain = mixture_on_selene(1, 1, 16, 16), paired = plain;
        for (Scenario* s : {&plain, &paired}) {
            s->stack.experts.paired_exposed = 0.3;
            s->stack.experts.host_experts = s->stack.experts.host_exchange = {};
        }
        paired.layout.schedule = Schedule::combined;
        const double m = micro_batches(plain);
        const double all = estimate(plain)->step.expert_exchange / second;
        const double left = estimate(paired)->step.expert_exchange / second;
        QVERIFY(off(left, all * (1 - (m - 1) / m * 0.7)) < 1e-12);
        QVERIFY(estimate(paired)->step.total() < estimate(plain)->step.total());
        const auto term = explain(paired, "step.expert_exchange");
        QVERIFY(term);
        QVERIFY(off(evaluate(*term), left) < 1e-9);
        // The forward pass is a layer ahead of the backward pass that makes room for it.
        const double more = estimate(paired)->worst().activations / estimate(plain)->worst().activations - 1;
        QVERIFY(more > 0 && more < 1.5 / plain.model.layers);
        paired.recipe.global_batch_sequences = plain.recipe.global_batch_sequences = 16;   // a single one has no pair
        QCOMPARE(estimate(paired)->step.total(), estimate(plain)->step.total());
    }

    // What a graph replays is not cut into pieces.
    void passes_in_pairs_take_the_host_longer() {
        const auto host = [](Schedule schedule, double left, double more) {
            Scenario s = mixture_on_selene(1, 1, 16, 16);
            s.layout.schedule = schedule;
            s.stack.experts.paired_exposed = 0.3;
            s.stack.experts.graph = Graph::attention_router;
            s.stack.experts.attention_graph_leaves = left;
            s.stack.experts.host_experts = 2 * millisecond;
            s.stack.experts.host_exchange = more * millisecond;
            return stage_times(s).front().host / second;
        };
        const auto more = [&](double left) {
            return host(Schedule::combined, left, 1) - host(Schedule::combined, left, 0);
        };
        QVERIFY(more(1) > 0);
        QVERIFY(off(more(0.4), 0.4 * more(1)) < 1e-9);
        QCOMPARE(host(Schedule::one_f_one_b, 1, 1), host(Schedule::one_f_one_b, 1, 0));
    }

    void what_excludes_passes_in_pairs_is_told_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        QTest::addColumn<QString>("of");
        Scenario pairs = mixture_on_selene(1, 4, 16, 16);
        pairs.model.layers = 16;
        pairs.stack.experts.paired_exposed = 0.3;
        pairs.layout.virtual_stages = 2;
        pairs.layout.schedule = Schedule::combined;
        QVERIFY(check(pairs).empty());
        Scenario lacking = pairs;
        lacking.stack.experts.paired_exposed = 1;
        QTest::newRow("software without it") << lacking << "layout.schedule" << "stack.experts.paired_exposed";
        Scenario alone = pairs;
        alone.layout.expert_parallel = 1;
        QTest::newRow("ranks with all experts") << alone << "layout.schedule" << "layout.expert_parallel";
        Scenario whole = pairs;
        whole.layout.virtual_stages = 1;
        QTest::newRow("stages of one chunk") << whole << "layout.virtual_stages" << "layout.schedule";
        Scenario again = pairs;
        again.layout.recompute = Recompute::full;
        QTest::newRow("full recomputation") << again << "layout.recompute" << "layout.schedule";
        Scenario narrow = pairs;
        narrow.layout.micro_batch_group = 3;
        QTest::newRow("groups narrower than the stages") << narrow << "layout.micro_batch_group" << "";
        Scenario ragged = pairs;
        ragged.layout.micro_batch_group = 5;   // 16 micro-batches leave one
        QTest::newRow("a last group narrower than the stages")
            << ragged << "recipe.global_batch_sequences" << "layout.micro_batch_group";
        Scenario idle = pairs;
        idle.layout.virtual_stages = 1;
        idle.layout.schedule = Schedule::one_f_one_b;
        idle.layout.micro_batch_group = 8;
        QTest::newRow("a group where chunks take no turns") << idle << "layout.micro_batch_group" << "layout.schedule";
    }
    void what_excludes_passes_in_pairs_is_told() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        QFETCH(QString, of);
        const std::vector<Obstacle> found = check(plan);
        QVERIFY(!found.empty());
        QCOMPARE(QString::fromStdString(found.front().knob), knob);
        QCOMPARE(QString::fromStdString(found.front().of), of);
        // One of the nearest values works.
        const Knob& turned = *find_knob(found.front().knob);
        QVERIFY(!found.front().valid.empty());
        const bool works = std::ranges::any_of(found.front().valid, [&](double value) {
            const auto s = with(plan, turned, value);
            return s && check(*s).empty();
        });
        QVERIFY(works);
    }

    void recomputation_sends_the_tokens_again() {
        Scenario s = mixture_on_selene(1, 1, 16, 16);
        const Outcome kept = estimate(s);
        s.layout.recompute = Recompute::full;
        const Outcome again = estimate(s);
        QVERIFY(off(again->step.expert_exchange / second, 1.5 * (kept->step.expert_exchange / second)) < 1e-12);
        QVERIFY(off(again->exchange_volume / byte, 1.5 * (kept->exchange_volume / byte)) < 1e-12);
        QVERIFY(again->worst().activations < kept->worst().activations);
    }

    // Ranks of a stage counted one by one: in a group of sharding ranks those with the same experts share them.
    void hybrid_sharding_shares_experts_inside_the_group() {
        for (const int tensor : {1, 2})
            for (const int experts : {1, 2, 4, 8})
                for (const int group : {4, 8, 16}) {
                    Scenario s = mixture_on_selene(tensor, 1, 16, experts);
                    s.layout.zero_stage = 3;
                    s.layout.shard_group = group;
                    if (group * tensor % experts != 0) {
                        QVERIFY(!check(s).empty());
                        continue;
                    }
                    QVERIFY(check(s).empty());
                    int alike = 0;   // ranks of the first group that hold what rank 0 holds
                    for (int rank = 0; rank < group * tensor; ++rank) alike += rank % experts == 0;
                    QCOMPARE(s.layout.expert_shards(), alike);
                    QCOMPARE(expert_shard_span(s).size * expert_replica_span(s).size, s.layout.expert_data());
                    const Parameters own = stage_parameters(s, 0);
                    const double held = own.all.common() / group + own.all.routed() / alike;
                    QVERIFY(near(held_weights(s, own).total() / byte, 2 * held));
                    QVERIFY(near(held_optimizer(s, own) / byte,
                                 (12 + s.stack.memory.optimizer_peak_bytes) * held));
                }
    }

    void one_group_of_all_replicas_is_no_hybrid() {
        for (const int zero : {1, 2, 3}) {
            Scenario s = mixture_on_selene(2, 1, 16, 4);
            s.layout.zero_stage = zero;
            const Outcome all = estimate(s);
            s.layout.shard_group = 16;
            QVERIFY(all && estimate(s));
            QCOMPARE(*estimate(s), *all);
            s.layout.shard_group = 4;   // less traffic of weights between nodes, more memory
            QVERIFY(estimate(s)->worst().total() > all->worst().total());
        }
    }

    void what_does_not_work_is_refused_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        QTest::addColumn<int>("reason");
        const auto row = [](const char* name, auto change, const char* knob, Reason reason) {
            Scenario s = mixture_on_selene(1, 1, 16, 8);
            change(s);
            QTest::newRow(name) << s << QString(knob) << int(reason);
        };
        row(
            "more experts a token than there are", [](Scenario& s) { s.model.experts.top_k = 17; },
            "model.experts.top_k", Reason::out_of_range);
        row(
            "experts that do not divide over the ranks", [](Scenario& s) { s.model.experts.count = 20; },
            "layout.expert_parallel", Reason::indivisible);
        row(
            "more expert ranks than a stage has",
            [](Scenario& s) {
                s.model.experts.count = 64;
                s.layout.expert_parallel = 32;
            },
            "layout.expert_parallel", Reason::indivisible);
        row(
            "slices that do not divide an expert",
            [](Scenario& s) {
                s.model.experts.ffn = 1409;
                s.layout.expert_tensor_parallel = 2;
            },
            "layout.expert_tensor_parallel", Reason::indivisible);
        row(
            "tensor ranks that would all send the same tokens",
            [](Scenario& s) {
                s.layout.tensor_parallel = 2;
                s.layout.data_parallel = 8;
            },
            "layout.sequence_parallel", Reason::incompatible);
        row(
            "a group of shards that cuts a set of experts", [](Scenario& s) { s.layout.shard_group = 2; },
            "layout.shard_group", Reason::indivisible);
        row(
            "a second copy that cuts a set of experts",
            [](Scenario& s) {
                s.layout.zero_stage = 3;
                s.layout.secondary_shard = 4;
            },
            "layout.secondary_shard", Reason::indivisible);
        row(
            "expert ranks of a dense model", [](Scenario& s) { s.model = small_gated(); }, "layout.expert_parallel",
            Reason::incompatible);
        row(
            "curvature of experts", [](Scenario& s) { s.recipe.optimizer = Optimizer::kfac; }, "recipe.optimizer",
            Reason::incompatible);
        row(
            "a head that is not the sum of its parts", [](Scenario& s) { s.model.head_dim = 128; }, "model.head_dim",
            Reason::incompatible);
        row("grouped latent keys", [](Scenario& s) { s.model.kv_heads = 8; }, "model.kv_heads", Reason::incompatible);
        row(
            "no layer with experts left", [](Scenario& s) { s.model.experts.dense_layers = 24; },
            "model.experts.dense_layers", Reason::out_of_range);
    }
    void what_does_not_work_is_refused() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        QFETCH(int, reason);
        const auto obstacles = check(plan);
        const auto found = std::find_if(obstacles.begin(), obstacles.end(),
                                        [&](const Obstacle& o) { return QString::fromStdString(o.knob) == knob; });
        QVERIFY(found != obstacles.end());
        QCOMPARE(int(found->reason), reason);
        QVERIFY(!found->valid.empty());
    }
};

PLIMSOLL_TEST(ExpertsTest)
#include "tst_experts.moc"
