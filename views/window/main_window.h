#pragma once
// The window: inputs on the left, verdict, numbers and charts in the middle,
// explanation and history on the right. It puts views together and handles
// files; every number comes from the workspace's snapshots.

#include "views/calibrate/calibrate_page.h"
#include "views/document/scaling_keeper.h"
#include "views/document/workspace.h"
#include "views/evidence/validation_page.h"
#include "views/explore/layouts_page.h"
#include "views/jobs/own_software_page.h"
#include "views/pages/chart_pages.h"
#include "views/pages/explain_panel.h"
#include "views/pages/tiles.h"
#include "views/pages/verdict.h"
#include "views/window/export_actions.h"
#include "views/window/file_session.h"
#include "views/window/help.h"
#include "views/window/page_tabs.h"
#include "views/window/palette.h"
#include "views/window/plan_commands.h"
#include "views/window/running_jobs.h"
#include "views/window/theme.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

namespace plimsoll {

class GoalPage;
class ProposalPage;
class QuestionsPage;
class StartPage;
class Tour;

// Where a window goes on the screen that is there: as near to `wanted` as lies within it, smaller where it has to be.
QRect fitted(const QRect& wanted, const QRect& screen);
// What a window manager puts around a window, at the most.
inline constexpr QMargins frame_room{4, 32, 4, 4};

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Session { remembered, fresh };  // fresh: for tests and pictures, touches no settings
    MainWindow(Workspace& workspace, Session session);

    void begin(const QString& file);      // opens it, or without one the plan of last time; offers unsaved changes
    void end();                           // nobody can be asked any more: unsaved changes are kept for the next start
    void set_theme(Theme);
    void show_start();                    // the start page in place of the plan
    QStringList page_names() const { return pages_->ids(); }   // "overview", "time", ...
    bool show_page(const QString& name);  // false where there is none of this name
    bool open(const QString& path) { return files_->open(path); }
    bool save() { return files_->save(); }
    bool open_workspace(const QString& path) { return files_->open_workspace(path); }
    bool save_workspace() { return files_->save_workspace(); }
    Expected<ExportFiles, Problems> export_files(const QString& dir, const ExportOptions& o = {}) {
        return exports_->export_files(dir, o);
    }
    std::vector<Exportable> exportables() { return exports_->exportables(); }
    ExportJob* exports() const { return exports_->job(); }

    Verdict* verdict() const { return verdict_; }
    TileBar* tiles() const { return tiles_; }
    InputsPanel* inputs() const { return inputs_; }
    ExplainPanel* explanation() const { return explain_; }
    ValidationPage* validation() const { return validation_; }
    LayoutsPage* layouts() const { return layouts_; }
    CalibratePage* calibration() const { return calibrate_; }
    OwnSoftwarePage* own_software() const { return own_software_; }
    AutoLayout& automatic() { return automatic_; }
    HelpWindow* help();                   // made when first asked for
    QToolButton* badge() const { return badge_; }
    NoticeBar* notices() const { return notices_; }
    PlanTabs* plan_tabs() const { return tabs_; }
    PageTabs* page_tabs() const { return pages_; }
    RunningJobs* jobs() const { return jobs_; }
    Palette* palette_of_commands();       // likewise
    RecordLoader& record_loader() { return loader_; }
    std::vector<Chart*> visible_charts() const { return exports_->visible_charts(); }

protected:
    bool focusNextPrevChild(bool next) override;
    void changeEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void closeEvent(QCloseEvent*) override;
    void dragEnterEvent(QDragEnterEvent*) override;
    void dropEvent(QDropEvent*) override;

private:
    void build_head();
    void build_centre();
    void follow_pages();
    void follow_files();
    void build_docks();
    void build_status();
    void follow_jobs();
    void build_menus();
    void build_file_menu();
    void build_edit_menu();
    void build_plan_menu();
    void add_questions(QMenu&);
    void convert_hours();
    void build_view_menu();
    void build_help_menu();
    void present(const Snapshot&);
    void refresh_title();
    void show_plan() { put_in_centre(0); }
    void put_in_centre(int which);
    void begin_first_time();
    void take_tour();
    void explain_number(const QString& id);
    std::vector<PaletteEntry> command_index();  // that the palette finds
    void add_published_runs(std::vector<PaletteEntry>&);
    void count_next_hours();
    void go_to_pane(int by);  // from the one that has the keyboard
    void focus_mode(bool on);

    Document& document() { return workspace_.document(); }  // of the plan in front
    void show_tabs();
    bool may_stop_work();  // asks about what still runs
    void restore_job();
    void store_job();
    void ask_calibration();
    bool show_calibration(const QString& path);
    bool show_steps(const TrainingLog&, const QString& name);
    bool show_probes(const QString& path);
    void ask_runs();
    void ask_measured();
    void forget_measured();
    void ask_scaling();
    bool add_scaling(const QString& path);
    void remove_scaling();
    void keep_measured();
    void read_measured();
    void validate(const QString& runs_file);
    void start_new();
    void restore_session();
    void store_session();

    Workspace& workspace_;
    Session session_;
    Theme theme_ = Theme::system;
    InputsPanel* inputs_ = nullptr;
    RecordLoader loader_{workspace_};
    ScalingKeeper scaling_{workspace_, session_ == Session::remembered};
    AutoLayout automatic_{workspace_};
    LayoutsPage* layouts_ = nullptr;
    QToolButton* badge_ = nullptr;
    ValidationPage* validation_ = nullptr;
    CalibratePage* calibrate_ = nullptr;
    OwnSoftwarePage* own_software_ = nullptr;
    GoalPage* goal_ = nullptr;
    QuestionsPage* questions_ = nullptr;
    ProposalPage* proposal_ = nullptr;
    QToolBar* head_ = nullptr;          // above the docks, so that none of them moves it: tabs, and the answers below
    QWidget* plans_line_ = nullptr;     // of the tabs
    PlanTabs* tabs_ = nullptr;
    PlanCommands* commands_ = nullptr;
    QWidget* answers_ = nullptr;
    TileBar* tiles_ = nullptr;
    HelpWindow* help_ = nullptr;
    ExportActions* exports_ = nullptr;
    FileSession* files_ = nullptr;
    RunningJobs* jobs_ = new RunningJobs;  // before the menus, which hold its command
    Palette* palette_ = nullptr;
    QStackedWidget* centre_ = nullptr;  // the plan, then the start page where it has been shown
    StartPage* start_ = nullptr;
    Tour* tour_ = nullptr;
    Verdict* verdict_ = nullptr;
    NoticeBar* notices_ = nullptr;
    ExplainPanel* explain_ = nullptr;
    PageTabs* pages_ = nullptr;
    QDockWidget *inputs_dock_ = nullptr, *explain_dock_ = nullptr, *history_dock_ = nullptr;
    QAction* unpin_ = nullptr;
    QByteArray before_focus_;  // state of the panels as of before charts only, to be kept; empty: they are not on
    QList<QDockWidget*> put_away_;   // by charts only
    QActionGroup* themes_ = nullptr;
};

}  // namespace plimsoll
