#include "views/inputs/stage_strip.h"

#include "core/values/knobs/wording.h"
#include "views/charts/plot_frame.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double strip_side = 6, behind_name = 6;
constexpr std::size_t most_lines = 12;         // before the others are asked for
constexpr std::size_t most_written_out = 8;    // layers of a chunk

std::vector<PatternRun> runs_of_chunk(const std::string& letters) {
    if (letters.empty()) return {};
    return letters.size() <= most_written_out ? std::vector<PatternRun>{{letters, 1}} : runs_of(letters);
}

// That they take, about: how often a run repeats is written before it.
std::size_t cells_of(const std::vector<PatternRun>& runs) {
    std::size_t cells = 0;
    for (const PatternRun& run : runs) cells += run.letters.size() + (run.times > 1 ? 2 : 0);
    return cells;
}

}  // namespace

StageStrip::StageStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stage_strip"));
    setAccessibleName(tr("Layers of the pipeline stages"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StageStrip::present(const Snapshot& s) {
    const bool computable = !s.stale();
    std::vector<StageHeld> stages = stages_held(s.scenario, computable);
    const bool moved = stages != stages_;
    stages_ = std::move(stages);
    kinds_ = kinds_in_words(s.scenario.model);
    times_ = computable ? times_by_stage(s.scenario) : std::vector<Seconds>{};
    memory_.clear();
    if (computable)
        for (const MemoryUse& m : s.outcome->stages) memory_.push_back(m.total());
    busiest_ = computable ? s.outcome->busiest_stage : -1;
    lines_.clear();
    for (int i = 0; i < int(stages_.size()); ++i) {
        if (i > 0 && stages_[std::size_t(i)] == stages_[std::size_t(i) - 1]) lines_.back().last = i;
        else lines_.push_back({i, i});
    }
    if (pointed_ >= int(stages_.size())) pointed_ = -1;
    if (moved) {
        all_ = false;
        updateGeometry();
    }
    setVisible(!stages_.empty());
    data_changed(*this);
    update();
}

std::size_t StageStrip::shown_lines() const {
    return all_ || lines_.size() <= most_lines + 1 ? lines_.size() : most_lines;
}

int StageStrip::line_with(int stage) const {
    const auto at = std::ranges::find_if(lines_, [&](const Line& l) { return stage >= l.first && stage <= l.last; });
    return at == lines_.end() ? -1 : int(at - lines_.begin());
}

QString StageStrip::name_of(const Line& l) const {
    return l.first == l.last ? QString::number(l.first + 1) : QStringLiteral("%1–%2").arg(l.first + 1).arg(l.last + 1);
}

double StageStrip::width_of_names() const {
    double widest = 0;
    for (std::size_t i = 0; i < shown_lines(); ++i)
        widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(name_of(lines_[i])));
    return widest;
}

int StageStrip::kind_of(char letter) const {
    const auto at = std::ranges::find(kinds_, letter, &KindCost::letter);
    return at == kinds_.end() ? -1 : int(at - kinds_.begin());
}

QString StageStrip::shown_letter(char letter) const {
    return kinds_.size() == 1 && letter != ' ' ? QStringLiteral("t") : QString(QLatin1Char(letter));
}

// "the embedding; 3 × Mamba-2 alone, 1 × experts alone"
QString StageStrip::holds(const ChunkHeld& c) const {
    QStringList parts;
    if (c.embedding) parts << tr("the embedding");
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        const auto n = std::ranges::count(c.letters, kinds_[k].letter);
        if (n == 0) continue;
        parts << (kinds_.size() == 1 ? (n == 1 ? tr("1 layer") : tr("%1 layers").arg(n))
                                     : tr("%1 × %2").arg(QString::number(n), to_qt(kinds_[k].name)));
    }
    if (const auto none = std::ranges::count(c.letters, ' '); none > 0)
        parts << tr("%1 layers that the model has not").arg(none);
    if (c.modules > 0) parts << (c.modules == 1 ? tr("a module that predicts a further token")
                                                : tr("%1 modules that predict further tokens").arg(c.modules));
    if (c.loss) parts << tr("head and loss");
    return parts.isEmpty() ? tr("nothing") : parts.join(QStringLiteral(", "));
}

