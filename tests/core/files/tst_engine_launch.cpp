// How the engine is started, and a plan in its options.
#include "registered_test.h"

#include "core/files/launch/engine_launch.h"
#include "core/evidence/calibration/plan/trial.h"
#include "core/answers/plan/estimate.h"
#include "random_plans.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

using Words = std::vector<std::string>;

QString command(const ProcessStart& start) {
    QString text;
    for (const auto& [name, value] : start.environment) text += QString::fromStdString(name + "=" + value + " ");
    text += QString::fromStdString(start.program);
    for (const std::string& word : start.arguments) text += " " + QString::fromStdString(word);
    return text;
}

EngineHost host(Mpi mpi, bool root, int cores) {
    return {"/opt/plimsoll-engine", "/usr/bin/mpirun", mpi, root, {cores, 24 * gibibyte}};
}

Scenario trial(TrialRun t) {
    return trial_plan(t, shared_by(library().machines.at("cpu-2core"), {2, 24 * gibibyte}, t.ranks()),
                      library().stacks.at("plimsoll-engine"));
}

QString value_of(const Words& words, const char* name) {
    const auto at = std::find(words.begin(), words.end(), name);
    return at == words.end() || at + 1 == words.end() ? QString() : QString::fromStdString(at[1]);
}

}  // namespace

class EngineLaunchTest : public QObject {
    Q_OBJECT

private slots:
    void the_recipe_data() {
        QTest::addColumn<EngineHost>("host");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("said");
        QTest::newRow("one rank needs no mpirun")
            << host(Mpi::open_mpi, true, 2) << 1 << "/opt/plimsoll-engine --stdin-stops --steps 3";
        QTest::newRow("a rank on every core") << host(Mpi::open_mpi, false, 2) << 2
            << "/usr/bin/mpirun --oversubscribe --bind-to none -np 2 /opt/plimsoll-engine --stdin-stops --steps 3";
        QTest::newRow("as root") << host(Mpi::open_mpi, true, 2) << 2
                                 << "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 /usr/bin/mpirun "
                                    "--oversubscribe --bind-to none -np 2 /opt/plimsoll-engine --stdin-stops --steps 3";
        QTest::newRow("more ranks than cores yield")
            << host(Mpi::open_mpi, false, 2) << 4
            << "/usr/bin/mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -np 4 /opt/plimsoll-engine "
               "--stdin-stops --steps 3";
        QTest::newRow("MPICH, as root, more ranks than cores") << host(Mpi::mpich, true, 2) << 4
            << "/usr/bin/mpirun -bind-to none -np 4 /opt/plimsoll-engine --stdin-stops --steps 3";
    }
    void the_recipe() {
        QFETCH(EngineHost, host);
        QFETCH(int, ranks);
        QFETCH(QString, said);
        QCOMPARE(command(engine_start(host, ranks, {"--steps", "3"})), said);
    }

    // Longer than the engine takes itself: five seconds, or two steps and a half.
    void the_longest_step_says_how_long_an_end_may_take_data() {
        QTest::addColumn<double>("step_s");
        QTest::addColumn<int>("terminate_ms");
        QTest::newRow("no step yet") << 0.0 << 6000;
        QTest::newRow("a short step") << 0.2 << 6000;
        QTest::newRow("a step of half a minute") << 30.0 << 76000;
        QTest::newRow("a step of an hour") << 3600.0 << 601000;
    }
    void the_longest_step_says_how_long_an_end_may_take() {
        QFETCH(double, step_s);
        QFETCH(int, terminate_ms);
        EngineLog log;
        QCOMPARE(longest_step(log), Seconds{});
        for (const double wall : {step_s / 2, step_s, step_s / 3}) log.steps.emplace_back().wall = wall * second;
        const StopLadder patience = engine_patience(longest_step(log));
        QCOMPARE(int(patience.terminate.count()), terminate_ms);
        QCOMPARE(int(patience.kill.count()), terminate_ms + 2000);
    }

    void an_mpirun_that_does_not_answer_is_named() {
        QTemporaryDir folder;
        QFile mpirun(folder.filePath("mpirun"));
        QVERIFY(mpirun.open(QFile::WriteOnly));
        mpirun.write("#!/bin/sh\nexec sleep 60\n");
        mpirun.close();
        mpirun.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PLIMSOLL_ENGINE", "/bin/true");
        qputenv("PLIMSOLL_MPIRUN", mpirun.fileName().toLocal8Bit());
        const auto host = find_engine_host(true, std::chrono::milliseconds(50));
        QVERIFY(!host);
        const QString why = QString::fromStdString(host.error());
        QVERIFY2(why.startsWith(mpirun.fileName() + " --version has not ended within 50 ms"), qPrintable(why));
    }

