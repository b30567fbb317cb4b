// Files: opened, saved, imported, exported. What the window remembers between starts is in session_keeping.cpp.
#include "views/decide/proposal_page.h"
#include "views/window/main_window.h"

#include "core/answers/search/first_plan.h"
#include "core/files/import/framework_import.h"
#include "core/files/import/model_import.h"
#include "core/files/measured/scaling_runs.h"
#include "core/files/results/anchor_json.h"
#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "views/charts/export.h"
#include "views/evidence/anchor_dialog.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"
#include "views/start/gallery.h"
#include "views/window/import_dialog.h"

#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>

#include <algorithm>

namespace plimsoll {

namespace {
constexpr int most_recent = 10;
const QString filter = QStringLiteral("Plimsoll plans (*.plimsoll *.json);;All files (*)");
const QString filter_to_open =
    QStringLiteral("Plimsoll plans and workspaces (*.plimsoll *.json *.plimsoll-workspace);;All files (*)");

// Beside the user's presets: plimsoll --anchor takes the same file.
std::filesystem::path measured_file() { return users_presets() / "anchors.json"; }
}  // namespace

bool FileSession::may_discard() {
    inputs_->commit();
    if (!document().modified()) return true;
    const auto answer =
        QMessageBox::question(window_, tr("Unsaved changes"),
                              plain_text(tr("\"%1\" has unsaved changes. Save them?")
                                             .arg(to_qt(workspace_.scenario().name))),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (answer == QMessageBox::Save) return save();
    return answer == QMessageBox::Discard;
}

void show_problems(QWidget* window, const QString& what, const Problems& problems) {
    QMessageBox box(has_errors(problems) ? QMessageBox::Critical : QMessageBox::Information, QObject::tr("Plimsoll"),
                    plain_text(what), QMessageBox::Ok, window);
    box.setInformativeText(plain_text(to_qt(say(problems))));
    box.setTextInteractionFlags(Qt::TextSelectableByMouse);
    box.exec();
}

bool accepted(QWidget* window, const QString& what, const Problems& problems) {
    if (has_errors(problems)) show_problems(window, what, problems);
    return !has_errors(problems);
}

void FileSession::ask_import() {
    const QString path = QFileDialog::getOpenFileName(window_, tr("Import a model"), {},
                                                      tr("config.json or shapes of weights (*.json);;All files (*)"));
    if (!path.isEmpty()) import_model(path);
}

// Shapes do not tell the number of heads: ask once where that is what is missing.
bool FileSession::import_model(const QString& path) {
    Problems problems = document().import_model(path);
    const auto asks_for_heads = [](const Problem& p) {
        return p.message.find("heads are not in any shape") != std::string::npos;
    };
    if (std::any_of(problems.begin(), problems.end(), asks_for_heads)) {
        bool stated = false;
        const int heads =
            QInputDialog::getInt(window_, tr("Import a model"), tr("Shapes do not tell the number of attention heads:"),
                                 32, 1, 65536, 1, &stated);
        if (!stated) return false;
        problems = document().import_model(path, heads);
    }
    const QString failed = tr("\"%1\" could not be imported. Nothing has changed.");
    if (!accepted(window_, failed.arg(QFileInfo(path).fileName()), problems)) return false;
    emit status_message(tr("Imported %1").arg(to_qt(workspace_.scenario().model.name)), 4000);
    return true;
}

void FileSession::ask_configuration() {
    const QStringList paths = QFileDialog::getOpenFileNames(window_, tr("Import a framework's configuration"), {},
        tr("Configurations and logs (*.sh *.slurm *.sbatch *.yaml *.yml *.toml *.json *.py *.args *.log *.out "
           "*.txt);;All files (*)"));
    if (!paths.isEmpty()) import_configuration(paths);
}

namespace {

Expected<NamedText, Problems> text_or_log(const std::string& file) {
    if (is_training_log(file)) {
        auto log = load_training_log(file);
        if (!log) return Unexpected{log.error()};
        return NamedText{file, {}, std::make_shared<const TrainingLog>(*std::move(log))};
    }
    auto text = read_text(file);
    if (!text) return Unexpected{text.error()};
    return NamedText{file, *std::move(text)};
}

// Several logs are those of one run, of which the first of `files` then holds all; what is of another run is left out.
// Says so.
QString put_logs_together(std::vector<NamedText>& files) {
    std::vector<TrainingLog> logs;
    QStringList names, strangers;
    for (const NamedText& f : files)
        if (f.log) {
            logs.push_back(*f.log);
            names << QFileInfo(to_qt(f.file)).fileName();
        }
    if (logs.size() < 2) return {};
    LogsOfRun run = logs_of_run(std::move(logs));
    for (const std::size_t each : run.others) strangers << names[qsizetype(each)];
    for (const QString& each : strangers) names.removeAll(each);
    const auto first = std::ranges::find_if(files, [](const NamedText& f) { return f.log != nullptr; });
    first->log = std::make_shared<const TrainingLog>(std::move(run.log));
    files.erase(std::remove_if(first + 1, files.end(), [](const NamedText& f) { return f.log != nullptr; }),
                files.end());
    const QString together = names.join(QStringLiteral(", "));
    QString text = run.ranks ? FileSession::tr("Read as the ranks of one run, of which the slowest counts: %1.")
                                   .arg(together)
                 : names.size() > 1 ? FileSession::tr("Read as one run and its restarts: %1.").arg(together)
                                    : FileSession::tr("Read: %1.").arg(together);
    if (!strangers.isEmpty())
        text += u' ' + FileSession::tr("Not read, for they are logs of other runs: %1.")
                           .arg(strangers.join(QStringLiteral(", ")));
    return text;
}

}  // namespace

bool FileSession::import_configuration(const QStringList& paths) {
    std::vector<NamedText> files;
    for (const QString& path : paths) {
        auto text = meanwhile(path, [file = path.toStdString()] { return text_or_log(file); });
        const QString failed = tr("\"%1\" could not be opened. Nothing has changed.").arg(QFileInfo(path).fileName());
        if (!accepted(window_, failed, text ? Problems{} : text.error())) return false;
        files.push_back(*std::move(text));
    }
    const QString note = put_logs_together(files), name = QFileInfo(paths[0]).fileName();
    ImportDialog dialog(std::move(files), workspace_.library(), workspace_.scenario(), window_);
    dialog.note(note);
    const QString failed = tr("\"%1\" could not be imported. Nothing has changed.").arg(name);
    if (!dialog.has_steps() && !accepted(window_, failed, dialog.problems())) return false;
    return dialog.exec() == QDialog::Accepted && take_imported(dialog, name);
}

bool FileSession::take_imported(const ImportDialog& dialog, const QString& name) {
    inputs_->commit();
    const auto run = dialog.measured();
    if (dialog.compares()) {
        if (run && !dialog.has_plan()) workspace_.measure(*run);
        emit plan_wanted();
        return open_steps_(*dialog.log(), name);
    }
    workspace_.document().turn_into(dialog.plan(), tr("Import of %1").arg(name));
    if (run) workspace_.measure(*run);
    emit status_message(tr("Imported %1").arg(to_qt(workspace_.scenario().name)), 4000);
    return true;
}

// What was measured becomes nobody's plan before it is asked for: the plan stays as it is.
bool MainWindow::show_calibration(const QString& path) {
    const QString failed = tr("\"%1\" could not be opened as a calibration.").arg(QFileInfo(path).fileName());
    if (!accepted(this, failed, calibrate_->measure()->open_result(path))) return false;
    show_page(QStringLiteral("calibrate"));
    calibrate_->show_measure();
    return true;
}

bool MainWindow::show_steps(const TrainingLog& log, const QString& name) {
    show_page(QStringLiteral("calibrate"));
    calibrate_->show_drift();
    return accepted(this, tr("\"%1\" could not be opened. Nothing has changed.").arg(name),
                    calibrate_->drift()->open(log, name));
}

bool MainWindow::show_probes(const QString& path) {
    show_page(QStringLiteral("probes"));
    own_software_->show_folder(QFileInfo(path).isDir() ? path : QFileInfo(path).absolutePath());
    return true;
}

void MainWindow::ask_calibration() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Import a calibration"), {},
                                                      tr("Logs of calibrations (*.jsonl *.part);;All files (*)"));
    if (!path.isEmpty()) show_calibration(path);
}

