// The plan of a calibration: what runs, what is held back, what is asked of the engine, how long it takes.
#include "registered_test.h"

#include "core/evidence/calibration/plan/experiments.h"
#include "core/evidence/calibration/plan/layouts.h"
#include "core/answers/plan/estimate.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/presets/scenario_json.h"
#include "shipped.h"

#include <set>

using namespace plimsoll;

namespace {

Scenario subject(const char* preset = "gpt3-175b-1024-a100") {
    return read_scenario(*read_text(library().scenarios.at(preset)), library())->scenario;
}

CalibrationPlace two_cores(Seconds budget = {}) {
    return {.machine = library().machines.at("cpu-2core"),
            .engine = library().stacks.at("plimsoll-engine"),
            .ranks = 2,
            .budget = budget};
}

CalibrationPlace devices(int ranks, const char* machine = "dgx-h100") {
    return {.machine = library().machines.at(machine),
            .engine = library().stacks.at("plimsoll-engine"),
            .ranks = ranks,
            .nodes = ranks > 8 ? ranks / 8 : 1,
            .accelerator = true};
}

const PlannedRun& run_of(const ExperimentPlan& plan, const std::string& id) {
    for (const PlannedRun& run : plan.runs)
        if (run.id == id) return run;
    static const PlannedRun none;
    QTest::qFail(("no run " + id).c_str(), __FILE__, __LINE__);
    return none;
}

std::string after(const PlannedRun& run, const std::string& option) {
    const auto at = std::find(run.words.begin(), run.words.end(), option);
    return at == run.words.end() || at + 1 == run.words.end() ? "" : *(at + 1);
}

std::vector<std::string> ids(const ExperimentPlan& plan, Role role, bool fair = true) {
    std::vector<std::string> all;
    for (const PlannedRun& run : plan.runs)
        if (run.role == role && run.fair == fair && run.repeats.empty()) all.push_back(run.id);
    return all;
}

}  // namespace

Q_DECLARE_METATYPE(CalibrationPlace)

class ExperimentsTest : public QObject {
    Q_OBJECT

private slots:
    void two_cores_hold_back_what_differs_in_one_thing() {
        const auto plan = plan_experiments(subject(), two_cores());
        QVERIFY(plan);
        QCOMPARE(ids(*plan, Role::fit), (std::vector<std::string>{"one", "dp2", "tp2", "dp2-zero3"}));
        QCOMPARE(ids(*plan, Role::held_out),
                 (std::vector<std::string>{"pp2-m4", "tp2-sp", "dp2-full", "deeper-dp2", "deeper-zero3", "wider-tp2"}));
        QCOMPARE(ids(*plan, Role::held_out, false), (std::vector<std::string>{"dp4", "dp2-tp2"}));
        QCOMPARE(plan->ranks, 4);
        QVERIFY(!run_of(*plan, "dp4").caution.empty());
    }

    // The fit sees half of the ranks and degrees of two; what is held back goes beyond both.
    void what_is_held_back_goes_beyond_what_the_fit_saw_data() {
        QTest::addColumn<CalibrationPlace>("place");
        auto four = two_cores(), twelve = two_cores();
        four.ranks = 4, twelve.ranks = 12;
        QTest::newRow("four cores") << four;
        QTest::newRow("twelve cores") << twelve;
        QTest::newRow("a node of H100s") << devices(8);
        QTest::newRow("two nodes of H100s") << devices(16);
    }
    void what_is_held_back_goes_beyond_what_the_fit_saw() {
        QFETCH(CalibrationPlace, place);
        const auto plan = plan_experiments(subject(), place);
        QVERIFY2(plan, plan ? "" : plan.error().front().c_str());
        int most_held = 0, tensor = 0, pipeline = 0;
        for (const PlannedRun& run : plan->runs) {
            if (run.role == Role::fit) {
                QVERIFY2(2 * run.ranks <= place.ranks, run.id.c_str());
                QVERIFY2(run.plan.layout.tensor_parallel <= 2 && run.plan.layout.pipeline_parallel <= 2,
                         run.id.c_str());
            }
            if (run.role != Role::held_out) continue;
            most_held = std::max(most_held, run.ranks);
            tensor = std::max(tensor, run.plan.layout.tensor_parallel);
            pipeline = std::max(pipeline, run.plan.layout.pipeline_parallel);
        }
        QCOMPARE(most_held, place.ranks);
        QCOMPARE(tensor, 4);
        QCOMPARE(pipeline, 4);
    }

