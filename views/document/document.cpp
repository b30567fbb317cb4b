#include "views/document/document.h"

#include "core/answers/search/first_plan.h"
#include "core/files/import/model_import.h"
#include "core/files/presets/own_values.h"
#include "core/files/text/disk.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/knobs/provenance.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QDate>
#include <QFileInfo>
#include <QUndoCommand>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace plimsoll {

namespace {

constexpr const char* amendment = "+";  // as the knob of an edit: part of whatever step comes before
using Clock = std::chrono::steady_clock;

}  // namespace

// One undo step: the scenario before and after. Scenarios are values, so undo is exact by construction.
class Document::Edit : public QUndoCommand {
public:
    Edit(Document& document, Scenario after, const QString& name, std::string knob)
        : QUndoCommand(name),
          document_(document),
          before_(document.scenario_),
          after_(std::move(after)),
          knob_(std::move(knob)),
          made_(Clock::now()) {}

    void undo() override { document_.adopt(before_); }
    void redo() override { document_.adopt(after_); }
    int id() const override { return 1; }

    // Qt asks only where nothing was saved in between.
    bool mergeWith(const QUndoCommand* next) override {
        const auto* later = static_cast<const Edit*>(next);  // an equal id() says so
        const bool amends = later->knob_ == amendment;
        const bool same = !knob_.empty() && later->knob_ == knob_ && later->made_ - made_ < document_.merge_pause_;
        if (!amends && !same) return false;
        after_ = later->after_;
        if (!amends) {
            setText(later->text());
            made_ = later->made_;
        }
        setObsolete(after_ == before_);  // dragged back to where it started
        return true;
    }

private:
    Document& document_;
    Scenario before_, after_;
    std::string knob_;
    Clock::time_point made_;
};

// A step that changes the file as well: each way it puts back what was there, saved or not.
class Document::Turn : public QUndoCommand {
public:
    Turn(Document& document, Scenario after, const QString& name)
        : QUndoCommand(name), document_(document), before_(document.scenario_), after_(std::move(after)) {}

    void undo() override { turn(before_); }
    void redo() override { turn(after_); }

private:
    void turn(const Scenario& to) {
        std::swap(document_.file_, other_);
        document_.adopt(to);
        emit document_.file_changed();
    }

    Document& document_;
    Scenario before_, after_;
    File other_;
};

Document::Document(const Library& library, QObject* parent)
    : QObject(parent), library_(library), id_(QUuid::createUuid().toString(QUuid::WithoutBraces)) {
    connect(&history_, &QUndoStack::cleanChanged, this, &Document::file_changed);
}

QString Document::title() const {
    return file_.path.isEmpty() ? to_qt(scenario_.name) : QFileInfo(file_.path).fileName();
}

std::string Document::text() const { return write_scenario(scenario_, library_, file_.extra_json); }

Scenario Document::carrying(Scenario s) const {
    s.measured = measured_;
    return s;
}

void Document::set_measured(std::shared_ptr<const MeasuredRuns> runs) {
    if (runs == measured_) return;
    measured_ = std::move(runs);
    adopt(scenario_);
}

void Document::set_automatic_layout(bool on) {
    if (on == automatic_layout()) return;
    file_.extra_json = with_automatic_layout(file_.extra_json, on);
    emit file_changed();
}

void Document::adopt(const Scenario& scenario) {
    const bool renamed = scenario.name != scenario_.name;
    scenario_ = carrying(scenario);
    emit changed();
    if (renamed) emit file_changed();
}

// What the edit changed is the user's, since today; a name that the program gave says what the plan is of.
Scenario Document::marked(Scenario next) const {
    const QString day = QDate::currentDate().toString(Qt::ISODate);
    mark_own(next, scenario_, library_, std::string(yours) + ", set on " + day.toStdString());
    if (next.name == scenario_.name && next.name == given_name(scenario_)) next.name = given_name(next);
    return next;
}

void Document::edit(const Scenario& next, const QString& name, const std::string& knob) {
    if (carrying(next) == scenario_) return;
    const Scenario before = scenario_;
    history_.push(new Edit(*this, marked(carrying(next)), name, knob));
    emit edited(before);
}

void Document::turn_into(const Scenario& next, const QString& name) {
    if (carrying(next) == scenario_ && file_.path.isEmpty()) return;
    history_.push(new Turn(*this, next, name));
}

void Document::amend(const Scenario& next, const QString& name) {
    if (carrying(next) == scenario_) return;
    history_.push(new Edit(*this, marked(carrying(next)), name, amendment));
}

Problems Document::import_model(const QString& path, int heads) {
    auto imported = meanwhile(path, [file = path.toStdString(), heads] {
        const auto text = read_text(file);
        return text ? plimsoll::import_model(*text, {file, {}, heads}) : Unexpected{text.error()};
    });
    if (!imported) return imported.error();
    if (!imported->model) {
        for (Problem& p : imported->remarks) p.severity = Severity::error;
        return imported->remarks;
    }
    Scenario next = scenario_;
    next.model = *imported->model;
    next.recipe.sequence_length = std::min(next.recipe.sequence_length, next.model.sequence_length);
    edit(next, tr("Model %1").arg(to_qt(next.model.name)));
    return imported->remarks;
}

