// What a run costs in money and carbon, and what an hour is of.
#include "registered_test.h"

#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/money.h"
#include "core/files/presets/preset_json.h"
#include "shipped.h"
#include "scenarios.h"
#include "near.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Totals all_of(const Scenario& s) { return totals(s, headline(s, *estimate(s)), Counting::all); }

Scenario one_device_of_a_node() {
    Scenario s = gpt3_on_selene();
    s.model = small_gated();
    s.layout = {};
    s.recipe.global_batch_sequences = 1;
    s.recipe.tokens = 1e9;
    s.machine.usd_per_device_hour_low = 0.8;
    s.machine.usd_per_device_hour_high = 3;
    s.machine.accounting = {"GPU-hour", 8};
    return s;
}

const Machine& shipped_machine(const char* id) { return library().machines.at(id); }

}  // namespace

class tst_money : public QObject {
    Q_OBJECT

private slots:
    void an_unknown_price_is_no_number() {
        const Scenario s = gpt3_on_selene();
        QVERIFY(!s.machine.usd_per_device_hour_low);
        QVERIFY(!cost_of(s, all_of(s)));
    }

    void the_market_gives_a_range_of_device_hours_of_whole_nodes() {
        Scenario s = gpt3_on_selene();
        s.machine.usd_per_device_hour_low = 0.8;
        s.machine.usd_per_device_hour_high = 3;
        const Totals t = all_of(s);
        const auto c = cost_of(s, t);
        QVERIFY(c);
        QVERIFY(near(c->hours, t.node_hours * 8));
        QVERIFY(near(c->low, 0.8 * c->hours) && near(c->high, 3 * c->hours));
        QCOMPARE(c->currency, std::string("USD"));
    }

    // One A100 of a node of eight for 121 hours: 121 device-hours where devices are let singly, 966 where nodes are.
    void a_part_of_a_node_is_charged_by_device_where_devices_are_let() {
        Scenario s = one_device_of_a_node();
        const Totals whole = totals(s, headline(s, *estimate(s)));
        const double hours = whole.time / hour;
        QVERIFY(near(whole.node_hours, hours) && near(whole.device_hours, hours));
        const auto held = cost_of(s, whole);
        QVERIFY(held && near(held->hours, 8 * hours));
        s.machine.accounting.by_device = true;
        const Totals alone = totals(s, headline(s, *estimate(s)));
        const auto let = cost_of(s, alone);
        QVERIFY(let && near(let->hours, hours));
        QVERIFY(near(let->low, held->low / 8) && near(let->high, held->high / 8));
        QVERIFY(near(alone.accounting_units, hours));
        s.machine.price = *parse_price("8 EUR/node-hour");
        QVERIFY(near(cost_of(s, alone)->low, hours));
        // An eighth of host and network, and no device that stands idle.
        const EnergyUse shared = estimate(s)->energy;
        s.machine.accounting.by_device = false;
        const EnergyUse own = estimate(s)->energy;
        QCOMPARE(shared.devices / joule, own.devices / joule);
        QVERIFY(own.unused > Joules{} && shared.unused == Joules{});
        QVERIFY(near(shared.hosts / joule, own.hosts / joule / 8));
        QVERIFY(near(shared.network / joule, own.network / joule / 8));
    }

    void whole_nodes_cost_the_same_either_way() {
        Scenario s = gpt3_on_selene();
        const Estimate whole = *estimate(s);
        s.machine.accounting.by_device = true;
        QCOMPARE(*estimate(s), whole);
    }

    void a_stated_price_goes_before_the_market() {
        Scenario s = gpt3_on_selene();
        s.machine.usd_per_device_hour_low = s.machine.usd_per_device_hour_high = 2;
        s.machine.price = *parse_price("2.69 CHF/node-hour");
        const Totals t = all_of(s);
        const auto c = cost_of(s, t);
        QVERIFY(c && c->stated());
        QVERIFY(near(c->low, 2.69 * t.node_hours));
        QCOMPARE(c->currency, std::string("CHF"));
    }

    void a_run_that_never_ends_has_no_cost_and_no_carbon() {
        Scenario s = gpt3_on_selene();
        s.machine.price = *parse_price("1 EUR/node-hour");
        s.machine.reliability.failures_per_1000_node_days = 1e6;
        const Totals t = all_of(s);
        QVERIFY(!t.ends());
        QVERIFY(!cost_of(s, t));
        QVERIFY(!carbon_of(s, t).operational_kg);
    }

