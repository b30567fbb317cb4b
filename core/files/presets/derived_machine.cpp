#include "core/files/presets/derived_machine.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/proof/record.h"
#include "core/files/presets/parts.h"
#include "core/files/presets/preset_json.h"
#include "core/files/text/disk.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
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
    const auto at =
        std::find_if(c.experiments.begin(), c.experiments.end(), [&](const Experiment& e) { return e.id == id; });
    return at == c.experiments.end() ? nullptr : &*at;
}

std::string lower_first(std::string text) {
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
        text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string proof_text(const Calibration& c) {
    const ProofScores scores = scores_of(c);
    if (!scores.all.rows) return "No prediction was tested by a run that was held back.";
    const auto percents = [](double share) { return significant(100 * share, 3) + " %"; };
    std::string text = std::to_string(scores.all.rows) + (scores.all.rows == 1 ? " run was" : " runs were")
                     + " held back: mean error of the step time " + percents(scores.all.time);
    if (const int left = scores.undisturbed.rows; left > 0 && left < scores.all.rows)
        text += ", " + percents(scores.undisturbed.time) + " over the " + std::to_string(left)
              + " that nothing disturbed";
    return text + ".";
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
            sources[of_stack ? m.pointer.substr(stack_prefix.size()) : m.pointer] = {SourceKind::measured,
                                                                                     measured_text(m, c)};
}

}  // namespace

std::string hash_of(const Machine& machine) { return fingerprint_of(write_machine(machine)); }

std::string measured_text(const MeasuredConstant& m, const Calibration& c) {
    std::string text = "on " + c.date + ": " + significant(m.value, 3) + " [" + significant(m.low, 3) + ", "
                     + significant(m.high, 3) + "]";
    if (const Experiment* e = experiment_of(c, m.experiment)) {
        const auto used =
            std::count_if(e->points.begin(), e->points.end(), [](const MeasuredPoint& p) { return !p.contended; });
        text += " from " + std::to_string(used) + (used == 1 ? " point of " : " points of ") + lower_first(e->label);
    }
    return text + ", was " + significant(m.before, 3);
}

std::optional<Stack> derived_stack(const Calibrated& calibrated, const Calibration& c, const Machine& machine) {
    if (std::none_of(c.constants.begin(), c.constants.end(), [](const MeasuredConstant& m) { return m.of_stack(); }))
        return std::nullopt;
    Stack s = calibrated.stack;
    s.id = s.id.substr(0, s.id.rfind(on_machine)).append(on_machine).append(machine.id);
    s.name = name_for(s.name, c.date);
    s.as_of = month_of(c.date);
    s.note = "\"" + calibrated.stack.name + "\" with what short runs measured on " + c.host + ".";
    add_sources(s.sources, c, true);
    return s;
}

Machine derived(const Machine& base, const Calibrated& calibrated, Calibration c) {
    Machine m = base.nodes == 1 ? calibrated.machine : enlarged(base, calibrated.machine, c.constants);
    m.id = id_for(base.id, c.date);
    m.name = name_for(base.name, c.date);
    m.status = "measured";
    m.as_of = month_of(c.date);
    m.note = "\"" + base.name + "\" with what short runs measured on " + c.host + ". " + proof_text(c);
    c.based_on = base.id;
    c.based_on_hash = hash_of(base);
    if (const auto stack = derived_stack(calibrated, c, m)) c.stack = stack->id;
    add_sources(m.sources, c, false);
    m.sources["/calibration"] = {SourceKind::measured, "on " + c.date + ": " + c.software};
    m.calibration = std::move(c);
    return m;
}

std::optional<std::string> changed_since(const Calibration& c, const Machine* base) {
    if (!base || c.based_on_hash.empty()) return std::nullopt;
    if (Fingerprint().add(write_machine(*base)).matches(c.based_on_hash)) return std::nullopt;
    return phrase("the preset \"{1}\" is not the one this calibration started from any more; what was measured stays "
                  "valid, what was not is the older preset's",
                  base->id);
}

// ---- On disk

