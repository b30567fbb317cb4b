// Files for papers: size, resolution, ground, names, refusals.
#include "registered_test.h"

#include "shipped.h"
#include "views/charts/export_job.h"
#include "views/charts/shown.h"
#include "views/explore/timeline_page.h"
#include "views/parts/text.h"
#include "views/document/workspace.h"

#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace plimsoll;

namespace {

Scenario example_plan() {
    return first_scenario(library());
}

ExportOptions as(const std::vector<std::string>& formats, int dpi = 300) {
    ExportOptions o;
    o.formats = formats;
    o.figure.dpi = dpi;
    return o;
}

// Everything an export draws of a plan.
std::vector<Picture> pictures_of(const Scenario& s, const FigureOptions& o) {
    std::vector<Picture> all;
    for (const Figure& f : figures(s)) all.push_back(picture_of(f, o));
    all.push_back(timeline_picture(s, o));
    return all;
}

QImage png_of(const Picture& p, FigureOptions o, int dpi) {
    o.dpi = dpi;
    return QImage::fromData(bytes_of(p, o, "png"));
}

// How far two pictures of the same shape are apart, of 255, on average over places so large that hatches are greys.
double apart(const QImage& a, const QImage& b) {
    constexpr int across = 104, down = 63;
    const auto coarse = [&](const QImage& image) {
        return image.scaled(across, down, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    };
    const QImage one = coarse(a), other = coarse(b);
    double sum = 0;
    for (int y = 0; y < down; ++y)
        for (int x = 0; x < across; ++x) sum += std::abs(qGray(one.pixel(x, y)) - qGray(other.pixel(x, y)));
    return sum / across / down;
}

// What an SVG says of a number in the first attribute of this name.
QStringList attributes(const QByteArray& svg, const QString& name) {
    QStringList all;
    QRegularExpression pattern(QStringLiteral("[ \\n]%1=\"([^\"]*)\"").arg(name));
    for (auto i = pattern.globalMatch(QString::fromUtf8(svg)); i.hasNext();) all << i.next().captured(1);
    return all;
}

// Of everything that is written.
QStringList letter_sizes(const QByteArray& svg) {
    QStringList all;
    const QRegularExpression text(QStringLiteral("<text [^>]*>"));
    for (auto i = text.globalMatch(QString::fromUtf8(svg)); i.hasNext();)
        all << attributes(i.next().captured().toUtf8(), "font-size");
    return all;
}

// The pages' drawing commands of a PDF as text.
QByteArray commands_of(const QByteArray& pdf) {
    QByteArray all;
    for (qsizetype from = pdf.indexOf("stream\n"); from >= 0; from = pdf.indexOf("\nstream\n", from + 1)) {
        const qsizetype begin = pdf.indexOf("stream\n", from) + 7, end = pdf.indexOf("endstream", begin);
        if (end < 0) break;
        QByteArray packed = pdf.mid(begin, end - begin);
        from = end;
        if (!packed.startsWith('\x78')) continue;   // not packed, as what is said of the file
        packed.prepend(QByteArray::fromHex("00400000"));   // qUncompress() wants to be told the length
        all += qUncompress(packed);
    }
    return all;
}

QByteArray file_contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

Q_DECLARE_METATYPE(plimsoll::ExportOptions)

class tst_export : public QObject {
    Q_OBJECT
private slots:
    void png_is_165_by_100_mm_at_its_dpi_data();
    void png_is_165_by_100_mm_at_its_dpi();
    void svg_keeps_text_and_names_its_font();
    void names_of_any_letters_leave_an_svg_whole_data();
    void names_of_any_letters_leave_an_svg_whole();
    void pdf_is_one_page();
    void a_picture_looks_the_same_at_every_resolution();
    void letters_have_the_stated_points_data();
    void letters_have_the_stated_points();
    void a_column_has_its_width_data();
    void a_column_has_its_width();
    void grey_pictures_hold_no_colour();
    void grey_lines_differ_in_dashes_and_marks();
    void title_and_legend_are_there_when_asked_for();
    void a_line_that_is_zero_leaves_the_chart();
    void a_sheet_holds_every_figure_and_breaks_its_pages();
    void only_the_figures_that_are_named_are_written();
    void what_cannot_be_drawn_is_refused_data();
    void what_cannot_be_drawn_is_refused();
    void only_asked_formats_are_written();
    void file_names_are_plain_data();
    void file_names_are_plain();
    void refusals_name_the_reason();
    void a_job_writes_the_same_files();
    void a_cancelled_job_leaves_whole_files();
    void a_job_that_cannot_write_says_why();
};

void tst_export::png_is_165_by_100_mm_at_its_dpi_data() {
    QTest::addColumn<int>("dpi");
    QTest::newRow("screen") << 96;
    QTest::newRow("print") << 300;
    QTest::newRow("fine print") << 600;
}

void tst_export::png_is_165_by_100_mm_at_its_dpi() {
    QFETCH(int, dpi);
    const auto all = figures(example_plan());
    QVERIFY(!all.empty());
    const QImage image = QImage::fromData(figure_png(all.front(), {.dpi = dpi}));
    QCOMPARE(image.width(), qRound(165 / 25.4 * dpi));
    QCOMPARE(image.height(), qRound(100 / 25.4 * dpi));
    QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), dpi);
    QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));
}

