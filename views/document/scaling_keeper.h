#pragma once
// Scaling runs of the user's own beside the plan: added from files, kept for the plan's file between starts, removed.
//
//   ScalingKeeper keeper(workspace, true);
//   if (const Problems p = keeper.add("runs.csv"); !p.empty()) show(p);

#include <QObject>

#include "views/document/workspace.h"

namespace plimsoll {

class ScalingKeeper : public QObject {
    Q_OBJECT
public:
    // `remember`: in the settings, for each plan that has a file.
    ScalingKeeper(Workspace& workspace, bool remember, QObject* parent = nullptr);

    // To those that are there, without those that are there already.
    Problems add(const QString& path);
    void remove_all();

private:
    void load();
    void store();
    void take(std::vector<ScalingRun>);

    Workspace& workspace_;
    bool remember_;
    bool other_plan_ = false;   // it was opened or started in this turn, and its runs are not read yet
    QString file_;              // of the plan that the runs belong to
};

}  // namespace plimsoll