QString StageStrip::said_of(int stage) const {
    const StageHeld& s = stages_[std::size_t(stage)];
    QStringList said{tr("Stage %1 of %2").arg(stage + 1).arg(stages_.size())};
    if (s.chunks.size() == 1) said[0] += QStringLiteral(": ") + holds(s.chunks[0]);
    else
        for (std::size_t c = 0; c < s.chunks.size(); ++c)
            said << tr("Chunk %1: %2").arg(QString::number(c + 1), holds(s.chunks[c]));
    if (std::size_t(stage) < times_.size())
        said << tr("Both passes of a micro-batch take %1.").arg(to_qt(say(times_[std::size_t(stage)])))
                    + (stage == busiest_ ? u' ' + tr("No stage is busier.") : QString());
    if (std::size_t(stage) < memory_.size())
        said << tr("It takes %1 of a device's memory.").arg(to_qt(say(memory_[std::size_t(stage)])));
    const int line = line_with(stage);
    if (line >= 0 && lines_[std::size_t(line)].last > lines_[std::size_t(line)].first)
        said << tr("Stages %1 hold as much.").arg(name_of(lines_[std::size_t(line)]));
    return said.join(u'\n');
}

QStringList StageStrip::data_headings() const {
    return {tr("Stage"), tr("Layers"), tr("Holds"), tr("Both passes of a micro-batch"), tr("Memory of a device")};
}

QString StageStrip::data_cell(int row, int column) const {
    const auto i = std::size_t(row);
    const StageHeld& s = stages_[i];
    QStringList chunks;
    for (const ChunkHeld& c : s.chunks) chunks << holds(c);
    switch (column) {
        case 0: return QString::number(row + 1);
        case 1: return QString::number(s.layers());
        case 2: return chunks.join(QStringLiteral(" | "));
        case 3: return i < times_.size() ? to_qt(say(times_[i])) : QString();
        case 4: return i < memory_.size() ? to_qt(say(memory_[i])) : QString();
        default: return {};
    }
}

QString StageStrip::more_text() const {
    const int first = lines_[shown_lines()].first;
    return tr("and %1 more stages").arg(int(stages_.size()) - first);
}

StageStrip::PlacedLine StageStrip::placed_line(const StageHeld& stage, double left, double right, double top) const {
    PlacedLine line{{}, LayerCells(QFontMetricsF(font()), left, right, top), {}, {}};
    const auto mark = [&](char letter, int times) {
        for (int i = 0; i < times; ++i) line.marks.push_back({line.layers.add_mark(), QString(QLatin1Char(letter))});
    };
    for (std::size_t c = 0; c < stage.chunks.size(); ++c) {
        const ChunkHeld& chunk = stage.chunks[c];
        const std::vector<PatternRun> runs = runs_of_chunk(chunk.letters);
        if (c > 0) {   // one that has no room beside the chunk before it begins a line
            const std::size_t ends = std::size_t(chunk.modules) + (chunk.loss ? 1 : 0);
            if (!line.layers.has_room_for(1 + cells_of(runs) + ends)) line.layers.next_line();
            const QRectF border = line.layers.add_mark();
            line.borders.push_back({border.center().x(), border.top(), 1, border.height()});
        }
        mark('E', chunk.embedding ? 1 : 0);
        if (chunk.embedding) line.layers.space();
        line.layers.add(runs);
        mark('m', chunk.modules);
        mark('L', chunk.loss ? 1 : 0);
    }
    line.box = {strip_side, top, right - strip_side, line.layers.top() + line.layers.side() - top};
    return line;
}

StageStrip::Placed StageStrip::placed(double width) const {
    Placed p;
    const double right = width - strip_side, left = strip_side + width_of_names() + behind_name;
    double y = strip_side;
    for (std::size_t i = 0; i < shown_lines(); ++i) {
        p.lines.push_back(placed_line(stages_[std::size_t(lines_[i].first)], left, right, y));
        y = p.lines.back().box.bottom() + LayerCells::between_lines;
    }
    if (shown_lines() < lines_.size()) {
        const double side = LayerCells::side(QFontMetricsF(font()));
        p.more = {strip_side, y, right - strip_side, side};
        y += side + LayerCells::between_lines;
    }
    p.height = y - LayerCells::between_lines + 2;
    return p;
}

int StageStrip::heightForWidth(int width) const { return int(placed(width).height + 1); }

