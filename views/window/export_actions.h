#pragma once
// Figures of the window as files, on paper and on the clipboard, and which chart a command means.

#include "views/charts/chart.h"
#include "views/charts/export_dialog.h"
#include "views/charts/export_job.h"
#include "views/document/workspace.h"
#include "views/window/page_tabs.h"

#include <QObject>
#include <QPointer>

namespace plimsoll {

class ValidationPage;

class ExportActions : public QObject {
    Q_OBJECT
public:
    // `remember`: the figures' looks between starts. `window` is below its dialogs.
    ExportActions(Workspace&, PageTabs&, RecordLoader&, bool remember, QWidget* window);

    // Every figure, the timeline and the published runs; the problems of a plan without numbers.
    Expected<ExportFiles, Problems> export_files(const QString& dir, const ExportOptions&);
    std::vector<Exportable> exportables();   // those in view first
    ExportJob* job() const { return job_; }  // a part of the status bar
    std::vector<Chart*> visible_charts() const;

    void ask_export();
    void show_table();
    void copy_chart();
    void copy_chart_numbers();
    void toggle_axis(Qt::Orientation);

signals:
    void status_message(const QString& text);
    void failed(const QString& what, const plimsoll::Problems& why);

private:
    std::vector<Figure> figures_in_view() const;
    Chart* current_chart() const;
    Chart* chart_to_take();
    void start_export(const QString& dir, const ExportOptions&);
    void print(const std::vector<Picture>&, const ExportOptions&, bool preview);

    Workspace& workspace_;
    PageTabs& pages_;
    RecordLoader& loader_;
    bool remember_;
    QWidget* window_;
    ValidationPage& validation_;
    ExportJob* job_;
    QPointer<Chart> touched_;  // the chart that was pointed at or focused last
};

}  // namespace plimsoll
