// What the numbers are worth and where the constants come from: plimsoll validate and fit.
#include "app/commands/command.h"

#include "app/commands/evidence_parts.h"
#include "app/commands/tables.h"
#include "core/evidence/fitting/fit.h"
#include "core/evidence/published/score.h"
#include "core/files/presets/preset_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/fit_recipe.h"
#include "core/files/results/left_out_json.h"
#include "core/files/results/memory_cases.h"
#include "core/files/results/published_runs.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <thread>

namespace plimsoll {

namespace {

// Ids first; a name that is none is a file.
std::vector<std::filesystem::path> run_files(const std::vector<std::string>& names, const Library& library) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) {
        const auto found = library.published_runs.find(name);
        paths.push_back(found == library.published_runs.end() ? std::filesystem::path(name) : found->second);
    }
    if (names.empty())
        for (const auto& [id, path] : library.published_runs) paths.push_back(path);
    return paths;
}

// Measured runs as named on the command line: ids of shipped tables, files, or nothing for all that ship.
Expected<PublishedRows, Refusal> read_measured_rows(const std::vector<std::string>& names, const Library& library) {
    PublishedRows all;
    for (const auto& path : run_files(names, library)) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error))
            return Unexpected{Refusal{exit_usage, "no file and no table of published runs '" + path.string() +
                                                      "'; 'plimsoll presets runs' lists them\n"}};
        const auto text = read_text(path);
        if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
        const auto rows = read_published_rows(*text, path.stem().string());
        if (!rows) return Unexpected{Refusal{exit_invalid_file, say(rows.error())}};
        all.insert(all.end(), rows->begin(), rows->end());
    }
    return all;
}

// ---- validate

constexpr int most_given = 3;            // rows of a source, as runs of one's own

struct ValidateArguments {
    std::vector<std::string> sets;
    std::string stack, anchor, cases;
    bool json = false, csv = false, operators = false, anchor_one = false, anchor_copies = false;
};

// Runs near the limit are slower than any formula here: the allocator retries.
std::string fill_level(const ScoredRow& r) {
    return r.memory_share > 1 ? "over" : r.memory_share > 0.9 ? "nearly full" : "fits";
}

void print_scored_rows(std::ostream& out, const std::vector<ScoredRow>& rows) {
    std::vector<std::string> told;  // what was assumed is said once, then only when it changes
    TextRows lines;
    const auto flush = [&] {
        if (lines.size() > 1) out << table(lines);
        lines = {{"run", "quantity", "published", "predicted", "error", "memory", ""}};
    };
    flush();
    for (const ScoredRow& r : rows) {
        if (!r.quantity.empty() && r.filled != told) {
            flush();
            told = r.filled;
            for (const std::string& sentence : told) out << "  assumed: " << sentence << "\n";
        }
        if (r.quantity.empty()) lines.push_back({r.id, "not scored: " + r.excluded});
        else
            lines.push_back({r.id, r.quantity, fixed(r.published, 3), fixed(r.predicted, 3), signed_percent(r.error),
                             fill_level(r), r.excluded});
    }
    flush();
    out << "\n";
}

void print_error_summaries(std::ostream& out, const char* what, const std::vector<ErrorSummary>& all) {
    TextRows rows{{what, "devices", "rows", "not scored", "mean abs.", "median", "bias", "worst"}};
    for (const ErrorSummary& s : all) {
        std::vector<std::string> row{s.name, s.family, std::to_string(s.rows), std::to_string(s.excluded)};
        if (s.counted() > 0)
            for (const std::string& cell :
                 {fixed(100 * s.mean_absolute, 2) + " %", fixed(100 * s.median_absolute, 2) + " %",
                  signed_percent(s.bias), signed_percent(s.worst) + " " + s.worst_id})
                row.push_back(cell);
        rows.push_back(row);
    }
    out << table(rows) << "\n";
}

std::string share_or(const std::optional<double>& value, const char* otherwise) {
    return value ? percent(*value, 2) : otherwise;
}

