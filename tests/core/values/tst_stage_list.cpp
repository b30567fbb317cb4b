// Stages as listed: Megatron's words for them, what is wrong in broken ones, and plans that have a list.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/rules.h"
#include "core/costs/memory/memory.h"
#include "core/costs/step/step.h"
#include "core/files/import/framework_import.h"
#include "core/files/launch/launch.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/knobs/wording.h"
#include "core/values/plan/share.h"
#include "core/values/plan/stage_list.h"
#include "random_plans.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

QString layers_of(const StageList& list) {
    QStringList all;
    for (int i = 0; i < list.stages(); ++i) all << QString::number(list.layers(i));
    return all.join(' ');
}

StageList list_of(const std::string& text) {
    const auto list = read_stage_list(text);
    if (!list) qFatal("%s: %s", text.c_str(), list.error()[0].c_str());
    return *list;
}

Scenario listing(Scenario s, const std::string& text) {
    s.layout.stages = list_of(text);
    return s;
}

// What the plan's rule hands out, as a list.
Scenario as_a_list(Scenario s) {
    const int p = s.layout.pipeline_parallel, v = s.layout.virtual_stages;
    std::vector<int> layers;
    for (int at = 0; at < p * v; ++at) {
        const Slot slot = schedule_kind(s.layout.schedule).place.slot(at, p);
        layers.push_back(layers_of_chunk(s, slot.stage, slot.chunk));
    }
    s.layout.stages = StageList(std::move(layers), 0, p * v - 1);
    return s;
}

QString said(const std::vector<Obstacle>& all) {
    QStringList text;
    for (const Obstacle& o : all) text << QString::fromStdString(say(o));
    return text.join(' ');
}

}  // namespace

