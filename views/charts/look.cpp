#include "views/charts/look.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace plimsoll {

// Ground, text, faint text, grid, axes, limits, ideals, here; then the series and, where they differ, the lines.
const ChartTheme& light_chart() {
    static const ChartTheme theme{
        "#ffffff", "#1a1a1a", "#5c5c5c", "#e4e4e4", "#6b6b6b", "#b3261e", "#7a7a7a", "#1a1a1a",
        {"#0072b2", "#c58800", "#009e73", "#cc79a7", "#2e95d3", "#d55e00", "#a39600", "#8c8c8c"}};
    return theme;
}

const ChartTheme& dark_chart() {
    static const ChartTheme theme{
        "#1f2226", "#ececec", "#a9adb3", "#383c42", "#8a8f96", "#ff8a80", "#9aa0a6", "#ffffff",
        {"#4ea8e6", "#ffb93b", "#35c79b", "#e29cc4", "#a5dcff", "#ff8748", "#f5ec7a", "#b9bec4"}};
    return theme;
}

const ChartTheme& grey_chart() {
    static const ChartTheme theme{
        "#ffffff", "#1a1a1a", "#5c5c5c", "#e4e4e4", "#6b6b6b", "#000000", "#7a7a7a", "#1a1a1a",
        {"#3a3a3a", "#d4d4d4", "#7d7d7d", "#eeeeee", "#565656", "#b4b4b4", "#262626", "#9a9a9a"},
        {"#000000", "#5a5a5a", "#303030", "#707070"}};
    return theme;
}

namespace {

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

// Where black is read better than white: both contrasts are equal at this luminance (WCAG).
bool is_light(const QColor& c) { return luminance(c) > 0.1791; }

}  // namespace

QColor ink_on(const QColor& fill) { return is_light(fill) ? QColor(Qt::black) : QColor(Qt::white); }

QColor hatch_ink(const QColor& fill) {
    constexpr int visible_on_dark = 190, soft_on_light = 130;
    QColor ink = luminance(fill) < 0.08 ? QColor(Qt::white) : QColor(Qt::black);
    ink.setAlpha(ink == QColor(Qt::white) ? visible_on_dark : soft_on_light);
    return ink;
}

QFont chart_font() {
    constexpr double share = 0.88, least_points = 7;
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0) font.setPointSizeF(std::max(least_points, share * font.pointSizeF()));
    else font.setPixelSize(std::max(10, int(share * font.pixelSize())));
    return font;
}

SeriesLook look_of(const ChartTheme& theme, int index) {
    static constexpr Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
    static constexpr QCPScatterStyle::ScatterShape markers[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                                QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                                                QCPScatterStyle::ssTriangleInverted};
    static constexpr Hatch hatches[] = {Hatch::none, Hatch::rising, Hatch::none, Hatch::falling,
                                        Hatch::none, Hatch::level,  Hatch::none, Hatch::upright};
    const int colours = static_cast<int>(theme.series.size());
    SeriesLook look;
    look.colour = theme.series[index % colours];
    look.dash = dashes[index % std::size(dashes)];
    look.marker = markers[index % std::size(markers)];
    look.hatch = hatches[index % std::size(hatches)];
    if (index >= colours) {  // second round: darker, and hatched where the first was not
        look.colour = look.colour.darker(140);
        look.hatch = look.hatch == Hatch::none ? Hatch::falling : Hatch::none;
    }
    look.ink = theme.lines.empty() ? look.colour : theme.lines[std::size_t(index) % theme.lines.size()];
    return look;
}

namespace {

// Part of the 45 degree line x + direction * y = c inside the box.
void add_slanted(QVector<QLineF>& lines, const QRectF& box, double c, int direction) {
    // Parametrised by y: x = c - direction * y.
    double top = box.top(), bottom = box.bottom();
    const double at_left = (c - box.left()) * direction, at_right = (c - box.right()) * direction;
    top = std::max(top, std::min(at_left, at_right));
    bottom = std::min(bottom, std::max(at_left, at_right));
    if (top < bottom) lines.append(QLineF(c - direction * top, top, c - direction * bottom, bottom));
}

}  // namespace

QVector<QLineF> hatch_lines(Hatch hatch, const QRectF& box, double spacing) {
    QVector<QLineF> lines;
    auto steps = [spacing](double from, double to, auto add) {
        for (double c = std::ceil(from / spacing) * spacing; c < to; c += spacing) add(c);
    };
    switch (hatch) {
        case Hatch::none:
            break;
        case Hatch::level:
            steps(box.top(), box.bottom(), [&](double y) { lines.append(QLineF(box.left(), y, box.right(), y)); });
            break;
        case Hatch::upright:
            steps(box.left(), box.right(), [&](double x) { lines.append(QLineF(x, box.top(), x, box.bottom())); });
            break;
        case Hatch::rising:
            steps(box.left() + box.top(), box.right() + box.bottom(), [&](double c) { add_slanted(lines, box, c, 1); });
            break;
        case Hatch::falling:
            steps(box.left() - box.bottom(), box.right() - box.top(),
                  [&](double c) { add_slanted(lines, box, c, -1); });
            break;
    }
    return lines;
}

}  // namespace plimsoll
