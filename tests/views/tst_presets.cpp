// Picking a model, a machine or a stack: what is offered, how it is found, and that nothing is picked by accident.
#include "registered_test.h"

#include "views/session_desk.h"

using namespace plimsoll;

namespace {

PresetPicker* picker(Desk& d, PresetKind kind) {
    for (auto* box : d.window.findChildren<PresetPicker*>())
        if (box->accessibleName().startsWith(name_of(kind))) return box;
    return nullptr;
}

int place_of(const std::vector<PresetName>& all, const std::string& id) {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id == id) return int(i);
    return -1;
}

}  // namespace

class tst_presets : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase();
    void init() { QSettings().clear(); }
    void presets_are_grouped_data();
    void presets_are_grouped();
    void groups_hold_together_data();
    void groups_hold_together();
    void sizes_stand_in_their_order();
    void names_are_spelled_in_one_way();
    void a_preset_is_found_by_data();
    void a_preset_is_found_by();
    void typing_on_the_closed_picker_picks_nothing();
    void enter_picks_what_is_marked_as_one_undo_step();
    void esc_picks_nothing();
    void the_list_opens_at_the_present_choice();
    void the_popup_stays_on_the_screen();
    void what_was_used_last_stands_on_top();
    void a_favourite_stands_on_top_until_it_is_none();
    void a_fresh_window_keeps_none();
    void an_edited_part_says_so();
};

void tst_presets::initTestCase() { home_.use("tst_presets"); }

void tst_presets::presets_are_grouped_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<std::string>("id");
    QTest::addColumn<QString>("group");
    const auto row = [](PresetKind kind, const char* id, const char* group) {
        QTest::newRow(id) << int(kind) << std::string(id) << QString(group);
    };
    row(PresetKind::model, "llama3.1-405b", "Llama");
    row(PresetKind::model, "llama1-13b", "Llama");
    row(PresetKind::model, "deepseek-v2-lite", "DeepSeek");
    row(PresetKind::model, "qwen2.5-7b", "Qwen");
    row(PresetKind::model, "gpt3-175b", "GPT");
    row(PresetKind::machine, "dgx-h100", "Generic");
    row(PresetKind::machine, "frontier", "United States");
    row(PresetKind::machine, "fugaku", "Japan");
    row(PresetKind::machine, "aws-p5", "Clouds");
    row(PresetKind::machine, "sea-a100-roce", "Singapore");
    row(PresetKind::stack, "nemo-24.07", "NVIDIA: Megatron-LM, Megatron-Core, NeMo");
    row(PresetKind::stack, "pytorch-fsdp", "PyTorch: FSDP, TorchTitan");
    row(PresetKind::stack, "alpa", "Others");
}

void tst_presets::presets_are_grouped() {
    QFETCH(int, kind);
    QFETCH(std::string, id);
    const auto all = presets_of(PresetKind(kind), library());
    const int at = place_of(all, id);
    QVERIFY(at >= 0);
    QTEST(all[std::size_t(at)].group, "group");
}

void tst_presets::groups_hold_together_data() {
    QTest::addColumn<int>("kind");
    for (const PresetKind kind : {PresetKind::model, PresetKind::machine, PresetKind::stack})
        QTest::newRow(qPrintable(name_of(kind))) << int(kind);
}

void tst_presets::groups_hold_together() {
    QFETCH(int, kind);
    QStringList begun;
    QString last;
    for (const PresetName& p : presets_of(PresetKind(kind), library())) {
        if (p.group == last) continue;
        QVERIFY2(!begun.contains(p.group), qPrintable(p.group));
        begun << (last = p.group);
    }
    QVERIFY(begun.size() > 3);
}

void tst_presets::sizes_stand_in_their_order() {
    const auto all = presets_of(PresetKind::model, library());
    QVERIFY(place_of(all, "llama2-7b") < place_of(all, "llama2-13b"));
    QVERIFY(place_of(all, "llama2-13b") < place_of(all, "llama2-70b"));
    QVERIFY(place_of(all, "gpt2-774m") < place_of(all, "gpt2-1.5b"));
}

void tst_presets::names_are_spelled_in_one_way() {
    static const QRegularExpression other(QStringLiteral("(LLaMA|Llama-|Gemma-|OLMo-\\d|\\d+b$)"));
    for (const PresetName& p : presets_of(PresetKind::model, library()))
        QVERIFY2(!other.match(p.name).hasMatch(), qPrintable(p.name));
}

void tst_presets::a_preset_is_found_by_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("marked");
    const auto row = [](PresetKind kind, const char* typed, const char* marked) {
        QTest::newRow(typed) << int(kind) << QString(typed) << QString(marked);
    };
    row(PresetKind::model, "Llama 2 70B", "Llama 2 70B");
    row(PresetKind::model, "llama-2-70b", "Llama 2 70B");
    row(PresetKind::model, "LLAMA2 70", "Llama 2 70B");
    row(PresetKind::model, "llama1 13", "Llama 1 13B");
    row(PresetKind::model, "gemma2 27b", "Gemma 2 27B");
    row(PresetKind::machine, "DGX H100", "Generic DGX H100 SuperPOD");
    row(PresetKind::machine, "dgxh200", "DGX H200 SuperPOD");
    row(PresetKind::machine, "csc lumi", "LUMI-G");
    row(PresetKind::stack, "fsdp2", "PyTorch FSDP2, eager (2024-25)");
}

