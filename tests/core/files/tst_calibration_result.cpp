// What a log of a calibration amounts to: whole, cut off anywhere, changed, without a plan.
#include <QtTest>

#include "core/files/measured/calibration_result.h"
#include "core/files/text/disk.h"

using namespace plimsoll;

namespace {

const std::string& recorded() {
    static const std::string text = *read_text(PLIMSOLL_TESTS_DIR "/calibrations/two-cores.jsonl");
    return text;
}

CalibrationLog log_of(std::string_view text) {
    CalibrationLog log;
    take_all_lines(text, log, log.engine);
    return log;
}

}  // namespace

class CalibrationResultTest : public QObject {
    Q_OBJECT

private slots:
    void a_whole_log_is_a_preset_with_its_proof() {
        const CalibrationLog log = log_of(recorded());
        QVERIFY(log.complete() && log.hash_holds());
        const auto r = result_of(log);
        QVERIFY(r.has_value());
        QVERIFY2(!r->refused, r->refused.value_or("").c_str());
        QCOMPARE(r->record.date, std::string("2026-11-21"));
        QCOMPARE(r->record.based_on, std::string("cpu-2core"));
        QVERIFY2(r->record.software.ends_with("Open MPI v4.1.4"), r->record.software.c_str());
        QCOMPARE(r->record.prediction_hash, log.predictions.front().hash);
        QCOMPARE(score_of(r->record).rows, 4);
        // What is shown as predicted is what the log said before the layouts ran.
        for (const ProofRow& row : r->record.proof) QCOMPARE(row.predicted / second, log.prediction_of(row.id)->step / second);
    }

    void the_error_is_that_of_the_rows_computed_by_hand() {
        const CalibrationLog log = log_of(recorded());
        double sum = 0;
        int rows = 0;
        for (const char* id : {"pp2-m4", "dp2-zero3", "tp2-sp", "wider-tp2"}) {
            std::vector<double> walls;
            for (const EngineStep& s : log.run_of(id)->steps)
                if (s.step > int(warm_up_steps)) walls.push_back(s.wall / second);
            std::sort(walls.begin(), walls.end());
            const double median = (walls[(walls.size() - 1) / 2] + walls[walls.size() / 2]) / 2;
            sum += std::abs(log.prediction_of(id)->step / second / median - 1), ++rows;
        }
        const double shown = score_of(result_of(log)->record).time;
        QVERIFY2(std::abs(shown - sum / rows) < 0.02, qPrintable(QString::number(shown) + " " + QString::number(sum / rows)));
    }

    // Wherever it is cut after its plan: something is shown, and nothing of it can be saved.
    void a_log_cut_anywhere_is_shown_and_refused() {
        const std::string& all = recorded();
        std::size_t begin = all.find("{\"type\":\"experiment\"");
        QVERIFY(begin != all.npos);
        for (std::size_t at = begin; at + 1 < all.size(); at += 7919) {   // a prime: cuts fall inside lines and between them
            const auto r = result_of(log_of(std::string_view(all).substr(0, at)));
            QVERIFY2(r.has_value(), qPrintable(QString::number(at)));
            QVERIFY2(r->refused.has_value(), qPrintable(QString::number(at)));
        }
    }

    void a_changed_digit_is_noticed() {
        std::string text = recorded();
        const auto at = text.find("\"median_s\":") + 13;
        text[at] = text[at] == '1' ? '2' : '1';
        const auto r = result_of(log_of(text));
        QVERIFY(r && r->refused && r->refused->find("changed") != std::string::npos);
    }

    void a_log_without_its_plan_is_a_problem() {
        const std::string& all = recorded();
        const auto from = all.find("{\"type\":\"plan\""), to = all.find("{\"type\":\"experiment\"");
        const auto r = result_of(log_of(std::string(all).erase(from, to - from)));
        QVERIFY(!r);
        QVERIFY2(say(r.error()).find("the plan inside the log") != std::string::npos, say(r.error()).c_str());
    }
};

QTEST_GUILESS_MAIN(CalibrationResultTest)
#include "tst_calibration_result.moc"
