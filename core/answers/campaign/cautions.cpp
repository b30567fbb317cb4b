#include "core/answers/campaign/cautions.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/plan/balance.h"
#include "core/answers/plan/by_kind.h"
#include "core/answers/plan/power_limit.h"
#include "core/answers/plan/price.h"

#include "core/values/basics/integers.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/rules.h"
#include "core/values/plan/placement.h"
#include "core/answers/plan/valid_values.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

class Cautioner {
public:
    Cautioner(const Scenario& s, Watts most_power) : s_(s), l_(s.layout), most_power_(most_power) {}

    std::vector<Caution> run() && {
        precision();
        masters();
        vocabulary();
        key_heads();
        nodes();
        idle_devices();
        stages();
        dear_layers();
        positions();
        memory();
        award();
        power();
        return std::move(found_);
    }

private:
    void add(const char* id, const char* knob, double found, std::string why, std::vector<double> better) {
        found_.push_back({id, knob, found, std::move(why), std::move(better)});
    }

    void precision() {
        if (s_.recipe.precision != Precision::fp16) return;
        const bool bf16 = s_.machine.device.bf16 > FlopRate{};
        add("fp16_needs_loss_scaling", "recipe.precision", double(Precision::fp16),
            phrase("gradients under 6e-8 vanish and sums over 65,504 overflow: scale the loss dynamically and expect "
                   "skipped steps"),
            bf16 ? std::vector<double>{double(Precision::bf16)} : std::vector<double>{});
    }

    // A weight of 8 significant bits rounds smaller changes away.
    void masters() {
        if (keeps_master_weights(s_.recipe)) return;
        add("no_master_weights", "recipe.bytes_per_parameter", named_state(s_.recipe.state_format),
            phrase("weights are kept in 16 bits alone, so small updates round to nothing (in bf16 those below 1/512 of "
                   "a weight) unless they are rounded at random or the rest is carried on"),
            {double(named_state(StateFormat::master_weights)), double(named_state(StateFormat::fp32_moments))});
    }

    // Shards of the head are multiples of 128 columns where the table is padded for it.
    void vocabulary() {
        const int t = l_.tensor_parallel, padded = padded_vocabulary(s_.model, t);
        if (padded % (128 * t) == 0) return;
        const int wanted = (s_.model.vocabulary + 128 * t - 1) / (128 * t) * 128 * t;
        add("vocabulary_not_padded", "model.vocabulary_padding", s_.model.vocabulary_padding,
            phrase("each rank's share of the head has {1} columns, no multiple of 128, and products of odd sizes are "
                   "slow; a table of {2} rows avoids it",
                   say_count(double(padded) / t), wanted),
            {128});
    }

    void key_heads() {
        const int t = l_.tensor_parallel, kv = s_.model.kv_heads;
        if (t <= kv || has_latent_attention(s_.model)) return;
        add("key_heads_are_copied", "layout.tensor_parallel", t,
            phrase("there are only {1} key and value heads, so each is held and computed by {2} ranks", kv, t / kv),
            nearest_divisors(kv, t));
    }

    void nodes() {
        if (l_.tensor_parallel == 1 || inside_node(s_)) return;
        const int per_node = s_.machine.devices_per_node;
        add("tensor_group_leaves_the_node", "layout.tensor_parallel", l_.tensor_parallel,
            phrase("a node has {1}, so the sums inside every layer cross the slower network",
                   numbered(per_node, "device", "devices")),
            nearest_divisors(per_node, l_.tensor_parallel, [this](int d) { return s_.model.heads % d == 0; }));
    }

    // Whole nodes are charged, whatever the plan uses of them.
    void idle_devices() {
        const long long idle = unused_devices(s_);
        const Outcome o = idle > 0 ? estimate(s_) : Unexpected{std::vector<Obstacle>{}};
        if (!o) return;
        const Totals t = totals(s_, headline(s_, *o));
        if (!t.ends()) return;
        const int per_node = s_.machine.devices_per_node;
        std::vector<double> better = valid_values(s_, *find_knob("layout.devices"));
        std::erase_if(better, [&](double n) { return std::fmod(n, per_node) != 0; });
        add("devices_stand_idle", "layout.devices", l_.devices,
            phrase("idle devices of its nodes are held and charged as well ({1} of {2}), {3} device-hours in all; "
                   "where devices are let singly (machine.accounting.by_device) it would be {4}",
                   say_count(double(idle)), say_count(double(idle + l_.devices)),
                   say_count(t.node_hours * per_node), say_count(t.device_hours)),
            better);
    }

    void stages() {
        const int p = l_.pipeline_parallel, m = micro_batches(s_);
        if (p > 1 && m < p && !schedule_kind(l_.schedule).steps_overlap)
            add("fewer_micro_batches_than_stages", "recipe.global_batch_sequences", s_.recipe.global_batch_sequences,
                phrase("{1} micro-batches cannot keep {2} stages busy", m, p),
                {double(p) * l_.data_parallel * l_.micro_batch, 4.0 * p * l_.data_parallel * l_.micro_batch});
        // A list may know why. Where layers differ, other splits than the even one go by what they cost.
        const bool by_count = l_.stages.empty() && (stage_split(s_) == StageSplit::even || !layers_differ(s_.model));
        if (s_.model.layers % p != 0 && by_count)
            add("uneven_stages", "layout.pipeline_parallel", p,
                phrase("{1} layers do not divide, so some stages hold one more and the others wait", s_.model.layers),
                nearest_divisors(s_.model.layers, p));
    }

