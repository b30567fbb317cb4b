#pragma once
// Figures as files for a paper or proposal: usually 165 x 100 mm (taller for many categories) with text of 8 pt, white
// ground and the light palette whatever the window's theme.
//
//   ExportOptions o;
//   o.figure.width_mm = column_mm;
//   Problems p = export_figures(plan, figures(plan), "out", o);
//
// Needs a QGuiApplication (offscreen will do). The same plan gives the same bytes.

#include "core/answers/curves/figure_options.h"
#include "core/answers/curves/figures.h"
#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"
#include "views/charts/picture.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

QByteArray figure_pdf(const Figure&, const FigureOptions& = {});
QByteArray figure_svg(const Figure&, const FigureOptions& = {});
QByteArray figure_png(const Figure&, const FigureOptions& = {});

void copy_figure(const Figure&, const std::string& csv);  // picture, SVG and CSV on the clipboard

// A file that an export writes. What goes into it is made when its turn comes, in the window's thread.
struct ExportFile {
    QString path;
    std::function<Expected<std::string, Problems>()> content;
};
using ExportFiles = std::vector<ExportFile>;

// <stem>-<figure id>.<format> for each format; `csv` is the data's. None of a figure that is not wanted.
ExportFiles figure_files(const Figure&, const std::string& csv, const QString& stem, const ExportOptions& = {});
// <scenario>-<figure id>.<format> for each, and <scenario>-captions.txt. Creates `dir`.
Expected<ExportFiles, Problems> plan_files(const Scenario&, const std::vector<Figure>&, const QString& dir,
                                           const ExportOptions& = {});
// <stem>-sheet.pdf: these pictures on the pages of one file.
ExportFile sheet_file(std::vector<Picture>, const QString& stem, const QString& heading, const ExportOptions&);
// One after the other, each whole or not at all. The first that cannot be written ends the export and is the problem
// returned. A window that lives on meanwhile has an ExportJob instead.
Problems write_files(const ExportFiles&);
Problems export_figures(const Scenario&, const std::vector<Figure>&, const QString& dir, const ExportOptions& = {});
// The name of a plan as part of a file name: letters, digits, '.', '_' and '-'.
QString file_stem(const Scenario&);

// How figures were last exported, for each programme that asks for its own width or letters and in general. `programme`
// is the id of a profile; empty: in general. What cannot be drawn any more is as if it had not been stored.
ExportOptions stored_choice(const QString& programme);               // in general, where nothing was chosen for it
std::optional<ExportOptions> own_choice(const QString& programme);   // nothing where nothing was chosen for it
void store_choice(const QString& programme, const ExportOptions&);
QString last_programme();   // that something was exported for

}  // namespace plimsoll