    void operational_carbon_is_facility_energy_times_the_grid() {
        const Scenario s = gpt3_on_selene();   // 226 g/kWh
        const Totals t = all_of(s);
        const Carbon c = carbon_of(s, t);
        QVERIFY(near(*c.operational_kg, t.facility_energy / kilowatt_hour * 226 / 1000));
        QCOMPARE(c.pue, 1.2);
        QVERIFY(!c.embodied_kg);
        QVERIFY(near(*c.known_kg(), *c.operational_kg));
    }

    void embodied_carbon_is_counted_where_it_is_published() {
        Scenario s = gpt3_on_selene();
        s.machine.embodied_gCO2e_per_node_hour = 14;   // ARCHER2's 0.014 kg per CU
        s.machine.grid_gCO2e_per_kWh.reset();
        const Totals t = all_of(s);
        const Carbon c = carbon_of(s, t);
        QVERIFY(!c.operational_kg);
        QVERIFY(near(*c.embodied_kg, 0.014 * t.node_hours));
        QVERIFY(QString::fromStdString(say_operational(c)).startsWith("unknown"));
    }

    void prices_are_read_with_their_hour_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("fine");
        QTest::newRow("a currency and the hour of a node") << "2.69 CHF/node-hour" << true;
        QTest::newRow("blanks do not matter") << " 1.99USD / device-hour" << true;
        QTest::newRow("nothing is no price") << "" << false;
        QTest::newRow("an amount alone") << "2.69" << false;
        QTest::newRow("no currency") << "2.69 /node-hour" << false;
        QTest::newRow("an hour of something else") << "2.69 CHF/core-hour" << false;
        QTest::newRow("below zero") << "-1 CHF/node-hour" << false;
        QTest::newRow("not a number") << "nan CHF/node-hour" << false;
        QTest::newRow("a currency with a control character") << "1 C\x1b/node-hour" << false;
    }
    void prices_are_read_with_their_hour() {
        QFETCH(QString, text);
        QFETCH(bool, fine);
        QCOMPARE(parse_price(text.toStdString()).has_value(), fine);
    }

    void a_machine_keeps_its_price_and_embodied_share_in_its_file() {
        Machine m = shipped_machine("frontier");
        m.price = {2.69, PerHour::node_hour, "CHF", "2026-07"};
        m.embodied_gCO2e_per_node_hour = 14;
        const auto read = read_machine(write_machine(m));
        QVERIFY(read);
        QCOMPARE(read->machine.price, m.price);
        QCOMPARE(read->machine.embodied_gCO2e_per_node_hour, m.embodied_gCO2e_per_node_hour);
    }

    void an_hour_is_of_something_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<int>("of");
        QTest::addColumn<double>("per_node_hour");
        const auto row = [](const char* name, const char* machine, HourOf of, double v) {
            QTest::newRow(name) << machine << int(of) << v;
        };
        row("Frontier's node has eight GCDs", "frontier", HourOf::device, 8);
        row("and four MI250X modules", "frontier", HourOf::package, 4);
        row("LUMI charges hours of modules", "lumi", HourOf::site, 4);
        row("and so it does where a module is the device", "lumi-module", HourOf::site, 4);
        row("Aurora's node has twelve stacks", "aurora", HourOf::device, 12);
        row("on six cards", "aurora", HourOf::package, 6);
        row("a node of Fugaku is one device", "fugaku", HourOf::device, 1);
        row("Leonardo charges 32 cores a node", "leonardo", HourOf::core, 32);
        row("JUPITER 288", "jupiter", HourOf::core, 288);
        row("Roihu 800 billing units", "roihu", HourOf::site, 800);
    }
    void an_hour_is_of_something() {
        QFETCH(QString, machine);
        QFETCH(int, of);
        QFETCH(double, per_node_hour);
        const Machine& m = shipped_machine(machine.toUtf8().constData());
        QCOMPARE(*hours_per_node_hour(m, HourOf(of)), per_node_hour);
        QCOMPARE(*to_node_hours(m, *from_node_hours(m, 7, HourOf(of)), HourOf(of)), 7.0);
    }

    void cores_that_nobody_states_are_unknown() {
        QVERIFY(!hours_per_node_hour(shipped_machine("frontier"), HourOf::core));
        QCOMPARE(*hours_per_node_hour(shipped_machine("fugaku"), HourOf::core, 48), 48.0);
        // The cores of a TPU are its devices.
        QVERIFY(!hours_per_node_hour(shipped_machine("tpu-v3"), HourOf::core));
    }

    void what_a_gpu_hour_is_stands_in_words() {
        const QString lumi = QString::fromStdString(say_gpu_hour(shipped_machine("lumi")));
        QVERIFY2(lumi.contains("MI250X") && lumi.contains("2 devices"), qPrintable(lumi));
    }
};

PLIMSOLL_TEST(tst_money)
#include "tst_money.moc"
