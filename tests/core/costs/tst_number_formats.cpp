// Products in fewer than 16 bits: copies of weights, what travels, what is kept, what converting moves, what stays.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/price.h"
#include "core/answers/plan/rules.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/products.h"
#include "core/costs/memory/memory.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/evidence/published/score.h"
#include "core/values/knobs/knobs.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/number_formats.h"
#include "near.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Device hopper() { return library().machines.at("dgx-h100").device; }
Device blackwell() { return library().machines.at("gb300-nvl72").device; }

// DeepSeek-V3 as Megatron-Bridge trains it on 256 GB300 in NVFP4 (perf_recipes/deepseek/gb300): moments and gradients
// in 16 bits, 16 chunks of which the last holds a layer and the loss.
Scenario deepseek_on_gb300() {
    Scenario s;
    s.model = library().models.at("deepseek-v3-mtp");
    s.machine = library().machines.at("gb300-nvl72");
    s.stack = library().stacks.at("megatron-core");
    Layout& l = s.layout;
    l.devices = 256;
    l.pipeline_parallel = 2;
    l.data_parallel = 128;
    l.virtual_stages = 8;
    l.schedule = Schedule::interleaved;
    l.stages = *read_stage_list("Et*4|(t*4|)*14tmL");
    l.expert_parallel = 32;
    l.zero_stage = 1;
    l.micro_batch = 2;
    l.recompute = Recompute::selective;
    l.recompute_modules = {};
    for (const ModuleRow& row : module_rows) l.recompute_modules.*row.listed = row.name == "mla_up_proj";
    Recipe& r = s.recipe;
    r.global_batch_sequences = 4096;
    r.sequence_length = 4096;
    r.precision = Precision::fp8;
    r.fp8_recipe = Fp8Recipe::nvfp4;
    r.state_format = StateFormat::master_weights;
    return s;
}

Scenario small(Fp8Recipe recipe) {
    Scenario s = deepseek_on_gb300();
    s.model = library().models.at("llama3-8b");
    s.layout = {};
    s.layout.devices = s.layout.data_parallel = 8;
    s.layout.zero_stage = 1;
    s.recipe.fp8_recipe = recipe;
    s.recipe.global_batch_sequences = 64;
    return s;
}

double allocated_GB(const Scenario& s) {
    return figure_of(*estimate(s), {MemoryKind::allocated, MemoryRank::first}) / byte / 1e9;
}

Scenario alone(Scenario s) {
    s.recipe.converted_weights_alone = true;
    return s;
}

double weights(const Scenario& s) { return stage_memory(Work(s), 0).weights / byte; }

}  // namespace

class NumberFormatsTest : public QObject {
    Q_OBJECT

private slots:
    void copies_of_a_weight_follow_recipe_and_device_data() {
        QTest::addColumn<int>("recipe");
        QTest::addColumn<bool>("newer");
        QTest::addColumn<double>("by_rows");
        QTest::addColumn<double>("by_columns");
        const auto row = [](const char* name, Fp8Recipe r, bool newer, double rows, double columns) {
            QTest::newRow(name) << int(r) << newer << rows << columns;
        };
        row("one scale a tensor on Hopper: a transposed copy besides", Fp8Recipe::delayed, false, 1, 1);
        row("one scale a tensor on Blackwell: one copy serves both", Fp8Recipe::tensorwise, true, 1, 0);
        row("blocks on Hopper", Fp8Recipe::blockwise, false, 1 + 4 / 16384.0, 1 + 4 / 16384.0);
        row("blocks on Blackwell are computed as MX", Fp8Recipe::blockwise, true, 1.03125, 1.03125);
        row("MX: copies by rows and by columns differ", Fp8Recipe::mxfp8, true, 1.03125, 1.03125);
        row("NVFP4: half a byte and a sixteenth, twice", Fp8Recipe::nvfp4, true, 0.5625, 0.5625);
    }
    void copies_of_a_weight_follow_recipe_and_device() {
        QFETCH(int, recipe);
        QFETCH(bool, newer);
        QFETCH(double, by_rows);
        QFETCH(double, by_columns);
        const WeightCopies copies = copies_of_weight(Fp8Recipe(recipe), newer ? blackwell() : hopper());
        QVERIFY(near(copies.by_rows, by_rows));
        QVERIFY(near(copies.by_columns, by_columns));
    }

    void converted_weights_stand_beside_16_bits_or_alone() {
        const Scenario beside = small(Fp8Recipe::nvfp4);
        const Parameters own = stage_parameters(beside, 0);
        const double all = own.all.total(), converted = own.converted.total();
        QVERIFY(converted < all);   // embedding, head and norms are not
        QVERIFY(near(weights(beside), 2 * all + 1.125 * converted));
        QVERIFY(near(weights(alone(beside)), 2 * (all - converted) + 1.125 * converted));
        Scenario eight = small(Fp8Recipe::mxfp8);
        QVERIFY(near(weights(alone(eight)), 2 * (all - converted) + 2.0625 * converted));
    }

