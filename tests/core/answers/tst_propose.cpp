// A proposal's tables: each recomputed by hand for one plan, and what may never stand in them.
#include "registered_test.h"

#include "core/answers/propose/measured_hours.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "proposals.h"

#include <QRegularExpression>

#include <numeric>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Sheet sheet(const Proposal& p, const char* id) {
    for (const Sheet& s : p.tables)
        if (s.id == id) return s;
    qFatal("no table %s", id);
}

double number(const std::string& cell) { return QString::fromStdString(cell).toDouble(); }

// The value of the row that begins so.
double value_of(const Sheet& s, const char* row, std::size_t column = 1) {
    for (const auto& r : s.rows)
        if (QString::fromStdString(r.front()).startsWith(QLatin1String(row))) return number(r[column]);
    qFatal("no row %s in %s", row, s.id.c_str());
}

bool within(double a, double b, double share) { return std::abs(a - b) <= share * std::abs(b); }

// Whether a requirement would still be met without one of the parts that it names.
bool met_without(const ProposalInput& in, Proposal p, std::vector<ProposalFigure> figures, const CheckedRequirement& c,
                 std::string part) {
    std::string id = c.requirement.met_by;
    if (part.size() > 4 && part[3] == ':') {
        id = part.substr(0, 3);
        part = part.substr(4);
    }
    for (Sheet& s : p.tables) {
        if (s.id != id) continue;
        for (SheetColumn& column : s.columns)
            if (column.name == part) column.name = "gone";
        for (auto& row : s.rows)
            if (row.front() == part) row[1].clear();
    }
    for (ProposalFigure& f : figures)
        if (f.id == id) std::erase_if(f.figure.series, [&](const Series& s) { return s.id == part; });
    for (const CheckedRequirement& again : checked(in, p, figures))
        if (again.requirement.text == c.requirement.text) return again.met == Met::met;
    return false;
}

QString missing_of(const Sheet& s) {
    QString all;
    for (const std::string& m : s.missing) all += QString::fromStdString(m) + '\n';
    return all;
}

}  // namespace

class tst_propose : public QObject {
    Q_OBJECT

private slots:
    // ---- The campaign and T01 to T04

    void the_printed_runs_add_up_to_the_request() {
        for (const char* programme : {"generic", "ncar-chap", "archer2-ta", "incite", "nhr"}) {
            const ProposalInput in = input(programme);
            const Proposal p = proposal_of(in);
            const Sheet& t = sheet(p, "T03");
            double sum = 0;
            for (std::size_t i = 0; i + 1 < t.rows.size(); ++i) {
                QCOMPARE(number(t.rows[i][7]), number(t.rows[i][5]) * number(t.rows[i][6]));
                sum += number(t.rows[i][7]);
            }
            QCOMPARE(number(t.rows.back()[7]), sum);
            QCOMPARE(sum, p.campaign.units);
            const Sheet& request = sheet(p, "T01");
            double total = 0;
            for (std::size_t i = 0; i + 1 < request.rows.size(); ++i) {
                QCOMPARE(number(request.rows[i][5]), number(request.rows[i][3]) + number(request.rows[i][4]));
                total += number(request.rows[i][5]);
            }
            QCOMPARE(total, sum);
            QCOMPARE(int(request.rows.size()) - 1, in.programme.periods.parts);
        }
    }

    // NCAR: experiment, hours per simulation, simulations, total; GPU-hours are GPUs x wall time.
    void ncars_table_is_gpus_times_hours() {
        const ProposalInput in = input("ncar-chap");
        const Proposal p = proposal_of(in);
        const CampaignPlan& plan = in.plans.front();
        const Totals t = totals(plan.plan, plan.headline, Counting::training);
        const double gpu_hours = nodes_used(plan.plan) * 8 * (t.time / hour);
        QCOMPARE(p.unit, std::string("GPU-hour"));
        QCOMPARE(value_of(sheet(p, "T03"), "Training", 5), std::ceil(gpu_hours));
    }

    void restarts_are_what_failures_and_job_ends_add() {
        const ProposalInput in = input();
        const CampaignPlan& each = in.plans.front();
        const double more = totals(each.plan, each.headline, Counting::all).node_hours
                          - totals(each.plan, each.headline, Counting::training).node_hours;
        QCOMPARE(value_of(sheet(proposal_of(in), "T03"), "Failures", 5), std::ceil(more));
    }

    void contingency_is_a_share_of_the_rows_above() {
        const Proposal p = proposal_of(input());
        double above = 0;
        for (const CampaignRow& r : p.campaign.rows)
            if (r.kind != CampaignKind::contingency) above += r.units;
        QCOMPARE(p.campaign.rows.back().units, std::ceil(above * 0.1 * (1 - 1e-12)));
    }

    void several_plans_and_runs_are_rows_of_their_own() {
        ProposalInput in = input();
        Scenario second = plan();
        second.name = "Second";
        second.recipe.tokens = 10e9;
        in.plans.push_back(plan_of_campaign(second));
        in.campaign.runs = {2, 3};
        const Proposal p = proposal_of(in);
        int training = 0, runs = 0;
        for (const CampaignRow& r : p.campaign.rows)
            if (r.kind == CampaignKind::training) {
                ++training;
                runs += r.runs;
            }
        QCOMPARE(training, 2);
        QCOMPARE(runs, 5);
    }

