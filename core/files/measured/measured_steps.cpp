#include "core/files/measured/measured_steps.h"

#include "core/files/measured/engine_log.h"
#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace plimsoll {

namespace {

constexpr std::string_view separators = ",;\t ";

using Fields = std::vector<std::string_view>;

void take_fields(std::string_view line, Fields& fields) {
    fields.clear();
    for (std::size_t at = 0; (at = line.find_first_not_of(separators, at)) != line.npos;) {
        const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end;
    }
}

std::optional<double> number_in(std::string_view field) {
    const std::string text(field);
    char* end = nullptr;
    const double v = std::strtod(text.c_str(), &end);
    return end != text.c_str() && *end == '\0' ? std::optional(v) : std::nullopt;
}

// What each column holds; nothing for one that is ignored.
struct Columns {
    std::size_t step = std::string::npos;
    double unit = 1;
    std::vector<std::pair<std::size_t, Seconds StepTime::*>> parts;
};

Columns columns_of(const Fields& header) {
    Columns c;
    for (std::size_t i = 0; i < header.size(); ++i) {
        const bool seconds = header[i] == "step_s" || header[i] == "step_time" || header[i] == "seconds";
        const bool milliseconds = header[i] == "step_ms" || header[i] == "step_time_ms";
        if (c.step == std::string::npos && (seconds || milliseconds)) {
            c.step = i;
            c.unit = milliseconds ? 1e-3 : 1;
        }
        for (const auto& part : step_parts)
            if (header[i] == part.id) c.parts.emplace_back(i, part.value);
    }
    return c;
}

constexpr double longest_step = 8.64e6;   // seconds

class StepTable {
public:
    StepTable(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Expected<MeasuredSteps, Problems> read() {
        while (!text_.empty()) take(next_line());
        if (columns_.step == std::string::npos && problems_.empty())
            complain(0, phrase("found nothing, expected a header with step_s and a step a line"));
        if (problems_.empty() && steps_.empty())
            complain(line_, phrase("found no steps, expected one a line below the header"));
        if (!problems_.empty()) return Unexpected{std::move(problems_)};
        return steps();
    }

private:
    std::string_view next_line() {
        ++line_;
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        std::string_view line = text_.substr(0, end);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }
    void take(std::string_view line) {
        take_fields(line, fields_);
        if (fields_.empty() || fields_.front().starts_with('#')) return;
        if (columns_.step == std::string::npos) return head(fields_);
        const auto step = value(fields_, columns_.step);
        if (!step) return;
        steps_.push_back(*step * columns_.unit * second);
        for (const auto& [column, part] : columns_.parts) {
            const auto v = column < fields_.size() ? number_in(fields_[column]) : std::nullopt;
            parts_.push_back(v.value_or(0) * columns_.unit * second);
        }
    }
    void head(const Fields& fields) {
        columns_ = columns_of(fields);
        if (columns_.step != std::string::npos) return;
        std::string names;
        for (const std::string_view f : fields) names.append(names.empty() ? "" : ", ").append(f);
        complain(line_, phrase("found the columns {1}, expected one of {2}", names,
                               "step_s, step_time, seconds, step_ms, step_time_ms"));
        text_ = {};
    }
    std::optional<double> value(const Fields& fields, std::size_t column) {
        const auto v = column < fields.size() ? number_in(fields[column]) : std::nullopt;
        if (v && *v > 0 && *v * columns_.unit <= longest_step) return v;
        complain(line_, phrase("found \"{1}\" as the step time, expected a number above 0, at most a hundred days",
                               std::string(column < fields.size() ? fields[column] : std::string_view())));
        return std::nullopt;
    }
    void complain(int line, const std::string& message) {
        constexpr std::size_t most = 20;
        if (problems_.size() < most)
            problems_.push_back({Severity::error, file_, phrase("line {1}", line), message});
    }
    MeasuredSteps steps() {
        MeasuredSteps m;
        m.steps = std::move(steps_);
        if (columns_.parts.empty()) return m;
        std::vector<std::uint32_t> order(m.steps.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto middle = order.begin() + long(order.size() / 2);
        std::nth_element(order.begin(), middle, order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return m.steps[a] < m.steps[b]; });
        m.parts.emplace();
        for (std::size_t i = 0; i < columns_.parts.size(); ++i)
            (*m.parts).*columns_.parts[i].second = parts_[*middle * columns_.parts.size() + i];
        return m;
    }

    std::string_view text_;
    const std::string& file_;
    Columns columns_;
    Fields fields_;                // of the present line
    std::vector<Seconds> steps_;
    std::vector<Seconds> parts_;   // of each step, those that have a column
    Problems problems_;
    int line_ = 0;
};

Expected<MeasuredSteps, Problems> of_engine(std::string_view text, const std::string& file) {
    EngineLog log;
    take_all_lines(text, log, log);
    MeasuredSteps m;
    const auto steps = log.latest();
    for (const EngineStep& s : steps.subspan(std::min<std::size_t>(1, steps.size()))) m.steps.push_back(s.wall);
    if (m.steps.empty())
        return Unexpected{Problems{
            {Severity::error, file, "",
             phrase("found {1}, expected a log of plimsoll-engine with at least two steps, or a table with a column "
                    "step_s",
                    log.state())}}};
    m.parts = log.typical_step()->parts.mean;
    return m;
}

}  // namespace

Expected<MeasuredSteps, Problems> read_measured_steps(std::string_view text, const std::string& file) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != text.npos && text[first] == '{') return of_engine(text, file);
    return StepTable(text, file).read();
}

Expected<MeasuredSteps, Problems> load_measured_steps(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    return read_measured_steps(*text, path.string());
}

}  // namespace plimsoll
