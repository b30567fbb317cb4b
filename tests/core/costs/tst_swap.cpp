// Activations below device memory: MEMO's token-wise share and SSDTrain's drives.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/cards.h"
#include "core/costs/memory/memory.h"
#include "core/costs/step/ledger.h"
#include "random_plans.h"
#include "near.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario seven_billion(int tokens) {
    Scenario s = gpt3_on_selene();
    Model& m = s.model;
    m.layers = 32;
    m.hidden = 4096;
    m.heads = m.kv_heads = 32;
    m.ffn = 16384;
    m.dropout = false;
    s.machine = one_node();
    s.machine.host.memory = 2048 * gibibyte;
    s.stack.kernels.attention = Attention::flash;
    s.layout = {};
    s.layout.devices = s.layout.tensor_parallel = 8;
    s.layout.sequence_parallel = true;
    s.layout.offload.activations = Tier::host;
    s.layout.offload.stay_behind = StayBehind::recompute;
    s.recipe.global_batch_sequences = 1;
    s.recipe.sequence_length = tokens;
    return s;
}

// SSDTrain's rig: two A100, tensor parallel, four layers of width 12,288, 16 sequences of 1,024.
Scenario four_wide_layers() {
    Scenario s = gpt3_on_selene();
    s.model.layers = 4;
    s.machine = one_node();
    s.machine.host.nvme = {7, 11 * terabyte, 400 * GBps, 350 * GBps, 292e3 * terabyte};
    s.machine.host.link = 100 * GBps;
    s.machine.host.memory_bandwidth = 2000 * GBps;
    s.stack.kernels.attention = Attention::flash;
    s.layout = {};
    s.layout.devices = s.layout.tensor_parallel = 2;
    s.layout.micro_batch = 16;
    s.layout.offload.activations = Tier::nvme;
    s.recipe.global_batch_sequences = 16;
    s.recipe.sequence_length = 1024;
    return s;
}

}  // namespace

class SwapTest : public QObject {
    Q_OBJECT

private slots:
    // 34
    void a_million_tokens_of_7b() {
        const Scenario s = seven_billion(1 << 20);
        const LayerActivations a = layer_activations(s, dense_layer);
        const Bytes skeleton = 8 * (a.replicated + a.sharded);  // of all ranks, without softmax statistics
        QCOMPARE(skeleton / gibibyte, 128.0);
        QCOMPARE(32 * skeleton / gibibyte, 4096.0);
        QCOMPARE(8 * layer_input(s) / gibibyte, 8.0);
        QCOMPARE(8 * attention_output(s, dense_layer) / gibibyte, 8.0);
        const auto alpha = [](Bytes host) { return share_that_holds(host, 30, 16 * gibibyte, 112 * gibibyte); };
        QVERIFY(std::abs(alpha(2048 * gibibyte) - 0.46667) < 1e-5);
        QVERIFY(std::abs(alpha(2e12 * byte) - 0.41150) < 1e-5);
        // The plan counts softmax statistics too: 4 bytes per token and head.
        const Swap w = swap_of(s);
        QVERIFY(near(w.share, 0.46667, 2e-3) && w.share < 0.46667);
        QCOMPARE(w.in_time, 1.0);
    }

    void short_sequences_are_bound_by_the_link() {
        const Swap brief = swap_of(seven_billion(1 << 12)), longer = swap_of(seven_billion(1 << 17));
        QVERIFY(brief.in_time < longer.in_time);
        QCOMPARE(brief.in_capacity, 1.0);
        // The share solved for is the largest that nobody waits for.
        Scenario s = seven_billion(1 << 12);
        QCOMPARE(estimate(s)->step.offload / second, 0.0);
        s.layout.offload.solve_share = false;
        s.layout.offload.activation_share = std::min(1.0, brief.share * 2 + 0.05);
        QVERIFY(estimate(s)->step.offload > Seconds{});
    }

    void what_stays_behind_is_computed_again() {
        Scenario s = seven_billion(1 << 16);
        s.layout.offload.solve_share = false;
        const auto at = [&](double share) {
            s.layout.offload.activation_share = share;
            return *estimate(s);
        };
        const Estimate none = at(0), half = at(0.5), all = at(1);
        QCOMPARE(all.step.recompute / second, 0.0);
        QVERIFY(near(2 * (half.step.recompute / second), none.step.recompute / second));
        const LayerTime t = layer_time(s, dense_layer);
        QVERIFY(near(none.step.recompute / second,
                     32 * ((t.forward.gemm + t.forward.elementwise) / second)));  // not the attention
        QCOMPARE(all.hardware_flop / flop, all.model_flop / flop);
        QVERIFY(near((half.hardware_flop - all.hardware_flop) / flop,
                     0.5 * ((none.hardware_flop - all.hardware_flop) / flop)));
        QVERIFY(half.host.use.activations < all.host.use.activations);
    }

