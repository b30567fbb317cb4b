// Software that was measured on a device, for plans whose own never was.
#include "registered_test.h"

#include "core/evidence/published/suited.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Trial trial(const Scenario& s, const std::string& stack, const std::string& source, double error = 0.05) {
    Trial t{kind_of(s), source, error};
    t.kind.stack = stack;
    return t;
}

Scenario elsewhere(Scenario s) {
    s.machine.device.name = "another device";
    return s;
}

std::map<std::string, Stack> two_stacks() {
    Stack a = megatron(), b = megatron();
    a.id = "a", b.id = "b";
    a.name = "A", b.name = "B";
    return {{"a", a}, {"b", b}};
}

}  // namespace

class SuitedTest : public QObject {
    Q_OBJECT

private slots:
    void a_plan_whose_software_was_measured_on_its_device_keeps_it() {
        const Scenario s = gpt3_on_selene();
        const Evidence seen{{trial(s, s.stack.id, "one"), trial(s, "a", "two")}, {}};
        QVERIFY(suited_stacks(s, seen, two_stacks(), 4).empty());
    }

    void software_measured_there_is_offered_with_its_runs() {
        const Scenario s = gpt3_on_selene();
        const Evidence seen{{trial(s, "a", "one"), trial(s, "a", "two"), trial(s, "b", "three"),
                             trial(elsewhere(s), s.stack.id, "four")}, {}};
        const auto found = suited_stacks(s, seen, two_stacks(), 4);
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found.front().stack.id, std::string("a"));
        QCOMPARE(found.front().runs, 2);
        QCOMPARE(found.front().sources, 2);
        for (const SuitedStack& each : found) {
            QCOMPARE(*estimate(each.scenario), each.estimate);
            Scenario back = each.scenario;
            back.stack = s.stack;
            QVERIFY(back == s);
        }
    }

    void many_runs_of_one_source_weigh_less_than_some_of_several() {
        const Scenario s = gpt3_on_selene();
        Evidence seen;
        for (int i = 0; i < 9; ++i) seen.time.push_back(trial(s, "a", "one"));
        for (const char* source : {"two", "three", "four", "five"}) seen.time.push_back(trial(s, "b", source));
        QCOMPARE(suited_stacks(s, seen, two_stacks()).front().stack.id, std::string("b"));
    }

    void runs_of_the_other_kind_of_model_come_last() {
        const Scenario s = gpt3_on_selene();
        Evidence seen{{trial(s, "b", "one"), trial(s, "a", "two"), trial(s, "a", "three")}, {}};
        seen.time[1].kind.experts = seen.time[2].kind.experts = true;
        QCOMPARE(suited_stacks(s, seen, two_stacks()).front().stack.id, std::string("b"));
    }

    void nothing_is_offered_where_nothing_was_measured() {
        const Scenario s = gpt3_on_selene();
        QVERIFY(suited_stacks(s, {{trial(elsewhere(s), "a", "one")}, {}}, two_stacks()).empty());
    }

    void a_pair_that_nobody_measured_together_widens_the_range() {
        const Scenario s = gpt3_on_selene();
        Evidence apart{{trial(s, "a", "one"), trial(elsewhere(s), s.stack.id, "two")}, {}}, together = apart;
        together.time.push_back(trial(s, s.stack.id, "three"));
        const Band far = band_of(s, apart), near = band_of(s, together);
        QVERIFY2(say_beyond(far).find("on " + kind_of(s).device) != std::string::npos, say_beyond(far).c_str());
        QVERIFY(far.time > far.time_spread.band);
        QVERIFY(near.beyond.size() < far.beyond.size());
    }

    // A plan of a 2021 stack moved to H100: its range was 3 % and nothing was said.
    void the_shipped_record_offers_software_of_the_device() {
        const TrackRecord record = track_record(library());
        Scenario s = gpt3_on_selene();
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at("deepspeed-megatron");
        s.layout = {};
        s.layout.devices = s.layout.data_parallel = 64;
        s.layout.zero_stage = 3;
        s.model = library().models.at("llama3-8b");
        const auto found = suited_stacks(s, record.evidence, library().stacks);
        QVERIFY(!found.empty());
        QVERIFY(found.front().runs > 10);
        QVERIFY(!band_of(s, record.evidence).beyond.empty());
        for (const Trial& t : record.evidence.time)
            if (t.kind.stack == s.stack.id) QVERIFY(t.kind.device != kind_of(s).device);
    }
};

PLIMSOLL_TEST(SuitedTest)
#include "tst_suited.moc"
