// The verdict and the tiles: what they say of a plan, and the buttons of every dead end.
#include "registered_test.h"

#include "views/desk.h"

#include "core/values/knobs/wording.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/rules.h"
#include "views/inputs/knob_row.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QMenu>

using namespace plimsoll;

namespace {

struct Court : Desk {
    Verdict& verdict() { return *window.verdict(); }
    const TileText& content(int i) { return window.tiles()->tiles()[std::size_t(i)]->content(); }
    QString said_share() {
        return with_units_kept(to_qt(percent(share_of_device(*workspace.told().outcome), 0)));
    }
    void propose(const Scenario& s) {
        workspace.propose(s, "Edit");
        settle();
    }
    void turn(const char* knob, double value) { propose(*with(workspace.scenario(), *find_knob(knob), value)); }
    // Devices that the plan fills to such a share.
    void fill_to(double share) {
        Scenario s = workspace.scenario();
        s.machine.device.memory = (1 / share) * estimate(s)->worst().total();
        propose(s);
    }
    void prefer(double headroom, Counting counting = Counting::automatic) {
        workspace.set_preferences({headroom, counting});
        settle();
    }
    QStringList offers() {
        QStringList texts;
        for (const QPushButton* b : verdict().buttons()) texts << b->text();
        return texts;
    }
    void price_runs() {
        window.record_loader().wait();
        settle();
    }
};

enum { time_tile, hours_tile, mfu_tile, tokens_tile, energy_tile, memory_tile };

}  // namespace

