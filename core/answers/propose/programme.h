#pragma once
// A programme that grants time on machines: what it counts in, what it asks for and when unused hours are lost. Data of
// presets/programmes, one file each, dated and with sources; nothing here knows any programme by name.
//
//   units_per_node_hour(csc_roihu, roihu) == 800        // 200 billing units per GPU-hour, four GPUs a node
//
// What a programme does not say, or what was looked for and not found, is empty: a profile that is not complete says
// so, and nothing here fills a gap.

#include "core/answers/campaign/hours.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class Completeness { complete, partial, skeleton };

struct ProgrammeUnit {
    std::string name;                               // "node-hour", "GPU-hour", "SU"
    std::string hour_of;                            // node, package, device, core or site: of machines not listed below
    double factor = 1;                              // units of one such hour
    std::map<std::string, double> per_node_hour;    // by the id of the machine
    double shortest_job_h = 0;                      // a shorter job is charged as long as this; 0: as it is
    std::string note;
};

enum class Loses { unused, shortfall, period, unstated };
std::string_view name_of_loss(Loses);               // of the unused balance, of what is lacking, all of the period

// At the end of a month from the start: who has used less than a share loses a share.
struct UseCheckpoint {
    double month = 0;
    double used_below = 0;                          // of the award
    Loses of = Loses::unstated;
    double share = 0;                               // of what is lost; 0 where it is not stated
};

struct AwardPeriods {
    std::string kind;                               // "calendar year", "six-month periods"
    double months = 12;                             // of an award
    int parts = 1;                                  // that it is divided into
    bool carry_over = true;                         // whether unused hours stay in the next part
    std::vector<UseCheckpoint> checkpoints;         // by month, then by the share
};

struct RequestLimits {
    std::optional<double> least, most;              // in the programme's unit
    std::optional<double> share_of_machine_year;    // above which a request is not reviewed
    std::string note;
};

struct ProgrammeDocument {
    std::string name;
    double pages = 0, megabytes = 0;                // 0: no limit is known
    std::string note;
};

struct EvidenceWanted {
    int points = 0;                                 // node counts; 0: not stated
    double efficiency_floor = 0;                    // 0: none
    std::string baseline;                           // "smallest that holds the input"
    int repeats = 0;                                // of each point
    bool different_days = false, gpu_utilisation = false, same_machine = false, job_script = false;
    std::string note;
};

// How a programme wants energy and carbon worked out; zeros where it has no rule.
struct EnergyRule {
    double node_kW_if_unmeasured = 0;
    double overhead = 1, plant = 1;                 // factors on the nodes' energy
    double embodied_kg_per_unit = 0;
    double grid_g_per_kWh = 0;
    std::string note;
};

// A requirement as the programme words it, and what of the pack meets it.
struct Requirement {
    std::string text, source;
    std::string met_by;                             // "T05", "text:extrapolation"; empty: whoever applies has to
    std::vector<std::string> parts = {};            // of a table its columns or rows, of a figure its series
};

struct ProposalSection {
    std::string title;
    std::vector<std::string> items;                 // "text:code", "T05", "F01"
};

struct Programme {
    std::string id, name, country, as_of, note;
    std::string state;                              // of a profile: complete, partial or skeleton
    std::vector<std::string> machines;              // ids of presets
    std::vector<std::string> other_machines;        // that no preset describes
    double cores_per_node = 0;                      // where core-hours are not the site's unit
    ProgrammeUnit unit;
    AwardPeriods periods;
    RequestLimits request;
    std::vector<ProgrammeDocument> documents;
    EvidenceWanted evidence;
    EnergyRule energy;
    std::vector<Requirement> requirements;
    std::vector<ProposalSection> sections;
    std::vector<std::string> citations;             // where the facts were read, with the date of the copy
    Completeness completeness() const;
};

// Nothing where neither the machine is listed nor the unit is an hour of something the machine has.
std::optional<double> units_per_node_hour(const Programme&, const Machine&);
// What one job is charged: not less than the shortest job.
double charged_node_hours(const Programme&, int nodes, double hours);
bool offers(const Programme&, const Machine&);

// "INCITE, profile of 2026-10": for the foot of a page or a table.
std::string say_date(const Programme&);
// What the profile is worth, in two or three sentences that a document says once.
std::string say_worth(const Programme&);
std::string say(const UseCheckpoint&);

}  // namespace plimsoll
