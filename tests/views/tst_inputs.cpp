// The inputs panel: headings stay folded, the search opens what it finds, and
// what changes nothing says so instead of inviting edits.
#include "registered_test.h"

#include "calibrations.h"
#include "views/desk.h"

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
    void an_idle_input_is_hidden_until_it_matters();
    void an_idle_input_is_shown_with_its_reason_when_looked_for();
    void an_idle_input_shows_why_and_comes_back();
    void tokens_of_a_batch_stand_beside_it();
    void nothing_reaches_beyond_the_panel_data();
    void nothing_reaches_beyond_the_panel();
    void a_narrow_row_has_its_label_above();
    void f1_leads_to_what_speaks_of_the_input_data();
    void f1_leads_to_what_speaks_of_the_input();
    void every_input_says_what_it_is();
    void an_obstacle_keeps_an_idle_input_editable();
    void a_heading_over_idle_inputs_says_why();
    void the_name_of_a_measured_number_leads_to_its_points();
};

void tst_inputs::every_knob_has_a_row() {
    Desk d;
    for (const Knob& k : knobs())
        if (k.id != "nodes") QVERIFY2(d.window.findChild<KnobRow*>(QString::fromStdString(k.id)), k.id.c_str());
}

void tst_inputs::headings_open_on_demand() {
    Desk d;
    auto* peak = d.find<KnobRow>("recipe.checkpoint_s");
    QVERIFY(!peak->isVisible());
    QVERIFY(d.find<KnobRow>("layout.tensor_parallel")->isVisible());
    QTest::mouseClick(heading(d, "Checkpoints"), Qt::LeftButton);
    QTRY_VERIFY(peak->isVisible());
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

void tst_inputs::an_idle_input_is_hidden_until_it_matters() {
    Desk d;
    auto* row = d.find<KnobRow>("layout.sequence_parallel");
    d.type("layout.tensor_parallel.editor", "2");
    QVERIFY(row->isVisible());
    d.type("layout.tensor_parallel.editor", "1");
    QVERIFY(!row->idle().isEmpty() && !row->isVisible());
    d.window.inputs()->show_unused(true);
    QVERIFY(row->isVisible());
    d.window.inputs()->show_unused(false);
    QVERIFY(!row->isVisible());
    d.type("layout.tensor_parallel.editor", "2");
    QVERIFY(row->isVisible());
}

void tst_inputs::an_idle_input_is_shown_with_its_reason_when_looked_for() {
    Desk d;
    d.type("layout.tensor_parallel.editor", "1");
    auto *row = d.find<KnobRow>("layout.sequence_parallel"), *other = d.find<KnobRow>("layout.tensor_mode");
    QVERIFY(!row->isVisible());
    d.find<QLineEdit>("find_input")->setText("sequence parallel");
    QTRY_VERIFY(row->isVisible());
    QVERIFY(d.find<QLabel>("layout.sequence_parallel.idle")->isVisible());
    d.find<QLineEdit>("find_input")->clear();
    QTRY_VERIFY(!row->isVisible());
    QVERIFY(d.window.inputs()->show_input("layout.sequence_parallel"));
    QVERIFY(row->isVisible() && !other->isVisible());
    QTRY_VERIFY(!row->visibleRegion().isEmpty());
}

void tst_inputs::an_idle_input_shows_why_and_comes_back() {
    Desk d;
    d.window.inputs()->show_unused(true);
    auto* row = d.find<KnobRow>("layout.sequence_parallel");
    d.type("layout.tensor_parallel.editor", "2");
    QVERIFY(row->idle().isEmpty() && row->editor()->isVisible());
    const int height = row->height();
    d.type("layout.tensor_parallel.editor", "1");
    QVERIFY(!row->idle().isEmpty() && !row->editor()->isVisible());
    auto* why = d.find<QLabel>("layout.sequence_parallel.idle");
    QVERIFY(why->isVisible());
    QCOMPARE(why->text(), row->idle());
    QCOMPARE(row->height(), height);  // nothing below it jumps
    d.type("layout.tensor_parallel.editor", "2");
    QVERIFY(row->editor()->isVisible() && !why->isVisible());
}

void tst_inputs::tokens_of_a_batch_stand_beside_it() {
    Desk d;
    d.type("recipe.global_batch_sequences.editor", "256");
    d.type("recipe.sequence_length.editor", "2000");
    auto* note = d.find<QLabel>("recipe.global_batch_sequences.note");
    QVERIFY(note->isVisible());
    QCOMPARE(note->text(), QString("256 x 2,000 = 512,000 tokens"));
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
    panel.show_unused(true);
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
    workspace.snapshot();
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
    row.present(workspace.snapshot());
    const auto* label = row.findChildren<QLabel*>().first();
    row.resize(600, row.sizeHint().height());
    row.show();
    QTRY_VERIFY(label->geometry().bottom() > row.editor()->y());
    row.resize(row.minimumSizeHint().width(), 80);
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

void tst_inputs::an_obstacle_keeps_an_idle_input_editable() {
    Desk d;
    Scenario s = d.workspace.scenario();
    s.layout.devices = s.layout.data_parallel = s.machine.devices_per_node;
    s.layout.tensor_parallel = s.layout.pipeline_parallel = s.layout.context_parallel = 1;
    s.layout.sequence_parallel = true;
    d.workspace.propose(s, "Sequence parallel alone");
    auto* row = d.find<KnobRow>("layout.sequence_parallel");
    QTRY_VERIFY(d.find<QLabel>("layout.sequence_parallel.message")->isVisible());
    QVERIFY(row->editor()->isVisible());
    QTest::mouseClick(row->editor(), Qt::LeftButton, {}, QPoint(8, row->editor()->height() / 2));
    QTRY_VERIFY(!d.workspace.scenario().layout.sequence_parallel);
    QTRY_VERIFY(!row->editor()->isVisible() && !row->idle().isEmpty());
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
