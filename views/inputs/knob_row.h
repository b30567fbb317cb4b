#pragma once
// One input: label, editor, unit, and beside them on the same line what there is to say of it: what the value comes
// to, why it changes no number of the current plan, or, in red, the nearest values that work. The row has one height
// whatever it says, and nothing in it comes or goes but a slider that gives its place to a message; the whole sentence
// is in the tooltip, and the verdict has it. Where all of it does not fit on one line, the label stands above the rest.

#include "core/files/presets/library.h"
#include "core/values/knobs/knobs.h"
#include "views/document/workspace.h"
#include "views/inputs/controls.h"
#include "views/parts/find_words.h"

#include <QLabel>
#include <QSlider>
#include <QString>
#include <QToolButton>

#include <functional>

namespace plimsoll {

class KnobRow : public QWidget {
    Q_OBJECT
public:
    KnobRow(const Knob& knob, Workspace& workspace, QWidget* parent = nullptr);

    void present(const Snapshot&);
    // The slider's stops. Costs a few hundred checks, so it is asked for when things are quiet.
    void refresh_stops();
    const std::vector<double>& stops() const { return stops_; }
    int score(const Typed& typed) const;
    const QString& idle() const { return idle_reason_; }  // empty while the input matters
    const QString& message() const { return message_text_; }  // what is wrong with it, whole; empty: nothing
    const Knob& knob() const { return knob_; }
    const Knob& shown_as() const { return *shown_as_; }
    QWidget* editor() const { return editor_; }
    QSlider* slider() const { return slider_; }           // null for most
    QToolButton* other() const { return other_; }         // the other unit, to edit in; null where there is none
    void show_as(const Knob&);                            // in the unit of this: nodes or devices
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
    void build_other();
    void place();
    void propose(const Knob&, double value);
    void place_slider(double value);
    void refuse(const QString& why);
    void show_obstacle(const Snapshot&);
    void show_idle(const Snapshot&);
    void show_beside(const Snapshot&);
    void show_name(const Scenario&);
    void show_points();
    void set_message(const QString& text);
    void write_message();
    int width_of_editor() const;
    bool shows_beside() const;
    Expected<double, std::string> read(std::string_view text) const;
    std::vector<double> valid() const;

    const Knob& knob_;
    const Knob* shown_as_;   // knob_, or the same quantity in another unit
    std::vector<Prepared> found_by_;
    QString unit_;
    Workspace& workspace_;
    QLabel* label_;
    QLabel* message_;
    QLabel* beside_;
    bool narrow_ = false;
    QString idle_reason_, message_text_;
    const Calibration* calibration_ = nullptr;   // whose evidence the name leads to; for comparison alone
    QWidget* editor_ = nullptr;
    ValueBox* number_ = nullptr;   // the editor, where it is one
    QSlider* slider_ = nullptr;
    QToolButton* other_ = nullptr;
    std::vector<double> stops_;
    Layout held_;   // while the slider's handle is held
    std::function<void(double)> show_value_;
    double shown_ = 0;
    bool shown_once_ = false;
    QString text_error_;  // of what was typed; an obstacle is the plan's
};

// What the interface says about a knob: what it is found by, tooltip, undo name, preset value.
Findable findable(const Knob&);
// In this plan: levels of a network by the machine's names for them and by what they are to its nodes.
Findable findable(const Knob&, const Scenario&);
QString tooltip(const Knob&, const Scenario&);       // help, range, value, source with its kind
QString edit_name(const Knob&, double value);        // "Tensor parallel 8"
const Knob* other_unit(const Knob&);                 // the same quantity: devices of nodes; null for most
// What the value comes to: "= 512,000 tokens", "= 1,024 devices", "= 15.3 min"; empty for most.
QString note_of(const Knob&, const Snapshot&);
// The values that a sentence ends with ("nearest that do: 2, 4.") as links.
QStringList links_in(const QString& sentence, const Knob& knob);
QString name_of(SourceKind);                         // "measured", "vendor", ...

}  // namespace plimsoll
