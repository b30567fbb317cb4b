// A calibration's log as it grows: which run goes on, what was measured, whether the predictions came from the lines
// before them.
#include "registered_test.h"

#include "core/files/measured/calibration_log.h"

#include <QTemporaryDir>

using namespace plimsoll;

namespace {

std::string text_key(const char* key, const std::string& value) {
    return std::string("\"").append(key).append("\":\"").append(value).append("\"");
}

// Lines as the engine writes them, numbered.
class Lines {
public:
    Lines& add(const char* type, const std::string& rest) {
        std::string line = "{\"type\":\"";
        line.append(type)
            .append("\",\"run\":\"r\",\"seq\":")
            .append(std::to_string(all.size()))
            .append(",\"t_s\":")
            .append(std::to_string(all.size()))
            .append(",");
        all.push_back(line.append(rest).append("}"));
        return *this;
    }
    Lines& experiment(const char* id, const char* role, int number) {
        return add("experiment", text_key("id", id)
                                     .append(",")
                                     .append(text_key("role", role))
                                     .append(",")
                                     .append(text_key("label", std::string("Run ").append(id)))
                                     .append(",\"expected_s\":2,\"fair\":true,\"of\":3,\"plan\":\"00ff\",\"number\":")
                                     .append(std::to_string(number)));
    }
    Lines& step(int number) {
        return add("step", std::string(R"("step_s":0.25,"step":)").append(std::to_string(number)));
    }
    Lines& predict(const char* id) {
        if (hash.empty()) hash = fingerprint_of(text());
        return add("predict",
                   text_key("id", id)
                       .append(R"(,"step_s":0.3,"lo90_s":0.27,"hi90_s":0.33,"parts":{"gemm":0.2},"memory_B":1000,)")
                       .append(text_key("hash", hash)));
    }
    std::string text() const {
        std::string whole;
        for (const std::string& line : all) whole.append(line).append("\n");
        return whole;
    }
    std::vector<std::string> all;
    std::string hash;
};

Lines whole_log() {
    Lines l;
    l.add("hello", R"("schema":1,"engine":"0.1.0","arguments":[])")
        .add("hw", R"("node":0,"cpu_model":"a core","threads_allowed":2,"memory_B":1e9)");
    l.add("plan", "\"part\":1,\"of\":2,\"text\":\"{\\\"a\\\":\"").add("plan", "\"part\":2,\"of\":2,\"text\":\"1}\\n\"");
    l.experiment("gemm", "measure", 1);
    l.add(
        "bench",
        R"("kind":"gemm","params":{"product":"qkv","form":"forward","m":256},"n":7,"median_s":0.001,)"
        R"("lo95_s":0.0009,"hi95_s":0.0011,"min_s":0.0008,"p10_s":0.00085,"bytes":100,"flop":5e6,)"
        R"("wall_over_cpu":1.5,"precision":"fp32","visit":2,"flags":["contended"])");
    l.add("power", R"("node":0,"domain":"package","W":12,"J":3,"source":"rapl")");
    l.add("run", R"("experiment":"gemm","status":"ok","steps":0)");
    l.experiment("one", "fit", 2)
        .add("layout", R"("dp":1,"tp":1,"pp":1)")
        .step(1)
        .step(2)
        .add("run", R"("experiment":"one","status":"ok","steps":2)");
    l.predict("one").predict("pp2");
    l.experiment("pp2", "held_out", 3)
        .add("layout", R"("dp":1,"tp":1,"pp":2)")
        .step(1)
        .add("run", R"("experiment":"pp2","status":"failed","steps":1)");
    l.add("summary", R"("status":"ok","steps":1)");
    return l;
}

CalibrationLog read_lines(const Lines& lines, std::size_t many) {
    CalibrationLog log;
    for (std::size_t i = 0; i < many; ++i) log.take(lines.all[i]);
    return log;
}

}  // namespace

class CalibrationLogTest : public QObject {
    Q_OBJECT

private slots:
    void a_whole_log_has_points_runs_and_predictions() {
        const Lines lines = whole_log();
        const CalibrationLog log = read_lines(lines, lines.all.size());
        QVERIFY2(log.engine.problems.empty(), say(log.engine.problems).c_str());
        QVERIFY(log.complete() && log.hash_holds());
        QCOMPARE(log.plan, std::string("{\"a\":1}\n"));
        QCOMPARE(log.plan_hash(), std::string("00ff"));
        QCOMPARE(log.measurements.points.size(), std::size_t(1));
        const BenchPoint& p = log.measurements.points.front();
        QCOMPARE(p.kind, std::string("gemm"));
        QCOMPARE(p.word("product"), std::string_view("qkv"));
        QCOMPARE(p.word("experiment"), std::string_view("gemm"));
        QCOMPARE(p.number("m"), 256.0);
        QVERIFY(p.contended());
        QCOMPARE(p.best() / second, 0.00085);
        QCOMPARE(log.measurements.runs.size(), std::size_t(2));
        QCOMPARE(log.run_of("one")->steps.size(), std::size_t(2));
        QVERIFY(log.run_of("one")->complete);
        QVERIFY(!log.run_of("pp2")->complete);
        QCOMPARE(log.run_of("pp2")->layout.pipeline, 2);
        QCOMPARE(log.prediction_of("pp2")->parts.gemm / second, 0.2);
        QCOMPARE(log.measurements.nodes.size(), std::size_t(1));
        QVERIFY(!log.current());
    }

