// Timelines: nobody does two things at once or before its input is there, and
// the picture agrees with the estimate's numbers.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/curves/timeline.h"
#include "core/costs/step/stage.h"
#include "core/costs/step/step.h"
#include "core/files/results/answers_json.h"
#include "random_plans.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr int everything = 1 << 30;

Scenario scheduled(Schedule schedule) {
    Scenario s = schedule == Schedule::interleaved ? gpt3_interleaved() : gpt3_on_selene();
    s.layout.schedule = schedule;
    if (const ScheduleKind& kind = schedule_kind(schedule); !kind.runs(s.layout.virtual_stages))
        s.layout.virtual_stages = kind.least_chunks;
    s.layout.recompute = Recompute::selective;
    return s;
}

void add_schedules() {
    QTest::addColumn<int>("schedule");
    QTest::newRow("GPipe") << int(Schedule::gpipe);
    QTest::newRow("1F1B") << int(Schedule::one_f_one_b);
    QTest::newRow("interleaved") << int(Schedule::interleaved);
    QTest::newRow("ZB-H1") << int(Schedule::zb_h1);
    QTest::newRow("ZB-H2") << int(Schedule::zb_h2);
    QTest::newRow("ZB-V") << int(Schedule::zb_v);
    QTest::newRow("V-Half") << int(Schedule::v_half);
    QTest::newRow("V-Min") << int(Schedule::v_min);
    QTest::newRow("DualPipe-V") << int(Schedule::dualpipe_v);
}

bool near(Seconds a, Seconds b) { return std::abs(a / b - 1) < 1e-9; }

}  // namespace

class TimelineTest : public QObject {
    Q_OBJECT

private slots:
    void nobody_does_two_things_at_once_data() { add_schedules(); }
    void nobody_does_two_things_at_once() {
        QFETCH(int, schedule);
        const Timeline t = timeline(scheduled(Schedule(schedule)));
        QCOMPARE(t.stages(), 8);
        for (int i = 0; i < t.stages(); ++i)
            for (std::size_t k = t.first[i]; k < t.first[i + 1]; ++k) {
                QCOMPARE(t.tasks[k].stage, i);
                QVERIFY(t.tasks[k].start < t.tasks[k].end);
                if (k > t.first[i]) QVERIFY(t.tasks[k].start >= t.tasks[k - 1].end);
            }
    }

    void nothing_starts_before_its_input_is_there_data() { add_schedules(); }
    void nothing_starts_before_its_input_is_there() {
        QFETCH(int, schedule);
        const Scenario s = scheduled(Schedule(schedule));
        const Timeline t = timeline(s);
        const int p = t.stages(), v = s.layout.virtual_stages;
        // A whole backward pass hands on what an input gradient does.
        const Pass back = Pass::input_gradient;
        const auto handed_on = [&](const TimelineTask& k) { return k.work == Pass::backward ? back : k.work; };
        const auto place_of = [&](const TimelineTask& k) {
            return schedule_kind(t.schedule).place.position({k.stage, k.chunk}, p);
        };
        std::map<std::tuple<Pass, int, int>, Seconds> end;  // work, place in the model, micro-batch
        for (const TimelineTask& k : t.tasks) end[{handed_on(k), place_of(k), k.micro_batch}] = k.end;
        for (TimelineTask k : not_empty(t.tasks)) {
            const int place = place_of(k);
            k.work = handed_on(k);
            if (k.work == Pass::forward && place > 0)
                QVERIFY(end.at({Pass::forward, place - 1, k.micro_batch}) <= k.start);
            if (k.work == back && place < p * v - 1) QVERIFY(end.at({back, place + 1, k.micro_batch}) <= k.start);
            if (k.work == back) QVERIFY(end.at({Pass::forward, place, k.micro_batch}) <= k.start);
            if (k.work == Pass::weight_gradient) QVERIFY(end.at({back, place, k.micro_batch}) <= k.start);
        }
    }

