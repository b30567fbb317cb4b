#pragma once
// What a search found, and why one layout beats another, as the page shows it.

#include "core/answers/search/study.h"

#include <QString>

#include <span>

namespace plimsoll {

// Those that rank layouts differently: cost and node-hours of the same devices follow from time.
std::span<const Objective> objectives();
QString objective_label(Objective);            // "Time of a step"
QString summary_of(const Study&, Seconds took);    // "2,568 layouts of the common space: ..."
// Term by term, what `layout` takes against `reference`, as HTML; `versus` names the reference.
QString difference_html(const Scenario& plan, const Layout& layout, const Layout& reference, const QString& versus);

}  // namespace plimsoll
