#pragma once
// Picks a model, a machine or a stack. It looks like a list that opens, and what opens is a line to type in over the
// presets in groups, with those used last and the favourites on top. Typing on the closed picker opens it with what was
// typed: nothing is picked before Enter or a click.

#include <QComboBox>

#include "views/document/workspace.h"
#include "views/inputs/presets.h"
#include "views/parts/search_list.h"

namespace plimsoll {

class PresetPicker : public QComboBox {
    Q_OBJECT
public:
    // `library` has to outlive it, and may grow.
    PresetPicker(PresetKind kind, const Library& library, QWidget* parent = nullptr);

    void show_part(const PresetPart& part);  // as the present choice, "(edited)" where it is
    void show_preset(const std::string& id);
    const std::string& shown() const { return shown_; }  // id of the present choice
    // What was picked and marked is kept in the settings, and offered on top. Off unless it is asked for.
    void remember(bool on) { remembers_ = on; }
    SearchList* popup() const { return popup_; }
    PresetKind kind() const { return kind_; }
    void find(const QString& typed) { open(typed); }   // opens with this typed

    void showPopup() override;
    void hidePopup() override;

signals:
    void picked(const QString& id);

protected:
    void keyPressEvent(QKeyEvent*) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    void paintEvent(QPaintEvent*) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void open(const QString& typed);
    void fill();
    void pick(int entry);
    void toggle_favourite();
    QString key(const char* list) const;
    QStringList kept(const char* list) const;

    PresetKind kind_;
    const Library& library_;
    SearchList* popup_;
    std::vector<std::string> ids_;  // of the popup's entries
    std::string shown_;
    bool remembers_ = false;
};

// The picker of one part of the workspace's plan.
class PresetBox : public PresetPicker {
    Q_OBJECT
public:
    PresetBox(PresetKind kind, Workspace& workspace, QWidget* parent = nullptr);
    void present(const Snapshot&);

private:
    Workspace& workspace_;
};

}  // namespace plimsoll
