// Recomputing some layers: what is kept, what is repeated, and that it lies between nothing and all.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/fit_first.h"
#include "core/costs/memory/memory.h"
#include "core/costs/kernels/exchange.h"
#include "core/costs/memory/swap.h"
#include "core/costs/pipeline/schedule.h"
#include "core/costs/step/step.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"
#include "near.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario recomputing(Scenario s, Recompute what, int layers) {
    s.layout.recompute = what;
    s.layout.recompute_layers = layers;
    return s;
}

// Nothing but the device decides: no host beside it, no gaps, no exposed sends.
Scenario device_alone(Scenario s) {
    Stack& k = s.stack;
    k.host.layer = k.host.tensor = k.host.micro_batch = k.host.layer_gap = k.experts.host_experts = {};
    k.pipeline.exposed = 0;
    return s;
}

Scenario uneven_chunks(int layers) {
    Scenario s = gpt3_interleaved();
    s.model.layers = layers;
    s.stack.pipeline.uneven_chunks = true;
    return s;
}

Scenario mixture(int pipeline, int chunks) {
    Scenario s = gpt3_on_selene();
    s.model = small_mixture();
    s.layout = {};
    s.layout.pipeline_parallel = pipeline;
    s.layout.data_parallel = 8;
    s.layout.devices = 8 * pipeline;
    s.layout.expert_parallel = 8;
    s.layout.virtual_stages = chunks;
    if (chunks > 1) s.layout.schedule = Schedule::interleaved;
    s.stack.kernels.attention = Attention::materialised;
    s.recipe.global_batch_sequences = 8 * 4 * pipeline;
    return s;
}

Flop forward_of_layer(const Scenario& s, const LayerKind& kind) {
    const double tokens = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length;
    return 2 * layer_matrix_parameters(s.model, kind) * tokens * flop
         + attention_core_flop(s.model, kind, s.recipe.global_batch_sequences, s.recipe.sequence_length);
}

}  // namespace

class RecomputeTest : public QObject {
    Q_OBJECT

private slots:
    void every_layer_of_a_chunk_is_all_layers_data() {
        QTest::addColumn<Scenario>("plan");
        for (const Recompute what : {Recompute::selective, Recompute::full}) {
            const char* how = what == Recompute::full ? ", full" : ", selective";
            const auto row = [&](const char* name, const Scenario& s) {
                QTest::newRow(qPrintable(QString(name) + how)) << recomputing(s, what, 0);
            };
            row("1F1B", gpt3_on_selene());
            row("interleaved", gpt3_interleaved());
            row("chunks of four and of three layers", uneven_chunks(90));
            row("stages of twelve and of eleven layers",
                edited(gpt3_on_selene(), [](Scenario& s) { s.model.layers = 91; }));
            row("the pipeline engine that spares the last stage",
                edited(gpt3_on_selene(), [](Scenario& s) { s.stack.recomputation.last_stage = false; }));
            row("a mixture behind a dense layer", mixture(4, 1));
            row("a mixture in chunks", mixture(4, 3));
            row("sharded weights", edited(small_on_one_node(), [](Scenario& s) {
                    s.layout.zero_stage = 3;
                    s.stack.sharding.gather_overlap_tax = 0.3;
                }));
        }
    }
    void every_layer_of_a_chunk_is_all_layers() {
        QFETCH(Scenario, plan);
        const Outcome all = estimate(plan),
                      each = estimate(recomputing(plan, plan.layout.recompute, largest_chunk(plan)));
        QVERIFY(all && each);
        QVERIFY(all->step.recompute > Seconds{} || plan.stack.kernels.attention == Attention::flash);
        for (const auto& part : step_parts)
            QVERIFY2(near(all->step.*part.value / second, each->step.*part.value / second), part.label.data());
        QCOMPARE(each->stages, all->stages);
        QVERIFY(near(each->hardware_flop / flop, all->hardware_flop / flop));
        QVERIFY(near(each->exchange_volume / byte, all->exchange_volume / byte));
    }

