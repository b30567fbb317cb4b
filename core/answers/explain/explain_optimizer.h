#pragma once
// What optimizers beyond Adam keep and compute, as trees: Adafactor's sums, the
// factors, inverses and exchange of K-FAC and Shampoo.

#include "core/answers/explain/explain_step.h"

namespace plimsoll {

Term explain_optimizer_memory(const Scenario&, int stage, Term by_parameter);
Term explain_preconditioner_memory(const Scenario&, int stage);
Term explain_preconditioner(const StepParts&);
Term explain_preconditioner_exchange(const StepParts&);

}  // namespace plimsoll
