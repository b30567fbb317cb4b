#pragma once
// What each subcommand does, one function each; all return an ExitCode.

#include <string>
#include <vector>

namespace plimsoll {

// A plan as named on the command line: a file or the id of a shipped scenario, then changes.
struct PlanArguments {
    std::string file;
    std::vector<std::string> settings;
};

struct EstimateArguments { PlanArguments plan; bool json = false, paper = false, no_band = false; };
struct SweepArguments { PlanArguments plan; std::string knob, values; bool json = false, csv = false; };
struct TimelineArguments { PlanArguments plan; std::string out; bool csv = false; };
struct ExplainArguments { PlanArguments plan; std::string number, versus; int depth = 99; bool json = false; };
struct ExportArguments {
    PlanArguments plan;
    std::string out;
    std::vector<std::string> formats{"pdf", "svg", "png", "csv"};
    int dpi = 300;
};
struct PresetsArguments { std::string kind, schema; bool json = false; };
struct ValidateArguments { std::vector<std::string> sets; std::string stack; bool json = false, csv = false; };
struct FitArguments {
    std::vector<std::string> rows, free{"device", "network", "stack"};
    std::string recipe, leave_out = "none", out;
    bool json = false;
};
struct BenchArguments { bool json = false, digest_only = false; };
struct BenchSearchArguments { PlanArguments plan{"gpt3-175b-1024-a100", {}}; int threads = 1; bool json = false; };
struct LaunchArguments { PlanArguments plan; std::string framework = "megatron"; };
struct RuleArguments { PlanArguments plan; std::string out; };
struct SearchArguments {
    PlanArguments plan;
    std::string objective = "time", space = "full", out;
    int limit = 20, threads = 1;
    double node_hours = 0;
    bool json = false, csv = false, over_nodes = false, sensitivity = false;
};
struct ImportArguments {
    std::string file, name, out;
    int tensor_parallel = 1, heads = 0;
    double bytes_per_parameter = 16, memory_gb = 0;
};
struct BudgetArguments { PlanArguments plan; double node_hours = 0, doubling_months = 5.7; };

struct LargestArguments { PlanArguments plan; int devices = 0; bool json = false; };
struct TransientsArguments { PlanArguments plan; };
struct StrategiesArguments {
    PlanArguments plan;
    std::string profile;                       // folder or file; the plan's own costs without
    int devices = 0;
    double memory_gib = 0;
    std::vector<int> batches, micro_batches;
    bool as_galvatron = false, json = false;
};

struct EngineArguments {
    std::string plan, check;                   // plan as in PlanArguments; check: a log
    std::vector<std::string> settings;
    std::vector<std::string> words;            // for the engine, as they came
    int ranks = 0;                             // 0: what the words' layout takes
    bool as_planned = false, json = false;
};

struct ReplanArguments { PlanArguments plan; std::string measured; double threshold = 0.1, steps_left = 0; };
struct CalibrateArguments {
    PlanArguments plan;
    std::string script, account, queue, out = "plimsoll-calibrate", engine, folder, plan_file, job;
    int nodes = 0, ranks_per_node = 0, trial_steps = 0;
    double budget = 600;                       // seconds
    bool submit = false, poll = false, cancel = false, codecs = false;
};

int run_estimate(const EstimateArguments&);
int run_replan(const ReplanArguments&);
int run_launch(const LaunchArguments&);
int run_rule(const RuleArguments&);
int run_search(const SearchArguments&);
int run_import(const ImportArguments&);
int run_largest(const LargestArguments&);
int run_transients(const TransientsArguments&);
int run_strategies(const StrategiesArguments&);
int run_engine(const EngineArguments&);
int run_calibrate(const CalibrateArguments&);
int run_budget(const BudgetArguments&);
int run_sweep(const SweepArguments&);
int run_timeline(const TimelineArguments&);
int run_explain(const ExplainArguments&);
int run_export_command(int argc, char** argv, const ExportArguments&);
int run_presets(const PresetsArguments&);
int run_validate(const ValidateArguments&);
int run_fit(const FitArguments&);
int run_bench_search(int argc, char** argv, const BenchSearchArguments&);
int run_bench(int argc, char** argv, const BenchArguments&);

}  // namespace plimsoll
