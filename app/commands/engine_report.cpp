#include "app/commands/engine_report.h"

#include "app/commands/tables.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll {

namespace {

constexpr const char* columns = "%6s  %8s  %9s  %10s  %10s  %10s  %s\n";

std::string line(const std::string& step, const std::string& loss, const std::string& norm, const std::string& time, const std::string& rate,
                 const std::string& memory, const std::string& quality) {
    char text[512];
    std::snprintf(text, sizeof text, columns, step.c_str(), loss.c_str(), norm.c_str(), time.c_str(), rate.c_str(), memory.c_str(), quality.c_str());
    std::string out = text;
    while (out.size() > 1 && out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
    return out;
}

std::string maybe(const std::optional<double>& value, int decimals) { return value ? fixed(*value, decimals) : "not finite"; }

std::string row(const EngineStep& s) {
    std::string quality;
    for (const std::string& word : s.quality) quality += (quality.empty() ? "" : ", ") + word;
    return line(std::to_string(s.step), maybe(s.loss, 4), maybe(s.grad_norm, 4), say(s.wall), say_count(s.rate() / (token / second)),
                s.memory_peak > Bytes{} ? say(s.memory_peak) : "", quality);
}

std::string head(const EngineLayout& l) {
    std::string said = std::to_string(l.ranks()) + (l.ranks() == 1 ? " rank" : " ranks") + ": data " + std::to_string(l.data) + " x tensor "
                     + std::to_string(l.tensor) + " x pipeline " + std::to_string(l.pipeline);
    if (l.predicted) said += ", " + say(l.predicted->total()) + " on the fullest by the engine's dry run";
    return said + "\n" + line("step", "loss", "grad norm", "time", "tokens/s", "memory", "");
}

std::string note(const EngineNote& n) {
    std::string said = n.error ? "error" : "warning";
    if (n.rank && *n.rank >= 0) said += ", rank " + std::to_string(*n.rank);
    return said + ": " + n.text + (n.text.empty() ? n.code : "") + "\n";
}

}  // namespace

std::string row_of(const EngineEvent& event) {
    if (const auto* step = std::get_if<EngineStep>(&event)) return row(*step);
    if (const auto* layout = std::get_if<EngineLayout>(&event)) return head(*layout);
    if (const auto* said = std::get_if<EngineNote>(&event)) return note(*said);
    return {};
}

std::string end_of(const EngineLog& log) {
    std::string said = log.state();
    if (const auto step = log.typical_step())
        said += "; step " + say(step->wall) + ", " + say_count(step->rate() / (token / second)) + " tokens per second";
    return said + "\n";
}

std::string beside(const EngineLog& log, const Scenario& s, const Estimate& e) {
    const auto step = log.typical_step();
    if (!step) return {};
    std::vector<std::vector<std::string>> rows{{"part of a step", "measured", "predicted", "predicted / measured"}};
    const auto add = [&](const std::string& label, auto measured, auto predicted) {
        rows.push_back({label, say(measured), say(predicted), measured > decltype(measured){} ? fixed(predicted / measured, 2) : ""});
    };
    for (const PartRow& part : compare_parts(step->parts.mean, e.step)) add(part.label, part.measured, part.predicted);
    add("Step", step->wall, e.step.total());
    if (step->memory_peak > Bytes{}) add("Memory", step->memory_peak, e.worst().total());
    const bool contended = std::find(step->quality.begin(), step->quality.end(), "contended") != step->quality.end();
    return table(rows) + calibration_note(s.machine) + "\n"
         + (contended ? "Contended: other programs took part of the cores while this was measured.\n" : "");
}

}  // namespace plimsoll
