// Cutting any transformer over tensor ranks from the shapes of its weights.
#include "registered_test.h"

#include "core/files/import/model_import.h"
#include "core/files/import/tensor_plan.h"
#include "scenarios.h"
#include "shipped.h"

#include <functional>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

void add(ShapeList& list, const std::string& name, std::vector<int> shape) {
    list.tensors.push_back({name, std::move(shape)});
}

// google-t5/t5-11b: 24 + 24 blocks, 128 heads of 128 on a stream of 1,024.
ShapeList t5_11b() {
    const int h = 1024, inner = 16384, ffn = 65536;
    ShapeList list{"T5-11B", {}};
    add(list, "shared.weight", {32128, h});
    const auto attention = [&](const std::string& at) {
        for (const char* part : {"q", "k", "v"}) add(list, at + part + ".weight", {inner, h});
        add(list, at + "o.weight", {h, inner});
    };
    for (const std::string stack : {"encoder", "decoder"}) {
        const bool decoder = stack == "decoder";
        for (int i = 0; i < 24; ++i) {
            const std::string at = stack + ".block." + std::to_string(i) + ".layer.";
            attention(at + "0.SelfAttention.");
            if (i == 0) add(list, at + "0.SelfAttention.relative_attention_bias.weight", {32, 128});
            add(list, at + "0.layer_norm.weight", {h});
            if (decoder) attention(at + "1.EncDecAttention."), add(list, at + "1.layer_norm.weight", {h});
            const std::string feed = at + (decoder ? "2" : "1");
            add(list, feed + ".DenseReluDense.wi.weight", {ffn, h});
            add(list, feed + ".DenseReluDense.wo.weight", {h, ffn});
            add(list, feed + ".layer_norm.weight", {h});
        }
        add(list, stack + ".final_layer_norm.weight", {h});
    }
    return list;
}

// facebook/bart-large: 12 + 12 layers of 1,024, learned positions in both stacks.
ShapeList bart_large() {
    const int h = 1024, ffn = 4096;
    ShapeList list{"BART-Large", {}};
    const auto linear = [&](const std::string& name, int out, int in) {
        add(list, name + ".weight", {out, in});
        add(list, name + ".bias", {out});
    };
    const auto norm = [&](const std::string& name) {
        add(list, name + ".weight", {h}), add(list, name + ".bias", {h});
    };
    const auto attention = [&](const std::string& at) {
        for (const char* part : {"k_proj", "v_proj", "q_proj", "out_proj"}) linear(at + part, h, h);
    };
    add(list, "model.shared.weight", {50265, h});
    for (const std::string stack : {"encoder", "decoder"}) {
        add(list, "model." + stack + ".embed_positions.weight", {1026, h});
        for (int i = 0; i < 12; ++i) {
            const std::string at = "model." + stack + ".layers." + std::to_string(i) + '.';
            attention(at + "self_attn.");
            norm(at + "self_attn_layer_norm");
            if (stack == "decoder") attention(at + "encoder_attn."), norm(at + "encoder_attn_layer_norm");
            linear(at + "fc1", ffn, h);
            linear(at + "fc2", h, ffn);
            norm(at + "final_layer_norm");
        }
        norm("model." + stack + ".layernorm_embedding");
    }
    return list;
}

// EleutherAI/gpt-j-6b: attention and feed-forward side by side, a head with a bias.
ShapeList gpt_j() {
    const int h = 4096, ffn = 16384, vocabulary = 50400;
    ShapeList list{"GPT-J-6B", {}};
    add(list, "transformer.wte.weight", {vocabulary, h});
    for (int i = 0; i < 28; ++i) {
        const std::string at = "transformer.h." + std::to_string(i) + '.';
        add(list, at + "ln_1.weight", {h}), add(list, at + "ln_1.bias", {h});
        for (const char* part : {"k_proj", "v_proj", "q_proj", "out_proj"})
            add(list, at + "attn." + part + ".weight", {h, h});
        add(list, at + "mlp.fc_in.weight", {ffn, h}), add(list, at + "mlp.fc_in.bias", {ffn});
        add(list, at + "mlp.fc_out.weight", {h, ffn}), add(list, at + "mlp.fc_out.bias", {h});
    }
    add(list, "transformer.ln_f.weight", {h}), add(list, "transformer.ln_f.bias", {h});
    add(list, "lm_head.weight", {vocabulary, h}), add(list, "lm_head.bias", {vocabulary});
    return list;
}

