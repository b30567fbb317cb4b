#include "views/calibrate/measure/failure_text.h"

#include "core/files/launch/engine_launch.h"
#include "views/plan/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace plimsoll {

namespace {

struct StopReason { Q_DECLARE_TR_FUNCTIONS(CalibrationFailure) };

constexpr int watchdog = 70, signals_from = 128;

// The engine's own errors, each once.
QStringList errors_of(const CalibrationLog& log) {
    QStringList all;
    for (const EngineNote& n : log.engine.notes) {
        if (!n.error || n.text.empty()) continue;
        const QString who = n.rank && *n.rank >= 0 ? StopReason::tr("Rank %1: ").arg(*n.rank) : QString();
        if (const QString text = who + to_qt(n.text); !all.contains(text)) all << text;
    }
    return all;
}

QString what_is_kept(const CalibrationLog& log) {
    const auto complete = std::count_if(log.experiments.begin(), log.experiments.end(), [](const ExperimentState& e) { return e.complete(); });
    if (complete == 0) return StopReason::tr("No run was complete: nothing can be gone on from.");
    return StopReason::tr("%1 of %2 runs are complete and kept: Resume goes on from there.").arg(complete).arg(log.experiments.front().said.of);
}

QString cause(const BadEnd& end) {
    const QString where = end.log.experiments.empty() ? QString() : StopReason::tr(" in \"%1\"").arg(to_qt(end.log.experiments.back().said.label));
    if (const auto rank = killed_rank(end)) {
        const QString phase = phase_of_rank(end.beat, *rank);
        return StopReason::tr("Rank %1 was killed%2%3.").arg(*rank).arg(where, phase.isEmpty() ? QString() : StopReason::tr(", last seen in %1").arg(phase));
    }
    const QString meaning = to_qt(say_exit(end.exit_code));
    if (end.exit_code == watchdog) return StopReason::tr("The ranks stopped making progress%1 and the engine ended the run.").arg(where);
    if (!meaning.isEmpty()) return StopReason::tr("The engine ended%1: %2.").arg(where, meaning);
    return StopReason::tr("The engine ended%1 with exit code %2.").arg(where).arg(end.exit_code);
}

}  // namespace

std::optional<int> killed_rank(const BadEnd& end) {
    static const QRegularExpression by_launcher(QStringLiteral("(?:process rank|rank) (\\d+) .*(?:exited on signal|killed by signal|KILLED)"),
                                                QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    const auto found = by_launcher.match(end.chatter.join(u' '));
    if (found.hasMatch()) return found.captured(1).toInt();
    if (end.exit_code <= signals_from) return std::nullopt;
    for (const EngineNote& n : end.log.engine.notes)
        if (n.error && n.rank && *n.rank >= 0) return n.rank;
    return std::nullopt;
}

QString phase_of_rank(const std::string& beat, int rank) {
    for (const QString& each : to_qt(beat).split(QStringLiteral("; "))) {
        const QString name = QStringLiteral("rank %1 ").arg(rank);
        if (each.startsWith(name)) return each.mid(name.size());
    }
    return {};
}

QString failure_text(const BadEnd& end) {
    QStringList all{cause(end)};
    if (end.exit_code == watchdog && !end.beat.empty()) all << StopReason::tr("Where the ranks last were: %1.").arg(to_qt(end.beat));
    all << errors_of(end.log) << what_is_kept(end.log);
    return all.join(u'\n');
}

}  // namespace plimsoll
