#include "core/answers/curves/figure_options.h"

#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double least_mm = 40, most_mm = 1000, least_pt = 4, most_pt = 40;
constexpr int least_dpi = 30, most_dpi = 1200;
constexpr double most_pixels = 20000;     // of a side: what pictures can have
constexpr std::size_t longest_font = 100;

bool outside(double value, double least, double most) { return !(value >= least && value <= most); }

}  // namespace

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> all{"pdf", "svg", "png", "csv"};
    return all;
}

// 165 x 100 mm as it is usual; a narrow one stays high enough for its axes and legend.
double height_of(const FigureOptions& o) {
    return o.height_mm > 0 ? o.height_mm : std::max(o.width_mm / 1.65, std::min(o.width_mm, 60.0));
}

bool wants(const ExportOptions& o, std::string_view figure) {
    return o.figures.empty() || std::find(o.figures.begin(), o.figures.end(), figure) != o.figures.end();
}

std::string problem_with(const ExportOptions& o) {
    const auto& known = export_formats();
    for (const std::string& format : o.formats)
        if (std::find(known.begin(), known.end(), format) == known.end())
            return phrase("unknown format \"{1}\"; known: pdf, svg, png, csv", visible(format));
    const FigureOptions& f = o.figure;
    if (f.dpi < least_dpi || f.dpi > most_dpi)
        return phrase("resolution {1} dpi is outside {2} to {3}", std::to_string(f.dpi), std::to_string(least_dpi),
                      std::to_string(most_dpi));
    for (const double side : {f.width_mm, height_of(f)})
        if (outside(side, least_mm, most_mm))
            return phrase("{1} mm is outside {2} to {3}", shortest(side), shortest(least_mm), shortest(most_mm));
    if (outside(f.font_pt, least_pt, most_pt))
        return phrase("letters of {1} pt are outside {2} to {3}", shortest(f.font_pt), shortest(least_pt),
                      shortest(most_pt));
    if (std::max(f.width_mm, height_of(f)) / 25.4 * f.dpi > most_pixels)
        return phrase("a picture of {1} mm with {2} dpi has more than {3} pixels a side",
                      shortest(std::max(f.width_mm, height_of(f))), std::to_string(f.dpi), shortest(most_pixels));
    // Letters larger than this leave no room for a plot.
    if (f.width_mm / f.font_pt < 5)
        return phrase("{1} mm are too narrow for letters of {2} pt", shortest(f.width_mm), shortest(f.font_pt));
    if (f.font.empty() || f.font.size() > longest_font || !is_line(f.font))
        return phrase("the font has no name that can be written");
    return {};
}

}  // namespace plimsoll
