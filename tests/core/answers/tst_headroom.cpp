// Memory that a plan leaves free: what is said of it, and what searches make of it. No price changes.
#include "registered_test.h"

#include "core/answers/compare/compare.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/search/remedies.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/ranking.h"
#include "core/answers/search/wording.h"
#include "core/answers/curves/study.h"
#include "core/files/launch/launch.h"
#include "core/files/results/answers_json.h"
#include "core/values/basics/text.h"
#include "random_plans.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// The plan on devices that its fullest stage fills to such a share.
Scenario filled_to(Scenario s, double share) {
    s.machine.device.memory = (1 / share) * estimate(s)->worst().total();
    return s;
}

// The same by what a monitor of the device would show.
Scenario with_share(Scenario s, double share) {
    const Estimate before = *estimate(s);
    s.machine.device.memory = (1 / share) * shown_by_monitor(before.worst(), before.devices);
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
        QTest::newRow("half of it used leaves room") << 0.5 << 0.05 << 1.0 << "enough";
        QTest::newRow("99.3 % used is tight") << 0.993 << 0.05 << 1.0 << "tight";
        QTest::newRow("94 % used leaves the usual headroom") << 0.94 << 0.05 << 1.0 << "enough";
        QTest::newRow("94 % used is tight where a tenth is asked for") << 0.94 << 0.1 << 1.0 << "tight";
        QTest::newRow("94 % used is tight where the likely range ends 7 % higher") << 0.94 << 0.0 << 1.07 << "tight";
        QTest::newRow("without a headroom all that is predicted to fit has room") << 0.999 << 0.0 << 1.0 << "enough";
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
        const Estimate e = *estimate(with_share(gpt3_on_selene(), share));
        QVERIFY(std::abs(share_of_device(e) - share) < 1e-9);
        QCOMPARE(QString::fromUtf8(id_of(fit_verdict(e)).data()), expected);
        QVERIFY(say_fit_verdict(e).find(percent(share, 0)) != std::string::npos);
    }
    // The window said "Fits" where `estimate` said "may not fit".
    void one_verdict_holds_everywhere_data() {
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("expected");
        QTest::newRow("three quarters of the device fit") << 0.75 << "fits";
        QTest::newRow("nine tenths may not fit") << 0.90 << "may_not_fit";
        QTest::newRow("a twentieth too much may not fit") << 1.05 << "may_not_fit";
        QTest::newRow("a fifth too much does not fit") << 1.20 << "does_not_fit";
    }
    void one_verdict_holds_everywhere() {
        QFETCH(double, share);
        QFETCH(QString, expected);
        const Scenario s = with_share(gpt3_on_selene(), share);
        const Outcome o = estimate(s);
        const FitVerdict verdict = fit_verdict(*o);
        QCOMPARE(QString::fromUtf8(id_of(verdict).data()), expected);
        QCOMPARE(candidate_of(s, *o).verdict(), verdict);
        const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(to_json(s, o))).object();
        QCOMPARE(json["fit"].toString(), expected);
        QCOMPARE(json["share_of_device"].toDouble(), share_of_device(*o));
        if (verdict == FitVerdict::does_not_fit) QVERIFY(!json["fits"].toBool());

        const Comparison beside = *compare(std::vector{s, s});
        const auto fits = std::ranges::find(beside.answers, "fits", &ComparedRow::id);
        const std::string compared = fits->values.front();
        QVERIFY2(compared.starts_with(say(verdict) + ", " + percent(share, 0)), compared.c_str());
        const auto script = launch_script(s, Framework::megatron);
        QCOMPARE(script.has_value(), verdict != FitVerdict::does_not_fit);
        const std::string written = script ? *script : script.error().front();
        QVERIFY2(written.find("It " + say(verdict) + ": " + percent(share, 0)) != written.npos, written.c_str());

        const SearchResult r = search(s, common_space(), {.limit = 20000, .with_plan = true});
        const auto here = std::ranges::find(r.top, s.layout, &Candidate::layout);
        QCOMPARE(here != r.top.end(), o->fits());
        if (here != r.top.end()) QCOMPARE(here->verdict(), verdict);

        const std::vector<Remedy> found = remedies(s, 4, {0.05});
        QCOMPARE(found.empty(), verdict == FitVerdict::fits);
        FitVerdict before = FitVerdict::fits;
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].verdict(), fit_verdict(*estimate(found[i].scenario)));
            if (i + 1 < found.size()) QVERIFY(found[i].verdict() >= before);   // the last may be the fastest of all
            before = found[i].verdict();
        }
        if (!found.empty()) QCOMPARE(found.front().verdict(), FitVerdict::fits);
    }
    void a_plan_beyond_its_memory_says_what_its_times_assume() {
        for (const double share : {1.05, 1.2}) {
            const Estimate e = *estimate(with_share(gpt3_on_selene(), share));
            QVERIFY2(e.fits() || say_fit_verdict(e).ends_with("The times assume that it fits."),
                     say_fit_verdict(e).c_str());
        }
        QVERIFY(say_fit_verdict(*estimate(with_share(gpt3_on_selene(), 0.75))).find("assume") == std::string::npos);
    }
    // 3 GB outside the allocator are much of 16 GB.
    void what_does_not_fit_on_a_small_device_is_tight_and_no_remedy() {
        Scenario s = small_on_one_node();
        s.model.layers = 2;
        s.layout.micro_batch = 1;
        s.stack.memory.context = 0.5 * gigabyte;
        s.machine.device.memory = 1.01 * estimate(s)->worst().total();
        const Outcome o = estimate(s);
        QVERIFY(o->fits() && fit_verdict(*o) == FitVerdict::does_not_fit);
        QCOMPARE(room_of(*o, {}), Room::tight);
        QVERIFY(!say_tight(*o, {}).empty());
        QVERIFY(candidate_of(s, *o).tight && !may_run(o));
        for (const Remedy& r : remedies(s, 8)) QVERIFY2(may_run(r.estimate), r.name.c_str());
        const SearchResult fast = search(s, common_space(), {.limit = 5000}),
                           plain = search_plainly(s, common_space(), {.limit = 5000});
        QVERIFY(fast == plain);
        QVERIFY(fast.tight > 0);
    }
    // With the front at hand no second search is needed.
    void the_best_that_surely_fits_stands_beside_the_best() {
        int differ = 0;
        for (const double share : {0.5, 0.8, 0.95, 1.1, 1.3})
            for (const Objective objective : {Objective::time, Objective::energy, Objective::memory}) {
                const Scenario s = with_share(gpt3_on_selene(), share);
                const SearchResult some = search(s, common_space(), {.objective = objective, .limit = 1}),
                                   all = search(s, common_space(), {.objective = objective, .limit = 20000});
                const auto sure = std::ranges::find(all.top, FitVerdict::fits, &Candidate::verdict);
                const auto found = best_that_surely_fits(some);
                QCOMPARE(found.has_value(), sure != all.top.end());
                if (found) QCOMPARE(value_of(*found, objective), value_of(*sure, objective));
                const std::string said = say_surely(some);
                QCOMPARE(said.empty(), some.top.empty() || some.top.front().verdict() == FitVerdict::fits);
                if (!said.empty() && found) QVERIFY2(said.find(say_layout(found->layout)) != said.npos, said.c_str());
                differ += !said.empty() && found;
            }
        QVERIFY(differ > 2);
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
        for (const Remedy& r : not_empty(remedies(filled_to(gpt3_on_selene(), 0.97), 4)))   // it may not fit
            QCOMPARE(r.verdict(), FitVerdict::fits);
        QVERIFY(remedies(filled_to(gpt3_on_selene(), 0.7), 4).empty());
    }

    void splits_leave_the_headroom_where_anything_does() {
        const Splits found = splits(gpt3_on_selene(), {0.4});
        QVERIFY(found.tight > 0 && found.tight <= found.fitting);
        if (found.tight < found.fitting) QCOMPARE(room_of(found.fastest->estimate, {0.4}), Room::enough);
    }
};

PLIMSOLL_TEST(HeadroomTest)
#include "tst_headroom.moc"
