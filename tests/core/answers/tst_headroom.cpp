// Memory that a plan leaves free: what is said of it, and what searches make of it. No price changes.
#include "registered_test.h"

#include "core/answers/plan/headroom.h"
#include "core/answers/search/remedies.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/ranking.h"
#include "core/answers/curves/study.h"
#include "core/values/basics/text.h"
#include "random_plans.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// The plan on devices that its fullest stage fills to such a share.
Scenario filled_to(Scenario s, double share) {
    s.machine.device.memory = (1 / share) * estimate(s)->worst().total();
    return s;
}

}  // namespace

class HeadroomTest : public QObject {
    Q_OBJECT

private slots:
    void memory_has_three_states_data() {
        QTest::addColumn<double>("used");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("likely");
        QTest::addColumn<QString>("expected");
        QTest::newRow("half of it used leaves room") << 0.5 << 0.05 << 1.0 << "fits";
        QTest::newRow("99.3 % used is tight") << 0.993 << 0.05 << 1.0 << "tight";
        QTest::newRow("94 % used leaves the usual headroom") << 0.94 << 0.05 << 1.0 << "fits";
        QTest::newRow("94 % used is tight where a tenth is asked for") << 0.94 << 0.1 << 1.0 << "tight";
        QTest::newRow("94 % used is tight where the likely range ends 7 % higher") << 0.94 << 0.0 << 1.07 << "tight";
        QTest::newRow("without a headroom all that fits has room") << 0.999 << 0.0 << 1.0 << "fits";
        QTest::newRow("more than there is does not fit") << 1.01 << 0.0 << 1.0 << "short";
    }
    void memory_has_three_states() {
        QFETCH(double, used);
        QFETCH(double, share);
        QFETCH(double, likely);
        QFETCH(QString, expected);
        const Estimate e = *estimate(filled_to(gpt3_on_selene(), used));
        const Headroom asked{share, likely};
        QCOMPARE(QString::fromUtf8(id_of(room_of(e, asked)).data()), expected);
        QCOMPARE(say_tight(e, asked).empty(), expected != "tight");
    }

    // Reserved memory and what lives outside the allocator, over the device.
    void whether_it_runs_has_three_answers_data() {
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("expected");
        QTest::newRow("four fifths of the device") << 0.80 << "fits";
        QTest::newRow("a little more") << 0.81 << "may_not_fit";
        QTest::newRow("more than there is, by less than predictions miss") << 1.09 << "may_not_fit";
        QTest::newRow("more than runs were ever seen to take") << 1.11 << "does_not_fit";
    }
    void whether_it_runs_has_three_answers() {
        QFETCH(double, share);
        QFETCH(QString, expected);
        Scenario s = gpt3_on_selene();
        const Estimate before = *estimate(s);
        s.machine.device.memory = (1 / share) * shown_by_monitor(before.worst(), before.devices);
        const Estimate e = *estimate(s);
        QVERIFY(std::abs(share_of_device(e) - share) < 1e-9);
        QCOMPARE(QString::fromUtf8(id_of(fit_verdict(e)).data()), expected);
        QVERIFY(say_fit_verdict(e).find(percent(share, 0)) != std::string::npos);
    }
    void a_single_device_holds_no_nccl() {
        MemoryUse m;
        m.weights = 10 * gigabyte;
        m.context = 0.5 * gigabyte;
        QVERIFY(std::abs(shown_by_monitor(m, 1) / gigabyte - 10.6) < 1e-9);
        QVERIFY(std::abs(shown_by_monitor(m, 2) / gigabyte - 13) < 1e-9);
    }
    void a_plan_that_does_not_fit_its_node_does_not_fit() {
        Scenario s = small_on_one_node();
        s.layout.offload.optimizer = Tier::host;
        s.machine.host.memory = 1 * gigabyte;
        const Outcome o = estimate(s);
        QVERIFY(o && !o->host.fits());
        QVERIFY(fit_verdict(*o) == FitVerdict::does_not_fit);
    }

    void what_is_tight_says_why() {
        const Estimate e = *estimate(filled_to(gpt3_on_selene(), 0.96));
        QVERIFY2(say_tight(e, {0.05}).find("96.0 %") != std::string::npos, say_tight(e, {0.05}).c_str());
        const std::string range = say_tight(e, {0, 1.1});
        QVERIFY2(range.find("likely range ends at") != std::string::npos, range.c_str());
    }

