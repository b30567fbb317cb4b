#include "views/jobs/probes_to_run.h"

#include "core/files/launch/launch.h"
#include "core/values/knobs/wording.h"
#include "views/jobs/job_folder.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFontDatabase>

#include <algorithm>

namespace plimsoll {

namespace {

// The framework that a software preset is of, by its id: "megatron-core" is Megatron-LM's.
std::optional<Framework> framework_of(const std::string& stack) {
    const auto find = [](const auto& fits) {
        const auto at = std::ranges::find_if(framework_names(), fits);
        return at == framework_names().end() ? std::nullopt : framework_from(*at);
    };
    const auto first = find([&](std::string_view name) { return stack.starts_with(name); });
    return first ? first : find([&](std::string_view name) { return stack.find(name) != std::string::npos; });
}

// Logs of runs that were made for other predictions would be taken for those of these runs.
QStringList logs_in(const QString& folder, const std::vector<JobFile>& files) {
    const auto record = std::ranges::find(files, std::string("probes.json"), &JobFile::name);
    QFile there(QDir(folder).filePath(QStringLiteral("probes.json")));
    const bool same = record != files.end() && there.open(QFile::ReadOnly)
                   && there.readAll() == QByteArray::fromStdString(record->text);
    return same ? QStringList{} : QDir(folder).entryList({QStringLiteral("probe-*.visit-*.log")}, QDir::Files);
}

}  // namespace

ProbesToRun::ProbesToRun(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    summary_ = paragraph(tr("What the short runs cost and tell"));
    set_bold(*summary_);
    unseen_ = paragraph(tr("What the short runs do not show"));
    table_ = new TextTable(tr("Short runs that tell most"),
                           {tr("Run"), tr("What it tells"), tr("Nodes"), tr("Step, predicted"), tr("Takes"),
                            tr("Node-hours")},
                           {2, 3, 4, 5});
    table_->wrap({1});
    table_->fit_to_rows();
    preview_ = read_only_text(tr("The job and its scripts"), tr("No script: the reason stands above."));
    preview_->setLineWrapMode(QPlainTextEdit::NoWrap);
    preview_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    preview_->setMinimumHeight(80);
    setLayout(below({build_form(), summary_, table_, unseen_, {preview_, 1}}, page_margins));
    const auto follow = [this] {
        follow_stack();
        refresh();
    };
    auto* seen = new WhenSeen(*this, follow);
    connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
    connect(&workspace_, &Workspace::library_changed, seen, &WhenSeen::due);
    connect(&search_, &LatestJob::failed, this, [this](const QString& why) { summary_->setText(why); });
}

QWidget* ProbesToRun::build_form() {
    framework_ = new QComboBox;
    for (const std::string_view id : framework_names())
        framework_->addItem(to_qt(title_of(*framework_from(id))), to_qt(id));
    const auto whole = [](int least, int most, int value) {
        auto* box = new QSpinBox;
        box->setRange(least, most);
        box->setGroupSeparatorShown(true);
        box->setValue(value);
        return box;
    };
    const ProbeLimits usual;
    nodes_ = whole(0, 100000, 0);
    nodes_->setSpecialValueText(tr("as needed"));
    minutes_ = whole(1, 24 * 60, int(usual.longest / minute));
    minutes_->setSuffix(tr(" min"));
    steps_ = whole(5, 100000, usual.steps);
    visits_ = whole(1, 20, usual.visits);
    write_ = button(tr("&Write the job..."), "probes.write",
                    tr("The scripts, one job that runs them in turn, and the predictions, into a folder"), this,
                    &ProbesToRun::ask_write);
    FlowLayout* line = new FlowLayout;
    const auto add = [&](const QString& label, const char* name, QWidget* field, const QString& help) {
        line->addWidget(labelled(label, as_input(field, name, help)));
    };
    add(tr("&Framework"), "probes.framework", framework_,
        tr("What trains the model; opens with the one of the plan's software"));
    add(tr("&Nodes at hand"), "probes.nodes", nodes_, tr("As needed: those of one copy of the plan, at least two"));
    add(tr("&Longest job"), "probes.minutes", minutes_, tr("All runs together, with their starts"));
    add(tr("&Steps"), "probes.steps", steps_, tr("Of every run; the first twenty warm it up"));
    add(tr("&Visits"), "probes.visits", visits_,
        tr("How often each run is made, in turn: a visit that was disturbed shows beside the others"));
    line->addWidget(write_);
    connect(framework_, &QComboBox::currentIndexChanged, this, &ProbesToRun::refresh);
    for (QSpinBox* box : {nodes_, minutes_, steps_, visits_})
        connect(box, &QSpinBox::valueChanged, this, &ProbesToRun::refresh);
    return piece(line);
}

void ProbesToRun::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && unseen_) show_probes();
}

