// The inputs panel: four blocks, of which everything unusual is folded; the search opens what it finds; what changes
// nothing says so in its place; nothing comes or goes; and what is refused marks the whole answer.
#include "registered_test.h"

#include "calibrations.h"
#include "core/values/knobs/in_words.h"
#include "views/desk.h"
#include "views/pages/verdict_text.h"
#include "views/parts/text.h"

#include <QWhatsThis>

using namespace plimsoll;

namespace {

QToolButton* heading(Desk& d, const QString& text) {
    for (auto* button : d.window.inputs()->findChildren<QToolButton*>())
        if (button->text().startsWith(text)) return button;
    return nullptr;
}

}  // namespace

class tst_inputs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }
    void every_knob_has_a_row();
    void headings_open_on_demand();
    void the_search_opens_what_it_finds();
    void an_input_is_found_by_data();
    void an_input_is_found_by();
    void a_search_without_result_says_so();
    void words_that_name_no_input_lead_elsewhere_data();
    void words_that_name_no_input_lead_elsewhere();
    void what_most_people_turn_is_in_view();
    void what_is_set_out_of_sight_stands_in_the_heading();
    void an_idle_input_stays_greyed_and_says_why();
    void no_edit_moves_a_row_data();
    void no_edit_moves_a_row();
    void nodes_are_devices_in_another_unit();
    void a_batch_is_edited_in_tokens_too();
    void zero_says_what_it_stands_for();
    void the_automatic_layout_is_switched_here();
    void what_is_refused_marks_the_whole_answer_data();
    void what_is_refused_marks_the_whole_answer();
    void every_number_out_of_range_marks_the_answer();
    void a_range_ends_with_the_machine();
    void nothing_reaches_beyond_the_panel_data();
    void nothing_reaches_beyond_the_panel();
    void a_narrow_row_has_its_label_above();
    void f1_leads_to_what_speaks_of_the_input_data();
    void f1_leads_to_what_speaks_of_the_input();
    void every_input_says_what_it_is();
    void an_obstacle_keeps_an_idle_input_editable();
    void training_tokens_that_examples_decide_are_shown_and_cannot_be_turned();
    void a_heading_over_idle_inputs_says_why();
    void the_name_of_a_measured_number_leads_to_its_points();
};

void tst_inputs::every_knob_has_a_row() {
    Desk d;
    for (const Knob& k : knobs())
        if (k.id != "layout.devices")   // of the nodes, in another unit
            QVERIFY2(d.window.findChild<KnobRow*>(QString::fromStdString(k.id)), k.id.c_str());
}

void tst_inputs::headings_open_on_demand() {
    Desk d;
    auto* peak = d.find<KnobRow>("recipe.checkpoint_s");
    QVERIFY(!peak->isVisible());
    QVERIFY(d.find<KnobRow>("layout.tensor_parallel")->isVisible());
    QTest::mouseClick(heading(d, "More about the run"), Qt::LeftButton);
    QVERIFY(!peak->isVisible());
    d.settle();   // the heading has its place
    QTest::mouseClick(heading(d, "Checkpoints"), Qt::LeftButton);
    QTRY_VERIFY(peak->isVisible());
    d.settle();   // the heading has its place
    QTest::mouseClick(heading(d, "Checkpoints"), Qt::LeftButton);
    QTRY_VERIFY(!peak->isVisible());
}

void tst_inputs::the_name_of_a_measured_number_leads_to_its_points() {
    Desk d;
    auto* ceiling = d.find<KnobRow>("machine.device.efficiency.gemm_ceiling");
    const auto links = [](KnobRow* row) {
        const auto labels = row->findChildren<QLabel*>();
        return std::count_if(labels.begin(), labels.end(),
                             [](QLabel* l) { return l->text().contains("href=\"points\""); });
    };
    QCOMPARE(links(ceiling), 0);
    Scenario measured = d.workspace.scenario();
    measured.machine.calibration = plimsoll::testing::a_calibration();
    d.workspace.propose(measured, "Measured");
    QTRY_COMPARE(links(ceiling), 1);
    QCOMPARE(links(d.find<KnobRow>("machine.power.pue")), 0);
    for (QLabel* label : ceiling->findChildren<QLabel*>())
        if (label->text().contains("href")) emit label->linkActivated("points");
    auto* dialog = d.window.findChild<QDialog*>("evidence");
    QVERIFY(dialog && dialog->isVisible());
    dialog->close();
    QVERIFY(ceiling->score(Typed("ceiling")) > 0);
}

