#include "views/explore/timeline_page.h"

#include "core/files/results/answers_json.h"
#include "core/files/text/disk.h"
#include "views/charts/export.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QBuffer>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QImage>
#include <QMessageBox>
#include <QPageSize>
#include <QPdfWriter>
#include <QPushButton>
#include <QSvgGenerator>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

QPushButton* button(const QString& text, const QString& name, const QString& tip) {
    auto* b = new QPushButton(text);
    b->setAccessibleName(name);
    b->setToolTip(tip);
    return b;
}

}  // namespace

TimelinePage::TimelinePage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), gantt_(new Gantt), note_(new PlainLabel) {
    note_->setWordWrap(true);
    auto* nearer = button(tr("+"), tr("Zoom in"), tr("Zoom in (W or +)"));
    auto* further = button(tr("\u2212"), tr("Zoom out"), tr("Zoom out (S or \u2212); A and D move"));
    auto* all = button(tr("Whole step"), tr("Whole step"), tr("Show the whole step (0)"));
    auto* save_as = button(tr("Save..."), tr("Save the timeline"), tr("As a trace for Perfetto, a table or a picture"));
    for (QPushButton* b : {nearer, further}) b->setMaximumWidth(36);
    connect(nearer, &QPushButton::clicked, gantt_, [this] { gantt_->zoom(1.5); });
    connect(further, &QPushButton::clicked, gantt_, [this] { gantt_->zoom(1 / 1.5); });
    connect(all, &QPushButton::clicked, gantt_, &Gantt::show_all);
    connect(save_as, &QPushButton::clicked, this, &TimelinePage::ask_save);
    auto* head = new QHBoxLayout;
    head->addWidget(note_, 1);
    for (QPushButton* b : {nearer, further, all, save_as}) head->addWidget(b);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->addLayout(head);
    column->addWidget(gantt_, 1);
    connect(&workspace, &Workspace::changed, this, [this](const Snapshot& s) {
        if (isVisible()) present(s);
        else behind_ = true;
    });
}

void TimelinePage::present(const Snapshot& s) {
    behind_ = false;
    shown_ = s.stale() && s.last_good ? s.last_good->scenario : s.scenario;
    gantt_->present(timeline(without_sources(shown_)), s.stale());
    note_->setText(to_qt(note(gantt_->timeline())));
}

void TimelinePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (behind_) present(workspace_.snapshot());
}

Problems TimelinePage::save(const QString& path) const {
    return write_files({timeline_file(gantt_->timeline(), gantt_->view(), shown_, path)});
}

void TimelinePage::ask_save() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the timeline"), file_stem(shown_) + QStringLiteral("-pipeline-timeline.json"),
        tr("Trace for Perfetto (*.json);;Table (*.csv);;Picture (*.svg *.png *.pdf)"));
    if (path.isEmpty()) return;
    const Problems problems = save(path);
    if (!problems.empty()) QMessageBox::warning(this, tr("Save the timeline"), plain_text(to_qt(say(problems))));
}

namespace {

// CSS pixels (1/96 inch), as the other figures.
const QSize page(int(figure_width_mm / 25.4 * 96 + 0.5), int(figure_height_mm / 25.4 * 96 + 0.5));
constexpr int png_dpi = 300;

void paint(QPainter& p, const Timeline& t, GanttView view) {
    p.setFont(chart_font());
    view.area = QRectF(QPointF(0, 0), page);
    paint_gantt(p, t, view, light_chart());
}

}  // namespace

QByteArray gantt_picture(const Timeline& t, GanttView view, const QString& format, const QString& title) {
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    if (format == QStringLiteral("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&out);
        svg.setTitle(title);
        svg.setResolution(96);
        svg.setSize(page);
        svg.setViewBox(QRect(QPoint(0, 0), page));
        QPainter p(&svg);
        paint(p, t, view);
    } else if (format == QStringLiteral("pdf")) {
        QPdfWriter pdf(&out);
        pdf.setCreator(QStringLiteral("Plimsoll"));
        pdf.setTitle(title);
        pdf.setResolution(96);
        pdf.setPageSize(
            QPageSize(QSizeF(figure_width_mm, figure_height_mm), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
        pdf.setPageMargins(QMarginsF());
        QPainter p(&pdf);
        paint(p, t, view);
    } else if (format == QStringLiteral("png")) {
        const double scale = png_dpi / 96.0;
        QImage image(page * scale, QImage::Format_RGB32);
        image.fill(Qt::white);
        image.setDotsPerMeterX(int(png_dpi / 0.0254 + 0.5));
        image.setDotsPerMeterY(int(png_dpi / 0.0254 + 0.5));
        {
            QPainter p(&image);
            p.scale(scale, scale);
            paint(p, t, view);
        }
        image.save(&out, "PNG");
    }
    return out.data();
}

ExportFile timeline_file(const Timeline& t, const GanttView& view, const Scenario& plan, const QString& path) {
    return {path, [t, view, plan, path]() -> Expected<std::string, Problems> {
        const QString ending = QFileInfo(path).suffix().toLower();
        if (t.tasks.empty()) return Unexpected{Problems{{Severity::error, path.toStdString(), {}, note(t)}}};
        if (ending == QStringLiteral("json")) return to_trace_json(t, plan);
        if (ending == QStringLiteral("csv")) return to_csv(t, plan);
        const QByteArray picture = gantt_picture(t, view, ending, to_qt(plan.name));
        if (!picture.isEmpty()) return picture.toStdString();
        return Unexpected{Problems{{Severity::error, path.toStdString(), {},
                                    QObject::tr("unknown ending; known: json, csv, svg, png, pdf").toStdString()}}};
    }};
}

ExportFiles timeline_files(const Scenario& plan, const QString& stem, const std::vector<std::string>& formats) {
    const Timeline t = timeline(without_sources(plan));
    const GanttView whole{{}, Seconds{}, t.span, t.stages()};
    ExportFiles files;
    for (const std::string& format : formats)
        files.push_back(
            timeline_file(t, whole, plan, stem + QStringLiteral("-pipeline-timeline.") + to_qt(format)));
    return files;
}

}  // namespace plimsoll
