#include "views/document/recovery.h"

#include "core/files/text/disk.h"
#include "views/parts/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QSysInfo>

namespace plimsoll {

namespace {

constexpr int usual_delay = 2000;  // milliseconds

QString lock_of(const QString& file) { return file + QStringLiteral(".lock"); }

// Of a process that is gone, however long ago; never by its age alone.
std::shared_ptr<QLockFile> lock_beside(const QString& file) {
    auto lock = std::make_shared<QLockFile>(lock_of(file));
    lock->setStaleLockTime(0);
    return lock;
}

QString free_name(const QString& wanted) {
    QString name = wanted;
    for (int n = 2; QFileInfo::exists(name); ++n) name = wanted + QStringLiteral("-%1").arg(n);
    return name;
}

// Whether the lock that could not be taken means a living window. Of another computer with the same home, and of a lock
// that cannot be read, nobody knows: after an hour without a write such changes are offered here as well. Should their
// window live nevertheless, it still has them.
bool lives(const QLockFile& lock, const QDateTime& written) {
    if (lock.error() != QLockFile::LockFailedError) return false;
    qint64 process = 0;
    QString host, program;
    const bool here = lock.getLockInfo(&process, &host, &program) && host == QSysInfo::machineHostName();
    return here || written > QDateTime::currentDateTime().addSecs(-3600);
}

// Drafts of a process that was ended while it wrote.
void remove_drafts(const QDir& folder) {
    const QDateTime old = QDateTime::currentDateTime().addSecs(-60);
    for (const QFileInfo& draft :
         folder.entryInfoList({QStringLiteral(".plimsoll.*.tmp")}, QDir::Files | QDir::Hidden))
        if (draft.lastModified() < old) QFile::remove(draft.absoluteFilePath());
}

}  // namespace

QString default_recovery() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation))
        .filePath(QStringLiteral("plimsoll/unsaved"));
}

Recovery::Recovery(Document& document, QString folder, QObject* parent)
    : QObject(parent), document_(document), folder_(std::move(folder)) {
    ring_once(due_, usual_delay, this, &Recovery::keep_beside);
    connect(&document_, &Document::changed, this, &Recovery::follow);
    connect(&document_, &Document::file_changed, this, &Recovery::follow);
    follow();
}

Recovery::~Recovery() = default;

void Recovery::follow() {
    if (!document_.modified()) forget();
    else if (!due_.isActive()) due_.start();  // not put off by further edits
}

// A file name of this window's own, and the lock that says it lives.
bool Recovery::claim() {
    if (!file_.isEmpty()) return true;
    if (!QDir().mkpath(folder_)) {
        note(tr("%1 cannot be made").arg(folder_));
        return false;
    }
    const QString stem = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    const QString file = QDir(folder_).filePath(
        QStringLiteral("%1-%2.json").arg(stem).arg(QCoreApplication::applicationPid()));
    for (int n = 1; n <= 100; ++n) {  // several windows of one process may begin at the same moment
        const QString name = n == 1 ? file : QString(file).insert(file.size() - 5, QStringLiteral("-%1").arg(n));
        auto lock = std::make_unique<QLockFile>(lock_of(name));
        lock->setStaleLockTime(0);
        if (lock->tryLock(0)) {
            lock_ = std::move(lock);
            file_ = name;
            return true;
        }
        if (lock->error() != QLockFile::LockFailedError) break;
    }
    note(tr("no file can be made in %1").arg(folder_));
    return false;
}

void Recovery::keep_beside() {
    if (!document_.modified() || !claim()) return;
    if (!writer_) writer_ = std::make_unique<LatestJob>();
    writer_->start([this, path = file_.toStdString(), text = write_unsaved(document_.unsaved())](std::stop_token) {
        const auto written = write_atomically(path, text);
        const QString why = written ? QString() : to_qt(say(written.error()));
        return [this, why] { note(why); };
    });
}

bool Recovery::keep() {
    due_.stop();
    wait_for_writer();
    if (!document_.modified()) {
        forget();
        return true;
    }
    if (!claim()) return false;
    const auto written = write_atomically(file_.toStdString(), write_unsaved(document_.unsaved()));
    note(written ? QString() : to_qt(say(written.error())));
    return written.has_value();
}

void Recovery::forget() {
    due_.stop();
    wait_for_writer();
    if (file_.isEmpty()) return;
    QFile::remove(file_);
    file_.clear();
    lock_.reset();
}

// What it writes at this moment is written to its end; nothing follows.
void Recovery::wait_for_writer() { writer_.reset(); }

void Recovery::note(const QString& why) {
    const bool news = trouble_.isEmpty() && !why.isEmpty();
    trouble_ = why;
    if (news) emit failed(why);
}

Recoveries::Recoveries(Plans& plans, QString folder, QObject* parent)
    : QObject(parent), plans_(plans), folder_(std::move(folder)) {
    connect(&plans_, &Plans::listed, this, &Recoveries::follow);
    follow();
}

void Recoveries::follow() {
    std::erase_if(each_, [this](const auto& one) {
        if (plans_.place_of(*one.first) >= 0) return false;
        one.second->forget();
        return true;
    });
    for (int i = 0; i < plans_.count(); ++i) {
        std::unique_ptr<Recovery>& one = each_[&plans_.at(i)];
        if (one) continue;
        one = std::make_unique<Recovery>(plans_.at(i), folder_);
        connect(one.get(), &Recovery::failed, this, &Recoveries::failed);
    }
}

bool Recoveries::keep() {
    bool kept = true;
    for (const auto& [document, one] : each_) kept &= one->keep();
    return kept;
}

void Recoveries::forget() {
    for (const auto& [document, one] : each_) one->forget();
}

void LeftPlan::remove() {
    QFile::remove(path);
    path.clear();
    claim.reset();
}

std::vector<LeftPlan> left_plans(const QString& folder) {
    std::vector<LeftPlan> all;
    const QDir dir(folder);
    remove_drafts(dir);
    for (const QFileInfo& file : dir.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        LeftPlan left{file.absoluteFilePath(), {}, file.lastModified(), {}, lock_beside(file.absoluteFilePath())};
        if (!left.claim->tryLock(0) && lives(*left.claim, left.when)) continue;
        if (!QFileInfo::exists(left.path)) continue;  // another window took it meanwhile
        const auto text = read_text(left.path.toStdString());
        auto read = text ? read_unsaved(*text, file.fileName().toStdString())
                         : Expected<UnsavedPlan, Problems>(Unexpected{text.error()});
        if (read) {
            left.unsaved = std::move(*read);
        } else {
            const QString kept = free_name(left.path + QStringLiteral(".damaged"));
            const bool moved = QFile::rename(left.path, kept);
            left.problem = to_qt(say(read.error())).trimmed();
            left.path = moved ? kept : left.path;
            left.claim.reset();
        }
        all.push_back(std::move(left));
    }
    return all;
}

}  // namespace plimsoll
