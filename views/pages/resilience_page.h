#pragma once
// What failures cost the plan: time lost against the checkpoint interval, and
// the numbers behind it with the chain of jobs.

#include "views/pages/chart_page.h"

#include <QLabel>
#include <QTableWidget>

namespace plimsoll {

class ResiliencePage : public ChartPage {
    Q_OBJECT
public:
    explicit ResiliencePage(Workspace& workspace, QWidget* parent = nullptr);

    QString verdict() const { return verdict_->text(); }

signals:
    void explain(const QString& number);  // a row was activated

protected:
    void showEvent(QShowEvent*) override;

private:
    void fill(const Snapshot&);

    Workspace& plan_;
    QLabel* verdict_;
    QTableWidget* table_;
};

}  // namespace plimsoll
