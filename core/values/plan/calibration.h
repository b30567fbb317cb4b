#pragma once
// What a machine preset owes to measurements: which of its numbers were measured,
// how sure they are, the points they came from, and how predictions made with
// them compared with runs that were held back.
//
//   if (const Calibration* c = machine.calibration.get())
//       for (const MeasuredConstant& m : c->constants) show(m.pointer, m.value, m.low, m.high);
//
// The record travels inside the preset, so a machine opened elsewhere still has
// its evidence. It names no host, user or folder.

#include "core/values/basics/units.h"
#include "core/values/plan/breakdown.h"

#include <memory>
#include <string>
#include <vector>

namespace plimsoll {

// One measured time beside what the fitted constants say of it.
struct MeasuredPoint {
    std::string label;                 // "qkv forward, 256 x 1152 x 384"
    double size = 0;                   // what it is drawn over: FLOP, bytes or parameters, as its experiment says
    Seconds measured, low, high;       // median and its 95 % interval
    Seconds fitted;
    bool contended = false;            // somebody else had the processor: left out of the fit
    friend bool operator==(const MeasuredPoint&, const MeasuredPoint&) = default;
};

// Points of one kind, in order of size.
struct Experiment {
    std::string id, label, size_label; // "gemm", "Matrix products", "FLOP"
    std::vector<MeasuredPoint> points;
    double mean_error = 0;             // mean of |fitted / measured - 1| over points that were not contended
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

// A number of the preset (or of its software stack) that was measured, in the preset's own unit.
struct MeasuredConstant {
    std::string pointer;               // "/device/efficiency/gemm_ceiling"; of the stack: "stack/elementwise_factor"
    std::string experiment;            // id of the points it comes from
    double before = 0, value = 0;
    double low = 0, high = 0;          // 95 %
    bool of_stack() const { return pointer.starts_with("stack"); }
    friend bool operator==(const MeasuredConstant&, const MeasuredConstant&) = default;
};

// A training layout: what was predicted, before it ran where it was held back, and what was measured.
struct ProofRow {
    std::string id, label;
    bool held_out = true;              // not used by the fit
    bool fair = true;                  // has a device for every rank
    std::string caution;               // why it is not fair, or what disturbed it
    int devices = 1, sequence_length = 1;
    double parameters = 0;
    Seconds predicted, predicted_low, predicted_high;  // 90 %
    Seconds measured, measured_low, measured_high;     // median of its steps and its 95 % interval
    StepTime predicted_parts, measured_parts;
    Bytes memory_predicted, memory_measured;
    bool contended = false;
    bool has_run() const { return measured > Seconds{}; }
    double error() const { return predicted / measured - 1; }
    double memory_error() const { return memory_predicted / memory_measured - 1; }
    bool counts() const { return held_out && fair && !contended && has_run(); }
    friend bool operator==(const ProofRow&, const ProofRow&) = default;
};

// A layout that ran with a codec on one dimension, beside the same layout without: same weights, same data.
struct CodecTrial {
    std::string id, label;             // "dp2-fp8", "Gradients in fp8, two data ranks"
    std::string traffic, codec;        // "gradients", "tensor" or "pipeline"; "fp8", "zfp" or "top_k", as in scenarios
    double ratio = 1;                  // payload over message
    Seconds step, step_without;
    double loss_change = 0;            // nats per token, mean of the last three steps
    int steps = 0;                     // that both ran
    bool contended = false;
    friend bool operator==(const CodecTrial&, const CodecTrial&) = default;
};

struct Calibration {
    std::string based_on, based_on_hash;   // id of the machine it started from, fingerprint of its preset's text
    std::string stack;                     // id of the software that was calibrated with it
    std::string date;                      // of the measurement, ISO 8601
    std::string host;                      // "AMD EPYC 9R14, 2 cores, 24 GiB, Linux 6.1, in a container"
    std::string software;                  // "plimsoll-engine 0.5, OpenBLAS 0.3.21, Open MPI 4.1.4"
    std::string precision;                 // of the layouts' products: "fp32", "bf16"
    std::string prediction_hash;           // of all that was measured before the held-out layouts ran
    std::vector<Experiment> experiments;
    std::vector<MeasuredConstant> constants;
    std::vector<ProofRow> proof;
    std::vector<CodecTrial> codecs;
    std::vector<std::string> assumed;      // what short runs cannot tell, and stays as it was
    std::vector<std::string> cautions;     // contention, points left out, an incomplete run
    std::string energy;                    // where joules come from, or why there are none
    friend bool operator==(const Calibration&, const Calibration&) = default;
};

// Mean of |error()| over the rows that count; nothing without one.
struct ProofScore { int rows = 0; double time = 0, memory = 0; };
ProofScore score_of(const Calibration&);

// A calibration, shared between copies of its machine: machines are copied often, records are large.
class CalibrationRecord {
public:
    CalibrationRecord() = default;
    CalibrationRecord(Calibration c) : record_(std::make_shared<const Calibration>(std::move(c))) {}
    const Calibration* get() const { return record_.get(); }
    const Calibration* operator->() const { return record_.get(); }
    explicit operator bool() const { return bool(record_); }
    friend bool operator==(const CalibrationRecord& a, const CalibrationRecord& b) {
        return a.record_ == b.record_ || (a && b && *a.record_ == *b.record_);
    }

private:
    std::shared_ptr<const Calibration> record_;
};

}  // namespace plimsoll