void tst_inputs::the_search_opens_what_it_finds() {
    Desk d;
    auto* search = d.find<QLineEdit>("find_input");
    QTest::keyClicks(search, "fp8 ceiling");
    auto* row = d.find<KnobRow>("machine.device.efficiency.fp8_ceiling");
    QTRY_VERIFY(row->isVisible());
    QVERIFY(!d.find<KnobRow>("layout.tensor_parallel")->isVisible());
    QVERIFY(!d.find<KnobRow>("machine.power.pue")->isVisible());
    search->clear();
    QTRY_VERIFY(!row->isVisible());
    QVERIFY(d.find<KnobRow>("layout.tensor_parallel")->isVisible());
}

void tst_inputs::an_input_is_found_by_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("id");
    QTest::newRow("its label") << "tensor para" << "layout.tensor_parallel";
    QTest::newRow("its id") << "layout.zero" << "layout.zero_stage";
    QTest::newRow("the framework's flag") << "--num-layers" << "model.layers";
    QTest::newRow("its heading") << "file system" << "machine.storage.read_GBps";
}

void tst_inputs::an_input_is_found_by() {
    QFETCH(QString, word);
    QFETCH(QString, id);
    Desk d;
    d.find<QLineEdit>("find_input")->setText(word);
    QTRY_VERIFY(d.window.findChild<KnobRow*>(id)->isVisible());
}

void tst_inputs::a_search_without_result_says_so() {
    Desk d;
    auto* said = d.find<QLabel>("no_input_found");
    QVERIFY(!said->isVisible());
    d.find<QLineEdit>("find_input")->setText("flux capacitor");
    QTRY_VERIFY(said->isVisible());
    QVERIFY(said->text().contains("flux capacitor"));
    d.find<QLineEdit>("find_input")->clear();
    QTRY_VERIFY(!said->isVisible());
}

void tst_inputs::words_that_name_no_input_lead_elsewhere_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("marked");
    QTest::newRow("a model") << "llama 2 70b" << "Llama 2 70B";
    QTest::newRow("a machine") << "frontier" << "Frontier";
    QTest::newRow("a page") << "gantt" << "";
}

void tst_inputs::words_that_name_no_input_lead_elsewhere() {
    QFETCH(QString, words);
    QFETCH(QString, marked);
    Desk d;
    auto* search = d.find<QLineEdit>("find_input");
    search->setText(words);
    QTRY_VERIFY(d.find<QLabel>("no_input_found")->isVisible());
    QTest::keyClick(search, Qt::Key_Return);
    const SearchList* shown = nullptr;
    for (const SearchList* list : d.window.findChildren<SearchList*>())
        if (list->isVisible()) shown = list;
    QVERIFY(shown);
    QCOMPARE(shown->field()->text(), words);
    QVERIFY2(!shown->marked().isEmpty() && shown->marked().contains(marked), qPrintable(shown->marked()));
}

void tst_inputs::what_most_people_turn_is_in_view() {
    Desk d;
    for (const char* id : {"nodes", "recipe.tokens", "recipe.global_batch_sequences", "recipe.sequence_length",
                           "recipe.precision", "layout.tensor_parallel", "layout.pipeline_parallel",
                           "layout.data_parallel", "layout.micro_batch", "layout.zero_stage", "layout.recompute"})
        QVERIFY2(d.find<KnobRow>(id)->isVisible(), id);
    for (const char* id : {"layout.context_parallel", "layout.virtual_stages", "layout.shard_group",
                           "layout.recompute_layers", "layout.tensor_mode", "model.heads"})
        QVERIFY2(!d.find<KnobRow>(id)->isVisible(), id);
    const auto y = [&](const QWidget* w) { return w->mapTo(d.window.inputs(), QPoint()).y(); };
    const PresetBox* software = d.window.inputs()->findChildren<PresetBox*>().last();
    QVERIFY(y(software) < y(d.find<KnobRow>("nodes")) && y(software) < d.window.inputs()->height() / 2);
    int sliders = 0;
    for (const QSlider* each : d.window.inputs()->findChildren<QSlider*>()) sliders += each->isVisible();
    QVERIFY2(sliders <= 3, qPrintable(QString::number(sliders)));
}

