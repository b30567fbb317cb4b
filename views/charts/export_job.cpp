#include "views/charts/export_job.h"

#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "views/parts/arrange.h"

#include <QFileInfo>

#include <utility>

namespace plimsoll {

ExportJob::ExportJob(QWidget* parent) : QWidget(parent), bar_(new QProgressBar) {
    setObjectName(QStringLiteral("export_job"));
    bar_->setAccessibleName(tr("Progress of the export"));
    bar_->setMaximumWidth(220);
    QPushButton* stop = button(tr("Cancel"), "cancel_export", tr("Stop the export; the files that are written stay"),
                               this, &ExportJob::cancel);
    setLayout(beside({bar_, stop}, no_margins));
    ring_once(turn_, 0, this, &ExportJob::draw_next);
    hide();
}

void ExportJob::start(const ExportFiles& files, const QString& folder) {
    if (files.empty()) return;
    folder_ = folder;
    const bool running = busy();
    files_.insert(files_.end(), files.begin(), files.end());
    show_progress();
    if (!running) turn_.start();
}

void ExportJob::cancel() {
    if (!busy()) return;
    turn_.stop();
    writer_.forget();  // a file that is being written is finished or left as it was
    const int written = int(next_), all = int(files_.size());
    end();
    emit cancelled(written, all);
}

void ExportJob::draw_next() {
    const Speaking english(nullptr);
    auto content = files_[next_].content();
    if (!content) return took(content.error());
    writer_.start([this, path = files_[next_].path.toStdString(), text = *std::move(content)](std::stop_token) {
        const auto written = write_atomically(path, text);
        return [this, problems = written ? Problems{} : written.error()] { took(problems); };
    });
}

void ExportJob::took(const Problems& problems) {
    if (!problems.empty()) {
        end();
        emit failed(problems);
        return;
    }
    ++next_;
    if (busy()) {
        show_progress();
        turn_.start();
        return;
    }
    end();
    emit finished(folder_);
}

void ExportJob::end() {
    files_.clear();
    next_ = 0;
    hide();
}

void ExportJob::show_progress() {
    bar_->setRange(0, int(files_.size()));
    bar_->setValue(int(next_));
    bar_->setFormat(tr("Writing %1").arg(QFileInfo(files_[next_].path).fileName()));
    bar_->setToolTip(files_[next_].path);
    show();
}

}  // namespace plimsoll
