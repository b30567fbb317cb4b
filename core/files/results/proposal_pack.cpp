#include "core/files/results/proposal_pack.h"

#include "core/files/launch/launch.h"
#include "core/files/presets/plan_link.h"
#include "core/files/measured/scaling_runs.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/spreadsheet.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"
#include "core/answers/propose/measured_hours.h"

#include <algorithm>
#include <set>

namespace plimsoll {

namespace {

std::string hash_of(const ProposalInput& in) {
    Fingerprint f;
    f.add(in.programme.id).add(in.programme.as_of).add(in.start).add(in.version);
    for (const CampaignPlan& p : in.plans) f.add(p.hash);
    for (const ProposalBand& b : in.bands) f.add(shortest(b.time_factor)).add(b.anchored);
    f.add(scaling_runs_json(in.measured));
    f.add(in.award ? shortest(*in.award) : "").add("|").add(in.rate ? shortest(*in.rate) : "");
    const CampaignOptions& c = in.campaign;
    for (const int n : c.runs) f.add(std::to_string(n)).add(",");
    for (const double v : {1.0 * c.ablations, c.ablation_share, 1.0 * c.evaluations, c.evaluation_share,
                           1.0 * c.scaling_points, 1.0 * c.scaling_repeats, c.scaling_h, c.contingency,
                           1.0 * c.checkpoints_kept})
        f.add(shortest(v)).add(",");
    return f.text();
}

// A name for the plan's files.
std::string stem_of(const ProposalInput& in, std::size_t i) {
    std::string stem;
    for (const char c : in.plans[i].plan.name)
        stem += std::isalnum((unsigned char)c) ? char(std::tolower((unsigned char)c)) : '-';
    while (stem.find("--") != std::string::npos) stem.erase(stem.find("--"), 1);
    while (!stem.empty() && stem.back() == '-') stem.pop_back();
    while (!stem.empty() && stem.front() == '-') stem.erase(0, 1);
    return (stem.empty() ? "plan" : stem.substr(0, 60)) + (in.plans.size() > 1 ? "-" + std::to_string(i + 1) : "");
}

std::string references(const ProposalInput& in) {
    std::string out;
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        out += "% " + visible(one_line(changed)) + "\n";
    out += "@misc{plimsoll,\n  title = {Plimsoll},\n  note = {version " + latex_text(in.version)
                    + ", predicts time, memory and energy of training}\n}\n";
    int n = 0;
    for (const std::string& source : in.programme.citations)
        out += "@misc{programme" + std::to_string(++n) + ",\n  title = {" + latex_text(in.programme.name)
             + "},\n  howpublished = {" + latex_text(source) + "}\n}\n";
    for (const ProposalSource& s : in.sources)
        out += "@misc{" + s.key + ",\n  title = {" + latex_text(s.text) + "},\n  note = {" + latex_text(s.of)
             + "}\n}\n";
    return out;
}

std::string readme(const ProposalInput& in, const ProposalPack& pack) {
    std::string out = "A proposal to " + in.programme.name + "\n\n" + say_worth(in.programme)
                    + "\n\nreport.md, report.html, report.tex   the text with its tables\n"
                      "checklist.md                          each requirement: met, missing or yours\n"
                      "tables/                               T01 to T12 as csv, md and tex"
                    + std::string(spreadsheets_are_here() ? ", and all of them as tables.xlsx" : "")
                    + "\n"
                      "figures/                              F01 to F10 as csv and, where drawn, as pictures\n"
                      "plan/, launch/                        the plans and their job scripts; fill in what is marked "
                      "FILL_IN\n"
                      "evidence/runs.json                    the measured runs as they were understood\n\n";
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        out += visible(one_line(changed)) + "\n\n";
    out += "Plimsoll " + in.version + "\nInputs: " + pack.hash + "\n";
    for (const CampaignPlan& p : in.plans)
        out += "Plan " + visible(one_line(p.plan.name)) + ": machine preset " + p.plan.machine.id + " as of "
             + (p.plan.machine.as_of.empty() ? "no date" : p.plan.machine.as_of) + ", " + p.hash + "\n";
    return out;
}

std::string caption_lines(const std::vector<ProposalFigure>& figures) {
    std::string out;
    for (const ProposalFigure& f : figures)
        out += f.id + ". " + f.figure.title + ". " + (f.missing.empty() ? f.figure.caption : "MISSING: " + f.missing)
             + "\n";
    return out;
}

}  // namespace

// The model's own prediction: what measured runs make of it stands beside it, told apart.
Expected<CampaignPlan, std::string> campaign_plan(const Scenario& given, const std::string& file) {
    const Scenario s = model_alone(given);
    Outcome o = estimate(s);
    if (!o) return Unexpected{std::string("cannot be computed")};
    if (fit_verdict(*o) == FitVerdict::does_not_fit) return Unexpected{std::string("does not fit in memory")};
    const Headline h = headline(s, *o);
    if (!totals(s, h, Counting::all).ends())
        return Unexpected{std::string("never ends: failures take all of the time")};
    return CampaignPlan{s, *std::move(o), h, plan_fingerprint(s), file};
}

namespace {

// Runs of other layers or machines tell of the plan, too, but are no measurements of it.
std::vector<TellingRun> runs_of_the_plan(const Anchoring& a, const std::vector<Anchor>& anchors) {
    std::vector<TellingRun> all;
    if (a.time_kin == Kin::other) return all;
    for (const Anchor& each : anchors) {
        if (!each.time_error || std::ranges::find(a.names, each.name) == a.names.end()) continue;
        const Scenario& run = each.plan;
        const Outcome o = estimate(run);
        if (!o) continue;
        all.push_back({each.name,
                       counted(run.model.layers, "layer", "layers") + " on "
                           + counted(run.layout.devices, "device", "devices"),
                       nodes_used(run), o->step.total(), o->step.total() / (1 + *each.time_error)});
    }
    return all;
}

}  // namespace

ProposalBand proposal_band(const Scenario& s, const Evidence& seen, const std::vector<Anchor>& anchors) {
    if (!anchors.empty())
        if (const Anchoring a = anchored(s, anchors, seen); a.time_share > 0)
            return {a.band.time, a.band.memory, a.band.time_wide, say_spread(a.before.time_spread),
                    say_beyond(a.before), a.time_factor, say_anchoring(a), runs_of_the_plan(a, anchors)};
    const Band b = band_of(s, seen);
    return {b.time, b.memory, b.time_wide, say_spread(b.time_spread), say_beyond(b)};
}

namespace {

// Texts of one kind of source once each, with what was read there.
class CitedTexts {
public:
    void add(const std::string& of, const Sources& sources) {
        for (const auto& [pointer, source] : sources) {
            add_fitted(source.text);
            const bool read = source.kind == SourceKind::vendor || source.kind == SourceKind::measured;
            if (read && !source.text.starts_with(fitted_to)) add(source.text, of);
        }
    }
    void add(const std::string& text, const std::string& of) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.text == text; });
        if (found == all.end()) all.push_back({"data" + std::to_string(all.size() + 1), text, of});
        else if (found->of.find(of) == std::string::npos) found->of += "; " + of;
    }
    std::set<std::string> fitted;              // ids of sources of published runs
    std::vector<ProposalSource> all;

