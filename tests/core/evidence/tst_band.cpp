// The band of a prediction: it holds two thirds of the runs it was not made
// from, and a plan no run covers is said to be outside.
#include "registered_test.h"

#include "core/answers/campaign/headline.h"
#include "core/evidence/published/anchor.h"
#include "core/evidence/published/band.h"
#include "calibrations.h"
#include "scenarios.h"
#include "shipped.h"

#include <cmath>
#include <set>

using namespace plimsoll;

namespace {

const Evidence& evidence() {
    static const Evidence e = evidence_of(shipped_score());
    return e;
}

bool inside(const Trial& t, const Spread& s) { return std::abs(std::log1p(t.error)) <= std::log1p(s.band) + 1e-12; }

double covered(const std::vector<Trial>& trials) {
    int held = 0;
    for (const Trial& t : trials) held += inside(t, spread_of(t.kind, trials, &t));
    return double(held) / double(trials.size());
}

// Each source judged by the others, every source alike.
double covered_by_other_sources(const std::vector<Trial>& trials) {
    std::set<std::string> sources;
    for (const Trial& t : trials) sources.insert(t.source);
    double sum = 0;
    for (const std::string& source : sources) {
        std::vector<Trial> others;
        for (const Trial& t : trials)
            if (t.source != source) others.push_back(t);
        int held = 0, count = 0;
        for (const Trial& t : trials)
            if (t.source == source) {
                held += inside(t, spread_of(t.kind, others));
                ++count;
            }
        sum += double(held) / count;
    }
    return sum / double(sources.size());
}

// A plan of the evidence, to vary.
Scenario seen_plan() {
    for (const ScoredRow& r : shipped_score().rows)
        if (r.excluded.empty() && r.source == "megatron-sc21") return r.plan;
    qFatal("no scored row");
}

bool told(const Band& b, const char* words) {
    for (const std::string& sentence : b.beyond)
        if (sentence.find(words) != std::string::npos) return true;
    return false;
}

// That plan on a machine that was calibrated with its software: six runs held back, each `error` off.
Scenario calibrated_plan(double error, int devices = 2) {
    Scenario s = seen_plan();
    Calibration c = testing::a_calibration(error);
    c.stack = s.stack.id;
    c.precision = "fp16";
    s.machine.calibration = std::move(c);
    s.recipe.precision = Precision::fp16;
    s.layout.devices = devices;
    s.recipe.sequence_length = 256;
    return s;
}

Scenario uncalibrated(Scenario s) {
    s.machine.calibration = {};
    return s;
}

double band_with(double error, int devices = 2) { return band_of(calibrated_plan(error, devices), evidence()).time; }
double band_without(int devices = 2) { return band_of(uncalibrated(calibrated_plan(0, devices)), evidence()).time; }

Trial trial(const char* source, const char* device, double error) { return {{"stack", device}, source, error}; }

}  // namespace

