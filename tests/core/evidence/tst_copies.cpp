// Copies of a planned run, cut in layers and replicas: what is one, and what its error says of the plan.
#include "registered_test.h"

#include "core/evidence/probe/probe.h"
#include "core/evidence/published/anchor_score.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "near.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario set(Scenario s, const char* knob, double value) {
    const auto changed = with(s, *find_knob(knob), value);
    return changed ? *changed : s;
}

Scenario on_replicas(const Scenario& s, int replicas) { return cut(s, s.model.layers, replicas); }

Scenario of_layers(const Scenario& s, int layers) { return cut(s, layers, s.layout.data_parallel); }

Kin kin(const Scenario& plan, const Scenario& run) { return kin_of(copy_shape_of(plan, {}), copy_shape_of(run, {})); }

// What runs whose time was off by so much say of the plan: the factor on its own time.
double factor_by(const Scenario& plan, const std::vector<std::pair<Scenario, double>>& runs) {
    std::vector<Anchor> anchors;
    for (const auto& [run, longer] : runs) anchors.push_back({"a run", run, 1 / longer - 1, {}});
    return anchored(plan, anchors, {}).time_factor;
}

const std::vector<CopiedSource>& published_copies() {
    static const std::vector<CopiedSource> all = anchor_copies(shipped_score(), shipped_errors());
    return all;
}

}  // namespace

