#pragma once
// The six numbers people quote, in one row (two when it is narrow).

#include "views/pages/tile.h"
#include "views/plan/snapshot.h"

#include <QGridLayout>
#include <QWidget>

#include <array>

namespace plimsoll {

class TileBar : public QWidget {
    Q_OBJECT
public:
    explicit TileBar(QWidget* parent = nullptr);
    void present(const Snapshot&);
    const std::array<Tile*, 6>& tiles() const { return tiles_; }

    QSize minimumSizeHint() const override { return {360, sizeHint().height()}; }  // it can fold

signals:
    void explain(const QString& id);

protected:
    void resizeEvent(QResizeEvent*) override;

private:
    void arrange(int columns);

    std::array<Tile*, 6> tiles_;
    QGridLayout* grid_;
    int columns_ = 0;
};

// "fits 31.4 of 80 GiB (39 %)" or "short by 12.4 GiB".
QString memory_verdict(const Estimate&);

}  // namespace plimsoll
