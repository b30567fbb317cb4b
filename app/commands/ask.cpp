// Questions that other plans answer: plimsoll ask.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/ask/ask.h"
#include "core/evidence/published/suited.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

namespace plimsoll {

namespace {

constexpr std::string_view bases[] = {"devices", "nodes", "peak", "fewest"};   // in the order of Basis

struct AskArguments {
    std::string question, out;
    PlanArguments plan;
    AskOptions options{.headroom = {usual_headroom}};
    std::vector<std::string> machines, rates;
    std::string basis = "devices";
    double measured_seconds = 0;
    int row = 0;
    bool csv = false;
};

// The machines that are named, by id; all where none is.
Expected<std::map<std::string, Machine>, Refusal> machines_of(const AskArguments& a) {
    const auto& all = shipped_library().machines;
    if (a.machines.empty()) return all;
    std::map<std::string, Machine> some;
    for (const std::string& id : a.machines) {
        const Machine* m = machine_named(all, id);
        if (!m)
            return Unexpected{Refusal{exit_usage, "there is no machine \"" + id
                                                      + "\"; 'plimsoll presets machines' lists all\n"}};
        some.emplace(m->id, *m);
    }
    return some;
}

// "CHF=1.1": dollars for one of it.
std::optional<Refusal> take_rates(const std::vector<std::string>& rates, AskOptions& options) {
    for (const std::string& rate : rates) {
        const std::vector<std::string> parts = split(rate, '=');
        const double dollars = parts.size() == 2 ? std::strtod(parts[1].c_str(), nullptr) : 0;
        if (!(dollars > 0) || !std::isfinite(dollars))
            return Refusal{exit_usage, "--rate takes a currency and dollars for one of it, as in CHF=1.1\n"};
        options.dollars_for[parts[0]] = dollars;
    }
    return std::nullopt;
}

// What only the published runs know.
void take_evidence(const Scenario& plan, PlanQuestion question, AskOptions& options) {
    if (question != PlanQuestion::machines && question != PlanQuestion::gap) return;
    const auto record = std::make_shared<TrackRecord>(track_record(shipped_library()));
    options.measured = [record](const Scenario& s) { return runs_of_pair(s, record->evidence); };
    options.likely_range = band_of(plan, record->evidence).time;
}

void print_asked(const Asked& a) {
    for (const std::string& each : a.says) std::cout << each << "\n";
    TextRows rows{{"row"}};
    rows.front().insert(rows.front().end(), a.headings.begin(), a.headings.end());
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
        TextRow row{a.rows[i].plan ? std::to_string(i + 1) : ""};
        row.insert(row.end(), a.rows[i].cells.begin(), a.rows[i].cells.end());
        rows.push_back(std::move(row));
    }
    if (!a.rows.empty()) std::cout << "\n" << table(rows);
    for (const std::string& each : a.notes) std::cout << each << "\n";
}

int run_ask(const AskArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (a.row > 0 && a.out.empty()) return refuse(Refusal{exit_usage, "--row needs --out: the file for its plan\n"});
    const auto machines = machines_of(a);
    if (!machines) return refuse(machines.error());
    const PlanQuestion question = *question_named(a.question);
    AskOptions options = a.options;
    options.basis = Basis(std::ranges::find(bases, a.basis) - std::begin(bases));   // one of them: CLI11 looked
    options.measured_step = a.measured_seconds * second;
    if (const auto wrong = take_rates(a.rates, options)) return refuse(*wrong);
    take_evidence(*plan, question, options);
    const Asked answer = ask(*plan, question, options, *machines);
    if (a.csv) std::cout << to_csv(answer);
    else {
        std::cout << say_own_runs(*plan);
        print_asked(answer);
    }
    if (a.out.empty()) return answer.rows.empty() ? exit_infeasible : exit_ok;
    const std::size_t row = std::size_t(a.row - 1);
    if (a.row < 1 || row >= answer.rows.size() || !answer.rows[row].plan)
        return refuse(Refusal{exit_usage, "--out needs --row N, and N is the number before a row that is a plan\n"});
    const auto written = write_atomically(a.out, write_scenario(*answer.rows[row].plan, shipped_library()));
    return written ? exit_ok : refuse(Refusal{exit_failure, say(written.error())});
}

}  // namespace

void add_ask(Program& program) {
    const auto a = std::make_shared<AskArguments>();
    std::string list;
    std::vector<std::string> ids;
    for (const PlanQuestionWords& q : plan_questions()) {
        list += std::string("\n\n") + q.id + ": " + q.title + ". " + q.about;
        ids.emplace_back(q.id);
    }
    CLI::App& command = add_command(program.app, {
        "ask", "Questions that other plans answer: the batch, other machines, ZeRO stages",
        "Answers in sentences and with a table whose rows are plans; --row N --out FILE writes one of them. The page "
        "Questions of the window shows the same." + list});
    command.add_option("question", a->question, "What is asked")->required()->check(CLI::IsMember(ids))
        ->type_name("QUESTION");
    add_plan(command, a->plan);
    command.add_option("--devices", a->options.devices, "largest: how many devices (default: one node)")
        ->check(CLI::Range(1, 1 << 20));
    command.add_option("--node-hours", a->options.node_hours, "nodes: also which count ends first within this budget")
        ->check(CLI::PositiveNumber);
    command.add_option("--machines", a->machines, "machines: ids of those to compare (default: all)")->delimiter(',')
        ->type_name("LIST");
    command.add_option("--equal", a->basis, "machines: what is held equal: devices, nodes or peak FLOP/s; or nothing: "
                       "fewest, the devices that hold the run")
        ->check(CLI::IsMember({"devices", "nodes", "peak", "fewest"}))->type_name("WHAT");
    command.add_option("--rate", a->rates, "machines: dollars for one of a currency, CHF=1.1; none is built in")
        ->type_name("CURRENCY=USD");
    command.add_option("--measured", a->measured_seconds, "gap: the step that was measured, in seconds")
        ->check(CLI::PositiveNumber);
    command.add_option("--threads", a->options.threads, "Threads to search with")->check(CLI::Range(1, 1024));
    add_headroom(command, a->options.headroom.share);
    add_max_power(command, a->options.most_power);
    add_price(command, a->plan);
    command.add_option("--row", a->row, "The row whose plan --out writes")->check(CLI::Range(1, 1000));
    command.add_option("--out", a->out, "File for the plan of the row")->type_name(file_value);
    command.add_flag("--csv", a->csv, "The table as CSV");
    command.callback([a, &program] { program.code = run_ask(*a); });
}

}  // namespace plimsoll
