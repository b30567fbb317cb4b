#pragma once
// Where a window goes on the screen that is there.

#include <QRect>

namespace plimsoll {

// As near to `wanted` as lies within `screen`, smaller where it has to be.
QRect fitted(const QRect& wanted, const QRect& screen);

}  // namespace plimsoll
