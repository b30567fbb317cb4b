// What happens at Calibrate on every machine that ships, each tried: it is planned for that computer, or becomes a
// script that a shell executes with the launcher and the engine stood in, or is refused with what works, which is
// tried as well. The engine's own parser reads every word that any of them would hand it.
#include "registered_test.h"

#include "core/files/measured/calibration_plan.h"
#include "core/files/launch/calibration_start.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "engine/arguments/options_parse.h"
#include "engine/train/run.h"
#include "job_stage.h"

#include <QRegularExpression>

#include <set>

using namespace plimsoll;

namespace {

const Library& all_presets() {
    static const Library l = load_library(std::vector<std::filesystem::path>{PLIMSOLL_PRESETS_DIR});
    return l;
}

Scenario on_machine(const std::string& id, Precision precision = Precision::bf16) {
    static const Scenario small =
        read_scenario(*read_text(all_presets().scenarios.at("gpt2-124m-laptop")), all_presets())->scenario;
    Scenario s = small;
    s.machine = all_presets().machines.at(id);
    s.recipe.precision = precision;
    return s;
}

const Stack& engine_stack() { return all_presets().stacks.at("plimsoll-engine"); }

std::string in_lines(const Sentences& sentences) {
    std::string text;
    for (const std::string& each : sentences) text += each + "\n";
    return text;
}

// What follows the word among `words`, as "--nodes 2" or "--nodes=2"; empty: it is not there.
QString after(const QStringList& words, std::initializer_list<const char*> names) {
    for (qsizetype i = 0; i < words.size(); ++i)
        for (const char* name : names) {
            if (words[i] == QLatin1String(name) && i + 1 < words.size()) return words[i + 1];
            if (words[i].startsWith(QLatin1String(name) + u'=')) return words[i].mid(qsizetype(qstrlen(name)) + 1);
        }
    return {};
}
QStringList qt_words(const std::vector<std::string>& words) {
    QStringList all;
    for (const std::string& word : words) all << QString::fromStdString(word);
    return all;
}

// A job as the options of `plimsoll calibrate` ask for it.
struct Asked {
    BatchKind kind;
    JobRequest request;
    int trial_steps = 0;
};
Asked asked_by(const std::vector<std::string>& options) {
    const QStringList words = qt_words(options);
    Asked asked{*batch_kind_from(after(words, {"--script"}).toStdString()), {}, 0};
    asked.request.account = after(words, {"--account"}).toStdString();
    asked.request.nodes = after(words, {"--nodes"}).toInt();
    asked.trial_steps = after(words, {"--trial"}).toInt();
    return asked;
}

// The tasks that a launcher was asked to start, on so many nodes.
struct Tasks {
    int all = 0, nodes = 0;
};
Tasks tasks_of(const QStringList& launched, const QString& script) {
    const QString tool = launched.value(0);
    if (tool == "jsrun") {
        const int sets = after(launched, {"-n", "--nrs"}).toInt();
        return {sets * after(launched, {"-a", "--tasks_per_rs"}).toInt(),
                sets / std::max(1, after(launched, {"-r", "--rs_per_host"}).toInt())};
    }
    if (tool == "mpiexec" && script.contains("#PJM ")) {
        static const QRegularExpression line("#PJM --mpi \"proc=(\\d+),max-proc-per-node=(\\d+)\"");
        const auto found = line.match(script);
        return {found.captured(1).toInt(), found.captured(1).toInt() / std::max(1, found.captured(2).toInt())};
    }
    if (tool == "mpiexec") {
        const int all = after(launched, {"-n"}).toInt();
        return {all, all / std::max(1, after(launched, {"-ppn"}).toInt())};
    }
    // srun takes from the job's directives what its own words do not say.
    QStringList said = launched;
    for (const QString& line : script.split(u'\n'))
        if (line.startsWith("#SBATCH ")) said += line.mid(8).split(u' ');
    const int nodes = after(said, {"-N", "--nodes"}).toInt(), all = after(said, {"-n", "--ntasks"}).toInt();
    return {all > 0 ? all : nodes * after(said, {"--ntasks-per-node"}).toInt(), nodes};
}

const char* device_of(DeviceKind kind) {
    return kind == DeviceKind::nvidia ? "cuda" : kind == DeviceKind::amd ? "hip" : "cpu";
}

}  // namespace

class TestEngineMachines : public QObject {
    Q_OBJECT

