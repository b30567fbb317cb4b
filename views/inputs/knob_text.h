#pragma once
// What the interface says about a knob: tooltip, undo name, preset value.

#include "core/files/presets/library.h"
#include "core/values/knobs/knobs.h"

#include <QString>

namespace plimsoll {

QString tooltip(const Knob&, const Scenario&);       // help, range, value, source with its kind
QString edit_name(const Knob&, double value);        // "Tensor parallel 8"
QString value_with_unit(const Knob&, double value);  // "40 GiB"
// The values a sentence ends with ("nearest that do: 2, 4.") become links. HTML.
QString with_links(const QString& sentence, const Knob&);
QString name_of(SourceKind);                         // "measured", "vendor", ...

}  // namespace plimsoll
