#pragma once
// The headline numbers of the plan, a tile each.

#include <QAbstractButton>

#include "views/document/snapshot.h"

#include <QIcon>
#include <QWidget>

class QMenu;

#include <array>

namespace plimsoll {

struct TileText {
    QString value, detail;
    QString caption = {};  // where it is not the tile's own
    QString range;       // what published runs of its kind allow: "61 \u2013 70 d"; empty while unknown
    QString judged;      // by which runs, for the tooltip
    QString brief;       // of the detail, where a tile is narrow
    QString delta;       // against the baseline, in the place of the detail; empty without one
    bool alert = false;  // in the alert colour, always with `icon`
    bool warn = false;   // in the colour of a warning, with `icon` too
    std::string explains = {};  // id for explain(), where it follows from what is counted; else the tile's own
    QIcon icon;
    QString spoken;  // the whole statement, for screen readers and tooltips
};

// One headline number: caption, value, the range it may lie in, detail, and the
// difference to the baseline. A button: pressing it explains the number.
class Tile : public QAbstractButton {
    Q_OBJECT
public:
    Tile(const QString& caption, const std::string& explains, QWidget* parent = nullptr);

    void set_text(const TileText& text, bool stale);
    void set_compact(bool);  // three lines of text in place of four
    const TileText& content() const { return text_; }
    const std::string& explains() const { return text_.explains.empty() ? explains_ : text_.explains; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {90, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    std::string explains_;
    TileText text_;
    bool stale_ = false, compact_ = false;
};

// The six numbers people quote, in one row of fixed height.
class TileBar : public QWidget {
    Q_OBJECT
public:
    explicit TileBar(QWidget* parent = nullptr);
    void present(const Snapshot&);
    const std::array<Tile*, 6>& tiles() const { return tiles_; }
    void set_compact(bool);  // in a low window

    QMenu* menu_of(Tile&);   // explanation, copy, units; it deletes itself once it is closed

signals:
    void explain(const QString& id);
    void hours_wanted();     // the converter
    void units_wanted();     // the preferences

private:
    std::array<Tile*, 6> tiles_;
};

QIcon icon_of(FitVerdict);
// "may not fit with 79.2 of 80 GiB (102 % of a device, ...)", or what the node lacks.
QString memory_verdict(const Estimate&);

}  // namespace plimsoll
