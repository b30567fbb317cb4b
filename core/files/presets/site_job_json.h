#pragma once
// What a site wants of a job (core/values/plan/site_job.h) as the value of
// /scheduler/job in a machine preset. Internal to core/files.
//
//   Field{"job", &Scheduler::job, SiteJobCodec{}},

#include "core/files/text/fields.h"
#include "core/values/plan/site_job.h"

namespace plimsoll::files {

// Left out of the file where there is none; what would make a wrong script is an error of the file.
struct SiteJobCodec {
    std::optional<SharedSiteJob> read(const Reader&) const;
    OrderedJson schema() const;
    OrderedJson write(const SharedSiteJob&) const;
    std::string expected() const { return "an object"; }
};

}  // namespace plimsoll::files
