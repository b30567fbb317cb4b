// Pipeline schedules: orders are complete, the fast makespan equals the slow
// one, and bounds that no schedule can beat hold.
#include "registered_test.h"

#include "core/costs/pipeline/schedule.h"
#include "slow_pipeline.h"

#include <array>
#include <map>
#include <random>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

struct Case {
    Schedule schedule;
    int stages, chunks, micro_batches;
    std::vector<ChunkTime> work;
    int group = 0;
};

Seconds fast_of(const Case& c) { return makespan(c.schedule, c.work, c.stages, c.micro_batches, c.group); }

// Megatron-Core's combined schedule runs one chunk on one stage and several on several.
bool combines(const ScheduleKind& kind, int stages, int chunks) {
    return !kind.pairs || (chunks == 1) == (stages == 1);
}

// Random pipelines: equal stages, heavy ends or anything.
std::vector<Case> random_cases(int count) {
    std::mt19937 random(7);
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0.5, 1.5)(random); };
    std::vector<Case> cases;
    const auto add = [&](Schedule schedule, int stages, int chunks, int micro, int group) {
        std::vector<ChunkTime> work(stages * chunks, {1 * second, 2 * second, 0.9 * second});
        const int shape = pick(0, 2);
        if (shape == 1) {
            work.front().forward *= 1.3;
            work.back().forward *= 1.4;
            work.back().backward *= 1.4;
            work.back().weight *= 1.5;
        }
        if (shape == 2)
            for (ChunkTime& c : work) c = {uniform() * second, 2 * uniform() * second, 0.5 * uniform() * second};
        cases.push_back({schedule, stages, chunks, micro, work, group});
    };
    for (int n = 0; n < drawn(count); ++n) {
        const Schedule schedule = Schedule(pick(0, int(Schedule::dualpipe_v)));
        const ScheduleKind& kind = schedule_kind(schedule);
        const int stages = kind.least_chunks > 1 ? pick(2, 6) : pick(1, 9);
        const int chunks = pick(kind.least_chunks, std::min(4, kind.most_chunks));
        const int micro = kind.in_rounds ? stages * pick(1, 9) : pick(std::max(1, kind.least_rounds * stages), 60);
        add(schedule, stages, chunks, micro, 0);
    }
    // Passes in pairs, and groups wider than the stages, with or without a smaller one at the end.
    for (int n = 0; n < drawn(count) / 4; ++n) {
        const Schedule schedule = n % 2 ? Schedule::combined : Schedule::interleaved;
        const int stages = schedule == Schedule::combined ? pick(1, 6) : pick(2, 6);
        const int chunks = stages == 1 ? 1 : pick(2, 4);
        const int group = stages > 1 && n % 4 < 3 ? pick(stages, 2 * stages + 1) : 0;
        const int turn = group > 0 ? group : stages, rest = group > stages ? pick(stages - 1, group - 1) : 0;
        add(schedule, stages, chunks, turn * pick(1, 9) + (rest >= stages ? rest : 0), group);
    }
    return cases;
}

// visit(schedule, shape, stage) for every stage of all small pipelines that a schedule runs.
template <class Visit>
void for_every_small_order(Visit visit) {
    for (int schedule = 0; schedule < int(std::size(schedule_kinds)); ++schedule)
        for (int stages = 1; stages <= 6; ++stages)
            for (int chunks = 1; chunks <= 3; ++chunks)
                for (int micro_batches = 1; micro_batches <= 18; ++micro_batches) {
                    const ScheduleKind& kind = schedule_kinds[schedule];
                    if (!kind.runs(chunks) || (kind.in_rounds && micro_batches % stages != 0)) continue;
                    if ((kind.least_chunks > 1 && stages == 1) || !combines(kind, stages, chunks)) continue;
                    if (micro_batches < kind.least_rounds * stages) continue;
                    for (int stage = 0; stage < stages; ++stage)
                        visit(Schedule(schedule), PipelineShape{stages, chunks, micro_batches}, stage);
                    for (int group = stages + 1; kind.in_rounds && stages > 1 && group <= micro_batches; ++group)
                        if (const int rest = micro_batches % group; rest == 0 || rest >= stages)
                            for (int stage = 0; stage < stages; ++stage)
                                visit(Schedule(schedule), PipelineShape{stages, chunks, micro_batches, group}, stage);
                }
}

