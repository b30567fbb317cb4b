// Fitting constants: synthetic runs give back the constants they were made
// with; where runs say nothing the prior stays; a source left out is predicted
// by the others; own runs become a preset that reads back.
#include "registered_test.h"

#include "core/evidence/fitting/fit.h"
#include "core/answers/plan/estimate.h"
#include "core/files/presets/preset_json.h"
#include "core/files/results/fit_recipe.h"
#include "core/values/basics/text.h"
#include "scenarios.h"
#include "near.h"
#include "shipped.h"

#include <cmath>
#include <random>
#include <set>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

const char* const ceiling = "machine.device.efficiency.gemm_ceiling";
const char* const host = "stack.host_layer_ms";

// The library of one machine and one stack that a laboratory would start with.
Machines own_machines() { return {{gpt3_on_selene().machine.id, gpt3_on_selene().machine}}; }
Stacks own_stacks() { return {{gpt3_on_selene().stack.id, gpt3_on_selene().stack}}; }

Constant freed(const char* knob, double prior = 0, double width = 0) {
    const bool stack = std::string(knob).starts_with("stack.");
    const auto c = constant_of(knob, {stack ? own_stacks().begin()->first : own_machines().begin()->first}, prior,
                               width, own_machines(), own_stacks());
    if (!c) qFatal("%s", c.error().c_str());
    return *c;
}

// Layouts from launch-bound to large products, one device to several nodes.
std::vector<Scenario> layouts() {
    std::vector<Scenario> all;
    for (const int tensor : {1, 2, 4, 8})
        for (const int micro_batch : {1, 2, 4})
            for (const int hidden : {1024, 4096, 8192}) {
                Scenario s = without_sources(gpt3_on_selene());
                s.model.layers = 8;
                s.model.hidden = hidden;
                s.model.heads = s.model.kv_heads = hidden / 128;
                s.model.head_dim = 128;
                s.model.ffn = 4 * hidden;
                s.layout.tensor_parallel = tensor;
                s.layout.pipeline_parallel = s.layout.virtual_stages = 1;
                s.layout.schedule = Schedule::one_f_one_b;
                s.layout.data_parallel = 2;
                s.layout.devices = 2 * tensor;
                s.layout.micro_batch = micro_batch;
                s.recipe.global_batch_sequences = 8 * micro_batch;
                all.push_back(s);
            }
    return all;
}

double seconds_of(const Scenario& s) {
    const Outcome o = estimate(s);
    if (!o) qFatal("a synthetic plan cannot be priced");
    return o->step.total() / second;
}

// What runs with these constants would have measured, with noise of a fixed seed.
std::vector<Observation> measured(const std::vector<std::pair<Constant, double>>& truth, double noise,
                                  const char* source = "own") {
    std::mt19937 random(20);
    std::normal_distribution<double> normal;
    std::vector<Observation> all;
    for (Scenario s : layouts()) {
        Scenario real = s;
        for (const auto& [constant, value] : truth) constant.knob->set(real, value);
        const std::string id = std::string(source) + "/" + std::to_string(all.size());
        all.push_back({id, source, Measured::time, MemoryFigure{}, s,
                       seconds_of(real) * std::exp(noise * normal(random))});
    }
    return all;
}

const FitRecipe& shipped_recipe() {
    static const FitRecipe recipe = [] {
        const auto read =
            read_fit_recipe(*read_text(library().fits.at("shipped")), library().machines, library().stacks, "shipped");
        if (!read) qFatal("%s", say(read.error()).c_str());
        return *read;
    }();
    return recipe;
}

// As 'plimsoll fit --recipe shipped' poses it.
FitProblem shipped_problem() {
    FitProblem p{observations_of(shipped_score(), shipped_recipe().dense_only), shipped_recipe().constants};
    take_held_back(p.observations, shipped_recipe().hold_back);
    return p;
}

