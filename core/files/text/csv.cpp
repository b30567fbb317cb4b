#include "core/files/text/csv.h"

#include "core/files/text/reader.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace plimsoll {

namespace {

constexpr std::size_t longest_line = 4096, most_rows = 1'000'000, most_problems = 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string_view> parts_of(std::string_view line) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t comma = std::min(line.find(','), line.size());
        parts.push_back(trimmed(line.substr(0, comma)));
        if (comma == line.size()) return parts;
        line.remove_prefix(comma + 1);
    }
}

std::string at_line(int line) { return phrase("line {1}", line); }

// What a line must not hold; empty: nothing wrong.
std::string fault_of(std::string_view line) {
    if (line.size() > longest_line) return phrase("longer than {1} bytes", longest_line);
    if (line.find('"') != std::string_view::npos) return phrase("quotes are not read: write values without commas");
    const auto control = [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; };
    return std::any_of(line.begin(), line.end(), control) ? phrase("a control character, expected text") : "";
}

std::string fault_of_columns(const std::vector<std::string_view>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].empty()) return phrase("column {1} has no name", i + 1);
        if (std::count(columns.begin(), columns.end(), columns[i]) > 1)
            return phrase("column {1} stands there twice", files::in_quotes(columns[i]));
    }
    return {};
}

}  // namespace

Expected<CsvTable, Problems> read_csv(std::string_view text, const std::string& file) {
    CsvTable table;
    table.file = file;
    Problems problems;
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    for (int number = 1; !text.empty() && problems.size() < most_problems; ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (trimmed(line).empty() || line.front() == '#') continue;
        const auto refuse = [&](const std::string& message) {
            problems.push_back({Severity::error, file, at_line(number), message});
        };
        if (const std::string fault = fault_of(line); !fault.empty()) {
            refuse(fault);
            continue;
        }
        std::vector<std::string_view> parts = parts_of(line);
        if (table.columns.empty()) {
            if (const std::string fault = fault_of_columns(parts); !fault.empty()) refuse(fault);
            table.columns.assign(parts.begin(), parts.end());
        } else if (parts.size() != table.columns.size()) {
            refuse(phrase("{1}, expected {2} as in the header", numbered((long long)parts.size(), "value", "values"),
                          table.columns.size()));
        } else if (table.rows.size() == most_rows) {
            refuse(phrase("more than {1} rows", most_rows));
            break;
        } else {
            table.rows.push_back(std::move(parts));
            table.lines.push_back(number);
        }
    }
    if (table.columns.empty() && problems.empty())
        problems.push_back({Severity::error, file, "", phrase("empty, expected a line with the names of the columns")});
    if (!problems.empty()) return Unexpected{std::move(problems)};
    return table;
}

std::string_view CsvValues::text(std::string_view column) const {
    const auto found = std::find(table_.columns.begin(), table_.columns.end(), column);
    return found == table_.columns.end() ? std::string_view{}
                                         : table_.rows[row_][std::size_t(found - table_.columns.begin())];
}

void CsvValues::refuse(std::string_view column, const std::string& message) {
    problems_.push_back(
        {Severity::error, table_.file, at_line(table_.lines[row_]) + ", " + std::string(column), message});
}

double CsvValues::number(std::string_view column, double least, double most) {
    const std::string_view found = text(column);
    double value = 0;
    const auto read = std::from_chars(found.data(), found.data() + found.size(), value);
    const bool whole_text = read.ec == std::errc{} && read.ptr == found.data() + found.size();
    if (whole_text && std::isfinite(value) && value >= least && value <= most) return value;
    refuse(column, phrase("found {1}, expected a number from {2} to {3}", files::in_quotes(found), shortest(least),
                          shortest(most)));
    return least;
}

int CsvValues::whole(std::string_view column, int least, int most) {
    const std::string_view found = text(column);
    int value = 0;
    const auto read = std::from_chars(found.data(), found.data() + found.size(), value);
    if (read.ec == std::errc{} && read.ptr == found.data() + found.size() && value >= least && value <= most)
        return value;
    refuse(column,
           phrase("found {1}, expected a whole number from {2} to {3}", files::in_quotes(found), least, most));
    return least;
}

int CsvValues::choice(std::string_view column, const std::vector<std::string_view>& names) {
    const std::string_view found = text(column);
    const auto at = std::find(names.begin(), names.end(), found);
    if (at != names.end()) return int(at - names.begin());
    refuse(column, phrase("found {1}, expected one of {2}", files::in_quotes(found),
                          joined({names.begin(), names.end()})));
    return 0;
}

}  // namespace plimsoll
