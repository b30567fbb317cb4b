// A measured run of one's own moves a number wherever it stands: all that is told of one plan agrees, and every range
// holds the number that it belongs to.
#include "registered_test.h"

#include "core/answers/compare/compare.h"
#include "core/answers/curves/timeline.h"
#include "core/answers/curves/tornado.h"
#include "core/answers/explain/explain.h"
#include "core/answers/search/envelope.h"
#include "core/answers/search/goal.h"
#include "core/answers/curves/study.h"
#include "core/evidence/published/anchor.h"
#include "core/files/results/anchor_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/proposal_pack.h"
#include "near.h"
#include "random_plans.h"
#include "turned_plans.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// A run of a plan like it, on twice the devices or with another micro-batch, that took so many times what is predicted.
Anchor run_like(const Scenario& s, int i) {
    Scenario like = model_alone(s);
    if (i % 3 == 1) like.layout.data_parallel *= 2, like.layout.devices *= 2, like.recipe.global_batch_sequences *= 2;
    if (i % 3 == 2) like.recipe.tokens *= 2;
    if (!estimate(like)) like = model_alone(s);
    const double longer = 0.6 + 0.15 * (i % 7), larger = 0.9 + 0.05 * (i % 5);
    return {"June", like, 1 / longer - 1, i % 2 ? std::optional(1 / larger - 1) : std::nullopt};
}

// Plans that can be computed and end, each with a run that is like it.
void each_measured_plan(int count, const std::function<void(const Scenario&, const std::string&)>& look) {
    RandomPlans random;
    TurnedPlans turned;
    for (int i = 0, met = 0; met < count; ++i) {
        TurnedPlan plan = i % 2 ? turned.next() : TurnedPlan{"random plan " + std::to_string(i / 2), random.next()};
        const Outcome o = estimate(plan.plan);
        if (!o || !totals(plan.plan, headline(plan.plan, *o), Counting::all).ends()) continue;
        plan.plan.measured = measured_by({run_like(plan.plan, i)});
        look(plan.plan, plan.words);
        ++met;
    }
}

Scenario measured_plan(double longer, double larger = 1) {
    Scenario s = gpt3_on_selene();
    s.measured = measured_by({Anchor{"June", s, 1 / longer - 1, 1 / larger - 1}});
    return s;
}

const Evidence& shipped_evidence() {
    static const Evidence seen = evidence_of(shipped_score());
    return seen;
}

QJsonObject told_in_json(const Scenario& s, const Anchoring& a) {
    const std::string text = to_json(s, estimate(s), &a.band, &a);
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

double number_of(const std::vector<ComparedRow>& rows, const char* id) {
    for (const ComparedRow& r : rows)
        if (r.id == id) return r.numbers.at(1);
    return -1;
}

// The time that the chart over nodes shows of the plan itself; nothing where it has no point.
std::optional<Seconds> charted_time(const Scenario& s) {
    for (const Figure& f : figures(s, {}, Counting::all)) {
        if (f.id != "time-vs-nodes" || f.series.empty()) continue;
        const Series& line = f.series.front();
        const std::string& unit = f.y.unit;
        for (std::size_t i = 0; i < line.x.size(); ++i)
            if (line.x[i] == f.here_x)
                return line.y[i]
                     * (unit == "days" ? day : unit == "hours" ? hour : unit == "minutes" ? minute : second);
    }
    return std::nullopt;
}

}  // namespace

