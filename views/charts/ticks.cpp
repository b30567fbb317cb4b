#include "views/charts/ticks.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

QString tick_label(double value) {
    if (std::abs(value) < 1e-12) return QStringLiteral("0");
    if (std::abs(value) >= 1e6 || std::abs(value) < 1e-3) return QLocale::c().toString(value, 'g', 3);
    if (std::abs(value) >= 1000) return QLocale(QLocale::English).toString(static_cast<qlonglong>(std::llround(value)));
    return QLocale::c().toString(value, 'g', 6);
}

namespace {

QVector<double> decade_steps(const QCPRange& range, std::initializer_list<double> steps) {
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (int decade = first; decade <= last; ++decade)
        for (const double step : steps) {
            const double tick = step * std::pow(10.0, decade);
            if (range.contains(tick)) ticks.append(tick);
        }
    return ticks;
}

}  // namespace

QVector<double> LogTicks::createTickVector(double step, const QCPRange& range) {
    if (!(range.lower > 0)) return {};
    QVector<double> ticks = decade_steps(range, {1, 2, 5});
    if (ticks.size() < 3) ticks = decade_steps(range, {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9});
    if (ticks.size() < 3) ticks = QCPAxisTicker::createTickVector(step, range);  // a sliver of a decade
    if (ticks.size() > most_) ticks = decade_steps(range, {1, 3});
    if (ticks.size() > most_) ticks = decade_steps(range, {1});
    while (ticks.size() > most_) {  // every other decade
        QVector<double> fewer;
        for (int i = 0; i < ticks.size(); i += 2) fewer.append(ticks[i]);
        ticks = fewer;
    }
    return ticks;
}

CategoryTicks::CategoryTicks(const std::vector<std::string>& names, int most)
    : stride_(std::max(1, (static_cast<int>(names.size()) + most - 1) / std::max(1, most))) {
    for (const std::string& name : names) names_.push_back(QString::fromStdString(name));
}

QVector<double> CategoryTicks::createTickVector(double, const QCPRange& range) {
    QVector<double> ticks;
    for (int i = 0; i < static_cast<int>(names_.size()); i += stride_)
        if (range.contains(i)) ticks.append(i);
    return ticks;
}

QString CategoryTicks::getTickLabel(double tick, const QLocale&, QChar, int) {
    const auto i = static_cast<std::size_t>(std::lround(tick));
    return i < names_.size() ? names_[i] : QString();
}

}  // namespace plimsoll