// Other software opens with its own framework; what was chosen stays otherwise.
void ProbesToRun::follow_stack() {
    const std::string& stack = workspace_.scenario().stack.id;
    if (stack == stack_) return;
    stack_ = stack;
    const QSignalBlocker quiet(framework_);
    if (const auto theirs = framework_of(stack)) framework_->setCurrentIndex(int(*theirs));
}

ProbesToRun::Asked ProbesToRun::asked() const {
    Asked a{workspace_.scenario(), {}, *framework_from(framework_->currentData().toString().toStdString())};
    a.limits.nodes = nodes_->value();
    a.limits.longest = minutes_->value() * minute;
    a.limits.steps = steps_->value();
    a.limits.visits = visits_->value();
    return a;
}

void ProbesToRun::refresh() {
    found_.reset();
    search_.start([this, a = asked(), library = workspace_.library()](std::stop_token) -> LatestJob::Deliver {
        const auto found = std::make_shared<Found>();
        found->asked = a;
        found->probes = plan_probes(a.plan, a.limits);
        if (found->probes) {
            const auto job = [&] { return probe_job(a.plan, *found->probes, a.framework, a.limits, library); };
            if (const auto in_words = job(); !in_words) found->no_job = in_words.error();
            const Speaking english(nullptr);   // it becomes files
            if (auto files = job()) found->files = *std::move(files);
        }
        return [this, found] { adopt(std::move(*found)); };
    });
    write_->setEnabled(false);
}

void ProbesToRun::adopt(Found found) {
    found_ = std::move(found);
    show_probes();
}

QString ProbesToRun::say_cost(const ProbePlan& probes) {
    QString text = tr("One job of %1, %2, %3 node-hours. Afterwards two plans in three lie within %4 of what the runs "
                      "say, nine in ten within %5.")
                       .arg(to_qt(numbered(probes.nodes, "node", "nodes")), to_qt(say(probes.time)),
                            grouped(probes.node_hours), share_text(probes.band), share_text(probes.wide));
    const auto answer = workspace_.snapshot().last_good;
    if (!answer || !answer->band) return text;
    const double now = answer->band->time;
    text += u' ' + (now > probes.band ? tr("Two in three lie within %1 now.").arg(share_text(now))
                                      : tr("Two in three lie within %1 already: more nodes or a longer job may tell "
                                           "more.")
                                            .arg(share_text(now)));
    return text;
}

void ProbesToRun::show_probes() {
    if (!found_) return;
    const auto& probes = found_->probes;
    std::vector<QStringList> rows;
    QStringList said, unseen;
    if (!probes) {
        said = to_qt(probes.error());
    } else {
        for (const ProbeRun& r : probes->runs)
            rows.push_back({to_qt(r.name), to_qt(r.why), QLocale().toString(nodes_used(r.plan)), to_qt(say(r.step)),
                            to_qt(say(r.time)), grouped(r.node_hours)});
        said << say_cost(*probes);
        if (!found_->no_job.empty())
            said << tr("%1 cannot run them: %2").arg(framework_->currentText(), to_qt(found_->no_job).join(u' '));
        for (const std::string& each : probes->unseen) unseen << tr("They do not show: %1").arg(to_qt(each));
    }
    QString scripts;
    for (const JobFile& f : found_->files)
        if (f.name == "job.sh") scripts.prepend(to_qt(f.text));
        else if (f.name.ends_with(".sh")) scripts += QStringLiteral("\n# ---- %1\n").arg(to_qt(f.name)) + to_qt(f.text);
    preview_->setPlainText(scripts);
    table_->show_rows(rows);
    table_->setVisible(!rows.empty());
    unseen_->setText(unseen.join(u'\n'));
    unseen_->setVisible(!unseen.isEmpty());
    summary_->setText(with_units_kept(said.join(u'\n')));
    const bool can = probes && found_->no_job.empty();
    set_text_colour(*summary_, can ? palette().color(QPalette::WindowText) : alert_colour(palette()));
    write_->setEnabled(can);
}

Problems ProbesToRun::save_to(const QString& folder) {
    if (!found_ || found_->files.empty()) return {{Severity::error, folder.toStdString(), {}, summary().toStdString()}};
    if (const QStringList logs = logs_in(folder, found_->files); !logs.isEmpty())
        return {{Severity::error, folder.toStdString(), {},
                 tr("holds logs of other short runs (%1), which would be taken for those of these: choose another "
                    "folder")
                     .arg(logs.join(QStringLiteral(", ")))
                     .toStdString()}};
    if (Problems problems = write_into(folder, found_->files); !problems.empty()) return problems;
    emit written(folder);
    return {};
}

void ProbesToRun::ask_write() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("A folder for the job that all its nodes can see"));
    if (folder.isEmpty() || !found_ || !may_write_into(this, folder, found_->files)) return;
    if (const Problems problems = save_to(folder); !problems.empty()) warn(this, tr("Write the job"), problems);
}

}  // namespace plimsoll
