// What has to hold before a job starts, one row per cause of failure that a study
// of 308 bugs of distributed training frameworks found (arXiv 2506.10426): each
// stands as an obstacle or a caution, with values that work.
#include "registered_test.h"

#include "core/values/knobs/wording.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/remedies.h"
#include "core/answers/search/space.h"
#include "core/costs/step/stage.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/share.h"
#include "random_plans.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr const char* dear_layers = "dear_layers_on_one_stage";

const Caution* find(const std::vector<Caution>& all, std::string_view id) {
    const auto at = std::ranges::find(all, id, &Caution::id);
    return at == all.end() ? nullptr : &*at;
}

// GPT-3 whose layers a have no feed-forward block, in this order.
Scenario gpt3_of_two_kinds(const std::string& pattern) {
    Scenario s = gpt3_on_selene();
    s.recipe.precision = Precision::bf16;
    s.model.kinds = {{.letter = 'a', .feed = Feed::none}, {.letter = 'A'}};
    s.model.pattern = pattern;
    return s;
}

Scenario shipped_model(const std::string& id, int stages, int sequence) {
    Scenario s = gpt3_on_selene();
    s.recipe.precision = Precision::bf16;
    s.model = library().models.at(id);
    s.layout.tensor_parallel = 1;
    s.layout.pipeline_parallel = stages;
    s.layout.data_parallel = 8;
    s.layout.devices = 8 * stages;
    s.stack.kernels.attention = Attention::flash;
    s.recipe.sequence_length = sequence;
    s.recipe.global_batch_sequences = 32 * stages;
    return s;
}

// How much longer the longest stage is than their mean.
double spread(const Scenario& s) {
    double sum = 0, longest = 0;
    const auto stages = stage_times(s);
    for (const StageTime& t : stages) {
        const double both = (t.forward + t.backward) / second;
        sum += both;
        longest = std::max(longest, both);
    }
    return longest * double(stages.size()) / sum - 1;
}

}  // namespace

