// What the window remembers between starts, what it offers after one that did not end in order, and what it asks before
// it closes.
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "views/parts/background.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>

#include <algorithm>

namespace plimsoll {

QRect fitted(const QRect& wanted, const QRect& screen) {
    QRect r(wanted.topLeft(), wanted.size().boundedTo(screen.size()));
    r.moveLeft(std::clamp(r.left(), screen.left(), screen.left() + screen.width() - r.width()));
    r.moveTop(std::clamp(r.top(), screen.top(), screen.top() + screen.height() - r.height()));
    return r;
}

void MainWindow::restore_session() {
    QSettings settings;
    // The screen may be another one than last time, and the title bar has to be on it. A first window has no place yet.
    if (restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray()) && !isMaximized() && !isFullScreen())
        setGeometry(fitted(geometry(), screen()->availableGeometry().marginsRemoved(frame_room)));
    restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    show_page(settings.value(QStringLiteral("page")).toString());
    set_theme(theme_of(settings.value(QStringLiteral("colours")).toString(), theme_));
    read_measured();
    restore_job();
    connect(&calibrate_->job()->job(), &BatchJob::changed, this, &MainWindow::store_job);
    show_tabs();
    files_->remember();
}

FileSession::FileSession(Workspace& workspace, InputsPanel& inputs, NoticeBar& notices, Elsewhere elsewhere,
                         bool remember, QWidget* window)
    : QObject(window), workspace_(workspace), inputs_(&inputs), notices_(&notices),
      open_calibration_(std::move(elsewhere.calibration)), open_scaling_(std::move(elsewhere.scaling)),
      open_probes_(std::move(elsewhere.probes)), open_steps_(std::move(elsewhere.steps)),
      remember_(remember), window_(window) {
    connect(&workspace_.plans(), &Plans::shown, this, &FileSession::look_at_file,
            Qt::QueuedConnection);  // not before the frame
}

void FileSession::remember() {
    recovery_ = std::make_unique<Recoveries>(workspace_.plans(), default_recovery());
    connect(recovery_.get(), &Recoveries::failed, this, [this](const QString& why) {
        emit status_message(tr("Unsaved changes cannot be kept for a crash: %1").arg(why), 20000);
    });
    ring_once(storing_, 100, this, &FileSession::store_plans);
    // A plan without a file is remembered as it was before its first edit, which may come at once.
    const auto note = [this](const Document* d) {
        if (d->file().isEmpty() && !d->modified()) clean_texts_[d->id()] = to_qt(d->text());
    };
    connect(&workspace_.plans(), &Plans::file_changed, this, note);
    connect(&workspace_.plans(), &Plans::listed, this, [this, note] {
        for (int i = 0; i < workspace_.plans().count(); ++i)
            if (const Document& d = workspace_.plans().at(i); !clean_texts_.contains(d.id())) note(&d);
    });
    const auto soon = qOverload<>(&QTimer::start);
    connect(&workspace_.plans(), &Plans::listed, &storing_, soon);
    connect(&workspace_.plans(), &Plans::shown, &storing_, soon);
    connect(&workspace_.plans(), &Plans::file_changed, &storing_, soon);
}

void FileSession::keep_unsaved() {
    inputs_->commit();
    if (recovery_) recovery_->keep();
}

void FileSession::forget_unsaved() {
    if (recovery_) recovery_->forget();
}

void MainWindow::store_session() {
    if (session_ == Session::fresh) return;
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("docks"), before_focus_.isEmpty() ? saveState() : before_focus_);
    settings.setValue(QStringLiteral("page"), pages_->current());
    settings.setValue(QStringLiteral("plan"), document().file());
    files_->store_plans();
    settings.setValue(QStringLiteral("colours"), name_of(theme_));
}

void MainWindow::begin(const QString& file) {
    if (session_ != Session::fresh) files_->reopen_last();
    if (!file.isEmpty()) open(file);
    if (session_ != Session::fresh) files_->offer_unsaved();
}

namespace {

QString time_text(const QDateTime& when) {
    const bool today = when.date() == QDate::currentDate();
    return when.toString(today ? QStringLiteral("hh:mm") : QStringLiteral("yyyy-MM-dd hh:mm"));
}

// The end came between a save and the removal of what it made needless.
bool is_saved(const UnsavedPlan& unsaved) {
    const auto text = unsaved.file.empty() ? Expected<std::string, Problems>(Unexpected{Problems{}})
                                           : read_text(unsaved.file);
    return text && *text == unsaved.plan;
}

}  // namespace

