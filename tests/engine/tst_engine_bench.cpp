// What a bench line says is what was measured: sizes and factors are the published ones, a collective with a wrong
// result does not pass, and the statistics are those of the timings. How fast this machine is, no row asks.
#include "registered_test.h"

#include "engine/bench/collectives.h"
#include "engine/kernels/cpu.h"
#include "engine/comm/comm.h"
#include "engine/report/statistics.h"
#include "layout_runs.h"

#include <atomic>
#include <set>
#include <thread>

using namespace plimsoll;
using namespace plimsoll::engine;
using Json = nlohmann::ordered_json;

namespace {

enum class Damage { none, nothing_moves, one_element, one_bit_of_the_last, other_share, not_a_number };

// Rank 1 of 2 in a world where the other rank always sends what it should; and what goes wrong on the way.
class Damaged final : public Comm {
public:
    explicit Damaged(Damage damage) : damage_(damage) {}
    int rank() const override { return 1; }
    int size() const override { return 2; }
    void all_reduce(void* data, std::size_t count, Type type, Reduction) override {
        const std::vector<float> mine(static_cast<float*>(data), static_cast<float*>(data) + count);
        put(data, sum(mine, 0), type);
    }
    void reduce_scatter(const void* from, void* to, std::size_t count, Type type) override {
        const std::size_t first = damage_ == Damage::other_share ? 0 : count;
        const auto* mine = static_cast<const float*>(from) + first;
        put(to, sum({mine, mine + count}, first), type);
    }
    void all_gather(const void* from, void* to, std::size_t count, Type type) override {
        auto all = Pattern<float>::message(0, count);
        const auto* mine = static_cast<const float*>(from);
        all.insert(damage_ == Damage::other_share ? all.begin() : all.end(), mine, mine + count);
        put(to, all, type);
    }
    void broadcast(void* data, std::size_t count, Type type, int) override {
        put(data, Pattern<float>::message(0, count), type);
    }
    Request send(const void*, std::size_t, Type, int, int) override { return {}; }
    Request receive(void*, std::size_t, Type, int, int) override { return {}; }
    Request start(Collective, const void*, void*, std::size_t, Type) override { return {}; }
    void wait(Request&) override {}
    bool test(Request&) override { return true; }
    void barrier() override {}

private:
    static std::vector<float> sum(std::vector<float> mine, std::size_t first) {
        const auto other = Pattern<float>::message(0, first + mine.size());
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] += other[first + i];
        return mine;
    }
    void put(void* to, std::vector<float> values, Type) const {
        if (damage_ == Damage::nothing_moves) return;
        if (damage_ == Damage::one_element) values[values.size() / 3] *= 1.001f;
        if (damage_ == Damage::one_bit_of_the_last) values.back() = std::nextafter(values.back(), 10.f);
        if (damage_ == Damage::not_a_number) values[0] = NAN;
        std::copy(values.begin(), values.end(), static_cast<float*>(to));
    }
    Damage damage_;
};

// What the check of a collective of 40,000 bytes says.
std::string said_of(Verb verb, Damage damage) {
    const auto kernels = cpu_kernels<float>(1);
    Damaged comm(damage);
    const Point point = collective_point<float>(*kernels, comm, "data", verb, 40000);
    const auto work = point.prepare();
    if (work->before) work->before(0);
    work->run(0);
    return work->check();
}