void tst_export::svg_keeps_text_and_names_its_font() {
    for (const Figure& f : figures(example_plan())) {
        const QByteArray svg = figure_svg(f);
        QVERIFY2(svg.contains("DejaVu Sans"), f.id.c_str());
        QVERIFY2(svg.contains(f.y.label.c_str()), f.id.c_str());
        QVERIFY2(f.y.unit.empty() || svg.contains(f.y.unit.c_str()), f.id.c_str());
    }
}

void tst_export::names_of_any_letters_leave_an_svg_whole_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("an ampersand and a bracket") << "R&D <70B";
    QTest::newRow("an element of its own") << "</desc><script>alert(1)</script>";
    QTest::newRow("quotes") << "\"a\" 'b' ]]>";
}

void tst_export::names_of_any_letters_leave_an_svg_whole() {
    QFETCH(QString, name);
    Scenario s = example_plan();
    for (std::string* text : {&s.name, &s.model.name, &s.machine.name, &s.stack.name}) *text = name.toStdString();
    for (const Figure& f : figures(s)) {
        QXmlStreamReader xml(figure_svg(f));
        while (!xml.atEnd()) {
            xml.readNext();
            QVERIFY2(xml.name() != QLatin1String("script"), f.id.c_str());
        }
        QVERIFY2(!xml.hasError(), qPrintable(to_qt(f.id) + ": " + xml.errorString()));
    }
}

void tst_export::pdf_is_one_page() {
    const QByteArray pdf = figure_pdf(figures(example_plan()).front());
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.contains("/Count 1"));
}

// Letters of the timeline were three times too large in PNG, and cut off: that was 7 apart.
void tst_export::a_picture_looks_the_same_at_every_resolution() {
    const FigureOptions o;
    for (const Picture& p : pictures_of(example_plan(), o)) {
        const double off = apart(png_of(p, o, 96), png_of(p, o, 300));
        QVERIFY2(off < 5.5, qPrintable(QStringLiteral("%1: %2").arg(p.id).arg(off)));
    }
}

void tst_export::letters_have_the_stated_points_data() {
    QTest::addColumn<double>("width_mm");
    QTest::addColumn<double>("points");
    QTest::newRow("as usual") << 165.0 << 8.25;
    QTest::newRow("one column of a journal") << 85.0 << 7.0;
    QTest::newRow("two columns") << 170.0 << 9.0;
    QTest::newRow("a poster") << 600.0 << 24.0;
}

void tst_export::letters_have_the_stated_points() {
    QFETCH(double, width_mm);
    QFETCH(double, points);
    FigureOptions o;
    o.width_mm = width_mm;
    o.font_pt = points;
    for (const Picture& p : pictures_of(example_plan(), o)) {
        const QByteArray svg = bytes_of(p, o, "svg");
        QCOMPARE(attributes(svg, "width").front(), QStringLiteral("%1mm").arg(width_mm));
        const double units = attributes(svg, "viewBox").front().split(' ').at(2).toDouble();
        QStringList sizes = letter_sizes(svg);
        sizes.removeDuplicates();
        QVERIFY2(sizes.size() == 1, qPrintable(p.id + ": " + sizes.join(' ')));
        const double in_points = sizes.front().toDouble() * width_mm / units * 72 / 25.4;
        QVERIFY2(std::abs(in_points - points) < 0.01, qPrintable(QStringLiteral("%1: %2").arg(p.id).arg(in_points)));
        QVERIFY2(!svg.contains("scale("), qPrintable(p.id));
    }
}

