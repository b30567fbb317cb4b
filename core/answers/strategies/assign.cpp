#include "core/answers/strategies/assign.h"

#include <algorithm>
#include <limits>

namespace plimsoll {

namespace {

using Classes = std::vector<std::vector<int>>;

// Handing over from or to either costs the same, and nothing between them.
bool alike(const Reshard& r, std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < r.size(); ++i)
        if (r[a][i] != r[b][i] || r[i][a] != r[i][b]) return false;
    return r[a][b] == r[a][a];
}

Classes classes_of(const Reshard& r) {
    Classes classes;
    for (std::size_t s = 0; s < r.size(); ++s) {
        const auto same = std::find_if(classes.begin(), classes.end(), [&](const auto& c) { return alike(r, std::size_t(c.front()), s); });
        if (same == classes.end()) classes.push_back({int(s)});
        else same->push_back(int(s));
    }
    return classes;
}

// Those of the class that no other beats in both.
std::vector<int> undominated(const std::vector<Choice>& choices, std::vector<int> some) {
    std::sort(some.begin(), some.end(), [&](int a, int b) {
        const Choice &x = choices[a], &y = choices[b];
        return x.units != y.units ? x.units < y.units : x.seconds < y.seconds;
    });
    double fastest = std::numeric_limits<double>::infinity();
    std::erase_if(some, [&](int s) {
        if (choices[s].seconds >= fastest) return true;
        fastest = choices[s].seconds;
        return false;
    });
    return some;
}

// Two fronts as one.
template <class Front>
Front merged(const Front& a, const Front& b) {
    Front out;
    out.reserve(a.size() + b.size());
    std::size_t i = 0, j = 0;
    double fastest = std::numeric_limits<double>::infinity();
    while (i < a.size() || j < b.size()) {
        const bool first = j == b.size() || (i < a.size() && (a[i].units != b[j].units ? a[i].units < b[j].units : a[i].seconds <= b[j].seconds));
        const auto& next = first ? a[i++] : b[j++];
        if (next.seconds >= fastest) continue;
        fastest = next.seconds;
        out.push_back(next);
    }
    return out;
}

// The least the layers from each on need.
std::vector<long long> least_units_from(const Choices& choices) {
    std::vector<long long> need(choices.size() + 1, 0);
    for (std::size_t l = choices.size(); l-- > 0;) {
        const auto least = std::min_element(choices[l].begin(), choices[l].end(), [](const Choice& a, const Choice& b) { return a.units < b.units; });
        need[l] = need[l + 1] + least->units;
    }
    return need;
}

}  // namespace

Assigned assign(const Choices& choices, const Reshard& reshard, int budget) {
    using Front = Assigned::Front;
    Assigned all;
    if (choices.empty() || reshard.empty()) return all;
    const Classes classes = classes_of(reshard);
    const std::vector<long long> need = least_units_from(choices);
    for (std::size_t l = 0; l < choices.size(); ++l) {
        std::vector<Front> fronts;
        for (const std::vector<int>& members : classes) {
            Front before;   // what the layer before may hand over, hand-over included
            if (l == 0) before.push_back({0, 0, -1, -1, -1});
            else for (std::size_t c = 0; c < classes.size(); ++c) {
                Front from = all.layers_[l - 1][c];
                for (std::size_t i = 0; i < from.size(); ++i)
                    from[i] = {from[i].seconds + reshard[classes[c].front()][members.front()], from[i].units, -1, int(c), int(i)};
                before = merged(before, from);
            }
            Front front;
            for (const int s : undominated(choices[l], members)) {
                const Choice& choice = choices[l][s];
                Front with;
                for (const auto& label : before) {
                    if (label.units + choice.units > budget - need[l + 1]) break;
                    with.push_back({label.seconds + choice.seconds, label.units + choice.units, s, label.before_class, label.before});
                }
                front = merged(front, with);
            }
            fronts.push_back(std::move(front));
        }
        all.layers_.push_back(std::move(fronts));
    }
    return all;
}

std::optional<Assignment> Assigned::within(int units) const {
    if (layers_.empty()) return std::nullopt;
    const Label* best = nullptr;
    for (const Front& front : layers_.back())
        for (const Label& label : front)
            if (label.units <= units && (!best || label.seconds < best->seconds)) best = &label;
    if (!best) return std::nullopt;
    Assignment a{best->seconds, best->units, std::vector<int>(layers_.size())};
    for (std::size_t l = layers_.size(); l-- > 0;) {
        a.strategy[l] = best->strategy;
        if (l > 0) best = &layers_[l - 1][best->before_class][best->before];
    }
    return a;
}

long long Assigned::labels() const {
    long long n = 0;
    for (const auto& fronts : layers_)
        for (const Front& front : fronts) n += (long long)front.size();
    return n;
}

}  // namespace plimsoll
