#include "views/document/workspace.h"

#include "core/answers/curves/figure_units.h"
#include "core/answers/search/remedies.h"
#include "core/evidence/published/band.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"
#include "views/parts/background.h"
#include "views/parts/text.h"

#include <QUndoCommand>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace plimsoll {

Workspace::Workspace(Library library, QObject* parent) : QObject(parent), library_(std::move(library)) {
    ring_once(turn_, 0, this, &Workspace::tell);
    const auto in_front = [this](const Document* d) { return d == &document(); };
    connect(&plans_, &Plans::changed, this, [this, in_front](const Document* d) {
        if (in_front(d)) due();
    });
    connect(&plans_, &Plans::edited, this, [this, in_front](const Document* d, const Scenario& before) {
        if (in_front(d)) emit edited(before);
    });
    connect(&plans_, &Plans::file_changed, this, [this, in_front](const Document* d) {
        if (in_front(d)) emit file_changed();
    });
    connect(&plans_, &Plans::replaced, this, [this, in_front](const Document* d) {
        aside_.erase(d);
        if (!in_front(d)) return;
        snapshot_.refused.clear();
        snapshot_.baseline.reset();
        snapshot_.last_good.reset();
    });
    connect(&plans_, &Plans::leaving, this,
            [this] { aside_[&document()] = {snapshot_.last_good, snapshot_.baseline}; });
    connect(&plans_, &Plans::shown, this, [this] {
        const Aside found = aside_[&document()];
        snapshot_.refused.clear();
        snapshot_.last_good = found.last_good;
        snapshot_.baseline = found.baseline;
        due();
        emit switched();
        emit file_changed();
    });
    connect(&plans_, &Plans::closed, this, [this](const Document* d) { aside_.erase(d); });
    due();
}

namespace {

ModelAlone alone(const Scenario& s, Counting counting) {
    const Scenario plan = model_alone(s);
    const Estimate e = *estimate(plan);  // asked: of the plan with its runs
    const Headline h = headline(plan, e);
    return {e, h, totals(plan, h, counting)};
}

}  // namespace

std::shared_ptr<const Answer> Workspace::answer_of(const Scenario& s, const Estimate& e,
                                                   const std::string& repair) const {
    const Speaking english(nullptr);   // figures go into files as well; charts put what they show into words
    const bool searched = envelope_ && share_envelope(envelope_->plan, s);
    const std::vector<EnvelopePoint> best = searched ? envelope_->best : std::vector<EnvelopePoint>{};
    Answer answer{s, e, headline(s, e), figures(s, best, preferences_.counting), {}, {}, repair};
    answer.totals = totals(s, answer.headline, preferences_.counting);
    if (e.measured.any()) answer.model = alone(s, preferences_.counting);
    answer.headroom = {preferences_.headroom};
    answer.hours = preferences_.hours;
    answer.most_power = preferences_.most_power;
    if (record_) {
        answer.anchoring = anchoring_of(s);
        answer.band = answer.anchoring->band;
        answer.headroom = judged(preferences_.headroom, *answer.band);
        shade(answer.figures, *answer.band);
    }
    add_measured(answer.figures, s, scaling_);
    for (Figure& f : answer.figures) f = in_shown_units(std::move(f), s.machine, preferences_.hours);
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
    for (const Remedy& r : remedies(s, 1, headroom(s))) return answer_of(r.scenario, r.estimate, r.name);
    return nullptr;
}

void Workspace::due() {
    answered_ = false;
    turn_.start();
}

// Views hear of it at the end of the turn only: one that asks in the middle of its own work would otherwise be changed
// by what it asks.
const Snapshot& Workspace::snapshot() {
    if (!answered_) answer();
    return snapshot_;
}

const Snapshot& Workspace::told() {
    if (turn_.isActive()) tell();
    return snapshot();
}

void Workspace::tell() {
    turn_.stop();
    emit changed(snapshot());
}

void Workspace::answer() {
    answered_ = true;
    const Scenario& plan = scenario();
    snapshot_.scenario = plan;
    snapshot_.outcome = estimate(plan);
    if (snapshot_.outcome) snapshot_.last_good = answer_of(plan, *snapshot_.outcome, {});
    else if (!snapshot_.last_good) snapshot_.last_good = nearest_answer(plan);
    if (snapshot_.outcome && !snapshot_.refused.empty()) snapshot_.outcome = Unexpected{std::vector<Obstacle>{}};
}

void Workspace::refuse(const std::string& knob, const std::string& why) {
    const auto found = snapshot_.refused.find(knob);
    if (why == (found == snapshot_.refused.end() ? std::string() : found->second)) return;
    if (why.empty()) snapshot_.refused.erase(found);
    else snapshot_.refused[knob] = why;
    due();
}

void Workspace::set_record(std::shared_ptr<const TrackRecord> record) {
    record_ = std::move(record);
    anchorings_.clear();
    due();
    emit record_changed();
}