void print_score(std::ostream& out, const Score& s) {
    if (s.rows.empty()) return;
    print_scored_rows(out, s.rows);
    print_error_summaries(out, "source", s.sources);
    print_error_summaries(out, "device family", s.families);
    if (!s.expert_sources.empty()) print_error_summaries(out, "mixture of experts, source", s.expert_sources);
    if (!s.memory_rows.empty()) {
        print_scored_rows(out, s.memory_rows);
        print_error_summaries(out, "memory, source", s.memory_sources);
    }
    if (!s.other_rows.empty()) {
        out << "shown, not scored\n";
        print_scored_rows(out, s.other_rows);
    }
}

int run_cases(const std::string& file, const Library& library, const Stack* stack, bool json) {
    const auto text = read_text(file);
    if (!text) return refuse(Refusal{exit_invalid_file, say(text.error())});
    const auto cases = read_memory_cases(*text, std::filesystem::path(file).stem().string());
    if (!cases) return refuse(Refusal{exit_invalid_file, say(cases.error())});
    const JudgedCases judged = judge(*cases, row_presets(library), stack);
    if (json) std::cout << to_json(judged);
    else print_cases(std::cout, judged);
    return exit_ok;
}

int run_validate(const ValidateArguments& a) {
    if (a.operators) return validate_operators(a.sets, a.json);
    const Library& library = shipped_library();
    const Stack* stack = nullptr;
    if (!a.stack.empty()) {
        const auto found = library.stacks.find(a.stack);
        if (found == library.stacks.end()) {
            std::cerr << "no stack preset '" << a.stack << "'; 'plimsoll presets stacks' lists them\n";
            return exit_usage;
        }
        stack = &found->second;
    }
    if (!a.cases.empty()) return run_cases(a.cases, library, stack, a.json);
    const auto rows = read_measured_rows(a.sets, library);
    if (!rows) return refuse(rows.error());
    const Score scored = score(*rows, row_presets(library), stack);
    Problems problems;
    const LeftOut left_out = stack ? LeftOut{} : shipped_left_out(library, problems);
    if (!problems.empty()) std::cerr << say(problems);
    const Coverage coverage = coverage_of(scored, left_out);
    const std::vector<Sweep> sweeps = sweeps_of(scored.rows);
    std::vector<AnchoredSource> by_anchors;
    const auto anchors = anchors_of(a.anchor, nullptr);
    if (!anchors) return refuse(anchors.error());
    if (a.anchor_one) by_anchors = anchor_one(scored, left_out, most_given);
    else if (!anchors->empty()) by_anchors = anchor_with(scored, left_out, *anchors);
    std::vector<CopiedSource> copies;
    if (a.anchor_copies) copies = anchor_copies(scored, left_out);
    if (a.json) std::cout << to_json(scored, {left_out, coverage, sweeps, by_anchors, copies});
    else if (a.csv)
        std::cout << csv_header() << to_csv(scored.rows) << to_csv(scored.memory_rows) << to_csv(scored.other_rows);
    else {
        print_score(std::cout, scored);
        print_coverage(std::cout, coverage.sources);
        print_known(std::cout, coverage.known);
        print_regret(std::cout, sweeps);
        print_anchored(std::cout, by_anchors);
        print_copies(std::cout, copies);
        print_headline_score(std::cout, scored, left_out);
    }
    return exit_ok;
}

// ---- fit

struct FitArguments {
    std::vector<std::string> rows, free{"device", "network", "stack"};
    std::string recipe, leave_out = "none", left_out, out;
    bool json = false, operators = false, score_held_back = false;
};

constexpr double hardly = 0.5;          // of the prior's variance: below, the prior decides
constexpr std::size_t most_pulls = 10;

std::string share_or_nothing(const std::optional<double>& value) { return share_or(value, ""); }
std::string four_digits(double v) { return significant(v, 4); }

const char* quantity_name(Measured q) { return q == Measured::time ? "time" : "memory"; }

const char* kind_name(Measured q, bool experts) {
    return q == Measured::memory ? "memory" : experts ? "time, experts" : "time";
}

