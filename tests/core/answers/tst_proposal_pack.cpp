// The files of a proposal, byte for byte as they were when somebody last looked at them.
//
// tests/data/packs/PROFILE.txt has the text that people read whole, and of all other files a fingerprint. With
// PLIMSOLL_WRITE_GOLDENS=1 in the environment they are written anew; look at the difference before it is committed.
#include "registered_test.h"

#include "core/files/results/spreadsheet.h"
#include "core/values/basics/fingerprint.h"
#include "proposals.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

bool is_read_whole(const std::string& path) {
    return path == "report.md" || path == "checklist.md" || path == "README.txt" || path == "figures/captions.txt"
        || (path.starts_with("tables/") && path.ends_with(".csv"));
}

std::string as_golden(const ProposalPack& pack) {
    std::string text;
    for (const PackFile& f : pack.files) {
        text += "==== " + f.path + "\n";
        if (f.path.ends_with(".xlsx")) text += "bytes of the version of a library\n";
        else text += is_read_whole(f.path) ? f.text : fingerprint_of(f.text) + "\n";
    }
    return text;
}

}  // namespace

class tst_proposal_pack : public QObject {
    Q_OBJECT

private slots:
    void a_pack_is_what_it_was_data() {
        QTest::addColumn<QString>("programme");
        for (const char* id : {"incite", "archer2-ta"}) QTest::newRow(id) << id;
    }
    void a_pack_is_what_it_was() {
        QFETCH(QString, programme);
        if (!spreadsheets_are_here()) QSKIP("this build writes no spreadsheets, which its packs say");
        const std::string id = programme.toStdString();
        ProposalInput in = measured_input(id.c_str());
        // On a machine that the programme offers, under no preset's numbers.
        in.plans.front().plan.machine.id = in.programme.machines.front();
        const std::string now = as_golden(proposal_pack(in, Library{}, false));
        const std::filesystem::path file = std::string(PLIMSOLL_TESTS_DIR) + "/data/packs/" + id + ".txt";
        if (qEnvironmentVariableIsSet("PLIMSOLL_WRITE_GOLDENS")) {
            std::filesystem::create_directories(file.parent_path());
            QVERIFY(write_atomically(file, now).has_value());
        }
        const auto was = read_text(file);
        QVERIFY2(was.has_value(), was ? "" : say(was.error()).c_str());
        const QStringList before = QString::fromStdString(*was).split(u'\n'),
                          after = QString::fromStdString(now).split(u'\n');
        for (qsizetype i = 0; i < std::min(before.size(), after.size()); ++i)
            QVERIFY2(before[i] == after[i],
                     qPrintable(QString("line %1\nwas: %2\nnow: %3").arg(i + 1).arg(before[i], after[i])));
        QCOMPARE(now, *was);
    }
};

PLIMSOLL_TEST(tst_proposal_pack)
#include "tst_proposal_pack.moc"
