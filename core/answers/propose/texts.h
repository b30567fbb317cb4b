#pragma once
// Blocks of text of a proposal, numbers filled in: a start to edit, with what is missing in red.
//
//   text_block("extrapolation", in, proposal).paragraphs

#include "core/answers/propose/tables.h"

#include <string>
#include <vector>

namespace plimsoll {

struct TextBlock {
    std::string id, title;
    std::vector<std::string> paragraphs;
    std::vector<std::string> missing;
};

// "code", "readiness", "extrapolation", "justification", "machine", "checkpoint", "data", "energy", "risk"; of another
// name an empty one with a line that says so.
TextBlock text_block(const std::string& id, const ProposalInput&, const Proposal&);

}  // namespace plimsoll