namespace {

enum class FileKind { plan, configuration, model, calibration, scaling, workspace, probes };

// What cannot be read is taken for a plan, whose reader says why.
Expected<FileKind, Problems> kind_of_file(const QString& path) {
    return meanwhile(path, [file = path.toStdString()]() -> Expected<FileKind, Problems> {
        std::error_code error;
        const std::filesystem::path at(file);
        if (at.filename() == "probes.json" || std::filesystem::exists(at / "probes.json", error))
            return FileKind::probes;
        if (is_training_log(file)) return FileKind::configuration;
        const auto text = read_text(file);
        if (!text) return FileKind::plan;
        if (is_framework_configuration(file, *text)) return FileKind::configuration;
        if (is_importable(*text)) return FileKind::model;
        if (looks_like_calibration_log(*text)) return FileKind::calibration;
        if (looks_like_scaling_runs(*text)) return FileKind::scaling;
        return is_workspace(file, *text) ? FileKind::workspace : FileKind::plan;
    });
}

}  // namespace

bool FileSession::open(const QString& path) {
    const auto kind = kind_of_file(path);
    if (!kind) return false;   // nobody wanted to wait
    switch (*kind) {
        case FileKind::configuration: return import_configuration({path});
        case FileKind::model: return import_model(path);
        case FileKind::calibration: return open_calibration_(path);
        case FileKind::scaling: return open_scaling_(path);
        case FileKind::workspace: return open_workspace(path);
        case FileKind::probes: return open_probes_(path);
        case FileKind::plan: break;
    }
    const Problems problems = workspace_.plans().open(path);
    const QString name = QFileInfo(path).fileName();
    if (!accepted(window_, tr("\"%1\" could not be opened. Nothing has changed.").arg(name), problems)) return false;
    remember_file(path);
    emit plan_wanted();  // its tab may have been in front
    if (problems.empty()) emit status_message(tr("Opened %1").arg(name), 4000);
    else show_problems(window_, tr("\"%1\" was opened, with remarks.").arg(name), problems);
    return true;
}

