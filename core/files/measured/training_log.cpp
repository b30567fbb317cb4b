// The reader: pieces to lines, lines to what the tables of log_dialects.h see in them.
#include "core/files/measured/training_log.h"

#include "core/files/measured/log_dialects.h"
#include "core/files/measured/log_lines.h"
#include "core/files/measured/log_settings.h"
#include "core/files/measured/log_steps.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace plimsoll {

namespace {

using namespace files;

constexpr std::size_t longest_log_line = 1 << 20;
constexpr long long settings_within = 64LL << 20;       // bytes; no program prints its settings later
constexpr int steps_before_settings_end = 3;
constexpr double longest_logged_step = 8.64e6;          // seconds

std::vector<std::string_view> all_signs() {
    std::vector<std::string_view> all;
    for (const LogForm& f : log_forms()) all.push_back(f.sign);
    for (const LogEventSign& e : log_event_signs()) all.push_back(e.sign);
    all.push_back("# plimsoll plan ");
    return all;
}

const WordFilter& filter_of_signs() {
    static const WordFilter filter(all_signs());
    return filter;
}

bool has(std::string_view line, std::string_view word) { return line.find(word) != line.npos; }

bool is_bar(std::string_view line) {
    const void* percent = std::memchr(line.data(), '%', line.size());
    return percent && has(line, "%|") && (has(line, "it/s") || has(line, "s/it"));
}

constexpr std::size_t measures = 6;

}  // namespace

// What one line said, before it is kept.
struct SaidOfStep {
    std::optional<double> number;
    std::array<std::optional<double>, measures> values;
};

struct TrainingLogReader::State {
    TrainingLog log;
    SettingsOfLog settings;
    std::array<StepSeries, measures> series{StepSeries(false), StepSeries(true),  StepSeries(true),
                                            StepSeries(true),  StepSeries(false), StepSeries(false)};
    std::array<int, 13> seen{}, certain{};             // lines by dialect
    std::unordered_map<std::uint64_t, long long> number_of;   // the latest of each rank
    std::string rest, scratch;                         // of a line; without colours
    bool too_long = false;                             // the line is, its rest is skipped
    long long bytes = 0, steps = 0, bar_of = 0;
    int lines = 0;
    std::optional<double> total;                       // seconds of a step

    void take_line(std::string_view, bool whole);
    void take_text(std::string_view, bool whole);
    void take_form(const LogForm&, const BareLine&, bool whole);
    void take_field(const LogField&, double value, const BareLine&, SaidOfStep&);
    void take_bar(const BareLine&, bool whole);
    void take_phrases(std::string_view);
    void take_event(LogEvent, const BareLine&);
    void note_memory(MemoryKind, double bytes, int rank);
    void add(StepMeasure, const BareLine&, long long number, double value);
    LogDialect dialect() const;
    void choose_measure();
};

void TrainingLogReader::State::take_line(std::string_view line, bool whole) {
    ++lines;
    // Progress bars end their lines with a carriage return alone.
    while (!line.empty()) {
        const void* found = std::memchr(line.data(), '\r', line.size());
        const std::size_t end = found ? std::size_t(static_cast<const char*>(found) - line.data()) : line.size();
        if (end > 0) take_text(line.substr(0, end), whole || end < line.size());
        line.remove_prefix(std::min(end + 1, line.size()));
    }
}

void TrainingLogReader::State::take_text(std::string_view text, bool whole) {
    const bool early = steps < steps_before_settings_end && bytes < settings_within;
    const bool sign = filter_of_signs().may_hold_one(text), bar = is_bar(text);
    if (!early && !sign && !bar) return;
    const BareLine line = bare_line(text, scratch);
    if (line.of > 0 && line.of < (1 << 24)) log.devices = std::max(log.devices, line.of);
    if (sign || line.text.data() == scratch.data()) {  // colours may stand within a sign
        for (const LogForm& f : log_forms())
            if (has(line.text, f.sign) && (f.also.empty() || has(line.text, f.also))) take_form(f, line, whole);
        for (const LogEventSign& e : log_event_signs())
            if (has(line.text, e.sign)) take_event(e.is, line);
        if (!log.link && has(line.text, "# plimsoll plan "))
            log.link = link_in(line.text.substr(line.text.find("# plimsoll plan ")));
    }
    if (bar) take_bar(line, whole);
    if (!early || !whole) return;
    take_phrases(line.text);
    settings.take(line, lines);
}

