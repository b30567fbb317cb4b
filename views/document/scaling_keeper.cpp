#include "views/document/scaling_keeper.h"

#include "core/files/measured/scaling_runs.h"
#include "core/values/basics/fingerprint.h"
#include "views/parts/text.h"

#include <QSettings>

#include <algorithm>

namespace plimsoll {

namespace {

// A file's name as a key of the settings.
QString key_of(const QString& file) {
    return QStringLiteral("scaling_runs/") + to_qt(fingerprint_of(file.toStdString())).remove(u':').left(40);
}

}  // namespace

ScalingKeeper::ScalingKeeper(Workspace& workspace, bool remember, QObject* parent)
    : QObject(parent), workspace_(workspace), remember_(remember), file_(workspace.document().file()) {
    const Document& document = workspace_.document();
    connect(&document, &Document::replaced, this, [this] {
        other_plan_ = true;
        QMetaObject::invokeMethod(this, &ScalingKeeper::load, Qt::QueuedConnection);
    });
    // Saved under another name: the runs go with the plan.
    connect(&document, &Document::file_changed, this, [this] {
        if (other_plan_ || workspace_.document().file() == file_) return;
        file_ = workspace_.document().file();
        store();
    });
}

void ScalingKeeper::load() {
    if (!other_plan_) return;
    other_plan_ = false;
    file_ = workspace_.document().file();
    std::vector<ScalingRun> runs;
    if (remember_ && !file_.isEmpty()) {
        const std::string text = QSettings().value(key_of(file_)).toString().toStdString();
        if (auto read = text.empty() ? Unexpected{Problems{}} : read_scaling_runs(text)) runs = *std::move(read);
    }
    if (!runs.empty() || !workspace_.scaling().runs.empty()) take(std::move(runs));
}

void ScalingKeeper::store() {
    if (!remember_ || file_.isEmpty()) return;
    const std::vector<ScalingRun>& runs = workspace_.scaling().runs;
    if (runs.empty()) QSettings().remove(key_of(file_));
    else QSettings().setValue(key_of(file_), to_qt(scaling_runs_json(runs)));
}

void ScalingKeeper::take(std::vector<ScalingRun> runs) {
    MeasuredScaling next = workspace_.scaling();
    next.runs = std::move(runs);
    workspace_.set_scaling(std::move(next));
}

Problems ScalingKeeper::add(const QString& path) {
    load();
    auto read = load_scaling_runs(path.toStdString());
    if (!read) return read.error();
    std::vector<ScalingRun> runs = workspace_.scaling().runs;
    for (ScalingRun& run : *read)
        if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(std::move(run));
    take(std::move(runs));
    store();
    return {};
}

void ScalingKeeper::remove_all() {
    take({});
    store();
}

}  // namespace plimsoll
