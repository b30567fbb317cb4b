// Answers as JSON: every digit, parts that sum to their totals, nulls where there is no answer.
#include "registered_test.h"

#include "core/answers/campaign/headline.h"
#include "core/files/results/answers_json.h"
#include "scenarios.h"
#include "near.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

QJsonObject json(const std::string& text) { return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object(); }

double sum(const QJsonObject& parts) {
    double total = 0;
    for (const auto& v : parts) total += v.toDouble();
    return total;
}

}  // namespace

class tst_estimate_json : public QObject {
    Q_OBJECT

private slots:
    void an_answer_adds_up() {
        const Scenario s = gpt3_on_selene();
        const Outcome o = estimate(s);
        QVERIFY(o.has_value());
        const auto answer = json(to_json(s, o));
        QVERIFY(answer["feasible"].toBool());
        QCOMPARE(answer["fits"].toBool(), o->fits());
        QVERIFY(answer["obstacles"].toArray().isEmpty());
        QCOMPARE(answer["step_seconds"].toDouble(), o->step.total() / second);  // every digit
        QVERIFY(near(sum(answer["step"].toObject()), answer["step_seconds"].toDouble()));
        const auto memory = answer["memory"].toObject();
        const auto stages = memory["stages"].toArray(), totals = memory["stage_totals_bytes"].toArray();
        QCOMPARE(stages.size(), 8);
        for (int i = 0; i < stages.size(); ++i) QVERIFY(near(sum(stages[i].toObject()), totals[i].toDouble()));
        QCOMPARE(memory["worst_stage_bytes"].toDouble(), totals[memory["worst_stage"].toInt()].toDouble());
        QVERIFY(near(sum(answer["energy"].toObject()), o->energy.total() / joule));
        QCOMPARE(answer["mfu"].toDouble(), headline(s, *o).mfu);
        QCOMPARE(answer["run"].toObject()["node_hours"].toDouble(), headline(s, *o).node_hours);
        QCOMPARE(answer["devices"].toInt(), 1024);
    }

    void failures_stand_beside_the_failure_free_run() {
        const Scenario s = gpt3_on_selene();
        const Headline h = headline(s, *estimate(s));
        const auto answer = json(to_json(s, estimate(s))), failures = answer["resilience"].toObject();
        QVERIFY(near(failures["wall_seconds"].toDouble(), h.wall / second));
        QVERIFY(near(answer["run"].toObject()["seconds"].toDouble(), h.run / second));
        QVERIFY(std::abs(sum(failures["overhead"].toObject()) + failures["goodput"].toDouble() - 1) < 1e-12);
        QCOMPARE(failures["interval_rule"].toString(), QString("young"));
        QVERIFY(failures["job_chain"].toObject().contains("kind"));
    }

    void a_band_tells_what_it_is_judged_by() {
        const Scenario s = gpt3_on_selene();
        const auto without = json(to_json(s, estimate(s)));
        QVERIFY(without.contains("band") && without["band"].isNull());
        Band b;
        b.time_spread = {0.03125, Circle::same_stack_and_device, 12, 3};
        b.time = 0.0625;   // widened for what is beyond
        b.time_wide = 0.125;
        b.beyond = {"no published run with fp8 products was checked"};
        const auto band = json(to_json(s, estimate(s), &b))["band"].toObject();
        QCOMPARE(band["time"].toObject()["band"].toDouble(), 0.0625);
        QCOMPARE(band["time"].toObject()["wide"].toDouble(), 0.125);
        QCOMPARE(band["time"].toObject()["runs"].toInt(), 12);
        QCOMPARE(band["time"].toObject()["sources"].toInt(), 3);
        QCOMPARE(band["time"].toObject()["alike"].toString(), QString("same_stack_and_device"));
        QCOMPARE(band["beyond"].toArray().size(), 1);
    }

    void no_progress_has_no_end() {
        const Scenario s =
            edited(gpt3_on_selene(), [](Scenario& e) { e.machine.reliability.failures_per_1000_node_days = 1e5; });
        const auto failures = json(to_json(s, estimate(s)))["resilience"].toObject();
        QCOMPARE(failures["makes_progress"], QJsonValue(false));
        QCOMPARE(failures["goodput"].toDouble(), 0.0);
        QVERIFY(failures.contains("wall_seconds") && failures["wall_seconds"].isNull());
    }

    void an_obstacle_is_an_answer() {
        const Scenario s = with_layout(gpt3_on_selene(), [](Layout& l) { l.tensor_parallel = 5; });
        const auto answer = json(to_json(s, estimate(s)));
        QCOMPARE(answer["feasible"], QJsonValue(false));
        QCOMPARE(answer["fits"], QJsonValue(false));
        QVERIFY(answer.contains("step_seconds") && answer["step_seconds"].isNull() && answer["run"].isNull());
        const auto first = answer["obstacles"].toArray()[0].toObject();
        for (const char* key : {"reason", "knob", "found", "valid", "message"}) QVERIFY2(first.contains(key), key);
        QVERIFY(!first["message"].toString().isEmpty());
    }

    void a_term_is_a_tree() {
        Term leaf;
        leaf.id = "a";
        leaf.value = 0.1;
        leaf.source = {SourceKind::vendor, "data sheet"};
        Term root;
        root.op = Operator::sum;
        root.value = 0.2;
        root.children = {leaf, leaf};
        const auto tree = json(to_json(root));
        QCOMPARE(tree["operator"].toString(), QString("sum"));
        QCOMPARE(tree["children"].toArray().size(), 2);
        QCOMPARE(tree["children"].toArray()[1].toObject()["source"].toObject()["kind"].toString(), QString("vendor"));
    }
};

PLIMSOLL_TEST(tst_estimate_json)
#include "tst_estimate_json.moc"
