// Tiers below device memory: what moves, what waits, what fits; ZeRO-Offload's
// and ZeRO-Infinity's arithmetic as published.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/costs/memory/memory.h"
#include "core/costs/step/ledger.h"
#include "core/papers/zero_infinity.h"
#include "core/values/plan/share.h"
#include "core/costs/step/step.h"
#include "core/values/knobs/knobs.h"
#include "random_plans.h"
#include "near.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr FlopRate TFLOPS = teraflop / second;

// GPT-3 13B on one 32 GB V100 with 12 GB/s of PCIe and a 4 billion parameters/s host.
Scenario thirteen_billion() {
    Scenario s = gpt3_on_selene();
    Model& m = s.model;
    m.layers = 40;
    m.hidden = 5120;
    m.heads = m.kv_heads = 40;
    m.ffn = 20480;
    s.machine = one_node();
    s.machine.device.memory = 32 * gibibyte;
    s.machine.host.link = 12 * GBps;
    s.machine.host.adam_rate = 4e9;
    s.layout = {};
    s.layout.zero_stage = 2;
    s.layout.recompute = Recompute::full;
    s.recipe.global_batch_sequences = 1;
    s.recipe.sequence_length = 1024;
    s.recipe.state_format = StateFormat::fp32_moments;
    return s;
}

Scenario zero_offload(Scenario s) {
    s.layout.offload.optimizer = s.layout.offload.gradients = Tier::host;
    return s;
}

Scenario zero_infinity(Scenario s) {
    s = zero_offload(s);
    s.layout.zero_stage = 3;
    s.layout.offload.weights = Tier::host;
    return s;
}

Scenario with_drives(Scenario s) {
    s.machine.host.nvme = {8, 30 * terabyte, 25 * GBps, 16 * GBps, 7e3 * terabyte};
    return s;
}

}  // namespace

