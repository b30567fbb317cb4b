// A plan as a document: edits and undo, what belongs to one step, files, and documents side by side.
#include "registered_test.h"

#include "core/answers/search/first_plan.h"
#include "core/files/text/disk.h"
#include "core/values/knobs/provenance.h"
#include "shipped.h"
#include "views/document/document.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace plimsoll;

namespace {

Scenario turned(const Scenario& plan, const char* knob, double value) { return *with(plan, *find_knob(knob), value); }

void turn(Document& document, const char* knob, double value) {
    document.edit(turned(document.scenario(), knob, value), QStringLiteral("Edit"), knob);
}

}  // namespace

class tst_document : public QObject {
    Q_OBJECT
private slots:
    void init() {
        QDir(path()).removeRecursively();
        QFile::remove(path());
        document_ = std::make_unique<Document>(library());
        document_->start(first_scenario(library()));
    }

    void a_started_plan_has_no_file_and_no_history() {
        QVERIFY(document_->file().isEmpty());
        QVERIFY(!document_->modified());
        QCOMPARE(document_->history().count(), 0);
        QCOMPARE(document_->title(), QString::fromStdString(first_scenario(library()).name));
    }
    void what_was_edited_is_the_users_since_today() {
        const Scenario before = document_->scenario();
        turn(*document_, "machine.power.pue", 1.7);
        const Knob& pue = *find_knob("machine.power.pue");
        QCOMPARE(QString::fromStdString(say(source_of(pue, document_->scenario()))),
                 "yours, set on " + QDate::currentDate().toString(Qt::ISODate));
        turn(*document_, "machine.power.pue", before.machine.power.pue);
        QVERIFY(document_->scenario() == before);
    }
    void a_name_that_was_given_says_what_the_plan_is_of() {
        Scenario plan = first_scenario(library());
        plan.name = given_name(plan);
        document_->start(plan);
        Scenario next = plan;
        next.machine = library().machines.at("lumi");
        document_->edit(next, QStringLiteral("LUMI"));
        QCOMPARE(document_->scenario().name, given_name(next));
        next = document_->scenario();
        next.name = "Ours";
        document_->edit(next, QStringLiteral("Name"));
        next.machine = library().machines.at("frontier");
        document_->edit(next, QStringLiteral("Frontier"));
        QCOMPARE(document_->scenario().name, std::string("Ours"));
    }
    void undo_returns_exactly_what_was() {
        const Scenario before = document_->scenario();
        turn(*document_, "layout.micro_batch", 2);
        turn(*document_, "recipe.global_batch_sequences", 1024);
        const Scenario after = document_->scenario();
        document_->history().undo();
        document_->history().undo();
        QVERIFY(document_->scenario() == before);
        document_->history().redo();
        document_->history().redo();
        QVERIFY(document_->scenario() == after);
    }
    void edits_of_one_knob_are_one_step() {
        const Scenario before = document_->scenario();
        turn(*document_, "layout.micro_batch", 2);
        turn(*document_, "layout.micro_batch", 8);
        QCOMPARE(document_->history().count(), 1);
        document_->history().undo();
        QVERIFY(document_->scenario() == before);
    }
    void edits_of_one_knob_with_a_pause_between_are_two_steps() {
        document_->set_merge_pause(std::chrono::milliseconds(0));
        turn(*document_, "layout.micro_batch", 2);
        const Scenario between = document_->scenario();
        turn(*document_, "layout.micro_batch", 8);
        QCOMPARE(document_->history().count(), 2);
        document_->history().undo();
        QVERIFY(document_->scenario() == between);
    }
    void an_edit_after_a_save_is_a_step_of_its_own() {
        turn(*document_, "layout.micro_batch", 2);
        QVERIFY(document_->save(path()).empty());
        const Scenario saved = document_->scenario();
        turn(*document_, "layout.micro_batch", 8);
        QCOMPARE(document_->history().count(), 2);
        document_->history().undo();
        QVERIFY(document_->scenario() == saved);
        QVERIFY(!document_->modified());
    }
    void a_knob_turned_back_leaves_no_step() {
        const double before = find_knob("layout.micro_batch")->get(document_->scenario());
        turn(*document_, "layout.micro_batch", before * 2);
        turn(*document_, "layout.micro_batch", before);
        QCOMPARE(document_->history().count(), 0);
        QVERIFY(!document_->modified());
    }
    void an_amendment_belongs_to_the_edit_before_it() {
        const Scenario before = document_->scenario();
        turn(*document_, "layout.micro_batch", 2);
        document_->amend(turned(document_->scenario(), "layout.zero_stage", 1), QStringLiteral("Found"));
        QCOMPARE(document_->history().count(), 1);
        QCOMPARE(document_->history().undoText(), QString("Edit"));
        document_->history().undo();
        QVERIFY(document_->scenario() == before);
    }
    void signals_say_what_happened_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("changed");
        QTest::addColumn<int>("edited");
        QTest::addColumn<int>("replaced");
        QTest::newRow("an edit") << "edit" << 1 << 1 << 0;
        QTest::newRow("the same plan again") << "same" << 0 << 0 << 0;
        QTest::newRow("an amendment") << "amend" << 1 << 0 << 0;
        QTest::newRow("another plan") << "start" << 1 << 0 << 1;
        QTest::newRow("a file that cannot be read") << "missing" << 0 << 0 << 0;
    }
    void signals_say_what_happened() {
        QFETCH(QString, what);
        const Scenario next = turned(document_->scenario(), "layout.micro_batch", 2);
        const QSignalSpy changed(document_.get(), &Document::changed), edited(document_.get(), &Document::edited),
            replaced(document_.get(), &Document::replaced);
        if (what == "edit") document_->edit(next, "Edit");
        if (what == "same") document_->edit(document_->scenario(), "Edit");
        if (what == "amend") document_->amend(next, "Found");
        if (what == "start") document_->start(next);
        if (what == "missing") QVERIFY(has_errors(document_->open("missing.json")));
        QTEST(int(changed.count()), "changed");
        QTEST(int(edited.count()), "edited");
        QTEST(int(replaced.count()), "replaced");
    }
    void a_saved_plan_opens_as_it_was() {
        turn(*document_, "layout.micro_batch", 2);
        QVERIFY(document_->modified());
        QVERIFY(document_->save(path()).empty());
        QVERIFY(!document_->modified());
        QCOMPARE(document_->file(), QFileInfo(path()).absoluteFilePath());
        QCOMPARE(document_->title(), QString("plan.json"));
        Document again(library());
        QVERIFY(!has_errors(again.open(path())));
        QVERIFY(again.scenario() == document_->scenario());
        QCOMPARE(again.text(), document_->text());
    }
    void every_value_that_an_input_takes_can_be_opened_again() {
        const Scenario plan = document_->scenario();
        for (const Knob& knob : not_empty(knobs()))
            for (const double value : {knob.low, knob.high}) {
                const auto next = with(plan, knob, value);
                if (!next) continue;
                document_->start(*next);
                QVERIFY(document_->save(path()).empty());
                Document again(library());
                const Problems problems = again.open(path());
                QVERIFY2(!has_errors(problems), (knob.id + ": " + say(problems)).c_str());
                // Read back, it cites the user for what its file changes.
                QVERIFY2(without_sources(again.scenario()) == without_sources(*next), knob.id.c_str());
            }
    }
    void keys_this_version_does_not_know_survive_a_save() {
        std::string text = document_->text();
        text.insert(text.find('{') + 1, "\"from_another_version\": {\"kept\": [1, 2]},");
        QVERIFY(write_atomically(path().toStdString(), text).has_value());
        Document opened(library());
        QVERIFY(!has_errors(opened.open(path())));
        QVERIFY2(opened.text().find("from_another_version") != std::string::npos, opened.text().c_str());
        opened.start(document_->scenario());
        QVERIFY(opened.text().find("from_another_version") == std::string::npos);
    }
    void an_error_leaves_everything_as_it_is() {
        turn(*document_, "layout.micro_batch", 2);
        const Scenario before = document_->scenario();
        QVERIFY(write_atomically(path().toStdString(), "{ not a plan").has_value());
        QVERIFY(has_errors(document_->open(path())));
        QVERIFY(has_errors(document_->save(dir_.filePath("no such folder/plan.json"))));
        QVERIFY(document_->scenario() == before);
        QVERIFY(document_->modified() && document_->file().isEmpty());
        QCOMPARE(document_->history().count(), 1);
    }
    void a_plan_turned_into_another_has_no_file_and_undo_brings_plan_and_file_back() {
        QVERIFY(document_->save(path()).empty());
        const Scenario mine = document_->scenario();
        const Scenario other = turned(mine, "layout.micro_batch", 2);
        document_->turn_into(other, QStringLiteral("Open a run"));
        QVERIFY(document_->file().isEmpty() && document_->modified());
        QVERIFY(document_->scenario() == other);
        document_->history().undo();
        QVERIFY(document_->scenario() == mine);
        QCOMPARE(document_->file(), QFileInfo(path()).absoluteFilePath());
        QVERIFY(!document_->modified());
        document_->history().redo();
        QVERIFY(document_->file().isEmpty() && document_->modified());
    }
    void a_file_found_for_the_other_plan_belongs_to_it_alone() {
        QVERIFY(document_->save(path()).empty());
        document_->turn_into(turned(document_->scenario(), "layout.micro_batch", 2), QStringLiteral("Open a run"));
        const QString other = dir_.filePath("other.json");
        QVERIFY(document_->save(other).empty());
        document_->history().undo();
        QCOMPARE(QFileInfo(document_->file()).fileName(), QString("plan.json"));
        document_->history().redo();
        QCOMPARE(QFileInfo(document_->file()).fileName(), QString("other.json"));
    }
    void what_others_do_to_the_file_is_noticed_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("found");
        QTest::newRow("nothing") << "nothing" << int(Document::OnDisk::as_known);
        QTest::newRow("the same bytes, written anew") << "touched" << int(Document::OnDisk::as_known);
        QTest::newRow("other bytes of the same length at the same time") << "digit" << int(Document::OnDisk::changed);
        QTest::newRow("another plan") << "replaced" << int(Document::OnDisk::changed);
        QTest::newRow("a folder in its place") << "folder" << int(Document::OnDisk::changed);
        QTest::newRow("no file") << "gone" << int(Document::OnDisk::gone);
    }
    void what_others_do_to_the_file_is_noticed() {
        QFETCH(QString, what);
        QVERIFY(document_->save(path()).empty());
        meddle(what);
        QTEST(int(document_->on_disk()), "found");
    }
    void mine_is_kept_against_the_file_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("another plan") << "replaced";
        QTest::newRow("no file") << "gone";
    }
    void mine_is_kept_against_the_file() {
        QFETCH(QString, what);
        QVERIFY(document_->save(path()).empty());
        const Scenario mine = document_->scenario();
        meddle(what);
        document_->keep_mine();
        QCOMPARE(document_->on_disk(), Document::OnDisk::as_known);
        QVERIFY(document_->modified());
        QVERIFY(document_->scenario() == mine);
    }
    void a_reload_can_be_undone() {
        QVERIFY(document_->save(path()).empty());
        const Scenario mine = document_->scenario();
        meddle("replaced");
        QVERIFY(document_->reload().empty());
        QVERIFY(!(document_->scenario() == mine) && !document_->modified());
        QCOMPARE(document_->on_disk(), Document::OnDisk::as_known);
        document_->history().undo();
        QVERIFY(document_->scenario() == mine && document_->modified());
    }
    void a_file_that_cannot_be_read_is_not_reloaded() {
        QVERIFY(document_->save(path()).empty());
        const Scenario mine = document_->scenario();
        QVERIFY(write_atomically(path().toStdString(), "{ not a plan").has_value());
        QVERIFY(has_errors(document_->reload()));
        QVERIFY(document_->scenario() == mine);
    }
    void unsaved_changes_are_recovered_over_their_file() {
        QVERIFY(document_->save(path()).empty());
        const Scenario saved = document_->scenario();
        turn(*document_, "layout.micro_batch", 2);
        Document next(library());
        QVERIFY(next.recover(document_->unsaved()).empty());
        QVERIFY(next.scenario() == document_->scenario() && next.modified());
        QCOMPARE(next.file(), document_->file());
        QCOMPARE(next.on_disk(), Document::OnDisk::as_known);
        next.history().undo();
        QVERIFY(next.scenario() == saved && !next.modified());
    }
    void a_file_that_changed_since_is_noticed_after_a_recovery() {
        QVERIFY(document_->save(path()).empty());
        turn(*document_, "layout.micro_batch", 2);
        const UnsavedPlan unsaved = document_->unsaved();
        meddle("replaced");
        Document next(library());
        QVERIFY(next.recover(unsaved).empty());
        QVERIFY(next.scenario() == document_->scenario() && next.modified());
        QCOMPARE(next.on_disk(), Document::OnDisk::changed);
    }
    void changes_without_a_file_are_recovered_as_a_plan_without_one() {
        turn(*document_, "layout.micro_batch", 2);
        Document next(library());
        QVERIFY(next.recover(document_->unsaved()).empty());
        QVERIFY(next.scenario() == document_->scenario() && next.modified() && next.file().isEmpty());
    }
    void a_name_is_the_title_until_there_is_a_file() {
        const QSignalSpy titles(document_.get(), &Document::file_changed);
        Scenario named = document_->scenario();
        named.name = "Ours";
        document_->edit(named, "Name", "name");
        QCOMPARE(document_->title(), QString("Ours"));
        QVERIFY(titles.count() > 0);
    }
    void documents_know_nothing_of_each_other() {
        Document other(library());
        other.start(document_->scenario());
        const Scenario before = other.scenario();
        turn(*document_, "layout.micro_batch", 2);
        QVERIFY(other.scenario() == before);
        QVERIFY(!other.modified());
        QCOMPARE(other.history().count(), 0);
    }

private:
    QString path() const { return dir_.filePath("plan.json"); }
    void meddle(const QString& what) const {
        QFile file(path());
        const QDateTime before = QFileInfo(path()).lastModified();
        if (what == "touched" || what == "digit") {
            QVERIFY(file.open(QFile::ReadWrite));
            QByteArray bytes = file.readAll();
            const qsizetype at = bytes.indexOf("devices\": ") + 10;
            if (what == "digit") bytes[at] = bytes[at] == '9' ? '8' : '9';
            file.seek(0);
            file.write(bytes);
            file.flush();
            if (what == "digit") QVERIFY(file.setFileTime(before, QFileDevice::FileModificationTime));
        }
        if (what == "replaced") {
            Document other(library());
            other.start(turned(first_scenario(library()), "recipe.tokens", 100e9));
            QVERIFY(other.save(path()).empty());
        }
        if (what == "gone" || what == "folder") QVERIFY(file.remove());
        if (what == "folder") QVERIFY(QDir().mkdir(path()));
    }

    QTemporaryDir dir_;
    std::unique_ptr<Document> document_;
};

PLIMSOLL_TEST(tst_document)
#include "tst_document.moc"
