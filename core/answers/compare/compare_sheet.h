#pragma once
// A comparison as a sheet: a column for each plan, named by what differs, with the difference in percent.
//
//   const auto names = names_by_difference(plans, comparison);     // {"TP8 PP2 x20", "TP4 PP4"}
//   to_markdown(compare_sheet(comparison, names, false));
//   say_change(row, 1);                                            // "▲ -12 %": a better value than that of the first

#include "core/answers/compare/compare.h"
#include "core/answers/propose/sheet.h"

#include <span>
#include <string>
#include <vector>

namespace plimsoll {

// The model, machine and software where they differ, then nodes and degrees, then as few other inputs as tell all plans
// apart. Plans that differ in nothing are numbered.
std::vector<std::string> names_by_difference(std::span<const Scenario> plans, const Comparison&);

// A plan's value against the first plan's.
enum class Against { same, other, better, worse };
Against against_first(const ComparedRow&, std::size_t plan);
// "▲ -12 %" is better, "▼ +3.1 %" is worse, "+4 %" is neither; ten times and more is "▼ x 10.7". Empty where nothing
// differs, or where the values are words.
std::string say_change(const ComparedRow&, std::size_t plan);

// Inputs that differ, then the answers: all of them, or those that differ.
Sheet compare_sheet(const Comparison&, const std::vector<std::string>& names, bool only_differences);
std::string about_signs();   // what the signs mean, in a sentence

}  // namespace plimsoll