void FileSession::ask_open() {
    const QString path =
        QFileDialog::getOpenFileName(window_, tr("Open a plan"), QFileInfo(document().file()).path(), filter_to_open);
    if (!path.isEmpty()) open(path);
}

bool FileSession::save() {
    inputs_->commit();
    if (document().file().isEmpty()) return workspace_.plans().file().isEmpty() ? save_as() : save_workspace();
    switch (ask_about_file()) {
        case FileAnswer::as_known:
        case FileAnswer::keep_mine:
            return write_to(document().file());
        case FileAnswer::settled:
            return !document().modified();
        case FileAnswer::cancelled:
            return false;
    }
    return false;
}

bool FileSession::write_to(const QString& path) {
    if (!accepted(window_, tr("The plan could not be saved."), document().save(path))) return false;
    emit status_message(tr("Saved %1").arg(document().title()), 4000);
    remember_file(document().file());
    return true;
}

namespace {

QString suffix_of_plan(const QString& path, const QString& chosen) {
    const QString suffix = QFileInfo(path).suffix();
    const bool any = chosen.contains(QStringLiteral("(*)"));
    const bool suffixed = any ? !suffix.isEmpty() : QStringList{"json", "plimsoll"}.contains(suffix.toLower());
    return suffixed ? QString() : QStringLiteral(".json");
}

}  // namespace

bool FileSession::save_as() {
    inputs_->commit();
    const bool named = !document().file().isEmpty();
    QString path = named ? document().file() : file_stem(workspace_.scenario()) + QStringLiteral(".json");
    do {
        path = ask_where_to_save(tr("Save the plan"), path, filter, suffix_of_plan);
        if (path.isEmpty()) return false;
    } while (QFileInfo::exists(path) && !may_replace(path));
    return write_to(path);
}

// Whether a file may be replaced is asked here and not by the dialog, which asks before the suffix is there.
QString FileSession::ask_where_to_save(const QString& title, const QString& proposal, const QString& filters,
                                      QString (*suffix_of)(const QString& path, const QString& chosen)) {
    QFileDialog dialog(window_, title, QFileInfo(proposal).path(), filters);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setOption(QFileDialog::DontConfirmOverwrite);
    dialog.selectFile(QFileInfo(proposal).fileName());
    if (dialog.exec() != QDialog::Accepted) return {};
    const QString path = dialog.selectedFiles().value(0);
    return path.isEmpty() ? path : path + suffix_of(path, dialog.selectedNameFilter());
}

