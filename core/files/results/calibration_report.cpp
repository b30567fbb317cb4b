#include "core/files/results/calibration_report.h"

#include "core/evidence/calibration/proof/constant_names.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/answers/explain/wording.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace plimsoll {

namespace {

constexpr int enough = 6;      // significant digits of a CSV cell

std::string number(double v, int digits = enough) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), v, std::chars_format::general, digits).ptr;
    return {text.data(), end};
}

// Free text of a record cannot break a row: quotes doubled, line ends gone.
std::string cell(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out.find_first_of(",\"") == out.npos ? out : std::string("\"").append(out).append("\"");
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

std::string signed_percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", 100 * share);
    return text;
}

bool has_memory(const ProofRow& r) { return r.memory_measured > Bytes{} && r.memory_predicted > Bytes{}; }

std::string why_not(const ProofRow& r) {
    if (!r.held_out) return "seen by the fit";
    if (!r.caution.empty()) return r.caution;
    if (!r.fair) return "more ranks than devices";
    if (!r.has_run()) return "did not run";
    return r.contended ? "somebody else had the processor" : "";
}

std::string csv_line(const ProofRow& r) {
    std::string line = cell(r.id).append(",").append(cell(r.label)).append(r.held_out ? ",true" : ",false").append(r.counts() ? ",true," : ",false,");
    line.append(std::to_string(r.devices)).append(",").append(number(r.parameters)).append(",").append(std::to_string(r.sequence_length));
    for (const Seconds t : {r.predicted, r.predicted_low, r.predicted_high}) line.append(",").append(number(t / second));
    if (!r.has_run()) line += ",,,,";
    else {
        for (const Seconds t : {r.measured, r.measured_low, r.measured_high}) line.append(",").append(number(t / second));
        line.append(",").append(number(r.error()));
    }
    line.append(",").append(r.memory_predicted > Bytes{} ? number(r.memory_predicted / byte, 12) : std::string());
    line.append(",").append(r.memory_measured > Bytes{} ? number(r.memory_measured / byte, 12) : std::string());
    line.append(",").append(has_memory(r) ? number(r.memory_error()) : std::string());
    return line.append(",").append(cell(why_not(r))).append("\n");
}

std::string proof_table(const Calibration& c) {
    std::string text = "| layout | devices | predicted | 90 % | measured | error | memory error | |\n|---|--:|--:|--:|--:|--:|--:|---|\n";
    for (const ProofRow& r : c.proof) {
        text.append("| ").append(escaped(r.label.empty() ? r.id : r.label)).append(" | ").append(std::to_string(r.devices)).append(" | ")
            .append(say(r.predicted)).append(" | ").append(say(r.predicted_low)).append(" to ").append(say(r.predicted_high)).append(" | ")
            .append(r.has_run() ? say(r.measured) : std::string()).append(" | ").append(r.has_run() ? signed_percent(r.error()) : std::string())
            .append(" | ").append(has_memory(r) ? signed_percent(r.memory_error()) : std::string()).append(" | ")
            .append(escaped(r.counts() ? "held back" : why_not(r))).append(" |\n");
    }
    return text;
}

// "Shortest kernel (`/device/efficiency/kernel_floor_us`)"
std::string named(const std::string& pointer) {
    const std::string name = constant_name(pointer), key = std::string("`").append(pointer).append("`");
    return name == pointer ? key : std::string(name).append(" (").append(key).append(")");
}

std::string constants_table(const Calibration& c) {
    std::string text = "| constant | was | measured | 95 % | experiment |\n|---|--:|--:|--:|---|\n";
    for (const MeasuredConstant& m : c.constants)
        text.append("| ").append(escaped(named(m.pointer))).append(" | ").append(number(m.before, 3)).append(" | ").append(number(m.value, 3)).append(" | ")
            .append(number(m.low, 3)).append(" to ").append(number(m.high, 3)).append(" | ").append(escaped(m.experiment)).append(" |\n");
    return text;
}

std::string bullets(const char* title, const std::vector<std::string>& sentences) {
    if (sentences.empty()) return {};
    std::string text = std::string("\n## ").append(title).append("\n\n");
    for (const std::string& s : sentences) text.append("- ").append(escaped(s)).append("\n");
    return text;
}

}  // namespace

std::string proof_csv(const Calibration& c) {
    std::string text = std::string("# Predicted and measured steps, ").append(c.date).append(": ").append(escaped(c.host)).append("; ").append(escaped(c.software)).append("\n");
    text.append("# ").append(proof_sentence(c)).append("\n");
    if (!c.prediction_hash.empty()) text.append("# Predictions were made from measurements with the hash ").append(c.prediction_hash).append("\n");
    text += "id,layout,held_back,counts,devices,parameters,sequence_length,predicted_s,predicted_low_s,predicted_high_s,measured_s,measured_low_s,"
            "measured_high_s,error,memory_predicted_B,memory_measured_B,memory_error,caution\n";
    for (const ProofRow& r : c.proof) text += csv_line(r);
    return text;
}

std::string calibration_markdown(const Machine& machine) {
    const Calibration* c = machine.calibration.get();
    if (!c) return {};
    std::string text = std::string("# ").append(escaped(machine.name)).append("\n\nMeasured on ").append(c->date).append(" on ").append(escaped(c->host))
                           .append(" with ").append(escaped(c->software)).append(", starting from the preset `").append(c->based_on).append("`.\n");
    text.append("\n## Predicted and measured\n\n").append(proof_sentence(*c)).append("\n\n").append(proof_table(*c));
    text.append("\n## Constants\n\n").append(constants_table(*c));
    text.append(bullets("Assumed", c->assumed)).append(bullets("Cautions", c->cautions));
    if (!c->energy.empty()) text.append("\n## Energy\n\n").append(escaped(c->energy)).append("\n");
    return text;
}

}  // namespace plimsoll
