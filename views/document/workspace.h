#pragma once
// What the views share: the plans, of which one is in front, the presets, what is known of predictions, the pinned
// baseline, and the answer to the plan in front as it stands.
//
//   workspace.propose(*with(workspace.scenario(), knob, 8), tr("Tensor parallel 8"), knob.id);
//   connect(&workspace, &Workspace::changed, view, &View::present);
//
// However many edits happen in one turn of the event loop, there is one estimate and one changed(). Views never change
// each other: they propose a plan here and receive the snapshot that follows, like every other view. When another plan
// comes to the front they receive its snapshot the same way; its baseline and its last good answer are its own.

#include "core/answers/propose/measured_points.h"
#include "core/files/presets/library.h"
#include "core/files/results/anchor_json.h"
#include "core/files/results/track_record.h"
#include "views/document/plans.h"
#include "views/document/preferences.h"
#include "views/document/snapshot.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <functional>
#include <map>
#include <thread>

namespace plimsoll {

class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(Library library, QObject* parent = nullptr);  // its document is the first example

    Plans& plans() { return plans_; }
    Document& document() { return plans_.current(); }   // of the plan in front, like all that follows
    const Document& document() const { return plans_.current(); }
    const Scenario& scenario() const { return document().scenario(); }
    // An edit of the document; see Document::edit().
    void propose(const Scenario& next, const QString& name, const std::string& knob = {}) {
        document().edit(next, name, knob);
    }

    // What stands in the field of a knob and cannot be part of the plan, as a sentence; empty: it is gone.
    void refuse(const std::string& knob, const std::string& why);

    const Library& library() const { return library_; }
    // Presets that were just saved: offered like those that were there at the start.
    void add_presets(const Machine&, const std::optional<Stack>&);

    // The answer to the plan, edits of this turn included. changed() follows at the end of the turn, never from here.
    const Snapshot& snapshot();
    const Snapshot& told();   // the same, told to views now

    // How predictions did on published runs; null until somebody has priced them. With it, answers carry a band.
    void set_record(std::shared_ptr<const TrackRecord>);
    std::shared_ptr<const TrackRecord> record() const { return record_; }

    // Runs of one's own, which all numbers of plans like them start from.
    void set_anchors(std::vector<MeasuredRun>);
    void measure(const MeasuredRun&);   // one more: an undo step of the plan in front
    void measure(const std::vector<MeasuredRun>&);   // likewise, in place of those of the same names and plans
    void forget_measured();             // all of them, likewise
    const std::vector<MeasuredRun>& anchors() const { return measured_; }

    // Scaling runs of one's own, points on the charts of the plan, and the floor that a programme asks of them.
    void set_scaling(MeasuredScaling);
    const MeasuredScaling& scaling() const { return scaling_; }

    // How answers are judged; those in view follow.
    void set_preferences(const Preferences&);
    const Preferences& preferences() const { return preferences_; }
    int search_threads() const { return plimsoll::search_threads(preferences_); }
    // What searches and remedies keep free on a device: what is asked for, and room for the likely range of a plan.
    Headroom headroom(const Scenario&) const;
    // The same for work beside the window.
    std::function<Headroom(const Scenario&)> headroom_of_plans() const;
    Headroom headroom() const { return headroom(scenario()); }

    // The best layouts over node counts, drawn while they belong to the current plan; null: none.
    void set_envelope(std::shared_ptr<const Envelope>);

    void pin_baseline();  // the last plan that had numbers
    void set_baseline(std::shared_ptr<const Answer>);  // null: none

signals:
    void changed(const plimsoll::Snapshot&);
    void edited(const plimsoll::Scenario& before);  // the plan in front, as of its document
    void file_changed();                            // likewise, and when another plan comes to the front
    void switched();                                // another plan is in front; changed() follows
    void record_changed();
    void measured_changed();                        // by measure(), forget_measured(), undo or redo
    void scaling_changed();
    void library_changed();
    void preferences_changed();

private:
    class MeasuredStep;
    void change_measured(const std::vector<MeasuredRun>& less, const std::vector<MeasuredRun>& more,
                         const QString& name);
    void due();      // the answer is of an earlier plan
    void tell();
    void answer();
    const Anchoring& anchoring_of(const Scenario&) const;  // once there is a record
    std::shared_ptr<const Answer> answer_of(const Scenario&, const Estimate&, const std::string& repair) const;
    std::shared_ptr<const Answer> nearest_answer(const Scenario&) const;

    // What a plan that is not in front finds again.
    struct Aside {
        std::shared_ptr<const Answer> last_good, baseline;
    };

    Library library_;
    Plans plans_{library_};
    std::map<const Document*, Aside> aside_;
    Snapshot snapshot_;
    bool answered_ = false;   // the snapshot is of the plan as it stands
    std::shared_ptr<const TrackRecord> record_;
    std::vector<MeasuredRun> measured_;
    // Of the plans asked about last: a move of a slider asks several times about each of two, at milliseconds a piece.
    mutable std::deque<std::pair<Scenario, Anchoring>> anchorings_;
    MeasuredScaling scaling_;
    std::shared_ptr<const Envelope> envelope_;
    Preferences preferences_;
    QTimer turn_;  // zero interval: fires once the events of this turn are handled
};

// Prices the shipped published runs beside the window and hands the result to the workspace, unless that has it. Nobody
// waits for it: numbers get their bands when it arrives.
class RecordLoader : public QObject {
    Q_OBJECT
public:
    explicit RecordLoader(Workspace& workspace, QObject* parent = nullptr);  // begins at once
    ~RecordLoader() override;
    void wait();  // until the workspace has it: for pictures and tests
    bool busy() const { return thread_.joinable(); }

signals:
    void failed();    // they could not be priced
    void finished();  // whether they could be or not

private:
    Workspace& workspace_;
    std::shared_ptr<const TrackRecord> made_;  // written by the thread, read once it is joined
    std::thread thread_;
};

}  // namespace plimsoll
