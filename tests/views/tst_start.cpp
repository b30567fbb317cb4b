// The start page, the gallery of examples, a first plan, the tour and the news.
#include "registered_test.h"

#include "views/replies.h"
#include "views/session_desk.h"

#include "core/values/knobs/wording.h"
#include "views/parts/text.h"
#include "views/start/start_page.h"
#include "views/start/tour.h"

using namespace plimsoll;

namespace {

QAction* menu_entry(QWidget& window, const QString& text) {
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text().remove('&').remove("...") == text) return action;
    return nullptr;
}

StartPage* start_page(QWidget& window) { return window.findChild<StartPage*>(); }

// The button, and the plan that it leads to.
void plan_it(Desk& d) {
    QTest::mouseClick(d.find<QPushButton>("start.plan"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!start_page(d.window)->form()->busy(), Desk::patience);
    d.settle();
}

QTreeWidgetItem* example(StartPage& page, const QString& name) {
    const auto found = page.gallery()->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.front();
}

}  // namespace

class tst_start : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase();
    void init() { QSettings().clear(); }
    void every_example_answers_one_question();
    void every_shipped_example_is_sorted();
    void an_example_says_what_it_takes();
    void the_first_start_shows_the_start_page();
    void a_start_with_recent_files_shows_the_plan();
    void a_fresh_window_shows_the_plan();
    void an_example_opens_as_a_plan_of_its_own();
    void every_example_is_green_or_says_what_it_shows_data();
    void every_example_is_green_or_says_what_it_shows();
    void a_model_on_a_machine_becomes_a_plan();
    void a_new_plan_has_automatic_layout_on_and_an_example_off();
    void tokens_are_proposed_until_they_are_typed();
    void what_is_known_becomes_the_plan_data();
    void what_is_known_becomes_the_plan();
    void what_cannot_be_read_is_said_and_nothing_opens_data();
    void what_cannot_be_read_is_said_and_nothing_opens();
    void a_plan_that_cannot_work_is_answered_with_those_that_do();
    void a_model_is_tuned_on_one_card_data();
    void a_model_is_tuned_on_one_card();
    void unsaved_changes_stay_in_their_tab();
    void the_gallery_is_searched();
    void recent_files_are_listed_and_missing_ones_greyed();
    void a_small_window_has_room_for_it();
    void one_can_go_back_to_the_plan();
    void the_tour_is_offered_once();
    void the_tour_has_five_stops_and_can_be_skipped();
    void a_note_of_the_tour_leaves_its_subject_in_view_data();
    void a_note_of_the_tour_leaves_its_subject_in_view();
    void the_news_are_in_the_help();
};

void tst_start::initTestCase() { home_.use("tst_start"); }

void tst_start::every_example_answers_one_question() {
    std::vector<std::string> listed;
    for (const Question& q : questions(library())) listed.insert(listed.end(), q.examples.begin(), q.examples.end());
    std::sort(listed.begin(), listed.end());
    std::vector<std::string> all;
    for (const auto& [id, file] : library().scenarios) all.push_back(id);
    QCOMPARE(listed, all);
}

void tst_start::every_shipped_example_is_sorted() {
    QCOMPARE(questions(library()).size(), std::size_t(9));  // and none stands under "Others"
}

void tst_start::an_example_says_what_it_takes() {
    const auto card = card_of("175b-frontier", library());
    QVERIFY(card);
    QCOMPARE(card->machine, QString("Frontier"));
    QVERIFY(card->time.contains(' ') && card->energy.contains("Wh"));
    const auto plan = load_scenario(to_qt(library().scenarios.at("175b-frontier").string()), library());
    const Totals total = totals(*plan, headline(*plan, *estimate(*plan)));
    QVERIFY(total.all);  // a run of years: the tiles count failures too
    QCOMPARE(card->time, to_qt(say(total.time)));
    QCOMPARE(card->energy, to_qt(say(total.facility_energy)));
    QVERIFY(!card_of("no such example", library()));
}

