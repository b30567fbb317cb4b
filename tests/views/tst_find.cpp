// Finding by words: how names match, what the command palette lists first, and what Enter does there.
#include "registered_test.h"

#include "views/desk.h"
#include "views/inputs/other_names.h"
#include "views/parts/find_words.h"

#include "core/answers/explain/explain.h"

using namespace plimsoll;

class tst_find : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        use_test_settings();
        desk_ = std::make_unique<Desk>();
    }
    void cleanupTestCase() { desk_.reset(); }
    void cleanup() { palette().hide(); }

    void a_name_is_found_however_it_is_typed_data();
    void a_name_is_found_however_it_is_typed();
    void the_best_match_comes_first_data();
    void the_best_match_comes_first();
    void every_other_name_belongs_to_something();
    void what_is_not_used_comes_after_what_is();
    void ctrl_k_opens_the_palette_and_esc_returns_to_where_one_was();
    void the_first_line_of_the_palette_is_data();
    void the_first_line_of_the_palette_is();
    void a_level_of_the_network_is_called_by_what_it_is_to_the_plan_data();
    void a_level_of_the_network_is_called_by_what_it_is_to_the_plan();
    void enter_on_an_input_unfolds_and_focuses_it_data();
    void enter_on_an_input_unfolds_and_focuses_it();
    void enter_on_a_preset_is_one_undo_step();
    void enter_on_a_page_shows_it();
    void enter_on_a_number_explains_it();
    void letters_typed_are_no_shortcuts();
    void arrows_move_the_mark();
    void the_palette_stays_inside_a_small_window();
    void ctrl_f_finds_by_other_names_data();
    void ctrl_f_finds_by_other_names();
    void the_group_of_the_best_match_comes_first();

private:
    Palette& palette() { return *desk_->window.palette_of_commands(); }
    void open_palette(const QString& text) {
        QTest::keyClick(&desk_->window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(palette().isVisible());
        QTest::keyClicks(palette().field(), text);
    }
    void enter() { QTest::keyClick(palette().field(), Qt::Key_Return); }

    std::unique_ptr<Desk> desk_;
};

void tst_find::a_name_is_found_however_it_is_typed_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("found");
    QTest::newRow("a space for a hyphen") << "llama 2 70b" << "Llama-2 70B" << true;
    QTest::newRow("no space at all") << "llama270b" << "Llama 2 70B" << true;
    QTest::newRow("words in another order") << "70b llama" << "Llama 2 70B" << true;
    QTest::newRow("beginnings of words") << "dev mem" << "Device memory" << true;
    QTest::newRow("the inside of a word") << "width" << "Bandwidth" << true;
    QTest::newRow("a number still being typed") << "llama 2 7" << "Llama 2 70B" << true;
    QTest::newRow("accents are not needed") << "dusseldorf" << QString::fromUtf8("D\u00fcsseldorf") << true;
    QTest::newRow("another number") << "DGX H100" << "DGX H200 SuperPOD" << false;
    QTest::newRow("a number is not part of a longer one") << "H10 rack" << "H100 rack" << false;
    QTest::newRow("another version") << "llama 2" << "Llama 3 8B" << false;
    QTest::newRow("a word more") << "llama 2 tpu" << "Llama 2 70B" << false;
    QTest::newRow("two letters inside a word") << "tp" << "Output" << false;
}

void tst_find::a_name_is_found_however_it_is_typed() {
    QFETCH(QString, typed);
    QFETCH(QString, name);
    QFETCH(bool, found);
    QCOMPARE(Typed(typed).score({.label = name}) > 0, found);
}

void tst_find::the_best_match_comes_first_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("first");
    QTest::newRow("a number that is whole before one that goes on") << "llama 2 7" << "Llama 2 7B";
    QTest::newRow("what is called exactly so") << "heads" << "Heads";
    QTest::newRow("a name before a mention") << "batch" << "Global batch";
    QTest::newRow("nothing typed keeps the order") << "" << "Llama 2 70B";
}

