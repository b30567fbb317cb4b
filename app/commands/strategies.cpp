// plimsoll strategies: the layers of a plan, each spread over the devices in its own way.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/strategies/own_tables.h"
#include "core/answers/strategies/per_layer.h"
#include "core/files/import/layer_profile.h"
#include "core/files/results/answers_json.h"
#include "core/papers/galvatron.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace plimsoll {

namespace {

struct StrategiesArguments {
    PlanArguments plan;
    std::string profile;   // folder or file; the plan's own costs without
    int devices = 0;
    double memory_gib = 0;
    std::vector<int> batches, micro_batches;
    bool as_galvatron = false, json = false;
};

PerLayerQuestion per_layer_question(const StrategiesArguments& a, const Scenario& plan) {
    PerLayerQuestion q;
    q.space = {.devices = plan.layout.devices, .layers = plan.model.layers, .widest = plan.machine.devices_per_node,
               .least = plan.layout.zero_stage >= 2 ? Sharding::zero2 : Sharding::none};
    q.batches = a.batches.empty() ? std::vector<int>{plan.recipe.global_batch_sequences} : a.batches;
    q.micro_batches = a.micro_batches;
    q.memory = plan.machine.device.memory;
    q.uneven_stages = !a.as_galvatron;
    return q;
}

// The plan on so many devices, with so much memory each.
Scenario with_asked_devices(const StrategiesArguments& a, Scenario plan) {
    if (a.devices > 0) plan.layout.devices = a.devices;
    if (a.memory_gib > 0) plan.machine.device.memory = a.memory_gib * gibibyte;
    return plan;
}

// A profile says nothing of the model it was made with but the size of its layer.
void warn_of_another_layer(const ProfileAtLength& c, const Scenario& plan) {
    const double measured = c.layer.parameter_MiB * (mebibyte / byte) / 4,
                 named = layer_parameters(plan.model, dense_layer).all.total();
    if (std::abs(measured / named - 1) < 0.02) return;
    std::cerr << "plimsoll: the profile's layer has " << say_count(measured) << " parameters, the plan's "
              << say_count(named) << ": times and memory are those of the profile\n";
}

Expected<PerLayer, Refusal> search_profile(const StrategiesArguments& a, const Scenario& plan, PerLayerQuestion& q) {
    const auto profile = read_layer_profile(a.profile, plan.layout.devices);
    if (!profile) return Unexpected{Refusal{exit_invalid_file, say(profile.error())}};
    const auto calibration = at_length(*profile, plan.recipe.sequence_length);
    if (!calibration) return Unexpected{Refusal{exit_invalid_file, a.profile + ": " + calibration.error() + "\n"}};
    warn_of_another_layer(*calibration, plan);
    q.memory = searched_memory(q.memory);
    ProfiledShape shape{
        plan.model.hidden, plan.recipe.sequence_length, plan.layout.devices, plan.layout.schedule, false,
        a.as_galvatron};
    if (shape.schedule != Schedule::gpipe) shape.schedule = Schedule::one_f_one_b;
    if (a.as_galvatron) q.weigh = Weigh::one_micro_batch;
    return best_per_layer(q, profiled_prices(*calibration, shape));
}

Expected<PerLayer, Refusal> search_strategies(const StrategiesArguments& a, const Scenario& plan, PerLayerQuestion& q) {
    if (plan.layout.devices > plan.machine.devices() && a.profile.empty())
        return Unexpected{Refusal{exit_infeasible,
                                  plan.machine.name + " has " + std::to_string(plan.machine.devices()) + " devices\n"}};
    if (!a.profile.empty()) return search_profile(a, plan, q);
    if (a.as_galvatron) return Unexpected{Refusal{exit_usage, "--as-galvatron needs --profile\n"}};
    if (const std::string why = not_priced(plan); !why.empty()) return Unexpected{Refusal{exit_infeasible, why + "\n"}};
    return best_per_layer(q, own_prices(plan));
}

std::string from_to(int first, int last) {
    const std::string one = std::to_string(first + 1);
    return first == last ? one : one + "-" + std::to_string(last + 1);
}

using StageRuns = std::vector<StrategyRun>;

bool alike(const StageRuns& a, const StageRuns& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const StrategyRun& x, const StrategyRun& y) {
        return x.layers == y.layers && x.strategy == y.strategy;
    });
}

std::vector<StageRuns> by_stage(const PerLayerPlan& plan) {
    std::vector<StageRuns> stages(plan.pipeline);
    for (const StrategyRun& r : runs_of(plan)) stages[r.stage].push_back(r);
    return stages;
}

