// Short runs that tell most about a plan: what they share with it, what they cost, what they leave open.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/probe/probe.h"
#include "core/files/launch/probe_job.h"
#include "core/files/presets/scenario_json.h"
#include "near.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario shipped(const std::string& id) {
    const auto text = read_text(library().scenarios.at(id));
    return read_scenario(*text, library())->scenario;
}

}  // namespace

class tst_probe : public QObject {
    Q_OBJECT

private slots:
    void every_shipped_plan_has_probes_or_says_why_not() {
        int with = 0;
        for (const auto& [id, path] : library().scenarios) {
            const Scenario plan = shipped(id);
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
                QVERIFY2(kin_of(copy_shape_of(plan), copy_shape_of(r.plan)) == probes->kin, id.c_str());
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
        QVERIFY2(with > 20, qPrintable(QString::number(with)));
    }
    void steps_that_scatter_more_want_deeper_probes_or_leave_more_open() {
        const Scenario plan = shipped("llama3-8b-alps");
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
        Scenario plan = shipped("deepseek-v3-2048-h800");
        const auto probes = plan_probes(plan, {.nodes = 1});
        if (!probes) QVERIFY(probes.error().front().find("nodes") != std::string::npos);
        else QVERIFY(probes->nodes == 1);
    }

    // ---- as a job

    void a_job_of_probes_has_the_flags_of_the_real_run_data() {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<int>("framework");
        QTest::newRow("Megatron-LM") << "llama3-70b-eos" << int(Framework::megatron);
        QTest::newRow("Hugging Face's Trainer") << "llama2-7b-perlmutter-fsdp" << int(Framework::trainer);
    }
    void a_job_of_probes_has_the_flags_of_the_real_run() {
        QFETCH(QString, plan);
        QFETCH(int, framework);
        const Scenario s = shipped(plan.toStdString());
        const ProbeLimits limits;
        const auto probes = plan_probes(s, limits);
        QVERIFY(probes.has_value());
        const auto job = probe_job(s, *probes, Framework(framework), limits, library());
        QVERIFY2(job.has_value(), job ? "" : job.error().front().c_str());
        QCOMPARE(job->size(), probes->runs.size() + 2);
        for (const JobFile& f : *job) {
            QVERIFY(f.text.find("FILL_IN}") == std::string::npos || f.name == "job.sh");
            QVERIFY(f.text.find("--save-interval") == std::string::npos);
            const bool asks = f.name == "job.sh" && batch_kind(s.machine.scheduler) == BatchKind::slurm;
            const std::string time = "--time=" + hours_and_minutes(2 * probes->time);
            if (asks) QVERIFY2(f.text.find(time) != std::string::npos, f.text.c_str());
        }
    }
    void predictions_are_sealed_before_anything_runs() {
        const Scenario s = shipped("llama3-70b-eos");
        const ProbeLimits limits;
        const auto probes = plan_probes(s, limits);
        const auto job = probe_job(s, *probes, Framework::megatron, limits, library());
        QVERIFY(job.has_value());
        const std::string text = job->back().text;
        const auto record = read_probe_record(text, library(), "probes.json");
        QVERIFY2(record.has_value(), record ? "" : say(record.error()).c_str());
        QVERIFY(record->sealed && record->visits == limits.visits && record->runs.size() == probes->runs.size());
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
};

PLIMSOLL_TEST(tst_probe)
#include "tst_probe.moc"