class BandTest : public QObject {
    Q_OBJECT

private slots:
    void two_thirds_of_the_runs_lie_within_the_band_of_the_others() {
        const double time = covered(evidence().time), memory = covered(evidence().memory);
        qInfo("one run left out: time %.1f %% of %d, memory %.1f %% of %d", 100 * time, int(evidence().time.size()),
              100 * memory, int(evidence().memory.size()));
        QVERIFY(time > 0.62 && time < 0.80);   // sources alike are the measure: tst_scores
        QVERIFY(memory > 0.60 && memory < 0.80);
    }
    void sources_nobody_used_lie_within_the_band_as_often() {
        const double time = covered_by_other_sources(evidence().time);
        qInfo("whole sources left out: %.1f %%", 100 * time);
        QVERIFY(time > 0.55 && time < 0.85);
    }
    void a_plan_like_published_runs_is_inside() {
        const Band b = band_of(seen_plan(), evidence());
        QVERIFY(b.beyond.empty());
        QVERIFY(b.time_spread.circle == Circle::same_reach);
        QVERIFY(b.time_spread.runs > 5 && b.time > 0.005 && b.time < 0.1);
    }
    void a_plan_faster_than_anything_measured_has_that_in_its_range() {
        const Scenario s = seen_plan();
        const double mfu = headline(s, *estimate(s)).mfu;
        Evidence seen = evidence();
        for (Trial& t : seen.time) t.mfu = std::min(t.mfu, 0.8 * mfu);
        const Band b = band_of(s, seen);
        QVERIFY(told(b, "of the peak"));
        QVERIFY(mfu / (1 + b.time) < 0.8 * mfu);
        QVERIFY(b.time > 1.2 * band_of(s, evidence()).time);
        QCOMPARE(b.memory, band_of(s, evidence()).memory);
    }
    void no_published_run_reached_more_than_its_peak() {
        for (const Trial& t : not_empty(evidence().time)) QVERIFY(t.mfu > 0 && t.mfu < 0.8);
    }
    // log(1 + band)^2 is the sum of what its causes add.
    void the_parts_make_the_range_data() {
        QTest::addColumn<Scenario>("plan");
        Scenario far = seen_plan();
        far.machine.device.name = "Abacus 9000";
        far.stack.id = far.stack.name = "own";
        far.layout.devices = 100000;
        QTest::newRow("a plan like published runs") << seen_plan();
        QTest::newRow("a plan far from all of them") << far;
        QTest::newRow("a calibrated machine") << calibrated_plan(0.03);
        QTest::newRow("a calibrated machine whose runs were missed") << calibrated_plan(0.4);
        int count = 0;
        for (const ScoredRow& r : shipped_score().rows)
            if (r.excluded.empty() && ++count % 97 == 0) QTest::newRow(r.id.c_str()) << r.plan;
    }
    void the_parts_make_the_range() {
        QFETCH(Scenario, plan);
        const Band b = band_of(plan, evidence());
        for (const auto& [band, parts] : {std::pair{b.time, b.time_parts}, std::pair{b.memory, b.memory_parts}}) {
            double sum = 0;
            for (const BandPart& p : parts) {
                QVERIFY(p.variance >= 0 && !p.cause.empty());
                QVERIFY(std::abs(std::log1p(p.alone()) * std::log1p(p.alone()) - p.variance) < 1e-9);
                sum += p.variance;
            }
            QVERIFY(std::abs(std::log1p(band) * std::log1p(band) - sum) < 1e-12);
            QCOMPARE(parts.size(), b.beyond.size() + 1);
        }
    }
    void runs_of_ones_own_are_a_part_that_takes_from_the_range() {
        const Scenario plan = seen_plan();
        const Anchor mine = *anchor_of("mine", plan, 1.05 * estimate(plan)->step.total(), {});
        const TrackRecord record = track_record(library());
        const Anchoring a = anchored(plan, {mine}, record.evidence);
        QVERIFY(a.any());
        double sum = 0, taken = 0;
        for (const BandPart& p : a.band.time_parts) {
            sum += p.variance;
            if (p.kind == BandPart::Kind::anchors) taken += p.variance;
        }
        QVERIFY(std::abs(std::log1p(a.band.time) * std::log1p(a.band.time) - sum) < 1e-12);
        if (a.band.time < a.before.time) QVERIFY(taken < 0);
    }
    void a_device_never_seen_is_said_and_gets_the_spread_of_all() {
        Scenario s = seen_plan();
        s.machine.device.name = "Abacus 9000";
        s.stack.id = s.stack.name = "own";
        const Band b = band_of(s, evidence());
        QVERIFY(told(b, "Abacus 9000") && told(b, "'own'"));
        QVERIFY(b.time_spread.circle == Circle::all);
        QVERIFY(b.time > band_of(seen_plan(), evidence()).time);
    }
    // The plainest way: the evidence without the source's rows, for each row again.
    void a_band_of_other_sources_is_that_of_evidence_without_them() {
        UnseenBands bands(evidence());
        int count = 0;
        for (const ScoredRow& r : shipped_score().rows) {
            if (!r.excluded.empty() || (++count % 41 != 0 && !has_experts(r.plan.model))) continue;
            const std::string& without = erring_with(r);
            Evidence others;
            for (const auto of : {&Evidence::time, &Evidence::memory})
                for (const Trial& t : evidence().*of)
                    if (t.source != without) (others.*of).push_back(t);
            const Band plain = band_of(r.plan, others), quick = bands.of(r.plan, without);
            QVERIFY2(std::abs(quick.time - plain.time) < 1e-12 && std::abs(quick.memory - plain.memory) < 1e-12
                         && std::abs(quick.time_wide - plain.time_wide) < 1e-12,
                     r.id.c_str());
            QVERIFY(quick.beyond == plain.beyond && quick.time_spread.circle == plain.time_spread.circle);
            QCOMPARE(quick.time_spread.runs, plain.time_spread.runs);
            QCOMPARE(quick.time_spread.sources, plain.time_spread.sources);
        }
        QVERIFY(count > 1000);
    }
    void going_further_than_any_run_is_said() {
        Scenario s = seen_plan();
        s.layout.devices = 100000;
        s.recipe.sequence_length = 1 << 24;
        s.model.layers *= 10000;
        const Band b = band_of(s, evidence());
        for (const char* words : {"devices 100,000", "tokens in a sequence", "parameters"})
            QVERIFY2(told(b, words), words);
    }
    void a_feature_no_run_has_is_said() {
        Scenario s = seen_plan();
        s.layout.schedule = Schedule::zb_h2;
        s.recipe.optimizer = Optimizer::sgd;
        const Band b = band_of(s, evidence());
        QVERIFY(told(b, "zero-bubble") && told(b, "Adam"));
    }

