#pragma once
// How far a prediction may be off, judged by published runs of its kind.
//
//   const Evidence seen = evidence_of(score(rows, presets), left_out);   // once, 0.1 s
//   const Band b = band_of(scenario, seen);
//   b.time;      // 0.06: two thirds of runs of this kind lay within a factor 1.06 of the prediction
//   b.time_wide; // 0.14: nine of ten
//   b.beyond;    // what no run of the evidence covers, in sentences; empty: the plan is inside
//
// A run is judged by the prediction that was made without its source (left_out.h). Runs are alike in circles: same
// stack, device, number format and reach (one node or more); same stack and device; same stack or device; all. Runs of
// wider circles count less, and those of one source together as the square root of their number, of a hundred at most,
// because they err alike. The band is the two-thirds quantile of the errors so weighted, one more run of unknown error
// among them (split conformal prediction, Vovk et al. 2005): narrow where many sources agree, wide where few were seen.
// Fine-tuning is judged by fine-tuning alone, and pre-training by the rest; where nobody measured fine-tuning, all
// count as runs of no kin. What no run covers at all widens it further, by a stated width for each such thing. A plan
// that is predicted at more of its peak than any run has reached is widened until its range holds what was reached.
//
// On a machine that was calibrated, runs that were held back then are runs of
// the innermost circle: good ones narrow the band, bad ones widen it. A plan on
// more devices than they had is not narrowed by them.

#include "core/answers/curves/figures.h"
#include "core/answers/plan/headroom.h"
#include "core/evidence/published/left_out.h"
#include "core/evidence/published/score.h"
#include "core/values/basics/names.h"

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// What makes two runs alike, and how far the evidence reaches.
struct RunKind {
    std::string stack, device;           // id of the stack, family of the device
    Precision precision = Precision::bf16;
    bool crosses_nodes = false;
    int devices = 1, sequence_length = 1;
    bool experts = false;                // priced by other formulas: far from every dense run
    double parameters = 0;
    unsigned traits = 0;                 // features of the plan, one bit each (band.cpp)
    unsigned recipe = 0;                 // of a mixture: graph, dispatch, whether the exchange hides
    Purpose purpose = Purpose::pretrain; // runs of the other purpose say nothing of it
    Trained trained = Trained::all;      // adapters are priced by other formulas than the rest
};
RunKind kind_of(const Scenario&);

struct Trial {
    RunKind kind;
    std::string source;
    double error = 0;                    // predicted / published - 1
    double mfu = 0;                      // that the run reached; 0: not known
};

// A row that was predicted with one row of its source given, and how much of its error that one told (anchor.h).
struct AnchoredTrial {
    Trial trial;
    double share = 0;
};
struct AnchoredTrials {
    std::vector<AnchoredTrial> time, memory;
};

struct Evidence {
    std::vector<Trial> time, memory;     // the rows that count
    AnchoredTrials anchored = {};
};
// With the errors of sources left out where they are known: those are what a plan of nobody's row has to expect.
Evidence evidence_of(const Score&, const LeftOut& = {});
// Whose rows err together, and are judged without each other: those of a source; of mixtures, which few publish, all of
// a vendor.
const std::string& erring_with(const ScoredRow&);

enum class Circle { same_reach, same_stack_and_device, same_stack_or_device, all };
constexpr int circles = 4;
std::string likeness(Circle);            // "with this stack on this device"

struct Spread {
    double band = 0;                     // as a fraction: from value / (1 + band) to value (1 + band)
    Circle circle = Circle::all;         // the innermost one that holds a run
    int runs = 0, sources = 0;           // in that circle
    int held_back = 0;                   // runs of the machine's own calibration that count
    double held_back_error = 0;          // their mean |error|
    double without = 0;                  // the band without them
    double wide = 0;                     // like band, of nine runs in ten
};

// One cause of a range. Causes are independent: what they add to the variance of the logarithm of the error sums to
// that of the range, so that log(1 + band)^2 is the sum of all parts. Runs of one's own take from it: below zero.
struct BandPart {
    enum class Kind { runs, beyond, anchors };
    Kind kind = Kind::runs;
    std::string cause;                       // a sentence without its full stop
    double variance = 0;
    double alone() const;                    // the band that it would be without the others; below zero: what it takes
};
std::string_view id_of(BandPart::Kind);      // "runs", "beyond", "anchors"

// What the evidence knows of a plan's stack and device: measured together, each apart, or one of them not at all. Runs
// that train all of a model do the same work whatever for: they tell it of each other.
enum class Knowledge { pair, parts, nothing };
template <> std::span<const std::string_view> names_of<Knowledge>();   // "pair", "parts", "nothing"

struct Band {
    double time = 0, memory = 0;             // two runs in three, widened by what is beyond
    double time_wide = 0, memory_wide = 0;   // nine runs in ten
    Spread time_spread, memory_spread;       // before
    std::vector<std::string> beyond;
    std::vector<BandPart> time_parts = {}, memory_parts = {};   // empty where no run was seen
    Knowledge knowledge = Knowledge::nothing;
};
Band band_of(const Scenario&, const Evidence&);

// Bands of many plans, each judged without the runs of one source: what the band would have been had nobody published
// them. Plans alike share the work, which grows with the evidence and not with its square.
//
//   UnseenBands bands(evidence);
//   bands.of(row.plan, row.source).time;

class UnseenBands {
public:
    explicit UnseenBands(const Evidence& all) : all_(all) {}
    Band of(const Scenario&, const std::string& source);

private:
    using Judge = std::function<Band(const Scenario&, const std::string& source)>;
    const Evidence& all_;
    std::map<std::string, Judge> of_kind_;
};

// What was held back when the plan's machine was calibrated; nothing on other machines.
Evidence held_back(const Scenario&);

// The same for one list of trials; `without` is left out (to test the promise of two thirds).
Spread spread_of(const RunKind&, const std::vector<Trial>&, const Trial* without = nullptr);

// What runs of one's own took from a band whose parts are those without them.
void add_anchored_parts(Band&);

// ---- A band in words, around a number and on figures

// How the parts of a range make it.
std::string say_part_rule();

// "Two thirds of comparable published runs lie within 6 % of the prediction. Nearest: 38 runs ..."
std::string say_spread(const Spread&);
// "no published run on A64FX was checked; the range is widened for it, from 8 % to 14 %"; empty inside what was
// checked.
std::string say_beyond(const Band&);
// Of fine-tuning that no run is like: "no run that trains adapters was ever compared with this stack or device, ..."
std::string say_untuned(const RunKind&);

// value / (1 + band) to value (1 + band).
template <class Quantity>
struct LikelyRange {
    Quantity low, high;
};
template <class Quantity>
LikelyRange<Quantity> range_around(Quantity value, double band) {
    return {value / (1 + band), value * (1 + band)};
}

// A wish for free memory that knows how far the prediction may be off: `factor` is what measured runs of one's own make
// of the memory. Without runs to judge by it is the wish alone.
Headroom judged(double share, const Band&);

// Shading around the modelled time, and a word on it in the captions of what follows from the time. The band is the
// present plan's; along the node axis stack, device and format stay the same.
void shade(std::vector<Figure>&, const Band&);
// Around one line of times, named by its id; `band` says how the shading is called. False: no such line, or no range.
bool shade_line(Figure&, std::string_view line, const Band&, Series band);

}  // namespace plimsoll
