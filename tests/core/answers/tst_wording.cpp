// What people read: quantities, obstacles, plans and edits as sentences.
#include "registered_test.h"

#include "core/answers/explain/term.h"
#include "core/answers/plan/rules.h"
#include "core/values/knobs/wording.h"
#include "scenarios.h"
#include "turned.h"

#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }
// The sentence about one knob of this plan, empty if there is none.
QString sentence(const Scenario& s, const std::string& knob) {
    for (const Obstacle& o : check(s))
        if (o.knob == knob) return text(say(o));
    return {};
}

}  // namespace

class WordingTest : public QObject {
    Q_OBJECT

private slots:
    void an_explanation_as_latex_has_a_row_for_every_term_and_quotes_what_it_names() {
        const Term t = product("50 % of a & b", "s", {given("a_1", 2, "s", {SourceKind::vendor, "page #3"}),
                                                      given("b", 0.5, "", {SourceKind::user, "the plan"})});
        const std::string text = to_latex(t);
        QVERIFY(text.find("1 s & \\hspace*{0em}50 \\% of a \\& b & product of \\\\\n") != std::string::npos);
        QVERIFY(text.find("2 s & \\hspace*{1em}a\\_1 & vendor: page \\#3 \\\\\n") != std::string::npos);
        QVERIFY(text.find("0.5 & \\hspace*{1em}b & user: the plan \\\\\n") != std::string::npos);
    }