private:
    // "Fitted to 8 measurements of caraml, crusher-fsdp-175b"
    static constexpr std::string_view fitted_to = "Fitted to ";
    void add_fitted(const std::string& text) {
        const std::size_t of = text.find(" of ");
        if (!text.starts_with(fitted_to) || of == text.npos) return;
        for (const std::string& id : split(text.substr(of + 4), ',')) fitted.insert(std::string(trimmed(id)));
    }
};

}  // namespace

std::vector<ProposalSource> proposal_sources(const std::vector<CampaignPlan>& plans, const TrackRecord& record) {
    CitedTexts texts;
    for (const CampaignPlan& p : plans) {
        texts.add("numbers of " + p.plan.model.name, p.plan.model.sources);
        texts.add("numbers of " + p.plan.machine.name, p.plan.machine.sources);
        texts.add("numbers of " + p.plan.stack.name, p.plan.stack.sources);
    }
    const RunKind kind = kind_of(plans.front().plan);
    std::set<std::string> both, device;
    for (const ScoredRow& r : record.score.rows)
        if (r.excluded.empty() && r.family == kind.device) {
            device.insert(r.source);
            if (r.plan.stack.id == kind.stack) both.insert(r.source);
        }
    const std::set<std::string>& held = both.empty() ? device : both;
    std::set<std::string> done;
    for (const PublishedRow& row : record.published) {
        const bool fitted = texts.fitted.contains(row.source), against = held.contains(row.source);
        if ((!fitted && !against) || !done.insert(row.source).second) continue;
        texts.add(row.source + ": " + (row.citation.empty() ? "published runs" : row.citation),
                  fitted && against ? "constants were fitted to it, predictions held against it"
                  : fitted          ? "constants were fitted to it"
                                    : "predictions were held against it");
    }
    return texts.all;
}

