#include "core/files/results/calibration_report.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/values/knobs/wording.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"

#include <initializer_list>

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

std::string table_line(std::initializer_list<std::string> cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += " " + cell + " |";
    return line + "\n";
}

std::string proof_table(const Calibration& c) {
    std::string text =
        "| layout | devices | predicted | 90 % | measured | error | memory error | "
        "|\n|---|--:|--:|--:|--:|--:|--:|---|\n";
    for (const ProofRow& r : c.proof)
        text += table_line({escaped(r.label.empty() ? r.id : r.label),
                            std::to_string(r.devices),
                            say(r.predicted),
                            say(r.predicted_low) + " to " + say(r.predicted_high),
                            r.has_run() ? say(r.measured) : "",
                            r.has_run() ? signed_percent(r.error()) : "",
                            has_memory(r) ? signed_percent(r.memory_error()) : "",
                            escaped(r.counts() ? "held back" : why_not(r))});
    return text;
}

// "Shortest kernel (`/device/efficiency/kernel_floor_us`)"
std::string named(const std::string& pointer) {
    const std::string name = constant_name(pointer), key = "`" + pointer + "`";
    return name == pointer ? key : name + " (" + key + ")";
}

std::string constants_table(const Calibration& c) {
    std::string text = "| constant | was | measured | 95 % | experiment |\n|---|--:|--:|--:|---|\n";
    for (const MeasuredConstant& m : c.constants)
        text += table_line({escaped(named(m.pointer)), significant(m.before, 3), significant(m.value, 3),
                            significant(m.low, 3) + " to " + significant(m.high, 3), escaped(m.experiment)});
    return text;
}

std::string bullets(const std::string& title, const std::vector<std::string>& sentences) {
    if (sentences.empty()) return {};
    std::string text = "\n## " + title + "\n\n";
    for (const std::string& s : sentences) text += "- " + escaped(s) + "\n";
    return text;
}

}  // namespace

std::string proof_csv(const Calibration& c) {
    std::string text =
        "# Predicted and measured steps, " + c.date + ": " + escaped(c.host) + "; " + escaped(c.software) + "\n";
    text += "# " + proof_sentence(c) + "\n";
    if (!c.prediction_hash.empty())
        text += "# Predictions were made from measurements with the hash " + c.prediction_hash + "\n";
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
    std::string text = "# " + escaped(machine.name) + "\n\nMeasured on " + c->date + " on " + escaped(c->host)
                     + " with " + escaped(c->software) + ", starting from the preset `" + c->based_on + "`.\n";
    text += "\n## Predicted and measured\n\n" + proof_sentence(*c) + "\n\n" + proof_table(*c);
    text += "\n## Constants\n\n" + constants_table(*c);
    text += bullets("Assumed", c->assumed) + bullets("Cautions", c->cautions);
    if (!c->energy.empty()) text += "\n## Energy\n\n" + escaped(c->energy) + "\n";
    return text;
}

}  // namespace plimsoll