std::vector<Json> lines_of(const QByteArray& log, const std::string& type) {
    std::vector<Json> found;
    for (const QByteArray& line : log.split('\n'))
        if (Json object = Json::parse(line.toStdString(), nullptr, false); object.is_object() && object["type"] == type)
            found.push_back(object);
    return found;
}
bool has(const Json& line, const char* flag) {
    const auto& flags = line["flags"];
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}
bool close_to(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

// A device whose kernels take 20 us each, one after another, and begin 15 us after the host asked for them where
// nothing is queued; asking takes the host 4 us. A mark is passed when what lies before it is done.
class SlowToStart {
public:
    static constexpr double kernel_s = 20e-6;
    void run() {
        host_ += 4e-6;
        free_ = std::max(free_, host_ + 15e-6) + kernel_s;
    }
    void drain() { host_ = std::max(host_, free_) + 5e-6; }
    DeviceClock clock() {
        return {[this] { marks_.push_back(std::max(host_ += 1e-6, free_)); },
                [this] {
                    drain();
                    std::vector<double> between;
                    for (std::size_t i = 1; i < marks_.size(); ++i) between.push_back(marks_[i] - marks_[i - 1]);
                    marks_ = {marks_.back()};
                    return between;
                }};
    }

private:
    double host_ = 0, free_ = 0;
    std::vector<double> marks_;
};

// Small in everything, with buffers that fit in a few MB.
const QStringList small{"--layers",        "2",     "--width",      "64",  "--heads",        "2",
                        "--vocabulary",    "256",   "--sequence",   "32",  "--threads",      "1",
                        "--bench-seconds", "0.001", "--bench-size", "16K", "--memory-limit", "64M"};

}  // namespace

class TestEngineBench : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString log_;
    int number_ = 0;

    // Exit code of the engine on `ranks` ranks; its log is log_.
    int run(int ranks, const QStringList& options) {
        log_ = folder_.filePath(QString("log%1").arg(++number_));
        const QStringList command =
            QStringList{PLIMSOLL_ENGINE_PROGRAM} + with_defaults(options, small) + QStringList{"--out", log_};
        QProcess engine;
        engine.setProcessEnvironment(mpi_environment());
        if (ranks == 1) engine.start(command[0], command.mid(1));
        else engine.start("mpirun", mpirun(ranks, command));
        return engine.waitForFinished(120000) ? engine.exitCode() : -1;
    }
    QByteArray contents() const {
        QFile file(log_);
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }
    int checked() const { return QProcess::execute(PLIMSOLL_ENGINE_PROGRAM, {"--check", log_}); }