    void each_further_layer_takes_time_and_frees_memory_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::newRow("1F1B") << gpt3_on_selene();
        QTest::newRow("interleaved") << gpt3_interleaved();
        QTest::newRow("uneven chunks") << uneven_chunks(90);
        QTest::newRow("mixture") << mixture(2, 1);
        QTest::newRow("mixture in chunks") << mixture(4, 2);
    }
    void each_further_layer_takes_time_and_frees_memory() {
        QFETCH(Scenario, plan);
        for (const Recompute what : {Recompute::selective, Recompute::full}) {
            Outcome before = estimate(recomputing(plan, Recompute::none, 0));
            for (int n = 1; n <= largest_chunk(plan); ++n) {
                const Outcome o = estimate(recomputing(plan, what, n));
                QVERIFY(before && o);
                QVERIFY(o->step.total() > before->step.total());
                QVERIFY(o->hardware_flop > before->hardware_flop);
                // The last one has nothing behind it that goes before it comes back.
                if (n < largest_chunk(plan)) QVERIFY(o->worst().activations < before->worst().activations);
                before = o;
            }
        }
    }

    // One stage, device alone: linear in the layers that recompute.
    void time_lies_on_the_line_between_none_and_all_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::newRow("replicated") << device_alone(small_on_one_node());
        QTest::newRow("weights gathered behind the passes")
            << device_alone(edited(small_on_one_node(), [](Scenario& s) {
                   s.layout.zero_stage = 3;
                   s.layout.micro_batch = 1;
                   s.stack.sharding.gather_overlap_tax = 0.3;
               }));
        QTest::newRow("tensor parallel") << device_alone(edited(small_on_one_node(), [](Scenario& s) {
            s.layout.tensor_parallel = 4;
            s.layout.data_parallel = 2;
        }));
        QTest::newRow("a gap before every layer")
            << edited(device_alone(small_on_one_node()), [](Scenario& s) { s.stack.host.layer_gap = millisecond; });
    }
    void time_lies_on_the_line_between_none_and_all() {
        QFETCH(Scenario, plan);
        plan.stack.gradients.overlap = 0;
        const auto step = [&](Recompute what, int n) {
            return estimate(recomputing(plan, what, n))->step.total() / second;
        };
        const double none = step(Recompute::none, 0), all = step(Recompute::full, 0);
        QVERIFY(all > 1.05 * none);
        for (int n = 1; n <= 24; ++n) QVERIFY(near(step(Recompute::full, n), none + n / 24.0 * (all - none)));
    }

    // Megatron-LM's block method: the first n layers of a stage are checkpointed one by one, the other L - n are
    // stored.
    void other_layers_are_stored_in_full() {
        for (int n = 1; n < 12; ++n) {
            const Scenario s = recomputing(gpt3_on_selene(), Recompute::full, n);
            for (int stage = 0; stage < 8; ++stage) {
                const double in_flight = 8 - stage;
                const Bytes whole = layer_activations(s, dense_layer).total();
                const Bytes kept = in_flight * (n * layer_input(s) + (12.0 - n) * whole);
                QVERIFY(near(stage_activations(s, Swap{}, stage).kept / byte, kept / byte));
            }
        }
    }

    // A layer comes back when those behind it have gone; if there are none, beside all checkpoints.
    void the_layer_brought_back_takes_the_place_of_those_that_went() {
        const auto beside = [](const Scenario& s) { const StageActivations a = stage_activations(s, Swap{}, 3);
            return (a.total() - a.kept) / byte; };
        const Scenario s = gpt3_on_selene();
        const LayerActivations one = layer_activations(s, dense_layer);
        QVERIFY(near(beside(recomputing(s, Recompute::full, 12)), one.total() / byte, 1e-9));
        QCOMPARE(beside(recomputing(s, Recompute::full, 11)), 0.0);
        QVERIFY(near(beside(recomputing(s, Recompute::selective, 12)), one.scores / byte, 1e-9));
        // Chunks of four, four and three layers: three of each leave one chunk without any behind.
        const Scenario uneven = uneven_chunks(90);
        QVERIFY(near(beside(recomputing(uneven, Recompute::full, 3)), one.total() / byte, 1e-9));
        QCOMPARE(beside(recomputing(uneven, Recompute::full, 2)), 0.0);
    }

    void layers_are_found_one_by_one() {
        for (const int first : {0, 1, 3, 7})
            for (const int every : {1, 2, 3})
                for (const auto& [p, v] : {std::pair{1, 1}, {4, 1}, {4, 3}, {6, 2}})
                    for (const int n : {1, 2, 3, 24}) {
                        Scenario s = recomputing(mixture(p, v), Recompute::full, n);
                        s.model.experts.dense_layers = first;
                        s.model.experts.every = every;
                        const Work work(s);
                        const Kind experts = Layers(s.model).kinds() - 1;
                        int layer = 0;
                        LayerCounts sum;
                        for (int chunk = 0; chunk < v; ++chunk)
                            for (int stage = 0; stage < p; ++stage) {
                                LayerCounts slow;
                                for (int i = 0; i < layers_of_chunk(s, stage, chunk); ++i, ++layer)
                                    if (i < n) ++slow[layer >= first && layer % every == 0 ? experts : 0];
                                QCOMPARE(work.chunk(stage, chunk).recomputed, slow);
                                sum += slow;
                            }
                        QCOMPARE(recomputed_layers(work), sum);
                    }
    }

    void chunks_take_the_time_of_their_layers_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::newRow("equal chunks") << gpt3_interleaved();
        QTest::newRow("chunks of four and of three layers") << uneven_chunks(90);
        QTest::newRow("dense and expert layers") << mixture(4, 3);
        QTest::newRow("experts in every second layer")
            << edited(mixture(4, 2), [](Scenario& s) { s.model.experts.every = 2; });
    }
    void chunks_take_the_time_of_their_layers() {
        QFETCH(Scenario, plan);
        const auto time = [](const PassTime& p) { return p.device() + p.tensor + p.context + p.exchange; };
        for (const int n : {0, 1, 2, 3}) {
            const Scenario s = recomputing(device_alone(plan), Recompute::full, n);
            const int v = s.layout.virtual_stages;
            const std::vector<StageTime> stages = stage_times(s);
            const std::vector<ChunkTime> chunks = chunk_times(s, stages);
            const LayerTimes layers = layer_times(s);
            const Work work(s);
            for (int stage = 1; stage + 1 < s.layout.pipeline_parallel; ++stage)   // without the ends
                for (int c = 0; c < v; ++c) {
                    const auto& [all, again] = work.chunk(stage, c);
                    Seconds forward, backward;
                    for (Kind k = 0; k < work.layers.kinds(); ++k) {
                        forward += all[k] * time(layers[k].forward);
                        backward += all[k] * time(layers[k].backward) + again[k] * time(layers[k].forward);
                    }
                    QVERIFY(near(chunks[stage * v + c].forward / second, forward / second, 1e-9));
                    QVERIFY(near(chunks[stage * v + c].backward / second, backward / second, 1e-9));
                }
        }
    }

    void hardware_work_counts_the_layers_that_recompute() {
        for (const Scenario& plan : {gpt3_on_selene(), mixture(4, 1), mixture(4, 3)})
            for (const int n : {1, 2}) {
                const Scenario s = recomputing(plan, Recompute::full, n);
                const Outcome o = estimate(s);
                const LayerCounts again = recomputed_layers(s);
                Flop slow = o->model_flop;
                const Layers layers(s.model);
                for (Kind k = 0; k < layers.kinds(); ++k) slow += again[k] * forward_of_layer(s, layers[k]);
                QVERIFY(near(o->hardware_flop / flop, slow / flop));
                if (!has_experts(s.model)) continue;
                const double exchanged = exchange_volume(s) / exchange_volume(recomputing(plan, Recompute::none, 0));
                QVERIFY(near(exchanged, 1 + layers.with_experts(again) / (2.0 * layers.with_experts())));
            }
    }

    void it_means_nothing_where_nothing_is_recomputed() {
        const Scenario s = recomputing(gpt3_on_selene(), Recompute::none, 0);
        const Outcome plain = estimate(s), idle = estimate(recomputing(s, Recompute::none, 5));
        QVERIFY(plain && idle);
        QCOMPARE(*idle, *plain);
        const Knob& k = *find_knob("layout.recompute_layers");
        QVERIFY(!k.idle(s).empty());
        QVERIFY(k.idle(gpt3_on_selene()).empty());
    }

    void obstacles_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("reason");
        QTest::addColumn<std::vector<double>>("valid");
        const auto full = [](int n) { return recomputing(gpt3_on_selene(), Recompute::full, n); };
        QTest::newRow("more than a stage holds") << full(13) << int(Reason::out_of_range) << std::vector<double>{0, 12};
        QTest::newRow("more than a chunk holds") << recomputing(gpt3_interleaved(), Recompute::full, 5)
                                                 << int(Reason::out_of_range) << std::vector<double>{0, 4};
        QTest::newRow("fewer than none") << full(-1) << int(Reason::out_of_range) << std::vector<double>{0, 1024};
        Scenario away = full(3);
        away.layout.offload.activations = Tier::host;
        QTest::newRow("activations on their way to the host")
            << away << int(Reason::incompatible) << std::vector<double>{0};
    }
    void obstacles() {
        QFETCH(Scenario, plan);
        QFETCH(int, reason);
        QFETCH(std::vector<double>, valid);
        const std::vector<Obstacle> found = check(plan);
        QCOMPARE(int(found.size()), 1);
        QCOMPARE(found[0].knob, std::string("layout.recompute_layers"));
        QCOMPARE(int(found[0].reason), reason);
        QCOMPARE(found[0].valid, valid);
        for (const double v : valid)
            if (v <= plan.model.layers) QVERIFY(check(recomputing(plan, Recompute::full, int(v))).empty());
    }

    void other_splits_recompute_no_more_than_their_chunks_hold() {
        const Scenario s = recomputing(gpt3_on_selene(), Recompute::full, 12);
        QCOMPARE(with_split(s, 8, 32).layout.recompute_layers, 3);
        QCOMPARE(with_split(s, 8, 4).layout.recompute_layers, 12);
    }
};

PLIMSOLL_TEST(RecomputeTest)
#include "tst_recompute.moc"
