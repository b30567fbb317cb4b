// Every row of the knob table keeps its promises; text becomes values and back.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/valid_values.h"
#include "core/answers/plan/estimate.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/network_levels.h"
#include "random_plans.h"
#include "scenarios.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

const Knob& knob(const char* id) { return *find_knob(id); }

bool close(double a, double b, double tolerance = 1e-9) {
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

void every_knob() {
    QTest::addColumn<QString>("id");
    for (const Knob& k : knobs()) QTest::newRow(k.id.c_str()) << QString::fromStdString(k.id);
}

// A level of the network that this machine has not: there is nothing to set.
bool absent(const Knob& k, const Scenario& s) {
    return level_of(k) && *level_of(k) >= std::ssize(s.machine.levels);
}

Scenario turned(const Scenario& s, const char* id, double value) { return *with(s, knob(id), value); }

}  // namespace

class KnobsTest : public QObject {
    Q_OBJECT

private slots:
    void describes_itself_data() { every_knob(); }
    void describes_itself() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        QVERIFY(!k.label.empty() && !k.help.empty() && k.low < k.high && k.get && k.set);
        QCOMPARE(k.kind == KnobKind::choice, !k.choices.empty());
    }

    void ids_are_unique() {
        std::set<std::string> ids;
        for (const Knob& k : not_empty(knobs())) QVERIFY2(ids.insert(k.id).second, k.id.c_str());
    }

    // A greyed-out input may be refused with another value, but never moves a number.
    void an_idle_knob_changes_nothing() {
        std::set<std::string> seen;
        for (const Scenario& s : random_plans(300)) {
            const Outcome here = estimate(s);
            if (!here) continue;
            for (const Knob& k : not_empty(knobs())) {
                if (idle_reason(k, s).empty()) continue;
                seen.insert(k.id);
                for (const double v : {k.low, (k.low + k.high) / 2, k.high}) {
                    const Outcome there = estimate(*with(s, k, v));
                    QVERIFY2(!there || *there == *here,
                             qPrintable(QString::fromStdString(k.id) + QString(" = %1").arg(v)));
                }
            }
        }
        for (const Knob& k : knobs()) QVERIFY2(!k.idle || seen.count(k.id), k.id.c_str());
    }

    void reasons_are_short() {
        for (const Scenario& s : random_plans(300))
            for (const Knob& k : not_empty(knobs())) QVERIFY2(idle_reason(k, s).size() <= 32, k.id.c_str());
    }

    void sections_hold_neighbours() {  // a heading appears once in its group
        std::set<std::string> closed;
        std::string open;
        for (const Knob& k : knobs()) {
            const std::string here = std::to_string(int(k.group)).append("/").append(k.section);
            if (here == open) continue;
            if (!k.section.empty()) QVERIFY2(closed.insert(here).second, k.id.c_str());
            open = here;
        }
    }

    void reads_back_what_was_set_data() { every_knob(); }
    void reads_back_what_was_set() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        for (const Scenario& s : {gpt3_on_selene(), small_on_one_node()})
            for (double v : {k.low, k.high}) {
                if (absent(k, s)) continue;
                const auto changed = with(s, k, v);
                QVERIFY(changed.has_value());
                QVERIFY2(close(k.get(*changed), v), qPrintable(QString("%1 became %2").arg(v).arg(k.get(*changed))));
            }
    }

    void setting_the_present_value_changes_nothing_data() { every_knob(); }
    void setting_the_present_value_changes_nothing() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        const Scenario s = gpt3_on_selene();
        if (absent(k, s)) return;
        Scenario again = *with(s, k, k.get(s));
        QVERIFY(close(k.get(again), k.get(s)));
        QCOMPARE(again.layout, s.layout);
        QVERIFY(check(again).empty());
    }

    void refuses_what_is_out_of_range_data() { every_knob(); }
    void refuses_what_is_out_of_range() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        const Scenario s = gpt3_on_selene();
        const double most = k.id == "nodes" ? s.machine.nodes : k.id == "layout.devices" ? s.machine.devices() : k.high;
        for (double v : {k.low - 1, k.high * 1.5 + 1, std::nan("")}) {
            const auto changed = with(s, k, v);
            QVERIFY(!changed);
            QCOMPARE(changed.error().reason, Reason::out_of_range);
            QCOMPARE(changed.error().knob, k.id);
            QCOMPARE(changed.error().valid, (std::vector{k.low, most}));
        }
    }

    void nothing_is_computed_beyond_its_valid_range_data() {
        QTest::addColumn<QString>("id");
        for (const Knob& k : knobs())
            if (k.valid) QTest::newRow(k.id.c_str()) << QString::fromStdString(k.id);
    }
    void nothing_is_computed_beyond_its_valid_range() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        QVERIFY(k.valid->low <= k.low && k.high <= k.valid->high);
        for (const double v : {k.valid->low - 1, 2 * k.valid->high + 1}) {
            Scenario s = gpt3_on_selene();
            k.set(s, v);
            const auto found = check(s);
            const auto refused = std::find_if(found.begin(), found.end(), [&](const Obstacle& o) {
                return o.reason == Reason::out_of_range && o.knob == k.id;
            });
            QVERIFY2(refused != found.end(), qPrintable(QString::number(v)));
            QCOMPARE(refused->valid, (std::vector{k.low, k.high}));   // what is offered is what can be typed
        }
    }

    void text_and_value_agree_data() { every_knob(); }
    void text_and_value_agree() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        for (double v : {k.low, k.high, k.get(gpt3_on_selene()), k.low + (k.high - k.low) / 3}) {
            if (k.kind != KnobKind::real) v = std::round(v);
            const std::string text = format_value(k, v);
            const auto parsed = parse_value(k, text);
            QVERIFY2(parsed.has_value(), text.c_str());
            QVERIFY2(close(*parsed, v, 1e-5), text.c_str());
            QVERIFY2(close(*parse_value(k, text + ' ' + (k.kind == KnobKind::real ? k.unit : "")), v, 1e-5),
                     text.c_str());
        }
    }

    void reads_what_people_type_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        const auto row = [](const char* name, const char* id, const char* text, double value) {
            QTest::newRow(name) << QString(id) << QString::fromUtf8(text) << value;
        };
        row("billions of tokens", "recipe.tokens", "300B", 300e9);
        row("trillions of tokens", "recipe.tokens", "1.4T", 1.4e12);
        row("millions", "recipe.tokens", "2.5M", 2.5e6);
        row("unit after the letter", "recipe.tokens", "300B tokens", 300e9);
        row("decimal comma", "recipe.tokens", "1,4T", 1.4e12);
        row("grouped digits in a whole number", "recipe.global_batch_sequences", "1,536", 1536);
        row("grouped digits with a point", "recipe.tokens", "1,234,567.5", 1234567.5);
        row("a decimal comma still makes thousands", "recipe.global_batch_sequences", "1,5k", 1500);
        row("thousands of a whole number", "recipe.sequence_length", "12k", 12000);
        row("power of two", "recipe.global_batch_sequences", "2^11", 2048);
        row("power of two of a real", "recipe.tokens", "2^40", 1099511627776.0);
        row("scientific", "recipe.tokens", "1e12", 1e12);
        row("plain fraction", "machine.device.efficiency.gemm_ceiling", "0.5", 0.5);
        row("percent", "machine.device.efficiency.gemm_ceiling", "50%", 0.5);
        row("own unit", "machine.device.memory_GiB", "40 GiB", 40);
        row("own unit without space", "machine.device.memory_GiB", "40GiB", 40);
        row("GB into GiB", "machine.device.memory_GiB", "80 GB", 80e9 / 1073741824.0);
        row("TiB into GiB", "machine.host.memory_GiB", "1 TiB", 1024);
        row("TB/s into GB/s", "machine.device.bandwidth_GBps", "2.039 TB/s", 2039);
        row("bits per second", "machine.network.system_GBps", "200 Gb/s", 25);
        row("unit in small letters", "machine.device.memory_GiB", "40 gib", 40);
        row("PFLOPS into TFLOP/s", "machine.device.peak_TFLOPS.bf16", "0.989 PFLOPS", 989);
        row("kilowatts", "machine.power.device_max_W", "0.4 kW", 400);
        row("microseconds into ms", "stack.host_layer_ms", "400 us", 0.4);
        row("choice by name", "recipe.precision", "bf16", double(Precision::bf16));
        row("choice in capitals", "recipe.precision", "FP8", double(Precision::fp8));
        row("AdamW keeps what Adam keeps", "recipe.optimizer", "adamw", double(Optimizer::adam));
        row("AdamW with eight-bit states", "recipe.optimizer", "AdamW-8bit", double(Optimizer::adam_8bit));
        row("bfloat16", "recipe.precision", "bfloat16", double(Precision::bf16));
        row("float16 as torch writes it", "recipe.precision", "torch.float16", double(Precision::fp16));
        row("float32", "recipe.precision", "float32", double(Precision::fp32));
        row("a schedule in capitals", "layout.schedule", "1F1B", double(Schedule::one_f_one_b));
        row("a schedule in words", "layout.schedule", "one f one b", double(Schedule::one_f_one_b));
        row("zero bubble", "layout.schedule", "zero-bubble", double(Schedule::zb_h1));
        row("checkpointing is full recomputation", "layout.recompute", "activation checkpointing",
            double(Recompute::full));
        row("a flash attention by its package", "stack.attention", "flash_attn", double(Attention::flash));
        row("FSDP is ZeRO stage 3", "layout.zero_stage", "fsdp", 3);
        row("ZeRO-2 by name", "layout.zero_stage", "ZeRO-2", 2);
        row("DDP shards nothing", "layout.zero_stage", "ddp", 0);
        row("choice among numbers", "recipe.bytes_per_parameter", "18", 6);
        row("flag on", "layout.sequence_parallel", "on", 1);
        row("flag false", "layout.sequence_parallel", "false", 0);
        row("spaces around", "layout.tensor_parallel", "  8 ", 8);
        row("singular unit", "nodes", "1 node", 1);
    }
    void reads_what_people_type() {
        QFETCH(QString, id);
        QFETCH(QString, text);
        QFETCH(double, value);
        const auto parsed = parse_value(knob(id.toStdString().c_str()), text.toStdString());
        QVERIFY2(parsed.has_value(), parsed.has_value() ? "" : parsed.error().c_str());
        QVERIFY2(close(*parsed, value), qPrintable(QString::number(*parsed, 'g', 12)));
    }

    void a_batch_may_be_given_in_tokens_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("sequences");
        QTest::newRow("millions of tokens") << "4M tokens" << 977.0;   // 4e6 / 4096 = 976.6
        QTest::newRow("a power of two") << "2^22 tokens" << 1024.0;
        QTest::newRow("digits in groups, capital letters") << "1,048,576 Tokens" << 256.0;
        QTest::newRow("less than one sequence is one") << "100 tokens" << 1.0;
        QTest::newRow("without the word they are sequences") << "1024" << 1024.0;
    }
    void a_batch_may_be_given_in_tokens() {
        QFETCH(QString, text);
        QFETCH(double, sequences);
        Scenario s = gpt3_on_selene();
        s.recipe.sequence_length = 4096;
        const auto parsed = parse_value(s, knob("recipe.global_batch_sequences"), text.toStdString());
        QVERIFY2(parsed.has_value(), parsed.has_value() ? "" : parsed.error().c_str());
        QCOMPARE(*parsed, sequences);
    }

    void tokens_are_a_measure_of_the_batch_alone() {
        QVERIFY(!parse_value(gpt3_on_selene(), knob("layout.micro_batch"), "4096 tokens").has_value());
        QVERIFY(!parse_value(gpt3_on_selene(), knob("recipe.global_batch_sequences"), "many tokens").has_value());
    }

    void explains_what_it_cannot_read_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message_names");
        QTest::newRow("a time is no memory") << "machine.device.memory_GiB" << "40 s" << "GiB";
        QTest::newRow("bandwidth needs per second") << "machine.device.bandwidth_GBps" << "80 GB" << "GB/s";
        QTest::newRow("unknown unit") << "machine.device.memory_GiB" << "40 bananas" << "GiB";
        QTest::newRow("unit on a pure number") << "layout.tensor_parallel" << "8 GiB" << "no unit";
        QTest::newRow("half a device") << "layout.devices" << "2.5" << "whole number";
        QTest::newRow("no number at all") << "layout.devices" << "many" << "\"many\"";
        QTest::newRow("empty") << "layout.devices" << "" << "number";
        QTest::newRow("two points") << "recipe.tokens" << "1.2.3" << "number";
        QTest::newRow("unknown choice") << "layout.recompute" << "half" << "none, selective, full";
        QTest::newRow("a flag is on or off") << "layout.sequence_parallel" << "maybe" << "on or off";
    }
    void explains_what_it_cannot_read() {
        QFETCH(QString, id);
        QFETCH(QString, text);
        QFETCH(QString, message_names);
        const auto parsed = parse_value(knob(id.toStdString().c_str()), text.toStdString());
        QVERIFY(!parsed);
        QVERIFY2(QString::fromStdString(parsed.error()).contains(message_names), parsed.error().c_str());
    }

    void formats_shortly_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("tokens in billions") << "recipe.tokens" << 300e9 << "300B";
        QTest::newRow("tokens in trillions") << "recipe.tokens" << 1.4e12 << "1.4T";
        QTest::newRow("whole numbers are written out") << "recipe.global_batch_sequences" << 1536.0 << "1536";
        QTest::newRow("a measure keeps its digits") << "machine.device.bandwidth_GBps" << 2039.0 << "2039";
        QTest::newRow("choice by name") << "recipe.precision" << double(Precision::fp16) << "fp16";
        QTest::newRow("flag as on") << "layout.sequence_parallel" << 1.0 << "on";
    }
    void formats_shortly() {
        QFETCH(QString, id);
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(format_value(knob(id.toStdString().c_str()), value)), text);
    }

    void degrees_make_up_the_device_count_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("data_parallel");
        QTest::newRow("half the tensor width doubles data parallelism")
            << "layout.tensor_parallel" << 4.0 << 1024 << 32;
        QTest::newRow("twice the stages halve it") << "layout.pipeline_parallel" << 16.0 << 1024 << 8;
        QTest::newRow("more devices go to data parallelism") << "layout.devices" << 2048.0 << 2048 << 32;
        QTest::newRow("more nodes too") << "nodes" << 192.0 << 1536 << 24;
        QTest::newRow("more replicas need more devices") << "layout.data_parallel" << 24.0 << 1536 << 24;
        QTest::newRow("never below one replica") << "layout.devices" << 8.0 << 8 << 1;
    }
    void degrees_make_up_the_device_count() {
        QFETCH(QString, id);
        QFETCH(double, value);
        QFETCH(int, devices);
        QFETCH(int, data_parallel);
        const Scenario s = turned(gpt3_on_selene(), id.toStdString().c_str(), value);
        QCOMPARE(s.layout.devices, devices);
        QCOMPARE(s.layout.data_parallel, data_parallel);
    }

    void chunks_and_schedule_follow_each_other() {
        const Scenario s = gpt3_on_selene();
        QCOMPARE(turned(s, "layout.virtual_stages", 3).layout.schedule, Schedule::interleaved);
        QCOMPARE(turned(turned(s, "layout.virtual_stages", 3), "layout.virtual_stages", 1).layout.schedule,
                 Schedule::one_f_one_b);
        QCOMPARE(turned(s, "layout.schedule", double(Schedule::interleaved)).layout.virtual_stages, 2);
        QCOMPARE(turned(gpt3_interleaved(), "layout.schedule", double(Schedule::gpipe)).layout.virtual_stages, 1);
        QCOMPARE(turned(gpt3_interleaved(), "layout.schedule", double(Schedule::interleaved)).layout.virtual_stages, 3);
    }

    void head_shape_follows_where_it_did() {
        const Scenario s = gpt3_on_selene();
        QCOMPARE(turned(s, "model.heads", 48).model.head_dim, 256);
        QCOMPARE(turned(s, "model.heads", 48).model.kv_heads, 48);
        QCOMPARE(turned(s, "model.hidden", 6144).model.head_dim, 64);
        QCOMPARE(turned(s, "model.heads", 52).model.head_dim, 128);  // 52 does not divide 12288
        const Scenario grouped = small_on_one_node();
        QCOMPARE(turned(grouped, "model.heads", 32).model.kv_heads, 8);
    }

    void every_level_has_inputs_of_its_own() {
        const Scenario s = gpt3_on_selene();
        QCOMPARE(knob("machine.levels.0.bandwidth_GBps").get(s), 300.0);
        QCOMPARE(knob("machine.levels.1.bandwidth_GBps").get(s), 25.0);
        QCOMPARE(widest_level(s), 1);
        Scenario small = s;
        small.layout.devices = 8;
        small.layout.pipeline_parallel = 1;
        QCOMPARE(widest_level(small), 0);
        QCOMPARE(idle_reason(knob("machine.levels.1.bandwidth_GBps"), small),
                 std::string_view("job lies inside a smaller level"));
        QCOMPARE(idle_reason(knob("machine.levels.2.bandwidth_GBps"), s), std::string_view("no such level"));
    }

    // Settings and files of before name two levels alone.
    void node_level_is_the_one_of_the_node() {
        const Scenario s = gpt3_on_selene();
        QCOMPARE(knob("machine.network.node_GBps").get(s), 300.0);
        QCOMPARE(knob("machine.network.system_GBps").get(s), 25.0);
        const Machine bigger = turned(s, "machine.devices_per_node", 16).machine;
        QCOMPARE(bigger.levels.front().devices, 16);
        QCOMPARE(bigger.levels.back().devices, 16 * 560);
    }

    void is_found_by_id_or_unique_ending_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("id");
        QTest::newRow("full id") << "layout.tensor_parallel" << "layout.tensor_parallel";
        QTest::newRow("last part") << "tensor_parallel" << "layout.tensor_parallel";
        QTest::newRow("last two parts") << "device.memory_GiB" << "machine.device.memory_GiB";
        QTest::newRow("a full id wins over an ending") << "nodes" << "nodes";
        QTest::newRow("ambiguous ending") << "sequence_length" << "";
        QTest::newRow("part of a word") << "parallel" << "";
        QTest::newRow("unknown") << "warp_factor" << "";
    }
    void is_found_by_id_or_unique_ending() {
        QFETCH(QString, text);
        QFETCH(QString, id);
        const Knob* k = find_knob(text.toStdString());
        QCOMPARE(k ? QString::fromStdString(k->id) : QString(), id);
    }

    void suggests_the_nearest_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("meant");
        QTest::newRow("a letter missing") << "tensor_paralel" << "layout.tensor_parallel";
        QTest::newRow("in the full id") << "layout.pipelin_parallel" << "layout.pipeline_parallel";
        QTest::newRow("nothing near") << "zzzzzzzzzzzz" << "";
        QTest::newRow("an ending of two") << "sequence_length" << "model.sequence_length or recipe.sequence_length";
    }
    void suggests_the_nearest() {
        QFETCH(QString, typed);
        QFETCH(QString, meant);
        QCOMPARE(QString::fromStdString(joined(nearest_knobs(typed.toStdString()), " or ")), meant);
    }

    void valid_values_are_valid_data() { every_knob(); }
    void valid_values_are_valid() {
        QFETCH(QString, id);
        const Knob& k = knob(id.toStdString().c_str());
        for (const Scenario& s : {gpt3_on_selene(), gpt3_interleaved(), small_on_one_node()}) {
            const auto values = valid_values(s, k);
            QCOMPARE(values.empty(), k.kind == KnobKind::real);
            QVERIFY(std::is_sorted(values.begin(), values.end()) && values.size() <= 64);
            for (double v : values) {
                const auto changed = with(s, k, v);
                QVERIFY(changed && check(*changed).empty());
            }
            if (k.kind != KnobKind::real)
                QVERIFY2(std::find(values.begin(), values.end(), k.get(s)) != values.end(),
                         "the present value is valid");
        }
    }

    void offers_divisors_of_the_heads() {
        const Scenario odd = turned(turned(gpt3_on_selene(), "model.heads", 52), "layout.tensor_parallel", 3);
        const auto values = valid_values(odd, knob("layout.tensor_parallel"));
        QVERIFY(!values.empty());
        for (double v : values) QCOMPARE(52 % static_cast<int>(v), 0);
        QVERIFY(std::find(values.begin(), values.end(), 4.0) != values.end());
    }

    void offers_values_despite_an_unrelated_obstacle() {
        Scenario s = gpt3_on_selene();
        s.machine.device.fp16 = {};  // no such precision: nothing here can be computed
        QVERIFY(!valid_values(s, knob("layout.tensor_parallel")).empty());
    }

    void offers_the_nearest_when_there_are_many() {
        const auto few = valid_values(gpt3_on_selene(), knob("nodes"), 3);
        QCOMPARE(few.size(), std::size_t(3));
        QVERIFY(std::find(few.begin(), few.end(), 128.0) != few.end());
    }
};

PLIMSOLL_TEST(KnobsTest)
#include "tst_knobs.moc"
