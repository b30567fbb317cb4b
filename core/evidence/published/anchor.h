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
// like it, as far as the errors of published runs say (likeness.h). Only estimate() multiplies by it: numbers, charts,
// searches and files that come of estimates then agree, and none multiplies again.

#include "core/evidence/published/band.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct Anchor {
    std::string name;                    // "64 nodes, June"
    Scenario plan;
    std::optional<double> time_error, memory_error;   // predicted / measured - 1
};

// A measured step and memory of the fullest device against the plan's estimate; either may be left out. Errors: a plan
// with obstacles, neither of the two, a value that is not positive.
Expected<Anchor, std::string> anchor_of(const std::string& name, const Scenario&, const std::optional<Seconds>& step,
                                        const std::optional<Bytes>& memory);

// What is hard to believe of a measured value, in sentences: more than the peak of the devices, more memory than they
// have, ten times off the prediction. Empty: nothing.
std::vector<std::string> doubts_of(const Anchor&);

// As plans carry them (Scenario::measured); null where there are none.
std::shared_ptr<const MeasuredRuns> measured_by(const std::vector<Anchor>&);

struct Anchoring {
    double time_factor = 1, memory_factor = 1;    // on what the model alone says
    double time_share = 0, memory_share = 0;      // of the error's variance that the anchors tell; 0: none is like it
    Band band;                                    // around the anchored values
    Band before;                                  // around the others, without anchors
    std::vector<std::string> names;               // of the anchors that count, the likest first
    bool any() const { return time_share > 0 || memory_share > 0; }
};
Anchoring anchored(const Scenario&, const std::vector<Anchor>&, const Evidence&);
Anchoring anchored(const Scenario&, const Evidence&);    // by the runs that the plan carries

// "Anchored by '64 nodes, June': times x 1.08, two thirds within 3 % instead of 9 %." Empty where no anchor is like it.
std::string say_anchoring(const Anchoring&);

// ---- What an anchor is worth: of every source some rows given, the others predicted

struct AnchoredRow {
    std::size_t row = 0;                 // of Score::rows or memory_rows
    double before = 0, after = 0;        // predicted / measured - 1
    double share = 0;                    // of the variance that the anchors tell
};
struct AnchoredSource {
    std::string source;
    std::vector<std::string> given;      // ids of the rows given
    bool memory = false;
    std::vector<AnchoredRow> rows;       // without those given
    double before = 0, after = 0;        // means of their absolute errors
    double any_before = 0, any_after = 0;  // the same, mean over many choices of as many rows
};

// Sources of at least `least` rows, with one row given, then two, up to `most`. Given is what tells most of the others
// by the plans alone, whatever was measured. Beside it stands the mean over choices: each row, of a large source forty
// evenly spread ones; for two and more, forty drawn sets. Errors are those without the source, where they are known.
constexpr int least_anchored = 5;
std::vector<AnchoredSource> anchor_one(const Score&, const LeftOut&, int most = 1, int least = least_anchored);

// All rows that runs of one's own are like, anchored by them.
std::vector<AnchoredSource> anchor_with(const Score&, const LeftOut&, const std::vector<Anchor>&);

// Trials of rows that were anchored by one of their source.
AnchoredTrials anchored_trials(const Score&, const LeftOut&);

}  // namespace plimsoll