ShapeList preset(const char* id) { return shapes_of(library().models.at(id)); }

const TensorCut& cut_of(const TensorPlan& plan, const std::string& name) {
    for (const TensorCut& c : plan.cuts)
        if (c.name == name) return c;
    qFatal("no tensor %s", name.c_str());
}

}  // namespace

class TensorPlanTest : public QObject {
    Q_OBJECT

private slots:
    // 33: Redco, table of runnable models: fp32 Adam takes 16 bytes a parameter.
    void published_fits_data() {
        QTest::addColumn<int>("model");
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("device_gb");
        QTest::addColumn<double>("states_gb");
        QTest::addColumn<bool>("fits");
        QTest::newRow("GPT2-Large on 2 x 10 GB") << 0 << 2 << 10.0 << 12.4 << true;
        QTest::newRow("BART-Large on 2 x 10 GB") << 1 << 2 << 10.0 << 6.5 << true;
        QTest::newRow("LLaMA-7B on 4 x 40 GB") << 2 << 4 << 40.0 << 107.8 << true;
        QTest::newRow("GPT-J-6B on 4 x 40 GB") << 3 << 4 << 40.0 << 96.8 << true;
        QTest::newRow("T5-11B on 8 x 32 GB") << 4 << 8 << 32.0 << 180.8 << true;
        QTest::newRow("OPT-13B on 8 x 32 GB") << 5 << 8 << 32.0 << 205.6 << true;
        QTest::newRow("OPT-66B on 64 x 32 GB") << 6 << 64 << 32.0 << 1051.0 << true;
        QTest::newRow("control: OPT-13B does not fit 4 x 40 GB") << 5 << 4 << 40.0 << 205.6 << false;
        QTest::newRow("control: LLaMA-7B does not fit 2 x 10 GB") << 2 << 2 << 10.0 << 107.8 << false;
    }
    void published_fits() {
        QFETCH(int, model);
        QFETCH(int, devices);
        QFETCH(double, device_gb);
        QFETCH(double, states_gb);
        QFETCH(bool, fits);
        const ShapeList lists[] = {preset("gpt2-774m"), bart_large(),     preset("llama1-7b"), gpt_j(), t5_11b(),
                                   preset("opt-13b"),   preset("opt-66b")};
        const double states = 16 * parameters(lists[model]) / 1e9;
        QVERIFY2(std::abs(states - states_gb) < 0.12 || std::abs(states / states_gb - 1) < 0.0008,
                 qPrintable(QString::number(states, 'f', 3)));
        // Of one rank, what is not split included: positions and norms are up to 2 % over 64 ranks.
        const TensorPlan plan = tensor_plan(lists[model], devices);
        QVERIFY(plan.per_device * devices >= plan.parameters);
        QVERIFY(plan.per_device * devices < 1.025 * plan.parameters);
        QCOMPARE(16 * plan.per_device <= device_gb * 1e9, fits);
    }

    void counts_are_those_of_the_published_checkpoints() {
        QCOMPARE(parameters(t5_11b()), 11307321344.0);
        QCOMPARE(parameters(bart_large()), 406291456.0);
        QCOMPARE(parameters(gpt_j()), 6050882784.0);
        QCOMPARE(parameters(preset("llama1-7b")), 6738415616.0);
    }

    void shapes_of_every_shipped_model_add_up_to_its_parameters() {
        QVERIFY(library().models.size() > 80);
        for (const auto& [id, m] : library().models) {
            const double counted = parameters(shapes_of(m)), expected = parameters(m) - m.extra_parameters;
            QVERIFY2(std::abs(counted - expected) <= 1e-12 * expected, id.c_str());
        }
    }

