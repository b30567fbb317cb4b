#pragma once
// Pages of the window that follow the plan: charts, a study's equations, failures and checkpoints. Only a page that
// is in view draws; the others catch up when they are opened.

#include <QWidget>

#include "views/charts/chart.h"
#include "views/document/workspace.h"
#include "views/parts/tables.h"

#include <QLabel>

#include <vector>

namespace plimsoll {

// A grid of charts. Those that only some plans have are named `sometimes`: they stand in a row of their own while the
// plan has them, and the others have the room otherwise.
class ChartPage : public QWidget {
    Q_OBJECT
public:
    ChartPage(Workspace& workspace, const std::vector<std::string>& figures, int columns, QWidget* parent = nullptr,
              const std::vector<std::string>& sometimes = {});

    const std::vector<Chart*>& charts() const { return charts_; }

protected:
    void showEvent(QShowEvent*) override;

private:
    void present(const Snapshot&);

    Workspace& workspace_;
    std::vector<Chart*> charts_;
    std::size_t always_;   // so many of them
    int rows_;             // that these take
    bool behind_ = true;
};

// The plan by the equations of the Frontier study, beside the full model.
class PaperPage : public QWidget {
    Q_OBJECT
public:
    explicit PaperPage(Workspace& workspace, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent*) override;

private:
    void present(const Snapshot&);

    Workspace& workspace_;
    TextTable* table_;
    bool behind_ = true;
};

// What failures cost the plan: time lost against the checkpoint interval, and
// the numbers behind it with the chain of jobs.
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
    TextTable* table_;
};

}  // namespace plimsoll
