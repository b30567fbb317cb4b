// A checker that lets everything pass is none: a right log passes, and each way of spoiling it is told with its line.
#include "registered_test.h"

#include "engine/report/check.h"
#include "engine/report/log.h"
#include "engine/report/phases.h"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

using namespace plimsoll::engine;
using Json = nlohmann::ordered_json;
using Spoil = std::function<void(std::vector<Json>&)>;
Q_DECLARE_METATYPE(Spoil)

namespace {

// {max, mean, min} of each part, the step split evenly.
Json even(std::vector<std::string> names, double step_s) {
    Json parts = Json::object();
    const double mean = step_s / double(names.size());
    for (const std::string& name : names) parts[name] = {{"max", 1.5 * mean}, {"mean", mean}, {"min", 0.5 * mean}};
    return parts;
}

Json step_line(int step) {
    std::vector<std::string> phases(std::begin(phase_names), std::end(phase_names));
    phases.push_back("recompute");
    return {{"type", "step"},
            {"step", step},
            {"loss", 5.0 - 0.1 * step},
            {"grad_norm", 1.5},
            {"step_s", 0.2},
            {"tokens", 256},
            {"tok_per_s", 1280},
            {"pass", even({std::begin(pass_names), std::end(pass_names)}, 0.2)},
            {"phase", even(phases, 0.2)},
            {"comm", Json::object()},
            {"mem_peak_B", 1000000},
            {"energy_J", nullptr},
            {"quality", Json::array()}};
}

// hello, hw, layout, steps 1 to 3, beat, summary: lines 1 to 8.
std::vector<Json> right_lines() {
    return {
        {{"type", "hello"},
         {"schema", 1},
         {"engine", "0.1.0"},
         {"arguments", Json::array()},
         {"ranks", 2},
         {"seed", 1},
         {"environment", Json::object()}},
        {{"type", "hw"},
         {"node", 0},
         {"cores", 2},
         {"threads", nullptr},
         {"memory_B", 1e9},
         {"caches", Json::array()},
         {"links", Json::array()}},
        {{"type", "layout"},
         {"dp", 2},
         {"tp", 1},
         {"pp", 1},
         {"zero", 0},
         {"recompute", "none"},
         {"micro_batch", 4},
         {"accumulate", 1},
         {"grid", Json::array()},
         {"predicted_B", Json::object()}},
        step_line(1),
        step_line(2),
        step_line(3),
        {{"type", "beat"}, {"ranks", Json::array()}},
        {{"type", "summary"}, {"status", "ok"}, {"steps", 3}, {"loss_first", 4.9}, {"loss_last", 4.7}},
    };
}

// The same with the node's counters on line 3, steps 2 and 3 as a window that closes on line 7, and power on line 8.
std::vector<Json> lines_with_energy() {
    auto lines = right_lines();
    lines[5]["energy_J"] = 120.5;
    lines[5]["energy_steps"] = 2;
    lines[7]["energy"] = {{"available", true}, {"gross_J", 120.5}, {"scope", "node"}};
    lines[6] = {{"type", "power"}, {"node", 0}, {"source", "cray"},     {"domain", "node"},
                {"W", nullptr},    {"J", 3.5},  {"counter_age_s", 0.05}};
    Json counters{{"type", "energy"}, {"node", 0}, {"available", true}, {"sources", Json::array()}};
    counters["sources"].push_back({{"source", "cray"}, {"available", true}});
    counters["sources"].push_back({{"source", "nvml"}, {"available", false}, {"reason", "not installed"}});
    lines.insert(lines.begin() + 2, counters);
    return lines;
}

// Numbered and hashed as a log is; what a line already holds stays.
std::string text_of(const std::vector<Json>& lines) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Json line = {{"type", ""}, {"run", "k3"}, {"seq", i}, {"t_s", 0.5 * double(i)}};
        if (lines[i].value("type", "") == "summary") {
            line["lines"] = i;
            line["hash"] = plimsoll::fingerprint_of(text);
        }
        line.update(lines[i]);
        text += line.dump() + "\n";
    }
    return text;
}

