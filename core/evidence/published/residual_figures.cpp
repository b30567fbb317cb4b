#include "core/evidence/published/residual_figures.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {

namespace {

constexpr double guide = 0.1;  // shaded around agreement
constexpr const char* near_label = "Within 10 %";
constexpr const char* own_label = "Your runs";

struct Run {
    const ScoredRow* row;
    bool own;
};

std::vector<Run> counted(const std::vector<ScoredRow>& shipped, const std::vector<ScoredRow>& own) {
    std::vector<Run> runs;
    for (const auto* rows : {&shipped, &own})
        for (const ScoredRow& r : *rows)
            if (r.excluded.empty()) runs.push_back({&r, rows == &own});
    return runs;
}

void add_point(Series& s, const std::string& name, double x, double y) {
    s.x.push_back(x);
    s.y.push_back(y);
    s.names.push_back(name);
}

Series points(const std::string& id, const std::string& label) { return {id, label, Mark::point, {}, {}, {}}; }

// Devices with most runs first, so that colours go to what is seen most.
std::vector<Series> by_family(const std::vector<Run>& runs) {
    std::map<std::string, Series> families;
    Series own = points("own", own_label);
    for (const Run& r : runs) {
        Series& s = r.own ? own : families.try_emplace(r.row->family, points(r.row->family, r.row->family)).first->second;
        add_point(s, r.row->id, r.row->measured, r.row->measured * (1 + r.row->error));
    }
    std::vector<Series> all;
    for (auto& [name, s] : families) all.push_back(std::move(s));
    std::stable_sort(all.begin(), all.end(), [](const Series& a, const Series& b) { return a.x.size() > b.x.size(); });
    if (!own.x.empty()) all.push_back(std::move(own));
    return all;
}

Figure parity(const std::vector<Run>& runs) {
    Figure f;
    f.id = "predicted-vs-published";
    f.title = "Predicted against published";
    f.x = {"Published time of a step", "s", true};
    f.y = {"Predicted time of a step", "s", true};
    f.series = by_family(runs);
    double low = 1e300, high = 0;
    for (const Run& r : runs) {
        low = std::min(low, r.row->measured);
        high = std::max(high, r.row->measured);
    }
    if (!runs.empty()) {
        f.series.push_back({"equal", "Agreement", Mark::ideal, {low, high}, {low, high}, {}});
        f.series.push_back({"near", near_label, Mark::band, {low, high}, {low * (1 - guide), high * (1 - guide)}, {},
                            {low * (1 + guide), high * (1 + guide)}});
    }
    f.caption = "Predicted against published time of one step, " + std::to_string(runs.size()) +
                " published runs. Rates were turned into times by each source's own way of counting FLOP. ";
    return f;
}

Figure errors(const char* id, const char* title, const char* what, const std::vector<Run>& runs, std::string ScoredRow::*by) {
    std::map<std::string, std::vector<const Run*>> groups;
    for (const Run& r : runs) groups[r.row->*by].push_back(&r);
    Figure f;
    f.id = id;
    f.title = title;
    f.x = {what, ""};
    f.y = {"Error", "%"};
    Series shipped = points("runs", "A run"), own = points("own", own_label), mean = points("mean", "Mean");
    for (const auto& [name, members] : groups) {
        const double at = double(f.categories.size());
        double sum = 0;
        for (const Run* r : members) {
            add_point(r->own ? own : shipped, r->row->id, at, 100 * r->row->error);
            sum += 100 * r->row->error;
        }
        add_point(mean, name, at, sum / double(members.size()));
        f.categories.push_back(name);
    }
    f.series = {shipped, mean};
    if (!own.x.empty()) f.series.push_back(own);
    const double first = -0.5, last = double(f.categories.size()) - 0.5;
    f.series.push_back({"near", near_label, Mark::band, {first, last}, {-100 * guide, -100 * guide}, {}, {100 * guide, 100 * guide}});
    f.caption = "Errors of the predicted time of one step, " + std::to_string(runs.size()) +
                " published runs; positive is predicted too slow. ";
    return f;
}

}  // namespace

std::vector<Figure> residual_figures(const std::vector<ScoredRow>& shipped, const std::vector<ScoredRow>& own) {
    const std::vector<Run> runs = counted(shipped, own);
    return {parity(runs), errors("error-by-source", "Errors by source", "Source", runs, &ScoredRow::source),
            errors("error-by-device", "Errors by device", "Device", runs, &ScoredRow::family)};
}

}  // namespace plimsoll
