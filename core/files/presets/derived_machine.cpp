#include "core/files/presets/derived_machine.h"

#include "core/files/text/part.h"
#include "core/files/presets/preset_json.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::string_view mark = "-measured-";
constexpr std::string_view on_machine = "-on-";
constexpr std::string_view stack_prefix = "stack";

// The base of a machine that was measured before is that machine's base.
std::string id_for(const std::string& base, const std::string& date) {
    return base.substr(0, base.rfind(mark)).append(mark).append(date);
}

std::string name_for(const std::string& base, const std::string& date) {
    constexpr std::string_view word = ", measured ";
    return base.substr(0, base.rfind(word)).append(word).append(date);
}

std::string month_of(const std::string& date) { return date.substr(0, 7); }

const Experiment* experiment_of(const Calibration& c, const std::string& id) {
    const auto at = std::find_if(c.experiments.begin(), c.experiments.end(), [&](const Experiment& e) { return e.id == id; });
    return at == c.experiments.end() ? nullptr : &*at;
}

std::string lower_first(std::string text) {
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1]))) text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string proof_text(const Calibration& c) {
    const ProofScore score = score_of(c);
    if (!score.rows) return "No prediction was tested by a run that was held back.";
    return std::to_string(score.rows).append(score.rows == 1 ? " run was" : " runs were")
        .append(" held back: mean error of the step time ").append(significant(100 * score.time, 3)).append(" %.");
}

// Values at the pointers of measured constants, from one preset to another of the same shape.
OrderedJson with_measured(OrderedJson to, const OrderedJson& from, const std::vector<MeasuredConstant>& constants) {
    for (const MeasuredConstant& m : constants) {
        if (m.of_stack()) continue;
        const OrderedJson::json_pointer at(m.pointer);
        if (from.contains(at) && to.contains(at.parent_pointer())) to[at] = from[at];
    }
    return to;
}

// Where a measured number does not fit into the base (a level it lacks), the measured machine as it is.
Machine enlarged(const Machine& base, const Machine& measured, const std::vector<MeasuredConstant>& constants) {
    const Json json = with_measured(write_part(base), write_part(measured), constants);
    Findings findings("");
    Machine m;
    read_part(Reader(json, "", findings), m);
    return findings.errors() ? measured : m;
}

void add_sources(Sources& sources, const Calibration& c, bool of_stack) {
    for (const MeasuredConstant& m : c.constants)
        if (m.of_stack() == of_stack)
            sources[of_stack ? m.pointer.substr(stack_prefix.size()) : m.pointer] = {SourceKind::measured, measured_text(m, c)};
}

}  // namespace

std::string hash_of(const Machine& machine) { return fingerprint_of(write_machine(machine)); }

std::string measured_text(const MeasuredConstant& m, const Calibration& c) {
    std::string text = std::string("on ").append(c.date).append(": ").append(significant(m.value, 3)).append(" [").append(significant(m.low, 3))
                           .append(", ").append(significant(m.high, 3)).append("]");
    if (const Experiment* e = experiment_of(c, m.experiment)) {
        const auto used = std::count_if(e->points.begin(), e->points.end(), [](const MeasuredPoint& p) { return !p.contended; });
        text.append(" from ").append(std::to_string(used)).append(used == 1 ? " point of " : " points of ").append(lower_first(e->label));
    }
    return text.append(", was ").append(significant(m.before, 3));
}

std::optional<Stack> derived_stack(const Calibrated& calibrated, const Calibration& c, const Machine& machine) {
    if (std::none_of(c.constants.begin(), c.constants.end(), [](const MeasuredConstant& m) { return m.of_stack(); })) return std::nullopt;
    Stack s = calibrated.stack;
    s.id = s.id.substr(0, s.id.rfind(on_machine)).append(on_machine).append(machine.id);
    s.name = name_for(s.name, c.date);
    s.as_of = month_of(c.date);
    s.note = std::string("\"").append(calibrated.stack.name).append("\" with what short runs measured on ").append(c.host).append(".");
    add_sources(s.sources, c, true);
    return s;
}

Machine derived(const Machine& base, const Calibrated& calibrated, Calibration c) {
    Machine m = base.nodes == 1 ? calibrated.machine : enlarged(base, calibrated.machine, c.constants);
    m.id = id_for(base.id, c.date);
    m.name = name_for(base.name, c.date);
    m.status = "measured";
    m.as_of = month_of(c.date);
    m.note = std::string("\"").append(base.name).append("\" with what short runs measured on ").append(c.host).append(". ").append(proof_text(c));
    c.based_on = base.id;
    c.based_on_hash = hash_of(base);
    if (const auto stack = derived_stack(calibrated, c, m)) c.stack = stack->id;
    add_sources(m.sources, c, false);
    m.sources["/calibration"] = {SourceKind::measured, std::string("on ").append(c.date).append(": ").append(c.software)};
    m.calibration = std::move(c);
    return m;
}

std::optional<std::string> changed_since(const Calibration& c, const Machine* base) {
    if (!base || c.based_on_hash.empty()) return std::nullopt;
    if (Fingerprint().add(write_machine(*base)).matches(c.based_on_hash)) return std::nullopt;
    return std::string("the preset \"").append(base->id).append("\" is not the one this calibration started from any more; what was measured stays valid, ")
        .append("what was not is the older preset's");
}

}  // namespace plimsoll