LogCheck check(const std::string& text) {
    std::istringstream in(text);
    return check_log(in);
}

QString told(const LogCheck& check) {
    QString text;
    for (const Finding& finding : check.findings)
        text += QString("%1: %2\n").arg(finding.line).arg(QString::fromStdString(finding.text));
    return text;
}

}  // namespace

class TestEngineCheck : public QObject {
    Q_OBJECT

private slots:
    void a_right_log_passes() {
        const LogCheck found = check(text_of(right_lines()));
        QCOMPARE(told(found), "");
        QCOMPARE(found.status, "ok");
        QCOMPARE(found.steps, 3);
        QCOMPARE(found.lines, 8);
    }
    void a_right_log_with_energy_passes() { QCOMPARE(told(check(text_of(lines_with_energy()))), ""); }
    void spoilt_energy_is_told_data() {
        QTest::addColumn<Spoil>("spoil");
        QTest::addColumn<QString>("finding");
        const auto row = [](const char* name, Spoil spoil, const char* finding) {
            QTest::newRow(name) << spoil << QString(finding);
        };
        using Lines = std::vector<Json>&;
        row(
            "a source that does not say why not", [](Lines l) { l[2]["sources"][1].erase("reason"); },
            "3: energy: a source that is not available gives no reason");
        row(
            "available without a source", [](Lines l) { l[2]["sources"][0] = l[2]["sources"][1]; },
            "3: energy: available is not what the sources say");
        row(
            "available as a word", [](Lines l) { l[2]["available"] = "yes"; },
            "3: energy: available is a text, not true or false");
        row(
            "a step in two windows", [](Lines l) { l[6]["energy_steps"] = 4; },
            "7: step: energy_steps is 4, and 3 steps have no energy yet");
        row(
            "energy of no steps", [](Lines l) { l[6].erase("energy_steps"); },
            "7: step: energy_J and energy_steps come together");
        row("negative energy", [](Lines l) { l[6]["energy_J"] = -1; }, "7: step: energy_J is negative");
        row("power of no domain", [](Lines l) { l[7].erase("domain"); }, "8: power without domain");
        row(
            "a sum that is not the windows'", [](Lines l) { l[8]["energy"]["gross_J"] = 121; },
            "9: energy.gross_J is 121, by the lines above 120.5");
    }
    void spoilt_energy_is_told() {
        QFETCH(Spoil, spoil);
        QFETCH(QString, finding);
        auto lines = lines_with_energy();
        spoil(lines);
        const QString said = told(check(text_of(lines)));
        QVERIFY2(said.contains(finding), qPrintable(said));
    }
    void what_the_log_writes_passes() {
        QTemporaryDir folder;
        const std::string out = folder.filePath("log").toStdString();
        Log log({.out = out, .run = "k3", .stdout_file = -1});
        for (const Json& line : right_lines())
            if (line["type"] != "summary") log.write(line["type"].get<std::string>(), line);
        log.warn("contended", "the machine is somebody else's");
        log.error({ExitCode::numerics, "loss is nan", 1});
        log.close({{"status", "failed"}, {"steps", 3}, {"loss_first", 4.9}, {"loss_last", 4.7}});
        std::ostringstream said;
        QCOMPARE(check_file(out, said), 0);
        QCOMPARE(said.str(), out + ": failed, 10 lines, 3 steps, 0 problems\n");
    }