ProposalPack proposal_pack(const ProposalInput& given, const Library& library, bool pictures) {
    const UsualUnits same_for_everybody;
    const ProposalInput in = with_measured_hours(given);
    ProposalPack pack;
    pack.proposal = proposal_of(in);
    pack.figures = proposal_figures(in, pack.proposal);
    pack.checked = checked(in, pack.proposal, pack.figures);
    pack.basis = basis_of_hours(in, pack.proposal);
    pack.hash = hash_of(in);
    const auto add = [&](std::string path, std::string text) {
        pack.files.push_back({std::move(path), std::move(text)});
    };
    add("README.txt", readme(in, pack));
    pack.length = say_length(in, pack.proposal) + ' ' + documents_of(in.programme);
    add("checklist.md", checklist_markdown(in, pack.proposal, pack.checked));
    add("report.md", report_markdown(in, pack.proposal, pack.figures));
    add("report.html", report_html(in, pack.proposal, pack.figures, pictures ? "png" : ""));
    add("report.tex", report_latex(in, pack.proposal, pack.figures));
    for (const Sheet& s : pack.proposal.tables) {
        add("tables/" + s.id + ".csv", to_csv(s));
        add("tables/" + s.id + ".md", to_markdown(s));
        add("tables/" + s.id + ".tex", to_latex(s));
    }
    if (spreadsheets_are_here())
        if (auto book = to_xlsx(pack.proposal.tables)) add("tables/tables.xlsx", *std::move(book));
    for (const ProposalFigure& f : pack.figures)
        if (f.missing.empty()) add("figures/" + f.id + ".csv", to_csv(f.figure, in.plans.front().plan));
    add("figures/captions.txt", caption_lines(pack.figures));
    for (std::size_t i = 0; i < in.plans.size(); ++i) {
        add("plan/" + stem_of(in, i) + ".json", write_scenario(in.plans[i].plan, library));
        const Framework framework = usual_framework(in.plans[i].plan).value_or(Framework::megatron);
        const auto script = launch_script(in.plans[i].plan, framework);
        if (script) add("launch/" + stem_of(in, i) + ".sh", *script);
        else add("launch/" + stem_of(in, i) + ".txt",
                 "No script for " + std::string(title_of(framework)) + ":\n" + joined(script.error(), "\n") + "\n");
    }
    if (!in.measured.empty()) add("evidence/runs.json", scaling_runs_json(in.measured));
    add("references.bib", references(in));
    return pack;
}

}  // namespace plimsoll
