// Where values come from: the user's own say so wherever a source is shown, all others say what their preset says.
#include "registered_test.h"

#include "core/answers/curves/figures.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/first_plan.h"
#include "core/files/presets/own_values.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/proposal_pack.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"
#include "proposals.h"
#include "shipped.h"

#include <QRegularExpression>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr const char* today = "yours, set on 2026-11-24";

// A mixture of experts on a machine of four levels, with drives and codecs in use as far as may be.
Scenario plan_on(const char* machine, const char* model) {
    return first_plan(library().models.at(model), library().machines.at(machine), library().stacks)
        .scenario;
}

Scenario edited(const Scenario& s, const Knob& k, double value) {
    Scenario after = s;
    k.set(after, value);
    mark_own(after, s, library(), today);
    return after;
}
Scenario edited(const Scenario& s, const char* id, double value) { return edited(s, *find_knob(id), value); }

// Another value of its range: near the present one where that is possible.
double another(const Knob& k, const Scenario& s) {
    const double now = k.get(s);
    if (k.kind == KnobKind::choice || k.kind == KnobKind::flag) return now == k.low ? k.low + 1 : k.low;
    const double more = k.kind == KnobKind::integer ? now + 1 : now * 1.1;
    if (more != now && more >= k.low && more <= k.high) return more;
    const double less = k.kind == KnobKind::integer ? now - 1 : now * 0.9;
    return less != now && less >= k.low && less <= k.high ? less : now == k.low ? k.high : k.low;
}

bool of_a_preset(const Knob& k, const Scenario& s) {
    return !pointer_of(k).empty() && (!level_of(k) || *level_of(k) < std::ssize(s.machine.levels));
}

// Every leaf of the numbers that between them have all parts.
void add_leaves(const Term& t, std::vector<Term>& leaves) {
    if (t.op == Operator::given) leaves.push_back(t);
    for (const Term& child : t.children) add_leaves(child, leaves);
}
std::vector<Term> leaves_of(const Scenario& s) {
    std::vector<Term> leaves;
    for (const char* id : {"total.facility_energy_MWh", "memory.worst_stage_bytes", "mfu", "parameters",
                           "resilience.checkpoint_seconds", "resilience.mtbf_seconds"})
        if (const auto term = explain(s, id)) add_leaves(*term, leaves);
    return leaves;
}

Sources sources_by_pointer() {
    Sources all;
    for (const Knob& k : knobs())
        for (std::string at = pointer_of(k); !at.empty(); at.resize(at.rfind('/'))) all[at] = {SourceKind::vendor, at};
    return all;
}

QString cited(const Proposal& p, const std::string& table, const std::string& row) {
    for (const Sheet& s : p.tables)
        for (const auto& cells : s.rows)
            if (s.id == table && cells.front() == row) return QString::fromStdString(cells.back());
    return {};
}

}  // namespace

class tst_provenance : public QObject {
    Q_OBJECT

private slots:
    // ---- Single values

    void an_edited_value_is_the_users_data() {
        QTest::addColumn<QString>("id");
        for (const Knob& k : knobs())
            if (!pointer_of(k).empty()) QTest::newRow(k.id.c_str()) << QString::fromStdString(k.id);
    }
    void an_edited_value_is_the_users() {
        QFETCH(QString, id);
        const Knob& k = *find_knob(id.toStdString());
        const Scenario s = plan_on("frontier", "deepseek-v3");
        if (!of_a_preset(k, s)) return;
        QVERIFY(!is_own(source_of(k, s)));
        const Scenario after = edited(s, k, another(k, s));
        if (k.get(after) == k.get(s)) return;   // its range has no other value here
        QCOMPARE(QString::fromStdString(say(source_of(k, after))), QString(today));
        const Scenario back = edited(after, k, k.get(s));
        QCOMPARE(say(source_of(k, back)), say(source_of(k, s)));
    }