void TrainingLogReader::State::take_phrases(std::string_view line) {
    for (const LogPhrase& p : log_phrases()) {
        if (!has(line, p.sign)) continue;
        ++seen[std::size_t(p.dialect)];
        if (const auto value = number_behind(line, p.key); value && *value > 0 && *value < 1e15)
            settings.add(std::string(p.setting), shortest(*value), lines);
    }
}

void TrainingLogReader::State::take_event(LogEvent is, const BareLine& line) {
    const bool evaluation = is == LogEvent::evaluation;
    ++(evaluation ? log.evaluations : log.saves);
    for (StepSeries& s : series) s.note_event(line.who, evaluation);
}

void TrainingLogReader::State::note_memory(MemoryKind kind, double bytes_used, int rank) {
    if (!(bytes_used > 0) || bytes_used > 1e15) return;
    for (LogMemory& m : log.memory)
        if (m.kind == kind) {
            if (m.most < bytes_used * byte) m = {kind, bytes_used * byte, rank};
            return;
        }
    log.memory.push_back({kind, bytes_used * byte, rank});
}

void TrainingLogReader::State::take_field(const LogField& f, double v, const BareLine& line, SaidOfStep& said) {
    const auto value = [&](StepMeasure m) -> std::optional<double>& { return said.values[std::size_t(m)]; };
    const auto keep = [&](StepMeasure m, double x) {
        if (!value(m)) value(m) = x;
    };
    switch (f.is) {
        case LogQuantity::number:
            if (!said.number && v < 1e15) said.number = v;
            break;
        case LogQuantity::milliseconds: keep(StepMeasure::seconds, v / 1000); break;
        case LogQuantity::seconds: keep(StepMeasure::seconds, v); break;
        case LogQuantity::steps_per_second:
            if (v > 0) keep(StepMeasure::seconds, 1 / v);
            break;
        case LogQuantity::tokens_of_device: keep(StepMeasure::tokens_of_device, v); break;
        case LogQuantity::tokens_of_all: keep(StepMeasure::tokens_of_all, v); break;
        case LogQuantity::samples_of_all: keep(StepMeasure::samples_of_all, v); break;
        case LogQuantity::total_rate:
            if (v > 0) total = 1 / v;
            break;
        case LogQuantity::batch:
            if (v >= 1 && v < 1e9) log.batch = v;
            break;
        case LogQuantity::tflops: log.tflops = v; break;
        case LogQuantity::allocated: note_memory(MemoryKind::allocated, v * f.unit, line.rank); break;
        case LogQuantity::reserved: note_memory(MemoryKind::reserved, v * f.unit, line.rank); break;
        case LogQuantity::device_memory: note_memory(MemoryKind::used, v * f.unit, line.rank); break;
        case LogQuantity::devices: break;
    }
}

void TrainingLogReader::State::add(StepMeasure m, const BareLine& line, long long number, double value) {
    if (!std::isfinite(value) || value <= 1e-9 || value > 1e15) return;
    const bool time = m == StepMeasure::seconds || m == StepMeasure::bar;
    if (time && value > longest_logged_step) return;
    if (m != StepMeasure::bar) ++steps;
    series[std::size_t(m)].add(line.who, number, value, log.batch);
}

void TrainingLogReader::State::take_form(const LogForm& form, const BareLine& line, bool whole) {
    SaidOfStep said;
    for (const LogField& f : form.fields)
        if (const auto v = number_behind(line.text, f.key, {whole, f.scaled})) take_field(f, *v, line, said);
    ++seen[std::size_t(form.dialect)];
    certain[std::size_t(form.dialect)] += form.certain;
    constexpr std::size_t most_ranks = 4096;
    const bool room = number_of.size() < most_ranks || number_of.contains(line.who);
    if (said.number && room) number_of[line.who] = (long long)*said.number;
    bool any = false;
    for (std::size_t m = 0; m < measures; ++m) {
        if (!said.values[m]) continue;
        any = true;
        const auto latest = number_of.find(line.who);
        const long long number = said.number                  ? (long long)*said.number
                               : latest != number_of.end() ? latest->second
                                                             : series[m].next_of(line.who);
        add(StepMeasure(m), line, number, *said.values[m]);
    }
    if (said.number && !any && form.certain) ++log.untimed;
}