    // Before the engine opens a device, and never on processors, where no library's kernel stands for the device's.
    void a_library_s_attention_comes_first_and_on_gpus_alone() {
        const auto on_gpus = plan_experiments(subject(), devices(16));
        const auto on_cores = plan_experiments(subject(), two_cores());
        QVERIFY(on_gpus && on_cores);
        QCOMPARE(on_gpus->runs.front().id, std::string(library_attention_id));
        QCOMPARE(on_gpus->runs.front().ranks, 1);
        QCOMPARE(after(on_gpus->runs.front(), "--bench"), std::string("library"));
        for (const PlannedRun& run : on_cores->runs) QVERIFY(run.id != library_attention_id);
        const auto names = [](const ExperimentPlan& plan) {
            return std::count_if(plan.constants.begin(), plan.constants.end(), [](const PlannedConstant& c) {
                return c.pointer.starts_with("/device/efficiency/flash_") && c.experiment == library_attention_id;
            });
        };
        QCOMPARE(names(*on_gpus), 2);
        QCOMPARE(names(*on_cores), 0);
    }

    void every_layout_is_visited_twice_and_all_once_before_any_again() {
        const auto plan = plan_experiments(subject(), two_cores());
        QVERIFY(plan);
        for (const Role role : {Role::fit, Role::held_out}) {
            std::vector<std::string> order;
            for (const PlannedRun& run : plan->runs)
                if (run.role == role && run.fair) order.push_back(run.repeats.empty() ? run.id : run.repeats);
            const auto once = ids(*plan, role);
            std::vector<std::string> twice = once;
            twice.insert(twice.end(), once.begin(), once.end());
            QCOMPARE(order, twice);
        }
        for (const PlannedRun& run : plan->runs)
            if (!run.repeats.empty()) QCOMPARE(run.words, run_of(*plan, run.repeats).words);
        const PlannedRun& last = plan->runs.back();
        QCOMPARE(last.role, Role::extra);       // a layout that fits, once more at the end
        QCOMPARE(last.repeats, std::string("dp2"));
        QCOMPARE(plan->visits_of(run_of(*plan, "dp2")).size(), std::size_t(2));
    }

    void a_job_runs_no_more_ranks_than_it_starts() {
        for (int ranks = 1; ranks <= 9; ++ranks) {
            CalibrationPlace place = two_cores();
            place.ranks = ranks;
            place.fixed = true;
            const auto plan = plan_experiments(subject("gpt2-124m-laptop"), place);
            QVERIFY(plan.has_value());
            QVERIFY2(plan->ranks <= ranks, qPrintable(QString::number(ranks)));
            QVERIFY(!ids(*plan, Role::held_out).empty());
        }
    }

