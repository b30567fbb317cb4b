#pragma once
// What a calibration tells of energy: which of the machine's sources can be read and
// why the others cannot, and of every layout the joules of a step as they are modelled
// and, where counters tell them, as they were measured.
//
//   EnergyEvidence e = energy_evidence(plan, calibrated, log.engine.energy, uses_of(log));
//   show(headline(e));                        // "Measured by counters in 3 of 9 layouts." or "Unavailable: ..."
//   record.energy = say(e);                   // all of it in sentences
//
// Nothing is fitted to joules of layouts: they test the watts that the power bench or the preset tells.

#include "core/evidence/calibration/fit/calibrate.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// One kind of counter, on all nodes that say the same of it.
struct EnergySource {
    std::string source, scope, reason;   // "rapl", "package", and without energy why
    bool available = false;
    int nodes = 1;
    friend bool operator==(const EnergySource&, const EnergySource&) = default;
};

// Joules of one step of a layout, all nodes together: of its own devices and as much of the hosts, or of all devices
// that its counters cover.
struct LayoutEnergy {
    std::string id, label;
    Joules devices{}, hosts{};           // modelled, with the preset's power figures
    std::optional<Joules> measured{};    // mean of `steps` steps, with what the nodes draw at rest
    std::string scope{}, source{};       // of what was measured: "package+dram", "rapl"
    std::string reason{};                // why it was not
    int steps = 0;
    // What the model says of the parts that the counters cover.
    Joules modelled() const { return covers_hosts() ? devices + hosts : devices; }
    bool covers_hosts() const { return scope.find("node") != scope.npos || scope.find("module") != scope.npos; }
};

struct EnergyEvidence {
    std::vector<EnergySource> sources;
    std::vector<LayoutEnergy> layouts;   // in the plan's order
    bool power_measured =
        false;        // watts of the model come from this calibration's power bench, not from the preset alone
    std::vector<std::string> remarks{};  // what makes counters doubtful, each once
    std::string job;  // what the batch system counted of the whole job, in a sentence; empty: nobody asked
    bool empty() const { return sources.empty() && layouts.empty() && job.empty(); }
    int measured() const;                // layouts
};

// `uses`: of training runs, by id. Layouts that did not end are modelled alone.
EnergyEvidence energy_evidence(const ExperimentPlan&, const Calibrated&, const std::vector<EngineEnergy>& nodes,
                               const std::map<std::string, EngineEnergyUse>& uses);

std::string headline(const EnergyEvidence&);
// "Modelled joules follow from the preset's power figures, which nothing here measured."
std::string say_model(const EnergyEvidence&);
// "rapl: there is no sys/class/powercap/intel-rapl:*: a virtual machine, ..."; "on 2 of 4 nodes" where they differ
std::vector<std::string> say_sources(const EnergyEvidence&);
std::string say(const EnergyEvidence&);

}  // namespace plimsoll
