// Short runs that tell most about a plan: what they share with it, what they cost, what they leave open.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/probe/probe.h"
#include "core/evidence/published/anchor.h"
#include "core/files/launch/probe_job.h"
#include "core/files/results/probe_results.h"
#include "core/files/text/disk.h"
#include "near.h"
#include "probe_folder.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

#include <QTemporaryDir>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// A log as the Trainer's program prints it: steps that take so long, within a per cent.
std::string trainer_log(Seconds step) {
    std::string text;
    for (int i = 1; i <= 40; ++i)
        text += "{'loss': 9.1, 'step': " + std::to_string(i) + ", 'step_time': "
              + std::to_string(step / second * (1 + 0.002 * (i % 5 - 2))) + "}\n";
    return text;
}

// A plan whose probes were written as a job, and ran: times of each run's visits as multiples of what was predicted;
// 0: no log.
struct Ran {
    Scenario plan = shipped_plan("gpt2-124m-laptop");
    QTemporaryDir folder;
    Expected<ProbeReading, Problems> reading = Unexpected{Problems{}};

    explicit Ran(const std::vector<std::vector<double>>& times) {
        const ProbeLimits limits{.longest = 24 * hour};
        const auto probes = plan_probes(plan, limits);
        if (!probes || probes->runs.size() != times.size()) qFatal("two depths were expected");
        const auto job = probe_job(plan, *probes, Framework::trainer, limits, library());
        if (!job) qFatal("no job");
        const std::filesystem::path at = folder.path().toStdString();
        for (const JobFile& f : *job) (void)write_atomically(at / f.name, f.text);
        for (std::size_t i = 0; i < times.size(); ++i)
            for (std::size_t v = 0; v < times[i].size(); ++v)
                if (times[i][v] > 0)
                    (void)write_atomically(at / probe_log(probes->runs[i].name, int(v) + 1),
                                           trainer_log(times[i][v] * probes->runs[i].step));
        reading = read_probes(at, library());
        if (!reading) qFatal("%s", say(reading.error()).c_str());
    }
};

}  // namespace

class tst_probe : public QObject {
    Q_OBJECT

private slots:
    void every_shipped_plan_has_probes_or_says_why_not() {
        int with = 0;
        for (const auto& [id, path] : library().scenarios) {
            const Scenario plan = shipped_plan(id);
            const ProbeLimits limits;
            const auto probes = plan_probes(plan, limits);
            if (!probes) {
                QVERIFY2(!probes.error().empty() && !probes.error().front().empty(), id.c_str());
                qInfo("%s: %s", id.c_str(), probes.error().front().c_str());
                continue;
            }
            ++with;
            qInfo("%s: %zu runs, %d nodes, %.0f min, %.2f node-hours, %.1f %%", id.c_str(), probes->runs.size(),
                  probes->nodes, probes->time / minute, probes->node_hours, 100 * probes->band);
            QVERIFY2(!probes->runs.empty() && probes->runs.size() <= 4, id.c_str());
            QVERIFY2(probes->time <= limits.longest && probes->band > 0 && probes->wide > probes->band, id.c_str());
            QVERIFY2(!probes->unseen.empty(), id.c_str());
            for (const ProbeRun& r : probes->runs) {
                QVERIFY2(runs(estimate(r.plan)), id.c_str());
                QVERIFY2(copy_differences(plan, r.plan).empty(), id.c_str());
                QVERIFY2(kin_of(copy_shape_of(plan, {}), copy_shape_of(r.plan, {})) == probes->kin, id.c_str());
                QVERIFY2(r.plan.layout.devices <= plan.layout.devices && r.plan.model.layers <= plan.model.layers,
                         id.c_str());
                QVERIFY2(nodes_used(r.plan) <= probes->nodes && !r.why.empty(), id.c_str());
            }
        }
        QVERIFY2(with >= 36, qPrintable(QString::number(with)));
    }
    void probes_of_plans_at_random_are_copies_of_them() {
        RandomPlans random;
        int with = 0;
        for (int i = 0; i < 150; ++i) {
            const Scenario plan = random.next();
            const auto probes = plan_probes(plan);
            if (!probes) continue;
            ++with;
            for (const ProbeRun& r : probes->runs)
                QVERIFY(copy_differences(plan, r.plan).empty() && runs(estimate(r.plan)));
        }
        QVERIFY2(with > 12, qPrintable(QString::number(with)));
    }
    void steps_that_scatter_more_want_deeper_probes_or_leave_more_open() {
        const Scenario plan = shipped_plan("llama3-8b-alps");
        double last = 0;
        for (const double scatter : {0.005, 0.02, 0.06}) {
            const auto probes = plan_probes(plan, {.longest = 24 * hour, .scatter = scatter});
            QVERIFY(probes && probes->band > last);
            last = probes->band;
        }
    }
    void fewer_nodes_than_a_copy_takes_keep_the_layers_of_a_stage() {
        const Scenario plan = gpt3_on_selene();   // 64 devices a copy, 8 nodes
        const auto probes = plan_probes(plan, {.nodes = 2, .longest = 24 * hour});
        QVERIFY(probes.has_value());
        QCOMPARE(int(probes->kin), int(Kin::stages_kept));
        QVERIFY(probes->nodes <= 2);
    }
    void what_cannot_be_cut_to_the_nodes_at_hand_says_how_many_it_takes() {
        Scenario plan = shipped_plan("deepseek-v3-2048-h800");
        const auto probes = plan_probes(plan, {.nodes = 1});
        if (!probes) QVERIFY(probes.error().front().find("nodes") != std::string::npos);
        else QVERIFY(probes->nodes == 1);
    }

