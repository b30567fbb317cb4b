#include "views/jobs/probes_read.h"

#include "core/answers/plan/estimate.h"
#include "core/files/presets/plan_link.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/knobs/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QSettings>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr int between_looks = 3000;   // milliseconds; file systems of clusters tell nobody what other nodes write

// Names, sizes and times of what a folder of probes holds.
std::string stamp_of(const QString& folder) {
    std::string stamp;
    const QStringList kinds{QStringLiteral("*.log"), QStringLiteral("probes.json")};
    for (const QFileInfo& file : QDir(folder).entryInfoList(kinds, QDir::Files, QDir::Name))
        stamp += QStringLiteral("%1 %2 %3\n")
                     .arg(file.fileName())
                     .arg(file.size())
                     .arg(file.lastModified().toMSecsSinceEpoch())
                     .toStdString();
    return stamp;
}

QString settings_key_of(const QString& file) {
    return QStringLiteral("probes/") + to_qt(fingerprint_of(file.toStdString())).remove(u':').left(40);
}

QStringList probe_row_of(const ProbeResult& r) {
    const Outcome predicted = estimate(r.run.plan);
    const auto memory = [&](const QString& told) {
        return r.memory && predicted ? told.arg(to_qt(say(r.memory->most)), to_qt(say(r.memory->kind)),
                                                to_qt(say(figure_of(*predicted, {r.memory->kind}))))
                                     : QString();
    };
    return {to_qt(r.run.name), QLocale().toString(r.run.plan.model.layers),
            QLocale().toString(r.run.plan.layout.devices), to_qt(say(r.run.step)),
            r.measured ? to_qt(say(*r.measured)) : ProbesRead::tr("not yet"),
            r.measured ? signed_share(r.run.step / *r.measured - 1) : QString(),
            r.measured ? share_text(r.scatter) : QString(), memory(ProbesRead::tr("%1 %2, %3 predicted"))};
}

int visits_of(const ProbeReading& reading) {
    int visits = 0;
    for (const ProbeResult& r : reading.results)
        visits += int(std::ranges::count(r.visits, false, &ProbeVisit::disturbed));
    return visits;
}

}  // namespace

ProbesRead::ProbesRead(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    keep_ = button(tr("&Keep for this plan"), "probes.keep",
                   tr("The measured runs count from here on, as \"I measured this\" does; Undo takes them back"), this,
                   &ProbesRead::keep);
    QPushButton* read = button(tr("&Read logs back..."), "probes.read",
                               tr("The folder that the job was written to; it can also be dropped on the window"), this,
                               &ProbesRead::ask_read);
    state_ = paragraph(tr("Which logs are read"));
    remarks_ = paragraph(tr("What is odd about the logs"));
    after_ = paragraph(tr("The plan before and after"));
    set_bold(*after_);
    empty_ = paragraph(tr("What stands here later"));
    empty_->setText(tr("No logs yet. Write the job, submit job.sh in its folder, and come back: its logs are read "
                       "while it runs. Those of a job that ran elsewhere are read back from their folder."));
    empty_->setAlignment(Qt::AlignTop);
    table_ = new TextTable(tr("Measured beside predicted"),
                           {tr("Run"), tr("Layers"), tr("Devices"), tr("Predicted"), tr("Measured"), tr("Error"),
                            tr("Scatter"), tr("Memory")},
                           {1, 2, 3, 4, 5, 6});
    table_->stretch(7);
    table_->fit_to_rows();
    chart_ = new ScatterChart;
    chart_->set_empty_text(tr("No short run is measured yet."));
    content_ = piece(below({after_, table_, remarks_, {chart_, 1}}, no_margins));
    setLayout(below({flow({read, keep_}), state_, {empty_, 1}, {content_, 1}}, page_margins));
    watch_.setInterval(between_looks);
    connect(&watch_, &QTimer::timeout, this, [this] {
        if (isVisible()) look();
    });
    auto* seen = new WhenSeen(*this, [this] { follow_plan(); }, WhenSeen::Shown::always);
    connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
    connect(&workspace_, &Workspace::library_changed, this, [this] { library_.reset(); });
    // Saved under another name: the folder goes with the plan.
    connect(&workspace_, &Workspace::file_changed, this, [this] {
        if (const QString folder = folders_.value(workspace_.document().id()); !folder.isEmpty()) store(folder);
    });
    connect(&job_, &LatestJob::failed, state_, &QLabel::setText);
    show_all();
}

void ProbesRead::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && content_) show_all();
}

void ProbesRead::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_texts();
}

// Tabs do not ask their pages how high they are at a width: in a low window, text was cut.
void ProbesRead::fit_texts() {
    const int room = width() - page_margins.left() - page_margins.right();
    for (QLabel* text : {state_, after_, remarks_})
        text->setMinimumHeight(text->text().isEmpty() ? 0 : std::max(0, text->heightForWidth(room)));
}

QString ProbesRead::folder_of_plan() {
    const Document& d = workspace_.document();
    const auto known = folders_.constFind(d.id());
    if (known != folders_.cend()) return *known;
    if (!remember_ || d.file().isEmpty()) return {};
    return folders_[d.id()] = QSettings().value(settings_key_of(d.file())).toString();
}

void ProbesRead::store(const QString& folder) {
    folders_[workspace_.document().id()] = folder;
    if (const QString file = workspace_.document().file(); remember_ && !file.isEmpty())
        QSettings().setValue(settings_key_of(file), folder);
}

void ProbesRead::read(const QString& folder) {
    store(QDir(folder).absolutePath());
    found_.reset();
    follow_plan();
}