void tst_find::the_best_match_comes_first() {
    const QStringList labels{"Llama 2 70B", "Llama 2 7B", "Key-value heads", "Heads", "Micro", "Global batch"};
    std::vector<Prepared> all;
    for (const QString& label : labels)
        all.emplace_back(Findable{label, {}, label == "Micro" ? "a part of the batch" : ""});
    QFETCH(QString, typed);
    const std::vector<int> order = ranking(Typed(typed), all);
    QVERIFY(!order.empty());
    QTEST(labels[order.front()], "first");
}

void tst_find::every_other_name_belongs_to_something() {
    QStringList known;
    for (const Knob& k : knobs()) known << QString::fromStdString(k.id);
    for (const std::string& id : explainable()) known << "number." + QString::fromStdString(id);
    for (const QAction* action : desk_->window.findChildren<QAction*>())
        known << action->objectName() << "command." + folded(action->text().remove('&')).replace(' ', '.');
    for (const QString& id : ids_with_other_names()) {
        // Levels of a network are called by what they are to the nodes, as their inputs once were.
        const bool role_of_level = id.startsWith("machine.network.") && find_knob(id.toStdString());
        QVERIFY2(role_of_level || known.contains(id), qPrintable(id));
        QVERIFY2(!other_names(id).isEmpty(), qPrintable(id));
    }
}

void tst_find::what_is_not_used_comes_after_what_is() {
    open_palette("bandwidth");
    const QStringList labels = palette().labels();
    const auto used = labels.indexOf("Network, node: bandwidth"), unused = labels.indexOf("Network level 4, bandwidth");
    QVERIFY2(used >= 0 && used < unused, qPrintable(labels.join(" | ")));
    QVERIFY2(labels.indexOf("Memory bandwidth") < unused, qPrintable(labels.join(" | ")));
}

void tst_find::ctrl_k_opens_the_palette_and_esc_returns_to_where_one_was() {
    desk_->nodes()->setFocus();
    open_palette({});
    QVERIFY(palette().field()->hasFocus());
    QTest::keyClick(palette().field(), Qt::Key_Escape);
    QVERIFY(!palette().isVisible());
    QVERIFY(desk_->nodes()->hasFocus());
}

void tst_find::the_first_line_of_the_palette_is_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("label");
    const auto row = [](const char* typed, const char* label) { QTest::newRow(typed) << typed << label; };
    row("memory", "Memory");
    row("bandwidth", "Network, system: bandwidth");
    row("latency", "Network, system: latency");
    row("infiniband", "Network, system: bandwidth");
    row("nvlink", "Network, node: bandwidth");
    row("network between nodes", "Network, system: bandwidth");
    row("network level 1", "Network, node: bandwidth");
    row("token", "Training tokens");
    row("TP", "Tensor parallel");
    row("PP", "Pipeline parallel");
    row("DP", "Data parallel");
    row("CP", "Context parallel");
    row("EP", "Expert parallel");
    row("MBS", "Micro-batch");
    row("GBS", "Global batch");
    row("GPU", "Devices");
    row("checkpointing", "Recompute");
    row("fsdp", "ZeRO stage");
    row("llama 2 70b", "Llama 2 70B");
    row("dgx h100", "Generic DGX H100 SuperPOD");
    row("frontier", "Frontier");
    row("175b on frontier", "175B on Frontier");
    row("undo", "Undo");
    row("pdf", "Export or print figures");
    row("throughput", "Tokens per second");
    row("minimum gpus", "Fewest nodes that fit");
    row("how accurate", "Validation");
    row("how often to checkpoint", "Resilience");
    row("how many jobs", "Resilience");
    row("diagnose", "I measured this");
    row("best layout", "Layouts");
    row("scaling curve", "Time");
    row("pue", "PUE");
    row("threads", "Preferences");
    row("how long", "Time to train");
    row("gpu hours", "Node-hours");
    row("largest model", "What a budget would train");
    row("batch in tokens", "Global batch");
    row("mtbf", "Time between failures");
    row("walltime", "Resilience");
    row("co2", "Energy");
    row("context length", "Sequence length");
    row("ethernet suffices", "Rule of thumb");
    row("peak memory", "Memory");
    row("calibrate", "Calibrate");
    row("short runs", "Measure with your own software");
    row("cost model", "The cost model");
    row("inside a node bandwidth", "Network, node: bandwidth");
    row("continued pre-training", "Training tokens");
    row("burn-down", "Proposal");
    row("lose hours", "Proposal");
    row("formula", "The cost model");
    row("scalability", "Time");
    row("sweep", "Time");
    row("page goal", "Goal");
    row("cost", "Energy");
    row("fine-tune", "Purpose");
    row("lora", "Trained");
    row("dpo", "Purpose");
    row("grpo", "Reinforcement learning");
    row("inference", "Inference");
}