class PreconditionsTest : public QObject {
    Q_OBJECT

private slots:
    void obstacles_offer_values_that_work_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        const auto row = [](const char* name, const char* knob, auto change) {
            Scenario s = gpt3_on_selene();
            change(s);
            QTest::newRow(name) << s << QString(knob);
        };
        row("heads over tensor ranks, a % t", "layout.tensor_parallel", [](Scenario& s) {
            s.layout.tensor_parallel = 16;
            s.model.heads = s.model.kv_heads = 24;
            s.layout.data_parallel = 8;
        });
        row("feed-forward width over tensor ranks, f % t", "layout.tensor_parallel",
            [](Scenario& s) { s.model.ffn = 49153; });
        row("layers over stages and chunks, L % (p v)", "layout.virtual_stages", [](Scenario& s) {
            s.layout.schedule = Schedule::interleaved;
            s.layout.virtual_stages = 5;
        });
        row("batch over replicas, B % (d b)", "recipe.global_batch_sequences",
            [](Scenario& s) { s.recipe.global_batch_sequences = 1000; });
        row("micro-batches over stages, m % p", "recipe.global_batch_sequences", [](Scenario& s) {
            s.layout.schedule = Schedule::interleaved;
            s.layout.virtual_stages = 3;
            s.recipe.global_batch_sequences = 16 * 12;
        });
        row("ZeRO-2 with a pipeline", "layout.zero_stage", [](Scenario& s) { s.layout.zero_stage = 2; });
        row("a number format the device lacks", "recipe.precision",
            [](Scenario& s) { s.recipe.precision = Precision::fp8; });
        row("fp8 where what stays in 16 bits has no peak", "recipe.precision", [](Scenario& s) {
            s.machine.device.fp8 = 600 * teraflop / second;
            s.machine.device.bf16 = {};
            s.recipe.precision = Precision::fp8;
        });
        row("tokens over sequence-parallel ranks, s % t", "recipe.sequence_length", [](Scenario& s) {
            s.layout.sequence_parallel = true;
            s.recipe.sequence_length = 2047;
        });
        row("more devices than the machine has", "layout.devices", [](Scenario& s) {
            s.layout.data_parallel = 128;
            s.layout.devices = 8192;
            s.recipe.global_batch_sequences = 1024;
        });
    }
    void obstacles_offer_values_that_work() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        const std::vector<Obstacle> obstacles = check(plan);
        const auto at = std::find_if(obstacles.begin(), obstacles.end(),
                                     [&](const Obstacle& o) { return QString::fromStdString(o.knob) == knob; });
        QVERIFY(at != obstacles.end());
        QVERIFY2(!at->valid.empty(), say(*at).c_str());
        for (double v : at->valid) {
            const auto turned = with(plan, *find_knob(at->knob), v);
            QVERIFY(turned.has_value());
            for (const Obstacle& left : check(*turned))
                QVERIFY2(!(left.reason == at->reason && left.knob == at->knob && left.of == at->of), say(left).c_str());
        }
    }

    // A search asks for the obstacles of a pipeline once, and for those of the choices inside once for all pipelines
    // with the same facts.
    void rules_of_a_pipeline_look_at_no_choice_inside_it() {
        RandomPlans plans;
        int refused = 0, refused_inside = 0;
        for (int i = 0; i < 3000; ++i) {
            Scenario s = plans.next();
            s.layout = Layouts::with(s.layout, inner_of(s.layout));   // shares states among all that hold the same
            const std::vector<Obstacle> pipeline = check_pipeline(s),
                                        inside = check_inner(s, inner_facts(s), inner_of(s.layout));
            std::vector<Obstacle> both = pipeline;
            both.insert(both.end(), inside.begin(), inside.end());
            const std::vector<Obstacle> all = check(s);
            const bool out_of_range = !pipeline.empty() && pipeline.front().reason == Reason::out_of_range;
            QVERIFY(all == both || (out_of_range && all == pipeline));   // nothing else is asked of such values
            refused += !pipeline.empty();
            refused_inside += !inside.empty();
            Scenario other = s;
            other.layout = Layouts::with(s.layout, Inner{});
            QVERIFY(check_pipeline(other) == pipeline);
            QVERIFY(inner_facts(other) == inner_facts(s));
        }
        QVERIFY(refused > 100 && refused < 2900);
        QVERIFY(refused_inside > 100 && refused_inside < 2900);
    }

    void memory_that_does_not_suffice_has_remedies() {
        QVERIFY(!runs(estimate(too_big_for_memory())));
        QVERIFY(!remedies(too_big_for_memory()).empty());
    }

    void cautions_name_the_cause_and_better_values_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("id");
        const auto row = [](const char* name, const char* id, auto change) {
            Scenario s = gpt3_on_selene();
            s.recipe.precision = Precision::bf16;
            change(s);
            QTest::newRow(name) << s << QString(id);
        };
        row("fp16 without a word on loss scaling", "fp16_needs_loss_scaling",
            [](Scenario& s) { s.recipe.precision = Precision::fp16; });
        row("16-bit states without master weights", "no_master_weights",
            [](Scenario& s) { s.recipe.state_format = StateFormat::all_16bit; });
        row("devices of the last node that stand idle", "devices_stand_idle", [](Scenario& s) {
            s.layout.pipeline_parallel = 12;
            s.layout.data_parallel = 1;
            s.layout.devices = 96;
            s.machine.devices_per_node = 64;
            s.machine.levels[0].devices = 64;   // one node and a half
            s.recipe.tokens = 1e9;
        });
        row("a vocabulary that is not padded to 128 t", "vocabulary_not_padded",
            [](Scenario& s) { s.model.vocabulary_padding = 1; });
        row("fewer key heads than tensor ranks", "key_heads_are_copied", [](Scenario& s) { s.model.kv_heads = 4; });
        row("tensor ranks on two nodes", "tensor_group_leaves_the_node", [](Scenario& s) {
            s.layout.tensor_parallel = 16;
            s.layout.data_parallel = 8;
        });
        row("fewer micro-batches than stages", "fewer_micro_batches_than_stages",
            [](Scenario& s) { s.recipe.global_batch_sequences = 64; });
        row("layers that do not divide over the stages", "uneven_stages", [](Scenario& s) {
            s.layout.pipeline_parallel = 10;
            s.layout.devices = 1280;
        });
        row("sequences longer than the position table", "sequence_beyond_the_position_table",
            [](Scenario& s) { s.recipe.sequence_length = 4096; });
    }
    void cautions_name_the_cause_and_better_values() {
        QFETCH(Scenario, plan);
        QFETCH(QString, id);
        const std::vector<Caution> found = cautions(plan);
        QCOMPARE(found.size(), 1u);
        QCOMPARE(QString::fromStdString(found[0].id), id);
        QVERIFY2(say(found[0]).find("Better: ") != std::string::npos, say(found[0]).c_str());
        const Knob* knob = find_knob(found[0].knob);
        QVERIFY(knob && !found[0].better.empty());
        for (double v : found[0].better) {
            Scenario turned = plan;
            knob->set(turned, v);
            for (const Caution& left : cautions(turned))
                QVERIFY2(QString::fromStdString(left.id) != id, say(left).c_str());
        }
    }

    void a_stage_that_holds_the_dearer_kinds_is_named_with_splits_that_help() {
        const Scenario s = gpt3_of_two_kinds(std::string(48, 'a') + std::string(48, 'A'));
        const auto found = cautions(s);
        const Caution* c = find(found, dear_layers);
        QVERIFY(c != nullptr);
        const std::string longer = std::to_string(std::lround(100 * spread(s)));
        QVERIFY2(c->why.starts_with("stage 8 of 8 takes " + longer + " % longer than the mean of the stages"),
                 c->why.c_str());
        QVERIFY2(c->why.find("layers A (attention, with a dense block): 12, in the mean 6") != std::string::npos,
                 c->why.c_str());
        QVERIFY(!c->better.empty());
        const auto present = estimate(s);
        for (const double value : c->better) {
            const auto turned = with(s, *find_knob(c->knob), value);
            QVERIFY(turned.has_value());
            QVERIFY(find(cautions(*turned), dear_layers) == nullptr);
            const auto o = estimate(*turned);
            QVERIFY(o && present && o->step.total() < present->step.total());
        }
        Scenario split = s;
        split.layout.stage_split = StageSplit::min_max;
        QVERIFY(spread(split) < spread(s) / 2);
    }
    void a_list_that_shortens_the_step_further_is_written_out() {
        Scenario s = gpt3_of_two_kinds(std::string(48, 'a') + std::string(48, 'A'));
        s.layout.virtual_stages = 2;
        s.layout.schedule = Schedule::interleaved;
        s.recipe.sequence_length = 8192;
        s.model.pattern = "aaaaaaAAAAAA";
        const auto found = cautions(s);
        const Caution* c = find(found, dear_layers);
        QVERIFY(c != nullptr);
        const std::string before = "; with the stages listed as ";
        const auto at = c->why.find(before);
        QVERIFY2(at != std::string::npos, c->why.c_str());
        const auto begin = at + before.size();
        const auto list = read_stage_list(c->why.substr(begin, c->why.find(' ', begin) - begin));
        QVERIFY(list.has_value());
        Scenario listed = s;
        listed.layout.stages = *list;
        const auto now = estimate(s), then = estimate(listed);
        QVERIFY(now && then && then->step.total() < 0.99 * now->step.total());
    }
    void stages_within_a_few_per_cent_are_not_remarked_on() {
        int quiet = 0;
        for (const char* id : {"nemotron-3-nano-30b-a3b", "qwen3-next-80b-a3b", "gpt-oss-120b", "olmo3-32b",
                               "deepseek-v3", "granite-4.0-h-small", "llama3-70b"})
            for (const int stages : {2, 4, 6}) {
                const Scenario s = shipped_model(id, stages, 4096);
                if (!check(s).empty() || spread(s) > 0.05) continue;
                QVERIFY2(find(cautions(s), dear_layers) == nullptr, id);
                ++quiet;
            }
        QVERIFY(quiet >= 5);
        Scenario heavy_head = gpt3_on_selene();
        heavy_head.model.vocabulary = 1000000;
        QVERIFY(spread(heavy_head) > 0.1 && find(cautions(heavy_head), dear_layers) == nullptr);
    }
    void a_stage_of_more_layers_without_a_window_is_named_at_long_sequences() {
        const auto found_at = [](int sequence) { return cautions(shipped_model("gpt-oss-120b", 12, sequence)); };
        QVERIFY(find(found_at(4096), dear_layers) == nullptr);
        const auto found = found_at(131072);
        const Caution* c = find(found, dear_layers);
        QVERIFY(c != nullptr);
        QVERIFY2(c->why.find("layers of attention, with experts: 2, in the mean 1.5") != std::string::npos,
                 c->why.c_str());
    }

    void a_sound_plan_has_none() {
        Scenario s = gpt3_on_selene();
        s.recipe.precision = Precision::bf16;
        QVERIFY(cautions(s).empty());
        s.layout.tensor_parallel = 7;
        QVERIFY(cautions(s).empty());  // obstacles come first
    }

    void layers_need_not_divide_where_the_stages_are_listed() {
        Scenario s = gpt3_on_selene();
        s.recipe.precision = Precision::bf16;
        s.layout.pipeline_parallel = 10;
        s.layout.devices = 1280;
        QCOMPARE(cautions(s).size(), 1u);
        s.layout.stages = StageList({9, 10, 10, 10, 10, 10, 10, 10, 9, 8}, 0, 9);
        QVERIFY(check(s).empty());
        QVERIFY(cautions(s).empty());
    }
};

PLIMSOLL_TEST(PreconditionsTest)
#include "tst_preconditions.moc"
