// Activations that leave the device by module: what each stores, what stays, what the host holds, and what excludes it.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/rules.h"
#include "core/costs/memory/memory.h"
#include "core/values/knobs/knobs.h"
#include "near.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr const char* all_modules = "attn_norm qkv_linear core_attn attn_proj mlp_norm expert_fc1 moe_act";

// As Megatron lists them: "core_attn attn_proj"; everything stays of an empty list.
Scenario sending(Scenario s, const std::string& list) {
    s.layout.offload.activations = list.empty() ? Tier::device : Tier::host;
    s.layout.offload.solve_share = false;
    for (const SentModuleRow& row : sent_module_rows)
        s.layout.offload.modules.*row.listed =
            (' ' + list + ' ').find(' ' + std::string(row.name) + ' ') != std::string::npos;
    return s;
}

Scenario on_h100(const char* model, int tensor) {
    Scenario s;
    s.model = library().models.at(model);
    s.machine = library().machines.at("dgx-h100");
    s.stack = library().stacks.at("megatron-core");
    s.layout.devices = 16;
    s.layout.tensor_parallel = tensor;
    s.layout.sequence_parallel = tensor > 1;
    s.layout.data_parallel = s.layout.devices / tensor;
    s.layout.expert_parallel = 8;
    s.layout.zero_stage = 1;
    s.recipe.sequence_length = 8192;
    s.recipe.precision = Precision::bf16;
    s.recipe.global_batch_sequences = 8 * s.layout.data_parallel;
    return s;
}
Scenario nano() { return on_h100("nemotron-3-nano-30b-a3b", 1); }
Scenario moonlight() { return on_h100("moonlight-16b-a3b", 2); }

bool has_obstacle(const Scenario& s, std::string_view knob) {
    return std::ranges::any_of(check(s), [&](const Obstacle& o) { return o.knob == knob; });
}

}  // namespace

