// From measurements to constants: a machine that is known makes the measurements, and the fit has to find it again.
#include "registered_test.h"

#include "core/evidence/calibration/fit/calibrate.h"
#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/products.h"
#include "core/costs/network/network.h"
#include "shipped.h"

#include <cmath>
#include <map>
#include <random>

using namespace plimsoll;

namespace {

const Machine& base() {
    static const Machine m = shared_by(library().machines.at("cpu-2core"), {2, 24 * gibibyte}, 2);
    return m;
}
const Stack& engine() { return library().stacks.at("plimsoll-engine"); }

ExperimentPlan calibration_plan() {
    Scenario subject = trial_plan({}, base(), engine());
    auto p = plan_experiments(
        subject, {.machine = library().machines.at("cpu-2core"), .engine = engine(), .ranks = 2, .power = true});
    if (!p) qFatal("%s", p.error().front().c_str());
    return *p;
}

Seconds attention_pass(const Scenario& s, bool backward) {
    const Rates r = rates_of(s);
    return (backward ? attention_backward(s, dense_layer, r) : attention_forward(s, dense_layer, r)).total();
}

// Another computer than the base says: what the fit is to find.
struct Truth {
    Machine machine = base();
    Stack stack = engine();
    double compute = 1, network = 1, rest = 1;   // whole steps against their parts
    bool files_in_memory = false;
    std::string energy_scope = "package";
    double boards = 0;               // whose counters the power bench reads; 0: none of their own
    Truth() {
        Efficiency& e = machine.device.efficiency;
        e.gemm_ceiling = 0.7, e.gemm_half_depth = 8, e.gemm_half_rows = 25, e.kernel_floor = 4 * microsecond;
        e.stream_fraction = 0.6, e.flash_forward = 0.5, e.flash_backward = 0.45, e.flash_half_sequence = 20,
        e.flash_half_head = 9;
        machine.levels[0].bandwidth = 4 * gigabyte / second, machine.levels[0].efficiency = 1,
        machine.levels[0].latency = 3 * microsecond;
        stack.updates.optimizer_bytes = 20;
    }
};

class Bench {
public:
    // `model`, `visit`: how far each layout and each of its visits is off besides, standard deviations.
    explicit Bench(const Truth& t, double noise = 0.01, unsigned seed = 11, double model = 0, double visit = 0)
        : truth_(t), random_(seed), noise_(noise), model_(model), visit_(visit) {}

