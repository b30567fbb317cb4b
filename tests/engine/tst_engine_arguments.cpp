// Arguments from files, as batch scripts hand them over.
#include "registered_test.h"

#include "engine/arguments/options_parse.h"
#include "engine/comm/ranks.h"
#include "engine/report/failure.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <cerrno>
#include <map>
#include <sys/stat.h>

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

    void a_task_that_is_alone_though_several_were_started_is_told_data() {
        QTest::addColumn<QStringList>("environment");
        QTest::addColumn<QString>("says");   // empty: it may run
        const QString advice = "srun --mpi=pmix";
        QTest::newRow("srun of four, with another interface")
            << QStringList{"SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=4", "SLURM_NTASKS=4"} << "4 tasks";
        QTest::newRow("an older srun") << QStringList{"SLURM_STEP_ID=0", "SLURM_NTASKS=2"} << advice;
        QTest::newRow("another library's mpirun") << QStringList{"PMI_SIZE=3"} << "3 tasks were started (PMI_SIZE)";
        QTest::newRow("Open MPI's mpirun, and the engine of MPICH")
            << QStringList{"OMPI_COMM_WORLD_SIZE=8"} << "mpirun";
        QTest::newRow("no launcher") << QStringList{} << "";
        QTest::newRow("the batch script of a job of four tasks") << QStringList{"SLURM_NTASKS=4"} << "";
        QTest::newRow("srun of one") << QStringList{"SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=1"} << "";
        QTest::newRow("mpirun of one in a step of two")
            << QStringList{"OMPI_COMM_WORLD_SIZE=1", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2"} << "";
    }
    void a_task_that_is_alone_though_several_were_started_is_told() {
        QFETCH(QStringList, environment);
        QFETCH(QString, says);
        std::map<std::string, std::string> variables;
        for (const QString& each : environment)
            variables[each.section('=', 0, 0).toStdString()] = each.section('=', 1).toStdString();
        const auto look_up = [&](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        };
        const QString why = QString::fromStdString(engine::alone_among_tasks(1, look_up));
        QCOMPARE(why.isEmpty(), says.isEmpty());
        QVERIFY2(why.contains(says), qPrintable(why));
        QVERIFY(engine::alone_among_tasks(4, look_up).empty());
    }
    void such_tasks_end_at_once_and_one_of_them_says_why() {
        for (const char* rank : {"0", "1"}) {
            QProcess engine;
            auto environment = QProcessEnvironment::systemEnvironment();
            for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_RANK"})
                environment.remove(name);
            environment.insert("PMI_SIZE", "2");
            environment.insert("SLURM_PROCID", rank);
            engine.setProcessEnvironment(environment);
            engine.start(PLIMSOLL_ENGINE_PROGRAM, {"--steps", "1"});
            QVERIFY(engine.waitForFinished());
            QCOMPARE(engine.exitCode(), int(ExitCode::usage));
            QCOMPARE(engine.readAllStandardError().contains("srun --mpi=pmix"), rank == std::string("0"));
        }
    }

    // Steps so short that the batch and the log's line take longer than the arithmetic.
    void a_step_s_time_begins_where_the_last_one_ended() {
        QProcess engine;
        engine.start(PLIMSOLL_ENGINE_PROGRAM,
                     {"--layers", "1", "--width", "8", "--heads", "1", "--vocabulary", "256", "--sequence", "4",
                      "--micro-batch", "1", "--threads", "1", "--steps", "1000"});
        QVERIFY(engine.waitForFinished());
        QCOMPARE(engine.exitCode(), 0);
        double first = 0, last = 0, steps = 0;
        for (const QByteArray& text : engine.readAllStandardOutput().split('\n')) {
            const QJsonObject line = QJsonDocument::fromJson(text).object();
            if (line["type"] != "step") continue;
            last = line["t_s"].toDouble();
            if (first == 0) first = last;
            else steps += line["step_s"].toDouble();
        }
        QVERIFY2(steps > 0.9 * (last - first), qPrintable(QString("%1 s of %2").arg(steps).arg(last - first)));
    }

    void what_the_engine_cannot_use_is_said_with_its_code_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::addColumn<ExitCode>("code");
        const auto pipe = folder_.filePath("pipe");
        if (mkfifo(pipe.toLocal8Bit(), 0600) != 0 && errno != EEXIST) qFatal("no pipe");
        const auto row = [](const char* name, const QStringList& words, const char* says,
                            ExitCode code = ExitCode::usage) {
            QTest::newRow(name) << words << QString(says) << code;
        };
        row("a folder as a text", {"--data", "text", "--text", folder_.path()}, "is not a regular file");
        row("a device as a text", {"--data", "text", "--text", "/dev/zero"}, "is not a regular file");
        row("a pipe as a text", {"--data", "text", "--text", pipe}, "is not a regular file");
        row("a pipe as weights", {"--weights", pipe}, "is not a regular file");
        row("a pipe as samples", {"--tokens", pipe}, "is not a regular file");
        row("a pipe as runs", {"--runs", pipe}, "is not a regular file");
        row("a pipe as a plan", {"--calibrate", pipe}, "cannot be read");
        row("a pipe as a log", {"--check", pipe}, "cannot be read");
        row("a device as a log", {"--check", "/dev/zero"}, "cannot be read");
        const auto endless = folder_.filePath("endless");
        QFile hole(endless);
        if (!hole.open(QIODevice::WriteOnly) || !hole.resize(1LL << 33)) qFatal("no file with a hole");
        row("a log of one line without end", {"--check", endless}, "longer than 64 KiB");
        row("a width below nothing", {"--ffn", "-1"}, "--ffn -1 is too small", ExitCode::unsupported_layout);
        row("more threads than a computer has", {"--threads", "100000"}, "--threads 100000 is too large",
            ExitCode::unsupported_layout);
        row("more stages than anything has", {"--pp", "2147483647", "--predict"}, "--pp 2147483647 is too large");
        row("more tokens than can be counted", {"--micro-batch", "1000000000", "--predict"},
            "--micro-batch 1000000000 is too large");
        row("a batch whose tokens cannot be counted", {"--micro-batch", "10000000", "--predict"},
            "--micro-batch x --sequence are too many tokens");
        row("more micro-batches than can be laid out", {"--accumulate", "1000000000", "--predict"},
            "--accumulate 1000000000 is too large");
        row("more ranks than can be counted", {"--dp", "1000000", "--pp", "1000000", "--predict"},
            "--dp x --tp x --pp are too many ranks");
        row("a prediction that would take hours", {"--accumulate", "100", "--dp", "100000", "--predict"},
            "a smaller --dp says the same", ExitCode::unsupported_layout);
        row("a step that would take hours to lay out", {"--accumulate", "1048576", "--predict"},
            "--layers x --accumulate is more than", ExitCode::unsupported_layout);
        for (const char* nothing : {"--threads -1", "--watchdog nan", "--watchdog 0", "--watchdog inf",
                                    "--watchdog -1", "--memory-limit -5", "--clip nan", "--clip -1", "--rate nan",
                                    "--rate inf", "--rate -1", "--decay nan", "--decay -1", "--warmup -1",
                                    "--cooldown -1", "--bench-seconds nan", "--bench-seconds 0", "--bench-seconds inf",
                                    "--bench-size 0", "--bench-size -4", "--idle-seconds nan", "--idle-seconds inf",
                                    "--idle-seconds -1"})
            row(nothing, QString(nothing).split(' '), "");
        row("an unending rest", {"--idle-seconds", "1e300"}, "from 0 to 86400");
        row("a device as its own log", {"--out", "/dev/null"}, "is not a regular file");
        row("a pipe as its own log", {"--out", pipe}, "is not a regular file");
    }
    void what_the_engine_cannot_use_is_said_with_its_code() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        QFETCH(ExitCode, code);
        const QStringList small{"--layers", "1", "--width", "64", "--heads", "1", "--vocabulary", "256", "--sequence",
                                "32", "--steps", "1"};
        QProcess run;
        run.start(PLIMSOLL_ENGINE_PROGRAM, words.front() == "--check" ? words : small + words);
        QVERIFY(run.waitForFinished(20000));
        QCOMPARE(run.exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.exitCode(), int(code));
        const QByteArray said = run.readAllStandardOutput() + run.readAllStandardError();
        QVERIFY2(said.contains(says.toUtf8()), said.constData());
    }

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
