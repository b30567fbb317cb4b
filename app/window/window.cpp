#include "app/window/window.h"

#include "app/commands/command_line.h"
#include "app/commands/plan.h"
#include "app/instruments/instruments.h"
#include "app/window/end_signals.h"
#include "app/window/gui_start.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/evidence/published/anchor.h"
#include "core/files/results/calibration_report.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/foreign_text.h"
#include "views/charts/export.h"
#include "views/decide/proposal_files.h"
#include "views/explore/timeline_page.h"
#include "views/parts/background.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QMessageBox>
#include <QPointer>
#include <QTimer>

#include <cstdio>
#include <exception>

namespace plimsoll {

namespace {

constexpr const char* platforms = "QT_QPA_PLATFORM";

// Qt aborts a program whose display does not answer, unless its list of platforms ends with one that needs none.
// Then the program can say what is wrong. Whoever names a platform gets that one.
class DisplayChoice {
public:
    DisplayChoice() : ours_(!qEnvironmentVariableIsSet(platforms)) {
        const bool wayland = qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
        if (ours_) qputenv(platforms, wayland ? "wayland;xcb;offscreen" : "xcb;offscreen");
    }
    // Asked once there is an application. Programs started from the window then choose for themselves.
    bool found_none() {
        if (!ours_) return false;
        qunsetenv(platforms);
        return QGuiApplication::platformName() == QStringLiteral("offscreen");
    }

private:
    bool ours_;
};

int say_no_display() {
    const std::string display = qgetenv("DISPLAY").toStdString();
    const std::string what =
        display.empty() ? "DISPLAY is not set" : "the display " + visible(display) + " cannot be used";
    const std::string advice =
        "Start it on a desktop, or log in with ssh -X. The commands, \"plimsoll estimate\" and \"plimsoll export\" "
        "among them, need no display; \"plimsoll --help\" lists them.";
    std::fputs(("plimsoll: the window cannot be opened: " + what + ".\n" + advice + "\n").c_str(), stderr);
    return exit_failure;
}

}  // namespace

namespace {

// A fault while an event is handled, as where memory runs out, ends that event and not the program with every plan that
// is open. One box at a time: what paints may fail again and again.
class PlannerApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::exception& e) {
            say(LatestJob::why_it_failed(e));
        }
        return false;
    }

private:
    void say(const QString& why) {
        if (box_) return;
        box_ = new QMessageBox(QMessageBox::Critical, QStringLiteral("Plimsoll"), plain_text(why), QMessageBox::Ok,
                               activeWindow());
        box_->setAttribute(Qt::WA_DeleteOnClose);
        box_->open();
    }
    QPointer<QMessageBox> box_;
};

}  // namespace

void use_offscreen() { qputenv(platforms, "offscreen"); }

void name_application() {
    QCoreApplication::setOrganizationName(QStringLiteral("plimsoll"));
    QCoreApplication::setApplicationName(QStringLiteral("plimsoll"));
    QGuiApplication::setApplicationDisplayName(QString());
#ifdef PLIMSOLL_VERSION
    QCoreApplication::setApplicationVersion(QStringLiteral(PLIMSOLL_VERSION));
#endif
}

void install_message_filter() {
    static QtMessageHandler previous = nullptr;
    previous = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (text.contains(QStringLiteral("propagateSizeHints")) || text.contains(QStringLiteral("XDG_RUNTIME_DIR")))
            return;
        if (previous) previous(type, context, text);
    });
}

int show_until_closed(QApplication& app, MainWindow& window, const QString& file) {
    EndSignals ends;
    bool ended = false;
    QObject::connect(&ends, &EndSignals::asked, &window, [&window, &ended](int signal) {
        ended = true;
        window.end();
        QCoreApplication::exit(128 + signal);  // as shells count
    });
    const EndOfSession session(app);
    QObject::connect(&session, &EndOfSession::keep, &window, &MainWindow::end);
    QObject::connect(&session, &EndOfSession::ended, &window, [&window] {
        if (window.isVisible()) window.end();  // a window that was closed has said what becomes of its plan
        QCoreApplication::exit(0);
    });
    window.show();
    // Within the event loop: what it asks can be ended from outside like everything else.
    QTimer::singleShot(0, &window, [&window, &file] { window.begin(file); });
    const int code = app.exec();
    if (ended) window.end();  // what was edited by an event that waited behind the signal
    return code;
}