// Of a family that nobody belongs to: its prior.
double shipped_value(const Constant& c) {
    if (c.owners.empty()) return c.prior;
    const std::string& owner = c.owners.front();
    if (c.of_stack()) return value_in(*c.knob, library().stacks.at(owner));
    return value_in(*c.knob, library().machines.at(owner));
}

// A family of the ceiling with no machine of its own, and a constant pooled with the first of a list.
Constant own_family(double width) {
    const auto c = family_constant(ceiling, "family", freed(ceiling).prior, width);
    if (!c) qFatal("%s", c.error().c_str());
    return *c;
}
Constant member(Constant c) {
    c.family = 0;
    return c;
}


}  // namespace

class FitTest : public QObject {
    Q_OBJECT

private slots:
    void known_constants_come_back_from_exact_runs() {
        const Constant a = freed(ceiling, 0, 1), b = freed(host, 0, 1);
        const double fast = 0.8 * a.prior, slow = 1.7 * b.prior;
        const Fit f = fit({measured({{a, fast}, {b, slow}}, 0), {a, b}, 0.01});
        QVERIFY(f.converged);
        QVERIFY2(off(f.constants[0].value, fast) < 2e-3, qPrintable(QString::number(f.constants[0].value)));
        QVERIFY2(off(f.constants[1].value, slow) < 2e-3, qPrintable(QString::number(f.constants[1].value)));
        for (const double e : f.errors) QVERIFY(std::abs(e) < 2e-3);
    }
    void noisy_runs_bracket_the_constants_they_were_made_with() {
        const Constant a = freed(ceiling, 0, 0.3), b = freed(host, 0, 0.5);
        const double fast = 0.85 * a.prior, slow = 1.4 * b.prior;
        const Fit f = fit({measured({{a, fast}, {b, slow}}, 0.04), {a, b}});
        QVERIFY(f.constants[0].low < fast && fast < f.constants[0].high);
        QVERIFY(f.constants[1].low < slow && slow < f.constants[1].high);
        QVERIFY(off(f.constants[0].value, fast) < 0.05 && off(f.constants[1].value, slow) < 0.10);
        QVERIFY(f.constants[0].determined > 0.9);
    }
    void a_run_that_went_wrong_hardly_moves_the_rest() {
        const Constant a = freed(ceiling, 0, 0.3);
        auto rows = measured({{a, 0.85 * a.prior}}, 0);
        const double without = fit({rows, {a}}).constants[0].value;
        rows.front().measured *= 3;
        const Fit f = fit({rows, {a}});
        QVERIFY(off(f.constants[0].value, without) < 0.02);
        QVERIFY(f.errors.front() < -0.5);
    }
    void where_runs_say_nothing_the_prior_stays() {
        const Constant a = freed(ceiling), idle = freed("stack.sharded_efficiency", 0.5);  // no plan shards anything
        const Fit f = fit({measured({{a, 0.9 * a.prior}}, 0.02), {a, idle}});
        QCOMPARE(f.constants[1].value, idle.prior);
        QVERIFY(f.constants[1].determined < 1e-9);
        QVERIFY(off(f.constants[1].low, idle.prior * std::exp(-2 * idle.width)) < 1e-6);
    }
    void a_narrow_prior_holds_against_few_runs() {
        const Constant wide = freed(ceiling, 0, 0.5), narrow = freed(ceiling, 0, 0.005);
        auto rows = measured({{wide, 0.7 * wide.prior}}, 0);
        rows.resize(1);
        QVERIFY(off(fit({rows, {narrow}}).constants[0].value, narrow.prior) < 0.02);
        QVERIFY(off(fit({rows, {wide}}).constants[0].value, wide.prior) > 0.15);
    }
    void a_large_source_does_not_outvote_a_small_one() {
        const Constant a = freed(ceiling, 0, 1);
        auto rows = measured({{a, 0.7 * a.prior}}, 0, "large");
        const auto others = measured({{a, 0.9 * a.prior}}, 0, "small");
        for (int copy = 0; copy < 20; ++copy) rows.insert(rows.end(), rows.begin(), rows.begin() + 36);
        rows.insert(rows.end(), others.begin(), others.begin() + 30);
        const double value = fit({rows, {a}}).constants[0].value;
        QVERIFY(value > 0.75 * a.prior && value < 0.87 * a.prior);
    }
    void the_same_rows_give_the_same_constants() {
        const FitProblem p{measured({{freed(ceiling), 0.6}}, 0.05), {freed(ceiling), freed(host)}};
        const Fit a = fit(p), b = fit(p);
        QCOMPARE(a.constants[0].value, b.constants[0].value);
        QCOMPARE(a.constants[1].low, b.constants[1].low);
        QCOMPARE(a.errors, b.errors);
    }
    void the_row_that_decides_pulls_hardest() {
        const Constant a = freed(ceiling, 0, 0.3);
        auto rows = measured({{a, 0.85 * a.prior}}, 0);
        rows.back().measured *= 1.25;
        QCOMPARE(fit({rows, {a}}).pulls.front().observation, rows.size() - 1);
    }