double slowest_stage(const Case& c) {
    double most = 0;
    for (int i = 0; i < c.stages; ++i) {
        double busy = 0;
        for (int k = 0; k < c.chunks; ++k)
            busy += (c.work[i * c.chunks + k].forward + c.work[i * c.chunks + k].backward) / second;
        most = std::max(most, busy);
    }
    return most * c.micro_batches;
}

}  // namespace

class ScheduleTest : public QObject {
    Q_OBJECT

private slots:
    void every_task_runs_exactly_once() {
        for_every_small_order([](Schedule schedule, const PipelineShape& shape, int stage) {
            const bool split = schedule_kind(schedule).splits_backward;
            std::map<std::array<int, 2>, std::vector<Pass>> seen;   // of a chunk and micro-batch
            for (const Task& t : task_order(schedule, shape, stage)) {
                QVERIFY(t.chunk >= 0 && t.chunk < shape.chunks);
                QVERIFY(t.micro_batch >= 0 && t.micro_batch < shape.micro_batches);
                seen[{t.chunk, t.micro_batch}].push_back(t.work);
            }
            QCOMPARE(int(seen.size()), shape.passes());
            const std::vector<Pass> whole{Pass::forward, Pass::backward};
            const std::vector<Pass> halves{Pass::forward, Pass::input_gradient, Pass::weight_gradient};
            for (const auto& [at, passes] : seen) QVERIFY(passes == whole || (split && passes == halves));
        });
    }

    void every_order_comes_to_its_end() {
        for_every_small_order([](Schedule schedule, const PipelineShape& shape, int stage) {
            if (stage > 0) return;
            const std::vector<ChunkTime> work(shape.stages * shape.chunks, {1 * second, 2 * second, 1 * second});
            QVERIFY(slow_makespan(schedule, work, shape.stages, shape.micro_batches, shape.group) > Seconds{});
        });
    }

    void every_position_of_the_model_is_one_chunk() {
        for (const ScheduleKind& kind : schedule_kinds)
            for (int stages = 1; stages <= 6; ++stages)
                for (int chunks = 1; chunks <= 4; ++chunks) {
                    if (!kind.runs(chunks)) continue;
                    for (int at = 0; at < stages * chunks; ++at) {
                        const Slot slot = kind.place.slot(at, stages);
                        QVERIFY(slot.stage >= 0 && slot.stage < stages && slot.chunk >= 0 && slot.chunk < chunks);
                        QCOMPARE(kind.place.position(slot, stages), at);
                    }
                }
    }

    void an_order_is_as_short_for_thousands_of_micro_batches() {
        const TaskOrder order = order_of(Schedule::zb_h1, {8, 1, 100000}, 3);
        QVERIFY(order.end() - order.begin() <= 5);
        QCOMPARE(most_held(order).kept, 5);
        QCOMPARE(most_held(order).with_waiting, 8);
    }

