#pragma once
// How answers are judged, as its user wishes: nothing of it belongs to a plan or changes a price.
//
//   workspace.set_preferences({.headroom = 0.1});    // tight from 90 % of the memory on

#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/totals.h"
#include "core/answers/plan/headroom.h"
#include "core/values/basics/shown_units.h"

#include <QString>

#include <vector>

namespace plimsoll {

struct Preferences {
    double headroom = usual_headroom;           // share of a device's memory that should stay free
    Counting counting = Counting::automatic;    // of failures and ends of jobs
    int threads = 0;                            // of all searches beside the window together; 0: half of the cores
    HourOf hours = HourOf::node;                // what hours are counted in
    ByteUnit memory = ByteUnit::binary;     // GiB or GB
    DurationUnit durations = DurationUnit::automatic;
    Watts most_power{};                         // of the facility while a plan trains; nothing: no limit
    friend bool operator==(const Preferences&, const Preferences&) = default;
};

int cores();                              // threads that the computer runs at once
int search_threads(const Preferences&);   // 1 to cores()

// What can be chosen, in words.
template <class Value>
struct PreferenceChoice {
    Value value;
    QString words;
};
std::vector<PreferenceChoice<double>> headroom_choices();
std::vector<PreferenceChoice<Counting>> counting_choices();
std::vector<PreferenceChoice<int>> thread_choices();
std::vector<PreferenceChoice<HourOf>> hour_choices();
std::vector<PreferenceChoice<ByteUnit>> memory_choices();
std::vector<PreferenceChoice<DurationUnit>> duration_choices();
// The next of them that hours of this machine can be counted in.
HourOf next_hours(HourOf, const Machine&);

// Kept in QSettings between starts; what cannot be read there is as it comes.
Preferences stored_preferences();
void store(const Preferences&);

}  // namespace plimsoll