void tst_start::the_first_start_shows_the_start_page() {
    ComparedWorkspace workspace;
    MainWindow window(workspace, MainWindow::Session::remembered);
    window.show();
    QVERIFY(start_page(window) && start_page(window)->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(start_page(window)->complete(), Desk::patience);
    QTreeWidgetItem* item = example(*start_page(window), "175B on Frontier");
    QVERIFY(item);
    QVERIFY(!item->text(3).isEmpty() && !item->text(4).isEmpty());
}

void tst_start::a_start_with_recent_files_shows_the_plan() {
    QSettings().setValue("recent", QStringList{"/tmp/plan.json"});
    ComparedWorkspace workspace;
    MainWindow window(workspace, MainWindow::Session::remembered);
    window.show();
    QVERIFY(!start_page(window));
    QVERIFY(window.tiles()->isVisible());
}

void tst_start::a_fresh_window_shows_the_plan() {
    Desk d;
    QVERIFY(!start_page(d.window));
    menu_entry(d.window, "Start page")->trigger();
    QVERIFY(start_page(d.window)->isVisible() && !d.window.tiles()->isVisible());
}

void tst_start::an_example_opens_as_a_plan_of_its_own() {
    Desk d;
    d.window.show_start();
    StartPage& page = *start_page(d.window);
    QTRY_VERIFY_WITH_TIMEOUT(page.complete(), Desk::patience);
    emit page.gallery()->itemActivated(example(page, "Mixtral 8x7B on 64 H100"), 0);
    d.settle();
    QCOMPARE(d.workspace.scenario().model.id, std::string("mixtral-8x7b"));
    QVERIFY(d.workspace.document().file().isEmpty());
    QVERIFY(!page.isVisible() && d.window.tiles()->isVisible());
}

void tst_start::a_model_on_a_machine_becomes_a_plan() {
    Desk d;
    d.window.show_start();
    StartPage& page = *start_page(d.window);
    emit page.model()->picked("llama3-8b");
    emit page.machine()->picked("leonardo");
    QCOMPARE(page.model()->currentText(), QString("Llama 3 8B"));
    plan_it(d);
    QCOMPARE(d.workspace.scenario().model.id, std::string("llama3-8b"));
    QCOMPARE(d.workspace.scenario().machine.id, std::string("leonardo"));
    QVERIFY(d.workspace.told().last_good->room() == Room::enough);
    QVERIFY(d.window.tiles()->isVisible());
}

// By the likely range of its memory too, which published runs tell.
void tst_start::every_example_is_green_or_says_what_it_shows_data() {
    QTest::addColumn<QString>("path");
    for (const auto& [id, path] : library().scenarios) QTest::newRow(id.c_str()) << to_qt(path.string());
}

void tst_start::every_example_is_green_or_says_what_it_shows() {
    QFETCH(QString, path);
    static ComparedWorkspace workspace;
    const auto plan = load_scenario(path, library());
    QVERIFY(plan.has_value());
    const Outcome o = estimate(*plan);
    QVERIFY(runs(o));
    const bool tight = room_of(*o, workspace.headroom(*plan)) == Room::tight;
    const bool says_so = plan->name.find("tight in memory") != std::string::npos;
    QCOMPARE(tight, says_so);
}

void tst_start::a_new_plan_has_automatic_layout_on_and_an_example_off() {
    Desk d;
    QVERIFY(!d.window.automatic().on());
    d.window.show_start();
    plan_it(d);
    QVERIFY(d.window.automatic().on());
    const Scenario planned = d.workspace.scenario();
    QTRY_VERIFY_WITH_TIMEOUT(!d.window.automatic().busy(), Desk::patience);
    d.settle();
    QVERIFY(d.workspace.scenario() == planned);   // there is no better one
    QCOMPARE(d.workspace.document().history().count(), 0);
    d.window.show_start();
    StartPage& page = *start_page(d.window);
    QTRY_VERIFY_WITH_TIMEOUT(page.complete(), Desk::patience);
    emit page.gallery()->itemActivated(example(page, "Mixtral 8x7B on 64 H100"), 0);
    d.settle();
    QVERIFY(!d.window.automatic().on());
    d.workspace.plans().show(d.workspace.plans().count() - 2);
    QVERIFY(d.window.automatic().on());   // each plan has its own
}

void tst_start::tokens_are_proposed_until_they_are_typed() {
    Desk d;
    d.window.show_start();
    StartPage& page = *start_page(d.window);
    auto* tokens = d.find<QLineEdit>("start.tokens");
    QCOMPARE(tokens->text(), QString("1.38T"));   // 20 for each of 69 billion
    emit page.model()->picked("gpt3-6.7b");
    QCOMPARE(tokens->text(), QString("134B"));
    tokens->setText("1.4T");
    emit page.model()->picked("llama3-8b");
    QCOMPARE(tokens->text(), QString("1.4T"));
    plan_it(d);
    QCOMPARE(d.workspace.scenario().recipe.tokens, 1.4e12);
}

void tst_start::what_is_known_becomes_the_plan_data() {
    QTest::addColumn<int>("known");
    QTest::addColumn<QString>("amount");
    QTest::newRow("nodes") << 0 << "24";
    QTest::newRow("a date") << 1 << QDate::currentDate().addDays(50).toString(Qt::ISODate);
    QTest::newRow("days") << 2 << "50";
    QTest::newRow("node-hours") << 3 << "30k";
}

void tst_start::what_is_known_becomes_the_plan() {
    QFETCH(int, known);
    QFETCH(QString, amount);
    Desk d;
    d.window.show_start();
    emit start_page(d.window)->model()->picked("llama2-13b");
    d.find<QComboBox>("start.known")->setCurrentIndex(known);
    d.find<QLineEdit>("start.amount")->setText(amount);
    plan_it(d);
    const Scenario& s = d.workspace.scenario();
    QCOMPARE(s.model.id, std::string("llama2-13b"));
    const Totals t = totals(s, headline(s, *estimate(s)), Counting::all);
    if (known == 0) QCOMPARE(nodes_used(s), 24);
    if (known == 1 || known == 2) QVERIFY(t.time <= 50 * day && t.time > 10 * day);
    if (known == 3) QVERIFY(t.node_hours <= 30e3 && t.node_hours > 3e3);
}

void tst_start::what_cannot_be_read_is_said_and_nothing_opens_data() {
    QTest::addColumn<int>("known");
    QTest::addColumn<QString>("amount");
    QTest::addColumn<QString>("tokens");
    QTest::newRow("nodes in words") << 0 << "many" << "300B";
    QTest::newRow("no nodes") << 0 << "0" << "300B";
    QTest::newRow("a day gone by") << 1 << "2001-02-03" << "300B";
    QTest::newRow("no date") << 1 << "soon" << "300B";
    QTest::newRow("no days") << 2 << "" << "300B";
    QTest::newRow("less than no node-hours") << 3 << "-5" << "300B";
    QTest::newRow("no tokens") << 0 << "8" << "";
}

void tst_start::what_cannot_be_read_is_said_and_nothing_opens() {
    QFETCH(int, known);
    QFETCH(QString, amount);
    QFETCH(QString, tokens);
    Desk d;
    d.window.show_start();
    d.find<QComboBox>("start.known")->setCurrentIndex(known);
    d.find<QLineEdit>("start.amount")->setText(amount);
    d.find<QLineEdit>("start.tokens")->setText(tokens);
    d.find<QPushButton>("start.plan")->click();
    QVERIFY(!start_page(d.window)->form()->busy());
    QVERIFY(!start_page(d.window)->form()->answer().isEmpty());
    QVERIFY(start_page(d.window)->isVisible());
}

void tst_start::a_plan_that_cannot_work_is_answered_with_those_that_do() {
    Desk d;
    d.window.show_start();
    StartPage& page = *start_page(d.window);
    emit page.model()->picked("llama2-7b");
    emit page.machine()->picked("ws-rtx4090");
    d.find<QPushButton>("start.plan")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!page.form()->busy(), Desk::patience);
    QVERIFY(page.isVisible());
    QVERIFY2(page.form()->answer().contains("Llama 2 7B"), qPrintable(page.form()->answer()));
    const auto offers = page.findChildren<QPushButton*>("start.near");
    QVERIFY(offers.size() >= 3);
    offers.front()->click();
    d.settle();
    QVERIFY(!page.isVisible());
    QVERIFY(d.workspace.told().last_good->room() == Room::enough);
}

