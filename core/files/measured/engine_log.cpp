#include "core/files/measured/engine_log.h"

#include "core/files/text/disk.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr std::size_t most_problems = 100;

std::string counted(std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

void EngineLog::note(Severity severity, const std::string& message) {
    if (problems.size() < most_problems)
        problems.push_back({severity, "", "", "line " + std::to_string(lines) + ": " + message});
}

// False for a line of another run, which two engines that write to one file leave.
bool EngineLog::in_order(const EngineLine& line) {
    if (run.empty()) run = line.run;
    if (line.run != run) {
        note(Severity::warning, "belongs to another run, '" + line.run + "', skipped");
        return false;
    }
    if (line.seq != expected_seq_)
        note(Severity::warning, "number " + std::to_string(line.seq) + " where " + std::to_string(expected_seq_) +
                                    " was due: lines are missing or out of order");
    expected_seq_ = line.seq + 1;
    return true;
}

void EngineLog::keep(const EngineEvent& event) {
    if (const auto* step = std::get_if<EngineStep>(&event)) steps.push_back(*step);
    else if (const auto* said = std::get_if<EngineNote>(&event)) notes.push_back(*said);
    else if (const auto* first = std::get_if<EngineHello>(&event)) hello = *first;
    else if (const auto* node = std::get_if<EngineHardware>(&event)) nodes.push_back(*node);
    else if (const auto* told = std::get_if<EngineEnergy>(&event)) energy.push_back(*told);
    else if (const auto* next = std::get_if<EngineLayout>(&event)) layout = *next, latest_ = steps.size();
    else if (const auto* last = std::get_if<EngineSummary>(&event)) summary = *last;
}

std::optional<EngineEvent> EngineLog::take(std::string_view text) {
    ++lines;
    while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
    if (refused_ || text.find_first_not_of(" \t") == text.npos) return std::nullopt;
    const auto line = read_engine_line(text);
    if (!line) {
        for (const Problem& p : line.error()) {
            refused_ = refused_ || p.pointer == "/schema";
            note(Severity::error, (p.pointer.empty() ? "" : p.pointer + ": ") + p.message);
        }
        return std::nullopt;
    }
    if (!in_order(*line)) return std::nullopt;
    at = line->at;
    if (line->event) keep(*line->event);
    return line->event;
}

bool EngineLog::take_stderr(std::string_view text) {
    if (!text.starts_with('{')) return false;
    const auto line = read_engine_line(text);
    const auto* said = line && line->event ? std::get_if<EngineNote>(&*line->event) : nullptr;
    if (said) notes.push_back(*said);
    return said != nullptr;
}

void EngineLog::forgive_last_line(std::size_t known) {
    if (problems.size() <= known || problems.back().severity != Severity::error) return;
    problems.resize(known);
    note(Severity::warning, "cut off, skipped");
}

std::string EngineLog::state() const {
    if (!summary) return "no summary: " + counted(steps.size(), "complete step") + " kept";
    return counted(steps.size(), "step") + ", ended " + (summary->status.empty() ? "without saying how" : summary->status);
}

std::optional<EngineStep> EngineLog::typical_step() const {
    const auto all = latest();
    if (all.empty()) return std::nullopt;
    std::vector<const EngineStep*> order;
    for (const EngineStep& each : all.subspan(all.size() > 1)) order.push_back(&each);
    std::sort(order.begin(), order.end(), [](const EngineStep* a, const EngineStep* b) { return a->wall < b->wall; });
    return *order[(order.size() - 1) / 2];
}

Expected<EngineLog, Problems> read_engine_log(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    EngineLog log;
    take_all_lines(*text, log, log);
    for (Problem& p : log.problems) p.file = path.string();
    if (log.refused() || (log.lines > 0 && !log.hello && log.steps.empty() && !log.summary && has_errors(log.problems)))
        return Unexpected{log.problems};
    return log;
}

}  // namespace plimsoll
