#pragma once
// What the parts of a calibration hand on to each other: the machine and the
// software as far as they are measured, and the evidence so far. Internal.

#include "core/evidence/calibration/fit/calibrate.h"
#include "core/evidence/fitting/least_squares.h"

#include <string>
#include <vector>

namespace plimsoll::fitting {

struct Workbench {
    const ExperimentPlan& plan;
    Calibrated so_far;

    // A plan of one device with the trial's model, as measured so far.
    Scenario scenario() const;
    // Of one kind, those that may be fitted: not contended. Where most are, all of them with a caution: their best
    // times.
    std::vector<const BenchPoint*> usable(const Measurements&, std::string_view kind);

    // A number of the machine, by its pointer in the preset, or of the software ("stack/...").
    void note(std::string pointer, std::string experiment, double before, double value, double low, double high);
    // What a fit leaves open of the constants at `pointers`, in the order of its parameters.
    void leave_open(const std::vector<std::string>& pointers, const CurveFit&);
    // The same of one constant by its interval of 95 %, at least one per cent.
    void leave_open(std::string pointer, double low, double high);
    void note(Experiment);   // sorts its points and takes their mean error
};

// The run's plan on a machine and with software as they were measured, or as they may be as well. Its few steps are a
// burst as the benches are.
Scenario plan_on(const Machine&, const Stack&, const Calibrated&, const PlannedRun&);
// Of the log of the run's step, along everything that is open.
std::vector<double> slopes_of(const Calibrated&, const PlannedRun&);

// Four significant digits: more than any interval here justifies.
double rounded(double);
MeasuredPoint point_of(const BenchPoint&, std::string label, double size, double fitted_s);

// Benches last seconds: what a long run loses is no part of what they measure. No attention kernel is named.
Scenario in_bursts(Scenario);

// The usable points of attention, of a kind, whose shapes can be counted with; the time that a plan's device and
// software take for each; and how they are shown.
std::vector<const BenchPoint*> attention_points(Workbench&, const Measurements&, std::string_view kind);
Seconds attention_time(Scenario, const BenchPoint&);
std::vector<double> attention_seconds(const Scenario&, const std::vector<const BenchPoint*>&);
std::vector<double> seconds_of(const std::vector<const BenchPoint*>&);   // as measured
void show_attention(Experiment&, const std::vector<const BenchPoint*>&, const std::vector<double>& fitted);

// Points whose size is at least this share of the largest one.
std::vector<const BenchPoint*> largest(std::vector<const BenchPoint*>, double (*size)(const BenchPoint&), double share);

// Mean of per-point rates, with the extremes of their intervals. `work`: of a point, in the rate's numerator.
struct Rate { double value = 0, low = 0, high = 0; };
Rate rate_of(const std::vector<const BenchPoint*>& points, double (*work)(const BenchPoint&));

// Each fits its constants to what there is of its points, and changes nothing where there is none.
void fit_products(Workbench&,
                  const Measurements&);  // matrix products: ceiling, half depth, area, rows; shortest kernel
void fit_library_attention(Workbench&, const Measurements&);  // others' attention: numbers of the device
void fit_attention(Workbench&, const Measurements&);          // the engine's: scales of its software
void fit_memory(Workbench&, const Measurements&);      // bandwidth, the optimizer's traffic
void fit_surroundings(Workbench&, const Measurements&);  // file system, host link, what overlap hides
void fit_power(Workbench&, const Measurements&);       // watts at rest and under load
void fit_network(Workbench&, const Measurements&);     // levels: latency, one rate or two
void fit_steps(Workbench&, const Measurements&);       // what whole steps of the layouts that fit show

void fit_codecs(Workbench&, const Measurements&);      // how fast codecs are, and what they do to the loss

}  // namespace plimsoll::fitting