void tst_find::the_first_line_of_the_palette_is() {
    QFETCH(QString, typed);
    QFETCH(QString, label);
    open_palette(typed);
    QVERIFY2(palette().marked().startsWith(label), qPrintable(palette().labels().mid(0, 5).join(" | ")));
}

// Frontier's levels are the package, the node, the group and the system.
void tst_find::a_level_of_the_network_is_called_by_what_it_is_to_the_plan_data() {
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("first");
    QTest::newRow("the widest in use is a group") << 64 << "bandwidth" << "Network, group: bandwidth";
    QTest::newRow("the widest in use is the system") << 1024 << "bandwidth" << "Network, system: bandwidth";
    QTest::newRow("between nodes, in a group") << 64 << "slingshot" << "Network, group: bandwidth";
    QTest::newRow("between nodes, in two groups") << 1024 << "slingshot" << "Network, system: bandwidth";
    QTest::newRow("all inside a node") << 1 << "bandwidth" << "Network, node: bandwidth";
    QTest::newRow("the node, not its packages") << 64 << "infinity fabric" << "Network, node: bandwidth";
    QTest::newRow("what is timed") << 64 << "ping" << "Network, group: latency";
}

void tst_find::a_level_of_the_network_is_called_by_what_it_is_to_the_plan() {
    QFETCH(int, nodes);
    QFETCH(QString, typed);
    Scenario s = desk_->workspace.scenario();
    s.machine = library().machines.at("frontier");
    s.layout = {};
    s.layout.devices = nodes * s.machine.devices_per_node;
    s.layout.data_parallel = s.layout.devices;
    std::vector<Prepared> all;
    QStringList labels;
    for (const Knob& k : knobs()) {
        const Findable found = findable(k, s);
        all.emplace_back(found);
        labels << found.label;
    }
    const std::vector<int> order = ranking(Typed(typed), all);
    QVERIFY(!order.empty());
    QTEST(labels[order.front()], "first");
}

void tst_find::enter_on_an_input_unfolds_and_focuses_it_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("editor");
    QTest::newRow("in view already") << "tensor parallel" << "layout.tensor_parallel.editor";
    QTest::newRow("among the folded details of the machine") << "bandwidth" << "machine.levels.1.bandwidth_GBps.editor";
    QTest::newRow("the nodes above all groups") << "nnodes" << "nodes.editor";
}

void tst_find::enter_on_an_input_unfolds_and_focuses_it() {
    QFETCH(QString, typed);
    QFETCH(QString, editor);
    open_palette(typed);
    enter();
    auto* box = desk_->window.findChild<QWidget*>(editor);
    QTRY_VERIFY(box->isVisible() && box->hasFocus());
    QTRY_VERIFY(!box->visibleRegion().isEmpty());
}

void tst_find::enter_on_a_preset_is_one_undo_step() {
    QUndoStack& history = desk_->workspace.document().history();
    const Scenario before = desk_->workspace.scenario();
    const int steps = history.count();
    open_palette("llama 2 70b");
    enter();
    QCOMPARE(desk_->workspace.scenario().model.id, std::string("llama2-70b"));
    QCOMPARE(history.count(), steps + 1);
    QVERIFY2(history.undoText().contains("Llama 2 70B"), qPrintable(history.undoText()));
    history.undo();
    QVERIFY(desk_->workspace.scenario() == before);
    desk_->settle();
}

