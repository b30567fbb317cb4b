#include "views/document/plans.h"

#include "core/files/text/disk.h"
#include "core/values/basics/fingerprint.h"
#include "views/parts/meanwhile.h"
#include "views/parts/text.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace plimsoll {

namespace {

constexpr std::size_t most_closed = 20;   // that can be had back
constexpr int longest_stem = 180;         // characters of a copy's name before its number: readers refuse long names

QString name_of_plan(const Document& d) {
    const QString name = to_qt(d.scenario().name);
    return name.isEmpty() ? d.title() : name;
}

QString numbered_name(const QString& wanted, const QStringList& taken) {
    QString name = wanted;
    for (int n = 2; taken.contains(name); ++n) name = QStringLiteral("%1 (%2)").arg(wanted).arg(n);
    return name;
}

// One file under two names is one file.
QString identity_of(const QString& path) {
    const QFileInfo file(path);
    return file.exists() ? file.canonicalFilePath() : file.absoluteFilePath();
}

}  // namespace

Plans::Plans(const Library& library, QObject* parent) : QObject(parent), library_(library) {
    insert(example(), 0, Front::left);
    come_to_front(0);
}

std::unique_ptr<Document> Plans::example() {
    auto document = make();
    document->start(first_scenario(library_));
    example_ = document.get();
    return document;
}

std::unique_ptr<Document> Plans::make() const {
    auto document = std::make_unique<Document>(library_);
    document->set_measured(measured_);
    return document;
}

void Plans::set_measured(std::shared_ptr<const MeasuredRuns> runs) {
    measured_ = std::move(runs);
    for (const auto& d : all_) d->set_measured(measured_);
    for (const Closed& c : closed_) c.document->set_measured(measured_);
}

bool Plans::untouched() const {
    const Document& d = current();
    return &d == example_ && d.file().isEmpty() && !d.modified() && d.history().count() == 0;
}

template <class Is>
int Plans::place_where(Is is) const {
    const auto at = std::ranges::find_if(all_, [&](const auto& d) { return is(*d); });
    return at == all_.end() ? -1 : int(at - all_.begin());
}

int Plans::place_of(const Document& document) const {
    return place_where([&](const Document& d) { return &d == &document; });
}

int Plans::place_of_file(const QString& path) const {
    return place_where([wanted = identity_of(path)](const Document& d) {
        return !d.file().isEmpty() && identity_of(d.file()) == wanted;
    });
}

int Plans::place_of_id(const QString& id) const {
    return place_where([&](const Document& d) { return d.id() == id; });
}

QStringList Plans::names() const {
    QStringList names;
    for (const auto& d : all_) names << numbered_name(name_of_plan(*d), names);
    return names;
}

// "Ours (2)" is copied as "Ours (3)".
std::unique_ptr<Document> Plans::copy_of(const Document& original) const {
    QString stem = name_of_plan(original);
    if (const auto at = stem.lastIndexOf(QStringLiteral(" (")); at > 0 && stem.endsWith(u')')) {
        bool number = false;
        stem.mid(at + 2, stem.size() - at - 3).toInt(&number);
        if (number) stem.truncate(at);
    }
    stem.truncate(longest_stem);
    auto copy = make();
    copy->start_copy_of(original, numbered_name(stem, names()).toStdString());
    return copy;
}

void Plans::follow(Document& d) {
    connect(&d, &Document::replaced, this, [this, &d] {
        if (example_ == &d) example_ = nullptr;
        emit replaced(&d);
    });
    connect(&d, &Document::changed, this, [this, &d] { emit changed(&d); });
    connect(&d, &Document::edited, this, [this, &d](const Scenario& before) { emit edited(&d, before); });
    connect(&d, &Document::file_changed, this, [this, &d] { emit file_changed(&d); });
    history_.addStack(&d.history());
}

void Plans::insert(std::unique_ptr<Document> document, int place, Front front) {
    if (front == Front::taken) emit leaving();
    follow(*document);
    all_.insert(all_.begin() + place, std::move(document));
    if (front == Front::left && place <= place_ && count() > 1) ++place_;
    if (front == Front::taken) place_ = place;
    emit listed();
    if (front == Front::taken) come_to_front(place);
}

void Plans::come_to_front(int place) {
    place_ = place;
    history_.setActiveStack(&current().history());
    emit shown();
}

Document& Plans::add(std::unique_ptr<Document> document, Front front) {
    Document& added = *document;
    insert(std::move(document), place_ + 1, front);
    return added;
}

Document& Plans::start(const ScenarioFile& plan) {
    emit leaving();  // what is typed in an example has touched it
    if (untouched()) {
        current().start(plan);
        return current();
    }
    auto document = make();
    document->start(plan);
    return add(std::move(document));
}

Problems Plans::open(const QString& path) {
    emit leaving();
    if (const int there = place_of_file(path); there >= 0) {
        show(there);
        const bool other = current().on_disk() == Document::OnDisk::changed;
        return other && !current().modified() ? current().reload() : Problems{};
    }
    if (untouched()) return current().open(path);
    auto document = make();
    Problems problems = document->open(path);
    if (!has_errors(problems)) add(std::move(document));
    return problems;
}