    void the_conversions_multiply_out() {
        const Proposal p = proposal_of(input("ncar-chap"));
        const Sheet& t = sheet(p, "T02");
        const double nodes = value_of(t, "node-hour");
        QVERIFY(within(value_of(t, "GPU-hour"), 8 * nodes, 0.001));
        QVERIFY(within(value_of(t, "device-hour"), 8 * nodes, 0.001));
        QVERIFY(within(value_of(t, "EFLOP at peak"), nodes * 3600 * 8 * 312e12 / 1e18, 0.001));
        const auto cost = QString::fromStdString(t.rows.back()[1]);
        QVERIFY2(cost.startsWith("EUR"), qPrintable(cost));
    }

    void a_bin_that_is_missed_by_little_is_named() {
        Scenario s = plan();   // 128 nodes
        s.machine.scheduler.bins = {{.min_nodes = 1, .max_nodes = 135, .walltime = 6 * hour},
                                    {.min_nodes = 136, .max_nodes = 500, .walltime = 12 * hour}};
        const Sheet& t = sheet(proposal_of(input("generic", s)), "T04");
        QVERIFY(QString::fromStdString(t.notes.front()).contains("136 nodes"));
    }

    void an_award_below_the_runs_is_a_red_line() {
        ProposalInput in = input();
        in.award = 10;
        QVERIFY(missing_of(sheet(proposal_of(in), "T01")).contains("the award is 10"));
    }

    // ---- Measured scaling: T05, T07

    void efficiency_is_against_the_smallest_size() {
        const Scaling s = scaling_of(*read_scaling_runs(four_runs), ScalingKind::strong);
        QCOMPARE(s.points.size(), std::size_t(4));
        QCOMPARE(s.points[0].efficiency, 1.0);
        QCOMPARE(s.points[1].mean, 34 * second);              // 32 and 36
        QVERIFY(within(s.points[1].deviation / second, std::sqrt(8.0), 1e-12));
        QVERIFY(within(s.points[1].speedup, 64.0 / 34, 1e-12));
        QVERIFY(within(s.points[1].efficiency, 8 * 64.0 / (16 * 34), 1e-12));
        QVERIFY(within(s.points[2].efficiency, 8 * 64.0 / (32 * 20), 1e-12));   // 0.8
        QVERIFY(within(s.points[3].efficiency, 8 * 64.0 / (64 * 16), 1e-12));   // 0.5
        QCOMPARE(s.efficient_to(0.75), 32);
        QCOMPARE(s.points[1].days, 2);
    }

    void one_and_a_half_per_doubling_is_the_floor_of_csc() {
        QVERIFY(within(load_programme("csc-roihu", library())->programme.evidence.efficiency_floor, 1.5 / 2, 1e-12));
        ProposalInput in = measured_input();
        in.programme.evidence.efficiency_floor = 0.75;
        const QString lacks = missing_of(sheet(proposal_of(in), "T05"));
        QVERIFY2(lacks.contains("128 nodes") && lacks.contains("up to 32"), qPrintable(lacks));
    }

    void weak_scaling_compares_equal_work_per_node() {
        const auto runs = read_scaling_runs("nodes,step_s,scaling\n4,10,weak\n16,12.5,weak\n");
        const Scaling s = scaling_of(*runs, ScalingKind::weak);
        QCOMPARE(s.points[1].efficiency, 0.8);
        QCOMPARE(s.points[1].speedup, 3.2);
        QVERIFY(scaling_of(*runs, ScalingKind::strong).points.empty());
    }

    void a_table_of_measurements_holds_measured_rows_only() {
        const Proposal without = proposal_of(input());
        for (const char* id : {"T05", "T06"}) {
            QVERIFY(sheet(without, id).rows.empty());
            QVERIFY(!sheet(without, id).missing.empty());
            QVERIFY(to_markdown(sheet(without, id)).find("MISSING") != std::string::npos);
        }
        const Proposal p = proposal_of(measured_input());
        const Sheet& t = sheet(p, "T05");
        QCOMPARE(t.rows.size(), p.strong.points.size());
        for (std::size_t i = 0; i < t.rows.size(); ++i) {
            QCOMPARE(number(t.rows[i][0]), double(p.strong.points[i].nodes));
            QCOMPARE(number(t.rows[i][1]), number(significant(p.strong.points[i].mean / second, 4)));
        }
    }

    void what_the_programme_asks_of_evidence_and_was_not_given_is_named() {
        const QString lacks = missing_of(sheet(proposal_of(measured_input("ncar-chap")), "T05"));
        QVERIFY2(lacks.contains("2 runs of each point") && lacks.contains("different days"), qPrintable(lacks));
        const QString roihu = missing_of(sheet([] {
            ProposalInput in = measured_input("csc-roihu");
            in.rate = 800;
            return proposal_of(in);
        }(), "T05"));
        QVERIFY2(!roihu.contains("utilisation"), qPrintable(roihu));
    }

    void the_model_stands_beside_in_a_table_of_its_own() {
        const ProposalInput in = measured_input();
        const Sheet& t = sheet(proposal_of(in), "T07");
        const auto here = std::find_if(t.rows.begin(), t.rows.end(), [](const auto& r) { return r[0] == "128"; });
        QVERIFY(here != t.rows.end());
        QVERIFY(within(number((*here)[1]), in.plans.front().estimate.step.total() / second, 0.001));
        QVERIFY(within(number((*here)[2]), number((*here)[1]) / 1.06, 0.001));
        QVERIFY((*here)[4].empty());
    }

