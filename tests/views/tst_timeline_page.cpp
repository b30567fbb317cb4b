// The timeline page: lazy, readable at any zoom, and savable.
#include "registered_test.h"

#include "shipped.h"
#include "views/charts/look.h"
#include "views/explore/timeline_page.h"
#include "views/document/workspace.h"

#include <QFile>
#include <QImage>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace plimsoll;

namespace {

struct Page {
    Workspace workspace{library()};
    TimelinePage page{workspace};
    explicit Page(const char* example) {
        workspace.document().open(QStringLiteral(PLIMSOLL_PRESETS_DIR "/scenarios/") + QLatin1String(example)
                                  + QStringLiteral(".json"));
        page.resize(900, 500);
    }
    Gantt& shown() {
        page.show();
        QCoreApplication::processEvents();
        return *page.gantt();
    }
};

// How many different colours of the palette's first three there are in the rows.
int kinds_in(Gantt& g) {
    const QImage picture = g.grab().toImage();
    int found = 0;
    for (int kind = 0; kind < 3; ++kind) {
        bool here = false;
        for (int y = 30; y < picture.height() - 45 && !here; ++y)
            for (int x = 50; x < picture.width() - 14 && !here; ++x)
                here = picture.pixelColor(x, y) == light_chart().series[kind];
        found += here;
    }
    return found;
}

}  // namespace

class tst_timeline_page : public QObject {
    Q_OBJECT
private slots:
    void a_hidden_page_simulates_nothing() {
        Page p("opt-30b-zero-bubble");
        QCoreApplication::processEvents();
        QVERIFY(p.page.gantt()->timeline().tasks.empty());
        QVERIFY(!p.shown().timeline().tasks.empty());
    }

    void every_kind_of_work_is_drawn() {
        Page zero("opt-30b-zero-bubble"), plain("gpt-neox-20b-a100"), long_one("175b-frontier");
        QCOMPARE(kinds_in(zero.shown()), 3);
        QCOMPARE(kinds_in(plain.shown()), 2);
        QVERIFY(long_one.shown().timeline().tasks.size() > 2000);  // columns, not bars
        QVERIFY(kinds_in(*long_one.page.gantt()) >= 1);
    }

    // What is idle has the colour of the ground, and nothing else has: no seams between tasks.
    void the_picture_is_as_empty_as_the_step_is_idle() {
        for (const char* example :
             {"opt-30b-zero-bubble", "gpt-neox-20b-a100", "175b-frontier", "gpt3-175b-1024-a100"}) {
            Page p(example);
            Gantt& g = p.shown();
            const Timeline& t = g.timeline();
            double busy = 0;
            for (const TimelineTask& task : t.tasks) busy += (task.end - task.start) / t.span;
            const double idle = 1 - busy / t.stages();
            const QImage picture = g.grab().toImage();
            long empty = 0, all = 0;
            for (int i = 0; i < t.stages(); ++i) {
                const QRect row = g.view().row(i).toAlignedRect().adjusted(1, 1, -1, -1);
                for (int y = row.top(); y <= row.bottom(); ++y)
                    for (int x = row.left(); x <= row.right(); ++x, ++all) {
                        const QColor c = picture.pixelColor(x, y);
                        empty += c == light_chart().background || c == light_chart().grid;
                    }
            }
            QVERIFY2(all > 0 && std::abs(double(empty) / double(all) - idle) < 0.04,
                     qPrintable(QStringLiteral("%1: %2 of the picture, %3 of the step")
                                    .arg(QLatin1String(example)).arg(double(empty) / double(all)).arg(idle)));
        }
    }

    void keys_zoom_and_move() {
        Page p("opt-30b-zero-bubble");
        Gantt& g = p.shown();
        const Seconds whole = g.view().to - g.view().from;
        QTest::keyClick(&g, Qt::Key_W);
        QVERIFY(g.view().to - g.view().from < 0.7 * whole);
        const Seconds from = g.view().from;
        QTest::keyClick(&g, Qt::Key_D);
        QVERIFY(g.view().from > from);
        for (int i = 0; i < 40; ++i) QTest::keyClick(&g, Qt::Key_A);
        QCOMPARE(g.view().from / second, 0.0);
        for (int i = 0; i < 80; ++i) QTest::keyClick(&g, Qt::Key_Plus);
        QVERIFY(g.view().to > g.view().from);
        QTest::keyClick(&g, Qt::Key_0);
        QCOMPARE((g.view().to - g.view().from) / second, whole / second);
    }

    void a_place_says_who_works_there() {
        Page p("opt-30b-zero-bubble");
        Gantt& g = p.shown();
        const GanttView v = g.view();
        const TimelineTask& first = g.timeline().tasks.front();
        const QString task = g.text_at({v.x_of(0.5 * (first.start + first.end)), v.row(0).center().y()});
        QVERIFY2(task.contains(QStringLiteral("Stage 1: forward of micro-batch 1")), qPrintable(task));
        const QString idle = g.text_at({v.x_of(0.1 * first.end), v.row(7).center().y()});
        QVERIFY2(idle.contains(QStringLiteral("Stage 8: idle")), qPrintable(idle));
        QVERIFY(g.text_at({2, 2}).isEmpty());
    }

    void a_picture_for_paper_has_no_hint_for_the_screen() {
        Page p("175b-frontier");
        QVERIFY(p.shown().timeline().tasks.size() > 2000);
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("timeline.svg"));
        QVERIFY(p.page.save(path).empty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray picture = file.readAll();
        QVERIFY(picture.contains("Height: share of the time"));
        QVERIFY(!picture.contains("Zoom in"));
    }

    void the_ending_decides_what_is_saved_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("trace") << "json" << QByteArray("{\"displayTimeUnit\"");
        QTest::newRow("table") << "csv" << QByteArray("# Pipeline timeline");
        QTest::newRow("vector picture") << "svg" << QByteArray("<?xml");
        QTest::newRow("printed picture") << "pdf" << QByteArray("%PDF");
        QTest::newRow("pixels") << "PNG" << QByteArray("\x89PNG");
    }
    void the_ending_decides_what_is_saved() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, start);
        QTemporaryDir dir;
        Page p("opt-30b-zero-bubble");
        p.shown();
        const QString path = dir.filePath(QStringLiteral("timeline.") + ending);
        QVERIFY(p.page.save(path).empty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(start));
        QVERIFY(!p.page.save(dir.filePath(QStringLiteral("timeline.doc"))).empty());
    }
};

PLIMSOLL_TEST(tst_timeline_page)
#include "tst_timeline_page.moc"
