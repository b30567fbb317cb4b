#pragma once
// The layers of the plan's pipeline stages as cells, a line a stage: E the embedding, the letters of the model's kinds
// of layers (t where all are alike), m modules that predict further tokens, L the loss. Chunks of a stage stand one
// behind the other in the order of the model. Neighbours that hold the same share a line. Pointing at a line says what
// the stage holds and how long it works on a micro-batch; a click on the last line shows stages left out.

#include "core/answers/plan/by_kind.h"
#include "core/answers/plan/by_stage.h"
#include "views/document/snapshot.h"
#include "views/inputs/layer_cells.h"
#include "views/parts/data_table.h"

#include <QWidget>

#include <vector>

namespace plimsoll {

class StageStrip : public QWidget, public DataTable {
    Q_OBJECT
public:
    explicit StageStrip(QWidget* parent = nullptr);

    void present(const Snapshot&);
    int lines() const { return int(shown_lines()); }         // drawn
    QString said_of(int stage) const;                        // on hover
    int stage_at(const QPointF&) const;                      // the first of those on the line; -1: none
    QRectF line_of(int stage) const;                         // empty: it is left out
    QSize sizeHint() const override { return {240, heightForWidth(240)}; }
    QSize minimumSizeHint() const override { return {60, heightForWidth(std::max(60, width()))}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

    QStringList data_headings() const override;
    int data_rows() const override { return int(stages_.size()); }
    QString data_cell(int row, int column) const override;
    int data_cursor() const override { return pointed_; }

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
    struct Line {             // stages that hold the same
        int first = 0, last = 0;
    };
    struct Mark {             // what is no layer
        QRectF box;
        QString letter;
    };
    struct PlacedLine {
        QRectF box;
        LayerCells layers;
        std::vector<Mark> marks;
        std::vector<QRectF> borders;   // between chunks
    };
    struct Placed {
        std::vector<PlacedLine> lines;
        QRectF more;          // says how many are left out
        double height = 0;
    };
    Placed placed(double width) const;
    PlacedLine placed_line(const StageHeld&, double left, double right, double top) const;
    std::size_t shown_lines() const;
    int line_with(int stage) const;
    double width_of_names() const;
    QString name_of(const Line&) const;
    QString holds(const ChunkHeld&) const;
    QString more_text() const;
    int kind_of(char letter) const;
    QString shown_letter(char letter) const;
    void point_at(int stage);
    void show_all();

    std::vector<StageHeld> stages_;
    std::vector<Line> lines_;
    std::vector<KindCost> kinds_;
    std::vector<Seconds> times_;     // by stage; none where the plan has no numbers
    std::vector<Bytes> memory_;
    int pointed_ = -1, busiest_ = -1;
    bool all_ = false;
};

}  // namespace plimsoll
