#include "app/commands/measured_rows.h"

#include "app/commands/command_line.h"
#include "core/files/text/disk.h"

namespace plimsoll {

namespace {

using Paths = std::vector<std::filesystem::path>;

// Ids first; a name that is none is a file.
Paths paths_of(const std::vector<std::string>& names, const Library& library) {
    Paths paths;
    for (const std::string& name : names) {
        const auto found = library.published_runs.find(name);
        paths.push_back(found == library.published_runs.end() ? std::filesystem::path(name) : found->second);
    }
    if (names.empty())
        for (const auto& [id, path] : library.published_runs) paths.push_back(path);
    return paths;
}

}  // namespace

Expected<PublishedRows, Refusal> read_measured_rows(const std::vector<std::string>& names, const Library& library) {
    PublishedRows all;
    for (const auto& path : paths_of(names, library)) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error))
            return Unexpected{Refusal{exit_usage, "no file and no table of published runs '" + path.string() +
                                                      "'; 'plimsoll presets runs' lists them\n"}};
        const auto text = read_text(path);
        if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
        const auto rows = read_published_rows(*text, path.stem().string());
        if (!rows) return Unexpected{Refusal{exit_invalid_file, say(rows.error())}};
        all.insert(all.end(), rows->begin(), rows->end());
    }
    return all;
}

}  // namespace plimsoll
