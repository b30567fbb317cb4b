// Stages as listed in the window: typed, checked with every letter, drawn as cells, and left to the rule again.
#include "registered_test.h"

#include "views/desk.h"
#include "views/inputs/stages_editor.h"

using namespace plimsoll;

namespace {

// DeepSeek-V3 with a module that predicts a further token, on 16 stages of 2 chunks.
struct StagesDesk : Desk {
    StagesEditor* editor = find<StagesEditor>("stages_editor");
    StageStrip* strip = find<StageStrip>("stage_strip");

    explicit StagesDesk(const char* model = "deepseek-v3", int pipeline = 16, int chunks = 2) {
        Scenario s = workspace.scenario();
        s.model = library().models.at(model);
        s.model.further.depths = model == std::string_view("deepseek-v3") ? 1 : 0;
        s.layout = {};
        s.layout.pipeline_parallel = pipeline;
        s.layout.virtual_stages = chunks;
        s.layout.schedule = usual_schedule(chunks);
        s.layout.devices = pipeline;
        s.stack.pipeline.uneven_chunks = true;   // 61 layers in 32 chunks
        s.stack.pipeline.schedules = ScheduleSet::any;
        s.recipe.global_batch_sequences = 2 * pipeline;
        s.recipe.sequence_length = 2048;
        workspace.propose(s, "Model");
        settle();
        window.inputs()->show_input("layout.stages");
        QCoreApplication::processEvents();
    }
    const StageList& list() { return workspace.scenario().layout.stages; }
    void type_list(const QString& text) {
        editor->line()->setFocus();
        editor->line()->selectAll();
        QTest::keyClicks(editor->line(), text);
    }
    void enter_list(const QString& text) {
        type_list(text);
        QTest::keyClick(editor->line(), Qt::Key_Return);
        settle();
    }
};

constexpr const char* published = "Ettt|(tt|)*29m|L";   // of DeepSeek-V3

}  // namespace

