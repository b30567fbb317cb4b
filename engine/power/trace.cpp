#include "engine/power/trace.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll::engine::power {
namespace {

std::string text(const char* format, double value) {
    char line[96];
    std::snprintf(line, sizeof line, format, value);
    return line;
}

bool earlier(const Reading& r, double time_s) { return r.stamp_s < time_s; }

}  // namespace

void Trace::add(const Reading& r) {
    if (!points_.empty() && (r.joules == points_.back().joules || r.stamp_s <= points_.back().stamp_s)) return;
    points_.push_back(r);
    while (points_.front().stamp_s < r.stamp_s - longest_window_s) points_.pop_front();
}

void Trace::lose(std::string why) {
    points_.clear();
    lost_ = std::move(why);
}

std::optional<double> Trace::last_moved_s() const {
    if (points_.size() < 2) return std::nullopt;  // the first look is no movement
    return points_.back().stamp_s;
}

// Linear between the movements around; after the last one at the mean power of all.
double Trace::at(double time_s) const {
    auto after = std::lower_bound(points_.begin(), points_.end(), time_s, earlier);
    if (after == points_.begin()) return after->joules;
    if (after == points_.end()) {
        const Reading &first = points_.front(), &last = points_.back();
        return last.joules + (last.joules - first.joules) / (last.stamp_s - first.stamp_s) * (time_s - last.stamp_s);
    }
    const Reading &b = *after, &a = *std::prev(after);
    return a.joules + (b.joules - a.joules) * (time_s - a.stamp_s) / (b.stamp_s - a.stamp_s);
}

long Trace::updates(double from_s, double to_s) const {
    const auto begin = std::upper_bound(points_.begin(), points_.end(), from_s, [](double t, const Reading& r) { return t < r.stamp_s; });
    const auto end = std::upper_bound(points_.begin(), points_.end(), to_s, [](double t, const Reading& r) { return t < r.stamp_s; });
    return long(end - begin);
}

Expected<double, std::string> Trace::energy(double from_s, double to_s) const {
    if (to_s - from_s < shortest_window_s) return Unexpected<std::string>{text("a window of %.3g s is too short for a counter", to_s - from_s)};
    if (points_.empty()) return Unexpected<std::string>{lost_};
    if (points_.size() < 2) return Unexpected<std::string>{"the counter has not moved"};
    if (from_s < points_.front().stamp_s) return Unexpected<std::string>{"the window begins before what is known of the counter"};
    const double beyond_s = to_s - points_.back().stamp_s;
    if (beyond_s > most_beyond * (to_s - from_s)) return Unexpected<std::string>{text("the counter has not moved for %.3g s", beyond_s)};
    if (const long n = updates(from_s, to_s); n < least_updates)
        return Unexpected<std::string>{std::string("the counter moved ") + std::to_string(n) + " times in the window, fewer than " + std::to_string(least_updates)};
    return at(to_s) - at(from_s);
}

}  // namespace plimsoll::engine::power
