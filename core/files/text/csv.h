#pragma once
// A table of comma-separated values with a header, read with suspicion. No quotes: a comma always separates.
//
//   const auto table = read_csv(text, "products.csv");
//   CsvValues row{*table, 3, problems};
//   row.number("time_us", 0, 1e12);
//
// Problems name the file, the line (the header is 1) and the column.

#include "core/files/text/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct CsvTable {
    std::string file;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string_view>> rows;   // parts of the text that was read, which must outlive it
    std::vector<int> lines;                            // of each row
};

// Refused: an empty file, a column twice or without a name, a row with more or fewer values than columns, a quote, a
// control character, a line above 4,096 bytes, more than 1,000,000 rows. Empty lines and lines that begin with # are
// skipped; a byte order mark and carriage returns at line ends are no part of a value.
Expected<CsvTable, Problems> read_csv(std::string_view text, const std::string& file);

// The values of one row by column. Each wrong value is noted and read as `otherwise`.
class CsvValues {
public:
    CsvValues(const CsvTable& table, std::size_t row, Problems& problems)
        : table_(table), row_(row), problems_(problems) {}
    std::string_view text(std::string_view column) const;
    // A finite number within [least, most].
    double number(std::string_view column, double least, double most);
    int whole(std::string_view column, int least, int most);
    // The place of the text among the names.
    int choice(std::string_view column, const std::vector<std::string_view>& names);
    void refuse(std::string_view column, const std::string& message);

private:
    const CsvTable& table_;
    std::size_t row_;
    Problems& problems_;
};

}  // namespace plimsoll