    void a_value_set_twice_has_the_last_day() {
        const Scenario s = plan_on("frontier", "gpt3-175b");
        const Scenario once = edited(s, "machine.power.pue", 1.2);
        Scenario twice = once;
        twice.machine.power.pue = 1.3;
        mark_own(twice, once, library(), "yours, set on 2026-11-25");
        QCOMPARE(say(source_of(*find_knob("machine.power.pue"), twice)), std::string("yours, set on 2026-11-25"));
        Scenario other = twice;
        other.machine.reliability.restart = 60 * second;
        mark_own(other, twice, library(), "yours, set on 2026-11-26");
        QCOMPARE(say(source_of(*find_knob("machine.power.pue"), other)), std::string("yours, set on 2026-11-25"));
    }

    void another_preset_is_no_edit() {
        const Scenario s = plan_on("frontier", "gpt3-175b");
        Scenario other = s;
        other.machine = library().machines.at("lumi");
        mark_own(other, s, library(), today);
        QVERIFY(other.machine == library().machines.at("lumi"));
    }

    // A preset that has changed since the plan was saved, whose values of then the plan keeps.
    void values_of_a_preset_of_then_are_not_the_users() {
        const Knob &bf16 = *find_knob("machine.device.peak_TFLOPS.bf16"),
                   &fp16 = *find_knob("machine.device.peak_TFLOPS.fp16"),
                   &memory = *find_knob("machine.device.memory_GiB");
        const Machine& now = library().machines.at("dgx-h100");
        QVERIFY(!now.sources.contains(pointer_of(bf16)) && now.sources.contains("/device/peak_TFLOPS"));
        const Source datasheet{SourceKind::vendor, "a datasheet of then"};
        Library then = library();
        Scenario plan = plan_on("dgx-h100", "mixtral-8x7b");
        bf16.set(plan, 900);
        memory.set(plan, 64);
        plan.machine.sources["/device/peak_TFLOPS"] = datasheet;
        then.machines.at("dgx-h100") = plan.machine;
        const Scenario before = plan;
        fp16.set(plan, 800);
        memory.set(plan, now.device.memory / gibibyte);   // what the preset has come to since
        mark_own(plan, before, then, std::string(yours));
        const auto opened = read_scenario(write_scenario(plan, then), library());
        QVERIFY(opened.has_value());
        const auto again = read_scenario(write_scenario(opened->scenario, library()), library());
        QVERIFY(again.has_value());
        for (const Scenario& s : {opened->scenario, again->scenario}) {
            QCOMPARE(bf16.get(s), 900.0);
            QCOMPARE(say(source_of(bf16, s)), say(source_of(bf16, plan)));
            QCOMPARE(say(source_of(fp16, s)), std::string(yours));
            QCOMPARE(say(source_of(memory, s)), std::string(yours));
        }
        QVERIFY(again->scenario == opened->scenario);
    }

    // ---- Explain

