#pragma once
// The one place with state: the current plan, its undo history, its file and
// the pinned baseline.
//
//   workspace.propose(*with(workspace.scenario(), knob, 8), tr("Tensor parallel 8"), knob.id);
//   connect(&workspace, &Workspace::changed, view, &View::present);
//
// However many edits happen in one turn of the event loop, there is one
// estimate and one changed(). Views never change each other: they propose here
// and are told like everybody else.

#include "core/files/presets/library.h"
#include "core/files/results/track_record.h"
#include "core/files/text/problem.h"
#include "views/plan/snapshot.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

namespace plimsoll {

class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(Library library, QObject* parent = nullptr);

    const Library& library() const { return library_; }
    // Presets that were just saved: offered like those that were there at the start.
    void add_presets(const Machine&, const std::optional<Stack>&);
    const Scenario& scenario() const { return scenario_; }
    // Brought up to date first if an edit of this turn is still pending.
    const Snapshot& snapshot();

    // An undo step; consecutive ones with the same non-empty knob merge.
    void propose(const Scenario&, const QString& name, const std::string& knob = {});
    // What the program makes of the last edit by itself: part of that edit's step.
    void amend(const Scenario&, const QString& name);
    QUndoStack& history() { return history_; }

    // A new plan without a file; forgets the history.
    void start(const Scenario&, const std::string& extra_json = "{}");
    // With an error in the result nothing has changed; otherwise it holds warnings.
    Problems open(const QString& path);
    Problems save(const QString& path);
    // The model of a config.json or of a list of shapes in place of the plan's, as one undo step.
    Problems import_model(const QString& path, int heads = 0);
    const QString& file() const { return file_; }
    bool modified() const { return !history_.isClean(); }

    // How predictions did on published runs; null until somebody has priced them. With it, answers carry a band.
    void set_record(std::shared_ptr<const TrackRecord>);
    std::shared_ptr<const TrackRecord> record() const { return record_; }

    // The best layouts over node counts, drawn while they belong to the present plan; null: none.
    void set_envelope(std::shared_ptr<const Envelope>);

    void pin_baseline();  // the last plan that had numbers
    void unpin_baseline();

signals:
    void changed(const plimsoll::Snapshot&);
    void edited(const plimsoll::Scenario& before);   // proposed, not undone or redone; before changed()
    void file_changed();
    void record_changed();
    void library_changed();

private:
    void adopt(const Scenario&);
    void refresh();
    std::shared_ptr<const Answer> answer_of(const Scenario&, const Estimate&, const std::string& repair) const;
    std::shared_ptr<const Answer> nearest_answer(const Scenario&) const;

    Library library_;
    Scenario scenario_;
    Snapshot snapshot_;
    std::shared_ptr<const TrackRecord> record_;
    std::shared_ptr<const Envelope> envelope_;
    QUndoStack history_;
    QTimer turn_;  // zero interval: fires once the events of this turn are handled
    QString file_;
    std::string extra_;  // keys of the opened file that this version does not know
};

// The example a first start shows, or a small plan from whatever presets there are.
Scenario first_scenario(const Library&);
// Reads a file against the library; on success `extra` receives its unknown keys.
Expected<Scenario, Problems> load_scenario(const QString& path, const Library&, Problems* warnings = nullptr,
                                           std::string* extra = nullptr);

}  // namespace plimsoll