    void good_runs_held_back_narrow_the_band_and_bad_ones_widen_it() {
        Scenario s = calibrated_plan(0.04);
        s.machine.device.name = "Abacus 9000";   // no published run is near: only the calibration is
        s.stack.id = "own";
        Calibration c = *s.machine.calibration.get();
        c.stack = "own";
        s.machine.calibration = std::move(c);
        const double base = band_of(uncalibrated(s), evidence()).time_spread.band;
        const Band good = band_of(s, evidence());
        QVERIFY(good.time_spread.band < base);
        QVERIFY(good.time < band_of(uncalibrated(s), evidence()).time);
        QVERIFY(std::abs(good.time_spread.held_back_error - 0.04) < 1e-9);
        QCOMPARE(good.time_spread.held_back, 6);
        QCOMPARE(good.time_spread.without, base);
        QVERIFY(good.memory < band_of(uncalibrated(s), evidence()).memory);
        QVERIFY(band_with(0.35) > band_without());
    }
    void the_band_never_narrows_when_the_runs_get_worse() {
        double before = 0;
        for (const double error : {0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32}) {
            const double now = band_with(error);
            QVERIFY(now >= before);
            before = now;
        }
    }
    void only_runs_that_count_move_the_band_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("the fit saw them") << 0;
        QTest::newRow("more ranks than devices") << 1;
        QTest::newRow("somebody else had the processor") << 2;
        QTest::newRow("they did not run") << 3;
    }
    void only_runs_that_count_move_the_band() {
        QFETCH(int, which);
        Scenario s = calibrated_plan(0.3);
        Calibration c = *s.machine.calibration.get();
        for (ProofRow& row : c.proof) {
            if (which == 0) row.held_out = false;
            if (which == 1) row.fair = false;
            if (which == 2) row.contended = true;
            if (which == 3) row.measured = {};
        }
        s.machine.calibration = std::move(c);
        const Band b = band_of(s, evidence()), plain = band_of(uncalibrated(s), evidence());
        QCOMPARE(b.time, plain.time);
        QCOMPARE(b.memory, plain.memory);
        QVERIFY(b.beyond == plain.beyond);
        QCOMPARE(b.time_spread.held_back, 0);
    }
    void a_few_devices_do_not_narrow_the_band_of_many() {
        const Band b = band_of(calibrated_plan(0.0, 1000), evidence());
        QVERIFY(told(b, "devices 1,000: the largest run held back on this machine has 2"));
        QVERIFY(b.time >= band_without(1000));
        QVERIFY(told(band_of(calibrated_plan(0.0), evidence()), "parameters"));
        QVERIFY(!told(band_of(calibrated_plan(0.0), evidence()), "devices"));
    }
    void other_software_on_the_calibrated_machine_is_told() {
        Scenario s = calibrated_plan(0.04);
        s.stack.id = s.stack.name = "own";
        const Band b = band_of(s, evidence());
        QVERIFY(told(b, "'own'"));
        QVERIFY(b.time_spread.circle == Circle::same_stack_or_device);
    }
    void the_band_says_what_moved_it() {
        const auto said = [](double error) {
            Scenario s = calibrated_plan(error);
            s.machine.device.name = "Abacus 9000";
            return QString::fromStdString(say_spread(band_of(s, evidence()).time_spread));
        };
        QVERIFY2(said(0.35).contains("Widened from")
                     && said(0.35).contains("by 6 runs held back on this machine, mean error 35.0 %."),
                 qPrintable(said(0.35)));
        QVERIFY(!said(0.35).contains("published"));
        QVERIFY(QString::fromStdString(say_spread(band_of(seen_plan(), evidence()).time_spread)).contains("published"));
        Spread narrowed{0.04, Circle::same_reach, 6, 1, 6, 0.041, 0.08};
        QVERIFY(QString::fromStdString(say_spread(narrowed))
                    .endsWith("Narrowed from 8 % by 6 runs held back on this machine, mean error 4.1 %."));
    }

    void many_like_runs_decide_and_few_are_held_by_the_wider_circle() {
        std::vector<Trial> trials;
        for (int i = 0; i < 100; ++i) trials.push_back(trial("other", "B", 0.20));
        trials.push_back(trial("own", "A", 0.01));
        QVERIFY(spread_of(trials.back().kind, trials).band > 0.1);     // one good run proves little
        for (int i = 0; i < 100; ++i) trials.push_back(trial("own", "A", 0.01));
        QVERIFY(spread_of(trials.back().kind, trials).band < 0.02);
    }
    void a_large_source_does_not_outvote_small_ones() {
        std::vector<Trial> trials;
        for (int i = 0; i < 900; ++i) trials.push_back(trial("large", "B", 0.01));
        for (const char* source : {"x", "y", "z"}) trials.push_back(trial(source, "B", 0.10));
        trials.push_back(trial("own", "A", 0.10));
        QVERIFY(spread_of(trials.back().kind, trials).band > 0.09);
    }
    void without_evidence_there_is_no_band() {
        const Band b = band_of(seen_plan(), {});
        QCOMPARE(b.time, 0.0);
        QCOMPARE(b.time_spread.runs, 0);
        QVERIFY(!b.beyond.empty());
    }
};

PLIMSOLL_TEST(BandTest)
#include "tst_band.moc"