void tst_presets::a_preset_is_found_by() {
    QFETCH(int, kind);
    QFETCH(QString, typed);
    QFETCH(QString, marked);
    Desk d;
    PresetPicker* box = picker(d, PresetKind(kind));
    box->showPopup();
    QTest::keyClicks(box->popup()->field(), typed);
    QCOMPARE(box->popup()->marked(), marked);
}

void tst_presets::typing_on_the_closed_picker_picks_nothing() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    PresetPicker* box = picker(d, PresetKind::machine);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_D);
    QTRY_VERIFY(box->popup()->isVisible());
    QCOMPARE(box->popup()->field()->text(), QString("d"));
    QTest::keyClicks(box->popup()->field(), "gx h100");
    d.settle();
    QVERIFY(d.workspace.scenario() == before);
    for (const QString& label : box->popup()->labels()) QVERIFY2(!label.contains("H200"), qPrintable(label));
}

void tst_presets::enter_picks_what_is_marked_as_one_undo_step() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    PresetPicker* box = picker(d, PresetKind::machine);
    box->showPopup();
    QTest::keyClicks(box->popup()->field(), "dgx h100");
    QTest::keyClick(box->popup()->field(), Qt::Key_Return);
    d.settle();
    QVERIFY(!box->popup()->isVisible());
    QCOMPARE(d.workspace.scenario().machine.id, std::string("dgx-h100"));
    QCOMPARE(box->currentText(), QString("Generic DGX H100 SuperPOD"));
    QCOMPARE(d.workspace.document().history().count(), 1);
    d.workspace.document().history().undo();
    d.settle();
    QVERIFY(d.workspace.scenario() == before);
}

void tst_presets::esc_picks_nothing() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    PresetPicker* box = picker(d, PresetKind::model);
    box->showPopup();
    QTest::keyClicks(box->popup()->field(), "palm");
    QTest::keyClick(box->popup()->field(), Qt::Key_Escape);
    QVERIFY(!box->popup()->isVisible());
    QVERIFY(d.workspace.scenario() == before);
}

void tst_presets::the_list_opens_at_the_present_choice() {
    Desk d;
    PresetPicker* box = picker(d, PresetKind::model);
    box->showPopup();
    QCOMPARE(box->popup()->marked(), box->currentText());
}

void tst_presets::the_popup_stays_on_the_screen() {
    Desk d;
    for (const PresetKind kind : {PresetKind::model, PresetKind::machine, PresetKind::stack}) {
        PresetPicker* box = picker(d, kind);
        box->showPopup();
        const QRect screen = box->screen()->availableGeometry(), popup = box->popup()->geometry();
        QVERIFY(popup.height() <= screen.height() && popup.width() <= screen.width());
        QVERIFY(popup.left() >= screen.left() && popup.right() <= screen.right());
        box->hidePopup();
    }
}

void tst_presets::what_was_used_last_stands_on_top() {
    PresetPicker box(PresetKind::model, library());
    box.remember(true);
    for (const char* name : {"opt 30b", "palm", "opt 30b"}) {
        box.showPopup();
        QTest::keyClicks(box.popup()->field(), name);
        QTest::keyClick(box.popup()->field(), Qt::Key_Return);
    }
    box.showPopup();
    QCOMPARE(box.popup()->labels().mid(0, 2), QStringList({"OPT 30B", "PaLM 540B"}));
    QTest::keyClicks(box.popup()->field(), "opt 30b");
    QCOMPARE(box.popup()->labels(), QStringList{"OPT 30B"});  // once, not once more as used last
    box.hidePopup();
}

void tst_presets::a_favourite_stands_on_top_until_it_is_none() {
    PresetPicker box(PresetKind::machine, library());
    box.remember(true);
    const auto toggle = [&](const char* name) {
        box.showPopup();
        QTest::keyClicks(box.popup()->field(), name);
        QTest::keyClick(box.popup()->field(), Qt::Key_D, Qt::ControlModifier);
        box.hidePopup();
        box.showPopup();
        const QString first = box.popup()->labels().value(0);
        box.hidePopup();
        return first;
    };
    QCOMPARE(toggle("leonardo"), QString("Leonardo Booster"));
    QVERIFY(toggle("leonardo") != "Leonardo Booster");
}

void tst_presets::a_fresh_window_keeps_none() {
    Desk d;
    PresetPicker* box = picker(d, PresetKind::model);
    box->showPopup();
    QTest::keyClicks(box->popup()->field(), "opt 30b");
    QTest::keyClick(box->popup()->field(), Qt::Key_Return);
    QVERIFY(QSettings().allKeys().isEmpty());
}

void tst_presets::an_edited_part_says_so() {
    Desk d;
    PresetPicker* box = picker(d, PresetKind::model);
    QVERIFY(!box->currentText().contains("edited"));
    Scenario s = d.workspace.scenario();
    s.model.layers += 4;
    d.workspace.propose(s, "Layers");
    d.settle();
    QVERIFY(box->currentText().endsWith("(edited)"));
    d.workspace.document().history().undo();
    d.settle();
    QVERIFY(!box->currentText().contains("edited"));
}

PLIMSOLL_TEST(tst_presets)
#include "tst_presets.moc"
