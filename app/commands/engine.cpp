// plimsoll engine: starts the micro-trainer, shows what it says, and sets a measured step beside the predicted one.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/plan/estimate.h"
#include "core/evidence/calibration/fit/measurements.h"
#include "core/evidence/calibration/plan/trial.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/this_computer.h"
#include "core/files/measured/engine_log.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

namespace plimsoll {

namespace {

struct EngineArguments {
    std::string plan, check;          // plan as in PlanArguments; check: a log
    std::vector<std::string> settings;
    std::vector<std::string> words;   // for the engine, as they came
    int ranks = 0;                    // 0: what the words' layout takes
    bool as_planned = false, json = false;
};

// ---- A run as a table on the terminal, line by line

constexpr const char* step_columns = "%6s  %8s  %9s  %10s  %10s  %10s  %s\n";

std::string step_line(const std::string& step, const std::string& loss, const std::string& norm,
                      const std::string& time, const std::string& rate, const std::string& memory,
                      const std::string& quality) {
    char text[512];
    std::snprintf(text, sizeof text, step_columns, step.c_str(), loss.c_str(), norm.c_str(), time.c_str(), rate.c_str(),
                  memory.c_str(), quality.c_str());
    std::string out = text;
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
    return out;
}

std::string if_finite(const std::optional<double>& value, int decimals) {
    return value ? fixed(*value, decimals) : "not finite";
}

std::string step_row(const EngineStep& s) {
    const std::string memory = s.memory_peak > Bytes{} ? say(s.memory_peak) : "";
    return step_line(std::to_string(s.step), if_finite(s.loss, 4), if_finite(s.grad_norm, 4), say(s.wall),
                     say_count(s.rate() / (token / second)), memory, joined(s.quality));
}

std::string layout_head(const EngineLayout& l) {
    std::string said = counted(l.ranks(), "rank", "ranks") + ": data " + std::to_string(l.data) + " x tensor " +
                       std::to_string(l.tensor) + " x pipeline " + std::to_string(l.pipeline);
    if (l.predicted) said += ", " + say(l.predicted->total()) + " on the fullest by the engine's dry run";
    return said + "\n" + step_line("step", "loss", "grad norm", "time", "tokens/s", "memory", "");
}

std::string note_line(const EngineNote& n) {
    std::string said = n.error ? "error" : "warning";
    if (n.rank && *n.rank >= 0) said += ", rank " + std::to_string(*n.rank);
    return said + ": " + n.text + (n.text.empty() ? n.code : "") + "\n";
}

// What the event adds to the table; empty for those that have no place in it.
std::string row_of(const EngineEvent& event) {
    if (const auto* step = std::get_if<EngineStep>(&event)) return step_row(*step);
    if (const auto* layout = std::get_if<EngineLayout>(&event)) return layout_head(*layout);
    if (const auto* said = std::get_if<EngineNote>(&event)) return note_line(*said);
    return {};
}

// How the run ended, and its typical step.
std::string end_of(const EngineLog& log) {
    std::string said = log.state();
    if (const auto step = log.typical_step())
        said += "; step " + say(step->wall) + ", " + say_count(step->rate() / (token / second)) + " tokens per second";
    return said + "\n";
}

// Parts of the typical step and peak memory beside the estimate's. Empty without a step.
std::string beside(const EngineLog& log, const Scenario& s, const Estimate& e) {
    const auto step = log.typical_step();
    if (!step) return {};
    TextRows rows{{"part of a step", "measured", "predicted", "predicted / measured"}};
    const auto add = [&](const std::string& label, auto measured, auto predicted) {
        rows.push_back({label, say(measured), say(predicted),
                        measured > decltype(measured){} ? fixed(predicted / measured, 2) : ""});
    };
    for (const PartRow& part : compare_parts(step->parts.mean, e.step)) add(part.label, part.measured, part.predicted);
    add("Step", step->wall, e.step.total());
    if (step->memory_peak > Bytes{}) add("Memory", step->memory_peak, e.worst().total());
    const bool contended = std::find(step->quality.begin(), step->quality.end(), "contended") != step->quality.end();
    return table(rows) + calibration_note(s.machine) + "\n"
         + (contended ? "Contended: other programs took part of the cores while this was measured.\n" : "");
}

// ---- The run

struct EngineJob {
    std::vector<std::string> words;   // for the engine
    int ranks = 1;
    std::optional<Scenario> plan;     // whose options they are
};

bool given(const std::vector<std::string>& words, const std::string& name) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& w) { return w == name || w.starts_with(name + "="); });
}

Refusal cannot_run(const std::vector<std::string>& sentences) {
    Refusal r{exit_infeasible, "The engine cannot run this plan:\n"};
    for (const std::string& each : sentences) r.message += "  " + each + "\n";
    return r;
}

// What the plan fixes, less what may be said over it. Of layout and model nothing may be: the prediction is the plan's.
Expected<std::vector<std::string>, Refusal> merged(const std::vector<std::string>& plan,
                                                   const std::vector<std::string>& over) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < plan.size();) {
        std::size_t next = i + 1;
        while (next < plan.size() && !plan[next].starts_with("--")) ++next;
        if (!given(over, plan[i])) words.insert(words.end(), plan.begin() + long(i), plan.begin() + long(next));
        else if (plan[i] != "--steps" && plan[i] != "--optimizer" && plan[i] != "--rate")
            return Unexpected{Refusal{exit_usage, plan[i] + " comes from the plan; change the plan with --set\n"}};
        i = next;
    }
    words.insert(words.end(), over.begin(), over.end());
    return words;
}

