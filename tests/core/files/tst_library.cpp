// Presets on disk, and files that are written whole or not at all.
#include "registered_test.h"

#include "core/files/text/disk.h"
#include "core/files/presets/library.h"
#include "core/files/presets/preset_json.h"
#include "core/values/basics/names.h"
#include "scenarios.h"

#include <QTemporaryDir>

#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

std::size_t files_in(const fs::path& directory) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

Library library_of(std::vector<fs::path> directories) { return load_library(directories); }

}  // namespace

class tst_library : public QObject {
    Q_OBJECT

    QTemporaryDir place_;
    fs::path fresh(const char* name) {
        const fs::path directory = fs::path(place_.path().toStdString()) / name;
        fs::remove_all(directory);
        fs::create_directories(directory);
        return directory;
    }

private slots:
    void the_later_directory_wins() {
        const auto shipped = fresh("shipped"), own = fresh("own");
        Model changed = gpt3_175b();
        changed.layers = 48;
        put(shipped / "models/gpt3-175b.json", write_model(gpt3_175b()));
        put(shipped / "machines/selene.json", write_machine(selene()));
        put(own / "models/gpt3-175b.json", write_model(changed));
        put(own / "scenarios/mine.json", "{}");
        const Library l = library_of({shipped, own, place_.path().toStdString() + "/absent"});
        QCOMPARE(say(l.problems), std::string());
        QCOMPARE(l.models.at("gpt3-175b").layers, 48);
        QCOMPARE(l.machines.size(), std::size_t(1));
        QCOMPARE(l.scenarios.at("mine"), own / "scenarios/mine.json");
    }

    void a_broken_preset_leaves_the_others() {
        const auto shipped = fresh("broken");
        put(shipped / "stacks/megatron-2021.json", write_stack(megatron()));
        put(shipped / "stacks/bad.json", "{\"schema\": ");
        put(shipped / "stacks/other-name.json", write_stack(megatron()));
        put(shipped / "stacks/notes.txt", "no preset");
        const Library l = library_of({shipped});
        QCOMPARE(l.stacks.size(), std::size_t(1));
        QCOMPARE(l.problems.size(), std::size_t(2));
        QVERIFY(l.problems[0].file.ends_with("bad.json"));
        QVERIFY(say(l.problems[1]).find("\"megatron-2021\" differs from the name of the file") != std::string::npos);
    }

    void the_environment_chooses_the_presets() {
        qputenv("PLIMSOLL_PRESETS", "a:b/c::d");
        QCOMPARE(preset_directories(), (std::vector<fs::path>{"a", "b/c", "d"}));
        qunsetenv("PLIMSOLL_PRESETS");
        const auto data = fresh("data");
        fs::create_directories(data / "plimsoll/presets");
        qputenv("XDG_DATA_HOME", data.c_str());
        QVERIFY(!preset_directories().empty());
        QCOMPARE(preset_directories().back(), data / "plimsoll/presets");
    }

    void shipped_presets_load_without_a_word() {
        const Library l = library_of({PLIMSOLL_PRESETS_DIR});
        QCOMPARE(QString::fromStdString(say(l.problems)), QString());
    }

    void a_source_answers_for_what_it_contains() {
        const Sources sources{{"/device", {SourceKind::vendor, "data sheet"}},
                              {"/device/memory_GiB", {SourceKind::measured, "read"}}};
        QCOMPARE(source_of(sources, "/device/memory_GiB").text, std::string("read"));
        QCOMPARE(source_of(sources, "/device/peak_TFLOPS/bf16").text, std::string("data sheet"));
        QCOMPARE(int(source_of(sources, "/devices").kind), int(SourceKind::estimated));
        QCOMPARE(source_of({{"", {SourceKind::user, "all"}}}, "/a/b").text, std::string("all"));
    }

