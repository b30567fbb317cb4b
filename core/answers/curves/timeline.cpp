#include "core/answers/curves/timeline.h"

#include "core/answers/plan/rules.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/price.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/csv.h"
#include "core/values/plan/schedules.h"

#include <algorithm>

namespace plimsoll {

namespace {

// As many micro-batches as stay below the limit, but enough to fill the pipeline.
int shown_micro_batches(const Layout& l, int all, int most_tasks) {
    const int p = l.pipeline_parallel, v = l.virtual_stages;
    const ScheduleKind& kind = schedule_kind(l.schedule);
    const bool split = kind.splits_backward;
    int some = std::max<int>(most_tasks / ((split ? 3LL : 2LL) * v * p), split ? 2 * p : p);
    if (kind.in_rounds) {
        const int turn = std::max(p, l.micro_batch_group);
        some = std::max(turn, some - some % turn);
    }
    return std::min(all, some);
}

}  // namespace

Seconds Timeline::busy(int stage) const {
    Seconds sum;
    for (std::size_t i = first[stage]; i < first[stage + 1]; ++i) sum += tasks[i].end - tasks[i].start;
    return sum;
}

int Timeline::busiest() const {
    int best = 0;
    for (int i = 1; i < stages(); ++i)
        if (busy(i) > busy(best)) best = i;
    return best;
}

Timeline timeline(const Scenario& s, int most_tasks) {
    Timeline t;
    if (!check(s).empty()) return t;
    const Layout& l = s.layout;
    t.schedule = l.schedule;
    t.of_micro_batches = micro_batches(s);
    t.micro_batches = shown_micro_batches(l, t.of_micro_batches, most_tasks);
    const Priced priced = price(s);
    const auto chunks = chunk_times(s, priced.stages);
    const double runs = s.measured ? estimate_of(s, priced).measured.time : 1;
    for (const TimedTask& one : simulated_tasks(l, chunks, t.micro_batches)) {
        if (one.stage == int(t.first.size())) t.first.push_back(t.tasks.size());
        t.tasks.push_back({one.stage, one.task.chunk, one.task.micro_batch, one.task.work, runs * one.start,
                           runs * one.end});
    }
    t.first.push_back(t.tasks.size());
    const bool overlap = schedule_kind(l.schedule).steps_overlap;
    for (int i = 0; i < t.stages(); ++i) {
        const TimelineTask &opening = t.tasks[t.first[i]], &closing = t.tasks[t.first[i + 1] - 1];
        t.span = max(t.span, closing.end);
        t.pipeline = max(t.pipeline, overlap ? closing.end - opening.start : closing.end);
    }
    return t;
}

std::string note(const Timeline& t) {
    if (t.tasks.empty()) return phrase("The plan cannot be computed as it stands.");
    std::string text = phrase("Bubble {1} of {2} in the pipeline.", say(t.bubble()), say(t.pipeline));
    if (!t.complete())
        text += ' '
              + phrase("Simulated with {1} of the step's {2} micro-batches: the steady middle is shorter than in the "
                       "step, filling and draining are not.",
                       say_count(t.micro_batches), say_count(t.of_micro_batches));
    if (schedule_kind(t.schedule).steps_overlap)
        text += ' '
              + phrase("Each stage starts its next step when it is done; the optimizer step is validated afterwards.");
    return text;
}

std::string_view label_of(Pass work) {
    switch (work) {
        case Pass::forward: return "Forward";
        case Pass::backward: return "Backward";
        case Pass::input_gradient: return "Input gradient";
        case Pass::weight_gradient: return "Weight gradient";
    }
    return {};
}

std::string to_csv(const Timeline& t, const Scenario& s) {
    std::string text = csv_comment("Pipeline timeline of one step") + csv_comment(s.name) + csv_comment(note(t));
    text += "stage,chunk,micro_batch,work,start_seconds,end_seconds\n";
    for (const TimelineTask& task : t.tasks) {
        CsvRow row;
        row.whole(task.stage + 1).whole(task.chunk + 1).whole(task.micro_batch + 1).text(label_of(task.work));
        text += row.number(task.start / second).number(task.end / second).line();
    }
    return text;
}

}  // namespace plimsoll
