#pragma once
// Files of the window: opened, imported, saved, watched for changes by others; which plans were open last time, and
// changes that a start finds unsaved.

#include "views/document/recovery.h"
#include "views/document/workspace.h"
#include "views/inputs/inputs_panel.h"
#include "views/window/notice_bar.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>

class QMenu;

namespace plimsoll {

class ImportDialog;
struct TrainingLog;

void show_problems(QWidget* window, const QString& what, const Problems&);
// Whether there is no error; shows them where there are.
bool accepted(QWidget* window, const QString& what, const Problems&);

class FileSession : public QObject {
    Q_OBJECT
public:
    using Open = std::function<bool(const QString& path)>;
    using OpenSteps = std::function<bool(const TrainingLog&, const QString& name)>;
    struct Elsewhere {
        Open calibration, scaling;   // logs of calibrations, tables of scaling runs
        Open probes;                 // the folder of short runs
        OpenSteps steps;             // of a log, beside the plan in front
    };
    // `remember`: between starts. `window` is below the dialogs.
    FileSession(Workspace&, InputsPanel&, NoticeBar&, Elsewhere, bool remember, QWidget* window);

    bool open(const QString& path);            // a plan, a model to import or a calibration; shows what is wrong
    void open_example(const QString& path);
    void open_dropped(const QStringList& paths);
    bool open_workspace(const QString& path);  // in place of the plans that are open; asks about unsaved changes
    bool save();
    bool save_as();
    bool save_workspace();                     // to the file it has, or asks for one
    bool may_discard();                        // asks about unsaved changes of the plan in front
    bool may_discard_all();
    void ask_open();
    void ask_import();
    void ask_configuration();
    void look_at_file();                       // whether others have changed it
    void fill_recent(QMenu&);
    void fill_examples(QMenu&);
    void add_workspace_actions(QMenu&);

    void remember();                           // from here on, what is open and what is not saved
    void reopen_last();
    void offer_unsaved();
    void store_plans();
    void keep_unsaved();                       // for the next start: nobody can be asked any more
    void forget_unsaved();

signals:
    void status_message(const QString& text, int milliseconds);
    void plan_wanted();   // in view, in place of the start page
    void reopened();

private:
    Document& document() { return workspace_.document(); }  // of the plan in front
    bool import_model(const QString& path);
    bool import_configuration(const QStringList& paths);   // of a training framework, after its report was seen
    bool take_imported(const ImportDialog&, const QString& name);
    void ask_open_workspace();
    bool save_workspace_as();
    bool write_workspace_to(const QString& path);
    bool write_to(const QString& path);
    // A path to save to, empty where none was chosen. `suffix_of` says which suffix it lacks, by the filter chosen.
    QString ask_where_to_save(const QString& title, const QString& proposal, const QString& filters,
                              QString (*suffix_of)(const QString& path, const QString& chosen));
    bool may_replace(const QString& path);
    enum class FileAnswer { as_known, keep_mine, settled, cancelled };
    FileAnswer ask_about_file();   // where others have changed or removed it
    bool reopen_file(const QString& path);
    void adopt_plans_beside();
    bool recover(LeftPlan&);
    bool recover_all(const std::vector<std::shared_ptr<LeftPlan>>&);
    bool discard(LeftPlan&);
    void remember_file(const QString& path);

    Workspace& workspace_;
    InputsPanel* inputs_;
    NoticeBar* notices_;
    Open open_calibration_, open_scaling_, open_probes_;
    OpenSteps open_steps_;
    bool remember_;
    QWidget* window_;
    std::unique_ptr<Recoveries> recovery_;     // null where nothing is remembered
    std::map<const Document*, std::string> asked_about_;  // fingerprints of changed files that were asked about
    QHash<QString, QString> clean_texts_;      // by id: plans without a file as they were kept last
    QTimer storing_;                           // soon after other plans are open than before
};

}  // namespace plimsoll
