// The search of all layouts against estimate() of each, written out.
#include "registered_test.h"

#include "core/answers/search/envelope.h"
#include "core/answers/search/ranking.h"
#include "core/answers/search/search.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/search/winner.h"
#include "core/answers/search/wording.h"
#include "random_plans.h"
#include "core/files/results/track_record.h"
#include "core/values/knobs/knobs.h"
#include "shipped.h"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

template <class T>
std::vector<T> some(std::vector<T> all, std::mt19937& random) {
    std::vector<T> kept;
    for (const T v : all)
        if (random() % 2) kept.push_back(v);
    if (kept.empty()) kept.push_back(all[random() % all.size()]);
    return kept;
}

// A few values of every axis.
Space random_space(std::mt19937& random) {
    Space s = full_space();
    s.name = "random";
    s.tensor_parallel = some<int>({1, 2, 4, 8, 16}, random);
    s.pipeline_parallel = some<int>({1, 2, 4, 8, 12}, random);
    s.context_parallel = random() % 2 ? std::vector{1} : some<int>({1, 2, 4}, random);
    s.micro_batch = some<int>({1, 2, 4}, random);
    s.virtual_stages = some<int>({1, 2, 3}, random);
    s.tensor_modes = some(s.tensor_modes, random);
    s.schedules = some(s.schedules, random);
    s.recompute = some(s.recompute, random);
    s.zero_stages = some(s.zero_stages, random);
    s.offload = some(s.offload, random);
    s.even_stages = random() % 2;
    s.recompute_counts = random() % 4 == 0;
    s.module_lists = random() % 2;
    s.sent_lists = random() % 2;
    return s;
}

// Some have room and some do not.
Scenario searched(Scenario s, int i) {
    if (i % 3 == 0) s.machine.device.memory = 24 * gibibyte;
    if (i % 3 == 1) s.machine.device.memory = 400 * gibibyte;
    if (i % 4 > 0) s.compression = {};
    return s;
}

Scenario of_devices(Scenario s, int devices) {
    s.layout.devices = devices;
    s.machine.nodes = devices;
    return s;
}

std::string said(const Candidate& c) {
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, ": %.17g s, %.17g J, %.17g B", c.step / second, c.energy / joule,
                  c.memory / byte);
    return say_layout(c.layout) + numbers;
}

std::string difference(const SearchResult& a, const SearchResult& b) {
    if (a == b) return "";
    std::string text;
    const auto say = [&](const char* what, auto x, auto y) {
        if (x != y) text += std::string(what) + " " + std::to_string(x) + " against " + std::to_string(y) + "; ";
    };
    say("count", a.count, b.count);
    say("feasible", a.feasible, b.feasible);
    say("fits", a.fits, b.fits);
    say("tight", a.tight, b.tight);
    say("top", a.top == b.top, true);
    say("front", a.front == b.front, true);
    say("splits", a.splits == b.splits, true);
    say("near misses", a.near_misses == b.near_misses, true);
    say("exclusions", a.exclusions == b.exclusions, true);
    for (std::size_t i = 0; i < std::min(a.top.size(), b.top.size()); ++i)
        if (a.top[i] != b.top[i]) return text + said(a.top[i]) + " against " + said(b.top[i]);
    for (std::size_t i = 0; i < std::min(a.splits.size(), b.splits.size()); ++i)
        if (a.splits[i] != b.splits[i])
            return text + std::to_string(a.splits[i].tensor_parallel) + " x "
                 + std::to_string(a.splits[i].pipeline_parallel) + ": " + std::to_string(a.splits[i].feasible) + "/"
                 + std::to_string(a.splits[i].fits) + " against " + std::to_string(b.splits[i].feasible) + "/"
                 + std::to_string(b.splits[i].fits);
    return text;
}

}  // namespace

