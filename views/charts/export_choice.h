#pragma once
// How figures were last exported, for each programme that asks for its own width or letters and in general.
//
//   const ExportOptions o = stored_choice("csc-roihu");      // what was chosen in general, where nothing was for it
//   store_choice("csc-roihu", o);

#include "core/answers/curves/figure_options.h"

#include <QString>

#include <optional>

namespace plimsoll {

// `programme`: id of a profile; empty: in general. What cannot be drawn any more is as if it had not been stored.
ExportOptions stored_choice(const QString& programme);
std::optional<ExportOptions> own_choice(const QString& programme);   // nothing where nothing was chosen for it
void store_choice(const QString& programme, const ExportOptions&);
QString last_programme();   // that something was exported for; empty: in general

}  // namespace plimsoll