void tst_start::a_model_is_tuned_on_one_card_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("machine");
    QTest::addColumn<Method>("method");
    Method adapters{.purpose = Purpose::finetune, .trained = Trained::adapters};
    QTest::newRow("adapters") << 2 << "ws-rtx6000ada" << adapters;
    adapters.frozen = FrozenFormat::nf4_double;
    QTest::newRow("adapters over 4-bit weights") << 3 << "ws-rtx4090" << adapters;
}

void tst_start::a_model_is_tuned_on_one_card() {
    QFETCH(int, what);
    QFETCH(QString, machine);
    QFETCH(Method, method);
    Desk d;
    d.window.show_start();
    StartPage& page = *start_page(d.window);
    d.find<QComboBox>("start.method")->setCurrentIndex(what);
    QVERIFY(!d.find<QLineEdit>("start.tokens")->isVisible());
    d.find<QLineEdit>("start.examples")->setText("52k");
    d.find<QLineEdit>("start.example_length")->setText("200");
    emit page.model()->picked("llama3-8b");
    emit page.machine()->picked(machine);
    plan_it(d);
    QVERIFY(d.workspace.scenario().method == method);
    QCOMPARE(tokens_of_run(d.workspace.scenario().recipe), 52e3 * 200);
    QVERIFY(d.workspace.told().last_good->room() == Room::enough);
    QVERIFY(d.find<QWidget>("method.rank")->isVisible());
}

void tst_start::unsaved_changes_stay_in_their_tab() {
    Desk d;
    d.type("recipe.tokens.editor", "300B");
    const Scenario edited = d.workspace.scenario();
    d.window.show_start();
    Replies replies;
    plan_it(d);
    QCOMPARE(replies.titles(), QStringList());
    QCOMPARE(d.workspace.plans().count(), 2);
    QVERIFY(d.workspace.plans().at(0).scenario() == edited);
}

