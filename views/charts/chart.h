#pragma once
// One figure on screen: hovering or arrow keys read values, X and Y toggle
// logarithmic axes, and a plan without numbers leaves the last picture under a
// "stale" note. Files are written by export.h, not from here. To a screen reader
// it is a table.

#include <qcustomplot.h>

#include "core/answers/curves/figures.h"
#include "views/charts/figure_table.h"
#include "views/charts/plot_frame.h"
#include "views/charts/shown.h"
#include "views/document/snapshot.h"
#include "views/parts/data_table.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace plimsoll {

class Chart : public QCustomPlot, public DataTable {
    Q_OBJECT
public:
    explicit Chart(const std::string& figure_id, QWidget* parent = nullptr);

    void present(const Snapshot&);
    void set_theme(const ChartTheme&);
    void set_empty_text(const QString& text) { empty_ = text; }  // shown while there is no such figure
    void toggle_logarithmic(Qt::Orientation);
    void copy();  // picture, SVG and CSV on the clipboard
    // From here on the parts of stacked bars can be pointed at, and gone through by the arrows up and down. A part that
    // is marked is so in every bar, with its value; empty: none is.
    void offer_parts() { offers_parts_ = true; }
    void mark_part(const std::string& id);
    const std::string& marked_part() const { return part_; }

    const std::string& figure_id() const { return id_; }
    const Figure* figure() const { return figure_; }
    int paints() const { return paints_; }  // how often it reached the screen
    QSize minimumSizeHint() const override { return {195, std::max(205, frame_.least_height())}; }

    QStringList data_headings() const override { return table().headings; }
    int data_rows() const override { return int(table().rows.size()); }
    QString data_cell(int row, int column) const override { return table().rows[std::size_t(row)].value(column); }
    int data_cursor() const override;

signals:
    void touched();  // pointed at or focused
    void part_marked(const QString& id);  // by pointing or by keys

protected:
    bool event(QEvent*) override;
    void changeEvent(QEvent*) override;
    void enterEvent(QEnterEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    void draw_figure();
    void move_cursor(int stop);
    void choose_part(const std::string& id);
    const FigureTable& table() const;
    void paint_cursor(QPainter&);
    void paint_stale(QPainter&);
    void paint_nothing(QPainter&);

    std::string id_;
    PlotFrame frame_{*this};
    const ChartTheme* theme_ = &light_chart();
    std::shared_ptr<const Answer> answer_, baseline_;  // keep figure_ alive
    const Figure* figure_ = nullptr;
    Shown shown_;    // of the figure, in the present size
    mutable std::optional<FigureTable> table_;  // of the whole figure, once it was asked for
    QString empty_;
    bool stale_ = false;
    bool flip_x_ = false, flip_y_ = false;  // the user's toggles, against what the figure opens with
    int cursor_ = -1;
    bool offers_parts_ = false;
    std::string part_;  // marked
    int paints_ = 0;
};

// Reading values off a figure: which point is nearest, and what it says.

// Positions a cursor can take: categories of bars, or the x values of all lines.
std::vector<double> stops(const Figure&);
// Index of the stop nearest to x (in the logarithm when `log`), or -1 without stops.
int nearest_stop(const Figure&, double x, bool log);
// "12 nodes", then one line per series: "Time to train  41.2 days".
QStringList reading(const Figure&, int stop);

}  // namespace plimsoll
