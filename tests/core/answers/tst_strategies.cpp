// How a layer may be spread, against published counts and a slow enumeration; and who gets which, against trying all.
#include "registered_test.h"

#include "core/answers/strategies/per_layer.h"
#include "core/answers/strategies/strategy.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace plimsoll;

namespace {

// The slow twin: every one of S^L lists of strategies.
std::optional<Assignment> tried(const LayerChoices& choices, const Reshard& reshard, int budget) {
    const std::size_t layers = choices.size(), strategies = reshard.size();
    std::optional<Assignment> best;
    std::vector<int> list(layers, 0);
    for (;;) {
        Assignment a{0, 0, list};
        for (std::size_t l = 0; l < layers; ++l) {
            a.seconds += choices[l][list[l]].seconds + (l > 0 ? reshard[list[l - 1]][list[l]] : 0);
            a.units += choices[l][list[l]].units;
        }
        if (a.units <= budget && (!best || a.seconds < best->seconds)) best = a;
        std::size_t l = 0;
        while (l < layers && ++list[l] == int(strategies)) list[l++] = 0;
        if (l == layers) return best;
    }
}

struct Tables {
    LayerChoices choices;
    Reshard reshard;
};

// The strategies of one pipeline stage of 8 devices with random costs; handing over depends on the width alone, or on
// everything.
Tables random_tables(unsigned seed, int layers, bool by_width, bool equal_layers) {
    std::mt19937 random(seed);
    const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    auto all = strategies_of({.devices = 8}, 1);
    if (layers == 4) all.resize(14);   // 14^4 lists
    Tables t;
    for (int l = 0; l < layers; ++l) {
        std::vector<LayerChoice> layer;
        for (std::size_t s = 0; s < all.size(); ++s) layer.push_back({draw(100, 999) / 64.0, draw(1, 40)});
        t.choices.push_back(equal_layers && l > 0 ? t.choices.front() : layer);
    }
    std::map<std::pair<int, int>, double> of_width;
    for (const LayerStrategy& from : all) {
        t.reshard.emplace_back();
        for (const LayerStrategy& to : all) {
            const bool same = by_width ? from.width() == to.width() : from == to;
            double cost = draw(1, 300) / 64.0;
            if (by_width) cost = of_width.try_emplace({from.width(), to.width()}, cost).first->second;
            t.reshard.back().push_back(same ? 0 : cost);
        }
    }
    return t;
}

}  // namespace

class StrategiesTest : public QObject {
    Q_OBJECT
private slots:
    void ordered_lists_of_dimensions_are_counted_as_published_data() {
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("ordered");
        QTest::addColumn<int>("pruned");
        QTest::newRow("one device has one way") << 1 << 1 << 1;
        QTest::newRow("two devices: data, sharded, tensor, or a pipeline") << 2 << 4 << 4;
        QTest::newRow("four devices: 1 + 3 + 9") << 4 << 13 << 11;
        QTest::newRow("eight devices: 34, and 22 without data beside sharded data") << 8 << 34 << 22;
    }
    void ordered_lists_of_dimensions_are_counted_as_published() {
        QFETCH(int, devices);
        QFETCH(int, ordered);
        QFETCH(int, pruned);
        const StrategyCount n = count_strategies({.devices = devices});
        QCOMPARE(n.ordered, ordered);
        QCOMPARE(n.pruned, pruned);
    }

    void every_decomposition_uses_all_devices_and_no_kind_twice() {
        for (int devices = 1; devices <= 48; ++devices) {
            std::set<std::vector<std::pair<int, int>>> seen;
            for (const Decomposition& d : not_empty(decompositions(devices))) {
                int product = 1;
                std::set<Dimension> kinds;
                std::vector<std::pair<int, int>> key;
                for (const Cut& c : d) {
                    QVERIFY(c.degree > 1);
                    product *= c.degree;
                    kinds.insert(c.dimension);
                    key.emplace_back(int(c.dimension), c.degree);
                }
                QCOMPARE(product, devices);
                QCOMPARE(kinds.size(), d.size());
                QVERIFY2(seen.insert(key).second, "a decomposition appears twice");
            }
            // The slow twin: three degrees a b c = devices give 3! orders, without the degrees of one.
            std::size_t expected = 0;
            for (int a = 1; a <= devices; ++a)
                for (int b = 1; b <= devices; ++b)
                    for (int c = 1; c <= devices; ++c)
                        if (a * b * c == devices) {
                            const int above_one = (a > 1) + (b > 1) + (c > 1);
                            expected += above_one == 3 ? 6 : above_one == 2 ? 2 : 1;
                        }
            QCOMPARE(seen.size(), expected);
        }
    }