namespace {

namespace fs = std::filesystem;

constexpr int most_of_a_day = 1000;

fs::path machine_file(const fs::path& directory, const std::string& id) {
    return directory / "machines" / std::string(id).append(".json");
}
fs::path stack_file(const fs::path& directory, const std::string& id) {
    return directory / "stacks" / std::string(id).append(".json");
}

Unexpected<Problems> problem(const fs::path& file, const std::string& message) {
    return Unexpected{Problems{{Severity::error, file.string(), "", message}}};
}

bool is_there(const fs::path& file) {
    std::error_code error;
    return fs::exists(fs::symlink_status(file, error));
}

enum class Place { free, ours, taken, foreign };

// Whether this measurement may go into the file: nothing is there, or an earlier record of the same measurement.
Place place_of(const fs::path& file, const Calibration& c) {
    if (!is_there(file)) return Place::free;
    const auto text = read_text(file);
    const auto read =
        text ? read_machine(*text, file.string()) : Expected<MachineFile, Problems>(Unexpected{text.error()});
    if (!read || !read->machine.calibration) return Place::foreign;
    const Calibration& there = *read->machine.calibration.get();
    return there.date == c.date && there.prediction_hash == c.prediction_hash && there.constants == c.constants
             ? Place::ours
             : Place::taken;
}

SavedCalibration with_ending(const Machine& base, const Calibrated& calibrated, const Calibration& record,
                             const std::string& ending) {
    const Speaking english(nullptr);   // it becomes files
    SavedCalibration s{derived(base, calibrated, record), {}, {}};
    s.machine.id += ending;
    s.stack = derived_stack(calibrated, record, s.machine);
    if (!s.stack) return s;
    Calibration c = *s.machine.calibration.get();
    c.stack = s.stack->id;
    s.machine.calibration = std::move(c);
    return s;
}

// Under ids that overwrite no other measurement and nobody else's stack.
Expected<SavedCalibration, Problems> placed(const Machine& base, const Calibrated& calibrated,
                                            const Calibration& record, const fs::path& directory) {
    const std::string id = derived(base, calibrated, record).id;
    if (!is_plain_name(id))
        return problem({}, phrase("the machine's id {1} would be the name of a file, expected {2}", in_quotes(id),
                                  phrase(say_plain_name)));
    for (int n = 1; n < most_of_a_day; ++n) {
        SavedCalibration s =
            with_ending(base, calibrated, record, n == 1 ? std::string() : std::string("-").append(std::to_string(n)));
        const fs::path file = machine_file(directory, s.machine.id);
        const Place place = place_of(file, *s.machine.calibration.get());
        if (place == Place::foreign)
            return problem(
                file, phrase("holds something that is no calibration and is not overwritten: rename or remove it"));
        const bool stack_free = !s.stack || place == Place::ours || !is_there(stack_file(directory, s.stack->id));
        if (place != Place::taken && stack_free) return s;
    }
    return problem(directory, phrase("holds {1} calibrations of this day: remove some", most_of_a_day));
}

Expected<bool, Problems> write_in_folder(const fs::path& file, const std::string& text) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) return problem(file, phrase("cannot be written: {1}", error.message()));
    return write_atomically(file, text);
}

}  // namespace

Expected<SavedCalibration, Problems> save_calibrated(const Machine& base, const Calibrated& calibrated,
                                                     const Calibration& record, const fs::path& directory) {
    if (const auto why = refusal(record)) return problem({}, *why);
    auto saved = placed(base, calibrated, record, directory);
    if (!saved) return saved;
    // The stack first: no machine is left with a stack that is not there.
    std::vector<std::pair<fs::path, std::string>> texts;
    if (saved->stack) texts.emplace_back(stack_file(directory, saved->stack->id), write_stack(*saved->stack));
    texts.emplace_back(machine_file(directory, saved->machine.id), write_machine(saved->machine));
    // What is written has to be a preset: ids are names of files, and texts of a log are not ours.
    if (const auto again = read_machine(texts.back().second); !again) return Unexpected{again.error()};
    if (saved->stack)
        if (const auto again = read_stack(texts.front().second); !again) return Unexpected{again.error()};
    for (const auto& [file, text] : texts) {
        if (const auto done = write_in_folder(file, text); !done) return Unexpected{done.error()};
        saved->files.push_back(file);
    }
    return saved;
}

}  // namespace plimsoll
