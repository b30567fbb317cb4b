// Energy of a calibration: sources with their reasons, joules of a step modelled and measured, never one for the other.
#include "registered_test.h"

#include "core/evidence/calibration/proof/energy_evidence.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/answers/campaign/headline.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/estimate.h"
#include "core/files/presets/scenario_json.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

const ExperimentPlan& plan() {
    static const ExperimentPlan made = [] {
        const auto place =
            place_on(library().machines.at("cpu-2core"), library().stacks.at("plimsoll-engine"), {1, 2, 0});
        return *plan_experiments(
            read_scenario(*read_text(library().scenarios.at("gpt2-124m-laptop")), library())->scenario, *place);
    }();
    return made;
}

// Nothing was fitted: machine and software as they are.
Calibrated as_planned() {
    Calibrated c;
    c.machine = c.base = plan().machine;
    c.stack = plan().engine;
    return c;
}

EngineEnergy node(int number, std::vector<EngineEnergySource> sources) { return {number, false, std::move(sources)}; }
EngineEnergySource cannot(const char* source, const char* reason) { return {source, "", reason, false, {}}; }
EngineEnergySource can(const char* source, const char* scope) { return {source, scope, "", true, {}}; }

EngineEnergyUse used(Joules gross, int steps, const char* scope, const char* source = "rapl") {
    EngineEnergyUse use;
    use.available = true, use.scope = scope, use.source = source, use.nodes = 1, use.steps = steps, use.gross = gross;
    return use;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

class EnergyEvidenceTest : public QObject {
    Q_OBJECT

private slots:
    void every_layout_is_modelled_as_the_estimate_says() {
        const EnergyEvidence e = energy_evidence(plan(), as_planned(), {}, {});
        std::size_t trained = 0;
        for (const PlannedRun& run : plan().runs) {
            if (run.role == Role::measure || !run.repeats.empty()) continue;
            const auto expected = estimate(run.plan);
            QVERIFY(expected.has_value());
            const LayoutEnergy& l = e.layouts.at(trained++);
            QCOMPARE(l.id, run.id);
            QCOMPARE(l.devices / joule, expected->energy.devices / joule);
            const double own = run.plan.layout.devices, held = own + double(unused_devices(run.plan));
            QCOMPARE(l.hosts / joule, own / held * (expected->energy.hosts / joule));
            QVERIFY(l.devices > Joules{} && !l.measured);
        }
        QCOMPARE(e.layouts.size(), trained);
        QVERIFY(says(say(e), "Modelled, not measured"));
    }

    void counters_of_boards_cover_their_share_of_the_node_data() {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<int>("boards");    // that tell of themselves
        QTest::addColumn<int>("covered");   // devices of the node of eight
        QTest::newRow("one board of a node of eight") << "gpu" << 1 << 1;
        QTest::newRow("four boards, of which one computes") << "gpu" << 4 << 4;
        QTest::newRow("no counter, so the layout's own device") << "" << 0 << 1;
        QTest::newRow("a whole node's counter") << "node" << 1 << 8;
    }
    void counters_of_boards_cover_their_share_of_the_node() {
        QFETCH(QString, scope);
        QFETCH(int, boards);
        QFETCH(int, covered);
        ExperimentPlan gpu = plan();
        Calibrated c = as_planned();
        c.machine = c.base = gpu.machine = library().machines.at("dgx-h200");
        for (PlannedRun& run : gpu.runs) run.plan.machine = gpu.machine;
        std::erase_if(gpu.runs, [](const PlannedRun& run) {
            return run.role != Role::fit || !run.repeats.empty() || run.plan.layout.devices > 1;
        });
        QVERIFY(!gpu.runs.empty());
        const PlannedRun& run = gpu.runs.front();
        EngineEnergySource source = can("nvml", "gpu");
        source.domains.resize(std::size_t(boards));
        std::map<std::string, EngineEnergyUse> uses;
        if (!scope.isEmpty()) uses[run.id] = used(84 * joule, 8, scope.toUtf8().constData(), "nvml");
        const auto e = energy_evidence(gpu, c, {node(0, {source})}, uses);
        const auto expected = estimate(plan_with(c, run));
        QVERIFY(expected.has_value());
        QCOMPARE(e.layouts.front().hosts / joule, covered / 8.0 * (expected->energy.hosts / joule));
        QCOMPARE(e.layouts.front().devices / joule,
                 (expected->energy.devices + (covered - 1) / 7.0 * expected->energy.unused) / joule);
    }

    void sources_of_equal_nodes_are_told_once() {
        const auto e = energy_evidence(plan(), as_planned(),
                                       {node(0, {cannot("rapl", "no powercap"), cannot("nvml", "not installed")}),
                                        node(1, {cannot("rapl", "no powercap"), can("nvml", "gpu")})},
                                       {});
        QCOMPARE(say_sources(e), (std::vector<std::string>{"rapl: no powercap", "nvml on 1 of 2 nodes: not installed",
                                                           "nvml on 1 of 2 nodes: can be read, of gpu"}));
    }

    void without_any_counter_every_source_says_why() {
        const auto e = energy_evidence(
            plan(), as_planned(),
            {node(0, {cannot("rapl", "no powercap"), cannot("cray", "no counters of HPE Cray EX")})}, {});
        QVERIFY(headline(e).starts_with("Unavailable: no energy counter can be read"));
        const std::string text = say(e);
        QVERIFY2(says(text, "rapl: no powercap; cray: no counters of HPE Cray EX."), text.c_str());
        QVERIFY(says(text, "Modelled, not measured"));
    }
    void counters_without_a_number_say_why() {
        EngineEnergyUse brief;
        brief.reason = "no window of 2 s";
        const auto e = energy_evidence(plan(), as_planned(), {node(0, {can("rapl", "package")})}, {{"dp2", brief}});
        QVERIFY2(says(headline(e), "no window of 2 s") && says(headline(e), "there are counters"), headline(e).c_str());
    }
    void a_log_that_says_nothing_claims_nothing() {
        QVERIFY(says(headline(energy_evidence(plan(), as_planned(), {}, {})), "nothing is said of energy counters"));
    }

    void measured_joules_are_those_of_a_step_beside_what_they_cover_data() {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<bool>("hosts");
        QTest::newRow("packages are the devices of processors") << "package+dram" << false;
        QTest::newRow("boards are devices") << "gpu" << false;
        QTest::newRow("nodes have hosts") << "node" << true;
        QTest::newRow("modules have their host's processor") << "module" << true;
    }
    void measured_joules_are_those_of_a_step_beside_what_they_cover() {
        QFETCH(QString, scope);
        QFETCH(bool, hosts);
        const auto e = energy_evidence(plan(), as_planned(), {node(0, {can("rapl", "package")})},
                                       {{"tp2", used(84 * joule, 8, scope.toUtf8().constData())}});
        QCOMPARE(e.measured(), 1);
        const auto at =
            std::find_if(e.layouts.begin(), e.layouts.end(), [](const LayoutEnergy& l) { return l.id == "tp2"; });
        QVERIFY(at != e.layouts.end() && at->measured);
        QCOMPARE(*at->measured / joule, 10.5);
        QCOMPARE(at->modelled() / joule, (hosts ? at->devices + at->hosts : at->devices) / joule);
        const std::string text = say(e);
        QVERIFY2(text.starts_with("Measured by the machine's own counters in 1 of "), text.c_str());
        QVERIFY2(says(text, "Two tensor ranks\": 10.5 J a step over 8 steps (" + scope.toStdString()
                                + ", by rapl), modelled " + say(at->modelled())),
                 text.c_str());
        QVERIFY(!says(text, "Modelled, not measured"));
    }
    void watts_of_the_power_bench_are_named_as_such() {
        Calibrated c = as_planned();
        QVERIFY(says(say_model(energy_evidence(plan(), c, {}, {})), "which nothing here measured"));
        c.constants.push_back({"/power/device_idle_W", "power", 2, 3, 2.9, 3.1});
        QVERIFY(says(say_model(energy_evidence(plan(), c, {}, {})), "that the power bench measured"));
    }
    void a_window_without_steps_is_no_number() {
        QCOMPARE(energy_evidence(plan(), as_planned(), {}, {{"dp2", used(5 * joule, 0, "package")}}).measured(), 0);
    }
    void what_the_batch_system_counted_stands_at_the_end() {
        EnergyEvidence e = energy_evidence(plan(), as_planned(), {}, {});
        e.job = "The batch system counted 5 kJ.";
        QVERIFY(say(e).ends_with(" The batch system counted 5 kJ."));
    }
};

PLIMSOLL_TEST(EnergyEvidenceTest)
#include "tst_energy_evidence.moc"
