// Unsaved changes outlive a window that ends in no order: where they are kept, when they go, and what the next window
// offers.
#include "registered_test.h"

#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "views/replies.h"
#include "views/session_desk.h"

using namespace plimsoll;

namespace {

// Destroyed and not closed, it leaves what a crash would.
struct Left : Started {
    using Started::Started;
    void edit(double tokens) {
        set_tokens(workspace.document(), tokens);
        window.end();  // at once, where a user would wait for two seconds
    }
    double tokens() { return workspace.scenario().recipe.tokens; }
    NoticeBar& notices() { return *window.notices(); }
    void press(const char* answer) {
        QPushButton* button = notices().button(answer);
        QVERIFY2(button, qPrintable(notices().text()));
        button->click();
    }
};

}  // namespace

class tst_recovery : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() { home_.use("tst_recovery"); }
    void init() {
        home_.clear();
        document_ = std::make_unique<Document>(library());
        document_->start(first_scenario(library()));
    }

    // ---- The folder

    void an_unchanged_plan_leaves_nothing() {
        const Recovery recovery(*document_, default_recovery());
        QVERIFY(!QFileInfo::exists(default_recovery()));
    }
    void changes_are_kept_soon_after_an_edit_whatever_follows() {
        Recovery recovery(*document_, default_recovery());
        set_tokens(*document_, 300e9);
        double tokens = 300e9;
        const auto kept = [&] {  // edits that never pause do not put it off
            set_tokens(*document_, tokens += 1e9);
            return !left_states().empty();
        };
        QVERIFY(QTest::qWaitFor(kept, 5000));
        QVERIFY(left_states().front() >= 300e9);
    }
    void what_was_kept_goes_when_it_is_needed_no_longer_data() {
        QTest::addColumn<QString>("by");
        QTest::newRow("a save") << "save";
        QTest::newRow("undo back to what is saved") << "undo";
        QTest::newRow("another plan, as the user has given this one up") << "start";
        QTest::newRow("the user gives them up") << "forget";
    }
    void what_was_kept_goes_when_it_is_needed_no_longer() {
        QFETCH(QString, by);
        Recovery recovery(*document_, default_recovery());
        set_tokens(*document_, 300e9);
        QVERIFY(recovery.keep());
        QCOMPARE(left_states(), std::vector<double>{300e9});
        QTemporaryDir dir;
        if (by == "save") QVERIFY(document_->save(dir.filePath("plan.json")).empty());
        if (by == "undo") document_->history().undo();
        if (by == "start") document_->start(first_scenario(library()));
        if (by == "forget") recovery.forget();
        QCOMPARE(QDir(default_recovery()).entryList(QDir::Files | QDir::Hidden), QStringList());
    }
    void changes_of_a_window_that_lives_are_not_offered() {
        auto recovery = std::make_unique<Recovery>(*document_, default_recovery());
        set_tokens(*document_, 300e9);
        QVERIFY(recovery->keep());
        QCOMPARE(left_plans(default_recovery()).size(), std::size_t(0));
        recovery.reset();
        QCOMPARE(left_plans(default_recovery()).size(), std::size_t(1));
    }
    void what_one_window_offers_no_other_does() {
        leave(300e9);
        const auto here = left_plans(default_recovery());
        QCOMPARE(here.size(), std::size_t(1));
        QCOMPARE(left_plans(default_recovery()).size(), std::size_t(0));
    }
    void a_lock_means_a_window_as_long_as_that_can_be_data() {
        QTest::addColumn<QByteArray>("lock");
        QTest::addColumn<int>("minutes");  // since the changes were written
        QTest::addColumn<bool>("offered");
        const QByteArray here = QSysInfo::machineHostName().toUtf8();
        const QByteArray pid = QByteArray::number(QCoreApplication::applicationPid());
        QTest::newRow("of a process that lives") << pid + "\ntests_views\n" + here + "\n" << 120 << false;
        QTest::newRow("of a process that is gone") << "999999999\nplimsoll\n" + here + "\n" << 0 << true;
        QTest::newRow("of another computer, just now") << QByteArray("7\nplimsoll\nelsewhere\n") << 0 << false;
        QTest::newRow("of another computer, hours ago") << QByteArray("7\nplimsoll\nelsewhere\n") << 120 << true;
        QTest::newRow("that cannot be read, as after a power cut") << QByteArray() << 120 << true;
    }
    void a_lock_means_a_window_as_long_as_that_can_be() {
        QFETCH(QByteArray, lock);
        QFETCH(int, minutes);
        leave(300e9);
        const QString path = QDir(default_recovery()).entryInfoList({"*.json"}).front().absoluteFilePath();
        QFile file(path + ".lock"), changes(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(lock);
        file.close();
        QVERIFY(changes.open(QFile::ReadWrite));
        const QDateTime written = QDateTime::currentDateTime().addSecs(-60 * minutes);
        QVERIFY(changes.setFileTime(written, QFileDevice::FileModificationTime));
        changes.close();
        QTEST(!left_plans(default_recovery()).empty(), "offered");
    }
    void a_folder_that_cannot_be_made_is_told_once() {
        QTemporaryDir dir;
        QFile file(dir.filePath("in the way"));
        QVERIFY(file.open(QFile::WriteOnly));
        Recovery recovery(*document_, dir.filePath("in the way/unsaved"));
        const QSignalSpy failed(&recovery, &Recovery::failed);
        set_tokens(*document_, 300e9);
        QVERIFY(!recovery.keep());
        QVERIFY(!recovery.keep());
        QCOMPARE(failed.count(), 1);
    }
    void damaged_files_are_kept_aside_and_told_once_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{ not");
        QTest::newRow("any bytes") << QByteArray("\xff\x00\x1b[2J", 6);
        QTest::newRow("nested without end") << QByteArray(100000, '[');
    }
    void damaged_files_are_kept_aside_and_told_once() {
        QFETCH(QByteArray, bytes);
        leave(300e9);
        QFile file(QDir(default_recovery()).filePath("other.json"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(bytes);
        file.close();
        {
            const auto left = left_plans(default_recovery());
            QCOMPARE(left.size(), std::size_t(2));
            const auto damaged = std::find_if(left.begin(), left.end(), [](auto& l) { return !l.problem.isEmpty(); });
            QVERIFY(damaged != left.end());
            QFile kept(damaged->path);
            QVERIFY(kept.open(QFile::ReadOnly));
            QCOMPARE(kept.readAll(), bytes);
        }
        QCOMPARE(left_states(), std::vector<double>{300e9});
    }

    // ---- The window

    void the_changes_of_a_crash_are_offered_and_taken_up_again() {
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json");
        QVERIFY(QFile::copy(neox, path));
        const double saved = load_scenario(path, library())->recipe.tokens;
        Left(path).edit(300e9);
        Left next;
        QCOMPARE(next.tokens(), saved);  // the file of last time, until somebody answers
        QVERIFY(next.notices().isVisible());
        QVERIFY2(next.notices().text().contains(path), qPrintable(next.notices().text()));
        next.press("notice.recover");
        QVERIFY(!next.notices().isVisible());
        QCOMPARE(next.tokens(), 300e9);
        QCOMPARE(next.workspace.document().file(), path);
        QVERIFY(next.window.isWindowModified());
        QCOMPARE(load_scenario(path, library())->recipe.tokens, saved);
        QVERIFY(next.window.save());
        QCOMPARE(load_scenario(path, library())->recipe.tokens, 300e9);
        QCOMPARE(QDir(default_recovery()).entryList(QDir::Files), QStringList());
    }
    void recovered_changes_outlive_the_next_crash_as_well() {
        Left().edit(300e9);
        {
            Left next;
            next.press("notice.recover");
        }
        Left again;
        again.press("notice.recover");
        QCOMPARE(again.tokens(), 300e9);
        QVERIFY(again.workspace.document().file().isEmpty());
    }
    void several_crashes_are_offered_one_after_the_other() {
        for (const double tokens : {100e9, 200e9, 300e9}) leave(tokens);
        Left next;
        QCOMPARE(next.notices().count(), std::size_t(3));
        std::vector<double> found;
        for (int i = 0; i < 3; ++i) {
            next.press("notice.recover");
            found.push_back(next.tokens());
        }
        QCOMPARE(next.workspace.plans().count(), 3);
        std::sort(found.begin(), found.end());
        QCOMPARE(found, std::vector<double>({100e9, 200e9, 300e9}));
        QVERIFY(!next.notices().isVisible());
    }
    void every_tab_of_a_window_that_ended_is_taken_up_where_it_was_data() {
        QTest::addColumn<bool>("asked");
        QTest::newRow("the window is killed") << false;
        QTest::newRow("the window is asked to end and asks nobody") << true;
    }
    void every_tab_of_a_window_that_ended_is_taken_up_where_it_was() {
        QFETCH(bool, asked);
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json"), other = dir.filePath("other.json");
        QVERIFY(QFile::copy(neox, path));
        QVERIFY(QFile::copy(neox, other));
        {
            Left window(path);
            Plans& plans = window.workspace.plans();
            QVERIFY(window.window.open(other));
            plans.add(plans.copy_of(plans.current()));
            for (int i = 0; i < 3; ++i) set_tokens(plans.at(i), (i + 1) * 100e9);
            plans.show(1);
            if (asked) window.window.end();
            else QTRY_COMPARE_WITH_TIMEOUT(left_states().size(), std::size_t(3), 10000);
        }
        Left next;
        Plans& plans = next.workspace.plans();
        QCOMPARE(plans.count(), 2);   // the copy was nowhere but among the unsaved changes
        QCOMPARE(next.notices().count(), std::size_t(3));
        next.press("notice.recover_all");
        QVERIFY2(!next.notices().isVisible(), qPrintable(next.notices().text()));
        QCOMPARE(plans.count(), 3);
        QStringList files;
        std::vector<double> tokens;
        for (int i = 0; i < 3; ++i) {
            files << plans.at(i).file();
            tokens.push_back(plans.at(i).scenario().recipe.tokens);
            QVERIFY(plans.at(i).modified());
        }
        files.sort();
        QCOMPARE(files, QStringList({"", other, path}));
        QCOMPARE(plans.at(plans.place_of_file(path)).scenario().recipe.tokens, 100e9);
        QCOMPARE(plans.at(plans.place_of_file(other)).scenario().recipe.tokens, 200e9);
        std::sort(tokens.begin(), tokens.end());
        QCOMPARE(tokens, std::vector<double>({100e9, 200e9, 300e9}));
        QCOMPARE(left_states().size(), std::size_t(3));   // and outlive the next end
    }
    void a_tab_that_is_closed_leaves_nothing() {
        Left window;
        window.edit(300e9);
        Plans& plans = window.workspace.plans();
        plans.add(plans.copy_of(plans.current()));
        window.window.end();
        QCOMPARE(left_states().size(), std::size_t(2));
        plans.close(1);
        QCOMPARE(left_states(), std::vector<double>{300e9});
        plans.reopen();
        window.window.end();
        QCOMPARE(left_states().size(), std::size_t(2));
    }
    void answers_to_an_offer_data() {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("confirmed");
        QTest::addColumn<int>("offered_again");
        QTest::newRow("kept for later") << "notice.later" << false << 1;
        QTest::newRow("discarded") << "notice.discard" << true << 0;
        QTest::newRow("discarded, and thought better of") << "notice.discard" << false << 1;
    }
    void answers_to_an_offer() {
        QFETCH(QString, answer);
        QFETCH(bool, confirmed);
        leave(300e9);
        {
            Left next;
            Replies replies({press(confirmed ? QMessageBox::Discard : QMessageBox::Cancel)});
            next.press(qPrintable(answer));
            QCOMPARE(next.notices().isVisible(), answer == "notice.discard" && !confirmed);
            QVERIFY(next.window.close());
        }
        Left again;
        QTEST(int(again.notices().count()), "offered_again");
    }
    void damaged_changes_are_a_message() {
        QVERIFY(QDir().mkpath(default_recovery()));
        QFile file(QDir(default_recovery()).filePath("left.json"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("<b>{</b>");
        file.close();
        Left next;
        QVERIFY2(next.notices().text().contains("left.json.damaged"), qPrintable(next.notices().text()));
        next.press("notice.close");
        QVERIFY(!next.notices().isVisible());
    }
    void changes_that_were_saved_after_all_are_not_offered() {
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json");
        QVERIFY(QFile::copy(neox, path));
        {
            Left window(path);
            window.edit(300e9);
            QVERIFY(write_atomically(path.toStdString(), window.workspace.document().text()).has_value());
        }
        Left next;
        QVERIFY(!next.notices().isVisible());
        QCOMPARE(next.tokens(), 300e9);
    }
    void a_closed_window_leaves_nothing_data() {
        QTest::addColumn<int>("button");
        QTest::newRow("discarded") << int(QMessageBox::Discard);
        QTest::newRow("saved") << int(QMessageBox::Save);
    }
    void a_closed_window_leaves_nothing() {
        QFETCH(int, button);
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json");
        QVERIFY(QFile::copy(neox, path));
        Left window(path);
        window.edit(300e9);
        QVERIFY(!QDir(default_recovery()).entryList(QDir::Files).empty());
        Replies replies({press(QMessageBox::StandardButton(button))});
        QVERIFY(window.window.close());
        QCOMPARE(QDir(default_recovery()).entryList(QDir::Files | QDir::Hidden), QStringList());
    }
    void a_fresh_window_keeps_nothing_anywhere() {
        Desk d;
        d.type("recipe.tokens.editor", "300B");
        d.window.end();
        QVERIFY(!QFileInfo::exists(default_recovery()));
    }

private:
    void leave(double tokens) {
        Document document(library());
        document.start(first_scenario(library()));
        Recovery recovery(document, default_recovery());
        set_tokens(document, tokens);
        QVERIFY(recovery.keep());
    }
    // Of the files as they lie there, whoever holds them.
    static std::vector<double> left_states() {
        std::vector<double> states;
        for (const QFileInfo& file : QDir(default_recovery()).entryInfoList({"*.json"}, QDir::Files)) {
            const auto text = read_text(file.absoluteFilePath().toStdString());
            const auto unsaved = text ? read_unsaved(*text) : Expected<UnsavedPlan, Problems>(Unexpected{Problems{}});
            if (unsaved) states.push_back(read_scenario(unsaved->plan, library())->scenario.recipe.tokens);
        }
        return states;
    }

    std::unique_ptr<Document> document_;
};

PLIMSOLL_TEST(tst_recovery)
#include "tst_recovery.moc"
