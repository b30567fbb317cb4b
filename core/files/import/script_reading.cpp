// What a script starts, on each of the ways that it can go: its training, and what is open.
#include "core/files/import/launchers.h"
#include "core/files/import/plan_draft.h"
#include "core/files/import/setting_names.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <map>

namespace plimsoll::files {

namespace {

// The one with the most options; of several with as many the last.
LaunchedProgram training_of(const ShellRun& run, const BatchRequest& batch) {
    LaunchedProgram best;
    std::vector<ShellWord> loose;  // options that stand on lines of their own, as in a file of arguments
    for (const ShellCommand& c : run.commands) {
        if (c.words[0].text.starts_with("-")) {
            loose.insert(loose.end(), c.words.begin(), c.words.end());
            continue;
        }
        LaunchedProgram p = taken_apart(c, batch);
        if (p.options.size() >= best.options.size()) best = std::move(p);
    }
    if (!best.of_training && !loose.empty()) best = taken_apart({loose, 0}, batch);
    return best;
}

// A script that starts no training: the lists of options that it sets, under the launcher that it starts, if it does.
LaunchedProgram set_aside(const ShellRun& run, const BatchRequest& batch, LaunchedProgram launched) {
    ShellCommand c;
    for (const auto& [name, words] : run.variables) {
        if (std::ranges::none_of(words, [](const ShellWord& w) { return w.text.find("--") != w.text.npos; })) continue;
        for (const ShellWord& w : words)
            for (std::size_t from = 0; from < w.text.size() && c.words.size() < most_settings;) {
                const std::size_t end = std::min(w.text.find_first_of(" \t\n", from), w.text.size());
                if (end > from) c.words.push_back({w.text.substr(from, end - from), w.known, w.line});
                from = end + 1;
            }
    }
    LaunchedProgram options = taken_apart(c, batch);
    if (launched.said.empty()) return options;
    launched.options = std::move(options.options);
    launched.of_training = options.of_training;
    return launched;
}

class ScriptInTurn {
public:
    ScriptInTurn(const Settings& s, const std::string& file) : s_(s), file_(file) {}

    ScriptReading whole() {
        for (const ShellRun& run : s_.script.runs) {
            ways_.push_back(training_of(run, s_.batch));
            if (!ways_.back().of_training) ways_.back() = set_aside(run, s_.batch, std::move(ways_.back()));
        }
        r_.reads = ways_[0].reads;
        directives();
        options();
        devices();
        return std::move(r_);
    }

private:
    void remark(SettingFate fate, std::string key, std::string value, std::string done, int line) {
        if (r_.remarks.size() < 4 * most_settings)
            r_.remarks.push_back({fate, std::move(key), std::move(value), std::move(done), place_of(file_, line)});
    }
    static std::string what(const JobStatement& s) {
        switch (s.counts) {
            case JobCount::nodes:
                return phrase("Nodes: {1}", *s.number);
            case JobCount::tasks:
                return phrase("Processes: {1}", *s.number);
            case JobCount::tasks_per_node:
                return phrase("Processes a node: {1}", *s.number);
            case JobCount::devices_per_node:
                return phrase("Devices a node: {1}", *s.number);
            case JobCount::devices:
                return phrase("Devices: {1}", *s.number);
            default:
                return {};
        }
    }
    void directives() {
        const std::vector<JobStatement>* both[] = {&s_.batch.said, &std::as_const(ways_[0].said)};
        for (const auto* all : both)
            for (const JobStatement& s : *all) {
                if (s.counts != JobCount::none && !s.number)
                    remark(SettingFate::not_understood, s.key, s.value, phrase("no number of nodes or devices"),
                           s.line);
                else if (const std::string done = what(s); !done.empty())
                    remark(SettingFate::taken, s.key, s.value, done, s.line);
                else remark(SettingFate::no_effect, s.key, s.value, {}, s.line);
            }
    }

