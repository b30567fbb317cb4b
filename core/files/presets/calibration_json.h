#pragma once
// What was measured of a machine, as "calibration" in its preset. Internal.
//
//   Field{"calibration", &Machine::calibration, CalibrationField{}}
//
// Points stand in rows below a header of columns, which may come in any order:
// hundreds of them stay readable and small. Times are in seconds.

#include "core/files/text/fields.h"
#include "core/values/plan/calibration.h"

namespace plimsoll::files {

struct CalibrationField {
    std::optional<CalibrationRecord> read(const Reader&) const;
    OrderedJson schema() const;
    OrderedJson write(const CalibrationRecord&) const;  // null, and left out, where nothing was measured
    std::string expected() const { return "an object"; }
};

}  // namespace plimsoll::files
