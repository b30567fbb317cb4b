// Energy of windows, of overlapping domains and of a thread that looks: against what was put in.
#include "registered_test.h"

#include "engine/power/account.h"
#include "engine/power/sampler.h"
#include "engine/power/sources/counter.h"
#include "counter_trees.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::engine::power;

namespace {

// A counter that moves every `step_s` from 0 on for `seconds`, at power(t) watts.
template <class Power>
Trace moving(double seconds, double step_s, Power power) {
    Trace t;
    double joules = 0;
    for (int i = 0; i * step_s <= seconds; ++i) {
        t.add({joules, i * step_s});
        joules += power(i * step_s) * step_s;
    }
    return t;
}
QString why(const Expected<double, std::string>& e) {
    return e ? QString::number(*e) : QString::fromStdString(e.error());
}

Share share(const char* source, const char* name, Scope scope, double joules, const char* nested = "") {
    return {source, {.name = name, .scope = scope, .nested_in = nested}, joules};
}
Share module_with_host(const char* source, double joules) {
    return {source, {.name = "module", .scope = Scope::module, .with_host = true}, joules};
}
Share missing(const char* source, const char* name, Scope scope) {
    return {source, {.name = name, .scope = scope}, Unexpected<std::string>{"froze"}};
}

// Counts by the clock it is asked with; takes some processor time at every look.
class Steady final : public Reader {
public:
    explicit Steady(double watts) : watts_(watts) {}
    const std::vector<Domain>& domains() const override { return domains_; }
    Readings read(double now_s) override { return {Reading{watts_ * now_s, now_s}}; }

private:
    double watts_;
    std::vector<Domain> domains_{{.name = "node", .scope = Scope::node}};
};

}  // namespace

Q_DECLARE_METATYPE(std::vector<Share>)

class TestEnginePower : public QObject {
    Q_OBJECT

private slots:
    void counters_grow_over_wraps_and_tell_restarts_data() {
        QTest::addColumn<quint64>("range");
        QTest::addColumn<quint64>("raw");
        QTest::addColumn<double>("gap_s");
        QTest::addColumn<double>("joules");      // negative: an error
        constexpr quint64 kilojoule = 1000000000;
        QTest::newRow("it goes on") << kilojoule << quint64(900100000) << 0.1 << 0.1;
        QTest::newRow("it wraps") << kilojoule << quint64(50000000) << 0.1 << 150.0;
        QTest::newRow("a step back that would be 9 kW is a restart") << kilojoule << quint64(800000000) << 0.1 << -1.0;
        QTest::newRow("a step back of a counter that never wraps") << quint64(0) << quint64(50000000) << 0.1 << -1.0;
        QTest::newRow("so long a gap that it may have come round") << kilojoule << quint64(900100000) << 10.0 << -1.0;
        QTest::newRow("a range it is above") << quint64(100000000) << quint64(50) << 0.1 << -1.0;
    }
    void counters_grow_over_wraps_and_tell_restarts() {
        QFETCH(quint64, range);
        QFETCH(quint64, raw);
        QFETCH(double, gap_s);
        QFETCH(double, joules);
        Counter c({.joules_per_count = 1e-6, .range = range});
        QCOMPARE(*c.take(900000000, 1), 0.0);
        const auto next = c.take(raw, 1 + gap_s);
        if (joules < 0) QVERIFY2(!next, qPrintable(why(next)));
        else QVERIFY2(next && std::abs(*next - joules) < 1e-9, qPrintable(why(next)));
        QVERIFY(c.take(raw + 10, 1 + gap_s + 0.01).has_value());   // it goes on from there
    }
    void a_32_bit_counter_at_400_watts_loses_nothing_in_an_hour() {
        // 2^32 uJ come round every 10.7 s; a look every 0.1 s.
        constexpr std::uint64_t range = 4294967295;
        Counter c({.joules_per_count = 1e-6, .range = range});
        double sum = 0;
        for (long i = 0; i <= 36000; ++i) sum = *c.take(std::uint64_t(40e6 * double(i)) % (range + 1), 0.1 * double(i));
        QVERIFY(std::abs(sum - 400.0 * 3600) < 0.01);
    }

