#pragma once
// The job of a plan's short runs in a folder, and logs as Megatron-LM would write them there.
//
//   ProbeFolder folder(plan);
//   folder.run("probe-1", 1, 1.2 * folder.step("probe-1"));     // its first visit, 20 % slower than predicted

#include "core/files/launch/probe_job.h"
#include "core/files/text/disk.h"
#include "shipped.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll::testing {

// Fifty iterations of Megatron-LM, one a line; the middle one takes `step`, the others lie up to `scatter` around it.
inline std::string megatron_lines(Seconds step, double scatter = 0.01, int from = 1, int count = 50) {
    std::string text;
    for (int i = from; i < from + count; ++i) {
        const double share = i == from ? 5 : 1 + scatter * std::sin(2.4 * i);
        char line[200];
        std::snprintf(line, sizeof line,
                      " [2026-10-02 09:15:11] iteration %8d/ %7d | elapsed time per iteration (ms): %.2f |"
                      " global batch size: 64 |\n",
                      i, from + count - 1, 1000 * share * (step / second));
        text += line;
    }
    return text;
}

struct ProbeFolder {
    QTemporaryDir dir;
    ProbePlan probes;

    explicit ProbeFolder(const Scenario& plan, const ProbeLimits& limits = {}) {
        const auto planned = plan_probes(plan, limits);
        if (!planned) qFatal("no probes");
        probes = *planned;
        const auto job = probe_job(plan, probes, Framework::megatron, limits, library());
        if (!job) qFatal("no job: %s", job.error().front().c_str());
        for (const JobFile& f : *job) write(f.name, f.text);
    }
    void write(const std::string& name, const std::string& text) {
        if (!write_atomically((path() / name), text)) qFatal("cannot write");
    }
    std::filesystem::path path() const { return dir.path().toStdString(); }
    Seconds step(const std::string& name) const {
        return std::ranges::find(probes.runs, name, &ProbeRun::name)->step;
    }
    void run(const std::string& name, int visit, Seconds step) { write(probe_log(name, visit), megatron_lines(step)); }
    // All visits of all runs, by so much slower than predicted.
    void run_all(double slower) {
        for (const ProbeRun& r : probes.runs)
            for (int visit = 1; visit <= 2; ++visit) run(r.name, visit, (1 + slower + 0.002 * visit) * r.step);
    }
};

}  // namespace plimsoll::testing