    // ---- as a job

    void a_job_of_probes_has_the_flags_of_the_real_run_data() {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<int>("framework");
        QTest::newRow("Megatron-LM") << "llama3-70b-eos" << int(Framework::megatron);
        QTest::newRow("torchtitan, whose command line cannot be told fewer layers") << "llama3-8b-alps"
                                                                                  << int(Framework::torchtitan);
        QTest::newRow("Hugging Face's Trainer") << "llama2-7b-perlmutter-fsdp" << int(Framework::trainer);
    }
    void a_job_of_probes_has_the_flags_of_the_real_run() {
        QFETCH(QString, plan);
        QFETCH(int, framework);
        Scenario s = shipped_plan(plan.toStdString());
        if (Framework(framework) == Framework::torchtitan) {
            s.stack = library().stacks.at("torchtitan-compile");
            s.layout.zero_stage = 2;
            s.recipe.state_format = StateFormat::fp32_moments;
        }
        const ProbeLimits limits;
        const auto probes = plan_probes(s, limits);
        QVERIFY(probes.has_value());
        const auto job = probe_job(s, *probes, Framework(framework), limits, library());
        QVERIFY2(job.has_value(), job ? "" : job.error().front().c_str());
        QCOMPARE(job->size(), probes->runs.size() + 2);
        for (const JobFile& f : *job) {
            QVERIFY(f.text.find("FILL_IN}") == std::string::npos || f.name == "job.sh");
            QVERIFY(f.text.find("--save-interval") == std::string::npos);
            if (Framework(framework) == Framework::torchtitan && f.name.starts_with("probe-"))
                QVERIFY2(f.text.find("n_layers=") != std::string::npos
                             && f.text.find("custom_import = \"plan_flavor\"") != std::string::npos,
                         f.text.c_str());
            const bool asks = f.name == "job.sh" && batch_kind(s.machine.scheduler) == BatchKind::slurm;
            const std::string time = "--time=" + hours_and_minutes(2 * probes->time);
            if (asks) QVERIFY2(f.text.find(time) != std::string::npos, f.text.c_str());
        }
    }
    void predictions_are_sealed_before_anything_runs() {
        const Scenario s = shipped_plan("llama3-70b-eos");
        const ProbeLimits limits;
        const auto probes = plan_probes(s, limits);
        const auto job = probe_job(s, *probes, Framework::megatron, limits, library());
        QVERIFY(job.has_value());
        const std::string text = job->back().text;
        const auto record = read_probe_record(text, library(), "probes.json");
        QVERIFY2(record.has_value(), record ? "" : say(record.error()).c_str());
        QVERIFY(record->sealed && record->limits.visits == limits.visits && record->runs.size() == probes->runs.size());
        for (std::size_t i = 0; i < probes->runs.size(); ++i) {
            QVERIFY(near(record->runs[i].step / second, probes->runs[i].step / second));
            QVERIFY(near(*std::optional(estimate(record->runs[i].plan)->step.total() / second),
                         probes->runs[i].step / second));
        }
        std::string other = text;
        other.replace(other.find("\"predicted_step_s\": ") + 20, 1, "9");
        QVERIFY(!read_probe_record(other, library())->sealed);
        QVERIFY(!read_probe_record("{}", library()) && !read_probe_record("", library()));
    }

