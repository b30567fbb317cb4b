#pragma once
// The files of a job in a folder that the user chose.
//
//   if (may_write_into(this, folder, files)) problems = write_into(folder, files);

#include "core/files/launch/calibration_job.h"
#include "core/files/text/problem.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace plimsoll {

// Asks where the folder holds other files of these names: it may be a job that runs, or one that was written by hand.
bool may_write_into(QWidget* over, const QString& folder, const std::vector<JobFile>&);
// Makes the folder where there is none.
Problems write_into(const QString& folder, const std::vector<JobFile>&);

}  // namespace plimsoll
