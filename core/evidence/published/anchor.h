#pragma once
// What a measured run of one's own says of other plans on the same machine and software.
//
//   const Anchor mine = *anchor_of("64 nodes, June", plan, 12.4 * second, {});
//   other.measured = measured_by({mine});
//   estimate(other);   // starts from it, as all that is made of estimates does
//   const Anchoring a = anchored(other, evidence);
//   a.time_factor;     // 1.08: what the model's own prediction was multiplied by
//   a.band.time;       // 0.03: two thirds of published runs that were anchored alike lay within 3 %
//   say_anchoring(a);  // what the anchor changed
//
// The error of a prediction is partly that of its machine and software: what one run shows of it is true of others
// like it, as far as the errors of published runs say (likeness.h), and nearly all of it of copies (copies.h). Only
// estimate() multiplies by it: numbers, charts, searches and files that come of estimates then agree, and none
// multiplies again.

#include "core/evidence/published/likeness.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct Anchor {
    std::string name;                    // "64 nodes, June"
    Scenario plan;
    std::optional<double> time_error, memory_error;   // predicted / measured - 1
    MemoryKind memory_kind = MemoryKind::reserved;
    double scatter = 0;                  // of its step times, as a share of their middle; 0: not known
};

// A measured step and memory of the fullest device against the plan's estimate; either may be left out. Errors: a plan
// with obstacles, neither of the two, a value that is not positive.
Expected<Anchor, std::string> anchor_of(const std::string& name, const Scenario&, const std::optional<Seconds>& step,
                                        const std::optional<Bytes>& memory,
                                        MemoryKind = MemoryKind::reserved);

// What is hard to believe of a measured value, in sentences: more than the peak of the devices, more memory than they
// have, ten times off the prediction. Empty: nothing.
std::vector<std::string> doubts_of(const Anchor&);

// As plans carry them (Scenario::measured); null where there are none.
std::shared_ptr<const MeasuredRuns> measured_by(const std::vector<Anchor>&);

// What they tell of one plan, by those whose time, or memory, was measured; places are those of the list.
class AnchorTeller {
public:
    AnchorTeller(const std::vector<Anchor>&, bool memory);
    AnchorTeller(const AnchorTeller&) = delete;
    AnchorTeller& operator=(const AnchorTeller&) = delete;
    ToldError of(const Peer& plan) const;

private:
    std::vector<std::size_t> used_;
    std::vector<Peer> peers_;
    ErrorTeller teller_;
};

struct Anchoring {
    double time_factor = 1, memory_factor = 1;    // on what the model alone says
    double time_share = 0, memory_share = 0;      // of the error's variance that the anchors tell; 0: none is like it
    Band band;                                    // around the anchored values
    Band before;                                  // around the others, without anchors
    std::vector<std::string> names;               // of the anchors that count, the likest first
    Kin time_kin = Kin::other, memory_kin = Kin::other;
    bool two_depths = false;                      // of the times
    bool any() const { return time_share > 0 || memory_share > 0; }
};
Anchoring anchored(const Scenario&, const std::vector<Anchor>&, const Evidence&);
Anchoring anchored(const Scenario&, const Evidence&);    // by the runs that the plan carries

// "Anchored by '64 nodes, June': times x 1.08, two thirds within 3 % instead of 9 %. A copy of this plan, but ..."
// Empty where no anchor is like it.
std::string say_anchoring(const Anchoring&);

}  // namespace plimsoll
