#pragma once
// Prices the shipped published runs beside the window and hands the result to
// the workspace. Nobody waits for it: numbers get their bands when it arrives.

#include <QObject>  // first: moc loses track of <compare> where that is the first header it meets

#include "views/plan/workspace.h"

#include <thread>

namespace plimsoll {

class RecordLoader : public QObject {
    Q_OBJECT
public:
    explicit RecordLoader(Workspace& workspace, QObject* parent = nullptr);  // begins at once
    ~RecordLoader() override;
    void wait();  // until the workspace has it: for pictures and tests

private:
    Workspace& workspace_;
    std::shared_ptr<const TrackRecord> made_;  // written by the thread, read once it is joined
    std::thread thread_;
};

}  // namespace plimsoll
