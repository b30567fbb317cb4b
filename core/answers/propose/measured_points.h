#pragma once
// The user's own scaling runs on the charts of a plan: points beside the curves of the model.
//
//   std::vector<Figure> all = figures(plan);
//   add_measured(all, plan, {runs, 0.75, "CSC Roihu"});
//
// Time and node-hours get the measured step times the steps of the plan, efficiency the measured one against the
// smallest size that was measured. No number of the cost model enters a measured point, and its series says "measured".

#include "core/answers/curves/figures.h"
#include "core/answers/propose/measured_scaling.h"

#include <string>
#include <vector>

namespace plimsoll {

struct MeasuredScaling {
    std::vector<ScalingRun> runs;
    double floor = 0;          // of parallel efficiency, as a share; 0: no programme states one
    std::string floor_of;      // the programme
};

// Nothing where there are no runs, and on a machine of one node, whose charts run over devices.
void add_measured(std::vector<Figure>&, const Scenario&, const MeasuredScaling&);

}  // namespace plimsoll
