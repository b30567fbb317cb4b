#pragma once
// A calibration in words and rows, for its tables and labels.
//
//   table->show_rows(proof_rows_of(record));  label->setText(headline_of(record));

#include "core/evidence/calibration/plan/experiments.h"
#include "core/evidence/calibration/proof/energy_evidence.h"
#include "core/files/measured/calibration_log.h"
#include "core/values/plan/calibration.h"

#include <QStringList>

#include <vector>

namespace plimsoll {

using TextRows = std::vector<QStringList>;

// ---- Before
TextRows planned_run_rows(const ExperimentPlan&);        // run, role, ranks, expected, remark
TextRows planned_constant_rows(const ExperimentPlan&);   // number, measured by, why
// "20 runs on 2 ranks, about 2 min; 9 numbers will be measured, 5 stay assumed."
QString say_planned(const ExperimentPlan&);

// ---- During
// "Run 7 of 20: Two data ranks, 12 s of about 18 s"
QString say_going(const CalibrationLog&, const ExperimentPlan&, Seconds elapsed);
double share_done(const CalibrationLog&, const ExperimentPlan&);   // 0 to 1, by expected seconds
// How much was disturbed, empty where nothing was.
QString say_contention(const CalibrationLog&);

// ---- After
QString headline_of(const Calibration&);   // "Mean absolute error 4.1 % over 6 layouts held back"
TextRows constant_rows(const Calibration&);   // number, was, now, from, to, evidence
TextRows proof_rows_of(const Calibration&);
// layout, modelled; with a measurement that, of what, and their ratio
QStringList energy_headings(const EnergyEvidence&);
TextRows energy_rows_of(const EnergyEvidence&);
TextRows point_rows(const Experiment&);       // point, size, measured, from, to, fitted, error
// "Products: share of the peak"; the pointer where it has no name
QString name_of_constant(const std::string& pointer);

// Why a calibration ended before its time, and what of it is left, in sentences.
//
//   say(failure_text({runner.calibration(), runner.exit_code(), runner.beat(), runner.chatter()}));
//
// A watchdog's end says where every rank stood; a rank that was killed is named with its phase.
struct BadEnd {
    const CalibrationLog& log;
    int exit_code = 0;            // as shells count: 128 + signal
    std::string beat;             // where the ranks were by their last line
    QStringList chatter;          // other output of the engine and of mpirun
};

QString failure_text(const BadEnd&);
// The rank that a launcher or the engine says was killed; nothing where neither does.
std::optional<int> killed_rank(const BadEnd&);
// What of the beat concerns the rank: "backward, gemm"; empty where it says nothing of it.
QString phase_of_rank(const std::string& beat, int rank);

}  // namespace plimsoll
