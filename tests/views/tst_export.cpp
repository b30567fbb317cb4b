// Files for papers: size, resolution, ground, names, refusals.
#include "registered_test.h"

#include "shipped.h"
#include "views/charts/export_job.h"
#include "views/parts/text.h"
#include "views/document/workspace.h"

#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace plimsoll;

namespace {

Scenario example_plan() {
    return first_scenario(library());
}

QByteArray file_contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class tst_export : public QObject {
    Q_OBJECT
private slots:
    void png_is_165_by_100_mm_at_its_dpi_data();
    void png_is_165_by_100_mm_at_its_dpi();
    void svg_keeps_text_and_names_its_font();
    void names_of_any_letters_leave_an_svg_whole_data();
    void names_of_any_letters_leave_an_svg_whole();
    void pdf_is_one_page();
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
    const QImage image = QImage::fromData(figure_png(all.front(), dpi));
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

void tst_export::only_asked_formats_are_written() {
    QTemporaryDir dir;
    const Scenario s = example_plan();
    QVERIFY(export_figures(s, figures(s), dir.path(), {"csv"}, 300).empty());
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
    QVERIFY(say(export_figures(s, figures(s), dir.path(), {"bmp"}, 300)).find("bmp") != std::string::npos);
    QVERIFY(!export_figures(s, figures(s), dir.path(), {"png"}, 1).empty());
    QVERIFY(!export_figures(s, {}, dir.path(), {"png"}, 300).empty());
    QFile(dir.filePath("file")).open(QIODevice::WriteOnly);
    QVERIFY(!export_figures(s, figures(s), dir.filePath("file/below"), {"csv"}, 300).empty());
}

void tst_export::a_job_writes_the_same_files() {
    QTemporaryDir at_once, beside;
    const Scenario s = example_plan();
    QVERIFY(export_figures(s, figures(s), at_once.path(), {"csv", "svg"}, 96).empty());
    ExportJob job;
    QSignalSpy finished(&job, &ExportJob::finished);
    job.start(*plan_files(s, figures(s), beside.path(), {"csv", "svg"}, 96), beside.path());
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
    const auto files = plan_files(s, figures(s), dir.path(), {"csv"}, 96);
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