    void a_headroom_is_read_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("share");   // below 0: refused
        QTest::newRow("percent") << "5%" << 0.05;
        QTest::newRow("percent with a space") << "12.5 %" << 0.125;
        QTest::newRow("a share") << "0.1" << 0.1;
        QTest::newRow("none") << "0" << 0.0;
        QTest::newRow("more than half") << "80%" << -1.0;
        QTest::newRow("below nothing") << "-5%" << -1.0;
        QTest::newRow("no number") << "much" << -1.0;
        QTest::newRow("not a number") << "nan" << -1.0;
        QTest::newRow("something behind it") << "5% of it" << -1.0;
    }
    void a_headroom_is_read() {
        QFETCH(QString, text);
        QFETCH(double, share);
        const auto read = parse_headroom(text.toStdString());
        QCOMPARE(read.has_value(), share >= 0);
        if (read) QCOMPARE(*read, share);
    }

    void more_headroom_never_makes_room() {
        for (const Scenario& s : random_plans(drawn(300))) {
            const Outcome o = estimate(s);
            if (!o) continue;
            Room before = Room::enough;
            for (const double share : {0.0, 0.02, 0.05, 0.1, 0.2, 0.5}) {
                const Room now = room_of(*o, {share});
                QVERIFY(now >= before);
                QCOMPARE(now == Room::none, !o->fits());
                before = now;
            }
            QVERIFY(room_of(*o, {0.05, 1.2}) >= room_of(*o, {0.05}));
        }
    }

    void tight_layouts_rank_after_those_with_room() {
        int compared = 0;
        for (const double share : {0.05, 0.3, 0.5}) {
            const Headroom asked{share};
            const SearchResult r = search(gpt3_on_selene(), common_space(), {.limit = 5000, .headroom = asked});
            long long tight = 0;
            bool seen = false;
            for (const Candidate& c : r.top) {
                QCOMPARE(c.tight, c.memory > asked.limit(gpt3_on_selene().machine.device.memory));
                QVERIFY(c.tight || !seen);
                seen |= c.tight;
                tight += c.tight;
            }
            QCOMPARE((long long)r.top.size(), r.fits);
            QCOMPARE(tight, r.tight);
            compared += seen;
        }
        QVERIFY(compared > 1);
    }

    void more_headroom_never_finds_a_faster_layout() {
        Seconds before;
        for (const double share : {0.0, 0.05, 0.2, 0.4}) {
            const SearchResult r = search(gpt3_on_selene(), common_space(), {.limit = 1, .headroom = {share}});
            if (r.top.empty() || r.top.front().tight) break;
            QVERIFY(r.top.front().step >= before);
            before = r.top.front().step;
        }
    }

    void a_headroom_changes_the_order_of_a_search_and_no_price() {
        const SearchResult without = search(gpt3_on_selene(), common_space(), {.limit = 5000}),
                           with = search(gpt3_on_selene(), common_space(), {.limit = 5000, .headroom = {0.3}});
        QCOMPARE(with.fits, without.fits);
        for (Candidate c : with.top) {
            c.tight = false;
            QVERIFY(std::find(without.top.begin(), without.top.end(), c) != without.top.end());
        }
    }

    void remedies_leave_the_headroom_where_anything_does() {
        int some = 0;
        for (const Scenario& s : {too_big_for_memory(), filled_to(gpt3_on_selene(), 0.97)}) {
            const std::vector<Remedy> found = remedies(s, 4, {0.05});
            QVERIFY(!found.empty());
            for (const Remedy& r : found) {
                QVERIFY2(!r.tight && room_of(r.estimate, {0.05}) == Room::enough, r.name.c_str());
                ++some;
            }
        }
        QVERIFY(some > 2);
        QVERIFY(remedies(filled_to(gpt3_on_selene(), 0.97), 4).empty());   // it fits: nothing was asked for
    }

    void splits_leave_the_headroom_where_anything_does() {
        const Splits found = splits(gpt3_on_selene(), {0.4});
        QVERIFY(found.tight > 0 && found.tight <= found.fitting);
        if (found.tight < found.fitting) QCOMPARE(room_of(found.fastest->estimate, {0.4}), Room::enough);
    }
};

PLIMSOLL_TEST(HeadroomTest)
#include "tst_headroom.moc"
