#pragma once
// Jobs of sites nobody has described: what the batch system's own manual asks
// for and no more. Internal to core/files/launch.
//
//   const SiteJob site = generic_site(BatchKind::pbs, true);

#include "core/files/launch/job_header.h"

namespace plimsoll::files {

// `accelerators`: devices are something beside the processors, to be asked for. Grid Engine has none.
SiteJob generic_site(BatchKind, bool accelerators);

}  // namespace plimsoll::files
