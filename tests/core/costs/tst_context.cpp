// Ranks that share a sequence: what travels, what hides, what is spared.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/context.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/recurrence.h"
#include "core/costs/memory/memory.h"
#include "core/costs/kernels/data_parallel.h"
#include "scenarios.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// A gated model with grouped queries on 16 nodes: c ranks share each sequence of 64Ki tokens.
Scenario sharing(int ranks, ContextMode mode = ContextMode::ring, int tensor = 1) {
    Scenario s = small_on_one_node();
    s.machine = selene();
    s.recipe.sequence_length = 65536;
    s.recipe.global_batch_sequences = 32;
    s.layout = {};
    s.layout.micro_batch = 1;
    s.layout.tensor_parallel = tensor;
    s.layout.context_parallel = ranks;
    s.layout.context_mode = mode;
    s.layout.data_parallel = 4;
    s.layout.devices = 4 * ranks * tensor;
    s.layout.zero_stage = 1;
    return s;
}

ContextTime waits(const Scenario& s) {
    const Rates r = rates_of(s);
    return context_time(s, dense_layer, attention_forward(s, dense_layer, r).total(),
                        attention_backward(s, dense_layer, r).total());
}

// The ring step by step: a block is computed while the next one arrives.
Seconds slow_ring(const Scenario& s, Seconds block_attention, int blocks) {
    const Transfer t = point_to_point(context_span(s), blocks * ring_block(s, dense_layer));
    Seconds clock, arrived;
    for (int step = 0; step < s.layout.context_parallel; ++step) {
        clock = max(clock, arrived);
        const Seconds sent = clock;
        if (step + 1 < s.layout.context_parallel) clock += t.latency;  // starting the send holds the device up
        arrived = sent + t.time;
        clock += block_attention;
    }
    return clock - s.layout.context_parallel * block_attention;
}

}  // namespace

class ContextTest : public QObject {
    Q_OBJECT

private slots:
    void alone_nobody_waits() {
        QCOMPARE(waits(sharing(1)).forward / second, 0.0);
        QCOMPARE(estimate(sharing(1))->step.context_parallel / second, 0.0);
    }

    void the_ring_carries_keys_and_values_only() {
        const Scenario s = sharing(8);
        QCOMPARE(ring_block(s, dense_layer) / byte, 2.0 * 2 * (65536 / 8) * 8 * 128);  // K and V, 16 bit, 8 of 16 heads
        Scenario multi_query = s;
        multi_query.model.kv_heads = 1;
        multi_query.layout.tensor_parallel = 4;  // the one head is on every tensor rank
        QCOMPARE(ring_block(multi_query, dense_layer) / byte, 2.0 * 2 * (65536 / 8) * 128);
    }

    void the_closed_form_is_the_ring_step_by_step_data() {
        QTest::addColumn<double>("attention");
        QTest::newRow("attention hides the transfer") << 1.0;
        QTest::newRow("attention hides a part of it") << 1e-3;
        QTest::newRow("nothing hides it") << 0.0;
    }
    void the_closed_form_is_the_ring_step_by_step() {
        QFETCH(double, attention);
        for (int c : {2, 4, 8, 32}) {
            const Scenario s = sharing(c);
            const RingStep one = ring_step(s, dense_layer, 1, attention * second);
            const Seconds slow = slow_ring(s, attention / c * second, 1);
            QVERIFY(std::abs(((c - 1) * one.wait() - slow) / second) < 1e-12);
        }
    }

    void long_sequences_hide_the_ring_and_short_ones_do_not() {
        Scenario s = sharing(16);
        s.recipe.sequence_length = 1 << 20;
        const RingStep step = ring_step(s, dense_layer, 1, attention_forward(s, dense_layer, rates_of(s)).total());
        QCOMPARE(step.wait() / second, step.latency / second);
        s.recipe.sequence_length = 4096;
        const RingStep brief = ring_step(s, dense_layer, 1, attention_forward(s, dense_layer, rates_of(s)).total());
        QVERIFY(brief.wait() > 2 * brief.latency);
    }

    void gradients_of_keys_and_values_come_home_unhidden() {
        Scenario s = sharing(4);
        const double home = ring_step(s, dense_layer, 1, {}).wait() / second;
        const ContextTime t = waits(s);
        QVERIFY(t.backward / second >= home);
        QVERIFY(t.backward > t.forward);
    }

