#include "app/instruments/instruments.h"

#include "app/window/gui_start.h"
#include "app/commands/plan.h"
#include "core/files/text/disk.h"
#include "views/decide/compare_page.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QThread>
#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace plimsoll {

namespace {

// Timers of up to `ms`, layouts and paints.
void settle(int ms) {
    QElapsedTimer clock;
    clock.start();
    do {   // what is measured beside must not find the processor busy
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        QThread::msleep(2);
    } while (clock.elapsed() < ms);
}

// Answers have arrived, what they begin by timers has ended too, and all of it is painted. Half a minute at most: a
// picture of what there is by then is better than none.
void settle_wholly(const MainWindow& window) {
    constexpr int quiet_looks = 10, limit = 30000;
    const auto painted = [&] {
        const std::vector<Chart*> charts = window.visible_charts();
        return std::all_of(charts.begin(), charts.end(), [](const Chart* c) { return c->paints() > 0 && c->figure(); });
    };
    QElapsedTimer clock;
    clock.start();
    for (int quiet = 0; quiet < quiet_looks && clock.elapsed() < limit;) {
        settle(70);
        quiet = LatestJob::any_busy() || !painted() ? 0 : quiet + 1;
    }
}

bool all_painted(const std::vector<Chart*>& charts, const std::vector<int>& before) {
    for (std::size_t i = 0; i < charts.size(); ++i)
        if (charts[i]->paints() <= before[i]) return false;
    return true;
}

template <class T>
T percentile(std::vector<T> values, int percent) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, values.size() * percent / 100)];
}

