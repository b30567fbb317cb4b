// Which plans were open last time: files by their path, others as they were kept last. What had changes that were not
// saved is offered by the recovery.
#include "core/files/presets/scenario_json.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QFileInfo>
#include <QSettings>
#include <QStatusBar>

#include <algorithm>

namespace plimsoll {

namespace {

const QString plans_key = QStringLiteral("plans"), together_key = QStringLiteral("workspace"),
              beside_key = QStringLiteral("plans_beside");
constexpr int most_reopened = 200;   // settings may be damaged

}  // namespace

// A plan that was never kept anywhere has no line here: its changes are among the unsaved ones.
void FileSession::store_plans() {
    storing_.stop();
    Plans& plans = workspace_.plans();
    struct Line {
        QString id, file, text;
        bool front;
    };
    std::vector<Line> lines;
    for (int i = 0; i < plans.count(); ++i) {
        const Document& d = plans.at(i);
        if (plans.count() == 1 && plans.untouched()) continue;
        const QString text = d.file().isEmpty() ? clean_texts_.value(d.id()) : QString();
        if (!d.file().isEmpty() || !text.isEmpty()) lines.push_back({d.id(), d.file(), text, i == plans.place()});
    }
    QSettings settings;
    if (lines.empty() && plans.file().isEmpty() && !settings.contains(plans_key + QStringLiteral("/size"))) return;
    settings.remove(plans_key);
    settings.remove(together_key);
    settings.beginWriteArray(plans_key, int(lines.size()));
    for (int i = 0; i < int(lines.size()); ++i) {
        const Line& line = lines[std::size_t(i)];
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("id"), line.id);
        if (!line.file.isEmpty()) settings.setValue(QStringLiteral("file"), line.file);
        else settings.setValue(QStringLiteral("text"), line.text);
        if (line.front) settings.setValue(QStringLiteral("front"), true);
    }
    settings.endArray();
    if (plans.file().isEmpty()) return;
    settings.beginGroup(together_key);
    settings.setValue(QStringLiteral("file"), plans.file());
    settings.setValue(QStringLiteral("fingerprint"), to_qt(plans.fingerprint()));
    settings.setValue(QStringLiteral("kept"), plans.kept_ids());
}

// Where one cannot be opened a line says why.
void FileSession::reopen_last() {
    QSettings settings;
    Plans& plans = workspace_.plans();
    QString front;
    const int count = std::min(settings.beginReadArray(plans_key), most_reopened);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const QString id = settings.value(QStringLiteral("id")).toString();
        const QString file = settings.value(QStringLiteral("file")).toString();
        const std::string text = settings.value(QStringLiteral("text")).toString().toStdString();
        if (file.isEmpty()) {
            const auto read = read_scenario(text, workspace_.library(), "settings");
            if (!read) continue;  // settings may be of another version
            plans.start(*read);
        } else if (!reopen_file(file)) {
            continue;
        }
        if (!id.isEmpty() && plans.place_of_id(id) < 0) {
            clean_texts_[id] = clean_texts_.take(plans.current().id());
            plans.current().set_id(id);
        }
        if (settings.value(QStringLiteral("front")).toBool()) front = plans.current().id();
    }
    settings.endArray();
    if (count <= 0) reopen_file(settings.value(QStringLiteral("plan")).toString());
    plans.show(plans.place_of_id(front));
    settings.beginGroup(together_key);
    if (const QString file = settings.value(QStringLiteral("file")).toString(); !file.isEmpty())
        plans.belong_to(file, settings.value(QStringLiteral("fingerprint")).toString().toStdString(),
                        settings.value(QStringLiteral("kept")).toStringList());
    settings.endGroup();
    adopt_plans_beside();
    store_plans();
    emit reopened();
}

bool FileSession::reopen_file(const QString& path) {
    if (path.isEmpty()) return false;
    const QString name = QFileInfo(path).fileName();
    const auto tell = [&](const QString& text) {
        notices_->add({text, {{tr("Close"), QStringLiteral("notice.close"), {}}}});
        return false;
    };
    if (!QFileInfo::exists(path)) return tell(tr("\"%1\", a plan of last time, is no longer in %2.")
                                                  .arg(name, QFileInfo(path).absolutePath()));
    const Problems problems = workspace_.plans().open(path);
    if (has_errors(problems))
        return tell(tr("\"%1\", a plan of last time, cannot be opened: %2").arg(name, to_qt(say(problems)).trimmed()));
    if (!problems.empty()) emit status_message(to_qt(say(problems)).trimmed(), 20000);
    return true;
}

// Versions before this one kept plans beside the edited one in their settings: they are tabs now, and nowhere else.
void FileSession::adopt_plans_beside() {
    QSettings settings;
    const QStringList texts = settings.value(beside_key).toStringList();
    Plans& plans = workspace_.plans();
    for (auto text = texts.crbegin(); text != texts.crend(); ++text) {  // each goes behind the plan in front
        auto read = read_scenario(text->toStdString(), workspace_.library(), "settings");
        if (!read) continue;
        const auto as_kept = plans.make();
        as_kept->start(*read);
        plans.add(plans.copy_of(*as_kept), Plans::Front::left);
    }
    if (!texts.isEmpty() && recovery_->keep()) settings.remove(beside_key);
}

}  // namespace plimsoll
