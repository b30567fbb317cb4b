// What the engine says, read back: lines as values, runs as far as they go.
#include "registered_test.h"

#include "core/files/measured/engine_log.h"

#include <QTemporaryDir>

using namespace plimsoll;

namespace {

std::string line(const char* type, int seq, const std::string& rest) {
    std::string text = "{\"type\":\"";
    text.append(type)
        .append("\",\"run\":\"a\",\"seq\":")
        .append(std::to_string(seq))
        .append(R"(,"t_s":0.5)")
        .append(rest.empty() ? "" : ",");
    return text.append(rest).append("}");
}

std::string step(int seq, int number, double seconds) {
    return line("step", seq,
                R"("step":)" + std::to_string(number) + R"(,"step_s":)" + std::to_string(seconds)
                    + R"(,"loss":4.5,"tokens":256)");
}

template <class Event>
Event said(const std::string& text) {
    const auto l = read_engine_line(text);
    if (!l || !l->event || !std::holds_alternative<Event>(*l->event)) {
        QTest::qFail(("not such an event: " + text).c_str(), __FILE__, __LINE__);
        return {};
    }
    return std::get<Event>(*l->event);
}

// Joined by line ends, with one at the end as well.
std::string text_of(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& each : lines) all.append(each).append("\n");
    return all;
}

}  // namespace

class EngineEventsTest : public QObject {
    Q_OBJECT

private slots:
    void every_part_of_the_cost_model_can_be_measured() {
        std::string phases;
        double sum = 0, next = 0.001;
        for (const auto& part : step_parts) {
            phases.append(phases.empty() ? "" : ",")
                .append("\"")
                .append(part.id)
                .append("\":{\"max\":1,\"mean\":")
                .append(std::to_string(next))
                .append(",\"min\":0}");
            sum += next;
            next += 0.001;
        }
        const auto s = said<EngineStep>(line("step", 0, R"("step":1,"step_s":0.2,"phase":{)" + phases + "}"));
        QCOMPARE(s.parts.mean.total() / second, sum);
        QCOMPARE(s.parts.most.total() / second, double(std::size(step_parts)));
        QCOMPARE(s.parts.least.total() / second, 0.0);
    }

    void a_step_says_what_it_took() {
        const auto s = said<EngineStep>(
            line("step", 4, R"("step":9,"loss":4.8123,"grad_norm":1.5,"step_s":0.25,"tokens":256,"tok_per_s":1024,
            "pass":{"forward":{"max":0.06,"mean":0.05,"min":0.04}},"phase":{"gemm":{"mean":0.1},)"
                            R"("not_a_part":{"mean":9}},
            "comm":{"data":{"total_s":0.1}},"mem_peak_B":3e8,"energy_J":null,"quality":["contended"],"unknown":[1,)"
                            R"(2])"));
        QCOMPARE(s.step, 9);
        QCOMPARE(*s.loss, 4.8123);
        QCOMPARE(s.rate() / (token / second), 1024.0);
        QCOMPARE(s.passes.most.forward / second, 0.06);
        QCOMPARE(s.passes.least.forward / second, 0.04);
        QCOMPARE(s.parts.most.gemm / second, 0.1);        // said once: the same on every rank
        QCOMPARE(s.parts.mean.total() / second, 0.1);
        QCOMPARE(s.memory_peak / byte, 3e8);
        QVERIFY(!s.energy);
        QCOMPARE(s.quality, std::vector<std::string>{"contended"});
    }

    void a_loss_that_is_not_finite_is_no_loss() {
        QVERIFY(!said<EngineStep>(line("step", 0, R"("step":3,"step_s":0.1,"loss":null,"loss_reason":"nan")")).loss);
    }

