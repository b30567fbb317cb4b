#pragma once
// How figures look as files, and which of them an export writes: what the window's dialog and the command line ask for.
//
//   ExportOptions o;
//   o.figure.width_mm = column_mm;             // one column of a journal
//   if (const std::string what = problem_with(o); !what.empty()) refuse(what);

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

inline constexpr double column_mm = 85, two_columns_mm = 170;

struct FigureOptions {
    double width_mm = 165;
    double height_mm = 0;               // 0: by the width; figures of many rows are higher than any of these
    int dpi = 300;                      // of PNG files
    std::string font = "DejaVu Sans";
    double font_pt = 8.25;              // of every letter, on paper
    bool title = false;                 // on paper the caption says it
    bool legend = true;
    bool grey = false;                  // no colours: greys, dashes, marks and hatches
    friend bool operator==(const FigureOptions&, const FigureOptions&) = default;
};

struct ExportOptions {
    FigureOptions figure;
    std::vector<std::string> formats{"pdf", "svg", "png", "csv"};
    std::vector<std::string> figures;   // ids; empty: all
    std::string language = {};          // of pictures, "en" or "ja"; empty: the window's. Tables stay English
    bool sheet = false;                 // all of them on the pages of one PDF as well
    friend bool operator==(const ExportOptions&, const ExportOptions&) = default;
};

// Every format an export writes: "pdf", "svg", "png", "csv".
const std::vector<std::string>& export_formats();

double height_of(const FigureOptions&);   // without regard to what is drawn
bool wants(const ExportOptions&, std::string_view figure);
// What cannot be drawn, with the values that can; empty: nothing.
std::string problem_with(const ExportOptions&);

}  // namespace plimsoll