void ProbesRead::follow_plan() {
    const QString folder = folder_of_plan();
    if (folder != folder_) {
        folder_ = folder;
        found_.reset();
        job_.forget();
        show_all();
    }
    if (folder_.isEmpty()) return watch_.stop();
    if (!watch_.isActive()) watch_.start();
    look();
}

// Reads nothing where nothing has changed; a folder on a slow file system is looked at beside the window.
void ProbesRead::look() {
    if (!library_) library_ = std::make_shared<const Library>(workspace_.library());
    Asked ask{folder_, model_alone(workspace_.scenario()), workspace_.record(), {}};
    if (job_.busy() && asking_ == ask) return;   // a slow folder is not begun anew at every look
    asking_ = ask;
    job_.start([this, ask, library = library_, known = found_ ? std::optional(found_->asked) : std::nullopt](
                   std::stop_token) mutable -> LatestJob::Deliver {
        ask.stamp = stamp_of(ask.folder);
        if (known && *known == ask) return [] {};
        const auto found = std::make_shared<Found>();
        found->reading = read_probes(std::filesystem::path(ask.folder.toStdString()), *library);
        if (found->reading) {
            for (const ProbeRun& run : found->reading->record.runs)
                for (int visit = 1; visit <= found->reading->record.limits.visits; ++visit)
                    if (const auto log = probe_log(run.name, visit); !QDir(ask.folder).exists(to_qt(log)))
                        found->due.push_back(log);
            const Evidence* evidence = ask.record ? &ask.record->evidence : nullptr;
            if (evidence && !found->reading->anchors.empty())
                found->after = after_probes(ask.plan, found->reading->anchors, *evidence);
            const Speaking english(nullptr);   // charts put figures into words
            found->figure = probe_figure(*found->reading, evidence);
        }
        found->asked = std::move(ask);
        return [this, found] { adopt(std::move(*found)); };
    });
}

void ProbesRead::adopt(Found found) {
    found_ = std::move(found);
    show_all();
}

void ProbesRead::show_all() {
    const bool read = found_ && found_->reading;
    empty_->setVisible(folder_.isEmpty());
    content_->setVisible(read);
    state_->setVisible(!folder_.isEmpty());
    keep_->setEnabled(false);
    set_text_colour(*state_, found_ && !read ? alert_colour(palette()) : palette().color(QPalette::WindowText));
    if (read) return show_reading(*found_->reading);
    state_->setText(found_ ? to_qt(say(found_->reading.error())).trimmed()
                           : tr("Reading %1...").arg(QDir::toNativeSeparators(folder_)));
}

void ProbesRead::show_reading(const ProbeReading& reading) {
    const int all = int(reading.results.size()) * reading.record.limits.visits;
    state_->setText(tr("%1: %2 of %3 visits have steps that count. The folder is looked at every %4 s.")
                        .arg(QDir::toNativeSeparators(folder_))
                        .arg(visits_of(reading))
                        .arg(all)
                        .arg(between_looks / 1000));
    std::vector<QStringList> rows;
    QStringList remarks;
    for (const ProbeResult& r : reading.results) {
        rows.push_back(probe_row_of(r));
        for (const std::string& each : r.remarks)
            if (std::ranges::none_of(found_->due, [&](const std::string& log) { return each.starts_with(log); }))
                remarks << to_qt(each);
    }
    if (const QStringList due = to_qt(found_->due); !due.isEmpty())
        remarks.prepend(tr("Not there yet: %1").arg(due.join(QStringLiteral(", "))));
    remarks += to_qt(reading.remarks);
    if (!reading.record.sealed)
        remarks << tr("probes.json is not as it was written: its predictions may be later than the runs.");
    if (plan_fingerprint(reading.record.plan) != plan_fingerprint(found_->asked.plan))
        remarks << tr("They were written for the plan %1; what they say here is of the plan in front.")
                       .arg(to_qt(reading.record.plan.name));
    table_->show_rows(rows);
    remarks_->setText(remarks.join(u'\n'));
    remarks_->setVisible(!remarks.isEmpty());
    chart_->present(found_->figure);
    QStringList after;
    if (found_->after) after = to_qt(say(*found_->after));
    else if (!reading.anchors.empty()) after << tr("The range follows when the published runs are compared.");
    after_->setText(with_units_kept(after.join(u'\n')));
    after_->setVisible(!after.isEmpty());
    fit_texts();
    show_kept();
}

std::vector<MeasuredRun> ProbesRead::measured() const {
    return found_ && found_->reading ? found_->reading->measured : std::vector<MeasuredRun>{};
}

void ProbesRead::show_kept() {
    const auto runs = measured();
    keep_->setEnabled(std::ranges::any_of(runs, [this](const MeasuredRun& run) {
        return std::ranges::find(workspace_.anchors(), run) == workspace_.anchors().end();
    }));
}

bool ProbesRead::sure_of(const std::vector<MeasuredRun>& runs) {
    QStringList doubts;
    for (const MeasuredRun& run : runs)
        if (const auto anchor = anchor_of(run))
            for (const std::string& each : doubts_of(*anchor)) doubts << to_qt(run.name + ": " + each);
    if (doubts.isEmpty()) return true;
    return QMessageBox::warning(this, tr("Keep for this plan"), plain_text(doubts.join(u'\n')),
                                QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel)
        == QMessageBox::Save;
}

void ProbesRead::keep() {
    const auto runs = measured();
    if (runs.empty() || !sure_of(runs)) return;
    workspace_.measure(runs);
    show_kept();
    emit kept(int(runs.size()));
}

void ProbesRead::ask_read() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("The folder of the job that ran"), folder_);
    if (!folder.isEmpty()) read(folder);
}

}  // namespace plimsoll