    // The condition by which a way differs from the first.
    int line_of(std::size_t way) const {
        const auto& a = s_.script.runs[0].decisions;
        const auto& b = s_.script.runs[way].decisions;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            if (a[i].holds != b[i].holds) return b[i].line;
        return b.empty() ? 0 : b.back().line;
    }
    using Values = std::map<std::string, const Setting*>;
    static std::string shown(const Setting* s) {
        return !s ? phrase("left out") : s->value.empty() ? phrase("given") : s->value.substr(0, 60);
    }
    void options() {
        std::vector<Values> values;
        for (const LaunchedProgram& way : ways_) {
            values.emplace_back();
            for (const Setting& s : way.options) values.back()[s.key] = &s;
        }
        std::map<std::string, const Setting*> open;
        for (const Values& v : values)
            for (const auto& [key, s] : v) open.emplace(key, s);
        std::erase_if(open, [&](const auto& one) { return !is_open(values, one.first); });
        for (const Setting& s : ways_[0].options) {
            if (open.contains(s.key)) continue;
            if (values[0].at(s.key) == &s) r_.settings.push_back(s);
            else
                remark(SettingFate::no_effect, s.key, s.value, phrase("a later one of the same name stands for it"),
                       s.line);
        }
        for (const auto& [key, s] : open) say_open(values, key, *s);
    }
    static bool same(const Setting* a, const Setting* b) { return a && b ? a->value == b->value : a == b; }
    static bool is_open(const std::vector<Values>& values, const std::string& key) {
        const auto in = [&](const Values& v) { return v.contains(key) ? v.at(key) : nullptr; };
        return std::ranges::any_of(values, [&](const Values& v) { return !same(in(v), in(values[0])); });
    }
    void say_open(const std::vector<Values>& values, const std::string& key, const Setting& one) {
        const auto in = [&](std::size_t way) { return values[way].contains(key) ? values[way].at(key) : nullptr; };
        for (std::size_t way = 1; way < values.size(); ++way)
            if (!same(in(way), in(0))) {
                const std::string both = shown(in(way)) + " | " + shown(in(0));
                if (has_no_effect(row_name(key))) return remark(SettingFate::no_effect, key, both, {}, one.line);
                return remark(SettingFate::missing, key, both,
                              phrase("{1} or {2}, by the condition of line {3}: none is taken; state it",
                                     shown(in(way)), shown(in(0)), line_of(way)),
                              one.line);
            }
    }

    void devices() {
        r_.shape = ways_[0].shape;
        for (std::size_t way = 1; way < ways_.size(); ++way) {
            const JobShape& other = ways_[way].shape;
            if (other == ways_[0].shape) continue;
            r_.shape = {};
            if (other.devices == ways_[0].shape.devices) continue;
            remark(SettingFate::missing, "devices", {},
                   phrase("{1} or {2}, by the condition of line {3}: none is taken; state it", other.devices,
                          ways_[0].shape.devices, line_of(way)),
                   0);
            return;
        }
        world_size();
    }
    // What the script itself counts, where it does.
    void world_size() {
        const auto& variables = s_.script.runs[0].variables;
        const auto found = variables.find("WORLD_SIZE");
        const auto n = found != variables.end() && found->second.size() == 1 && found->second[0].known
                         ? whole_of(found->second[0].text)
                         : std::nullopt;
        if (!n || *n < 1 || *n > 1 << 24 || s_.script.runs.size() > 1) return;
        if (r_.shape.devices == 0) r_.shape.devices = int(*n);
        else if (r_.shape.devices != *n)
            remark(SettingFate::assumed, "$WORLD_SIZE", std::to_string(*n),
                   phrase("it says {1} devices, and what starts the program makes {2}: {2} are taken", *n,
                          r_.shape.devices),
                   found->second[0].line);
    }

    const Settings& s_;
    const std::string& file_;
    std::vector<LaunchedProgram> ways_;
    ScriptReading r_;
};

}  // namespace

ScriptReading read_launches(const Settings& script, const std::string& file) {
    return ScriptInTurn(script, file).whole();
}

}  // namespace plimsoll::files
