#pragma once
// The figures F01 to F10 of a proposal, as data: window, export and CSV draw them without further code.
//
//   for (const ProposalFigure& f : proposal_figures(in, proposal)) write(f.id, to_csv(f.figure, plan));
//
// Measured points and predicted lines are series of their own, and their labels say which they are.

#include "core/answers/propose/tables.h"

#include <string>
#include <vector>

namespace plimsoll {

struct ProposalFigure {
    std::string id;                // "F01"
    Figure figure;                 // without series where `missing` says why
    std::string missing;
};

std::vector<ProposalFigure> proposal_figures(const ProposalInput&, const Proposal&);

}  // namespace plimsoll
