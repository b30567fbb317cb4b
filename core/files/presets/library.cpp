#include "core/files/presets/library.h"

#include "core/files/text/disk.h"
#include "core/files/presets/derived_machine.h"
#include "core/files/presets/preset_json.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <string_view>

#ifndef PLIMSOLL_SOURCE_PRESETS
#define PLIMSOLL_SOURCE_PRESETS ""
#endif

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// *.json, or files of another kind, in alphabetical order; none where there is no such directory.
std::vector<fs::path> files_in(const fs::path& directory, const char* extension = ".json") {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == extension && at->path().filename().string()[0] != '.')
            files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

void append(Problems& all, const Problems& more) { all.insert(all.end(), more.begin(), more.end()); }

void check_stem(const fs::path& file, const std::string& id, Problems& problems) {
    if (file.stem() != id)
        problems.push_back(
            {Severity::warning, file.string(), "/id", phrase("\"{1}\" differs from the name of the file", id)});
}

template <class Read, class File, class Part>
void load(const fs::path& directory, Read read, Part File::*part, std::map<std::string, Part>& parts,
          Problems& problems) {
    for (const fs::path& path : files_in(directory)) {
        const auto text = read_text(path);
        if (!text) { append(problems, text.error()); continue; }
        auto file = read(*text, path.string());
        if (!file) { append(problems, file.error()); continue; }
        append(problems, file->warnings);
        Part& p = (*file).*part;
        check_stem(path, p.id, problems);
        const std::string id = p.id;
        parts.insert_or_assign(id, std::move(p));
    }
}

// Calibrations whose base is here and is not what they were made from: a caution, the preset stays usable.
void note_changed_bases(Library& l) {
    for (const auto& [id, machine] : l.machines) {
        if (!machine.calibration) continue;
        const auto base = l.machines.find(machine.calibration->based_on);
        if (const auto changed =
                changed_since(*machine.calibration.get(), base == l.machines.end() ? nullptr : &base->second))
            l.problems.push_back(
                {Severity::warning, std::string(id).append(".json"), "/calibration/based_on_hash", *changed});
    }
}

void note_files(const fs::path& directory, std::map<std::string, fs::path>& files, const char* extension = ".json") {
    for (const fs::path& file : files_in(directory, extension)) files.insert_or_assign(file.stem().string(), file);
}

std::vector<fs::path> split(std::string_view list) {
    std::vector<fs::path> paths;
    while (!list.empty()) {
        const auto colon = std::min(list.find(':'), list.size());
        if (colon > 0) paths.emplace_back(list.substr(0, colon));
        list.remove_prefix(std::min(colon + 1, list.size()));
    }
    return paths;
}

bool exists_directory(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

// Beside the binary (an unpacked archive), in its install prefix, in the source tree.
std::vector<fs::path> shipped_candidates() {
    std::error_code error;
    std::vector<fs::path> candidates;
    const fs::path binary = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        candidates.push_back(binary.parent_path() / "presets");
        candidates.push_back(binary.parent_path().parent_path() / "share/plimsoll/presets");
    }
    if (const fs::path source = PLIMSOLL_SOURCE_PRESETS; !source.empty()) candidates.push_back(source);
    return candidates;
}

fs::path users_own() {
    if (const fs::path data = environment("XDG_DATA_HOME"); data.is_absolute()) return data / "plimsoll/presets";
    if (const fs::path home = environment("HOME"); !home.empty()) return home / ".local/share/plimsoll/presets";
    return {};
}

}  // namespace

Library load_library(std::span<const fs::path> directories) {
    Library l;
    for (const fs::path& d : directories) {
        load(d / "models", read_model, &ModelFile::model, l.models, l.problems);
        load(d / "machines", read_machine, &MachineFile::machine, l.machines, l.problems);
        load(d / "stacks", read_stack, &StackFile::stack, l.stacks, l.problems);
        note_files(d / "scenarios", l.scenarios);
        note_files(d / "published_runs", l.published_runs);
        note_files(d / "fits", l.fits);
        note_files(d / "programmes", l.programmes);
        note_files(d / "operators", l.operators, ".csv");
    }
    // What recipes led to is no recipe.
    if (const auto errors = l.fits.extract("left_out")) l.left_out = errors.mapped();
    note_changed_bases(l);
    return l;
}

fs::path users_presets() {
    const auto chosen = split(environment("PLIMSOLL_PRESETS"));
    return chosen.empty() ? users_own() : chosen.back();
}

std::vector<fs::path> preset_directories() {
    if (const auto chosen = split(environment("PLIMSOLL_PRESETS")); !chosen.empty()) return chosen;
    std::vector<fs::path> found;
    const auto candidates = shipped_candidates();
    const auto shipped = std::find_if(candidates.begin(), candidates.end(), exists_directory);
    if (shipped != candidates.end()) found.push_back(*shipped);
    if (const auto folder = users_own(); exists_directory(folder)) found.push_back(folder);
    return found;
}

}  // namespace plimsoll
