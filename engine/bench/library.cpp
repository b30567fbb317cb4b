#include "engine/bench/library.h"

#include "core/files/launch/process.h"
#include "core/values/basics/foreign_text.h"
#include "engine/model/data.h"
#include "engine/report/statistics.h"
#include "engine/report/stopping.h"

#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

namespace plimsoll::engine {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds library_limit{120};
constexpr std::size_t longest_answer = 1 << 14, longest_library_name = 100, most_seconds = 1000;
constexpr double least_call_s = 1e-8, longest_call_s = 1000;

// A whole number within the bounds, or nothing.
std::optional<double> whole_in(const Json& of, const char* key, double least, double most) {
    const auto at = of.find(key);
    if (at == of.end() || !at->is_number()) return std::nullopt;
    const double number = at->get<double>();
    const bool fits = number >= least && number <= most && number == std::floor(number);
    return fits ? std::optional(number) : std::nullopt;
}

std::string text_in(const Json& of, const char* key) {
    const auto at = of.find(key);
    if (at == of.end() || !at->is_string()) return {};
    std::string text = at->get<std::string>();
    return is_line(text) && text.size() <= longest_library_name ? text : std::string{};
}

std::vector<double> call_seconds(const Json& line) {
    std::vector<double> all;
    const auto at = line.find("seconds");
    if (at == line.end() || !at->is_array() || at->size() > most_seconds) return all;
    for (const Json& each : *at) {
        const double s = each.is_number() ? each.get<double>() : 0;
        if (!(s >= least_call_s && s <= longest_call_s)) return {};
        all.push_back(s);
    }
    return all;
}

// Takes the lines of the script, which may be anything.
class Listener {
public:
    Listener(const LibraryQuestion& q, LibraryAnswer& a) : q_(q), a_(a) {}
    void take(std::string_view text) {
        const Json line = text.size() <= longest_answer ? Json::parse(text, nullptr, false) : Json();
        if (!line.is_object() || !(named(line) || lacks(line) || point(line))) ++strange;
    }
    int strange = 0;
    std::string lacking;

private:
    bool named(const Json& line) {
        if (!a_.library.empty() || text_in(line, "library").empty()) return false;
        a_.library = text_in(line, "library");
        a_.device = text_in(line, "device");
        return true;
    }
    bool lacks(const Json& line) {
        const std::string what = text_in(line, "missing");
        if (what == "torch") lacking = "its Python has no PyTorch";
        else if (what == "device") lacking = "its PyTorch sees no such device";
        else if (what == "version") lacking = "its PyTorch is older than 2.0";
        else return false;
        return true;
    }
    bool point(const Json& line) {
        static const std::set<std::string> kernels{"flash", "cudnn", "efficient", "math"};
        const std::string pass = text_in(line, "pass"), kernel = text_in(line, "kernel");
        const auto shape = whole_in(line, "shape", 0, double(q_.shapes.size()) - 1),
                   calls = whole_in(line, "calls", 1, 1e6), warmup = whole_in(line, "warmup", 0, 1e9);
        LibraryPoint p{0, pass == "backward", kernels.contains(kernel) ? kernel : "unknown", call_seconds(line)};
        if (a_.library.empty() || (pass != "forward" && !p.backward) || !shape || !calls || !warmup
            || p.seconds.empty() || !seen_.emplace(*shape, p.backward).second)
            return false;
        p.shape = std::size_t(*shape);
        p.calls = int(*calls);
        p.warmup = long(*warmup);
        p.starved = line.value("starved", Json()) != Json(false);
        a_.points.push_back(std::move(p));
        return true;
    }

    const LibraryQuestion& q_;
    LibraryAnswer& a_;
    std::set<std::pair<double, bool>> seen_;
};

ProcessStart script(const LibraryQuestion& q, const std::filesystem::path& python) {
    std::ostringstream seconds;
    seconds << q.options.bench_seconds;
    ProcessStart start{python.string(),
                       {bundled("library_attention.py").string(), name_of(q.options.device),
                        name_of(q.options.precision), seconds.str()},
                       {}};
    for (const AttentionShape& a : q.shapes)
        start.arguments.push_back(std::to_string(a.B) + "x" + std::to_string(a.T) + "x" + std::to_string(a.H) + "x"
                                  + std::to_string(a.D));
    return start;
}

// Why not all was measured, in words that stand behind a colon.
std::string why_not(const ProcessEnd& end, const Listener& heard, const LibraryQuestion& q) {
    if (!end.failure.empty()) return "its Python cannot be started";
    if (end.timed_out) return "it took longer than " + std::to_string(q.limit.count() / 1000) + " s";
    if (!heard.lacking.empty()) return heard.lacking;
    if (heard.strange) return "what came back cannot be read";
    if (end.code != 0) return "its Python ended with exit code " + std::to_string(end.code);
    return "PyTorch refused the others";
}

std::string sentence(std::size_t points, std::size_t of, const std::string& why) {
    if (points == 0) return "No library's attention was measured, so the device keeps the preset's: " + why + ".";
    return "Of a library's attention " + std::to_string(points) + " of " + std::to_string(of)
         + " points were measured: " + why + ".";
}

}  // namespace

LibraryAnswer ask_library(const LibraryQuestion& q) {
    LibraryAnswer answer;
    const std::size_t expected = 2 * q.shapes.size();
    const char* named = std::getenv("PLIMSOLL_PYTHON");
    const std::filesystem::path python = named && *named ? std::filesystem::path(named) : program_in_path("python3");
    if (!executable(python)) {
        answer.problem = sentence(0, expected,
                                  named && *named ? "PLIMSOLL_PYTHON names no program that can be run"
                                                  : "there is no python3, and PLIMSOLL_PYTHON names no other");
        return answer;
    }
    Listener heard(q, answer);
    const ProcessEnd end =
        run_process(script(q, python), {.out = [&](std::string_view line) { heard.take(line); }, .err = {}},
                    {.limit = q.limit, .stop = [&] { return q.stop() || heard.strange > int(expected); }});
    answer.stopped = q.stop();
    if (answer.points.size() < expected)
        answer.problem = sentence(answer.points.size(), expected, why_not(end, heard, q));
    return answer;
}

Outcome bench_library(const Options& o, const RunPlace& place) {
    const std::vector<AttentionShape> shapes = library_shapes(o);
    const LibraryAnswer answer = ask_library({o, shapes, library_limit, [&] {
                                                  place.watchdog.changed(Pass::data, Phase::launch);
                                                  return stop_requested();
                                              }});
    for (const LibraryPoint& p : answer.points) {
        const Point point = attention_line("library_attention", shapes[p.shape], p.backward);
        Timing t{.seconds = p.seconds, .warmup = p.warmup, .calls = p.calls};
        t.largest_median = spread_of(p.seconds).median;
        Json line = line_of(point, Work{.run = {}, .busy = false}, t);
        line.update({{"library", answer.library}, {"device", answer.device}, {"kernel", p.kernel},
                     {"precision", name_of(o.precision)}, {"visit", 1}});
        if (p.starved) line["flags"].push_back("starved");
        place.log.write("bench", line);
    }
    if (!answer.problem.empty() && !answer.stopped) place.log.warn("library_attention", answer.problem);
    return {{}, answer.stopped, {{"steps", 0}, {"points", answer.points.size()}}};
}

}  // namespace plimsoll::engine
