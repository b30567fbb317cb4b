#include "views/jobs/job_folder.h"

#include "core/files/text/disk.h"
#include "views/parts/text.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace plimsoll {

bool may_write_into(QWidget* over, const QString& folder, const std::vector<JobFile>& files) {
    QStringList others;
    for (const JobFile& file : files) {
        const QString path = QDir(folder).filePath(to_qt(file.name));
        if (!QFileInfo::exists(path)) continue;
        const auto text = read_text(path.toStdString());
        if (!text || *text != file.text) others << to_qt(file.name);
    }
    if (others.isEmpty()) return true;
    QMessageBox box(QMessageBox::Warning, QObject::tr("Replace files"),
                    plain_text(QObject::tr("%1 holds other files of these names: %2. Replace them?")
                                   .arg(QDir::toNativeSeparators(folder), others.join(QStringLiteral(", ")))),
                    QMessageBox::Cancel, over);
    const QAbstractButton* replace = box.addButton(QObject::tr("Replace"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == replace;
}

Problems write_into(const QString& folder, const std::vector<JobFile>& files) {
    if (!QDir().mkpath(folder)) return {{Severity::error, folder.toStdString(), {}, "cannot be made"}};
    for (const JobFile& file : files)
        if (const auto written = write_atomically(QDir(folder).filePath(to_qt(file.name)).toStdString(), file.text);
            !written)
            return written.error();
    return {};
}

}  // namespace plimsoll