void Workspace::set_anchors(std::vector<MeasuredRun> runs) {
    measured_ = std::move(runs);
    std::vector<Anchor> priced;
    for (const MeasuredRun& run : measured_)
        if (auto anchor = anchor_of(run)) priced.push_back(*std::move(anchor));
    plans_.set_measured(measured_by(priced));
}

// A step in the history of the plan in front, though what it adds or takes away counts for all plans.
class Workspace::MeasuredStep : public QUndoCommand {
public:
    MeasuredStep(Workspace& workspace, std::vector<MeasuredRun> less, std::vector<MeasuredRun> more,
                 const QString& name)
        : QUndoCommand(name), workspace_(workspace), less_(std::move(less)), more_(std::move(more)) {}
    void undo() override { change(more_, less_); }
    void redo() override { change(less_, more_); }

private:
    void change(const std::vector<MeasuredRun>& less, const std::vector<MeasuredRun>& more) {
        std::vector<MeasuredRun> all = workspace_.measured_;
        for (const MeasuredRun& run : less)
            if (const auto last = std::find(all.rbegin(), all.rend(), run); last != all.rend())
                all.erase(std::next(last).base());
        all.insert(all.end(), more.begin(), more.end());
        workspace_.set_anchors(std::move(all));
        emit workspace_.measured_changed();
    }

    Workspace& workspace_;
    std::vector<MeasuredRun> less_, more_;
};

// The plan's file does not hold it: a plan that was saved still is.
void Workspace::change_measured(const std::vector<MeasuredRun>& less, const std::vector<MeasuredRun>& more,
                                const QString& name) {
    const bool saved = !document().modified();
    document().history().push(new MeasuredStep(*this, less, more, name));
    if (saved) document().note_kept();
}

void Workspace::measure(const MeasuredRun& run) {
    const std::string value = run.step ? say(*run.step) : say(run.memory.value_or(Bytes{}));
    change_measured({}, {run}, tr("Measured: %1").arg(to_qt(value)));
}

void Workspace::measure(const std::vector<MeasuredRun>& runs) {
    std::vector<MeasuredRun> before, fresh;
    for (const MeasuredRun& run : runs)
        if (std::ranges::find(measured_, run) == measured_.end()) fresh.push_back(run);
    for (const MeasuredRun& old : measured_)
        if (std::ranges::any_of(fresh, [&](const MeasuredRun& run) {
                return run.name == old.name && run.plan == old.plan;
            }))
            before.push_back(old);
    const std::string count = numbered(static_cast<long long>(fresh.size()), "run", "runs");
    if (!fresh.empty()) change_measured(before, fresh, tr("Measured: %1").arg(to_qt(count)));
}

void Workspace::forget_measured() {
    if (!measured_.empty()) change_measured(measured_, {}, tr("Forget measured runs"));
}

void Workspace::set_scaling(MeasuredScaling scaling) {
    scaling_ = std::move(scaling);
    due();
    emit scaling_changed();
}

void Workspace::set_preferences(const Preferences& p) {
    if (p == preferences_) return;
    preferences_ = p;
    show_units({p.memory, p.durations});
    due();
    emit preferences_changed();
}

Headroom Workspace::headroom(const Scenario& plan) const {
    if (!record_) return {preferences_.headroom};
    return judged(preferences_.headroom, anchoring_of(plan).band);
}

const Anchoring& Workspace::anchoring_of(const Scenario& plan) const {
    constexpr std::size_t remembered = 4;
    for (const auto& [asked, known] : anchorings_)
        if (asked == plan) return known;
    if (anchorings_.size() == remembered) anchorings_.pop_back();
    return anchorings_.emplace_front(plan, anchored(plan, record_->evidence)).second;
}

std::function<Headroom(const Scenario&)> Workspace::headroom_of_plans() const {
    return [share = preferences_.headroom, record = record_](const Scenario& plan) -> Headroom {
        return record ? judged(share, anchored(plan, record->evidence).band) : Headroom{share};
    };
}

void Workspace::set_envelope(std::shared_ptr<const Envelope> envelope) {
    if (!envelope && !envelope_) return;
    envelope_ = std::move(envelope);
    due();
}

void Workspace::pin_baseline() {
    snapshot();  // an edit of this turn belongs to the baseline
    set_baseline(snapshot_.last_good);
}

void Workspace::set_baseline(std::shared_ptr<const Answer> answer) {
    snapshot_.baseline = std::move(answer);
    due();
}

RecordLoader::RecordLoader(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
    if (workspace.record()) return;
    thread_ = std::thread([this, library = workspace.library()] {  // a copy: presets may be added meanwhile
        try {
            made_ = std::make_shared<const TrackRecord>(track_record(library));
        } catch (const std::exception&) {  // as where memory runs out: then there is no record
        }
        QMetaObject::invokeMethod(this, &RecordLoader::wait, Qt::QueuedConnection);
    });
}

RecordLoader::~RecordLoader() {
    if (thread_.joinable()) thread_.join();
}

void RecordLoader::wait() {
    if (!thread_.joinable()) return;  // handed over before
    thread_.join();
    if (made_) workspace_.set_record(std::move(made_));
    else emit failed();
    emit finished();
}

}  // namespace plimsoll