class SearchTest : public QObject {
    Q_OBJECT

private slots:
    void it_finds_what_pricing_every_layout_finds_to_the_last_bit() {
        std::mt19937 random(11);
        int with_fits = 0, without = 0;
        const std::vector<Scenario> plans = random_plans(drawn(600));
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const Scenario s = searched(plans[i], int(i));
            const Space space = random_space(random);
            SearchOptions options;
            options.objective = Objective(i % 5);
            options.limit = int(i % 4) * 5;
            options.headroom = {i % 3 * 0.15, i % 5 == 1 ? 1.2 : 1};
            options.with_plan = i % 2;
            const SearchResult fast = search(s, space, options), slow = search_plainly(s, space, options);
            QVERIFY2(fast == slow, (std::to_string(i) + ": " + difference(fast, slow)).c_str());
            ++(fast.fits > 0 ? with_fits : without);
        }
        QVERIFY(with_fits > drawn(30) && without > drawn(10));
    }

    void it_finds_it_for_shipped_plans_data() {
        QTest::addColumn<QString>("id");
        for (const char* id : {"gpt-neox-20b-a100", "opt-30b-zero-bubble", "llama3-8b-alps", "gpt2-124m-laptop"})
            QTest::newRow(id) << id;
    }
    void it_finds_it_for_shipped_plans() {
        QFETCH(QString, id);
        const Scenario s = shipped_plan(id.toStdString());
        const SearchResult fast = search(s, common_space()), slow = search_plainly(s, common_space());
        QVERIFY2(fast == slow, difference(fast, slow).c_str());
        QVERIFY(fast.fits > 0);
    }

    // Mixtures were searched without expert ranks, and plans with ZeRO-3 without theirs.
    void the_best_is_never_worse_than_the_plan_data() {
        QTest::addColumn<QString>("id");
        for (const auto& [id, path] : library().scenarios) QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }
    void the_best_is_never_worse_than_the_plan() {
        QFETCH(QString, id);
        const Scenario s = shipped_plan(id.toStdString());
        const SearchResult r = search(s, common_space(s), {.limit = 1, .with_plan = true});
        if (!runs(estimate(s))) return;
        QVERIFY(!r.top.empty());
        QVERIFY(value_of(r.top.front(), Objective::time) <= value_of(candidate_of(s, *estimate(s)), Objective::time));
        const auto cell = std::find_if(r.splits.begin(), r.splits.end(), [&](const SplitCell& c) {
            return c.tensor_parallel == s.layout.tensor_parallel && c.pipeline_parallel == s.layout.pipeline_parallel;
        });
        QVERIFY2(cell != r.splits.end() && cell->best, "the cell of a plan that fits is said to be empty");
    }

    void the_best_is_never_worse_than_a_random_plan() {
        int compared = 0;
        for (const Scenario& s : random_plans(drawn(150))) {
            const Outcome o = estimate(s);
            if (!runs(o)) continue;
            const Objective objective = Objective(compared++ % 5);
            const SearchOptions options{.objective = objective, .limit = 1, .with_plan = true, .ranking_only = true};
            const SearchResult r = search(s, common_space(s), options);
            QVERIFY(!r.top.empty());
            QVERIFY(value_of(r.top.front(), objective) <= value_of(candidate_of(s, *o), objective));
        }
        QVERIFY(compared > drawn(5));
    }

    // A desk with so many cards: one node without a network around it.
    void machines_of_a_few_cards_are_planned_data() {
        QTest::addColumn<int>("cards");
        for (const int cards : {1, 2, 3, 4, 6}) QTest::addRow("%d cards", cards) << cards;
    }
    void machines_of_a_few_cards_are_planned() {
        QFETCH(int, cards);
        Scenario s = gpt3_on_selene();
        s.machine = library().machines.at("ws-rtx4090");
        s.model = small_gated();
        s.stack.kernels.attention = Attention::flash;
        s.layout = {};
        s.recipe.precision = Precision::bf16;
        s.recipe.state_format = StateFormat::all_16bit;
        s.recipe.global_batch_sequences = 12;
        for (const auto& [knob, v] : {std::pair{"machine.devices_per_node", cards}, {"nodes", 1}})
            s = *with(s, *find_knob(knob), v);
        QCOMPARE(s.machine.devices(), (long long)cards);
        QCOMPARE(s.layout.devices, cards);
        const SearchResult found = search(s, common_space(s), {.limit = 1});
        QVERIFY(!found.top.empty());
        const Scenario best = with_layout(s, found.top.front().layout);
        const Outcome o = estimate(best);
        QVERIFY(runs(o));
        QCOMPARE(o->nodes, 1);
        QVERIFY(o->energy.unused == Joules{});
        const Seconds network = o->step.data_parallel + o->step.tensor_parallel + o->step.pipeline_transfer;
        QCOMPARE(network > Seconds{}, cards > 1);
    }

    void the_plan_is_tried_once() {
        const Scenario s = shipped_plan("gpt3-175b-1024-a100");
        const Layouts layouts(s, common_space());
        QVERIFY(layouts.contains(s.layout));
        QCOMPARE(search(s, common_space(), {.with_plan = true}).count, layouts.count());
        Space none = common_space();
        none.tensor_parallel = {2};
        const SearchResult r = search(s, none, {.limit = 100000, .with_plan = true});
        QCOMPARE(r.count, Layouts(s, none).count() + 1);
        QCOMPARE(std::ranges::count(r.top, s.layout, &Candidate::layout), 1);
        for (const Layout& l : layouts.all()) QVERIFY(layouts.contains(l));
    }

    void the_common_space_widens_for_what_the_plan_needs() {
        const Scenario mixture = shipped_plan("mixtral-8x7b-64-h100");
        const Space wide = common_space(mixture);
        QVERIFY(wide.expert_parallel.empty() && wide.zero_stages.size() == 4);
        const std::string before = say_left_out(common_space(), mixture), after = say_left_out(wide, mixture);
        QVERIFY2(before.find("expert ranks") != std::string::npos, before.c_str());
        QVERIFY2(after.find("expert ranks") == std::string::npos, after.c_str());
        const Scenario dense = shipped_plan("gpt3-175b-1024-a100");
        QVERIFY(common_space(dense) == common_space());
        QCOMPARE(QString::fromStdString(say_left_out(full_space(), dense)), QString());
    }

    void host_memory_takes_a_part_of_the_optimizer_and_modules_of_the_activations() {
        Scenario s = shipped_plan("qwen3-235b-256-h100");
        s.stack = library().stacks.at("megatron-core");
        s.layout.recompute = Recompute::none;
        const auto all = sent_by_module(s);
        QVERIFY(all && all->modules.core_attn && all->modules.moe_act && !all->modules.attn_norm);
        const auto has = [](const Scenario& plan, const Space& space, const Offload& o) {
            return Layouts(plan, space).contains(with_layout(plan, [&](Layout& l) { l.offload = o; }).layout);
        };
        Offload half;
        half.optimizer = Tier::host;
        half.optimizer_share = 0.5;
        QVERIFY(has(s, full_space(), *all) && has(s, full_space(), half));
        QVERIFY(!has(s, common_space(s), *all) && !has(s, common_space(s), half));
        // What the plan itself does is searched around it.
        s.layout.offload = *all;
        QVERIFY(has(s, common_space(s), *all));
        half.optimizer_share = 0.3;
        s.layout.offload = half;
        QVERIFY(has(s, common_space(s), half));
        s.layout.recompute = Recompute::full;
        QVERIFY(!sent_by_module(s));
        s.layout.recompute = Recompute::selective;   // of the attention core
        const auto others = sent_by_module(s);
        QVERIFY(others && !others->modules.core_attn && !others->modules.attn_proj && others->modules.expert_fc1);
        s.stack.memory.sends_modules = false;
        QVERIFY(!sent_by_module(s));
    }

    void the_best_is_what_estimate_says() {
        const Scenario s = shipped_plan("gpt3-175b-1024-a100");
        const SearchResult r = search(s, common_space());
        for (const Candidate& c : r.top) {
            const Outcome o = estimate(with_layout(s, c.layout));
            QVERIFY(runs(o));
            QCOMPARE(o->step.total(), c.step);
            QCOMPARE(o->energy.total(), c.energy);
            QCOMPARE(o->worst().total(), c.memory);
        }
        QCOMPARE(r.front.front(), r.top.front());
    }

    // Isaev et al. 2023 (Calculon) lists as many for this job.
    void the_common_space_of_gpt3_on_1024_devices_has_11196_layouts() {
        const Scenario s = shipped_plan("gpt3-175b-1024-a100");
        QCOMPARE(Layouts(s, common_space()).count(), 11196LL);
        QCOMPARE(std::ssize(Layouts(s, common_space()).all()), 11196);
    }

    void the_full_space_is_wider_than_eleven_million() {
        QVERIFY(Layouts(shipped_plan("gpt3-175b-1024-a100"), full_space()).count() >= 11'700'000);
    }

    void threads_change_nothing() {
        const std::vector<Scenario> plans = random_plans(drawn(12));
        std::mt19937 random(5);
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const Scenario s = searched(plans[i], int(i));
            const Space space = random_space(random);
            const SearchResult one = search(s, space, {.threads = 1}), two = search(s, space, {.threads = 2}),
                               five = search(s, space, {.threads = 5});
            QVERIFY2(one == two && one == five, difference(one, two).c_str());
        }
    }

    void what_a_thread_of_a_search_throws_arrives() {
        const Scenario plan = shipped_plan("gpt-neox-20b-a100");
        std::mutex mutex;
        std::set<std::thread::id> seen;
        const auto throws_in_every_thread = [&](long long, long long) {
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
            throw std::runtime_error("out of something");
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                                 search(plan, common_space(), {.threads = 4}, {}, throws_in_every_thread));
        QVERIFY(!seen.empty());
    }

    void nothing_on_the_front_is_dominated_and_cells_sum_up() {
        const SearchResult r = search(shipped_plan("gpt-neox-20b-a100"), common_space(), {.limit = 100000});
        for (const Candidate& f : r.front)
            for (const Candidate& c : r.top)
                QVERIFY(!(c.step <= f.step && c.energy <= f.energy && c.memory <= f.memory
                          && (c.step < f.step || c.energy < f.energy || c.memory < f.memory)));
        QCOMPARE((long long)r.top.size(), r.fits);
        long long tried = 0, excluded = 0;
        for (const SplitCell& c : r.splits) tried += c.tried;
        for (const Exclusion& e : r.exclusions) excluded += e.count;
        QCOMPARE(tried, r.count);
        QCOMPARE(excluded, r.count - r.feasible);
    }

    void the_envelope_is_the_best_of_every_node_count() {
        std::mt19937 random(17);
        const std::vector<Scenario> plans = random_plans(drawn(160));
        int found = 0;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const Scenario s = searched(plans[i], int(i));
            Space space = random_space(random);
            SearchOptions options;
            options.objective = Objective(i % 5);
            const std::vector<int> nodes{1, 2, 3, 8, 16};
            const std::vector<EnvelopePoint> points = envelope(s, space, nodes, options);
            QVERIFY(i % 4 || points == envelope(s, space, nodes, {.objective = options.objective, .threads = 3}));
            for (const EnvelopePoint& p : points) {
                const SearchResult all = search_plainly(on_nodes(s, p.nodes), space, options);
                QCOMPARE(p.best.has_value(), !all.top.empty());
                if (p.best)
                    QVERIFY2(*p.best == all.top.front(),
                             (std::to_string(i) + ": " + said(*p.best) + " against " + said(all.top.front())).c_str());
                found += p.best.has_value();
            }
        }
        QVERIFY(found > drawn(100));
    }

    void a_ranking_alone_is_the_same_ranking() {
        const std::vector<Scenario> plans = random_plans(drawn(40));
        std::mt19937 random(3);
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const Space space = random_space(random);
            const Scenario s = searched(plans[i], int(i));
            QCOMPARE(search(s, space, {.limit = 3, .ranking_only = true}).top, search(s, space, {.limit = 3}).top);
        }
    }

    void an_empty_space_has_an_empty_answer() {
        Space none = common_space();
        none.tensor_parallel = {7};
        const SearchResult r = search(shipped_plan("gpt-neox-20b-a100"), none);
        QCOMPARE(r.count, 0LL);
        QVERIFY(r.top.empty() && r.near_misses.empty() && !r.cancelled);
    }

    void one_device_has_one_degree() {
        const Scenario s = of_devices(shipped_plan("gpt2-124m-laptop"), 1);
        const SearchResult r = search(s, full_space());
        QVERIFY(r.count > 0 && r.fits > 0);
        for (const Candidate& c : r.top) QCOMPARE(c.layout.model_parallel() * c.layout.data_parallel, 1LL);
    }

    void a_prime_number_of_devices_is_all_or_nothing() {
        Scenario s = of_devices(shipped_plan("llama3-8b-alps"), 1009);
        s.recipe.global_batch_sequences = 1009 * 4;
        const SearchResult r = search(s, full_space());
        QVERIFY(r.fits > 0);
        for (const Candidate& c : r.top) QCOMPARE(c.layout.data_parallel, 1009);
    }

    void a_hundred_thousand_devices_are_searched() {
        Scenario s = of_devices(shipped_plan("gpt3-175b-1024-a100"), 100'000);
        s.recipe.global_batch_sequences = 100'000;
        const SearchResult r = search(s, common_space());
        QVERIFY(r.count > 0 && r.fits > 0);
    }

    void what_does_not_fit_is_kept_with_what_it_lacks() {
        Scenario s = shipped_plan("gpt3-175b-1024-a100");
        s.machine.device.memory = 8 * gibibyte;
        const SearchResult r = search(s, common_space());
        QVERIFY(r.top.empty() && !r.near_misses.empty());
        for (const NearMiss& m : r.near_misses) {
            const Outcome o = estimate(with_layout(s, m.layout));
            QVERIFY(o && !o->fits());
            QCOMPARE(o->worst().total(), m.need);
            QVERIFY(m.excess() >= r.near_misses.front().excess());
        }
    }

    void it_stops_when_asked() {
        const Scenario s = shipped_plan("gpt3-175b-1024-a100");
        std::stop_source source;
        long long seen = 0;
        const SearchResult r = search(s, full_space(), {}, source.get_token(), [&](long long done, long long count) {
            QVERIFY(done <= count);
            seen = done;
            if (done > count / 100) source.request_stop();
        });
        QVERIFY(r.cancelled);
        QVERIFY(seen < r.count);
        source = {};
        source.request_stop();
        QVERIFY(search(s, full_space(), {}, source.get_token()).top.empty());
    }

    void what_changes_adds_up_to_the_difference_of_the_steps() {
        const Scenario s = shipped_plan("gpt3-175b-1024-a100");
        const Candidate best = search(s, common_space()).top.front();
        Seconds sum;
        double last = 1e300;
        for (const PartChange& c : changes(s, with_layout(s, best.layout))) {
            sum += c.to - c.from;
            QVERIFY(std::abs((c.to - c.from) / second) <= last);
            last = std::abs((c.to - c.from) / second);
        }
        const Seconds difference = best.step - estimate(s)->step.total();
        QVERIFY(std::abs((sum - difference) / second) < 1e-9);
        QVERIFY(changes(s, s).empty());
    }

    void a_budget_names_the_node_count_that_ends_first() {
        const Scenario s = shipped_plan("gpt-neox-20b-a100");
        const std::vector<int> nodes = envelope_nodes(s);
        QVERIFY(nodes.size() > 5 && nodes.size() <= 40 && std::is_sorted(nodes.begin(), nodes.end()));
        const std::vector<EnvelopePoint> points = envelope(s, common_space(), nodes);
        const auto hours = [&](const EnvelopePoint& p) {
            const Scenario here = with_layout(s, p.best->layout);
            return headline(here, *estimate(here)).node_hours;
        };
        const auto fewest = fewest_nodes(points);
        QVERIFY(fewest);
        for (const EnvelopePoint& p : points) QVERIFY(!p.best || p.nodes >= fewest->nodes);
        const double budget = 1.05 * hours(*fewest);
        const auto within = fastest_within(s, points, budget);
        QVERIFY(within && hours(*within) <= budget);
        for (const EnvelopePoint& p : points)
            QVERIFY(!p.best || hours(p) > budget || p.best->step >= within->best->step);
        QVERIFY(!fastest_within(s, points, 1e-6 * budget));
    }

    void a_winner_stays_or_something_beats_it() {
        const Sensitivity found = sensitivity(shipped_plan("gpt3-175b-1024-a100"), common_space());
        QVERIFY(found.winner);
        QCOMPARE(std::ssize(found.turns), 8);
        for (const Turn& t : found.turns) {
            QVERIFY(t.best);
            if (t.present) QVERIFY(t.best->step <= *t.present);
            if (t.stays(found.winner->layout)) QCOMPARE(t.best->step, *t.present);
        }
    }

    // Of the layouts their software had: its recomputation, sharding and sequence parallelism.
    void authors_tuned_well_data() {
        QTest::addColumn<QString>("id");
        for (const char* id :
             {"megatron-sc21/t1-76.1B", "megatron-sc21/t1-145.6B", "megatron-sc21/t1-310.1B", "megatron-sc21/t1-529.6B",
              "megatron-sc21/t1-1008.0B", "megatron-sc21/t2-ptd-175B-1536", "mt-nlg-530b/280-dgx",
              "mt-nlg-530b/420-dgx", "megatron-lm-llama-example/llama3.1-405b", "ornl-frontier-summit/dash-1T"})
            QTest::newRow(id) << id;
    }
    void authors_tuned_well() {
        QFETCH(QString, id);
        const auto& rows = shipped_rows();
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const PublishedRow& r) { return r.id == id.toStdString(); });
        QVERIFY(row != rows.end());
        const Scenario s = filled_run(*row, row_presets(library())).scenario;
        const Layout& l = s.layout;
        Space space = common_space();
        space.recompute = {l.recompute};
        space.zero_stages = {l.zero_stage};
        space.sequence_parallel = {l.sequence_parallel};
        space.context_parallel = {l.context_parallel};
        space.even_stages = s.model.layers % l.pipeline_parallel == 0;
        if (l.virtual_stages == 1) space.virtual_stages = {1};
        const SearchResult r = search(s, space, {.limit = 1 << 20});
        const Seconds step = estimate(s)->step.total();
        const auto faster =
            std::count_if(r.top.begin(), r.top.end(), [&](const Candidate& c) { return c.step < step; });
        const double slower = step / r.top.front().step - 1, place = double(faster) / double(r.count);
        qInfo("%.1f %% slower than the best of %lld, %.1f %% of which are faster", 100 * slower, r.count, 100 * place);
        QVERIFY(slower <= 0.05 || place <= 0.05);
    }

    void a_layout_is_said_in_a_line() {
        Layout l;
        l.tensor_parallel = 8;
        l.sequence_parallel = true;
        l.pipeline_parallel = 4;
        l.data_parallel = 16;
        l.micro_batch = 2;
        l.recompute = Recompute::full;
        l.recompute_layers = 3;
        l.zero_stage = 1;
        QCOMPARE(say_layout(l),
                 std::string(
                     "tensor 8 SP x pipeline 4 x data 16, micro-batch 2, full recompute of 3 layers a chunk, ZeRO-1"));
    }
};

PLIMSOLL_TEST(SearchTest)
#include "tst_search.moc"
