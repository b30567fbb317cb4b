#include "core/files/measured/scaling_runs.h"

#include "core/files/presets/parts.h"
#include "core/files/text/csv.h"
#include "core/files/text/disk.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

using namespace files;

constexpr int most_scaling_nodes = 10'000'000;
constexpr double longest_scaling_step = 8.64e6;   // seconds: a hundred days
constexpr std::size_t most_scaling_runs = 100'000, longest_word = 200;
constexpr std::array<std::string_view, 10> run_columns{"nodes", "step_s", "step_ms", "machine", "date",
                                                       "job", "software", "scaling", "gpu_utilisation", "job_id"};

bool has(const CsvTable& t, std::string_view column) {
    return std::find(t.columns.begin(), t.columns.end(), column) != t.columns.end();
}

std::string word_of(const CsvTable& t, CsvValues& values, std::string_view column) {
    if (!has(t, column)) return {};
    const std::string text(values.text(column));
    if (is_line(text) && characters(text) <= longest_word) return text;
    values.refuse(column, phrase("expected a text on one line of at most 200 characters"));
    return {};
}

Expected<std::vector<ScalingRun>, Problems> runs_of_csv(std::string_view text, const std::string& file) {
    const auto table = read_csv(text, file);
    if (!table) return Unexpected{table.error()};
    const bool seconds = has(*table, "step_s");
    if (!has(*table, "nodes") || (!seconds && !has(*table, "step_ms")))
        return Unexpected{Problems{
            {Severity::error, file, phrase("line {1}", 1),
             phrase("expected the columns nodes and step_s (or step_ms); beside them there may be {1}",
                    "machine, date, job, software, scaling, gpu_utilisation")}}};
    Problems problems;
    if (table->rows.size() > most_scaling_runs)
        return Unexpected{Problems{{Severity::error, file, "", phrase("more than {1} rows", most_scaling_runs)}}};
    for (const std::string& column : table->columns)
        if (std::find(run_columns.begin(), run_columns.end(), column) == run_columns.end())
            problems.push_back({Severity::error, file, phrase("line {1}", 1),
                                phrase("found the column {1}", in_quotes(column)) + did_you_mean(column, run_columns)});
    std::vector<ScalingRun> runs;
    for (std::size_t i = 0; i < table->rows.size() && problems.size() < 20; ++i) {
        CsvValues values(*table, i, problems);
        ScalingRun r;
        r.nodes = values.whole("nodes", 1, most_scaling_nodes);
        r.step = seconds ? values.number("step_s", 1e-9, longest_scaling_step) * second
                         : values.number("step_ms", 1e-6, 1e3 * longest_scaling_step) * millisecond;
        r.machine = word_of(*table, values, "machine");
        r.date = word_of(*table, values, "date");
        r.job = word_of(*table, values, has(*table, "job") ? "job" : "job_id");
        r.software = word_of(*table, values, "software");
        if (has(*table, "scaling") && !values.text("scaling").empty())
            r.kind = static_cast<ScalingKind>(values.choice("scaling", {"strong", "weak"}));
        if (has(*table, "gpu_utilisation") && !values.text("gpu_utilisation").empty())
            r.gpu_utilisation = values.number("gpu_utilisation", 0, 1);
        runs.push_back(std::move(r));
    }
    if (problems.empty() && runs.empty())
        problems.push_back({Severity::error, file, "", phrase("found no runs, expected one a line below the header")});
    if (!problems.empty()) return Unexpected{std::move(problems)};
    return runs;
}

ScalingRun run_of(const Reader& at) {
    ScalingRun r;
    if (!at.object()) return r;
    if (const auto v = at.member("nodes")) r.nodes = v->whole({1, most_scaling_nodes}).value_or(1);
    else at.missing("nodes", phrase("a whole number"));
    const auto seconds = at.member("step_s"), milliseconds = at.member("step_ms");
    if (seconds) r.step = seconds->number({1e-9, longest_scaling_step}).value_or(1) * second;
    else if (milliseconds) r.step = milliseconds->number({1e-6, 1e3 * longest_scaling_step}).value_or(1) * millisecond;
    else at.missing("step_s", phrase("the time of a step"));
    const auto word = [&](std::string_view key) {
        const auto v = at.member(key);
        return v ? v->line(longest_word).value_or("") : std::string();
    };
    r.machine = word("machine");
    r.date = word("date");
    r.job = at.member("job") ? word("job") : word("job_id");
    r.software = word("software");
    constexpr std::array<std::string_view, 2> kinds{"strong", "weak"};
    if (const auto v = at.member("scaling")) r.kind = static_cast<ScalingKind>(v->choice(kinds).value_or(0));
    if (const auto v = at.member("gpu_utilisation")) r.gpu_utilisation = v->number(share);
    at.warn_of_keys_beyond(run_columns);
    return r;
}

Expected<std::vector<ScalingRun>, Problems> runs_of_json(std::string_view text, const std::string& file) {
    Findings findings(file);
    std::vector<ScalingRun> runs;
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        const auto list = json->is_object() ? root.member("runs") : std::optional(root);
        if (!list) root.missing("runs", phrase("a list of runs"));
        else if (list->array(most_scaling_runs))
            for (const Reader& each : list->elements()) runs.push_back(run_of(each));
        if (findings.errors() == 0 && runs.empty()) root.error(phrase("found no runs"));
    }
    if (findings.errors() > 0) return Unexpected{findings.take()};
    return runs;
}

}  // namespace

Expected<std::vector<ScalingRun>, Problems> read_scaling_runs(std::string_view text, const std::string& file) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != text.npos && (text[first] == '{' || text[first] == '[')) return runs_of_json(text, file);
    return runs_of_csv(text, file);
}

bool looks_like_scaling_runs(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return false;
    if (text[first] == '{' || text[first] == '[') return read_scaling_runs(text).has_value();
    const std::string header = "," + std::string(text.substr(first, text.find('\n', first) - first)) + ",";
    const auto names = [&](std::string_view column) {
        const std::size_t at = header.find(column);
        const auto apart = [](char c) { return c == ',' || c == '"' || c == ' ' || c == '\r'; };
        return at != header.npos && apart(header[at - 1]) && apart(header[at + column.size()]);
    };
    return names("nodes") && (names("step_s") || names("step_ms"));
}

Expected<std::vector<ScalingRun>, Problems> load_scaling_runs(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    return read_scaling_runs(*text, path.string());
}

std::string scaling_runs_json(const std::vector<ScalingRun>& runs) {
    OrderedJson list = OrderedJson::array();
    for (const ScalingRun& r : runs) {
        OrderedJson row{{"nodes", r.nodes},
                        {"step_s", number_json(r.step / second)},
                        {"scaling", r.kind == ScalingKind::strong ? "strong" : "weak"}};
        for (const auto& [key, word] : {std::pair{"machine", &r.machine}, std::pair{"date", &r.date},
                                        std::pair{"job", &r.job}, std::pair{"software", &r.software}})
            if (!word->empty()) row[key] = *word;
        if (r.gpu_utilisation) row["gpu_utilisation"] = number_json(*r.gpu_utilisation);
        list.push_back(std::move(row));
    }
    return text_of({{"runs", std::move(list)}});
}

}  // namespace plimsoll
