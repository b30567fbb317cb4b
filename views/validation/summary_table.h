#pragma once
// Errors of groups of published runs: one line a source or a device family.

#include <QTableWidget>

#include "core/evidence/published/score.h"

namespace plimsoll {

class SummaryTable : public QTableWidget {
    Q_OBJECT
public:
    SummaryTable(const QString& group, QWidget* parent = nullptr);  // "Source"
    void present(const std::vector<ErrorSummary>&);
};

}  // namespace plimsoll