void tst_start::the_gallery_is_searched() {
    ComparedWorkspace workspace;
    StartPage page(workspace);
    page.show();
    QTRY_VERIFY_WITH_TIMEOUT(page.complete(), Desk::patience);
    page.findChild<QLineEdit*>("start.find")->setText("tpu v4");
    QVERIFY(!example(page, "Chinchilla 70B on 1,024 TPU v4")->isHidden());
    QVERIFY(example(page, "175B on Frontier")->isHidden());
    page.findChild<QLineEdit*>("start.find")->clear();
    QVERIFY(!example(page, "175B on Frontier")->isHidden());
}

void tst_start::recent_files_are_listed_and_missing_ones_greyed() {
    QTemporaryDir dir;
    QFile there(dir.filePath("there.json"));
    QVERIFY(there.open(QFile::WriteOnly));
    ComparedWorkspace workspace;
    StartPage page(workspace);
    page.show_recent({there.fileName(), dir.filePath("gone.json")});
    QCOMPARE(page.recent()->count(), 2);
    QVERIFY(page.recent()->item(0)->flags() & Qt::ItemIsEnabled);
    QVERIFY(!(page.recent()->item(1)->flags() & Qt::ItemIsEnabled));
}

// 1280 x 720, scaled by 1.5.
void tst_start::a_small_window_has_room_for_it() {
    Desk d;
    d.window.show_start();
    d.window.resize(853, 440);
    d.settle();
    QCOMPARE(d.window.size(), QSize(853, 440));
    const StartPage& page = *start_page(d.window);
    QVERIFY2(page.minimumSizeHint().width() <= d.window.centralWidget()->width(),
             qPrintable(QString::number(page.minimumSizeHint().width())));
}

void tst_start::one_can_go_back_to_the_plan() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    d.window.show_start();
    emit start_page(d.window)->back_asked();
    QVERIFY(d.window.tiles()->isVisible());
    QVERIFY(d.workspace.scenario() == before);
    d.window.show_start();
    d.window.show_page("memory");
    QVERIFY(d.find<QWidget>("page.memory")->isVisible());
}

void tst_start::the_tour_is_offered_once() {
    for (const bool first : {true, false}) {
        ComparedWorkspace workspace;
        MainWindow window(workspace, MainWindow::Session::remembered);
        window.show();
        QCOMPARE(window.findChild<QWidget*>("start.offer")->isVisible(), first);
        if (first) QTest::mouseClick(window.findChild<QPushButton*>("start.no_tour"), Qt::LeftButton);
        QVERIFY(!window.findChild<QWidget*>("start.offer")->isVisible());
    }
    Desk d;
    d.window.show_start();
    QVERIFY(!d.find<QWidget>("start.offer")->isVisible());
}

void tst_start::the_tour_has_five_stops_and_can_be_skipped() {
    Desk d;
    menu_entry(d.window, "Take the tour")->trigger();
    auto* tour = d.window.findChild<Tour*>();
    QVERIFY(tour && tour->isVisible());
    for (int stop = 0; stop < 5; ++stop) {
        QCOMPARE(tour->stop(), stop);
        QVERIFY(tour->at()->isVisible());
        d.type("recipe.tokens.editor", QString("%1B").arg(100 + stop));  // the window is there to be used
        QVERIFY(tour->isVisible());
        tour->next();
    }
    QVERIFY(!tour->isVisible());
    menu_entry(d.window, "Take the tour")->trigger();
    QCOMPARE(tour->stop(), 0);
    QTest::keyClick(tour, Qt::Key_Escape);
    QVERIFY(!tour->isVisible());
}

void tst_start::a_note_of_the_tour_leaves_its_subject_in_view_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(1400, 900);
    QTest::newRow("small") << QSize(900, 520);
}

void tst_start::a_note_of_the_tour_leaves_its_subject_in_view() {
    QFETCH(QSize, size);
    Desk d;
    d.window.resize(size);
    d.settle();
    menu_entry(d.window, "Take the tour")->trigger();
    auto* tour = d.window.findChild<Tour*>();
    for (; tour->isVisible(); tour->next()) {
        d.settle();
        QVERIFY(d.window.rect().contains(tour->geometry()));
        const QRect subject(tour->at()->mapTo(&d.window, QPoint()), tour->at()->size());
        QVERIFY2(!tour->geometry().intersects(subject), qPrintable(QString::number(tour->stop())));
    }
}

void tst_start::the_news_are_in_the_help() {
    Desk d;
    menu_entry(d.window, "What is new")->trigger();
    QTRY_VERIFY(d.window.help()->isVisible());
    QVERIFY(d.window.help()->browser()->toPlainText().startsWith("Changelog"));
}

PLIMSOLL_TEST(tst_start)
#include "tst_start.moc"