class OffloadTest : public QObject {
    Q_OBJECT

private slots:
    void closed_forms_of_zero_infinity_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char* name, double found, double expected, double tolerance) {
            QTest::newRow(name) << found << expected << tolerance;
        };
        using namespace infinity;
        const FlopRate peak = 70 * TFLOPS;
        row("21: weights and gradients, batch 1, 70 GB/s", efficiency(intensity_states(1024, 1), 70 * GBps, peak),
            0.5059, 1e-3);
        row("21: TB/s of the optimizer state for 90 %, batch 2",
            bandwidth_for(intensity_optimizer(1024, 2), 0.9, peak) / (1e3 * GBps), 1.2305, 1e-4);
        row("the paper's 1.5 TB/s gives 91.6 % (with that batch)",
            efficiency(intensity_optimizer(1024, 2), 1500 * GBps, peak), 0.916, 1e-3);
        row("activations, width 2,048, 2 GB/s", efficiency(intensity_activations(2048, 1), 2 * GBps, peak), 0.58, 0.01);
        row("activations, width 8,192, 1 GB/s", efficiency(intensity_activations(8192, 1), 1 * GBps, peak), 0.74, 0.01);
        row("states of a trillion parameters in TB", state_bytes(128, 25600) / terabyte, 20.1, 2e-3);
        row("widest operator at 12,288 in GB", working_weights(12288) / gigabyte, 2.416, 1e-3);
        row("checkpoints of 1T, batch 32, in TB", checkpoint_bytes(32, 1024, 25600, 128, 1) / terabyte, 0.2147, 1e-3);
        row("between checkpoints, GPT-3, batch 1, in GB", working_activations(1, 1024, 1, 12288, 96) / gigabyte,
            0.40265, 1e-3);
    }
    void closed_forms_of_zero_infinity() {
        QFETCH(double, found);
        QFETCH(double, expected);
        QFETCH(double, tolerance);
        QVERIFY2(near(found, expected, tolerance), qPrintable(QString::number(found, 'g', 9)));
    }

    void bandwidth_and_efficiency_are_inverse() {
        for (const double e : {0.1, 0.5, 0.9, 0.99})
            QVERIFY(near(infinity::efficiency(256, infinity::bandwidth_for(256, e, 70 * TFLOPS), 70 * TFLOPS), e));
    }

    // 22
    void bytes_per_parameter_in_each_tier() {
        const auto held = [](double parameters, StateFormat format) {
            Scenario s = thirteen_billion();
            s.recipe.state_format = format;
            const StateShare b = owned_states(s, in_matrices(parameters));
            return std::pair{b.weights / gigabyte, (b.weights + b.gradients + b.optimizer) / gigabyte};
        };
        QVERIFY(near(held(1e12, StateFormat::fp32_moments_both_sums).second, 20e3));   // 20 TB
        QVERIFY(near(held(13e9, StateFormat::fp32_moments).first, 26));                // 26 GB
        QVERIFY(near(held(14e9, StateFormat::fp32_moments).second, 224));              // 224 GB
    }

    void thirteen_billion_on_one_v100() {
        const Scenario plain = thirteen_billion(), moved = zero_offload(plain);
        const Outcome before = estimate(plain), after = estimate(moved);
        QVERIFY(before && after);
        QVERIFY(!before->fits());
        QVERIFY(after->fits());
        const double p = parameters(plain.model);
        QVERIFY(near(after->worst().weights / byte, 2 * p, 2e-2));
        QCOMPARE(after->worst().optimizer / byte, 0.0);
        QVERIFY(near(after->host.use.total() / byte, 14 * p, 1e-2));  // 2 of gradients, 12 of optimizer
        QVERIFY(after->step.optimizer < before->step.optimizer);
    }

    // Megatron-Bridge, docs/training/cpu-offloading.md: Qwen3-30B-A3B on 16 H100, TP 2, PP 2, EP 4. Of 47.2 GB that are
    // allocated between steps, moments are 15.3; Megatron-Core's masters stay. Steps take 1.9 times as long with a
    // quarter on the CPUs and 4.2 times with all of it.
    void a_share_of_qwen3s_optimizer_on_the_cpus_data() {
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("GB");
        QTest::addColumn<double>("times");
        QTest::newRow("a quarter") << 0.25 << 43.4 << 1871.0 / 996;
        QTest::newRow("half") << 0.5 << 39.6 << 2484.0 / 996;
        QTest::newRow("three quarters") << 0.75 << 35.6 << 3187.0 / 996;
        QTest::newRow("all of it") << 1.0 << 32.0 << 4189.0 / 996;
    }
    void a_share_of_qwen3s_optimizer_on_the_cpus() {
        QFETCH(double, share);
        QFETCH(double, GB);
        QFETCH(double, times);
        Scenario s;
        s.model = library().models.at("qwen3-30b-a3b");
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at("megatron-core-plain");
        s.layout = {.devices = 16, .tensor_parallel = 2, .pipeline_parallel = 2, .data_parallel = 4,
                    .expert_parallel = 4, .zero_stage = 1, .sequence_parallel = true};
        s.recipe.global_batch_sequences = 8;
        s.recipe.sequence_length = 4096;
        s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
        const auto states = [](const Estimate& e) {
            return (e.stages[1].weights + e.stages[1].gradients + e.stages[1].optimizer) / gigabyte;
        };
        const Outcome before = estimate(s);
        QVERIFY(before);
        QVERIFY2(near(states(*before), 47.2, 0.02), qPrintable(QString::number(states(*before))));
        s.layout.offload.optimizer = Tier::host;
        s.layout.offload.optimizer_share = share;
        const Outcome after = estimate(s);
        QVERIFY2(after, qPrintable(QString::fromStdString(check(s).empty() ? "" : check(s)[0].knob)));
        QVERIFY2(near(states(*after), GB, 0.02), qPrintable(QString::number(states(*after))));
        QVERIFY(near(states(*before) - states(*after), share * 15.3, 0.02));
        const double longer = after->step.total() / before->step.total();
        QVERIFY2(near(longer, times, 0.25), qPrintable(QString::number(longer)));
    }

    // Side by side, or gradients, update and weights in turn; of no share nothing leaves.
    void shares_add_up_and_turns_add_their_times() {
        Scenario s = thirteen_billion();
        s.layout.offload.optimizer = Tier::host;
        s.stack.updates.devices_keep_masters = true;
        const Parameters own = stage_parameters(s, 0);
        const auto moved = [&](double share) {
            s.layout.offload.optimizer_share = share;
            return state_flows(s, own).update;
        };
        QVERIFY(near(moved(1).down / byte, 4 * own.trained.total()));
        QVERIFY(near(moved(1).up / byte, 4 * own.trained.total()));
        QVERIFY(near(moved(0.25).down / byte, own.trained.total()));
        QCOMPARE(moved(0).down / byte, 0.0);
        QCOMPARE(host_update_time(s, own) / second, 0.0);
        s.layout.offload.optimizer_share = 1;
        const Outcome beside = estimate(s);
        s.stack.updates.moves_in_turn = true;
        const Outcome in_turn = estimate(s);
        QVERIFY(beside && in_turn);
        const TierRates rates = tier_rates(s);
        QVERIFY(near((in_turn->step.offload - beside->step.offload) / second,
                     (time_of(downwards(moved(1)), rates) + time_of(upwards(moved(1)), rates)
                      + host_update_time(s, own) - max(time_of(moved(1), rates), host_update_time(s, own))) / second));
    }

    void a_device_without_a_host_cannot_offload() {
        Scenario s = thirteen_billion();
        s.machine.host.link = {};
        QVERIFY(!estimate(zero_offload(s)));
        s.recipe.precision = Precision::fp16;
        QVERIFY(!estimate(s)->fits());
    }

    // 2 P down and 2 P up per step (Ren et al. 2021), by hand on a link so slow that nothing hides.
    void traffic_of_a_step_by_hand() {
        Scenario s = zero_offload(thirteen_billion());
        s.machine.host.link = 0.1 * GBps;
        const auto stages = stage_times(s);
        const Step step = step_of(s, stages);
        const double p = 2 * step.heaviest.trained.total() / 0.1e9;  // seconds each way
        QVERIFY(near(step.parts.offload / second, (p - stages[0].pass_backward / second) + p));
        s.layout.offload.weights = Tier::host;  // ZeRO-Infinity: twice up, once down, nothing after the step
        s.layout.zero_stage = 3;
        const auto far = stage_times(s);
        const Step step_far = step_of(s, far);
        const double first = step_far.tiers.first_fetch / second;
        const double after = step_far.heaviest.trained.total() / 4e9;  // the CPUs' update
        QVERIFY(near(step_far.parts.offload / second,
                     (p - far[0].pass_forward / second) + (p - far[0].pass_backward / second) + first + after));
    }

    void ranks_of_a_node_share_its_memory_bus() {
        Scenario one = zero_offload(small_on_one_node());
        one.layout.zero_stage = 2;
        one.machine.host.adam_rate = 4e9;
        const Step together = step_of(one, stage_times(one));
        // Eight ranks own an eighth each: the node updates all parameters once.
        QVERIFY(near(together.tiers.update / second, together.heaviest.trained.total() / 4e9));
        Scenario thin = one;
        thin.machine.host.memory_bandwidth = 8 * GBps;  // 0.8 of it, over eight ranks, is far below the link
        QVERIFY(near(tier_rates(thin).memory / GBps, 0.8));
        QVERIFY(estimate(thin)->step.offload > estimate(one)->step.offload);
    }

    void a_delayed_update_hides_behind_the_next_step() {
        Scenario s = zero_offload(thirteen_billion());
        s.recipe.global_batch_sequences = 64;
        const Outcome waits = estimate(s);
        s.layout.offload.delayed_update = true;
        const Outcome hides = estimate(s);
        QVERIFY(hides->step.offload < waits->step.offload);
        s.machine.host.adam_rate = 1e7;  // 1,300 s: more than a step hides
        const Step step = step_of(s, stage_times(s));
        QVERIFY(near(step.tiers.after() / second, (step.tiers.update - step.tiers.window) / second));
        QVERIFY(step.tiers.after() > Seconds{});
    }

    void the_host_rate_follows_the_bytes_touched() {
        Scenario s = zero_offload(thirteen_billion());
        s.machine.host.adam_rate = 0;
        QCOMPARE(update_bytes_touched(s), 28.0);
        QVERIFY(near(node_update_rate(s), 0.43 * 380e9 / 28));
        s.recipe.optimizer = Optimizer::sgd;
        QVERIFY(node_update_rate(s) > 0.43 * 380e9 / 28);
    }

    void drives_serve_reads_and_writes_one_after_the_other() {
        const TierRates r{1e3 * GBps, 1e3 * GBps, 2 * GBps, 1 * GBps};
        QVERIFY(near(time_of({{}, {}, {}, 2 * gigabyte, 3 * gigabyte}, r) / second, 4));
        QVERIFY(
            near(time_of({5e3 * gigabyte, 5e3 * gigabyte, {}, {}, {}}, r) / second, 5));  // the link both ways at once
    }

    // Node by node and rank by rank, instead of by the shortcut that looks at two nodes a stage.
    void the_fullest_node_is_found() {
        int tried = 0;
        for (const Scenario& s : random_plans(drawn(1500))) {
            if (!s.layout.offload.any() || !check(s).empty()) continue;
            const Swap w = swap_of(s);
            const long long width = s.layout.devices / s.layout.pipeline_parallel, g = ranks_per_node(s);
            for (const Tier tier : {Tier::host, Tier::nvme}) {
                const Offload& o = s.layout.offload;
                double most = 0;
                for (long long first = 0; first < s.layout.devices; first += g) {
                    double node = 0;
                    for (long long r = first; r < std::min<long long>(first + g, s.layout.devices); ++r) {
                        const int stage = int(r / width);
                        const StateShare own = owned_states(s, stage_parameters(s, stage));
                        if (o.weights == tier) node += own.weights / byte;
                        if (o.gradients == tier) node += own.gradients / byte;
                        if (o.optimizer == tier) node += own.optimizer / byte;
                        if (o.optimizer == tier && o.gradients == Tier::device && s.stack.updates.devices_keep_masters)
                            node += o.optimizer_share * own.gradients_down / byte;   // the CPUs' copies
                        if (w.tier == tier) node += layers_away(s, stage) * moved_by(s, w, stage) / byte;
                    }
                    most = std::max(most, node);
                }
                QVERIFY(std::abs(node_use(s, tier, w).total() / byte - most) <= 1e-9 * most);
            }
            ++tried;
        }
        QVERIFY(tried > drawn(50));
    }

    void what_leaves_the_device_is_found_below_it() {
        int tried = 0;
        for (const Scenario& s : random_plans(drawn(6000))) {
            if (!s.layout.offload.states() || s.layout.offload.swaps() || !check(s).empty()) continue;
            Scenario home = s;
            home.layout.offload = {};
            home.layout.offload.planned_memory = s.layout.offload.planned_memory;
            const Outcome away = estimate(s), all = estimate(home);
            QVERIFY(away && all);
            for (std::size_t i = 0; i < all->stages.size(); ++i) {
                QVERIFY(away->stages[i].weights <= all->stages[i].weights);
                QVERIFY(away->stages[i].optimizer <= all->stages[i].optimizer);
                QVERIFY(away->stages[i].gradients <= all->stages[i].gradients);
            }
            QVERIFY(away->host.use.total() + away->nvme.use.total() > Bytes{});
            ++tried;
        }
        QVERIFY(tried > drawn(30));
    }

    void a_tier_that_overflows_does_not_fit() {
        Scenario s = zero_offload(thirteen_billion());
        s.machine.host.memory = 64 * gibibyte;
        const Outcome o = estimate(s);
        QVERIFY(o && o->device_fits() && !o->host.fits() && !o->fits() && !runs(o));
    }

    void more_below_the_device_is_never_slower() {
        for (const Scenario& s : random_plans(drawn(1200))) {
            if (!s.layout.offload.any() || s.layout.offload.solve_share || !check(s).empty()) continue;
            const Seconds now = estimate(s)->step.total();
            const auto faster = [&](auto change) {
                Scenario better = s;
                change(better.machine.host);
                return estimate(better)->step.total() <= now * (1 + 1e-9);
            };
            QVERIFY(faster([](Host& h) { h.link *= 2; }));
            QVERIFY(faster([](Host& h) { h.memory_bandwidth *= 2; }));
            QVERIFY(faster([](Host& h) { h.nvme.read *= 2; h.nvme.write *= 2; }));
            QVERIFY(faster([](Host& h) { h.adam_rate *= 2; }));
        }
    }

    // bitsandbytes' paged optimizers: what lies in the host's memory comes to the device and goes back, once a step.
    void paged_states_come_to_the_device_for_its_update() {
        Scenario s = small_on_one_node();
        s.layout = {};
        s.layout.devices = 1;
        s.recipe.global_batch_sequences = s.layout.micro_batch;
        s.machine.host.memory_bandwidth = 1e6 * gigabyte / second;
        const Outcome before = estimate(s);
        s.layout.offload.optimizer = Tier::host;
        const Outcome by_cpus = estimate(s);
        s.layout.offload.paged_optimizer = true;
        const Outcome paged = estimate(s);
        QVERIFY(before && by_cpus && paged);
        QCOMPARE(paged->worst().optimizer, Bytes{});
        const Seconds moved = before->worst().optimizer / s.machine.host.link;   // both ways at once
        QVERIFY(near((paged->step.total() - before->step.total()) / second, moved / second, 1e-6));
        QVERIFY(near(paged->step.optimizer / second, before->step.optimizer / second, 1e-12));
        QVERIFY(by_cpus->step.optimizer < before->step.optimizer);
    }

    void obstacles_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("reason");
        QTest::addColumn<QString>("knob");
        const auto row = [](const char* name, Reason reason, const char* knob, Scenario s, auto change) {
            change(s);
            QTest::newRow(name) << s << int(reason) << QString(knob);
        };
        const Scenario small = zero_infinity(with_drives(small_on_one_node()));
        row("drives the node does not have", Reason::missing_hardware, "layout.offload.optimizer_state", small,
            [](Scenario& s) { s.layout.offload.optimizer = Tier::nvme; s.machine.host.nvme = {}; });
        row("host memory nobody can reach", Reason::missing_hardware, "layout.offload.activations", small,
            [](Scenario& s) { s.layout.offload.activations = Tier::host; s.machine.host.link = {}; });
        row("optimizer state that every replica holds", Reason::incompatible, "layout.zero_stage", small,
            [](Scenario& s) {
                s.layout.offload.weights = s.layout.offload.gradients = Tier::device;
                s.layout.zero_stage = 0;
            });
        row("gradients that every replica holds", Reason::incompatible, "layout.zero_stage", small,
            [](Scenario& s) { s.layout.offload.weights = Tier::device; s.layout.zero_stage = 1; });
        row("weights without stage 3", Reason::incompatible, "layout.zero_stage", small,
            [](Scenario& s) { s.layout.zero_stage = 2; });
        row("gradients away from an optimizer on the device", Reason::incompatible, "layout.offload.gradients", small,
            [](Scenario& s) { s.layout.offload.optimizer = Tier::device; });
        row("paged states on drives", Reason::incompatible, "layout.offload.paged_optimizer", small,
            [](Scenario& s) {
                s.layout.offload = {.optimizer = Tier::nvme, .paged_optimizer = true};
            });
        row("an update of paged states while the next step computes", Reason::incompatible,
            "layout.offload.delayed_update", small, [](Scenario& s) {
                s.layout.offload = {.optimizer = Tier::host, .paged_optimizer = true, .delayed_update = true};
            });
        row("paged states whose gradients leave", Reason::incompatible, "layout.offload.paged_optimizer", small,
            [](Scenario& s) {
                s.layout.offload = {};
                s.layout.offload.gradients = s.layout.offload.optimizer = Tier::host;
                s.layout.offload.paged_optimizer = true;
            });
        row("a delayed update on the device", Reason::incompatible, "layout.offload.delayed_update", small,
            [](Scenario& s) { s.layout.offload = {}; s.layout.offload.delayed_update = true; });
        row("a share of the update whose gradients all leave", Reason::incompatible, "layout.offload.optimizer_share",
            small, [](Scenario& s) {
                s.layout.offload.weights = Tier::device;
                s.layout.offload.optimizer_share = 0.5;
            });
        row("a share above one", Reason::out_of_range, "layout.offload.activation_share", small,
            [](Scenario& s) { s.layout.offload.activation_share = 1.5; });
        row("token-wise and full recomputation", Reason::incompatible, "layout.recompute", small, [](Scenario& s) {
            s.layout.offload.activations = Tier::host;
            s.layout.offload.stay_behind = StayBehind::recompute;
            s.layout.recompute = Recompute::full;
        });
        row("token-wise without fused attention", Reason::incompatible, "stack.attention", small, [](Scenario& s) {
            s.layout.offload.activations = Tier::host;
            s.layout.offload.stay_behind = StayBehind::recompute;
            s.stack.kernels.attention = Attention::materialised;
        });
        row("activations that leave a zero-bubble pipeline", Reason::incompatible, "layout.schedule", gpt3_on_selene(),
            [](Scenario& s) {
                s.layout.recompute = Recompute::none;
                s.layout.schedule = Schedule::zb_h1;
                s.layout.offload.activations = Tier::host;
            });
    }
    void obstacles() {
        QFETCH(Scenario, plan);
        QFETCH(int, reason);
        QFETCH(QString, knob);
        QVERIFY(!estimate(plan));
        const Obstacle* found = nullptr;
        const auto all = check(plan);
        for (const Obstacle& each : all)
            if (int(each.reason) == reason && each.knob == knob.toStdString()) found = &each;
        QVERIFY(found);
        for (const double v : found->valid) {  // what is offered removes it
            const auto fixed = with(plan, *find_knob(found->knob), v);
            QVERIFY(fixed);
            if (found->reason == Reason::out_of_range) continue;
            for (const Obstacle& left : check(*fixed))
                QVERIFY(!(left.knob == found->knob && left.of == found->of && left.reason == found->reason));
        }
        QVERIFY(!found->valid.empty());
    }
};

PLIMSOLL_TEST(OffloadTest)
#include "tst_offload.moc"
