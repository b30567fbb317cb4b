#pragma once
// Tables as a spreadsheet (.xlsx), each on a sheet of its own.
//
//   if (spreadsheets_are_here())
//       if (const auto bytes = to_xlsx(proposal.tables)) write("tables.xlsx", *bytes);
//
// Numbers are numbers, shares are percentages, units stand in the header. Every other cell is a text, whatever it
// begins with: nothing of a table is ever a formula. The same tables give the same bytes. libxlsxwriter writes the
// file; a build without it has no spreadsheets and says so.

#include "core/answers/propose/sheet.h"
#include "core/files/text/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

bool spreadsheets_are_here();

Expected<std::string, Problems> to_xlsx(const std::vector<Sheet>&);

// The number of a cell in a column of numbers: "4,096", "-1.5e-3", "12.5 %". Nothing where any other letter stands in
// it, or zeros before it, as in the numbers of jobs.
struct CellNumber {
    double value = 0;      // of "12.5 %": 0.125
    int decimals = 0;      // as it is written
    bool share = false;
    bool grouped = false;
};
std::optional<CellNumber> number_of_cell(std::string_view);

// Names of sheets as spreadsheets want them: at most 31 letters, none of []:*?/\, and no two alike.
std::vector<std::string> sheet_names(const std::vector<Sheet>&);

}  // namespace plimsoll
