#include "core/answers/ask/ask.h"

#include "core/answers/ask/ask_parts.h"
#include "core/answers/curves/figure_units.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>

namespace plimsoll {

const std::vector<PlanQuestionWords>& plan_questions() {
    static const std::vector<PlanQuestionWords> all{
        {PlanQuestion::batch, "batch", "Is the batch too large?",
         "What the global batch costs in tokens, by published critical batches, and other batches for the same loss."},
        {PlanQuestion::sweep, "sweep", "Does a larger batch raise the MFU?",
         "A sweep of the global batch and of the micro-batch: MFU, step, bubble and memory."},
        {PlanQuestion::gap, "gap", "Which part of the step is off?",
         "A measured step against the predicted one: what each part alone would have to be to explain the difference."},
        {PlanQuestion::machines, "machines", "The same run on other machines",
         "As many devices, nodes or FLOP/s of other machines, or the fewest of their devices that hold it, each with "
         "its best layout, its price and who measured it: 40 or 80 GB, Frontier or Fugaku."},
        {PlanQuestion::memory, "memory", "What to change so that it fits",
         "Each change of the layout, and of what is trained, that needs less memory: what it brings, and its price in "
         "tokens/s."},
        {PlanQuestion::zero, "zero", "What ZeRO stages do to memory",
         "The plan with each ZeRO stage, part by part, and why a higher stage may need more."},
        {PlanQuestion::schedules, "schedules", "All pipeline schedules of the plan",
         "The plan with each schedule that its software has, side by side: step, bubble, memory and transfers."},
        {PlanQuestion::nodes, "nodes", "Best layout on every number of nodes",
         "The fewest nodes that fit, and with a budget of node-hours the number that ends first."},
        {PlanQuestion::split, "split", "Rules of thumb beside the fastest split",
         "The least model parallelism that fits, as the rule says, and the fastest tensor x pipeline split."},
        {PlanQuestion::largest, "largest", "Largest model a few devices hold",
         "Layers of the plan's width are added until the next does not fit, for each way of using host memory and "
         "drives."},
        {PlanQuestion::layers, "layers", "A strategy of its own for every layer",
         "The fastest way to spread each layer, and what one way for all layers loses."},
        {PlanQuestion::robust, "robust", "Would another layout win on a different machine?",
         "The best layout with 0.80 and 1.25 times the network, the memory and the efficiencies."}};
    return all;
}

std::optional<PlanQuestion> question_named(std::string_view id) {
    for (const PlanQuestionWords& q : plan_questions())
        if (q.id == id) return q.question;
    return std::nullopt;
}

namespace asking {

std::string time_of(const Scenario& s, const Estimate& e, Counting counting) {
    const Totals t = totals(s, headline(s, e), counting);
    return t.ends() ? say(t.time) : phrase("without end");
}

std::string count_of(double number) { return say_count(number); }

namespace {

// Node-hours where the machine does not know the others.
HourOf hours_counted(const Machine& m, HourOf wished) {
    return hours_per_node_hour(m, wished) ? wished : HourOf::node;
}

}  // namespace

std::string hours_heading(const Machine& m, const AskOptions& o) { return hours_label(hours_counted(m, o.hours), m); }

std::string hours_of(const Totals& t, const Machine& m, const AskOptions& o) {
    return t.ends() ? count_of(*from_node_hours(m, t.node_hours, hours_counted(m, o.hours))) : "";
}

std::string memory_of(const Estimate& e) {
    return with_doubt(say(e.worst().total()), fit_verdict(e));
}

SearchOptions one_best(const AskOptions& o) {
    SearchOptions options;
    options.limit = 1;
    options.ranking_only = true;
    options.threads = o.threads;
    options.headroom = o.headroom;
    options.most_power = o.most_power;
    return options;
}

Scenario sourced(Scenario s, const Scenario& given) {
    s.model.sources = given.model.sources;
    s.machine.sources = given.machine.sources;
    s.stack.sources = given.stack.sources;
    return s;
}

std::optional<Asked> cannot(const Outcome& o) {
    if (o) return std::nullopt;
    Asked a;
    a.says.push_back(phrase("The plan cannot be computed as it stands."));
    for (const Obstacle& each : o.error()) a.says.push_back(say(each));
    return a;
}

void note_power(Asked& a, const AskOptions& o) {
    if (o.most_power > Watts{})
        a.notes.push_back(phrase("Layouts that draw more than {1} are left out.", say(o.most_power)));
}

}  // namespace asking

Asked ask(const Scenario& plan, PlanQuestion question, const AskOptions& options,
          const std::map<std::string, Machine>& machines, std::stop_token stop, const SearchProgress& progress) {
    using namespace asking;
    Asked a = [&] {
        switch (question) {
            case PlanQuestion::largest: return ask_largest(plan, options, stop, progress);
            case PlanQuestion::nodes: return ask_nodes(plan, options, stop, progress);
            case PlanQuestion::split: return ask_split(plan, options);
            case PlanQuestion::layers: return ask_layers(plan, options, stop, progress);
            case PlanQuestion::robust: return ask_robust(plan, options, stop, progress);
            case PlanQuestion::batch: return ask_batch(plan, options);
            case PlanQuestion::sweep: return ask_sweep(plan, options);
            case PlanQuestion::gap: return ask_gap(plan, options);
            case PlanQuestion::zero: return ask_zero(plan, options);
            case PlanQuestion::schedules: return ask_schedules(plan, options);
            case PlanQuestion::memory: return ask_memory(plan, options, stop);
            case PlanQuestion::machines: break;
        }
        return ask_machines(plan, options, machines, stop, progress);
    }();
    a.complete = !stop.stop_requested();
    return a;
}

namespace {

std::string csv_line(const std::vector<std::string>& cells) {
    CsvRow row;
    for (const std::string& each : cells) row.text(each);
    return row.line();
}

}  // namespace

std::string to_csv(const Asked& a, WithNotes with_notes) {
    std::string text;
    for (const std::string& each : a.says) text += csv_comment(each);
    if (with_notes == WithNotes::yes)
        for (const std::string& each : a.notes) text += csv_comment(each);
    text += csv_line(a.headings);
    for (const AskedRow& row : a.rows) text += csv_line(row.cells);
    return text;
}

}  // namespace plimsoll
