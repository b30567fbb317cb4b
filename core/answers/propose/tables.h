#pragma once
// The tables T01 to T12 of a proposal, each from the profile, the plans and the user's own runs.
//
//   const ProposalInput in{...};
//   const Proposal p = proposal_of(in);
//   for (const Sheet& t : p.tables) write(to_markdown(t));
//
// Only measured rows enter T05 and T06. What is missing stands in the table as a red line.

#include "core/answers/curves/figures.h"
#include "core/answers/propose/input.h"
#include "core/answers/propose/sheet.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct Proposal {
    std::string unit;                     // "GPU-hour"
    Campaign campaign;
    Campaign predicted;                   // the same rows, had nothing been measured
    double award = 0;
    Scaling strong, weak;
    std::vector<CheckpointVerdict> checkpoints;
    std::vector<Sheet> tables;            // T01 to T12
};

// Nothing of the programme's unit on the first plan's machine: the caller says so. `input.plans` all end.
std::optional<double> rate_of(const ProposalInput&);
std::string unit_name(const Programme&, const Machine&);
Proposal proposal_of(const ProposalInput&);
// "Hypothetical machine: PUE 1.2.", of each plan whose machine is not as its preset has it; empty where all are. Every
// table and figure ends with it, and every text begins with it.
std::string hypothetical_machines(const ProposalInput&);

// ---- Of single tables, for whoever shows them alone

Sheet request_table(const ProposalInput&, const Proposal&);        // T01
Sheet conversion_table(const ProposalInput&, const Proposal&);     // T02
Sheet runs_table(const ProposalInput&, const Proposal&);           // T03
// Which measured steps the hours of T03 rest on and what that changes, or that they are predicted.
std::vector<std::string> basis_of_hours(const ProposalInput&, const Proposal&);
Sheet job_table(const ProposalInput&, const Proposal&);            // T04
Sheet scaling_table(const ProposalInput&, const Scaling&);         // T05, T06
Sheet model_table(const ProposalInput&, const Proposal&);          // T07
Sheet memory_table(const ProposalInput&);                          // T08
Sheet storage_table(const ProposalInput&, const Proposal&);        // T09
// A time of writing that is shorter than the file system allows, as a line in red; empty: it is not.
std::string say_above(const Scenario&, const Resilience&);
Sheet resilience_table(const ProposalInput&);                      // T10
Sheet energy_table(const ProposalInput&, const Proposal&);         // T11
Sheet assumption_table(const ProposalInput&);                      // T12

// By which measured runs of other plans move the first plan's steps: 1 where its own were measured on its machine.
double factor_of_others(const ProposalInput&, const Scaling& strong);

// A number for a table: whole above a thousand, else four significant digits.
std::string cell_number(double);
// An expected number of failures: "0.8", "12", "below 0.1".
std::string say_expected(double);

}  // namespace plimsoll
