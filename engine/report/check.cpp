#include "engine/report/check.h"

#include "core/evidence/calibration/fit/measurements.h"
#include "engine/report/log.h"
#include "engine/report/phases.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

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
    void read(const std::string& text) {
        ++check_.lines;
        Json line = text.size() < longest_line ? Json::parse(text, nullptr, false) : Json();
        // The summary of a log from before SHA-256.
        if (line.is_object() && line.contains("fnv64") && !line.contains("hash")) line["hash"] = line["fnv64"];
        if (text.size() >= longest_line) say("longer than 64 KiB");
        if (!line.is_object()) {
            say("not a JSON object");
        } else {
            for (std::string& problem : problems_of_keys(line)) say(std::move(problem));
            const std::string type =
                line.contains("type") && line["type"].is_string() ? line["type"].get<std::string>() : "";
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
    void end(bool torn, std::size_t torn_bytes) {
        if (refused_) return;
        if (torn)
            check_.findings.push_back({check_.lines + 1, "cut off after " + std::to_string(torn_bytes) + " bytes"});
        if (!ended_)
            check_.findings.push_back(
                {check_.lines, "the log ends without a summary: what is above can be used, as partial"});
    }
    bool refused() const { return refused_; }
    LogCheck result() && { return std::move(check_); }

private:
    void say(std::string text) {
        constexpr std::size_t most_kept = 10'000;   // a file of nothing but mistakes must not fill the memory
        if (++check_.found <= most_kept) check_.findings.push_back({check_.lines, std::move(text)});
    }
    void order(const Json& line, const std::string& type) {
        if ((check_.lines == 1) != (type == "hello"))
            say(check_.lines == 1 ? "the first line is not hello" : "a second hello");
        if (ended_) say("a line after the summary");
        if (const Json seq = line.value("seq", Json()); seq.is_number_integer() && seq.get<long>() != check_.lines - 1)
            say("seq is " + seq.dump() + " where " + std::to_string(check_.lines - 1)
                + " comes next: lines are missing or out of order");
        if (const Json t = line.value("t_s", Json()); t.is_number()) {
            if (t.get<double>() < t_s_) say("t_s goes back from " + print(t_s_) + " to " + print(t.get<double>()));
            t_s_ = t.get<double>();
        }
    }
    void hello(const Json& line) {
        const Json schema = line.value("schema", Json());
        if (!schema.is_number_integer() || schema.get<long>() <= engine_schema) return;
        say("schema " + schema.dump() + " is newer than " + std::to_string(engine_schema)
            + ", which this program knows: check it with the program that wrote it");
        refused_ = true;
    }
    void step(const Json& line) {
        ++check_.steps;
        const Json number = line.value("step", Json()), step_s = line.value("step_s", Json()),
                   loss = line.value("loss", Json());
        const auto last = last_step_.find(line.value("run", Json()).dump());
        if (last == last_step_.end()) say("a step before the layout of its run");
        else if (number.is_number_integer()) {
            if (number.get<long>() != last->second + 1)
                say("step " + number.dump() + " where " + std::to_string(last->second + 1) + " comes next");
            last->second = number.get<long>();
        }
        if (++run_steps_ == 1) first_loss_ = loss;
        window(line);
        last_loss_ = loss;
        if (!step_s.is_number()) return;
        for (const char* key : {"pass", "phase"}) parts(line, key, step_s.get<double>());
        const Json tokens = line.value("tokens", Json()), rate = line.value("tok_per_s", Json());
        if (tokens.is_number() && rate.is_number()
            && std::abs(rate.get<double>() * step_s.get<double>() - tokens.get<double>()) > 0.01 * tokens.get<double>())
            say("tok_per_s times step_s is not tokens");
    }
    // A node has energy when one of its sources has, and every other says why not.
    void sources(const Json& line) {
        if (!line.contains("sources") || !line["sources"].is_array()) return;
        bool some = false;
        for (const Json& source : line["sources"]) {
            const Json available = source.is_object() ? source.value("available", Json()) : Json(),
                       reason = source.is_object() ? source.value("reason", Json()) : Json();
            if (!available.is_boolean()) return say("energy: a source does not say whether it is available");
            if (!available.get<bool>() && !reason.is_string())
                say("energy: a source that is not available gives no reason");
            some = some || available.get<bool>();
        }
        if (line.value("available", Json()) != Json(some)) say("energy: available is not what the sources say");
    }
    // A step with energy closes a window: no step is in two of them.
    void window(const Json& line) {
        ++window_steps_;
        const Json joules = line.value("energy_J", Json()), steps = line.value("energy_steps", Json());
        if (!joules.is_number() && steps.is_null()) return;
        if (!joules.is_number() || !steps.is_number_integer())
            return say("step: energy_J and energy_steps come together");
        if (joules.get<double>() < 0) say("step: energy_J is negative");
        if (steps.get<long>() < 1 || steps.get<long>() > window_steps_)
            say(std::string("step: energy_steps is ") + steps.dump() + ", and " + std::to_string(window_steps_)
                + " steps have no energy yet");
        run_J_ += joules.get<double>();
        window_steps_ = 0;
    }
    void energy(const Json& line) {
        const Json energy = line.value("energy", Json());
        if (!energy.is_object() || !energy.value("gross_J", Json()).is_number()) return;
        const double joules = energy["gross_J"];
        if (std::abs(joules - run_J_) > 1e-6 * std::max(1.0, joules))
            say(std::string("energy.gross_J is ") + print(joules) + ", by the lines above " + print(run_J_));
    }
    // Means over ranks of all parts are a rank's whole step, on average.
    void parts(const Json& line, const char* key, double step_s) {
        if (!line.contains(key) || !line[key].is_object()) return;
        double total = 0;
        for (const auto& [name, part] : line[key].items()) {
            if (!part.is_object()) return;
            const Json low = part.value("min", Json()), mean = part.value("mean", Json()),
                       high = part.value("max", Json());
            if (!low.is_number() || !mean.is_number() || !high.is_number()) return;
            const double slack = 1e-9 + 1e-6 * high.get<double>();
            if (low > mean.get<double>() + slack || mean > high.get<double>() + slack)
                say(std::string(key) + "." + name + ": min, mean and max are out of order");
            total += mean.get<double>();
        }
        constexpr double share = 0.02, clock_s = 50e-6;
        if (std::abs(total - step_s) > share * step_s + clock_s)
            say(std::string("the means of ") + key + " add up to " + print(total) + " s, step_s is " + print(step_s)
                + " s");
    }
    void summary(const Json& line) {
        ended_ = true;
        if (const Json status = line.value("status", Json()); status.is_string()) {
            constexpr std::string_view known[] = {"ok", "cancelled", "failed", "partial"};
            check_.status = status.get<std::string>();
            if (std::find(std::begin(known), std::end(known), check_.status) == std::end(known))
                say("status " + status.dump() + " is none of ok, cancelled, failed, partial");
        }
        same(line, "lines", check_.lines - 1);
        hash(line, lines_);
    }
    // Of the run since the last layout.
    void outcome(const Json& line) {
        same(line, "steps", run_steps_);
        if (run_steps_ > 0) {
            same(line, "loss_first", first_loss_);
            same(line, "loss_last", last_loss_);
        }
        energy(line);
    }
    // What is held back must have been predicted before, a later visit of it as the first.
    void experiment(const Json& line) {
        run_steps_ = 0;
        const Json id = line.value(line.contains("repeats") ? "repeats" : "id", Json());
        if (line.value("role", Json()) == "held_out" && id.is_string() && !predicted_.contains(id.get<std::string>()))
            say("experiment " + id.dump() + " is held back, but no predict line comes before it");
    }
    void prediction(const Json& line) {
        if (predicted_.empty()) sealed_ = lines_;
        if (const Json id = line.value("id", Json()); id.is_string()) predicted_.insert(id.get<std::string>());
        hash(line, sealed_);
    }
    void same(const Json& line, const char* key, const Json& counted) {
        if (line.contains(key) && line[key] != counted)
            say(std::string(key) + " is " + line[key].dump() + ", by the lines above " + counted.dump());
    }
    // Either form of a fingerprint holds: logs from before SHA-256 have FNV-1a.
    void hash(const Json& line, const Fingerprint& lines) {
        if (line.contains("hash") && line["hash"].is_string() && lines.matches(line["hash"].get<std::string>())) return;
        same(line, "hash", lines.text());
    }

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

// number: null only beside `<key>_reason`. maybe: a number, or null where the machine does not tell.
enum class Kind { text, count, number, maybe, list, object, flag };
constexpr const char* kind_names[] = {"a text", "a count",   "a number",     "a number or null",
                                      "a list", "an object", "true or false"};

struct Key {
    std::string_view type;  // empty: every line
    const char* name;
    Kind kind;
};
constexpr Key keys[] = {
    {"", "type", Kind::text},
    {"", "run", Kind::text},
    {"", "seq", Kind::count},
    {"", "t_s", Kind::number},
    {"hello", "schema", Kind::count},
    {"hello", "engine", Kind::text},
    {"hello", "arguments", Kind::list},
    {"hello", "ranks", Kind::count},
    {"hello", "seed", Kind::count},
    {"hello", "environment", Kind::object},
    {"hw", "node", Kind::count},
    {"hw", "cores", Kind::maybe},
    {"hw", "threads", Kind::maybe},
    {"hw", "memory_B", Kind::maybe},
    {"hw", "caches", Kind::list},
    {"hw", "links", Kind::list},
    {"binding", "ranks", Kind::list},
    {"transport", "transport", Kind::text},
    {"transport", "ranks", Kind::list},
    {"layout", "dp", Kind::count},
    {"layout", "tp", Kind::count},
    {"layout", "pp", Kind::count},
    {"layout", "zero", Kind::count},
    {"layout", "recompute", Kind::text},
    {"layout", "micro_batch", Kind::count},
    {"layout", "accumulate", Kind::count},
    {"layout", "grid", Kind::list},
    {"layout", "predicted_B", Kind::object},
    {"bench", "kind", Kind::text},
    {"bench", "n", Kind::count},
    {"bench", "median_s", Kind::number},
    {"bench", "lo95_s", Kind::number},
    {"bench", "hi95_s", Kind::number},
    {"bench", "min_s", Kind::number},
    {"bench", "flags", Kind::list},
    {"bench", "params", Kind::object},
    {"bench", "warmup", Kind::count},
    {"bench", "max_over_ranks_s", Kind::number},
    {"bench", "bytes", Kind::number},
    {"bench", "flop", Kind::number},
    {"bench", "wall_over_cpu", Kind::number},
    {"bench", "clock_MHz", Kind::maybe},
    {"step", "step", Kind::count},
    {"step", "loss", Kind::number},
    {"step", "grad_norm", Kind::number},
    {"step", "step_s", Kind::number},
    {"step", "tokens", Kind::count},
    {"step", "tok_per_s", Kind::number},
    {"step", "pass", Kind::object},
    {"step", "phase", Kind::object},
    {"step", "comm", Kind::object},
    {"step", "mem_peak_B", Kind::maybe},
    {"step", "energy_J", Kind::maybe},
    {"step", "quality", Kind::list},
    {"energy", "node", Kind::count},
    {"energy", "available", Kind::flag},
    {"energy", "sources", Kind::list},
    {"power", "node", Kind::count},
    {"power", "domain", Kind::text},
    {"power", "W", Kind::maybe},
    {"power", "J", Kind::maybe},
    {"power", "source", Kind::text},
    {"power", "counter_age_s", Kind::maybe},
    {"plan", "part", Kind::count},
    {"plan", "of", Kind::count},
    {"plan", "text", Kind::text},
    {"experiment", "id", Kind::text},
    {"experiment", "role", Kind::text},
    {"experiment", "label", Kind::text},
    {"experiment", "expected_s", Kind::number},
    {"experiment", "number", Kind::count},
    {"experiment", "of", Kind::count},
    {"experiment", "plan", Kind::text},
    {"predict", "id", Kind::text},
    {"predict", "step_s", Kind::number},
    {"predict", "lo90_s", Kind::number},
    {"predict", "hi90_s", Kind::number},
    {"predict", "parts", Kind::object},
    {"predict", "memory_B", Kind::number},
    {"predict", "hash", Kind::text},
    {"beat", "ranks", Kind::list},
    {"warn", "code", Kind::text},
    {"warn", "rank", Kind::count},
    {"warn", "text", Kind::text},
    {"error", "code", Kind::text},
    {"error", "rank", Kind::count},
    {"error", "text", Kind::text},
    {"error", "exit_code", Kind::count},
    {"summary", "status", Kind::text},
    {"summary", "steps", Kind::count},
    {"summary", "lines", Kind::count},
    {"summary", "hash", Kind::text},
};

bool holds(const Json& line, const Key& key) {
    const Json& value = line[key.name];
    switch (key.kind) {
    case Kind::text: return value.is_string();
    case Kind::count: return value.is_number() && value >= 0 && std::floor(value.get<double>()) == value.get<double>();
    case Kind::number:
        return value.is_number() || (value.is_null() && line.contains(std::string(key.name) + "_reason"));
    case Kind::maybe: return value.is_number() || value.is_null();
    case Kind::list: return value.is_array();
    case Kind::object: return value.is_object();
    case Kind::flag: return value.is_boolean();
    }
    return false;
}

std::string found(const Json& value) {
    if (value.is_string()) return "a text";
    if (value.is_null()) return "null without a reason";
    const std::string text = value.dump();
    return text.size() < 32 ? text : std::string("a ") + value.type_name();
}

// pass and phase hold {max, mean, min} of every part this program knows.
void check_parts(const Json& line, const char* key, const std::vector<std::string>& names,
                 std::vector<std::string>& problems) {
    if (!line.contains(key) || !line[key].is_object()) return;
    for (const std::string& name : names) {
        const Json part = line[key].value(name, Json());
        for (const char* spread : {"max", "mean", "min"})
            if (!part.is_object() || !part.contains(spread) || !part[spread].is_number())
                return problems.push_back(std::string("step: ") + key + "." + name + " has no " + spread);
    }
}

}  // namespace

LogCheck check_log(std::istream& in) {
    constexpr std::size_t most_of_line = 1 << 20;   // a line without end is not read to its end
    Checker checker;
    std::vector<char> line(most_of_line);
    std::string text;
    bool torn = false;
    while (!torn && !checker.refused() && in.getline(line.data(), std::streamsize(line.size()))) {
        torn = in.eof();  // no line end
        text.assign(line.data(), std::size_t(in.gcount()) - (torn ? 0 : 1));
        if (!torn) checker.read(text);
    }
    if (!torn && !checker.refused() && in.fail() && !in.eof())
        checker.read(std::string(line.data(), std::size_t(in.gcount())));
    checker.end(torn, text.size());
    return std::move(checker).result();
}

int check_file(const std::string& path, std::ostream& out) {
    std::error_code error;
    const bool regular = std::filesystem::is_regular_file(path, error);   // a pipe would be waited for without end
    std::ifstream file;
    if (regular) file.open(path, std::ios::binary);
    if (!file.is_open() || file.peek() == std::ifstream::traits_type::eof()) {
        out << path << ": " << (file.is_open() && file.eof() ? "empty" : "cannot be read") << "\n";
        return 2;
    }
    const LogCheck check = check_log(file);
    constexpr std::size_t most = 50;
    for (std::size_t i = 0; i < std::min(most, check.findings.size()); ++i)
        out << path << ":" << check.findings[i].line << ": " << check.findings[i].text << "\n";
    if (check.found > most) out << path << ": and " << check.found - most << " more\n";
    out << path << ": " << check.status << ", " << check.lines << " lines, " << check.steps << " steps, "
        << check.found << (check.found == 1 ? " problem\n" : " problems\n");
    return check.findings.empty() ? 0 : 2;
}

std::vector<std::string> problems_of_keys(const Json& line) {
    std::vector<std::string> problems;
    const Json named = line.value("type", Json());
    const std::string type = named.is_string() ? named.get<std::string>() : "";
    const std::string who = type.empty() ? "line" : type;
    for (const Key& key : keys) {
        if (!key.type.empty() && key.type != type) continue;
        if (!line.contains(key.name)) problems.push_back(who + " without " + key.name);
        else if (!holds(line, key))
            problems.push_back(who + ": " + key.name + " is " + found(line[key.name]) + ", not "
                               + kind_names[std::size_t(key.kind)]);
    }
    if (type != "step") return problems;
    std::vector<std::string> phases(std::begin(phase_names), std::end(phase_names));
    phases.push_back("recompute");  // all that is computed in the recompute pass
    check_parts(line, "pass", {std::begin(pass_names), std::end(pass_names)}, problems);
    check_parts(line, "phase", phases, problems);
    return problems;
}

}  // namespace plimsoll::engine