// The median over all sources, and over those of enough rows to count in the headline.
void add_medians(TextRows& rows, const std::vector<SourceError>& sources, Measured q, bool experts) {
    for (const int least : {1, headline_rows}) {
        const auto at = [&](FitStage stage) { return median_error(sources, q, stage, experts, least); };
        if (!at(FitStage::fitted)) continue;
        rows.push_back({least == 1 ? "median over sources"
                                   : "median, sources of " + std::to_string(least) + " rows and more",
                        kind_name(q, experts), "", share_or_nothing(at(FitStage::before)),
                        share_or_nothing(at(FitStage::fitted)), share_or_nothing(at(FitStage::left_out))});
    }
}

void print_sources(std::ostream& out, const std::string& title, const std::vector<SourceError>& sources) {
    TextRows rows{{"source", "of", "rows", "before", "fitted", "left out"}};
    for (const SourceError& e : sources)
        rows.push_back({e.source, kind_name(e.quantity, e.experts), std::to_string(e.rows),
                        share_or_nothing(e.before), share_or_nothing(e.fitted), share_or_nothing(e.left_out)});
    add_medians(rows, sources, Measured::time, false);
    add_medians(rows, sources, Measured::time, true);
    add_medians(rows, sources, Measured::memory, false);
    out << title << "\n" << table(rows) << "\n";
}

void print_constants(std::ostream& out, const std::vector<FittedConstant>& constants) {
    TextRows rows{{"constant", "unit", "prior", "fitted", "from", "to", "determined"}};
    for (const FittedConstant& f : constants)
        rows.push_back({f.constant.id(), f.constant.knob->unit, four_digits(f.constant.prior), four_digits(f.value),
                        four_digits(f.low), four_digits(f.high),
                        fixed(100 * f.determined, 0) + " %" + (f.at_limit ? ", at its limit" : "")});
    out << "Constants: two standard deviations either way; determined: share of the prior's variance the rows removed\n"
        << table(rows);
    const auto held = std::count_if(constants.begin(), constants.end(),
                                    [](const FittedConstant& f) { return f.determined < hardly; });
    out << constants.size() << " constants, " << constants.size() - held << " determined by the rows, " << held
        << " held by their priors\n\n";
}

void print_pulls(std::ostream& out, const FitProblem& problem, const Fit& f) {
    TextRows rows{{"rows that pull hardest", "of", "error", "moves the constants by"}};
    for (std::size_t i = 0; i < std::min(most_pulls, f.pulls.size()); ++i) {
        const std::size_t at = f.pulls[i].observation;
        const Observation& o = problem.observations[at];
        rows.push_back(
            {o.id, quantity_name(o.quantity), signed_percent(f.errors[at]), fixed(f.pulls[i].shift, 2) + " sigma"});
    }
    out << table(rows) << "\n";
}

void print_fit(std::ostream& out, const FitProblem& problem, const FitReport& r) {
    print_sources(out, "Mean absolute error per source", r.sources);
    print_constants(out, r.fit.constants);
    print_pulls(out, problem, r.fit);
    out << problem.observations.size() << " measurements, " << r.fit.steps << " steps, loss " << fixed(r.fit.loss, 3)
        << (r.fit.converged ? "\n" : ", not converged\n");
}

namespace fs = std::filesystem;

Refusal usage_refusal(const std::string& message) { return {exit_usage, message + "\n"}; }

Expected<FitRecipe, Refusal> recipe_of(const FitArguments& a, const Library& library) {
    const auto shipped = library.fits.find(a.recipe);
    const fs::path path = shipped == library.fits.end() ? fs::path(a.recipe) : shipped->second;
    const auto text = read_text(path);
    if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
    auto recipe = read_fit_recipe(*text, library.machines, library.stacks, path.string());
    if (!recipe) return Unexpected{Refusal{exit_invalid_file, say(recipe.error())}};
    if (!a.rows.empty()) recipe->rows = a.rows;
    return *std::move(recipe);
}

// What is fitted, and the rows that are kept from it.
struct FitTask {
    FitProblem problem;
    std::vector<Observation> held_back;
};