// The bar of the steps is the first without a description, or with one that such bars have; evaluations have others,
// which count to another end.
void TrainingLogReader::State::take_bar(const BareLine& line, bool whole) {
    const auto bar = bar_in(line.text, whole);
    if (!bar) return;
    const bool epoch = bar->before.starts_with("Epoch "), levanter = bar->before.starts_with("train:");
    const bool torchtune = has(bar->before, "|Loss: ");
    if (!bar->before.empty() && !epoch && !levanter && !torchtune) return;
    if (bar->done < 1 || bar->done > 1e15 || bar->all > 1e15) return;
    if (bar_of == 0) bar_of = (long long)bar->all;
    if ((long long)bar->all != bar_of) return;
    if (epoch) ++seen[std::size_t(LogDialect::nemo)];
    else if (levanter) ++seen[std::size_t(LogDialect::levanter)];
    else if (torchtune) ++seen[std::size_t(LogDialect::torchtune)];
    add(StepMeasure::bar, line, (long long)bar->done, bar->seconds);
}

LogDialect TrainingLogReader::State::dialect() const {
    const auto most = [](const auto& counts) {
        const auto at = std::ranges::max_element(counts);
        return *at > 0 ? std::optional(LogDialect(at - counts.begin())) : std::nullopt;
    };
    const LogDialect by_settings = settings.dotted         ? LogDialect::megatron
                                 : settings.config_params ? LogDialect::maxtext
                                                          : LogDialect::trainer;
    return most(certain).value_or(most(seen).value_or(by_settings));
}

void TrainingLogReader::State::choose_measure() {
    const LogHabits& habits = habits_of(log.dialect);
    std::vector<StepMeasure> order = habits.prefers;
    for (std::size_t m = 0; m < measures; ++m) order.push_back(StepMeasure(m));
    const auto counts = [](const std::vector<LogStep>& all) {
        return std::ranges::any_of(all, [](const LogStep& s) { return s.fate == StepFate::counted; });
    };
    if (total) series[std::size_t(StepMeasure::total)].add(0, std::max<long long>(1, bar_of), *total, log.batch);
    for (const bool only_counted : {true, false})
        for (const StepMeasure m : order) {
            const StepSeries& s = series[std::size_t(m)];
            if (s.empty()) continue;
            auto all = s.steps();
            if (m == StepMeasure::total) all.front().fate = StepFate::counted;
            if (only_counted && !counts(all)) continue;
            log.measure = m;
            log.steps = std::move(all);
            log.restarts = s.restarts();
            log.every = s.every();
            return;
        }
}

// ---- The reader

TrainingLogReader::TrainingLogReader() : state_(std::make_unique<State>()) {}
TrainingLogReader::~TrainingLogReader() = default;

void TrainingLogReader::take(std::string_view piece) {
    State& s = *state_;
    s.bytes += (long long)piece.size();
    while (!piece.empty()) {
        const void* found = std::memchr(piece.data(), '\n', piece.size());
        const std::size_t end = found ? std::size_t(static_cast<const char*>(found) - piece.data()) : piece.size();
        const std::string_view part = piece.substr(0, end);
        if (found && s.rest.empty() && !s.too_long) s.take_line(part, true);
        else if (!s.too_long) {
            s.rest.append(part.substr(0, longest_log_line - std::min(longest_log_line, s.rest.size())));
            s.too_long = s.rest.size() >= longest_log_line;
            // A bar may be drawn for hours without a line end: what is complete of it is taken.
            if (s.too_long || found) {
                s.take_line(s.rest, found != nullptr);
                s.rest.clear();
            }
        }
        if (found) s.too_long = false;
        piece.remove_prefix(std::min(end + 1, piece.size()));
    }
}

Expected<TrainingLog, Problems> TrainingLogReader::finish(const std::string& file) {
    State& s = *state_;
    if (!s.rest.empty()) s.take_line(s.rest, false);
    s.rest.clear();
    s.settings.end();
    TrainingLog& log = s.log;
    log.dialect = s.dialect();
    s.choose_measure();
    if (log.steps.empty() && s.settings.all.empty() && s.settings.model_config.empty())
        return Unexpected{Problems{
            {Severity::error, file, {},
             phrase("holds no step that a training framework prints, and no settings: expected a log of Megatron-LM, "
                    "NeMo, torchtitan, DeepSpeed, Hugging Face Trainer or another that 'plimsoll import --help' "
                    "names")}}};
    log.settings = std::move(s.settings.all);
    log.model_config = std::move(s.settings.model_config);
    const StepSeries& tokens = s.series[std::size_t(StepMeasure::tokens_of_device)];
    if (log.measure != StepMeasure::tokens_of_device && !tokens.empty()) {
        TrainingLog beside;
        beside.steps = tokens.steps();
        if (const auto middle = beside.middle()) log.tokens_of_device = middle->value;
    }
    return std::move(log);
}

}  // namespace plimsoll
