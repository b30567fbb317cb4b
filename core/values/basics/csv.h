#pragma once
// Comma-separated values after RFC 4180: the one place that knows when a cell is quoted.
//
//   CsvRow().text("a, \"b\"").number(0.5).empty().line() == "\"a, \"\"b\"\"\",0.5,\n"
//
// A text that a spreadsheet would evaluate gets an apostrophe in front: names come from files of others, and quotes do
// not keep a formula from being one. Nothing of ours begins so.

#include <string>
#include <string_view>

namespace plimsoll {

class CsvRow {
public:
    CsvRow& text(std::string_view);           // quoted where it holds a comma, a quote or a line end
    CsvRow& quoted(std::string_view);         // quoted always, for columns that are free text throughout
    CsvRow& number(double);                   // the shortest text that reads back as the same number
    CsvRow& number(double, int digits);       // that many significant digits
    CsvRow& whole(long long);
    CsvRow& truth(bool);                      // "true" or "false"
    CsvRow& empty(int cells = 1);

    std::string line() const { return line_ + '\n'; }

private:
    CsvRow& put(std::string_view written);

    std::string line_;
    bool first_ = true;
};

std::string csv_comment(std::string_view);    // "# ...", on one line whatever the text holds

}  // namespace plimsoll
