// Whatever goes wrong, the run ends with its exit code and a reason, the log holds what was reached, and no process
// stays.
#include "registered_test.h"

#include "running_engine.h"

#include "engine/report/failure.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace plimsoll;
using engine::ExitCode;

class TestEngineRobustness : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    QString log_;

    // Complete lines, and nothing wrong but that the end is missing.
    static bool is_partial(const RunningEngine& engine) {
        const engine::LogCheck check = engine.check();
        return !engine.is_complete() && check.status == "partial" && check.findings.size() == 1 && check.steps >= 3;
    }
    static bool is_cancelled(const RunningEngine& engine) {
        const engine::LogCheck check = engine.check();
        return engine.is_complete() && check.status == "cancelled" && check.findings.empty() && check.steps >= 3;
    }

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        log_ = folder_->filePath("log.jsonl");
    }

    void a_rank_that_is_killed_ends_the_run() {
        RunningEngine engine(log_);
        engine.start(2, {"--dp", "2"});
        QVERIFY2(engine.trains(), engine.errors());
        QVERIFY(engine.signal(1, SIGKILL));
        QCOMPARE(engine.exit_code(), 128 + SIGKILL);
        QVERIFY(engine.is_gone());
        QVERIFY(is_partial(engine));
    }
    void a_rank_that_stops_is_named_by_those_that_wait_data() {
        QTest::addColumn<int>("stopped");
        QTest::newRow("rank 0, which writes the log") << 0;
        QTest::newRow("rank 1") << 1;
    }
    void a_rank_that_stops_is_named_by_those_that_wait() {
        QFETCH(int, stopped);
        RunningEngine engine(log_);
        engine.start(2, {"--dp", "2", "--watchdog", "3"});
        QVERIFY2(engine.trains(), engine.errors());
        QVERIFY(engine.signal(stopped, SIGSTOP));
        QCOMPARE(engine.exit_code(), int(ExitCode::timeout));
        QVERIFY(engine.is_gone());
        QVERIFY(is_partial(engine));
        const QByteArray said = engine.errors_of(1 - stopped);
        QVERIFY2(said.contains(QString("rank %1 made no progress for 3.").arg(1 - stopped).toUtf8()), said);
        QVERIFY2(said.contains(QString("rank %1 does not run").arg(stopped).toUtf8()), said);
        QVERIFY(engine.errors().contains(said.trimmed()));
    }

    // A limit on the size of files, put on the rank that writes the log once it does, is a disk that fills up.
    void a_full_disk_keeps_complete_lines() {
        RunningEngine engine(log_);
        engine.start(2, {"--dp", "2"});
        QVERIFY2(engine.trains(), engine.errors());
        const rlimit limit{1000000, 1000000};
        QVERIFY(engine.of_rank(0) > 1);
        QCOMPARE(prlimit(engine.of_rank(0), RLIMIT_FSIZE, &limit, nullptr), 0);
        QCOMPARE(engine.exit_code(), int(ExitCode::log_unwritable));
        QVERIFY(engine.is_gone());
        QVERIFY(is_partial(engine));
        QVERIFY2(engine.errors().contains("log.jsonl.part: File too large; it ends with its last complete line"),
                 engine.errors());
    }
    // `engine | head`. mpirun has its own way with a closed pipe, and may crash; but no rank stays, and the log holds.
    void a_reader_that_leaves_ends_the_run_data() {
        QTest::addColumn<int>("ranks");
        QTest::newRow("without a launcher") << 0;
        QTest::newRow("through mpirun") << 2;
    }
    void a_reader_that_leaves_ends_the_run() {
        QFETCH(int, ranks);
        RunningEngine engine(log_);
        QProcess reader;
        engine.process.setStandardOutputProcess(&reader);
        engine.start(ranks, ranks > 1 ? QStringList{"--dp", "2"} : QStringList{});
        reader.start("head", {"-c", "30000"});
        QVERIFY(reader.waitForFinished(patience_ms));
        const int code = engine.exit_code();
        QVERIFY(engine.is_gone());
        QVERIFY2(ranks > 1 ? code != 0 : code == int(ExitCode::cancelled), qPrintable(QString::number(code)));
        QVERIFY(is_cancelled(engine) || (ranks > 1 && is_partial(engine)));
    }
    void a_reader_that_does_not_read_is_left_behind_on_a_stop() {
        RunningEngine engine(log_);
        engine.process.setStandardInputFile(QProcess::nullDevice());
        int ends[2];
        QCOMPARE(pipe(ends), 0);  // nobody reads it
        const pid_t child = fork();
        if (child == 0) {
            const QStringList arguments = QStringList{PLIMSOLL_ENGINE_PROGRAM} + RunningEngine::options(log_, {});
            std::vector<QByteArray> words;
            for (const QString& argument : arguments) words.push_back(argument.toUtf8());
            std::vector<char*> argv;
            for (QByteArray& word : words) argv.push_back(word.data());
            argv.push_back(nullptr);
            dup2(ends[1], STDOUT_FILENO);
            execv(argv[0], argv.data());
            _exit(127);
        }
        QVERIFY(engine.trains());
        QByteArray before;  // until the pipe is full and nothing moves any more
        QVERIFY(comes_true([&] {
            QThread::msleep(300);
            const QByteArray now = contents(log_ + ".part");
            const bool still = now == before;
            before = now;
            return still;
        }));
        kill(child, SIGTERM);
        int status = 0;
        waitpid(child, &status, 0);
        close(ends[0]);
        close(ends[1]);
        QCOMPARE(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), int(ExitCode::cancelled));
        QVERIFY(is_cancelled(engine));
    }

    void a_second_run_on_the_same_file_is_refused_and_the_first_goes_on() {
        RunningEngine first(log_), second(log_);
        const QString cancel = folder_->filePath("cancel");
        first.start(2, {"--dp", "2", "--cancel-file", cancel});
        QVERIFY2(first.trains(), first.errors());
        QProcess late;
        late.setProcessEnvironment(mpi_environment());
        late.start("mpirun", mpirun(2, {PLIMSOLL_ENGINE_PROGRAM}) + RunningEngine::options(log_, {"--dp", "2"}));
        QVERIFY(late.waitForFinished(patience_ms));
        QCOMPARE(late.exitCode(), int(ExitCode::usage));
        const QByteArray said = late.readAllStandardError();
        QVERIFY2(said.contains(("another run is writing " + log_).toUtf8()), said);
        QFile file(cancel);
        QVERIFY(file.open(QFile::WriteOnly));
        QCOMPARE(first.exit_code(), int(ExitCode::cancelled));
        QVERIFY(is_cancelled(first));
    }

    void a_signal_ends_with_a_summary_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("signalled");  // a rank; -1: what was started
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");       // -1: mpirun's own, whatever it is
        QTest::newRow("SIGTERM to a run without a launcher") << 0 << -1 << SIGTERM << int(ExitCode::cancelled);
        QTest::newRow("SIGINT to one rank of two") << 2 << 1 << SIGINT << int(ExitCode::cancelled);
        QTest::newRow("SIGTERM to mpirun") << 2 << -1 << SIGTERM << -1;
        QTest::newRow("SIGKILL to mpirun") << 2 << -1 << SIGKILL << -1;
    }
    void a_signal_ends_with_a_summary() {
        QFETCH(int, ranks);
        QFETCH(int, signalled);
        QFETCH(int, signal);
        QFETCH(int, code);
        RunningEngine engine(log_);
        // Time between its SIGTERM and SIGKILL, in which a busy machine must come to the end of a step.
        if (signalled < 0) engine.launcher.back() = "3";
        engine.start(ranks, ranks > 1 ? QStringList{"--dp", QString::number(ranks)} : QStringList{});
        QVERIFY2(engine.trains(), engine.errors());
        if (signalled < 0) kill(pid_t(engine.process.processId()), signal);
        else QVERIFY(engine.signal(signalled, signal));
        const int ended = engine.exit_code();
        QVERIFY2(code < 0 ? ended != 0 : ended == code, qPrintable(QString::number(ended)));
        QVERIFY(engine.is_gone());
        QVERIFY(is_cancelled(engine));
    }
    void a_rank_that_cannot_end_is_left_after_the_grace() {
        RunningEngine engine(log_);
        engine.start(2, {"--dp", "2"});
        QVERIFY2(engine.trains(), engine.errors());
        QVERIFY(engine.signal(1, SIGSTOP));
        QVERIFY(engine.signal(0, SIGTERM));
        QCOMPARE(engine.exit_code(), int(ExitCode::cancelled));
        QVERIFY(engine.is_gone());
        QVERIFY2(engine.errors_of(0).contains("no clean end within 5.0 s of the request to stop (SIGTERM)"),
                 engine.errors());
    }

    void the_end_of_stdin_ends_a_run_that_asked_for_it() {
        RunningEngine engine(log_);
        engine.start(2, {"--dp", "2", "--stdin-stops"});
        QVERIFY2(engine.trains(), engine.errors());
        engine.process.closeWriteChannel();
        QCOMPARE(engine.exit_code(), int(ExitCode::cancelled));
        QVERIFY(is_cancelled(engine));
    }
    void a_job_script_without_stdin_runs_to_its_end() {
        RunningEngine engine(log_);
        engine.process.setStandardInputFile(QProcess::nullDevice());
        engine.start(2, {"--dp", "2", "--steps", "5"});
        QCOMPARE(engine.exit_code(), 0);
        QCOMPARE(engine.check().status, std::string("ok"));
        QCOMPARE(engine.check().findings.size(), std::size_t(0));
    }
    // The window or a script that started mpirun: its end of stdin closes with it.
    void a_starter_that_is_killed_leaves_no_rank() {
        RunningEngine engine(log_);
        const pid_t starter = fork();
        if (starter == 0) {
            QProcess launcher;
            launcher.setProcessEnvironment(mpi_environment());
            launcher.setStandardErrorFile(QProcess::nullDevice());
            launcher.setStandardOutputFile(QProcess::nullDevice());
            launcher.start("mpirun", mpirun(2, {PLIMSOLL_ENGINE_PROGRAM})
                                         + RunningEngine::options(log_, {"--dp", "2", "--stdin-stops"}));
            launcher.waitForFinished(-1);
            _exit(0);
        }
        QVERIFY(engine.trains());
        kill(starter, SIGKILL);
        waitpid(starter, nullptr, 0);
        QVERIFY(engine.is_gone());
        QVERIFY(is_cancelled(engine));
    }

    // Ranks 2 and 3 have no part in the run that is stopped; they must not wait for the next one.
    void a_list_of_runs_is_stopped_on_all_ranks() {
        RunningEngine engine(log_);
        QFile list(folder_->filePath("runs"));
        QVERIFY(list.open(QFile::WriteOnly));
        list.write("--dp 2\n--dp 4\n");
        list.close();
        engine.start(4, {"--runs", list.fileName()});
        QVERIFY2(engine.trains(), engine.errors());
        QVERIFY(engine.signal(0, SIGTERM));
        QCOMPARE(engine.exit_code(), int(ExitCode::cancelled));
        QVERIFY(engine.is_gone());
        QVERIFY(is_cancelled(engine));
    }

    void what_cannot_be_run_is_told_with_what_can_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("heads that do not divide") << QStringList{"--tp", "2", "--heads", "5", "--width", "40"} << 3
                                                  << "--tp 2 does not divide 5 heads; what does: 1, 5";
        QTest::newRow("other ranks than started")
            << QStringList{"--dp", "3"} << 3 << "3 ranks, but 2 were started: mpirun -n 3";
        QTest::newRow("more memory than there is")
            << QStringList{"--dp", "2", "--memory-limit", "100000"} << 4 << " and there are 0.1 MB: ";
        QTest::newRow("a loss that is not finite")
            << QStringList{"--dp", "2", "--rate", "1e30", "--clip", "0"} << 5 << "not finite in step";
    }
    void what_cannot_be_run_is_told_with_what_can() {
        QFETCH(QStringList, options);
        QFETCH(int, code);
        QFETCH(QString, said);
        RunningEngine engine(log_);
        QStringList all = RunningEngine::options(log_, {});
        for (int i = 0; i + 1 < options.size(); i += 2)  // each option once
            if (const auto at = all.indexOf(options[i]); at >= 0) all.remove(at, 2);
        engine.process.setProcessEnvironment(mpi_environment());
        engine.process.setStandardErrorFile(log_ + ".stderr");
        engine.process.start("mpirun", engine.launcher + mpirun(2, {PLIMSOLL_ENGINE_PROGRAM}) + all + options);
        QCOMPARE(engine.exit_code(), code);
        QVERIFY2(engine.errors().contains(said.toUtf8()), engine.errors());
        QVERIFY2(engine.errors().contains(engine::word_of(ExitCode(code))), engine.errors());
        QVERIFY(engine.is_complete());
        QCOMPARE(engine.check().status, std::string("failed"));
        QCOMPARE(engine.check().findings.size(), std::size_t(0));
    }
    void the_program_checks_logs() {
        RunningEngine engine(log_);
        engine.start(0, {"--steps", "3"});
        QCOMPARE(engine.exit_code(), 0);
        QProcess check;
        check.start(PLIMSOLL_ENGINE_PROGRAM, {"--check", log_});
        QVERIFY(check.waitForFinished(patience_ms));
        QCOMPARE(check.exitCode(), 0);
        QCOMPARE(check.readAllStandardOutput(), log_.toUtf8() + ": ok, "
                                                    + QByteArray::number(contents(log_).count('\n'))
                                                    + " lines, 3 steps, 0 problems\n");
        QFile(log_).resize(1500);
        check.start(PLIMSOLL_ENGINE_PROGRAM, {"--check", log_});
        QVERIFY(check.waitForFinished(patience_ms));
        QCOMPARE(check.exitCode(), 2);
        QVERIFY(check.readAllStandardOutput().contains("cut off after"));
    }
};

PLIMSOLL_TEST(TestEngineRobustness)
#include "tst_engine_robustness.moc"
