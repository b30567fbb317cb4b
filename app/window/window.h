#pragma once
// The planner's window, as the command line knows it.

#include "app/commands/window.h"

namespace plimsoll {

class PlannerWindow final : public Window {
public:
    PlannerWindow(int argc, char** argv) : argc_(argc), argv_(argv) {}   // of main(): Qt keeps them

    int open(const std::string& file, const std::string& language) override;
    int export_figures(const Scenario&, const std::string& folder, const ExportOptions&,
                       const MeasuredScaling&) override;
    int write_proposal(const ProposalPack&, const std::string& folder, const std::string& footer) override;
    int take(const Screenshot&) override;
    WindowTimes measure_frames(int frames) override;
    AutomaticTimes measure_live(const Scenario&, int moves) override;

private:
    int argc_;
    char** argv_;
};

}  // namespace plimsoll