    void the_list_for_eight_devices_has_fifty_entries() {
        const StrategySpace space{.devices = 8};
        std::vector<std::size_t> sizes;
        for (const int p : pipeline_degrees(space)) sizes.push_back(strategies_of(space, p).size());
        QCOMPARE(sizes, (std::vector<std::size_t>{24, 16, 8, 2}));
        QCOMPARE(strategies_of(space).size(), std::size_t(50));
        QCOMPARE(strategies_of({.devices = 8, .checkpoint = false}).size(), std::size_t(25));
        const std::set<LayerStrategy> distinct = [&] {
            const auto all = strategies_of(space);
            return std::set<LayerStrategy>(all.begin(), all.end());
        }();
        QCOMPARE(distinct.size(), std::size_t(50));
        for (const LayerStrategy& s : distinct) {
            QCOMPARE(s.pipeline * s.tensor * s.sequence * s.data, 8);
            QVERIFY(s.tensor == 1 || s.sequence == 1);
            QVERIFY2(s.data > 1 || s.sharding == Sharding::none, "nothing to shard over");
        }
    }

    void a_stage_has_at_least_one_layer() {
        for (const LayerStrategy& s : not_empty(strategies_of({.devices = 8, .layers = 3}))) QVERIFY(s.pipeline <= 3);
    }

    void the_assignment_is_the_best_of_all_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("by_width");
        QTest::addColumn<bool>("equal_layers");
        QTest::newRow("one layer") << 1 << false << false;
        QTest::newRow("two layers, all 24 strategies, handing over costs by width") << 2 << true << false;
        QTest::newRow("three equal layers, all 24 strategies") << 3 << true << true;
        QTest::newRow("three layers, every hand-over costs something else") << 3 << false << false;
        QTest::newRow("four layers of 14 strategies") << 4 << true << false;
    }
    void the_assignment_is_the_best_of_all() {
        QFETCH(int, layers);
        QFETCH(bool, by_width);
        QFETCH(bool, equal_layers);
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const Tables t = random_tables(seed, layers, by_width, equal_layers);
            const int ample = 40 * layers;
            const Assigned ampler = assign(t.choices, t.reshard, ample);
            for (const int budget : {layers, 4 * layers, 10 * layers, ample}) {
                const auto slow = tried(t.choices, t.reshard, budget);
                const auto fast = assign(t.choices, t.reshard, budget).within(budget);
                QCOMPARE(fast.has_value(), slow.has_value());
                QCOMPARE(ampler.within(budget).has_value(), slow.has_value());
                if (!slow) continue;
                QCOMPARE(fast->seconds, slow->seconds);   // sums of 64ths are exact
                QCOMPARE(ampler.within(budget)->seconds, slow->seconds);
                double seconds = 0;
                int units = 0;
                for (std::size_t l = 0; l < fast->strategy.size(); ++l) {
                    const int s = fast->strategy[l];
                    seconds += t.choices[l][s].seconds + (l > 0 ? t.reshard[fast->strategy[l - 1]][s] : 0);
                    units += t.choices[l][s].units;
                }
                QCOMPARE(seconds, fast->seconds);
                QCOMPARE(units, fast->units);
                QVERIFY(units <= budget);
            }
        }
    }

    void more_memory_is_never_slower() {
        const Tables t = random_tables(7, 3, true, true);
        const Assigned all = assign(t.choices, t.reshard, 120);
        double last = std::numeric_limits<double>::infinity();
        for (int budget = 1; budget <= 120; ++budget)
            if (const auto best = all.within(budget)) {
                QVERIFY(best->seconds <= last);
                last = best->seconds;
            }
        QVERIFY(std::isfinite(last));
    }

    void what_would_keep_too_much_is_given_up() {
        const Tables t = random_tables(7, 3, true, true);
        const long long needed = assign(t.choices, t.reshard, 120).labels();
        QVERIFY(assign(t.choices, t.reshard, 120, needed).within(120));
        QVERIFY(!assign(t.choices, t.reshard, 120, needed - 1).within(120));
    }

    void nothing_fits_no_memory() {
        const Tables t = random_tables(7, 2, true, true);
        QVERIFY(!assign(t.choices, t.reshard, 1).within(1));
        QVERIFY(!assign({}, {}, 1).within(1));
    }
};

PLIMSOLL_TEST(StrategiesTest)
#include "tst_strategies.moc"
