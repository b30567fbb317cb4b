#pragma once
// One input: label, editor, slider where a range invites one, unit, and below
// it whatever is wrong with the value, with the nearest ones that work. An input
// that changes no number of the current plan shows the reason in their place.

#include "core/files/presets/library.h"
#include "core/values/knobs/knobs.h"
#include "views/document/workspace.h"
#include "views/parts/find_words.h"

#include <QLabel>
#include <QSlider>
#include <QString>

#include <functional>

namespace plimsoll {

class KnobRow : public QWidget {
    Q_OBJECT
public:
    KnobRow(const Knob& knob, Workspace& workspace, QWidget* parent = nullptr);

    void present(const Snapshot&);
    // The slider's stops. Costs a few hundred checks, so it is asked for when things are quiet.
    void refresh_stops();
    int score(const Typed& typed) const { return typed.score(findable_); }
    const QString& idle() const { return idle_reason_; }  // empty while the input matters
    const Knob& knob() const { return knob_; }
    QWidget* editor() const { return editor_; }

signals:
    void shown();  // its stops may be old: hidden rows are left alone

protected:
    bool event(QEvent*) override;
    void showEvent(QShowEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;

private:
    void build_editor();
    void build_slider();
    void place();
    void propose(double value);
    void place_slider(double value);
    void show_obstacle(const Snapshot&);
    void show_idle(const Snapshot&);
    void show_whether_measured(const Machine&);
    void show_points();
    void set_message(const QString& html);
    std::vector<double> stops() const;

    const Knob& knob_;
    Findable findable_;
    Workspace& workspace_;
    QLabel* label_;
    QLabel* message_;
    QLabel* idle_;
    QLabel* unit_;
    QString idle_reason_;
    const Calibration* calibration_ = nullptr;   // whose evidence the name leads to; for comparison alone
    QWidget* editor_ = nullptr;
    QSlider* slider_ = nullptr;
    std::vector<double> stops_;
    std::function<void(double)> show_value_;
    double shown_ = 0;
    bool shown_once_ = false;
    QString text_error_;  // of what was typed; an obstacle is the plan's
};

// What the interface says about a knob: what it is found by, tooltip, undo name, preset value.
Findable findable(const Knob&);
QString tooltip(const Knob&, const Scenario&);       // help, range, value, source with its kind
QString edit_name(const Knob&, double value);        // "Tensor parallel 8"
QString value_with_unit(const Knob&, double value);  // "40 GiB"
// The values a sentence ends with ("nearest that do: 2, 4.") become links. HTML.
QString with_links(const QString& sentence, const Knob&);
QString name_of(SourceKind);                         // "measured", "vendor", ...

}  // namespace plimsoll
