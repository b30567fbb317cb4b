// From the words of a command line to a plan: what names one, what changes it, and why another word is refused, with
// the exit code that scripts ask for.
#include "registered_test.h"

#include "app/commands/command_line.h"
#include "app/commands/plan.h"
#include "core/answers/plan/estimate.h"
#include "core/values/knobs/knobs.h"

#include <QTemporaryDir>

#include <fstream>

using namespace plimsoll;

namespace {

const char* const example = "gpt-neox-20b-a100";

Scenario example_plan() {
    const auto plan = load_plan({example, {}});
    if (!plan) qFatal("%s", plan.error().message.c_str());
    return *plan;
}

std::string written(const QTemporaryDir& folder, const char* name, const std::string& text) {
    const std::string path = folder.filePath(name).toStdString();
    std::ofstream(path) << text;
    return path;
}

}  // namespace

class PlanArgumentsTest : public QObject {
    Q_OBJECT
private slots:
    void a_shipped_plan_is_its_id_or_its_file() {
        const auto file = shipped_library().scenarios.find(example);
        QVERIFY(file != shipped_library().scenarios.end());
        const auto by_file = load_plan({file->second.string(), {}});
        QVERIFY(by_file.has_value());
        QCOMPARE(*by_file, example_plan());
    }

    void what_is_no_plan_is_refused_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("said");
        QTest::newRow("no JSON") << std::string("#SBATCH --nodes=2\n") << std::string("plimsoll import");
        QTest::newRow("another file of JSON") << std::string("{}") << std::string("plimsoll import");
        QTest::newRow("a plan without its parts") << std::string(R"({"schema": "plimsoll/scenario/1"})")
                                                  << std::string("plan.json");
    }
    void what_is_no_plan_is_refused() {
        QFETCH(std::string, text);
        QFETCH(std::string, said);
        const QTemporaryDir folder;
        const auto plan = load_plan({written(folder, "plan.json", text), {}});
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, int(exit_invalid_file));
        QVERIFY2(plan.error().message.find(said) != std::string::npos, plan.error().message.c_str());
    }

    void a_name_that_is_nothing_names_what_ships() {
        const auto plan = load_plan({"gpt-neox", {}});
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, int(exit_invalid_file));
        QVERIFY2(plan.error().message.find(example) != std::string::npos, plan.error().message.c_str());
    }

    void a_setting_changes_the_plan_data() {
        QTest::addColumn<std::string>("setting");
        QTest::addColumn<bool>("changed");
        QTest::newRow("a knob by the path of its value") << std::string("layout.tensor_parallel=4") << true;
        QTest::newRow("a knob by its last part") << std::string("tensor_parallel=4") << true;
        QTest::newRow("another machine") << std::string("machine=frontier") << true;
        QTest::newRow("another model") << std::string("model=llama3-8b") << true;
        QTest::newRow("the machine that it has") << std::string("machine=") + example_plan().machine.id << false;
    }
    void a_setting_changes_the_plan() {
        QFETCH(std::string, setting);
        QFETCH(bool, changed);
        const auto plan = apply_setting(example_plan(), setting);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
        QCOMPARE(!(*plan == example_plan()), changed);
    }

    void the_last_of_two_settings_holds() {
        const auto plan = load_plan({example, {"tensor_parallel=8", "tensor_parallel=4"}});
        QVERIFY(plan.has_value());
        QCOMPARE(plan->layout.tensor_parallel, 4);
    }

    void a_setting_that_says_nothing_is_wrong_usage_data() {
        QTest::addColumn<std::string>("setting");
        QTest::addColumn<std::string>("said");
        const auto row = [](const char* name, const char* setting, const char* said) {
            QTest::newRow(name) << std::string(setting) << std::string(said);
        };
        row("no value", "tensor_parallel", "expected knob=value");
        row("a knob misspelt", "layout.tensor_paralel=8", "did you mean 'layout.tensor_parallel'");
        row("a knob like no other", "qqqqqq=8", "qqqqqq");
        row("no number", "tensor_parallel=eight", "--set tensor_parallel=eight: ");
        row("beyond the knob's range", "tensor_parallel=0", "--set tensor_parallel=0: ");
        row("no such machine", "machine=abacus", "'plimsoll presets machines' lists them");
        row("no such model", "model=abacus", "'plimsoll presets models' lists them");
        row("no such stack", "stack=abacus", "'plimsoll presets stacks' lists them");
    }
    void a_setting_that_says_nothing_is_wrong_usage() {
        QFETCH(std::string, setting);
        QFETCH(std::string, said);
        const auto plan = apply_setting(example_plan(), setting);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, int(exit_usage));
        QVERIFY2(plan.error().message.find(said) != std::string::npos, plan.error().message.c_str());
        QVERIFY(plan.error().message.ends_with("\n"));
    }

    // A plan that cannot be computed is a plan: the estimate says why.
    void a_setting_that_cannot_be_computed_is_taken() {
        const auto plan = apply_setting(example_plan(), "tensor_parallel=7");
        QVERIFY(plan.has_value());
        QVERIFY(!estimate(*plan));
    }

    void an_hour_costs_what_is_asked() {
        const auto plan = load_plan({.file = example, .settings = {}, .price = "2.69 CHF/node-hour"});
        QVERIFY(plan.has_value());
        QVERIFY(!(plan->machine.price == example_plan().machine.price));
        const auto odd = load_plan({.file = example, .settings = {}, .price = "much"});
        QVERIFY(!odd);
        QCOMPARE(odd.error().code, int(exit_usage));
    }

    void values_are_a_list_or_two_ends_and_a_step_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::vector<double>>("values");
        const auto row = [](const char* name, const char* text, std::vector<double> values) {
            QTest::newRow(name) << std::string(text) << values;
        };
        row("one", "8", {8});
        row("a list, in its order", "16,4,8", {16, 4, 8});
        row("a step", "8:24:8", {8, 16, 24});
        row("a step that does not meet the end", "8:23:8", {8, 16});
        row("a factor", "6:48:x2", {6, 12, 24, 48});
        row("a factor that is no whole number", "8:20:x1.5", {8, 12, 18});
        row("an end below the beginning", "8:4:2", {});
    }
    void values_are_a_list_or_two_ends_and_a_step() {
        QFETCH(std::string, text);
        QFETCH(std::vector<double>, values);
        const auto found = parse_values(*find_knob("nodes"), text);
        QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
        QCOMPARE(*found, values);
    }

    void odd_values_are_wrong_usage_data() {
        QTest::addColumn<std::string>("text");
        for (const char* text : {"eight", "8,eight", "8:16:0", "8:16:-1", "8:16:x1", "8:16:x", "8:16:2x", "a:16:2",
                                 "8:b:2"})
            QTest::newRow(text) << std::string(text);
    }
    void odd_values_are_wrong_usage() {
        QFETCH(std::string, text);
        const auto found = parse_values(*find_knob("nodes"), text);
        QVERIFY(!found);
        QCOMPARE(found.error().code, int(exit_usage));
        QVERIFY2(found.error().message.starts_with("--values"), found.error().message.c_str());
    }

    // However far the ends are apart.
    void no_list_of_values_is_endless() {
        const auto found = parse_values(*find_knob("nodes"), "1:1e12:1");
        QVERIFY(found.has_value());
        QCOMPARE(found->size(), std::size_t(100000));
    }

    void a_space_is_one_of_two_names_or_a_file() {
        QVERIFY(space_of("common", example_plan()).has_value());
        QCOMPARE(space_of("full", example_plan())->name, full_space().name);
        const auto none = space_of("wide", example_plan());
        QVERIFY(!none);
        QCOMPARE(none.error().code, int(exit_invalid_file));
        QVERIFY2(none.error().message.starts_with("--space takes common, full or a file"),
                 none.error().message.c_str());
        const QTemporaryDir folder;
        const auto broken = space_of(written(folder, "space.json", "{"), example_plan());
        QVERIFY(!broken);
        QCOMPARE(broken.error().code, int(exit_invalid_file));
    }

    void no_file_of_runs_is_no_run() {
        const auto none = anchors_of("", nullptr);
        QVERIFY(none.has_value() && none->empty());
        const auto absent = anchors_of("/nowhere/runs.json", nullptr);
        QVERIFY(!absent);
        QCOMPARE(absent.error().code, int(exit_invalid_file));
        QVERIFY(say_own_runs(example_plan()).empty());
    }
};

PLIMSOLL_TEST(PlanArgumentsTest)
#include "tst_plan_arguments.moc"