    void every_plan_keeps_its_promises_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<CalibrationPlace>("place");
        for (const char* preset : {"gpt3-175b-1024-a100", "llama3-70b-eos", "mixtral-8x7b-64-h100", "gpt2-124m-laptop",
                                   "deepseek-v3-2048-h800"}) {
            const auto row = [&](const char* where, CalibrationPlace place) {
                QTest::addRow("%s on %s", preset, where) << preset << place;
            };
            row("two cores", two_cores());
            row("one core", [] { auto p = two_cores(); p.ranks = 1; return p; }());
            row("sixteen cores", [] { auto p = two_cores(); p.ranks = 16; return p; }());
            row("one H100", devices(1));
            row("a node of H100s", devices(8));
            row("two nodes of H100s", devices(16));
            row("one V100", devices(1, "v100-32-8"));
        }
    }
    // Ids are unique, benches come before layouts and fits before what is held back, every layout can be estimated,
    // fits its
    // memory, has as many ranks as its words and its plan say, and all that is held back differs from what the fit
    // sees.
    void every_plan_keeps_its_promises() {
        QFETCH(QString, preset);
        QFETCH(CalibrationPlace, place);
        const auto plan = plan_experiments(subject(preset.toUtf8().constData()), place);
        QVERIFY2(plan, plan ? "" : plan.error().front().c_str());
        std::set<std::string> seen;
        std::vector<Scenario> fitted;
        int latest = 0, held = 0;
        for (const PlannedRun& run : plan->runs) {
            QVERIFY2(seen.insert(run.id).second, run.id.c_str());
            QVERIFY2(int(run.role) >= latest, run.id.c_str());
            latest = int(run.role);
            QVERIFY2(run.expected > Seconds{}, run.id.c_str());
            QVERIFY(run.ranks <= plan->ranks);
            QCOMPARE(std::stoi(after(run, "--dp")) * std::stoi(after(run, "--tp")) * std::stoi(after(run, "--pp")),
                     run.ranks);
            QCOMPARE(std::set<std::string>(run.words.begin(), run.words.end()).contains("--bench"),
                     run.role == Role::measure);
            QCOMPARE(after(run, "--device"), std::string(place.accelerator ? "cuda" : ""));
            QCOMPARE(after(run, "--threads"), std::string("1"));
            if (run.role == Role::measure) continue;
            const Outcome e = estimate(run.plan);
            QVERIFY2(e && e->device_fits(), run.id.c_str());
            QCOMPARE(run.plan.layout.devices, run.ranks);
            QCOMPARE(std::stoi(after(run, "--steps")), run.steps);
            for (const Scenario& known : fitted)
                QVERIFY2(run.role != Role::held_out || known.layout != run.plan.layout || known.model != run.plan.model,
                         run.id.c_str());
            if (run.role == Role::fit) fitted.push_back(run.plan);
            held += run.role == Role::held_out && run.fair;
        }
        QVERIFY(held >= 4);
        QVERIFY(!fitted.empty());
    }

    void what_is_measured_is_what_the_prediction_depends_on_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<CalibrationPlace>("place");
        QTest::addColumn<QString>("bench");
        QTest::addColumn<bool>("planned");
        auto one = two_cores(), counted = two_cores(), job = two_cores();
        one.ranks = 1, counted.power = true, job.fixed = true;
        QTest::newRow("software that hides communication: how much can be hidden")
            << "gpt3-175b-1024-a100" << two_cores() << "overlap" << true;
        QTest::newRow("one rank has nothing to hide") << "gpt3-175b-1024-a100" << one << "overlap" << false;
        QTest::newRow("processors have no link to a host")
            << "gpt3-175b-1024-a100" << two_cores() << "hostlink" << false;
        QTest::newRow("a GPU has one") << "gpt3-175b-1024-a100" << devices(1) << "hostlink" << true;
        QTest::newRow("no counter, no watts") << "gpt3-175b-1024-a100" << two_cores() << "power" << false;
        QTest::newRow("watts where a counter may be read") << "gpt3-175b-1024-a100" << counted << "power" << true;
        QTest::newRow("checkpoints are always written") << "gpt2-124m-laptop" << two_cores() << "storage" << true;
        QTest::newRow("and in a job where they would lie") << "gpt2-124m-laptop" << job << "storage" << true;
    }
    void what_is_measured_is_what_the_prediction_depends_on() {
        QFETCH(QString, preset);
        QFETCH(CalibrationPlace, place);
        QFETCH(QString, bench);
        QFETCH(bool, planned);
        const auto plan = plan_experiments(subject(preset.toUtf8().constData()), place);
        QVERIFY(plan);
        const auto has = [&](const auto& all, auto id) {
            return std::any_of(all.begin(), all.end(),
                               [&](const auto& each) { return each.*id == bench.toStdString(); });
        };
        QCOMPARE(has(plan->runs, &PlannedRun::id), planned);
        QCOMPARE(has(plan->constants, &PlannedConstant::experiment), planned);
        if (bench == "storage")
            QCOMPARE(after(run_of(*plan, "storage"), "--storage-directory"), std::string(place.fixed ? "." : ""));
    }

    void the_layer_stays_the_subjects_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<bool>("llama");
        QTest::addColumn<QString>("note");
        QTest::newRow("GPT-3 keeps GELU and heads of 128") << "gpt3-175b-1024-a100" << false << "heads of 128";
        QTest::newRow("LLaMA keeps SwiGLU and shared keys") << "llama3-70b-eos" << true << "heads of 128";
        QTest::newRow("experts become dense, and that is said")
            << "mixtral-8x7b-64-h100" << true << "dense feed-forward blocks for its experts";
        QTest::newRow("latent attention becomes plain, and that is said")
            << "deepseek-v3-2048-h800" << true << "plain attention for its latent one";
    }
    void the_layer_stays_the_subjects() {
        QFETCH(QString, preset);
        QFETCH(bool, llama);
        QFETCH(QString, note);
        const Scenario s = subject(preset.toUtf8().constData());
        const auto plan = plan_experiments(s, two_cores());
        QVERIFY(plan);
        QCOMPARE(plan->model.activation == Activation::swiglu, llama);
        QVERIFY2(QString::fromStdString(plan->model_note).contains(note), plan->model_note.c_str());
        QVERIFY(plan->model.hidden >= 256 && plan->model.hidden <= 768);
        if (s.model.kv_heads < s.model.heads && llama) QVERIFY(plan->model.kv_heads < plan->model.heads);
    }

    void a_budget_scales_repetitions_and_never_layouts() {
        const auto usual = plan_experiments(subject(), two_cores());
        QVERIFY(usual);
        const auto runs = usual->runs.size();
        for (const double share : {0.8, 1.0, 2.0}) {
            const auto plan = plan_experiments(subject(), two_cores(share * usual->expected()));
            QVERIFY(plan);
            QCOMPARE(plan->runs.size(), runs);
            QVERIFY(plan->expected() <= share * usual->expected());
            if (share > 1) QVERIFY(plan->expected() > usual->expected());
        }
    }

    void too_small_a_budget_says_the_least_that_works() {
        const auto plan = plan_experiments(subject(), two_cores(5 * second));
        QVERIFY(!plan);
        QCOMPARE(plan.error().size(), std::size_t(1));
        const QString said = QString::fromStdString(plan.error().front());
        const QRegularExpression least(": ([0-9.]+) (s|min) is the least");
        QVERIFY2(least.match(said).hasMatch(), qPrintable(said));
        const double seconds =
            least.match(said).captured(1).toDouble() * (least.match(said).captured(2) == "min" ? 60 : 1);
        QVERIFY(plan_experiments(subject(), two_cores(seconds * second)));
    }

    void every_measured_constant_names_a_run_and_the_rest_a_reason() {
        for (const int ranks : {1, 2}) {
            CalibrationPlace place = two_cores();
            place.ranks = ranks;
            const auto plan = plan_experiments(subject(), place);
            QVERIFY(plan);
            int measured = 0, assumed = 0;
            for (const PlannedConstant& c : plan->constants) {
                QVERIFY2(!c.why.empty(), c.pointer.c_str());
                if (c.measured()) run_of(*plan, c.experiment);
                (c.measured() ? measured : assumed)++;
            }
            QVERIFY(measured >= 8);
            QVERIFY(assumed >= 5);
        }
    }

    void a_plan_survives_its_file_data() {
        QTest::addColumn<CalibrationPlace>("place");
        QTest::newRow("two cores") << two_cores();
        QTest::newRow("two nodes of H100s") << devices(16);
    }
    void a_plan_survives_its_file() {
        QFETCH(CalibrationPlace, place);
        const auto plan = plan_experiments(subject(), place);
        QVERIFY(plan);
        const std::string text = write_calibration_plan(*plan);
        const auto again = read_calibration_plan(text, "plan.json");
        QVERIFY2(again, again ? "" : say(again.error()).c_str());
        QCOMPARE(write_calibration_plan(*again), text);
        QCOMPARE(again->runs.size(), plan->runs.size());
        for (std::size_t i = 0; i < plan->runs.size(); ++i) {
            const PlannedRun &a = plan->runs[i], &b = again->runs[i];
            QCOMPARE(b.words, a.words);
            QCOMPARE(b.role, a.role);
            QCOMPARE(b.fair, a.fair);
            QCOMPARE(b.repeats, a.repeats);
            if (a.steps) QCOMPARE(estimate(b.plan)->step.total() / second, estimate(a.plan)->step.total() / second);
        }
        QVERIFY(again->machine == plan->machine && again->engine == plan->engine && again->model == plan->model);
        QCOMPARE(again->expected() / second, plan->expected() / second);
    }

    void a_plan_that_is_wrong_is_refused_with_the_field_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("another schema") << "plimsoll/calibration-plan" << "plimsoll/scenario" << "schema";
        QTest::newRow("a newer version") << "\"version\": 1,\n  \"ranks\""
                                         << "\"version\": 2,\n  \"ranks\""
                                         << "version";
        QTest::newRow("an unknown role") << "\"held_out\"" << "\"held_back\"" << "role";
        QTest::newRow("two runs of one id") << "\"id\": \"tp2\"" << "\"id\": \"dp2\"" << "id";
        QTest::newRow("a run that writes a file") << "\"--model\"" << "\"--dump\"" << "words/0";
        QTest::newRow("a run that writes a file, as one word") << "\"--model\"" << "\"--out=/tmp/x\"" << "words/0";
        QTest::newRow("a run that reads a file") << "\"--model\"" << "\"--text\"" << "words/0";
        QTest::newRow("a run that leaves its folder") << "\"--model\",\n" << "\"--storage-directory\",\n" << "words/1";
        QTest::newRow("a layout that is no number") << "\"tensor_parallel\": 2"
                                                    << "\"tensor_parallel\": \"two\""
                                                    << "tensor_parallel";
    }
    void a_plan_that_is_wrong_is_refused_with_the_field() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        QFETCH(QString, pointer);
        QString text = QString::fromStdString(write_calibration_plan(*plan_experiments(subject(), two_cores())));
        QVERIFY(text.contains(what));
        text.replace(what, by);
        const auto plan = read_calibration_plan(text.toStdString(), "plan.json");
        QVERIFY(!plan);
        bool named = false;
        for (const Problem& p : plan.error())
            named = named || (p.file == "plan.json" && QString::fromStdString(p.pointer).endsWith(pointer));
        QVERIFY2(named, say(plan.error()).c_str());
    }
};

PLIMSOLL_TEST(ExperimentsTest)
#include "tst_experiments.moc"