    void two_layers_stay_on_the_device() {
        const Scenario s = seven_billion(1 << 16);
        QVERIFY(near(stage_activations(s, swap_of(s), 0).kept / byte, 2 * stored_activations(s, 0) / byte));
    }

    // 35
    void wear_and_rate_of_drives() {
        const Seconds step = 10 * second;
        QVERIFY(near(needed_write(30 * gigabyte, step) / GBps, 6.0));
        Nvme drives;
        drives.drives = 1;
        drives.endurance = 1e4 * terabyte;
        QVERIFY(near(*drive_life(drives, 30 * gigabyte, step) / second, 3.3333e6, 1e-4));
        QVERIFY(near(*drive_life(drives, 30 * gigabyte, step) / day, 38.58, 1e-3));
        QVERIFY(!drive_life(drives, {}, step));
        drives.endurance = {};
        QVERIFY(!drive_life(drives, 30 * gigabyte, step));
    }

    void drives_that_keep_up_take_45_to_48_percent_of_the_peak_of_four_layers() {
        const Scenario s = four_wide_layers();
        Scenario home = s;
        home.layout.offload = {};
        const Outcome away = estimate(s), kept = estimate(home);
        QCOMPARE(swap_of(s).share, 1.0);
        const double gone = 1 - away->worst().activations / kept->worst().activations;
        QVERIFY2(gone > 0.45 && gone < 0.48, qPrintable(QString::number(gone)));  // two of four layers, ends aside
        QCOMPARE(away->step.offload / second, 0.0);
        QCOMPARE(away->step.recompute / second, 0.0);
        QVERIFY(near(away->step.total() / second, kept->step.total() / second));
    }

    void nobody_waits_exactly_while_drives_reach_the_needed_rate() {
        Scenario s = four_wide_layers();
        s.layout.offload.solve_share = false;
        s.machine.host.nvme.read = 1e4 * GBps;  // writing decides
        const TierNeed need = estimate(s)->nvme.need;
        const StageTime t = stage_times(s)[0];
        const Bytes sent_per_step = layers_away(s, 0) * swap_of(s).moved();
        QVERIFY(near(need.write / GBps, needed_write(sent_per_step, t.pass_forward + t.pass_backward) / GBps));
        for (const double part : {0.5, 0.99, 1.01, 2.0}) {
            s.machine.host.nvme.write = part * need.write * ranks_per_node(s);
            const Outcome o = estimate(s);
            QCOMPARE(o->step.offload > Seconds{}, part < 1);
            QCOMPARE(o->nvme.need.covered(), part > 1);
        }
    }

    void slow_drives_take_the_share_they_can() {
        Scenario s = four_wide_layers();
        double last = 0;
        for (const double rate : {5, 20, 40, 400}) {
            s.machine.host.nvme.write = s.machine.host.nvme.read = rate * GBps;
            const Outcome o = estimate(s);
            QCOMPARE(o->step.offload / second, 0.0);
            QVERIFY(swap_of(s).share >= last);
            last = swap_of(s).share;
        }
        QVERIFY(last > 0.9);
    }

    void freed_memory_holds_larger_micro_batches() {
        Scenario s = four_wide_layers();
        s.recipe.global_batch_sequences = 64;
        s.recipe.optimizer = Optimizer::sgd;
        const FreedMemory f = freed_memory(s);
        QVERIFY(f.micro_batch_sent > f.micro_batch_kept);
    }

    // Where the host sets the pace, a faster device moves time from one pass to the other; stages that differ may then
    // fill the pipeline a little worse, by 0.93 % where hosts are slow.
    void faster_devices_are_not_slower_although_activations_leave() {
        constexpr double host_bound = 1e-2;
        int tried = 0;
        for (const Scenario& s : random_plans(drawn(8000))) {
            const Offload& o = s.layout.offload;
            if (!o.swaps() || !check(s).empty()) continue;
            Scenario better = s;
            Device& d = better.machine.device;
            d.fp32 *= 2, d.fp16 *= 2, d.bf16 *= 2;
            const double before = estimate(s)->step.total() / second, after = estimate(better)->step.total() / second;
            QVERIFY2(after <= before * (1 + host_bound),
                     qPrintable(QString("%1 s became %2 s, stay behind %3, solved %4, stages %5")
                                    .arg(before)
                                    .arg(after)
                                    .arg(int(o.stay_behind))
                                    .arg(o.solve_share)
                                    .arg(s.layout.pipeline_parallel)));
            ++tried;
        }
        QVERIFY(tried > drawn(100));
    }
};

PLIMSOLL_TEST(SwapTest)
#include "tst_swap.moc"
