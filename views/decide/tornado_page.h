#pragma once
// What the answer hangs on: inputs that the plan's owner does not choose, each at both ends of what it may be. The
// widest bar comes first; a row opens the curve over its input.

#include "core/answers/curves/tornado.h"
#include "views/charts/chart.h"
#include "views/charts/scatter_chart.h"
#include "views/document/workspace.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QWidget>

namespace plimsoll {

class TornadoPage : public QWidget {
    Q_OBJECT
public:
    explicit TornadoPage(Workspace& workspace, QWidget* parent = nullptr);

    QComboBox* of() const { return of_; }
    TextTable* table() const { return table_; }
    TextTable* parts() const { return parts_; }   // of the likely range
    QString range() const { return range_->text(); }
    const std::vector<TornadoBar>& bars() const { return bars_; }
    ScatterChart* chart() const { return chart_; }
    Chart* curve() const { return curve_; }
    QString state() const { return state_->text(); }

protected:
    void resizeEvent(QResizeEvent*) override;

private:
    void present();
    void show_curve();
    void show_range(const std::optional<double>& here);

    Workspace& workspace_;
    std::vector<TornadoBar> bars_;
    Scenario plan_;   // they are of
    QComboBox* of_;
    QLabel* state_;
    TextTable* table_;
    QLabel* range_;
    TextTable* parts_;
    ScatterChart* chart_;
    Chart* curve_;
    QSplitter* charts_;
};

}  // namespace plimsoll
