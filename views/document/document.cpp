#include "views/document/document.h"

#include "core/files/import/model_import.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"
#include "views/parts/text.h"

#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>
#include <functional>
#include <utility>

namespace plimsoll {

namespace {

constexpr const char* amendment = "+";  // as the knob of an edit: part of whatever step comes before

// One undo step: the scenario before and after. Scenarios are values, so undo is exact by construction.
class EditCommand : public QUndoCommand {
public:
    using Adopt = std::function<void(const Scenario&)>;
    EditCommand(Scenario before, Scenario after, const QString& name, std::string knob, Adopt adopt)
        : QUndoCommand(name),
          before_(std::move(before)),
          after_(std::move(after)),
          knob_(std::move(knob)),
          adopt_(std::move(adopt)) {}

    void undo() override { adopt_(before_); }
    void redo() override { adopt_(after_); }
    int id() const override { return 1; }

    bool mergeWith(const QUndoCommand* next) override {
        const auto* later = static_cast<const EditCommand*>(next);  // an equal id() says so
        const bool amends = later->knob_ == amendment;
        if (!amends && (knob_.empty() || later->knob_ != knob_)) return false;
        after_ = later->after_;
        if (!amends) setText(later->text());
        setObsolete(after_ == before_);  // dragged back to where it started
        return true;
    }

private:
    Scenario before_, after_;
    std::string knob_;
    Adopt adopt_;
};

}  // namespace

Document::Document(const Library& library, QObject* parent) : QObject(parent), library_(library) {
    connect(&history_, &QUndoStack::cleanChanged, this, &Document::file_changed);
}

QString Document::title() const {
    return file_.isEmpty() ? to_qt(scenario_.name) : QFileInfo(file_).fileName();
}

std::string Document::text() const { return write_scenario(scenario_, library_, extra_json_); }

void Document::adopt(const Scenario& scenario) {
    const bool renamed = scenario.name != scenario_.name;
    scenario_ = scenario;
    emit changed();
    if (renamed) emit file_changed();
}

void Document::edit(const Scenario& next, const QString& name, const std::string& knob) {
    if (next == scenario_) return;
    const Scenario before = scenario_;
    history_.push(new EditCommand(before, next, name, knob, [this](const Scenario& s) { adopt(s); }));
    emit edited(before);
}

void Document::amend(const Scenario& next, const QString& name) {
    if (next == scenario_) return;
    history_.push(new EditCommand(scenario_, next, name, amendment, [this](const Scenario& s) { adopt(s); }));
}

Problems Document::import_model(const QString& path, int heads) {
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
    edit(next, tr("Model %1").arg(to_qt(next.model.name)));
    return imported->remarks;
}

void Document::replace(const Scenario& scenario, const QString& file, const std::string& extra_json) {
    history_.clear();
    file_ = file;
    extra_json_ = extra_json;
    emit replaced();
    adopt(scenario);
    emit file_changed();
}

void Document::start(const Scenario& scenario) { replace(scenario, {}, "{}"); }

Problems Document::open(const QString& path) {
    Problems warnings;
    std::string extra_json = "{}";
    const auto read = load_scenario(path, library_, &warnings, &extra_json);
    if (!read) return read.error();
    replace(*read, QFileInfo(path).absoluteFilePath(), extra_json);
    return warnings;
}

Problems Document::save(const QString& path) {
    const auto written = write_atomically(path.toStdString(), text());
    if (!written) return written.error();
    file_ = QFileInfo(path).absoluteFilePath();
    history_.setClean();
    emit file_changed();
    return {};
}

Expected<Scenario, Problems> load_scenario(const QString& path, const Library& library, Problems* warnings,
                                           std::string* extra_json) {
    const std::string name = QFileInfo(path).fileName().toStdString();
    const auto text = read_text(path.toStdString());
    if (!text) return Unexpected{text.error()};
    auto read = read_scenario(*text, library, name);
    if (!read) return Unexpected{read.error()};
    if (warnings) *warnings = read->warnings;
    if (extra_json) *extra_json = read->extra_json;
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
