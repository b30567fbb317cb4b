#pragma once
// The time that the cost model gives a measured operator, through the functions that price plans.
//
//   OperatorPrices prices(library.machines.at("dgx-h100"));
//   prices(row) / row.time - 1;     // its error
//
// Operators are measured in short bursts: clocks have not fallen yet to what a training run of hours keeps of them
// (Efficiency::sustained and its like). Published products show how that begins: above some milliseconds they run
// slower than the same kernel's surface says, by a share that tends to `sustained`. So
//   t = burst + (long run - burst) x burst / (burst + settling)
// where `settling` is one constant for all devices. With each surface fitted anew, the median error of 16-bit products
// of the H100, H200, B200 and A100 is 5.6, 5.0, 3.9 and 6.4 % at 5 ms, 5.4, 4.9, 4.2 and 5.9 % at 12 ms, 5.6, 5.3, 4.3
// and 5.5 % at 30 ms; without the fall it is 5.9, 7.0, 4.7 and 5.1 %.

#include "core/evidence/operators/operator_row.h"
#include "core/values/plan/scenario.h"

namespace plimsoll {

inline constexpr Seconds settling = 12 * millisecond;

class OperatorPrices {
public:
    explicit OperatorPrices(const Machine&);
    Seconds operator()(const OperatorRow&);

private:
    // Plans on the machine whose shapes change from row to row: as a burst finds it, and as a long run does.
    Scenario burst_, long_run_;
};

// Why this machine has no price for the row: "128 ranks on 64 devices"; empty where it has one.
std::string unpriced(const OperatorRow&, const Machine&);

}  // namespace plimsoll