    void a_source_left_out_is_predicted_by_the_others() {
        const Constant a = freed(ceiling, 0, 1);
        auto rows = measured({{a, 0.8 * a.prior}}, 0, "one");
        const auto agrees = measured({{a, 0.8 * a.prior}}, 0, "two"),
                   differs = measured({{a, 0.6 * a.prior}}, 0, "three");
        rows.insert(rows.end(), agrees.begin(), agrees.end());
        FitProblem p{rows, {a}};
        for (const SourceError& e : fitted(p, LeaveOut::source).sources) QVERIFY(*e.left_out < 0.005);
        p.observations.insert(p.observations.end(), differs.begin(), differs.end());
        const FitReport r = fitted(p, LeaveOut::source);
        for (const SourceError& e : r.sources)
            if (e.source == "three") QVERIFY(*e.left_out > 0.05 && *e.left_out > e.fitted);
        QVERIFY(!fitted(p, LeaveOut::none).sources[0].left_out);
        QVERIFY(*median_error(r.sources, Measured::time, FitStage::before)
                > *median_error(r.sources, Measured::time, FitStage::fitted));
    }

    void sources_of_one_vendor_are_left_out_together() {
        const Constant a = freed(ceiling, 0, 1);
        std::vector<Observation> rows;
        for (const auto& [source, value] : {std::pair{"one", 0.8}, {"two", 0.8}, {"other", 0.6}}) {
            const auto more = measured({{a, value * a.prior}}, 0, source);
            rows.insert(rows.end(), more.begin(), more.end());
        }
        for (Observation& o : rows)
            if (o.source != "other") o.vendor = "maker";
        const auto of = [&](LeaveOut by, const std::string& source) {
            for (const SourceError& e : fitted({rows, {a}}, by).sources)
                if (e.source == source) return *e.left_out;
            return -1.0;
        };
        QVERIFY(of(LeaveOut::vendor, "one") > 2 * of(LeaveOut::source, "one"));
        QCOMPARE(of(LeaveOut::vendor, "one"), of(LeaveOut::vendor, "two"));
        QCOMPARE(of(LeaveOut::vendor, "other"), of(LeaveOut::source, "other"));   // without a vendor it is its own
    }
    void a_vendor_is_stated_by_its_key_alone() {
        std::set<std::string> of_nvidia;
        for (const PublishedRow& row : shipped_rows()) {
            QVERIFY2(row.vendor.empty() || row.vendor == lower_case(row.vendor), row.id.c_str());
            if (row.vendor == "nvidia") of_nvidia.insert(row.source);
        }
        for (const char* source : {"megatron-sc21", "nvidia-megatron-bridge", "nvidia-nemo-2407"})
            QVERIFY2(of_nvidia.contains(source), source);
        const auto row = [](const std::string& vendor) {
            return R"([{"id": "a/1", "source": {"title": "NVIDIA NeMo", "provenance": "verified")" + vendor + R"(},
                "model": {"name": "x", "arch": "gpt"}, "machine": {"device": "NVIDIA H100"},
                "layout": {"framework": "NeMo"}, "measured": {"mfu": 0.4}}])";
        };
        QCOMPARE(read_published_rows(row(""), "a")->front().vendor, std::string());
        QCOMPARE(read_published_rows(row(R"(, "vendor": "nvidia")"), "a")->front().vendor, std::string("nvidia"));
    }

    void own_runs_become_a_preset_that_reads_back() {
        const Constant a = freed(ceiling, 0, 0.5), b = freed(host, 0, 0.5),
                       net = freed("machine.network.node_efficiency");
        const FitProblem p{measured({{a, 0.85 * a.prior}, {b, 1.5 * b.prior}}, 0), {a, b, net}};
        const Overlay o = overlay(p, fit(p).constants, own_machines(), own_stacks());
        const auto machine = read_machine(write_machine(o.machines.begin()->second));
        const auto stack = read_stack(write_stack(o.stacks.begin()->second));
        QVERIFY(machine.has_value() && stack.has_value());
        QVERIFY(off(machine->machine.device.efficiency.gemm_ceiling, 0.85 * a.prior) < 0.01);
        QVERIFY(off(stack->stack.host.layer / millisecond, 1.5 * b.prior) < 0.02);
        QVERIFY(source_of(machine->machine.sources, "/device/efficiency/gemm_ceiling").text.find("own")
                != std::string::npos);
        QVERIFY(source_of(stack->stack.sources, "/host_layer_ms").kind == SourceKind::measured);
        QVERIFY(machine->machine.device.bandwidth == own_machines().begin()->second.device.bandwidth);
        // The runs are predicted by the presets that were read.
        for (const Observation& row : p.observations) {
            Scenario s = row.plan;
            s.machine = machine->machine;
            s.stack = stack->stack;
            QVERIFY(off(seconds_of(s), row.measured) < 0.02);
        }
    }

    void the_shipped_recipe_gives_the_shipped_constants() {
        const FitProblem p = shipped_problem();
        QVERIFY(p.constants.size() >= 10 && p.constants.size() < 200);
        const Fit f = fit(p);
        QVERIFY(f.converged);
        for (const FittedConstant& c : f.constants) {
            QVERIFY2(!c.at_limit, c.constant.id().c_str());
            QVERIFY2(c.constant.owners.empty() || off(c.value, shipped_value(c.constant)) < 0.05,
                     c.constant.id().c_str());
        }
    }
    // The file of left-out errors is what this fit makes: the headline rests on it.
    void a_source_left_out_has_the_errors_that_ship() {
        const char* const source = "korthikanti-2205-05198";
        Problems problems;
        const LeftOut shipped = shipped_left_out(library(), problems);
        QVERIFY(problems.empty());
        FitProblem p = shipped_problem();
        std::vector<double> start;
        for (const Constant& c : p.constants) start.push_back(shipped_value(c));
        std::erase_if(p.observations, [&](const Observation& o) { return o.source == source; });
        const Fit f = fit(p, start);
        int compared = 0;
        for (Observation o : shipped_problem().observations)
            for (const LeftOutRow& r : shipped.rows) {
                if (r.id != o.id || o.source != source || r.memory != (o.quantity == Measured::memory)) continue;
                for (const FittedConstant& c : f.constants)
                    if (o.moved_by(c.constant)) c.constant.knob->set(o.plan, c.value);
                QVERIFY2(std::abs(error_of(o) - r.left_out) < 0.01, r.id.c_str());
                ++compared;
            }
        QVERIFY(compared > 3);
    }
    void every_row_that_counts_is_left_out_once_or_held_back() {
        Problems problems;
        std::set<std::pair<std::string, bool>> known;
        for (const LeftOutRow& r : shipped_left_out(library(), problems).rows)
            QVERIFY2(known.insert({r.id, r.memory}).second, r.id.c_str());
        std::vector<Observation> all = observations_of(shipped_score());
        const std::vector<Observation> held = take_held_back(all, shipped_recipe().hold_back);
        QVERIFY(held.size() > 50);
        for (const Observation& o : all)
            QVERIFY2(known.contains({o.id, o.quantity == Measured::memory}), o.id.c_str());
        for (const Observation& o : held)
            QVERIFY2(!known.contains({o.id, o.quantity == Measured::memory}), o.id.c_str());
    }

    // ---- families

    void a_run_keeps_the_values_of_its_own() {
        const Constant c = freed(ceiling, 0, 1);
        auto rows = measured({{c, 0.6 * c.prior}}, 0);
        for (Observation& o : rows) o.own_knobs = {ceiling};
        const Fit untold = fit({rows, {c}});
        QCOMPARE(untold.constants[0].value, c.prior);
        QVERIFY(untold.constants[0].rows.empty());
        rows.back().own_knobs.clear();
        const Fit told = fit({rows, {c}});
        QVERIFY(told.constants[0].value < 0.7 * c.prior);
        QCOMPARE(int(told.constants[0].rows.size()), 1);
        QCOMPARE(told.errors.front(), untold.errors.front());
    }
    void a_constant_of_few_rows_follows_its_family() {
        const Constant parent = own_family(0.3), child = member(freed(ceiling, parent.prior, 0.05));
        auto rows = measured({{child, 0.8 * parent.prior}}, 0);
        rows.resize(1);
        // Another machine of the family, with many rows, all of them saying the same.
        Constant sibling = child;
        sibling.owners = {"sibling"};
        sibling.name = "sibling";
        for (Observation o : measured({{child, 0.6 * parent.prior}}, 0, "sibling")) {
            o.plan.machine.id = "sibling";
            rows.push_back(o);
        }
        const Fit f = fit({rows, {parent, child, sibling}, 0.05});
        QVERIFY(f.converged);
        const double family = f.constants[0].value, few = f.constants[1].value, many = f.constants[2].value;
        QVERIFY(off(many, 0.6 * parent.prior) < 0.03);
        QVERIFY(family < 0.85 * parent.prior && family >= many);    // it follows what its members show
        QVERIFY(few > many && few < 0.8 * parent.prior);            // one row against the family: in between
        const Fit alone = fit({rows, {freed(ceiling, parent.prior, 0.05)}, 0.05});
        QVERIFY(alone.constants[0].value > few);
    }
    void a_family_without_rows_leaves_its_members_at_the_prior() {
        const Constant parent = own_family(0.3), child = member(freed("stack.sharded_efficiency", 0.5, 0.1));
        Constant family = parent;
        family.knob = child.knob;
        family.prior = 0.5;
        const Fit f = fit({measured({}, 0), {family, child}});
        QCOMPARE(f.constants[1].value, 0.5);
        QVERIFY(f.constants[1].determined < 1e-9);
        // As uncertain as the family and the distance to it together.
        QVERIFY(off(f.constants[1].low, 0.5 * std::exp(-2 * std::hypot(0.3, 0.1))) < 1e-6);
    }
    void threads_do_not_change_a_fit() {
        const FitProblem p{measured({{freed(ceiling), 0.6}}, 0.05), {freed(ceiling), freed(host)}};
        QCOMPARE(fit(p, {}, 1).constants[0].value, fit(p, {}, 3).constants[0].value);
        QCOMPARE(fit(p, {}, 1).errors, fit(p, {}, 3).errors);
    }
    void mixtures_and_dense_models_of_a_source_are_told_apart() {
        auto rows = measured({}, 0);
        for (std::size_t i = 0; i < rows.size(); i += 2) rows[i].plan.model.experts.count = 8;
        for (Observation& o : rows) o.measured = 1;
        const FitReport r = fitted({rows, {freed(ceiling)}}, LeaveOut::none);
        QCOMPARE(int(r.sources.size()), 2);
        QVERIFY(r.sources[0].experts != r.sources[1].experts);
    }

    void machines_of_a_family_share_a_constant_unless_they_differ() {
        const auto shared = constant_of(ceiling, {"A100"}, 0, 0, library().machines, library().stacks);
        QVERIFY(shared.has_value() && shared->owners.size() > 10);
        const auto h100 = constant_of(ceiling, {"H100"}, 0, 0, library().machines, library().stacks);
        for (const std::string& owner : h100->owners)
            QCOMPARE(library().machines.at(owner).device.efficiency.gemm_ceiling, h100->prior);
        QVERIFY(!constant_of(ceiling, {"A100", "frontier"}, 0, 0, library().machines, library().stacks));   // differ
        QVERIFY(
            constant_of(ceiling, {"A100", "frontier"}, 0.6, 0, library().machines, library().stacks));  // unless told
        QVERIFY(!constant_of("machine.device.memory_GiB", {"A100"}, 0, 0, library().machines, library().stacks));
        QVERIFY(!constant_of(ceiling, {"nowhere"}, 0, 0, library().machines, library().stacks));
    }
    void a_word_frees_a_group_an_id_or_one_owner() {
        const std::vector<Scenario> plans{layouts().front()};
        const auto of = [&](const char* word) { return choose({word}, plans, own_machines(), own_stacks()); };
        QVERIFY(of("device")->size() > 5 && of("network")->size() == 4 && of("stack")->size() > 5);
        QCOMPARE(int(of(host)->size()), 1);
        QVERIFY(!of("happiness"));
        QCOMPARE(int(choose({"stack", host}, plans, own_machines(), own_stacks())->size()), int(of("stack")->size()));
    }
    void a_recipe_that_is_wrong_is_told_where() {
        const auto read = [](const std::string& constants) {
            return read_fit_recipe(
                R"({"schema": "plimsoll/fit", "version": 1, "id": "x", "constants": )" + constants + "}",
                library().machines, library().stacks, "x.json");
        };
        const auto good = read(
            R"([{"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "prior": 0.5, "width": 0.1, "reason": )"
            R"("timed"}])");
        QVERIFY(good.has_value() && good->constants.size() == 1);
        QCOMPARE(good->constants[0].prior, 0.5);
        QCOMPARE(good->constants[0].reason, std::string("timed"));
        const auto pooled = read(R"([{"knob": "stack.host_layer_ms", "name": "early", "prior": 0.5, "width": 0.3},)"
                                 R"({"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "pooled_with": "early",)"
                                 R"( "width": 0.1}])");
        QVERIFY(pooled.has_value() && pooled->constants[1].family == 0 && pooled->constants[1].prior == 0.5);
        QVERIFY(pooled->constants[0].owners.empty());
        const auto orphan = read(R"([{"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "pooled_with": "x"}])");
        QVERIFY(!orphan && orphan.error().front().pointer == "/constants/0/pooled_with");
        QVERIFY(!read(R"([{"knob": "stack.host_layer_ms", "name": "early"}])"));   // a family needs a prior
        QVERIFY(!read(R"([{"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "prior": 1},)"
                      R"({"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "prior": 2}])"));
        const std::string knob = R"({"knob": "machine.device.efficiency.gemm_ceiling", )";
        const auto apart = read("[" + knob + R"("of": ["A100"], "prior": 0.8}, )" + knob +
                                R"("of": ["selene"], "prior": 0.7}])");
        QVERIFY(apart.has_value());
        for (const std::string& owner : apart->constants[0].owners) QVERIFY(owner != "selene");
        const auto unknown = read(R"([{"knob": "stack.happiness", "of": ["deepspeed-3d"]}])");
        QVERIFY(!unknown && unknown.error().front().pointer == "/constants/0");
        QVERIFY(!read(R"([{"knob": "stack.host_layer_ms"}])"));
        QVERIFY(!read("3"));
    }
};

PLIMSOLL_TEST(FitTest)
#include "tst_fit.moc"