void Document::replace(const Scenario& scenario, File file) {
    history_.clear();
    file_ = std::move(file);
    emit replaced();
    adopt(scenario);
    emit file_changed();
}

void Document::start(const Scenario& scenario) { replace(scenario, {}); }

void Document::start(const ScenarioFile& plan) { replace(plan.scenario, {{}, {}, plan.extra_json}); }

void Document::start_copy_of(const Document& other, const std::string& name) {
    Scenario copy = other.scenario_;
    copy.name = name;
    replace(copy, {{}, {}, other.file_.extra_json});
    history_.resetClean();
    emit file_changed();
}

namespace {

// A plan and what it was read from.
struct FileOfPlan {
    ScenarioFile plan;
    std::string fingerprint;
};

Expected<FileOfPlan, Problems> file_of_plan(const QString& path, const Library& all) {
    const std::string name = QFileInfo(path).fileName().toStdString();
    return meanwhile(path, [file = path.toStdString(), name, library = all]() -> Expected<FileOfPlan, Problems> {
        const auto text = read_text(file);
        if (!text) return Unexpected{text.error()};
        auto read = read_scenario(*text, library, name);
        if (!read) return Unexpected{read.error()};
        return FileOfPlan{*std::move(read), fingerprint_of(*text)};
    });
}

}  // namespace

Problems Document::open(const QString& path) {
    const auto read = file_of_plan(path, library_);
    if (!read) return read.error();
    replace(read->plan.scenario, {QFileInfo(path).absoluteFilePath(), read->fingerprint, read->plan.extra_json});
    return read->plan.warnings;
}

Problems Document::save(const QString& path) {
    const std::string content = text();
    const auto written = write_atomically(path.toStdString(), content);
    if (!written) return written.error();
    file_.path = QFileInfo(path).absoluteFilePath();
    file_.fingerprint = fingerprint_of(content);
    history_.setClean();
    emit file_changed();
    return {};
}

// Its bytes are read: sizes and times tell little where a file system counts in seconds.
std::string Document::fingerprint_on_disk() const {
    if (file_.path.isEmpty() || !QFileInfo::exists(file_.path)) return {};
    const auto text = read_text(file_.path.toStdString());
    return text ? fingerprint_of(*text) : "unreadable";
}

Document::OnDisk Document::on_disk() const {
    const std::string now = fingerprint_on_disk();
    if (now == file_.fingerprint) return OnDisk::as_known;
    return now.empty() ? OnDisk::gone : OnDisk::changed;
}

void Document::keep_mine() {
    file_.fingerprint = fingerprint_on_disk();
    history_.resetClean();
    emit file_changed();
}

Problems Document::reload() {
    const auto read = file_of_plan(file_.path, library_);
    if (!read) return read.error();
    const ScenarioFile& plan = read->plan;
    if (!(carrying(plan.scenario) == scenario_)) history_.push(new Edit(*this, plan.scenario, tr("Reload"), {}));
    file_.fingerprint = read->fingerprint;
    file_.extra_json = plan.extra_json;
    history_.setClean();
    emit file_changed();
    return plan.warnings;
}

// Where the file is still the one they were made over, undo returns to it.
Problems Document::recover(const UnsavedPlan& unsaved) {
    auto read = read_scenario(unsaved.plan, library_);
    if (!read) return read.error();
    const File file{to_qt(unsaved.file), unsaved.fingerprint, read->extra_json};
    const Expected<std::string, Problems> text =
        unsaved.file.empty() ? Unexpected{Problems{}} : read_text(unsaved.file);
    if (text && fingerprint_of(*text) == unsaved.fingerprint)
        if (const auto base = read_scenario(*text, library_); base && !(base->scenario == read->scenario)) {
            replace(base->scenario, file);
            history_.push(new Edit(*this, read->scenario, tr("Recovered changes"), {}));
            return read->warnings;
        }
    replace(read->scenario, file);
    history_.resetClean();
    emit file_changed();
    return read->warnings;
}

Expected<Scenario, Problems> load_scenario(const QString& path, const Library& library) {
    const auto text = read_text(path.toStdString());
    if (!text) return Unexpected{text.error()};
    auto read = read_scenario(*text, library, QFileInfo(path).fileName().toStdString());
    if (!read) return Unexpected{read.error()};
    return std::move(read->scenario);
}

Scenario first_scenario(const Library& library) {
    std::vector<std::filesystem::path> files;
    if (const auto favourite = library.scenarios.find("gpt-neox-20b-a100"); favourite != library.scenarios.end())
        files.push_back(favourite->second);
    for (const auto& [id, file] : library.scenarios) files.push_back(file);
    for (const auto& file : files)
        if (const auto read = load_scenario(QString::fromStdString(file.string()), library)) return *read;

    Scenario s;
    s.name = "New plan";
    if (!library.models.empty()) s.model = library.models.begin()->second;
    if (!library.machines.empty()) s.machine = library.machines.begin()->second;
    if (!library.stacks.empty()) s.stack = library.stacks.begin()->second;
    s.layout.devices = s.layout.data_parallel = s.machine.devices_per_node;
    s.recipe.sequence_length = s.model.sequence_length;
    s.recipe.global_batch_sequences = 256 * s.machine.devices_per_node;
    return s;
}

}  // namespace plimsoll
