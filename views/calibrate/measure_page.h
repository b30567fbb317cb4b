#pragma once
// Calibrates this computer: what would run, how it goes, what came of it. A
// calibration that was measured elsewhere, or left half done, is shown likewise.
//
//   page.set_directory(folder);  page.start();  page.open_result("elsewhere.jsonl");
//
// Closing the window ends a calibration; its complete runs stay in the directory.

#include "core/files/presets/derived_machine.h"
#include "views/calibrate/calibration_files.h"
#include "views/charts/export.h"
#include "views/calibrate/calibration_progress.h"
#include "views/calibrate/plan_view.h"
#include "views/calibrate/result_view.h"
#include "views/document/workspace.h"
#include "views/jobs/engine_session.h"

#include <QElapsedTimer>
#include <QStackedWidget>
#include <QWidget>

#include <functional>

namespace plimsoll {

class MeasurePage : public QWidget {
    Q_OBJECT
public:
    explicit MeasurePage(Workspace& workspace, QWidget* parent = nullptr);

    void set_directory(const QString& calibrations) { files_ = CalibrationFiles(calibrations); }
    void set_presets(const std::filesystem::path& directory) { presets_ = directory; }
    void look_for_interrupted();                     // offers what is found

    void start();
    void cancel() { session_.stop(); }
    void resume(const QString& log);                 // goes on from it
    Problems open_result(const QString& path);       // shows it; nothing changes where it cannot be read
    Problems add_energy(const QString& path);        // what sacct printed of the job, to the result that is shown
    Problems save();                                 // the result that is shown, as a machine preset
    void use();                                      // the saved one in the plan
    ExportFiles export_files(const QString& dir) const;  // the proof of the result in view; none without
    void discard();                                  // the result that is shown and its file
    void close_result();

    enum class Stage { plan, going, result };
    Stage stage() const { return Stage(stack_->currentIndex()); }
    const EngineSession& session() const { return session_; }
    const CalibrationFiles& files() const { return files_; }
    PlanView* plan_view() const { return plan_view_; }
    CalibrationProgress* going() const { return going_; }
    ResultView* result() const { return result_; }
    InterruptedBar* interrupted() const { return interrupted_; }

signals:
    void status_message(const QString& text);                  // for the status bar
    void export_wanted(const plimsoll::ExportFiles&, const QString& folder);

protected:
    void showEvent(QShowEvent*) override;

private:
    void build();
    void connect_views();
    void show_stage(Stage);
    void look_for_engine();
    void watch_build();
    void refresh_plan();
    PlanView::Planned plan_of_subject() const;
    void show_machine();
    void launch(const ExperimentPlan&, const std::string& text, const QString& resumed);
    void show_going();
    void finish();
    void show_log(const CalibrationLog&, const QString& file, const QString& ending, const QString& messages);
    void ask_import();
    void ask_export();
    void ask_energy();
    void ask_discard(const QString& file, const std::function<void()>& then);

    Workspace& workspace_;
    CalibrationFiles files_{default_calibrations()};
    std::filesystem::path presets_;
    EngineSession session_{200};                      // milliseconds between two drawings
    QElapsedTimer clock_;
    QTimer build_watch_;                              // looks for an engine that is still being built
    std::optional<EngineBuild> build_;                // as it was when the engine was looked for
    PlanView::Planned planned_ = Unexpected<std::vector<std::string>>{{}};
    Expected<EngineHost, std::string> host_ = Unexpected<std::string>{{}};
    std::optional<Scenario> told_;                    // the plan whose machine the page speaks of
    ExperimentPlan running_;
    QString out_, resumed_, shown_file_;
    std::optional<LeftCalibration> left_;
    std::optional<SavedCalibration> saved_;
    QStackedWidget* stack_;
    InterruptedBar* interrupted_;
    PlanView* plan_view_;
    CalibrationProgress* going_;
    ResultView* result_;
};

}  // namespace plimsoll