    Measurements all() {
        products(), attention(), memory(), network(), surroundings(), power(), steps();
        return std::move(m_);
    }
    Measurements m_;

private:
    double noise() { return std::exp(noise_ * normal_(random_)); }
    double drawn(double deviation) {
        return deviation > 0 ? std::exp(std::normal_distribution<double>(0, deviation)(random_)) : 1;
    }
    BenchPoint& point(const char* kind, Seconds t) {
        BenchPoint p;
        p.kind = kind;
        p.median = noise() * t;
        p.low = 0.99 * p.median, p.high = 1.01 * p.median, p.least = p.tenth = 0.98 * p.median;
        return m_.points.emplace_back(std::move(p));
    }
    Scenario scenario() const {
        Scenario s = plan_.runs.back().plan;
        s.machine = truth_.machine, s.stack = truth_.stack, s.layout = {}, s.layout.devices = 1;
        return s;
    }
    void products() {
        const Scenario s = scenario();
        const Rates r = rates_of(s);
        for (const double m : {64.0, 256.0})
            for (const auto& [n, k] :
                 {std::pair{1152.0, 384.0}, {384.0, 384.0}, {1536.0, 384.0}, {384.0, 1536.0}, {8192.0, 384.0}})
                for (const char* form : {"forward", "input_gradient", "weight_gradient"}) {
                    const Gemm g{"", "", m, n, k};
                    const Gemm done = std::string_view(form) == "forward"        ? g
                                    : std::string_view(form) == "input_gradient" ? data_gradient(g)
                                                                                 : weight_gradient(g);
                    BenchPoint& p = point("gemm", time_of(done, r).total());
                    p.words = {{"product", "any"}, {"form", form}};
                    p.numbers = {{"m", m}, {"n", n}, {"k", k}};
                    p.flop = 2 * m * n * k;
                }
    }
    void attention() {
        Scenario s = scenario();
        for (const int tokens : {64, 256, 1024})
            for (const int width : {64, 128})
                for (const bool backward : {false, true}) {
                    s.model.heads = s.model.kv_heads = 6, s.model.head_dim = width, s.model.hidden = 6 * width;
                    s.recipe.sequence_length = tokens, s.layout.micro_batch = 4;
                    BenchPoint& p = point("attention", attention_pass(s, backward));
                    p.words = {{"pass", backward ? "backward" : "forward"}};
                    p.numbers = {{"batch", 4}, {"tokens", double(tokens)}, {"heads", 6}, {"head_size", double(width)}};
                }
    }
    void memory() {
        const double rate = rates_of(scenario()).memory / (byte / second);
        for (const double bytes : {1e5, 1e6, 2e8, 4e8}) {   // the first two in caches, four times as fast
            BenchPoint& p = point("stream", bytes / (bytes < 1e7 ? 4 * rate : rate) * second);
            p.bytes = bytes * byte;
            p.numbers = {{"working_set_B", bytes}};
        }
        BenchPoint& p = point("adamw", 1.6e7 * truth_.stack.updates.optimizer_bytes / rate * second);
        p.numbers = {{"parameters", 1.6e7}};
    }
    void network() {
        const Span span = span_of(truth_.machine, {2, 1});
        for (double bytes = 1024; bytes < 1e8; bytes *= 4)
            for (const auto& [name, kind] : {std::pair{"all_reduce", Collective::all_reduce},
                                             {"all_gather", Collective::all_gather},
                                             {"reduce_scatter", Collective::reduce_scatter}}) {
                BenchPoint& p = point("collective", transfer(kind, span, bytes * byte).time);
                p.words = {{"collective", name}, {"dimension", "data"}};
                p.numbers = {{"ranks", 2}};
                p.bytes = bytes * byte;
            }
    }
    // Files of two ranks on one node, a link whose ways differ, and an all-reduce of which a product hides 0.6.
    void surroundings() {
        for (const bool write : {true, false})
            for (const int ranks : {1, 2}) {
                const double bytes = 16e6, rate = (write ? 0.4 : 0.7) * 1e9;
                BenchPoint& p = point("storage", ranks * bytes / rate * second);
                p.bytes = bytes * byte;
                p.words = {{"operation", write ? "write" : "read"},
                           {"file_system", truth_.files_in_memory ? "tmpfs" : "xfs"}};
                p.numbers = {{"ranks", double(ranks)}};
            }
        for (const bool in : {true, false})
            for (const double bytes : {1e5, 1e8}) {
                BenchPoint& p = point("hostlink", bytes / (in ? 20e9 : bytes < 1e6 ? 1e9 : 16e9) * second);
                p.bytes = bytes * byte;
                p.words = {{"direction", in ? "to_device" : "to_host"}, {"memory", "page_locked"}};
            }
        for (const double collective : {0.001, 0.02, 0.08}) {   // the first is a thirtieth of the product
            const double product = 0.03;
            BenchPoint& p = point("overlap", (product + collective - 0.6 * std::min(product, collective)) * second);
            p.bytes = collective * 1e9 * byte;
            p.numbers = {{"product_s", product}, {"collective_s", collective}};
        }
    }
    // Two devices of 3 W at rest that may draw 8.
    void power() {
        for (const auto& [load, watts] :
             {std::pair{"idle", 6.0}, {"stream", 10.0}, {"gemm", 14.0}, {"all_reduce", 7.0}, {"idle_after", 6.2}}) {
            BenchPoint& p = point("power", 5 * second);
            p.words = {{"load", load}, {"scope", truth_.energy_scope}};
            p.numbers = {{"W", watts}, {"boards", truth_.boards}};
        }
    }
    void steps() {
        for (const PlannedRun& run : plan_.runs) {
            if (run.role == Role::measure) continue;
            Scenario s = run.plan;
            for (std::size_t i = 0; i < s.machine.levels.size(); ++i) s.machine.levels[i] = truth_.machine.levels[i];
            s.machine.device.efficiency = truth_.machine.device.efficiency;
            s.stack = truth_.stack;
            const auto e = estimate(s);
            TrainingRun ran{run.id, {}, {}, true};
            const std::string& layout = run.repeats.empty() ? run.id : run.repeats;
            if (!off_.contains(layout)) off_[layout] = drawn(model_);
            const double off = off_[layout] * drawn(visit_);
            for (int i = 0; i < run.steps; ++i) {
                EngineStep step;
                step.step = i + 1;
                step.parts.mean = e->step;
                const Seconds network =
                    e->step.data_parallel + e->step.tensor_parallel + e->step.shard_gather + e->step.pipeline_transfer;
                const Seconds rest = e->step.elementwise + e->step.optimizer + e->step.launch;
                step.wall = off * noise()
                          * (truth_.compute * (e->step.total() - network - rest) + truth_.network * network
                             + truth_.rest * rest);
                for (const MemoryUse& stage : e->stages)
                    step.memory_peak = max(step.memory_peak, stage.total() - stage.context);
                ran.steps.push_back(step);
            }
            m_.runs.push_back(std::move(ran));
        }
    }

