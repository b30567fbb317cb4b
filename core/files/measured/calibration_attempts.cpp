#include "core/files/measured/calibration_attempts.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/proof/record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace plimsoll {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_attempts = 10000;   // the oldest go

std::string line_of(const CalibrationAttempt& a) {
    return Json{{"run", a.run},
                {"started", a.started},
                {"host", a.host},
                {"plan", a.plan},
                {"seal", a.seal},
                {"state", a.state},
                {"layouts", a.layouts},
                {"undisturbed", a.undisturbed},
                {"inside", a.inside},
                {"error", a.error},
                {"undisturbed_error", a.undisturbed_error}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<CalibrationAttempt> attempt_in(std::string_view line) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    const auto text = [&](const char* key) {
        const auto at = json.find(key);
        return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    const auto number = [&](const char* key) {
        const auto at = json.find(key);
        const double value = at != json.end() && at->is_number() ? at->get<double>() : 0;
        return std::isfinite(value) ? std::clamp(value, 0.0, 1e6) : 0;
    };
    CalibrationAttempt a{text("run"), text("started"), text("host"), text("plan"), text("seal"), text("state"),
                         int(number("layouts")), int(number("undisturbed")), int(number("inside")), number("error"),
                         number("undisturbed_error")};
    if (a.run.empty()) return std::nullopt;
    return a;
}

bool alike(const CalibrationAttempt& a, const CalibrationAttempt& b) { return a.plan == b.plan && a.host == b.host; }

}  // namespace

CalibrationAttempt attempt_of(const CalibrationLog& log, const CalibrationResult& r) {
    CalibrationAttempt a;
    a.run = log.engine.run;
    if (log.engine.hello) a.started = log.engine.hello->started;
    a.host = r.record.host;
    a.plan = log.plan_hash();
    if (log.seal) a.seal = log.seal->hash;
    a.state = log.complete() ? "complete" : log.state();
    const ProofScores scores = scores_of(r.record);
    a.layouts = scores.all.rows;
    a.undisturbed = scores.undisturbed.rows;
    a.inside = scores.inside;
    a.error = scores.all.time;
    a.undisturbed_error = scores.undisturbed.time;
    return a;
}

std::filesystem::path attempts_in(const std::filesystem::path& calibrations) {
    return calibrations / "attempts.ledger";
}

std::filesystem::path attempts_file() {
    const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
    if (data && std::filesystem::path(data).is_absolute())
        return attempts_in(std::filesystem::path(data) / "plimsoll/calibrations");
    if (home && *home) return attempts_in(std::filesystem::path(home) / ".local/share/plimsoll/calibrations");
    return {};
}

std::vector<CalibrationAttempt> read_attempts(const std::filesystem::path& path) {
    std::vector<CalibrationAttempt> all;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return all;
    const auto text = read_text(path);
    if (!text) return all;
    for (std::string_view rest = *text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (auto a = attempt_in(rest.substr(0, end))) all.push_back(*std::move(a));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
}

Expected<bool, Problems> keep_attempt(const std::filesystem::path& path, const CalibrationAttempt& attempt) {
    if (path.empty()) return false;
    std::vector<CalibrationAttempt> all = read_attempts(path);
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const CalibrationAttempt& a) { return a.run == attempt.run; });
    if (same != all.end() && *same == attempt) return true;
    if (same != all.end()) *same = attempt;
    else all.push_back(attempt);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::string text;
    const std::size_t first = all.size() > most_attempts ? all.size() - most_attempts : 0;
    for (std::size_t i = first; i < all.size(); ++i) text.append(line_of(all[i])).append("\n");
    return write_atomically(path, text);
}

std::string say_attempts(const std::vector<CalibrationAttempt>& all, const CalibrationAttempt& attempt) {
    std::string scores;
    int times = 0, unfinished = 0;
    for (const CalibrationAttempt& a : all) {
        if (!alike(a, attempt)) continue;
        ++times;
        if (a.layouts == 0 || a.state != "complete") {
            ++unfinished;
            continue;
        }
        scores.append(scores.empty() ? "" : ", ").append(fixed(100 * a.error, 1)).append(" %");
    }
    if (times == 0) return {};
    std::string text = times == 1 ? phrase("This is the only calibration of this plan on this machine.")
                                  : phrase("This plan was calibrated {1} times on this machine.", times);
    if (times > 1 && !scores.empty())
        text.append(" ").append(
            phrase("Mean errors of all layouts held back, one attempt after the other: {1}.", scores));
    if (unfinished > 0 && times > 1) text.append(" ").append(phrase("{1} did not go to the end.", unfinished));
    return text;
}

}  // namespace plimsoll