// Stages that are spread alike share their rows.
TextRows strategy_rows(const PerLayerPlan& plan) {
    const std::vector<StageRuns> stages = by_stage(plan);
    TextRows rows;
    for (int from = 0; from < plan.pipeline;) {
        int to = from;
        while (to + 1 < plan.pipeline && alike(stages[to + 1], stages[from])) ++to;
        const Bytes most = *std::max_element(plan.memory.begin() + from, plan.memory.begin() + to + 1);
        for (const StrategyRun& r : stages[from]) {
            const std::string layers =
                from == to ? from_to(r.first, r.first + r.layers - 1) : std::to_string(r.layers) + " each";
            const bool first = r.first == stages[from].front().first;
            const std::string memory = (from == to ? "" : "up to ") + fixed(most / gibibyte, 2) + " GiB";
            rows.push_back({from_to(from, to), layers, say(r.strategy), first ? memory : ""});
        }
        from = to + 1;
    }
    return rows;
}

void print_per_layer_plan(const PerLayerPlan& plan) {
    TextRows rows{{"stage", "layers", "strategy", "memory"}};
    for (TextRow& row : strategy_rows(plan)) rows.push_back(std::move(row));
    LayerStrategy ends = plan.ends;
    ends.checkpoint = false;
    rows.push_back({"", "ends", say(ends), ""});
    std::cout << table(rows) << "Batch " << plan.batch << " in "
              << counted(plan.micro_batches, "micro-batch", "micro-batches") << ", "
              << counted(plan.pipeline, "stage", "stages") << ": " << say(plan.step) << " per step, "
              << fixed(plan.throughput(), 4) << " sequences per second\n\n";
}

void print_strategy_counts(const PerLayer& found, const StrategySpace& space) {
    const StrategyCount count = count_strategies(space);
    std::cout << "Strategies of " << space.devices << " devices: " << count.ordered
              << " ordered decompositions into data, sharded data and tensor, " << count.pruned
              << " without data beside sharded data; with Ulysses and checkpointing " << found.strategies;
    if (found.unpriced > 0) std::cout << ", of which " << found.unpriced << " have no price here";
    std::cout << "\nSearched " << found.pipelines << " pipelines: " << significant(found.lists, 2)
              << " lists of layer strategies, " << found.labels << " partial ones kept\n";
}

void print_strategies(const PerLayer& found, const StrategySpace& space) {
    print_per_layer_plan(*found.best);
    if (found.lost() > 0) {
        std::cout << "The best with one strategy for all layers is " << fixed(100 * found.lost(), 2) << " % slower:\n";
        print_per_layer_plan(*found.uniform);
    } else if (found.uniform) {
        std::cout << "No plan that mixes strategies is faster.\n\n";
    } else {
        std::cout << "No single strategy for all layers fits.\n\n";
    }
    print_strategy_counts(found, space);
}

int run_strategies(const StrategiesArguments& a) {
    const auto named = load_plan(a.plan);
    if (!named) return refuse(named.error());
    const Scenario plan = with_asked_devices(a, *named);
    PerLayerQuestion q = per_layer_question(a, plan);
    const auto found = search_strategies(a, plan, q);
    if (!found) return refuse(found.error());
    if (found->cut_off)
        std::cerr << "plimsoll: the search ended after " << say_count(double(found->labels))
                  << " partial lists: another may be faster. Such layer costs leave too many that none beats in both "
                     "time and memory; fewer --devices, --batches or --micro-batches make it complete\n";
    if (a.json) std::cout << to_json(*found, q.space);
    else if (found->best) print_strategies(*found, q.space);
    if (found->best) return exit_ok;
    std::cerr << "plimsoll: nothing fits: no strategies for the layers of any pipeline need at most " << say(q.memory)
              << " on a device\n";
    return exit_infeasible;
}

}  // namespace

void add_strategies(Program& program) {
    const auto a = std::make_shared<StrategiesArguments>();
    CLI::App& command = add_command(program.app, {
        "strategies", "The fastest parallel strategy of every single layer, and what one strategy for all loses",
        "Layer costs come from the cost model, or with --profile from layers measured with Galvatron's profilers."});
    add_plan(command, a->plan);
    command.add_option("--profile", a->profile,
        "Measured layer costs in place of the model's: a folder of Galvatron's profiles, or one file that holds them")
        ->type_name(file_value);
    command.add_option("--devices", a->devices, "How many devices (default: the plan's)")->check(CLI::Range(1, 4096));
    command.add_option("--memory", a->memory_gib, "Memory of a device in GiB (default: the machine's)")
        ->check(CLI::Range(0.001, 4095.0));
    command.add_option("--batches", a->batches, "Sequences per step to choose from, with commas (default: the plan's)")
        ->delimiter(',')->check(CLI::Range(1, 1 << 20));
    command.add_option("--micro-batches", a->micro_batches,
        "Micro-batches per step to choose from, with commas (default: all divisors of the batch)")
        ->delimiter(',')->check(CLI::Range(1, 1 << 20));
    command.add_flag("--as-galvatron", a->as_galvatron,
        "With --profile: price pipelines and the transfers between layers as Galvatron does, for a comparison");
    command.add_flag("--json", a->json, "As JSON");
    command.callback([a, &program] { program.code = run_strategies(*a); });
}

}  // namespace plimsoll
