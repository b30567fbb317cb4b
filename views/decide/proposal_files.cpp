#include "views/decide/proposal_files.h"

#include "views/parts/text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextDocument>
#include <QUrl>

#include <memory>

namespace plimsoll {

namespace {

constexpr int proposal_dpi = 150;

const std::string* file_of(const ProposalPack& pack, std::string_view path) {
    for (const PackFile& f : pack.files)
        if (f.path == path) return &f.text;
    return nullptr;
}

}  // namespace

FigureOptions proposal_figures_look() { return {.dpi = proposal_dpi}; }

QByteArray report_pdf(const ProposalPack& pack, const QString& footer, const FigureOptions& figures) {
    const std::string* html = file_of(pack, "report.html");
    if (!html) return {};
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setPageSize(QPageSize(QPageSize::A4));
    pdf.setPageMargins(QMarginsF(18, 18, 18, 18), QPageLayout::Millimeter);
    pdf.setResolution(proposal_dpi);
    pdf.setTitle(footer);
    pdf.setCreator(QStringLiteral("Plimsoll"));
    const int foot = proposal_dpi * 8 / 25;  // about 8 mm
    QTextDocument text;
    FigureOptions at_print = figures;
    at_print.dpi = proposal_dpi;
    for (const ProposalFigure& f : pack.figures)
        if (f.missing.empty())
            text.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("figures/%1.png").arg(to_qt(f.id))),
                             QImage::fromData(figure_png(f.figure, at_print)));
    text.documentLayout()->setPaintDevice(&pdf);
    text.setDefaultFont(QFont(QStringLiteral("sans-serif"), 9));
    text.setDefaultStyleSheet(QStringLiteral("td, th { font-size: 7pt }"));
    // The footer stands here in place of the line that a browser holds at the foot.
    text.setHtml(to_qt(*html).remove(QRegularExpression(QStringLiteral("<div class=\"dated\">.*</div>"))));
    const QSizeF page(pdf.width(), pdf.height() - foot);
    text.setPageSize(page);
    QPainter painter(&pdf);
    for (int i = 0; i < text.pageCount(); ++i) {
        if (i > 0) pdf.newPage();
        painter.save();
        painter.translate(0, -i * page.height());
        text.drawContents(&painter, QRectF(0, i * page.height(), page.width(), page.height()));
        painter.restore();
        painter.setFont(QFont(QStringLiteral("sans-serif"), 7));
        painter.drawText(QRectF(0, page.height(), page.width(), foot), Qt::AlignBottom | Qt::AlignHCenter,
                         footer + QStringLiteral("   %1 / %2").arg(i + 1).arg(text.pageCount()));
    }
    painter.end();
    return undated(std::move(bytes));
}

Expected<ExportFiles, Problems> proposal_files(ProposalPack pack, const QString& dir, const QString& footer,
                                               const FigureOptions& figures) {
    const QDir folder(dir);
    for (const char* each : {"tables", "figures", "plan", "launch", "evidence"})
        if (!folder.mkpath(QString::fromLatin1(each)))
            return Unexpected{Problems{{Severity::error, folder.filePath(QString::fromLatin1(each)).toStdString(), {},
                                        "the folder cannot be created"}}};
    const auto shared = std::make_shared<const ProposalPack>(std::move(pack));
    ExportFiles files;
    for (const PackFile& f : shared->files)
        files.push_back({folder.filePath(to_qt(f.path)), [shared, &f]() -> Expected<std::string, Problems> {
                             return f.text;
                         }});
    const auto add = [&](const QString& path, std::function<QByteArray()> draw) {
        files.push_back({folder.filePath(path), [draw = std::move(draw)]() -> Expected<std::string, Problems> {
                             const QByteArray bytes = draw();
                             return std::string(bytes.constData(), std::size_t(bytes.size()));
                         }});
    };
    for (const ProposalFigure& f : shared->figures) {
        if (!f.missing.empty()) continue;
        const QString stem = QStringLiteral("figures/") + to_qt(f.id);
        add(stem + QStringLiteral(".pdf"), [shared, &f, figures] { return figure_pdf(f.figure, figures); });
        add(stem + QStringLiteral(".svg"), [shared, &f, figures] { return figure_svg(f.figure, figures); });
        add(stem + QStringLiteral(".png"), [shared, &f, figures] { return figure_png(f.figure, figures); });
    }
    add(QStringLiteral("report.pdf"), [shared, footer, figures] { return report_pdf(*shared, footer, figures); });
    return files;
}

}  // namespace plimsoll