void tst_inputs::what_is_set_out_of_sight_stands_in_the_heading() {
    Desk d;
    const auto said = [&] { return heading(d, "More about the layout")->text(); };
    d.type("layout.context_parallel.editor", "1");
    QVERIFY2(!said().contains("Context parallel"), qPrintable(said()));
    d.type("layout.context_parallel.editor", "2");
    QVERIFY2(said().contains("Context parallel 2"), qPrintable(said()));
    QVERIFY(!d.find<KnobRow>("layout.context_parallel")->isVisible());
}

void tst_inputs::an_idle_input_stays_greyed_and_says_why() {
    Desk d;
    auto* row = d.find<KnobRow>("layout.sequence_parallel");
    auto* beside = d.find<QLabel>("layout.sequence_parallel.beside");
    d.type("layout.tensor_parallel.editor", "2");
    QVERIFY(row->idle().isEmpty() && row->editor()->isEnabled());
    const QRect before = row->geometry();
    d.type("layout.tensor_parallel.editor", "1");
    QVERIFY(row->isVisible() && row->editor()->isVisible() && !row->editor()->isEnabled());
    QCOMPARE(beside->text(), row->idle());
    QVERIFY(beside->isVisible() && !row->idle().isEmpty());
    QCOMPARE(row->geometry(), before);
    d.type("layout.tensor_parallel.editor", "2");
    QVERIFY(row->editor()->isEnabled() && row->idle().isEmpty());
}

void tst_inputs::no_edit_moves_a_row_data() {
    QTest::addColumn<QByteArray>("editor");
    QTest::addColumn<QString>("text");
    QTest::newRow("tensor parallel 1") << QByteArray("layout.tensor_parallel.editor") << "1";
    QTest::newRow("no pipeline") << QByteArray("layout.pipeline_parallel.editor") << "1";
    QTest::newRow("what does not divide") << QByteArray("layout.tensor_parallel.editor") << "7";
    QTest::newRow("what nobody can read") << QByteArray("recipe.tokens.editor") << "lots";
    QTest::newRow("a batch that divides nowhere") << QByteArray("recipe.global_batch_sequences.editor") << "1009";
    QTest::newRow("more nodes than there are") << QByteArray("nodes.editor") << "100000";
    QTest::newRow("no nodes") << QByteArray("nodes.editor") << "0";
}

void tst_inputs::no_edit_moves_a_row() {
    QFETCH(QByteArray, editor);
    QFETCH(QString, text);
    Desk d;
    const auto places = [&] {
        std::map<QString, QRect> all;
        for (const KnobRow* row : d.window.inputs()->findChildren<KnobRow*>())
            if (row->isVisible())
                all[row->objectName()] = QRect(row->mapTo(d.window.inputs(), QPoint()), row->size());
        return all;
    };
    const auto before = places();
    d.type(editor.constData(), text);
    d.settle();
    QVERIFY(places() == before);
}

void tst_inputs::nodes_are_devices_in_another_unit() {
    Desk d;
    auto* row = d.find<KnobRow>("nodes");
    const int per_node = d.workspace.scenario().machine.devices_per_node;
    d.type("nodes.editor", "4");
    QCOMPARE(d.workspace.scenario().layout.devices, 4 * per_node);
    QTest::mouseClick(row->other(), Qt::LeftButton);
    auto* text = row->findChild<QLineEdit*>();
    QCOMPARE(text->text(), QString::number(4 * per_node));
    d.type("nodes.editor", QString::number(2 * per_node));
    QCOMPARE(d.workspace.scenario().layout.devices, 2 * per_node);
    QTest::mouseClick(row->other(), Qt::LeftButton);
    QCOMPARE(text->text(), QString("2"));
    QVERIFY(d.window.inputs()->show_input("layout.devices"));
    QCOMPARE(row->shown_as().id, std::string("layout.devices"));
}