Expected<FitTask, Refusal> task_of(const FitArguments& a, const Library& library) {
    FitRecipe recipe;
    recipe.rows = a.rows;
    if (!a.recipe.empty()) {
        auto read = recipe_of(a, library);
        if (!read) return Unexpected{read.error()};
        recipe = *std::move(read);
    }
    const auto rows = read_measured_rows(recipe.rows, library);
    if (!rows) return Unexpected{rows.error()};
    FitTask task;
    FitProblem& problem = task.problem;
    problem.observations = observations_of(score(*rows, row_presets(library)), recipe.dense_only);
    task.held_back = take_held_back(problem.observations, recipe.hold_back);
    if (problem.observations.empty())
        return Unexpected{
            usage_refusal("none of the rows can be predicted: 'plimsoll validate' with the same files says why")};
    problem.constants = std::move(recipe.constants);
    if (!problem.constants.empty()) return task;
    std::vector<Scenario> plans;
    for (const Observation& o : problem.observations) plans.push_back(o.plan);
    auto chosen = choose(a.free, plans, library.machines, library.stacks);
    if (!chosen) return Unexpected{usage_refusal("--free " + chosen.error())};
    problem.constants = *std::move(chosen);
    return task;
}

// One preset under a name of its own, or all of them in the folders a library reads.
using Texts = std::vector<std::pair<fs::path, std::string>>;

Expected<Texts, Refusal> texts_of(Overlay o, const fs::path& out) {
    Texts texts;
    if (out.extension() != ".json") {
        for (const auto& [id, m] : o.machines) texts.emplace_back(out / "machines" / (id + ".json"), write_machine(m));
        for (const auto& [id, k] : o.stacks) texts.emplace_back(out / "stacks" / (id + ".json"), write_stack(k));
        return texts;
    }
    if (o.machines.size() + o.stacks.size() != 1)
        return Unexpected{usage_refusal(
            "--out " + out.string() + " is one preset, but " + std::to_string(o.machines.size()) + " machines and "
            + std::to_string(o.stacks.size()) + " stacks change: name a directory, or free less")};
    const std::string id = out.stem().string();
    for (auto& [old, m] : o.machines) texts.emplace_back(out, (m.id = id, write_machine(m)));
    for (auto& [old, k] : o.stacks) texts.emplace_back(out, (k.id = id, write_stack(k)));
    return texts;
}

int write_presets(const FitProblem& problem, const Fit& f, const Library& library, const fs::path& out) {
    const auto texts = texts_of(overlay(problem, f.constants, library.machines, library.stacks), out);
    if (!texts) return refuse(texts.error());
    for (const auto& [path, text] : *texts) {
        std::error_code error;
        if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
        if (const auto written = write_atomically(path, text); !written)
            return refuse(Refusal{exit_failure, say(written.error())});
        std::cerr << "wrote " << path.string() << "\n";
    }
    return exit_ok;
}

Expected<bool, Refusal> write_left_out_errors(const FitProblem& problem, const FitReport& report,
                                              const FitArguments& a) {
    if (a.left_out.empty()) return true;
    const auto written =
        write_atomically(a.left_out, write_left_out({a.recipe, left_out_rows(problem, report)}));
    if (!written) return Unexpected{Refusal{exit_failure, say(written.error())}};
    std::cerr << "wrote " << a.left_out << "\n";
    return true;
}

LeaveOut leave_out_of(const FitArguments& a) {
    return a.leave_out == "source" ? LeaveOut::source : a.leave_out == "vendor" ? LeaveOut::vendor : LeaveOut::none;
}

int run_fit(const FitArguments& a) {
    if (a.operators) return fit_operator_constants(a.rows, a.out, a.json);
    const Library& library = shipped_library();
    if (!a.left_out.empty() && a.leave_out != "source")
        return refuse(usage_refusal("--left-out needs --leave-out source: it writes the errors of sources left out"));
    const auto task = task_of(a, library);
    if (!task) return refuse(task.error());
    const FitProblem& problem = task->problem;
    const int threads = int(std::max(1u, std::thread::hardware_concurrency()));
    const FitReport report = fitted(problem, leave_out_of(a), threads);
    std::vector<SourceError> held_back;
    if (a.score_held_back) held_back = held_back_errors(task->held_back, report.fit);
    if (a.json) std::cout << write_fit(problem, report, held_back);
    else {
        print_fit(std::cout, problem, report);
        if (!held_back.empty()) print_sources(std::cout, "\nRows that no fit saw", held_back);
    }
    if (const auto written = write_left_out_errors(problem, report, a); !written) return refuse(written.error());
    return a.out.empty() ? exit_ok : write_presets(problem, report.fit, library, a.out);
}

}  // namespace

