#include "core/files/presets/derived_machine.h"

#include "core/evidence/calibration/proof/record.h"
#include "core/files/presets/preset_json.h"
#include "core/files/text/disk.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr int most_of_a_day = 1000;

fs::path machine_file(const fs::path& directory, const std::string& id) { return directory / "machines" / std::string(id).append(".json"); }
fs::path stack_file(const fs::path& directory, const std::string& id) { return directory / "stacks" / std::string(id).append(".json"); }

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
    const auto read = text ? read_machine(*text, file.string()) : Expected<MachineFile, Problems>(Unexpected{text.error()});
    if (!read || !read->machine.calibration) return Place::foreign;
    const Calibration& there = *read->machine.calibration.get();
    return there.date == c.date && there.prediction_hash == c.prediction_hash && there.constants == c.constants ? Place::ours : Place::taken;
}

SavedCalibration with_ending(const Machine& base, const Calibrated& calibrated, const Calibration& record, const std::string& ending) {
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
Expected<SavedCalibration, Problems> placed(const Machine& base, const Calibrated& calibrated, const Calibration& record, const fs::path& directory) {
    for (int n = 1; n < most_of_a_day; ++n) {
        SavedCalibration s = with_ending(base, calibrated, record, n == 1 ? std::string() : std::string("-").append(std::to_string(n)));
        const fs::path file = machine_file(directory, s.machine.id);
        const Place place = place_of(file, *s.machine.calibration.get());
        if (place == Place::foreign) return problem(file, "holds something that is no calibration and is not overwritten: rename or remove it");
        const bool stack_free = !s.stack || place == Place::ours || !is_there(stack_file(directory, s.stack->id));
        if (place != Place::taken && stack_free) return s;
    }
    return problem(directory, std::string("holds ").append(std::to_string(most_of_a_day)).append(" calibrations of this day: remove some"));
}

Expected<bool, Problems> write_in_folder(const fs::path& file, const std::string& text) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) return problem(file, std::string("cannot be written: ").append(error.message()));
    return write_atomically(file, text);
}

}  // namespace

Expected<SavedCalibration, Problems> save_calibrated(const Machine& base, const Calibrated& calibrated, const Calibration& record, const fs::path& directory) {
    if (const auto why = refusal(record)) return problem({}, *why);
    auto saved = placed(base, calibrated, record, directory);
    if (!saved) return saved;
    std::vector<std::pair<fs::path, std::string>> texts;   // the stack first: no machine is left with a stack that is not there
    if (saved->stack) texts.emplace_back(stack_file(directory, saved->stack->id), write_stack(*saved->stack));
    texts.emplace_back(machine_file(directory, saved->machine.id), write_machine(saved->machine));
    for (const auto& [file, text] : texts) {
        if (const auto done = write_in_folder(file, text); !done) return Unexpected{done.error()};
        saved->files.push_back(file);
    }
    return saved;
}

}  // namespace plimsoll
