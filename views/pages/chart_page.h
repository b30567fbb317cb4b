#pragma once
// A grid of charts. Only a page that is in view draws; the others catch up
// when they are opened.

#include "views/charts/chart.h"
#include "views/plan/workspace.h"

#include <vector>

namespace plimsoll {

class ChartPage : public QWidget {
    Q_OBJECT
public:
    ChartPage(Workspace& workspace, const std::vector<std::string>& figures, int columns, QWidget* parent = nullptr);

    const std::vector<Chart*>& charts() const { return charts_; }
    void set_theme(const ChartTheme&);

protected:
    void showEvent(QShowEvent*) override;

private:
    void present(const Snapshot&);

    Workspace& workspace_;
    std::vector<Chart*> charts_;
    bool behind_ = true;
};

}  // namespace plimsoll
