#include "engine/calibrate/follow.h"

#include "core/evidence/calibration/fit/calibrate.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/text/disk.h"
#include "engine/arguments/options_parse.h"
#include "engine/comm/ranks.h"
#include "engine/report/stopping.h"

#include <set>
#include <sstream>

namespace plimsoll::engine {

namespace {

using Json = nlohmann::ordered_json;

// Others may well work where one of these happened.
bool concerns_one_run(ExitCode code) {
    return code == ExitCode::out_of_memory || code == ExitCode::unsupported_layout || code == ExitCode::numerics
        || code == ExitCode::usage;
}

class Follower {
public:
    Follower(const Options& o, const Allocation& a) : o_(o), a_(a) {}
    int go() {
        if (const auto why = prepare()) return end(*why);
        enclose_plan();
        int status = done;
        for (std::size_t i = 0; i < plan_.runs.size() && status <= left_out; ++i) {
            const PlannedRun& run = plan_.runs[i];
            if (run.role == Role::held_out && !predicted_) predict();
            announce(i);
            status = taken_.contains(i) ? copy(run) : one(i);
        }
        return end(status);
    }

private:
    std::optional<Failure> prepare();
    std::optional<Failure> read_runs();
    std::string resume();
    void enclose_plan();
    void announce(std::size_t i);
    void predict();
    void write_seal(const std::vector<MeasuredConstant>&, const std::vector<EnginePrediction>&);
    int copy(const PlannedRun&);
    int one(std::size_t i);
    void write_run_end(const PlannedRun&, const Outcome&, int status);
    int end(int status);
    int end(const Failure&);

