#pragma once
// Why a calibration ended before its time, and what of it is left, in sentences.
//
//   say(failure_text({runner.calibration(), runner.exit_code(), runner.beat(), runner.chatter()}));
//
// A watchdog's end says where every rank stood; a rank that was killed is named with its phase.

#include "core/files/measured/calibration_log.h"

#include <QStringList>

namespace plimsoll {

struct BadEnd {
    const CalibrationLog& log;
    int exit_code = 0;            // as shells count: 128 + signal
    std::string beat;             // where the ranks were when they last said so
    QStringList chatter;          // what engine and launcher said besides
};

QString failure_text(const BadEnd&);
// The rank that a launcher or the engine says was killed; nothing where neither does.
std::optional<int> killed_rank(const BadEnd&);
// What of the beat concerns the rank: "backward, gemm"; empty where it says nothing of it.
QString phase_of_rank(const std::string& beat, int rank);

}  // namespace plimsoll