void tst_inputs::a_batch_is_edited_in_tokens_too() {
    Desk d;
    auto* row = d.find<KnobRow>("recipe.global_batch_sequences");
    d.type("recipe.sequence_length.editor", "2000");
    d.type("recipe.global_batch_sequences.editor", "240");
    QVERIFY(row->other()->isVisible());
    QCOMPARE(row->other()->text(), QString("= 480,000 tokens"));
    QTest::mouseClick(row->other(), Qt::LeftButton);
    QCOMPARE(row->findChild<QLineEdit*>()->text(), QString("480k"));
    QCOMPARE(row->other()->text(), QString("= 240 sequences"));
    d.type("recipe.global_batch_sequences.editor", "1M");
    const double tokens = 2000.0 * d.workspace.scenario().recipe.global_batch_sequences;
    QVERIFY2(std::abs(tokens / 1e6 - 1) < 0.1, qPrintable(QString::number(tokens)));
    QVERIFY(!d.workspace.told().stale());
}

void tst_inputs::zero_says_what_it_stands_for() {
    Desk d;
    auto* row = d.find<KnobRow>("recipe.checkpoint_interval_s");
    const auto text = [&] { return row->findChild<QLineEdit*>()->text(); };
    d.type("recipe.checkpoint_interval_s.editor", "600");
    QCOMPARE(text(), QString("600"));
    d.type("recipe.checkpoint_interval_s.editor", "automatic");
    QCOMPARE(d.workspace.scenario().recipe.checkpoint_interval / second, 0.0);
    QCOMPARE(text(), QString("automatic"));
    const QString beside = d.find<QLabel>("recipe.checkpoint_interval_s.beside")->text();
    QVERIFY2(beside.startsWith("= ") && beside.size() > 3, qPrintable(beside));
}

void tst_inputs::the_automatic_layout_is_switched_here() {
    Desk d;
    auto* box = d.find<QCheckBox>("automatic_layout");
    QAction* action = d.window.automatic().action();
    QVERIFY(box->isVisible());
    QCOMPARE(box->isChecked(), action->isChecked());
    action->setChecked(false);
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QVERIFY(action->isChecked() && box->isChecked());
    action->setChecked(false);
    QVERIFY(!box->isChecked());
}

void tst_inputs::what_is_refused_marks_the_whole_answer_data() {
    QTest::addColumn<QByteArray>("editor");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("no nodes") << QByteArray("nodes.editor") << "0" << "Nodes 0";
    QTest::newRow("a billion nodes") << QByteArray("nodes.editor") << "1e9" << "Nodes 1,000,000,000";
    QTest::newRow("negative tokens") << QByteArray("recipe.tokens.editor") << "-5" << "Training tokens -5";
    QTest::newRow("no number") << QByteArray("recipe.tokens.editor") << "lots" << "lots";
}

void tst_inputs::what_is_refused_marks_the_whole_answer() {
    QFETCH(QByteArray, editor);
    QFETCH(QString, text);
    QFETCH(QString, named);
    Desk d;
    const Scenario before = d.workspace.scenario();
    const QString time = d.tile(0);
    d.type(editor.constData(), text);
    QVERIFY(d.workspace.scenario() == before);
    QVERIFY(d.workspace.told().stale());
    QVERIFY2(d.window.verdict()->sentence().contains(named), qPrintable(d.window.verdict()->sentence()));
    QVERIFY(d.chart("time-vs-nodes")->accessibleDescription().startsWith("Of the "));
    QCOMPARE(d.tile(0), time);
    QTest::keyClick(d.find<ValueBox>(editor.constData()), Qt::Key_Escape);
    d.settle();
    QVERIFY(!d.workspace.told().stale());
    d.type(editor.constData(), text);
    d.window.inputs()->leave();   // as when another plan comes to the front
    d.settle();
    QVERIFY(!d.workspace.told().stale());
}