    void gathers_carry_the_recipes_bytes_data() {
        QTest::addColumn<int>("recipe");
        QTest::addColumn<double>("bytes");
        QTest::newRow("a tensor") << int(Fp8Recipe::tensorwise) << 1.0;
        QTest::newRow("MX travels in 16 bits, since scales by rows do not tell those by columns")
            << int(Fp8Recipe::mxfp8) << 2.0;
        QTest::newRow("NVFP4 by rows, transposed on arrival") << int(Fp8Recipe::nvfp4) << 0.5625;
    }
    void gathers_carry_the_recipes_bytes() {
        QFETCH(int, recipe);
        QFETCH(double, bytes);
        const Scenario s = alone(small(Fp8Recipe(recipe)));
        const Parameters own = stage_parameters(s, 0);
        std::vector<Reduction> moved;
        gradient_time(Work(s), own, {}, 0, &moved);
        const auto gather = std::ranges::find(moved, Collective::all_gather, &Reduction::kind);
        QVERIFY(gather != moved.end());
        QVERIFY(near(gather->payload / byte,
                     2 * (own.all.total() - own.converted.total()) + bytes * own.converted.total()));
    }

    void mx_gathers_into_the_gradients_or_a_buffer_of_its_own() {
        Scenario s = alone(small(Fp8Recipe::mxfp8));
        const double shared = stage_memory(Work(s), 0).buffers / byte;
        s.recipe.gathers_into_gradients = false;
        const double apart = stage_memory(Work(s), 0).buffers / byte;
        QVERIFY(near(apart - shared, 2 * stage_parameters(s, 0).converted.total()));
    }

    void products_keep_their_inputs_converted() {
        Scenario s = deepseek_on_gb300();
        const LayerKind experts = Layers(s.model)[1];
        const auto kept = [&](const char* id) {
            const Work w(s);
            for (const Kept& k : kept_tensors(w, experts))
                if (std::string(k.id) == id) return k.bytes;
            return 0.0;
        };
        QVERIFY(near(kept("experts_out_input"), 0.5625) && near(kept("copies"), 0.5625));
        QVERIFY(near(kept("layer_input"), 2));
        s.recipe.fp8_recipe = Fp8Recipe::mxfp8;
        QVERIFY(near(kept("experts_out_input"), 1.03125));
        s.recipe.precision = Precision::bf16;
        QVERIFY(near(kept("experts_out_input"), 2));
    }

    void nvfp4_transforms_what_it_converts_by_columns() {
        const Scenario s = small(Fp8Recipe::nvfp4), eight = small(Fp8Recipe::mxfp8);
        QVERIFY(conversion_forward(s, dense_layer).transform > Bytes{});
        QVERIFY(conversion_forward(eight, dense_layer).transform == Bytes{});
        QVERIFY(conversion_backward(s, dense_layer).total() > conversion_backward(eight, dense_layer).total());
        const double written = (weight_conversion(s, stage_parameters(s, 0)) / byte);
        QVERIFY(near(written, (3 + 1.125) * stage_parameters(s, 0).converted.total()));
    }

    void weights_converted_every_micro_batch_move_what_they_do_once_a_step() {
        for (const Fp8Recipe recipe : {Fp8Recipe::delayed, Fp8Recipe::mxfp8, Fp8Recipe::nvfp4}) {
            Scenario s = small(recipe);
            const double once = weight_conversion(s, stage_parameters(s, 0)) / byte
                              / stage_parameters(s, 0).converted.total();
            s.stack.kernels.quantises_each_micro_batch = true;
            double weights = 0;
            for (const Gemm& g : layer_gemms(s, dense_layer)) weights += g.batch * g.k * g.n;
            QVERIFY(near(conversion_forward(s, dense_layer).weights / byte / weights, once));
        }
    }

    // Bridge's recipe of Nemotron 3 Super: the last 14 of 88.
    void layers_keep_16_bits_where_the_recipe_says() {
        Scenario s = small(Fp8Recipe::nvfp4);
        const auto step = [](const Scenario& plan) { return estimate(plan)->step.total() / second; };
        const double all = step(s), before = weights(alone(s));
        Scenario wide = s;
        wide.model.wide = {2, 4, false};
        const Layers layers(wide.model);
        QCOMPARE(layers.kinds(), 2);
        QVERIFY(layers[layers.of_layer(1)].in_16_bits && !layers[layers.of_layer(2)].in_16_bits);
        QVERIFY(layers[layers.of_layer(s.model.layers - 4)].in_16_bits);
        QVERIFY(step(wide) > all);
        const double each = stage_parameters(s, 0).converted.total() / s.model.layers;
        QVERIFY(near(weights(alone(wide)) - before, 6 * each * (2 - 1.125)));
        Scenario sixteen = s;
        sixteen.recipe.precision = Precision::bf16;
        wide.model.wide = {s.model.layers, 0, false};
        const Work w(wide), b(sixteen);
        QVERIFY(layer_time(w, w.layers[w.layers.of_layer(0)]).forward.device()
                == layer_time(b, b.layers[0]).forward.device());
        QVERIFY(layer_activations(w, w.layers[w.layers.of_layer(0)]).total()
                == layer_activations(b, b.layers[0]).total());
    }

