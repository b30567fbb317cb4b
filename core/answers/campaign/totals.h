#pragma once
// What a whole run takes: time, node-hours, charges and energy, all by one rule.
//
//   const Totals t = totals(scenario, headline(scenario, estimate));
//   t.time;                 // 24.1 d, with failures, checkpoints, restarts and the ends of jobs
//   t.all, t.beside;        // true, 3.4 d of it
//
// Either all of that counts in every one of them or in none. Runs longer than a day meet failures and the ends of
// jobs; shorter ones are usually quoted without.

#include "core/answers/campaign/job_chain.h"
#include "core/answers/campaign/headline.h"

#include <string>

namespace plimsoll {

enum class Counting { automatic, all, training };   // automatic: all for runs longer than a day

struct Totals {
    bool all = false;             // else training alone
    Seconds time;                 // infinite where failures take all of it, as everything that follows
    Seconds beside;               // of the time: failures, checkpoints, restarts, ends of jobs
    double jobs = 0;              // of the chain; 0 where the site publishes no limits or none is long enough
    double node_hours = 0, device_hours = 0, accounting_units = 0;
    Joules device_energy, facility_energy;
    bool ends() const;
};
Totals totals(const Scenario&, const Headline&, Counting = Counting::automatic);

// "including 3.4 d for failures, checkpoints and 61 job ends", "without failures and checkpoints".
std::string say_counted(const Totals&);

}  // namespace plimsoll
