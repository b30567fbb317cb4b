// Fine-tuning: what is frozen costs, and what it does not.
#include "registered_test.h"

#include "core/answers/campaign/headline.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/plan/rules.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/products.h"
#include "core/costs/memory/memory.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/costs/step/stage.h"
#include "core/files/presets/library.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/basics/names.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Model model(const char* id) { return library().models.at(id); }

Method adapters(int rank = 16, FrozenFormat frozen = FrozenFormat::as_products) {
    return {.purpose = Purpose::finetune, .trained = Trained::adapters, .rank = rank, .frozen = frozen};
}

// A dense model on one device of a node of A100.
Scenario on_one_device(const char* id, const Method& method) {
    Scenario s = small_on_one_node();
    s.model = model(id);
    s.layout = {};
    s.layout.devices = 1;
    s.layout.recompute = Recompute::full;
    s.recipe.sequence_length = 4096;
    s.recipe.global_batch_sequences = 2;
    s.layout.micro_batch = 2;
    s.recipe.state_format = StateFormat::all_16bit;
    s.stack.kernels.attention = Attention::flash;
    s.method = method;
    return s;
}

Scenario sharded(const Method& method, int zero_stage) {
    Scenario s = on_one_device("llama3-8b", method);
    s.layout.devices = s.layout.data_parallel = 8;
    s.layout.zero_stage = zero_stage;
    s.recipe.global_batch_sequences = 16;
    return s;
}

double gib(Bytes b) { return b / gibibyte; }

}  // namespace

