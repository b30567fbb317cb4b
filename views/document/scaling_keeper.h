#pragma once
// Scaling runs of the user's own beside the plan: added from files, kept for the plan's file between starts, removed.
//
//   ScalingKeeper keeper(workspace, true);
//   if (const Problems p = keeper.add("runs.csv"); !p.empty()) show(p);

#include "views/document/workspace.h"

#include <QObject>

#include <map>
#include <vector>

namespace plimsoll {

class ScalingKeeper : public QObject {
    Q_OBJECT
public:
    // `remember`: in the settings, for each plan that has a file. Every plan that is open has its own.
    ScalingKeeper(Workspace& workspace, bool remember, QObject* parent = nullptr);

    // To those that are there, without those that are there already.
    Problems add(const QString& path);
    void remove_all();

private:
    void follow_later();        // once a plan that is being opened has its file
    void follow();              // shows the runs of the plan in front
    std::vector<ScalingRun> stored(const Document&) const;
    void store(const Document&);
    void take(std::vector<ScalingRun>);

    Workspace& workspace_;
    bool remember_;
    std::map<QString, std::vector<ScalingRun>> of_;  // by the id of the plan
};

}  // namespace plimsoll