class tst_copies : public QObject {
    Q_OBJECT

private slots:
    void what_is_a_copy_data() {
        QTest::addColumn<QString>("knob");
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("kin");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* what, const char* knob, double value, Kin kin, const char* said = "") {
            QTest::newRow(what) << knob << value << int(kin) << said;
        };
        row("the plan itself", "recipe.tokens", 1e9, Kin::copy);
        row("half the layers", "model.layers", 48, Kin::copy);
        row("an eighth of the devices", "layout.devices", 128, Kin::copy);
        row("a smaller batch", "recipe.global_batch_sequences", 768, Kin::copy);
        row("other hours of a job", "recipe.checkpoint_interval_s", 600, Kin::copy);
        row("fewer stages", "layout.pipeline_parallel", 4, Kin::other_stages);
        row("another tensor degree", "layout.tensor_parallel", 4, Kin::other, "Tensor parallel");
        row("another micro-batch", "layout.micro_batch", 2, Kin::other, "Micro-batch");
        row("another width", "model.hidden", 6144, Kin::other, "Hidden size");
        row("another length", "recipe.sequence_length", 1024, Kin::other, "Sequence length");
        row("another format", "recipe.precision", 2, Kin::other, "Precision");
        row("no recomputation", "layout.recompute", 0, Kin::other, "Recompute");
        row("another kernel", "stack.attention", 1, Kin::other, "Attention");
    }
    void what_is_a_copy() {
        QFETCH(QString, knob);
        QFETCH(double, value);
        QFETCH(int, kin);
        QFETCH(QString, said);
        const Scenario plan = gpt3_on_selene(), run = set(plan, knob.toLatin1().constData(), value);
        QCOMPARE(int(::kin(plan, run)), kin);
        QCOMPARE(int(::kin(run, plan)), kin);
        const auto labels = copy_differences(plan, run);
        QCOMPARE(labels.empty(), kin != int(Kin::other));
        if (!labels.empty()) QVERIFY2(labels.front().starts_with(said.toStdString()), labels.front().c_str());
    }
    void stages_that_keep_their_layers_are_told_from_others() {
        const Scenario plan = gpt3_on_selene(), run = set(of_layers(plan, 48), "layout.pipeline_parallel", 4);
        QCOMPARE(int(kin(plan, run)), int(Kin::stages_kept));
    }
    void every_plan_is_a_copy_of_itself_and_on_fewer_replicas() {
        RandomPlans random;
        for (int i = 0; i < 300; ++i) {
            const Scenario s = random.next();
            QCOMPARE(int(kin(s, s)), int(Kin::copy));
            QCOMPARE(int(kin(s, on_replicas(s, 1))), int(Kin::copy));
            QVERIFY(copy_differences(s, of_layers(s, std::max(1, s.model.layers / 2))).empty());
        }
    }
    void a_knob_that_changes_nothing_keeps_nobody_from_being_a_copy() {
        RandomPlans random;
        int turned = 0;
        for (int i = 0; i < 40; ++i) {
            const Scenario s = random.next();
            for (const Knob& k : knobs()) {
                if (idle_reason(k, s).empty()) continue;
                const Scenario other = set(s, k.id.c_str(), k.get(s) == k.low ? k.high : k.low);
                if (other == s || idle_reason(k, other).empty() || other.machine.id != s.machine.id) continue;
                ++turned;
                const auto labels = copy_differences(s, other);
                QVERIFY2(std::ranges::find(labels, label_in_words(k)) == labels.end(), k.id.c_str());
                QCOMPARE(kin(s, other) == Kin::other, !labels.empty());
            }
        }
        QVERIFY(turned > 100);
    }

    // ---- what is handed on

    void a_large_error_of_a_copy_is_handed_on_and_a_small_one_is_its_own() {
        const Scenario plan = gpt3_on_selene(), run = of_layers(plan, 48);
        QVERIFY(near(factor_by(plan, {{run, 1.30}}), 1.30, 0.01));
        QVERIFY(near(factor_by(plan, {{run, 0.70}}), 0.70, 0.01));
        const double little = factor_by(plan, {{run, 1.01}});
        QVERIFY(little > 1 && little < 1.004);
    }
    void a_copy_with_stages_of_as_many_layers_hands_on_its_error_as_other_copies_do() {
        const Scenario plan = gpt3_on_selene(), kept = set(of_layers(plan, 48), "layout.pipeline_parallel", 4);
        QCOMPARE(int(kin(plan, kept)), int(Kin::stages_kept));
        QVERIFY(near(factor_by(plan, {{kept, 1.30}}), 1.30, 0.01));
        QVERIFY(near(factor_by(plan, {{kept, 1.08}}), factor_by(plan, {{on_replicas(plan, 4), 1.08}}), 0.01));
    }
    void a_copy_with_stages_of_other_layers_hands_on_a_third_of_its_error_at_most_data() {
        QTest::addColumn<double>("longer");
        QTest::newRow("much slower than predicted") << 1.6;
        QTest::newRow("slower") << 1.1;
        QTest::newRow("much faster") << 0.6;
    }
    void a_copy_with_stages_of_other_layers_hands_on_a_third_of_its_error_at_most() {
        QFETCH(double, longer);
        const Scenario plan = gpt3_on_selene(), other = set(plan, "layout.pipeline_parallel", 4);
        QCOMPARE(int(kin(plan, other)), int(Kin::other_stages));
        const double told = std::log(factor_by(plan, {{other, longer}})) / std::log(longer);
        QVERIFY2(told > 0.2 && told < 0.35, qPrintable(QString::number(told)));
    }
    void copies_on_fewer_devices_hand_on_less_and_leave_room_for_what_grows() {
        const Scenario plan = gpt3_on_selene();
        const Scenario small = on_replicas(plan, 1);
        const std::vector<Anchor> close{{"n", of_layers(plan, 48), 1 / 1.3 - 1, {}}},
            far{{"f", of_layers(small, 48), 1 / 1.3 - 1, {}}};
        const Anchoring by_near = anchored(plan, close, evidence_of(shipped_score())),
                        by_far = anchored(plan, far, evidence_of(shipped_score()));
        QVERIFY(by_near.time_kin == Kin::copy && by_far.time_kin == Kin::copy);
        QVERIFY(by_near.time_share > by_far.time_share);
        const double slower = 0.01 * std::log(double(plan.layout.devices) / small.layout.devices);
        QVERIFY(near(by_far.time_factor, 1.3 * std::exp(slower), 0.02));
    }
    void of_several_copies_the_middle_one_counts() {
        const Scenario plan = gpt3_on_selene();
        const Scenario a = of_layers(plan, 48), b = set(a, "recipe.tokens", 2e9), c = set(a, "recipe.tokens", 3e9);
        QCOMPARE(factor_by(plan, {{a, 1.2}, {b, 1.25}, {c, 3.0}}), factor_by(plan, {{b, 1.25}}));
    }
    void copies_count_before_those_that_differ_in_stages_and_these_before_others() {
        const Scenario plan = gpt3_on_selene();
        const Scenario copy = of_layers(plan, 48), other = set(copy, "layout.pipeline_parallel", 4),
                       stranger = set(plan, "layout.micro_batch", 2);
        QCOMPARE(factor_by(plan, {{copy, 1.2}, {other, 1.6}, {stranger, 2.0}}), factor_by(plan, {{copy, 1.2}}));
        QCOMPARE(factor_by(plan, {{other, 1.6}, {stranger, 2.0}}), factor_by(plan, {{other, 1.6}}));
    }
    void two_depths_are_continued_along_the_layers_data() {
        QTest::addColumn<double>("layers");
        QTest::addColumn<double>("rest");
        QTest::newRow("layers that are slower than predicted") << 0.2 << 0.0;
        QTest::newRow("ends and start that are slower") << 0.0 << 0.15;
        QTest::newRow("both, one slower and one faster") << -0.1 << 0.1;
    }
    void two_depths_are_continued_along_the_layers() {
        QFETCH(double, layers);
        QFETCH(double, rest);
        Scenario plan = gpt3_on_selene();
        plan.layout.pipeline_parallel = 1;
        plan = on_replicas(plan, plan.layout.data_parallel);
        const auto shape = [&](int l) {
            const Scenario s = of_layers(plan, l);
            return copy_shape_of(s, estimate(s)->step);
        };
        // What it measures: the layers slower or faster by a share, the rest by so much of the time of eight layers.
        const auto error = [&](int l) {
            return -std::log(1 + layers + rest * 8 * shape(l).in_layers / l);
        };
        const CopyShape here = shape(96), four = shape(4), eight = shape(8);
        const auto h = handed_on(here, {{&four, error(4), 0.002}, {&eight, error(8), 0.002}});
        QVERIFY(h && h->two_depths);
        QVERIFY2(std::abs(h->log_error - error(96)) < 0.02, qPrintable(QString::number(h->log_error)));
        const auto noisy = handed_on(here, {{&four, error(4), 0.05}, {&eight, error(8), 0.05}});
        QVERIFY(noisy->band > h->band && noisy->wide > h->wide);   // what scatters tells less
    }
    void what_was_handed_on_is_said_with_its_run() {
        const Scenario plan = gpt3_on_selene();
        const Anchoring a = anchored(plan, {{"short <run>", of_layers(plan, 48), -0.2, {}}}, {});
        const std::string text = say_anchoring(a);
        QVERIFY2(text.find("'short <run>'") != text.npos, text.c_str());
        QVERIFY2(text.find("A copy of this plan") != text.npos, text.c_str());
    }

    // ---- memory

    void a_reserve_that_a_copy_shows_is_the_plans_too() {
        const Scenario plan = gpt3_on_selene(), run = on_replicas(plan, 1);
        const Estimate e = *estimate(plan), small = *estimate(run);
        const Bytes more = 1.5 * gibibyte;
        const Anchor mine{"m", run, {}, small.worst().total() / (small.worst().total() + more) - 1};
        const Bytes told = (anchored(plan, {mine}, {}).memory_factor - 1) * e.worst().total();
        QVERIFY2(told > 1.1 * gibibyte && told < 1.6 * gibibyte, qPrintable(QString::number(told / gibibyte)));
    }
    void a_copy_with_other_stages_shows_less_than_half_of_what_it_used_more() {
        const Scenario plan = gpt3_on_selene(), other = set(plan, "layout.pipeline_parallel", 4);
        const auto factor = [&](const Scenario& run) {
            return anchored(plan, {{"m", run, {}, 1 / 1.05 - 1}}, {}).memory_factor;
        };
        QVERIFY(factor(on_replicas(plan, 1)) > 1.03);
        QVERIFY(factor(other) > 1.005 && factor(other) < 1.03);
    }
    void of_memory_the_nearest_copies_alone_count() {
        const Scenario plan = gpt3_on_selene(), copy = on_replicas(plan, 1),
                       other = set(plan, "layout.pipeline_parallel", 4);
        const Anchor mine{"copy", copy, {}, -0.05}, far{"other stages", other, {}, 0.3};
        const Anchoring both = anchored(plan, {mine, far}, {});
        QCOMPARE(both.memory_factor, anchored(plan, {mine}, {}).memory_factor);
        QCOMPARE(both.names.size(), std::size_t(1));
    }
    void figures_of_tensors_are_compared_with_tensors() {
        const Scenario plan = gpt3_on_selene();
        const Bytes tensors = figure_of(*estimate(plan), {MemoryKind::allocated});
        const auto mine = anchor_of("m", plan, {}, tensors, MemoryKind::allocated);
        QVERIFY(mine && std::abs(*mine->memory_error) < 1e-9);
        QVERIFY(near(anchored(plan, {*mine}, {}).memory_factor, 1, 1e-9));
    }

    // ---- published copies

    void ranges_hold_as_many_published_copies_as_they_say_data() {
        QTest::addColumn<bool>("memory");
        QTest::newRow("step time") << false;
        QTest::newRow("memory") << true;
    }
    void ranges_hold_as_many_published_copies_as_they_say() {
        QFETCH(bool, memory);
        double within = 0, wide = 0, sources = 0;
        for (const CopiedSource& s : published_copies()) {
            if (s.memory != memory || !s.one.any()) continue;
            qInfo("%-28s %5d rows: %5.2f %% -> %5.2f %%, two: %5.2f %%; within %.2f, wide %.2f", s.source.c_str(),
                  s.one.rows, 100 * s.one.before, 100 * s.one.after, 100 * s.two.after, s.one.within,
                  s.one.within_wide);
            within += s.one.within;
            wide += s.one.within_wide;
            ++sources;
        }
        qInfo("within %.3f, wide %.3f", within / sources, wide / sources);
        QVERIFY(sources >= 8);
        // Of Aurora's reserved memory and of two ranks under FSDP1 copies tell nothing, and nobody knows why.
        QVERIFY(within / sources > 0.60 && wide / sources > (memory ? 0.80 : 0.85));
        if (!memory) QVERIFY(within / sources < 0.78 && wide / sources < 0.95);
    }
    void a_copy_with_another_pipeline_leaves_less_error_of_published_rows_than_none_data() {
        QTest::addColumn<bool>("memory");
        QTest::addColumn<bool>("kept");
        QTest::newRow("times, stages of as many layers") << false << true;
        QTest::newRow("times, other stages") << false << false;
        QTest::newRow("memory, stages of as many layers") << true << true;
        QTest::newRow("memory, other stages") << true << false;
    }
    void a_copy_with_another_pipeline_leaves_less_error_of_published_rows_than_none() {
        QFETCH(bool, memory);
        QFETCH(bool, kept);
        double before = 0, after = 0, within = 0, wide = 0;
        int sources = 0;
        for (const CopiedSource& s : published_copies()) {
            const CopyErrors& e = kept ? s.stages_kept : s.other_stages;
            if (s.memory != memory || !e.any()) continue;
            ++sources;
            before += e.before;
            after += e.after;
            within += e.within;
            wide += e.within_wide;
        }
        qInfo("%d sources: %.2f %% -> %.2f %%, within %.2f, wide %.2f", sources, 100 * before / sources,
              100 * after / sources, within / sources, wide / sources);
        QVERIFY(sources > 0);
        QVERIFY(after < before);
        if (sources >= 3) QVERIFY(within / sources > 0.6 && wide / sources > 0.85);
    }
    void one_copy_brings_the_middle_source_of_published_sweeps_below_three_percent() {
        std::vector<double> before, after;
        for (const CopiedSource& s : published_copies()) {
            if (s.memory || !s.one.any()) continue;
            before.push_back(s.one.before);
            after.push_back(s.one.after);
        }
        qInfo("%.2f %% -> %.2f %%", 100 * median(before), 100 * median(after));
        QVERIFY(median(after) < 0.03 && median(after) < 0.75 * median(before));
    }
};

PLIMSOLL_TEST(tst_copies)
#include "tst_copies.moc"