    const Truth truth_;
    const ExperimentPlan plan_ = calibration_plan();
    std::mt19937 random_;
    std::normal_distribution<double> normal_;   // of 1: a distribution of 0 has no meaning in the library
    double noise_, model_, visit_;
    std::map<std::string, double> off_;      // of each layout
};

// A calibration on A100s: a kernel of the engine's at a quarter of the peak, and FlashAttention at 0.6.
ExperimentPlan plan_on_gpus() {
    ExperimentPlan plan = calibration_plan();
    plan.machine = library().machines.at("dgx-a100-superpod");
    for (PlannedRun& run : plan.runs) run.plan.recipe.precision = Precision::bf16;
    return plan;
}

Measurements attention_on_gpus(const char* kind, double forward, double backward) {
    Scenario s = trial_plan({}, plan_on_gpus().machine, engine());
    s.recipe.precision = Precision::bf16;
    Efficiency& e = s.machine.device.efficiency;
    e.flash_forward = forward, e.flash_backward = backward;
    Measurements m;
    for (const int tokens : {1024, 2048, 4096})
        for (const int width : {64, 128})
            for (const bool gradient : {false, true}) {
                s.model.heads = s.model.kv_heads = 16, s.model.head_dim = width, s.model.hidden = 16 * width;
                s.recipe.sequence_length = tokens, s.layout.micro_batch = 2;
                BenchPoint p;
                p.kind = kind;
                p.words = {
                    {"pass", gradient ? "backward" : "forward"}, {"kernel", "flash"}, {"library", "PyTorch 2.6"}};
                p.numbers = {{"batch", 2}, {"tokens", double(tokens)}, {"heads", 16}, {"head_size", double(width)}};
                p.median = attention_pass(s, gradient);
                p.low = p.high = p.least = p.tenth = p.median;
                m.points.push_back(p);
            }
    return m;
}

const MeasuredConstant* constant(const Calibrated& c, std::string_view pointer) {
    for (const MeasuredConstant& each : c.constants)
        if (each.pointer == pointer) return &each;
    return nullptr;
}

bool mentions(const std::vector<std::string>& sentences, const char* word) {
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& s) { return s.find(word) != s.npos; });
}

double worst_held_out(const Calibrated& c, const Measurements& m) {
    double worst = 0;
    for (const PlannedRun& run : calibration_plan().runs)
        if (run.role == Role::held_out && run.fair)
            for (const TrainingRun& ran : m.runs)
                if (ran.id == run.id) worst = std::max(worst, std::abs(proven(predict(c, run), ran).error()));
    return worst;
}

}  // namespace

