#pragma once
// Quantities, obstacles, plans and turned knobs in words, so that a message reads the same in the
// window, on the command line and in a file.

#include "core/values/basics/obstacle.h"
#include "core/values/knobs/knobs.h"
#include "core/values/plan/scenario.h"

#include <string>

namespace plimsoll {

// "Tensor parallel 3 does not divide heads 52; nearest that do: 2, 4."
std::string say(const Obstacle&);
std::string id_of(Reason);   // "indivisible", as in JSON

// Three significant digits with a readable unit: "41.2 d", "3.4 min", "612 MWh", "31.4 GiB", "140 TFLOP/s".
std::string say(Seconds);
std::string say(Bytes);
std::string say(Joules);
std::string say(Watts);
std::string say(FlopRate);
std::string say_count(double);   // 174.6B, 2.66M, 1,024
// "GPT-3 175B on Selene: 128 nodes (1,024 devices), tensor 8 x pipeline 8 x data 16, ..."
std::string say_plan(const Scenario&);
// What a plan tunes of a model: "fine-tuning of adapters of rank 16 (q_proj, v_proj): 6.82M trained parameters ...".
// Both are empty in pre-training.
std::string say_method(const Scenario&);
std::string say_flop_count(const Method&);   // "4 N FLOP a token"
// "40 GiB", or the word that 0 stands for.
std::string value_with_unit(const Knob&, double value);
std::string word_for_zero(const Knob&);   // "automatic", "all"; empty where 0 is a number like others
// Turning a knob, as a button or an undo step says it: "Tensor parallel 8", "Full recompute", "512 nodes".
std::string say_edit(const Knob&, double value);

}  // namespace plimsoll
