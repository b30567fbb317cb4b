// plimsoll calibrate on this computer: its plan, its run, and what a result says.
#include "app/commands/calibrate/calibrate.h"

#include "app/commands/command_line.h"
#include "app/commands/tables.h"
#include "core/answers/campaign/headline.h"
#include "core/evidence/calibration/fit/calibrate.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/evidence/calibration/proof/energy_evidence.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/this_computer.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/files/measured/calibration_attempts.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/presets/derived_machine.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace plimsoll {

namespace {

namespace fs = std::filesystem;

// ---- A calibration as text: what will run and why, and what came of it

std::string_view role_text(Role role) {
    constexpr std::string_view texts[] = {"measured", "fitted", "held back", "extra"};
    return texts[std::size_t(role)];
}

std::string digits(double value) { return significant(value, 4); }

std::string between(Seconds low, Seconds high) { return std::string(say(low)).append(" to ").append(say(high)); }

TextRows proof_rows(const Calibration& c) {
    TextRows rows{{"layout", "role", "predicted", "90 %", "measured", "95 %", "error", "inside", "memory predicted",
                   "measured", "error"}};
    for (const ProofRow& r : c.proof) {
        TextRow row{r.label, r.held_out ? "held back" : "fitted", say(r.predicted),
                    between(r.predicted_low, r.predicted_high)};
        if (r.has_run()) {
            const bool inside = r.measured >= r.predicted_low && r.measured <= r.predicted_high;
            row.insert(row.end(), {say(r.measured), between(r.measured_low, r.measured_high), signed_percent(r.error()),
                                   inside ? "yes" : "no"});
        } else {
            row.insert(row.end(), {"did not run", "", "", ""});
        }
        const bool memory = r.has_run() && r.memory_measured > Bytes{};
        row.insert(row.end(), {say(r.memory_predicted), memory ? say(r.memory_measured) : "",
                               memory ? signed_percent(r.memory_error()) : ""});
        rows.push_back(std::move(row));
    }
    return rows;
}

TextRows constant_rows(const Calibration& c) {
    TextRows rows{{"constant", "was", "measured", "95 % from", "to", "from"}};
    for (const MeasuredConstant& m : c.constants)
        rows.push_back({m.pointer, digits(m.before), digits(m.value), digits(m.low), digits(m.high), m.experiment});
    return rows;
}

std::string score_text(const Calibration& c) {
    const ProofScores scores = scores_of(c);
    const ProofScore &all = scores.all, &undisturbed = scores.undisturbed;
    if (all.rows == 0) return "Nothing was held back that counts: no error can be stated.\n";
    std::string text = std::string("Mean absolute error of ") + counted(all.rows, "layout", "layouts") +
                       " held back: " + percent(all.time) + " of the step, " + percent(all.memory) +
                       " of the memory.\n";
    if (undisturbed.rows < all.rows)
        text += "Without " + std::to_string(all.rows - undisturbed.rows) + " that something disturbed: " +
                (undisturbed.rows ? percent(undisturbed.time) : std::string("none is left")) + ".\n";
    return text + std::to_string(scores.inside) + " of " + std::to_string(all.rows) +
           " lie inside their intervals of 90 %.\n";
}

// Runs with their time and role, constants with what tells them.
std::string say_plan(const ExperimentPlan& plan) {
    TextRows runs{{"run", "what", "role", "ranks", "seconds", ""}};
    for (const PlannedRun& r : plan.runs)
        runs.push_back({r.id, r.label, std::string(role_text(r.role)), std::to_string(r.ranks),
                        fixed(r.expected / second, 1), r.caution});
    TextRows constants{{"constant", "told by", "what it decides, or why it stays as it is"}};
    for (const PlannedConstant& c : plan.constants)
        constants.push_back({c.label, c.measured() ? c.experiment : "assumed", c.why});
    return say_subject(plan) + "\n\n" + table(runs) + "\n" + table(constants) + "\n" +
           std::to_string(plan.runs.size()) + " runs on up to " + std::to_string(plan.ranks) + " ranks, about " +
           say(plan.expected()) + " altogether. Nothing has been run.\n";
}

std::string progress_of_run(const CalibrationLog& log, const EngineRunEnd& ended) {
    if (log.measurements.runs.empty() || ended.experiment != log.measurements.runs.back().id) return {};
    const StepSummary s = summary_of(log.measurements.runs.back());
    if (s.steps == 0) return {};
    return std::string("      measured ") + say(s.median) + " a step" + (s.disturbed() ? ", disturbed\n" : "\n");
}

// One line when a run begins or ends, a prediction is made or something is said; empty else.
std::string progress_of(const CalibrationLog& log, const EngineEvent& event) {
    if (const auto* begun = std::get_if<EngineExperiment>(&event)) {
        const std::string fair = begun->fair ? "\n" : ": more ranks than cores, not counted\n";
        return std::string("[") + std::to_string(begun->number) + "/" + std::to_string(begun->of) + "] " +
               begun->label + (begun->resumed ? ": taken over\n" : fair);
    }
    if (const auto* p = std::get_if<EnginePrediction>(&event))
        return std::string("      predicted ") + p->id + ": " + say(p->step) + " (" + between(p->low, p->high) + ")\n";
    if (const auto* seal = std::get_if<EngineSeal>(&event))
        return std::string("      plan, constants and predictions: ") + seal->hash + "\n";
    if (const auto* ended = std::get_if<EngineRunEnd>(&event)) return progress_of_run(log, *ended);
    if (const auto* note = std::get_if<EngineNote>(&event))
        return std::string(note->error ? "error: " : "warning: ") + note->text + "\n";
    return {};
}

std::string codec_text(const Calibration& c) {
    if (c.codecs.empty()) return {};
    TextRows rows{{"with a codec", "fewer bytes", "step", "without", "loss", "steps"}};
    for (const CodecTrial& t : c.codecs)
        rows.push_back({t.label, fixed(t.ratio, 2).append(" x"), say(t.step), say(t.step_without),
                        std::string(t.loss_change < 0 ? "" : "+").append(fixed(t.loss_change, 4)),
                        std::to_string(t.steps) + (t.contended ? ", disturbed" : "")});
    return std::string("\n") + table(rows) + "\n";
}

// Without any measurement the model's columns alone.
TextRows energy_rows(const EnergyEvidence& e) {
    TextRows rows{{"energy of a step", "modelled: devices", "modelled: hosts"}};
    if (e.measured()) rows[0].insert(rows[0].end(), {"measured", "steps", "of", "measured / modelled"});
    for (const LayoutEnergy& l : e.layouts) {
        TextRow row{l.label, say(l.devices), say(l.hosts)};
        if (l.measured) {
            const std::string ratio = fixed(*l.measured / l.modelled(), 2);
            row.insert(row.end(), {say(*l.measured), std::to_string(l.steps), l.scope + " (" + l.source + ")",
                                   ratio + (l.covers_hosts() ? ", with hosts" : ", devices")});
        } else if (e.measured()) {
            row.insert(row.end(), {"no", "", "", ""});
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string energy_report(const EnergyEvidence& e) {
    std::string text = std::string("Energy: ").append(headline(e)).append("\n");
    for (const std::string& source : say_sources(e)) text.append("  ").append(source).append("\n");
    if (!e.job.empty()) text.append(e.job).append("\n");
    if (!e.layouts.empty()) text.append("\n").append(table(energy_rows(e))).append(say_model(e)).append("\n");
    return text;
}

std::string with_full_stop(const std::string& sentence) { return sentence.ends_with(".") ? sentence : sentence + "."; }

// Constants before and after with their interval, the proof, its mean error, cautions, and the energy of a step.
std::string say_result(const Calibration& c, const EnergyEvidence& energy) {
    std::string text = c.host + "; " + c.software + "\n\n" + table(constant_rows(c)) + "\n" + table(proof_rows(c)) +
                       "\n" + score_text(c) + codec_text(c);
    for (const ProofRow& r : c.proof)
        if (!r.caution.empty())
            text += (r.fair ? "Disturbed: " : "Not counted: ") + r.label + ": " + r.caution + ".\n";
    for (const std::string& caution : c.cautions) text += "Caution: " + with_full_stop(caution) + "\n";
    for (const std::string& each : c.assumed) text += "Assumed: " + with_full_stop(each) + "\n";
    return text + (energy.empty() ? "Energy: " + c.energy + "\n" : energy_report(energy));
}

// ---- The run


Expected<CalibrationPlace, Refusal> place_here(const CalibrateLocalArguments& a, const Scenario& subject) {
    const Library& library = shipped_library();
    const auto cores = library.machines.find("cpu-2core");
    const auto stack = library.stacks.find("plimsoll-engine");
    if (cores == library.machines.end() || stack == library.stacks.end())
        return Unexpected{Refusal{exit_invalid_file, "the presets cpu-2core and plimsoll-engine, which a calibration "
                                                     "starts from, are not there\n"}};
    CalibrationPlace place = place_here(subject, cores->second, stack->second, this_computer());
    place.codecs = a.codecs;
    place.budget = a.budget * second;
    return place;
}

Expected<ExperimentPlan, Refusal> plan_here(const CalibrateLocalArguments& a) {
    if (a.plan.file.empty())
        return Unexpected{Refusal{exit_usage, "what shall be predicted? Name a scenario file, or the id of a shipped "
                                              "scenario\n"}};
    const auto subject = load_plan(a.plan);
    if (!subject) return Unexpected{subject.error()};
    const auto place = place_here(a, *subject);
    if (!place) return Unexpected{place.error()};
    auto plan = plan_experiments(*subject, *place);
    if (!plan) return Unexpected{no_experiments(plan.error())};
    return *std::move(plan);
}

// A log comes from anywhere: what is read becomes a preset only where somebody wants it.
enum class Saving { yes, ask };

bool wanted(const std::string& machine) {
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) {
        std::cerr << "plimsoll: not saved as a machine preset; --save does that\n";
        return false;
    }
    std::cerr << "Save this as the machine preset " << machine << "? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "yes";
}

// As a preset of the user's, which every plan can name; a log that was cut off or disturbed becomes none, which its
// report says. Exit code: no preset where one was wanted is a failure, whether it could not be written or was refused.
int save_as_preset(const CalibrationResult& r, Saving saving) {
    if (r.refused) {
        std::cerr << "plimsoll: no preset was written: " << *r.refused << "\n";
        return saving == Saving::yes ? exit_failure : exit_ok;
    }
    const auto& machines = shipped_library().machines;
    const auto found = machines.find(r.plan.machine.id);
    const Machine& base = found == machines.end() ? r.plan.machine : found->second;
    if (saving == Saving::ask && !wanted(derived(base, r.calibrated, r.record).id)) return exit_ok;
    const auto saved = save_calibrated(base, r.calibrated, r.record, users_presets());
    if (!saved) return refuse(Refusal{exit_failure, "plimsoll: no preset was written: " + say(saved.error())});
    const std::string stack = saved->stack ? " and software preset " + saved->stack->id : "";
    std::cerr << "Saved as machine preset " << saved->machine.id << stack << ".\n";
    return exit_ok;
}

// A line of the ledger for every whole log that nobody changed, and what the others came to.
std::string say_attempt(const CalibrationLog& log, const CalibrationResult& result) {
    std::string text;
    if (log.seal) text += "Fingerprint of plan, constants and predictions: " + log.seal->hash + "\n";
    const auto ledger = attempts_file();
    const CalibrationAttempt attempt = attempt_of(log, result);
    if (log.complete() && log.hash_holds() && !keep_attempt(ledger, attempt))
        text += "The ledger of attempts " + ledger.string() + " cannot be written.\n";
    const std::string attempts = say_attempts(read_attempts(ledger), attempt);
    return attempts.empty() ? text : text + attempts + " Every attempt has a line in " + ledger.string() + ".\n";
}

// What a log says: fitted again from its own lines, by the plan it carries.
int show_result(const CalibrationLog& log, bool json, Saving saving, const std::optional<JobEnergy>& job = {}) {
    auto result = result_of(log);
    if (!result)
        return refuse(Refusal{exit_invalid_file,
                              "the log carries no plan that can be read:\n" + say(result.error())});
    if (job) add_job_energy(*result, *job);
    if (json) std::cout << write_calibration_result(result->record, result->energy) << std::flush;
    else std::cout << "\n" << say_result(result->record, result->energy) << say_attempt(log, *result) << std::flush;
    if (!log.hash_holds() && !log.predictions.empty())
        return refuse(Refusal{exit_invalid_file, "plimsoll: the predictions in this log were not made from the lines "
                                                 "before them: it was changed\n"});
    return save_as_preset(*result, saving);
}

// Everything the engine says, as it comes.
class CalibrationFollower {
public:
    explicit CalibrationFollower(bool quiet) : quiet_(quiet) {}
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
            if (error)
                return Unexpected{Refusal{exit_failure, "plimsoll: " + from.string() + " cannot be renamed: " +
                                                            error.message() + "\n"}};
            return std::vector<std::string>{"--resume", kept.string()};
        }
    if (fs::exists(kept, error)) return std::vector<std::string>{"--resume", kept.string()};
    return Unexpected{Refusal{exit_usage, "plimsoll: there is neither " + part.string() + " nor " + whole.string() +
                                              " to go on from\n"}};
}

// The plan of an earlier attempt is gone on with as it was; anew it is written beside the result.
Expected<bool, Refusal> write_plan(const ExperimentPlan& plan, const std::string& file, bool keep) {
    std::error_code error;
    if (keep && fs::exists(file, error)) return true;
    if (const auto written = write_atomically(file, write_calibration_plan(plan)); !written)
        return Unexpected{Refusal{exit_failure, say(written.error())}};
    return true;
}

// The engine holds a lock on what it writes. It is asked for before anything of that run is overwritten.
bool is_being_written(const std::string& out) {
    const int file = ::open((out + ".part").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    const bool held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return held;
}

int run_here(const CalibrateLocalArguments& a) {
    const auto plan = plan_here(a);
    if (!plan) return refuse(plan.error());
    const auto host = find_engine_host(plan->ranks > 1);
    if (!host) return refuse(Refusal{exit_failure, "plimsoll: " + host.error() + "\n"});
    if (is_being_written(a.out))
        return refuse(Refusal{exit_usage, "plimsoll: another run is writing " + a.out + " (it holds " + a.out +
                                              ".part): wait for its end or name another --out\n"});
    const std::string file = a.out + ".plan.json";
    if (const auto written = write_plan(*plan, file, a.resume); !written) return refuse(written.error());
    const auto again = resumed(a);
    if (!again) return refuse(again.error());
    std::vector<std::string> words{"--calibrate", file, "--out", a.out};
    words.insert(words.end(), again->begin(), again->end());
    if (!a.json)
        std::cout << plan->runs.size() << " runs, about " << fixed(plan->expected() / second, 0) << " s\n"
                  << std::flush;
    CalibrationFollower follower(a.json);
    const ProcessLines lines{[&](std::string_view line) { follower.out(line); },
                             [&](std::string_view line) { follower.err(line); }};
    const auto patient = [&] { return engine_patience(longest_step(follower.log().engine)); };
    const ProcessEnd end =
        run_process(engine_start(*host, plan->ranks, words), lines, {.heed_signals = true, .patient = patient});
    if (!end.failure.empty()) return refuse(Refusal{exit_failure, "plimsoll: " + end.failure + "\n"});
    if (follower.log().complete()) {
        std::error_code ignored;
        for (const char* suffix : {".earlier", ".plan.json"}) fs::remove(a.out + suffix, ignored);
        return show_result(follower.log(), a.json, Saving::yes);
    }
    const int code = end.cancelled ? 75 : end.code;
    std::cerr << "plimsoll: " << follower.log().state() << (say_exit(code).empty() ? "" : ": " + say_exit(code))
              << "; what is complete is kept: --resume goes on from it\n";
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
    return show_result(*log, a.json, a.save ? Saving::yes : Saving::ask, *job);
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