void tst_export::a_column_has_its_width_data() {
    QTest::addColumn<double>("width_mm");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<int>("pixels");
    QTest::newRow("one column, 300 dpi") << column_mm << 300 << 1004;
    QTest::newRow("two columns, 600 dpi") << two_columns_mm << 600 << 4016;
}

void tst_export::a_column_has_its_width() {
    QFETCH(double, width_mm);
    QFETCH(int, dpi);
    FigureOptions o;
    o.width_mm = width_mm;
    for (const Picture& p : pictures_of(example_plan(), o)) {
        const QImage png = png_of(p, o, dpi);
        QTEST(png.width(), "pixels");
        QCOMPARE(qRound(png.dotsPerMeterX() * 0.0254), dpi);
        const QByteArray pdf = bytes_of(p, o, "pdf");
        const QRegularExpression box(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) "));
        const double points = box.match(QString::fromLatin1(pdf)).captured(1).toDouble();
        QVERIFY2(std::abs(points * 25.4 / 72 - width_mm) < 0.2, qPrintable(QString::number(points)));
    }
}

void tst_export::grey_pictures_hold_no_colour() {
    FigureOptions o;
    o.grey = true;
    const QRegularExpression colour(QStringLiteral("#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})"));
    for (const Picture& p : pictures_of(example_plan(), o)) {
        QVERIFY2(png_of(p, o, 96).isGrayscale(), qPrintable(p.id));
        const QString svg = QString::fromUtf8(bytes_of(p, o, "svg"));
        for (auto i = colour.globalMatch(svg); i.hasNext();) {
            const auto found = i.next();
            QVERIFY2(found.captured(1) == found.captured(2) && found.captured(2) == found.captured(3),
                     qPrintable(p.id + ": " + found.captured()));
        }
        for (const QByteArray& line : commands_of(bytes_of(p, o, "pdf")).split('\n')) {
            const QList<QByteArray> words = line.simplified().split(' ');
            for (qsizetype at = 3; at < words.size(); ++at)
                if (words[at].toLower() == "rg" || words[at].toLower() == "scn")
                    QVERIFY2(words[at - 1] == words[at - 2] && words[at - 2] == words[at - 3],
                             qPrintable(p.id + ": " + line));
        }
    }
    QVERIFY(commands_of(figure_pdf(figures(example_plan()).front(), o)).contains("BT"));
    FigureOptions coloured;
    QVERIFY(!png_of(pictures_of(example_plan(), coloured).front(), coloured, 96).isGrayscale());
}

void tst_export::grey_lines_differ_in_dashes_and_marks() {
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < i; ++j) {
            const SeriesLook a = look_of(grey_chart(), i), b = look_of(grey_chart(), j);
            QVERIFY2(a.dash != b.dash || a.marker != b.marker,
                     qPrintable(QStringLiteral("lines %1, %2").arg(i).arg(j)));
            QVERIFY2(a.colour != b.colour || a.hatch != b.hatch,
                     qPrintable(QStringLiteral("areas %1, %2").arg(i).arg(j)));
            // Neighbours in a stack touch each other.
            if (i - j == 1) QVERIFY(std::abs(a.colour.lightness() - b.colour.lightness()) > 40);
        }
}

void tst_export::title_and_legend_are_there_when_asked_for() {
    const Figure f = figures(example_plan()).front();
    FigureOptions o;
    const auto says = [&](const char* words) {
        return QString::fromUtf8(figure_svg(f, o)).count(QRegularExpression(
            QStringLiteral(">\\s*%1\\s*<").arg(QRegularExpression::escape(QString::fromLatin1(words)))));
    };
    const qsizetype without = says(f.title.c_str());   // the axis may say the same
    QCOMPARE(says("Modelled"), qsizetype(1));
    o.title = true;
    o.legend = false;
    QVERIFY(says(f.title.c_str()) > without);
    QCOMPARE(says("Modelled"), qsizetype(0));
}

