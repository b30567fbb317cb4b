#pragma once
// Who works on what when, in one step: the schedule's own simulation, task by task.
//
//   const Timeline t = timeline(scenario);
//   for (const TimelineTask& task : t.tasks) draw(task.stage, task.start, task.end);
//
// A step of more than `most_tasks` tasks is simulated with fewer micro-batches:
// it fills, works and drains as the whole one does, only the steady middle is
// shorter. note() says so, and complete() is false. Nothing is cut off.

#include "core/costs/pipeline/schedule.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct TimelineTask {
    int stage = 0, chunk = 0, micro_batch = 0;   // all from 0
    Pass work = Pass::forward;
    Seconds start, end;
};

struct Timeline {
    std::vector<TimelineTask> tasks;     // stage by stage, each in the order it works
    std::vector<std::size_t> first;      // of stage i; one more entry ends the last
    Schedule schedule = Schedule::one_f_one_b;
    int micro_batches = 0, of_micro_batches = 0;   // simulated, and of the whole step
    Seconds span;       // first task to last
    Seconds pipeline;   // what the step takes of it; less than `span` where the next step starts before

    int stages() const { return first.empty() ? 0 : int(first.size()) - 1; }
    bool complete() const { return micro_batches == of_micro_batches; }
    Seconds busy(int stage) const;
    int busiest() const;
    Seconds bubble() const { return pipeline - busy(busiest()); }
};

inline constexpr int most_timeline_tasks = 20000;

// Empty for a plan with obstacles.
Timeline timeline(const Scenario&, int most_tasks = most_timeline_tasks);

// What is shown, in a sentence or two.
std::string note(const Timeline&);

std::string_view label_of(Pass);   // "Input gradient"

// stage,chunk,micro_batch,work,start_seconds,end_seconds under '#' comment lines; counts from 1.
std::string to_csv(const Timeline&, const Scenario&);

}  // namespace plimsoll
