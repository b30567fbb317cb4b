#include "views/document/scaling_keeper.h"

#include "core/files/measured/scaling_runs.h"
#include "core/values/basics/fingerprint.h"
#include "views/parts/meanwhile.h"
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
    : QObject(parent), workspace_(workspace), remember_(remember) {
    const Plans& plans = workspace_.plans();
    connect(&plans, &Plans::replaced, this, [this](const Document* d) {
        of_.erase(d->id());
        follow_later();
    });
    connect(&workspace_, &Workspace::switched, this, &ScalingKeeper::follow_later);
    // Saved under another name: the runs go with the plan.
    connect(&plans, &Plans::file_changed, this, [this](const Document* d) {
        if (const auto runs = of_.find(d->id()); runs != of_.end() && !runs->second.empty()) store(*d);
    });
    follow_later();
}

void ScalingKeeper::follow_later() { QMetaObject::invokeMethod(this, &ScalingKeeper::follow, Qt::QueuedConnection); }

void ScalingKeeper::follow() {
    const Document& document = workspace_.document();
    const auto [at, fresh] = of_.try_emplace(document.id());
    if (fresh) at->second = stored(document);
    if (at->second != workspace_.scaling().runs) take(at->second);
}

std::vector<ScalingRun> ScalingKeeper::stored(const Document& document) const {
    if (!remember_ || document.file().isEmpty()) return {};
    const std::string text = QSettings().value(key_of(document.file())).toString().toStdString();
    if (text.empty()) return {};
    auto read = read_scaling_runs(text);
    return read ? *std::move(read) : std::vector<ScalingRun>{};
}

void ScalingKeeper::store(const Document& document) {
    if (!remember_ || document.file().isEmpty()) return;
    const std::vector<ScalingRun>& runs = of_.at(document.id());
    if (runs.empty()) QSettings().remove(key_of(document.file()));
    else QSettings().setValue(key_of(document.file()), to_qt(scaling_runs_json(runs)));
}

void ScalingKeeper::take(std::vector<ScalingRun> runs) {
    MeasuredScaling next = workspace_.scaling();
    next.runs = std::move(runs);
    workspace_.set_scaling(std::move(next));
}

Problems ScalingKeeper::add(const QString& path) {
    auto read = meanwhile(path, [file = path.toStdString()] { return load_scaling_runs(file); });
    if (!read) return read.error();
    follow();
    std::vector<ScalingRun>& runs = of_.at(workspace_.document().id());
    for (ScalingRun& run : *read)
        if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(std::move(run));
    take(runs);
    store(workspace_.document());
    return {};
}

void ScalingKeeper::remove_all() {
    of_[workspace_.document().id()].clear();
    take({});
    store(workspace_.document());
}

}  // namespace plimsoll
