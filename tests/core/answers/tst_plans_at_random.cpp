// What holds for any plan at all: half of the plans are random_plans.h's, half are shipped ones with knobs turned.
// PLIMSOLL_CAMPAIGN sets their number (campaign.h).
#include "core/answers/explain/explain.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/search/remedies.h"
#include "core/answers/plan/rules.h"
#include "core/costs/step/stage.h"

#include "campaign.h"
#include "random_plans.h"
#include "turned_plans.h"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// Each plan with the words that find it again.
void each_plan(int count, const std::function<void(const TurnedPlan&, int)>& look) {
    RandomPlans random;
    TurnedPlans turned;
    for (int i = 0; i < count; ++i)
        look(i % 2 ? turned.next() : TurnedPlan{"random plan " + std::to_string(i / 2), random.next()}, i);
}

// The worst case of every kind of finding, and how many there are: a campaign tells all of them at its end.
class Found {
public:
    void note(const std::string& kind, const std::string& where, double how_bad = 0) {
        Kind& k = kinds_[kind];
        if (k.times++ == 0 || how_bad > k.worst) k.worst = how_bad, k.where = where;
    }
    bool nothing() const {
        for (const auto& [kind, k] : kinds_)   // each in a line of its own: Qt Test cuts long messages
            qWarning("%d x %s (%g): %s", k.times, kind.c_str(), k.worst, k.where.c_str());
        return kinds_.empty();
    }

private:
    struct Kind { int times = 0; double worst = 0; std::string where; };
    std::map<std::string, Kind> kinds_;
};

using Told = std::function<void(const std::string&, double)>;

void numbers_of(const Estimate& e, const Told& tell) {
    for (const auto& part : step_parts) tell("step." + std::string(part.id), e.step.*part.value / second);
    for (const MemoryUse& stage : e.stages)
        for (const auto& part : memory_parts) tell("memory." + std::string(part.id), stage.*part.value / byte);
    for (const auto& part : energy_parts) tell("energy." + std::string(part.id), e.energy.*part.value / joule);
    for (const TierLedger* tier : {&e.host, &e.nvme}) {
        for (const auto& part : tier_parts) tell("tier." + std::string(part.id), tier->use.*part.value / byte);
        tell("tier.limit", tier->limit / byte);
        tell("tier.written", tier->written / byte);
        tell("tier.need.read", tier->need.read / (byte / second));
        tell("tier.need.write", tier->need.write / (byte / second));
    }
    tell("memory_limit", e.memory_limit / byte);
    tell("model_flop", e.model_flop / flop);
    tell("hardware_flop", e.hardware_flop / flop);
    tell("exchange_volume", e.exchange_volume / byte);
    tell("parameters", e.parameters);
}

// Wall time and what follows from it are infinite where failures leave no progress, which is said so.
void numbers_of(const Headline& h, const Told& tell) {
    tell("step", h.step / second);
    tell("per_device", h.per_device / (flop / second));
    tell("mfu", h.mfu);
    tell("hfu", h.hfu);
    tell("tokens_per_second", h.tokens_per_second / (token / second));
    tell("steps", h.steps);
    tell("run", h.run / second);
    tell("device_power", h.device_power / watt);
    tell("facility_power", h.facility_power / watt);
    tell("mtbf", h.resilience.mtbf / second);
    tell("checkpoint", h.resilience.checkpoint / second);
    tell("restart", h.resilience.restart / second);
    if (!h.resilience.makes_progress()) return;
    tell("wall", h.wall / second);
    tell("node_hours", h.node_hours);
    tell("device_hours", h.device_hours);
    tell("accounting_units", h.accounting_units);
    tell("device_energy", h.device_energy / joule);
    tell("facility_energy", h.facility_energy / joule);
    tell("failures", h.failures);
    tell("checkpoints", h.checkpoints);
}

bool of_wall_time(const std::string& id) {
    for (const char* part : {"run.", "total.", "training.", "resilience."})
        if (id.starts_with(part)) return true;
    return false;
}

// How much longer a step may take on hardware that is faster in one number. Two parts of the model are not monotonous:
// - Where the host sets the pace, both passes together are stretched by one factor, which a faster device does not
//   shorten. It moves time from one pass to the other and out of the weight gradients; a schedule that fills its bubble
//   with these, passes whose slowest stages differ, and a pass that waits for another tier then take a little longer
//   (weight_gradients_lose_their_share_of_a_pace_that_the_host_sets).
// - The share of activations that leaves is solved by its publication's rule: what the layer's computing hides and host
//   memory holds, to save device memory and not time (more_host_memory_takes_more_activations_in).
double most_slower(const Scenario& s, const Estimate& before) {
    if (s.layout.offload.swaps() && s.layout.offload.solve_share) return std::numeric_limits<double>::infinity();
    if (before.step.launch < 0.001 * before.step.total()) return 1e-3;
    return schedule_kind(s.layout.schedule).splits_backward ? 0.05 : 0.01;
}

