#pragma once
// Up to six plans side by side: the one that is edited, which the others are held against, and those kept beside it.
// Answers, inputs that differ, why one takes longer than the other, and their charts.

#include <QWidget>

#include "core/answers/compare/compare.h"
#include "views/charts/chart.h"
#include "views/decide/plans_beside.h"
#include "views/document/workspace.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>

namespace plimsoll {

class ComparePage : public QWidget {
    Q_OBJECT
public:
    ComparePage(Workspace& workspace, PlansBeside& beside, QWidget* parent = nullptr);

    void set_theme(const ChartTheme&);
    void keep();                          // the present plan beside itself
    Problems add(const QString& path);    // a plan's file

    TextTable* answers() const { return answers_; }
    TextTable* inputs() const { return inputs_; }
    TextTable* reasons() const { return reasons_; }
    std::vector<Chart*> charts() const { return charts_; }
    QComboBox* picked() const { return picked_; }
    QString state() const { return state_->text(); }

signals:
    void opened(const QString& plan);     // it is the current plan now

protected:
    void showEvent(QShowEvent*) override;

private:
    QWidget* build_head();
    QWidget* build_tables();
    QWidget* build_charts();
    void ask_add();
    void ask_rename();
    void open();
    void refill();
    void follow();
    void present();
    void show_rows(TextTable&, const std::vector<ComparedRow>&);
    void show_reason();
    std::vector<Scenario> plans() const;
    QStringList names() const;

    Workspace& workspace_;
    PlansBeside& beside_;
    std::optional<Comparison> compared_;
    QPushButton *keep_, *add_, *open_, *rename_, *remove_;
    QComboBox* picked_;
    QLabel *state_, *why_;
    QWidget* content_;
    TextTable *answers_, *inputs_, *reasons_;
    std::vector<Chart*> charts_;
    bool behind_ = true;
};

}  // namespace plimsoll
