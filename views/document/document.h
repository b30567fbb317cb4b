#pragma once
// One plan that is edited: the scenario, its undo history, its file, and whether all of it is saved.
//
//   Document document(library);
//   document.start(first_scenario(library));
//   document.edit(*with(document.scenario(), knob, 8), tr("Tensor parallel 8"), knob.id);
//   if (const Problems problems = document.save("plan.json"); has_errors(problems)) ...
//
// A document knows nothing of estimates, widgets or other documents: several may lie side by side. It asks nobody what
// to do about a file that others have changed: on_disk() is for whoever has a user to ask.

#include "core/files/presets/library.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/presets/unsaved_json.h"
#include "core/files/text/problem.h"
#include "core/values/plan/scenario.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <chrono>
#include <string>

namespace plimsoll {

class Document : public QObject {
    Q_OBJECT
public:
    // `library` has the presets that files name; it has to outlive the document.
    explicit Document(const Library& library, QObject* parent = nullptr);
    // The undo stack signals while it is destroyed, which nobody may take for a change of the file.
    ~Document() override { history_.disconnect(this); }

    // Of this plan alone, in whatever session: unsaved changes are taken up where they were made.
    const QString& id() const { return id_; }
    void set_id(const QString& id) { id_ = id; }

    const Scenario& scenario() const { return scenario_; }   // it carries the measured runs
    // Runs of the user's own, that every plan of this document starts from; no part of its file.
    void set_measured(std::shared_ptr<const MeasuredRuns>);
    const QString& file() const { return file_.path; }     // absolute; empty until the plan is opened or saved
    QString title() const;                                 // the file's name, else the plan's; may be empty
    bool modified() const { return !history_.isClean(); }  // since it was opened or saved
    QUndoStack& history() { return history_; }
    const QUndoStack& history() const { return history_; }
    // Whether its layout is searched anew after every edit. Saved with the plan, and no change of it.
    bool automatic_layout() const { return says_automatic_layout(file_.extra_json); }
    void set_automatic_layout(bool);
    // What save() writes: the plan as JSON, with the keys of its file that this version does not know.
    std::string text() const;

    // An undo step. Edits of the same non-empty knob become one step while no save and no pause lies between them.
    void edit(const Scenario& next, const QString& name, const std::string& knob = {});
    // What the program adds to the last edit by itself: part of that edit's step.
    void amend(const Scenario& next, const QString& name);
    void set_merge_pause(std::chrono::milliseconds pause) { merge_pause_ = pause; }
    // Another plan in place of this one, without its file, as one undo step: undone, plan and file are back.
    void turn_into(const Scenario& next, const QString& name);
    // The model of a config.json or of a list of shapes in place of the plan's, as one undo step.
    // `heads` is what shapes do not tell; 0 where it is not known. Errors leave the plan as it is.
    Problems import_model(const QString& path, int heads = 0);

    // A new plan without a file; forgets the history.
    void start(const Scenario& scenario);
    void start(const ScenarioFile& plan);                             // likewise, one of a file that holds several
    void start_copy_of(const Document&, const std::string& name);     // likewise; changed, as it is nowhere else
    void note_kept() { history_.setClean(); }                         // as it is, in a file that holds several
    // Errors leave everything as it is; warnings do not.
    Problems open(const QString& path);
    Problems save(const QString& path);

    // The file as it lies there now, beside what was opened or saved last.
    enum class OnDisk { as_known, changed, gone };
    OnDisk on_disk() const;
    std::string fingerprint_on_disk() const;  // empty: there is no such file
    void keep_mine();                         // what lies there is known; the plan counts as changed against it
    Problems reload();                        // what lies there, as one undo step

    // Unsaved changes, to be kept elsewhere, and taken up again over the file they belong to.
    UnsavedPlan unsaved() const { return {text(), file_.path.toStdString(), file_.fingerprint, id_.toStdString()}; }
    Problems recover(const UnsavedPlan&);

signals:
    void changed();                                 // another scenario: edited, undone, redone, started or opened
    void edited(const plimsoll::Scenario& before);  // by edit() alone, after changed()
    void replaced();                                // by start(), open() or recover(), before changed()
    void file_changed();                            // file(), title() or modified()

private:
    struct File {
        QString path;
        std::string fingerprint;         // of its bytes when it was opened or saved; empty: there was none
        std::string extra_json = "{}";   // its keys that this version does not know
    };
    class Edit;
    class Turn;

    void replace(const Scenario& scenario, File file);
    Scenario marked(Scenario next) const;
    void adopt(const Scenario& scenario);

    const Library& library_;
    QString id_;
    Scenario carrying(Scenario) const;   // the measured runs of this document

    Scenario scenario_;
    std::shared_ptr<const MeasuredRuns> measured_;
    QUndoStack history_;
    File file_;
    std::chrono::milliseconds merge_pause_{3000};
};

// The example a first start shows, or a small plan from whatever presets there are.
Scenario first_scenario(const Library&);
// The plan of a file, read against the library.
Expected<Scenario, Problems> load_scenario(const QString& path, const Library&);

}  // namespace plimsoll
