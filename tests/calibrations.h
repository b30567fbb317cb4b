#pragma once
// A calibration of a two-device computer, built in code for tests.
//
//   Machine m = calibrated_machine(0.04);     // six runs held back, each 4 % off
//
// Its numbers are plausible; nothing is fitted.

#include "scenarios.h"

#include <string>

namespace plimsoll::testing {

inline Experiment some_products() {
    Experiment e{"gemm", "Matrix products", "FLOP", {}, 0.021};
    for (int i = 1; i <= 24; ++i) {
        const Seconds t = i * 1.25e-3 * second;
        e.points.push_back({std::string("product ").append(std::to_string(i)), i * 1.2e8, t, 0.98 * t, 1.03 * t,
                            1.01 * t, i % 8 == 0});
    }
    return e;
}

// Held back, fair and undisturbed: it counts.
inline ProofRow held_back(const std::string& id, int devices, double error) {
    ProofRow r;
    r.id = id;
    r.label = std::string("Layout ").append(id);
    r.devices = devices;
    r.sequence_length = 256;
    r.parameters = 1.7e7;
    r.measured = 1.5 * second;
    r.measured_low = 1.45 * second;
    r.measured_high = 1.53 * second;
    r.predicted = (1 + error) * r.measured;
    r.predicted_low = 0.9 * r.predicted;
    r.predicted_high = 1.1 * r.predicted;
    r.measured_parts.gemm = 1.1 * second;
    r.measured_parts.tensor_parallel = 0.4 * second;
    r.predicted_parts.gemm = r.predicted - 0.4 * second;
    r.predicted_parts.tensor_parallel = 0.4 * second;
    r.memory_measured = 0.5 * gibibyte;
    r.memory_predicted = (1 + error) * r.memory_measured;
    return r;
}

// Six runs that count, each off by `error`; one the fit saw and one with more ranks than cores, both far off.
inline Calibration a_calibration(double error = 0.04) {
    Calibration c;
    c.based_on = "selene";
    c.based_on_hash = "cbf29ce484222325";
    c.stack = "megatron-2021";
    c.date = "2026-11-21";
    c.host = "EPYC 9R14, 2 cores, 24 GiB";
    c.software = "plimsoll-engine 0.5";
    c.precision = "fp16";
    c.prediction_hash = "00ff";
    c.experiments = {some_products()};
    c.constants = {{"/device/efficiency/gemm_ceiling", "gemm", 0.75, 0.893, 0.881, 0.904},
                   {"stack/elementwise_factor", "gemm", 1, 1.12, 1.05, 1.2}};
    for (int i = 0; i < 6; ++i)
        c.proof.push_back(held_back(std::string("row-").append(std::to_string(i)), 1 + i % 2, i % 2 ? error : -error));
    c.proof.push_back(held_back("fitted", 2, 0.7));
    c.proof.back().held_out = false;
    c.proof.push_back(held_back("crowded", 4, 0.7));
    c.proof.back().fair = false;
    c.proof.back().caution = "four ranks on two cores";
    c.assumed = {"Power of a device: no counter shows it"};
    c.cautions = {"3 of 24 points were disturbed and left out"};
    c.energy = "Unavailable: no counter can be read.";
    return c;
}

inline Machine calibrated_machine(double error = 0.04) {
    Machine m = selene();
    m.id = "selene-measured-2026-11-21";
    m.device.efficiency.gemm_ceiling = 0.893;
    m.calibration = a_calibration(error);
    return m;
}

}  // namespace plimsoll::testing
