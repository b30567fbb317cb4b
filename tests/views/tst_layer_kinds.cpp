// The layers of the model: drawn as their pattern, with what one of each kind costs, and edited in a table of kinds and
// a pattern; what cannot be is said and leaves the plan as it was.
#include "registered_test.h"

#include "core/values/plan/kinds.h"
#include "views/desk.h"
#include "views/inputs/kinds_editor.h"
#include "views/inputs/layer_strip.h"

#include <QComboBox>

using namespace plimsoll;

namespace {

const Model& layered(const QString& id) { return library().models.at(id.toStdString()); }

struct LayersDesk : Desk {
    LayerStrip* strip = find<LayerStrip>("layer_strip");
    KindsEditor* editor = find<KindsEditor>("kinds_editor");

    explicit LayersDesk(const QString& id) {
        Scenario s = workspace.scenario();
        s.model = layered(id);
        s.layout.tensor_parallel = 1;
        s.layout.sequence_parallel = false;
        s.layout.pipeline_parallel = 1;
        s.layout.virtual_stages = 1;
        s.layout.data_parallel = s.layout.devices;
        workspace.propose(s, "Model");
        settle();
        emit strip->asked_to_edit();
        QCoreApplication::processEvents();
    }
    const Model& model() { return workspace.scenario().model; }
    int row_of(const QString& label) {
        for (int r = 0; r < editor->table()->rowCount(); ++r)
            if (editor->table()->verticalHeaderItem(r)->text() == label) return r;
        return -1;
    }
    QString cell(const QString& label, int kind) { return editor->table()->item(row_of(label), kind)->text(); }
    void enter(const QString& label, int kind, const QString& text) {
        editor->table()->item(row_of(label), kind)->setText(text);
        settle();
    }
    void type_pattern(const QString& text) {
        editor->pattern()->setFocus();
        editor->pattern()->selectAll();
        QTest::keyClicks(editor->pattern(), text);
    }
};

}  // namespace