    void ulysses_exchanges_four_tensors_each_way() {
        const Scenario s = sharing(8, ContextMode::ulysses);
        const Seconds queries = all_to_all(context_span(s), ulysses_payload(s, 2048)).time;
        const Seconds keys = all_to_all(context_span(s), ulysses_payload(s, 1024)).time;
        QCOMPARE(waits(s).forward / second, 2 * (queries + keys) / second);
        QCOMPARE(waits(s).backward / second, waits(s).forward / second);
    }

    void either_way_a_rank_does_its_share_of_the_attention() {
        const double whole = attention_forward(sharing(1), dense_layer, rates_of(sharing(1))).compute / second;
        for (const ContextMode mode : {ContextMode::ring, ContextMode::ulysses, ContextMode::all_gather,
                                       ContextMode::ulysses_ring}) {
            Scenario s = sharing(8, mode);
            if (mode == ContextMode::ulysses_ring) s.layout.ulysses_ranks = 4;
            QCOMPARE(attention_forward(s, dense_layer, rates_of(s)).compute / second, whole / 8);
        }
    }

    void gathered_keys_are_not_hidden() {
        const Scenario s = sharing(8, ContextMode::all_gather);
        const Bytes all = 8 * ring_block(s, dense_layer);
        const Seconds gather = all_gather(context_span(s), all).time;
        const Seconds scatter = reduce_scatter(context_span(s), all).time;
        QCOMPARE(waits(s).forward / second, gather / second);
        QCOMPARE(waits(s).backward / second, (gather + scatter) / second);
        QVERIFY(stage_memory(s, 0).total() > stage_memory(sharing(8), 0).total());   // whole keys, against four blocks
        QCOMPARE(merge_forward_bytes(s, dense_layer) / byte, 0.0);
    }

    void groups_that_exchange_heads_form_a_ring_data() {
        QTest::addColumn<int>("exchanging");
        QTest::addColumn<ContextMode>("same");
        QTest::newRow("one exchanges with nobody: a ring") << 1 << ContextMode::ring;
        QTest::newRow("all of them do: Ulysses") << 8 << ContextMode::ulysses;
    }
    void groups_that_exchange_heads_form_a_ring() {
        QFETCH(int, exchanging);
        QFETCH(ContextMode, same);
        Scenario s = sharing(8, ContextMode::ulysses_ring);
        s.layout.ulysses_ranks = exchanging;
        const Outcome both = estimate(s), one = estimate(sharing(8, same));
        QVERIFY(both && one);
        QCOMPARE(both->step.total() / second, one->step.total() / second);
        QCOMPARE(both->worst().total() / byte, one->worst().total() / byte);
    }
    void a_ring_of_groups_has_fewer_steps_over_the_slow_network() {
        Scenario s = sharing(16, ContextMode::ulysses_ring);
        s.layout.ulysses_ranks = 8;   // of a node
        const RingPasses ring = ring_passes(s, dense_layer, {}, {});
        QCOMPARE(ring.steps, 1);
        const Seconds heads = ulysses_pass(s, dense_layer).time();
        const Rates r = rates_of(s);
        const RingPasses hidden = ring_passes(s, dense_layer, attention_forward(s, dense_layer, r).total(),
                                              attention_backward(s, dense_layer, r).total());
        QCOMPARE(waits(s).forward / second, (heads + hidden.time().forward) / second);
    }
    void groups_divide_ranks_and_heads() {
        Scenario s = sharing(8, ContextMode::ulysses_ring);
        s.layout.ulysses_ranks = 3;
        const Outcome o = estimate(s);
        QVERIFY(!o);
        QCOMPARE(o.error().front().knob, std::string("layout.ulysses_ranks"));
        for (const double u : o.error().front().valid) {
            s.layout.ulysses_ranks = int(u);
            QVERIFY(estimate(s));
        }
    }

