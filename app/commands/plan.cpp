#include "app/commands/plan.h"

#include "app/commands/command_line.h"
#include "core/answers/campaign/money.h"
#include "core/files/presets/own_values.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/measured/scaling_runs.h"
#include "core/files/presets/space_json.h"
#include "core/files/results/log_run.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/wording.h"

#include <filesystem>
#include <iostream>
#include <sstream>

namespace plimsoll {

int refuse(const Refusal& refusal) {
    std::cerr << refusal.message;
    return refusal.code;
}

int refuse(const std::vector<Obstacle>& obstacles) {
    for (const Obstacle& o : obstacles) std::cerr << say(o) << "\n";
    return exit_infeasible;
}

const Library& shipped_library() {
    static const Library library = [] {
        Library l = load_library(preset_directories());
        if (!l.problems.empty()) std::cerr << say(l.problems);
        return l;
    }();
    return library;
}

namespace {

std::string nearest_scenarios(const Library& library) {
    std::string list;
    for (const auto& [id, path] : library.scenarios) list += (list.empty() ? "" : ", ") + id;
    return list;
}

// Of files that do not say they are a plan: scripts and configurations of a framework.
std::string word_on_import(std::string_view text, const std::string& name) {
    if (text.find("plimsoll/scenario") != text.npos) return {};
    return "a script or configuration of a training framework becomes a plan by 'plimsoll import " + name
         + " --machine ID --out plan.json'\n";
}

Expected<Scenario, Refusal> read_plan(const std::string& name) {
    const Library& library = shipped_library();
    std::filesystem::path path = name;
    std::error_code cannot_look;   // a folder one may not enter, a loop of links, a name that is too long
    if (!std::filesystem::exists(path, cannot_look)) {
        const auto shipped = library.scenarios.find(name);
        if (shipped == library.scenarios.end() && cannot_look)
            return Unexpected{Refusal{exit_invalid_file, name + ": cannot be opened: " + cannot_look.message() + "\n"}};
        if (shipped == library.scenarios.end())
            return Unexpected{Refusal{exit_invalid_file, name + ": no such file, and no shipped scenario has this id ("
                                                             + nearest_scenarios(library) + ")\n"}};
        path = shipped->second;
    }
    const auto text = read_text(path);
    if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
    auto file = read_scenario(*text, library, name);
    if (!file) return Unexpected{Refusal{exit_invalid_file, say(file.error()) + word_on_import(*text, name)}};
    if (!file->warnings.empty()) std::cerr << say(file->warnings);
    return file->scenario;
}

template <class Map>
Expected<Scenario, Refusal> swap_preset(Scenario s, const Map& presets, typename Map::mapped_type Scenario::*part,
                                        const std::string& id, const std::string& kind) {
    const auto found = presets.find(id);
    if (found == presets.end())
        return Unexpected{
            Refusal{exit_usage, "no " + kind + " preset '" + id + "'; 'plimsoll presets " + kind + "s' lists them\n"}};
    s.*part = found->second;
    return s;
}

// Without a date: the same call gives the same bytes on every day.
constexpr const char* on_the_command_line = "yours, set on the command line";

}  // namespace

Refusal unknown_knob(const std::string& id) {
    std::vector<std::string> nearest;
    for (const std::string& near : nearest_knobs(id)) nearest.push_back("'" + near + "'");
    const std::string advice = nearest.empty() ? "nothing is called like it; 'plimsoll presets knobs' lists all"
                                               : "did you mean " + joined(nearest, " or ") + "?";
    return {exit_usage, "no knob '" + id + "'; " + advice + "\n"};
}

Expected<Scenario, Refusal> apply_setting(const Scenario& s, const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
        return Unexpected{Refusal{exit_usage, "--set " + setting + ": expected knob=value\n"}};
    const std::string id = setting.substr(0, equals), value = setting.substr(equals + 1);
    const Library& library = shipped_library();
    if (id == "model") return swap_preset(s, library.models, &Scenario::model, value, id);
    if (id == "machine") return swap_preset(s, library.machines, &Scenario::machine, value, id);
    if (id == "stack") return swap_preset(s, library.stacks, &Scenario::stack, value, id);
    const Knob* knob = find_knob(id);
    if (!knob) return Unexpected{unknown_knob(id)};
    if (const auto level = level_of(*knob); level && *level >= std::ssize(s.machine.levels))
        return Unexpected{Refusal{exit_usage, "--set " + setting + ": the network of this machine has "
                                                  + std::to_string(s.machine.levels.size())
                                                  + " levels, counted from 0\n"}};
    const auto number = parse_value(s, *knob, value);
    if (!number) return Unexpected{Refusal{exit_usage, "--set " + setting + ": " + number.error() + "\n"}};
    const auto changed = with(s, *knob, *number);
    if (!changed) return Unexpected{Refusal{exit_usage, "--set " + setting + ": " + say(changed.error()) + "\n"}};
    Scenario marked = *changed;
    mark_own(marked, s, library, on_the_command_line);
    return marked;
}

Expected<Space, Refusal> space_of(const std::string& name, const Scenario& plan) {
    if (name == "common") return common_space(plan);
    if (name == "full") return full_space();
    const auto text = read_text(name);
    if (!text)
        return Unexpected{Refusal{exit_invalid_file, "--space takes common, full or a file: " + say(text.error())}};
    auto space = read_space(*text, name);
    if (!space) return Unexpected{Refusal{exit_invalid_file, say(space.error())}};
    return *std::move(space);
}

Expected<Scenario, Refusal> load_plan(const PlanArguments& arguments) {
    Expected<Scenario, Refusal> plan = read_plan(arguments.file);
    for (const std::string& setting : arguments.settings) {
        if (!plan) return plan;
        plan = apply_setting(*plan, setting);
    }
    if (!plan) return plan;
    const auto runs = anchors_of(arguments.anchor, &*plan);
    if (!runs) return Unexpected{runs.error()};
    plan->measured = measured_by(*runs);
    if (arguments.price.empty()) return plan;
    auto price = parse_price(arguments.price);
    if (!price) return Unexpected{Refusal{exit_usage, "--price: " + price.error() + "\n"}};
    plan->machine.price = *std::move(price);
    plan->machine.sources["/price/amount"] = {SourceKind::user, on_the_command_line};
    return plan;
}

namespace {

constexpr int most_values = 100000;

Expected<double, Refusal> value_of(const Knob& knob, const std::string& text) {
    const auto number = parse_value(knob, text);
    if (!number) return Unexpected{Refusal{exit_usage, "--values: " + number.error() + "\n"}};
    return *number;
}

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> words;
    std::stringstream stream(text);
    for (std::string word; std::getline(stream, word, by);) words.push_back(word);
    return words;
}

}  // namespace

