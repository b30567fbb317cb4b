#pragma once
// A figure in words: the numbers behind it as a table, and a sentence that sums them up. What a screen reader says of a
// chart, and what a chart shows as a table.

#include "core/answers/curves/figures.h"

#include <QStringList>

#include <vector>

namespace plimsoll {

struct FigureTable {
    QStringList headings;           // with units
    std::vector<QStringList> rows;  // bars: one for each category; lines: one for each stop; points: one for each
};

FigureTable table_of(const Figure&);
int index_at(const Series&, double x);   // of the point there; -1: none
// "Time to train over Nodes, 20 points from 12 to 300: This plan from 41.2 to 3.1 days; the plan is at 24."
QString sentence_on(const Figure&);

}  // namespace plimsoll