void tst_export::a_line_that_is_zero_leaves_the_chart() {
    Figure f = figures(example_plan()).front();
    const std::size_t lines = f.series.size();
    f.series.push_back({"nothing", "Nothing at all", Mark::line, f.series.front().x,
                        std::vector<double>(f.series.front().x.size(), 0.0), {}});
    const Shown shown = shown_of(f, 8);
    QCOMPARE(shown.none, QStringList{"Nothing at all"});
    QVERIFY(shown.figure.series.size() == lines + 1 && shown.figure.series.back().y.empty());
    QVERIFY(!figure_svg(f).contains("Nothing at all"));
    f.series = {f.series.back()};
    QCOMPARE(shown_of(f, 8).none, QStringList{});
}

void tst_export::a_sheet_holds_every_figure_and_breaks_its_pages() {
    FigureOptions o;
    o.title = true;
    const std::vector<Picture> all = pictures_of(example_plan(), o);
    const auto pages = [](const QByteArray& pdf) {
        return QRegularExpression(QStringLiteral("/Count (\\d+)")).match(QString::fromLatin1(pdf)).captured(1).toInt();
    };
    QCOMPARE(pages(sheet_of(all, o, "Plan")), 5);   // two on a page of A4
    o.width_mm = column_mm;
    std::vector<Picture> narrow = pictures_of(example_plan(), o);
    QCOMPARE(pages(sheet_of(narrow, o, "Plan")), 2);   // three rows of two on a page
    QCOMPARE(sheet_of(narrow, o, "Plan"), sheet_of(narrow, o, "Plan"));
    o.width_mm = 400;   // wider than the page
    QVERIFY(pages(sheet_of(pictures_of(example_plan(), o), o, "Plan")) >= 5);
}

void tst_export::only_the_figures_that_are_named_are_written() {
    QTemporaryDir dir;
    const Scenario s = example_plan();
    ExportOptions o = as({"csv"});
    o.figures = {"memory-per-stage"};
    QVERIFY(export_figures(s, figures(s), dir.path(), o).empty());
    const QStringList files = QDir(dir.path()).entryList(QDir::Files);
    QCOMPARE(files.size(), 2);   // and its caption
    QVERIFY(files.filter("memory-per-stage.csv").size() == 1);
    const QByteArray captions = file_contents(dir.filePath(files.filter("captions").front()));
    QVERIFY(captions.contains("memory-per-stage") && !captions.contains("time-vs-nodes"));
}

void tst_export::what_cannot_be_drawn_is_refused_data() {
    QTest::addColumn<ExportOptions>("options");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* name, auto change, const char* word) {
        ExportOptions o;
        change(o);
        QTest::newRow(name) << o << word;
    };
    row("an unknown format", [](ExportOptions& o) { o.formats = {"bmp"}; }, "bmp");
    row("too narrow to read", [](ExportOptions& o) { o.figure.width_mm = 5; }, "5 mm");
    row("no number of millimetres", [](ExportOptions& o) { o.figure.width_mm = std::nan(""); }, "mm");
    row("no points", [](ExportOptions& o) { o.figure.font_pt = 0; }, "0 pt");
    row("letters larger than the plot", [](ExportOptions& o) { o.figure.font_pt = 40; }, "40 pt");
    row("more pixels than pictures have", [](ExportOptions& o) {
        o.figure.width_mm = 1000;
        o.figure.dpi = 1200;
    }, "20000");
    row("a font that is no name", [](ExportOptions& o) { o.figure.font = "a\nb"; }, "font");
}

void tst_export::what_cannot_be_drawn_is_refused() {
    QFETCH(ExportOptions, options);
    QFETCH(QString, word);
    QVERIFY(problem_with({}).empty());
    const QString said = to_qt(problem_with(options));
    QVERIFY2(said.contains(word), qPrintable(said));
}

void tst_export::only_asked_formats_are_written() {
    QTemporaryDir dir;
    const Scenario s = example_plan();
    QVERIFY(export_figures(s, figures(s), dir.path(), as({"csv"})).empty());
    const QStringList files = QDir(dir.path()).entryList(QDir::Files);
    QCOMPARE(files.size(), static_cast<int>(figures(s).size()) + 1);
    QCOMPARE(files.filter(QStringLiteral(".csv")).size(), files.size() - 1);
}

