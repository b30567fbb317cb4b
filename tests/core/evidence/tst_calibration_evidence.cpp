// The evidence behind a measured number: from a knob to its points, and from
// the proof to figures and tables.
#include "registered_test.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/files/results/calibration_report.h"
#include "calibrations.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

const Series* series_of(const Figure& f, const char* id) {
    for (const Series& s : f.series)
        if (s.id == id) return &s;
    return nullptr;
}

Machine with_constant(const std::string& pointer) {
    Machine m = calibrated_machine();
    Calibration c = a_calibration();
    c.constants = {{pointer, "gemm", 1, 2, 1.5, 2.5}};
    m.calibration = std::move(c);
    return m;
}

QStringList lines_of(const std::string& text) { return QString::fromStdString(text).split('\n', Qt::SkipEmptyParts); }

}  // namespace

class tst_calibration_evidence : public QObject {
    Q_OBJECT

private slots:
    void a_knob_finds_what_was_measured_of_it_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<bool>("found");
        QTest::newRow("a knob of the device") << "/device/efficiency/gemm_ceiling"
                                              << "machine.device.efficiency.gemm_ceiling" << true;
        QTest::newRow("a pointer") << "/device/efficiency/gemm_ceiling" << "/device/efficiency/gemm_ceiling" << true;
        QTest::newRow("a knob of the stack") << "stack/elementwise_factor" << "stack.elementwise_factor" << true;
        QTest::newRow("the network inside a node") << "/levels/0/bandwidth_GBps" << "machine.network.node_GBps" << true;
        QTest::newRow("the network between nodes") << "/levels/1/latency_us"
                                                   << "machine.network.system_latency_us" << true;
        QTest::newRow("the other level") << "/levels/1/latency_us" << "machine.network.node_latency_us" << false;
        QTest::newRow("a number nobody measured") << "/device/efficiency/gemm_ceiling" << "machine.power.pue" << false;
        QTest::newRow("a knob of the layout") << "/device/efficiency/gemm_ceiling" << "layout.tensor_parallel" << false;
    }
    void a_knob_finds_what_was_measured_of_it() {
        QFETCH(QString, pointer);
        QFETCH(QString, asked);
        QFETCH(bool, found);
        QCOMPARE(!evidence_for(with_constant(pointer.toStdString()), asked.toStdString()).empty(), found);
    }
    void a_machine_that_was_not_measured_has_no_evidence() {
        QVERIFY(evidence_for(selene(), "machine.device.efficiency.gemm_ceiling").empty());
        QVERIFY(calibration_markdown(selene()).empty());
    }
    void the_sentence_tells_interval_origin_and_what_was_left_out() {
        const ConstantEvidence e = evidence_for(calibrated_machine(), "machine.device.efficiency.gemm_ceiling").at(0);
        QCOMPARE(
            e.sentence,
            std::string(
                "0.893, from 0.881 to 0.904 (95 %), measured on 2026-11-21; it was 0.75. Matrix products: 21 points, "
                "fitted within 2.1 % on average; 3 more were disturbed and left out."));
        QVERIFY(e.experiment == some_products());
        QVERIFY(std::abs(error(e.experiment.points[0]) - 0.01) < 1e-12);
    }
    void every_point_is_drawn_once_and_disturbed_ones_apart() {
        const Figure f = points_figure(some_products());
        QVERIFY(f.x.logarithmic && f.y.logarithmic);
        QCOMPARE(series_of(f, "measured")->x.size(), std::size_t(21));
        QCOMPARE(series_of(f, "contended")->x.size(), std::size_t(3));
        QCOMPARE(series_of(f, "fitted")->x.size(), std::size_t(24));
        QCOMPARE(series_of(f, "measured")->y[0], 1.25);
        QCOMPARE(series_of(f, "measured")->names[0], std::string("product 1"));
    }
    void a_point_has_its_interval_on_screen_and_in_the_table_of_the_figure() {
        Experiment e = some_products();
        e.points[1].low = e.points[1].high = {};                       // not told: as narrow as the point
        const Figure f = points_figure(e);
        const Series& measured = *series_of(f, "measured");
        QCOMPARE(measured.low.size(), measured.x.size());
        QCOMPARE(measured.high.size(), measured.x.size());
        QCOMPARE(measured.low[0], 0.98 * measured.y[0]);
        QCOMPARE(measured.high[0], 1.03 * measured.y[0]);
        QVERIFY(measured.low[1] == measured.y[1] && measured.high[1] == measured.y[1]);
        QVERIFY(series_of(f, "fitted")->low.empty());                  // said by constants, not measured
        const QStringList csv = lines_of(to_csv(f, {})).filter(QRegularExpression("^[^#]"));
        QVERIFY2(csv[0].endsWith(",time_ms,time_low_ms,time_high_ms"), qPrintable(csv[0]));
        const QStringList first = csv[1].split(u',');
        QCOMPARE(first.at(first.size() - 2).toDouble(), measured.low[0]);
        QCOMPARE(first.last().toDouble(), measured.high[0]);
        QVERIFY2(csv.last().count(u',') == csv[0].count(u','), qPrintable(csv.last()));
    }
    void an_experiment_without_points_draws_nothing() {
        QVERIFY(points_figure({"gemm", "", "", {}, 0}).series.empty());
    }

    void bars_add_up_to_what_was_predicted_and_measured() {
        const Calibration c = a_calibration();
        const Figure f = proof_figures(c).at(0);
        QCOMPARE(f.categories.size(), 2 * c.proof.size());
        for (std::size_t i = 0; i < c.proof.size(); ++i)
            for (const bool measured : {false, true}) {
                double sum = 0;
                for (const Series& s : f.series) sum += s.y[2 * i + measured];
                const Seconds wanted = measured ? c.proof[i].measured : c.proof[i].predicted;
                QVERIFY(std::abs(sum / (wanted / (f.y.unit == "s" ? second : millisecond)) - 1) < 1e-12);
            }
    }
    void errors_of_rows_that_do_not_count_stand_apart() {
        const Figure f = proof_figures(a_calibration()).at(1);
        QCOMPARE(series_of(f, "time")->y.size(), std::size_t(6));
        QVERIFY2(f.categories[0].starts_with("Layout row-0"), f.categories[0].c_str());  // as the table names it
        QCOMPARE(series_of(f, "apart")->y.size(), std::size_t(2));
        QVERIFY(std::abs(series_of(f, "time")->y[0] + 4) < 1e-9);
        QCOMPARE(series_of(f, "memory")->y.size(), std::size_t(8));
    }
    void an_error_has_the_interval_of_its_measured_step() {
        const Calibration c = a_calibration();
        const Figure f = proof_figures(c).at(1);
        const Series& time = *series_of(f, "time");
        for (std::size_t i = 0; i < time.x.size(); ++i) {
            QVERIFY(std::abs(time.low[i] - 100 * (c.proof[i].predicted / c.proof[i].measured_high - 1)) < 1e-9);
            QVERIFY(std::abs(time.high[i] - 100 * (c.proof[i].predicted / c.proof[i].measured_low - 1)) < 1e-9);
            QVERIFY(time.low[i] < time.y[i] && time.y[i] < time.high[i]);
        }
        QVERIFY(series_of(f, "memory")->low.empty());
    }
    void without_a_run_there_is_no_figure() {
        Calibration c = a_calibration();
        for (ProofRow& row : c.proof) row.measured = {};
        QVERIFY(proof_figures(c).empty());
        QCOMPARE(proof_sentence(c), std::string("No run was held back to test the prediction."));
    }
    void the_score_is_of_rows_that_count() {
        QCOMPARE(proof_sentence(a_calibration(0.041)),
                 std::string("6 runs held back on this machine: mean error of the step time 4.1 %, of memory 4.1 %. "
                             "6 of 6 lie inside their intervals of 90 %."));
    }
    // Whether a layout was disturbed is told by the times that are scored: leaving it out alone would be a choice.
    void both_scores_are_said_where_something_was_disturbed() {
        Calibration c = a_calibration(0.04);
        c.proof[0] = held_back("row-0", 1, 0.3);
        c.proof[0].contended = true;
        const ProofScores s = scores_of(c);
        QCOMPARE(s.all.rows, 6);
        QCOMPARE(s.undisturbed.rows, 5);
        QCOMPARE(s.inside, 5);
        QVERIFY(std::abs(s.all.time - (0.3 + 5 * 0.04) / 6) < 1e-9);
        QVERIFY(std::abs(s.undisturbed.time - 0.04) < 1e-9);
        const QString text = QString::fromStdString(proof_sentence(c));
        QVERIFY2(text.contains("6 runs held back") && text.contains("8.3 %") && text.contains("disturbed it is 4 %")
                     && text.contains("5 of 6 lie inside"),
                 qPrintable(text));
    }
    void where_all_were_disturbed_one_score_is_left() {
        Calibration c = a_calibration();
        for (ProofRow& row : c.proof) row.contended = true;
        const QString text = QString::fromStdString(proof_sentence(c));
        QVERIFY2(text.contains("6 runs held back") && text.contains("Something disturbed all of them"),
                 qPrintable(text));
    }

    void every_layout_is_a_line_of_the_table() {
        const Calibration c = a_calibration();
        const QStringList lines = lines_of(proof_csv(c)).filter(QRegularExpression("^[^#]"));
        QCOMPARE(lines.size(), qsizetype(c.proof.size() + 1));
        for (const QString& line : lines) QCOMPARE(line.count(','), lines[0].count(','));
        QVERIFY(lines[1].startsWith("row-0,Layout row-0,true,true,1,"));
        QVERIFY(lines[1].contains(",-0.04,"));
        QVERIFY(lines[7].contains("fitted,Layout fitted,false,false") && lines[7].endsWith("seen by the fit"));
        QVERIFY(lines[8].endsWith("four ranks on two cores"));
    }
    void a_run_that_did_not_happen_leaves_its_cells_empty() {
        Calibration c = a_calibration();
        c.proof.resize(1);
        c.proof[0].measured = {};
        c.proof[0].memory_measured = {};
        const QString line = lines_of(proof_csv(c)).last();
        QVERIFY2(line.contains(",,,,") && line.endsWith("did not run"), qPrintable(line));
    }
    void the_report_holds_proof_constants_and_doubts() {
        const Machine m = calibrated_machine();
        const QString text = QString::fromStdString(calibration_markdown(m));
        for (const char* words :
             {"starting from the preset `selene`", "| Layout row-0 | 1 | 1.44 s | ", "-4.0 %",
              "`/device/efficiency/gemm_ceiling`", "0.881 to 0.904", "Power of a device: no counter shows it",
              "were disturbed and left out", "Unavailable"})
            QVERIFY2(text.contains(words), words);
    }
    void hostile_texts_break_no_row() {
        Calibration c = a_calibration();
        c.proof.resize(1);
        c.proof[0].label = "a,\"b\"|\nc";
        QCOMPARE(lines_of(proof_csv(c)).filter(QRegularExpression("^[^#]")).size(), qsizetype(2));
        Machine m = selene();
        m.calibration = c;
        QVERIFY(QString::fromStdString(calibration_markdown(m)).contains("a,\"b\"\\| c"));
    }
};

PLIMSOLL_TEST(tst_calibration_evidence)
#include "tst_calibration_evidence.moc"
