#pragma once
// What a site's batch system wants of a job beyond nodes and time: extra
// directives, environment, how ranks are started and which files lie beside the
// script. Data of a machine preset, so that a site's habits need no code.
//
//   machine.scheduler.job = site_job({.queue = "batch", .launch = "srun -N {nodes} -n {ranks} {engine}"});
//
// Directives, environment and launch line may name {account}, {queue}, {nodes},
// {ranks}, {ranks_per_node}, {cores_per_rank} and {walltime} (hh:mm:ss); the
// launch line also {engine}, the program with its arguments. ${NAME} is the
// shell's and stays, as do files, word for word. $RUN is the job's folder.

#include <memory>
#include <string>
#include <vector>

namespace plimsoll {

struct SiteFile {
    std::string name;                       // in the job's folder; letters, digits, dot, dash, underscore
    std::vector<std::string> lines;
    friend bool operator==(const SiteFile&, const SiteFile&) = default;
};

struct SiteJob {
    std::string queue;                      // where a short job goes unless somebody says otherwise
    int ranks_per_node = 0;                 // 0: one for every device
    int cores_per_rank = 0;                 // of those a job may use; 0: not said
    std::vector<std::string> directives;    // without the scheduler's prefix: "--account={account}"
    std::vector<std::string> environment;   // lines of shell before the launch
    std::string launch;
    std::vector<SiteFile> files;
    std::string note;                       // a sentence for whoever submits it
    friend bool operator==(const SiteJob&, const SiteJob&) = default;
};

// Shared by all copies of a machine, which estimates make by the thousand; equal when what is described is.
struct SharedSiteJob {
    std::shared_ptr<const SiteJob> is;
    explicit operator bool() const { return is != nullptr; }
    const SiteJob* operator->() const { return is.get(); }
    const SiteJob& operator*() const { return *is; }
    friend bool operator==(const SharedSiteJob& a, const SharedSiteJob& b) {
        return a.is == b.is || (a.is && b.is && *a.is == *b.is);
    }
};
inline SharedSiteJob site_job(SiteJob job) { return {std::make_shared<const SiteJob>(std::move(job))}; }

// Everything that would make a script of it wrong: unknown placeholders, lines that break, file names that lead elsewhere.
std::vector<std::string> problems(const SiteJob&);
// The names in braces, in the order they stand: {"nodes", "ranks"}.
std::vector<std::string> placeholders(const std::string& template_text);

}  // namespace plimsoll