    // Stages wait for the one that holds the dearer kinds. Named is the knob that shortens the step most without that,
    // and a list of stages that shortens it further.
    void dear_layers() {
        if (l_.pipeline_parallel == 1 || !layers_differ(s_.model)) return;
        const Work work(s_);
        const Priced priced = price(work);
        const auto slow = slow_stage(work, priced);
        if (!slow) return;
        const Outcome present = estimate(s_);
        if (!present) return;
        MoreEven best{find_knob(l_.stages.empty() ? "layout.stage_split" : "layout.pipeline_parallel"), {},
                      present->step.total()};
        for (const char* id : {"layout.stage_split", "layout.virtual_stages", "layout.pipeline_parallel"}) {
            MoreEven turned = more_even(*find_knob(id), *present);
            if (turned.step < best.step) best = std::move(turned);
        }
        const std::string why = phrase("stage {1} of {2} takes {3} % longer than the mean of the stages, which wait "
                                       "for it; {4} % are for the kinds it holds more of, {5}",
                                       slow->stage + 1, l_.pipeline_parallel, std::lround(100 * slow->longer),
                                       std::lround(100 * slow->of_kinds), say_dear(*slow, work.layers));
        add("dear_layers_on_one_stage", best.knob->id.c_str(), best.knob->get(s_),
            with_list(why, even_list(work, priced), *present, best.step), std::move(best.values));
    }

    // Values of a knob with which no stage is waited for and the step is shorter, the shortest of them.
    struct MoreEven {
        const Knob* knob;
        std::vector<double> values;
        Seconds step;
    };
    static Seconds less(Seconds step) { return 0.99 * step; }   // by too little to say

    MoreEven more_even(const Knob& knob, const Estimate& present) const {
        MoreEven found{&knob, {}, present.step.total()};
        const double now = knob.get(s_);
        std::vector<double> values = valid_values(s_, knob);
        std::erase_if(values, [&](double v) {
            if (knob.id == "layout.stage_split") return v == now || StageSplit(int(v)) != StageSplit::min_max;
            return knob.id == "layout.virtual_stages" ? v <= now : v >= now;
        });
        std::ranges::sort(values, {}, [&](double v) { return std::abs(v - now); });
        if (values.size() > most_tried) values.resize(most_tried);
        for (const double value : values) {
            const auto turned = with(s_, knob, value);
            const Outcome o = turned ? estimate(*turned) : Unexpected{std::vector<Obstacle>{}};
            if (!o || (present.fits() && !o->fits()) || o->step.total() >= less(present.step.total())) continue;
            const Work work(*turned);
            if (slow_stage(work, price(work))) continue;
            found.values.push_back(value);
            found.step = min(found.step, o->step.total());
        }
        return found;
    }
    static constexpr std::size_t most_tried = 4;

    static std::string say_dear(const SlowStage& slow, const Layers& layers) {
        std::string text;
        for (const DearLayers& d : slow.holds) {
            const std::string kind = kind_in_words(layers[d.kind]);
            const char letter = layers[d.kind].letter;
            const std::string name =
                letter == 0 ? phrase("layers of {1}", kind) : phrase("layers {1} ({2})", std::string(1, letter), kind);
            const std::string one = phrase("{1}: {2}, in the mean {3}", name, d.layers, significant(d.mean, 3));
            text = text.empty() ? one : phrase("{1}, and {2}", text, one);
        }
        return text;
    }

    std::string with_list(const std::string& why, const StageList& list, const Estimate& present, Seconds best) const {
        Scenario listed = s_;
        listed.layout.stages = list;
        listed.layout.stage_split = StageSplit::even;
        const Outcome o = estimate(listed);
        if (!o || (present.fits() && !o->fits()) || o->step.total() >= less(best)) return why;
        return phrase("{1}; with the stages listed as {2} a step takes {3} % less", why, text_of(list),
                      std::lround(100 * (1 - o->step.total() / present.step.total())));
    }

    void positions() {
        const int rows = s_.model.position_rows, length = s_.recipe.sequence_length;
        if (rows == 0 || length <= rows) return;
        add("sequence_beyond_the_position_table", "recipe.sequence_length", length,
            phrase("the model has learned positions for {1} tokens; longer sequences need a longer table", rows),
            {double(rows)});
    }

    void memory() {
        if (s_.stack.stalls.above <= 0) return;   // the estimate is for this alone
        const Outcome o = estimate(s_);
        if (!runs(o)) return;
        if (const std::string why = stall_of(s_, o->worst().total() / o->memory_limit); !why.empty()) {
            const bool stages = l_.pipeline_parallel > 1;
            if (stages) add("pipeline_stalls", "layout.pipeline_parallel", l_.pipeline_parallel, why, {});
            else add("micro_batches_stall", "layout.micro_batch", l_.micro_batch, why, {});
        }
    }

