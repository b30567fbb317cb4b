#include "views/window/export_actions.h"

#include "core/files/presets/programme_json.h"
#include "views/charts/export_dialog.h"
#include "views/charts/scatter_chart.h"
#include "views/evidence/validation_page.h"
#include "views/explore/timeline_page.h"
#include "views/pages/chart_pages.h"
#include "views/parts/language.h"
#include "views/parts/tables.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QPrintDialog>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QTableView>

namespace plimsoll {

namespace {

Exportable exportable(const Figure& f, bool in_view) {
    return {to_qt(f.id), worded(f.title), in_view, [f](const FigureOptions& o) { return picture_of(f, o); }};
}

bool is_among(const std::vector<Figure>& all, const std::string& id) {
    return std::any_of(all.begin(), all.end(), [&](const Figure& f) { return f.id == id; });
}

}  // namespace

ExportActions::ExportActions(Workspace& workspace, PageTabs& pages, RecordLoader& loader, bool remember,
                             QWidget* window)
    : QObject(window), workspace_(workspace), pages_(pages), loader_(loader), remember_(remember), window_(window),
      validation_(*pages.findChild<ValidationPage*>()), job_(new ExportJob) {
    for (Chart* chart : pages_.findChildren<Chart*>())
        connect(chart, &Chart::touched, this, [this, chart] { touched_ = chart; });
    connect(job_, &ExportJob::finished, this, [this](const QString& folder) {
        emit status_message(tr("Everything is in %1").arg(QDir::toNativeSeparators(folder)));
    });
    connect(job_, &ExportJob::cancelled, this, [this](int written, int all) {
        emit status_message(tr("Export cancelled: %1 of %2 files are written").arg(written).arg(all));
    });
    connect(job_, &ExportJob::failed, this,
            [this](const Problems& problems) { emit failed(tr("The export has stopped."), problems); });
}

// Charts of the page that is shown, whatever it is about.
std::vector<Figure> ExportActions::figures_in_view() const {
    std::vector<Figure> all;
    const auto add = [&](const QWidget* chart, const Figure* figure) {
        if (chart->isVisible() && figure && !figure->series.empty() && !is_among(all, figure->id))
            all.push_back(*figure);
    };
    const QWidget* page = pages_.current_page();
    for (const Chart* chart : page->findChildren<Chart*>()) add(chart, chart->figure());
    for (const ScatterChart* chart : page->findChildren<ScatterChart*>()) add(chart, &chart->figure());
    return all;
}

// Of the page in view first, then of all others.
std::vector<Exportable> ExportActions::exportables() {
    std::vector<Exportable> all;
    const Snapshot& s = workspace_.snapshot();
    const std::vector<Figure> here = figures_in_view();
    for (const Figure& f : here) all.push_back(exportable(f, true));
    if (!s.last_good) return all;
    const bool timeline_here = pages_.current() == QStringLiteral("timeline");
    const Exportable step{QLatin1String(timeline_id), tr("Pipeline timeline"), timeline_here,
                          [plan = s.last_good->scenario](const FigureOptions& o) { return timeline_picture(plan, o); }};
    if (timeline_here) all.push_back(step);
    for (const Figure& f : s.last_good->figures)
        if (!is_among(here, f.id)) all.push_back(exportable(f, false));
    if (!timeline_here) all.push_back(step);
    for (const Figure& f : validation_.figures())
        if (!is_among(here, f.id)) all.push_back(exportable(f, false));
    return all;
}

Expected<ExportFiles, Problems> ExportActions::export_files(const QString& dir, const ExportOptions& o) {
    loader_.wait();  // so that the same plan always gives the same files
    const Snapshot& s = workspace_.snapshot();
    if (s.stale() || !s.last_good)
        return Unexpected{Problems{
            {Severity::error, {}, {},
             tr("The plan cannot be computed as it stands; nothing was exported").toStdString()}}};
    auto files = plan_files(s.scenario, s.last_good->figures, dir, o);
    if (!files) return files;
    const QString stem = QDir(dir).filePath(file_stem(s.scenario));
    const auto add = [&](ExportFiles more) {
        for (ExportFile& file : more) files->push_back(std::move(file));
    };
    add(timeline_files(s.scenario, stem, o, true));
    add(validation_.export_files(stem, o));
    const std::vector<Figure> validated = validation_.figures();
    if (!o.figures.empty())   // by name: what belongs to the page alone, as a comparison
        for (const Figure& f : figures_in_view())
            if (!is_among(s.last_good->figures, f.id) && !is_among(validated, f.id))
                add(figure_files(f, to_csv(f, s.scenario), stem, o));
    if (o.sheet) {
        std::vector<Picture> pictures;
        const SpokenIn language(to_qt(o.language));
        for (const Exportable& each : exportables())
            if (wants(o, each.id.toStdString())) pictures.push_back(each.picture(o.figure));
        files->push_back(sheet_file(std::move(pictures), stem, to_qt(s.scenario.name), o));
    }
    return files;
}

void ExportActions::ask_export() {
    std::vector<std::pair<QString, QString>> programmes;
    for (const auto& [id, file] : workspace_.library().programmes)
        if (const auto read = load_programme(id, workspace_.library()))
            programmes.emplace_back(to_qt(id), to_qt(read->programme.name));
    std::vector<Exportable> figures = exportables();
    if (figures.empty()) return emit status_message(tr("There is no chart on this page"));
    ExportDialog dialog(std::move(figures), programmes, remember_, window_);
    if (dialog.exec() != QDialog::Accepted) return;
    switch (dialog.wanted()) {
        case ExportDialog::Wanted::files: {
            const QString dir = QFileDialog::getExistingDirectory(window_, tr("Export the figures into a folder"));
            if (!dir.isEmpty()) start_export(dir, dialog.options());
            break;
        }
        case ExportDialog::Wanted::print: return print(dialog.pictures(), dialog.options(), false);
        case ExportDialog::Wanted::preview: return print(dialog.pictures(), dialog.options(), true);
    }
}

void ExportActions::print(const std::vector<Picture>& pictures, const ExportOptions& o, bool preview) {
    QPrinter printer(QPrinter::HighResolution);
    printer.setDocName(to_qt(workspace_.scenario().name));
    const QString heading = to_qt(workspace_.scenario().name);
    const auto paint = [&](QPrinter* on) {
        const SpokenIn language(to_qt(o.language));
        paint_sheet(*on, pictures, o.figure, heading);
    };
    if (preview) {
        QPrintPreviewDialog dialog(&printer, window_);
        connect(&dialog, &QPrintPreviewDialog::paintRequested, this, paint);
        dialog.exec();
        return;
    }
    QPrintDialog dialog(&printer, window_);
    if (dialog.exec() == QDialog::Accepted) paint(&printer);
}

void ExportActions::start_export(const QString& dir, const ExportOptions& o) {
    if (loader_.busy()) {
        emit status_message(tr("The export begins when the published runs are compared"));
        connect(&loader_, &RecordLoader::finished, this, [this, dir, o] { start_export(dir, o); },
                Qt::SingleShotConnection);
        return;
    }
    auto files = export_files(dir, o);
    if (files) job_->start(*files, dir);
    else emit failed(tr("The figures could not be exported."), files.error());
}

std::vector<Chart*> ExportActions::visible_charts() const {
    std::vector<Chart*> charts;
    for (const ChartPage* page : pages_.findChildren<ChartPage*>())
        for (Chart* chart : page->charts())
            if (chart->isVisible()) charts.push_back(chart);
    return charts;
}

Chart* ExportActions::current_chart() const {
    Chart* hovered = nullptr;
    for (Chart* chart : visible_charts()) {
        if (chart->underMouse()) hovered = chart;
        if (chart->hasFocus()) return chart;
    }
    return touched_ && touched_->isVisible() ? touched_.data() : hovered;
}

void ExportActions::toggle_axis(Qt::Orientation side) {
    if (Chart* chart = current_chart()) chart->toggle_logarithmic(side);
    else emit status_message(tr("Point at a chart or click one first"));
}

// The current chart or else the first of the page; says so where there is none.
Chart* ExportActions::chart_to_take() {
    Chart* chart = current_chart();
    if (!chart && !visible_charts().empty()) chart = visible_charts().front();
    if (chart && chart->figure()) return chart;
    emit status_message(tr("There is no chart on this page"));
    return nullptr;
}

void ExportActions::show_table() {
    if (Chart* chart = chart_to_take()) show_as_table(*chart);
}

// Of the table that has the keyboard, else of the chart that was pointed at last.
void ExportActions::copy_chart_numbers() {
    QString copied;
    if (const auto* table = qobject_cast<QTableView*>(QApplication::focusWidget())) {
        copy_numbers(cells_of(*table));
        copied = table->accessibleName();
    } else if (const Chart* chart = chart_to_take()) {
        copy_numbers(cells_of(*chart, chart->accessibleName()));
        copied = chart->accessibleName();
    }
    if (!copied.isEmpty()) emit status_message(tr("Copied: %1").arg(copied));
}

void ExportActions::copy_chart() {
    QString copied;
    if (const auto* table = qobject_cast<QTableView*>(QApplication::focusWidget())) {
        copy_image(cells_of(*table));
        copied = table->accessibleName();
    } else if (Chart* chart = chart_to_take()) {
        chart->copy();
        copied = to_qt(chart->figure()->title);
    }
    if (!copied.isEmpty()) emit status_message(tr("Copied: %1").arg(copied));
}

}  // namespace plimsoll
