#include "core/values/plan/machine.h"

#include "core/values/basics/foreign_text.h"

#include <algorithm>
#include <climits>
#include <string_view>

namespace plimsoll {

FlopRate Device::peak(NumberFormat f) const {
    switch (f) {
        case NumberFormat::fp32: return fp32;
        case NumberFormat::tf32: return tf32;
        case NumberFormat::fp16: return fp16;
        case NumberFormat::bf16: return bf16;
        case NumberFormat::fp8: return fp8;
        case NumberFormat::fp4: return fp4;
    }
    return {};
}

const Machine* machine_named(const std::map<std::string, Machine>& machines, const std::string& id) {
    if (const auto own = machines.find(id); own != machines.end()) return &own->second;
    for (const auto& [present, m] : machines)
        if (std::find(m.former_ids.begin(), m.former_ids.end(), id) != m.former_ids.end()) return &m;
    return nullptr;
}

void span_levels(Machine& m) {
    const int devices = static_cast<int>(std::min<long long>(m.devices(), INT_MAX));
    for (Level& l : m.levels) l.devices = std::min(l.devices, devices);
    if (!m.levels.empty()) m.levels.back().devices = devices;
}

void set_machine_nodes(Machine& m, int nodes) {
    for (int k = most_clusters; k-- > 0;) {
        Cluster& last = m.clusters[k];
        if (last.nodes == 0) continue;
        last.nodes = static_cast<int>(std::max(1LL, nodes - (nodes_of(m.clusters) - last.nodes)));
        break;
    }
    m.nodes = nodes;
    span_levels(m);
}

void set_cluster_nodes(Machine& m, int cluster, int nodes) {
    m.clusters[cluster].nodes = nodes;
    if (any_cluster(m.clusters)) m.nodes = static_cast<int>(std::min<long long>(nodes_of(m.clusters), INT_MAX));
    span_levels(m);
}

namespace {

constexpr std::string_view known[] = {"account",        "queue",          "nodes",    "ranks",
                                      "ranks_per_node", "cores_per_rank", "walltime", "engine"};
constexpr std::string_view ours[] = {"job.sh", "args", "plan.json", "result.jsonl",
                                     "stop"};  // what every job's folder holds
constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view file_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

bool among(std::string_view word, auto& words) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// A line that ends early would let the rest of it out of its comment.
bool breaks(std::string_view line) {
    return std::any_of(line.begin(), line.end(), [](unsigned char c) { return (c < ' ' && c != '\t') || c == 127; });
}

using Sentences = std::vector<std::string>;

void look_at_line(Sentences& found, const char* where, const std::string& line, bool may_start) {
    if (breaks(line))
        found.push_back(std::string(where).append(" holds a line break or control character: one line to each entry"));
    for (const std::string& name : placeholders(line)) {
        if (among(name, known) && (may_start || name != "engine")) continue;
        std::string all;
        for (const std::string_view each : known)
            if (may_start || each != "engine") all.append(all.empty() ? "{" : ", {").append(each).append("}");
        found.push_back(std::string(where).append(" names {").append(name).append("}, expected any of ").append(all));
    }
}

void look_at_file(Sentences& found, const SiteFile& file) {
    const std::string& name = file.name;
    if (name.empty() || name.starts_with('.') || name.starts_with('-')
        || name.find_first_not_of(file_letters) != name.npos)
        found.push_back("files: \"" + name
                        + "\" is no plain file name, expected letters, digits, dots, dashes and underscores");
    else if (among(name, ours))
        found.push_back("files: \"" + name + "\" is a name the job itself uses");
    if (std::any_of(file.lines.begin(), file.lines.end(), breaks))
        found.push_back("files: \"" + name + "\" holds a line break inside a line: one line to each entry");
}

}  // namespace

std::vector<std::string> placeholders(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const std::size_t end = text.find_first_not_of(name_letters, at + 1);
        const bool of_others =
            at > 0 && (text[at - 1] == '$' || text[at - 1] == '{');  // the shell's, and Flux's {{id}}
        if (end != text.npos && text[end] == '}' && end > at + 1 && !of_others)
            names.push_back(text.substr(at + 1, end - at - 1));
    }
    return names;
}

std::vector<std::string> problems(const SiteJob& job) {
    Sentences found;
    for (const std::string& line : job.directives) look_at_line(found, "directives", line, false);
    for (const std::string& line : job.environment) look_at_line(found, "environment", line, false);
    look_at_line(found, "launch", job.launch, true);
    if (!is_plain_word(job.queue))
        found.push_back(std::string("queue \"").append(job.queue).append("\" has characters that are not allowed: use ")
                            .append(say_plain_word));
    const auto in_launch = placeholders(job.launch);
    if (std::find(in_launch.begin(), in_launch.end(), "engine") == in_launch.end())
        found.emplace_back("launch starts no engine, expected {engine} in it");
    for (const SiteFile& file : job.files) look_at_file(found, file);
    return found;
}

}  // namespace plimsoll
