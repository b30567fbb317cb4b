#pragma once
// Two to six plans side by side: the one in front, which the others are held against, and those of the other tabs.
// Answers, inputs that differ, why one takes longer than the other, and their charts.

#include <QWidget>

#include "core/answers/compare/compare.h"
#include "views/charts/chart.h"
#include "views/charts/scatter_chart.h"
#include "views/document/workspace.h"
#include "views/parts/tables.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>

namespace plimsoll {

class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(Workspace& workspace, QWidget* parent = nullptr);

    void set_theme(const ChartTheme&);
    void keep();                          // a copy of the plan in a tab beside it, which stays in front
    Problems add(const QString& path);    // a plan's file, likewise

    TextTable* answers() const { return answers_; }
    TextTable* inputs() const { return inputs_; }
    TextTable* reasons() const { return reasons_; }
    std::vector<Chart*> charts() const { return charts_; }
    ScatterChart* waterfall() const { return waterfall_; }
    QTabWidget* chart_tabs() const { return chart_tabs_; }
    QComboBox* picked() const { return picked_; }
    QString state() const { return state_->text(); }
    QString part() const { return part_->text(); }  // that is marked, with its value in each plan

protected:
    void showEvent(QShowEvent*) override;

private:
    QWidget* build_head();
    QWidget* build_tables();
    QWidget* build_charts();
    void ask_add();
    void refill();
    void fill_choice();
    QString picked_id() const { return picked_->currentData().toString(); }
    void follow();
    void present();
    void show_rows(TextTable&, const std::vector<ComparedRow>&);
    void show_charts();
    void add_ranges(Figure& over_nodes) const;
    const Waterfall* picked_waterfall() const;
    const WaterfallPart* part_of_picked(std::string WaterfallPart::*field, const std::string& value) const;
    void show_reason();
    void mark(const std::string& part);   // of the step or of memory, wherever it stands
    void mark_reason();
    void mark_bar();
    void say_part();
    std::vector<Scenario> plans() const;
    QStringList names() const;
    QStringList labels() const;           // the same, as short as they can be told apart

    Workspace& workspace_;
    Plans& plans_{workspace_.plans()};
    std::optional<Comparison> compared_;
    QPushButton *keep_, *add_, *show_;
    QToolButton* choice_;                 // of the plans that are compared
    QComboBox* picked_;
    QLabel *state_, *why_, *part_;
    std::string marked_;                  // the part's id; empty: none
    std::vector<std::string> reason_ids_; // of the rows of reasons; empty where a row is no part
    QWidget* content_;
    TextTable *answers_, *inputs_, *reasons_;
    QTabWidget* chart_tabs_;
    std::vector<Chart*> charts_;
    ScatterChart* waterfall_;             // from this plan's time to that of the one picked
    bool behind_ = true;
};

}  // namespace plimsoll
