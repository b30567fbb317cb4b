#pragma once
// What a chart draws of a figure. Parts of a step or of memory that are nothing are left out and named instead, lines
// that are zero all over likewise; where rows have no room for all names, the smallest parts stand together in one row.
//
//   const Shown shown = shown_of(figure, 8);      // at most eight rows
//
// Data in CSV files keep every part.

#include "core/answers/curves/figures.h"

#include <QStringList>

namespace plimsoll {

struct Shown {
    Figure figure;
    std::vector<int> looks;  // of each row: the part's place in the whole, which gives its colour; -1: several parts
    QStringList none;        // names of the parts left out
};

// `most_rows` counts for figures of rows only (shape_of).
Shown shown_of(const Figure&, int most_rows);
// "None: Pipeline bubble, Offload wait."; empty where nothing was left out.
QString say_none(const QStringList& none);
// Nowhere more than a hundred-thousandth of its bar.
bool is_nothing(const Figure&, const Series&);

}  // namespace plimsoll
