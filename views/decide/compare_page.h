#pragma once
// Two to six plans side by side: the one in front, which the others are held against, and those of the other tabs that
// are ticked. A sheet of what differs and of the answers, why one takes longer than the other, and their charts.

#include "core/answers/compare/compare.h"
#include "views/charts/chart.h"
#include "views/charts/scatter_chart.h"
#include "views/decide/ticked_list.h"
#include "views/document/workspace.h"
#include "views/parts/arrange.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QTableWidget>
#include <QWidget>

#include <set>

namespace plimsoll {

class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(Workspace& workspace, QWidget* parent = nullptr);

    void keep();                          // a copy of the plan in a tab beside it, which stays in front
    Problems add(const QString& path);    // a plan's file, likewise

    QTableWidget* sheet() const { return sheet_; }
    QCheckBox* differences() const { return differences_; }   // only they are shown
    TickedList* choice() const { return choice_; }
    std::vector<Chart*> charts() const { return charts_; }
    ScatterChart* waterfall() const { return waterfall_; }
    QTabWidget* tabs() const { return tabs_; }
    QComboBox* picked() const { return picked_; }
    QString state() const { return state_->text(); }
    QString why() const { return why_->text(); }
    QString part() const { return part_->text(); }  // that is marked, with its value in each plan

private:
    QWidget* build_head();
    void build_sheet();
    void build_charts();
    void ask_add();
    void tick_alike();
    void refill();
    QString picked_id() const { return picked_->currentData().toString(); }
    void follow();
    void present();
    void show_sheet();
    void show_charts();
    void add_ranges(Figure& over_nodes) const;
    const Waterfall* picked_waterfall() const;
    const WaterfallPart* part_of_picked(std::string WaterfallPart::*field, const std::string& value) const;
    void show_reason();
    void mark(const std::string& part);   // of the step or of memory, wherever it stands
    void mark_bar();
    void say_part();
    std::vector<Scenario> plans() const;

    Workspace& workspace_;
    Plans& plans_{workspace_.plans()};
    std::optional<Comparison> compared_;
    std::set<QString> chosen_;            // plans that were ticked or unticked, by id
    std::vector<std::string> labels_;     // of the plans, by what differs
    QPushButton* show_;
    TickedList* choice_;                  // of the plans that are compared
    QCheckBox* differences_;
    QComboBox* picked_;
    QLabel *state_, *why_, *part_;
    std::string marked_;                  // the part's id; empty: none
    QTableWidget* sheet_;
    QTabWidget* tabs_;
    std::vector<Chart*> charts_;
    ScatterChart* waterfall_;             // from this plan's time to that of the one picked
    WhenSeen* seen_ = new WhenSeen(*this, [this] { present(); });
};

}  // namespace plimsoll
