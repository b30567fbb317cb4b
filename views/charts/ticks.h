#pragma once
// Axis ticks with plain labels: 1-2-5 steps on a logarithmic axis (decades
// only when there are many), "4,096" rather than 4e3, names for categories.

#include <qcustomplot.h>

#include <string>
#include <vector>

namespace plimsoll {

QString tick_label(double value);

// `most` is how many labels have room.
class LinearTicks : public QCPAxisTicker {
public:
    explicit LinearTicks(int most) { setTickCount(std::max(2, std::min(5, most))); }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tick_label(tick); }
};

class LogTicks : public QCPAxisTicker {
public:
    explicit LogTicks(int most) : most_(std::max(2, most)) {}

protected:
    QVector<double> createTickVector(double step, const QCPRange&) override;
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tick_label(tick); }
    int getSubTickCount(double) override { return 0; }

private:
    int most_;
};

// One tick per category at 0, 1, 2 ...; names are left out evenly when there
// are more than `most`.
class CategoryTicks : public QCPAxisTicker {
public:
    explicit CategoryTicks(const std::vector<std::string>& names, int most);

protected:
    QVector<double> createTickVector(double step, const QCPRange&) override;
    QString getTickLabel(double tick, const QLocale&, QChar, int) override;
    int getSubTickCount(double) override { return 0; }

private:
    std::vector<QString> names_;
    int stride_;
};

}  // namespace plimsoll