struct Better {
    const char* name;
    void (*make)(Scenario&, double factor);
    bool memory = false;
};
void up_to_one(double& share, double factor) { share = std::max(share, std::min(1.0, share * factor)); }
const Better better_in[] = {
    {"peak of all formats", [](Scenario& s, double f) {
         Device& d = s.machine.device;
         d.fp32 *= f, d.tf32 *= f, d.fp16 *= f, d.bf16 *= f, d.fp8 *= f;
     }},
    {"peak of the recipe's format", [](Scenario& s, double f) {
         Device& d = s.machine.device;
         const Precision p = s.recipe.precision;
         (p == Precision::fp16 ? d.fp16 : p == Precision::fp32 ? d.fp32 : p == Precision::fp8 ? d.fp8 : d.bf16) *= f;
     }},
    {"memory bandwidth", [](Scenario& s, double f) { s.machine.device.bandwidth *= f; }},
    {"innermost network", [](Scenario& s, double f) { s.machine.levels.front().bandwidth *= f; }},
    {"outermost network", [](Scenario& s, double f) { s.machine.levels.back().bandwidth *= f; }},
    {"second network", [](Scenario& s, double f) {
         s.machine.levels[std::min<std::size_t>(1, s.machine.levels.size() - 1)].bandwidth *= f;
     }},
    {"link to the host", [](Scenario& s, double f) { s.machine.host.link *= f; }},
    {"memory bandwidth of the host", [](Scenario& s, double f) { s.machine.host.memory_bandwidth *= f; }},
    {"drives", [](Scenario& s, double f) { s.machine.host.nvme.read *= f, s.machine.host.nvme.write *= f; }},
    {"products", [](Scenario& s, double f) { up_to_one(s.machine.device.efficiency.gemm_ceiling, f); }},
    {"streams", [](Scenario& s, double f) { up_to_one(s.machine.device.efficiency.stream_fraction, f); }},
    {"attention forward", [](Scenario& s, double f) { up_to_one(s.machine.device.efficiency.flash_forward, f); }},
    {"attention backward", [](Scenario& s, double f) { up_to_one(s.machine.device.efficiency.flash_backward, f); }},
    {"latency outside", [](Scenario& s, double f) { s.machine.levels.back().latency /= f; }},
    {"device memory", [](Scenario& s, double f) { s.machine.device.memory *= f; }, true},
    {"host memory", [](Scenario& s, double f) { s.machine.host.memory *= f; }, true},
};

}  // namespace

class PlansAtRandomTest : public QObject {
    Q_OBJECT

private slots:
    void every_number_of_an_estimate_is_a_number() {
        Found found;
        int computed = 0, plans = 0;
        each_plan(campaign(4000), [&](const TurnedPlan& t, int) {
            ++plans;
            const Outcome o = estimate(t.plan);
            if (!o) {
                if (o.error().empty()) found.note("no answer and no obstacle", t.words);
                return;
            }
            ++computed;
            numbers_of(*o, [&](const std::string& what, double v) {
                if (!std::isfinite(v)) found.note(what + " is no finite number", t.words);
                if (v < -1e-9 * std::max(1.0, o->step.total() / second)) found.note(what + " is negative", t.words, -v);
            });
            numbers_of(headline(t.plan, *o), [&](const std::string& what, double v) {
                if (!std::isfinite(v)) found.note("headline: " + what + " is no finite number", t.words);
            });
        });
        QVERIFY(found.nothing());
        QVERIFY(computed > plans / 10);
        qInfo("%d plans, %d computed", plans, computed);
    }

    void an_obstacle_is_gone_when_its_value_is_set() {
        Found found;
        int tried = 0;
        each_plan(campaign(4000), [&](const TurnedPlan& t, int) {
            for (const Obstacle& o : check(t.plan)) {
                const Knob* knob = find_knob(o.knob);
                if (!knob) {
                    found.note("unknown knob " + o.knob, t.words);
                    continue;
                }
                for (const double v : o.valid) {
                    ++tried;
                    const std::string kind =
                        o.knob + " (reason " + std::to_string(int(o.reason)) + ", of " + o.of + ")";
                    const auto changed = with(t.plan, *knob, v);
                    if (!changed) {
                        found.note("beyond the knob's range: " + kind, t.words + " -> " + std::to_string(v));
                        continue;
                    }
                    for (const Obstacle& left : check(*changed))
                        if (left.reason == o.reason && left.knob == o.knob && left.of == o.of)
                            found.note("stays: " + kind, t.words + " -> " + std::to_string(v));
                }
            }
        });
        QVERIFY(found.nothing());
        qInfo("%d values tried", tried);
    }

