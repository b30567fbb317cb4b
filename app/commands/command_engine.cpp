// plimsoll engine: starts the micro-trainer, shows what it says, and sets a
// measured step beside the predicted one.
#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/engine_report.h"
#include "app/commands/plan.h"
#include "core/evidence/calibration/plan/trial.h"
#include "core/values/knobs/wording.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/this_computer.h"

#include <algorithm>
#include <iostream>

namespace plimsoll {

namespace {

struct Job {
    std::vector<std::string> words;   // for the engine
    int ranks = 1;
    std::optional<Scenario> plan;     // whose options they are
};

bool given(const std::vector<std::string>& words, const std::string& name) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return w == name || w.starts_with(name + "="); });
}

Refusal all_of(const std::vector<std::string>& sentences) {
    Refusal r{exit_infeasible, "The engine cannot run this plan:\n"};
    for (const std::string& each : sentences) r.message += "  " + each + "\n";
    return r;
}

// What the plan fixes, less what may be said over it. Of layout and model nothing may be: the prediction is the plan's.
Expected<std::vector<std::string>, Refusal> merged(const std::vector<std::string>& plan, const std::vector<std::string>& over) {
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

Expected<Scenario, Refusal> plan_of(const EngineArguments& a) {
    auto plan = load_plan({a.plan, a.settings});
    if (!plan || a.as_planned) return plan;
    const Library& library = shipped_library();
    const auto machine = library.machines.find("cpu-2core");
    const auto stack = library.stacks.find("plimsoll-engine");
    if (machine == library.machines.end() || stack == library.stacks.end())
        return Unexpected{Refusal{exit_invalid_file, "the presets cpu-2core and plimsoll-engine are not there: --as-planned predicts without them\n"}};
    return on_computer(*plan, machine->second, this_computer(), stack->second);
}

Expected<Job, Refusal> job_of(const EngineArguments& a) {
    Job job{a.words, a.ranks > 0 ? a.ranks : ranks_of(a.words), {}};
    if (!a.check.empty()) {
        job.words.insert(job.words.begin(), {"--check", a.check});
        job.ranks = 1;
    }
    if (a.plan.empty()) return job;
    const auto plan = plan_of(a);
    if (!plan) return Unexpected{plan.error()};
    const auto options = engine_options(*plan, {});
    if (!options) return Unexpected{all_of(options.error())};
    const auto words = merged(options->words, a.words);
    if (!words) return Unexpected{words.error()};
    for (const std::string& remark : options->remarks) std::cerr << "Mind: " << remark << "\n";
    return Job{*words, plan->layout.devices, *plan};
}

// Everything the engine says, raw or as rows.
class Listener {
public:
    explicit Listener(bool raw) : raw_(raw) {}
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

void report(const Job& job, const EngineLog& log) {
    std::cout << end_of(log);
    if (!log.problems.empty()) std::cerr << say(log.problems);
    if (!job.plan) return;
    const Outcome predicted = estimate(*job.plan);
    if (predicted) std::cout << "\n" << beside(log, *job.plan, *predicted);
}

}  // namespace

int run_engine(const EngineArguments& a) {
    const auto job = job_of(a);
    if (!job) return refuse(job.error());
    const auto host = find_engine_host(job->ranks > 1);
    if (!host) return refuse(Refusal{exit_failure, "plimsoll: " + host.error() + "\n"});
    const bool asks = !a.check.empty() || given(a.words, "--version") || given(a.words, "--help");   // no run: no pipe to watch, no report
    ProcessStart start = engine_start(*host, job->ranks, job->words);
    if (asks) std::erase(start.arguments, "--stdin-stops");
    Listener listener(a.json || asks);
    const ProcessLines lines{[&](std::string_view line) { listener.out(line); }, [&](std::string_view line) { listener.err(line); }};
    const ProcessEnd end = run_process(start, lines, {.heed_signals = true});
    if (!end.failure.empty()) return refuse(Refusal{exit_failure, "plimsoll: " + end.failure + "\n"});
    if (!a.json && !asks && listener.log().lines > 0) report(*job, listener.log());
    const std::string why = end.cancelled ? say_exit(75) : say_exit(end.code);
    if (!why.empty() && !asks) std::cerr << "plimsoll: " << why << "\n";
    return end.cancelled && end.code != 0 ? 75 : end.code;
}

}  // namespace plimsoll
