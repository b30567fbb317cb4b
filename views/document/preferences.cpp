#include "views/document/preferences.h"

#include "core/values/basics/text.h"
#include "views/parts/text.h"

#include <QSettings>

#include <algorithm>
#include <cmath>
#include <thread>

namespace plimsoll {

namespace {

constexpr const char* headroom_key = "headroom";
constexpr const char* counting_key = "totals";
constexpr const char* threads_key = "threads";
constexpr const char* hours_key = "hours";
constexpr const char* memory_key = "memory_unit";
constexpr const char* durations_key = "durations";
constexpr const char* power_key = "most_power_kW";
constexpr const char* memory_units[] = {"GiB", "GB"};
constexpr const char* duration_units[] = {"automatic", "hours", "days"};
constexpr const char* countings[] = {"automatic", "all", "training"};

}  // namespace

int cores() { return int(std::max(1u, std::thread::hardware_concurrency())); }

int search_threads(const Preferences& p) {
    return p.threads > 0 ? std::min(p.threads, cores()) : std::max(1, cores() / 2);
}

std::vector<PreferenceChoice<double>> headroom_choices() {
    std::vector<PreferenceChoice<double>> all;
    for (const double share : {0.0, 0.02, 0.05, 0.1, 0.15, 0.2}) all.push_back({share, to_qt(percent(share, 0))});
    return all;
}

std::vector<PreferenceChoice<Counting>> counting_choices() {
    return {{Counting::automatic, QObject::tr("With failures and job ends, if longer than a day")},
            {Counting::all, QObject::tr("With failures and job ends")},
            {Counting::training, QObject::tr("Training alone")}};
}

std::vector<PreferenceChoice<int>> thread_choices() {
    std::vector<PreferenceChoice<int>> all{{0, QObject::tr("Half of the cores (%1)").arg(search_threads({}))}};
    for (int threads = 1; threads < cores(); threads *= 2) all.push_back({threads, QString::number(threads)});
    all.push_back({cores(), QObject::tr("All cores (%1)").arg(cores())});
    return all;
}

std::vector<PreferenceChoice<HourOf>> hour_choices() {
    return {{HourOf::node, QObject::tr("Node-hours")},
            {HourOf::package, QObject::tr("Hours of modules, cards or chips as they are sold")},
            {HourOf::device, QObject::tr("Device-hours")},
            {HourOf::core, QObject::tr("Core-hours, where they are known")},
            {HourOf::site, QObject::tr("What the site charges")}};
}

std::vector<PreferenceChoice<ByteUnit>> memory_choices() {
    return {{ByteUnit::binary, QObject::tr("GiB, of 1,073,741,824 bytes")},
            {ByteUnit::decimal, QObject::tr("GB, of 1,000,000,000 bytes")}};
}

std::vector<PreferenceChoice<DurationUnit>> duration_choices() {
    return {{DurationUnit::automatic, QObject::tr("Minutes, hours or days")},
            {DurationUnit::hours, QObject::tr("Hours, from an hour on")},
            {DurationUnit::days, QObject::tr("Days, from an hour on")}};
}

HourOf next_hours(HourOf now, const Machine& machine) {
    const std::vector<PreferenceChoice<HourOf>> all = hour_choices();
    std::size_t at = 0;
    while (at + 1 < all.size() && all[at].value != now) ++at;
    do at = (at + 1) % all.size();
    while (!hours_per_node_hour(machine, all[at].value));  // node-hours always are
    return all[at].value;
}

Preferences stored_preferences() {
    const QSettings settings;
    Preferences p;
    bool number = false;
    const double share = settings.value(QLatin1String(headroom_key), p.headroom).toDouble(&number);
    if (number) p.headroom = std::clamp(share, 0.0, most_headroom);
    const QString word = settings.value(QLatin1String(counting_key)).toString();
    for (int i = 0; i < int(std::size(countings)); ++i)
        if (word == QLatin1String(countings[i])) p.counting = Counting(i);
    p.threads = std::max(0, settings.value(QLatin1String(threads_key)).toInt());
    const std::string hours = settings.value(QLatin1String(hours_key)).toString().toStdString();
    for (const auto& [of, words] : hour_choices())
        if (name_of_hour(of) == hours) p.hours = of;
    const QString memory = settings.value(QLatin1String(memory_key)).toString();
    const QString durations = settings.value(QLatin1String(durations_key)).toString();
    for (int i = 0; i < int(std::size(memory_units)); ++i)
        if (memory == QLatin1String(memory_units[i])) p.memory = ByteUnit(i);
    for (int i = 0; i < int(std::size(duration_units)); ++i)
        if (durations == QLatin1String(duration_units[i])) p.durations = DurationUnit(i);
    const double power = settings.value(QLatin1String(power_key)).toDouble();
    if (power > 0 && std::isfinite(power)) p.most_power = power * kilowatt;
    return p;
}

void store(const Preferences& p) {
    QSettings settings;
    settings.setValue(QLatin1String(headroom_key), p.headroom);
    settings.setValue(QLatin1String(counting_key), QLatin1String(countings[int(p.counting)]));
    settings.setValue(QLatin1String(threads_key), p.threads);
    settings.setValue(QLatin1String(hours_key), to_qt(name_of_hour(p.hours)));
    settings.setValue(QLatin1String(memory_key), QLatin1String(memory_units[int(p.memory)]));
    settings.setValue(QLatin1String(durations_key), QLatin1String(duration_units[int(p.durations)]));
    settings.setValue(QLatin1String(power_key), p.most_power / kilowatt);
}

}  // namespace plimsoll