    void faster_hardware_is_never_slower() {
        Found found;
        int tried = 0;
        each_plan(campaign(4000), [&](const TurnedPlan& t, int i) {
            const Outcome before = estimate(t.plan);
            if (!before || !(before->step.total() > Seconds{})) return;
            for (int k = 0; k < 4; ++k) {
                const Better& b = better_in[std::size_t(i / 2 * 4 + k) % std::size(better_in)];
                const double factor = std::array{1.05, 1.25, 2.0, 8.0}[std::size_t(i / 2 + k) % 4];
                Scenario better = t.plan;
                b.make(better, factor);
                const Outcome after = estimate(better);
                ++tried;
                const std::string with = std::string(" with ") + b.name + " x " + std::to_string(factor);
                if (!after) {
                    found.note(std::string("computable no more: ") + b.name, t.words + with);
                    continue;
                }
                const double worse = after->step.total() / before->step.total() - 1;
                if (worse > most_slower(t.plan, *before))
                    found.note(std::string("slower: ") + b.name + ", "
                                   + std::string(name_of(t.plan.layout.schedule)),
                               t.words + with, worse);
                if (b.memory && before->fits() && !after->fits())
                    found.note(std::string("fits no more: ") + b.name, t.words);
            }
        });
        qInfo("%d pairs", tried);
        QVERIFY(found.nothing());
    }

    void weight_gradients_lose_their_share_of_a_pace_that_the_host_sets() {
        Scenario s = gpt3_on_selene();
        s.model = small_gated();
        s.layout = {};
        s.layout.pipeline_parallel = s.layout.devices = 4;
        s.layout.data_parallel = s.layout.tensor_parallel = s.layout.micro_batch = 1;
        s.layout.schedule = Schedule::zb_h2;
        s.recipe.global_batch_sequences = 8;
        s.stack.host.layer = 5 * millisecond;
        Scenario faster = s;
        faster.machine.device.efficiency.gemm_ceiling = 1;
        const StageTime before = stage_times(s)[1], after = stage_times(faster)[1];
        QVERIFY(after.forward + after.backward <= before.forward + before.backward);
        QVERIFY(after.weight < before.weight);
        const double slower = estimate(faster)->step.total() / estimate(s)->step.total() - 1;
        QVERIFY2(slower > 1e-3 && slower < most_slower(s, *estimate(s)), qPrintable(QString::number(slower)));
        s.stack.host.layer = faster.stack.host.layer = {};
        QVERIFY(estimate(faster)->step.total() < estimate(s)->step.total());
    }

    void more_host_memory_takes_more_activations_in() {
        Scenario s = gpt3_on_selene();
        s.layout = {};
        s.layout.data_parallel = s.layout.devices = 16;
        s.layout.tensor_parallel = s.layout.pipeline_parallel = s.layout.micro_batch = s.layout.zero_stage = 1;
        s.layout.recompute = Recompute::none;
        s.recipe.optimizer = Optimizer::adam;
        s.recipe.global_batch_sequences = 32;
        s.layout.offload.optimizer = s.layout.offload.activations = Tier::host;
        s.layout.offload.solve_share = s.layout.offload.delayed_update = true;
        Scenario more = s;
        more.machine.host.memory *= 2;
        const Outcome before = estimate(s), after = estimate(more);
        QVERIFY(before && after);
        QVERIFY(after->worst().activations < before->worst().activations);
        QVERIFY(after->step.offload > before->step.offload && after->step.total() > before->step.total());
        s.layout.offload.solve_share = more.layout.offload.solve_share = false;
        QVERIFY(estimate(more)->step.total() <= estimate(s)->step.total());
    }

    // Power that nobody states took every product for ever.
    void a_device_whose_power_nobody_states_computes_at_its_rates() {
        Scenario s = gpt3_on_selene();
        s.machine.device.efficiency.reference_power = 500 * watt;
        s.machine.power.device_max = {};
        const Outcome o = estimate(s);
        s.machine.power.device_max = 500 * watt;
        QVERIFY(o && o->step.gemm == estimate(s)->step.gemm);
    }

    // Attention that saved a millisecond lengthened both waits by one: for the ring and for the shards.
    void what_attention_saves_is_not_waited_for_twice() {
        const auto& all = shipped_plans();
        const auto lumi =
            std::find_if(all.begin(), all.end(), [](const auto& p) { return p.first == "13b-lumi-fsdp"; });
        QVERIFY(lumi != all.end());
        const auto plan = with(lumi->second, *find_knob("layout.context_parallel"), 4);
        QVERIFY(plan.has_value());
        Scenario faster = *plan;
        faster.machine.device.efficiency.flash_backward *= 1.25;
        const Outcome before = estimate(*plan), after = estimate(faster);
        QVERIFY(before && after && before->step.shard_gather > Seconds{} && before->step.context_parallel > Seconds{});
        QVERIFY(after->step.total() <= before->step.total());
    }

