// What lies around the devices: the file system, the host's link, and how much of
// an all-reduce a product beside it hides.
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/calibration/plan/planned_benches.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace plimsoll::fitting {

namespace {

constexpr double giga = 1e9;
using Points = std::vector<const BenchPoint*>;

double ranks_of(const BenchPoint& p) { return std::max(1.0, p.number("ranks")); }
double all_bytes(const BenchPoint& p) { return p.bytes / byte * ranks_of(p); }

// A rate in GB/s, its constant and its points.
void keep_rate(Workbench& w, const char* pointer, ByteRate& field, const Rate& r, const char* experiment) {
    w.note(pointer, experiment, field / (gigabyte / second), rounded(r.value / giga), rounded(r.low / giga), rounded(r.high / giga));
    field = rounded(r.value / giga) * gigabyte / second;
}
void show(Workbench& w, const char* id, const char* label, const Points& points, const char* word, double (*work)(const BenchPoint&), double rate) {
    Experiment shown{id, label, "bytes", {}, 0};
    for (const BenchPoint* p : points) shown.points.push_back(point_of(*p, std::string(p->word(word)), work(*p), work(*p) / rate));
    w.note(std::move(shown));
}

// Of all ranks at once, by their number of nodes. Memory that poses as files, and files that memory still held, are no storage.
// One node says nothing of many: what they share stays as it was, unless the machine has no more.
void fit_files(Workbench& w, const Measurements& m, bool write) {
    Points points = w.usable(m, "storage");
    bool memory = false;
    std::erase_if(points, [&](const BenchPoint* p) {
        const bool in_memory = p->word("file_system") == "tmpfs" || p->word("file_system") == "ramfs";
        memory = memory || in_memory;
        return in_memory || p->has("cached") || p->word("operation") != (write ? "write" : "read");
    });
    if (memory && write) w.so_far.cautions.push_back("The files that were written lay in memory: nothing was learned of the file system.");
    if (points.empty()) return;
    points = largest(std::move(points), ranks_of, 1);
    const Rate all = rate_of(points, all_bytes);
    const double nodes = double(std::max<std::size_t>(1, m.nodes.size()));
    const Rate each{all.value / nodes, all.low / nodes, all.high / nodes};
    Storage& storage = w.so_far.machine.storage;
    const char* id = write ? "storage" : "storage-read";
    if (write) keep_rate(w, "/storage/write_GBps_per_node", storage.write_per_node, each, id);
    if (w.so_far.base.nodes == 1) keep_rate(w, write ? "/storage/write_GBps" : "/storage/read_GBps", write ? storage.write : storage.read, all, id);
    show(w, id, write ? "Writing files" : "Reading files", points, "operation", all_bytes, all.value);
}

// Large copies, the slower direction: what is offloaded goes both ways.
void fit_link(Workbench& w, const Measurements& m) {
    const auto bytes = [](const BenchPoint& p) { return p.bytes / byte; };
    std::optional<Rate> slower;
    Points shown;
    for (const std::string_view direction : {"to_device", "to_host"}) {
        Points points = w.usable(m, "hostlink");
        std::erase_if(points, [&](const BenchPoint* p) { return p->word("direction") != direction; });
        if (points.empty()) continue;
        points = largest(std::move(points), bytes, 0.5);
        const Rate r = rate_of(points, bytes);
        if (!slower || r.value < slower->value) slower = r;
        shown.insert(shown.end(), points.begin(), points.end());
    }
    if (!slower) return;
    keep_rate(w, "/host/link_GBps", w.so_far.machine.host.link, *slower, "hostlink");
    show(w, "hostlink", "Copies between host and device", shown, "direction", bytes, slower->value);
}

// Time of both at once is max + (1 - hidden) min. Where the all-reduce is short, the product's own scatter is larger than all of it.
void fit_overlap(Workbench& w, const Measurements& m) {
    constexpr double least_share = 0.25;
    Points points = w.usable(m, "overlap");
    std::erase_if(points, [&](const BenchPoint* p) { return p->number("collective_s") < least_share * p->number("product_s"); });
    if (points.empty()) return;
    double saved = 0, shorter = 0;
    for (const BenchPoint* p : points) {
        const double product = p->number("product_s"), collective = p->number("collective_s");
        saved += product + collective - p->best() / second;
        shorter += std::min(product, collective);
    }
    const double hidden = std::clamp(saved / shorter, 0.0, 1.0);
    Experiment shown{"overlap", "A product beside an all-reduce", "bytes", {}, 0};
    for (const BenchPoint* p : points) {
        const double product = p->number("product_s"), collective = p->number("collective_s");
        shown.points.push_back(point_of(*p, "both at once", p->bytes / byte, std::max(product, collective) + (1 - hidden) * std::min(product, collective)));
    }
    w.note(std::move(shown));
    const Stack& software = w.plan.subject.stack;
    if (overlaps(software) && w.plan.subject.layout.devices > 1)
        w.so_far.cautions.push_back(std::string("A product beside an all-reduce hid ").append(percent(hidden, 0)).append(" of the shorter one here; \"")
                                        .append(software.name).append("\" is taken to hide up to ").append(percent(std::max(software.gradient_overlap, 1 - software.gather_overlap_tax), 0))
                                        .append(", which stays as it was: it depends on how that software does it."));
}

}  // namespace

void fit_surroundings(Workbench& w, const Measurements& m) {
    fit_files(w, m, true);
    fit_files(w, m, false);
    fit_link(w, m);
    fit_overlap(w, m);
}

}  // namespace plimsoll::fitting
