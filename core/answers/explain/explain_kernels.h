#pragma once
// One kernel, or one value of the machine or the stack, as a term: what the
// trees of layers and ends are made of.

#include "core/answers/explain/term.h"
#include "core/costs/kernels/kernel.h"

namespace plimsoll {

Term machine_value(const Scenario&, const std::string& label, double value, const std::string& unit, const std::string& pointer);
Term stack_value(const Scenario&, const std::string& label, double value, const std::string& unit, const std::string& key);
Term floor_of(const Scenario&, double kernels);   // shortest kernels
Term streamed(const Scenario&, const std::string& label, Bytes traffic, const std::string& formula);
Term gemm_term(const Scenario&, const Gemm&, const std::string& pass, Precision);

}  // namespace plimsoll
