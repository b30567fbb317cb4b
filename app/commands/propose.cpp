// plimsoll propose: the pack of a proposal to a programme.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/evidence/published/band.h"
#include "core/files/measured/scaling_runs.h"
#include "core/files/presets/programme_json.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/proposal_pack.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/foreign_text.h"

#include <filesystem>
#include <iostream>
#include <set>

namespace plimsoll {

namespace {

struct ProposeArguments {
    std::string programme;
    std::vector<std::string> plans, settings;
    std::string measured, anchor, start = "2027-01-01", out, price;
    double award = 0, rate = 0;
    CampaignOptions campaign;
    bool no_figures = false;
};

Expected<ProposalInput, Refusal> input_of(const ProposeArguments& a) {
    ProposalInput in;
    const auto programme = load_programme(a.programme, shipped_library());
    if (!programme) return Unexpected{Refusal{exit_invalid_file, say(programme.error())}};
    if (!programme->warnings.empty()) std::cerr << say(programme->warnings);
    in.programme = programme->programme;
    const TrackRecord record = track_record(shipped_library());
    const auto anchors = anchors_of(a.anchor, nullptr);
    if (!anchors) return Unexpected{anchors.error()};
    for (const std::string& file : a.plans) {
        const auto scenario = load_plan({file, a.settings, a.price});
        if (!scenario) return Unexpected{scenario.error()};
        auto plan = campaign_plan(*scenario, file);
        if (!plan)
            return Unexpected{Refusal{exit_infeasible,
                                      file + ": the plan " + plan.error() + "; plimsoll estimate says why\n"}};
        in.bands.push_back(proposal_band(*scenario, record.evidence, *anchors));
        in.plans.push_back(*std::move(plan));
    }
    if (!a.measured.empty()) {
        auto measured = load_scaling_runs(a.measured);
        if (!measured) return Unexpected{Refusal{exit_invalid_file, say(measured.error())}};
        in.measured = *std::move(measured);
    }
    in.sources = proposal_sources(in.plans, record);
    if (!is_date(a.start))
        return Unexpected{Refusal{exit_usage, "--start " + a.start + ": expected a date as 2027-01-01\n"}};
    in.start = a.start;
    in.campaign = a.campaign;
    if (a.award > 0) in.award = a.award;
    if (a.rate > 0) in.rate = a.rate;
    in.version = PLIMSOLL_VERSION;
    if (!rate_of(in))
        return Unexpected{Refusal{exit_usage,
            in.programme.id + " does not say how many " + in.programme.unit.name + "s a node-hour of "
                + in.plans.front().plan.machine.id + " is; state them with --units-per-node-hour\n"}};
    return in;
}

int write_pack(const ProposalPack& pack, const std::filesystem::path& out) {
    for (const PackFile& f : pack.files) {
        std::error_code error;
        std::filesystem::create_directories((out / f.path).parent_path(), error);
        if (error) return refuse(Refusal{exit_failure, (out / f.path).string() + ": " + error.message() + "\n"});
        if (const auto written = write_atomically(out / f.path, f.text); !written)
            return refuse(Refusal{exit_failure, say(written.error())});
    }
    return exit_ok;
}

void print_summary(const ProposalInput& in, const ProposalPack& pack, const std::string& out) {
    const Campaign& c = pack.proposal.campaign;
    std::cout << say_worth(in.programme) << "\n\n";
    TextRows rows{{"run", "per run", "runs", pack.proposal.unit}};
    for (const CampaignRow& r : c.rows)
        rows.push_back({r.experiment, fixed(r.units_each, 0), std::to_string(r.runs), fixed(r.units, 0)});
    rows.push_back({"all", "", "", fixed(c.units, 0)});
    std::cout << table(rows) << "\n";
    for (const std::string& line : pack.basis) std::cout << line << "\n";
    int met = 0, missing = 0, yours = 0;
    for (const CheckedRequirement& r : pack.checked)
        ++(r.met == Met::met ? met : r.met == Met::missing ? missing : yours);
    std::cout << met << " requirements met, " << missing << " missing, " << yours << " for you to meet.\n";
    std::set<std::string> said;   // several requirements may lack the same
    for (const CheckedRequirement& r : pack.checked)
        for (const std::string& l : r.lacks)
            if (said.insert(r.requirement.met_by + l).second)
                std::cout << "  missing, " << r.requirement.met_by << ": " << l << "\n";
    std::cout << "Wrote " << pack.files.size() << " files to " << out << ".\n";
}

int run_propose(const ProposeArguments& a, Window* window) {
    const auto in = input_of(a);
    if (!in) return refuse(in.error());
    const bool draws = window && !a.no_figures;
    const ProposalPack pack = proposal_pack(*in, shipped_library(), draws);
    const int code = draws ? window->write_proposal(pack, a.out, say_date(in->programme)) : write_pack(pack, a.out);
    if (code != exit_ok) return code;
    print_summary(*in, pack, a.out);
    return exit_ok;
}

}  // namespace

void add_propose(Program& program) {
    const auto a = std::make_shared<ProposeArguments>();
    CLI::App& command = add_command(program.app, {
        "propose", "Tables, text and figures of a proposal to an allocation programme",
        "PROGRAMME is the id of a profile ('plimsoll presets programmes' lists them) or a file. Writes a folder with "
        "the tables T01 to T12 as Markdown, CSV and LaTeX, a report in the programme's order and unit, a checklist, "
        "the plans and their job scripts. What is missing stands there in red. Only runs of --measured enter "
        "the tables of measurements, and the hours are asked for by their steps; else by what --anchor says.\n\n"
        "The same inputs give the same files, byte for byte. Profiles are dated and say "
        "how complete they are: check them against the current call."});
    command.add_option("programme", a->programme, "Id of a programme's profile, or its file")
        ->required()->type_name("PROGRAMME");
    command.add_option("plans", a->plans, "Scenario files or ids; the first is the one that is measured")
        ->required()->type_name(scenario_value);
    command.add_option("--out", a->out, "Folder to write to")->required()->type_name(folder_value);
    add_settings(command, a->settings, "Change a knob of every plan first");
    command.add_option("--measured", a->measured,
        "Your own runs, CSV or JSON: nodes, step_s, and machine, date, job, scaling, gpu_utilisation")
        ->type_name(file_value);
    add_anchor(command, a->anchor);
    command.add_option("--start", a->start, "First day of the award (default: 2027-01-01)")->type_name("DATE");
    command.add_option("--award", a->award, "Award in the programme's unit (default: what the runs take)")
        ->check(CLI::PositiveNumber);
    command.add_option("--units-per-node-hour", a->rate, "Instead of what the profile says")
        ->check(CLI::PositiveNumber);
    command.add_option("--price", a->price, "What an hour costs you, as 2.69 CHF/node-hour")->type_name("PRICE");
    command.add_option("--runs", a->campaign.runs, "Production runs of each plan (default: one)")
        ->delimiter(',')->check(CLI::Range(1, 1000000))->type_name("LIST");
    command.add_option("--ablations", a->campaign.ablations, "Ablation runs (default: 8)")
        ->check(CLI::Range(0, 1000000));
    command.add_option("--ablation-share", a->campaign.ablation_share,
        "Of the first plan's training each (default: 0.01)")->check(CLI::Range(0.0, 1.0));
    command.add_option("--evaluations", a->campaign.evaluations, "Evaluation runs (default: 20)")
        ->check(CLI::Range(0, 1000000));
    command.add_option("--evaluation-share", a->campaign.evaluation_share, "Likewise (default: 0.0025)")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--scaling-points", a->campaign.scaling_points, "Node counts of scaling runs (default: 4)")
        ->check(CLI::Range(0, 1000));
    command.add_option("--scaling-repeats", a->campaign.scaling_repeats, "Runs of each (default: 2)")
        ->check(CLI::Range(0, 1000));
    command.add_option("--scaling-hours", a->campaign.scaling_h, "Of each scaling run (default: 0.5)")
        ->check(CLI::Range(0.0, 1000.0));
    command.add_option("--contingency", a->campaign.contingency, "Share of all other runs (default: 0.1)")
        ->check(CLI::Range(0.0, 10.0));
    command.add_option("--checkpoints", a->campaign.checkpoints_kept, "Kept of each run (default: 3)")
        ->check(CLI::Range(1, 100000));
    command.add_flag("--no-figures", a->no_figures, "Figures as data only; without a window they always are");
    command.callback([a, &program] { program.code = run_propose(*a, program.window); });
}

}  // namespace plimsoll