    // ---- what came of them

    void what_is_measured_is_handed_on_to_the_plan() {
        const Ran ran({{1.5, 1.5}, {1.5, 1.5}});
        const ProbeReading& r = *ran.reading;
        QCOMPARE(r.measured.size(), r.record.runs.size());
        for (const ProbeResult& each : r.results) {
            QVERIFY2(each.remarks.empty(), each.remarks.empty() ? "" : each.remarks.front().c_str());
            QVERIFY(near(*each.measured / each.run.step, 1.5, 1e-3) && each.scatter < 0.01);
        }
        QVERIFY(r.remarks.empty());
        QVERIFY(near(anchored(ran.plan, r.anchors, {}).time_factor, 1.5, 0.03));
    }
    void ends_that_are_slower_are_not_taken_for_layers() {
        // The shallow probe is 30 % slower than predicted, the deep one 10 %: the plan less than that.
        const Ran ran({{1.3, 1.3}, {1.1, 1.1}});
        const double factor = anchored(ran.plan, ran.reading->anchors, {}).time_factor;
        QVERIFY2(factor > 1 && factor < 1.09, qPrintable(QString::number(factor)));
    }
    void a_disturbed_visit_does_not_count_and_widens_the_range() {
        const Ran quiet({{1.5, 1.5}, {1.5, 1.5}}), disturbed({{1.5, 2.1}, {1.5, 1.5}});
        const ProbeReading& r = *disturbed.reading;
        QVERIFY(r.results[0].visits[1].disturbed && near(*r.results[0].measured / r.results[0].run.step, 1.5, 1e-3));
        QVERIFY(r.results[0].remarks.front().find("disturbed") != std::string::npos);
        QVERIFY(!r.remarks.empty() && r.between > 0.1);
        const Evidence seen = evidence_of(shipped_score());
        const double wide = anchored(disturbed.plan, r.anchors, seen).band.time,
                     narrow = anchored(quiet.plan, quiet.reading->anchors, seen).band.time;
        QVERIFY2(wide > 1.5 * narrow, qPrintable(QString("%1 %2").arg(wide).arg(narrow)));
    }
    void visits_that_lie_apart_say_how_many_would_do() {
        const Ran ran({{1.5, 1.6}, {1.6, 1.5}});
        QVERIFY(!ran.reading->remarks.empty());
        QVERIFY2(ran.reading->remarks.front().find("visits") != std::string::npos,
                 ran.reading->remarks.front().c_str());
    }
    void memory_that_does_not_grow_with_the_layers_does_not_count() {
        ProbeFolder early(shipped_plan("llama3-8b-alps"));
        const std::string memory = "[Rank 0] (after 1 iterations) memory (MB) | allocated: 20480.5 | max allocated: "
                                   "21984.0 | max reserved: 24056.0\n";
        early.run_all(0.1);
        for (const ProbeRun& r : early.probes.runs)
            for (int visit = 1; visit <= 2; ++visit)
                early.write(probe_log(r.name, visit), memory + megatron_lines(1.1 * r.step));
        const auto reading = read_probes(early.path(), library());
        QVERIFY(reading.has_value() && reading->results.size() >= 2);
        for (const ProbeResult& r : reading->results) {
            QVERIFY(r.measured && !r.memory);
            QVERIFY2(r.remarks.back().find("do not grow") != std::string::npos, r.remarks.back().c_str());
        }
    }
    void a_log_that_is_missing_or_of_another_run_is_said() {
        const Ran ran({{1.5, 0}, {1.5, 1.5}});
        QVERIFY(ran.reading->results[0].remarks.front().find("missing") != std::string::npos);
        QCOMPARE(ran.reading->measured.size(), std::size_t(2));   // the other visit counts
        QVERIFY(!read_probes("nowhere", library()));
    }
};

PLIMSOLL_TEST(tst_probe)
#include "tst_probe.moc"
