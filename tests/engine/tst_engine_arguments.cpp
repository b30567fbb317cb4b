// Arguments from files, as batch scripts hand them over.
#include "registered_test.h"

#include "engine/options.h"
#include "engine/report/failure.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace plimsoll;
using engine::ExitCode;
using Words = std::vector<std::string>;

class TestEngineArguments : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string file(const char* name, const QByteArray& text) {
        QFile out(folder_.filePath(name));
        if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) qFatal("cannot write");
        return std::string("@").append(out.fileName().toStdString());
    }

private slots:
    void lines_are_words_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("one a line") << QByteArray("--steps\n3\n") << QStringList{"--steps", "3"};
        QTest::newRow("spaces, quotes and dollars stay")
            << QByteArray("--out\na b'\"$(touch x).jsonl\n") << QStringList{"--out", "a b'\"$(touch x).jsonl"};
        QTest::newRow("no end of line at the end") << QByteArray("--predict") << QStringList{"--predict"};
        QTest::newRow("empty lines are none") << QByteArray("\n--predict\n\n") << QStringList{"--predict"};
        QTest::newRow("lines of another system") << QByteArray("--steps\r\n3\r\n") << QStringList{"--steps", "3"};
        QTest::newRow("a file does not name files") << QByteArray("@other\n") << QStringList{"@other"};
        QTest::newRow("an empty file") << QByteArray() << QStringList{};
    }
    void lines_are_words() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, words);
        const auto read = engine::with_files({"--layers", file("args", text), "last"});
        QVERIFY(read.has_value());
        QStringList got;
        for (const std::string& word : *read) got << QString::fromStdString(word);
        QCOMPARE(got, QStringList{"--layers"} + words + QStringList{"last"});
    }

    void a_file_that_is_missing_is_named() {
        const auto read = engine::with_files({"@/no/such/file"});
        QVERIFY(!read);
        QVERIFY(read.error().starts_with("@/no/such/file"));
        QVERIFY(!engine::with_files({std::string("@").append(folder_.path().toStdString())}));   // a folder
    }
    void an_at_sign_alone_is_a_word() { QCOMPARE(*engine::with_files({"@"}), Words{"@"}); }

    void the_engine_runs_what_a_file_says() {
        const std::string args =
            file("run args", "--layers\n1\n--width\n64\n--heads\n1\n--vocabulary\n64\n--sequence\n32\n--predict\n");
        QProcess run;
        run.start(PLIMSOLL_ENGINE_PROGRAM, {QString::fromStdString(args)});
        QVERIFY(run.waitForFinished());
        QCOMPARE(run.exitCode(), 0);
        QVERIFY(run.readAllStandardOutput().contains("\"rank\":0"));
        run.start(PLIMSOLL_ENGINE_PROGRAM, {"@/no/such/file"});
        QVERIFY(run.waitForFinished());
        QCOMPARE(run.exitCode(), int(ExitCode::usage));
    }
};

PLIMSOLL_TEST(TestEngineArguments)
#include "tst_engine_arguments.moc"