    // With a stage's own passes to hide behind, a backward pass that saved no time but its share of the pace that the
    // host sets lengthened the wait for the gradients by 2 %.
    void where_the_host_sets_the_pace_faster_attention_lengthens_no_wait() {
        const auto& all = shipped_plans();
        const auto fsdp = std::find_if(all.begin(), all.end(),
                                       [](const auto& p) { return p.first == "llama2-7b-perlmutter-fsdp"; });
        QVERIFY(fsdp != all.end());
        Scenario plan = fsdp->second;
        plan.layout = {};
        plan.layout.devices = plan.layout.data_parallel = 64;
        plan.layout.recompute = Recompute::none;
        plan.layout.zero_stage = 0;
        plan.recipe.global_batch_sequences = 64;
        plan.stack.gradients.overlap = 1;
        plan.stack.host.layer = 20 * millisecond;
        for (Level& level : plan.machine.levels)
            if (level.devices > plan.machine.devices_per_node) level.bandwidth = 2 * gigabyte / second;
        QVERIFY(measured_attention(plan) != nullptr);
        Scenario faster = plan;
        faster.machine.device.efficiency.attention[std::size_t(called_kernel(plan))].backward *= 2;
        const Outcome before = estimate(plan), after = estimate(faster);
        QVERIFY(before && after);
        QVERIFY(after->step.attention < before->step.attention && before->step.launch > before->step.attention);
        QVERIFY(before->step.data_parallel > before->step.launch);
        QVERIFY(after->step.total() <= before->step.total());
    }

    void remedies_run_in_memory() {
        Found found;
        int offered = 0;
        each_plan(campaign(4000), [&](const TurnedPlan& t, int i) {
            if (i % 40 > 1) return;
            for (const Remedy& r : remedies(t.plan)) {
                ++offered;
                const Outcome o = estimate(r.scenario);
                if (!runs(o)) found.note("does not run", t.words + ": " + r.name);
                else if (!(*o == r.estimate)) found.note("is another estimate", t.words + ": " + r.name);
            }
        });
        qInfo("%d remedies", offered);
        QVERIFY(found.nothing());
        QVERIFY(offered > 0);
    }

    void a_plan_reads_as_it_was_written() {
        Found found;
        int written = 0, refused = 0;
        each_plan(campaign(4000), [&](const TurnedPlan& t, int i) {
            if (i % 8 > 1) return;
            const auto read = read_scenario(write_scenario(t.plan, library()), library(), "plan");
            ++written;
            if (!read) {
                ++refused;
                found.note("refused: " + say(read.error()), t.words);
            } else if (!(without_sources(read->scenario) == without_sources(t.plan))) {
                found.note("is another plan", t.words);
            } else if (!(estimate(read->scenario) == estimate(t.plan))) {
                found.note("is another estimate", t.words);
            }
        });
        qInfo("%d plans written", written);
        QVERIFY(found.nothing());
    }

    void an_explanation_sums_to_the_estimate() {
        Found found;
        const auto ids = explainable();
        int trees = 0;
        each_plan(campaign(4000), [&](const TurnedPlan& t, int i) {
            if (i % 20 > 1) return;
            const Outcome o = estimate(t.plan);
            if (!o) return;
            const Headline h = headline(t.plan, *o);
            std::map<std::string, double> told{{"step_seconds", o->step.total() / second},
                                               {"run.seconds", h.run / second},
                                               {"mfu", h.mfu},
                                               {"memory.worst_stage_bytes", o->worst().total() / byte},
                                               {"parameters", o->parameters}};
            for (const auto& part : step_parts)
                told["step." + std::string(part.id)] = o->step.*part.value / second;
            for (const std::string& id : ids) {
                const auto term = explain(t.plan, id);
                ++trees;
                if (!term) {
                    found.note("no explanation of " + id, t.words);
                    continue;
                }
                if (!std::isfinite(term->value) && !h.resilience.makes_progress() && of_wall_time(id)) continue;
                // What hosts add is the small difference of large times.
                const double large = id == "step.launch" ? o->step.total() / second : std::abs(term->value);
                const double tolerance = 1e-9 * large + 1e-12;
                if (!(std::abs(evaluate(*term) - term->value) <= tolerance))
                    found.note("the tree of " + id + " is not its number", t.words, evaluate(*term) - term->value);
                const auto number = told.find(id);
                if (number != told.end() && !(std::abs(number->second - term->value) <= tolerance))
                    found.note(id + " is not the estimate's", t.words, number->second - term->value);
            }
        });
        qInfo("%d trees", trees);
        QVERIFY(found.nothing());
    }
};

PLIMSOLL_TEST(PlansAtRandomTest)
#include "tst_plans_at_random.moc"
