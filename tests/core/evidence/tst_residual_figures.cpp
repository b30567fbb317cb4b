// Published runs as charts, tables and words.
#include "registered_test.h"

#include "core/answers/curves/figures.h"
#include "core/evidence/published/band.h"
#include "core/evidence/published/score.h"
#include "core/files/results/track_record.h"
#include "scenarios.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

int points(const Figure& f, const std::string& except = {}) {
    int n = 0;
    for (const Series& s : f.series)
        if (s.mark == Mark::point && s.id != except) n += int(s.names.size());
    return n;
}

int lines(const std::string& text) { return int(std::count(text.begin(), text.end(), '\n')); }

ScoredRow run(const char* id, const char* source, double error) {
    ScoredRow r;
    r.id = id;
    r.source = source;
    r.family = "A100";
    r.quantity = "iteration_s";
    r.published = r.measured = 10;
    r.predicted = 10 * (1 + error);
    r.error = error;
    return r;
}

}  // namespace

class tst_residual_figures : public QObject {
    Q_OBJECT
private slots:
    void every_run_that_counts_is_a_point_once() {
        const ErrorSummary all = summary_of("all", shipped_score().rows);
        for (const Figure& f : not_empty(residual_figures(shipped_score().rows, {})))
            QCOMPARE(points(f, "mean"), all.counted());
    }

    void a_point_lies_where_its_run_says() {
        const std::vector<Figure> figures = residual_figures({run("a/1", "a", 0.25)}, {run("b/1", "b", -0.5)});
        const Series& shipped = figures[0].series[0];
        QCOMPARE(shipped.x.front(), 10.0);
        QCOMPARE(shipped.y.front(), 12.5);
        QCOMPARE(figures[0].series[1].id, std::string("own"));
        QCOMPARE(figures[0].series[1].y.front(), 5.0);
        QCOMPARE(figures[1].categories, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(figures[2].categories, std::vector<std::string>{"A100"});
        QCOMPARE(figures[1].series[0].y.front(), 25.0);
    }

    void what_does_not_count_is_no_point() {
        ScoredRow out = run("a/2", "a", 9);
        out.excluded = "a reason";
        for (const Figure& f : not_empty(residual_figures({run("a/1", "a", 0.1), out}, {})))
            QCOMPARE(points(f, "mean"), 1);
    }

    void no_runs_make_empty_figures() {
        for (const Figure& f : not_empty(residual_figures({}, {}))) QCOMPARE(points(f), 0);
    }

    void points_as_csv_keep_their_names() {
        const Figure f = residual_figures({run("a/1", "a", 0.25), run("a/2", "a", 0)}, {})[0];
        const std::string csv = to_csv(f, {});
        QVERIFY2(csv.find("series,name,published_time_of_a_step_s,predicted_time_of_a_step_s\n") != csv.npos,
                 csv.c_str());
        QVERIFY2(csv.find("A100,a/1,10,12.5\n") != csv.npos, csv.c_str());
    }

    void scored_rows_as_csv_are_a_line_each() {
        QCOMPARE(lines(to_csv(shipped_score().rows)), int(shipped_score().rows.size()));
        ScoredRow quoted = run("a/1", "a", 0.25);
        quoted.filled = {"said \"so\", twice"};
        const std::string line = to_csv(std::vector<ScoredRow>{quoted});
        QVERIFY2(line.find("\"said \"\"so\"\", twice\"") != line.npos, line.c_str());
        const std::string header = csv_header();
        ScoredRow plain = run("a/1", "a", 0.25);
        QCOMPARE(std::count(header.begin(), header.end(), ','), [&] {
            const std::string text = to_csv(std::vector<ScoredRow>{plain});
            return std::count(text.begin(), text.end(), ',');
        }());
    }

    void the_record_is_the_score_of_the_shipped_rows() {
        const TrackRecord record = track_record(library());
        QVERIFY(record.problems.empty());
        QCOMPARE(record.published.size(), shipped_rows().size());
        QCOMPARE(record.score.dense, shipped_score().dense);
        for (std::size_t i = 0; i < record.published.size(); ++i)
            QCOMPARE(record.score.rows[i].id, record.published[i].id);
        std::vector<double> sizes;
        for (const ScoredRow& r : record.score.rows)
            if (r.excluded.empty()) sizes.push_back(std::abs(r.error));
        std::sort(sizes.begin(), sizes.end());
        QCOMPARE(record.time.worst == 0 ? 0 : std::abs(record.time.worst), sizes.back());
        QCOMPARE(record.time.counted(), int(sizes.size()));
        QCOMPARE(record.dense.rows + record.experts.rows, record.time.rows);
        QCOMPARE(record.dense.counted() + record.experts.counted(), record.time.counted());
    }

    void runs_of_a_file_become_rows() {
        for (const auto& [id, path] : library().published_runs) {
            const auto file = read_run_file(path, library());
            QVERIFY2(file && !file->rows.empty() && file->rows.size() == file->published.size(), id.c_str());
            for (const ScoredRow& r : file->rows)
                if (r.excluded.empty()) {
                    const double step = estimate(r.plan)->step.total() / second;
                    QVERIFY2(std::abs(step / (r.measured * (1 + r.error)) - 1) < 1e-9, r.id.c_str());
                }
        }
        QVERIFY(!read_run_file("/nowhere/runs.json", library()));
    }

    void shading_surrounds_the_modelled_curve() {
        std::vector<Figure> figures = plimsoll::figures(gpt3_on_selene());
        Band b;
        b.time = 0.25;
        b.time_spread = {0.25, Circle::same_stack_and_device, 40, 5};
        b.beyond = {"no published run on Selene was checked"};
        shade(figures, b);
        const Series& band = figures[0].series.back();
        QCOMPARE(band.mark, Mark::band);
        for (std::size_t i = 0; i < band.x.size(); ++i) {
            QVERIFY(std::abs(band.high[i] / figures[0].series[0].y[i] - 1.25) < 1e-9);
            QVERIFY(std::abs(figures[0].series[0].y[i] / band.y[i] - 1.25) < 1e-9);
        }
        const std::string csv = to_csv(figures[0], gpt3_on_selene());
        QVERIFY2(csv.find(",band_low_days,band_high_days") != csv.npos, csv.c_str());
        QVERIFY(figures[0].caption.find("40 runs of 5 sources") != std::string::npos);
        QVERIFY(figures[0].caption.find("Extrapolated: no published run on Selene") != std::string::npos);
    }

    void words_count_one_as_one() {
        QVERIFY(say_spread({0.1, Circle::same_reach, 1, 1}).find("1 run of 1 source ") != std::string::npos);
        QVERIFY(say_spread({}).find("No published run") != std::string::npos);
        QVERIFY(say_beyond({}).empty());
    }
};

PLIMSOLL_TEST(tst_residual_figures)
#include "tst_residual_figures.moc"
