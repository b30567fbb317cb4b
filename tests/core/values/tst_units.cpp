// Quantities: named units in, named units out, dimensions derived.
#include "registered_test.h"

#include "core/values/basics/units.h"

#include <type_traits>

using namespace plimsoll;

static_assert(std::is_same_v<decltype(gigabyte / (gigabyte / second)), Seconds>, "bytes over a rate are seconds");
static_assert(std::is_same_v<decltype(joule / second), Watts>, "energy over time is power");
static_assert(std::is_same_v<decltype(day / hour), double>, "like over like is a number");
static_assert(std::is_trivially_copyable_v<Bytes> && sizeof(Bytes) == sizeof(double), "a quantity costs nothing");

template <class A, class B>
concept addable = requires(A a, B b) { a + b; };
static_assert(!addable<Bytes, Seconds>, "bytes and seconds do not add");
static_assert(addable<Bytes, Bytes>, "bytes add");

class UnitsTest : public QObject {
    Q_OBJECT

private slots:
    void units_differ_where_people_confuse_them_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<double>("expected");
        QTest::newRow("a GiB is 7.4 % more than a GB") << gibibyte / gigabyte << 1.073741824;
        QTest::newRow("a MWh is 3.6e9 J") << megawatt_hour / joule << 3.6e9;
        QTest::newRow("a kWh is one kW for an hour") << kilowatt_hour / (kilowatt * hour) << 1.0;
        QTest::newRow("40 GB at 2 TB/s take 20 ms") << 40 * gigabyte / (2 * terabyte / second) / millisecond << 20.0;
        QTest::newRow("a day has 24 hours") << day / hour << 24.0;
    }
    void units_differ_where_people_confuse_them() {
        QFETCH(double, found);
        QFETCH(double, expected);
        QVERIFY(std::abs(found / expected - 1) < 1e-12);
    }
};

PLIMSOLL_TEST(UnitsTest)
#include "tst_units.moc"