    void a_window_is_linear_between_movements() {
        const Trace t = moving(10, 0.1, [](double) { return 50.0; });
        const auto e = t.energy(1.234, 6.789);
        QVERIFY2(e && std::abs(*e - 50 * (6.789 - 1.234)) < 1e-9, qPrintable(why(e)));
    }
    void windows_add_up() {
        const Trace t = moving(20, 0.07, [](double s) { return 100 + 80 * std::sin(s); });
        const auto a = t.energy(1, 7.7), b = t.energy(7.7, 15), all = t.energy(1, 15);
        QVERIFY(a && b && all);
        QVERIFY(std::abs(*a + *b - *all) < 1e-9);
        // The integral of 100 + 80 sin from 1 to 15, to what steps of 0.07 s leave.
        QVERIFY(std::abs(*all - (100 * 14 + 80 * (std::cos(1.0) - std::cos(15.0)))) < 8);
    }
    void windows_that_say_nothing_say_why_data() {
        QTest::addColumn<double>("step_s");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("under two seconds") << 0.01 << 1.0 << 2.9 << "too short";
        QTest::newRow("fewer than twenty movements") << 0.2 << 1.0 << 4.5 << "fewer than 20";
        QTest::newRow("before the first look") << 0.1 << -1.0 << 4.0 << "begins before";
        QTest::newRow("after the last movement") << 0.1 << 2.0 << 12.0 << "has not moved for 2 s";
    }
    void windows_that_say_nothing_say_why() {
        QFETCH(double, step_s);
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(QString, says);
        const auto e = moving(10, step_s, [](double) { return 50.0; }).energy(from, to);
        QVERIFY(!e);
        QVERIFY2(why(e).contains(says), qPrintable(why(e)));
    }
    void a_counter_that_freezes_has_no_energy() {
        Trace t = moving(5, 0.1, [](double) { return 50.0; });
        const double last = t.joules();
        for (int i = 51; i < 100; ++i) t.add({last, 0.1 * i});
        QVERIFY(why(t.energy(2, 9.9)).contains("has not moved"));
        QVERIFY(t.energy(1, 5).has_value());
    }
    void a_short_rest_after_the_last_movement_is_at_its_mean_power() {
        const Trace t = moving(10, 0.1, [](double) { return 50.0; });
        const auto e = t.energy(5, 10.2);
        QVERIFY2(e && std::abs(*e - 50 * 5.2) < 1e-9, qPrintable(why(e)));
    }
    void no_window_spans_a_restart() {
        Trace t = moving(5, 0.1, [](double) { return 50.0; });
        t.lose("the counter went back");
        QCOMPARE(why(t.energy(1, 4)), "the counter went back");
        for (int i = 60; i < 100; ++i) t.add({5.0 * i, 0.1 * i});
        QVERIFY(why(t.energy(1, 9)).contains("begins before"));
        QVERIFY(t.energy(6.5, 9.5).has_value());
    }