std::string say_own_runs(const Scenario& plan) {
    if (!plan.measured) return {};
    const Anchoring a = anchored(plan, track_record(shipped_library()).evidence);
    return a.any() ? say_anchoring(a) + "\n" : "No measured run is like it.\n";
}

Expected<std::vector<double>, Refusal> parse_values(const Knob& knob, const std::string& text) {
    std::vector<double> values;
    const auto ends = split(text, ':');
    if (ends.size() != 3) {
        for (const std::string& word : split(text, ',')) {
            const auto value = value_of(knob, word);
            if (!value) return Unexpected{value.error()};
            values.push_back(*value);
        }
        return values;
    }
    const bool factor = !ends[2].empty() && ends[2][0] == 'x';
    const auto from = value_of(knob, ends[0]), to = value_of(knob, ends[1]);
    char* end = nullptr;
    const double step = std::strtod(ends[2].c_str() + factor, &end);
    if (!from) return Unexpected{from.error()};
    if (!to) return Unexpected{to.error()};
    if (*end != '\0' || !(factor ? step > 1 && *from > 0 : step > 0))
        return Unexpected{Refusal{
            exit_usage, "--values " + text + ": the third part must be a step above 0 or x and a factor above 1\n"}};
    for (double v = *from; v <= *to * (1 + 1e-12) && values.size() < most_values; v = factor ? v * step : v + step)
        values.push_back(v);
    return values;
}

namespace {

// The plan itself on other numbers of nodes, its batch kept.
Expected<std::vector<Anchor>, std::string> anchors_of_runs(const std::vector<ScalingRun>& runs, const Scenario& plan) {
    const Scaling scaling = scaling_of(runs, ScalingKind::strong);
    if (scaling.points.empty()) return Unexpected{std::string("holds no run of strong scaling")};
    if (!scaling.measured_on(plan.machine))
        return Unexpected{"its runs are of " + scaling.machine + ", and the plan is of " + plan.machine.id};
    std::vector<Anchor> all;
    for (const MeasuredScalingPoint& p : scaling.points) {
        const std::string nodes = counted(p.nodes, "node", "nodes");
        const auto there = with(plan, *find_knob("nodes"), p.nodes);
        if (!there) return Unexpected{nodes + ": " + say(there.error())};
        auto anchor = anchor_of(nodes, *there, p.mean, {});
        if (!anchor) return Unexpected{nodes + ": " + anchor.error()};
        all.push_back(*std::move(anchor));
    }
    return all;
}

Expected<std::vector<Anchor>, Problems> anchor_of_log(const std::string& file, const Scenario* plan) {
    const auto run = load_logged_run(file, shipped_library(), plan);
    if (!run) return Unexpected{run.error()};
    auto anchor = anchor_of(*run);
    if (!anchor) return Unexpected{Problems{{Severity::error, file, {}, anchor.error()}}};
    return std::vector<Anchor>{*std::move(anchor)};
}

}  // namespace

Expected<std::vector<Anchor>, Refusal> anchors_of(const std::string& file, const Scenario* plan) {
    if (file.empty()) return std::vector<Anchor>{};
    if (const auto text = read_text(file); text && looks_like_scaling_runs(*text)) {
        const auto runs = read_scaling_runs(*text, file);
        if (!runs) return Unexpected{Refusal{exit_invalid_file, say(runs.error())}};
        if (!plan)
            return Unexpected{Refusal{
                exit_invalid_file,
                file + ": runs without a plan; 'plimsoll estimate PLAN --anchor' takes them as runs of PLAN\n"}};
        auto anchors = anchors_of_runs(*runs, *plan);
        if (!anchors) return Unexpected{Refusal{exit_invalid_file, file + ": " + anchors.error() + "\n"}};
        return *std::move(anchors);
    }
    auto anchors = is_training_log(file) ? anchor_of_log(file, plan) : read_anchors(file, shipped_library());
    if (!anchors) return Unexpected{Refusal{exit_invalid_file, say(anchors.error())}};
    for (const Anchor& a : *anchors)
        for (const std::string& doubt : doubts_of(a)) std::cerr << "Mind, '" << a.name << "': " << doubt << "\n";
    return *std::move(anchors);
}

}  // namespace plimsoll
