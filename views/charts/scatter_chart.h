#pragma once
// A figure of named points on screen: hovering or arrow keys name them, a click
// or Enter picks one. Lines of the figure are drawn as in every chart.

#include "views/charts/figure_table.h"
#include "views/charts/plot_frame.h"
#include "views/parts/data_table.h"

#include <optional>

namespace plimsoll {

class ScatterChart : public QCustomPlot, public DataTable {
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

    QStringList data_headings() const override { return table().headings; }
    int data_rows() const override { return int(table().rows.size()); }
    QString data_cell(int row, int column) const override { return table().rows[std::size_t(row)].value(column); }
    int data_cursor() const override { return hovered_; }  // rows are in the order of places_

signals:
    void picked(const QString& name);

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void focusOutEvent(QFocusEvent*) override;
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
    const FigureTable& table() const;
    void paint_label(QPainter&, const Place&);

    Figure figure_;
    PlotFrame frame_{*this};
    const ChartTheme* theme_ = &light_chart();
    std::vector<Place> places_;  // of all points, from left to right
    mutable std::optional<FigureTable> table_;  // once it was asked for
    QString selected_, empty_;
    int hovered_ = -1;
};

}  // namespace plimsoll
