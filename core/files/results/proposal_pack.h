#pragma once
// The files of a proposal: tables, figures as data, reports, checklist, plans, job scripts, evidence.
//
//   for (const PackFile& f : proposal_pack(in, library)) write(out / f.path, f.text);
//
// The same inputs give the same bytes: nothing of the day, the machine or the user is in them.

#include "core/answers/propose/report.h"
#include "core/evidence/published/band.h"
#include "core/files/presets/library.h"
#include "core/files/results/track_record.h"

#include <string>
#include <vector>

namespace plimsoll {

struct PackFile {
    std::string path;      // "tables/T01.csv"
    std::string text;
};

struct ProposalPack {
    Proposal proposal;
    std::vector<ProposalFigure> figures;
    std::vector<CheckedRequirement> checked;
    std::vector<PackFile> files;
    std::vector<std::string> basis;   // which measured steps the hours rest on
    std::string length;    // of the report, and of the documents that the programme asks for
    std::string hash;      // of the inputs
};

// A plan as a proposal takes it; or why it cannot stand in one: "does not fit in memory".
Expected<CampaignPlan, std::string> campaign_plan(const Scenario&, const std::string& file = {});
// How far off its prediction may be, in words, and what measured runs of one's own make of it.
ProposalBand proposal_band(const Scenario&, const Evidence&, const std::vector<Anchor>& = {});
// Where the numbers of these plans were read, and the published runs that constants were fitted to and predictions held
// against: those with the first plan's device and software, else those with its device.
std::vector<ProposalSource> proposal_sources(const std::vector<CampaignPlan>&, const TrackRecord&);

// `pictures`: whether whoever writes the pack also draws the figures, as figures/F01.png.
ProposalPack proposal_pack(const ProposalInput&, const Library&, bool pictures);

}  // namespace plimsoll
