#pragma once
// A table of a proposal as data, and its writers: Markdown, CSV, LaTeX, HTML. All of them show the same cells; only
// documents group the digits of large numbers.
//
//   Sheet s{"T01", "request", "What is asked for", {{"period"}, {"total", "node-hour", true}}, {{"1", "5120"}}};
//   to_markdown(s), to_csv(s), to_latex(s), to_html(s)
//
// A cell that is missing is a line in `missing` and shows in red: never a blank.

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct SheetColumn {
    std::string name;
    std::string unit = {};       // stands in the header
    bool number = false;         // right-aligned
};

struct Sheet {
    std::string id, slug, title;
    std::vector<SheetColumn> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes = {};     // below the table
    std::vector<std::string> missing = {};   // what evidence lacks; also where there are no rows
    std::string dated = {};                  // "INCITE, profile of 2026-10"
};

// Of the width of a text line, for each column: as much as its longest word needs, the rest by what it holds.
std::vector<double> column_shares(const Sheet&);

// Text of others inside the markup: nothing of it is obeyed.
std::string markdown_text(std::string_view);
std::string latex_text(std::string_view);
std::string html_text(std::string_view);

std::string heading_of(const SheetColumn&);   // "total, node-hour"

std::string to_markdown(const Sheet&);
std::string to_csv(const Sheet&);             // '#' lines with title, notes and what is missing on top
std::string to_latex(const Sheet&);           // a part for \input, with array, booktabs and longtable
std::string to_html(const Sheet&);

// A line in red, of each kind of document.
std::string red_markdown(std::string_view);
std::string red_latex(std::string_view);
std::string red_html(std::string_view);

}  // namespace plimsoll
