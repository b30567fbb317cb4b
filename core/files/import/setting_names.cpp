#include "core/files/import/setting_names.h"

#include "core/files/settings/shell.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

#include <cctype>

namespace plimsoll::files {

std::string leaf_of(std::string_view key) { return std::string(key.substr(key.rfind('.') + 1)); }

std::string place_of(const std::string& file, int line) {
    const std::string name = last_part_of(file);
    return line > 0 ? name + ":" + std::to_string(line) : name;
}

std::string row_name(std::string_view key) {
    if (key.starts_with("#")) key.remove_prefix(1);
    if (key.starts_with("$")) key.remove_prefix(1);
    if (key.starts_with("--")) key.remove_prefix(2);
    std::string name;
    for (const char c : key) name += c == '-' ? '_' : char(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

std::string reads_it(const std::string& name) {
    const std::string begin = name.substr(0, 80);
    return phrase("the program reads {1}, which was not given: what it sets is not in the plan. Give it with the files",
                  visible(begin.substr(0, begin.size() - incomplete_end(begin))));
}

}  // namespace plimsoll::files