void tst_inputs::every_number_out_of_range_marks_the_answer() {
    Workspace workspace{library()};
    InputsPanel panel(workspace);
    workspace.told();
    for (KnobRow* row : panel.findChildren<KnobRow*>()) {
        auto* box = qobject_cast<ValueBox*>(row->editor());
        if (!box) continue;
        for (const double beyond : {row->knob().low - 1, 2 * std::abs(row->knob().high) + 1}) {
            auto* field = box->findChild<QLineEdit*>();
            field->setText(QString::number(beyond, 'g', 12));
            emit field->textEdited(field->text());
            box->commit();
            const Snapshot& s = workspace.told();
            const auto text = row->objectName() + ' ' + field->text();
            QVERIFY2(s.stale() && s.refused.contains(row->knob().id), qPrintable(text));
            QVERIFY2(verdict_text(s).body.contains(to_qt(label_in_words(row->knob()))), qPrintable(text));
            box->give_up();
        }
    }
    QVERIFY(!workspace.told().stale());
}

void tst_inputs::a_range_ends_with_the_machine() {
    Desk d;
    const int all = d.workspace.scenario().machine.nodes;
    d.type("nodes.editor", "1e9");
    QVERIFY2(d.find<KnobRow>("nodes")->message().contains(QLocale(QLocale::English).toString(all)),
             qPrintable(d.find<KnobRow>("nodes")->message()));
    QVERIFY(d.find<QLabel>("nodes.beside")->text().contains(QLocale(QLocale::English).toString(all)));
    QVERIFY(tooltip(*find_knob("nodes"), d.workspace.scenario()).contains(QString::number(all)));
}

void tst_inputs::nothing_reaches_beyond_the_panel_data() {
    QTest::addColumn<double>("font");
    QTest::addColumn<bool>("obstacles");
    QTest::newRow("every group open") << 1.0 << false;
    QTest::newRow("with long notes of what stands in the way") << 1.0 << true;
    QTest::newRow("with larger letters") << 1.5 << false;
    QTest::newRow("with larger letters and long notes") << 1.5 << true;
}

// 370 pixels, the least the panel has.
void tst_inputs::nothing_reaches_beyond_the_panel() {
    QFETCH(double, font);
    QFETCH(bool, obstacles);
    const QFont usual = QApplication::font();
    QFont larger = usual;
    larger.setPointSizeF(font * usual.pointSizeF());
    QApplication::setFont(larger);
    const auto restore = qScopeGuard([&] { QApplication::setFont(usual); });
    Workspace workspace{library()};
    InputsPanel panel(workspace);
    panel.resize(370, 900);
    panel.show();
    for (Section* section : panel.findChildren<Section*>()) section->unfold();
    if (obstacles) {
        Scenario s = workspace.scenario();
        s.machine.name = s.model.name = std::string(150, 'W');
        s.layout.tensor_parallel = 7;
        s.recipe.global_batch_sequences = 1009;
        s.model.heads = 53;
        workspace.propose(s, "Edited");
    }
    workspace.told();
    auto* scroll = panel.findChild<QScrollArea*>();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QCoreApplication::processEvents();
    QVERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
             qPrintable(QString::number(scroll->widget()->minimumSizeHint().width())));
    QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
    for (const QWidget* w : scroll->widget()->findChildren<QWidget*>()) {
        if (!w->isVisible()) continue;
        const int right = w->mapTo(scroll->widget(), QPoint(w->width(), 0)).x();
        QVERIFY2(right <= scroll->widget()->width(), qPrintable(w->objectName() + QString::number(right)));
    }
}

void tst_inputs::a_narrow_row_has_its_label_above() {
    Workspace workspace{library()};
    KnobRow row(*find_knob("recipe.tokens"), workspace);
    row.present(workspace.told());
    const auto* label = row.findChildren<QLabel*>().first();
    row.resize(600, row.sizeHint().height());
    row.show();
    QTRY_VERIFY(label->geometry().bottom() > row.editor()->y());
    row.resize(row.minimumSizeHint().width(), row.height());
    QTRY_VERIFY(label->geometry().bottom() <= row.editor()->y());
    QVERIFY(row.editor()->geometry().right() <= row.width());
}