void add_validate(Program& program) {
    const auto a = std::make_shared<ValidateArguments>();
    CLI::App& command = add_command(program.app, {
        "validate", "Predictions beside published runs, with the error of each",
        "Predicts every published run and prints the prediction beside the measured value and the error of every "
        "source. Rows that do not count stay in the list with their reason. Then come the ranges that rows get without "
        "their source and how many lie inside, what choosing layouts by prediction costs in published sweeps of "
        "layouts, and the headline: the median over sources, each predicted without its own rows."});
    command.add_option("sets", a->sets, "Files or ids of shipped sets (default: all shipped)")->type_name(file_value);
    command.add_option("--stack", a->stack, "Predict every run with this one stack preset")->type_name("ID");
    auto* anchor = add_anchor(command, a->anchor);
    command.add_flag("--anchor-one", a->anchor_one,
        "Also predict the rows of every source of five rows and more with one of them given, as a run of your own "
        "would be, with two and with three")
        ->excludes(anchor);
    command.add_flag("--anchor-copies", a->anchor_copies,
        "Also predict every row with a copy of it given, a run of the same source cut in layers and replicas, as a "
        "short run of your own would be; with two, and with one on an eighth of the devices");
    command.add_option("--cases", a->cases,
        "Instead: plans of this file that ran or ran out of memory, and what is said of their memory")
        ->type_name(file_value)->excludes(anchor);
    auto* json = command.add_flag("--json", a->json, "As JSON");
    auto* csv = command.add_flag("--csv", a->csv, "As CSV, one line for every run")->excludes(json);
    command.add_flag("--operators", a->operators,
        "Single operators instead of runs: products, attention, collectives, as published, against their price")
        ->excludes(csv);
    command.callback([a, &program] { program.code = run_validate(*a); });
}

void add_fit(Program& program) {
    const auto a = std::make_shared<FitArguments>();
    CLI::App& command = add_command(program.app, {
        "fit", "Constants of machines and stacks from measured runs, with intervals",
        "Fits constants to measured runs, your own or published ones. Prints values with intervals and the errors "
        "of every source, and with --out writes the presets that change. --recipe shipped gives the constants of the "
        "shipped presets."});
    command.add_option("rows", a->rows, "Files of measured runs or ids of published ones (default: all published)")
        ->type_name(file_value);
    auto* free = command.add_option("--free", a->free,
        "What may change: device, network, stack, experts, memory, the id of a constant, or id@name for one machine, "
        "family or "
        "stack; several with commas")
        ->delimiter(',')->allow_extra_args(false)->type_name("LIST");
    command.add_option("--recipe", a->recipe,
        "File or id that lists rows and constants; 'shipped' gives the constants of the presets")
        ->excludes(free)->type_name(file_value);
    command.add_flag("--operators", a->operators,
        "Constants of devices and networks from measured operators instead of runs; ROWS are their tables")
        ->excludes(free);
    command.add_option("--leave-out", a->leave_out,
        "source: also fit without each source in turn and predict it; vendor: without all sources of who made and "
        "reports them")
        ->check(CLI::IsMember({"none", "source", "vendor"}));
    command.add_option("--left-out", a->left_out,
        "Where to write the error of every row with its source left out: presets/fits/left_out.json ships")
        ->type_name(file_value);
    command.add_flag("--score-held-back", a->score_held_back,
        "Also predict the rows that the recipe holds back from every fit");
    command.add_option("--out", a->out,
        "Where to write the presets that change: a directory like presets/, or one .json")->type_name(file_value);
    command.add_flag("--json", a->json, "As JSON");
    command.callback([a, &program] { program.code = run_fit(*a); });
}

}  // namespace plimsoll
