#pragma once
// A proposal's pack as files to be written: its texts and tables, its figures drawn, and the report as PDF.
//
//   write_files(proposal_files(proposal_pack(in, library, true), "out", say_date(in.programme)));
//
// Needs a QGuiApplication (offscreen will do).

#include "core/files/results/proposal_pack.h"
#include "views/charts/export.h"

#include <QString>

namespace plimsoll {

// As figures of a pack are drawn where nobody says otherwise.
FigureOptions proposal_figures_look();

// `footer` stands on every page of the PDF, beside the page's number. Makes the folders of `dir`.
Expected<ExportFiles, Problems> proposal_files(ProposalPack pack, const QString& dir, const QString& footer,
                                               const FigureOptions& figures = proposal_figures_look());

// The report's HTML on A4 pages. Pictures that it names are taken from the pack's figures.
QByteArray report_pdf(const ProposalPack&, const QString& footer,
                      const FigureOptions& figures = proposal_figures_look());

}  // namespace plimsoll
