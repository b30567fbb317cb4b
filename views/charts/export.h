#pragma once
// Figures as files for a paper or proposal: 165 x 100 mm (taller for many categories), white ground and the
// light palette whatever the window's theme, text of at least 8 pt.
//
//   Problems p = export_figures(plan, figures(plan), "out", {"pdf", "csv"}, 300);
//
// Needs a QGuiApplication (offscreen will do). The same plan gives the same bytes.

#include "core/answers/curves/figures.h"
#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <string>
#include <vector>

namespace plimsoll {

inline constexpr double figure_width_mm = 165, figure_height_mm = 100;

QByteArray figure_pdf(const Figure&);
QByteArray undated(QByteArray pdf);  // without the time it was made
QByteArray figure_svg(const Figure&);
QByteArray figure_png(const Figure&, int dpi);

void copy_figure(const Figure&, const std::string& csv);  // picture, SVG and CSV on the clipboard

// "pdf", "svg", "png", "csv"
const std::vector<std::string>& export_formats();

// A file that an export writes. What goes into it is made when its turn comes, in the window's thread.
struct ExportFile {
    QString path;
    std::function<Expected<std::string, Problems>()> content;
};
using ExportFiles = std::vector<ExportFile>;

// <stem>-<figure id>.<format> for each format; `csv` is the data's.
ExportFiles figure_files(const Figure&, const std::string& csv, const QString& stem,
                         const std::vector<std::string>& formats, int dpi);
// <scenario>-<figure id>.<format> for each, and <scenario>-captions.txt. Creates `dir`.
Expected<ExportFiles, Problems> plan_files(const Scenario&, const std::vector<Figure>&, const QString& dir,
                                           const std::vector<std::string>& formats, int dpi);
// One after the other, each whole or not at all. The first that cannot be written ends the export and is the problem
// returned. A window that lives on meanwhile has an ExportJob instead.
Problems write_files(const ExportFiles&);
Problems export_figures(const Scenario&, const std::vector<Figure>&, const QString& dir,
                        const std::vector<std::string>& formats, int dpi);
// The name of a plan as part of a file name: letters, digits, '.', '_' and '-'.
QString file_stem(const Scenario&);

}  // namespace plimsoll
