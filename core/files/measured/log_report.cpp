// What a log amounts to: the middle of its steps, beside a plan, and in sentences.
#include "core/files/measured/training_log.h"

#include "core/files/measured/log_dialects.h"
#include "core/files/settings/settings.h"
#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

std::string say(StepFate f) {
    switch (f) {
        case StepFate::counted: return phrase("counted");
        case StepFate::first: return phrase("the first interval after a start");
        case StepFate::warm_up: return phrase("of the first steps of a start");
        case StepFate::evaluated: return phrase("an evaluation ran in it");
        case StepFate::saved: return phrase("a checkpoint was saved in it");
        case StepFate::repeated: return phrase("ran again after a restart");
        case StepFate::other_batch: return phrase("had another batch than the last ones");
    }
    return {};
}

std::string say(MemoryKind k) {
    switch (k) {
        case MemoryKind::allocated: return phrase("allocated by the framework");
        case MemoryKind::reserved: return phrase("reserved by the framework");
        case MemoryKind::used: return phrase("used of the whole device");
    }
    return {};
}

int TrainingLog::counted() const {
    return int(std::ranges::count(steps, StepFate::counted, &LogStep::fate));
}

std::optional<TrainingLog::Middle> TrainingLog::middle() const {
    std::vector<double> values;
    for (const LogStep& s : steps)
        if (s.fate == StepFate::counted) values.push_back(s.value);
    if (values.empty()) return std::nullopt;
    std::ranges::sort(values);
    const auto at = [&](double share) {
        const double place = share * double(values.size() - 1);
        const std::size_t low = std::size_t(place), high = std::min(low + 1, values.size() - 1);
        return values[low] + (place - double(low)) * (values[high] - values[low]);
    };
    return Middle{at(0.5), at(0.25), at(0.75)};
}

namespace {

bool is_time(StepMeasure m) {
    return m == StepMeasure::seconds || m == StepMeasure::bar || m == StepMeasure::total;
}

// Seconds of a step for a printed value.
double seconds_by(const TrainingLog& log, const Scenario& plan, double value) {
    const double sequences = plan.recipe.global_batch_sequences, tokens = tokens_of_step(plan.recipe);
    switch (log.measure) {
        case StepMeasure::tokens_of_device: return tokens / (value * std::max(1, plan.layout.devices));
        case StepMeasure::tokens_of_all: return tokens / value;
        case StepMeasure::samples_of_all: return (log.batch > 0 ? log.batch : sequences) / value;
        default: return value;
    }
}

}  // namespace

std::optional<Seconds> TrainingLog::step() const {
    const auto m = middle();
    return m && is_time(measure) ? std::optional(m->value * second) : std::nullopt;
}

const LogMemory* TrainingLog::fullest() const {
    for (const MemoryKind kind : {MemoryKind::reserved, MemoryKind::allocated, MemoryKind::used})
        for (const LogMemory& m : memory)
            if (m.kind == kind) return &m;
    return nullptr;
}

std::optional<Seconds> step_of(const TrainingLog& log, const Scenario& plan) {
    const auto m = log.middle();
    if (!m) return std::nullopt;
    const double seconds = seconds_by(log, plan, m->value);
    return seconds > 0 && std::isfinite(seconds) ? std::optional(seconds * second) : std::nullopt;
}

Expected<MeasuredSteps, Problems> steps_of(const TrainingLog& log, const Scenario& plan, const std::string& file) {
    MeasuredSteps m;
    for (const LogStep& s : log.steps)
        if (s.fate == StepFate::counted) m.steps.push_back(seconds_by(log, plan, s.value) * second);
    if (m.steps.empty())
        return Unexpected{Problems{{Severity::error, file, {},
                                    phrase("is a log of {1} in which no step counts: {2}", say(log.dialect),
                                           joined(say_counting(log), " "))}}};
    return m;
}