int PlannerWindow::open(const std::string& file, const std::string& asked) {
    install_message_filter();
    DisplayChoice display;
    PlannerApplication app(argc_, argv_);
    if (display.found_none()) return say_no_display();
    name_application();
    const WindowLanguage language(language_to_use(asked.empty() ? chosen_language() : to_qt(asked)));
    Workspace workspace(shipped_library());
    MainWindow window(workspace, MainWindow::Session::remembered);
    return show_until_closed(app, window, to_qt(file));
}

namespace {

// The proof of a calibrated machine as tables beside the figures.
Problems export_proof(const Machine& machine, const QString& stem) {
    const Calibration* c = machine.calibration.get();
    if (!c) return {};
    const std::string name = (stem + QStringLiteral("-calibration-proof")).toStdString();
    const auto csv = write_atomically(std::string(name).append(".csv"), proof_csv(*c));
    if (!csv) return csv.error();
    const auto markdown = write_atomically(std::string(name).append(".md"), calibration_markdown(machine));
    return markdown ? Problems{} : markdown.error();
}

ExportFile sheet_of_plan(const Scenario& s, const std::vector<Figure>& all, const QString& stem,
                         const ExportOptions& asked) {
    std::vector<Picture> pictures;
    for (const Figure& f : all)
        if (wants(asked, f.id)) pictures.push_back(picture_of(f, asked.figure));
    if (wants(asked, timeline_id)) pictures.push_back(timeline_picture(s, asked.figure));
    return sheet_file(std::move(pictures), stem, to_qt(s.name), asked);
}

}  // namespace

int PlannerWindow::export_figures(const Scenario& s, const std::string& folder, const ExportOptions& asked,
                                  const MeasuredScaling& measured) {
    use_offscreen();
    install_message_filter();
    QApplication app(argc_, argv_);
    name_application();
    const WindowLanguage language(language_to_use(to_qt(asked.language)));
    const Speaking english(nullptr);   // for tables and captions; pictures look their words up
    std::vector<Figure> all = figures(s);
    shade(all, anchored(s, track_record(shipped_library()).evidence).band);
    add_measured(all, s, measured);
    if (const Calibration* c = s.machine.calibration.get())
        for (Figure& f : proof_figures(*c)) all.push_back(std::move(f));
    const QString stem = QDir(to_qt(folder)).filePath(file_stem(s));
    Problems problems = plimsoll::export_figures(s, all, to_qt(folder), asked);
    if (problems.empty()) problems = write_files(timeline_files(s, stem, asked));
    if (problems.empty() && asked.sheet) problems = write_files({sheet_of_plan(s, all, stem, asked)});
    if (problems.empty()) problems = export_proof(s.machine, stem);
    if (!problems.empty()) std::fputs(say(problems).c_str(), stderr);
    return has_errors(problems) ? 1 : 0;
}

int PlannerWindow::write_proposal(const ProposalPack& pack, const std::string& folder, const std::string& footer) {
    use_offscreen();
    install_message_filter();
    QApplication app(argc_, argv_);
    name_application();
    const auto files = proposal_files(pack, to_qt(folder), to_qt(footer));
    const Problems problems = files ? write_files(*files) : files.error();
    if (!problems.empty()) std::fputs(say(problems).c_str(), stderr);
    return has_errors(problems) ? 1 : 0;
}

int PlannerWindow::take(const Screenshot& shot) {
    return run_screenshot(argc_, argv_, shot.file, shot.png, shot.theme, shot.page, shot.size, shot.language);
}

WindowTimes PlannerWindow::measure_frames(int frames) { return plimsoll::measure_frames(argc_, argv_, frames); }

AutomaticTimes PlannerWindow::measure_live(const Scenario& s, int moves) {
    return plimsoll::measure_live(argc_, argv_, s, moves);
}

}  // namespace plimsoll