    void says_quantities_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("expected");
        const auto row = [](const std::string& said, const char* expected) {
            QTest::newRow(expected) << text(said) << QString(expected);
        };
        row(say(41.2 * day), "41.2 d");
        row(say(3.4 * minute), "3.4 min");
        row(say(36 * hour), "36 h");
        row(say(47.96 * hour), "2 d");
        row(say(59.96 * second), "1 min");
        row(say(4 * microsecond), "4 us");
        row(say(12.34 * millisecond), "12.3 ms");
        row(say(1000 * day), "1,000 d");
        row(say(Seconds{}), "0 s");
        row(say(31.4 * gibibyte), "31.4 GiB");
        row(say(80 * gibibyte), "80 GiB");
        row(say(1.5 * mebibyte), "1.5 MiB");
        row(say(1023.9 * gibibyte), "1,020 GiB");
        row(say(612 * megawatt_hour), "612 MWh");
        row(say(1234 * megawatt_hour), "1.23 GWh");
        row(say(2.5 * kilowatt_hour), "2.5 kWh");
        row(say(Joules{}), "0 kWh");
        row(say(1.05 * megawatt), "1.05 MW");
        row(say(400 * watt), "400 W");
        row(say(140 * teraflop / second), "140 TFLOP/s");
        row(say(1.679 * petaflop / second), "1.68 PFLOP/s");
        row(say_count(174604234752.0), "174.6B");
        row(say_count(2.66e6), "2.66M");
        row(say_count(1024), "1,024");
        row(say_count(786432), "786,432");
        row(say_count(300e9), "300B");
        row(say_count(1.4e12), "1.4T");
        row(say_count(0.375), "0.375");
        row(say_count(999999999), "1B");
    }
    void says_quantities() {
        QFETCH(QString, said);
        QFETCH(QString, expected);
        QCOMPARE(said, expected);
    }

    void says_what_stands_in_the_way_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("starts");
        QTest::addColumn<QString>("names");  // what else the sentence must contain
        const Scenario s = gpt3_on_selene();
        const auto row = [](const char* name, const QString& said, const char* starts, const char* names) {
            QTest::newRow(name) << said << QString(starts) << QString(names);
        };
        row("tensor width that does not divide the heads",
            sentence(turned(turned(s, "model.heads", 52), "layout.tensor_parallel", 3), "layout.tensor_parallel"),
            "Tensor parallel 3 does not divide attention heads 52; nearest that do: ", "4");
        row("batch that is no multiple",
            sentence(turned(s, "recipe.global_batch_sequences", 1000), "recipe.global_batch_sequences"),
            "Global batch 1,000 is not a multiple of data parallel x micro-batch = 16; nearest that are: ", "1,008");
        row("batch below one round",
            sentence(turned(s, "recipe.global_batch_sequences", 8), "recipe.global_batch_sequences"),
            "Global batch 8 is less than data parallel x micro-batch = 16; nearest that work: ", "16");
        row("more devices than the machine has", sentence(turned(s, "layout.devices", 8192), "layout.devices"),
            "Devices 8,192 is more than the machine's 4,480", "4,480");
        row("degrees that do not multiply to the devices",
            sentence(with_layout(s, [](Layout& l) { l.devices = 1000; }), "layout.devices"),
            "Devices 1,000 is not tensor x context x data x pipeline = 1,024", "1,024");
        row("format the device lacks",
            sentence(turned(s, "recipe.precision", double(Precision::fp8)), "recipe.precision"),
            "This device has no fp8 matrix products; it has ", "bf16");
        row("sharding the pipeline cannot have", sentence(turned(s, "layout.zero_stage", 3), "layout.zero_stage"),
            "ZeRO stage 3 does not go with pipeline parallel 8; what does: ", "1");
        row("sequence parallel without tensor parallel",
            sentence(turned(small_on_one_node(), "layout.sequence_parallel", 1), "layout.sequence_parallel"),
            "Sequence parallel on does not go with tensor parallel 1; what does: ", "off");
    }
    void says_what_stands_in_the_way() {
        QFETCH(QString, said);
        QFETCH(QString, starts);
        QFETCH(QString, names);
        QVERIFY2(said.startsWith(starts), qPrintable(said));
        QVERIFY2(said.contains(names) && said.endsWith('.'), qPrintable(said));
    }

    void lists_the_nearest_first() {
        const Obstacle o{Reason::indivisible, "layout.tensor_parallel", 3, "model.heads", 52, {1, 2, 4, 13}};
        QCOMPARE(text(say(o)),
                 QString("Tensor parallel 3 does not divide attention heads 52; nearest that do: 2, 4, 1, 13."));
    }

    void says_the_range_of_a_knob() {
        const auto refused = with(gpt3_on_selene(), *find_knob("layout.zero_stage"), 7);
        QCOMPARE(text(say(refused.error())), QString("ZeRO stage 7 is out of range; it goes from 0 to 3."));
        const auto memory = with(gpt3_on_selene(), *find_knob("machine.power.pue"), 0.5);
        QCOMPARE(text(say(memory.error())), QString("PUE 0.5 is out of range; it goes from 1 to 5."));
    }

    void has_a_sentence_and_an_id_for_every_reason() {
        std::set<std::string> ids;
        for (int r = 0; r <= int(Reason::not_modelled); ++r) {
            const Obstacle o{Reason(r), "layout.tensor_parallel", 3, "layout.data_parallel", 8, {1, 2}};
            QVERIFY(say(o).size() > 10 && say(o).back() == '.');
            QVERIFY(id_of(Reason(r)) != "unknown" && ids.insert(id_of(Reason(r))).second);
        }
    }

    void survives_unknown_ids() {
        QVERIFY(!say({Reason::indivisible, "layout.warp", 3, "machine.device", 8, {}}).empty());
        QVERIFY(!say(Obstacle{}).empty());
    }

    void says_the_plan() {
        const QString plan = text(say_plan(gpt3_on_selene()));
        for (const char* part : {"GPT-3 175B on Selene", "128 nodes (1,024 devices)", "tensor 8 x pipeline 8 x data 16",
                                 "300B tokens", "fp16", "full recompute"})
            QVERIFY2(plan.contains(part), qPrintable(plan));
    }

    void says_edits_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("degree") << "layout.tensor_parallel" << 8.0 << "Tensor parallel 8";
        QTest::newRow("full recompute") << "layout.recompute" << double(Recompute::full) << "Full recompute";
        QTest::newRow("no recompute") << "layout.recompute" << double(Recompute::none) << "No recompute";
        QTest::newRow("count of layers") << "layout.recompute_layers" << 4.0 << "Recomputed layers 4";
        QTest::newRow("flag on") << "layout.sequence_parallel" << 1.0 << "Sequence parallel";
        QTest::newRow("flag off") << "layout.sequence_parallel" << 0.0 << "No sequence parallel";
        QTest::newRow("nodes") << "nodes" << 512.0 << "512 nodes";
        QTest::newRow("measure") << "machine.device.memory_GiB" << 40.0 << "Device memory 40 GiB";
    }
    void says_edits() {
        QFETCH(QString, id);
        QFETCH(double, value);
        QFETCH(QString, expected);
        QCOMPARE(text(say_edit(*find_knob(id.toStdString()), value)), expected);
    }
};

PLIMSOLL_TEST(WordingTest)
#include "tst_wording.moc"