    void nothing_is_counted_twice_data() {
        QTest::addColumn<std::vector<Share>>("shares");
        QTest::addColumn<double>("joules");      // negative: none
        QTest::addColumn<QString>("scope");
        QTest::addColumn<int>("remarks");
        const auto row = [](const char* name, std::vector<Share> shares, double joules, const char* scope,
                            int remarks = 0) {
            QTest::newRow(name) << std::move(shares) << joules << QString(scope) << remarks;
        };
        row("a package contains its cores",
            {share("rapl", "package-0", Scope::package, 100),
             share("rapl", "package-0/core", Scope::core, 70, "package-0")},
            100, "package");
        row("memory lies beside its package",
            {share("rapl", "package-0", Scope::package, 100), share("rapl", "package-0/dram", Scope::dram, 20)}, 120,
            "package+dram");
        row("packages and boards lie beside one another",
            {share("rapl", "package-0", Scope::package, 100), share("rapl", "package-1", Scope::package, 90),
             share("nvml", "gpu0", Scope::gpu, 500), share("nvml", "gpu1", Scope::gpu, 300)},
            990, "package+gpu");
        row("a node contains all",
            {share("cray", "node", Scope::node, 1000), share("cray", "accel0", Scope::module, 500, "node"),
             share("rapl", "package-0", Scope::package, 200)},
            1000, "node");
        row("the platform contains packages",
            {share("rapl", "psys", Scope::node, 150), share("rapl", "package-0", Scope::package, 100, "psys")}, 150,
            "node");
        row("two platforms of one source are one node, never added",
            {share("rapl", "psys-0", Scope::node, 150), share("rapl", "psys-1", Scope::node, 140)}, 150, "node");
        row("a module that holds its host, by two sources",
            {module_with_host("nvml", 600), module_with_host("hwmon", 620),
             share("hwmon", "grace0", Scope::package, 200, "module")},
            600, "module");
        row("packages of two GCDs do not hold the host",
            {share("rocm", "gpu0", Scope::module, 600), share("rapl", "package-0", Scope::package, 150)}, 750,
            "package+module");
        row("two sources that agree within a tenth",
            {share("cray", "node", Scope::node, 1000), share("hwmon", "supply", Scope::node, 1080)}, 1000, "node");
        row("two that do not are both shown",
            {share("cray", "node", Scope::node, 1000), share("hwmon", "supply", Scope::node, 1200)}, 1000, "node", 1);
        row("a board that froze is not zero",
            {share("nvml", "gpu0", Scope::gpu, 500), missing("nvml", "gpu1", Scope::gpu)}, -1, "");
        row("packages without their board's number are not the whole",
            {share("rapl", "package-0", Scope::package, 100), missing("nvml", "gpu0", Scope::gpu)}, -1, "");
        row("nothing at all", {}, -1, "");
    }
    void nothing_is_counted_twice() {
        QFETCH(std::vector<Share>, shares);
        QFETCH(double, joules);
        QFETCH(QString, scope);
        QFETCH(int, remarks);
        const Account a = account_of(shares);
        QCOMPARE(a.joules.value_or(-1), joules);
        QCOMPARE(QString::fromStdString(a.scope), scope);
        QCOMPARE(int(a.remarks.size()), remarks);
        QCOMPARE(a.reason.empty(), joules >= 0);
    }

    void idle_before_and_after_data() {
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("after");
        QTest::addColumn<bool>("drifted");
        QTest::newRow("the same") << 100.0 << 104.0 << false;
        QTest::newRow("warmer afterwards") << 100.0 << 106.0 << true;
        QTest::newRow("busy before") << 110.0 << 100.0 << true;
    }
    void idle_before_and_after() {
        QFETCH(double, before);
        QFETCH(double, after);
        QFETCH(bool, drifted);
        const Idle idle = idle_of(before, after);
        QCOMPARE(*idle.watts, 0.5 * (before + after));
        QCOMPARE(idle.drifted, drifted);
    }
    void idle_that_was_measured_once_stands() {
        QCOMPARE(*idle_of(std::nullopt, 90.0).watts, 90.0);
        QVERIFY(!idle_of(std::nullopt, std::nullopt).watts);
    }

    void a_sampler_finds_the_power_that_is_there() {
        std::vector<CounterSource> sources;
        sources.push_back({.name = "rapl", .reason = "not here"});
        sources.push_back({.name = "cray", .reader = std::make_unique<Steady>(250)});
        std::atomic<int> seconds{0};
        Sampler sampler(std::move(sources), {.interval_s = 0.02, .each_second = [&](const std::vector<Present>& p) {
                                                 seconds += p.size() == 1;
                                             }});
        const double from = sampler.now_s();
        QTRY_VERIFY_WITH_TIMEOUT(sampler.now_s() > from + 3, 60000);
        const double to = sampler.now_s();
        const Account a = account_of(sampler.energy(from, to));
        QVERIFY2(a.joules.has_value(), a.reason.c_str());
        QVERIFY2(std::abs(*a.joules - 250 * (to - from)) < 1e-6, qPrintable(QString::number(*a.joules)));
        QVERIFY(seconds >= 1);
        const auto present = sampler.present();
        QVERIFY(present[0].watts && std::abs(*present[0].watts - 250) < 1e-6);
        QVERIFY(sampler.cost().cpu_s > 0 && sampler.cost().share() < 1);
    }
    void a_sampler_without_sources_is_no_thread() {
        const CounterTree tree;
        Sampler sampler(open_sources(tree.places()), {});
        QVERIFY(!sampler.available());
        const Account a = account_of(sampler.energy(0, 10));
        QVERIFY(!a.joules);
        QCOMPARE(a.reason, std::string("no source of energy can be read"));
        QCOMPARE(sampler.cost().cpu_s, 0.0);
    }
};

PLIMSOLL_TEST(TestEnginePower)
#include "tst_engine_power.moc"
