#include "app/commands/tables.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Characters as shown: UTF-8 continuation bytes take no column.
std::size_t width_of(const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; });
}

// An option of a command line is none.
bool numeric(const std::string& text) {
    return !text.empty() && !text.starts_with("--")
           && (std::isdigit((unsigned char)text[0]) || text[0] == '-' || text[0] == '+' || text[0] == '.');
}

}  // namespace

std::string table(const TextRows& rows) {
    std::vector<std::size_t> widths;
    std::vector<bool> right;
    for (const auto& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c >= widths.size()) {
                widths.push_back(0);
                right.push_back(c > 0);
            }
            widths[c] = std::max(widths[c], width_of(row[c]));
            if (&row != &rows.front() && !row[c].empty() && !numeric(row[c])) right[c] = false;
        }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string pad(widths[c] - width_of(row[c]), ' ');
            line += (c ? "  " : "") + (right[c] ? pad + row[c] : row[c] + pad);
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

}  // namespace plimsoll
