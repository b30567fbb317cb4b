#pragma once
// Which strategy every layer of a pipeline stage should have: the fastest that fits the memory, exactly.
//
//   const Assigned all = assign(choices, reshard, budget);
//   if (const auto best = all.within(budget)) best->strategy;   // one per layer
//
// Minimises the layers' times plus what it takes to hand activations on between neighbours of different strategy,
// with the layers' memory, in whole units, at most the budget. Galvatron's recurrence (Miao et al. 2022, section 3.3)
// fills a table of layers x memory units x strategies from all strategies of the layer before: O(L E S^2). Three
// things keep the same optimum and leave little of that:
// - strategies from and to which every hand-over costs the same are one class, so a layer looks back at K classes
//   rather than S strategies: O(L E (S + K^2));
// - within a class, one that takes no less time and no less memory than another is never needed;
// - of E, only the amounts of memory at which the time falls are kept (the Pareto front), and none from which the
//   layers to come would burst the budget.

#include <optional>
#include <vector>

namespace plimsoll {

struct Choice {
    double seconds = 0;
    int units = 0;      // of memory, rounded up
};
using Choices = std::vector<std::vector<Choice>>;        // layer x strategy, the same strategies for every layer
using Reshard = std::vector<std::vector<double>>;        // seconds from strategy x to strategy

struct Assignment {
    double seconds = 0;
    int units = 0;
    std::vector<int> strategy;   // one per layer
};

class Assigned {
public:
    // The fastest that needs no more than `units` (at most the budget assigned for); nothing when none does.
    std::optional<Assignment> within(int units) const;
    long long labels() const;    // pairs of memory and time that were kept, over all layers

private:
    friend Assigned assign(const Choices&, const Reshard&, int budget);
    struct Label {
        double seconds;
        int units, strategy;
        int before_class, before;   // the label of the layer before that it continues
    };
    using Front = std::vector<Label>;            // ascending units, descending seconds
    std::vector<std::vector<Front>> layers_;     // layer x class
};

Assigned assign(const Choices&, const Reshard&, int budget);

}  // namespace plimsoll
