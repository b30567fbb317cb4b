#pragma once
// What a configuration file says, as keys and values: YAML, TOML and JSON, or the plain assignments of a Python file;
// and of a shell script which programs it would start. Nothing is executed.
//
//   Expected<Settings, Problems> s = read_settings("train.toml", text);
//   s->all[0]        // {"parallelism.tensor_parallel_degree", "8", 14}
//
// Values are the words as they stand in the file, without quotes: what "8", "True" or "null" mean is for who asks.
// Lists of plain values are one value, "[0, 1, 1]". Internal to core/files.

#include "core/files/settings/batch_directives.h"
#include "core/files/settings/setting_words.h"
#include "core/files/settings/shell.h"
#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::files {

enum class Syntax { json, yaml, toml, arguments, python };
// By the end of the name, else by how the text begins; nothing where it is none of them.
std::optional<Syntax> syntax_of(std::string_view file, std::string_view text);

struct Setting {
    std::string key;     // "model.num_layers"; of a command line as it stands: "--num-layers"
    std::string value;   // empty: a switch of a command line
    int line = 0;        // 1 is the first; 0: not known
    std::string part = {};   // the function of a Python file that it stands in; empty elsewhere
    friend bool operator==(const Setting&, const Setting&) = default;
};

struct Settings {
    std::vector<Setting> all;                                      // in the order of the file
    std::vector<std::pair<std::string, std::string>> documents;    // name and text of files that a script writes
    ShellRuns script;  // of a shell script, whose settings its programs have
    BatchRequest batch;                                            // what the same script asks of the batch system
    Problems remarks;                                              // warnings: what was not followed
};

inline constexpr std::size_t most_settings_bytes = 4 << 20;   // no configuration is longer
inline constexpr std::size_t most_settings = 20000;
inline constexpr std::size_t most_unfolded_bytes = 16 << 20;   // of keys and values, each as often as it is repeated
inline constexpr int deepest_settings = 32;

// Files that are given beside a script, which it may read: name and text.
using FilesBeside = std::vector<std::pair<std::string, std::string_view>>;
Expected<Settings, Problems> read_settings(const std::string& file, std::string_view text,
                                           const FilesBeside& beside = {});

// The parts of it, each for one syntax.
Expected<Settings, Problems> read_yaml(const std::string& file, std::string_view text);
Expected<Settings, Problems> read_toml(const std::string& file, std::string_view text);
Expected<Settings, Problems> read_json_settings(const std::string& file, std::string_view text);
Settings read_script(std::string_view script, const FilesBeside& beside = {});
std::optional<Settings> read_assignments(std::string_view python);   // nothing where there is too much in it

// ---- A tree of values on its way to a list

// Counts what a file unfolds to, so that a few lines that repeat each other cannot fill the memory.
struct SettingTree {
    enum class Kind { value, list, map } kind = Kind::value;
    std::string value = {};
    int line = 0;
    std::string key = {};  // within its map; empty in a list
    std::vector<SettingTree> members = {};
    void add(std::string name, SettingTree member) {
        member.key = std::move(name);
        members.push_back(std::move(member));
    }
};
// Nothing where it holds more than most_settings, unfolds to more than most_unfolded_bytes, or nests deeper than
// deepest_settings.
std::optional<std::vector<Setting>> flattened(const SettingTree&);
inline std::string too_much_in_it() {
    return "holds more than " + std::to_string(most_settings) + " values, unfolds to more than "
         + std::to_string(most_unfolded_bytes >> 20) + " MiB, or nests deeper than " + std::to_string(deepest_settings)
         + ": no framework writes such a configuration";
}

}  // namespace plimsoll::files
