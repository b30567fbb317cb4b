#include "core/files/results/calibration_report.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/values/knobs/wording.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"


namespace plimsoll {

namespace {

constexpr int proof_digits = 6;                // of a number in the table
constexpr int byte_digits = 12;          // of bytes

// A cell of a Markdown table.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : one_line(text)) {
        if (c == '|' || c == '\\') out += '\\';
        out += c;
    }
    return out;
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
    CsvRow row;
    row.text(one_line(r.id)).text(one_line(r.label)).truth(r.held_out).truth(r.counts());
    row.whole(r.devices).number(r.parameters, proof_digits).whole(r.sequence_length);
    for (const Seconds t : {r.predicted, r.predicted_low, r.predicted_high}) row.number(t / second, proof_digits);
    if (r.has_run()) {
        for (const Seconds t : {r.measured, r.measured_low, r.measured_high}) row.number(t / second, proof_digits);
        row.number(r.error(), proof_digits);
    } else {
        row.empty(4);
    }
    for (const Bytes b : {r.memory_predicted, r.memory_measured}) {
        if (b > Bytes{}) row.number(b / byte, byte_digits);
        else row.empty();
    }
    if (has_memory(r)) row.number(r.memory_error(), proof_digits);
    else row.empty();
    return row.text(one_line(why_not(r))).line();
}

std::string proof_table(const Calibration& c) {
    std::string text =
        "| layout | devices | predicted | 90 % | measured | error | memory error | "
        "|\n|---|--:|--:|--:|--:|--:|--:|---|\n";
    for (const ProofRow& r : c.proof) {
        text.append("| ")
            .append(escaped(r.label.empty() ? r.id : r.label))
            .append(" | ")
            .append(std::to_string(r.devices))
            .append(" | ")
            .append(say(r.predicted))
            .append(" | ")
            .append(say(r.predicted_low))
            .append(" to ")
            .append(say(r.predicted_high))
            .append(" | ")
            .append(r.has_run() ? say(r.measured) : std::string())
            .append(" | ")
            .append(r.has_run() ? signed_percent(r.error()) : std::string())
            .append(" | ")
            .append(has_memory(r) ? signed_percent(r.memory_error()) : std::string())
            .append(" | ")
            .append(escaped(r.counts() ? "held back" : why_not(r)))
            .append(" |\n");
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
        text.append("| ")
            .append(escaped(named(m.pointer)))
            .append(" | ")
            .append(significant(m.before, 3))
            .append(" | ")
            .append(significant(m.value, 3))
            .append(" | ")
            .append(significant(m.low, 3))
            .append(" to ")
            .append(significant(m.high, 3))
            .append(" | ")
            .append(escaped(m.experiment))
            .append(" |\n");
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
    std::string text = std::string("# Predicted and measured steps, ")
                           .append(c.date)
                           .append(": ")
                           .append(escaped(c.host))
                           .append("; ")
                           .append(escaped(c.software))
                           .append("\n");
    text.append("# ").append(proof_sentence(c)).append("\n");
    if (!c.prediction_hash.empty())
        text.append("# Predictions were made from measurements with the hash ").append(c.prediction_hash).append("\n");
    text +=
        "id,layout,held_back,counts,devices,parameters,sequence_length,predicted_s,predicted_low_s,predicted_high_s,"
        "measured_s,measured_low_s,"
        "measured_high_s,error,memory_predicted_B,memory_measured_B,memory_error,caution\n";
    for (const ProofRow& r : c.proof) text += csv_line(r);
    return text;
}

std::string calibration_markdown(const Machine& machine) {
    const Calibration* c = machine.calibration.get();
    if (!c) return {};
    std::string text = std::string("# ")
                           .append(escaped(machine.name))
                           .append("\n\nMeasured on ")
                           .append(c->date)
                           .append(" on ")
                           .append(escaped(c->host))
                           .append(" with ")
                           .append(escaped(c->software))
                           .append(", starting from the preset `")
                           .append(c->based_on)
                           .append("`.\n");
    text.append("\n## Predicted and measured\n\n").append(proof_sentence(*c)).append("\n\n").append(proof_table(*c));
    text.append("\n## Constants\n\n").append(constants_table(*c));
    text.append(bullets("Assumed", c->assumed)).append(bullets("Cautions", c->cautions));
    if (!c->energy.empty()) text.append("\n## Energy\n\n").append(escaped(c->energy)).append("\n");
    return text;
}

}  // namespace plimsoll