bool FileSession::may_replace(const QString& path) {
    QMessageBox box(QMessageBox::Warning, tr("Replace a file"),
                    plain_text(tr("\"%1\" is there already. Replace it?").arg(QFileInfo(path).fileName())),
                    QMessageBox::Cancel, window_);
    box.setInformativeText(plain_text(QDir::toNativeSeparators(QFileInfo(path).absolutePath())));
    const QAbstractButton* replace = box.addButton(tr("Replace"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == replace;
}

FileSession::FileAnswer FileSession::ask_about_file() {
    const auto disk = document().on_disk();
    if (disk == Document::OnDisk::as_known) return FileAnswer::as_known;
    const bool gone = disk == Document::OnDisk::gone;
    asked_about_[&document()] = document().fingerprint_on_disk();
    QMessageBox box(QMessageBox::Warning, gone ? tr("The file is gone") : tr("The file has changed"),
                    plain_text((gone ? tr("\"%1\" is no longer where it was opened or saved.")
                                     : tr("\"%1\" was changed by another program since it was opened or saved here."))
                                   .arg(document().title())),
                    QMessageBox::Cancel, window_);
    QString choices = gone ? tr("Keep mine: the file is written again when you save.")
                           : tr("Reload: what is in the file now; Ctrl+Z returns to your plan.\n"
                                "Keep mine: what is there is replaced when you save.");
    choices += u'\n' + tr("Save as: your plan goes to another file.");
    box.setInformativeText(choices);
    const QAbstractButton* reload = gone ? nullptr : box.addButton(tr("Reload"), QMessageBox::ActionRole);
    const QAbstractButton* mine = box.addButton(tr("Keep mine"), QMessageBox::ActionRole);
    const QAbstractButton* elsewhere = box.addButton(tr("Save as..."), QMessageBox::ActionRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    const QAbstractButton* clicked = box.clickedButton();
    if (clicked == mine) {
        document().keep_mine();
        return FileAnswer::keep_mine;
    }
    if (clicked == elsewhere) return save_as() ? FileAnswer::settled : FileAnswer::cancelled;
    if (!reload || clicked != reload) return FileAnswer::cancelled;
    const Problems problems = document().reload();
    if (problems.empty()) return FileAnswer::settled;
    const QString what = has_errors(problems) ? tr("\"%1\" cannot be read as it is now. Nothing has changed.")
                                              : tr("\"%1\" was opened, with remarks.");
    show_problems(window_, what.arg(document().title()), problems);
    return has_errors(problems) ? FileAnswer::cancelled : FileAnswer::settled;
}

// Once for every change: who has cancelled is asked again when the plan is saved.
void FileSession::look_at_file() {
    if (!window_->isVisible() || !window_->isActiveWindow() || QApplication::activeModalWidget()) return;
    const Document* d = &document();
    if (d->on_disk() == Document::OnDisk::as_known) {
        asked_about_.erase(d);
        return;
    }
    const auto asked = asked_about_.find(d);
    if (asked == asked_about_.end() || asked->second != d->fingerprint_on_disk()) ask_about_file();
}

void MainWindow::start_new() {
    const Library& library = workspace_.library();
    const auto model = library.models.find(usual_model);
    const auto machine = library.machines.find(usual_machine);
    if (model == library.models.end() || machine == library.machines.end()) {
        workspace_.plans().start(first_scenario(library));
        return;
    }
    const FirstAsk ask{.headroom = workspace_.headroom_of_plans(), .threads = workspace_.search_threads()};
    workspace_.plans().start(new_plan(first_plan(model->second, machine->second, library.stacks, ask).scenario));
}

void MainWindow::ask_runs() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Validate runs of your own"),
                                                      QFileInfo(document().file()).path(),
                                                      tr("Published runs (*.json);;All files (*)"));
    if (!path.isEmpty()) validate(path);
}

void MainWindow::validate(const QString& runs_file) {
    const QString name = QFileInfo(runs_file).fileName();
    const QString failed = tr("\"%1\" holds no runs that can be read.").arg(name);
    if (!accepted(this, failed, validation_->add_runs(runs_file))) return;
    show_page(QStringLiteral("validation"));
    statusBar()->showMessage(tr("The runs of %1 are marked as yours").arg(name), 8000);
}

void MainWindow::read_measured() {
    connect(&workspace_, &Workspace::measured_changed, this, &MainWindow::keep_measured);
    if (session_ == Session::fresh) return;
    const auto text = read_text(measured_file());
    if (!text) return;  // nothing was measured yet
    auto runs = read_measured_runs(*text, workspace_.library(), measured_file().string());
    if (runs) workspace_.set_anchors(*std::move(runs));
    else statusBar()->showMessage(to_qt(say(runs.error())), 20000);
}

void MainWindow::keep_measured() {
    if (session_ == Session::fresh) return;
    std::error_code error;
    std::filesystem::create_directories(users_presets(), error);
    const auto written =
        write_atomically(measured_file(), write_measured_runs(workspace_.anchors(), workspace_.library()));
    if (!written) show_problems(this, tr("The run cannot be kept."), written.error());
}

void MainWindow::ask_measured() {
    AnchorDialog dialog(workspace_.scenario(), this);
    if (dialog.exec() != QDialog::Accepted || !dialog.run()) return;
    workspace_.measure(*dialog.run());
    statusBar()->showMessage(tr("The numbers of plans like this one start from \"%1\" now; Undo takes it back")
                                 .arg(to_qt(workspace_.anchors().back().name)), 8000);
}

void MainWindow::forget_measured() {
    if (workspace_.anchors().empty()) return statusBar()->showMessage(tr("No run of your own is kept"), 4000);
    workspace_.forget_measured();
    statusBar()->showMessage(tr("No measured run counts any more; Undo brings them back"), 8000);
}

void FileSession::remember_file(const QString& path) {
    if (!remember_) return;
    QSettings settings;
    QStringList files = settings.value(QStringLiteral("recent")).toStringList();
    const QString full = QFileInfo(path).absoluteFilePath();
    files.removeAll(full);
    files.prepend(full);
    settings.setValue(QStringLiteral("recent"), files.mid(0, most_recent));
    if (full == document().file()) settings.setValue(QStringLiteral("plan"), full);
}

void FileSession::fill_recent(QMenu& menu) {
    menu.clear();
    for (const QString& file : QSettings().value(QStringLiteral("recent")).toStringList()) {
        QAction* action = menu.addAction(QFileInfo(file).fileName(), this, [this, file] { open(file); });
        action->setStatusTip(file);
        action->setEnabled(QFileInfo::exists(file));
    }
    if (menu.isEmpty()) menu.addAction(tr("None yet"))->setEnabled(false);
}

// An example opens as a plan of one's own: saving asks for a name.
void FileSession::fill_examples(QMenu& menu) {
    const Library& library = workspace_.library();
    for (const Question& question : questions(library)) {
        QMenu* group = menu.addMenu(question.text);
        for (const std::string& id : question.examples) {
            const QString path = QString::fromStdString(library.scenarios.at(id).string());
            const auto read = load_scenario(path, library);
            const QString name = read && !read->name.empty() ? to_qt(read->name) : to_qt(id);
            group->addAction(name, this, [this, path] { open_example(path); })
                ->setObjectName(QStringLiteral("example.") + to_qt(id));
        }
    }
    if (menu.isEmpty()) menu.addAction(tr("None found"))->setEnabled(false);
}

void FileSession::open_example(const QString& path) {
    const auto example = load_scenario(path, workspace_.library());
    if (example) workspace_.plans().start(*example);
    else show_problems(window_, tr("The example could not be read."), example.error());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool all_here = std::ranges::all_of(urls, &QUrl::isLocalFile);
    if (!urls.isEmpty() && urls.size() <= 16 && all_here) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    event->acceptProposedAction();
    files_->open_dropped(paths);
}

// Files of a training framework make one plan together; of others each is opened by itself.
void FileSession::open_dropped(const QStringList& paths) {
    const bool of_a_framework = std::ranges::any_of(paths, [](const QString& path) {
        const auto kind = kind_of_file(path);
        return kind && *kind == FileKind::configuration;
    });
    if (of_a_framework) return void(import_configuration(paths));
    for (const QString& path : paths)
        if (!open(path)) return;
}

// Scaling runs of the user's own, which become points on the charts.

void MainWindow::ask_scaling() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Your own scaling runs"),
                                                      QFileInfo(document().file()).path(),
                                                      tr("Tables (*.csv *.json);;All files (*)"));
    if (!path.isEmpty()) add_scaling(path);
}

bool MainWindow::add_scaling(const QString& path) {
    const QString failed = tr("\"%1\" holds no runs that can be read.").arg(QFileInfo(path).fileName());
    if (!accepted(this, failed, scaling_.add(path))) return false;
    proposal_->tell_floor();
    const auto count = static_cast<long long>(workspace_.scaling().runs.size());
    const bool drawn = workspace_.scenario().machine.nodes > 1;
    statusBar()->showMessage(drawn ? tr("Beside the curves over nodes now: %1 that you measured")
                                         .arg(to_qt(numbered(count, "run", "runs")))
                                   : tr("The charts of one node run over devices: measured runs have no place there"),
                             8000);
    return true;
}

void MainWindow::remove_scaling() {
    if (workspace_.scaling().runs.empty())
        return statusBar()->showMessage(tr("No scaling run is beside this plan"), 4000);
    scaling_.remove_all();
    statusBar()->showMessage(tr("The scaling runs are no longer beside this plan; their file is as it was"), 8000);
}

}  // namespace plimsoll