    const Options& o_;
    const Allocation& a_;
    ExperimentPlan plan_;
    std::string plan_text_;
    Fingerprint plan_fingerprint_;
    std::vector<Options> runs_;
    std::optional<EarlierLog> earlier_;
    std::set<std::size_t> taken_;    // runs whose lines are taken over; the same on all ranks
    bool predicted_ = false;
    Json summary_{{"steps", 0}};     // of the last run
    std::optional<Failure> failure_;
    int complete_ = 0;
};

// The plan is read by rank 0 alone: thousands of ranks would queue for one small file.
std::optional<Failure> Follower::prepare() {
    std::string text;
    if (a_.world.rank() == 0)
        if (auto read = read_text(o_.calibrate)) text = *std::move(read);
    plan_text_ = broadcast_text(a_.world, text);
    auto plan = read_calibration_plan(plan_text_, o_.calibrate);
    if (!plan)
        return Failure{
            ExitCode::usage,
            plan_text_.empty() ? "--calibrate " + o_.calibrate + " cannot be read, or is empty" : say(plan.error()), 0};
    plan_ = std::move(*plan);
    plan_fingerprint_ = Fingerprint().add(plan_text_);
    if (plan_.ranks > a_.world.size())
        return Failure{ExitCode::unsupported_layout,
                       "the plan's widest run has " + std::to_string(plan_.ranks) + " ranks, "
                           + std::to_string(a_.world.size()) + " were started: mpirun -n "
                           + std::to_string(plan_.ranks),
                       0};
    if (auto why = read_runs()) return why;
    std::string problem = a_.world.rank() == 0 && !o_.resume.empty() ? resume() : "";
    if (problem = broadcast_text(a_.world, problem); !problem.empty()) return Failure{ExitCode::usage, problem, 0};
    std::string taken;
    for (const std::size_t i : taken_) taken.append(std::to_string(i)).append(" ");
    std::istringstream list(broadcast_text(a_.world, taken));
    taken_ = {std::istream_iterator<std::size_t>(list), {}};
    return std::nullopt;
}

std::optional<Failure> Follower::read_runs() {
    Options defaults = o_;
    defaults.calibrate.clear();
    defaults.resume.clear();
    for (const PlannedRun& run : plan_.runs) {
        const Parsed parsed = parse(run.words, defaults);
        if (!parsed.message.empty())
            return Failure{ExitCode::usage, o_.calibrate + ", run " + run.id + ": " + parsed.message, 0};
        runs_.push_back(parsed.options);
    }
    return std::nullopt;
}

// Benches and layouts that fit, measured completely on the same processors.
std::string Follower::resume() {
    if (o_.resume == o_.out + ".part") return "--resume " + o_.resume + " is where --out writes: rename it first";
    auto read = read_earlier(o_.resume, plan_fingerprint_);
    if (!read) return read.error();
    std::vector<std::string> here;
    std::istringstream lines(a_.log.kept());
    for (std::string text; std::getline(lines, text);)
        if (const Json line = Json::parse(text, nullptr, false);
            line.value("type", "") == "hw" && line["cpu_model"].is_string())
            here.push_back(line["cpu_model"]);
    if (here != read->processors())
        return "--resume " + o_.resume + " was measured on other processors: its times would not be this machine's";
    earlier_ = std::move(*read);
    for (std::size_t i = 0; i < plan_.runs.size(); ++i)
        if (plan_.runs[i].role != Role::held_out && earlier_->lines_of(plan_.runs[i].id)) taken_.insert(i);
    return {};
}

// The log shall need no other file. Pieces end with a line, or where a character does.
void Follower::enclose_plan() {
    constexpr std::size_t most = longest_line / 3;
    std::vector<std::string> parts;
    for (std::string_view rest = plan_text_; !rest.empty(); rest.remove_prefix(parts.back().size())) {
        std::size_t end = std::min(most, rest.size());
        if (end < rest.size()) {
            if (const auto line = rest.rfind('\n', end - 1); line != rest.npos) end = line + 1;
            else while (end > 1 && (rest[end] & 0xc0) == 0x80) --end;
        }
        parts.emplace_back(rest.substr(0, end));
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
        a_.log.write("plan", {{"part", i + 1}, {"of", parts.size()}, {"text", parts[i]}});
}

void Follower::announce(std::size_t i) {
    const PlannedRun& run = plan_.runs[i];
    Json line{{"id", run.id},
              {"role", name_of(run.role)},
              {"label", run.label},
              {"expected_s", run.expected / second},
              {"fair", run.fair},
              {"number", i + 1},
              {"of", plan_.runs.size()},
              {"plan", plan_fingerprint_.text()}};
    if (!run.repeats.empty()) line["repeats"] = run.repeats;
    if (taken_.contains(i)) line["resumed"] = true;
    a_.log.write("experiment", line);
}

void Follower::predict() {
    predicted_ = true;
    if (a_.world.rank() == 0) {
        std::string hash;
        std::vector<EnginePrediction> said;
        Predicted all = predictions(plan_, a_.log.kept());
        for (Json& line : all.lines) {
            said.push_back({line["id"], line["step_s"].get<double>() * second, line["lo90_s"].get<double>() * second,
                            line["hi90_s"].get<double>() * second, {}, {}, {}});
            if (hash.empty()) {
                hash = a_.log.seal("predict", line);
                continue;
            }
            line["hash"] = hash;
            a_.log.write("predict", line);
        }
        write_seal(all.constants, said);
    }
    wait_for_all(a_.world, a_.watchdog, done);
}

void Follower::write_seal(const std::vector<MeasuredConstant>& constants, const std::vector<EnginePrediction>& said) {
    Json list = Json::array();
    for (const MeasuredConstant& c : constants)
        list.push_back({{"pointer", c.pointer}, {"value", c.value}, {"low", c.low}, {"high", c.high}});
    a_.log.write("seal", {{"constants", list}, {"predictions", said.size()},
                          {"hash", seal_of(plan_text_, constants, said)}});
}

int Follower::copy(const PlannedRun& run) {
    ++complete_;
    if (a_.world.rank() != 0) return done;
    for (Json line : *earlier_->lines_of(run.id)) {
        const std::string type = line.value("type", "");
        for (const char* own : {"type", "run", "seq", "t_s"}) line.erase(own);
        line["resumed"] = true;
        a_.log.write(type, line);
        if (type == "run") summary_ = line;
    }
    return done;
}

int Follower::one(std::size_t i) {
    Options& o = runs_[i];
    const int ranks = o.layout.ranks();
    const auto part = a_.world.split(a_.world.rank() < ranks ? 0 : -1, a_.world.rank());
    Outcome outcome;
    if (part) outcome = a_.run(o, *part);
    if (stop_requested() && !outcome.failure) outcome.stopped = true;
    int status = done;
    if (outcome.failure) status = concerns_one_run(outcome.failure->code) ? left_out : failed;
    else if (outcome.stopped) status = stopped;
    status = wait_for_all(a_.world, a_.watchdog, status);
    write_run_end(plan_.runs[i], outcome, status);
    return status;
}

void Follower::write_run_end(const PlannedRun& run, const Outcome& outcome, int status) {
    constexpr const char* states[] = {"ok", "failed", "cancelled", "failed"};
    if (status == done) ++complete_;
    if (outcome.failure) failure_ = outcome.failure;
    if (status == left_out && outcome.failure)
        a_.log.warn("left_out", run.label + " is left out: " + outcome.failure->text);
    summary_ = outcome.summary.is_object() ? outcome.summary : Json{{"steps", 0}};
    Json line{{"experiment", run.id}, {"status", states[status]}};
    line.update(summary_);
    a_.log.write("run", line);
}

int Follower::end(int status) {
    if (status == failed)
        return end(failure_.value_or(Failure{ExitCode::device, "a rank outside this one's run failed", 0}));
    for (const char* key : {"experiment", "resumed"}) summary_.erase(key);
    summary_["experiments"] = complete_;
    return complete_log(a_.log, status, summary_);
}

int Follower::end(const Failure& failure) {
    summary_["experiments"] = complete_;
    return complete_log(a_.log, failure, a_.world, summary_);
}

}  // namespace

int follow(const Options& o, const Allocation& a) { return Follower(o, a).go(); }

void EarlierLog::take(const nlohmann::ordered_json& line) {
    const std::string type = line.value("type", "");
    if (type == "hw" && line.contains("cpu_model") && line["cpu_model"].is_string())
        processors_.push_back(line["cpu_model"]);
    if (type == "experiment") {
        open_ = line.value("id", "");
        lines_.clear();
        return;
    }
    if (open_.empty()) return;
    if (type != "beat") lines_.push_back(line);
    if (type != "run") return;
    if (line.value("status", "") == "ok") complete_[open_] = std::move(lines_);
    open_.clear();
    lines_.clear();
}

Expected<EarlierLog, std::string> read_earlier(const std::string& path, const Fingerprint& plan) {
    const auto log = read_text(path);
    if (!log) return Unexpected{"--resume " + path + " cannot be read: " + log.error().front().message};
    std::istringstream in(*log);
    EarlierLog earlier;
    bool announced = false;
    for (std::string text; std::getline(in, text);) {
        const auto line = nlohmann::ordered_json::parse(text, nullptr, false);
        if (!line.is_object()) continue;
        if (line.value("type", "") == "experiment" && !std::exchange(announced, true)
            && !plan.matches(line.value("plan", "")))
            return Unexpected{"--resume " + path + " followed another plan (" + line.value("plan", "none")
                              + " rather than " + plan.text() + "): start anew, or with the plan it was made by"};
        earlier.take(line);
    }
    if (!announced) return Unexpected{"--resume " + path + " holds no run of a calibration"};
    return earlier;
}

namespace {

nlohmann::ordered_json line_of(const ProofRow& row, const PlannedRun& run) {
    nlohmann::ordered_json line{{"id", run.id},
                                {"label", run.label},
                                {"role", name_of(run.role)},
                                {"step_s", row.predicted / second},
                                {"lo90_s", row.predicted_low / second},
                                {"hi90_s", row.predicted_high / second}};
    auto& parts = line["parts"] = nlohmann::ordered_json::object();
    for (const auto& part : step_parts) parts[std::string(part.id)] = (row.predicted_parts.*part.value) / second;
    line["memory_B"] = row.memory_predicted / byte;
    return line;
}

}  // namespace

Predicted predictions(const ExperimentPlan& plan, std::string_view lines) {
    CalibrationLog log;
    take_all_lines(lines, log, log.engine);
    const Calibrated calibrated = calibrate(plan, log.measurements);
    Predicted all;
    for (const PlannedRun& run : plan.runs)
        if ((run.role == Role::fit || run.role == Role::held_out) && run.repeats.empty())
            all.lines.push_back(line_of(predict(calibrated, run), run));
    all.constants = calibrated.constants;
    return all;
}

}  // namespace plimsoll::engine