    void a_spoilt_log_is_told_by_line_data() {
        QTest::addColumn<Spoil>("spoil");
        QTest::addColumn<QString>("finding");
        const auto row = [](const char* name, Spoil spoil, const char* finding) {
            QTest::newRow(name) << spoil << QString(finding);
        };
        using Lines = std::vector<Json>&;
        row("no hello", [](Lines l) { l.erase(l.begin()); }, "1: the first line is not hello");
        row("two of them", [](Lines l) { l[1] = l[0]; }, "2: a second hello");
        row(
            "a line lost",
            [](Lines l) {
                for (std::size_t i = 4; i < 8; ++i) l[i]["seq"] = i + 1;
            },
            "5: seq is 5 where 4 comes next: lines are missing or out of order");
        row("a clock that goes back", [](Lines l) { l[5]["t_s"] = 0.1; }, "6: t_s goes back from 2 to 0.1");
        row("a key missing", [](Lines l) { l[3].erase("loss"); }, "4: step without loss");
        row("a text for a number", [](Lines l) { l[3]["step_s"] = "fast"; }, "4: step: step_s is a text, not a number");
        row("a negative count", [](Lines l) { l[2]["dp"] = -1; }, "3: layout: dp is -1, not a count");
        row(
            "null without a reason", [](Lines l) { l[4]["grad_norm"] = nullptr; },
            "5: step: grad_norm is null without a reason, not a number");
        row(
            "an object for a list", [](Lines l) { l[6]["ranks"] = Json::object(); },
            "7: beat: ranks is {}, not a list");
        row(
            "a step before its layout", [](Lines l) { std::swap(l[2], l[3]); },
            "3: a step before the layout of its run");
        row("a step left out", [](Lines l) { l[4]["step"] = 3; }, "5: step 3 where 2 comes next");
        row("phases that lose a twentieth", [](Lines l) {
            l[4]["step_s"] = 0.2105;
            l[4]["tok_per_s"] = 256 / 0.2105;
        }, "5: the means of phase add up to 0.2 s, step_s is 0.2105 s");
        row(
            "a phase this program knows is missing", [](Lines l) { l[4]["phase"].erase("bubble"); },
            "5: step: phase.bubble has no max");
        row(
            "a mean above the maximum", [](Lines l) { l[4]["pass"]["forward"]["max"] = 0.01; },
            "5: pass.forward: min, mean and max are out of order");
        row(
            "a rate of other tokens", [](Lines l) { l[4]["tok_per_s"] = 640; },
            "5: tok_per_s times step_s is not tokens");
        row(
            "no summary", [](Lines l) { l.pop_back(); },
            "7: the log ends without a summary: what is above can be used, as partial");
        row("something after it", [](Lines l) { l.push_back(l[6]); }, "9: a line after the summary");
        row(
            "an unknown end", [](Lines l) { l[7]["status"] = "fine"; },
            "8: status \"fine\" is none of ok, cancelled, failed, partial");
        row(
            "a wrong hash", [](Lines l) { l[7]["hash"] = "0000000000000000"; },
            "8: hash is \"0000000000000000\", by the lines above ");
        row("a wrong count of steps", [](Lines l) { l[7]["steps"] = 4; }, "8: steps is 4, by the lines above 3");
        row(
            "a loss nobody had", [](Lines l) { l[7]["loss_last"] = 0.1; },
            "8: loss_last is 0.1, by the lines above 4.7");
        row(
            "a longer line than promised", [](Lines l) { l[6]["more"] = std::string(70000, 'x'); },
            "7: longer than 64 KiB");
    }
    void a_spoilt_log_is_told_by_line() {
        QFETCH(Spoil, spoil);
        QFETCH(QString, finding);
        std::vector<Json> lines = right_lines();
        spoil(lines);
        const QString found = told(check(text_of(lines)));
        QVERIFY2(found.contains(finding), qPrintable("found:\n" + found));
    }

