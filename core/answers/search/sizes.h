#pragma once
// Sizes of one family: width, heads, feed-forward and layers grow together, as from one published size to the next.
//
//   for (const Model& m : family_sizes(plan, false)) parameters(m);   // a sixteenth to sixteen times the plan's
//
// Head dimension, query heads for each key-value head, and what feed-forward blocks and experts are wide against the
// residual stream stay; so do the numbers of experts. Heads grow in steps that the plan's tensor ranks divide, and two,
// four or eight others where that leaves widths enough.
//
// Width over layers, the aspect, grows with the fourth root of the width until it is 128: the smallest and the largest
// model of GPT-3 have 64 and 128 with sixteen times the width between them (Brown et al. 2020, Table 2.1), Llama 3 has
// 128 to 130 from 8B to 405B. The loss depends on it weakly (Kaplan et al. 2020, Figure 5), so a size asked for takes
// the width that comes nearest to the aspect, and layers that make up the parameters.

#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

// The aspect that a family has at this width, of which `own` is one size.
double usual_aspect(const Model& own, double hidden);

// Five for each doubling of the parameters, strictly increasing, the plan's own among them; none has an aspect of more
// than twice or less than half the usual. Where the layout stays, every size obeys its degrees as the plan does, and
// stages hold equal numbers of layers where the plan's do.
std::vector<Model> family_sizes(const Scenario&, bool layout_stays);

}  // namespace plimsoll
