#pragma once
// What a question about a plan takes besides the plan, and its answer.

#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/totals.h"
#include "core/answers/curves/figures.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/search/search.h"
#include "core/values/basics/text.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// What is held equal on other machines; of `fewest` nothing: each has the fewest devices that hold the run.
enum class Basis { devices, nodes, peak, fewest };

struct AskOptions {
    int devices = 0;             // of `largest`; 0: one node
    double node_hours = 0;       // of `nodes`: also which count ends first within them; 0: no budget
    Headroom headroom{};
    Watts most_power{};          // layouts that draw more are none; nothing: no limit
    Counting counting = Counting::automatic;
    HourOf hours = HourOf::node;  // what hours are counted in
    int threads = 1;
    // ---- of `machines`
    Basis basis = Basis::devices;
    std::map<std::string, double> dollars_for = {};      // {"CHF", 1.1}: rates that the user stated
    std::function<int(const Scenario&)> measured = {};   // published runs of a plan's software on its device
    // ---- of `gap`
    Seconds measured_step{};     // nothing: none was measured
    double likely_range = 0;     // of the predicted time; 0: not known
};

struct AskedRow {
    std::vector<std::string> cells;
    std::optional<Scenario> plan = {};   // that can be taken over
};
struct Asked {
    Sentences says;              // the answer
    Sentences notes;             // what it rests on
    std::vector<std::string> headings;
    std::set<int> numbers;       // columns that stand to the right
    std::vector<AskedRow> rows;
    std::optional<Figure> figure = {};   // of an answer that is a curve
    bool complete = true;        // else it was stopped
};

}  // namespace plimsoll
