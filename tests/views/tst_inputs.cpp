// The inputs panel: headings stay folded, the search opens what it finds, and
// what changes nothing says so instead of inviting edits.
#include "registered_test.h"

#include "calibrations.h"
#include "views/desk.h"

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
    void an_idle_input_shows_why_and_comes_back();
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

void tst_inputs::an_idle_input_shows_why_and_comes_back() {
    Desk d;
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
    QTRY_VERIFY(!row->editor()->isVisible());
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