    void a_grid_gives_the_layout() {
        const auto l = said<EngineLayout>(line(
            "layout", 2,
            R"("dp":1,"tp":2,"pp":2,"zero":1,"grid":[{"rank":0,"node":0,"dp":0,"tp":0,"pp":0,"device":"cpu"},)"
            R"({"rank":1,"node":"n1","dp":0,"tp":1,"pp":0},
            {"rank":2,"dp":0,"tp":0,"pp":1},{"rank":3,"dp":0,"tp":1,"pp":1}],"loss_floor":1.5,)"
            R"("predicted_B":{"weights":100,"activations":50,"scratch":25,"total":175})"));
        QCOMPARE(l.ranks(), 4);
        QCOMPARE(l.grid.size(), std::size_t(4));
        QCOMPARE(l.grid[1].node, std::string("n1"));
        QCOMPARE(l.grid[2].pipeline, 1);
        QCOMPARE(l.predicted->total() / byte, 175.0);
        QCOMPARE(*l.loss_floor, 1.5);
    }

    void devices_that_ranks_share_are_told_once() {
        const auto d = said<EngineDevices>(line("transport", 2, R"("transport":"host_memory","ranks":[
            {"rank":0,"node":0,"device":"NVIDIA H200","bus_id":"06","memory_B":1.5e11},
            {"rank":1,"node":0,"device":"NVIDIA H200","bus_id":"06","memory_B":1.5e11},
            {"rank":2,"node":1,"device":"NVIDIA H200","bus_id":"06"}])"));
        QCOMPARE(d.used.size(), std::size_t(2));
        QCOMPARE(d.used[0].name, std::string("NVIDIA H200"));
        QCOMPARE(d.used[0].memory / byte, 1.5e11);
        QCOMPARE(d.used[1].node, 1);
    }

    void hardware_and_heartbeats() {
        const auto h = said<EngineHardware>(
            line("hw", 1, R"("cpu_model":"a core","cores":8,"threads_allowed":2,"memory_B":1e10,"governor":null)"));
        QCOMPARE(h.cores, 2);
        QCOMPARE(
            said<EngineBeat>(
                line(
                    "beat", 1,
                    R"("ranks":[{"rank":0,"pass":"backward","phase":"gemm"},{"rank":1,"pass":"forward",)"
                    R"("phase":"bubble"}])"))
                .text,
            std::string("rank 0 backward, gemm; rank 1 forward, bubble"));
    }

    void a_node_says_what_counts_its_energy() {
        const auto e = said<EngineEnergy>(line("energy", 2, R"("node":1,"available":true,"sources":[
            {"source":"rapl","available":false,"reason":"root alone","domains":[],"scope":null},
            {"source":"nvml","available":true,"reason":null,"domains":[{"name":"gpu0","scope":"gpu",)"
            R"("nested_in":null},{"name":"gpu1","scope":"gpu"}],"scope":"gpu"}])"));
        QVERIFY(e.available);
        QCOMPARE(e.node, 1);
        QCOMPARE(e.sources.size(), std::size_t(2));
        QCOMPARE(e.sources[0].reason, std::string("root alone"));
        QVERIFY(e.sources[0].scope.empty() && e.sources[1].reason.empty());
        QCOMPARE(e.sources[1].domains, (std::vector<std::string>{"gpu0", "gpu1"}));
    }
    void power_of_a_domain() {
        const auto p = said<EnginePower>(
            line("power", 2, R"("node":0,"source":"nvml","domain":"gpu0","W":431.5,"J":1200,"counter_age_s":0.05)"));
        QCOMPARE(*p.watts / watt, 431.5);
        QCOMPARE(p.joules / joule, 1200.0);
        QVERIFY(
            !said<EnginePower>(
                 line("power", 2, R"("node":0,"source":"nvml","domain":"gpu0","W":null,"J":0,"counter_age_s":null)"))
                 .watts);
    }
    void a_step_closes_a_window_of_energy() {
        const auto s = said<EngineStep>(line("step", 4, R"("step":9,"step_s":0.5,"energy_J":812.5,"energy_steps":6)"));
        QCOMPARE(*s.energy / joule, 812.5);
        QCOMPARE(s.energy_steps, 6);
    }
    void a_run_sums_up_its_energy() {
        const auto s = said<EngineSummary>(line(
            "summary", 9,
            R"("status":"ok","energy":{"available":true,"scope":"package+gpu","source":"rapl+nvml","nodes":2,"steps":8,
            "window_s":4,"gross_J":4000,"idle_W":250,"net_J":3000})"));
        QVERIFY(s.energy && s.energy->available);
        QCOMPARE(s.energy->gross / s.energy->window / watt, 1000.0);
        QCOMPARE(*s.energy->net / joule, 3000.0);
        const auto none = said<EngineSummary>(
            line("summary", 9, R"("status":"ok","energy":{"available":false,"reason":"no source"})"));
        QCOMPARE(none.energy->reason, std::string("no source"));
        QVERIFY(!none.energy->idle && !said<EngineSummary>(line("summary", 9, R"("status":"ok")")).energy);
    }

    void several_layouts_in_one_log() {
        EngineLog log;
        log.take(line("layout", 0, R"("dp":2)"));
        log.take(step(1, 1, 0.5));
        log.take(line("layout", 2, R"("tp":2)"));
        for (int i = 1; i <= 3; ++i) log.take(step(2 + i, i, 0.1 * i));
        QCOMPARE(log.steps.size(), std::size_t(4));
        QCOMPARE(log.latest().size(), std::size_t(3));
        QCOMPARE(log.typical_step()->wall / second, 0.2);
        QCOMPARE(log.layout->tensor, 2);
    }

    void errors_of_a_rank_are_notes() {
        const auto n =
            said<EngineNote>(line("error", 7, R"("code":"out_of_memory","rank":3,"text":"3 GB short","fatal":true)"));
        QVERIFY(n.error && n.fatal);
        QCOMPARE(*n.rank, 3);
        QVERIFY(!said<EngineNote>(line("warn", 7, R"("code":"contended")")).error);
    }

    void what_is_wrong_is_named_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, std::string text, const char* says) {
            QTest::newRow(name) << std::move(text) << QString(says);
        };
        row("no JSON", "Hello from rank 0", "not JSON");
        row("cut off", "{\"type\":\"step\",\"ru", "not JSON");
        row("a list", "[1]", "expected an object");
        row("no type", "{}", "/type: missing");
        row("a step without time", line("step", 0, R"("step":1)"), "/step_s: missing");
        row("a step before the first", line("step", 0, R"("step":0,"step_s":1)"), "/step: found 0");
        row("time that runs backwards", line("step", 0, R"("step":1,"step_s":-1)"), "/step_s: found");
        row("a phase that is a text", line("step", 0, R"("step":1,"step_s":1,"phase":{"gemm":{"mean":"long"}})"),
            "/phase/gemm/mean: found \"long\"");
        row("a summary without status", line("summary", 0, ""), "/status: missing");
        row("a protocol to come", line("hello", 0, R"("schema":2)"), "protocol 2 is newer than 1");
        row("a line too long", "{\"type\":\"" + std::string(70000, 'x') + "\"}", "longer than 65536");
    }
    void what_is_wrong_is_named() {
        QFETCH(std::string, text);
        QFETCH(QString, says);
        const auto l = read_engine_line(text);
        QVERIFY(!l);
        const QString said = QString::fromStdString(say(l.error()));
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void unknown_types_are_skipped() {
        EngineLog log;
        QVERIFY(!log.take(line("bearing", 0, R"("W":40)")));
        QVERIFY(log.take(step(1, 1, 0.5)));
        QVERIFY(log.problems.empty());
    }

    void a_whole_run() {
        QTemporaryDir dir;
        const auto path = std::filesystem::path(dir.path().toStdString()) / "run.jsonl";
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            text_of({line("hello", 0, R"("schema":1,"engine":"0.1.0")"), step(1, 1, 0.9), step(2, 2, 0.2),
                     step(3, 3, 0.3), step(4, 4, 0.25), line("summary", 5, R"("status":"ok","steps":4,"step_s":0.25)")})
                .c_str());
        file.close();
        const auto log = read_engine_log(path);
        QVERIFY(log.has_value());
        QVERIFY(log->problems.empty());
        QCOMPARE(log->state(), std::string("4 steps, ended ok"));
        QCOMPARE(log->typical_step()->wall / second, 0.25);   // middle of the three after the first
        QCOMPARE(log->hello->version, std::string("0.1.0"));
    }

    void what_a_cut_off_run_leaves_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("steps");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const std::string& text, int steps, const char* state,
                            const char* problem) {
            QTest::newRow(name) << text << steps << QString(state) << QString(problem);
        };
        const std::string seven = text_of({line("hello", 0, ""), step(1, 1, 1), step(2, 2, 1), step(3, 3, 1),
                                           step(4, 4, 1), step(5, 5, 1), step(6, 6, 1), step(7, 7, 1)});
        row("between two lines", seven, 7, "no summary: 7 complete steps kept", "");
        row("inside a line", seven + "{\"type\":\"step\",\"ste", 7, "no summary: 7 complete steps kept",
            "line 9: cut off, skipped");
        row("after one step", text_of({line("hello", 0, ""), step(1, 1, 1)}), 1, "no summary: 1 complete step kept",
            "");
        row("nothing but a beginning", text_of({line("hello", 0, "")}), 0, "no summary: 0 complete steps kept", "");
        row("chatter in between", text_of({line("hello", 0, ""), "mpirun: hello", step(1, 1, 1)}), 1,
            "no summary: 1 complete step kept", "line 2: ");
        row("a line lost", text_of({line("hello", 0, ""), step(2, 2, 1)}), 1, "no summary: 1 complete step kept",
            "line 2: number 2 where 1 was due");
        std::string other = step(1, 9, 1);
        other.replace(other.find(R"("run":"a")"), 9, R"("run":"b")");
        row("a line of another run", text_of({line("hello", 0, ""), other, step(1, 1, 1)}), 1,
            "no summary: 1 complete step kept", "another run, 'b'");
    }
    void what_a_cut_off_run_leaves() {
        QFETCH(std::string, text);
        QFETCH(int, steps);
        QFETCH(QString, state);
        QFETCH(QString, problem);
        QTemporaryDir dir;
        QFile file(dir.filePath("run.jsonl"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.c_str());
        file.close();
        const auto log = read_engine_log(file.fileName().toStdString());
        QVERIFY(log.has_value());
        QCOMPARE(int(log->steps.size()), steps);
        QCOMPARE(QString::fromStdString(log->state()), state);
        QCOMPARE(log->problems.empty(), problem.isEmpty());
        if (!problem.isEmpty())
            QVERIFY2(QString::fromStdString(say(log->problems)).contains(problem), say(log->problems).c_str());
    }

    void a_newer_protocol_is_refused_whole() {
        EngineLog log;
        log.take(line("hello", 0, R"("schema":7)"));
        log.take(step(1, 1, 1));
        QVERIFY(log.refused());
        QVERIFY(log.steps.empty());
    }

    void only_error_lines_of_stderr_are_notes() {
        EngineLog log;
        QVERIFY(!log.take_stderr("[node:1] ORTE daemon"));
        QVERIFY(log.take_stderr(
            R"({"type":"error","run":"a","code":"numerics","rank":1,"text":"the loss is not finite","fatal":true})"));
        QCOMPARE(log.notes.size(), std::size_t(1));
        QVERIFY(log.problems.empty());
    }

    void a_file_of_something_else_is_no_run() {
        QTemporaryDir dir;
        QFile file(dir.filePath("poem.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("Roses are red\nviolets are blue\n");
        file.close();
        QVERIFY(!read_engine_log(file.fileName().toStdString()));
        QVERIFY(!read_engine_log(dir.filePath("nothing").toStdString()));
    }
};

PLIMSOLL_TEST(EngineEventsTest)
#include "tst_engine_events.moc"