    void it_takes_what_the_step_takes_in_the_pipeline() {
        int tried = 0;
        for (const Scenario& s : random_plans(drawn(2000))) {
            const Outcome o = estimate(s);
            if (!o) continue;
            ++tried;
            const Timeline t = timeline(s, everything);
            const Step step = step_of(s, stage_times(s));
            // Stages that differ settle slowly; makespan() then states half a percent.
            QVERIFY2(std::abs(t.pipeline / step.pipeline - 1) < 5e-3,
                     qPrintable(QString("%1 against %2 s").arg(t.pipeline / second).arg(step.pipeline / second)));
        }
        QVERIFY(tried > drawn(100));
    }

    void idle_time_of_the_busiest_stage_is_the_bubble_data() { add_schedules(); }
    void idle_time_of_the_busiest_stage_is_the_bubble() {
        QFETCH(int, schedule);
        const Scenario s = scheduled(Schedule(schedule));
        const Outcome o = estimate(s);
        const Timeline t = timeline(s, everything);
        QVERIFY(near(t.pipeline, step_of(s, stage_times(s)).pipeline));
        QCOMPARE(t.busiest(), o->busiest_stage);
        QVERIFY2(near(t.bubble(), o->step.bubble),
                 qPrintable(QString("%1 against %2").arg(t.bubble() / second).arg(o->step.bubble / second)));
    }

    void a_long_step_is_shortened_and_says_so() {
        Scenario s = scheduled(Schedule::one_f_one_b);
        QVERIFY(timeline(s).complete());
        s.recipe.global_batch_sequences *= 50;
        const Timeline t = timeline(s);
        QVERIFY(!t.complete());
        QVERIFY(int(t.tasks.size()) <= most_timeline_tasks);
        QVERIFY(note(t).find("4,800") != std::string::npos);
        QVERIFY(near(t.bubble(), timeline(s, everything).bubble()));
    }

    void a_plan_with_obstacles_has_none() {
        Scenario s = scheduled(Schedule::zb_h1);
        s.layout.tensor_parallel = 7;
        QVERIFY(timeline(s).tasks.empty());
        QCOMPARE(timeline(s).stages(), 0);
    }

    void a_trace_has_every_task_once() {
        const Scenario s = scheduled(Schedule::zb_h2);
        const Timeline t = timeline(s);
        const QJsonObject trace = QJsonDocument::fromJson(QByteArray::fromStdString(to_trace_json(t, s))).object();
        std::size_t complete = 0;
        double last = 0;
        for (const QJsonValue& v : trace["traceEvents"].toArray()) {
            const QJsonObject e = v.toObject();
            if (e["ph"].toString() != "X") continue;
            ++complete;
            QVERIFY(e["tid"].toInt() >= 1 && e["tid"].toInt() <= 8);
            last = std::max(last, e["ts"].toDouble() + e["dur"].toDouble());
        }
        QCOMPARE(complete, t.tasks.size());
        QVERIFY(std::abs(last / (t.span / microsecond) - 1) < 1e-9);
    }

    void a_table_has_a_line_per_task() {
        const Scenario s = scheduled(Schedule::gpipe);
        const Timeline t = timeline(s);
        const QByteArray csv = QByteArray::fromStdString(to_csv(t, s));
        QVERIFY(csv.contains("\nstage,chunk,micro_batch,work,start_seconds,end_seconds\n1,1,1,Forward,0,"));
        QCOMPARE(std::size_t(csv.count('\n')), t.tasks.size() + 4);
    }

    void a_name_of_several_lines_stays_on_one_line_of_the_table() {
        Scenario s = scheduled(Schedule::gpipe);
        s.name = "first\nsecond, third";
        const QByteArray csv = QByteArray::fromStdString(to_csv(timeline(s), s));
        QVERIFY(csv.contains("\n# first second, third\n"));
    }
};

PLIMSOLL_TEST(TimelineTest)
#include "tst_timeline.moc"
