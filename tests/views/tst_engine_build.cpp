// The Calibrate page while the engine is still being built, after packaging/start has opened the window.
#include "registered_test.h"

#include "shipped.h"
#include "views/calibrate/measure_page.h"

#include <QFile>
#include <QTemporaryDir>

using namespace plimsoll;

namespace {

// A shown page whose engine will lie in a folder that is empty but for the marker of the build.
struct BuildBench {
    QTemporaryDir dir;
    Workspace workspace{library()};
    std::unique_ptr<MeasurePage> page = std::make_unique<MeasurePage>(workspace);

    explicit BuildBench(const QByteArray& marker) {
        qputenv("PLIMSOLL_ENGINE", engine().toUtf8());
        qputenv("PLIMSOLL_MPIRUN", PLIMSOLL_TESTS_DIR "/engine/fake_mpirun.sh");
        mark(marker);
        page->set_directory(dir.filePath("calibrations"));
        page->resize(1000, 700);
        page->show();
    }
    QString engine() const { return dir.filePath("plimsoll-engine"); }
    void mark(const QByteArray& line) {
        QFile file(engine() + ".building");
        QVERIFY(file.open(QFile::WriteOnly) && file.write(line) == line.size());
    }
    void finish_build() {
        QVERIFY(QFile::copy(PLIMSOLL_TESTS_DIR "/engine/fake_calibration.sh", engine()));
        QVERIFY(QFile::setPermissions(engine(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QVERIFY(QFile::remove(engine() + ".building"));
    }
    bool can_start() const { return page->plan_view()->start_button()->isEnabled(); }
    QString summary() const { return page->plan_view()->summary(); }
};

}  // namespace

class tst_engine_build : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void the_page_says_that_the_engine_is_being_built() {
        const BuildBench b("building\n");
        QVERIFY2(b.summary().contains("The engine is being built; Calibrate will be ready in a few minutes"),
                 qPrintable(b.summary()));
        QVERIFY(!b.can_start());
        QVERIFY(b.page->plan_view()->runs()->rowCount() > 0);   // what will run can be read meanwhile
    }
    void it_is_ready_when_the_engine_is_without_a_restart() {
        BuildBench b("building\n");
        QVERIFY(!b.can_start());
        b.finish_build();
        QTRY_VERIFY_WITH_TIMEOUT(b.can_start(), 20000);
        QVERIFY(!b.summary().contains("being built"));
        QVERIFY(b.page->plan_view()->command().contains(b.engine()));
    }
    void a_build_that_fails_names_its_log() {
        BuildBench b("building\n");
        b.mark("failed build/engine log.txt\n");
        QTRY_VERIFY_WITH_TIMEOUT(b.summary().contains("build/engine log.txt"), 20000);
        QVERIFY2(b.summary().contains("could not be built"), qPrintable(b.summary()));
        QVERIFY(!b.can_start());
    }
    void without_a_marker_it_says_what_to_install_or_to_name() {
        BuildBench b("building\n");
        QVERIFY(QFile::remove(b.engine() + ".building"));
        QTRY_VERIFY_WITH_TIMEOUT(b.summary().contains("PLIMSOLL_ENGINE"), 20000);
        QVERIFY(!b.can_start());
    }
};

PLIMSOLL_TEST(tst_engine_build)
#include "tst_engine_build.moc"