    void every_beginning_of_it_is_a_log_too() {
        const Lines lines = whole_log();
        for (std::size_t many = 0; many <= lines.all.size(); ++many) {
            const CalibrationLog log = read_lines(lines, many);
            int open = 0, complete = 0;
            for (const ExperimentState& e : log.experiments) open += !e.ended, complete += e.complete();
            QCOMPARE(open == 1, log.current() != nullptr);
            QVERIFY(open <= 1);
            QCOMPARE(log.complete(), many == lines.all.size());
            QCOMPARE(QString::fromStdString(log.state()).startsWith(QString("%1 of ").arg(complete)), true);
        }
    }

    void a_changed_line_breaks_the_hash_and_a_later_one_does_not() {
        const Lines right = whole_log();
        for (std::size_t i = 0; i < right.all.size(); ++i) {
            Lines changed = right;
            const auto at = changed.all[i].rfind('}');
            changed.all[i].insert(at, R"(,"more":1)");
            const bool before = i < 13;  // the first prediction is line 13, from 0
            QCOMPARE(read_lines(changed, changed.all.size()).hash_holds(), !before);
        }
        QVERIFY(right.all[13].starts_with("{\"type\":\"predict\""));
    }

    void a_log_from_before_sha_256_holds_by_its_own_hash() {
        Lines lines = whole_log();
        const std::string recorded = lines.hash;
        std::string before;
        for (std::size_t i = 0; i < 13; ++i) before.append(lines.all[i]).append("\n");
        for (std::string& line : lines.all)
            if (const auto at = line.find(recorded); at != line.npos)
                line.replace(at, recorded.size(), hex16(fnv1a(before)));
        QVERIFY(read_lines(lines, lines.all.size()).hash_holds());
        lines.all[3].insert(lines.all[3].rfind('}'), R"(,"more":1)");
        QVERIFY(!read_lines(lines, lines.all.size()).hash_holds());
    }

    void what_a_launcher_says_in_between_does_not_count() {
        const Lines lines = whole_log();
        CalibrationLog log;
        for (const std::string& line : lines.all) log.take(line), log.take("");
        QVERIFY(log.hash_holds());
    }

    void a_file_that_was_cut_off_keeps_its_complete_lines() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("r.jsonl.part").toStdString(), text = whole_log().text();
        const auto cut = text.find("\"step\":2");
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QFile::WriteOnly) && file.write(text.substr(0, cut).c_str()) > 0);
        file.close();
        const auto log = read_calibration_log(path);
        QVERIFY2(log, log ? "" : say(log.error()).c_str());
        QCOMPARE(log->state(), std::string("1 of 3 runs complete, cut off in \"Run one\""));
        QCOMPARE(log->run_of("one")->steps.size(), std::size_t(1));
        QVERIFY(!has_errors(log->engine.problems));
    }

    void other_files_are_no_calibration_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a run without experiments")
            << QByteArray("{\"type\":\"hello\",\"run\":\"r\",\"seq\":0,\"t_s\":0,\"schema\":1}\n");
        QTest::newRow("a scenario") << QByteArray("{\"schema\": \"plimsoll/scenario\"}\n");
        QTest::newRow("a newer protocol")
            << QByteArray("{\"type\":\"hello\",\"run\":\"r\",\"seq\":0,\"t_s\":0,\"schema\":2}\n");
        QTest::newRow("nothing") << QByteArray();
    }
    void other_files_are_no_calibration() {
        QFETCH(QByteArray, text);
        QTemporaryDir folder;
        QFile file(folder.filePath("x"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(text);
        file.close();
        QVERIFY(!read_calibration_log(file.fileName().toStdString()));
        QVERIFY(!looks_like_calibration_log(text.toStdString()));
        QVERIFY(looks_like_calibration_log(whole_log().text()));
    }
};

PLIMSOLL_TEST(CalibrationLogTest)
#include "tst_calibration_log.moc"
