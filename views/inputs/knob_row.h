#pragma once
// One input: label, editor, slider where a range invites one, unit, and below
// it whatever is wrong with the value, with the nearest ones that work. An input
// that changes no number of the current plan shows the reason in their place.
// Where all of it does not fit on one line, the label stands above the rest.

#include "core/files/presets/library.h"
#include "core/values/knobs/knobs.h"
#include "views/document/workspace.h"
#include "views/parts/find_words.h"

#include <QGridLayout>
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
    int score(const Typed& typed) const { return typed.score(found_by_); }
    const QString& idle() const { return idle_reason_; }  // empty while the input matters
    const Knob& knob() const { return knob_; }
    QWidget* editor() const { return editor_; }
    void say_what_it_is();  // as a text beside it that stays until the next click or key
    QSize minimumSizeHint() const override;

signals:
    void shown();  // its stops may be old: hidden rows are left alone

protected:
    bool event(QEvent*) override;
    void showEvent(QShowEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;

private:
    void build_editor();
    void build_slider();
    void place(bool narrow);
    int width_of_one_line() const;
    void propose(double value);
    void place_slider(double value);
    void show_obstacle(const Snapshot&);
    void show_idle(const Snapshot&);
    void show_note(const Scenario&);
    void show_name(const Scenario&);
    void show_points();
    void set_message(const QString& html);
    Expected<double, std::string> read(std::string_view text) const;
    std::vector<double> stops() const;

    const Knob& knob_;
    Prepared found_by_;
    Workspace& workspace_;
    QLabel* label_;
    QLabel* message_;
    QLabel* idle_;
    QLabel* note_;   // what the value comes to; empty for most
    QLabel* unit_;
    QGridLayout* grid_;
    bool narrow_ = false;
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
// What the value comes to with those beside it: "256 x 2,000 = 512,000 tokens"; empty for most.
QString note_of(const Knob&, const Scenario&);
// The values a sentence ends with ("nearest that do: 2, 4.") become links. HTML.
QString with_links(const QString& sentence, const Knob&);
QString name_of(SourceKind);                         // "measured", "vendor", ...

}  // namespace plimsoll
