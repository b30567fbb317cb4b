// What node-hours would train: the dialog that answers it.
#include "registered_test.h"

#include "views/session_desk.h"

#include "core/answers/campaign/scaling.h"
#include "core/values/knobs/wording.h"
#include "views/parts/text.h"
#include "views/replies.h"
#include "views/window/hours_dialogs.h"

using namespace plimsoll;

class tst_budget : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void the_plans_own_node_hours_train_its_own_tokens() {
        Desk d;
        const Answer& plan = *d.workspace.told().last_good;
        BudgetDialog dialog(plan);
        QCOMPARE(dialog.table()->rowCount(), 3);
        QCOMPARE(dialog.table()->item(2, 1)->text(), to_qt(say_count(plan.estimate.parameters)));
        const Flop work = budget_flop(plan.scenario, plan.estimate, std::round(plan.headline.node_hours));
        QCOMPARE(dialog.table()->item(2, 2)->text(), to_qt(say_count(work / flop / 6 / plan.estimate.parameters)));
        QCOMPARE(dialog.table()->item(0, 3)->text(), QString("20"));
    }

    void a_hundred_times_the_budget_is_ten_times_the_model() {
        Desk d;
        BudgetDialog dialog(*d.workspace.told().last_good);
        const auto parameters = [&](const char* hours) {
            dialog.node_hours()->setText(hours);
            return parse_value(*find_knob("recipe.tokens"), dialog.table()->item(0, 1)->text().toStdString()).value();
        };
        const double small = parameters("10k"), large = parameters("1M");
        QVERIFY2(std::abs(large / small - 10) < 0.1, qPrintable(QString::number(large / small)));
    }

    void what_is_no_budget_is_said_data() {
        QTest::addColumn<QString>("typed");
        QTest::newRow("nothing") << "";
        QTest::newRow("a word") << "much";
        QTest::newRow("nought") << "0";
        QTest::newRow("less than nothing") << "-5";
    }
    void what_is_no_budget_is_said() {
        QFETCH(QString, typed);
        Desk d;
        BudgetDialog dialog(*d.workspace.told().last_good);
        dialog.node_hours()->setText(typed);
        QCOMPARE(dialog.table()->rowCount(), 0);
        QCOMPARE(dialog.said(), QString("A number of node-hours is needed."));
    }

    void it_is_in_the_plan_menu() {
        Desk d;
        const Replies replies;
        menu_action(d.window, "What a budget would train")->trigger();
        QCOMPARE(replies.titles(), QStringList("What a budget would train"));
    }
};

PLIMSOLL_TEST(tst_budget)
#include "tst_budget.moc"
