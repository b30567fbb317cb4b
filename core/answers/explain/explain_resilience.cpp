// Failures and checkpoints, as costs/campaign/resilience.h computes them.
#include "core/answers/explain/explain_parts.h"

#include "core/costs/campaign/resilience.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

namespace plimsoll {

namespace {

// Whichever is narrower: the file system or the nodes that use it.
Term rate_term(const Scenario& s, const char* label, const StorageRate& r, const char* pointer) {
    const ByteRate unit = byte / second;
    if (r.shared_decides()) return machine_value(s, label, r.shared / unit, "B/s", pointer);
    return product(label, "B/s",
        {counted("Nodes that take part", r.nodes),
         machine_value(s, "File system from one node", r.per_node / unit, "B/s", "/storage/write_GBps_per_node")},
        "less than the file system takes");
}

Term load_term(const Scenario& s) {
    return quotient("Loading the checkpoint", "s", explain_checkpoint_size(s),
        rate_term(s, "Rate of reading", loading(s), "/storage/read_GBps"));
}

Term restart_term(const Scenario& s) {
    return sum("Restart", "s",
               {machine_value(s, "Notice, replace, start", s.machine.reliability.restart / second, "s",
                              "/reliability/restart_s"),
                load_term(s)});
}

}  // namespace

Term explain_mtbf(const Scenario& s) {
    return quotient("Time between failures", "s", derived("1,000 days", 1000 * day / second, "s", "unit of the rate"),
        product("Failures in 1,000 days", "",
            {counted("Nodes", nodes_used(s)),
             machine_value(s, "Failures per 1,000 node-days", s.machine.reliability.failures_per_1000_node_days, "",
                           "/reliability/failures_per_1000_node_days")}),
        "any node that fails ends the job");
}

Term explain_checkpoint_size(const Scenario& s) {
    Term states = product("Checkpoint", "B",
                          {derived("Bytes per parameter", checkpoint_bytes_per_parameter(s), "B",
                                   "weights, master weights, moments; no gradients"),
                           derived("Parameters", checkpointed_parameters(s), "",
                                   "shape of the model, or of the adapters")});
    const double by_matrix = checkpoint_by_matrix(s) / byte;
    if (by_matrix <= 0) return states;
    states.label = "By parameter";
    return sum("Checkpoint", "B", {std::move(states), derived("By matrix", by_matrix, "B",
        "row and column sums of Adafactor; factors of K-FAC or Shampoo, whose inverses are taken again, and of SOAP "
        "with their eigenvectors")});
}

Term explain_checkpoint_time(const Scenario& s) {
    if (s.recipe.checkpoint_time > Seconds{})
        return given("One checkpoint", s.recipe.checkpoint_time / second, "s", by_user);
    return quotient("One checkpoint", "s", explain_checkpoint_size(s),
        rate_term(s, "Rate of writing", writing(s), "/storage/write_GBps"), "training waits for it");
}

Term explain_interval(const Scenario& s) {
    const Resilience r = resilience(s);
    if (!r.optimal) return given("Checkpoint interval", r.interval / second, "s", by_user);
    if (r.lengthened())
        return derived("Checkpoint interval", r.interval / second, "s",
                       phrase("Young's optimum, sqrt(2 C M) = {1}, lengthened towards {2} as far as that costs at most "
                              "{3} of the time",
                              say(r.young), say(usual_interval), percent(hardly_lost, 2)));
    return derived("Checkpoint interval", r.interval / second, "s",
                   "Young 1974: sqrt(2 C M), C one checkpoint, M time between failures");
}

Term explain_overhead(const Scenario& s) {
    const auto twice = [&] {
        return product("Twice the time between failures", "s",
                       {derived("Two", 2, "", "half an interval is lost on average"), explain_mtbf(s)});
    };
    const auto lost = [&] { return quotient("Training lost and repeated", "", explain_interval(s), twice()); };
    const auto restarting = [&] { return quotient("Restarting", "", restart_term(s), explain_mtbf(s)); };
    Term left = difference("Left by failures", "", derived("All of the time", 1, "", "unit"),
                           sum("Taken by failures", "", {lost(), restarting()}));
    if (left.value < 0) left = derived("Left by failures", 0, "", "failures take all of the time");
    return sum("Time lost to failures and checkpoints", "",
        {product("Writing checkpoints", "",
                 {quotient("Share of a cycle", "", explain_checkpoint_time(s),
                           sum("A cycle", "s", {explain_interval(s), explain_checkpoint_time(s)})),
                  std::move(left)}),
         lost(), restarting()},
        "C / (T + C) of what failures leave, and T / (2 M) + R / M, first order");
}

Term explain_goodput(const Scenario& s) {
    if (!resilience(s).makes_progress())
        return derived("Goodput", 0, "", "no progress: checkpoints and failures take all of the time");
    return difference("Goodput", "", derived("All of the time", 1, "", "unit"), explain_overhead(s));
}

Term explain_wall(const Scenario& s, Term run) {
    return quotient("Time to train with failures", "s", std::move(run), explain_goodput(s), "no queue or evaluation");
}

Term explain_total(const Scenario& s, const JobChain& chain, Term run) {
    if (chain.kind != ChainKind::jobs) {
        Term wall = explain_wall(s, std::move(run));
        wall.label = "Time to train, failures included";
        wall.formula = say(chain);
        return wall;
    }
    return sum("Time to train, all included", "s",
               {explain_wall(s, std::move(run)),
                product("Ends of jobs", "s",
                        {derived("Jobs", chain.jobs, "", say(chain)),
                         sum("Lost by each", "s", {restart_term(s), explain_checkpoint_time(s)},
                             "its start with loading, and its last checkpoint")})},
               "no queue or evaluation");
}

Term explain_failures(const Scenario& s, Term run) {
    return quotient("Expected failures", "", explain_wall(s, std::move(run)), explain_mtbf(s));
}

}  // namespace plimsoll