Sentences say_counting(const TrainingLog& log) {
    Sentences all;
    if (log.steps.empty()) {
        all.push_back(log.untimed > 0 ? phrase("Its {1} step lines hold no time.", log.untimed)
                                      : phrase("It holds no step with a time."));
        return all;
    }
    if (log.measure == StepMeasure::total) {
        all.push_back(phrase("Only the totals at its end tell a time: they hold compilation, evaluation and saving, so "
                             "that a step is shorter than they say."));
        return all;
    }
    std::array<int, 7> fates{};
    for (const LogStep& s : log.steps) ++fates[std::size_t(s.fate)];
    all.push_back(phrase("{1} of {2} printed intervals count.", log.counted(), log.steps.size()));
    for (const StepFate f :
         {StepFate::first, StepFate::warm_up, StepFate::evaluated, StepFate::saved, StepFate::repeated,
          StepFate::other_batch})
        if (fates[std::size_t(f)] > 0)
            all.push_back(phrase("Left out: {1}, {2}.", fates[std::size_t(f)], say(f)));
    if (log.every > 1) all.push_back(phrase("There are so many that one of {1} was kept.", log.every));
    if (log.measure == StepMeasure::bar)
        all.push_back(phrase("The times are those of a progress bar, which are running means."));
    const auto m = log.middle();
    if (!m) return all;
    const bool rate = !is_time(log.measure);
    const auto slow = std::ranges::count_if(log.steps, [&](const LogStep& s) {
        return s.fate == StepFate::counted && (rate ? s.value < 0.5 * m->value : s.value > 2 * m->value);
    });
    if (slow > 0)
        all.push_back(phrase("{1} of those that count took more than twice as long as the middle one; the middle does "
                             "not follow them.", slow));
    return all;
}

Sentences doubts_of(const TrainingLog& log, const Scenario& plan) {
    Sentences all;
    const double batch = plan.recipe.global_batch_sequences;
    if (log.batch > 0 && log.batch != batch)
        all.push_back(phrase("The log has {1} sequences a step, the plan {2}.", shortest(log.batch), shortest(batch)));
    if (log.devices > 0 && log.devices != plan.layout.devices)
        all.push_back(phrase("The log is of {1} devices, the plan of {2}.", log.devices, plan.layout.devices));
    const auto step = step_of(log, plan);
    if (step && log.tokens_of_device > 0 && is_time(log.measure)) {
        const double tokens = tokens_of_step(plan.recipe) / std::max(1, plan.layout.devices);
        const double off = log.tokens_of_device * (*step / second) / tokens - 1;
        if (std::abs(off) > 0.02)
            all.push_back(phrase("The log prints {1} tokens a second and device, {2} from what its step times give "
                                 "with this batch, length and number of devices: one of them is not what ran.",
                                 significant(log.tokens_of_device, 4), signed_percent(off)));
    }
    if (log.tflops > 0)
        all.push_back(phrase("TFLOP/s of a log ({1}) count operations by the formula of its release: they are not "
                             "used.",
                             significant(log.tflops, 4)));
    if (const auto& habits = files::habits_of(log.dialect); habits.remark) all.push_back(habits.remark());
    return all;
}

// ---- Files

Expected<TrainingLog, Problems> read_training_log(std::string_view text, const std::string& file) {
    TrainingLogReader reader;
    reader.take(text);
    return reader.finish(file);
}

Expected<TrainingLog, Problems> load_training_log(const std::filesystem::path& path) {
    TrainingLogReader reader;
    const auto read = read_pieces(path, [&](std::string_view piece) {
        reader.take(piece);
        return true;
    });
    if (!read) return Unexpected{read.error()};
    return reader.finish(path.string());
}

bool looks_like_training_log(std::string_view text) {
    const auto log = read_training_log(text);
    return log && (!log->steps.empty() || log->untimed > 0);
}

bool is_training_log(const std::filesystem::path& path) {
    constexpr long long enough = 32LL << 20;
    std::string begin;
    TrainingLogReader reader;
    long long bytes = 0;
    const auto read = read_pieces(path, [&](std::string_view piece) {
        if (begin.empty()) begin = piece.substr(0, 4096);
        reader.take(piece);
        return (bytes += (long long)piece.size()) < enough;
    });
    const auto syntax = files::syntax_of(path.filename().string(), begin.substr(0, 1024));
    const std::size_t first = begin.find_first_not_of(" \t\r\n");
    const bool other = begin.starts_with("#!") || (syntax && path.has_extension()
                       && *syntax != files::Syntax::arguments && *syntax != files::Syntax::json);
    if (!read || first == begin.npos || other) return false;
    const auto log = reader.finish();
    return log && (!log->steps.empty() || log->untimed > 0);
}

}  // namespace plimsoll
