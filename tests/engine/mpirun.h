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
// Options, and those of the defaults that they do not set: the engine takes each once.
inline QStringList with_defaults(const QStringList& options, const QStringList& defaults) {
    QStringList all = options;
    for (int i = 0; i + 1 < defaults.size(); i += 2)
        if (!options.contains(defaults[i])) all += defaults.mid(i, 2);
    return all;
}
inline QProcessEnvironment mpi_environment() {
    auto environment = QProcessEnvironment::systemEnvironment();  // Open MPI refuses to start as root without these
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    return environment;
}

}  // namespace plimsoll