    // Every run of a plan as the engine reads it, on top of the words that the job or the window gives: they parse,
    // have no problem on that many ranks, compute on that device, and fit its memory by the engine's own count.
    static void takes(const ExperimentPlan& plan, const engine::Options& defaults, DeviceKind kind) {
        std::set<std::string> ids;
        for (const PlannedRun& run : plan.runs) {
            const engine::Parsed parsed = engine::parse(run.words, defaults);
            QVERIFY2(parsed.message.empty(), (run.id + ": " + parsed.message).c_str());
            const auto found = engine::problems(parsed.options, run.ranks);
            QVERIFY2(found.empty(), (run.id + ": " + in_lines(found)).c_str());
            QCOMPARE(QString(engine::name_of(parsed.options.device)), QString(device_of(kind)));
            QVERIFY2(run.ranks <= plan.ranks && ids.insert(run.id).second, run.id.c_str());
            if (run.role == Role::measure || !run.repeats.empty()) continue;
            engine::Options options = parsed.options;
            options.threads = std::max(1, options.threads);
            const double need = double(engine::predict_memory(options, 0).total);
            QVERIFY2(need < plan.machine.device.memory / byte,
                     (run.id + " needs " + std::to_string(need / 1e9) + " GB").c_str());
        }
    }

    // The script executed with launcher and engine stood in; the engine's options come back as its parser read them.
    static void execute(const Machine& m, const Asked& asked, engine::Options& options) {
        JobStage stage;
        JobRequest request = asked.request;
        request.folder = stage.folder().toStdString();
        request.engine = stage.engine_path().toStdString();
        const auto job = calibration_job(m, asked.kind, request);
        QVERIFY2(job.has_value(), job ? "" : in_lines(job.error()).c_str());
        const QString script = QString::fromStdString(text_of(*job, "job.sh"));
        for (const BatchKind other : batch_kinds()) {
            const std::string prefix = "\n" + std::string(directive_prefix(other));
            QCOMPARE(script.contains(QString::fromStdString(prefix)), other == asked.kind);
        }
        QCOMPARE(stage.run(*job), 7);   // the stood-in engine's
        QVERIFY2(!QFile::exists(stage.folder() + "/evil"), qPrintable(script));
        QCOMPARE(QProcess::execute("bash", {"-n", stage.folder() + "/job.sh"}), 0);
        const Tasks tasks = tasks_of(stage.launched(), script);
        QCOMPARE(tasks.all, job->shape.ranks());
        QCOMPARE(tasks.nodes, job->shape.nodes);
        const QStringList seen = QString::fromUtf8(stage.seen()).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(seen.value(0), stage.folder());
        std::vector<std::string> words;
        for (const QString& word : seen.mid(1)) words.push_back(word.toStdString());
        const auto read = engine::with_files(words);
        QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
        const engine::Parsed parsed = engine::parse(*read, {});
        QVERIFY2(parsed.message.empty(), parsed.message.c_str());
        QCOMPARE(parsed.options.out, std::string("result.jsonl"));
        QCOMPARE(parsed.options.cancel_file, std::string("stop"));
        options = parsed.options;
    }

    static void try_here(const std::string& id, const CalibrationStart& start) {
        const Machine& m = all_presets().machines.at(id);
        QCOMPARE(start.options, (std::vector<std::string>{"--run", "local"}));
        for (const Precision precision : {Precision::fp32, Precision::bf16})
            for (const int cores : {1, 2, 3, 4, 8, 96}) {
                const Computer computer{cores, std::max(m.host.memory, double(cores) * gibibyte), false,
                                        std::vector<std::string>(std::size_t(m.devices_per_node), m.device.name)};
                const auto plan = plan_experiments(on_machine(id, precision),
                                                   place_here(on_machine(id, precision),
                                                              all_presets().machines.at("cpu-2core"), engine_stack(),
                                                              computer));
                QVERIFY2(plan.has_value(), plan ? "" : in_lines(plan.error()).c_str());
                takes(*plan, {}, start.device);
                if (QTest::currentTestFailed()) return;
            }
    }

    static void try_script(const std::string& id, const CalibrationStart& start) {
        for (const Precision precision : {Precision::fp32, Precision::bf16}) {
            Asked asked = asked_by(start.options);
            const Scenario subject = on_machine(id, precision);
            const auto plan = plan_for_job(subject, engine_stack(), asked.kind, {}, asked.request);
            QVERIFY2(plan.has_value(), plan ? "" : in_lines(plan.error()).c_str());
            engine::Options options;
            execute(subject.machine, asked, options);
            if (QTest::currentTestFailed()) return;
            QCOMPARE(options.calibrate, std::string("plan.json"));
            const auto read = read_calibration_plan(asked.request.plan);   // what lies beside the script
            QVERIFY2(read.has_value(), read ? "" : say(read.error()).c_str());
            QVERIFY(read->ranks <= start.nodes * start.ranks_per_node);
            takes(*read, options, start.device);
            if (QTest::currentTestFailed()) return;
        }
    }

