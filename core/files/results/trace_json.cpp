#include "core/files/results/trace_json.h"

#include "core/files/text/part.h"

namespace plimsoll {
namespace {

using namespace files;

constexpr int pipeline = 1;   // process id

OrderedJson named(const char* what, int stage, const std::string& name) {
    return {{"ph", "M"}, {"name", what}, {"pid", pipeline}, {"tid", stage}, {"args", {{"name", name}}}};
}

OrderedJson event(const TimelineTask& t) {
    const std::string micro_batch = std::to_string(t.micro_batch + 1);
    return {{"ph", "X"},
            {"name", std::string(label_of(t.work)) + ' ' + micro_batch},
            {"cat", label_of(t.work)},
            {"pid", pipeline},
            {"tid", t.stage + 1},
            {"ts", t.start / microsecond},
            {"dur", (t.end - t.start) / microsecond},
            {"args", {{"stage", t.stage + 1}, {"chunk", t.chunk + 1}, {"micro_batch", t.micro_batch + 1}}}};
}

// One line; bytes that are not UTF-8 are replaced.
std::string line(const OrderedJson& j) { return j.dump(-1, ' ', false, OrderedJson::error_handler_t::replace); }

}  // namespace

std::string to_trace_json(const Timeline& t, const Scenario& s) {
    OrderedJson events = OrderedJson::array();
    events.push_back(named("process_name", 0, "Pipeline of " + s.name));
    for (int i = 1; i <= t.stages(); ++i) {
        events.push_back(named("thread_name", i, "Stage " + std::to_string(i)));
        events.push_back({{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", pipeline}, {"tid", i}, {"args", {{"sort_index", i}}}});
    }
    for (const TimelineTask& task : t.tasks) events.push_back(event(task));
    // One event a line: readable, and small enough to diff.
    std::string text = "{\"displayTimeUnit\": \"ms\",\n\"otherData\": " + line({{"plan", s.name}, {"note", note(t)}})
                     + ",\n\"traceEvents\": [\n";
    for (std::size_t i = 0; i < events.size(); ++i) text += line(events[i]) + (i + 1 < events.size() ? ",\n" : "\n");
    return text + "]}\n";
}

}  // namespace plimsoll