    // ---- T08 to T12

    void memory_of_a_node_is_that_of_its_devices() {
        const ProposalInput in = input();
        const Sheet& t = sheet(proposal_of(in), "T08");
        double sum = 0;
        for (const auto& r : t.rows) {
            QVERIFY(within(number(r[3]), 8 * number(r[2]), 0.01));
            if (r[1] != "all" && r[1] != "capacity") sum += number(r[2]);
            if (r[1] == "all") QVERIFY(std::abs(number(r[2]) - sum) < 0.1);
        }
        const int least = least_nodes(in.plans.front().plan);
        QVERIFY(predicted_step(in.plans.front().plan, least));
    }

    void storage_is_tokens_and_checkpoints() {
        const ProposalInput in = input();
        const Sheet& t = sheet(proposal_of(in), "T09");
        QVERIFY(within(value_of(t, "data set"), 30e9 * 2 / 1e12, 0.001));      // a vocabulary below 65,536
        const double checkpoint = in.plans.front().headline.resilience.checkpoint_size / terabyte;
        QVERIFY(within(value_of(t, "scratch"), 0.06 + 4 * checkpoint, 0.001));
    }

    void energy_rows_multiply_out_as_printed() {
        const Sheet& t = sheet(proposal_of(input()), "T11");
        const double nodes = value_of(t, "power of a node") * 0 + number(t.rows[1][1]);
        const double MWh = number(t.rows[4][1]), hours = number(t.rows[2][1]);
        QVERIFY(within(MWh, nodes * hours / 1000, 0.0006));
        QVERIFY(within(value_of(t, "energy of the facility"), MWh * value_of(t, "PUE"), 0.0006));
        QVERIFY(within(value_of(t, "operational carbon"), value_of(t, "energy of the facility") * 226, 0.0006));
        for (const auto& r : t.rows)
            if (r[0] == "embodied carbon") QCOMPARE(r[1], std::string("unknown"));
    }

    // ARCHER2: 0.41 kW per node x 1.15 x 1.10; 0.014 kg CO2e per CU.
    void archer2s_energy_rule_is_followed() {
        const Proposal p = proposal_of(input("archer2-ta"));
        const Sheet& t = sheet(p, "T11");
        QCOMPARE(p.campaign.units, std::round(p.campaign.units));
        QVERIFY(within(value_of(t, "energy by the programme's rule"), p.campaign.units * 0.41 * 1.15 * 1.10 / 1000,
                       0.0006));
        QVERIFY(within(value_of(t, "embodied carbon, by the programme"), p.campaign.units * 0.014, 0.0006));
    }

    void failures_are_what_the_headline_says() {
        const ProposalInput in = input();
        const Sheet& t = sheet(proposal_of(in), "T10");
        for (const auto& r : t.rows)
            if (r[0] == "failures expected") QCOMPARE(r[1], say_expected(in.plans.front().headline.failures));
        QVERIFY(within(value_of(t, "time between failures"), in.plans.front().headline.resilience.mtbf / hour, 0.001));
    }

    // 24 h x 1000 node-days over the failures of so many nodes.
    void time_between_failures_is_that_of_all_nodes() {
        const ProposalInput in = input();
        const Sheet& t = sheet(proposal_of(in), "T10");
        const double rate = in.plans.front().plan.machine.reliability.failures_per_1000_node_days;
        QVERIFY(within(value_of(t, "time between failures"), 1000 * 24 / (rate * nodes_used(in.plans.front().plan)),
                       0.001));
    }

    // A run of so many hours in jobs of 24.
    void jobs_of_a_chain_hold_the_run() {
        const ProposalInput in = input();
        const CampaignPlan& plan = in.plans.front();
        const double hours = totals(plan.plan, plan.headline, Counting::all).time / hour;
        const Sheet& t = sheet(proposal_of(in), "T04");
        QCOMPARE(number(t.rows[0][3]), 24.0);
        const double jobs = number(t.rows[0][4]);
        QVERIFY2(jobs * 24 >= hours * 0.999 && (jobs - 1) * 24 <= hours * 1.05, t.rows[0][4].c_str());
        double share = 0;
        for (const auto& row : t.rows) share += QString::fromStdString(row[5]).remove(" %").toDouble();
        QVERIFY(within(share, 100, 0.002));
    }

    // Each row of what the request hangs on is two estimates.
    void what_the_request_hangs_on_is_two_estimates() {
        const ProposalInput in = input();
        const Scenario& s = in.plans.front().plan;
        static const QRegularExpression row("^predicted node-hours with (.+) ([0-9.e+]+) and ([0-9.e+]+)$");
        int seen = 0;
        for (const auto& r : sheet(proposal_of(in), "T12").rows) {
            const auto match = row.match(QString::fromStdString(r[0]));
            if (!match.hasMatch()) continue;
            const auto knob = std::find_if(knobs().begin(), knobs().end(), [&](const Knob& k) {
                return k.label == match.captured(1).toStdString() && k.get(s) != 0;
            });
            if (knob == knobs().end()) continue;
            const QStringList said = QString::fromStdString(r[1]).split(" and ");
            for (const int end : {0, 1}) {
                const Scenario turned = *with(s, *knob, match.captured(2 + end).toDouble());
                const Estimate e = *estimate(turned);
                const double hours = totals(turned, headline(turned, e), Counting::automatic).node_hours;
                QVERIFY2(within(said[end].toDouble(), hours, 0.002), r[0].c_str());
            }
            ++seen;
        }
        QVERIFY(seen > 0);
    }

