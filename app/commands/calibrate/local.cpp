#include "app/commands/calibrate/local.h"

#include "app/commands/calibrate/report.h"
#include "app/commands/command_line.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/launch/calibration_plan.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/this_computer.h"
#include "core/files/presets/derived_machine.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/text/disk.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

Refusal sentences(const char* head, const std::vector<std::string>& all) {
    Refusal r{exit_infeasible, std::string(head).append("\n")};
    for (const std::string& each : all) r.message.append("  ").append(each).append("\n");
    return r;
}

Expected<CalibrationPlace, Refusal> place_here(const CalibrateLocalArguments& a, const Scenario& subject) {
    const Library& library = shipped_library();
    const auto cores = library.machines.find("cpu-2core");
    const auto stack = library.stacks.find("plimsoll-engine");
    if (cores == library.machines.end() || stack == library.stacks.end())
        return Unexpected{Refusal{exit_invalid_file, "the presets cpu-2core and plimsoll-engine, which a calibration starts from, are not there\n"}};
    CalibrationPlace place = place_here(subject, cores->second, stack->second, this_computer());
    place.codecs = a.codecs, place.budget = a.budget * second;
    return place;
}

Expected<ExperimentPlan, Refusal> plan_here(const CalibrateLocalArguments& a) {
    if (a.plan.file.empty()) return Unexpected{Refusal{exit_usage, "what shall be predicted? Name a scenario file, or the id of a shipped scenario\n"}};
    const auto subject = load_plan(a.plan);
    if (!subject) return Unexpected{subject.error()};
    const auto place = place_here(a, *subject);
    if (!place) return Unexpected{place.error()};
    auto plan = plan_experiments(*subject, *place);
    if (!plan) return Unexpected{sentences("There is no plan for a calibration:", plan.error())};
    return *std::move(plan);
}

// As a preset of the user's, which every plan can name; a log that was cut off or disturbed becomes none.
void save(const CalibrationResult& r) {
    if (r.refused) {
        std::cerr << "plimsoll: no preset was written: " << *r.refused << "\n";
        return;
    }
    const auto& machines = shipped_library().machines;
    const auto base = machines.find(r.plan.machine.id);
    const auto saved = save_calibrated(base == machines.end() ? r.plan.machine : base->second, r.calibrated, r.record, users_presets());
    if (saved) std::cerr << "Saved as machine preset " << saved->machine.id << (saved->stack ? " and software preset " + saved->stack->id : "") << ".\n";
    else std::cerr << "plimsoll: no preset was written: " << say(saved.error());
}

// What a log says: fitted again from its own lines, by the plan it carries.
int show(const CalibrationLog& log, bool json, const std::optional<JobEnergy>& job = {}) {
    auto result = result_of(log);
    if (!result) return refuse(Refusal{exit_invalid_file, std::string("the log carries no plan that can be read:\n").append(say(result.error()))});
    if (job) add_job_energy(*result, *job);
    std::cout << (json ? write_calibration_result(result->record, result->energy) : std::string("\n").append(say_result(result->record, result->energy))) << std::flush;
    if (!log.hash_holds() && !log.predictions.empty())
        return refuse(Refusal{exit_invalid_file, "plimsoll: the predictions in this log were not made from the lines before them: it was changed\n"});
    save(*result);
    return exit_ok;
}

// Everything the engine says, as it comes.
class Follower {
public:
    explicit Follower(bool quiet) : quiet_(quiet) {}
    void out(std::string_view line) {
        const auto event = log_.take(line);
        if (event && !quiet_) std::cout << progress_of(log_, *event) << std::flush;
    }
    void err(std::string_view line) {
        if (!log_.take_stderr(line)) std::cerr << line << "\n";
        else std::cerr << "plimsoll: " << log_.engine.notes.back().text << "\n";
    }
    const CalibrationLog& log() const { return log_; }

private:
    bool quiet_;
    CalibrationLog log_;
};

