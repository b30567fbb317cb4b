#pragma once
// A calibration as a batch job: the script, the engine's arguments and what lies
// beside them, from the machine's preset. One folder, one submission, one result.
//
//   const auto job = calibration_job(machine, BatchKind::slurm, {.nodes = 2, .account = "proj", .plan = plan_text});
//   if (!job) show(job.error());                        // every reason, in sentences
//   for (const JobFile& file : job->files) write(folder / file.name, file.text);
//
// Nothing of the request is evaluated by a shell: values stand quoted, account
// and queue are plain words, and the engine reads its arguments from a file, one
// a line. How a rank computes is said by the plan's runs, where there is a plan. The job ends by itself: the engine is
// asked to stop a minute before the time limit, by Slurm's signal or by the file `stop` elsewhere, so that its log is
// whole. Creating `stop` in the folder ends a running job softly.

#include "core/files/launch/batch.h"
#include "core/values/basics/expected.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

struct JobRequest {
    int nodes = 0;                       // 0: two, where the machine has two
    int ranks_per_node = 0;              // 0: the site's, else one for every device; others share the site's cores anew
    std::string account, queue;          // empty: none, and the site's
    Seconds budget = 600 * second;       // of the measurements
    Seconds walltime{};                  // 0: 1.5 x budget + 5 minutes
    std::string engine = "plimsoll-engine";  // on that machine: absolute, or in its PATH
    std::string folder;                  // on that machine, absolute; empty: where the job is submitted
    std::string plan{};                  // the calibration's; empty: `options` alone say what to do
    std::vector<std::string> options{};  // further ones of the engine
};

struct JobShape {
    int nodes = 1, ranks_per_node = 1;
    int cores_per_rank = 0;              // of the site's for a job; 0: not said
    int ranks() const { return nodes * ranks_per_node; }
};
// Who would take part, for a plan that needs to know before the job is made.
JobShape job_shape(const Machine&, BatchKind, const JobRequest&);

struct JobFile {
    std::string name, text;              // plain file name
};
struct JobFiles {
    std::vector<JobFile> files;
    std::string script = "job.sh", result = "result.jsonl";  // the result is written beside the script
    JobShape shape;
    Seconds walltime;
    std::vector<std::string> notes;      // what to know before it is submitted
    std::vector<std::string> steps;      // what to do with the files
};
// Lines of shell that the job would execute and that no installed preset has: somebody else's plan brought them, and
// whoever submits the job has to see them first. None where the machine's job is an installed one.
std::vector<std::string> foreign_lines(const Machine&, BatchKind, const std::map<std::string, Machine>& installed);

Expected<JobFiles, std::vector<std::string>> calibration_job(const Machine&, BatchKind, const JobRequest&);

// Whether jobs of this kind have ever been run by us on the real thing, and the sentence that says so.
bool run_for_real(BatchKind);
std::string say_run_for_real(BatchKind);

}  // namespace plimsoll

// Jobs of sites nobody has described: what the batch system's own manual asks
// for and no more. Internal to core/files/launch.
//
//   const SiteJob site = generic_site(BatchKind::pbs, {.accelerators = true});

namespace plimsoll::files {

struct NodeUse {
    bool accelerators = false;       // devices are something beside the processors, to be asked for
    bool whole = false;              // one rank computes on all cores of the node, however many there are
};
// Grid Engine has none.
SiteJob generic_site(BatchKind, const NodeUse&);

}  // namespace plimsoll::files