double one_frame(QSlider* slider, int position, const std::vector<Chart*>& charts) {
    std::vector<int> before;
    for (const Chart* chart : charts) before.push_back(chart->paints());
    QElapsedTimer clock;
    clock.start();
    slider->setValue(position);
    while (!all_painted(charts, before) && clock.elapsed() < 2000) QCoreApplication::processEvents();
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

FrameTimes frames_of_drag(MainWindow& window, const std::vector<Chart*>& charts, int frames) {
    settle(600);
    QSlider* slider = window.inputs()->nodes()->slider();
    const int span = slider->maximum();
    if (charts.empty() || span < 1) return {};
    slider->setSliderDown(true);  // as in a drag
    std::vector<double> times;
    for (int i = 0, direction = 1, at = slider->value(); i < frames + 5; ++i) {
        if (at + direction < 0 || at + direction > span) direction = -direction;
        at += direction;
        const double ms = one_frame(slider, at, charts);
        if (i >= 5) times.push_back(ms);  // the first ones fill caches
    }
    slider->setSliderDown(false);
    return {percentile(times, 50), percentile(times, 95)};
}

// Five others behind the one in front.
void open_six(Plans& plans) {
    for (double factor = 1.1; plans.count() < 6; factor *= 1.1) {
        plans.add(plans.copy_of(plans.at(0)), Plans::Front::left);
        Scenario longer = plans.at(1).scenario();
        longer.recipe.tokens *= factor;
        plans.at(1).edit(longer, QStringLiteral("Tokens"));
    }
}

// Edits with automatic layout on, each begun when all is quiet again. The best layout is one more change of the plan.
LiveTimes live_times(MainWindow& window, const Document& document, int moves, const std::function<void()>& edit) {
    constexpr int warming = 3, patience = 5000;   // the first ones fill caches
    const std::vector<Chart*> charts = window.visible_charts();
    const auto paints = [&] {
        std::vector<int> counts;
        for (const Chart* chart : charts) counts.push_back(chart->paints());
        return counts;
    };
    std::vector<int> changed;
    QObject context;
    QObject::connect(&document, &Document::changed, &context, [&] { changed = paints(); });
    LiveTimes times;
    std::vector<double> charts_ms, best_ms;
    for (int i = 0; i < moves + warming; ++i) {
        const std::vector<int> before = paints();
        double painted = 0, best = 0, longest = 0;
        QElapsedTimer clock;
        clock.start();
        const auto in_batch = [&](const auto& work) {
            const qint64 began = clock.nsecsElapsed();
            work();
            longest = std::max(longest, static_cast<double>(clock.nsecsElapsed() - began) * 1e-6);
        };
        in_batch(edit);
        while ((best == 0 || window.automatic().busy()) && clock.elapsed() < patience) {
            in_batch([] { QCoreApplication::processEvents(); });
            const double now = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
            if (painted == 0 && all_painted(charts, before)) painted = now;
            if (best == 0 && !window.automatic().searching() && all_painted(charts, changed)) best = now;
        }
        settle(50);
        if (i < warming) continue;
        charts_ms.push_back(painted);
        best_ms.push_back(best);
        times.longest_batch_ms = std::max(times.longest_batch_ms, longest);
    }
    times.charts = {percentile(charts_ms, 50), percentile(charts_ms, 95)};
    times.best = {percentile(best_ms, 50), percentile(best_ms, 95)};
    return times;
}

void show_calibration_page(MainWindow& window, const std::string& page) {
    window.show_page(QStringLiteral("calibrate"));
    CalibratePage* calibrate = window.calibration();
    QTabWidget* result = calibrate->measure()->result()->tabs();
    if (page == "calibrate-run") return calibrate->show_trial();
    if (page == "calibrate-job") return calibrate->show_job();
    if (page.starts_with("calibrate-drift")) return calibrate->show_drift();
    calibrate->show_measure();
    result->setCurrentIndex(page == "calibrate-steps"      ? 1
                            : page == "calibrate-done"     ? 2
                            : page == "calibrate-cautions" ? 3
                                                           : 0);
}

// The plan of a file or of a shipped example; the log of a calibration and a workspace are returned, to be opened in
// the window.
Expected<QString, Problems> open_for_picture(Workspace& workspace, const std::string& name) {
    const auto example = workspace.library().scenarios.find(name);
    const std::string path = example == workspace.library().scenarios.end() ? name : example->second.string();
    const auto text = read_text(path);
    if (text && (looks_like_calibration_log(*text) || is_workspace(path, *text))) return to_qt(path);
    const Problems problems = workspace.document().open(to_qt(path));
    if (has_errors(problems)) return Unexpected{problems};
    return QString();
}

// A demonstration, measured nowhere: steps 1.3 times as long as the plan predicts, give or take 1 %, with their parts
// where asked.
bool write_demonstration_steps(const Scenario& plan, bool parts, const QString& path) {
    const Outcome predicted = estimate(plan);
    if (!predicted) return false;
    constexpr double slower = 1.3, scatter = 0.01;
    constexpr int steps = 60;
    std::string text = "# made up for a picture: the prediction times 1.3\nstep_s";
    for (const auto& part : step_parts)
        if (parts) text.append(",").append(part.id);
    for (int i = 0; i < steps; ++i) {
        const double factor = slower * (1 + scatter * std::sin(2.4 * i));
        text.append("\n").append(std::to_string(factor * predicted->step.total() / second));
        for (const auto& part : step_parts)
            if (parts) text.append(",").append(std::to_string(factor * (predicted->step.*part.value / second)));
    }
    return write_atomically(path.toStdString(), text + "\n").has_value();
}

}  // namespace

WindowTimes measure_frames(int argc, char** argv, int frames) {
    use_offscreen();
    install_message_filter();
    QApplication app(argc, argv);
    name_application();
    Workspace workspace(shipped_library());
    MainWindow window(workspace, MainWindow::Session::fresh);
    window.set_theme(Theme::light);
    window.resize(1400, 900);
    window.show();
    window.record_loader().wait();  // bands are part of a frame
    WindowTimes times;
    times.alone = frames_of_drag(window, window.visible_charts(), frames);
    open_six(workspace.plans());
    times.six_open = frames_of_drag(window, window.visible_charts(), frames);
    window.show_page(QStringLiteral("compare"));
    window.findChild<ComparePage*>()->tabs()->setCurrentIndex(1);  // the first is a sheet without charts
    settle(50);
    std::vector<Chart*> compared;
    for (Chart* chart : window.findChildren<Chart*>())
        if (chart->isVisible()) compared.push_back(chart);
    times.six_compared = frames_of_drag(window, compared, frames);
    return times;
}

