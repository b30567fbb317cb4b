#pragma once
// A figure of named points on screen: hovering or arrow keys name them, a click
// or Enter picks one. Lines of the figure are drawn as in every chart.

#include "views/charts/plot_frame.h"

namespace plimsoll {

class ScatterChart : public QCustomPlot {
    Q_OBJECT
public:
    explicit ScatterChart(QWidget* parent = nullptr);

    void present(Figure);
    void set_theme(const ChartTheme&);
    void set_empty_text(const QString& text) { empty_ = text; }  // shown while there are no points
    void select(const QString& name);  // rings the points of this name; empty: none
    void copy();                       // picture, SVG and CSV on the clipboard

    const Figure& figure() const { return figure_; }
    QPointF place_of(const QString& name) const;  // in the widget; null without such a point
    QString point_at(const QPointF&) const;       // name of the nearest within reach; empty: none
    QSize minimumSizeHint() const override { return {240, 200}; }

signals:
    void picked(const QString& name);

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;

private:
    struct Place {
        const Series* series;
        std::size_t index;
    };
    void draw_figure();
    void collect();
    QPointF pixel(const Place&) const;
    int nearest(const QPointF&) const;  // index into places_, -1 beyond reach
    void hover(int place);
    void paint_label(QPainter&, const Place&);

    Figure figure_;
    PlotFrame frame_{*this};
    const ChartTheme* theme_ = &light_chart();
    std::vector<Place> places_;  // of all points, from left to right
    QString selected_, empty_;
    int hovered_ = -1;
};

}  // namespace plimsoll
