#pragma once
// The best layout of every tensor x pipeline split, as a map: shaded where
// something fits, hatched with the reason where nothing does. Arrow keys move,
// hovering or focus explains, a click or Enter picks.

#include "core/answers/curves/study.h"
#include "views/charts/look.h"
#include "views/parts/data_table.h"

#include <QWidget>

#include <memory>

namespace plimsoll {

class SplitMap : public QWidget, public DataTable {
    Q_OBJECT
public:
    explicit SplitMap(QWidget* parent = nullptr);

    void present(std::shared_ptr<const Study>);
    void set_theme(const ChartTheme&);
    void mark(const Layout& current, const Layout* selected);   // cells they lie in
    QString explanation() const { return explanation_; }        // of the cell under pointer or keyboard
    QSize minimumSizeHint() const override { return {220, 190}; }
    QSize sizeHint() const override { return {420, 320}; }

    QStringList data_headings() const override;
    int data_rows() const override { return study_ ? int(study_->found.splits.size()) : 0; }
    QString data_cell(int row, int column) const override;
    int data_cursor() const override { return pointed_; }

signals:
    void picked(const QString& layout);      // best of a cell, as say_layout() names it
    void explained(const QString& what);

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    bool event(QEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    QRectF grid() const;
    QRectF cell_box(std::size_t split) const;
    int split_at(const QPointF&) const;      // -1: none
    QColor shade(const SplitCell&) const;
    QString short_text(std::size_t split) const;
    QString summary() const;
    void point_at(int split);
    void pick(int split);
    void paint_axes(QPainter&) const;
    void paint_cell(QPainter&, std::size_t split) const;

    std::shared_ptr<const Study> study_;
    std::vector<int> tensor_, pipeline_;     // degrees along the axes
    double low_ = 0, high_ = 0;              // of the objective, over the cells
    const ChartTheme* theme_ = &light_chart();
    std::pair<int, int> current_{0, 0}, selected_{0, 0};
    int pointed_ = -1;
    QString explanation_;
};

}  // namespace plimsoll