int StageStrip::stage_at(const QPointF& at) const {
    const Placed p = placed(width());
    for (std::size_t i = 0; i < p.lines.size(); ++i)
        if (p.lines[i].box.contains(at)) return lines_[i].first;
    return -1;
}

QRectF StageStrip::line_of(int stage) const {
    const Placed p = placed(width());
    const int line = line_with(stage);
    return line >= 0 && std::size_t(line) < p.lines.size() ? p.lines[std::size_t(line)].box : QRectF();
}

void StageStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Placed p = placed(width());
    const QColor text = palette().color(QPalette::WindowText), edge = outline_colour(palette());
    const double names = width_of_names(), side = LayerCells::side(QFontMetricsF(font()));
    for (std::size_t i = 0; i < p.lines.size(); ++i) {
        const PlacedLine& line = p.lines[i];
        painter.setPen(text);
        painter.drawText(QRectF(strip_side, line.box.top(), names, side), Qt::AlignRight | Qt::AlignVCenter,
                         name_of(lines_[i]));
        for (const LayerCells::Cell& c : line.layers.cells) {
            const int kind = kind_of(c.letter);
            const QColor fill = kind < 0 ? alert_colour(palette()) : colour_of_kind(kind, palette());
            paint_layer_cell(painter, c.box, fill, kind < 0 ? QStringLiteral("?") : shown_letter(c.letter));
        }
        paint_groups(painter, line.layers.groups, palette());
        painter.setPen(QPen(edge, 1));
        for (const QRectF& border : line.borders) painter.drawLine(border.topLeft(), border.bottomLeft());
        for (const Mark& m : line.marks) {
            painter.setPen(QPen(edge, 1));
            painter.drawRect(m.box.adjusted(0.5, 0.5, -0.5, -0.5));
            painter.setPen(text);
            painter.drawText(m.box, Qt::AlignCenter, m.letter);
        }
        if (pointed_ < lines_[i].first || pointed_ > lines_[i].last) continue;
        painter.setPen(QPen(text, 1));
        painter.drawLine(line.box.bottomLeft() + QPointF(0, 1), line.box.bottomRight() + QPointF(0, 1));
    }
    if (!p.more.isNull()) {
        painter.setPen(palette().color(QPalette::Link));
        painter.drawText(p.more, Qt::AlignLeft | Qt::AlignVCenter, more_text());
    }
    paint_focus(*this, painter);
}

void StageStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width()) updateGeometry();
}

void StageStrip::point_at(int stage) {
    if (stage == pointed_) return;
    pointed_ = stage;
    cursor_moved(*this);
    update();
}

void StageStrip::show_all() {
    all_ = true;
    updateGeometry();
    update();
}

void StageStrip::mouseMoveEvent(QMouseEvent* event) {
    point_at(stage_at(event->position()));
    const bool more = placed(width()).more.contains(event->position());
    setCursor(more ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void StageStrip::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::LeftButton && placed(width()).more.contains(event->position())) return show_all();
    point_at(stage_at(event->position()));
}

void StageStrip::leaveEvent(QEvent*) { point_at(-1); }

// Down past the last line shows those left out.
void StageStrip::keyPressEvent(QKeyEvent* event) {
    if (copies_picture(*event, *this)) return;
    const int key = event->key();
    const bool on = key == Qt::Key_Right || key == Qt::Key_Down, back = key == Qt::Key_Left || key == Qt::Key_Up;
    if ((!on && !back) || lines_.empty()) return QWidget::keyPressEvent(event);
    const int line = pointed_ < 0 ? -1 : line_with(pointed_);
    const int next = on ? std::min(int(lines_.size()) - 1, line + 1) : std::max(0, line - 1);
    if (std::size_t(next) >= shown_lines()) show_all();
    point_at(lines_[std::size_t(next)].first);
    QToolTip::showText(mapToGlobal(line_of(pointed_).bottomLeft().toPoint()), plain_text(said_of(pointed_)), this);
}

void StageStrip::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    add_table_action(menu, *this);
    menu.exec(event->globalPos());
}

void StageStrip::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void StageStrip::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) point_at(-1);
    update();
}

bool StageStrip::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int stage = stage_at(help->pos());
    if (stage < 0) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), plain_text(said_of(stage)), this);
    return true;
}

}  // namespace plimsoll