class CalibrateTest : public QObject {
    Q_OBJECT

private slots:
    void constants_of_the_machine_are_found_again_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<double>("expected");
        QTest::addColumn<double>("within");
        const Truth t;
        QTest::newRow("ceiling of products")
            << "/device/efficiency/gemm_ceiling" << t.machine.device.efficiency.gemm_ceiling << 0.03;
        QTest::newRow("rows at half the rate")
            << "/device/efficiency/gemm_half_rows" << t.machine.device.efficiency.gemm_half_rows << 0.15;
        QTest::newRow("attention forward")
            << "stack/flash_forward_scale"
            << t.machine.device.efficiency.flash_forward / base().device.efficiency.flash_forward << 0.06;
        QTest::newRow("attention backward")
            << "stack/flash_backward_scale"
            << t.machine.device.efficiency.flash_backward / base().device.efficiency.flash_backward << 0.06;
        QTest::newRow("memory beyond the caches")
            << "/device/efficiency/stream_fraction" << t.machine.device.efficiency.stream_fraction << 0.02;
        QTest::newRow("latency") << "/levels/0/latency_us" << 3.0 << 0.15;
        QTest::newRow("optimizer's traffic") << "stack/optimizer_bytes" << t.stack.updates.optimizer_bytes << 0.1;
        QTest::newRow("writing files, all ranks of the node") << "/storage/write_GBps_per_node" << 0.4 << 0.03;
        QTest::newRow("reading them, on a machine of one node") << "/storage/read_GBps" << 0.7 << 0.03;
        QTest::newRow("the slower way of the host's link, large copies") << "/host/link_GBps" << 16.0 << 0.03;
        QTest::newRow("watts at rest, of each device") << "/power/device_idle_W" << 3.0 << 0.001;
        QTest::newRow("a device that draws more than its preset says") << "/power/device_max_W" << 7.0 << 0.001;
        QTest::newRow("weight of computing") << "/power/compute_weight" << 1.0 << 0.001;
        QTest::newRow("weight of memory") << "/power/memory_weight" << 0.5 << 0.001;
        QTest::newRow("weight of communication") << "/power/network_weight" << 0.125 << 0.001;
    }
    void constants_of_the_machine_are_found_again() {
        QFETCH(QString, pointer);
        QFETCH(double, expected);
        QFETCH(double, within);
        const Calibrated c = calibrate(calibration_plan(), Bench(Truth{}).all());
        const MeasuredConstant* found = constant(c, pointer.toStdString());
        QVERIFY(found);
        QVERIFY2(std::abs(found->value / expected - 1) < within,
                 qPrintable(QString("%1 for %2").arg(found->value).arg(expected)));
        QVERIFY2(found->low <= found->value && found->value <= found->high, "the interval holds the value");
        QVERIFY2(found->low * 0.95 <= expected && expected <= found->high * 1.05, "and nearly or quite the truth");
    }

    // The engine's kernel is a scale of whatever the device's is: what it takes is the same with a library and without.
    void a_library_s_attention_is_the_device_s_and_the_engine_s_its_software_s() {
        const ExperimentPlan plan = plan_on_gpus();
        Measurements own = attention_on_gpus("attention", 0.25, 0.2), both = own;
        for (const BenchPoint& p : attention_on_gpus("library_attention", 0.6, 0.5).points) both.points.push_back(p);
        const Calibrated without = calibrate(plan, own), with = calibrate(plan, both);
        QCOMPARE(without.machine.device.efficiency, plan.machine.device.efficiency);
        const Efficiency& e = with.machine.device.efficiency;
        QVERIFY2(std::abs(e.flash_forward - 0.6) < 0.02, qPrintable(QString::number(e.flash_forward)));
        QVERIFY2(std::abs(e.flash_backward - 0.5) < 0.02, qPrintable(QString::number(e.flash_backward)));
        QVERIFY(with.stack.kernels.flash_forward_scale < 0.5);
        const double before = plan.machine.device.efficiency.flash_forward * without.stack.kernels.flash_forward_scale;
        QVERIFY(std::abs(e.flash_forward * with.stack.kernels.flash_forward_scale / before - 1) < 0.02);
        QCOMPARE(with.open.size(), without.open.size());   // no interval of the engine's predictions widens
    }
    void times_of_a_library_that_cannot_be_change_nothing_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("word");
        QTest::addColumn<double>("number");
        QTest::newRow("faster than the device's peak") << "median" << QString() << 1e-3;
        QTest::newRow("a kernel that writes the scores") << "kernel" << "math" << 0.0;
        QTest::newRow("a kernel that nobody knows") << "kernel" << "\x1b[2J" << 0.0;
        QTest::newRow("a pass that is none") << "pass" << "sideways" << 0.0;
        QTest::newRow("no backward passes") << "pass" << "forward" << 0.0;
        QTest::newRow("a device that waited") << "flag" << "starved" << 0.0;
        QTest::newRow("more heads than can be counted") << "heads" << QString() << 1e300;
        QTest::newRow("heads and widths whose product cannot") << "head_size" << QString() << 1e9;
        QTest::newRow("no tokens") << "tokens" << QString() << 0.0;
        QTest::newRow("half a sequence") << "batch" << QString() << 0.5;
        QTest::newRow("less than none") << "tokens" << QString() << -5.0;
    }
    void times_of_a_library_that_cannot_be_change_nothing() {
        QFETCH(QString, key);
        QFETCH(QString, word);
        QFETCH(double, number);
        Measurements m = attention_on_gpus("library_attention", 0.6, 0.5);
        for (BenchPoint& p : m.points) {
            if (key == "median") p.median = p.low = p.high = p.least = p.tenth = number * p.median;
            else if (key == "flag") p.flags.push_back(word.toStdString());
            else if (!word.isEmpty()) p.words[key.toStdString()] = word.toStdString();
            else p.numbers[key.toStdString()] = number;
        }
        const Calibrated c = calibrate(plan_on_gpus(), m);
        QCOMPARE(c.machine.device.efficiency, plan_on_gpus().machine.device.efficiency);
        QVERIFY(c.constants.empty() && c.experiments.empty());
    }

    // A preset names points only where it has them.
    void every_constant_s_points_are_there() {
        const Calibrated c = calibrate(calibration_plan(), Bench(Truth{}).all());
        for (const MeasuredConstant& m : not_empty(c.constants))
            QVERIFY2(m.experiment.empty()
                         || std::any_of(c.experiments.begin(), c.experiments.end(),
                                        [&](const Experiment& e) { return e.id == m.experiment && !e.points.empty(); }),
                     m.pointer.c_str());
    }

    void layouts_held_back_are_predicted() {
        const Measurements m = Bench(Truth{}).all();
        QVERIFY(worst_held_out(calibrate(calibration_plan(), m), m) < 0.05);
    }
    void without_calibration_they_are_not() {
        const Measurements m = Bench(Truth{}).all();
        QVERIFY(worst_held_out(calibrate(calibration_plan(), {}), m) > 0.15);
    }

    void steps_slower_than_their_parts_become_a_factor() {
        Truth t;
        t.compute = 1.12;
        const Measurements m = Bench(t).all();
        const Calibrated c = calibrate(calibration_plan(), m);
        QVERIFY2(std::abs(c.factors.compute - 1.12) < 0.04, qPrintable(QString::number(c.factors.compute)));
        QVERIFY(worst_held_out(c, m) < 0.06);
        QVERIFY(!mentions(c.cautions, "does not explain"));
    }
    void a_factor_that_is_too_large_is_said() {
        Truth t;
        t.compute = 2.2;
        QVERIFY(mentions(calibrate(calibration_plan(), Bench(t).all()).cautions, "does not explain"));
    }

    void a_second_rate_is_found_where_there_is_one() {
        Truth t;
        t.machine.levels[0].large_from = 4 * megabyte;
        t.machine.levels[0].large_bandwidth = 0.8 * gigabyte / second;
        const Calibrated c = calibrate(calibration_plan(), Bench(t).all());
        const MeasuredConstant* from = constant(c, "/levels/0/large_from_MB");
        QVERIFY(from);
        QVERIFY2(from->value > 2.5 && from->value < 6, qPrintable(QString::number(from->value)));
    }
    void and_not_where_there_is_none() {
        QVERIFY(!constant(calibrate(calibration_plan(), Bench(Truth{}).all()), "/levels/0/large_from_MB"));
    }

    void what_overlap_hides_is_told_beside_what_software_is_taken_to_hide() {
        ExperimentPlan p = calibration_plan();
        p.subject.stack.gradients.overlap = 0.9;
        p.subject.stack.name = "Another";
        p.subject.layout.devices = 2;
        const Calibrated c = calibrate(p, Bench(Truth{}, 0).all());
        QVERIFY(mentions(c.cautions, "hid 60 % of the shorter one here; \"Another\" is taken to hide up to 90 %"));
        // The engine hides nothing.
        QVERIFY(!mentions(calibrate(calibration_plan(), Bench(Truth{}, 0).all()).cautions, "hid"));
        QCOMPARE(c.stack.gradients.overlap, engine().gradients.overlap);
    }
    void files_in_memory_say_nothing_of_storage() {
        Truth t;
        t.files_in_memory = true;
        const Calibrated c = calibrate(calibration_plan(), Bench(t).all());
        QVERIFY(c.machine.storage == base().storage);
        QVERIFY(mentions(c.cautions, "lay in memory"));
    }
    void whole_nodes_tell_their_host_and_not_their_devices() {
        Truth t;
        t.energy_scope = "node";
        const Calibrated c = calibrate(calibration_plan(), Bench(t).all());
        QVERIFY(!constant(c, "/power/device_idle_W"));
        const MeasuredConstant* host = constant(c, "/power/host_W");
        QVERIFY(host);
        QCOMPARE(host->value, 6 - 2 * (base().power.device_idle / watt));
    }

    // Counters of one board of a node of two: what it draws is not divided by two.
    void boards_at_rest_are_those_whose_counters_were_read() {
        Truth t;
        t.energy_scope = "gpu";
        t.boards = 1;
        const Calibrated c = calibrate(calibration_plan(), Bench(t).all());
        const MeasuredConstant* idle = constant(c, "/power/device_idle_W");
        QVERIFY(idle);
        QCOMPARE(idle->value, 6.0);
    }
    void copies_of_pageable_memory_say_nothing_of_the_link() {
        Measurements m = Bench(Truth{}).all();
        for (BenchPoint& p : m.points)
            if (p.kind == "hostlink") p.words["memory"] = "pageable";
        QVERIFY(!constant(calibrate(calibration_plan(), m), "/host/link_GBps"));
    }

    // What a run of hours loses to heat and to the power limit is no part of eight steps.
    void the_few_steps_of_a_layout_are_a_burst() {
        ExperimentPlan plan = calibration_plan();
        plan.machine.device.efficiency.sustained = 0.8;
        const Calibrated c = calibrate(plan, Bench(Truth{}).all());
        QCOMPARE(c.machine.device.efficiency.sustained, 0.8);
        QCOMPARE(plan_with(c, plan.runs.back()).machine.device.efficiency.sustained, 1.0);
    }
    // The product of one token takes no time beside the sums it is added to.
    void weight_gradients_that_are_mostly_added_up_say_nothing_of_products() {
        Measurements m = Bench(Truth{}).all();
        const Calibrated before = calibrate(calibration_plan(), m);
        BenchPoint p;
        p.kind = "gemm";
        p.words = {{"product", "up"}, {"form", "weight_gradient"}};
        p.numbers = {{"m", 1}, {"n", 4096}, {"k", 4096}, {"tp", 1}};
        p.flop = 2.0 * 4096 * 4096;
        p.median = p.low = p.high = p.least = p.tenth = 8.0 * 4096 * 4096 * byte / base().device.bandwidth * 1.5;
        for (int i = 0; i < 20; ++i) m.points.push_back(p);
        const Calibrated after = calibrate(calibration_plan(), m);
        QCOMPARE(after.machine.device.efficiency.gemm_ceiling, before.machine.device.efficiency.gemm_ceiling);
        QCOMPARE(after.machine.device.efficiency.gemm_half_depth, before.machine.device.efficiency.gemm_half_depth);
    }

    void watts_that_others_drew_too_do_not_count() {
        Measurements m = Bench(Truth{}).all();
        for (BenchPoint& p : m.points)
            if (p.kind == "power" && p.word("load") == "gemm") p.flags = {"contended"};
        const Calibrated c = calibrate(calibration_plan(), m);
        QVERIFY(!constant(c, "/power/compute_weight"));
        QVERIFY(constant(c, "/power/memory_weight"));
        QVERIFY(mentions(c.cautions, "while power was measured"));
    }

    void contended_points_do_not_count() {
        Measurements m = Bench(Truth{}).all();
        const Calibrated quiet = calibrate(calibration_plan(), m);
        int spoilt = 0;
        for (BenchPoint& p : m.points)
            if (p.kind == "gemm" && ++spoilt <= 8) p.median *= 5, p.high *= 5, p.flags = {"contended"};
        const Calibrated c = calibrate(calibration_plan(), m);
        QVERIFY(std::abs(c.machine.device.efficiency.gemm_ceiling / quiet.machine.device.efficiency.gemm_ceiling - 1)
                < 0.02);
    }
    void when_most_are_contended_it_is_said() {
        Measurements m = Bench(Truth{}).all();
        for (BenchPoint& p : m.points) p.flags = {"contended"};
        QVERIFY(mentions(calibrate(calibration_plan(), m).cautions, "quiet"));
    }
    void a_contended_layout_is_left_out_of_the_fit() {
        Measurements m = Bench(Truth{}).all();
        for (TrainingRun& run : m.runs)
            if (run.id == "dp2")
                for (EngineStep& s : run.steps) s.wall *= 3, s.quality = {"contended"};
        const Calibrated c = calibrate(calibration_plan(), m);
        QVERIFY(mentions(c.cautions, "left out of the fit"));
        QVERIFY(std::abs(c.factors.network - 1) < 0.1);
    }

    void what_was_not_measured_stays_the_base_s() {
        Measurements m;
        const Calibrated c = calibrate(calibration_plan(), m);
        QVERIFY(c.machine == calibration_plan().machine);
        QVERIFY(c.constants.empty());
    }

    void a_codec_s_speed_and_loss_are_told_data() {
        QTest::addColumn<double>("speed");
        QTest::newRow("as fast as the base says") << 1.0;
        QTest::newRow("three times as fast") << 3.0;
        QTest::newRow("at a third of the speed") << 1 / 3.0;
    }
    void a_codec_s_speed_and_loss_are_told() {
        QFETCH(double, speed);
        CalibrationPlace place{.machine = library().machines.at("cpu-2core"), .engine = engine(), .ranks = 2};
        place.codecs = true;
        const auto p = plan_experiments(trial_plan({}, base(), engine()), place);
        QVERIFY(p);
        Truth t;
        CodecSpeed& fp8 = t.machine.device.codecs.fp8;
        fp8 = {speed * fp8.encode, speed * fp8.decode};
        Measurements m = Bench(t, 0).all();
        for (const PlannedRun& run : p->runs)
            if (run.id == "dp2-fp8") {
                Scenario s = run.plan;
                s.machine = t.machine, s.stack = t.stack;
                TrainingRun ran{run.id, {}, {}, true};
                for (int i = 0; i < 10; ++i) {
                    EngineStep step;
                    step.step = i + 1, step.parts.mean = estimate(s)->step, step.wall = step.parts.mean.total(),
                    step.loss = 4.02;
                    ran.steps.push_back(step);
                }
                m.runs.push_back(std::move(ran));
            }
        for (TrainingRun& run : m.runs)
            if (run.id == "dp2")
                for (EngineStep& s : run.steps) s.loss = 4.0;
        const Calibrated c = calibrate(*p, m);
        QCOMPARE(int(c.codecs.size()), 1);
        QCOMPARE(c.codecs[0].ratio, 4.0);
        QVERIFY(std::abs(c.codecs[0].loss_change - 0.02) < 1e-9);
        QVERIFY2(std::abs(c.machine.device.codecs.fp8.encode / fp8.encode - 1) < 0.15,
                 qPrintable(QString::number(c.machine.device.codecs.fp8.encode / fp8.encode)));
        QVERIFY(c.machine.device.codecs.zfp == base().device.codecs.zfp);
    }

    // Machines that are known, drawn anew: their benches scatter, whole steps are off from their parts, each layout is
    // off by what no constant explains, and no two visits are alike. The intervals know nothing of what was drawn.
    void intervals_of_90_per_cent_hold_nine_of_ten_layouts() {
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        const ExperimentPlan plan = calibration_plan();
        int inside = 0, all = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            Truth t;
            t.compute = std::exp(0.08 * normal(random));
            t.network = std::exp(0.15 * normal(random));
            t.rest = std::exp(0.1 * normal(random));
            const Measurements m = Bench(t, 0.02, seed, 0.03, 0.02).all();
            const Calibrated c = calibrate(plan, m);
            for (const PlannedRun& run : plan.runs) {
                if (run.role != Role::held_out || !run.fair || !run.repeats.empty()) continue;
                const ProofRow row = proven(predict(c, run), complete_visits(plan, run, m));
                inside += row.measured >= row.predicted_low && row.measured <= row.predicted_high;
                ++all;
            }
        }
        QCOMPARE(all, 240);
        const double covered = double(inside) / all;
        QVERIFY2(covered >= 0.80 && covered <= 0.97, qPrintable(QString::number(covered)));
    }

    // What steps say of a factor is carried to other layouts together with what they leave open.
    void more_layouts_leave_less_open() {
        Measurements m = Bench(Truth{}, 0).all();
        const Calibrated all = calibrate(calibration_plan(), m);
        std::erase_if(m.runs, [](const TrainingRun& r) { return !r.id.starts_with("one"); });
        const Calibrated one = calibrate(calibration_plan(), m);
        for (const PlannedRun& run : not_empty(calibration_plan().runs))
            if (run.role == Role::held_out && run.fair) {
                const ProofRow a = predict(all, run), b = predict(one, run);
                QVERIFY2(a.predicted_high / a.predicted < b.predicted_high / b.predicted, run.id.c_str());
            }
    }

    // On a GPU other software brings faster kernels than the engine's own.
    void attention_of_the_engine_says_nothing_of_the_device() {
        const Calibrated c = calibrate(calibration_plan(), Bench(Truth{}).all());
        QCOMPARE(c.machine.device.efficiency.flash_forward, base().device.efficiency.flash_forward);
        QCOMPARE(c.machine.device.efficiency.flash_backward, base().device.efficiency.flash_backward);
        QVERIFY(c.stack.kernels.flash_forward_scale != engine().kernels.flash_forward_scale);
    }

    void a_prediction_has_an_interval_and_its_parts() {
        const Calibrated c = calibrate(calibration_plan(), Bench(Truth{}).all());
        for (const PlannedRun& run : not_empty(calibration_plan().runs)) {
            if (run.role == Role::measure) continue;
            const ProofRow row = predict(c, run);
            QVERIFY(row.predicted_low < row.predicted && row.predicted < row.predicted_high);
            QVERIFY(std::abs(row.predicted_parts.total() / row.predicted - 1) < 1e-12);
            QCOMPARE(row.held_out, run.role == Role::held_out);
            QVERIFY(!row.has_run() && !row.counts());
        }
    }
};

PLIMSOLL_TEST(CalibrateTest)
#include "tst_calibrate.moc"
