#pragma once
// Real bash as the oracle of the shell evaluator: a script runs with stand-ins for the launchers that record what they
// are given.

#include "core/files/settings/settings.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace plimsoll::testing {

using Commands = std::vector<std::vector<std::string>>;

// What bash hands to the programs that the script starts.
class RealShell {
public:
    RealShell() {
        for (const char* name :
             {"train", "srun", "mpirun", "mpiexec", "jsrun", "flux", "torchrun", "deepspeed", "accelerate"}) {
            QFile file(folder_.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) continue;
            file.write("#!/bin/bash\n{ printf '%s\\0' \"${0##*/}\" \"$@\"; printf '\\n\\0'; } >> \"$RECORD\"\n");
            file.close();
            file.setPermissions(file.permissions() | QFile::ExeOwner);
        }
    }
    static bool is_here() { return !QStandardPaths::findExecutable("bash").isEmpty(); }

    // With the variables that a batch system sets and the files that are given beside the script.
    std::optional<Commands> run(const std::string& script, const files::BatchRequest& batch = {},
                                const std::vector<std::pair<std::string, std::string>>& beside = {}) {
        for (const auto& [name, text] : beside) write(name, text);
        QFile::remove(folder_.filePath("record"));
        QProcess bash;
        QProcessEnvironment environment;
        environment.insert("PATH", folder_.path() + ":/usr/bin:/bin");
        environment.insert("RECORD", folder_.filePath("record"));
        environment.insert("LC_ALL", "C");
        for (const auto& [name, value] : batch.environment) environment.insert(name.c_str(), value.c_str());
        if (!batch.hosts.empty()) write("hosts", batch.hosts);
        for (const auto& [name, value] : batch.environment)
            if (!batch.host_file.empty() && value == batch.host_file)
                environment.insert(name.c_str(), folder_.filePath("hosts"));
        bash.setProcessEnvironment(environment);
        bash.setWorkingDirectory(folder_.path());
        bash.start("bash", {"/dev/stdin"});
        bash.write(script.c_str(), qint64(script.size()));
        bash.closeWriteChannel();
        if (!bash.waitForFinished(60000)) return std::nullopt;
        clean_ = bash.readAllStandardError().isEmpty();
        QFile record(folder_.filePath("record"));
        Commands all(1);
        if (!record.open(QIODevice::ReadOnly)) return Commands{};
        for (const QByteArray& word : record.readAll().split('\0')) {
            if (word == "\n") all.emplace_back();
            else all.back().push_back(word.toStdString());
        }
        all.pop_back();
        return all;
    }
    bool clean() const { return clean_; }  // whether bash had nothing to complain of

private:
    void write(const std::string& name, const std::string& text) {
        QFile file(folder_.filePath(name.c_str()));
        if (file.open(QIODevice::WriteOnly)) file.write(text.c_str(), qint64(text.size()));
    }
    QTemporaryDir folder_;
    bool clean_ = true;
};

inline QString shown(const Commands& all) {
    QString text;
    for (const auto& words : all) {
        for (const std::string& w : words) text += "<" + QString::fromStdString(w) + "> ";
        text += "\n";
    }
    return text;
}
inline Commands words_of(const files::ShellRun& run) {
    Commands all;
    for (const files::ShellCommand& c : run.commands) {
        all.emplace_back();
        for (const files::ShellWord& w : c.words) all.back().push_back(w.text);
    }
    return all;
}

}  // namespace plimsoll::testing
