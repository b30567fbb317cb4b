// What a site wants of a job, in machine presets: read, written, refused.
#include "registered_test.h"

#include "core/files/presets/library.h"
#include "core/files/presets/preset_json.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

SiteJob fine() {
    return {.queue = "batch",
            .directives = {"-A {account}"},
            .environment = {},
            .launch = "srun -N {nodes} {engine}",
            .files = {{"pick_gpu.sh", {"exec \"$@\""}}},
            .note = {}};
}

}  // namespace

class SiteJobTest : public QObject {
    Q_OBJECT

private slots:
    void placeholders_are_names_in_braces_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("in order") << "srun -n {ranks} -N {nodes}" << QStringList{"ranks", "nodes"};
        QTest::newRow("the shell's variables stay") << "echo ${HOME}/{queue}" << QStringList{"queue"};
        QTest::newRow("Flux's templates stay") << "--output={{id}}.log" << QStringList{};
        QTest::newRow("the shell's lists and groups stay") << "{ echo {a,b}; } {}" << QStringList{};
        QTest::newRow("an open brace is none") << "a{nodes" << QStringList{};
    }
    void placeholders_are_names_in_braces() {
        QFETCH(QString, text);
        QFETCH(QStringList, names);
        QStringList got;
        for (const std::string& name : placeholders(text.toStdString())) got << QString::fromStdString(name);
        QCOMPARE(got, names);
    }

    void a_wrong_site_is_refused_data() {
        QTest::addColumn<SiteJob>("site");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* says, auto change) {
            SiteJob site = fine();
            change(site);
            QTest::newRow(name) << site << QString(says);
        };
        row("a directive of two lines", "line break", [](SiteJob& s) { s.directives = {"-A x\nrm -rf ."}; });
        row("a queue of two lines", "not allowed", [](SiteJob& s) { s.queue = "a\ntouch x\n#"; });
        row("a word nobody fills in", "{node}", [](SiteJob& s) { s.launch = "srun {node} {engine}"; });
        row("the program among the directives", "{engine}", [](SiteJob& s) { s.directives = {"{engine}"}; });
        row("a launch line without the program", "starts no engine", [](SiteJob& s) { s.launch = "srun hostname"; });
        row("a file that leads elsewhere", "no plain file name", [](SiteJob& s) { s.files[0].name = "../.bashrc"; });
        row("a hidden file", "no plain file name", [](SiteJob& s) { s.files[0].name = ".profile"; });
        row("a file in the script's place", "the job itself uses", [](SiteJob& s) { s.files[0].name = "job.sh"; });
        row("a file's line of two", "line break", [](SiteJob& s) { s.files[0].lines = {"a\nb"}; });
    }
    void a_wrong_site_is_refused() {
        QFETCH(SiteJob, site);
        QFETCH(QString, says);
        QVERIFY(problems(fine()).empty());
        const auto found = problems(site);
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY2(QString::fromStdString(found[0]).contains(says), found[0].c_str());
        Machine m = library().machines.at("frontier");
        m.scheduler.job = site_job(site);
        QVERIFY(!read_machine(write_machine(m), "frontier.json"));   // nor does a file get it in
    }

    void written_sites_read_back() {
        int described = 0;
        for (const auto& [id, machine] : library().machines) {
            described += bool(machine.scheduler.job);
            const auto again = read_machine(write_machine(machine), id);
            QVERIFY2(again.has_value(), id.c_str());
            QVERIFY2(again->machine.scheduler == machine.scheduler, id.c_str());
        }
        QVERIFY(described >= 9);
    }

    void copies_share_and_compare_by_what_is_said() {
        const Machine& frontier = library().machines.at("frontier");
        const Machine copy = frontier;
        QCOMPARE(copy.scheduler.job.is.get(), frontier.scheduler.job.is.get());
        QVERIFY(site_job(fine()) == site_job(fine()));
        SiteJob other = fine();
        other.queue = "debug";
        QVERIFY(site_job(fine()) != site_job(other));
        QVERIFY(site_job(fine()) != SharedSiteJob{});
    }
};

PLIMSOLL_TEST(SiteJobTest)
#include "tst_site_job.moc"
