// Blocks placed before anything runs: nothing overlaps, nothing needs less than
// what is alive at once, and the exact search equals trying every offset.
#include "registered_test.h"

#include "core/papers/transients.h"
#include "scenarios.h"

#include <cmath>
#include <random>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

std::vector<MemoryBlock> random_blocks(std::mt19937& random, int count, int largest, int steps) {
    std::vector<MemoryBlock> blocks;
    for (int i = 0; i < count; ++i) {
        const int born = int(random() % steps);
        blocks.push_back({double(1 + random() % largest) * byte, born, born + 1 + int(random() % (steps - born))});
    }
    return blocks;
}

bool sound(const std::vector<MemoryBlock>& blocks, const BlockPlacement& p) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (p.offset[i] < Bytes{} || p.offset[i] + blocks[i].size > p.peak) return false;
        for (std::size_t j = 0; j < i; ++j) {
            const bool apart =
                p.offset[i] + blocks[i].size <= p.offset[j] || p.offset[j] + blocks[j].size <= p.offset[i];
            if (live_together(blocks[i], blocks[j]) && !apart) return false;
        }
    }
    return true;
}

// Every whole offset of every block.
double by_trying(const std::vector<MemoryBlock>& blocks, std::vector<int>& offset, std::size_t i, double peak,
                 double best) {
    if (peak >= best) return best;
    if (i == blocks.size()) return peak;
    for (int at = 0; at + blocks[i].size / byte < best; ++at) {
        bool free = true;
        for (std::size_t j = 0; j < i; ++j) {
            const double from = offset[j], to = from + blocks[j].size / byte;
            if (live_together(blocks[i], blocks[j]) && at < to && from < at + blocks[i].size / byte) free = false;
        }
        if (!free) continue;
        offset[i] = at;
        best = by_trying(blocks, offset, i + 1, std::max(peak, at + blocks[i].size / byte), best);
    }
    return best;
}

}  // namespace

class BlockPlanTest : public QObject {
    Q_OBJECT

private slots:
    void placements_are_sound() {
        std::mt19937 random(7);
        for (int i = 0; i < 400; ++i) {
            const auto blocks = random_blocks(random, 1 + int(random() % 40), 64, 20);
            const BlockPlacement p = place_best_fit(blocks);
            QVERIFY(sound(blocks, p));
            QVERIFY(p.peak >= most_alive(blocks));
        }
    }

    void the_exact_plan_equals_trying_every_offset() {
        std::mt19937 random(11);
        int beaten = 0;
        for (int i = 0; i < 400; ++i) {
            const auto blocks = random_blocks(random, 2 + int(random() % 5), 4, 6);
            const auto exact = place_exact(blocks, 1'000'000);
            QVERIFY(exact && sound(blocks, *exact));
            std::vector<int> offset(blocks.size());
            QCOMPARE(exact->peak / byte, by_trying(blocks, offset, 0, 0, 1e9));
            const BlockPlacement quick = place_best_fit(blocks);
            QVERIFY(exact->peak <= quick.peak && exact->peak >= most_alive(blocks));
            if (exact->peak < quick.peak) ++beaten;
        }
        QVERIFY(beaten > 0);  // the search is worth its time on some
    }

    void a_search_that_runs_out_says_so() {
        std::mt19937 random(11);
        int unproven = 0;
        for (int i = 0; i < 50; ++i) {
            const auto blocks = random_blocks(random, 12, 30, 10);
            if (!place_exact(blocks, 5)) ++unproven;
        }
        QVERIFY(unproven > 0);
    }

    void most_alive_by_hand() {
        const std::vector<MemoryBlock> blocks{{4 * byte, 0, 2}, {3 * byte, 1, 3}, {5 * byte, 2, 4}};
        QCOMPARE(most_alive(blocks) / byte, 8.0);
        QCOMPARE(place_best_fit({}).peak / byte, 0.0);
    }

    void a_layer_loses_nothing_when_planned() {
        for (Scenario s : {gpt3_on_selene(), small_on_one_node()}) {
            for (const bool split : {false, true}) {
                s.layout.sequence_parallel = split && s.layout.tensor_parallel > 1;
                const TransientPlan t = plan_transients(s);
                QVERIFY(t.exact);
                QCOMPARE(t.lost(), 1.0);
                std::vector<MemoryBlock> blocks;
                for (const Transient& each : backward_transients(s)) blocks.push_back(each.block);
                QCOMPARE(t.backward.peak / byte, most_alive(blocks) / byte);
            }
        }
    }
};

PLIMSOLL_TEST(BlockPlanTest)
#include "tst_block_plan.moc"
