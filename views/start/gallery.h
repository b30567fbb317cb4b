#pragma once
// The shipped examples by the question they answer, and the first plan of a model on a machine: what the start page
// offers.
//
//   for (const Question& q : questions(library)) for (const std::string& id : q.examples) ...
//   plans.start(new_plan(*p.scenario));

#include "core/files/presets/library.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/plan/scenario.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct Question {
    QString text;                       // "What does a mixture of experts cost?"
    std::vector<std::string> examples;  // ids of scenarios the library has
};
// All examples, each under one question; those nobody has sorted, such as the user's own, under the last.
std::vector<Question> questions(const Library&);

// What the gallery says of an example. Reads the file and prices the plan: a few milliseconds.
struct ExampleCard {
    QString name, model, machine, time, energy;
};
std::optional<ExampleCard> card_of(const std::string& id, const Library&);

// A plan that was asked for and has no layout of anybody's choosing: it begins with automatic layout on.
ScenarioFile new_plan(const Scenario&);

// What the start page offers until something else is chosen, and a new plan begins with.
inline constexpr const char *usual_model = "llama2-70b", *usual_machine = "dgx-h100";

}  // namespace plimsoll