    void one_byte_changed_is_found_by_the_hash() {
        std::string text = text_of(right_lines());
        text.replace(text.find("4.8"), 3, "4.7");
        QVERIFY(told(check(text)).contains("8: hash"));
    }
    void a_log_from_before_sha_256_is_checked_by_its_own_hash() {
        std::vector<Json> lines = right_lines();
        lines.pop_back();
        const std::string before = text_of(lines);
        Json summary = right_lines().back();
        summary["seq"] = lines.size();
        summary["lines"] = lines.size();
        summary["run"] = "k3";
        summary["t_s"] = 0.5 * double(lines.size());
        summary["fnv64"] = plimsoll::hex16(plimsoll::fnv1a(before));
        QCOMPARE(told(check(before + summary.dump() + "\n")), QString());
        summary["fnv64"] = "0000000000000000";
        QVERIFY(told(check(before + summary.dump() + "\n")).contains("8: hash"));
    }
    void a_line_that_is_cut_off_leaves_the_rest_usable() {
        std::string text = text_of(right_lines());
        text.resize(text.find("\"step\":3") + 3);
        const LogCheck found = check(text);
        QCOMPARE(found.status, "partial");
        QCOMPARE(found.steps, 2);
        QCOMPARE(found.findings.size(), std::size_t(2));
        QVERIFY(told(found).contains("6: cut off after "));
    }
    void lines_of_somebody_else_are_told() {
        std::string text = text_of(right_lines());
        text.insert(text.find('\n') + 1, "mpirun noticed that\n[1,2]\n{\"type\":3}\n");
        const QString found = told(check(text));
        QVERIFY(found.contains("2: not a JSON object") && found.contains("3: not a JSON object")
                && found.contains("4: line: type is 3, not a text"));
    }
    void unknown_keys_and_types_are_let_pass() {
        auto lines = right_lines();
        lines[3]["phase"]["context_parallel"] = {{"max", 0}, {"mean", 0}, {"min", 0}};
        lines[4]["new_key"] = "of a later minor version";
        lines[6] = {{"type", "weather"}};
        QCOMPARE(told(check(text_of(lines))), "");
    }
    void numbers_that_are_not_finite_pass_with_their_reason() {
        auto lines = right_lines();
        lines[5]["loss"] = nullptr;
        lines[5]["loss_reason"] = "nan";
        lines[7]["loss_last"] = nullptr;
        QCOMPARE(told(check(text_of(lines))), "");
    }
    void a_newer_schema_is_refused() {
        auto lines = right_lines();
        lines[0]["schema"] = 2;
        lines[3].erase("loss");
        const LogCheck found = check(text_of(lines));
        QCOMPARE(found.findings.size(), std::size_t(1));
        QVERIFY(told(found).startsWith("1: schema 2 is newer than 1"));
    }
    void several_runs_share_a_log() {
        auto lines = right_lines();
        auto layout = lines[2], step = lines[3];
        const Json first{{"type", "run"}, {"steps", 3}, {"loss_first", 4.9}, {"loss_last", 4.7}};
        lines.insert(lines.begin() + 6, {first, layout, step});
        lines.back().update({{"steps", 1}, {"loss_first", step["loss"]}, {"loss_last", step["loss"]}});
        QCOMPARE(told(check(text_of(lines))), "");
        lines[6]["loss_last"] = 1;
        QVERIFY(told(check(text_of(lines))).contains("7: loss_last is 1"));
    }
    void files_that_are_no_log_are_told_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no line end") << QByteArray("{}");
        QTest::newRow("bytes") << QByteArray("\x7f\x45\x4c\x46\0\xff\n\n", 8);
        QTest::newRow("brackets without end") << QByteArray(200000, '[') + "\n";
        QTest::newRow("numbers beyond numbers")
            << QByteArray("{\"type\":\"step\",\"run\":\"r\",\"seq\":99999999999999999999,\"t_s\":1e999}\n");
        QTest::newRow("parts that are no parts")
            << QByteArray("{\"type\":\"step\",\"step_s\":1,\"phase\":{\"gemm\":3},\"pass\":[1]}\n");
    }
    void files_that_are_no_log_are_told() {
        QFETCH(QByteArray, bytes);
        QTemporaryDir folder;
        const std::string path = folder.filePath("log").toStdString();
        std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
        std::ostringstream said;
        QCOMPARE(check_file(path, said), 2);
        QVERIFY(said.str().find(path) == 0);
    }
    void a_file_that_is_not_there_is_named() {
        std::ostringstream said;
        QCOMPARE(check_file("nowhere.jsonl", said), 2);
        QCOMPARE(said.str(), "nowhere.jsonl: cannot be read\n");
    }
};

PLIMSOLL_TEST(TestEngineCheck)
#include "tst_engine_check.moc"
