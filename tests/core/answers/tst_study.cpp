// What stands around a search: rows, reasons of empty cells, and a change in words.
#include "registered_test.h"

#include "core/answers/search/winner.h"
#include "core/answers/curves/study.h"
#include "core/answers/search/wording.h"
#include "near.h"
#include "scenarios.h"

#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

class StudyTest : public QObject {
    Q_OBJECT

private slots:
    void every_row_runs_and_is_there_once() {
        const Study s = study(gpt3_on_selene(), common_space(), {.limit = 30});
        std::set<std::string> names;
        for (const Candidate& c : s.rows) {
            QVERIFY(names.insert(say_layout(c.layout)).second);
            QCOMPARE(candidate_of(plimsoll::with_layout(s.plan, c.layout)), std::optional(c));
            QVERIFY(runs(estimate(plimsoll::with_layout(s.plan, c.layout))));
        }
        QCOMPARE(s.rows.front(), s.found.top.front());
    }

    void a_setting_without_effect_makes_no_second_row() {
        constexpr double apart = 1e-4;
        const Study s = study(gpt3_on_selene(), common_space(), {.limit = 200});
        const auto alike = [](const Candidate& a, const Candidate& b) {
            return near(a.step / second, b.step / second, apart) && near(a.energy / joule, b.energy / joule, apart)
                && near(a.memory / byte, b.memory / byte, apart);
        };
        for (std::size_t i = 0; i < s.rows.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!alike(s.rows[i], s.rows[j])
                             || say_degrees(s.rows[i].layout) != say_degrees(s.rows[j].layout),
                         (say_layout(s.rows[i].layout) + " and " + say_layout(s.rows[j].layout)).c_str());
        // Each layout that the search ranked is there, itself or one that takes the same.
        for (const Candidate& c : s.found.top)
            QVERIFY(std::any_of(s.rows.begin(), s.rows.end(), [&](const Candidate& r) { return alike(r, c); }));
    }

    void every_empty_cell_has_a_reason() {
        const Study s = study(gpt3_on_selene(), common_space(), {});
        int empty = 0;
        for (std::size_t i = 0; i < s.found.splits.size(); ++i) {
            const SplitCell& c = s.found.splits[i];
            QCOMPARE(s.rules[i].has_value(), c.feasible == 0);
            QVERIFY(c.best || c.nearest || s.rules[i]);
            empty += !c.best;
        }
        QVERIFY(empty > 0);
    }

    void a_study_answers_for_other_layouts_of_the_same_devices_only() {
        const Scenario plan = gpt3_on_selene();
        const Study s = study(plan, common_space(), {});
        QVERIFY(answers(s, plan));
        QVERIFY(answers(s, plimsoll::with_layout(plan, s.rows.front().layout)));
        Scenario other = plan;
        other.recipe.sequence_length /= 2;
        QVERIFY(!answers(s, other));
        other = plan;
        other.layout.devices *= 2;
        QVERIFY(!answers(s, other));
    }

    void the_border_falls_and_nothing_lies_below_it() {
        const Study s = study(gpt3_on_selene(), common_space(), {.limit = 200});
        const Figure f = layout_figure(s, s.plan);
        const auto border =
            std::find_if(f.series.begin(), f.series.end(), [](const Series& one) { return one.id == "border"; });
        QVERIFY(border != f.series.end());
        for (std::size_t i = 1; i < border->x.size(); ++i)
            QVERIFY(border->x[i] >= border->x[i - 1] && border->y[i] <= border->y[i - 1]);
        for (const Series& one : f.series)
            for (std::size_t i = 0;
                 one.mark == Mark::point && (one.id == "ranked" || one.id == "front") && i < one.x.size(); ++i)
                for (std::size_t b = 0; b < border->x.size(); ++b)
                    QVERIFY(one.x[i] >= border->x[b] || one.y[i] >= border->y[b]);
    }

    void a_change_names_what_changed_most() {
        const std::vector<PartChange> parts{{"bubble", "Pipeline bubble", 2 * second, 0 * second},
                                            {"tensor_parallel", "Tensor-parallel wait", 0 * second, 0.5 * second},
                                            {"ends", "Embedding, head, loss", 0.010 * second, 0.015 * second}};
        const QString told = QString::fromStdString(say_changes(10 * second, 8.5 * second, parts));
        QCOMPARE(told, QString("15 % less time: pipeline bubble 2 s less; but tensor-parallel wait 500 ms more"));
        QCOMPARE(QString::fromStdString(say_changes(10 * second, 10 * second, {})), QString("As much time"));
    }
};

PLIMSOLL_TEST(StudyTest)
#include "tst_study.moc"