    void fast_equals_slow_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("GPipe, any stages") << int(Schedule::gpipe) << 1e-9;
        // Stages between half and one and a half of each other can take longer to settle than is simulated.
        QTest::newRow("1F1B, any stages") << int(Schedule::one_f_one_b) << 5e-3;
        QTest::newRow("interleaved, any chunks") << int(Schedule::interleaved) << 5e-3;
        QTest::newRow("ZB-H1, any stages") << int(Schedule::zb_h1) << 5e-3;
        QTest::newRow("ZB-H2, any stages") << int(Schedule::zb_h2) << 5e-3;
        QTest::newRow("ZB-V, any chunks") << int(Schedule::zb_v) << 5e-3;
        QTest::newRow("V-Half, any chunks") << int(Schedule::v_half) << 5e-3;
        QTest::newRow("V-Min, any chunks") << int(Schedule::v_min) << 5e-3;
        QTest::newRow("DualPipe-V, any chunks") << int(Schedule::dualpipe_v) << 5e-3;
        QTest::newRow("combined, any chunks") << int(Schedule::combined) << 5e-3;
    }
    void fast_equals_slow() {
        QFETCH(int, schedule);
        QFETCH(double, tolerance);
        double worst = 0;
        for (const Case& c : random_cases(1500)) {
            if (int(c.schedule) != schedule) continue;
            const double fast = fast_of(c) / second;
            const double slow = slow_makespan(c.schedule, c.work, c.stages, c.micro_batches, c.group) / second;
            worst = std::max(worst, std::abs(fast / slow - 1));
            QVERIFY2(std::abs(fast / slow - 1) < tolerance,
                     qPrintable(QString("%1 stages, %2 chunks, %3 micro-batches in groups of %4: %5 against %6")
                                    .arg(c.stages)
                                    .arg(c.chunks)
                                    .arg(c.micro_batches)
                                    .arg(c.group)
                                    .arg(fast, 0, 'g', 12)
                                    .arg(slow, 0, 'g', 12)));
        }
        qInfo("largest difference %.3g", worst);
    }

    // Equal layers, an embedding and a head: what estimate() asks for.
    void what_was_asked_before_changes_nothing() {   // simulations are remembered
        const std::vector<Case> cases = random_cases(600);
        const auto of = [](const Case& c) { return fast_of(c); };
        std::vector<Seconds> first;
        for (const Case& c : cases) first.push_back(of(c));
        for (std::size_t i = cases.size(); i-- > 0;) QCOMPARE(of(cases[i]) / second, first[i] / second);
    }

    // Five and six rounds are simulated as one for this, and apart where nothing is extended.
    void rounds_are_extended_from_the_fifth_and_sixth() {
        for (const Case& c : random_cases(600)) {
            if (c.schedule != Schedule::interleaved || c.group > 0) continue;
            const auto of = [&](int rounds) { return makespan(c.schedule, c.work, c.stages, rounds * c.stages); };
            const Seconds fifth = of(5), sixth = of(6);
            const Seconds least = makespan_bound(c.schedule, c.work, c.stages, 9 * c.stages);
            QCOMPARE(of(9) / second, max(sixth + 3 * (sixth - fifth), least) / second);
        }
    }

    void heavy_ends_are_exact() {
        for (int stages : {2, 4, 8, 35})
            for (int chunks : {1, 2, 3, 5})
                for (int rounds : {3, 7, 12, 20}) {
                    std::vector<ChunkTime> work(stages * chunks, {1 * second, 2 * second});
                    work.front().forward *= 1.05;
                    work.back().forward *= 1.4;
                    work.back().backward *= 1.4;
                    const Schedule schedule = chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
                    const double fast = makespan(schedule, work, stages, stages * rounds) / second;
                    const double slow = slow_makespan(schedule, work, stages, stages * rounds) / second;
                    QVERIFY2(std::abs(fast / slow - 1) < 1e-9,
                             qPrintable(QString("%1 stages, %2 chunks, %3 rounds: %4 against %5")
                                            .arg(stages)
                                            .arg(chunks)
                                            .arg(rounds)
                                            .arg(fast)
                                            .arg(slow)));
                }
    }

    void heavy_ends_are_exact_without_bubble_too() {
        for (Schedule schedule : {Schedule::zb_h1, Schedule::zb_h2})
            for (int stages : {2, 4, 8, 16, 35})
                for (int rounds : {1, 3, 7, 12, 20})
                    for (double head : {0.9, 1.05, 1.4}) {
                        if (schedule == Schedule::zb_h2 && head < 1) continue;  // settles slowly
                        std::vector<ChunkTime> work(stages, {1 * second, 2 * second, 0.8 * second});
                        work.front().forward *= 1.05;
                        work.back() = {head * second, 2 * head * second, 0.9 * head * second};
                        const double fast = makespan(schedule, work, stages, stages * rounds) / second;
                        const double slow = slow_makespan(schedule, work, stages, stages * rounds) / second;
                        QVERIFY2(std::abs(fast / slow - 1) < 1e-9,
                                 qPrintable(QString("%1 stages, %2 rounds, head %3: %4 against %5")
                                                .arg(stages)
                                                .arg(rounds)
                                                .arg(head)
                                                .arg(fast)
                                                .arg(slow)));
                    }
    }

    // Qi et al. 2024, table 2, for equal stages.
    void bubbles_are_those_of_the_closed_form_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("input");
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("bubble");
        QTest::newRow("1F1B, all passes alike") << int(Schedule::one_f_one_b) << 1.0 << 1.0 << 1.0 << 21.0;
        QTest::newRow("ZB-H1, all passes alike: a third") << int(Schedule::zb_h1) << 1.0 << 1.0 << 1.0 << 7.0;
        QTest::newRow("ZB-H2, all passes alike: none") << int(Schedule::zb_h2) << 1.0 << 1.0 << 1.0 << 0.0;
        QTest::newRow("ZB-H1, W < F < B") << int(Schedule::zb_h1) << 1.0 << 1.2 << 0.8 << 7 * (1 + 1.2 - 0.8);
        QTest::newRow("ZB-H2, W < F < B") << int(Schedule::zb_h2) << 1.0 << 1.2 << 0.8 << 7 * (1 + 1.2 - 2 * 0.8);
        QTest::newRow("ZB-H1 with nothing to defer is 1F1B") << int(Schedule::zb_h1) << 1.0 << 2.0 << 0.0 << 21.0;
    }
    void bubbles_are_those_of_the_closed_form() {
        QFETCH(int, schedule);
        QFETCH(double, forward);
        QFETCH(double, input);
        QFETCH(double, weight);
        QFETCH(double, bubble);
        const std::vector<ChunkTime> work(8, {forward * second, (input + weight) * second, weight * second});
        for (int micro_batches : {15, 16, 64, 1000}) {
            const double busy = micro_batches * (forward + input + weight);
            QVERIFY(std::abs(makespan(Schedule(schedule), work, 8, micro_batches) / second - busy - bubble)
                    < 1e-9 * busy);
        }
    }

    // Orders of Primus (zbv_formatted.py) and DeepSeek (dualpipev.py), run event by event by another program; the step
    // is as long as the stage that takes longest from its own first task to its own last.
    void chunks_on_the_way_back_take_as_long_as_elsewhere_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("micro_batches");
        QTest::addColumn<double>("input");    // forward passes take 1
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("held");     // micro-batches, on every stage
        const int zb_v = int(Schedule::zb_v), dualpipe_v = int(Schedule::dualpipe_v);
        QTest::newRow("ZB-V, passes alike: no bubble") << zb_v << 4 << 8 << 1.0 << 1.0 << 48.0 << 4.0;
        QTest::newRow("ZB-V, W < F < B") << zb_v << 4 << 8 << 1.2 << 0.8 << 50.4 << 4.0;
        QTest::newRow("ZB-V, eight stages") << zb_v << 8 << 32 << 1.5 << 0.7 << 216.0 << 8.0;
        QTest::newRow("DualPipe-V, passes alike") << dualpipe_v << 4 << 8 << 1.0 << 1.0 << 54.0 << 4.5;
        QTest::newRow("DualPipe-V, long way back") << dualpipe_v << 4 << 16 << 1.5 << 0.7 << 111.3 << 4.5;
        QTest::newRow("DualPipe-V, eight stages") << dualpipe_v << 8 << 32 << 1.0 << 1.0 << 206.0 << 8.5;
    }
    void chunks_on_the_way_back_take_as_long_as_elsewhere() {
        QFETCH(int, schedule);
        QFETCH(int, stages);
        QFETCH(int, micro_batches);
        QFETCH(double, input);
        QFETCH(double, weight);
        QFETCH(double, step);
        QFETCH(double, held);
        const std::vector<ChunkTime> work(2 * stages, {1 * second, (input + weight) * second, weight * second});
        QVERIFY(std::abs(makespan(Schedule(schedule), work, stages, micro_batches) / second - step) < 1e-9);
        for (int i = 0; i < stages; ++i) {
            const PipelineShape shape{stages, 2, micro_batches};
            QCOMPARE(micro_batches_in_flight(Schedule(schedule), shape, i)
                         + weight_gradients_waiting(Schedule(schedule), shape, i),
                     held);
        }
    }

    // Qi et al. 2024 (2405.15362): with passes alike V-Half holds half of what 1F1B's first stage does, V-Min a third,
    // by a constant more. V-Min leaves two thirds of the bubble; V-Half's building block 7/12, of which the authors'
    // reordering at both ends makes a half.
    void v_half_and_v_min_hold_less_and_wait_more_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<double>("held");
        QTest::addColumn<double>("bubble");
        QTest::newRow("V-Half") << int(Schedule::v_half) << 1 / 2.0 << 7 / 12.0;
        QTest::newRow("V-Min") << int(Schedule::v_min) << 1 / 3.0 << 2 / 3.0;
    }
    void v_half_and_v_min_hold_less_and_wait_more() {
        QFETCH(int, schedule);
        QFETCH(double, held);
        QFETCH(double, bubble);
        for (const int p : {4, 6, 8, 12, 16, 24}) {
            const int m = 4 * p;
            const std::vector<ChunkTime> work(2 * p, {1 * second, 2 * second, 1 * second});
            const std::vector<ChunkTime> plain(p, {2 * second, 4 * second, 2 * second});
            const double own = makespan(Schedule(schedule), work, p, m) / second - 6.0 * m;
            const double of_1f1b = makespan(Schedule::one_f_one_b, plain, p, m) / second - 6.0 * m;
            QVERIFY2(std::abs(own - bubble * of_1f1b) <= 4, qPrintable(QString("%1 of %2").arg(own).arg(of_1f1b)));
            for (int i = 0; i < p; ++i) {
                const PipelineShape shape{p, 2, m};
                const double most = micro_batches_in_flight(Schedule(schedule), shape, i)
                                  + weight_gradients_waiting(Schedule(schedule), shape, i);
                QVERIFY2(most <= held * p + 2, qPrintable(QString("%1 of %2").arg(most).arg(p)));
            }
        }
    }

    void never_faster_than_the_busiest_stage() {
        for (const Case& c : random_cases(300))
            QVERIFY(fast_of(c) / second >= slowest_stage(c) * (1 - 1e-12));
    }

    void in_flight_counts_data() {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<double>("expected");
        QTest::newRow("GPipe keeps all") << int(Schedule::gpipe) << 0 << 1 << 64.0;
        QTest::newRow("1F1B keeps p on the first stage") << int(Schedule::one_f_one_b) << 0 << 1 << 8.0;
        QTest::newRow("1F1B keeps one on the last") << int(Schedule::one_f_one_b) << 7 << 1 << 1.0;
        QTest::newRow("ZB-H1 keeps p on the first, as 1F1B") << int(Schedule::zb_h1) << 0 << 1 << 8.0;
        QTest::newRow("ZB-H2 keeps 2p - 1 on the first") << int(Schedule::zb_h2) << 0 << 1 << 15.0;
        QTest::newRow("ZB-H2 keeps one on the last") << int(Schedule::zb_h2) << 7 << 1 << 1.0;
        QTest::newRow("interleaved keeps p (1 + (p-1)/(p v)) on the first")
            << int(Schedule::interleaved) << 0 << 4 << 8 + 7.0 / 4;
        QTest::newRow("interleaved keeps its whole warm-up on the last, too: (p (v-1) + 1)/v")
            << int(Schedule::interleaved) << 7 << 4 << (8 * 3 + 1) / 4.0;
    }
    void in_flight_counts() {
        QFETCH(int, schedule);
        QFETCH(int, stage);
        QFETCH(int, chunks);
        QFETCH(double, expected);
        QCOMPARE(micro_batches_in_flight(Schedule(schedule), {8, chunks, 64}, stage), expected);
    }

    // Megatron-Core, schedules.py, get_pp_rank_microbatches: 2 (p-1-i) + (v-1) g forward passes to warm up, and one
    // more in pairs. Interleaved, the first forward pass of the steady phase comes on top of them; in pairs it takes,
    // layer by layer, the room of the backward pass.
    void a_combined_schedule_holds_its_warm_up_data() {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<int>("group");
        QTest::newRow("of four") << 8 << 4 << 0;
        QTest::newRow("of two, in groups of twice the stages") << 4 << 2 << 8;
        QTest::newRow("of three, in groups wider by one") << 4 << 3 << 5;
    }
    void a_combined_schedule_holds_its_warm_up() {
        QFETCH(int, stages);
        QFETCH(int, chunks);
        QFETCH(int, group);
        const PipelineShape shape{stages, chunks, 40 * stages, group};
        for (int i = 0; i < stages; ++i) {
            const double plain = micro_batches_in_flight(Schedule::interleaved, shape, i);
            QCOMPARE(plain, (2 * (stages - 1 - i) + (chunks - 1) * shape.turn() + 1) / double(chunks));
            QCOMPARE(micro_batches_in_flight(Schedule::combined, shape, i), plain);
        }
    }
    void one_stage_works_in_pairs_but_for_the_ends() {
        QCOMPARE(micro_batches_in_flight(Schedule::combined, {1, 1, 64}, 0), 1.0);
        QCOMPARE(micro_batches_in_flight(Schedule::combined, {1, 1, 1}, 0), 1.0);
        QCOMPARE(passes_side_by_side(Schedule::combined, {1, 1, 64}), 63 / 64.0);
        QCOMPARE(passes_side_by_side(Schedule::combined, {1, 1, 1}), 0.0);
        QCOMPARE(passes_side_by_side(Schedule::interleaved, {4, 2, 64}), 0.0);
        // The mean of 64 x 2 passes less 11, 9, 7 and 5.
        QCOMPARE(passes_side_by_side(Schedule::combined, {4, 2, 64}), (128 - 8) / 128.0);
    }

    // The closed forms, and the count by phases, against every task in turn.
    void in_flight_is_what_the_order_holds() {
        for_every_small_order([](Schedule schedule, const PipelineShape& shape, int stage) {
            int whole = 0, waiting = 0, most = 0, most_together = 0;
            const bool pairs = schedule_kind(schedule).pairs;
            int beside = 0;   // forward passes that take the room of the backward pass beside them
            for (const Task& t : task_order(schedule, shape, stage)) {
                if (t.work == Pass::forward) ++whole;
                beside = pairs && t.beside_next ? 1 : beside;
                most = std::max(most, whole - beside);
                most_together = std::max(most_together, whole + waiting - beside);
                if (!t.beside_next) beside = 0;
                if (t.work == Pass::backward || t.work == Pass::input_gradient) --whole;
                if (t.work == Pass::input_gradient) ++waiting;
                if (t.work == Pass::weight_gradient) --waiting;
            }
            const HeldPasses counted = most_held(order_of(schedule, shape, stage), pairs);
            QCOMPARE(counted.kept, most);
            QCOMPARE(counted.with_waiting, most_together);
            QCOMPARE(micro_batches_in_flight(schedule, shape, stage), double(most) / shape.chunks);
            QCOMPARE(weight_gradients_waiting(schedule, shape, stage), double(most_together - most) / shape.chunks);
        });
    }
};

PLIMSOLL_TEST(ScheduleTest)
#include "tst_schedule.moc"