AutomaticTimes measure_live(int argc, char** argv, const Scenario& plan, int moves) {
    use_offscreen();
    install_message_filter();
    QApplication app(argc, argv);
    name_application();
    Workspace workspace(shipped_library());
    workspace.document().start(plan);
    MainWindow window(workspace, MainWindow::Session::fresh);
    window.resize(1400, 900);
    window.show();
    window.record_loader().wait();
    window.automatic().set_on(true);
    settle_wholly(window);
    QSlider* slider = window.inputs()->nodes()->slider();
    const auto step_nodes = [slider, direction = -1]() mutable {
        if (slider->value() + direction < 0 || slider->value() + direction > slider->maximum()) direction = -direction;
        slider->setValue(slider->value() + direction);
    };
    const auto turn_batch = [&workspace, larger = true]() mutable {
        const Knob& batch = *find_knob("recipe.global_batch_sequences");
        const double now = batch.get(workspace.scenario());
        if (const auto next = with(workspace.scenario(), batch, larger ? 2 * now : now / 2))
            workspace.propose(*next, QStringLiteral("Batch"));
        larger = !larger;
    };
    AutomaticTimes times;
    times.nodes = live_times(window, workspace.document(), moves, step_nodes);
    times.batch = live_times(window, workspace.document(), moves, turn_batch);
    open_six(workspace.plans());
    times.nodes_six_open = live_times(window, workspace.document(), moves, step_nodes);
    return times;
}

int run_screenshot(int argc, char** argv, const std::string& scenario_file, const std::string& png,
                   const std::string& theme, const std::string& page, const std::string& size,
                   const std::string& asked) {
    use_offscreen();
    install_message_filter();
    QApplication app(argc, argv);
    name_application();
    const WindowLanguage language(language_to_use(to_qt(asked)));
    Workspace workspace(shipped_library());
    const auto log =
        scenario_file.empty() ? Expected<QString, Problems>(QString()) : open_for_picture(workspace, scenario_file);
    if (!log) {
        std::fputs(say(log.error()).c_str(), stderr);
        return 1;
    }
    MainWindow window(workspace, MainWindow::Session::fresh);
    window.set_theme(theme_of(to_qt(theme), Theme::light));
    const QStringList sides = to_qt(size).split(u'x');
    window.resize(sides.value(0).toInt(), sides.value(1).toInt());
    window.show();
    if (!log->isEmpty()) window.open(*log);
    if (page == "explain") emit window.tiles()->explain(to_qt(window.tiles()->tiles()[0]->explains()));
    else if (page.starts_with("calibrate")) show_calibration_page(window, page);
    else if (!page.empty() && !page.starts_with("help") && !window.show_page(to_qt(page))) {
        const std::string all = window.page_names().join(QStringLiteral(", ")).toStdString();
        std::fprintf(stderr, "no page is called \"%s\"; there are explain, help and %s\n", page.c_str(), all.c_str());
        return 2;
    }
    window.record_loader().wait();
    if (page == "calibrate-run") window.calibration()->trial()->start();
    if (page == "calibrate-going" || page == "calibrate-end" || page == "calibrate-cancelled")
        window.calibration()->measure()->start();
    const QTemporaryDir demonstration;
    const QString steps = demonstration.filePath(QStringLiteral("demonstration.csv"));
    if ((page == "calibrate-drift" || page == "calibrate-drift-parts")
        && write_demonstration_steps(workspace.scenario(), page.ends_with("parts"), steps))
        window.calibration()->drift()->open(steps);
    settle_wholly(window);
    if (page == "calibrate-going" || page == "calibrate-cancelled") settle(20000);
    if (page == "calibrate-cancelled") window.calibration()->measure()->cancel();
    if (page != "calibrate-going") while (window.calibration()->busy()) settle(20);
    settle_wholly(window);   // also what a calibration's end has begun
    QWidget* pictured = &window;
    if (page.starts_with("help")) {
        window.help()->show_page(to_qt(page.substr(std::min(page.size(), std::string_view("help-").size()))));
        pictured = window.help();
        settle(100);
    }
    if (pictured->grab().save(to_qt(png))) return 0;
    std::fprintf(stderr, "%s: cannot be written\n", png.c_str());
    return 1;
}

}  // namespace plimsoll