Problems Plans::recover(const UnsavedPlan& unsaved) {
    emit leaving();
    int place = unsaved.id.empty() ? -1 : place_of_id(to_qt(unsaved.id));
    if (place < 0 && !unsaved.file.empty()) place = place_of_file(to_qt(unsaved.file));
    if (place < 0 && untouched()) place = place_;
    if (place >= 0 && !at(place).modified()) {
        Problems problems = at(place).recover(unsaved);
        if (!has_errors(problems)) show(place);
        return problems;
    }
    auto document = make();
    Problems problems = document->recover(unsaved);
    if (has_errors(problems)) return problems;
    if (place < 0 && !unsaved.id.empty()) document->set_id(to_qt(unsaved.id));
    add(std::move(document));
    return problems;
}

void Plans::show(int place) {
    if (place == place_ || place < 0 || place >= count()) return;
    emit leaving();
    come_to_front(place);
}

void Plans::move(int from, int to) {
    if (from == to || from < 0 || to < 0 || from >= count() || to >= count()) return;
    const Document* front = &current();
    const auto begin = all_.begin();
    if (from < to) std::rotate(begin + from, begin + from + 1, begin + to + 1);
    else std::rotate(begin + to, begin + from, begin + from + 1);
    place_ = place_of(*front);
    emit listed();
}

// Its connections go; whoever has it can follow it again.
std::unique_ptr<Document> Plans::remove(int place) {
    auto document = std::move(all_[std::size_t(place)]);
    all_.erase(all_.begin() + place);
    document->disconnect(this);
    history_.removeStack(&document->history());
    if (example_ == document.get()) example_ = nullptr;
    return document;
}

void Plans::close(int place) {
    if (place < 0 || place >= count()) return;
    if (count() == 1 && untouched()) return;
    if (count() == 1) insert(example(), 1, Front::left);
    const bool front = place == place_;
    if (front) emit leaving();
    closed_.push_back({remove(place), place});
    Document* gone = closed_.back().document.get();
    if (place < place_ || place_ == count()) --place_;
    emit listed();
    if (front) come_to_front(place_);
    emit closed(gone);
    while (closed_.size() > most_closed) closed_.erase(closed_.begin());
}

void Plans::reopen() {
    if (closed_.empty()) return;
    Closed last = std::move(closed_.back());
    closed_.pop_back();
    const bool in_place = untouched() && count() == 1;   // of the example that came when it was closed
    insert(std::move(last.document), std::min(last.place, count()), Front::taken);
    if (!in_place) return;
    const int other = place_ == 0 ? 1 : 0;
    const auto needless = remove(other);
    if (other < place_) --place_;
    emit listed();
    emit closed(needless.get());
}

std::vector<int> Plans::beside() const {
    std::vector<int> places;
    for (int i = 0; i < count(); ++i)
        if (i != place_ && compared(i) && int(places.size()) < most_beside) places.push_back(i);
    return places;
}

void Plans::set_compared(int place, bool on) {
    if (on == compared(place)) return;
    if (on) {
        apart_.erase(at(place).id());
    } else {
        apart_.insert(at(place).id());
    }
    emit choice_changed();
}

QString Plans::file_name() const { return QFileInfo(file_).fileName(); }

Problems Plans::open_all(const QString& path) {
    const std::string name = QFileInfo(path).fileName().toStdString();
    const auto fingerprint = std::make_shared<std::string>();
    auto read = meanwhile(path, [file = path.toStdString(), name, library = library_, fingerprint] {
        const auto text = read_text(file);
        if (text) *fingerprint = fingerprint_of(*text);
        return text ? read_workspace(*text, library, name) : Unexpected{text.error()};
    });
    if (!read) return read.error();
    emit leaving();
    std::vector<Document*> before;
    while (!all_.empty()) {
        closed_.push_back({remove(0), int(before.size())});
        before.push_back(closed_.back().document.get());
    }
    for (const ScenarioFile& plan : read->plans) {
        all_.push_back(make());
        all_.back()->start(plan);
        follow(*all_.back());
    }
    place_ = read->shown;
    QStringList ids;
    for (const auto& d : all_) ids << d->id();
    belong_to(QFileInfo(path).absoluteFilePath(), *fingerprint, ids);
    emit listed();
    come_to_front(place_);
    for (Document* d : before) emit closed(d);
    while (closed_.size() > most_closed) closed_.erase(closed_.begin());
    return read->warnings;
}

Problems Plans::save_all(const QString& path) {
    std::vector<std::string> texts;
    QStringList ids;
    for (const auto& d : all_) {
        texts.push_back(d->text());
        ids << d->id();
    }
    const std::string content = write_workspace(texts, place_);
    const auto written = write_atomically(path.toStdString(), content);
    if (!written) return written.error();
    belong_to(QFileInfo(path).absoluteFilePath(), fingerprint_of(content), ids);
    for (const auto& d : all_)
        if (d->file().isEmpty()) d->note_kept();
    emit file_changed(&current());
    return {};
}

void Plans::belong_to(const QString& file, const std::string& fingerprint, const QStringList& kept) {
    file_ = file;
    fingerprint_ = fingerprint;
    kept_ = kept;
}

int Plans::left_out() const {
    return int(std::ranges::count_if(kept_, [this](const QString& id) { return place_of_id(id) < 0; }));
}

// A file that is gone is written anew.
bool Plans::file_changed_on_disk() const {
    if (file_.isEmpty() || !QFileInfo::exists(file_)) return false;
    const auto text = read_text(file_.toStdString());
    return !text || fingerprint_of(*text) != fingerprint_;
}

}  // namespace plimsoll
