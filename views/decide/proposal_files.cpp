#include "views/decide/proposal_files.h"

#include "views/parts/text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
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

// A heading, or the line of a picture: what follows belongs to it.
bool leads(const QTextBlock& block) {
    return block.blockFormat().headingLevel() > 0 || block.text().contains(QChar::ObjectReplacementCharacter);
}

QRectF place_of(QTextDocument& text, const QTextBlock& block) {
    const QTextCursor cursor(block);
    if (QTextTable* table = cursor.currentTable()) return text.documentLayout()->frameBoundingRect(table);
    return text.documentLayout()->blockBoundingRect(block);
}

// A page begins before a heading or a picture that would stand apart from what it leads to, and before a table that
// one page can hold but the rest of this one cannot; and before a line below a table that lies across the page's end.
void keep_together(QTextDocument& text, double page) {
    const auto break_where_cut = [&](const QTextBlock& block, double top, double end) {
        if (top <= 0 || int(top / page) == int((end - 1) / page)) return;
        QTextBlockFormat format = block.blockFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).setBlockFormat(format);
        text.setPageSize(QSizeF(text.pageSize()));   // all of it anew: what follows has moved by part of a page
    };
    for (QTextBlock block = text.begin(); block.isValid();) {
        QTextBlock after = block;
        while (after.isValid() && leads(after)) after = after.next();
        const double top = text.documentLayout()->blockBoundingRect(block).top();
        if (after == block || !after.isValid()) {
            if (after == block && block.layout()->lineCount() > 0 && !QTextCursor(block).currentTable()) {
                const QRectF line = block.layout()->lineAt(0).rect();
                break_where_cut(block, top + line.top(), top + line.bottom());
            }
            block = after == block ? block.next() : after;
            continue;
        }
        const QRectF held = place_of(text, after);
        const bool fits = held.bottom() - top < page;
        break_where_cut(block, top, fits ? held.bottom() : held.top() + 0.15 * page);
        block = after.next();
    }
}

constexpr const char* report_style =
    "body { font-size: 9pt } h1 { font-size: 15pt } h2 { font-size: 12pt; margin-top: 14px }"
    "h3 { font-size: 10pt; margin-top: 10px } td, th { font-size: 8pt }"
    "table { border-collapse: collapse; border-style: solid; border-color: #909090 }";

void lay_out_report(QTextDocument& text, const QString& html, const QSizeF& page) {
    const auto pages = [&](int picture) {
        QString sized = html;
        text.setHtml(sized.replace(QStringLiteral("width=\"620\""), QStringLiteral("width=\"%1\"").arg(picture)));
        text.setPageSize(page);
        keep_together(text, page.height());
        return text.pageCount();
    };
    // Somewhat smaller pictures often find room on pages that larger ones leave half empty.
    int best = 560, fewest = pages(best);
    for (const int smaller : {520, 480, 440})
        if (const int count = pages(smaller); count < fewest) best = smaller, fewest = count;
    pages(best);
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
    pdf.setPageMargins(QMarginsF(16, 16, 16, 16), QPageLayout::Millimeter);
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
    text.setDefaultStyleSheet(QString::fromLatin1(report_style));
    const QSizeF page(pdf.width(), pdf.height() - foot);
    // The footer stands here in place of the line that a browser holds at the foot; and the file's own style is one
    // for browsers.
    static const QRegularExpression for_browsers(
        QStringLiteral("<div class=\"dated\">.*</div>|<style>.*</style>"));
    lay_out_report(text, to_qt(*html).remove(for_browsers), page);
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