class tst_measured_runs : public QObject {
    Q_OBJECT

private slots:
    void a_plan_without_runs_is_what_the_model_says() {
        const Scenario s = measured_plan(1.4);
        const Estimate alone = *estimate(gpt3_on_selene());
        QVERIFY(*estimate(model_alone(s)) == alone);
        QVERIFY(!alone.measured.any());
        QVERIFY(!measured_by({}));
    }
    void all_parts_move_in_proportion() {
        each_measured_plan(60, [](const Scenario& s, const std::string& words) {
            const Estimate e = *estimate(s), model = *estimate(model_alone(s));
            QVERIFY2(e.measured.any(), words.c_str());
            for (const auto& part : step_parts)
                QVERIFY2(near(e.step.*part.value / second, e.measured.time * (model.step.*part.value / second)),
                         words.c_str());
            QVERIFY2(near(e.energy.total() / joule, e.measured.time * (model.energy.total() / joule)), words.c_str());
            QVERIFY2(near(e.worst().total() / byte, e.measured.memory * (model.worst().total() / byte)), words.c_str());
            const Headline h = headline(s, e), alone = headline(model_alone(s), model);
            QVERIFY2(near(h.mfu * e.measured.time, alone.mfu), words.c_str());
        });
    }
    void every_number_lies_in_its_range() {
        each_measured_plan(60, [](const Scenario& s, const std::string& words) {
            const Anchoring a = anchored(s, shipped_evidence());
            const Estimate e = *estimate(s);
            QCOMPARE(a.time_factor, e.measured.time);
            QCOMPARE(a.memory_factor, e.measured.memory);
            const auto all = figures(s, {}, Counting::all);
            std::vector<Figure> shaded = all;
            shade(shaded, a.band);
            for (const Figure& f : shaded)
                for (const Series& each : f.series) {
                    if (each.id != "band") continue;
                    const Series& line = *std::ranges::find(f.series, "modelled", &Series::id);
                    for (std::size_t i = 0; i < line.y.size(); ++i) {
                        if (std::isnan(line.y[i]) && std::isnan(each.y[i]))   // failures take all of the time: a gap
                            continue;
                        QVERIFY2(each.y[i] <= line.y[i] && line.y[i] <= each.high[i],
                                 qPrintable(QStringLiteral("%1 of %2 at %3 in %4 to %5")
                                                .arg(line.y[i]).arg(QString::fromStdString(f.id + " " + words))
                                                .arg(line.x[i]).arg(each.y[i]).arg(each.high[i])));
                    }
                }
        });
    }
    void wherever_a_number_stands_it_is_the_same() {
        each_measured_plan(40, [](const Scenario& s, const std::string& words) {
            const Estimate e = *estimate(s);
            const Headline h = headline(s, e);
            const Totals t = totals(s, h, Counting::all);
            const QJsonObject told = told_in_json(s, anchored(s, shipped_evidence()));
            QVERIFY2(near(told["step_seconds"].toDouble(), h.step / second), words.c_str());
            QVERIFY2(near(told["mfu"].toDouble(), h.mfu), words.c_str());
            QVERIFY2(near(told["total"].toObject()["seconds"].toDouble(), t.time / second), words.c_str());
            const std::vector<Scenario> both{model_alone(s), s};
            const auto compared = compare(both);
            QVERIFY(compared.has_value());
            QVERIFY2(near(number_of(compared->answers, "time"), t.time / second), words.c_str());
            QVERIFY2(near(number_of(compared->answers, "mfu"), h.mfu), words.c_str());
            QVERIFY2(near(*tornado_value(s, TornadoOf::time), t.time / day), words.c_str());
            const auto drawn = charted_time(s);
            QVERIFY2(!drawn || near(*drawn / second, t.time / second), words.c_str());
            for (const auto& [id, value] : {std::pair{"step_seconds", h.step / second}, {"mfu", h.mfu},
                                            {"total.seconds", t.time / second},
                                            {"memory.worst_stage_bytes", e.worst().total() / byte}}) {
                const auto tree = explain(s, id);
                QVERIFY2(tree && near(tree->value, value, 1e-6) && near(evaluate(*tree), value, 1e-6), words.c_str());
            }
            // A proposal prices the model alone, which may lack memory that the runs say is there.
            if (!e.fits() || !estimate(model_alone(s))->fits()) return;
            const auto plan = campaign_plan(s, "plan.json");
            QVERIFY2(plan && plan->estimate == *estimate(model_alone(s)), words.c_str());   // told beside it
            // What lives outside the allocator may be too much on top of what fits.
            if (fit_verdict(e) == FitVerdict::does_not_fit) return;
            GoalLimits limits;
            limits.headroom = 0;
            const GoalAnswer goal = best_within(s, limits, {}, {});
            QVERIFY2(goal.best && near(goal.best->totals.time / second, t.time / second), words.c_str());
        });
    }
    void a_search_tells_of_its_layouts_what_their_estimates_do_data() {
        QTest::addColumn<double>("longer");
        QTest::addColumn<double>("larger");
        QTest::newRow("a run that was slower") << 1.4 << 1.0;
        QTest::newRow("a run that was faster and took more memory") << 0.8 << 1.3;
        QTest::newRow("a run that took less memory") << 1.0 << 0.7;
    }
    void a_search_tells_of_its_layouts_what_their_estimates_do() {
        QFETCH(double, longer);
        QFETCH(double, larger);
        const Scenario s = measured_plan(longer, larger);
        const Space space = common_space(s);
        const SearchResult found = search(s, space, {.limit = 30});
        QVERIFY(!found.top.empty());
        for (const auto* list : {&found.top, &found.front})
            for (const Candidate& c : *list) QVERIFY(c == *candidate_of(with_layout(without_sources(s), c.layout)));
        QVERIFY(std::ranges::is_sorted(found.top, {}, &Candidate::step));
        const std::vector<int> nodes{64, 128};
        for (const EnvelopePoint& p : envelope(s, space, nodes))
            if (p.best) QVERIFY(*p.best == *candidate_of(with_layout(on_nodes(s, p.nodes), p.best->layout)));
    }
    void the_timeline_lasts_as_long_as_the_runs_say() {
        const Scenario s = measured_plan(1.4);
        const double factor = estimate(s)->measured.time;
        QVERIFY(near(timeline(s).pipeline / second, factor * (timeline(model_alone(s)).pipeline / second)));
    }
    void memory_that_was_measured_decides_whether_a_plan_fits() {
        const Estimate model = *estimate(gpt3_on_selene());
        const double too_much = 1.5 * (model.memory_limit / model.worst().total());
        QVERIFY(model.fits());
        QVERIFY(!estimate(measured_plan(1, too_much))->fits());
    }

