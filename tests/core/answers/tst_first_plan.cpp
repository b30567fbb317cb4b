// The plan that the start page makes of a model and a machine.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/search/first_plan.h"
#include "core/values/knobs/wording.h"
#include "shipped.h"

using namespace plimsoll;

class FirstPlanTest : public QObject {
    Q_OBJECT
private slots:
    void it_runs_data();
    void it_runs();
    void a_model_too_large_takes_the_whole_machine();
    void its_tokens_are_twenty_for_each_active_parameter();
};

namespace {

std::string sentences(const std::vector<Obstacle>& obstacles) {
    std::string text;
    for (const Obstacle& o : obstacles) text += say(o) + "\n";
    return text;
}

Scenario plan(const std::string& model, const std::string& machine) {
    return first_plan(library().models.at(model), library().machines.at(machine), library().stacks);
}

}  // namespace

void FirstPlanTest::it_runs_data() {
    QTest::addColumn<std::string>("model");
    QTest::addColumn<std::string>("machine");
    const auto row = [](const char* model, const char* machine) {
        const QString name = QString("%1 on %2").arg(model, machine);
        QTest::newRow(qPrintable(name)) << std::string(model) << std::string(machine);
    };
    row("llama2-70b", "dgx-h100");
    row("llama3-8b", "frontier");
    row("gpt2-124m", "laptop");
    row("gpt2-355m", "ws-rtx4090");
    row("mixtral-8x7b", "dgx-h100");
    row("fugaku-llm-13b", "fugaku");
    row("chinchilla-70b", "tpu-v4");
    row("gpt3-175b", "selene");
}

void FirstPlanTest::it_runs() {
    QFETCH(std::string, model);
    QFETCH(std::string, machine);
    const Scenario s = plan(model, machine);
    QCOMPARE(s.model.id, model);
    QCOMPARE(s.machine.id, machine);
    const Outcome o = estimate(s);
    QVERIFY2(o.has_value(), o ? "" : sentences(o.error()).c_str());
    QVERIFY(o->fits());
}

void FirstPlanTest::a_model_too_large_takes_the_whole_machine() {
    const Scenario s = plan("gpt3-175b", "ws-rtx4090");
    QCOMPARE(s.layout.devices, int(s.machine.devices()));
    const Outcome o = estimate(s);
    QVERIFY(!o || !o->fits());
}

void FirstPlanTest::its_tokens_are_twenty_for_each_active_parameter() {
    QCOMPARE(plan("gpt3-6.7b", "dgx-h100").recipe.tokens, 20 * 6.7e9);
}

PLIMSOLL_TEST(FirstPlanTest)
#include "tst_first_plan.moc"