    void whose_mpirun_it_is_data() {
        QTest::addColumn<std::string>("version");
        QTest::addColumn<int>("mpi");
        QTest::newRow("Open MPI 4") << std::string(
            "mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n")
                                    << int(Mpi::open_mpi);
        QTest::newRow("Open MPI 5, by PRRTE") << std::string("prterun (PRRTE) 3.0.7") << int(Mpi::open_mpi);
        QTest::newRow("MPICH") << std::string(
            "HYDRA build details:\n    Version:                                 4.0.2\n")
                               << int(Mpi::mpich);
        QTest::newRow("Intel") << std::string("Intel(R) MPI Library for Linux* OS, Version 2021.9") << int(Mpi::mpich);
    }
    void whose_mpirun_it_is() {
        QFETCH(std::string, version);
        QTEST(int(mpi_from(version)), "mpi");
    }

    void ranks_are_the_product_of_the_degrees_data() {
        QTest::addColumn<Words>("words");
        QTest::addColumn<int>("ranks");
        QTest::newRow("none given") << Words{"--steps", "3"} << 1;
        QTest::newRow("data alone") << Words{"--dp", "2", "--steps", "3"} << 2;
        QTest::newRow("in both spellings") << Words{"--dp=2", "--tp", "2", "--pp=2"} << 8;
        QTest::newRow("an option that begins alike") << Words{"--dpx", "7", "--dp", "2"} << 2;
        QTest::newRow("no number: the engine will say so") << Words{"--dp", "many"} << 1;
        QTest::newRow("the value is missing") << Words{"--dp"} << 1;
    }
    void ranks_are_the_product_of_the_degrees() {
        QFETCH(Words, words);
        QTEST(ranks_of(words), "ranks");
    }

    void a_trial_in_options() {
        TrialRun t;
        t.data = 2;
        t.tensor = 2;
        t.zero_stage = 1;
        t.recompute = Recompute::full;
        t.sequence_parallel = true;
        t.micro_batch = 4;
        t.accumulate = 3;
        const auto options = engine_options(trial(t), {.steps = 7});
        QVERIFY(options.has_value());
        QVERIFY(options->remarks.empty());
        const Words expected{"--model",
                             "gpt2",
                             "--layers",
                             "6",
                             "--width",
                             "384",
                             "--heads",
                             "6",
                             "--kv-heads",
                             "6",
                             "--ffn",
                             "1536",
                             "--vocabulary",
                             "8192",
                             "--sequence",
                             "256",
                             "--dp",
                             "2",
                             "--tp",
                             "2",
                             "--pp",
                             "1",
                             "--sp",
                             "--zero",
                             "1",
                             "--recompute",
                             "full",
                             "--micro-batch",
                             "4",
                             "--accumulate",
                             "3",
                             "--precision",
                             "fp32",
                             "--optimizer",
                             "adamw",
                             "--rate",
                             "0.0003",
                             "--steps",
                             "7"};
        QCOMPARE(options->words, expected);
        QCOMPARE(ranks_of(options->words), 4);
    }

