#include "views/document/preferences.h"

#include <QSettings>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr const char* headroom_key = "headroom";
constexpr const char* counting_key = "totals";
constexpr const char* countings[] = {"automatic", "all", "training"};

}  // namespace

Preferences stored_preferences() {
    const QSettings settings;
    Preferences p;
    bool number = false;
    const double share = settings.value(QLatin1String(headroom_key), p.headroom).toDouble(&number);
    if (number) p.headroom = std::clamp(share, 0.0, most_headroom);
    const QString word = settings.value(QLatin1String(counting_key)).toString();
    for (int i = 0; i < int(std::size(countings)); ++i)
        if (word == QLatin1String(countings[i])) p.counting = Counting(i);
    return p;
}

void store(const Preferences& p) {
    QSettings settings;
    settings.setValue(QLatin1String(headroom_key), p.headroom);
    settings.setValue(QLatin1String(counting_key), QLatin1String(countings[int(p.counting)]));
}

}  // namespace plimsoll