void tst_find::enter_on_a_page_shows_it() {
    open_palette("resilience");
    enter();
    QTRY_VERIFY(desk_->find<QWidget>("page.resilience")->isVisible());
    desk_->window.show_page("overview");
}

void tst_find::enter_on_a_number_explains_it() {
    open_palette("throughput");
    enter();
    QTRY_VERIFY(desk_->window.explanation()->isVisible());
    QVERIFY2(desk_->window.explanation()->text().contains("okens per second"),
             qPrintable(desk_->window.explanation()->text()));
}

void tst_find::letters_typed_are_no_shortcuts() {
    QTRY_VERIFY(desk_->painted());
    Chart* chart = desk_->chart("time-vs-nodes");
    const auto before = chart->xAxis->scaleType();
    open_palette("xy?");
    QCOMPARE(palette().field()->text(), QString("xy?"));
    QCOMPARE(chart->xAxis->scaleType(), before);
    QVERIFY(palette().isVisible());
}

void tst_find::arrows_move_the_mark() {
    open_palette("parallel");
    QVERIFY(palette().labels().size() > 3);
    QTest::keyClick(palette().field(), Qt::Key_Down);
    QTest::keyClick(palette().field(), Qt::Key_Down);
    QCOMPARE(palette().marked(), palette().labels().at(2));
    QTest::keyClick(palette().field(), Qt::Key_Up);
    QCOMPARE(palette().marked(), palette().labels().at(1));
    QTest::keyClick(palette().field(), Qt::Key_PageUp);
    QCOMPARE(palette().marked(), palette().labels().at(0));
}

void tst_find::the_palette_stays_inside_a_small_window() {
    Desk d;
    d.window.resize(900, 480);
    QTest::keyClick(&d.window, Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(d.window.rect().contains(d.window.palette_of_commands()->geometry()));
}

void tst_find::ctrl_f_finds_by_other_names_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* typed, const char* id) { QTest::newRow(typed) << typed << id; };
    row("bandwidth", "machine.levels.1.bandwidth_GBps");
    row("network system", "machine.levels.1.bandwidth_GBps");
    row("infiniband", "machine.levels.1.bandwidth_GBps");
    row("token", "recipe.tokens");
    row("batch in tokens", "recipe.global_batch_sequences");
    row("GPU", "nodes");
    row("tp", "layout.tensor_parallel");
    row("checkpointing", "layout.recompute");
    row("HBM", "machine.device.memory_GiB");
}

void tst_find::ctrl_f_finds_by_other_names() {
    QFETCH(QString, typed);
    QFETCH(QString, id);
    desk_->window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk_->window));
    QTest::keyClick(&desk_->window, Qt::Key_F, Qt::ControlModifier);
    auto* search = desk_->find<QLineEdit>("find_input");
    QTRY_VERIFY(search->hasFocus());
    QTest::keyClicks(search, typed);
    auto* row = desk_->window.findChild<KnobRow*>(id);
    QTRY_VERIFY(row->isVisible() && !row->visibleRegion().isEmpty());  // without scrolling
    search->clear();
}

void tst_find::the_group_of_the_best_match_comes_first() {
    auto* search = desk_->find<QLineEdit>("find_input");
    auto *tokens = desk_->find<KnobRow>("recipe.tokens"), *nodes = desk_->find<KnobRow>("nodes");
    const auto top = [&](QWidget* row) { return row->mapTo(desk_->window.inputs(), QPoint()).y(); };
    search->setText("token");
    QTRY_VERIFY(tokens->isVisible());
    for (const KnobRow* row : desk_->window.findChildren<KnobRow*>())
        if (row->isVisible() && row->knob().group != KnobGroup::recipe)
            QTRY_VERIFY2(top(tokens) < top(const_cast<KnobRow*>(row)), row->knob().id.c_str());
    search->clear();
    QTRY_VERIFY(top(tokens) > top(nodes));  // as before
}

PLIMSOLL_TEST(tst_find)
#include "tst_find.moc"
