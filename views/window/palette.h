#pragma once
// The command palette: what is typed is looked for among everything the window has, the best match first. It lies on
// the window, so that no window manager takes part; Enter runs the marked line, Esc or a click elsewhere closes it.
//
//   palette->open({{.shown = {.group = "Command", .found_by = {"Save"}}, .run = [this] { save(); }}});

#include "views/parts/search_list.h"

#include <QPointer>

#include <functional>

namespace plimsoll {

struct PaletteEntry {
    SearchEntry shown;
    std::function<void()> run;
};

class Palette : public SearchList {
    Q_OBJECT
public:
    explicit Palette(QWidget* window);
    void open(std::vector<PaletteEntry> entries);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void run(int entry);
    void leave();

    std::vector<PaletteEntry> entries_;
    QPointer<QWidget> before_;  // what had the keyboard
};

}  // namespace plimsoll