    // What leaves say is found by the pointer of the one value they show, not by something that holds it: here every
    // pointer, and everything that holds one, has itself as its source.
    void no_leaf_shows_an_edited_value_with_another_source_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("model");
        QTest::newRow("a dense model") << "frontier" << "gpt3-175b";
        QTest::newRow("experts") << "dgx-h100" << "mixtral-8x7b";
    }
    void no_leaf_shows_an_edited_value_with_another_source() {
        QFETCH(QString, machine);
        QFETCH(QString, model);
        Scenario s = plan_on(machine.toUtf8(), model.toUtf8());
        s.model.sources = s.machine.sources = s.stack.sources = sources_by_pointer();
        const std::vector<Term> before = leaves_of(s);
        for (const Knob& k : not_empty(knobs())) {
            if (!of_a_preset(k, s) || k.kind == KnobKind::choice || k.kind == KnobKind::flag) continue;
            Scenario after = s;
            k.set(after, another(k, s));
            const std::vector<Term> now = leaves_of(after);
            if (now.size() != before.size()) continue;
            for (std::size_t i = 0; i < now.size(); ++i) {
                const std::string& at = now[i].source.text;
                const bool holds = at.empty() ? false : pointer_of(k).starts_with(at + '/');
                if (now[i].source.kind != SourceKind::vendor || !holds || before[i].label != now[i].label) continue;
                QVERIFY2(before[i].value == now[i].value,
                         (k.id + " changes \"" + now[i].label + "\", which asks for " + at).c_str());
            }
        }
    }

    void the_json_says_whose_it_is() {
        const Scenario s = edited(plan_on("frontier", "gpt3-175b"), "machine.power.pue", 1.25);
        const auto term = explain(s, "run.facility_energy_MWh");
        QVERIFY(term.has_value());
        const QString json = QString::fromStdString(to_json(*term));
        QVERIFY(json.contains(QRegularExpression(R"("kind": "user",\s*"text": "yours, set on 2026-11-24")")));
        QVERIFY(QString::fromStdString(to_json(s, estimate(s))).contains("\"hypothetical_machine\": \"PUE 1.25\""));
    }

    void a_preset_is_not_hypothetical() {
        const Scenario s = plan_on("frontier", "gpt3-175b");
        QVERIFY(say_hypothetical(s).empty());
        QVERIFY(!QString::fromStdString(to_json(s, estimate(s))).contains("hypothetical"));
    }

    // ---- Files

    void a_plan_keeps_the_day() {
        Scenario s = edited(plan_on("frontier", "gpt3-175b"), "machine.power.pue", 1.25);
        const auto again = read_scenario(write_scenario(s, library()), library());
        QVERIFY(again.has_value());
        QVERIFY(again->scenario == s);
    }

    void overrides_of_older_files_are_the_users() {
        const std::string text = R"({"schema": "plimsoll/scenario", "version": 1, "name": "Older",
            "model": "gpt3-175b", "machine": {"preset": "frontier", "power": {"pue": 1.25}},
            "stack": "megatron-lm-2023",
            "layout": {"devices": 1024, "tensor_parallel": 8}, "recipe": {"global_batch_sequences": 1024}})";
        const auto read = read_scenario(text, library());
        QVERIFY(read.has_value());
        QCOMPARE(say(source_of(*find_knob("machine.power.pue"), read->scenario)), std::string("yours"));
        const QString written = QString::fromStdString(write_scenario(read->scenario, library()));
        QVERIFY2(!written.section("preset_values", 0, 0).contains("sources"), "as it was");
    }

    void a_preset_with_better_sources_has_not_changed() {
        Scenario s = plan_on("frontier", "gpt3-175b");
        Library older = library();
        for (auto& [id, machine] : older.machines) machine.sources = {};
        const auto read = read_scenario(write_scenario(Scenario(s), older), library());
        QVERIFY(read.has_value());
        QVERIFY2(read->warnings.empty(), say(read->warnings).c_str());
        QVERIFY(read->scenario.machine == library().machines.at("frontier"));
    }

    // ---- The pack

    void every_file_of_a_pack_says_what_was_changed() {
        Scenario s = edited(plan(), "machine.power.pue", 1.25);
        s = edited(s, "machine.reliability.job_mtbf_h", 10);
        const ProposalPack pack = proposal_pack(input("generic", s), library(), false);
        for (const PackFile& f : not_empty(pack.files)) {
            if (f.path.ends_with(".xlsx") || f.path.starts_with("evidence/") || f.path.starts_with("plan/")) continue;
            const QString text = QString::fromStdString(f.text);
            QVERIFY2(text.contains("ypothetical machine") && text.contains("PUE 1.25"), f.path.c_str());
        }
        for (const PackFile& f : not_empty(proposal_pack(input(), library(), false).files))
            QVERIFY2(!QString::fromStdString(f.text).contains("ypothetical machine"), f.path.c_str());
    }

    // The last cell of these rows says where their number comes from.
    void tables_cite_the_user_for_what_the_user_set() {
        const Scenario s = read_scenario(*read_text(library().scenarios.at("175b-frontier")), library())->scenario;
        Scenario changed = edited(s, "machine.power.pue", 1.25);
        changed = edited(changed, "machine.reliability.job_mtbf_h", 10);
        changed = edited(changed, "machine.device.efficiency.gemm_ceiling", 0.5);
        const std::vector<std::pair<std::string, std::string>> rows{{"T10", "time between failures of the job"},
                                                                    {"T11", "PUE"},
                                                                    {"T12", "PUE"},
                                                                    {"T12", "failures"},
                                                                    {"T12", "share of it that large products reach"}};
        for (const auto& [table, row] : rows) {
            QVERIFY2(cited(proposal_of(input("generic", changed)), table, row).contains(today), row.c_str());
            const QString before = cited(proposal_of(input("generic", s)), table, row);
            QVERIFY2(!before.isEmpty() && !before.contains("yours"), row.c_str());
        }
    }

    void captions_say_it_too() {
        const Scenario s = edited(plan(), "machine.power.pue", 1.25);
        const QString text = QString::fromStdString(captions(figures(s), s));
        QVERIFY(text.contains("hypothetical machine: PUE 1.25"));
    }

    // ---- The shipped presets

    void no_preset_cites_memory_or_judgement() {
        static const QRegularExpression unfit(QStringLiteral("from memory|judgement|low confidence|not re-read"),
                                              QRegularExpression::CaseInsensitiveOption);
        const auto look = [](const std::string& id, const Sources& sources) {
            for (const auto& [pointer, source] : not_empty(sources)) {
                const QString text = QString::fromStdString(source.text);
                QVERIFY2(!text.contains(unfit), qPrintable(QString::fromStdString(id + pointer) + ": " + text));
                if (text.startsWith("estimate, no source"))
                    QVERIFY2(source.kind == SourceKind::estimated, qPrintable(text));
            }
        };
        for (const auto& [id, m] : library().machines) look(id, m.sources);
        for (const auto& [id, m] : library().models) look(id, m.sources);
        for (const auto& [id, s] : library().stacks) look(id, s.sources);
        for (const auto& [id, file] : not_empty(library().scenarios)) {
            const auto read = read_scenario(*read_text(file), library());
            QVERIFY2(read.has_value(), id.c_str());
            for (const Sources* all :
                 {&read->scenario.model.sources, &read->scenario.machine.sources, &read->scenario.stack.sources}) {
                look(id, *all);
                for (const auto& [pointer, source] : *all) QVERIFY2(!is_own(source), (id + pointer).c_str());
            }
        }
    }

    // ---- Levels of the network

    // Twice the bandwidth of the level that the job spans is felt; of one beyond it next to nothing.
    void the_level_in_use_is_felt() {
        const Scenario s = read_scenario(*read_text(library().scenarios.at("175b-frontier")), library())->scenario;
        const Outcome here = estimate(s);
        QVERIFY(here.has_value());
        for (int i = 0; i < std::ssize(s.machine.levels); ++i) {
            const Knob& k = *find_knob(id_of_level(i, "bandwidth_GBps"));
            const Outcome there = estimate(*with(s, k, 2 * k.get(s)));
            QVERIFY(there.has_value());
            if (i == widest_level(s)) QVERIFY(there->step.total() < here->step.total());
            if (i > widest_level(s)) QVERIFY(there->step.total() > 0.999 * here->step.total());
        }
        const Scenario by_former_name = *with(s, *find_knob("machine.network.system_GBps"), 14.25);
        QCOMPARE(find_knob(id_of_level(3, "bandwidth_GBps"))->get(by_former_name), 14.25);
    }
};

PLIMSOLL_TEST(tst_provenance)
#include "tst_provenance.moc"