class tst_verdict : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void a_number_stays_with_its_unit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("kept");   // with _ for a space that is no place to break at
        QTest::newRow("shares") << "GEMMs 46 %, attention 10 %." << "GEMMs 46_%, attention 10_%.";
        QTest::newRow("durations") << "12.4 d, 3 h and 0.5 s" << "12.4_d, 3_h and 0.5_s";
        QTest::newRow("memory") << "27.8 GiB of 42.9 GB" << "27.8_GiB of 42.9_GB";
        QTest::newRow("energy, power, rates") << "76 MWh at 20 kW, 312 TFLOP/s" << "76_MWh at 20_kW, 312_TFLOP/s";
        QTest::newRow("counts") << "12 nodes, 96 devices of 4 stages" << "12 nodes, 96 devices of 4 stages";
        QTest::newRow("letters alone") << "stage d in s" << "stage d in s";
    }
    void a_number_stays_with_its_unit() {
        QFETCH(QString, text);
        QFETCH(QString, kept);
        QCOMPARE(with_units_kept(text), kept.replace(u'_', QChar::Nbsp));
    }
    void the_notes_break_no_line_before_a_unit() {
        Court c;
        QVERIFY2(c.verdict().sentence().contains(QStringLiteral("\u00a0%")), qPrintable(c.verdict().sentence()));
        QVERIFY2(!c.verdict().sentence().contains(" %"), qPrintable(c.verdict().sentence()));
    }

    void the_notes_are_counted_and_open_in_full() {
        Court c;
        const auto count = c.verdict().notes().size();
        QVERIFY(count > 0);
        QVERIFY2(c.verdict().notes_button()->text().startsWith(QString::number(count)),
                 qPrintable(c.verdict().notes_button()->text()));
        c.verdict().notes_button()->click();
        auto* text = c.verdict().findChild<QWidget*>("verdict.text")->findChild<RichLabel*>();
        QVERIFY(text && text->isVisible());
        QVERIFY2(text->text().contains("Fits.") && text->text().contains("Mind:"), qPrintable(text->text()));
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
        text->window()->close();
    }

    void what_has_no_room_in_the_row_is_behind_more() {
        ActionRow row(nullptr);
        std::vector<int> taken;
        for (int i = 0; i < 5; ++i) {
            auto* button = new QPushButton(QStringLiteral("Remedy of the number %1").arg(i));
            connect(button, &QPushButton::clicked, this, [&taken, i] { taken.push_back(i); });
            row.add(button);
        }
        const int one = row.buttons()[0]->sizeHint().width();
        row.resize(2 * one + one / 2 + row.more()->sizeHint().width(), 30);
        row.show();
        for (int i = 0; i < 5; ++i) QCOMPARE(row.buttons()[i]->isVisible(), i < 2);
        QVERIFY(row.more()->isVisible() && row.rect().contains(row.more()->geometry()));
        emit row.more()->menu()->aboutToShow();
        QCOMPARE(row.more()->menu()->actions().size(), 3);
        row.more()->menu()->actions()[1]->trigger();
        QCOMPARE(taken, std::vector<int>{3});
        row.resize(8 * one, 30);
        for (const QPushButton* button : row.buttons()) QVERIFY(button->isVisible());
        QVERIFY(!row.more()->isVisible());
    }

    void a_plan_with_room_fits() {
        Court c;
        c.fill_to(0.5);
        QVERIFY2(c.verdict().sentence().contains("Fits."), qPrintable(c.verdict().sentence()));
        QVERIFY(c.content(memory_tile).value.startsWith("fits") && !c.content(memory_tile).warn);
    }

    // "Fits." in green at 99.3 %.
    void a_plan_that_fills_its_memory_may_not_fit_and_gets_remedies() {
        Court c;
        c.fill_to(0.993);
        QVERIFY2(c.verdict().sentence().contains("May not fit."), qPrintable(c.verdict().sentence()));
        QVERIFY2(c.verdict().sentence().contains(c.said_share()), qPrintable(c.verdict().sentence()));
        QVERIFY(c.content(memory_tile).value.startsWith("may not fit"));
        QVERIFY(c.content(memory_tile).warn && !c.content(memory_tile).alert);
        QVERIFY(!c.content(memory_tile).icon.isNull());
        QTRY_VERIFY(!c.offers().isEmpty());
        QTest::mouseClick(c.verdict().buttons().front(), Qt::LeftButton);
        QTRY_COMPARE(c.workspace.told().last_good->room(), Room::enough);
    }

    // The strip said "Fits." where `estimate` said "may not fit".
    void strip_and_tile_say_one_verdict_data() {
        QTest::addColumn<double>("share");   // of the device, what lives outside the allocator included
        QTest::addColumn<QString>("head");
        QTest::addColumn<QString>("tile");
        QTest::newRow("75 % fit") << 0.75 << "Fits." << "fits, 75 %";
        QTest::newRow("90 % may not fit") << 0.90 << "May not fit." << "may not fit, 90 %";
        QTest::newRow("105 % may not fit") << 1.05 << "May not fit." << "may not fit, 105 %";
        QTest::newRow("120 % do not fit") << 1.20 << "Does not fit in memory." << "does not fit, 120 %";
    }
    void strip_and_tile_say_one_verdict() {
        QFETCH(double, share);
        QFETCH(QString, head);
        QFETCH(QString, tile);
        Court c;
        Scenario s = c.workspace.scenario();
        const Estimate before = *estimate(s);
        s.machine.device.memory = (1 / share) * shown_by_monitor(before.worst(), before.devices);
        c.propose(s);
        QVERIFY2(c.verdict().sentence().startsWith("<b>" + head), qPrintable(c.verdict().sentence()));
        QCOMPARE(c.content(memory_tile).value, tile);
        QVERIFY2(c.content(memory_tile).detail.contains(
                     QString(", in all %1 of ").arg(grouped(share * s.machine.device.memory / gibibyte))),
                 qPrintable(c.content(memory_tile).detail));   // 81 % beside "10.6 of 16 GiB"
        QCOMPARE(c.content(memory_tile).warn, share > 0.8 && share < 1.1);
        QCOMPARE(c.content(memory_tile).alert, share > 1.1);
        QCOMPARE(c.verdict().sentence().contains("The times assume that it fits."), !runs(estimate(s)));
    }

    // "2.32 years in 3,391 jobs of 6 h: Fits." in green.
    void a_run_longer_than_a_year_is_no_green_verdict() {
        Court c;
        c.fill_to(0.5);
        QVERIFY2(c.verdict().sentence().contains("Fits."), qPrintable(c.verdict().sentence()));
        const Seconds now = c.workspace.told().last_good->totals.time;
        const double tokens = c.workspace.scenario().recipe.tokens;
        c.turn("recipe.tokens", tokens * (800 * day / now));
        QVERIFY2(c.verdict().sentence().contains("longer than a year"), qPrintable(c.verdict().sentence()));
        QCOMPARE(verdict_text(c.workspace.told()).icon, QString(":/icons/tight.svg"));
        QVERIFY2(c.verdict().notes().join('|').contains("awards"), qPrintable(c.verdict().notes().join('|')));
        c.turn("recipe.tokens", tokens * (200 * day / now));
        QVERIFY2(c.verdict().sentence().contains("Fits."), qPrintable(c.verdict().sentence()));
        QVERIFY(!c.verdict().notes().join('|').contains("awards"));
    }

    void the_headroom_is_the_users() {
        Court c;
        c.fill_to(0.7);
        c.prefer(0.05);
        QVERIFY(!c.verdict().sentence().contains("headroom is asked for"));
        c.prefer(0.4);
        QVERIFY2(c.verdict().sentence().contains("headroom is asked for"), qPrintable(c.verdict().sentence()));
        QVERIFY2(c.verdict().judging()->text().contains("40 %"), qPrintable(c.verdict().judging()->text()));
        QCOMPARE(c.workspace.document().history().count(), 1);   // of fill_to(): a preference is no edit of the plan
        emit c.verdict().judging()->menu()->aboutToShow();
        bool found = false;
        for (QAction* action : c.verdict().judging()->menu()->actions()) {
            if (action->text() != QString("2 %")) continue;
            found = true;
            action->trigger();
        }
        QVERIFY(found);
        QCOMPARE(c.workspace.preferences().headroom, 0.02);
    }

    // Of a device, of its memory and of the headroom: three shares in a row, of which one decides.
    void what_may_not_fit_is_judged_by_one_share() {
        Court c;
        c.fill_to(0.95);
        const QString said = c.verdict().sentence();
        QVERIFY2(said.contains("May not fit.") && said.contains("too often to tell"), qPrintable(said));
        QVERIFY2(!said.contains("of the memory is used") && !said.contains("headroom"), qPrintable(said));
        QVERIFY2(said.contains(c.said_share()), qPrintable(said));
    }

    void preferences_are_kept_between_starts() {
        const Preferences before = stored_preferences();
        store({0.15, Counting::training});
        QCOMPARE(stored_preferences().headroom, 0.15);
        QVERIFY(stored_preferences().counting == Counting::training);
        QSettings().setValue("headroom", "much");
        QCOMPARE(stored_preferences().headroom, usual_headroom);
        QSettings().setValue("headroom", 7);
        QCOMPARE(stored_preferences().headroom, most_headroom);
        store(before);
    }

    void the_upper_end_of_the_likely_range_counts() {
        Court c;
        c.price_runs();
        c.prefer(0);
        c.fill_to(0.999);
        QVERIFY(c.workspace.told().last_good->band->memory > 0.001);
        const QString spoken = c.content(memory_tile).spoken;
        QVERIFY2(spoken.contains("likely range ends at"), qPrintable(spoken));
    }

    void a_plan_that_does_not_fit_says_so_in_one_unit() {
        Court c;
        c.fill_to(20);
        const QString said = c.verdict().sentence();
        QVERIFY2(said.contains("Does not fit in memory") && said.contains("Stage "), qPrintable(said));
        QVERIFY2(!said.contains("TiB") && said.contains("GiB"), qPrintable(said));
        QVERIFY(c.content(memory_tile).alert);
    }

    void remedies_say_time_and_memory_and_work() {
        Court c;
        c.turn("machine.device.memory_GiB", 16);
        QTRY_VERIFY(!c.offers().isEmpty());
        for (const QString& text : c.offers()) {
            if (text.contains("instead of")) continue;   // of other software
            QVERIFY2(text.contains("fits, ") || text.contains("may not fit, "), qPrintable(text));
        }
        QTest::mouseClick(c.verdict().buttons().front(), Qt::LeftButton);
        QTRY_VERIFY(runs(c.workspace.told().outcome));
    }

    void dead_ends_have_buttons_data() {
        QTest::addColumn<QString>("end");
        for (const char* end : {"the machine has one device", "degrees ask for other devices",
                                "the machine has one node", "tensor degree does not divide",
                                "the device has no such format",
                                "nothing fits on any number of devices"})
            QTest::newRow(end) << end;
    }
    void dead_ends_have_buttons() {
        QFETCH(QString, end);
        Court c;
        Scenario s = c.workspace.scenario();
        if (end.contains("one device")) s.machine = library().machines.at("ws-rtx4090");
        if (end.contains("other devices")) s.layout.devices = 4, s.layout.tensor_parallel = 2,
                                           s.layout.pipeline_parallel = 4, s.layout.data_parallel = 1;
        if (end.contains("one node")) s.machine.nodes = 1;
        if (end.contains("tensor")) s = *with(s, *find_knob("layout.tensor_parallel"), 7);
        if (end.contains("format")) s = *with(s, *find_knob("recipe.precision"), double(Precision::fp8));
        if (end.contains("nothing")) s.machine.device.memory = 1 * mebibyte;
        c.propose(s);
        QVERIFY(!runs(c.workspace.told().outcome));
        QTRY_VERIFY2_WITH_TIMEOUT(!c.verdict().buttons().isEmpty(), qPrintable(c.verdict().sentence()), 60000);
        QVERIFY2(!c.verdict().sentence().contains("&quot;"), qPrintable(c.verdict().sentence()));
    }

    void where_nothing_helps_the_layouts_are_shown() {
        Court c;
        Scenario s = c.workspace.scenario();
        s.machine.device.memory = 1 * mebibyte;
        c.propose(s);
        QTRY_VERIFY(!c.offers().isEmpty());
        c.verdict().buttons().back()->click();
        QTRY_VERIFY(c.window.layouts()->isVisible());
    }

    void a_refused_field_says_nothing_against_a_plan_that_runs() {
        Court c;
        c.workspace.refuse("nodes", "Nodes has to be at least 1.");
        QVERIFY(c.workspace.told().stale());
        QVERIFY(c.verdict().sentence().contains("at least 1"));
        QTRY_VERIFY(c.verdict().settled());
        for (const QString& text : c.offers())
            QVERIFY2(!text.contains("makes it run"), qPrintable(text));
    }

    void cautions_of_the_command_line_are_in_the_window() {
        Court c;
        Scenario s = c.workspace.scenario();
        s.recipe.precision = Precision::fp16;
        c.propose(s);
        const auto expected = cautions(s);
        QVERIFY(!expected.empty());
        for (const Caution& caution : expected)
            QVERIFY(c.verdict().notes().contains("Mind: " + to_qt(say(caution))));
        QVERIFY2(c.verdict().sentence().contains("Mind:"), qPrintable(c.verdict().sentence()));
    }

    void a_machine_with_other_numbers_than_its_preset_is_hypothetical() {
        Court c;
        QVERIFY(!c.verdict().notes().join('|').contains("Hypothetical"));
        const Knob& bandwidth = *find_knob("machine.levels.1.bandwidth_GBps");
        const double before = bandwidth.get(c.workspace.scenario());
        c.turn("machine.levels.1.bandwidth_GBps", 2 * before);
        const QString note = c.verdict().notes().value(0);
        QVERIFY2(note.startsWith("Hypothetical machine: "), qPrintable(note));
        const std::string both = value_with_unit(bandwidth, 2 * before) + ", not " + value_with_unit(bandwidth, before);
        QVERIFY2(note.contains(to_qt(both)), qPrintable(note));
        c.turn("machine.levels.1.bandwidth_GBps", before);
        QVERIFY(!c.verdict().notes().join('|').contains("Hypothetical"));
    }

    void names_in_cautions_are_no_markup() {
        Court c;
        Scenario s = c.workspace.scenario();
        s.stack.name = "<img src=x>";
        s.model.name = "<b>model</b>";
        s.recipe.precision = Precision::fp16;
        c.propose(s);
        QVERIFY(!c.verdict().sentence().contains("<img") && !c.verdict().sentence().contains("<b>model"));
    }

    void software_measured_on_the_device_is_offered() {
        Court c;
        c.price_runs();
        Scenario s = c.workspace.scenario();
        s.machine = library().machines.at("dgx-h100");
        s.stack = library().stacks.at("deepspeed-megatron");
        c.propose(s);
        const auto offered = [&] { return c.offers().filter("instead of").size() + c.offers().filter(": ").size(); };
        QTRY_VERIFY(offered() > 0);
        QPushButton* software = nullptr;
        for (QPushButton* b : c.verdict().buttons())
            if (b->toolTip().contains("on this device used it")) software = b;
        QVERIFY(software);
        software->click();
        QTRY_VERIFY(c.workspace.scenario().stack.id != "deepspeed-megatron");
        QVERIFY(c.workspace.scenario().layout == s.layout);
    }

    // "2.33 years instead of 600 d; the plan is short by 36.7 GiB" in a green verdict.
    void software_that_makes_a_good_plan_worse_is_not_offered() {
        Court c;
        c.price_runs();
        int offered = 0;
        for (const char* machine : {"dgx-h100", "frontier", "dgx-a100"})
            for (const char* stack : {"deepspeed-megatron", "megatron-core", "torchtitan"}) {
                if (!library().machines.contains(machine) || !library().stacks.contains(stack)) continue;
                Scenario s = c.workspace.scenario();
                s.machine = library().machines.at(machine);
                s.stack = library().stacks.at(stack);
                c.propose(s);
                QTRY_VERIFY(c.verdict().settled());
                const bool good = c.workspace.told().outcome
                               && c.workspace.told().last_good->room() == Room::enough
                               && fit_verdict(*c.workspace.told().outcome) == FitVerdict::fits;
                for (const QPushButton* b : c.verdict().buttons()) {
                    if (!b->toolTip().contains("on this device used it")) continue;
                    ++offered;
                    QVERIFY2(!b->text().contains("not fit"), qPrintable(b->text()));
                    QVERIFY2(!good || !b->text().contains("slower"), qPrintable(b->text()));
                }
            }
        QVERIFY(offered > 0);
    }

    void tiles_count_failures_by_one_rule() {
        Court c;
        c.prefer(0.05, Counting::training);
        const QString alone = c.content(time_tile).value, hours = c.content(hours_tile).value,
                      energy = c.content(energy_tile).value;
        QVERIFY2(c.content(time_tile).detail.contains("without failures"), qPrintable(c.content(time_tile).detail));
        c.turn("recipe.checkpoint_interval_s", 600);
        c.prefer(0.05, Counting::all);
        QVERIFY(c.content(time_tile).value != alone);
        QVERIFY(c.content(hours_tile).value != hours);
        QVERIFY(c.content(energy_tile).value != energy);
        QVERIFY2(c.content(time_tile).detail.contains("failures"), qPrintable(c.content(time_tile).detail));
        const auto explained = [&](int i) {
            return explain(c.workspace.scenario(), c.window.tiles()->tiles()[std::size_t(i)]->explains())->value;
        };
        const Totals& t = c.workspace.told().last_good->totals;
        QVERIFY(std::abs(explained(time_tile) / (t.time / second) - 1) < 1e-9);
        QVERIFY(std::abs(explained(hours_tile) / t.node_hours - 1) < 1e-9);
        QVERIFY(std::abs(explained(energy_tile) / (t.facility_energy / megawatt_hour) - 1) < 1e-9);
    }
};

PLIMSOLL_TEST(tst_verdict)
#include "tst_verdict.moc"
