// Rows of the knob table: clusters of a machine.
#include "core/values/knobs/knob_rows.h"

#include <string>
#include <utility>

namespace plimsoll::rows {
namespace {

template <int At>
std::string_view without_cluster(const Scenario& s) { return s.machine.clusters[At].nodes > 0 ? "" : "no such cluster"; }

template <int At, auto Field, const auto& Unit>
double get(const Scenario& s) { return s.machine.clusters[At].*Field / Unit; }
template <int At, auto Field, const auto& Unit>
void set(Scenario& s, double v) { s.machine.clusters[At].*Field = v * Unit; }

std::string id_of(int at, const char* field) { return "machine.clusters." + std::to_string(at) + '.' + field; }
std::string label_of(int at, const char* what) { return "Cluster " + std::to_string(at + 1) + ", " + what; }

template <int At, auto Field, const auto& Unit>
Knob figure(const char* field, const char* what, const char* unit, Range range, const char* help) {
    Knob k = row(id_of(At, field).c_str(), label_of(At, what).c_str(), unit, KnobKind::real, range, help);
    k.get = get<At, Field, Unit>;
    k.set = set<At, Field, Unit>;
    return idle_if(without_cluster<At>, k);
}

template <int At>
void add_cluster(Table& t) {
    Knob nodes = row(id_of(At, "nodes").c_str(), label_of(At, "nodes").c_str(), "nodes", KnobKind::integer, {0, 1e6, true},
                     "Nodes that share a network of their own; 0 without. The machine has the nodes of all its clusters");
    nodes.get = [](const Scenario& s) { return double(s.machine.clusters[At].nodes); };
    nodes.set = [](Scenario& s, double v) { set_cluster_nodes(s.machine, At, static_cast<int>(v)); };
    t.push_back(nodes);
    Knob nic = row(id_of(At, "nic").c_str(), label_of(At, "network cards").c_str(), "", KnobKind::choice, {0, 0},
                   "Family: remote memory access works inside one only, TCP is what several have in common");
    for (const auto& name : names_of<Nic>()) nic.choices.emplace_back(name);
    nic.high = static_cast<double>(nic.choices.size()) - 1;
    nic.get = [](const Scenario& s) { return double(s.machine.clusters[At].nic); };
    nic.set = [](Scenario& s, double v) { s.machine.clusters[At].nic = static_cast<Nic>(static_cast<int>(v)); };
    t.push_back(idle_if(without_cluster<At>, nic));
    t.push_back(figure<At, &Cluster::bandwidth, GBps>("bandwidth_GBps", "bandwidth", "GB/s", {0.001, 1e5, true},
        "Each device's share per direction between the cluster's nodes when all of them send"));
    t.push_back(figure<At, &Cluster::efficiency, one>("efficiency", "achieved bandwidth", "", {0.001, 1}, "Share a large ring reaches"));
    t.push_back(figure<At, &Cluster::latency, microsecond>("latency_us", "latency", "us", {0, 1e6}, "Per ring step or message"));
    t.push_back(figure<At, &Cluster::speed, one>("speed", "speed of devices", "", {0.001, 1000, true},
        "Against the machine's device: multiplies its arithmetic and its memory bandwidth"));
    t.push_back(figure<At, &Cluster::measured, TFLOPS>("measured_TFLOPS", "measured rate", "TFLOP/s", {0, 1e6},
        "What a run on this cluster alone reached per device, r, to split layers by; 0 where not measured"));
}

template <int... At>
void add_all(Table& t, std::integer_sequence<int, At...>) {
    (add_cluster<At>(t), ...);
}

}  // namespace

void add_clusters(Table& t) {
    under("Clusters", t, [](Table& rows) { add_all(rows, std::make_integer_sequence<int, most_clusters>{}); });
}

}  // namespace plimsoll::rows
