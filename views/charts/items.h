#pragma once
// What charts draw beyond QCustomPlot: hatched bars, lines with labels, and a legend outside the plot.

#include "views/charts/look.h"

#include <string>
#include <vector>

namespace plimsoll {

// Bars whose fill carries a hatch on top of its colour, and optionally a label
// at their end.
class HatchedBars : public QCPBars {
    Q_OBJECT
public:
    HatchedBars(QCPAxis* key, QCPAxis* value) : QCPBars(key, value) {}
    void set_hatch(Hatch hatch) { hatch_ = hatch; }
    void set_label(const QString& text, const QFont& font, const QColor& colour);  // for horizontal bars

protected:
    void draw(QCPPainter*) override;
    void draw_hatch(QCPPainter*) const;
    void draw_label(QCPPainter*) const;

private:
    Hatch hatch_ = Hatch::none;
    QString label_;
    QFont font_;
    QColor text_;
};

// A line that says at some of its points what it is there.
class LabelledLine : public QCPGraph {
    Q_OBJECT
public:
    // A label for each point; written where it differs from the one before and there is room.
    LabelledLine(QCustomPlot&, const std::vector<std::string>& labels, const QFont&, const ChartTheme&);

protected:
    void draw(QCPPainter*) override;

private:
    QPointF point(int i) const { return coordsToPixels(dataMainKey(i), dataMainValue(i)); }

    QStringList labels_;
    QFont font_;
    QColor text_, ground_;
};

// A legend beside or below the plot, never on top of the curves. Below it,
// entries flow into lines; beside it they form one column.
struct LegendEntry {
    enum class Kind { line, swatch, upright };
    Kind kind = Kind::line;
    QString label;
    QPen pen = {};
    QBrush fill = {};
    QCPScatterStyle marker = QCPScatterStyle::ssNone;
    Hatch hatch = Hatch::none;
    friend bool operator==(const LegendEntry& a, const LegendEntry& b) {
        return a.label == b.label && a.kind == b.kind;
    }
};

class LegendBlock : public QCPLayoutElement {
    Q_OBJECT
public:
    enum class Place { below, beside };
    LegendBlock(QCustomPlot* plot, Place place);

    void set_entries(std::vector<LegendEntry> entries);
    void set_style(const QFont& font, const QColor& text);
    // Also for parts that may come, and for so many lines: the plot keeps its place then.
    void keep_room(const QStringList& labels, int lines);
    int lines() const;
    QSize minimumOuterSizeHint() const override { return needed(); }
    QSize maximumOuterSizeHint() const override;

protected:
    void draw(QCPPainter*) override;

private:
    QSize needed() const;
    std::vector<QPoint> places(const std::vector<int>& widths) const;  // of each entry, from the block's top left
    int lines_of(const std::vector<int>& widths) const;
    int gap() const { return least_lines_ > 0 ? 8 : 16; }   // from entry to entry
    int cell_width(int label) const { return icon_ + 6 + label + gap(); }
    void draw_icon(QCPPainter*, const LegendEntry&, const QRectF& box) const;

    Place place_;
    std::vector<LegendEntry> entries_;
    QFont font_;
    QColor text_;
    std::vector<int> widths_;  // of the labels
    int line_ = 14;
    int least_width_ = 0, least_lines_ = 0;
    static constexpr int icon_ = 22;
};

}  // namespace plimsoll