class tst_layer_kinds : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void the_layers_are_told_by_kind_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("Nemotron 3 Nano: Mamba-2, attention and experts")
            << "nemotron-3-nano-30b-a3b"
            << QStringList{"M: Mamba-2 alone, 23 of 52 layers", "*: attention alone, 6 of 52 layers",
                           "E: experts alone, 23 of 52 layers"};
        QTest::newRow("gpt-oss: a window in every other layer")
            << "gpt-oss-20b"
            << QStringList{"E: Layers with experts, without a window, 12 of 24 layers",
                           "e: Layers with experts, with a window, 12 of 24 layers"};
        QTest::newRow("Llama 2: all alike") << "llama2-70b" << QStringList{"D: Dense layers, 80 of 80 layers"};
    }
    void the_layers_are_told_by_kind() {
        QFETCH(QString, id);
        QFETCH(QStringList, lines);
        LayersDesk d(id);
        QVERIFY(d.strip->isVisible());
        QCOMPARE(d.strip->data_rows(), int(lines.size()));
        for (int k = 0; k < lines.size(); ++k) {
            const QString said = d.strip->said_of(k);
            QVERIFY2(said.startsWith(lines[k]), qPrintable(said));
            QVERIFY2(said.contains(" parameters."), qPrintable(said));
            if (d.workspace.told().stale()) continue;
            QVERIFY2(said.contains("Both passes of a micro-batch take "), qPrintable(said));
            QVERIFY2(said.contains("of a step."), qPrintable(said));
        }
    }

    void what_is_pointed_at_is_told() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        for (int k = 0; k < 3; ++k) QCOMPARE(d.strip->kind_at(d.strip->cell_of(k).center()), k);
        QCOMPARE(d.strip->kind_at({-5, -5}), -1);
        d.strip->setFocus();
        QTest::keyClick(d.strip, Qt::Key_Right);
        QTest::keyClick(d.strip, Qt::Key_Right);
        QCOMPARE(d.strip->data_cursor(), 1);
    }

    void layers_that_are_alike_take_one_line() {
        LayersDesk alike("llama2-70b"), mixed("nemotron-3-nano-30b-a3b");
        QVERIFY(alike.strip->height() < 2 * alike.strip->fontMetrics().height() + 12);
        QVERIFY(mixed.strip->height() > 2 * alike.strip->height());
    }

    void everything_is_inside_the_strip_data() {
        QTest::addColumn<int>("width");
        for (const int width : {140, 260, 600}) QTest::addRow("%d wide", width) << width;
    }
    void everything_is_inside_the_strip() {
        QFETCH(int, width);
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.strip->resize(width, d.strip->heightForWidth(width));
        for (int k = 0; k < 3; ++k) QVERIFY(QRectF(d.strip->rect()).contains(d.strip->cell_of(k)));
    }

    void the_pattern_is_shown_folded() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        QVERIFY(d.editor->isVisible());
        QCOMPARE(d.editor->pattern()->text(), QString("(MEMEM*E)x5(ME)x3M*E(ME)x4"));
        QCOMPARE(d.editor->table()->columnCount(), 3);
        QCOMPARE(d.cell("Mixer", 0), QString("Mamba-2"));
        QCOMPARE(d.cell("State heads", 0), QString("64"));
        QCOMPARE(d.cell("Heads", 1), QString("32"));          // the model's
        QCOMPARE(d.cell("Heads", 0), QString("–"));
    }

    void a_kind_is_edited_data() {
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("typed");
        QTest::newRow("the heads of a state") << "State heads" << 0 << "128";
        QTest::newRow("the window of attention") << "Window" << 1 << "4,096";
        QTest::newRow("the heads of attention") << "Heads" << 1 << "64";
        QTest::newRow("what stands behind a mixer") << "Feed-forward" << 0 << "experts";
        QTest::newRow("its mixer") << "Mixer" << 1 << "Gated DeltaNet";
        QTest::newRow("the norm behind the gate") << "Gated norm" << 0 << "no";
    }
    void a_kind_is_edited() {
        QFETCH(QString, label);
        QFETCH(int, kind);
        QFETCH(QString, typed);
        LayersDesk d("nemotron-3-nano-30b-a3b");
        const Model before = d.model();
        d.enter(label, kind, typed);
        QVERIFY(d.model().kinds[std::size_t(kind)] != before.kinds[std::size_t(kind)]);
        QCOMPARE(d.model().pattern, before.pattern);
        QCOMPARE(d.editor->message(), QString());
        QVERIFY(faults_of_kinds(d.model()).empty());
        d.workspace.document().history().undo();
        d.settle();
        QVERIFY(d.model() == before);
    }

    void nothing_typed_returns_to_the_models_size() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.enter("Heads", 1, "64");
        QCOMPARE(d.model().kinds[1].heads, 64);
        d.enter("Heads", 1, "");
        QCOMPARE(d.model().kinds[1].heads, 0);
        QCOMPARE(d.cell("Heads", 1), QString("32"));
    }

    void what_a_kind_cannot_be_is_said_data() {
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("heads that key heads do not divide") << "Key heads" << 0 << "7"
            << "expected a divisor of heads 64";
        QTest::newRow("no number") << "State heads" << 0 << "many" << "found many, expected a whole number";
        QTest::newRow("the letter of another kind") << "Letter" << 0 << "E" << "another kind has the letter E";
        QTest::newRow("no letter") << "Letter" << 0 << "(" << "is no letter";
        QTest::newRow("neither a mixer nor a block") << "Feed-forward" << 2 << "none" << "neither a mixer nor";
        QTest::newRow("a mixer that is not known") << "Mixer" << 0 << "retention" << "is none of";
    }
    void what_a_kind_cannot_be_is_said() {
        QFETCH(QString, label);
        QFETCH(int, kind);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        LayersDesk d("nemotron-3-nano-30b-a3b");
        const Model before = d.model();
        const QString shown = d.cell(label, kind);
        d.enter(label, kind, typed);
        QVERIFY(d.model() == before);
        QVERIFY2(d.editor->message().contains(said), qPrintable(d.editor->message()));
        QCOMPARE(d.cell(label, kind), shown);
    }

    void another_letter_is_one_in_the_pattern_too() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.enter("Letter", 1, "A");
        QCOMPARE(d.editor->pattern()->text(), QString("(MEMEMAE)x5(ME)x3MAE(ME)x4"));
        QVERIFY(d.model().pattern.find('*') == std::string::npos);
    }

    void a_pattern_is_typed() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.type_pattern("(ME)x4*E");
        QTest::keyClick(d.editor->pattern(), Qt::Key_Return);
        d.settle();
        QCOMPARE(d.model().pattern, std::string("MEMEMEME*E"));
        QCOMPARE(d.model().layers, 10);
        QCOMPARE(d.editor->pattern()->text(), QString("(ME)x4*E"));
        QVERIFY(d.strip->said_of(0).contains("4 of 10 layers"));
    }

    void a_broken_pattern_keeps_the_last_good_model_and_says_why_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("a bracket that stays open") << "(MEM"
            << "This is no pattern: an opening bracket without one that closes.";
        QTest::newRow("a letter that names no kind") << "MEQ" << "No kind of layer has the letter Q; there are M * E.";
    }
    void a_broken_pattern_keeps_the_last_good_model_and_says_why() {
        QFETCH(QString, typed);
        QFETCH(QString, said);
        LayersDesk d("nemotron-3-nano-30b-a3b");
        const Model before = d.model();
        d.type_pattern(typed);
        QCOMPARE(d.editor->message(), said);   // while it is typed
        QTest::keyClick(d.editor->pattern(), Qt::Key_Return);
        d.settle();
        QVERIFY(d.model() == before);
        QCOMPARE(d.editor->message(), said);
        QCOMPARE(d.editor->pattern()->text(), typed);
        QVERIFY(d.workspace.told().refused.contains("model.pattern"));
        QTest::keyClick(d.editor->pattern(), Qt::Key_Escape);
        d.settle();
        QCOMPARE(d.editor->message(), QString());
        QVERIFY(d.workspace.told().refused.empty());
        QCOMPARE(d.editor->pattern()->text(), QString("(MEMEM*E)x5(ME)x3M*E(ME)x4"));
    }

    void kinds_are_stated_of_a_model_without_them() {
        LayersDesk d("gpt-oss-20b");
        const auto step = [&] { return d.workspace.told().outcome->step.total() / second; };
        const double before = step();
        QVERIFY(!d.editor->table()->isVisible());
        QTest::mouseClick(d.find<QPushButton>("state_kinds"), Qt::LeftButton);
        d.settle();
        QVERIFY(d.editor->table()->isVisible());
        QCOMPARE(d.editor->pattern()->text(), QString("(eE)x12"));
        QCOMPARE(step(), before);
    }

    void the_table_has_what_some_kind_uses_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("there");
        QTest::newRow("Mamba-2 has a gated norm") << "nemotron-3-nano-30b-a3b" << "Gated norm" << true;
        QTest::newRow("no delta rule has one") << "qwen3-next-80b-a3b" << "Gated norm" << false;
        QTest::newRow("Kimi's delta rule has a gate") << "kimi-linear-48b-a3b" << "Full gate" << true;
        QTest::newRow("Mamba-2 has not that one") << "nemotron-3-nano-30b-a3b" << "Full gate" << false;
        QTest::newRow("without a window there are no chunks") << "nemotron-3-nano-30b-a3b" << "In chunks" << false;
    }
    void the_table_has_what_some_kind_uses() {
        QFETCH(QString, id);
        QFETCH(QString, line);
        QFETCH(bool, there);
        LayersDesk d(id);
        QCOMPARE(!d.editor->table()->isRowHidden(d.row_of(line)), there);
    }

    void a_window_may_be_in_chunks() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.enter("Window", 1, "4096");
        QVERIFY(!d.editor->table()->isRowHidden(d.row_of("In chunks")));
        d.enter("In chunks", 1, "yes");
        QVERIFY(d.model().kinds[1].chunks);
        QVERIFY(d.workspace.told().outcome.has_value());
        d.enter("Window", 1, "all");
        QVERIFY(!d.model().kinds[1].chunks);   // there is nothing to be cut
    }

    void the_module_for_further_tokens_has_a_pattern_too() {
        LayersDesk d("qwen3-next-80b-a3b"), without("nemotron-3-nano-30b-a3b");
        QVERIFY(!without.editor->further()->isVisible());
        QVERIFY(d.editor->further()->isVisible());
        const Model before = d.model();
        const auto type = [&](const QString& text) {
            d.editor->further()->setFocus();
            d.editor->further()->selectAll();
            QTest::keyClick(d.editor->further(), Qt::Key_Delete);
            QTest::keyClicks(d.editor->further(), text);
            QTest::keyClick(d.editor->further(), Qt::Key_Return);
            d.settle();
        };
        type("GG");
        QCOMPARE(d.model().further.pattern, std::string("GG"));
        type("Q");
        QCOMPARE(d.editor->message(), QString("No kind of layer has the letter Q; there are G A."));
        QCOMPARE(d.model().further.pattern, std::string("GG"));
        type("");
        QCOMPARE(d.model().further.pattern, std::string());
        QCOMPARE(d.editor->message(), QString());
        d.workspace.document().history().undo();
        d.workspace.document().history().undo();
        d.settle();
        QVERIFY(d.model() == before);
    }

    void a_field_that_is_no_longer_seen_stands_in_no_ones_way() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.type_pattern("MEQ");
        QTest::keyClick(d.editor->pattern(), Qt::Key_Return);
        d.settle();
        QVERIFY(!d.workspace.told().refused.empty());
        Scenario s = d.workspace.scenario();
        s.model = layered("llama2-7b");
        d.workspace.propose(s, "Model");
        d.settle();
        QCoreApplication::processEvents();
        QVERIFY(d.workspace.told().refused.empty());
    }

    void a_kind_comes_and_goes() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        auto *add = d.find<QPushButton>("add_kind"), *remove = d.find<QPushButton>("remove_kind");
        QVERIFY(!remove->isEnabled());   // the pattern names it
        QTest::mouseClick(add, Qt::LeftButton);
        d.settle();
        QCOMPARE(d.model().kinds.size(), std::size_t(4));
        QVERIFY(remove->isEnabled());
        QTest::mouseClick(remove, Qt::LeftButton);
        d.settle();
        QCOMPARE(d.model().kinds.size(), std::size_t(3));
    }

    void step_and_memory_are_told_by_kind_where_there_are_several_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("several");
        QTest::newRow("Nemotron 3 Nano") << "nemotron-3-nano-30b-a3b" << true;
        QTest::newRow("Llama 2") << "llama2-7b" << false;
    }
    void step_and_memory_are_told_by_kind_where_there_are_several() {
        QFETCH(QString, id);
        QFETCH(bool, several);
        LayersDesk d(id);
        for (const auto& [page, figure] : {std::pair{"step", "step-by-kind"}, {"memory", "memory-by-kind"}}) {
            d.window.show_page(page);
            QTRY_VERIFY(d.painted());
            QCOMPARE(d.chart(figure) != nullptr, several);
        }
    }

    void the_search_finds_the_kinds() {
        LayersDesk d("nemotron-3-nano-30b-a3b");
        d.find<QLineEdit>("find_input")->setText("kinds of layers");
        QTRY_VERIFY(d.editor->isVisible());
        d.find<QLineEdit>("find_input")->setText("peak power");
        QTRY_VERIFY(!d.editor->isVisible());
    }
};

PLIMSOLL_TEST(tst_layer_kinds)
#include "tst_layer_kinds.moc"
