#include "core/files/measured/log_steps.h"

#include <algorithm>
#include <limits>
#include <set>

namespace plimsoll::files {

namespace {

constexpr std::size_t most_kept_steps = 100000, most_printing_ranks = 4096;
constexpr int most_starts = 1000;
constexpr long long longest_warm_up = 20;

}  // namespace

StepSeries::Cursor& StepSeries::cursor_of(std::uint64_t who) {
    if (const auto found = cursors_.find(who); found != cursors_.end()) return found->second;
    if (cursors_.size() >= most_printing_ranks) who = 0;
    const auto [at, added] = cursors_.try_emplace(who);
    if (added) at->second.evaluations = evaluations_, at->second.saves = saves_;
    return at->second;
}

// Ranks without a name print the same step several times, a little out of order; the same rank never does.
bool StepSeries::starts_anew(std::uint64_t who, const Cursor& c, long long number) const {
    if (number >= c.last) return false;
    const bool another_rank =
        who == 0 && number > c.last - 3 * c.interval && entries_.contains({c.start, number});
    return !another_rank;
}

void StepSeries::add(std::uint64_t who, long long number, double value, double batch) {
    Cursor& c = cursor_of(who);
    if (starts_anew(who, c, number)) {
        c.start = std::min(c.start + 1, most_starts);
        c.last = -1;
    }
    const bool evaluated = c.evaluated || c.evaluations < evaluations_, saved = c.saved || c.saves < saves_;
    if (number > c.last) {
        if (c.last >= 0) c.interval = number - c.last;
        if (entries_.size() == 1 && c.last >= 0) interval_ = c.interval;
        c.last = number;
        c.evaluated = c.saved = false;
        c.evaluations = evaluations_;
        c.saves = saves_;
    }
    if (!kept(number)) return;
    const auto [at, added] = entries_.try_emplace({c.start, number}, Entry{value, batch, evaluated, saved});
    Entry& e = at->second;
    if (!added) {
        e.value = rate_ ? std::min(e.value, value) : std::max(e.value, value);
        e.evaluated |= evaluated;
        e.saved |= saved;
    }
    if (entries_.size() > most_kept_steps) thin();
}

void StepSeries::thin() {
    while (entries_.size() > most_kept_steps / 2 && every_ < (1LL << 40)) {
        every_ *= 2;
        std::erase_if(entries_, [&](const auto& e) { return !kept(e.first.second); });
    }
}

void StepSeries::note_event(std::uint64_t who, bool evaluation) {
    if (const auto found = cursors_.find(who); found != cursors_.end())
        (evaluation ? found->second.evaluated : found->second.saved) = true;
    else ++(evaluation ? evaluations_ : saves_);
}

long long StepSeries::next_of(std::uint64_t who) const {
    const auto found = cursors_.find(who);
    return found == cursors_.end() ? 1 : found->second.last + 1;
}

int StepSeries::restarts() const { return entries_.empty() ? 0 : entries_.rbegin()->first.first; }

void StepSeries::judge_start(std::vector<LogStep>::iterator begin, std::vector<LogStep>::iterator end) {
    if (begin == end) return;
    begin->fate = StepFate::first;
    const long long interval = end - begin > 1 ? (begin + 1)->number - begin->number : 1;
    const long long before = begin->number - interval, length = (end - 1)->number - before;
    const long long warm = before + std::min(longest_warm_up, length / 10);
    for (auto s = begin + 1; s != end; ++s)
        if (s->number <= warm && s->fate == StepFate::counted) s->fate = StepFate::warm_up;
}

std::vector<LogStep> StepSeries::steps() const {
    std::vector<LogStep> all;
    const double batch = entries_.empty() ? 0 : entries_.rbegin()->second.batch;   // that a ramp-up ends with
    for (const auto& [key, e] : entries_)
        all.push_back({key.second, key.first, e.value,
                       e.evaluated                            ? StepFate::evaluated
                       : e.saved                              ? StepFate::saved
                       : e.batch != batch && e.batch * batch > 0 ? StepFate::other_batch
                                                              : StepFate::counted});
    long long again = std::numeric_limits<long long>::max();   // from here on a later start ran it again
    for (auto end = all.end(); end != all.begin();) {
        auto begin = end;
        while (begin != all.begin() && (begin - 1)->start == (end - 1)->start) --begin;
        judge_start(begin, end);
        for (auto s = begin; s != end; ++s)
            if (s->number >= again) s->fate = StepFate::repeated;
        again = std::min(again, begin->number);
        end = begin;
    }
    return all;
}

}  // namespace plimsoll::files