class MethodTest : public QObject {
    Q_OBJECT

private slots:
    void adapters_have_the_parameters_that_training_reports_print_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("rank");
        QTest::addColumn<double>("parameters");
        QTest::newRow("Llama 3.1 8B, rank 16, all linear layers of blocks") << "llama3-8b" << 16 << 41943040.0;
        QTest::newRow("the same at half the rank") << "llama3-8b" << 8 << 20971520.0;
    }
    void adapters_have_the_parameters_that_training_reports_print() {
        QFETCH(QString, model);
        QFETCH(int, rank);
        QFETCH(double, parameters);
        const Model m = ::model(qPrintable(model));
        QCOMPARE(trained_parameters(m, adapters(rank)), parameters);
        QCOMPARE(grouped_parameters(m, adapters(rank)).all.total(), grouped_parameters(m).all.total() + parameters);
    }
    void only_matrices_that_are_named_are_adapted() {
        const Model m = model("llama3-8b");
        Method queries_and_values = adapters(8);
        queries_and_values.adapted = {true, false, true, false, false, false, false, false, false};
        const double h = 4096, keys = 1024;
        QCOMPARE(trained_parameters(m, queries_and_values), 32 * 8 * ((h + h) + (h + keys)));
        Method fused = adapters(16);
        fused.fused_adapters = true;   // one first product for queries, keys and values, one for gate and branch
        QCOMPARE(trained_parameters(m, adapters(16)) - trained_parameters(m, fused), 32 * 16 * 3 * h);
    }
    void magnitudes_have_one_parameter_an_output() {
        Method dora = adapters(16);
        dora.magnitudes = true;
        const double outputs = 4096 + 1024 + 1024 + 4096 + 14336 + 14336 + 4096;
        QCOMPARE(trained_parameters(model("llama3-8b"), dora), 41943040 + 32 * outputs);
    }
    void experts_multiply_their_adapters() {
        const Model m = model("qwen3-30b-a3b");
        Method without = adapters(8);
        without.adapted.experts = false;
        const double h = 2048, f = 768, experts = 128;
        QCOMPARE(trained_parameters(m, adapters(8)) - trained_parameters(m, without),
                 48 * experts * 8 * (2 * (h + f) + (f + h)));
    }

    void nf4_with_double_quantisation_takes_4_127_bits() {
        QVERIFY(std::abs(8 * frozen_bytes(FrozenFormat::nf4_double) - 4.127) < 0.0005);
        QCOMPARE(8 * frozen_bytes(FrozenFormat::nf4), 4.5);
    }
    // torchtune's README, "Optimization flags": 8.5 against 4.6 GiB with the same flags.
    void quantised_weights_of_llama_3_2_3b_save_3_90_gib() {
        const Scenario wide = on_one_device("llama3.2-3b", adapters(8)),
                       narrow = on_one_device("llama3.2-3b", adapters(8, FrozenFormat::nf4_double));
        const double saved = gib(estimate(wide)->worst().weights) - gib(estimate(narrow)->worst().weights);
        QVERIFY2(std::abs(saved - 3.90) < 0.01, qPrintable(QString::number(saved)));
    }
    void fewer_bits_hold_less_and_decode_longer() {
        Bytes last = estimate(on_one_device("llama3-8b", adapters(8)))->worst().weights;
        const Seconds plain = estimate(on_one_device("llama3-8b", adapters(8)))->step.total();
        for (const FrozenFormat f : {FrozenFormat::int8, FrozenFormat::nf4, FrozenFormat::nf4_double}) {
            const Outcome e = estimate(on_one_device("llama3-8b", adapters(8, f)));
            QVERIFY(e->worst().weights < last);
            QVERIFY(e->step.total() > plain);
            last = e->worst().weights;
        }
    }

    void frozen_weights_have_neither_gradients_nor_states() {
        const Outcome full = estimate(on_one_device("llama3-8b", {.purpose = Purpose::finetune}));
        const Outcome lora = estimate(on_one_device("llama3-8b", adapters(16)));
        const double share = 41943040.0 / parameters(model("llama3-8b"));
        QVERIFY(std::abs(lora->worst().gradients / full->worst().gradients / share - 1) < 1e-6);
        QVERIFY(std::abs(lora->worst().optimizer / full->worst().optimizer / share - 1) < 1e-6);
        QCOMPARE(lora->trained_parameters, 41943040.0);
    }
    void tuning_all_weights_costs_what_pre_training_costs() {
        Scenario tuned = on_one_device("llama3-8b", {.purpose = Purpose::finetune, .rank = 64}), pretrained = tuned;
        pretrained.method = {};
        QVERIFY(*estimate(tuned) == *estimate(pretrained));
    }
    void trained_tables_have_full_states() {
        Method with = adapters(16);
        with.trains_tables = true;
        const Model m = model("llama3-8b");
        QCOMPARE(trained_parameters(m, with) - trained_parameters(m, adapters(16)), 2.0 * m.vocabulary * m.hidden);
    }

    // Megatron-Bridge counts flops of frozen weights by 2/3 (flop_utils.py).
    // PEFT trains a copy of a table and keeps the table.
    void software_that_copies_trained_tables_holds_two_bytes_a_parameter_more() {
        Method m = adapters();
        m.trains_tables = true;
        Scenario s = on_one_device("llama3-8b", m);
        const Bytes before = stage_memory(s, 0).weights;
        s.stack.memory.copies_trained_tables = true;
        QCOMPARE((stage_memory(s, 0).weights - before) / byte, 2 * 2 * 128256.0 * 4096);
        s.method = adapters();
        const Bytes without = stage_memory(s, 0).weights;
        s.stack.memory.copies_trained_tables = false;
        QCOMPARE(stage_memory(s, 0).weights, without);
    }
    void a_token_takes_four_flop_a_frozen_parameter() {
        const Model m = model("llama3-70b");
        const Flop full = model_flop(m, 1, 256, m.vocabulary), lora = model_flop(m, 1, 256, m.vocabulary,
                                                                                  FlopConvention::full, adapters(1));
        const double n = matrix_parameters(m) + double(m.hidden) * m.vocabulary;
        QVERIFY(std::abs((full - lora) / flop / (2 * n * 256) - 1) < 1e-3);
    }
    void frozen_products_have_no_weight_gradient() {
        const Scenario lora = on_one_device("llama3-8b", adapters(1)), full = [&] {
            Scenario s = lora;
            s.method.trained = Trained::all;
            return s;
        }();
        const Seconds whole = layer_time(full, dense_layer).backward.gemm,
                      frozen = layer_time(lora, dense_layer).backward.gemm;
        QVERIFY(frozen < 0.65 * whole && frozen > 0.5 * whole);
    }

    void magnitudes_multiply_adapters_out_once_a_pass_whatever_the_batch() {
        Scenario lora = on_one_device("llama3-8b", adapters(16)), dora = lora;
        dora.method.magnitudes = true;
        const double matrices = 4096.0 * (4096 + 2 * 1024 + 4096 + 3 * 14336);
        Flop all{};
        for (const Gemm& g : dense_updates(dora, dense_layer)) all += flop_of(g);
        QCOMPARE(all / flop, 2 * 16 * matrices);
        const auto more = [&](int sequences) {
            lora.layout.micro_batch = dora.layout.micro_batch = sequences;
            const LayerTime with = layer_time(dora, dense_layer), without = layer_time(lora, dense_layer);
            if (with.backward.gemm != without.backward.gemm) return -1.0;
            return (with.forward.gemm - without.forward.gemm) / second;
        };
        QVERIFY(more(1) > 0);
        QVERIFY(std::abs(more(2) / more(1) - 1) < 1e-9);
        QVERIFY(estimate(dora)->model_flop == estimate(lora)->model_flop);
    }
    // 2603.22276: about 512 MB of a matrix of 8,192 by 8,192.
    void magnitudes_hold_four_copies_of_the_largest_matrix() {
        Scenario dora = on_one_device("llama3-8b", adapters(16));
        const Bytes without = estimate(dora)->worst().buffers;
        dora.method.magnitudes = true;
        const double fragmentation = dora.stack.memory.fragmentation;
        const Bytes held = estimate(dora)->worst().buffers - without;
        QVERIFY(std::abs(held / byte / (4 * 2 * 4096.0 * 14336) - 1) < 1e-6 * fragmentation);
    }
    // Gate and up are one product here and two tensors there; at the loss no layer is at work.
    void a_quantised_matrix_is_decoded_alone_and_not_at_the_loss() {
        Scenario wide = on_one_device("llama3-8b", adapters(16, FrozenFormat::nf4_double));
        const auto decoded = [](const Scenario& s) {
            const Work work(s);
            return stage_peak(work, work_memory(work, {}, 0), stage_parameters(work, 0), 0).buffers.decoded / byte;
        };
        QCOMPARE(decoded(wide), 2 * 4096.0 * 14336);
        wide.method.fused_adapters = true;   // its frameworks multiply both branches as one
        QCOMPARE(decoded(wide), 2 * 4096.0 * 2 * 14336);
        wide.stack.memory.gradients_come_and_go = true;
        wide.model.vocabulary = 512000;
        QCOMPARE(decoded(wide), 0.0);
    }
    void magnitudes_keep_both_results_that_they_scale() {
        Scenario lora = on_one_device("llama3-8b", adapters(16)), dora = lora;
        dora.method.magnitudes = true;
        dora.layout.recompute = lora.layout.recompute = Recompute::none;
        const double tokens = 8192, outputs = 4096 + 1024 + 1024 + 4096 + 14336 + 14336 + 4096;
        const Work a(dora), b(lora);
        QCOMPARE((layer_activations(a, 0).total() - layer_activations(b, 0).total()) / byte, 2 * 2 * tokens * outputs);
    }
    void norms_decode_quantised_matrices_once_more() {
        Scenario lora = on_one_device("llama3-8b", adapters(16, FrozenFormat::nf4)), dora = lora;
        dora.method.magnitudes = true;
        QCOMPARE(conversion_forward(dora, dense_layer).weights / byte,
                 2 * conversion_forward(lora, dense_layer).weights / byte);
        QCOMPARE(conversion_backward(dora, dense_layer).weights / byte,
                 conversion_backward(lora, dense_layer).weights / byte);
    }
    void dropout_passes_the_input_of_every_adapter_once_more() {
        Scenario plain = on_one_device("llama3-8b", adapters(16)), dropped = plain;
        dropped.method.adapter_dropout = true;
        plain.layout.recompute = dropped.layout.recompute = Recompute::none;
        const double tokens = 8192, inputs = 6 * 4096 + 14336, factor = plain.stack.kernels.elementwise_factor;
        const auto more = [&](auto pass) {
            return (pass(dropped, dense_layer).bytes - pass(plain, dense_layer).bytes) / byte;
        };
        QCOMPARE(more(elementwise_forward), 2 * factor * 2 * tokens * inputs);
        QCOMPARE(more(elementwise_backward), 2 * factor * 2 * tokens * inputs);
        const Work a(dropped), b(plain);   // in 16 bits, and a mask
        QCOMPARE((layer_activations(a, 0).total() - layer_activations(b, 0).total()) / byte, (2 + 1) * tokens * inputs);
        QCOMPARE(estimate(dropped)->trained_parameters, estimate(plain)->trained_parameters);
    }

    void a_reference_model_takes_one_more_forward_pass_data() {
        QTest::addColumn<Trained>("trained");
        QTest::addColumn<Reference>("reference");
        QTest::addColumn<double>("passes");
        QTest::addColumn<double>("copies");
        QTest::newRow("a copy beside all weights") << Trained::all << Reference::resident << 1.0 << 1.0;
        QTest::newRow("a copy beside adapters") << Trained::adapters << Reference::resident << 1.0 << 1.0;
        QTest::newRow("the model without its adapters") << Trained::adapters << Reference::adapters_off << 1.0 << 0.0;
        QTest::newRow("computed before the run") << Trained::all << Reference::precomputed << 0.0 << 0.0;
    }
    void a_reference_model_takes_one_more_forward_pass() {
        QFETCH(Trained, trained);
        QFETCH(Reference, reference);
        QFETCH(double, passes);
        QFETCH(double, copies);
        const Scenario tuned = on_one_device("llama3-8b", {.purpose = Purpose::finetune, .trained = trained});
        Scenario preferred = tuned;
        preferred.method.purpose = Purpose::preference;
        preferred.method.reference = reference;
        const Outcome t = estimate(tuned), p = estimate(preferred);
        const Model& m = tuned.model;
        const Flop forward = model_flop(m, 2, sequence_of(tuned), m.vocabulary) / 3;
        QVERIFY(std::abs((p->model_flop - t->model_flop) / forward - passes) < 1e-9);
        const double held = (p->worst().weights - t->worst().weights) / byte / (2 * parameters(m));
        QVERIFY2(std::abs(held - copies) < 1e-3, qPrintable(QString::number(held)));   // the vocabulary is padded
        const StageTime stage = stage_times(tuned)[0];
        QVERIFY(std::abs((p->step.reference - passes * stage.pass_forward) / second) < 0.01);
        QVERIFY(std::abs((p->step.total() - t->step.total() - p->step.reference) / second) < 0.02);
    }

    void sharding_states_gains_adapters_nothing() {
        const Outcome whole = estimate(sharded(adapters(8), 0)), states = estimate(sharded(adapters(8), 1));
        QVERIFY(states->worst().total() > 0.99 * whole->worst().total());
        QVERIFY(estimate(sharded(adapters(8), 3))->worst().total() < 0.7 * whole->worst().total());
    }
    void frozen_weights_are_gathered_and_not_reduced() {
        const Scenario lora = sharded(adapters(8), 3), full = sharded({.purpose = Purpose::finetune}, 3);
        const LayerBytes gathered = layer_gather_bytes(lora, dense_layer), all = layer_gather_bytes(full, dense_layer);
        QVERIFY(gathered.common > all.common && gathered.common < 1.01 * all.common);
        QVERIFY(layer_scatter_bytes(lora, dense_layer).common < 0.01 * all.common);
        const LayerBytes narrow =
            layer_gather_bytes(sharded(adapters(8, FrozenFormat::nf4_double), 3), dense_layer);
        QVERIFY(narrow.common < 0.27 * all.common);
    }
    void a_checkpoint_holds_adapters_alone() {
        const Scenario s = on_one_device("llama3-8b", adapters(16));
        QVERIFY(checkpoint_bytes(s) < 41943040.0 * 16 * byte);
    }
    void adapters_that_are_told_to_leave_a_block_alone_keep_less_of_it() {
        Scenario all = on_one_device("llama3-8b", adapters(8)), attention = all;
        all.layout.recompute = attention.layout.recompute = Recompute::none;
        attention.method.adapted.gate = attention.method.adapted.up = attention.method.adapted.down = false;
        const Work a(all), b(attention);
        const double f = 14336, tokens = 8192;
        const double less = (layer_activations(a, 0).total() - layer_activations(b, 0).total()) / byte;
        QVERIFY(less > 2 * tokens * (f + 4096) && less < 2 * tokens * (f + 4096 + 100));
    }

    void what_excludes_each_other_is_refused_with_what_works_data() {
        QTest::addColumn<QString>("knob");
        QTest::addColumn<QString>("other");
        const auto row = [](const char* name, const char* knob, const char* other) {
            QTest::newRow(name) << knob << other;
        };
        row("an update in the backward pass of one micro-batch of several", "recipe.updates_in_backward",
            "recipe.global_batch_sequences");
        row("a rank of none", "method.rank", "");
        row("quantised weights under fp8 products", "method.frozen", "recipe.precision");
        row("adapters under Shampoo", "recipe.optimizer", "method.trained");
        row("no matrix at all", "method.adapted.q_proj", "");
        row("magnitudes of quantised experts", "method.magnitudes", "method.frozen");
        row("adapters off where there are none", "method.reference", "method.trained");
    }
    void what_excludes_each_other_is_refused_with_what_works() {
        QFETCH(QString, knob);
        QFETCH(QString, other);
        Scenario s = on_one_device("llama3-8b", adapters(8));
        if (knob == "method.rank") s.method.rank = 0;
        if (knob == "method.frozen") {
            s.method.frozen = FrozenFormat::nf4;
            s.recipe.precision = Precision::fp8;
            s.machine.device.fp8 = 2 * s.machine.device.bf16;
        }
        if (knob == "recipe.updates_in_backward") {
            s.recipe.updates_in_backward = true;
            s.recipe.global_batch_sequences = 4;
        }
        if (knob == "method.magnitudes") {
            s.model = model("qwen3-30b-a3b");
            s.method.magnitudes = true;
            s.method.frozen = FrozenFormat::nf4;
        }
        if (knob == "recipe.optimizer") s.recipe.optimizer = Optimizer::shampoo;
        if (knob == "method.reference")
            s.method = {.purpose = Purpose::preference, .reference = Reference::adapters_off};
        if (knob == "method.adapted.q_proj")
            s.method.adapted = {false, false, false, false, false, false, false, true, true};
        const auto found = check(s);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].knob, knob.toStdString());
        QCOMPARE(found[0].of, other.toStdString());
        QVERIFY(!found[0].valid.empty());
    }

    void a_method_survives_a_file_and_is_absent_without_tuning() {
        Scenario s = on_one_device("llama3-8b", adapters(64, FrozenFormat::nf4));
        s.method.adapted.key = false;
        s.method.magnitudes = s.method.adapter_dropout = true;
        const std::string text = write_scenario(s, library());
        QCOMPARE(read_scenario(text, library(), "plan.json")->scenario.method, s.method);
        s.method = {};
        QVERIFY(write_scenario(s, library()).find("method") == std::string::npos);
    }

    void every_part_is_explained_data() {
        QTest::addColumn<int>("frozen");
        QTest::addColumn<bool>("more");
        for (int f = 0; f < 4; ++f) QTest::newRow(names_of<FrozenFormat>()[f].data()) << f << false;
        QTest::newRow("magnitudes and dropout") << 0 << true;
        QTest::newRow("magnitudes and dropout over NF4") << 2 << true;
    }
    void every_part_is_explained() {
        QFETCH(int, frozen);
        QFETCH(bool, more);
        Scenario s = sharded(adapters(16, FrozenFormat(frozen)), 3);
        s.method.magnitudes = s.method.adapter_dropout = more;
        const Outcome e = estimate(s);
        for (const auto& part : step_parts) {
            const auto term = explain(s, "step." + std::string(part.id));
            QVERIFY(term);
            QVERIFY2(std::abs(evaluate(*term) - e->step.*part.value / second) < 1e-9 * (e->step.total() / second),
                     part.id.data());
        }
        for (const auto& part : memory_parts) {
            const auto term = explain(s, "memory." + std::string(part.id));
            QVERIFY(term);
            QVERIFY2(std::abs(evaluate(*term) - e->worst().*part.value / byte) < 1e-9 * (e->worst().total() / byte),
                     part.id.data());
        }
    }
};

PLIMSOLL_TEST(MethodTest)
#include "tst_method.moc"
