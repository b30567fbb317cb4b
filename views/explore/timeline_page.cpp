#include "views/explore/timeline_page.h"

#include "core/files/results/answers_json.h"
#include "core/files/text/disk.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QFileDialog>
#include <QFileInfo>

namespace plimsoll {

TimelinePage::TimelinePage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), gantt_(new Gantt), note_(new PlainLabel) {
    note_->setWordWrap(true);
    QPushButton* nearer =
        button(tr("+"), "timeline.nearer", tr("Zoom in (W or +)"), gantt_, [this] { gantt_->zoom(1.5); });
    QPushButton* further = button(tr("\u2212"), "timeline.further", tr("Zoom out (S or \u2212); A and D move"), gantt_,
                                  [this] { gantt_->zoom(1 / 1.5); });
    QPushButton* all =
        button(tr("Whole step"), "timeline.all", tr("Show the whole step (0)"), gantt_, &Gantt::show_all);
    QPushButton* save_as = button(tr("Save..."), "timeline.save", tr("As a trace for Perfetto, a table or a picture"),
                                  this, &TimelinePage::ask_save);
    nearer->setAccessibleName(tr("Zoom in"));
    further->setAccessibleName(tr("Zoom out"));
    save_as->setAccessibleName(tr("Save the timeline"));
    for (QPushButton* b : {nearer, further}) b->setMaximumWidth(36);
    setLayout(below({beside({{note_, 1}, nearer, further, all, save_as}), {gantt_, 1}}, {0, 6, 0, 0}));
    auto* seen = new WhenSeen(*this, [this] { present(workspace_.snapshot()); });
    connect(&workspace, &Workspace::changed, seen, &WhenSeen::due);
}

void TimelinePage::present(const Snapshot& s) {
    shown_ = s.stale() && s.last_good ? s.last_good->scenario : s.scenario;
    gantt_->present(timeline(without_sources(shown_)), s.stale());
    note_->setText(to_qt(note(gantt_->timeline())));
}

Problems TimelinePage::save(const QString& path) const {
    return write_files({timeline_file(gantt_->timeline(), gantt_->view(), shown_, path)});
}

void TimelinePage::ask_save() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the timeline"), file_stem(shown_) + QStringLiteral("-pipeline-timeline.json"),
        tr("Trace for Perfetto (*.json);;Table (*.csv);;Picture (*.svg *.png *.pdf)"));
    if (path.isEmpty()) return;
    if (const Problems problems = save(path); !problems.empty()) warn(this, tr("Save the timeline"), problems);
}

Picture picture_of(const Timeline& t, const GanttView& view, const FigureOptions& o) {
    Picture p;
    p.id = QLatin1String(timeline_id);
    p.title = QObject::tr("Pipeline timeline");
    p.description = to_qt(note(t));
    p.height_mm = height_of(o);
    p.paint = [t, view, title = o.title, legend = o.legend](QCPPainter& painter, const Paper& paper,
                                                            QCPPainter::PainterModes) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        GanttView there = view;
        there.on_screen = false;
        there.area = QRectF(QPointF(0, 0), QSizeF(paper.size));
        painter.fillRect(there.area, paper.theme.background);
        painter.setFont(paper.font);
        if (title) {
            QFont bold = paper.font;
            bold.setBold(true);
            const double line = QFontMetricsF(bold).height() + 8;
            painter.setFont(bold);
            painter.setPen(paper.theme.text);
            painter.drawText(QRectF(10, 4, there.area.width() - 14, line - 4), Qt::AlignLeft | Qt::AlignTop,
                             QObject::tr("Pipeline timeline"));
            painter.setFont(paper.font);
            there.area.setTop(line);
        }
        there.head = legend ? legend_height(t, paper.font, there.area.width()) : 0;
        paint_gantt(painter, t, there, paper.theme);
    };
    return p;
}

ExportFile timeline_file(const Timeline& t, const GanttView& view, const Scenario& plan, const QString& path,
                         const ExportOptions& o) {
    return {path, [t, view, plan, path, o]() -> Expected<std::string, Problems> {
        const QString ending = QFileInfo(path).suffix().toLower();
        if (t.tasks.empty()) return Unexpected{Problems{{Severity::error, path.toStdString(), {}, note(t)}}};
        if (ending == QStringLiteral("json")) return to_trace_json(t, plan);
        if (ending == QStringLiteral("csv")) return to_csv(t, plan);
        const SpokenIn language(to_qt(o.language));
        const QByteArray picture = bytes_of(picture_of(t, view, o.figure), o.figure, ending);
        if (!picture.isEmpty()) return picture.toStdString();
        return Unexpected{Problems{{Severity::error, path.toStdString(), {},
                                    QObject::tr("unknown ending; known: json, csv, svg, png, pdf").toStdString()}}};
    }};
}

namespace {

GanttView whole_step(const Timeline& t) { return {{}, Seconds{}, t.span, t.stages()}; }

}  // namespace

Picture timeline_picture(const Scenario& plan, const FigureOptions& o) {
    const Timeline t = timeline(without_sources(plan));
    return picture_of(t, whole_step(t), o);
}

ExportFiles timeline_files(const Scenario& plan, const QString& stem, const ExportOptions& o, bool trace) {
    if (!wants(o, timeline_id)) return {};
    const Timeline t = timeline(without_sources(plan));
    std::vector<std::string> formats = o.formats;
    if (trace) formats.emplace_back("json");
    ExportFiles files;
    for (const std::string& format : formats)
        files.push_back(timeline_file(t, whole_step(t), plan,
                                      stem + u'-' + QLatin1String(timeline_id) + u'.' + to_qt(format), o));
    return files;
}

}  // namespace plimsoll