void tst_export::file_names_are_plain_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("stem");
    QTest::newRow("spaces become dashes") << "GPT 3 on Frontier"
                                          << "GPT-3-on-Frontier";
    QTest::newRow("folders do not escape") << "../../etc/x"
                                           << "etc-x";
    QTest::newRow("nothing left") << "///"
                                  << "plan";
    QTest::newRow("empty") << ""
                           << "plan";
    QTest::newRow("other scripts") << QString::fromUtf8("計画 7") << "7";
}

void tst_export::file_names_are_plain() {
    QFETCH(QString, name);
    Scenario s;
    s.name = name.toStdString();
    QTEST(file_stem(s), "stem");
}

void tst_export::refusals_name_the_reason() {
    QTemporaryDir dir;
    const Scenario s = example_plan();
    QVERIFY(say(export_figures(s, figures(s), dir.path(), as({"bmp"}))).find("bmp") != std::string::npos);
    QVERIFY(!export_figures(s, figures(s), dir.path(), as({"png"}, 1)).empty());
    QVERIFY(!export_figures(s, {}, dir.path(), as({"png"})).empty());
    QFile(dir.filePath("file")).open(QIODevice::WriteOnly);
    QVERIFY(!export_figures(s, figures(s), dir.filePath("file/below"), as({"csv"})).empty());
}

void tst_export::a_job_writes_the_same_files() {
    QTemporaryDir at_once, beside;
    const Scenario s = example_plan();
    QVERIFY(export_figures(s, figures(s), at_once.path(), as({"csv", "svg"}, 96)).empty());
    ExportJob job;
    QSignalSpy finished(&job, &ExportJob::finished);
    job.start(*plan_files(s, figures(s), beside.path(), as({"csv", "svg"}, 96)), beside.path());
    QVERIFY(job.busy());
    QVERIFY(finished.wait(20000));
    QCOMPARE(finished.front().front().toString(), beside.path());
    QVERIFY(!job.busy() && job.isHidden());
    const QStringList names = QDir(at_once.path()).entryList(QDir::Files);
    QCOMPARE(QDir(beside.path()).entryList(QDir::Files), names);
    for (const QString& name : names)
        QCOMPARE(file_contents(beside.filePath(name)), file_contents(at_once.filePath(name)));
}

void tst_export::a_cancelled_job_leaves_whole_files() {
    QTemporaryDir dir;
    ExportJob job;
    QSignalSpy cancelled(&job, &ExportJob::cancelled);
    const std::string text(100000, 'x');
    ExportFiles files;
    for (int i = 0; i < 6; ++i)
        files.push_back({dir.filePath(QString::number(i)), [&, i] {
            if (i == 2) QMetaObject::invokeMethod(&job, &ExportJob::cancel, Qt::QueuedConnection);
            return text;
        }});
    job.start(files, dir.path());
    QVERIFY(cancelled.wait(20000));
    QCOMPARE(cancelled.front().at(0).toInt(), 2);
    QCOMPARE(cancelled.front().at(1).toInt(), 6);
    QVERIFY(!job.busy());
    const QStringList names = QDir(dir.path()).entryList(QDir::Files);
    QVERIFY(names.size() == 2 || names.size() == 3);  // the third was on its way to the disk
    for (const QString& name : names) QCOMPARE(file_contents(dir.filePath(name)), QByteArray::fromStdString(text));
}

void tst_export::a_job_that_cannot_write_says_why() {
    QTemporaryDir dir;
    const Scenario s = example_plan();
    const auto files = plan_files(s, figures(s), dir.path(), as({"csv"}, 96));
    QVERIFY(QDir(dir.path()).mkpath(QFileInfo(files->front().path).fileName()));   // a folder where the file should be
    ExportJob job;
    Problems said;
    connect(&job, &ExportJob::failed, this, [&](const Problems& problems) { said = problems; });
    job.start(*files, dir.path());
    QTRY_VERIFY(!said.empty());
    QVERIFY(!job.busy());
    QCOMPARE(said.front().file, files->front().path.toStdString());
}

PLIMSOLL_TEST(tst_export)
#include "tst_export.moc"