void tst_inputs::f1_leads_to_what_speaks_of_the_input_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("word");
    QTest::newRow("a term of the layout") << "layout.micro_batch" << "micro-batch";
    QTest::newRow("an optimizer") << "recipe.optimizer" << "optimizer";
}

void tst_inputs::f1_leads_to_what_speaks_of_the_input() {
    QFETCH(QString, id);
    QFETCH(QString, word);
    Desk d;
    QVERIFY(d.window.inputs()->show_input(id));
    QTest::keyClick(&d.window, Qt::Key_F1);
    QTRY_VERIFY(d.window.help()->isVisible());
    QVERIFY(d.window.help()->browser()->page() != "index");
    QCOMPARE(d.window.help()->browser()->textCursor().selectedText().toLower(), word);
}

void tst_inputs::every_input_says_what_it_is() {
    Desk d;
    for (KnobRow* row : d.window.findChildren<KnobRow*>()) {
        QEvent asked(QEvent::QueryWhatsThis);
        asked.ignore();
        QCoreApplication::sendEvent(row, &asked);
        QVERIFY2(asked.isAccepted(), qPrintable(row->objectName()));
    }
    QVERIFY(d.window.inputs()->show_input("layout.zero_stage"));
    QVERIFY(d.window.inputs()->say_what_has_the_keyboard());
    d.window.tiles()->tiles()[0]->setFocus();
    QVERIFY(!d.window.inputs()->say_what_has_the_keyboard());
    QWhatsThis::hideText();
}

void tst_inputs::training_tokens_that_examples_decide_are_shown_and_cannot_be_turned() {
    Desk d;
    auto* row = d.find<KnobRow>("recipe.tokens");
    auto* slider = d.find<QSlider>("recipe.tokens.slider");
    QTRY_VERIFY(slider->isEnabled() && row->editor()->isEnabled());
    Scenario s = d.workspace.scenario();
    s.recipe.document_length = 500;
    s.recipe.examples = 50000;
    d.workspace.propose(s, "Examples");
    QTRY_VERIFY(!slider->isEnabled() && !row->editor()->isEnabled());
    QCOMPARE(find_knob("recipe.tokens")->get(d.workspace.scenario()), 25e6);
    s.recipe.examples = 0;
    d.workspace.propose(s, "Tokens");
    QTRY_VERIFY(slider->isEnabled() && row->editor()->isEnabled());
}

void tst_inputs::an_obstacle_keeps_an_idle_input_editable() {
    Desk d;
    Scenario s = d.workspace.scenario();
    s.layout.devices = s.layout.data_parallel = s.machine.devices_per_node;
    s.layout.tensor_parallel = s.layout.pipeline_parallel = s.layout.context_parallel = 1;
    s.layout.sequence_parallel = true;
    d.workspace.propose(s, "Sequence parallel alone");
    auto* row = d.find<KnobRow>("layout.sequence_parallel");
    QTRY_VERIFY(d.find<QLabel>("layout.sequence_parallel.message")->isVisible());
    QVERIFY(row->editor()->isEnabled());
    QTest::mouseClick(row->editor(), Qt::LeftButton, {}, QPoint(8, row->editor()->height() / 2));
    QTRY_VERIFY(!d.workspace.scenario().layout.sequence_parallel);
    QTRY_VERIFY(!row->editor()->isEnabled() && !row->idle().isEmpty());
}

void tst_inputs::a_heading_over_idle_inputs_says_why() {
    Section section("Experts", Section::Level::details, false);
    section.set_idle("no experts");
    auto* button = section.findChild<QToolButton*>();
    QVERIFY(button->text().contains("no experts") && button->accessibleName().contains("no experts"));
    section.set_idle({});
    QCOMPARE(button->text(), QString("Experts"));
}

PLIMSOLL_TEST(tst_inputs)
#include "tst_inputs.moc"