    // Every row that says so is the product of rows above it, as they are printed.
    void storage_rows_multiply_out_as_printed_data() {
        QTest::addColumn<double>("stated_s");
        QTest::newRow("the file system decides how long a checkpoint takes") << 0.0;
        QTest::newRow("the plan states how long it takes") << 300.0;
    }
    void storage_rows_multiply_out_as_printed() {
        QFETCH(double, stated_s);
        Scenario s = plan();
        s.recipe.checkpoint_time = stated_s * second;
        const Sheet& t = sheet(proposal_of(input("generic", s)), "T09");
        const double size = value_of(t, "checkpoint"), time = value_of(t, "time of writing one");
        QVERIFY2(within(size, time * value_of(t, "rate of writing"), 0.001), qPrintable(QString::number(size)));
        if (stated_s > 0) QCOMPARE(time, stated_s);
        QVERIFY(value_of(t, "rate of writing") <= value_of(t, "most that can be written"));
        const double scratch = value_of(t, "data set") + (value_of(t, "checkpoints kept") + 1) * size / 1000;
        QVERIFY(within(value_of(t, "scratch at the peak"), scratch, 0.001));
        QVERIFY(within(value_of(t, "storage over time"), value_of(t, "scratch") * value_of(t, "time that it is kept"),
                       0.001));
        QVERIFY(within(value_of(t, "transfer out"), size / 1000, 0.001));
    }

    void a_checkpoint_faster_than_the_file_system_is_missing_not_a_fact() {
        Scenario s = plan();
        s.recipe.checkpoint_time = 0.001 * second;
        const ProposalInput in = input("generic", s);
        const Proposal p = proposal_of(in);
        QVERIFY2(missing_of(sheet(p, "T09")).contains("can be written"), qPrintable(missing_of(sheet(p, "T09"))));
        const TextBlock t = text_block("checkpoint", in, p);
        QVERIFY(!t.missing.empty());
        for (const std::string& each : t.paragraphs) QVERIFY(each.find("A checkpoint of") == std::string::npos);
    }

    void failures_are_rounded_as_one_says_them() {
        QCOMPARE(say_expected(0.7555), std::string("0.8"));
        QCOMPARE(say_expected(0.003), std::string("below 0.1"));
        QCOMPARE(say_expected(18.75), std::string("19"));
    }

    // ---- Hours from measured steps

