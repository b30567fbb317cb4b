#pragma once
// A legend beside or below the plot, never on top of the curves. Below it,
// entries flow into lines; beside it they form one column.

#include "views/charts/look.h"

#include <vector>

namespace plimsoll {

struct LegendEntry {
    enum class Kind { line, swatch, upright };
    Kind kind = Kind::line;
    QString label;
    QPen pen;
    QBrush fill;
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
    QSize minimumOuterSizeHint() const override { return needed(); }
    QSize maximumOuterSizeHint() const override;

protected:
    void draw(QCPPainter*) override;

private:
    QSize needed() const;
    std::vector<QPoint> places() const;  // of each entry, from the top left of the block
    int cell_width(std::size_t i) const { return widths_[i] + icon_ + 22; }
    void draw_icon(QCPPainter*, const LegendEntry&, const QRectF& box) const;

    Place place_;
    std::vector<LegendEntry> entries_;
    QFont font_;
    QColor text_;
    std::vector<int> widths_;  // of the labels
    int line_ = 14;
    static constexpr int icon_ = 22;
};

}  // namespace plimsoll
