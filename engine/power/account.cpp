#include "engine/power/account.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll::engine::power {

namespace {

bool same_scope_around(const std::vector<Share>& all, const Share& s) {
    return !s.domain.nested_in.empty() && std::any_of(all.begin(), all.end(), [&](const Share& o) {
        return o.source == s.source && o.domain.name == s.domain.nested_in && o.domain.scope == s.domain.scope;
    });
}

struct Found {
    ScopeTotal total;
    bool outermost = true, with_host = false;
    std::string missing{};   // why a domain of it has no number: the whole has none
};

std::vector<Found> totals_of(const std::vector<Share>& all) {
    std::vector<Found> found;
    for (const Share& s : all) {
        if (same_scope_around(all, s)) continue;
        auto at = std::find_if(found.begin(), found.end(), [&](const Found& f) {
            return f.total.source == s.source && f.total.scope == s.domain.scope;
        });
        if (at == found.end()) at = found.insert(found.end(), {.total = {s.source, s.domain.scope, 0, false}});
        at->outermost = at->outermost && s.domain.nested_in.empty();
        at->with_host = at->with_host || s.domain.with_host;
        // Several numbers of one source for the whole node are of the same node: the largest, never their sum.
        if (s.joules && s.domain.scope == Scope::node) at->total.joules = std::max(at->total.joules, *s.joules);
        else if (s.joules) at->total.joules += *s.joules;
        else if (at->missing.empty()) at->missing = s.source + " " + s.domain.name + ": " + s.joules.error();
        at->total.integrated = at->total.integrated || s.domain.integrated;
    }
    return found;
}

// The best number of a scope: counters before sums of power. Null without any.
const Found* best_of(const std::vector<Found>& found, Scope scope) {
    const Found* best = nullptr;
    for (const Found& f : found)
        if (f.total.scope == scope
            && (!best || (!best->missing.empty() && f.missing.empty())
                || (best->total.integrated && !f.total.integrated && f.missing.empty())))
            best = &f;
    return best;
}

void compare(Account& a) {
    for (std::size_t i = 0; i < a.totals.size(); ++i)
        for (std::size_t j = i + 1; j < a.totals.size(); ++j) {
            const ScopeTotal &one = a.totals[i], &other = a.totals[j];
            if (one.scope != other.scope
                || std::abs(one.joules - other.joules) <= agreement * std::max(one.joules, other.joules))
                continue;
            char text[128];
            std::snprintf(text, sizeof text, "%s says %.4g J and %s %.4g J of the same %s: more than a tenth apart",
                          one.source.c_str(), one.joules, other.source.c_str(), other.joules,
                          scope_names[int(one.scope)]);
            a.remarks.push_back(text);
        }
}

void count(Account& a, const Found& f) {
    if (!f.missing.empty()) {
        if (a.reason.empty()) a.reason = f.missing;
        return;
    }
    a.joules = a.joules.value_or(0) + f.total.joules;
    a.scope.append(a.scope.empty() ? "" : "+").append(scope_names[int(f.total.scope)]);
    if (a.sources.find(f.total.source) == std::string::npos)
        a.sources.append(a.sources.empty() ? "" : "+").append(f.total.source);
}

std::string text(const char* format, double value) {
    char line[96];
    std::snprintf(line, sizeof line, format, value);
    return line;
}

bool earlier(const Reading& r, double time_s) { return r.stamp_s < time_s; }

}  // namespace

// The node where somebody counts it. Else packages, their memory, boards and modules that lie in nothing else, beside
// one another; a module that holds its host leaves the packages out.
Account account_of(const std::vector<Share>& shares) {
    const std::vector<Found> found = totals_of(shares);
    Account a;
    for (const Found& f : found)
        if (f.missing.empty()) a.totals.push_back(f.total);
    compare(a);
    for (const Share& s : shares) {
        if (s.domain.doubt.empty()) continue;
        std::string remark = s.source + ": " + s.domain.doubt;
        if (std::find(a.remarks.begin(), a.remarks.end(), remark) == a.remarks.end())
            a.remarks.push_back(std::move(remark));
    }
    const auto node = best_of(found, Scope::node), module = best_of(found, Scope::module);
    if (node && node->missing.empty()) {
        count(a, *node);
    } else {
        const bool hosted = module && module->with_host;
        for (const Scope scope : {Scope::package, Scope::dram, Scope::gpu, Scope::module})
            if (const Found* f = best_of(found, scope);
                f && f->outermost && !(hosted && (scope == Scope::package || scope == Scope::dram)))
                count(a, *f);
    }
    // A part without a number would pass for zero.
    if (!a.reason.empty()) {
        a.joules.reset();
        a.scope.clear();
        a.sources.clear();
    } else if (!a.joules) a.reason = node ? node->missing : "no source of energy can be read";
    return a;
}

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
    const auto begin = std::upper_bound(points_.begin(), points_.end(), from_s,
                                        [](double t, const Reading& r) { return t < r.stamp_s; });
    const auto end = std::upper_bound(points_.begin(), points_.end(), to_s,
                                      [](double t, const Reading& r) { return t < r.stamp_s; });
    return long(end - begin);
}

Expected<double, std::string> Trace::energy(double from_s, double to_s) const {
    if (to_s - from_s < shortest_window_s)
        return Unexpected<std::string>{text("a window of %.3g s is too short for a counter", to_s - from_s)};
    if (points_.empty()) return Unexpected<std::string>{lost_};
    if (points_.size() < 2) return Unexpected<std::string>{"the counter has not moved"};
    if (from_s < points_.front().stamp_s)
        return Unexpected<std::string>{"the window begins before what is known of the counter"};
    const double beyond_s = to_s - points_.back().stamp_s;
    if (beyond_s > most_beyond * (to_s - from_s))
        return Unexpected<std::string>{text("the counter has not moved for %.3g s", beyond_s)};
    if (const long n = updates(from_s, to_s); n < least_updates)
        return Unexpected<std::string>{std::string("the counter moved ") + std::to_string(n)
                                       + " times in the window, fewer than " + std::to_string(least_updates)};
    return at(to_s) - at(from_s);
}

}  // namespace plimsoll::engine::power