    void pairs_are_split_along_outputs_then_inputs_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<int>("list");
        QTest::addColumn<QString>("split");
        QTest::addColumn<int>("axis");
        const auto row = [](const char* name, int list, const char* tensor, TensorSplit split, int axis) {
            QTest::newRow(name) << QString(tensor) << list << QString::fromStdString(std::string(say(split))) << axis;
        };
        row("T5's queries by heads", 0, "encoder.block.*.layer.*.SelfAttention.q.weight", TensorSplit::output, 0);
        row("T5's attention output by its inputs", 0, "decoder.block.*.layer.*.EncDecAttention.o.weight",
            TensorSplit::input, 1);
        row("T5's first feed-forward linear", 0, "encoder.block.*.layer.*.DenseReluDense.wi.weight",
            TensorSplit::output, 0);
        row("T5's second", 0, "encoder.block.*.layer.*.DenseReluDense.wo.weight", TensorSplit::input, 1);
        row("T5's shared table by vocabulary", 0, "shared.weight", TensorSplit::vocabulary, 0);
        row("T5's relative positions stay whole", 0,
            "encoder.block.*.layer.*.SelfAttention.relative_attention_bias.weight", TensorSplit::whole, -1);
        row("BART's square queries, by name", 1, "model.encoder.layers.*.self_attn.q_proj.weight", TensorSplit::output,
            0);
        row("BART's square output projection, by name", 1, "model.encoder.layers.*.self_attn.out_proj.weight",
            TensorSplit::input, 1);
        row("the bias of a first linear follows it", 1, "model.decoder.layers.*.fc1.bias", TensorSplit::output, 0);
        row("the bias of a second linear stays whole", 1, "model.decoder.layers.*.fc2.bias", TensorSplit::whole, -1);
        row("norms stay whole", 1, "model.decoder.layers.*.final_layer_norm.weight", TensorSplit::whole, -1);
        row("learned positions stay whole", 1, "model.encoder.embed_positions.weight", TensorSplit::whole, -1);
    }
    void pairs_are_split_along_outputs_then_inputs() {
        QFETCH(QString, tensor);
        QFETCH(int, list);
        QFETCH(QString, split);
        QFETCH(int, axis);
        const TensorPlan plan = tensor_plan(list == 0 ? t5_11b() : bart_large(), 8);
        const TensorCut& cut = cut_of(plan, tensor.toStdString());
        QCOMPARE(QString::fromStdString(std::string(say(cut.split))), split);
        QCOMPARE(cut.axis, axis);
        if (axis >= 0) QVERIFY(std::abs(cut.per_device * 8 / cut.elements - 1) < 1e-3);  // vocabularies are padded
        else QCOMPARE(cut.per_device, cut.elements);
    }

    void transposed_weights_are_split_along_the_other_axis() {
        ShapeList list = bart_large();
        for (TensorShape& t : list.tensors)
            if (t.shape.size() == 2 && role_of(t.name) != TensorRole::vocabulary
                && role_of(t.name) != TensorRole::whole)
                std::swap(t.shape[0], t.shape[1]);
        const TensorPlan plan = tensor_plan(list, 4), straight = tensor_plan(bart_large(), 4);
        QVERIFY(!plan.rows_are_outputs);
        QVERIFY(straight.rows_are_outputs);
        QCOMPARE(cut_of(plan, "model.encoder.layers.*.self_attn.q_proj.weight").axis, 1);
        QCOMPARE(cut_of(plan, "model.encoder.layers.*.fc2.weight").axis, 0);
        QCOMPARE(plan.per_device, straight.per_device);
    }

    void names_it_does_not_know_are_judged_by_shape() {
        ShapeList list{"odd", {}};
        for (int i = 0; i < 2; ++i) {
            const std::string at = "blk." + std::to_string(i) + '.';
            add(list, at + "alpha", {512}), add(list, at + "omega", {512});
            add(list, at + "widen", {2048, 512});
            add(list, at + "narrow", {512, 2048});
        }
        add(list, "table", {32000, 512});
        const TensorPlan plan = tensor_plan(list, 4);
        QCOMPARE(plan.hidden, 512);
        QCOMPARE(cut_of(plan, "blk.*.widen").axis, 0);
        QCOMPARE(cut_of(plan, "blk.*.narrow").axis, 1);
        QVERIFY(cut_of(plan, "table").split == TensorSplit::vocabulary);
        QVERIFY(cut_of(plan, "blk.*.alpha").split == TensorSplit::whole);
    }

    void what_does_not_divide_stays_whole_and_says_why() {
        const TensorPlan plan = tensor_plan(preset("llama1-7b"), 3);
        const TensorCut& up = cut_of(plan, "model.layers.*.mlp.up_proj.weight");  // 11,008 = 2^8 x 43
        QVERIFY(up.split == TensorSplit::whole);
        QVERIFY(up.why.find("11008") != up.why.npos);
    }

    void ranks_beyond_the_key_heads_hold_copies() {
        const Model& m = library().models.at("llama3-8b");  // eight key heads of 128
        const TensorPlan plan = tensor_plan(shapes_of(m), 16, m.head_dim);
        const TensorCut& keys = cut_of(plan, "model.layers.*.self_attn.k_proj.weight");
        QCOMPARE(keys.per_device, 32 * 128.0 * 4096);
        QVERIFY(!keys.why.empty());
    }

    void a_decoder_follows_from_shapes_and_heads() {
        for (const char* id : {"llama1-7b", "llama3-8b", "gpt2-774m", "opt-13b", "qwen2.5-7b", "gpt-neox-20b"}) {
            const Model& m = library().models.at(id);
            const auto found = model_of(shapes_of(m), m.heads);
            QVERIFY2(found.has_value(), id);
            QCOMPARE(found->layers, m.layers);
            QCOMPARE(found->hidden, m.hidden);
            QCOMPARE(found->kv_heads, m.kv_heads);
            QCOMPARE(found->head_dim, m.head_dim);
            QCOMPARE(found->ffn, m.ffn);
            QCOMPARE(found->vocabulary, m.vocabulary);
            QCOMPARE(found->position_rows, m.position_rows);
            QCOMPARE(gated(found->activation), gated(m.activation));
            QCOMPARE(found->tied_embeddings, m.tied_embeddings);
            QCOMPARE(found->extra_parameters, 0.0);
            QCOMPARE(parameters(*found), parameters(m));
        }
        const auto j = model_of(gpt_j(), 16);
        QVERIFY(j.has_value());
        QCOMPARE(parameters(*j), 6050882784.0);
        QCOMPARE(j->extra_parameters, 50400.0);  // the bias of the head
        QCOMPARE(j->norms_per_layer, 1);
    }

    void what_is_no_decoder_says_why_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("says");
        QTest::newRow("an encoder-decoder") << 0 << "encoder-decoder";
        QTest::newRow("heads not stated") << 1 << "heads are not in any shape";
        QTest::newRow("heads that do not divide") << 2 << "do not divide";
        QTest::newRow("experts") << 3 << "config.json";
        QTest::newRow("no blocks") << 4 << "no numbered blocks";
    }
    void what_is_no_decoder_says_why() {
        QFETCH(int, which);
        QFETCH(QString, says);
        const std::function<Expected<Model, std::vector<std::string>>()> attempts[] = {
            [] { return model_of(t5_11b(), 128); },
            [] { return model_of(preset("llama1-7b"), 0); },
            [] { return model_of(preset("llama1-7b"), 7); },
            [] { return model_of(preset("mixtral-8x7b"), 32); },
            [] { return model_of(ShapeList{"two", {{"a", {3, 4}}, {"b", {4}}}}, 1); },
        };
        const auto found = attempts[which]();
        QVERIFY(!found);
        QVERIFY2(QString::fromStdString(found.error()[0]).contains(says), found.error()[0].c_str());
    }
};

PLIMSOLL_TEST(TensorPlanTest)
#include "tst_tensor_plan.moc"