    void a_pattern_says_so_of_kinds() {
        Model m = library().models.at("nemotron-3-nano-30b-a3b");
        const std::string letters = letters_of(m);
        const double parameters = plimsoll::parameters(m);
        m.wide = {0, 14, true};
        QCOMPARE(QString::fromStdString(letters_of(m)), QString::fromStdString(letters));
        QVERIFY(near(plimsoll::parameters(m), parameters));
        const Layers layers(m);
        int wide = 0;
        for (int i = 0; i < m.layers; ++i) wide += layers[layers.of_layer(i)].in_16_bits;
        QCOMPARE(wide, 14);
    }

    void what_a_device_or_a_software_lacks_is_refused_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        QTest::addColumn<double>("nearest");
        Scenario mx = small(Fp8Recipe::mxfp8);
        mx.machine = library().machines.at("dgx-h100");
        QTest::newRow("MX on Hopper") << mx << "recipe.fp8_recipe" << double(Fp8Recipe::delayed);
        Scenario whole = alone(small(Fp8Recipe::tensorwise));
        whole.layout.zero_stage = 3;
        whole.stack.sharding.stage_with_pipeline = 3;
        QTest::newRow("converted weights alone, shared out as ZeRO-3 does")
            << whole << "recipe.converted_weights_alone" << 0.0;
        Scenario none = alone(small(Fp8Recipe::tensorwise));
        none.stack.memory.fp8_storage = Fp8Storage::none;
        QTest::newRow("software that keeps nothing converted") << none << "recipe.converted_weights_alone" << 0.0;
        Scenario delayed = small(Fp8Recipe::delayed);
        delayed.model.wide.last = 1;
        QTest::newRow("a layer in 16 bits beside delayed scales")
            << delayed << "model.layers_in_16_bits.last" << 0.0;
        Scenario bf16 = small(Fp8Recipe::mxfp8);
        bf16.recipe.precision = Precision::bf16;
        bf16.model.wide.first = 1;
        QTest::newRow("a layer in 16 bits where all are") << bf16 << "model.layers_in_16_bits.first" << 0.0;
        Scenario many = small(Fp8Recipe::mxfp8);
        many.model.wide = {20, 20, false};
        QTest::newRow("more than the model has") << many << "model.layers_in_16_bits.first" << 12.0;
    }
    void what_a_device_or_a_software_lacks_is_refused() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        QFETCH(double, nearest);
        const Outcome out = estimate(plan);
        QVERIFY(!out);
        const Obstacle& first = out.error().front();
        QCOMPARE(QString::fromStdString(first.knob), knob);
        QVERIFY(std::ranges::find(first.valid, nearest) != first.valid.end());
    }

    // Megatron-Bridge pull request 3364, mem-max-allocated of rank 0 on the first stage. Alone they take more than is
    // predicted, see the next test.
    void nvfp4_weights_alone_save_what_was_measured_data() {
        QTest::addColumn<bool>("alone");
        QTest::addColumn<double>("GB");
        QTest::addColumn<double>("within");
        QTest::newRow("beside 16 bits") << false << 235.15 << 0.03;
        QTest::newRow("alone") << true << 202.75 << 0.04;
    }
    void nvfp4_weights_alone_save_what_was_measured() {
        QFETCH(bool, alone);
        QFETCH(double, GB);
        QFETCH(double, within);
        Scenario s = deepseek_on_gb300();
        s.recipe.converted_weights_alone = alone;
        const double here = allocated_GB(s);
        QVERIFY2(std::abs(here / GB - 1) < within, qPrintable(QString::number(here)));
    }

    // The same runs: 32.40 GB less. The 16-bit copy of what is converted on the stage is 37.3, and nothing that the
    // software is known to keep in its place explains the rest, so the saving is predicted too large, by a seventh.
    void the_16_bit_copy_is_what_is_saved() {
        const Scenario s = deepseek_on_gb300();
        const double saved = allocated_GB(s) - allocated_GB(alone(s));
        QVERIFY2(near(saved, 2 * stage_parameters(s, 0).converted.total() / 1e9), qPrintable(QString::number(saved)));
        QVERIFY2(std::abs(saved / 32.40 - 1) < 0.16, qPrintable(QString::number(saved)));
    }
};

PLIMSOLL_TEST(NumberFormatsTest)
#include "tst_number_formats.moc"