private slots:
    void what_a_link_carries_of_an_array_data() {
        QTest::addColumn<int>("verb");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("factor");
        // nccl-tests, doc/PERFORMANCE.md, "Bus bandwidth", worked out
        QTest::newRow("all-reduce of two: once") << int(Verb::all_reduce) << 2 << 1.0;
        QTest::newRow("all-reduce of four: one and a half times") << int(Verb::all_reduce) << 4 << 1.5;
        QTest::newRow("all-reduce of eight: 1.75 times") << int(Verb::all_reduce) << 8 << 1.75;
        QTest::newRow("reduce-scatter of two: half") << int(Verb::reduce_scatter) << 2 << 0.5;
        QTest::newRow("all-gather of eight: seven eighths") << int(Verb::all_gather) << 8 << 0.875;
        QTest::newRow("broadcast: once, whoever listens") << int(Verb::broadcast) << 16 << 1.0;
    }
    void what_a_link_carries_of_an_array() {
        QFETCH(int, verb);
        QFETCH(int, ranks);
        QTEST(bus_factor(Verb(verb), ranks), "factor");
    }

    void a_right_result_passes() {
        for (const Verb verb : {Verb::all_reduce, Verb::reduce_scatter, Verb::all_gather, Verb::broadcast})
            QCOMPARE(said_of(verb, Damage::none), std::string());
    }
    void a_wrong_result_does_not_data() {
        QTest::addColumn<int>("verb");
        QTest::addColumn<int>("damage");
        for (const Verb verb : {Verb::all_reduce, Verb::reduce_scatter, Verb::all_gather, Verb::broadcast}) {
            const auto row = [&](Damage damage, const char* what) {
                QTest::addRow("%s: %s", verb_names[int(verb)], what) << int(verb) << int(damage);
            };
            row(Damage::nothing_moves, "nothing moves");
            row(Damage::one_element, "one element is off by a thousandth");
            row(Damage::not_a_number, "one element is not a number");
        }
        for (const Verb verb : {Verb::all_gather, Verb::broadcast})  // nothing is added up: bits must not change
            QTest::addRow("%s: the last bit of the last element", verb_names[int(verb)])
                << int(verb) << int(Damage::one_bit_of_the_last);
        for (const Verb verb : {Verb::reduce_scatter, Verb::all_gather})
            QTest::addRow("%s: shares of the ranks are exchanged", verb_names[int(verb)])
                << int(verb) << int(Damage::other_share);
    }
    void a_wrong_result_does_not() {
        QFETCH(int, verb);
        QFETCH(int, damage);
        const std::string said = said_of(Verb(verb), Damage(damage));
        QVERIFY2(said.starts_with("element "), said.c_str());
    }

    void synthetic_timings_have_their_own_statistics() {
        const Point point{"gemm", {{"m", 2}}, 600, 1200, {}};
        Timing t;
        t.seconds = {3, 3, 3, 2, 3, 3, 4};
        t.largest_median = 3;
        t.warmup = 11;
        t.calls = 5;
        const Json line = line_of(point, Work{}, t);
        QCOMPARE(line["median_s"].get<double>(), 3.0);
        QCOMPARE(line["min_s"].get<double>(), 2.0);
        QCOMPARE(line["n"].get<int>(), 7);
        QCOMPARE(line["calls"].get<int>(), 5);
        QCOMPARE(line["warmup"].get<int>(), 11);
        QCOMPARE(line["B_per_s"].get<double>(), 200.0);
        QCOMPARE(line["flop_per_s"].get<double>(), 400.0);
        QCOMPARE(line["params"]["m"].get<int>(), 2);
        QVERIFY(line["lo95_s"] <= line["median_s"] && line["median_s"] <= line["hi95_s"]);
    }
    void what_spoils_a_figure_is_flagged_data() {
        QTest::addColumn<QList<double>>("seconds");
        QTest::addColumn<double>("wall_over_cpu");
        QTest::addColumn<bool>("steady");
        QTest::addColumn<QString>("flags");
        const QList<double> even(7, 2.0);
        QTest::newRow("nothing") << even << 1.0 << true << "[]";
        QTest::newRow("a fifth more wall than CPU time is within bounds") << even << 1.2 << true << "[]";
        QTest::newRow("a quarter more is not") << even << 1.25 << true << "[\"contended\"]";
        QTest::newRow("a warm-up that never settled") << even << 1.0 << false << "[\"unsettled\"]";
        QTest::newRow("six repetitions") << QList<double>(6, 2.0) << 1.0 << true << "[\"few\"]";
        QTest::newRow("two modes, far apart") << QList<double>{1, 1, 1, 1, 2, 2, 2, 2} << 1.0 << true << "[\"wide\"]";
        QTest::newRow("one late straggler moves no median")
            << QList<double>{2, 2, 2, 2, 2, 2, 2, 2, 2, 9} << 1.0 << true << "[]";
    }
    void what_spoils_a_figure_is_flagged() {
        QFETCH(QList<double>, seconds);
        QFETCH(double, wall_over_cpu);
        QFETCH(bool, steady);
        Timing t;
        t.seconds = {seconds.begin(), seconds.end()};
        t.wall_over_cpu = wall_over_cpu;
        t.steady = steady;
        QTEST(QString::fromStdString(line_of({"x", {}, 0, 0, {}}, Work{}, t)["flags"].dump()), "flags");
    }
    void every_call_is_made_once_in_order_and_warm_up_apart() {
        SelfComm alone;
        for (const bool together : {false, true}) {
            std::size_t calls = 0, prepared = 0, strays = 0;
            const Work work{
                .run = [&](std::size_t i) { strays += i != calls++; },
                .before = together ? std::function<void(std::size_t)>([&](std::size_t i) { strays += i != prepared++; })
                                   : nullptr,
                .together = together};
            const Timing t = measure(work, {alone, 1e-3, [] {}, [] {}});
            QCOMPARE(strays, 0u);
            QCOMPARE(calls, std::size_t(t.warmup) + t.seconds.size() * std::size_t(t.calls));
            QVERIFY(t.seconds.size() >= least_repetitions
                    && t.seconds.size() <= most_repetitions + most_repetitions / 2);
            QCOMPARE(prepared, together ? calls : 0u);
        }
    }

    void a_main_thread_that_is_kept_waiting_is_contention_however_busy_others_are() {
        std::atomic<bool> over{false};
        std::thread other([&] { while (!over) {} });
        SelfComm alone;
        const Work work{.run = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }};
        const Timing t = measure(work, {alone, 1e-3, [] {}, [] {}});
        over = true;
        other.join();
        QVERIFY(has(line_of({"x", {}, 0, 0, {}}, work, t), "contended"));
    }
    // MPI counts in int; a message of more elements goes in pieces, and every result is checked.
    void messages_of_more_elements_than_mpi_counts_go_in_pieces() {
        qputenv("PLIMSOLL_MPI_MOST_ELEMENTS", "1000");
        const int code = run(2, {"--bench", "collectives,p2p,overlap", "--pp", "2"}),
                  others = run(2, {"--bench", "collectives,overlap", "--dp", "2"});
        qunsetenv("PLIMSOLL_MPI_MOST_ELEMENTS");
        QCOMPARE(code, 0);
        QCOMPARE(others, 0);
        QVERIFY(!lines_of(contents(), "bench").empty());
    }

    void one_rank_measures_all_that_needs_no_other() {
        QCOMPARE(run(1, {"--bench", "all"}), 0);
        QCOMPARE(checked(), 0);
        std::set<std::string> kinds;
        for (const Json& line : lines_of(contents(), "bench")) {
            kinds.insert(line["kind"]);
            const Json& p = line["params"];
            QVERIFY2(line["lo95_s"] <= line["median_s"] && line["median_s"] <= line["hi95_s"]
                         && line["min_s"] <= line["lo95_s"] && line["min_s"] > 0,
                     line.dump().c_str());
            QVERIFY2(!has(line, "wrong"), line.dump().c_str());
            if (line["kind"] == "gemm")
                QCOMPARE(line["flop"].get<double>(), 2.0 * p["m"].get<int>() * p["n"].get<int>() * p["k"].get<int>());
            if (line["kind"] == "adamw")
                QCOMPARE(line["bytes"].get<double>(),
                         28.0 * p["parameters"].get<int>());  // Rajbhandari et al. 2020 count states so
            if (line["kind"] != "attention") continue;
            double pairs = 0;  // a query sees itself and what came before
            for (int query = 0; query < p["tokens"].get<int>(); ++query) pairs += query + 1;
            pairs *= p["batch"].get<double>() * p["heads"].get<double>();
            QCOMPARE(line["flop"].get<double>(),
                     pairs * 2 * p["head_size"].get<double>() * (p["pass"] == "forward" ? 2 : 5));
        }
        QCOMPARE(kinds, (std::set<std::string>{"gemm", "attention", "stream", "adamw", "hostlink", "storage"}));
        const auto warnings = lines_of(contents(), "warn");
        QCOMPARE(std::ranges::count_if(warnings, [](const Json& w) { return w["code"] == "bench_empty"; }),
                 3);  // collectives, p2p and overlap need others
    }
    void two_ranks_measure_what_lies_between_them_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("dimension");
        QTest::newRow("two stages") << QStringList{"--pp", "2", "--bench", "collectives,p2p,overlap,storage"}
                                    << "pipeline";
        QTest::newRow("two data ranks, in fp64")
            << QStringList{"--dp", "2", "--precision", "fp64", "--bench", "collectives,overlap"} << "data";
    }
    void two_ranks_measure_what_lies_between_them() {
        QFETCH(QStringList, options);
        QFETCH(QString, dimension);
        QCOMPARE(run(2, options), 0);
        QCOMPARE(checked(), 0);
        std::map<std::string, std::set<double>> sizes;
        for (const Json& line : lines_of(contents(), "bench")) {
            QVERIFY2(!has(line, "wrong"), line.dump().c_str());
            if (line["kind"] == "overlap")
                QVERIFY2(line["omega"].is_number() && line["product_s"] > 0 && line["collective_s"] > 0,
                         line.dump().c_str());
            if (line["kind"] != "collective") continue;
            const std::string verb = line["params"]["collective"];
            sizes[verb].insert(line["bytes"].get<double>());
            QCOMPARE(line["params"]["dimension"].get<std::string>(), dimension.toStdString());
            const double algorithm = line["algbw_B_per_s"],
                         factor = verb == "all_reduce" || verb == "broadcast" ? 1.0 : 0.5;  // of two
            QVERIFY(close_to(algorithm * line["median_s"].get<double>(), line["bytes"]));
            QVERIFY(close_to(line["busbw_B_per_s"], algorithm * factor));
        }
        for (const char* verb : verb_names) QCOMPARE(sizes[verb], (std::set<double>{1024, 4096, 16384}));
        if (options.contains("--pp"))
            QVERIFY(contents().contains("\"way\":\"pairs\"") && contents().contains("\"way\":\"shift\""));
    }
    void a_kernel_s_time_has_no_way_from_the_host_in_it() {
        SlowToStart device;
        SelfComm ranks;
        const Work work{.run = [&](std::size_t) { device.run(); }};
        const Timing t = measure(work, {ranks, 0.01, [&] { device.drain(); }, [] {}, device.clock()});
        QVERIFY(t.seconds.size() >= least_repetitions);
        const double median = spread_of(t.seconds).median;
        QVERIFY2(std::abs(median / SlowToStart::kernel_s - 1) < 0.01,
                 qPrintable(QString::number(1e6 * median) + " us"));
    }
    void a_run_that_is_stopped_keeps_its_points() {
        const QString stop = folder_.filePath("stop");
        log_ = folder_.filePath("stopped");
        QStringList options =
            small + QStringList{"--bench", "gemm", "--bench-visits", "9", "--cancel-file", stop, "--out", log_};
        options[options.indexOf("--bench-seconds") + 1] = "0.2";  // minutes, were it not stopped
        QProcess engine;
        engine.start(PLIMSOLL_ENGINE_PROGRAM, options);
        QByteArray seen;
        while (!seen.contains("\"bench\"") && engine.waitForReadyRead(60000)) seen += engine.readAll();
        QFile file(stop);
        QVERIFY(file.open(QFile::WriteOnly));
        QVERIFY(engine.waitForFinished(60000));
        QCOMPARE(engine.exitCode(), 75);
        QCOMPARE(checked(), 0);
        const auto last = lines_of(contents(), "summary").at(0);
        QCOMPARE(last["status"].get<std::string>(), "cancelled");
        QCOMPARE(last["points"].get<std::size_t>(), lines_of(contents(), "bench").size());
        QVERIFY(last["points"] > 0);
    }
    void a_bench_that_is_not_there_is_refused_with_those_that_are() {
        QProcess engine;
        engine.start(PLIMSOLL_ENGINE_PROGRAM, {"--bench", "gemm,gems"});
        QVERIFY(engine.waitForFinished(60000));
        QCOMPARE(engine.exitCode(), 2);
        QVERIFY(engine.readAllStandardError().startsWith("--bench gems: there is all, gemm, attention"));
    }
};

PLIMSOLL_TEST(TestEngineBench)
#include "tst_engine_bench.moc"
