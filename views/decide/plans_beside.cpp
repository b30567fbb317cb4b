#include "views/decide/plans_beside.h"

#include "core/files/presets/scenario_json.h"
#include "views/parts/text.h"

#include <QSettings>

#include <algorithm>

namespace plimsoll {

namespace {

const QString kept_plans = QStringLiteral("plans_beside");

}  // namespace

bool PlansBeside::keep(Scenario plan) {
    if (full()) return false;
    plan.name = free_name(plan.name.empty() ? plan.model.name : plan.name, -1);
    plans_.push_back(std::move(plan));
    store();
    emit changed();
    return true;
}

void PlansBeside::remove(int place) {
    if (place < 0 || place >= int(plans_.size())) return;
    plans_.erase(plans_.begin() + place);
    store();
    emit changed();
}

void PlansBeside::rename(int place, const std::string& name) {
    if (place < 0 || place >= int(plans_.size()) || name.empty()) return;
    plans_[std::size_t(place)].name = free_name(name, place);
    store();
    emit changed();
}

std::string PlansBeside::free_name(const std::string& wanted, int except) const {
    const auto taken = [&](const std::string& name) {
        for (int i = 0; i < int(plans_.size()); ++i)
            if (i != except && plans_[std::size_t(i)].name == name) return true;
        return false;
    };
    std::string name = wanted;
    for (int i = 2; taken(name); ++i) name = wanted + " (" + std::to_string(i) + ")";
    return name;
}

void PlansBeside::store() const {
    if (!remembers_) return;
    QStringList texts;
    for (const Scenario& s : plans_) texts << to_qt(write_scenario(s, library_));
    QSettings().setValue(kept_plans, texts);
}

// What cannot be read any more is left out: settings may be of another version.
void PlansBeside::remember() {
    for (const QString& text : QSettings().value(kept_plans).toStringList()) {
        auto read = read_scenario(text.toStdString(), library_, "settings");
        if (read && !full()) plans_.push_back(std::move(read->scenario));
    }
    remembers_ = true;
    if (!plans_.empty()) emit changed();
}

}  // namespace plimsoll