void FileSession::offer_unsaved() {
    std::vector<std::shared_ptr<LeftPlan>> all;
    for (LeftPlan& found : left_plans(default_recovery())) {
        if (found.problem.isEmpty() && is_saved(found.unsaved)) {
            found.remove();
            continue;
        }
        emit plan_wanted();  // the start page would hide what is offered
        if (found.problem.isEmpty()) {
            all.push_back(std::make_shared<LeftPlan>(std::move(found)));
            continue;
        }
        notices_->add({tr("Unsaved changes of %1 are damaged and cannot be recovered: %2. The file is kept as %3.")
                           .arg(time_text(found.when), found.problem, found.path),
                       {{tr("Close"), QStringLiteral("notice.close"), {}}}});
    }
    for (const auto& left : all) {
        const auto plan = read_scenario(left->unsaved.plan, workspace_.library());
        const QString name = plan && !plan->scenario.name.empty() ? to_qt(plan->scenario.name) : tr("Untitled");
        const QString file = to_qt(left->unsaved.file);
        const QString where = file.isEmpty() ? tr("a plan without a file") : file;
        Notice notice{tr("\"%1\" (%2) has changes of %3 that were not saved.").arg(name, where, time_text(left->when)),
                      {{tr("Recover"), QStringLiteral("notice.recover"), [this, left] { return recover(*left); }}},
                      [left] { return left->path.isEmpty(); }};
        if (all.size() > 1)
            notice.answers.push_back({tr("Recover all %1").arg(all.size()), QStringLiteral("notice.recover_all"),
                                      [this, all] { return recover_all(all); }});
        notice.answers.push_back(
            {tr("Discard"), QStringLiteral("notice.discard"), [this, left] { return discard(*left); }});
        notice.answers.push_back({tr("Keep for later"), QStringLiteral("notice.later"), {}});
        notices_->add(std::move(notice));
    }
}

// Theirs go only once they are kept as this window's own.
bool FileSession::recover(LeftPlan& left) {
    if (left.path.isEmpty()) return true;
    const QString failed = tr("The changes cannot be recovered. They stay in %1.").arg(left.path);
    if (!accepted(window_, failed, workspace_.plans().recover(left.unsaved))) return false;
    if (recovery_->keep()) left.remove();
    emit status_message(tr("Recovered; not saved yet"), 8000);
    return true;
}

// The oldest first, so that the newest is in front.
bool FileSession::recover_all(const std::vector<std::shared_ptr<LeftPlan>>& all) {
    bool every = true;
    for (auto left = all.rbegin(); left != all.rend(); ++left) every &= recover(**left);
    return every;
}

bool FileSession::discard(LeftPlan& left) {
    const auto answer = QMessageBox::question(window_, tr("Discard changes"),
                                              tr("Delete these changes? They are nowhere else."),
                                              QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer != QMessageBox::Discard) return false;
    left.remove();
    return true;
}

// The batch system goes on with a job whoever is watching: the page goes on asking after it.
void MainWindow::restore_job() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("job"));
    const auto text = [&](const char* key) { return settings.value(QLatin1String(key)).toString(); };
    const auto kind = batch_kind_from(text("system").toStdString());
    if (kind) calibrate_->job()->job().follow({*kind, text("id").toStdString(), text("folder"), text("machine")});
}

void MainWindow::store_job() {
    const BatchJob& job = calibrate_->job()->job();
    QSettings settings;
    settings.remove(QStringLiteral("job"));
    if (!job.active()) return;
    settings.beginGroup(QStringLiteral("job"));
    settings.setValue(QStringLiteral("system"), to_qt(id_of(job.submitted().kind)));
    settings.setValue(QStringLiteral("id"), to_qt(job.id()));
    settings.setValue(QStringLiteral("folder"), job.submitted().folder);
    settings.setValue(QStringLiteral("machine"), job.submitted().machine);
}

bool MainWindow::may_stop_work() {
    QStringList going;
    if (calibrate_->measure()->session().busy())
        going << tr("A calibration of this computer; its complete runs are kept, and it can be resumed.");
    if (calibrate_->trial()->session().busy()) going << tr("A trial run; its log ends where it is stopped.");
    if (const BatchJob& job = calibrate_->job()->job(); job.asking() && !job.active())
        going << tr("A submission; whether the batch system took the job would not be known.");
    if (layouts_->busy()) going << tr("A search of layouts; what it found up to now is lost.");
    if (calibrate_->drift()->busy()) going << tr("A search for a running job; what it found up to now is lost.");
    if (exports()->busy()) going << tr("An export of figures; the files that are written stay.");
    if (going.isEmpty()) return true;
    QMessageBox box(QMessageBox::Question, tr("Work is still running"),
                    tr("Closing the window stops what is still running."), QMessageBox::NoButton, this);
    box.setInformativeText(going.join(u'\n'));
    auto* stay = box.addButton(tr("Keep running"), QMessageBox::RejectRole);
    const QAbstractButton* stop = box.addButton(tr("Stop and close"), QMessageBox::DestructiveRole);
    box.setDefaultButton(stay);
    box.setEscapeButton(stay);
    box.exec();
    return box.clickedButton() == stop;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!may_stop_work() || !files_->may_discard_all()) return event->ignore();
    files_->forget_unsaved();
    store_session();
    event->accept();
}

void MainWindow::end() {
    files_->keep_unsaved();
    store_session();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        QTimer::singleShot(0, files_, &FileSession::look_at_file);  // a question must not interrupt the activation
}

// Which plans were open last time: files by their path, others as they were kept last. What had changes that were not
// saved is offered by the recovery.

