#pragma once
// How tests start programs on several ranks, here and in a container as root.
//
//   process.setProcessEnvironment(mpi_environment());   process.start("mpirun", mpirun(4, {program, "--steps", "3"}));

#include <QProcessEnvironment>
#include <QStringList>

namespace plimsoll {

inline QStringList mpirun(int ranks, const QStringList& command) {
    return QStringList{"--oversubscribe",     "--bind-to", "none", "--mca",
                       "mpi_yield_when_idle", "1",         "-n",   QString::number(ranks)}
         + command;
}
inline QProcessEnvironment mpi_environment() {
    auto environment = QProcessEnvironment::systemEnvironment();  // Open MPI refuses to start as root without these
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    return environment;
}

}  // namespace plimsoll