    void names_go_both_ways() {
        QCOMPARE(name_of(Schedule::one_f_one_b), std::string_view("1f1b"));
        QCOMPARE(int(*from_name<Precision>("bf16")), int(Precision::bf16));
        QVERIFY(!from_name<Precision>("bf17"));
        for (const auto name : names_of<Activation>()) QCOMPARE(name_of(*from_name<Activation>(name)), name);
    }

    void text_comes_back_as_written() {
        const auto file = fresh("text") / "plan.json";
        for (const std::string& text :
             {std::string("first\n"), std::string(), std::string(1 << 20, 'x'), std::string("a\0b", 3)}) {
            QVERIFY(write_atomically(file, text).has_value());
            QVERIFY(*read_text(file) == text);
            QCOMPARE(files_in(file.parent_path()), std::size_t(1));
        }
    }

    void saving_keeps_permissions_and_links() {
        const auto directory = fresh("links");
        put(directory / "real.json", "old");
        ::chmod((directory / "real.json").c_str(), 0640);
        fs::create_symlink("real.json", directory / "link.json");
        QVERIFY(write_atomically(directory / "link.json", "new").has_value());
        QVERIFY(fs::is_symlink(directory / "link.json"));
        QVERIFY(*read_text(directory / "real.json") == "new");
        QCOMPARE(int(fs::status(directory / "real.json").permissions()), 0640);
    }

    void a_failed_save_leaves_everything_as_it_was_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("the directory does not exist") << "none/plan.json";
        QTest::newRow("the target is a directory") << "folder";
        QTest::newRow("a file stands where the directory should") << "old.json/plan.json";
        QTest::newRow("the name is too long") << QString(300, 'n');
        QTest::newRow("the target is a device") << "device";
        QTest::newRow("the directory is read-only") << "locked/plan.json";
    }
    void a_failed_save_leaves_everything_as_it_was() {
        QFETCH(QString, target);
        if (target.startsWith("locked") && ::geteuid() == 0) QSKIP("nothing is read-only for root");
        const auto directory = fresh("failed");
        put(directory / "old.json", "old");
        put(directory / "folder/inside", "kept");
        put(directory / "locked/plan.json", "old");
        fs::create_symlink("/dev/null", directory / "device");
        ::chmod((directory / "locked").c_str(), 0500);
        const auto path = directory / target.toStdString();
        const auto result = write_atomically(path, "new");
        ::chmod((directory / "locked").c_str(), 0700);
        QVERIFY(!result.has_value());
        QVERIFY(say(result.error()).find(path.string() + ": cannot be written: ") == 0);
        QVERIFY(*read_text(directory / "old.json") == "old");
        QVERIFY(*read_text(directory / "locked/plan.json") == "old");
        QCOMPARE(files_in(directory), std::size_t(4));
        QCOMPARE(files_in(directory / "locked") + files_in(directory / "folder"), std::size_t(2));
    }

    void what_cannot_be_read_says_why_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("said");
        QTest::newRow("no such file") << "none" << "cannot be opened: No such file or directory";
        QTest::newRow("a directory") << "folder" << "is not a regular file";
        QTest::newRow("a pipe does not block") << "pipe" << "is not a regular file";
        QTest::newRow("a huge file") << "huge" << "is larger than 64 MiB";
    }
    void what_cannot_be_read_says_why() {
        QFETCH(QString, name);
        QFETCH(QString, said);
        const auto directory = fresh("unreadable");
        fs::create_directories(directory / "folder");
        ::mkfifo((directory / "pipe").c_str(), 0600);
        put(directory / "huge", "");
        fs::resize_file(directory / "huge", (64 << 20) + 1);  // sparse
        const auto text = read_text(directory / name.toStdString());
        QVERIFY(!text.has_value());
        QCOMPARE(QString::fromStdString(text.error()[0].message), said);
        QVERIFY(text.error()[0].file.ends_with(name.toStdString()));
    }
};

PLIMSOLL_TEST(tst_library)
#include "tst_library.moc"