namespace {

const QString plans_key = QStringLiteral("plans"), together_key = QStringLiteral("workspace"),
              beside_key = QStringLiteral("plans_beside");
constexpr int most_reopened = 200;   // settings may be damaged

}  // namespace

// A plan that was never kept anywhere has no line here: its changes are among the unsaved ones.
void FileSession::store_plans() {
    storing_.stop();
    Plans& plans = workspace_.plans();
    struct Line {
        QString id, file, text;
        bool front;
    };
    std::vector<Line> lines;
    for (int i = 0; i < plans.count(); ++i) {
        const Document& d = plans.at(i);
        if (plans.count() == 1 && plans.untouched()) continue;
        const QString text = d.file().isEmpty() ? clean_texts_.value(d.id()) : QString();
        if (!d.file().isEmpty() || !text.isEmpty()) lines.push_back({d.id(), d.file(), text, i == plans.place()});
    }
    QSettings settings;
    if (lines.empty() && plans.file().isEmpty() && !settings.contains(plans_key + QStringLiteral("/size"))) return;
    settings.remove(plans_key);
    settings.remove(together_key);
    settings.beginWriteArray(plans_key, int(lines.size()));
    for (int i = 0; i < int(lines.size()); ++i) {
        const Line& line = lines[std::size_t(i)];
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("id"), line.id);
        if (!line.file.isEmpty()) settings.setValue(QStringLiteral("file"), line.file);
        else settings.setValue(QStringLiteral("text"), line.text);
        if (line.front) settings.setValue(QStringLiteral("front"), true);
    }
    settings.endArray();
    if (plans.file().isEmpty()) return;
    settings.beginGroup(together_key);
    settings.setValue(QStringLiteral("file"), plans.file());
    settings.setValue(QStringLiteral("fingerprint"), to_qt(plans.fingerprint()));
    settings.setValue(QStringLiteral("kept"), plans.kept_ids());
}

// Where one cannot be opened a line says why.
void FileSession::reopen_last() {
    QSettings settings;
    Plans& plans = workspace_.plans();
    QString front;
    const int count = std::min(settings.beginReadArray(plans_key), most_reopened);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const QString id = settings.value(QStringLiteral("id")).toString();
        const QString file = settings.value(QStringLiteral("file")).toString();
        const std::string text = settings.value(QStringLiteral("text")).toString().toStdString();
        if (file.isEmpty()) {
            const auto read = read_scenario(text, workspace_.library(), "settings");
            if (!read) continue;  // settings may be of another version
            plans.start(*read);
        } else if (!reopen_file(file)) {
            continue;
        }
        if (!id.isEmpty() && plans.place_of_id(id) < 0) {
            clean_texts_[id] = clean_texts_.take(plans.current().id());
            plans.current().set_id(id);
        }
        if (settings.value(QStringLiteral("front")).toBool()) front = plans.current().id();
    }
    settings.endArray();
    if (count <= 0) reopen_file(settings.value(QStringLiteral("plan")).toString());
    plans.show(plans.place_of_id(front));
    settings.beginGroup(together_key);
    if (const QString file = settings.value(QStringLiteral("file")).toString(); !file.isEmpty())
        plans.belong_to(file, settings.value(QStringLiteral("fingerprint")).toString().toStdString(),
                        settings.value(QStringLiteral("kept")).toStringList());
    settings.endGroup();
    adopt_plans_beside();
    store_plans();
    emit reopened();
}

bool FileSession::reopen_file(const QString& path) {
    if (path.isEmpty()) return false;
    const QString name = QFileInfo(path).fileName();
    const auto tell = [&](const QString& text) {
        notices_->add({text, {{tr("Close"), QStringLiteral("notice.close"), {}}}});
        return false;
    };
    if (!QFileInfo::exists(path)) return tell(tr("\"%1\", a plan of last time, is no longer in %2.")
                                                  .arg(name, QFileInfo(path).absolutePath()));
    const Problems problems = workspace_.plans().open(path);
    if (has_errors(problems))
        return tell(tr("\"%1\", a plan of last time, cannot be opened: %2").arg(name, to_qt(say(problems)).trimmed()));
    if (!problems.empty()) emit status_message(to_qt(say(problems)).trimmed(), 20000);
    return true;
}

// Versions before this one kept plans beside the edited one in their settings: they are tabs now, and nowhere else.
void FileSession::adopt_plans_beside() {
    QSettings settings;
    const QStringList texts = settings.value(beside_key).toStringList();
    Plans& plans = workspace_.plans();
    for (auto text = texts.crbegin(); text != texts.crend(); ++text) {  // each goes behind the plan in front
        auto read = read_scenario(text->toStdString(), workspace_.library(), "settings");
        if (!read) continue;
        const auto as_kept = plans.make();
        as_kept->start(*read);
        plans.add(plans.copy_of(*as_kept), Plans::Front::left);
    }
    if (!texts.isEmpty() && recovery_->keep()) settings.remove(beside_key);
}

}  // namespace plimsoll