class SentModulesTest : public QObject {
    Q_OBJECT

private slots:
    // Nano: h 2,688, 32 heads and 2 of keys of 128, 6 of 128 experts of 1,856, plain activation; 8,192 tokens.
    void a_module_sends_what_it_stores_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<double>("values");   // a token and layer
        QTest::newRow("the layer's input and the norm's result") << "qkv_linear" << 2 * 2688.0;
        QTest::newRow("queries, keys and values") << "core_attn" << (32 + 2 * 2) * 128.0;
        QTest::newRow("the output of attention") << "attn_proj" << 32 * 128.0;
        QTest::newRow("the stream in front of experts") << "mlp_norm" << 2688.0;
        QTest::newRow("tokens of the experts") << "expert_fc1" << 6 * 2688.0;
        QTest::newRow("results of the experts' first product") << "moe_act" << 6 * 1856.0;
    }
    void a_module_sends_what_it_stores() {
        QFETCH(QString, module);
        QFETCH(double, values);
        const Scenario s = sending(nano(), module.toStdString());
        const Work w(s);
        int having = 0;
        for (Kind k = 0; k < w.layers.kinds(); ++k) {
            const double sent = sent_with_modules(w, k) / byte;
            if (sent == 0) continue;
            ++having;
            QVERIFY2(near(sent, 2 * 8192 * values), qPrintable(QString::number(sent)));
        }
        QCOMPARE(having, 1);
    }

    // Latent attention's norm stands alone; what it is made of leaves with the projections.
    void norms_that_stand_alone_send_their_own_input() {
        const Scenario s = sending(moonlight(), all_modules);
        const Work w(s);
        const Model& m = s.model;
        const double tokens = 8192, h = m.hidden, latent = m.latent.q_rank + m.latent.kv_rank + m.latent.rope_dim;
        for (Kind k = 0; k < w.layers.kinds(); ++k) {
            const auto sent = [&](SentModule module) { return sent_with_module(w, k, module) / byte; };
            QVERIFY(near(sent(SentModule::attn_norm), 2 * tokens * h / 2));
            QVERIFY(near(sent(SentModule::qkv_linear), 2 * tokens * (h + latent) / 2));
            QVERIFY((sent(SentModule::mlp_norm) > 0) == (w.layers[k].feed == Feed::experts));
        }
    }

    // Megatron-Core of August 2026, tests/functional_tests/test_cases/moe/gpt3_moe_mcore_te_tp2_pp2_ep4_
    // etp1_no_mtp_no_a2a_ovlp_fine_grained_offloading: mem-max-allocated-bytes of one rank on 8 H100, all modules sent,
    // attention not fused. Without a list 20 GB would be held.
    void a_functional_test_takes_what_was_measured() {
        Scenario s = sending(on_h100("moonlight-16b-a3b", 2), all_modules);
        s.model = small_mixture();
        Model& m = s.model;
        m.layers = 15;
        m.hidden = 1024;
        m.heads = m.kv_heads = 32;
        m.ffn = 4096;
        m.vocabulary = 50257;
        m.vocabulary_padding = 3232;
        m.experts = {.count = 32, .top_k = 4, .ffn = 1024, .shared = 1, .shared_ffn = 1024, .dense_layers = 3};
        m.latent.q_rank = 1536;
        s.stack = library().stacks.at("megatron-core-plain");
        s.stack.kernels.attention = Attention::materialised;
        s.stack.memory.context = {};
        s.stack.memory.fragmentation = 1;
        Layout& l = s.layout;
        l.devices = 8;
        l.pipeline_parallel = l.data_parallel = 2;
        l.expert_parallel = l.virtual_stages = 4;
        l.schedule = Schedule::interleaved;
        l.stages = *read_stage_list("Et*3|(tt|)*6L");
        l.recompute = Recompute::selective;
        l.recompute_modules = {.core_attn = false, .layernorm = true, .moe_act = true, .mla_up_proj = true,
                               .mlp = true};
        s.recipe.sequence_length = 4096;
        s.recipe.global_batch_sequences = 8;
        s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
        const Outcome o = estimate(s);
        QVERIFY(o);
        for (const MemoryUse& stage : o->stages) {
            const double held = stage.total() / byte / 1e9;
            QVERIFY2(off(held, 7.157) < 0.03, qPrintable(QString::number(held)));
        }
        QVERIFY(estimate(sending(s, ""))->worst().total() / byte > 15e9);
    }

    void what_is_computed_again_is_not_sent() {
        Scenario s = sending(moonlight(), all_modules);
        const Scenario before = s;
        s.layout.recompute = Recompute::selective;
        s.layout.recompute_modules = {.core_attn = false, .layernorm = true, .moe_act = true, .mla_up_proj = true};
        QVERIFY(check(s).empty());
        const Work w(s), kept(before);
        for (Kind k = 0; k < w.layers.kinds(); ++k) {
            const bool experts = w.layers[k].feed == Feed::experts;
            QVERIFY(sent_with_module(w, k, SentModule::qkv_linear) < sent_with_module(kept, k, SentModule::qkv_linear));
            QVERIFY(sent_with_module(w, k, SentModule::core_attn) == Bytes{});
            QVERIFY((sent_with_module(w, k, SentModule::moe_act) > Bytes{}) == experts);
        }
    }

    // Of every layer but the one computed and the one on its way.
    void what_leaves_the_device_lies_in_host_memory() {
        for (const Scenario& plan : {nano(), moonlight()}) {
            const Scenario s = sending(plan, "core_attn attn_proj expert_fc1");
            const Work w(s);
            const Swap swap = swap_of(w);
            QCOMPARE(swap.share, 1.0);
            Bytes sent;
            for (Kind k = 0; k < w.layers.kinds(); ++k)
                sent += double(blocks_of_stage(w, 0)[k]) * sent_with_modules(w, k);
            const double layers = layers_of_stage(w, 0), away = (layers - 2) / layers;
            QVERIFY(near((stage_activations(plan, {}, 0).kept - stage_activations(w, swap, 0).kept) / byte,
                         away * sent / byte));
            const Outcome with = estimate(s), without = estimate(plan);
            QVERIFY(with && without);
            QVERIFY(near(with->host.use.activations / byte, 8 * away * sent / byte));
            QVERIFY(with->worst().total() < without->worst().total());
            QVERIFY(with->step.recompute == without->step.recompute);
        }
    }

    void the_share_solved_for_is_waited_for_by_nobody() {
        Scenario s = sending(moonlight(), all_modules);
        s.machine.host.link = 0.05 * s.machine.host.link;
        const Outcome all = estimate(s);
        s.layout.offload.solve_share = true;
        const Outcome solved = estimate(s);
        QVERIFY(all && solved);
        QVERIFY(all->step.offload > Seconds{});
        const double share = swap_of(s).share;
        QVERIFY2(share > 0 && share < 1, qPrintable(QString::number(share)));
        QVERIFY(solved->step.offload < 0.01 * all->step.offload);
    }

    void a_list_without_a_module_of_the_model_is_none() {
        Scenario s = sending(on_h100("llama3-8b", 1), "expert_fc1");
        s.layout.expert_parallel = 1;
        QVERIFY(!sends_by_module(s.model, s.layout.offload));
        const Outcome listed = estimate(s);
        s.layout.offload.modules = {};
        QVERIFY(listed && *listed == *estimate(s));
    }

    void what_excludes_it_is_refused_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("repeated");
        QTest::addColumn<QString>("knob");
        QTest::newRow("nothing") << all_modules << "" << "";
        QTest::newRow("experts whose layers are computed again") << "mlp_norm expert_fc1 moe_act" << "moe"
                                                                 << "layout.offload.modules.expert_fc1";
        QTest::newRow("nothing but these") << "expert_fc1 moe_act" << "moe" << "layout.offload.activations";
        QTest::newRow("attention that is computed again") << "qkv_linear core_attn attn_proj" << "core_attn"
                                                          << "layout.offload.modules.core_attn";
        QTest::newRow("attention's output alone") << "attn_proj" << "" << "layout.offload.modules.core_attn";
        QTest::newRow("norms beside their inputs") << "mlp_norm attn_norm" << "layernorm" << "";
        QTest::newRow("activation functions beside their inputs") << "moe_act" << "moe_act" << "";
        QTest::newRow("whole layers") << "core_attn" << "full" << "layout.recompute";
    }
    void what_excludes_it_is_refused() {
        QFETCH(QString, list);
        QFETCH(QString, repeated);
        QFETCH(QString, knob);
        Scenario s = sending(moonlight(), list.toStdString());
        if (repeated == "full") s.layout.recompute = Recompute::full;
        else if (!repeated.isEmpty()) {
            s.layout.recompute = Recompute::selective;
            s.layout.recompute_modules = {.core_attn = false};
            find_knob("layout.recompute_modules." + repeated.toStdString())->set(s, 1);
        }
        if (knob.isEmpty()) QVERIFY(check(s).empty());
        else QVERIFY(has_obstacle(s, knob.toStdString()));
        for (const Obstacle& o : check(s)) {
            const Knob* turned = find_knob(o.knob);
            QVERIFY(turned && !o.valid.empty());
            turned->set(s, o.valid.front());
        }
        QVERIFY(check(s).empty());
    }
    void software_and_graphs_that_do_not_send_modules_are_told() {
        Scenario s = sending(moonlight(), "mlp_norm expert_fc1");
        s.stack.memory.sends_modules = false;
        QVERIFY(has_obstacle(s, "layout.offload.activations"));
        s.stack.memory.sends_modules = true;
        QVERIFY(check(s).empty());
        s.stack.experts.graph = Graph::router;
        QVERIFY(has_obstacle(s, "layout.offload.modules.mlp_norm"));
        Scenario whole = moonlight();
        whole.layout.offload.activations = Tier::host;
        QVERIFY(has_obstacle(whole, "layout.offload.activations"));
    }
};

PLIMSOLL_TEST(SentModulesTest)
#include "tst_sent_modules.moc"
