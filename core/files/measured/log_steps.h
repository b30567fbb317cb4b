#pragma once
// The steps of a log as they are printed: by several ranks at once, again after a restart, and more of them than are
// kept. Internal to core/files/measured.

#include "core/files/measured/log_values.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plimsoll::files {

// One kind of value. The order in which ranks that are told apart are mixed changes nothing.
class StepSeries {
public:
    explicit StepSeries(bool rate) : rate_(rate) {}

    void add(std::uint64_t who, long long number, double value, double batch);   // 0: it is not known
    void note_event(std::uint64_t who, bool evaluation);
    bool empty() const { return entries_.empty(); }
    long long next_of(std::uint64_t who) const;   // for lines without a number

    std::vector<LogStep> steps() const;           // with what became of each
    int restarts() const;
    long long every() const { return every_; }

private:
    struct Entry {
        double value = 0, batch = 0;
        bool evaluated = false, saved = false;
    };
    struct Cursor {
        int start = 0;
        long long last = -1, interval = 1;
        bool evaluated = false, saved = false;    // since its last step
        long long evaluations = 0, saves = 0;     // of others, known when it was last here
    };
    using Entries = std::map<std::pair<int, long long>, Entry>;

    Cursor& cursor_of(std::uint64_t who);
    bool starts_anew(std::uint64_t who, const Cursor&, long long number) const;
    bool kept(long long number) const { return (number / interval_) % every_ == 0; }
    void thin();
    static void judge_start(std::vector<LogStep>::iterator begin, std::vector<LogStep>::iterator end);

    bool rate_;
    Entries entries_;
    std::unordered_map<std::uint64_t, Cursor> cursors_;
    long long evaluations_ = 0, saves_ = 0;       // of those who print no steps
    long long every_ = 1, interval_ = 1;
};

}  // namespace plimsoll::files
