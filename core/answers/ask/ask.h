#pragma once
// Questions about a plan that are answered by other plans: in sentences, and in a table whose rows can be taken.
//
//   const Asked a = ask(plan, PlanQuestion::batch, {}, library.machines);
//   a.says;                      // "The batch of 2.1M tokens costs 6 to 8 % more tokens than many small steps would."
//   a.rows[1].plan;              // the plan of a row, where it is one
//
// The window and `plimsoll ask` show the same answers. The searches behind them are those of core/answers/search.

#include "core/answers/ask/asked.h"

#include <optional>
#include <string_view>

namespace plimsoll {

enum class PlanQuestion { largest, nodes, split, layers, robust, batch, sweep, gap, zero, schedules, machines, memory };

struct PlanQuestionWords {
    PlanQuestion question;
    const char* id;        // "largest": on the command line and in names of widgets
    const char* title;     // "Largest model a few devices hold"
    const char* about;     // what is looked at, in a sentence
};
const std::vector<PlanQuestionWords>& plan_questions();
std::optional<PlanQuestion> question_named(std::string_view id);

// `machines`: that the question of this name goes through.
// A plan that cannot be computed is answered by its obstacles, where the answer starts from its numbers.
Asked ask(const Scenario&, PlanQuestion, const AskOptions& = {}, const std::map<std::string, Machine>& machines = {},
          std::stop_token = {}, const SearchProgress& = {});

// What it says as comments, and with the notes what it rests on; then the table.
enum class WithNotes { no, yes };
std::string to_csv(const Asked&, WithNotes = WithNotes::no);

}  // namespace plimsoll