Expected<Scenario, Refusal> engine_plan(const EngineArguments& a) {
    auto plan = load_plan({a.plan, a.settings});
    if (!plan || a.as_planned) return plan;
    const Library& library = shipped_library();
    const auto machine = library.machines.find("cpu-2core");
    const auto stack = library.stacks.find("plimsoll-engine");
    if (machine == library.machines.end() || stack == library.stacks.end())
        return Unexpected{Refusal{exit_invalid_file, "the presets cpu-2core and plimsoll-engine are not there: "
                                                     "--as-planned predicts without them\n"}};
    return on_computer(*plan, machine->second, this_computer(), stack->second);
}

Expected<EngineJob, Refusal> engine_job(const EngineArguments& a) {
    EngineJob job{a.words, a.ranks > 0 ? a.ranks : ranks_of(a.words), {}};
    if (!a.check.empty()) {
        job.words.insert(job.words.begin(), {"--check", a.check});
        job.ranks = 1;
    }
    if (a.plan.empty()) return job;
    const auto plan = engine_plan(a);
    if (!plan) return Unexpected{plan.error()};
    const auto options = engine_options(*plan, {});
    if (!options) return Unexpected{cannot_run(options.error())};
    const auto words = merged(options->words, a.words);
    if (!words) return Unexpected{words.error()};
    for (const std::string& remark : options->remarks) std::cerr << "Mind: " << remark << "\n";
    return EngineJob{*words, plan->layout.devices, *plan};
}

// Everything the engine says, raw or as rows.
class EngineListener {
public:
    explicit EngineListener(bool raw) : raw_(raw) {}
    void out(std::string_view line) {
        const auto event = log_.take(line);
        if (raw_ || !line.starts_with('{')) std::cout << line << "\n";
        else if (event) std::cout << row_of(*event);
        std::cout.flush();
    }
    void err(std::string_view line) {
        const std::size_t known = log_.notes.size();
        if (!raw_ && log_.take_stderr(line)) std::cerr << row_of(log_.notes[known]);
        else std::cerr << line << "\n";
    }
    const EngineLog& log() const { return log_; }

private:
    bool raw_;
    EngineLog log_;
};

void print_report(const EngineJob& job, const EngineLog& log) {
    std::cout << end_of(log);
    if (!log.problems.empty()) std::cerr << say(log.problems);
    if (!job.plan) return;
    const Outcome predicted = estimate(*job.plan);
    if (predicted) std::cout << "\n" << beside(log, *job.plan, *predicted);
}

int run_engine(const EngineArguments& a) {
    const auto job = engine_job(a);
    if (!job) return refuse(job.error());
    const auto host = find_engine_host(job->ranks > 1);
    if (!host) return refuse(Refusal{exit_failure, "plimsoll: " + host.error() + "\n"});
    // Then nothing is run: there is no pipe to watch, and no report.
    const bool asks = !a.check.empty() || given(a.words, "--version") || given(a.words, "--help");
    ProcessStart start = engine_start(*host, job->ranks, job->words);
    if (asks) std::erase(start.arguments, "--stdin-stops");
    EngineListener listener(a.json || asks);
    const ProcessLines lines{[&](std::string_view line) { listener.out(line); },
                             [&](std::string_view line) { listener.err(line); }};
    const auto patient = [&] { return engine_patience(longest_step(listener.log())); };
    const ProcessEnd end = run_process(start, lines, {.heed_signals = true, .patient = patient});
    if (!end.failure.empty()) return refuse(Refusal{exit_failure, "plimsoll: " + end.failure + "\n"});
    if (!a.json && !asks && listener.log().lines > 0) print_report(*job, listener.log());
    const std::string why = end.cancelled ? say_exit(75) : say_exit(end.code);
    if (!why.empty() && !asks) std::cerr << "plimsoll: " << why << "\n";
    return end.cancelled && end.code != 0 ? 75 : end.code;
}

}  // namespace

void add_engine(Program& program) {
    const auto a = std::make_shared<EngineArguments>();
    CLI::App& command = add_command(program.app, {
        "engine", "Train a small model on this computer with plimsoll-engine, beside its prediction",
        "Several ranks are started through mpirun. The steps are shown as a table. With --plan the model and the "
        "layout are a plan's, and a measured step stands beside the predicted one. The exit code is the engine's.\n\n"
        "All other options go to the engine, e.g. --layers 6 --width 384 --dp 2 --steps 20 --out run.jsonl."});
    command.allow_extras();
    auto* plan = command.add_option("--plan", a->plan,
        "Train the model of this plan in its layout: scenario file or id")->type_name(scenario_value);
    add_settings(command, a->settings, "Change a knob of the plan first: id=value")->needs(plan);
    command.add_flag("--as-planned", a->as_planned,
        "Predict for the plan's own machine and software instead of this computer's")->needs(plan);
    command.add_option("--ranks", a->ranks, "Processes to start (default: those of the layout)")
        ->check(CLI::Range(1, 1 << 20))->excludes(plan);
    command.add_option("--check", a->check, "Check the log of an earlier run instead")
        ->excludes(plan)
        ->type_name(file_value);
    command.add_flag("--json", a->json, "The engine's own lines, as they are");
    command.callback([a, &command, &program] {
        a->words = command.remaining();
        program.code = run_engine(*a);
    });
}

}  // namespace plimsoll
