#include "engine/report/check.h"

#include "engine/report/check_keys.h"
#include "engine/report/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <map>
#include <set>
#include <ostream>

namespace plimsoll::engine {

using Json = nlohmann::ordered_json;

namespace {

std::string print(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// Reads a log line by line and keeps what later lines are compared with.
class Checker {
public:
    void read(const std::string& text);
    void end(bool torn, std::size_t torn_bytes);
    bool refused() const { return refused_; }
    LogCheck result() && { return std::move(check_); }

private:
    void say(std::string text) { check_.findings.push_back({check_.lines, std::move(text)}); }
    void order(const Json& line, const std::string& type);
    void hello(const Json& line);
    void step(const Json& line);
    void sources(const Json& line);
    void window(const Json& line);
    void energy(const Json& line);
    void parts(const Json& line, const char* key, double step_s);
    void summary(const Json& line);
    void outcome(const Json& line);
    void experiment(const Json& line);
    void prediction(const Json& line);
    void same(const Json& line, const char* key, const Json& counted);
    void hash(const Json& line, const Fingerprint& lines);

    LogCheck check_;
    Fingerprint lines_;
    double t_s_ = 0;
    long run_steps_ = 0, window_steps_ = 0;
    double run_J_ = 0;       // of closed windows
    Json first_loss_, last_loss_;
    std::map<std::string, long> last_step_;  // by run; 0 after its layout
    std::set<std::string> predicted_;        // ids
    Fingerprint sealed_;                     // of all lines before the first prediction
    bool ended_ = false, refused_ = false;
};

void Checker::read(const std::string& text) {
    ++check_.lines;
    Json line = Json::parse(text, nullptr, false);
    // The summary of a log from before SHA-256.
    if (line.is_object() && line.contains("fnv64") && !line.contains("hash")) line["hash"] = line["fnv64"];
    if (text.size() >= longest_line) say("longer than 64 KiB");
    if (!line.is_object()) {
        say("not a JSON object");
    } else {
        for (std::string& problem : problems_of_keys(line)) say(std::move(problem));
        const std::string type = line.contains("type") && line["type"].is_string() ? line["type"].get<std::string>() : "";
        order(line, type);
        if (type == "hello") hello(line);
        if (type == "energy") sources(line);
        if (type == "layout") run_J_ = window_steps_ = 0;
        if (type == "layout") last_step_[line.value("run", Json()).dump()] = run_steps_ = 0;
        if (type == "step") step(line);
        if (type == "experiment") experiment(line);
        if (type == "predict") prediction(line);
        if (type == "summary") summary(line);
        if (type == "summary" || type == "run") outcome(line);
    }
    lines_.add(text).add("\n");
}

void Checker::order(const Json& line, const std::string& type) {
    if ((check_.lines == 1) != (type == "hello")) say(check_.lines == 1 ? "the first line is not hello" : "a second hello");
    if (ended_) say("a line after the summary");
    if (const Json seq = line.value("seq", Json()); seq.is_number_integer() && seq.get<long>() != check_.lines - 1)
        say("seq is " + seq.dump() + " where " + std::to_string(check_.lines - 1) + " comes next: lines are missing or out of order");
    if (const Json t = line.value("t_s", Json()); t.is_number()) {
        if (t.get<double>() < t_s_) say("t_s goes back from " + print(t_s_) + " to " + print(t.get<double>()));
        t_s_ = t.get<double>();
    }
}

void Checker::hello(const Json& line) {
    const Json schema = line.value("schema", Json());
    if (!schema.is_number_integer() || schema.get<long>() <= log_schema) return;
    say("schema " + schema.dump() + " is newer than " + std::to_string(log_schema) + ", which this program knows: check it with the program that wrote it");
    refused_ = true;
}

void Checker::step(const Json& line) {
    ++check_.steps;
    const Json number = line.value("step", Json()), step_s = line.value("step_s", Json()), loss = line.value("loss", Json());
    const auto last = last_step_.find(line.value("run", Json()).dump());
    if (last == last_step_.end()) say("a step before the layout of its run");
    else if (number.is_number_integer()) {
        if (number.get<long>() != last->second + 1) say("step " + number.dump() + " where " + std::to_string(last->second + 1) + " comes next");
        last->second = number.get<long>();
    }
    if (++run_steps_ == 1) first_loss_ = loss;
    window(line);
    last_loss_ = loss;
    if (!step_s.is_number()) return;
    for (const char* key : {"pass", "phase"}) parts(line, key, step_s.get<double>());
    const Json tokens = line.value("tokens", Json()), rate = line.value("tok_per_s", Json());
    if (tokens.is_number() && rate.is_number() && std::abs(rate.get<double>() * step_s.get<double>() - tokens.get<double>()) > 0.01 * tokens.get<double>())
        say("tok_per_s times step_s is not tokens");
}

// A node has energy when one of its sources has, and every other says why not.
void Checker::sources(const Json& line) {
    if (!line.contains("sources") || !line["sources"].is_array()) return;
    bool some = false;
    for (const Json& source : line["sources"]) {
        const Json available = source.is_object() ? source.value("available", Json()) : Json(), reason = source.is_object() ? source.value("reason", Json()) : Json();
        if (!available.is_boolean()) return say("energy: a source does not say whether it is available");
        if (!available.get<bool>() && !reason.is_string()) say("energy: a source that is not available gives no reason");
        some = some || available.get<bool>();
    }
    if (line.value("available", Json()) != Json(some)) say("energy: available is not what the sources say");
}

// A step with energy closes a window: no step is in two of them.
void Checker::window(const Json& line) {
    ++window_steps_;
    const Json joules = line.value("energy_J", Json()), steps = line.value("energy_steps", Json());
    if (!joules.is_number() && steps.is_null()) return;
    if (!joules.is_number() || !steps.is_number_integer()) return say("step: energy_J and energy_steps come together");
    if (joules.get<double>() < 0) say("step: energy_J is negative");
    if (steps.get<long>() < 1 || steps.get<long>() > window_steps_) say(std::string("step: energy_steps is ") + steps.dump() + ", and " + std::to_string(window_steps_) + " steps have no energy yet");
    run_J_ += joules.get<double>(), window_steps_ = 0;
}

void Checker::energy(const Json& line) {
    const Json energy = line.value("energy", Json());
    if (!energy.is_object() || !energy.value("gross_J", Json()).is_number()) return;
    const double joules = energy["gross_J"];
    if (std::abs(joules - run_J_) > 1e-6 * std::max(1.0, joules)) say(std::string("energy.gross_J is ") + print(joules) + ", by the lines above " + print(run_J_));
}

// Means over ranks of all parts are a rank's whole step, on average.
void Checker::parts(const Json& line, const char* key, double step_s) {
    if (!line.contains(key) || !line[key].is_object()) return;
    double total = 0;
    for (const auto& [name, part] : line[key].items()) {
        if (!part.is_object()) return;
        const Json low = part.value("min", Json()), mean = part.value("mean", Json()), high = part.value("max", Json());
        if (!low.is_number() || !mean.is_number() || !high.is_number()) return;
        const double slack = 1e-9 + 1e-6 * high.get<double>();
        if (low > mean.get<double>() + slack || mean > high.get<double>() + slack) say(std::string(key) + "." + name + ": min, mean and max are out of order");
        total += mean.get<double>();
    }
    constexpr double share = 0.02, clock_s = 50e-6;
    if (std::abs(total - step_s) > share * step_s + clock_s)
        say(std::string("the means of ") + key + " add up to " + print(total) + " s, step_s is " + print(step_s) + " s");
}

void Checker::summary(const Json& line) {
    ended_ = true;
    if (const Json status = line.value("status", Json()); status.is_string()) {
        constexpr std::string_view known[] = {"ok", "cancelled", "failed", "partial"};
        check_.status = status.get<std::string>();
        if (std::find(std::begin(known), std::end(known), check_.status) == std::end(known)) say("status " + status.dump() + " is none of ok, cancelled, failed, partial");
    }
    same(line, "lines", check_.lines - 1);
    hash(line, lines_);
}

// What is held back must have been predicted before.
void Checker::experiment(const Json& line) {
    run_steps_ = 0;
    const Json id = line.value("id", Json());
    if (line.value("role", Json()) == "held_out" && id.is_string() && !predicted_.contains(id.get<std::string>()))
        say("experiment " + id.dump() + " is held back, but no predict line comes before it");
}

void Checker::prediction(const Json& line) {
    if (predicted_.empty()) sealed_ = lines_;
    if (const Json id = line.value("id", Json()); id.is_string()) predicted_.insert(id.get<std::string>());
    hash(line, sealed_);
}

// Of the run since the last layout.
void Checker::outcome(const Json& line) {
    same(line, "steps", run_steps_);
    if (run_steps_ > 0) same(line, "loss_first", first_loss_), same(line, "loss_last", last_loss_);
    energy(line);
}

void Checker::same(const Json& line, const char* key, const Json& counted) {
    if (line.contains(key) && line[key] != counted) say(std::string(key) + " is " + line[key].dump() + ", by the lines above " + counted.dump());
}

// Either form of a fingerprint holds: logs from before SHA-256 have FNV-1a.
void Checker::hash(const Json& line, const Fingerprint& lines) {
    if (line.contains("hash") && line["hash"].is_string() && lines.matches(line["hash"].get<std::string>())) return;
    same(line, "hash", lines.text());
}

void Checker::end(bool torn, std::size_t torn_bytes) {
    if (refused_) return;
    if (torn) check_.findings.push_back({check_.lines + 1, "cut off after " + std::to_string(torn_bytes) + " bytes"});
    if (!ended_) check_.findings.push_back({check_.lines, "the log ends without a summary: what is above can be used, as partial"});
}

}  // namespace

LogCheck check_log(std::istream& in) {
    Checker checker;
    std::string text;
    bool torn = false;
    while (!torn && !checker.refused() && std::getline(in, text)) {
        torn = in.eof();  // no line end
        if (!torn) checker.read(text);
    }
    checker.end(torn, text.size());
    return std::move(checker).result();
}

int check_file(const std::string& path, std::ostream& out) {
    std::ifstream file(path, std::ios::binary);
    if (!file || file.peek() == std::ifstream::traits_type::eof()) {
        out << path << ": " << (file.is_open() && file.eof() ? "empty" : "cannot be read") << "\n";
        return 2;
    }
    const LogCheck check = check_log(file);
    constexpr std::size_t most = 50;
    for (std::size_t i = 0; i < std::min(most, check.findings.size()); ++i)
        out << path << ":" << check.findings[i].line << ": " << check.findings[i].text << "\n";
    if (check.findings.size() > most) out << path << ": and " << check.findings.size() - most << " more\n";
    out << path << ": " << check.status << ", " << check.lines << " lines, " << check.steps << " steps, " << check.findings.size()
        << (check.findings.size() == 1 ? " problem\n" : " problems\n");
    return check.findings.empty() ? 0 : 2;
}

}  // namespace plimsoll::engine
