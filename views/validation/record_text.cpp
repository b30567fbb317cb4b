#include "views/validation/record_text.h"

#include "views/plan/text.h"

#include <cmath>

namespace plimsoll {

namespace {

QString percent(double share) { return grouped(100 * share) + QStringLiteral(" %"); }

QString kind(const QString& name, const ErrorSummary& s) {
    if (s.counted() == 0) return QObject::tr("%1: none of %2 rows scored").arg(name, grouped(s.rows));
    return QObject::tr("%1: %2 runs, median %3, bias %4").arg(name, grouped(s.counted()), percent(s.median_absolute), signed_percent(s.bias));
}

QString share_or_none(const std::optional<double>& share) { return share ? percent(*share) : QObject::tr("none"); }

}  // namespace

QString signed_percent(double share) {
    const double size = std::abs(100 * share);
    const QString digits = QLocale::c().toString(size, 'f', size < 9.95 ? 1 : 0);
    return (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + digits + QStringLiteral(" %");
}

QString record_line(const TrackRecord& r) {
    if (r.time.counted() == 0) return QObject::tr("No published runs to check against");
    return QObject::tr("%1 published runs, median error %2, worst %3")
        .arg(grouped(r.time.counted()), percent(r.time.median_absolute), signed_percent(r.time.worst));
}

QString record_summary(const TrackRecord& r) {
    QString text = QStringLiteral("<b>%1</b> (%2). ").arg(record_line(r).toHtmlEscaped(), to_qt(r.time.worst_id).toHtmlEscaped());
    text += kind(QObject::tr("Dense models"), r.dense) + QStringLiteral(". ");
    if (r.experts.rows > 0) text += kind(QObject::tr("Mixtures of experts"), r.experts) + QStringLiteral(". ");
    text += QObject::tr("Median over %1 sources of each one's mean error: step time %2, memory %3. %4 rows are not scored; each says why.")
                .arg(r.score.sources.size())
                .arg(share_or_none(r.score.dense), share_or_none(r.score.memory), grouped(r.time.excluded));
    for (const Problem& p : r.problems) text += QStringLiteral("<br>") + to_qt(say(Problems{p})).toHtmlEscaped();
    return text;
}

}  // namespace plimsoll
