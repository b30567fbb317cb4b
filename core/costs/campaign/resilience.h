#pragma once
// What failures cost: how often a job of this size is interrupted, what a
// checkpoint takes, how often to write one, and what is left for training.
//
//   Resilience r = resilience(scenario);
//   r.makes_progress() ? run / r.goodput() : "never"
//
// All shares are of the time W on the machine, of which N is training that is kept. To first order in the interval
// over the MTBF (Young 1974) each of the W / M failures throws away T / 2 of training and takes a restart R; what is
// left alternates between T of training and C of writing:
//   W = N (1 + C/T) + W/M (T/2 + R),   so   goodput N / W = T / (T + C) (1 - (T/2 + R) / M).
// Young's interval is near the best, Daly's (2006) is reported beside it. Neither failures during a restart nor slow
// nodes are counted.

#include "core/values/plan/breakdown.h"
#include "core/values/plan/scenario.h"

#include <iterator>

namespace plimsoll {

// Shares of the time on the machine.
struct Overhead {
    double checkpointing = 0;  // C / (T + C) of what failures leave
    double rework = 0;         // T / (2 M)
    double restarting = 0;     // R / M
    double total() const;
    friend bool operator==(const Overhead&, const Overhead&) = default;
};
inline constexpr Part<Overhead, double> overhead_parts[] = {
    {"checkpointing", "Writing checkpoints", &Overhead::checkpointing},
    {"rework", "Training lost and repeated", &Overhead::rework},
    {"restarting", "Restarting", &Overhead::restarting},
};
static_assert(sizeof(Overhead) == std::size(overhead_parts) * sizeof(double), "every field has a row");
inline double Overhead::total() const { return total_of(*this, overhead_parts); }

struct Resilience {
    Seconds mtbf;            // M, of the job: between failures of any of its nodes
    Bytes checkpoint_size;
    ByteRate write;          // of the nodes that write, within what the file system takes
    Seconds checkpoint;      // C, training stands still
    Seconds restart;         // R, with loading the checkpoint
    Seconds young, daly;
    Seconds interval;        // T: the recipe's, else Young's, lengthened where that costs hardly anything
    bool optimal = true;     // T follows from Young's
    bool lengthened() const { return optimal && interval > young; }
    Overhead overhead;       // at T

    bool makes_progress() const { return mtbf >= checkpoint + restart && overhead.total() < 1; }
    double goodput() const { return makes_progress() ? 1 - overhead.total() : 0; }
};
Resilience resilience(const Scenario&);

Seconds job_mtbf(const Reliability&, int nodes);  // 1,000 days / (nodes x rate)
Seconds young_interval(Seconds checkpoint, Seconds mtbf);  // sqrt(2 C M)
// sqrt(2 C M) (1 + x / 3 + x^2 / 9) - C, x = sqrt(C / 2 M); M where C is 2 M and more.
Seconds daly_interval(Seconds checkpoint, Seconds mtbf);
// Young's interval, but not every few minutes: an optimum below half an hour is lengthened up to there, as far as that
// takes no more than 0.25 % of the time above the optimum. Both bounds are chosen.
inline constexpr Seconds usual_interval = 30 * minute;
inline constexpr double hardly_lost = 0.0025;
Seconds practical_interval(Seconds young, Seconds mtbf);
Overhead overhead_at(Seconds interval, const Resilience&);

// Nodes that hold a part of one copy of the states; replicas of it write nothing.
int writing_nodes(const Scenario&);
// Of a checkpoint: what the file system takes of all, and what one node sends it; the narrower decides.
struct StorageRate {
    ByteRate shared, per_node;
    int nodes;
    bool shared_decides() const { return shared <= nodes * per_node; }
    ByteRate rate() const { return min(shared, nodes * per_node); }
};
StorageRate writing(const Scenario&);
StorageRate loading(const Scenario&);  // every node reads
ByteRate write_rate(const Scenario&);
Seconds load_time(const Scenario&);

}  // namespace plimsoll
