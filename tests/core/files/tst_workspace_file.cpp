// Several plans in one file: what is written reads the same, and what is wrong is said with its place in the file.
#include "registered_test.h"

#include "core/files/presets/workspace_json.h"
#include "core/files/text/disk.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    return at == std::string::npos ? std::string() : text.replace(at, what.size(), by);
}

ScenarioFile shipped_file(const std::string& id) {
    return *read_scenario(*read_text(library().scenarios.at(id)), library());
}

std::string text_of_plan(const std::string& id) {
    const ScenarioFile plan = shipped_file(id);
    return write_scenario(plan.scenario, library(), plan.extra_json);
}

std::string both() {
    return write_workspace(std::vector{text_of_plan("gpt-neox-20b-a100"), text_of_plan("gpt2-124m-laptop")}, 1);
}

}  // namespace

class tst_workspace_file : public QObject {
    Q_OBJECT
private slots:
    void every_shipped_plan_reads_as_it_was_written() {
        std::vector<std::string> texts;
        std::vector<Scenario> plans;
        for (const auto& [id, ignored] : library().scenarios) {
            if (texts.size() == most_plans_of_workspace) break;
            plans.push_back(shipped_plan(id));
            texts.push_back(text_of_plan(id));
        }
        const auto read = read_workspace(write_workspace(texts, 3), library());
        QVERIFY2(read.has_value(), read ? "" : say(read.error()).c_str());
        QCOMPARE(read->shown, 3);
        QCOMPARE(read->plans.size(), plans.size());
        for (std::size_t i = 0; i < plans.size(); ++i) QVERIFY(read->plans[i].scenario == plans[i]);
    }
    void keys_of_other_versions_survive() {
        const std::string plan =
            write_scenario(shipped_plan("gpt2-124m-laptop"), library(), "{\"theirs\": {\"x\": 2.5}}");
        const auto read = read_workspace(write_workspace(std::vector{plan}, 0), library());
        QVERIFY(read.has_value());
        QCOMPARE(read->plans.front().extra_json, std::string("{\"theirs\":{\"x\":2.5}}"));
        QCOMPARE(read->warnings.size(), std::size_t(1));
        QCOMPARE(read->warnings.front().pointer, std::string("/plans/0/theirs"));
    }
    void what_is_wrong_is_said_with_its_place_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& text, const char* pointer, const char* said) {
            QTest::newRow(name) << QString::fromStdString(text) << pointer << said;
        };
        const std::string head = "{\"schema\": \"plimsoll/workspace\", \"version\": 1";
        const std::string hundred_and_one = [&] {
            std::string list;
            for (int i = 0; i < 101; ++i) list += i ? ", {}" : "{}";
            return head + ", \"plans\": [" + list + "]}";
        }();
        row("nothing", "", "", "");
        row("cut off", both().substr(0, both().size() / 2), "", "");
        row("a plan itself", text_of_plan("gpt2-124m-laptop"), "/schema", "plimsoll/workspace");
        row("of a later version", replaced(both(), "\"version\": 1", "\"version\": 999"), "/version", "");
        row("no plans", head + "}", "/plans", "a list of scenarios");
        row("an empty list", head + ", \"plans\": []}", "/plans", "at least one");
        row("more plans than anybody compares", hundred_and_one, "/plans", "100");
        row("a path in place of a plan", head + ", \"plans\": [\"/etc/passwd\"]}", "/plans/0", "object");
        row("a plan in front that is not there", replaced(both(), "\"shown\": 1", "\"shown\": 2"), "/shown",
            "from 0 to 1");
        row("a plan with an unknown machine",
            head + R"(, "plans": [{"schema": "plimsoll/scenario", "version": 1, "model": "gpt2-124m",
                "machine": "no-such", "stack": "megatron-lm-2022",
                "layout": {"devices": 8}, "recipe": {"global_batch_sequences": 8}}]})",
            "/plans/0/machine", "no-such");
    }
    void what_is_wrong_is_said_with_its_place() {
        QFETCH(QString, text);
        QFETCH(QString, pointer);
        QFETCH(QString, said);
        const auto read = read_workspace(text.toStdString(), library(), "ours.plimsoll-workspace");
        QVERIFY(!read.has_value());
        const Problem& p = read.error().front();
        QCOMPARE(p.file, std::string("ours.plimsoll-workspace"));
        QVERIFY2(QString::fromStdString(p.pointer).startsWith(pointer), p.pointer.c_str());
        QVERIFY2(QString::fromStdString(p.message).contains(said), p.message.c_str());
    }
    void a_workspace_is_known_by_its_name_or_its_schema_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("is");
        QTest::newRow("by its name, whatever it holds") << "a.plimsoll-workspace" << "{" << true;
        QTest::newRow("by its schema") << "a.json" << QString::fromStdString(both()) << true;
        const QString plan = QString::fromStdString(text_of_plan("gpt2-124m-laptop"));
        QTest::newRow("a plan is none") << "a.json" << plan << false;
    }
    void a_workspace_is_known_by_its_name_or_its_schema() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QTEST(is_workspace(name.toStdString(), text.toStdString()), "is");
    }
};

PLIMSOLL_TEST(tst_workspace_file)
#include "tst_workspace_file.moc"
