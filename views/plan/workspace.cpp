#include "views/plan/workspace.h"

#include "core/answers/plan/remedies.h"
#include "core/evidence/published/band_figure.h"
#include "core/files/import/model_import.h"
#include "core/files/text/disk.h"
#include "core/files/presets/scenario_json.h"
#include "views/plan/undo.h"

#include <QFileInfo>

#include <algorithm>

namespace plimsoll {

Workspace::Workspace(Library library, QObject* parent) : QObject(parent), library_(std::move(library)) {
    turn_.setSingleShot(true);
    turn_.setInterval(0);
    connect(&turn_, &QTimer::timeout, this, &Workspace::refresh);
    connect(&history_, &QUndoStack::cleanChanged, this, &Workspace::file_changed);
    start(first_scenario(library_));
}

std::shared_ptr<const Answer> Workspace::answer_of(const Scenario& s, const Estimate& e, const std::string& repair) const {
    const bool searched = envelope_ && envelope_->plan == s;
    Answer answer{s, e, headline(s, e), figures(s, searched ? envelope_->best : std::vector<EnvelopePoint>{}), {}, repair};
    if (record_) {
        answer.band = band_of(s, record_->evidence);
        shade(answer.figures, *answer.band);
    }
    return std::make_shared<const Answer>(std::move(answer));
}

void Workspace::add_presets(const Machine& machine, const std::optional<Stack>& stack) {
    library_.machines[machine.id] = machine;
    if (stack) library_.stacks[stack->id] = *stack;
    emit library_changed();
}

// A plan may be opened without ever having had numbers; the nearest one that
// has some is still a better picture than none.
std::shared_ptr<const Answer> Workspace::nearest_answer(const Scenario& s) const {
    for (const Remedy& r : remedies(s, 1)) return answer_of(r.scenario, r.estimate, r.name);
    return nullptr;
}

const Snapshot& Workspace::snapshot() {
    if (turn_.isActive()) refresh();
    return snapshot_;
}

void Workspace::propose(const Scenario& next, const QString& name, const std::string& knob) {
    if (next == scenario_) return;
    const Scenario before = scenario_;
    history_.push(new Edit(before, next, name, knob, [this](const Scenario& s) { adopt(s); }));
    emit edited(before);
}

void Workspace::amend(const Scenario& next, const QString& name) {
    if (next == scenario_) return;
    history_.push(new Edit(scenario_, next, name, Edit::amendment, [this](const Scenario& s) { adopt(s); }));
}

void Workspace::adopt(const Scenario& s) {
    scenario_ = s;
    turn_.start();
}

void Workspace::refresh() {
    turn_.stop();
    snapshot_.scenario = scenario_;
    snapshot_.outcome = estimate(scenario_);
    if (snapshot_.outcome) snapshot_.last_good = answer_of(scenario_, *snapshot_.outcome, {});
    else if (!snapshot_.last_good) snapshot_.last_good = nearest_answer(scenario_);
    emit changed(snapshot_);
}

void Workspace::start(const Scenario& s, const std::string& extra_json) {
    history_.clear();
    file_.clear();
    extra_ = extra_json;
    snapshot_.baseline.reset();
    snapshot_.last_good.reset();
    adopt(s);
    emit file_changed();
}

Problems Workspace::open(const QString& path) {
    Problems warnings;
    std::string extra = "{}";
    const auto read = load_scenario(path, library_, &warnings, &extra);
    if (!read) return read.error();
    start(*read, extra);
    file_ = QFileInfo(path).absoluteFilePath();
    emit file_changed();
    return warnings;
}

Problems Workspace::save(const QString& path) {
    const auto written = write_atomically(path.toStdString(), write_scenario(scenario_, library_, extra_));
    if (!written) return written.error();
    file_ = QFileInfo(path).absoluteFilePath();
    history_.setClean();
    emit file_changed();
    return {};
}

void Workspace::set_record(std::shared_ptr<const TrackRecord> record) {
    record_ = std::move(record);
    turn_.start();
    emit record_changed();
}

void Workspace::set_envelope(std::shared_ptr<const Envelope> envelope) {
    if (!envelope && !envelope_) return;
    envelope_ = std::move(envelope);
    turn_.start();
}

Problems Workspace::import_model(const QString& path, int heads) {
    const auto text = read_text(path.toStdString());
    if (!text) return text.error();
    auto imported = plimsoll::import_model(*text, {path.toStdString(), {}, heads});
    if (!imported) return imported.error();
    if (!imported->model) {
        for (Problem& p : imported->remarks) p.severity = Severity::error;
        return imported->remarks;
    }
    Scenario next = scenario_;
    next.model = *imported->model;
    next.recipe.sequence_length = std::min(next.recipe.sequence_length, next.model.sequence_length);
    propose(next, tr("Model %1").arg(QString::fromStdString(next.model.name)));
    return imported->remarks;
}

void Workspace::pin_baseline() {
    snapshot();  // an edit of this turn belongs to the baseline
    snapshot_.baseline = snapshot_.last_good;
    turn_.start();
}

void Workspace::unpin_baseline() {
    snapshot_.baseline.reset();
    turn_.start();
}

Expected<Scenario, Problems> load_scenario(const QString& path, const Library& library, Problems* warnings,
                                           std::string* extra) {
    const std::string name = QFileInfo(path).fileName().toStdString();
    const auto text = read_text(path.toStdString());
    if (!text) return Unexpected{text.error()};
    auto read = read_scenario(*text, library, name);
    if (!read) return Unexpected{read.error()};
    if (warnings) *warnings = read->warnings;
    if (extra) *extra = read->extra_json;
    return read->scenario;
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
