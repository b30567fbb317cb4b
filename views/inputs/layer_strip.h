#pragma once
// The layers of the plan's model as cells with letters, folded where they repeat: 5 x [MEMEM*E], and below them a line
// for what each letter stands for. Pointing at a cell or a line says what one such layer costs; arrow keys go through
// the kinds, a click or Enter asks for the table they are edited in. Layers that are all alike are one line.

#include "core/answers/plan/by_kind.h"
#include "views/document/snapshot.h"
#include "views/inputs/layer_cells.h"
#include "views/parts/data_table.h"

#include <QWidget>

#include <vector>

namespace plimsoll {

class LayerStrip : public QWidget, public DataTable {
    Q_OBJECT
public:
    explicit LayerStrip(QWidget* parent = nullptr);

    void present(const Snapshot&);
    QString said_of(int kind) const;          // on hover
    int kind_at(const QPointF&) const;        // -1: none
    QRectF cell_of(int kind) const;           // the first of the kind; empty: none
    QSize sizeHint() const override { return {240, heightForWidth(240)}; }
    QSize minimumSizeHint() const override { return {60, heightForWidth(std::max(60, width()))}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

    QStringList data_headings() const override;
    int data_rows() const override { return int(kinds_.size()); }
    QString data_cell(int row, int column) const override;
    int data_cursor() const override { return pointed_; }

signals:
    void asked_to_edit();

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    // Where things stand at a width.
    struct Placed {
        LayerCells layers;
        std::vector<QRectF> lines;   // of the kinds
        double height = 0;
    };
    Placed placed(double width) const;
    double side() const;             // of a cell
    bool alike() const { return kinds_.size() == 1; }
    int kind_of(char letter) const;
    QString line_of(int kind) const;
    QString share_of(int kind) const;
    void point_at(int kind);
    void paint_line(QPainter&, QRectF room, int kind) const;
    void paint_cell(QPainter&, const QRectF&, int kind) const;

    std::vector<PatternRun> runs_;
    std::vector<KindCost> kinds_;
    Seconds step_;                   // nothing where the plan has no numbers
    int layers_ = 0, pointed_ = -1;
};

}  // namespace plimsoll
