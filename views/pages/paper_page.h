#pragma once
// The plan by the equations of the Frontier study, beside the full model.

#include "views/plan/workspace.h"

#include <QTableWidget>

namespace plimsoll {

class PaperPage : public QWidget {
    Q_OBJECT
public:
    explicit PaperPage(Workspace& workspace, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent*) override;

private:
    void present(const Snapshot&);

    Workspace& workspace_;
    QTableWidget* table_;
    bool behind_ = true;
};

}  // namespace plimsoll
