#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/answers/strategies/own_tables.h"
#include "core/answers/strategies/per_layer.h"
#include "core/papers/galvatron.h"
#include "core/files/import/layer_profile.h"
#include "core/files/results/answers_json.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace plimsoll {

namespace {

using Row = std::vector<std::string>;

PerLayerQuestion question_of(const StrategiesArguments& a, const Scenario& plan) {
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
Scenario asked(const StrategiesArguments& a, Scenario plan) {
    if (a.devices > 0) plan.layout.devices = a.devices;
    if (a.memory_gib > 0) plan.machine.device.memory = a.memory_gib * gibibyte;
    return plan;
}

// A profile says nothing of the model it was made with but the size of its layer.
void warn_of_another_layer(const ProfileAtLength& c, const Scenario& plan) {
    const double measured = c.layer.parameter_MiB * (mebibyte / byte) / 4, named = layer_parameters(plan.model);
    if (std::abs(measured / named - 1) < 0.02) return;
    std::cerr << "plimsoll: the profile's layer has " << say_count(measured) << " parameters, the plan's " << say_count(named)
              << ": times and memory are those of the profile\n";
}

Expected<PerLayer, Refusal> search_profile(const StrategiesArguments& a, const Scenario& plan, PerLayerQuestion& q) {
    const auto profile = read_layer_profile(a.profile, plan.layout.devices);
    if (!profile) return Unexpected{Refusal{exit_invalid_file, say(profile.error())}};
    const auto calibration = at_length(*profile, plan.recipe.sequence_length);
    if (!calibration) return Unexpected{Refusal{exit_invalid_file, a.profile + ": " + calibration.error() + "\n"}};
    warn_of_another_layer(*calibration, plan);
    q.memory = searched_memory(q.memory);
    ProfiledShape shape{plan.model.hidden, plan.recipe.sequence_length, plan.layout.devices, plan.layout.schedule, false, a.as_galvatron};
    if (shape.schedule != Schedule::gpipe) shape.schedule = Schedule::one_f_one_b;
    if (a.as_galvatron) q.weigh = Weigh::one_micro_batch;
    return best_per_layer(q, profiled_prices(*calibration, shape));
}

Expected<PerLayer, Refusal> search(const StrategiesArguments& a, const Scenario& plan, PerLayerQuestion& q) {
    if (plan.layout.devices > plan.machine.devices() && a.profile.empty())
        return Unexpected{Refusal{exit_infeasible, plan.machine.name + " has " + std::to_string(plan.machine.devices()) + " devices\n"}};
    if (!a.profile.empty()) return search_profile(a, plan, q);
    if (a.as_galvatron) return Unexpected{Refusal{exit_usage, "--as-galvatron needs --profile\n"}};
    if (const std::string why = not_priced(plan); !why.empty()) return Unexpected{Refusal{exit_infeasible, why + "\n"}};
    return best_per_layer(q, own_prices(plan));
}

std::string from_to(int first, int last) {
    const std::string one = std::to_string(first + 1);
    return first == last ? one : one + "-" + std::to_string(last + 1);
}

using Runs = std::vector<StrategyRun>;

bool alike(const Runs& a, const Runs& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const StrategyRun& x, const StrategyRun& y) { return x.layers == y.layers && x.strategy == y.strategy; });
}

std::vector<Runs> by_stage(const PerLayerPlan& plan) {
    std::vector<Runs> stages(plan.pipeline);
    for (const StrategyRun& r : runs_of(plan)) stages[r.stage].push_back(r);
    return stages;
}

// Stages that are spread alike share their rows.
std::vector<Row> rows_of(const PerLayerPlan& plan) {
    const std::vector<Runs> stages = by_stage(plan);
    std::vector<Row> rows;
    for (int from = 0; from < plan.pipeline;) {
        int to = from;
        while (to + 1 < plan.pipeline && alike(stages[to + 1], stages[from])) ++to;
        const Bytes most = *std::max_element(plan.memory.begin() + from, plan.memory.begin() + to + 1);
        for (const StrategyRun& r : stages[from]) {
            const std::string layers = from == to ? from_to(r.first, r.first + r.layers - 1) : std::to_string(r.layers) + " each";
            const bool first = r.first == stages[from].front().first;
            rows.push_back({from_to(from, to), layers, say(r.strategy), first ? (from == to ? "" : "up to ") + fixed(most / gibibyte, 2) + " GiB" : ""});
        }
        from = to + 1;
    }
    return rows;
}

void print_plan(const PerLayerPlan& plan) {
    std::vector<Row> rows{{"stage", "layers", "strategy", "memory"}};
    for (Row& row : rows_of(plan)) rows.push_back(std::move(row));
    LayerStrategy ends = plan.ends;
    ends.checkpoint = false;
    rows.push_back({"", "ends", say(ends), ""});
    std::cout << table(rows) << "Batch " << plan.batch << " in " << counted(plan.micro_batches, "micro-batch", "micro-batches") << ", "
              << counted(plan.pipeline, "stage", "stages") << ": " << say(plan.step) << " per step, " << fixed(plan.throughput(), 4)
              << " sequences per second\n\n";
}

void print_counts(const PerLayer& found, const StrategySpace& space) {
    const StrategyCount count = count_strategies(space);
    std::cout << "Strategies of " << space.devices << " devices: " << count.ordered << " ordered decompositions into data, sharded data and tensor, "
              << count.pruned << " without data beside sharded data; with Ulysses and checkpointing " << found.strategies;
    if (found.unpriced > 0) std::cout << ", of which " << found.unpriced << " have no price here";
    char lists[32];
    std::snprintf(lists, sizeof lists, "%.2g", found.lists);
    std::cout << "\nSearched " << found.pipelines << " pipelines: " << lists << " lists of layer strategies, " << found.labels << " partial ones kept\n";
}

void print(const PerLayer& found, const StrategySpace& space) {
    print_plan(*found.best);
    if (found.lost() > 0) {
        std::cout << "The best with one strategy for all layers is " << fixed(100 * found.lost(), 2) << " % slower:\n";
        print_plan(*found.uniform);
    } else if (found.uniform) {
        std::cout << "No plan that mixes strategies is faster.\n\n";
    } else {
        std::cout << "No single strategy for all layers fits.\n\n";
    }
    print_counts(found, space);
}

}  // namespace

int run_strategies(const StrategiesArguments& a) {
    const auto named = load_plan(a.plan);
    if (!named) return refuse(named.error());
    const Scenario plan = asked(a, *named);
    PerLayerQuestion q = question_of(a, plan);
    const auto found = search(a, plan, q);
    if (!found) return refuse(found.error());
    if (a.json) std::cout << to_json(*found, q.space);
    else if (found->best) print(*found, q.space);
    if (found->best) return exit_ok;
    std::cerr << "plimsoll: nothing fits: no strategies for the layers of any pipeline need at most " << say(q.memory) << " on a device\n";
    return exit_infeasible;
}

}  // namespace plimsoll
