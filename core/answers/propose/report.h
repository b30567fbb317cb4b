#pragma once
// A proposal as documents: sections in the programme's order, as Markdown, HTML and LaTeX, and its checklist.
//
//   report_markdown(in, proposal), report_html(...), report_latex(...)
//   checklist(in, proposal)         // each requirement with its source: met, missing or for the applicant
//
// Every page carries the profile's date.

#include "core/answers/propose/proposal_figures.h"
#include "core/answers/propose/texts.h"

#include <string>

namespace plimsoll {

enum class Met { met, missing, by_applicant };

struct CheckedRequirement {
    Requirement requirement;
    Met met = Met::by_applicant;
    std::vector<std::string> lacks;          // why it is missing
};
std::vector<CheckedRequirement> checked(const ProposalInput&, const Proposal&,
                                        const std::vector<ProposalFigure>&);
std::string checklist_markdown(const ProposalInput&, const Proposal&, const std::vector<CheckedRequirement>&);

// About how long the sections are: five hundred words a page, a quarter for a table, a third for a figure.
std::string say_length(const ProposalInput&, const Proposal&);
std::string documents_of(const Programme&);   // that it asks for, with their limits; empty: none is known

std::string report_markdown(const ProposalInput&, const Proposal&, const std::vector<ProposalFigure>&);
// `pictures`: extension of the figures' files in figures/, as "svg"; empty: their captions stand alone.
std::string report_html(const ProposalInput&, const Proposal&, const std::vector<ProposalFigure>&,
                        const std::string& pictures);
std::string report_latex(const ProposalInput&, const Proposal&, const std::vector<ProposalFigure>&);

}  // namespace plimsoll
