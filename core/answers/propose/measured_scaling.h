#pragma once
// The user's own scaling runs: what of them counts, and how efficient they are against the smallest size that works.
//
//   const Scaling strong = scaling_of(runs, ScalingKind::strong);
//   strong.points.front();               // the smallest size: speed-up 1, efficiency 1
//   strong.points.back().efficiency;     // p_b T_b / (p_N T_N)
//
// Everything here was measured: no number of the cost model comes near it.

#include "core/values/plan/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class ScalingKind { strong, weak };

struct ScalingRun {
    int nodes = 1;
    Seconds step;
    ScalingKind kind = ScalingKind::strong;
    std::string machine, date, job, software;   // as the user's file names them; empty: not stated
    std::optional<double> gpu_utilisation;      // share
    friend bool operator==(const ScalingRun&, const ScalingRun&) = default;
};

struct MeasuredScalingPoint {
    int nodes = 1;
    Seconds mean, deviation;     // of the repeats; the deviation is that of a sample, zero for one run
    int repeats = 0, days = 0;   // days: different dates among them
    double speedup = 1;          // T_b / T_N; weak: N / N_b times that
    double efficiency = 1;       // p_b T_b / (p_N T_N); weak: T_b / T_N
    std::optional<double> gpu_utilisation;
    std::string dates, jobs;
};

struct Scaling {
    ScalingKind kind = ScalingKind::strong;
    std::vector<MeasuredScalingPoint> points;   // by nodes
    std::string machine;                        // of all of them; "several" where they differ
    // Whether what a cost model says of this machine may stand beside it: measured there, or nobody says where.
    bool measured_on(const Machine&) const;
    // The largest size that holds the floor, counting from the smallest on; 0: no points.
    int efficient_to(double floor) const;
};
Scaling scaling_of(const std::vector<ScalingRun>&, ScalingKind);

}  // namespace plimsoll