    // More nodes end earlier: the smallest valid number of them within a year.
    void award() {
        const Outcome o = estimate(s_);
        if (!o || !lasts_longer_than_an_award(s_, *o)) return;
        const Knob& nodes = *find_knob("nodes");
        std::vector<double> better;
        for (const double n : valid_values(s_, nodes)) {
            const auto more = n > o->nodes && better.empty() ? with(s_, nodes, n) : Unexpected{Obstacle{}};
            if (!more) continue;
            if (const Outcome there = estimate(*more); runs(there) && !lasts_longer_than_an_award(*more, *there))
                better = {n};
        }
        add("longer_than_an_award", "nodes", o->nodes,
            phrase("the run takes {1}; programmes rarely award time for more than a year, so this would take several "
                   "awards",
                   say(totals(s_, headline(s_, *o), Counting::all).time)),
            better);
    }

    // Fewer nodes draw less: the largest valid number of them within the limit.
    void power() {
        if (!(most_power_ > Watts{})) return;   // no limit: nothing to estimate for
        const Outcome o = estimate(s_);
        if (!o || !draws_more(*o, most_power_)) return;
        const Knob& nodes = *find_knob("nodes");
        const std::vector<double> counts = valid_values(s_, nodes);
        std::vector<double> better;
        for (auto n = counts.rbegin(); n != counts.rend() && better.empty(); ++n) {
            const auto fewer = *n < o->nodes ? with(s_, nodes, *n) : Unexpected{Obstacle{}};
            if (!fewer) continue;
            if (const Outcome there = estimate(*fewer); there && !draws_more(*there, most_power_)) better = {*n};
        }
        add("more_power_than_allowed", "nodes", o->nodes, say_over_power(*o, most_power_), better);
    }

    const Scenario& s_;
    const Layout& l_;
    const Watts most_power_;
    std::vector<Caution> found_;
};

}  // namespace

bool lasts_longer_than_an_award(const Scenario& s, const Estimate& e) {
    const Totals all = totals(s, headline(s, e), Counting::all);
    return all.ends() && all.time > 366 * day;
}

std::vector<Caution> cautions(const Scenario& s, Watts most_power) {
    if (!check(s).empty()) return {};
    return Cautioner(s, most_power).run();
}

namespace {

// The residual stream of a micro-batch, which tensor ranks gather before products.
Bytes gathered_at_once(const Scenario& s) {
    const double tokens = double(s.layout.micro_batch) * s.recipe.sequence_length / s.layout.context_parallel;
    if (s.layout.tensor_parallel == 1) return {};
    return activation_bytes(s.recipe.precision) * tokens * s.model.hidden * byte;
}

enum class Stall { none, memory, gathered, tensor, replicas };
Stall stall_kind(const Scenario& s, double memory_share) {
    const Layout& l = s.layout;
    const Stalls& k = s.stack.stalls;
    if (k.above <= 0) return Stall::none;
    if (memory_share > k.above) return Stall::memory;
    if (l.pipeline_parallel == 1)
        return k.gathered > Bytes{} && gathered_at_once(s) >= k.gathered ? Stall::gathered : Stall::none;
    if (l.tensor_parallel >= k.tensor_ranks) return Stall::tensor;
    const bool some = l.data_parallel > 1 && l.data_parallel < k.replicas;
    return l.zero_stage == 0 && some && l.devices > s.machine.devices_per_node ? Stall::replicas : Stall::none;
}

}  // namespace

bool may_stall(const Scenario& s, double memory_share) { return stall_kind(s, memory_share) != Stall::none; }

std::string stall_of(const Scenario& s, double memory_share) {
    const Stalls& k = s.stack.stalls;
    switch (stall_kind(s, memory_share)) {
        case Stall::none: return {};
        case Stall::memory:
            return phrase("above {1} % of the memory this software's allocator gives memory back and asks again, which "
                          "held up every micro-batch of such runs by {2}",
                          int(std::lround(100 * k.above)), say(k.time));
        case Stall::gathered:
            return phrase("most runs of this software whose tensor ranks gather {1} MB at once and more were held up "
                          "in every micro-batch",
                          say_count(k.gathered / megabyte));
        case Stall::tensor:
            return phrase("most runs of this software with {1} tensor ranks or more and a pipeline lost {2} in every "
                          "micro-batch",
                          k.tensor_ranks, say(k.time));
        case Stall::replicas: break;
    }
    return phrase("most runs of this software with a pipeline, fewer than {1} replicas across nodes and no ZeRO lost "
                  "{2} in every micro-batch",
                  k.replicas, say(k.time));
}

std::string say(const Caution& c) {
    const Knob* knob = find_knob(c.knob);
    const std::string what = knob ? say_edit(*knob, c.found) : c.knob;
    if (!knob || c.better.empty()) return phrase("{1}: {2}.", what, c.why);
    std::string better;
    for (const double value : c.better) better += (better.empty() ? "" : ", ") + format_value(*knob, value);
    return phrase("{1}: {2}. Better: {3}.", what, c.why, better);
}

}  // namespace plimsoll
