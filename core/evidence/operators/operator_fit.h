#pragma once
// Constants of devices and networks from measured operators alone.
//
//   const std::vector<OperatorFit> fits = fit_operators(rows, library.machines);
//   fits[0].constants[0].value;                       // with low and high, 95 %
//   machines_with(fits, library.machines);            // the presets they change
//
// One fit for every machine and group of operators (16-bit products, fp8 products, each attention kernel, grouped
// products, collectives, streams): the constants of that group alone are free, everything else stays as in the preset.
// Priors are wide and the same for all devices, so a preset's present value has no say. Bursts of milliseconds cannot
// tell what a run of hours keeps: as a surface moves, the sustained share moves against it, so that a long run of
// products of 4,096 in every dimension takes what it took.

#include "core/evidence/fitting/fit.h"
#include "core/evidence/operators/operator_score.h"

#include <functional>

namespace plimsoll {

struct OperatorConstant {
    std::string id, unit;            // path in a machine preset: "device.efficiency.gemm_ceiling"
    double present = 0;              // in the preset
    double value = 0, low = 0, high = 0;
    bool determined = false;         // the rows removed half of the prior's variance or more
};

// Median error of the rows that count: with the preset as it is, as fitted, and of the odd rows as the even ones
// predict them.
struct OperatorFit {
    std::string machine, group;
    int rows = 0;
    std::vector<std::string> sources;
    double before = 0, fitted = 0, held_out = 0;
    std::vector<OperatorConstant> constants;
};

std::vector<OperatorFit> fit_operators(const OperatorRows&, const Machines&);

// Every machine with the device of a fit, as far as a determined constant changes it; constants of a network change the
// machine they were measured on alone. The surface of products changes as a whole, and with it that of every device
// that has no rows of its own and had the same one: the same chip on another board. A fit that predicts rows it did not
// see no better than the preset does changes nothing. Values to three digits, with an entry under "sources".
Machines machines_with(const std::vector<OperatorFit>&, const Machines&);

// The constants that operators can set, by group.
struct OperatorParameter {
    std::string id, unit;
    double prior = 1, width = 0.5;   // log-normal
    double low = 0, high = 1;
    std::function<double(const Machine&)> get;
    std::function<void(Machine&, double)> set;
};
struct OperatorGroup {
    std::string name;
    std::function<bool(const OperatorRow&)> takes;
    std::vector<OperatorParameter> parameters;
    double weight_beside = 1;        // of rows that the bar of their kind does not speak of
    bool one_surface = false;        // its constants mean something together alone
    bool of_the_chip = false;        // vendors' best libraries, whatever the board
};
const std::vector<OperatorGroup>& operator_groups();

}  // namespace plimsoll