// What an earlier attempt left lies where the new log is written: it moves aside.
Expected<std::vector<std::string>, Refusal> resumed(const CalibrateLocalArguments& a) {
    if (!a.resume) return std::vector<std::string>{};
    std::error_code error;
    const fs::path part(a.out + ".part"), whole(a.out), kept(a.out + ".earlier");
    for (const fs::path& from : {part, whole})
        if (fs::exists(from, error)) {
            fs::rename(from, kept, error);
            if (error) return Unexpected{Refusal{exit_failure, std::string("plimsoll: ").append(from.string()).append(" cannot be renamed: ").append(error.message()).append("\n")}};
            return std::vector<std::string>{"--resume", kept.string()};
        }
    if (fs::exists(kept, error)) return std::vector<std::string>{"--resume", kept.string()};
    return Unexpected{Refusal{exit_usage, std::string("plimsoll: there is neither ").append(part.string()).append(" nor ").append(whole.string()).append(" to go on from\n")}};
}

// The plan of an earlier attempt is gone on with as it was; anew it is written beside the result.
Expected<bool, Refusal> write_plan(const ExperimentPlan& plan, const std::string& file, bool keep) {
    std::error_code error;
    if (keep && fs::exists(file, error)) return true;
    if (const auto written = write_atomically(file, write_calibration_plan(plan)); !written) return Unexpected{Refusal{exit_failure, say(written.error())}};
    return true;
}

int run_here(const CalibrateLocalArguments& a) {
    const auto plan = plan_here(a);
    if (!plan) return refuse(plan.error());
    const auto host = find_engine_host(plan->ranks > 1);
    if (!host) return refuse(Refusal{exit_failure, "plimsoll: " + host.error() + "\n"});
    const std::string file = a.out + ".plan.json";
    if (const auto written = write_plan(*plan, file, a.resume); !written) return refuse(written.error());
    const auto again = resumed(a);
    if (!again) return refuse(again.error());
    std::vector<std::string> words{"--calibrate", file, "--out", a.out};
    words.insert(words.end(), again->begin(), again->end());
    if (!a.json) std::cout << plan->runs.size() << " runs, about " << fixed(plan->expected() / second, 0) << " s\n" << std::flush;
    Follower follower(a.json);
    const ProcessLines lines{[&](std::string_view line) { follower.out(line); }, [&](std::string_view line) { follower.err(line); }};
    const ProcessEnd end = run_process(engine_start(*host, plan->ranks, words), lines, {.heed_signals = true});
    if (!end.failure.empty()) return refuse(Refusal{exit_failure, "plimsoll: " + end.failure + "\n"});
    if (follower.log().complete()) {
        std::error_code ignored;
        for (const char* suffix : {".earlier", ".plan.json"}) fs::remove(a.out + suffix, ignored);
        return show(follower.log(), a.json);
    }
    const int code = end.cancelled ? 75 : end.code;
    std::cerr << "plimsoll: " << follower.log().state() << (say_exit(code).empty() ? "" : ": " + say_exit(code)) << "; what is complete is kept: --resume goes on from it\n";
    return code == 0 ? int(exit_failure) : code;
}

// What Slurm printed of the job; nothing where nobody asked for it.
Expected<std::optional<JobEnergy>, Problems> job_energy(const std::string& file) {
    if (file.empty()) return std::optional<JobEnergy>{};
    const auto text = read_text(file);
    if (!text) return Unexpected{text.error()};
    auto job = read_job_energy(*text);
    if (job) return std::optional(*std::move(job));
    Problems found = job.error();
    for (Problem& p : found) p.file = file;
    return Unexpected{std::move(found)};
}

int import(const CalibrateLocalArguments& a) {
    const auto log = read_calibration_log(a.out);
    if (!log) return refuse(Refusal{exit_invalid_file, say(log.error())});
    const auto job = job_energy(a.sacct);
    if (!job) return refuse(Refusal{exit_invalid_file, say(job.error())});
    if (!log->complete()) std::cerr << "plimsoll: " << log->state() << "\n";
    return show(*log, a.json, *job);
}

}  // namespace

int run_calibrate_local(const CalibrateLocalArguments& a) {
    if (a.action == CalibrateAction::import) return import(a);
    if (a.action == CalibrateAction::run) return run_here(a);
    const auto plan = plan_here(a);
    if (!plan) return refuse(plan.error());
    std::cout << (a.json ? write_calibration_plan(*plan) : say_plan(*plan));
    return exit_ok;
}

}  // namespace plimsoll