class tst_listed_stages : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void a_list_is_typed_and_the_stages_follow() {
        StagesDesk d;
        QVERIFY(d.editor->isVisible());
        QVERIFY(d.strip->isVisible());   // of the rule
        const int by_rule = d.strip->data_rows();
        QCOMPARE(by_rule, 16);
        d.enter_list(published);
        QCOMPARE(d.list().stages(), 32);
        QCOMPARE(d.editor->message(), QString("61 layers on 32 stages, 3 at most, 1 module on stage 31"));
        QVERIFY(!d.editor->is_wrong());
        QVERIFY(!d.workspace.told().stale());
        QCOMPARE(d.strip->data_cell(0, 1), QString("5"));
        QVERIFY2(d.strip->said_of(0).contains("Chunk 1: the embedding, 3 × Dense layers\nChunk 2: 2 × Layers with "
                                              "experts"), qPrintable(d.strip->said_of(0)));
        QVERIFY2(d.strip->said_of(14).contains("a module that predicts a further token"),
                 qPrintable(d.strip->said_of(14)));
        QVERIFY2(d.strip->said_of(15).contains("Chunk 2: head and loss"), qPrintable(d.strip->said_of(15)));
    }

    void an_empty_line_gives_the_rule_back_data() {
        QTest::addColumn<bool>("by_button");
        QTest::newRow("what stands there is deleted") << false;
        QTest::newRow("by the button at the end of the line") << true;
    }
    void an_empty_line_gives_the_rule_back() {
        QFETCH(bool, by_button);
        StagesDesk d;
        const Scenario before = d.workspace.scenario();
        d.enter_list(published);
        if (by_button) {
            auto* clear = d.editor->line()->findChild<QToolButton*>();
            QVERIFY(clear);
            QTest::mouseClick(clear, Qt::LeftButton);
        } else {
            d.editor->line()->selectAll();
            QTest::keyClick(d.editor->line(), Qt::Key_Delete);
        }
        QTest::keyClick(d.editor->line(), Qt::Key_Return);
        d.settle();
        QVERIFY(d.list().empty());
        QVERIFY(d.workspace.scenario() == before);
        QCOMPARE(d.editor->message(), QString());
        QVERIFY(d.strip->isVisible());
    }

    void a_list_is_undone() {
        StagesDesk d;
        d.enter_list(published);
        d.workspace.document().history().undo();
        d.settle();
        QVERIFY(d.list().empty());
        QCOMPARE(d.editor->line()->text(), QString());
        d.workspace.document().history().redo();
        d.settle();
        QCOMPARE(d.editor->line()->text(), QString(published));
    }

    void all_that_is_wrong_is_told_while_it_is_typed_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("neither an embedding nor a loss") << "ttt|tt"
            << "This is no list of stages: found 0 E, expected one, at the start of the first stage; found 0 L, "
               "expected one, at the end of the last stage.";
        QTest::newRow("a letter that means nothing") << "EttxL"
            << "This is no list of stages: found x, expected the letters E, t, m, L and |.";
        QTest::newRow("a bracket that stays open") << "E(tt|"
            << "This is no list of stages: an opening bracket without one that closes.";
    }
    void all_that_is_wrong_is_told_while_it_is_typed() {
        QFETCH(QString, typed);
        QFETCH(QString, said);
        StagesDesk d;
        const Scenario before = d.workspace.scenario();
        d.type_list(typed);
        QVERIFY(d.editor->is_wrong());
        QCOMPARE(d.editor->message(), said);
        QTest::keyClick(d.editor->line(), Qt::Key_Return);
        d.settle();
        QVERIFY(d.workspace.scenario() == before);
        QVERIFY(d.workspace.told().refused.contains("layout.stages"));
        QTest::keyClick(d.editor->line(), Qt::Key_Escape);
        d.settle();
        QCOMPARE(d.editor->line()->text(), QString());
        QCOMPARE(d.editor->message(), QString());
        QVERIFY(d.workspace.told().refused.empty());
    }

    void a_list_that_does_not_go_with_the_plan_says_every_reason() {
        StagesDesk d;
        d.type_list("Ett|ttL");
        const QStringList told = d.editor->message().split('\n');
        QVERIFY(d.editor->is_wrong());
        QCOMPARE(told.size(), 2);
        QVERIFY2(told[0].contains("listed stages 2"), qPrintable(told[0]));
        QVERIFY2(told[1].contains("listed layers 4"), qPrintable(told[1]));
        QTest::keyClick(d.editor->line(), Qt::Key_Return);
        d.settle();
        QVERIFY(d.workspace.told().stale());   // like two degrees that do not go together
        QCOMPARE(d.editor->message().split('\n'), told);
        QCOMPARE(d.strip->data_rows(), 2);
    }

    void stages_that_hold_the_same_share_a_line() {
        StagesDesk d;
        d.enter_list(published);
        QCOMPARE(d.strip->lines(), 4);   // 1, 2 to 14, 15 with the module, 16
        for (const int stage : {0, 1, 14, 15}) QCOMPARE(d.strip->stage_at(d.strip->line_of(stage).center()), stage);
        QVERIFY(d.strip->said_of(5).contains("Stages 2–14 hold as much."));
    }

    void many_stages_that_differ_are_shown_when_asked_for() {
        StagesDesk d("nemotron-3-nano-30b-a3b", 26, 1);
        d.enter_list("Et|(ttt|t|)*12t*3L");
        QVERIFY2(!d.workspace.told().stale(), qPrintable(d.editor->message()));
        const int lines = d.strip->lines(), height = d.strip->height();
        QCOMPARE(lines, 12);
        d.strip->setFocus();
        for (int i = 0; i < 13; ++i) QTest::keyClick(d.strip, Qt::Key_Down);
        QCoreApplication::processEvents();
        QVERIFY(d.strip->lines() > lines);
        QTRY_VERIFY(d.strip->height() > height);
    }

    void everything_is_inside_the_strip_data() {
        QTest::addColumn<int>("width");
        for (const int width : {140, 260, 600}) QTest::addRow("%d wide", width) << width;
    }
    void everything_is_inside_the_strip() {
        QFETCH(int, width);
        StagesDesk d;
        d.enter_list(published);
        d.strip->resize(width, d.strip->heightForWidth(width));
        for (const int stage : {0, 1, 14, 15}) QVERIFY(QRectF(d.strip->rect()).contains(d.strip->line_of(stage)));
    }

    void the_search_finds_the_list() {
        StagesDesk d;
        d.find<QLineEdit>("find_input")->setText("pipeline layout");
        QTRY_VERIFY(d.editor->isVisible());
        d.find<QLineEdit>("find_input")->setText("peak power");
        QTRY_VERIFY(!d.editor->isVisible());
    }
};

PLIMSOLL_TEST(tst_listed_stages)
#include "tst_listed_stages.moc"
