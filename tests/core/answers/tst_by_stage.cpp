// What every stage holds, layer by layer, as the window draws it: the same as what the costs count.
#include "registered_test.h"

#include "core/answers/plan/by_stage.h"
#include "core/answers/plan/price.h"
#include "core/answers/plan/rules.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/share.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

#include <map>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// "<DDD | DD>" for a stage of two chunks that holds both ends.
QString told(const StageHeld& s) {
    QStringList chunks;
    for (const ChunkHeld& c : s.chunks) {
        QString text = QString::fromStdString(c.letters);
        if (c.embedding) text.prepend('<');
        text += QString(c.modules, 'm');
        if (c.loss) text += '>';
        chunks << text;
    }
    return chunks.join(" | ");
}

QString all_told(const Scenario& s) {
    QStringList all;
    for (const StageHeld& each : stages_held(s)) all << told(each);
    return all.join("; ");
}

Scenario split_into(const std::string& model, int layers, int pipeline, int chunks, const std::string& list) {
    Scenario s = gpt3_on_selene();
    s.model = with_depth(library().models.at(model), layers);
    s.layout.pipeline_parallel = pipeline;
    s.layout.virtual_stages = chunks;
    s.layout.schedule = usual_schedule(chunks);
    if (!list.empty()) s.layout.stages = *read_stage_list(list);
    return s;
}

}  // namespace

class ByStageTest : public QObject {
    Q_OBJECT

private slots:
    void stages_hold_layers_in_the_order_of_the_model_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("stages");
        QTest::newRow("equal shares") << split_into("gpt3-175b", 4, 2, 1, "") << "<DD; DD>";
        QTest::newRow("chunks in turn") << split_into("gpt3-175b", 8, 2, 2, "") << "<DD | DD; DD | DD>";
        QTest::newRow("as listed") << split_into("gpt3-175b", 6, 3, 1, "Et|ttt|ttL") << "<D; DDD; DD>";
        QTest::newRow("a stage that holds nothing") << split_into("gpt3-175b", 3, 3, 1, "Et||ttL") << "<D; ; DD>";
        QTest::newRow("listed chunks, Megatron's order") << split_into("gpt3-175b", 6, 2, 2, "Et|tt|tt|tL")
            << "<D | DD; DD | D>";
        QTest::newRow("kinds of layers") << split_into("nemotron-3-nano-30b-a3b", 7, 2, 1, "EttttttL")
            << "<MEMEM*>";
        QTest::newRow("a list of more stages than there are") << split_into("gpt3-175b", 6, 2, 1, "Et|ttt|ttL")
            << "<D; DDD; DD>";
        QTest::newRow("a list of more layers than there are") << split_into("gpt3-175b", 2, 2, 1, "Ett|tL")
            << "<DD;  >";
        Scenario further = split_into("gpt3-175b", 6, 3, 1, "Ett|tttmL");
        further.layout.pipeline_parallel = 2;
        further.model.further.depths = 1;
        QTest::newRow("a module that predicts a further token") << further << "<DD; DDDm>";
    }
    void stages_hold_layers_in_the_order_of_the_model() {
        QFETCH(Scenario, plan);
        QFETCH(QString, stages);
        QCOMPARE(all_told(plan), stages);
    }

    void nothing_is_told_of_a_plan_with_obstacles_that_lists_nothing() {
        QVERIFY(stages_held(split_into("gpt3-175b", 6, 7, 1, ""), false).empty());
        QVERIFY(!stages_held(split_into("gpt3-175b", 6, 7, 1, "EtttttL"), false).empty());
    }

    void they_hold_what_the_costs_count() {
        int compared = 0;
        for (const Scenario& s : not_empty(random_plans(400 / one_in))) {
            if (!check(s).empty()) continue;
            const Work w(s);
            const std::vector<StageHeld> stages = stages_held(s);
            const Layers kinds(s.model);
            QCOMPARE(int(stages.size()), s.layout.pipeline_parallel);
            std::string all;
            int modules = 0, ends = 0;
            for (int i = 0; i < int(stages.size()); ++i) {
                // Kinds that differ in their products' bits alone have one letter.
                std::map<char, int> counts, held;
                const auto add = [&](std::map<char, int>& to, const LayerCounts& layers) {
                    for (Kind k = 0; k < kinds.kinds(); ++k)
                        if (layers[k] > 0) to[letter_of(kinds[k])] += layers[k];
                };
                for (const ChunkHeld& c : stages[std::size_t(i)].chunks) {
                    for (const char letter : c.letters) ++counts[letter];
                    for (int depth = 0; depth < c.modules; ++depth) add(counts, kinds.of_module());
                    modules += c.modules;
                    ends += int(c.embedding) + int(c.loss);
                    QVERIFY(!c.embedding || holds_embedding(s, i));
                    QVERIFY(!c.loss || holds_loss(s, i));
                }
                add(held, w.stage(i).layers);
                QVERIFY(counts == held);
                all.append(std::size_t(stages[std::size_t(i)].layers()), '.');
            }
            QCOMPARE(int(all.size()), s.model.layers);
            QCOMPARE(modules, s.model.further.depths);
            QCOMPARE(ends, 2);
            ++compared;
        }
        QVERIFY2(compared > drawn(30), qPrintable(QString("only %1 plans had no obstacle").arg(compared)));
    }

    void the_busiest_stage_takes_longest() {
        Scenario s = split_into("gpt3-175b", 12, 4, 1, "Et|t*7|ttt|tL");
        s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
        QVERIFY(check(s).empty());
        const std::vector<Seconds> times = times_by_stage(s);
        QCOMPARE(int(times.size()), 4);
        QCOMPARE(int(std::ranges::max_element(times) - times.begin()), estimate(s)->busiest_stage);
        QCOMPARE(estimate(s)->busiest_stage, 1);
    }
};

PLIMSOLL_TEST(ByStageTest)
#include "tst_by_stage.moc"