    void measured_steps_decide_the_hours_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("slower");
        QTest::newRow("the plan's own size, 6 % slower than predicted") << 128 << 1.06;
        QTest::newRow("half the plan's size, 12 % slower") << 64 << 1.12;
        QTest::newRow("a quarter of it, 5 % faster") << 32 << 0.95;
    }
    void measured_steps_decide_the_hours() {
        QFETCH(int, nodes);
        QFETCH(double, slower);
        ProposalInput in = input();
        const double predicted = *predicted_step(plan(), nodes) / second;
        ScalingRun run;
        run.nodes = nodes;
        run.step = slower * predicted * second;
        run.machine = "selene";
        in.measured = {run};
        const ProposalInput taken = with_measured_hours(in);
        const Proposal with = proposal_of(taken), without = proposal_of(in);
        const Sheet& t = sheet(with, "T03");
        QVERIFY(within(value_of(t, "Training", 5), slower * value_of(sheet(without, "T03"), "Training", 5), 0.001));
        QCOMPARE(t.columns.back().name, std::string("predicted total"));
        QCOMPARE(value_of(t, "Training", 10), value_of(sheet(without, "T03"), "Training", 7));
        QVERIFY(within(taken.plans.front().headline.step / in.plans.front().headline.step, slower, 1e-9));
        const QString said = QString::fromStdString(t.notes.front());
        QVERIFY2(said.contains(QString("%1 nodes").arg(nodes)), qPrintable(said));
        QVERIFY2(said.contains(QString::fromStdString(say_change(slower - 1))), qPrintable(said));
        // Failures and the ends of jobs go along: the same share of a longer run.
        QVERIFY(within(taken.plans.front().headline.failures, slower * in.plans.front().headline.failures, 1e-9));
        QVERIFY(within(taken.plans.front().headline.facility_power / watt,
                       in.plans.front().headline.facility_power / watt, 1e-9));
    }

    void a_step_above_the_peak_is_not_taken() {
        ProposalInput in = measured_input();
        for (ScalingRun& r : in.measured) r.step = 0.001 * second;
        const ProposalInput taken = with_measured_hours(in);
        QVERIFY(!taken.plans.front().taken);
        const QString lacks = missing_of(sheet(proposal_of(taken), "T03"));
        QVERIFY2(lacks.contains("more than the peak"), qPrintable(lacks));
    }
    void of_several_sizes_the_nearest_is_taken() {
        ProposalInput given = measured_input();
        for (ScalingRun& r : given.measured) r.step = 10 * r.step;   // below the peak
        const ProposalInput in = with_measured_hours(given);
        QVERIFY(in.plans.front().taken);
        QCOMPARE(in.plans.front().taken->measured_on, 64);
    }

    void anchors_move_the_hours_where_nothing_was_measured_on_the_machine() {
        ProposalInput in = input();
        in.bands.front().time_factor = 1.08;
        in.bands.front().anchored = "Anchored by 'June': times x 1.08.";
        const ProposalInput taken = with_measured_hours(in);
        QVERIFY(within(taken.plans.front().headline.step / in.plans.front().headline.step, 1.08, 1e-9));
        QVERIFY(taken.plans.front().taken->words.starts_with("Anchored by 'June'"));
    }

    void short_runs_of_the_plan_stand_in_t07_and_are_measurements_on_its_machine() {
        ProposalInput in = input();
        QVERIFY(missing_of(sheet(proposal_of(in), "T07")).contains("no measured run"));
        ProposalBand& band = in.bands.front();
        band.time_factor = 1.25;
        band.anchored = "Anchored by 'probe-1': times x 1.25.";
        band.told_by = {{"probe-1", "4 layers on 8 devices", 1, 2.0 * second, 2.5 * second}};
        const Proposal p = proposal_of(with_measured_hours(in));
        const Sheet& model = sheet(p, "T07");
        QVERIFY2(model.missing.empty(), qPrintable(missing_of(model)));
        const std::vector<std::string> probe{
            "1", "2", "", "", "2.5", "-20.0", "probe-1: 4 layers on 8 devices, measured"};
        QVERIFY(std::ranges::find(model.rows, probe) != model.rows.end());
        // Steps that were not measured start from it.
        const Seconds step = in.plans.front().estimate.step.total();
        const auto here = std::ranges::find(model.rows, std::to_string(nodes_used(in.plans.front().plan)),
                                            [](const auto& row) { return row.front(); });
        QVERIFY(here != model.rows.end() && within(std::stod((*here)[1]), 1.25 * (step / second), 1e-3));
        const TextBlock text = text_block("extrapolation", in, p);
        QVERIFY(text.missing.empty() && text.paragraphs.front().find("short run") != std::string::npos);
    }

    void runs_of_another_machine_leave_the_hours_predicted_and_say_so() {
        ProposalInput in = measured_input();
        for (ScalingRun& r : in.measured) r.machine = "lumi";
        const ProposalInput taken = with_measured_hours(in);
        QVERIFY(!taken.plans.front().taken);
        const Proposal p = proposal_of(taken);
        QVERIFY2(missing_of(sheet(p, "T03")).contains("lumi"), qPrintable(missing_of(sheet(p, "T03"))));
        QCOMPARE(p.campaign.units, p.predicted.units);
    }

    // ---- Use it or lose it

    void hours_are_lost_by_the_programmes_rule_data() {
        QTest::addColumn<int>("of");
        QTest::addColumn<double>("below");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("used");
        QTest::addColumn<double>("lost");
        const auto row = [](const char* name, Loses of, double below, double share, double used, double lost) {
            QTest::newRow(name) << int(of) << below << share << used << lost;
        };
        row("INCITE, May, 9 % used: 30 % of the unused 910", Loses::unused, 0.10, 0.30, 90, 273);
        row("INCITE, May, 12 % used: 15 % of the unused 880", Loses::unused, 0.15, 0.15, 120, 132);
        row("INCITE, September, 40 % used: 33 % of the unused 600", Loses::unused, 0.50, 0.33, 400, 198);
        row("INCITE, September, 50 % used: nothing", Loses::unused, 0.50, 0.33, 500, 0);
        row("ALCC, after seven months, 30 % used: 20 %", Loses::shortfall, 0.50, 1, 300, 200);
    }
    void hours_are_lost_by_the_programmes_rule() {
        QFETCH(int, of);
        QFETCH(double, below);
        QFETCH(double, share);
        QFETCH(double, used);
        QFETCH(double, lost);
        const auto found = lost_units({4, below, Loses(of), share}, 1000, used);
        QVERIFY(found && within(*found + 1, lost + 1, 1e-12));
    }

    void a_cut_whose_size_is_not_stated_has_none() { QVERIFY(!lost_units({6, 0.4, Loses::unstated, 0}, 1000, 1)); }

    void incites_dates_are_the_first_of_may_and_of_september() {
        const Proposal p = proposal_of(input("incite"));
        QCOMPARE(p.checkpoints.front().date, std::string("2027-05-01"));
        QCOMPARE(p.checkpoints.back().date, std::string("2027-09-01"));
    }

    void runs_that_are_too_long_for_the_award_are_said_to_be() {
        Scenario s = plan();
        s.recipe.tokens = 30e12;             // years on these nodes
        const Proposal p = proposal_of(input("incite", s));
        const QString lacks = missing_of(sheet(p, "T01"));
        QVERIFY2(lacks.contains("one after the other"), qPrintable(lacks));
        QVERIFY2(lacks.contains("asked for"), qPrintable(lacks));
        for (const CheckpointVerdict& v : p.checkpoints) {
            const double days = v.checkpoint.month * 365.25 / 12;
            QVERIFY(v.used_evenly * p.award <= used_evenly(p.campaign, input("incite", s).programme, days) * 1.0001);
        }
    }

    void parts_without_carry_over_end_with_a_date_each() {
        const Proposal p = proposal_of(input("cscs-alps"));
        QCOMPARE(p.checkpoints.size(), std::size_t(4));
        QCOMPARE(p.checkpoints[0].date, std::string("2027-04-01"));
        QVERIFY(within(*p.checkpoints[0].lost_at_half_pace, p.award / 8, 1e-12));
    }

    void dates_are_counted_by_the_calendar_data() {
        QTest::addColumn<QString>("date");
        QTest::addColumn<double>("months");
        QTest::addColumn<QString>("later");
        QTest::newRow("over the year's end") << "2026-11-15" << 3.0 << "2027-02-15";
        QTest::newRow("the 31st of a month of 30 days is its last") << "2027-01-31" << 1.0 << "2027-02-28";
        QTest::newRow("half a month") << "2027-01-01" << 0.5 << "2027-01-16";
    }
    void dates_are_counted_by_the_calendar() {
        QFETCH(QString, date);
        QFETCH(double, months);
        QFETCH(QString, later);
        QCOMPARE(QString::fromStdString(months_later(date.toStdString(), months)), later);
        QVERIFY(!is_date("2027-02-30"));
        QVERIFY(!is_date("01.02.2027"));
    }

    // ---- Documents

    void the_same_inputs_give_the_same_bytes() {
        for (const auto& [id, path] : not_empty(library().programmes)) {
            ProposalInput in = measured_input(id.c_str());
            if (!rate_of(in)) in.rate = 2;
            const ProposalPack a = proposal_pack(in, library(), false), b = proposal_pack(in, library(), false);
            QCOMPARE(a.files.size(), b.files.size());
            for (std::size_t i = 0; i < a.files.size(); ++i) QCOMPARE(a.files[i].text, b.files[i].text);
        }
    }

    void every_document_and_table_names_the_profiles_date() {
        const ProposalPack pack = proposal_pack(measured_input("incite"), library(), false);
        for (const PackFile& f : not_empty(pack.files)) {
            const QString path = QString::fromStdString(f.path);
            if (!path.startsWith("tables/") && !path.startsWith("report.") && path != "checklist.md") continue;
            if (path.endsWith(".xlsx")) continue;   // compressed: tst_spreadsheet reads its sheets
            const QString text = QString::fromStdString(f.text);
            QVERIFY2(text.contains("profile of 2026-10") || text.contains("profile of INCITE as of 2026-10"),
                     qPrintable(path));
            // What that is worth is said once, and below no table.
            const int once = path.startsWith("tables/") ? 0 : 1;
            QVERIFY2(text.count("against the current call") == once, qPrintable(path));
        }
    }

    void sections_stand_in_the_programmes_order() {
        const ProposalInput in = input("csc-roihu");
        ProposalInput with_rate = in;
        with_rate.rate = 800;
        const QString text = QString::fromStdString(
            report_markdown(with_rate, proposal_of(with_rate), proposal_figures(with_rate, proposal_of(with_rate))));
        qsizetype at = 0;
        for (const ProposalSection& s : in.programme.sections) {
            const qsizetype here = text.indexOf("## " + QString::fromStdString(s.title), at);
            QVERIFY2(here >= at, s.title.c_str());
            at = here;
        }
        QVERIFY(text.contains("GPU billing unit"));
    }

    void every_text_that_a_profile_names_is_written() {
        for (const auto& [id, path] : library().programmes) {
            ProposalInput in = input(id.c_str());
            if (!rate_of(in)) in.rate = 2;
            const Proposal p = proposal_of(in);
            for (const ProposalSection& s : in.programme.sections)
                for (const std::string& item : s.items)
                    if (item.starts_with("text:")) {
                        const TextBlock t = text_block(item.substr(5), in, p);
                        QVERIFY2(!t.title.empty() && t.title != t.id, item.c_str());
                    }
        }
        QVERIFY(!text_block("poem", input(), proposal_of(input())).missing.empty());
    }

    void the_checklist_tells_met_from_missing() {
        const auto state = [](const ProposalInput& in) {
            const Proposal p = proposal_of(in);
            return checked(in, p, proposal_figures(in, p)).front().met;
        };
        Scenario there = plan();
        there.machine.id = "frontier";
        QCOMPARE(int(state(input("alcc", there))), int(Met::met));           // hours in T01
        QCOMPARE(int(state(input("alcc"))), int(Met::missing));              // not of a machine it offers
        ProposalInput incite = input("incite");
        QCOMPARE(int(state(incite)), int(Met::missing));                     // no run on the machine
    }

    // Eight plans of the shipped ones, on machines of every kind, with measured runs for half of them.
    void every_met_is_derived_from_what_it_names_data() {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<bool>("measured");
        bool measured = false;
        for (const char* id : {"175b-frontier", "13b-lumi-fsdp", "13b-fugaku", "llama3-70b-eos", "llama3-8b-alps",
                               "bloom-176b-ascend", "mixtral-8x7b-64-h100", "gpt-neox-20b-a100"})
            QTest::newRow(id) << id << (measured = !measured);
    }
    void every_met_is_derived_from_what_it_names() {
        QFETCH(QString, plan);
        QFETCH(bool, measured);
        const auto scenario = read_scenario(*read_text(library().scenarios.at(plan.toStdString())), library());
        QVERIFY2(scenario, qPrintable(plan));
        const auto of_campaign = campaign_plan(scenario->scenario);
        QVERIFY2(of_campaign, qPrintable(plan));
        for (const auto& [id, path] : library().programmes) {
            ProposalInput in = input(id.c_str());
            in.plans = {*of_campaign};
            if (!rate_of(in)) in.rate = 2;
            const int nodes = nodes_used(scenario->scenario);
            for (const int part : {4, 2, 1})
                for (const char* date : {"2026-10-01", "2026-10-02"})
                    if (measured && nodes % part == 0)
                        in.measured.push_back({nodes / part, 10.0 * part * second, ScalingKind::strong,
                                               scenario->scenario.machine.id, date, "1", "", 0.9});
            in = with_measured_hours(in);
            const Proposal p = proposal_of(in);
            const auto figures = proposal_figures(in, p);
            for (const CheckedRequirement& c : checked(in, p, figures)) {
                const QString what = QString("%1: %2").arg(QString::fromStdString(in.programme.id),
                                                           QString::fromStdString(c.requirement.text));
                const std::string& by = c.requirement.met_by;
                QVERIFY2(by.empty() || by.starts_with("text:") || !c.requirement.parts.empty(), qPrintable(what));
                QCOMPARE(c.met == Met::met, !by.empty() && c.lacks.empty());
                if (c.met != Met::met) continue;
                for (const std::string& part : c.requirement.parts) QVERIFY2(!met_without(in, p, figures, c, part),
                                                                           qPrintable(what));
                if (by.starts_with("text:")) QVERIFY2(!text_block(by.substr(5), in, p).paragraphs.empty(),
                                                      qPrintable(what));
            }
        }
    }
    void what_the_pack_does_not_hold_meets_nothing() {
        ProposalInput in = input();
        in.programme.requirements = {{"A table that is not there", "a call", "T13", {}},
                                     {"A column that is not there", "a call", "T09", {"storage in acres"}},
                                     {"A text that nobody writes", "a call", "text:poem", {}}};
        const Proposal p = proposal_of(in);
        for (const CheckedRequirement& c : not_empty(checked(in, p, proposal_figures(in, p))))
            QVERIFY2(c.met == Met::missing && !c.lacks.empty(), c.requirement.text.c_str());
    }
    void eurohpcs_storage_over_time_is_there() {
        Scenario s = plan();
        s.machine.id = "lumi";
        const ProposalInput in = input("eurohpc", s);
        const Proposal p = proposal_of(in);
        for (const CheckedRequirement& c : not_empty(checked(in, p, proposal_figures(in, p))))
            if (c.requirement.text == "Storage in TB-hours.") QVERIFY(c.met == Met::met);
    }

    void the_extrapolation_says_from_where_and_how_far() {
        ProposalInput in = measured_input();
        const Proposal p = proposal_of(in);
        const TextBlock t = text_block("extrapolation", in, p);
        QVERIFY(QString::fromStdString(t.paragraphs.front()).contains("up to 64 nodes"));
        QVERIFY(QString::fromStdString(t.paragraphs.front()).contains("2.0 times as many"));
        in.measured.clear();
        QVERIFY(!text_block("extrapolation", in, proposal_of(in)).missing.empty());
    }

    // A time of one machine beside a prediction for another would look like the model's error.
    void runs_of_another_machine_do_not_stand_beside_predictions() {
        ProposalInput in = measured_input();
        for (ScalingRun& r : in.measured) r.machine = "lumi";
        const Proposal p = proposal_of(in);
        const Sheet& t = sheet(p, "T07");
        for (const auto& row : t.rows) QVERIFY2(row[4].empty() && row[6] == "predicted", row[0].c_str());
        QVERIFY(missing_of(t).contains("the runs of T05 are of lumi"));
        QCOMPARE(sheet(p, "T05").rows.size(), std::size_t(4));
        const TextBlock text = text_block("extrapolation", in, p);
        QVERIFY(QString::fromStdString(text.paragraphs[1]).contains("What differs is the machine"));
        QVERIFY(!text.missing.empty());
        for (const ProposalFigure& f : proposal_figures(in, p)) {
            if (f.id == "F08") QVERIFY(!f.missing.empty());
            if (f.id == "F01") QVERIFY(f.figure.caption.find("on lumi, another machine") != std::string::npos);
        }
    }

    void amounts_in_sentences_are_grouped() {
        QCOMPARE(units_text(3225103, "node-hour"), std::string("3,225,103 node-hours"));
        QCOMPARE(units_text(1, "node-hour"), std::string("1 node-hour"));
        QCOMPARE(units_text(999, "CU"), std::string("999 CU"));
    }

    void a_programme_without_a_rate_asks_for_one() {
        QVERIFY(!rate_of(input("access-maximize")));
        ProposalInput in = input("access-maximize");
        in.rate = 30;
        const Proposal p = proposal_of(in);
        QVERIFY(within(p.campaign.units, 30 * p.campaign.node_hours(), 1e-12));
    }

    void names_of_others_are_text_in_every_document() {
        Scenario s = plan();
        s.name = "<script>\\input{x} | *b* & 5 % #1";
        const ProposalPack pack = proposal_pack(input("generic", s), library(), false);
        for (const PackFile& f : not_empty(pack.files)) {
            if (f.path == "report.html") QVERIFY(f.text.find("<script>") == std::string::npos);
            if (f.path == "report.tex") QVERIFY(f.text.find("\\input{x}") == std::string::npos);
        }
    }

    void a_table_is_the_same_in_every_format_and_documents_group_its_digits() {
        const Sheet s{"T99", "small", "A & B", {{"name"}, {"hours", "h", true}}, {{"a|b", "12000"}, {"50 %", "3"}},
                      {"Note."}, {"nothing was measured"}, "INCITE"};
        QCOMPARE(to_markdown(s), std::string("### T99. A &amp; B\n\n**MISSING: nothing was measured**\n\n"
                                             "| name | hours, h |\n| --- | ---: |\n| a\\|b | 12,000 |\n| 50 % | 3 |\n\n"
                                             "Note.\n\n*INCITE*\n"));
        QCOMPARE(to_csv(s), std::string("# T99. A & B\n# INCITE\n# MISSING: nothing was measured\n# Note.\n"
                                        "name,\"hours, h\"\na|b,12000\n50 %,3\n"));
        QVERIFY(to_latex(s).find("a|b & 12,000 \\\\\n50 \\% & 3 \\\\\n") != std::string::npos);
        QVERIFY(to_html(s).find("<td>a|b</td><td align=\"right\">12,000</td>") != std::string::npos);
    }

    void columns_share_the_whole_width_and_none_is_narrower_than_a_word() {
        for (const Sheet& s : not_empty(proposal_of(measured_input()).tables)) {
            const std::vector<double> shares = column_shares(s);
            QCOMPARE(shares.size(), s.columns.size());
            QVERIFY(within(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9));
            QVERIFY(*std::min_element(shares.begin(), shares.end()) > 0.02);
        }
    }
    void a_table_repeats_its_head_and_fills_the_line() {
        const Sheet& t = sheet(proposal_of(input()), "T03");
        const std::string html = to_html(t), latex = to_latex(t);
        for (const char* part : {"<thead>", "</thead>", "width=\"100%\""}) QVERIFY(html.find(part) != html.npos);
        for (const char* part : {"\\endhead", "\\begin{longtable}"}) QVERIFY(latex.find(part) != latex.npos);
        QVERIFY(latex.find("resizebox") == latex.npos);
    }
    void latex_gets_no_letter_that_stops_it() {
        QCOMPARE(latex_text("M\u00fcnchen \u65e5\u672c"), std::string("M\u00fcnchen ??"));
        QCOMPARE(latex_text("[1] *"), std::string("{[}1] {*}"));
    }

    // ---- Figures

    void the_work_plan_has_a_row_for_each_task_and_a_bar_as_long_as_it() {
        const ProposalInput in = input();
        const Proposal p = proposal_of(in);
        const std::vector<CampaignSpan> tasks = schedule_of(p.campaign);
        for (const ProposalFigure& f : not_empty(proposal_figures(in, p))) {
            if (f.id != "F07") continue;
            QCOMPARE(f.figure.series.size(), std::size_t(1));
            const Series& s = f.figure.series.front();
            QCOMPARE(f.figure.categories.size(), tasks.size());
            for (std::size_t i = 1; i < tasks.size(); ++i) QCOMPARE(s.low[i], s.high[i - 1]);
            for (const std::string& name : f.figure.categories) QVERIFY(name.find("Failures") == name.npos);
        }
    }
    void every_row_of_the_campaign_is_a_bar_of_its_hours() {
        const ProposalInput in = input();
        const Proposal p = proposal_of(in);
        for (const ProposalFigure& f : not_empty(proposal_figures(in, p)))
            if (f.id == "F05") {
                const std::vector<double>& y = f.figure.series.front().y;
                QCOMPARE(y.size(), p.campaign.rows.size());
                QVERIFY(within(std::accumulate(y.begin(), y.end(), 0.0), 100, 1e-9));
            }
    }

    // ---- Files of the user's runs

    void runs_are_read_from_csv_and_json_alike() {
        const auto csv = read_scaling_runs("nodes,step_ms,machine,date,job,scaling,gpu_utilisation\n"
                                           "8,1200,lumi,2026-11-03,99,weak,0.9\n");
        const auto json = read_scaling_runs(R"([{"nodes": 8, "step_s": 1.2, "machine": "lumi", "date": "2026-11-03",
                                                 "job": "99", "scaling": "weak", "gpu_utilisation": 0.9}])");
        QVERIFY(csv && json);
        QCOMPARE(scaling_runs_json(*csv), scaling_runs_json(*json));
        QCOMPARE(scaling_runs_json(*read_scaling_runs(scaling_runs_json(*csv))), scaling_runs_json(*csv));
    }

    void a_faulty_file_of_runs_says_where_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no nodes") << "step_s\n1\n" << "nodes and step_s";
        QTest::newRow("no step") << "nodes\n1\n" << "nodes and step_s";
        QTest::newRow("a step that is nothing") << "nodes,step_s\n8,0\n" << "step_s";
        QTest::newRow("a column that nobody knows") << "nodes,step_s,jbo\n8,1,2\n" << "jbo";
        QTest::newRow("no runs") << "nodes,step_s\n" << "no runs";
        QTest::newRow("JSON without nodes") << R"([{"step_s": 1}])" << "/0";
        QTest::newRow("JSON with a share above one") << R"([{"nodes": 1, "step_s": 1, "gpu_utilisation": 93}])"
                                                     << "/0/gpu_utilisation";
    }
    void a_faulty_file_of_runs_says_where() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto read = read_scaling_runs(text.toStdString(), "runs");
        QVERIFY(!read);
        const QString problem = QString::fromStdString(say(read.error()));
        QVERIFY2(problem.contains(says), qPrintable(problem));
    }
};

PLIMSOLL_TEST(tst_propose)
#include "tst_propose.moc"
