#include "views/plan/undo.h"

#include <utility>

namespace plimsoll {

Edit::Edit(Scenario before, Scenario after, const QString& name, std::string knob, Adopt adopt)
    : QUndoCommand(name),
      before_(std::move(before)),
      after_(std::move(after)),
      knob_(std::move(knob)),
      adopt_(std::move(adopt)) {}

bool Edit::mergeWith(const QUndoCommand* next) {
    const auto* later = static_cast<const Edit*>(next);  // equal id() means it is an Edit
    const bool amends = later->knob_ == amendment;
    if (!amends && (knob_.empty() || later->knob_ != knob_)) return false;
    after_ = later->after_;
    if (!amends) setText(later->text());
    setObsolete(after_ == before_);  // dragged back to where it started
    return true;
}

}  // namespace plimsoll
