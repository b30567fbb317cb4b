// Unsaved changes as a file: what is written reads the same, and what is damaged is refused.
#include "registered_test.h"

#include "core/files/presets/scenario_json.h"
#include "core/files/presets/unsaved_json.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

std::string text_with(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    return at == std::string::npos ? std::string() : text.replace(at, what.size(), by);
}

}  // namespace

class tst_unsaved : public QObject {
    Q_OBJECT
private slots:
    void every_shipped_plan_reads_as_it_was_written() {
        for (const auto& [id, ignored] : not_empty(library().scenarios)) {
            const UnsavedPlan unsaved{write_scenario(plan(id), library()), "/a folder/plan.json", "sha256:00"};
            const auto read = read_unsaved(write_unsaved(unsaved));
            QVERIFY2(read.has_value(), id.c_str());
            QVERIFY2(*read == unsaved, id.c_str());
        }
    }
    void keys_of_other_versions_survive() {
        const UnsavedPlan unsaved{write_scenario(plan(), library(), "{\"theirs\": [1, {\"x\": 2.50}]}"), {}, {}};
        const auto read = read_unsaved(write_unsaved(unsaved));
        QVERIFY(read && *read == unsaved);
        QVERIFY(read->plan.find("theirs") != std::string::npos);
    }
    void what_is_damaged_is_refused_data() {
        QTest::addColumn<QString>("text");
        const std::string whole = write_unsaved({write_scenario(plan(), library()), "/plan.json", {}});
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("nothing", "");
        row("cut off", whole.substr(0, whole.size() / 2));
        row("zeros, as after a power cut", std::string(whole.size(), ' '));
        row("one digit changed", text_with(whole, "\"devices\": ", "\"devices\": 1"));
        row("without its plan", text_with(whole, "\"plan\":", "\"plane\":"));
        row("without its fingerprint", text_with(whole, "plan_fingerprint", "fingerprint"));
        row("a plan itself", write_scenario(plan(), library()));
        row("of a later version", text_with(whole, "\"version\": 1", "\"version\": 999"));
    }
    void what_is_damaged_is_refused() {
        QFETCH(QString, text);
        const auto read = read_unsaved(text.toStdString(), "left.json");
        QVERIFY(!read.has_value());
        QVERIFY(has_errors(read.error()));
        QCOMPARE(read.error().front().file, std::string("left.json"));
    }

private:
    static Scenario plan(const std::string& id = "gpt-neox-20b-a100") {
        return read_scenario(*read_text(library().scenarios.at(id)), library())->scenario;
    }
};

PLIMSOLL_TEST(tst_unsaved)
#include "tst_unsaved.moc"
