#pragma once
// A place where a job's script is executed without its batch system: launchers that start what they are given, once,
// and note how they were called; a program in the engine's place that notes where and with what it was started.
//
//   JobStage stage;   request.folder = stage.folder().toStdString();   request.engine = stage.engine_path()...;
//   QCOMPARE(stage.run(*job), 7);                 // the engine's exit code is the script's
//   stage.launched(), stage.seen()                // words of srun, mpiexec, ...; folder and words of the engine
//
// Folder and engine have names that no shell leaves whole unless they stand in quotes.

#include "core/files/launch/calibration_job.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace plimsoll {

inline QByteArray bytes_of(const QString& path) {
    QFile in(path);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

inline void write_program(const QString& path, const QByteArray& text) {
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) qFatal("cannot write %s", qPrintable(path));
    out.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

inline std::string text_of(const JobFiles& job, const std::string& name) {
    for (const JobFile& file : job.files)
        if (file.name == name) return file.text;
    return {};
}

class JobStage {
public:
    JobStage() {
        QDir(root_.path()).mkpath("bin");
        QDir(root_.path()).mkpath(QString(odd));
        for (const char* launcher : {"srun", "jsrun", "mpiexec", "flux"})
            write_program(tool(launcher),
                  "#!/bin/bash\nprintf '%s\\n' \"${0##*/}\" \"$@\" > launched\n"
                  "while [ $# -gt 0 ] && [ \"$1\" != bash ] && [ \"$1\" != gpu_tile_compact.sh ] && [ "
                  "\"${1##*/}\" != \"engine it's\" ]; do shift; done\nexec \"$@\"\n");
        write_program(tool("gpu_tile_compact.sh"), "#!/bin/bash\nexec \"$@\"\n");
        write_program(engine_path(),
              "#!/bin/bash\nprintf '%s\\n' \"$PWD\" \"$@\" > seen\nenv > environment\n[ ! -e wait ] || for i in $(seq "
              "200); do [ ! -e stop ] || exit 75; /bin/sleep 0.05; done\nexit 7\n");
    }
    QString folder() const { return root_.path() + "/" + odd; }
    QString engine_path() const { return root_.path() + "/engine it's"; }
    QString tool(const char* name) const { return root_.path() + "/bin/" + name; }
    QByteArray seen() const { return bytes_of(folder() + "/seen"); }
    QStringList launched() const {
        return QString::fromUtf8(bytes_of(folder() + "/launched")).split(u'\n', Qt::SkipEmptyParts);
    }
    int run(const JobFiles& job) {
        for (const JobFile& file : job.files)
            write_program(folder() + "/" + QString::fromStdString(file.name), QByteArray::fromStdString(file.text));
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert("PATH", root_.path() + "/bin:" + variables.value("PATH"));
        for (const char* id : {"SLURM_LOCALID", "PMI_LOCAL_RANK"}) variables.insert(id, "1");
        variables.insert("CUDA_VISIBLE_DEVICES", "2");
        QProcess bash;
        bash.setProcessEnvironment(variables);
        bash.setWorkingDirectory(folder());
        bash.start("bash", {"job.sh"});
        if (!bash.waitForFinished(60000)) qFatal("the script does not end");
        errors = bash.readAllStandardError();
        return bash.exitCode();
    }
    QByteArray errors;

private:
    static constexpr const char* odd = "run '\"$(touch evil)`touch evil` ; x";
    QTemporaryDir root_;
};

}  // namespace plimsoll
