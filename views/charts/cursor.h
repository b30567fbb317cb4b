#pragma once
// Reading values off a figure: which point is nearest, and what it says.

#include "core/answers/curves/figures.h"

#include <QString>
#include <QStringList>

namespace plimsoll {

// Positions a cursor can take: categories of bars, or the x values of the first line.
std::vector<double> stops(const Figure&);
// Index of the stop nearest to x (in the logarithm when `log`), or -1 without stops.
int nearest_stop(const Figure&, double x, bool log);
// "12 nodes", then one line per series: "Time to train  41.2 days".
QStringList reading(const Figure&, int stop);

}  // namespace plimsoll