    void options_say_what_the_plan_says() {
        int written = 0;
        for (Scenario s : random_plans(3000)) {
            s.model = model_of(
                trial_models()[written % 2 == 0 ? 1 : 2]);  // most random models and recipes are beyond the engine
            s.compression = {};
            s.layout.offload = {};
            s.layout.context_parallel = s.layout.expert_parallel = s.layout.expert_tensor_parallel = 1;
            s.layout.recompute_layers = s.layout.shard_group = 0;
            s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
            s.recipe.precision = Precision::bf16;
            s.recipe.optimizer = Optimizer::adam;
            const auto options = engine_options(s, {});
            if (!options) continue;
            ++written;
            const Words& w = options->words;
            QCOMPARE(ranks_of(w), s.layout.devices);
            QCOMPARE(value_of(w, "--dp").toInt() * value_of(w, "--micro-batch").toInt()
                         * value_of(w, "--accumulate").toInt(),
                     s.recipe.global_batch_sequences);
            QCOMPARE(value_of(w, "--vocabulary").toInt() % s.layout.tensor_parallel, 0);
            QCOMPARE(value_of(w, "--model") == "llama", gated(s.model.activation));
            const bool hides = s.stack.gradients.overlap > 0 && s.layout.data_parallel > 1;
            const auto has = [&w](const char* flag) { return std::ranges::count(w, std::string(flag)) == 1; };
            QCOMPARE(has("--sp"), s.layout.sequence_parallel && s.layout.tensor_parallel > 1);
            QCOMPARE(has("--overlap"), hides && s.layout.zero_stage < 2);
            const std::string waits = "The engine hides reductions behind the backward pass under ZeRO 0 and 1 only.";
            QCOMPARE(std::ranges::count(options->remarks, waits) == 1, hides && s.layout.zero_stage >= 2);
            QCOMPARE(w.size() % 2 == 1, has("--sp") != has("--overlap"));  // the options without a value
        }
        QVERIFY2(written > 20, qPrintable(QString::number(written)));
    }

    void what_the_engine_cannot_do_is_said_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* says, auto change) {
            Scenario s = trial({.data = 2});
            change(s);
            QTest::newRow(name) << s << QString(says);
        };
        row("obstacles of the plan first", "not a multiple", [](Scenario& s) { s.layout.micro_batch = 3; });
        row("half precision", "fp32 or bf16", [](Scenario& s) {
            s.recipe.precision = Precision::fp16;
            s.machine.device.fp16 = s.machine.device.fp32;
        });
        row("rotary positions with GELU", "two kinds of model",
            [](Scenario& s) { s.model.positions = Positions::rotary; });
        row("context parallelism", "no context parallelism", [](Scenario& s) {
            s.layout.context_parallel = 2;
            s.layout.data_parallel = 1;
        });
        row("a zero-bubble schedule", "zero-bubble", [](Scenario& s) {
            s.layout.schedule = Schedule::zb_h1;
            s.layout.pipeline_parallel = 2;
            s.layout.data_parallel = 1;
            s.stack.sharding.stage_with_pipeline = 3;
        });
        row("some layers recomputed", "all layers or none", [](Scenario& s) {
            s.layout.recompute = Recompute::full;
            s.layout.recompute_layers = 2;
        });
        row("K-FAC", "adam and sgd", [](Scenario& s) { s.recipe.optimizer = Optimizer::kfac; });
        row("heads of their own width", "64 rather than 32", [](Scenario& s) { s.model.head_dim = 32; });
        row("experts", "no experts", [](Scenario& s) {
            s.model.experts.count = 4;
            s.model.experts.top_k = 2;
            s.model.experts.ffn = 512;
        });
    }
    void what_the_engine_cannot_do_is_said() {
        QFETCH(Scenario, plan);
        QFETCH(QString, says);
        const auto options = engine_options(plan, {});
        QVERIFY(!options);
        QString all;
        for (const std::string& why : options.error()) all += QString::fromStdString(why) + '\n';
        QVERIFY2(all.contains(says), qPrintable(all));
    }

    void what_is_left_out_is_a_remark() {
        Scenario s = trial({});
        s.model.dropout = true;
        s.model.vocabulary = 8190;
        s.model.vocabulary_padding = 128;
        const auto options = engine_options(s, {});
        QVERIFY(options.has_value());
        QCOMPARE(options->remarks.size(), std::size_t(2));
        QCOMPARE(value_of(options->words, "--vocabulary"), QString("8192"));
    }

    void reductions_are_hidden_where_the_plan_hides_them() {
        Scenario s = trial({.data = 2, .zero_stage = 1});
        const auto overlaps = [](const Scenario& plan) {
            const Words words = engine_options(plan, {})->words;
            return std::ranges::find(words, std::string("--overlap")) != words.end();
        };
        QVERIFY(!overlaps(s));
        s.stack.gradients.overlap = 0.9;
        QVERIFY(overlaps(s));
        QVERIFY(!overlaps(trial({})));
    }

    void exit_codes_have_words() {
        QVERIFY(say_exit(0).empty());
        QVERIFY(say_exit(1).empty());
        QCOMPARE(say_exit(139), std::string("ended by signal 11"));
        QVERIFY(say_exit(4).find("memory") != std::string::npos);
    }
};

PLIMSOLL_TEST(EngineLaunchTest)
#include "tst_engine_launch.moc"