    // The last of c ranks has 1 - 1/2c of the scores of a full block each, zigzag halves 1/2.
    void tokens_in_order_give_the_last_rank_nearly_twice_the_scores() {
        Scenario s = sharing(8, ContextMode::all_gather);
        const double zigzag = attention_forward(s, dense_layer, rates_of(s)).compute / second;
        s.layout.state_mode = StateMode::passed;
        QCOMPARE(attention_forward(s, dense_layer, rates_of(s)).compute / second, zigzag);   // it has no states
        LayerKind state{.letter = 'D', .mixer = Mixer::gated_delta};
        state.recurrence = {.heads = 16, .head_dim = 128, .key_heads = 16, .key_dim = 128};
        s.model.kinds = {{.letter = '*'}, state};
        s.model.pattern = "*D";
        QCOMPARE(attention_forward(s, dense_layer, rates_of(s)).compute / second, zigzag * (2 - 1 / 8.0));
    }
    void states_passed_are_those_of_all_ranks() {
        Scenario s = sharing(8, ContextMode::ulysses);
        LayerKind state{.letter = 'D', .mixer = Mixer::gated_delta};
        state.recurrence = {.heads = 16, .head_dim = 256, .key_heads = 16, .key_dim = 128};
        s.model.kinds = {{.letter = '*'}, state};
        s.model.pattern = "*D";
        const ContextTime exchanged = state_context_time(s, state);
        s.layout.state_mode = StateMode::passed;
        QCOMPARE(gathered_states(s, state) / byte, 8 * 4.0 * 16 * 128 * (256 + 128));
        const ContextTime passed = state_context_time(s, state);
        QCOMPARE(passed.forward / second, all_gather(context_span(s), gathered_states(s, state)).time / second);
        QVERIFY(passed.forward < exchanged.forward);   // 64Ki tokens
        LayerKind mamba = state;
        mamba.mixer = Mixer::mamba2;
        QCOMPARE(gathered_states(s, mamba) / byte, 8 * 4.0 * 16 * 128 * 256);
    }

    void everything_else_works_on_its_own_tokens() {
        const Scenario one = sharing(1), eight = sharing(8);
        QCOMPARE(elementwise_forward(eight, dense_layer).bytes / byte,
                 elementwise_forward(one, dense_layer).bytes / byte / 8);
        QCOMPARE(layer_gemms(eight, dense_layer)[0].m, layer_gemms(one, dense_layer)[0].m / 8);
        QCOMPARE(layer_activations(eight, dense_layer).total() / byte,
                 layer_activations(one, dense_layer).total() / byte / 8);
    }

    // 32 bytes forward and 68 backward for each of two norms, an element of 2 bytes.
    void a_norm_that_is_not_fused_moves_more() {
        Scenario s = sharing(1);
        s.model.norm = Norm::rms_norm;
        const double stream = double(s.layout.micro_batch) * s.recipe.sequence_length * s.model.hidden;
        const auto moved = [&] {
            return std::pair(elementwise_forward(s, dense_layer).bytes / byte,
                             elementwise_backward(s, dense_layer).bytes / byte);
        };
        const auto [forward, backward] = moved();
        s.stack.kernels.fuses_rms_norms = false;
        QCOMPARE(moved().first - forward, 2 * 32 * stream);
        QCOMPARE(moved().second - backward, 2 * 68 * stream);
        s.model.norm = Norm::layer_norm;
        QCOMPARE(moved(), std::pair(forward, backward));
    }

    void context_ranks_hold_the_same_weights_as_data_ranks() {
        const Scenario shared = sharing(8);
        Scenario data = sharing(1);
        data.layout.data_parallel = data.layout.devices = 32;
        QCOMPARE(data_span(shared).size, 32);
        QCOMPARE(gradient_time(shared, in_matrices(1e9), {}).reduce / second,
                 gradient_time(data, in_matrices(1e9), {}).reduce / second);
        QCOMPARE(stage_memory(shared, 0).optimizer / byte, stage_memory(data, 0).optimizer / byte);
    }

    void neighbours_share_a_sequence_once_tensor_ranks_are_placed() {
        QCOMPARE(context_span(sharing(4, ContextMode::ring, 2)).hops, 1);  // 8 of a node
        QCOMPARE(context_span(sharing(8, ContextMode::ring, 2)).hops, 2);  // two nodes
    }

    void a_second_rank_nearly_halves_a_long_step() {
        const Outcome two = estimate(sharing(2)), four = estimate(sharing(4));
        QVERIFY(two && four);
        const double ratio = two->step.total() / four->step.total();
        QVERIFY(ratio > 1.8 && ratio < 2.05);
        QVERIFY(four->worst().activations < 0.51 * two->worst().activations);
    }
};

PLIMSOLL_TEST(ContextTest)
#include "tst_context.moc"
