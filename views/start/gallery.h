#pragma once
// The shipped examples by the question they answer, and the first plan of a model on a machine: what the start page
// offers.
//
//   for (const Question& q : questions(library)) for (const std::string& id : q.examples) ...
//   document.start(plan_of("llama2-70b", "frontier", library));

#include "core/files/presets/library.h"
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

// The first plan of two presets, by id (core/answers/search/first_plan.h); the first example where the library lacks
// one.
Scenario plan_of(const std::string& model, const std::string& machine, const Library&);

// What the start page offers until something else is chosen, and a new plan begins with.
inline constexpr const char *usual_model = "llama2-70b", *usual_machine = "dgx-h100";

}  // namespace plimsoll
