#pragma once
// Labels and help of knobs in the reader's language (phrase.h). Most are whole sentences of the table; rows that stand
// there once for each kernel, cluster or codec have theirs put together, of which the id says how.

#include "core/values/knobs/knobs.h"

#include <string>

namespace plimsoll {

std::string label_in_words(const Knob&);   // "Micro-batch", "Attention triton, forward"
std::string label_in_words(const Knob&, const Scenario&);   // of a level by its name: "Network, group: bandwidth"
std::string help_in_words(const Knob&);

}  // namespace plimsoll