class StageListTest : public QObject {
    Q_OBJECT

private slots:
    void lists_are_read_and_written_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("layers");
        QTest::addColumn<int>("modules");
        QTest::addColumn<int>("at");
        QTest::addColumn<QString>("written");
        QTest::newRow("one stage") << "EttL" << "2" << 0 << 0 << "EttL";
        QTest::newRow("stages of unequal length") << "Ettt|tt|tL" << "3 2 1" << 0 << 2 << "Ettt|tt|tL";
        QTest::newRow("DeepSeek-V3 over 32 stages, the module alone")
            << "Ettt|(tt|)*29,m|L" << "3" + QString(" 2").repeated(29) + " 0 0" << 1 << 30 << "Ettt|(tt|)*29m|L";
        QTest::newRow("module and loss on the last stage") << "Et|ttmL" << "1 2" << 1 << 1 << "Et|ttmL";
        QTest::newRow("two modules") << "Et|t|mmL" << "1 1 0" << 2 << 2 << "Et|t|mmL";
        QTest::newRow("a stage in the middle that holds nothing") << "Ett||ttL" << "2 0 2" << 0 << 2 << "Ett||ttL";
        QTest::newRow("the embedding alone, and the loss") << "E|t*8|t*8|L" << "0 8 8 0" << 0 << 3 << "E|(t*8|)*2L";
        QTest::newRow("commas and spaces mean nothing") << " E, t | t ,L " << "1 1" << 0 << 1 << "Et|tL";
    }
    void lists_are_read_and_written() {
        QFETCH(QString, text);
        QFETCH(QString, layers);
        QFETCH(int, modules);
        QFETCH(int, at);
        QFETCH(QString, written);
        const StageList list = list_of(text.toStdString());
        QCOMPARE(layers_of(list), layers);
        QCOMPARE(list.modules(), modules);
        QCOMPARE(list.modules_at(), at);
        QCOMPARE(QString::fromStdString(text_of(list)), written);
        QVERIFY(list_of(text_of(list)) == list);
    }

    void all_that_is_wrong_is_told_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reasons");
        const QString embedding = "found %1 E, expected one, at the start of the first stage";
        const QString loss = "found %1 L, expected one, at the end of the last stage";
        QTest::newRow("nothing") << "" << embedding.arg(0) + "; " + loss.arg(0);
        QTest::newRow("no embedding") << "tt|ttL" << embedding.arg(0);
        QTest::newRow("two embeddings") << "Et|EtL" << embedding.arg(2);
        QTest::newRow("a layer before the embedding") << "tE|tL" << embedding.arg(1);
        QTest::newRow("no loss") << "Et|t" << loss.arg(0);
        QTest::newRow("a stage behind the loss") << "Et|tL|" << loss.arg(1);
        QTest::newRow("a letter that means nothing") << "Et|xt|tL" << "found x, expected the letters E, t, m, L and |";
        QTest::newRow("modules on two stages") << "Et|m|mL" << "found m on 2 stages, expected all on one";
        QTest::newRow("a module before a layer") << "Et|mt|L" << "found m before t, expected every m behind the last t";
        QTest::newRow("a bracket that stays open") << "E(t|" << "an opening bracket without one that closes";
        QTest::newRow("more than anybody has") << "E(t|)*99999999L" << "more than 65536 letters";
        QTest::newRow("several faults at once")
            << "t|m|t|m|x" << "found x, expected the letters E, t, m, L and |; " + embedding.arg(0) + "; " + loss.arg(0)
                           + "; found m before t, expected every m behind the last t; "
                             "found m on 2 stages, expected all on one";
    }
    void all_that_is_wrong_is_told() {
        QFETCH(QString, text);
        QFETCH(QString, reasons);
        const auto list = read_stage_list(text.toStdString());
        QVERIFY(!list.has_value());
        QStringList all;
        for (const std::string& reason : list.error()) all << QString::fromStdString(reason);
        QCOMPARE(all.join("; "), reasons);
    }

    void borders_in_a_pattern_are_a_list() {
        const auto found = pattern_by_stage("M-M-|(M*)x2|M-");
        QVERIFY(found.has_value());
        QCOMPARE(QString::fromStdString(found->pattern), "M-M-M*M*M-");
        QCOMPARE(layers_of(found->stages), "4 4 2");
        QVERIFY(pattern_by_stage("M-M-")->stages.empty());
        QVERIFY(!pattern_by_stage("(M-|").has_value());
    }

    void plans_whose_list_does_not_fit_are_refused_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("reasons");
        const auto row = [](const char* name, const std::string& list, const QString& reasons) {
            QTest::newRow(name) << listing(gpt3_on_selene(), list) << reasons;
        };
        row("as many layers on every stage", "Et*12|(t*12|)*6t*12L", "");
        row("uneven stages", "Et*10|(t*12|)*5t*13|t*13L", "");
        row("the ends hold no layer", "E|(t*16|)*6L", "");
        row("a layer too few", "Et*11|(t*12|)*6t*12L",
            "Layers 96 does not go with listed layers 95; what does: 95.");
        row("a stage too few", "Et*12|(t*14|)*5t*14L",
            "Pipeline parallel 8 does not go with listed stages 7; what does: 7.");
        row("a module that the model has not", "Et*12|(t*12|)*6t*12mL",
            "Further tokens 0 does not go with listed modules 1; what does: 1.");
        Scenario both = listing(gpt3_on_selene(), "Et*12|(t*12|)*6t*12L");
        both.layout.stage_split = StageSplit::min_max;
        QTest::newRow("a list and a rule beside it")
            << both << "Layers per stage min_max does not go with listed stages 8; what does: even.";
    }
    void plans_whose_list_does_not_fit_are_refused() {
        QFETCH(Scenario, plan);
        QFETCH(QString, reasons);
        QCOMPARE(said(check(plan)), reasons);
    }

    void a_list_of_what_the_rule_gives_changes_nothing() {
        for (const Scenario& s : {gpt3_on_selene(), gpt3_interleaved()}) {
            const Outcome by_rule = estimate(s), listed = estimate(as_a_list(s));
            QVERIFY(by_rule && listed);
            QCOMPARE(listed->step.total() / second, by_rule->step.total() / second);
            QCOMPARE(listed->worst().total() / byte, by_rule->worst().total() / byte);
        }
    }

    void a_module_may_have_a_stage_of_its_own() {
        Scenario s = gpt3_on_selene();
        s.model = library().models.at("deepseek-v3");
        s.model.further.depths = 1;
        s.layout.pipeline_parallel = 16;
        s.layout.virtual_stages = 2;
        s.layout.schedule = Schedule::interleaved;
        s.layout.data_parallel = s.layout.devices / int(s.layout.model_parallel());
        s.layout.stages = list_of("Ettt|(tt|)*29,m|L");
        const Work work(s);
        QCOMPARE(layers_of_stage(work, 0), 3 + 2);
        QCOMPARE(layers_of_stage(work, 13), 4);
        QCOMPARE(layers_of_stage(work, 14), 2 + 1);   // the module's layer
        QCOMPARE(layers_of_stage(work, 15), 2);
        QVERIFY(holds_modules(work, 14) && !holds_loss(work, 14));
        QVERIFY(holds_loss(work, 15) && !holds_modules(work, 15));
        QVERIFY(stage_logits(work, 14) > Bytes{});
        // It brings both tables: neither end of the model is on its stage.
        const Parameters own = stage_parameters(work, 14), two = stage_parameters(work, 13);
        QVERIFY(own.all[ParameterGroup::tables] > 0 && two.all[ParameterGroup::tables] == 0);
        QCOMPARE(own.all[ParameterGroup::tables],
                 2 * stage_parameters(work, 15).all[ParameterGroup::tables]);
        for (const StageTime& t : stage_times(work)) QVERIFY(t.forward > Seconds{});
    }

    void plan_files_keep_the_list() {
        const Scenario s = listing(gpt3_on_selene(), "Et*10|(t*12|)*5t*13|t*13L");
        const auto read = read_scenario(write_scenario(s, library()), library());
        QVERIFY(read.has_value());
        QVERIFY(read->scenario.layout.stages == s.layout.stages);
        QVERIFY(write_scenario(gpt3_on_selene(), library()).find("\"stages\"") == std::string::npos);
    }

    void megatron_is_told_and_read_back() {
        const Scenario s = listing(gpt3_on_selene(), "Et*10|(t*12|)*5t*13|t*13L");
        const auto script = launch_script(s, Framework::megatron);
        QVERIFY(script.has_value());
        const QString text = QString::fromStdString(*script);
        QVERIFY(text.contains("--pipeline-model-parallel-layout 'Et*10|(t*12|)*5t*13|t*13L'"));
        QVERIFY(!text.contains("--decoder-first-pipeline-num-layers"));
        const NamedText files[] = {{"train.sh", *script}};
        const auto back = import_plan({files, 1}, library(), {});
        QVERIFY(back.has_value());
        QVERIFY(back->plan.layout.stages == s.layout.stages);
    }

    void megatrons_list_says_how_many_chunks() {
        const NamedText files[] = {
            {"train.sh", "python pretrain_gpt.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 "
                         "--seq-length 512 --micro-batch-size 1 --pipeline-model-parallel-size 2 "
                         "--pipeline-model-parallel-layout 'Et|(ttt|)*2,tL'"}};
        const auto plan = import_plan({files, 1}, library(), {});
        QVERIFY(plan.has_value());
        QCOMPARE(plan->plan.layout.virtual_stages, 2);
        QCOMPARE(layers_of(plan->plan.layout.stages), "1 3 3 1");
        QCOMPARE(layers_of_stage(plan->plan, 0), 4);
    }
};

PLIMSOLL_TEST(StageListTest)
#include "tst_stage_list.moc"
