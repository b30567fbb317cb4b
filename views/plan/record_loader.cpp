#include "views/plan/record_loader.h"

namespace plimsoll {

RecordLoader::RecordLoader(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
    thread_ = std::thread([this, &library = workspace.library()] {
        made_ = std::make_shared<const TrackRecord>(track_record(library));
        QMetaObject::invokeMethod(this, &RecordLoader::wait, Qt::QueuedConnection);
    });
}

RecordLoader::~RecordLoader() {
    if (thread_.joinable()) thread_.join();
}

void RecordLoader::wait() {
    if (!thread_.joinable()) return;  // handed over before
    thread_.join();
    workspace_.set_record(std::move(made_));
}

}  // namespace plimsoll