    static void try_way_out(const std::string& id, const WayOut& out) {
        if (const QString setting = after(qt_words(out.options), {"--set"}); !setting.isEmpty()) {
            QVERIFY(setting.startsWith("machine="));
            const std::string other = setting.mid(8).toStdString();
            const auto start = calibration_start(on_machine(other), all_presets());
            QVERIFY(start.way != CalibrationWay::refused);
            return try_script(other, start);
        }
        Asked asked = asked_by(out.options);
        const Machine& m = all_presets().machines.at(id);
        engine::Options options;
        if (asked.trial_steps == 0) {
            const auto plan = plan_for_job(on_machine(id), engine_stack(), asked.kind, {}, asked.request);
            QVERIFY2(plan.has_value(), plan ? "" : in_lines(plan.error()).c_str());
            execute(m, asked, options);
            if (!QTest::currentTestFailed()) takes(*plan, options, device_kind(m));
            return;
        }
        const int ranks = job_shape(m, asked.kind, asked.request).ranks();
        asked.request.options = trial_options(asked.trial_steps, ranks);
        execute(m, asked, options);
        if (QTest::currentTestFailed()) return;
        const auto found = engine::problems(options, ranks);
        QVERIFY2(found.empty(), in_lines(found).c_str());
        QCOMPARE(options.train.steps, 3);
        QVERIFY(options.device == engine::Platform::cpu);
    }

private slots:
    void every_machine_runs_or_has_a_script_or_is_refused_with_what_works_data() {
        QTest::addColumn<QString>("way");
        int machine = 0;
        for (const MachineStart& m : calibration_starts(on_machine("laptop"), all_presets()))
            if (machine++ % testing::one_in == 0)
                QTest::newRow(m.id.c_str()) << QString::fromStdString(say_way(m.start));
        QVERIFY(all_presets().machines.size() >= 91);
    }
    void every_machine_runs_or_has_a_script_or_is_refused_with_what_works() {
        const std::string id = QTest::currentDataTag();
        const CalibrationStart start = calibration_start(on_machine(id), all_presets());
        QTEST(QString::fromStdString(say_way(start)), "way");   // whatever the precision of the plan
        if (start.way == CalibrationWay::refused) {
            QVERIFY2(!start.reasons.empty() && !start.works.empty(), in_lines(start.reasons).c_str());
            QVERIFY(start.options.empty() && start.precisions.empty());
            for (const WayOut& out : start.works) {
                try_way_out(id, out);
                if (QTest::currentTestFailed()) return;
            }
            return;
        }
        QVERIFY(start.works.empty() && !start.precisions.empty());
        QVERIFY(start.precisions.front() == Precision::fp32);
        const bool on_processors = start.device == DeviceKind::processor;
        QCOMPARE(start.precisions.size(), on_processors ? std::size_t(1) : std::size_t(2));
        if (start.way == CalibrationWay::here) try_here(id, start);
        else try_script(id, start);
    }

    // Two nodes show the network between them: where it is one, the reason is there, and it holds.
    void a_job_on_one_node_says_why_not_on_two() {
        for (const MachineStart& m : not_empty(calibration_starts(on_machine("laptop"), all_presets()))) {
            if (m.start.way != CalibrationWay::script) continue;
            const bool fewer = m.start.nodes < std::min(2, all_presets().machines.at(m.id).nodes);
            QVERIFY2(fewer != m.start.reasons.empty(), m.id.c_str());
        }
    }

    // A plan without a limit in time always fits: a wide model on 72 GPUs takes longer than ten minutes.
    void a_time_that_is_named_and_too_short_is_refused_with_one_that_works() {
        const Scenario subject = on_machine("el-capitan");
        JobRequest request;
        const auto usual = plan_for_job(subject, engine_stack(), BatchKind::flux, {}, request);
        QVERIFY2(usual.has_value(), usual ? "" : in_lines(usual.error()).c_str());
        QVERIFY(request.budget == usual->expected());
        const auto limited = plan_for_job(subject, engine_stack(), BatchKind::flux, {.budget = 60 * second}, request);
        QVERIFY(!limited);
        QVERIFY2(in_lines(limited.error()).find("is the least") != std::string::npos,
                 in_lines(limited.error()).c_str());
    }
};

PLIMSOLL_TEST(TestEngineMachines)
#include "tst_engine_machines.moc"