    // ---- what is hard to believe

    void a_measured_value_is_doubted_data() {
        QTest::addColumn<double>("longer");
        QTest::addColumn<double>("larger");
        QTest::addColumn<QString>("said");
        QTest::newRow("as predicted") << 1.0 << 1.0 << "";
        QTest::newRow("a quarter slower") << 1.25 << 1.0 << "";
        QTest::newRow("five times as fast, beyond the peak") << 0.2 << 1.0 << "times the devices' peak rate";
        QTest::newRow("a thousandth") << 0.001 << 1.0 << "1,000 times shorter";
        QTest::newRow("eleven times as long") << 11.0 << 1.0 << "11 times longer";
        QTest::newRow("twice the memory of a device") << 1.0 << 3.0 << "more memory than";
        QTest::newRow("a twentieth of the memory") << 1.0 << 0.05 << "20 times less";
    }
    void a_measured_value_is_doubted() {
        QFETCH(double, longer);
        QFETCH(double, larger);
        QFETCH(QString, said);
        const Scenario s = gpt3_on_selene();
        const auto doubts = doubts_of(Anchor{"June", s, 1 / longer - 1, 1 / larger - 1});
        QCOMPARE(doubts.empty(), said.isEmpty());
        QString all;
        for (const std::string& doubt : doubts) all += QString::fromStdString(doubt);
        QVERIFY2(all.contains(said), qPrintable(all));
    }
    void a_file_of_runs_holds_no_other_runs() {
        const MeasuredRun run{"June", model_alone(measured_plan(1.4)), 20 * second, {}};
        const auto read = read_measured_runs(write_measured_runs({run}, library()), library());
        QVERIFY(read && read->size() == 1 && without_sources(read->front().plan) == without_sources(run.plan));
    }
};

PLIMSOLL_TEST(tst_measured_runs)
#include "tst_measured_runs.moc"
