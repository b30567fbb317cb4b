#pragma once
// Unsaved changes outlive a window that ends without being asked to: they are kept in a folder while there are any, and
// the next window offers what it finds there.
//
//   Recovery recovery(document, default_recovery());              // from here on, at most some seconds behind
//   Recoveries all(plans, default_recovery());                    // likewise, of every plan that is open
//   for (LeftPlan& left : left_plans(default_recovery())) offer(left);
//   if (document.recover(left.unsaved).empty()) left.remove();
//
// One file a plan. A lock beside it says that its process lives; a lock that nobody holds any more is no lock.

#include "views/document/plans.h"
#include "views/parts/background.h"

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <vector>

namespace plimsoll {

// $XDG_DATA_HOME/plimsoll/unsaved, where the user's presets and calibrations lie as well.
QString default_recovery();

class Recovery : public QObject {
    Q_OBJECT
public:
    Recovery(Document& document, QString folder, QObject* parent = nullptr);
    ~Recovery() override;  // the file stays: only forget() gives changes up

    bool keep();            // at once; whether they are on the disk now, where there are any
    void forget();          // the changes are saved, or given up by the user
    QString file() const { return file_; }  // empty before the first one was written

signals:
    void failed(const QString& why);  // they cannot be kept; said once until it works again

private:
    void follow();
    void keep_beside();
    bool claim();
    void wait_for_writer();
    void note(const QString& why);

    Document& document_;
    QString folder_, file_, trouble_;
    std::unique_ptr<QLockFile> lock_;
    QTimer due_;                         // runs from the first edit that is not kept yet
    std::unique_ptr<LatestJob> writer_;  // the disk may be slow; the window does not wait for it
};

// One for each plan of a window, as long as the plan is open: who closes a plan has saved its changes or given them up.
class Recoveries : public QObject {
    Q_OBJECT
public:
    Recoveries(Plans& plans, QString folder, QObject* parent = nullptr);

    bool keep();    // of all plans, as of one
    void forget();

signals:
    void failed(const QString& why);

private:
    void follow();

    Plans& plans_;
    QString folder_;
    std::map<const Document*, std::unique_ptr<Recovery>> each_;
};

// What a window left that is gone.
struct LeftPlan {
    QString path;                        // empty once it was removed
    UnsavedPlan unsaved;
    QDateTime when;                      // it was last written
    QString problem;                     // why it cannot be read, and where it is kept; then `unsaved` is empty
    std::shared_ptr<QLockFile> claim;    // nobody else offers it meanwhile

    void remove();
};
// The newest first. What is damaged is renamed, so that it is told once and not lost.
std::vector<LeftPlan> left_plans(const QString& folder);

}  // namespace plimsoll
