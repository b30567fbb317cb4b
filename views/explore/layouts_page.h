#pragma once
// Every layout of the plan's devices: searched beside the window, shown as
// points, as a map of splits and as a ranking; Enter applies one.
//
// The small space is searched again whenever the plan changes and the page is
// in view; the full one when asked.

#include "core/answers/curves/study.h"
#include "views/charts/scatter_chart.h"
#include "views/explore/auto_layout.h"
#include "views/explore/layout_table.h"
#include "views/explore/split_map.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QWidget>

namespace plimsoll {

class LayoutsPage : public QWidget {
    Q_OBJECT
public:
    LayoutsPage(Workspace& workspace, AutoLayout& automatic, QWidget* parent = nullptr);

    void search();
    void cancel();                       // shows what was found up to then
    void select(const QString& layout);  // in table, chart, map and comparison, as say_layout() names it
    void apply();                        // the selected layout, as one undo step

    bool busy() const { return search_.busy(); }
    const Study* study() const { return study_.get(); }   // null before the first search
    bool outdated() const;                                // the plan has changed since
    QTableView* table() const { return view_; }
    TextTable* near_misses() const { return misses_; }
    TextTable* exclusions() const { return excluded_; }
    ScatterChart* scatter() const { return scatter_; }
    SplitMap* map() const { return map_; }
    QPushButton* search_button() const { return search_.button(); }
    QTabWidget* lists() const { return lists_; }
    QString summary() const { return summary_->text(); }
    QString comparison() const { return comparison_->toPlainText(); }

signals:
    void applied(const QString& layout);
    void busy_changed();

private:
    void build();
    QWidget* build_head();
    QWidget* build_lists();
    QWidget* build_pictures();
    QWidget* build_ranking();
    void follow_plan();
    bool ranked_otherwise() const;
    void adopt(std::shared_ptr<const Study>, Seconds took);
    void show_plan();          // what depends on the plan beside the study
    void show_selection();
    void fill_misses();
    void fill_exclusions();
    void pin(bool);
    void propose(const Layout&);
    const Candidate* selected() const;

    Workspace& workspace_;
    AutoLayout& automatic_;
    BackgroundSearch search_{{tr("Price every layout of the space, beside the window"),
                              tr("Stop and show what was found up to now")}};
    std::shared_ptr<const Study> study_;
    QString found_;            // the summary, less what the plan adds
    std::optional<Layout> pinned_;
    LayoutTable model_;
    WordFilter filter_{model_};
    QComboBox *objective_, *space_;
    QPushButton *apply_, *pin_;
    QCheckBox* auto_;
    QLabel *summary_, *cell_;
    QLineEdit* words_;
    QTableView* view_;
    TextTable *misses_, *excluded_;
    QTabWidget *lists_, *pictures_;
    ScatterChart* scatter_;
    SplitMap* map_;
    QTextBrowser* comparison_;
};

}  // namespace plimsoll
