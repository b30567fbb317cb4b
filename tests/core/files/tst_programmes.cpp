// Profiles of allocation programmes: what ships, and what a faulty one is told.
#include "registered_test.h"

#include "core/files/presets/programme_json.h"
#include "core/files/text/disk.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

Programme shipped_programme(const char* id) {
    const auto file = load_programme(id, library());
    if (!file) qFatal("%s", say(file.error()).c_str());
    return file->programme;
}

// The generic profile with one text replaced by another.
QString problem_of(const char* what, const char* by) {
    const auto text = read_text(library().programmes.at("generic"));
    QString json = QString::fromStdString(*text);
    if (!json.contains(QLatin1String(what))) qFatal("the profile has no %s", what);
    json.replace(QLatin1String(what), QLatin1String(by));
    const auto read = read_programme(json.toStdString(), library(), "mine.json");
    return read ? QString() : QString::fromStdString(say(read.error()));
}

}  // namespace

class tst_programmes : public QObject {
    Q_OBJECT

private slots:
    void sixteen_ship_and_all_can_be_read() {
        QCOMPARE(library().programmes.size(), std::size_t(16));
        for (const auto& [id, path] : library().programmes) {
            const auto file = load_programme(id, library());
            QVERIFY2(file, file ? "" : say(file.error()).c_str());
            QVERIFY2(file->warnings.empty(), say(file->warnings).c_str());
            QCOMPARE(file->programme.id, id);
            QVERIFY(!file->programme.citations.empty());
        }
    }

    void who_is_not_complete_says_what_was_not_found() {
        for (const auto& [id, path] : not_empty(library().programmes)) {
            const Programme p = shipped_programme(id.c_str());
            if (p.completeness() != Completeness::complete) QVERIFY2(!p.note.empty(), id.c_str());
        }
    }

    void hours_become_the_programmes_units_data() {
        QTest::addColumn<QString>("programme");
        QTest::addColumn<QString>("machine");
        QTest::addColumn<double>("units");
        const auto row = [](const char* name, const char* programme, const char* machine, double units) {
            QTest::newRow(name) << programme << machine << units;
        };
        row("INCITE counts node-hours of Frontier", "incite", "frontier", 1);
        row("ALCC counts node-hours of Aurora", "alcc", "aurora", 1);
        row("OLCF counts node-hours", "olcf-dd", "frontier", 1);
        row("NERSC counts node-hours of Perlmutter", "ercap", "perlmutter", 1);
        row("an SU of Horizon is a node-hour", "lrac-horizon", "horizon", 1);
        row("and one of Vista too", "lrac-horizon", "vista", 1);
        row("NCAR counts GPUs: four A100 a node of Polaris", "ncar-chap", "polaris", 4);
        row("200 billing units a GPU-hour, four GPUs a node", "csc-roihu", "roihu", 800);
        row("Alps counts node-hours", "cscs-alps", "alps-clariden", 1);
        row("and of Derecho", "ncar-chap", "derecho-gpu", 4);
        row("a CU is a node-hour", "archer2-ta", "archer2", 1);
        row("EuroHPC counts LUMI's modules", "eurohpc", "lumi", 4);
        row("and Leonardo's cores", "eurohpc", "leonardo", 32);
        row("and JUPITER's", "eurohpc", "jupiter", 288);
        row("GCS counts JUPITER's cores", "gcs", "jupiter", 288);
        row("and JUWELS'", "gcs", "juwels-booster", 48);
        row("NHR counts GPUs", "nhr", "dgx-a100-superpod", 8);
        row("HPCI counts nodes of Fugaku", "hpci", "fugaku", 1);
        row("NAIRR counts modules of Frontier", "nairr", "frontier", 4);
        row("nobody's programme counts node-hours", "generic", "selene", 1);
    }
    void hours_become_the_programmes_units() {
        QFETCH(QString, programme);
        QFETCH(QString, machine);
        QFETCH(double, units);
        const Programme p = shipped_programme(programme.toUtf8().constData());
        const auto rate = units_per_node_hour(p, library().machines.at(machine.toStdString()));
        QVERIFY(rate);
        QCOMPARE(*rate, units);
    }

    void a_rate_that_nobody_states_is_unknown() {
        QVERIFY(!units_per_node_hour(shipped_programme("access-maximize"), library().machines.at("frontier")));
        QVERIFY(!units_per_node_hour(shipped_programme("gcs"), library().machines.at("frontier")));
        QVERIFY(!units_per_node_hour(shipped_programme("csc-roihu"), library().machines.at("lumi")));
    }

    void a_short_job_is_charged_a_quarter_of_an_hour_at_tacc() {
        const Programme p = shipped_programme("lrac-horizon");
        QCOMPARE(charged_node_hours(p, 8, 0.1), 2.0);
        QCOMPARE(charged_node_hours(p, 8, 1), 8.0);
    }

    void a_faulty_profile_says_where_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("pointer");
        const auto row = [](const char* name, const char* what, const char* by, const char* pointer) {
            QTest::newRow(name) << what << by << pointer;
        };
        row("without a date", "\"as_of\": \"2026-11\",", "", "as_of");
        row("with a date that is none", "2026-11", "2026-13", "/as_of");
        row("with a unit of nothing", "\"hour_of\": \"node\"", "\"hour_of\": \"moon\"", "/unit/hour_of");
        row("with no unit at all", "\"hour_of\": \"node\",", "", "/unit");
        row("with units that are negative", "\"factor\": 1", "\"factor\": -1", "/unit/factor");
        row("with a machine nobody knows", "\"unit\": {", "\"machines\": [\"frontjer\"], \"unit\": {", "/machines/0");
        row("with a rate of a machine nobody knows", "\"factor\": 1", "\"per_node_hour\": {\"frontjer\": 1}",
            "/unit/per_node_hour/frontjer");
        row("with a rate that the machine's preset contradicts", "\"factor\": 1",
            "\"per_node_hour\": {\"frontier\": 8}", "/unit/per_node_hour/frontier");
        row("with a table that there is not", "\"T12\"", "\"T13\"", "/sections/");
        row("complete or not is no other word", "\"completeness\": \"complete\"", "\"completeness\": \"perfect\"",
            "/completeness");
    }
    void a_faulty_profile_says_where() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        QFETCH(QString, pointer);
        const QString problem = problem_of(what.toUtf8().constData(), by.toUtf8().constData());
        QVERIFY2(problem.contains(pointer), qPrintable(problem));
        QVERIFY2(problem.startsWith("mine.json"), qPrintable(problem));
    }

    void an_unknown_programme_is_told_which_there_are() {
        const auto file = load_programme("incyte", library());
        QVERIFY(!file);
        QVERIFY(QString::fromStdString(say(file.error())).contains("incite"));
    }
};

PLIMSOLL_TEST(tst_programmes)
#include "tst_programmes.moc"
