#pragma once
// Plans that are kept beside the one that is edited, to be compared with it and proposed together with it.
//
//   beside.keep(workspace.scenario());
//   for (const Scenario& s : beside.plans()) ...
//
// Kept plans do not follow edits. They are part of the session: written to the settings at once, as a plan's file has
// them, and there again at the next start.

#include <QObject>

#include "core/files/presets/library.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

class PlansBeside : public QObject {
    Q_OBJECT
public:
    static constexpr int most = 5;  // with the plan itself, as many as a screen compares

    // `library` has the presets that the plans name; it has to outlive this.
    explicit PlansBeside(const Library& library, QObject* parent = nullptr) : QObject(parent), library_(library) {}

    const std::vector<Scenario>& plans() const { return plans_; }
    bool full() const { return int(plans_.size()) >= most; }
    // A name that another has already gets a number. False where no more are taken.
    bool keep(Scenario plan);
    void remove(int place);
    void rename(int place, const std::string& name);
    // Takes up those of the last session, and writes every change from now on.
    void remember();

signals:
    void changed();

private:
    void store() const;
    std::string free_name(const std::string& wanted, int except) const;

    const Library& library_;
    std::vector<Scenario> plans_;
    bool remembers_ = false;
};

}  // namespace plimsoll
