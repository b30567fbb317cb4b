#include "core/files/import/layer_profile.h"

#include "core/files/text/disk.h"
#include "core/files/text/reader.h"
#include "core/values/basics/phrase.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace plimsoll {

namespace {

using namespace files;
namespace fs = std::filesystem;

constexpr NumberRange width_range{1, 1 << 20}, overlap_range{1, 10};

// The whole of "8" or nothing.
std::optional<int> number_in(const std::string& text) {
    int n = 0, used = 0;
    if (std::sscanf(text.c_str(), "%d%n", &n, &used) != 1 || used != int(text.size()) || n < width_range.low
        || n > width_range.high)
        return std::nullopt;
    return n;
}

std::optional<double> number_at(const Reader& at, const std::string& key, NumberRange range) {
    const auto member = at.member(key);
    if (!member) at.missing(key, a_number(range));
    return member ? member->number(range) : std::nullopt;
}

void need(const Reader& at, bool found, const std::string& what) {
    if (!found) at.error(phrase("expected {1}", what));
}

// "layertype_0_bsz8_seq2048": milliseconds per sequence. Raw measurements ("layernum[2]_...") are what these came from.
void read_computation(const Reader& at, MeasuredProfile& p) {
    for (const std::string& key : at.keys()) {
        int kind = 0, batch = 0, sequence = 0, used = 0;
        const char* text = key.c_str();
        const bool ends = std::sscanf(text, "layertype_other_bsz%d_seq%d%n", &batch, &sequence, &used) == 2
                       && used == int(key.size());
        const bool layer = !ends
                        && std::sscanf(text, "layertype_%d_bsz%d_seq%d%n", &kind, &batch, &sequence, &used) == 3
                        && used == int(key.size());
        if (!ends && !layer) continue;
        if (batch < 1 || sequence < 1 || kind < 0) {
            at.error(key, phrase("expected a batch and a sequence length above 0"));
            continue;
        }
        if (kind > 0) {
            at.error(key, phrase("a second kind of layer; only models whose layers are all alike can be searched"));
            continue;
        }
        if (const auto ms = number_at(at, key, positive)) (ends ? p.ends : p.layer).push_back({batch, sequence, *ms});
    }
    need(at, !p.layer.empty(), phrase("times like \"{1}\"", "layertype_0_bsz8_seq2048"));
    need(at, !p.ends.empty(), phrase("times like \"{1}\"", "layertype_other_bsz8_seq2048"));
}

ByWidth read_widths(const Reader& at) {
    ByWidth widths;
    if (!at.object()) return widths;
    for (const std::string& key : at.keys()) {
        if (key == "checkpoint") continue;
        const auto width = number_in(key);
        if (!width) at.error(key, phrase("expected a number of ranks like \"4\""));
        else if (const auto value = number_at(at, key, not_negative)) widths[*width] = *value;
    }
    return widths;
}

std::optional<Reader> required(const Reader& at, std::string_view key, const std::string& expected) {
    auto member = at.member(key);
    if (!member) at.missing(key, expected);
    return member;
}

void read_layer_memory(const Reader& at, MeasuredProfile::LayerMemory& m) {
    if (!at.object()) return;
    m.parameter_MiB = number_at(at, "parameter_size", positive).value_or(0);
    const auto activations = required(at, "tp_activation_per_bsz_dict", phrase("MiB of activations by tensor ranks"));
    if (!activations) return;
    m.activation_MiB = read_widths(*activations);
    m.checkpointed_MiB = number_at(*activations, "checkpoint", not_negative).value_or(0);
}

void read_ends_memory(const Reader& at, MeasuredProfile::EndsMemory& m) {
    if (!at.object()) return;
    if (const auto states = required(at, "model_states", phrase("MiB by tensor ranks")))
        m.states_MiB = read_widths(*states);
    if (const auto activation = required(at, "activation", phrase("MiB by tensor ranks")))
        m.activation_MiB = read_widths(*activation);
}

// By sequence length.
template <class Memory>
void read_lengths(const Reader& memory, const std::string& key, std::map<int, Memory>& all,
                  void (*read)(const Reader&, Memory&)) {
    const auto at = required(memory, key, phrase("memory by sequence length"));
    if (!at || !at->object()) return;
    for (const std::string& length : at->keys()) {
        const auto sequence = number_in(length);
        if (!sequence) at->error(length, phrase("expected a sequence length like \"2048\""));
        else if (const auto of_length = required(*at, length, phrase("memory of this sequence length")))
            read(*of_length, all[*sequence]);
    }
    need(*at, !all.empty(), phrase("at least one sequence length"));
}

void read_memory(const Reader& at, MeasuredProfile& p) {
    p.splits_activations = at.member("layertype_0_sp").has_value();
    const std::string end = p.splits_activations ? "_sp" : "";
    read_lengths(at, "layertype_0" + end, p.layer_memory, read_layer_memory);
    read_lengths(at, "other_memory_pp_off" + end, p.alone, read_ends_memory);
    read_lengths(at, "other_memory_pp_on_first" + end, p.first, read_ends_memory);
    read_lengths(at, "other_memory_pp_on_last" + end, p.last, read_ends_memory);
}

void read_all_reduce(const Reader& at, MeasuredProfile& p) {
    for (const std::string& key : at.keys()) {
        int ranks = 0, consecutive = 0, used = 0;
        if (std::sscanf(key.c_str(), "allreduce_size_%d_consec_%d%n", &ranks, &consecutive, &used) != 2
            || used != int(key.size()))
            continue;
        if (const auto rate = number_at(at, key, positive))
            (consecutive ? p.neighbours_GBs : p.strided_GBs)[ranks] = *rate;
    }
    need(at, !p.neighbours_GBs.empty(), phrase("GB/s like \"{1}\"", "allreduce_size_8_consec_1"));
}

void read_messages(const Reader& at, MeasuredProfile& p) {
    for (const std::string& key : at.keys()) {
        int stages = 0, used = 0;
        if (std::sscanf(key.c_str(), "pp_size_%d%n", &stages, &used) != 1 || used != int(key.size())) continue;
        if (const auto rate = number_at(at, key, positive)) p.message_GBs[stages] = *rate;
    }
}

void read_message_times(const Reader& at, MeasuredProfile& p) {
    for (const auto& [pattern, times] : {std::pair{"allreduce_size_%d_%dMB_time%n", &p.all_reduce_ms},
                                         std::pair{"all2all_size_%d_%dMB_time%n", &p.all_to_all_ms}}) {
        for (const std::string& key : at.keys()) {
            int ranks = 0, size = 0, used = 0;
            if (std::sscanf(key.c_str(), pattern, &ranks, &size, &used) != 2 || used != int(key.size())) continue;
            if (const auto ms = number_at(at, key, positive)) (*times)[ranks][size] = *ms;
        }
        for (const auto& [ranks, sizes] : *times)
            need(at, sizes.size() >= 2, phrase("at least two message sizes of {1} ranks", ranks));
    }
}

void read_overlap(const Reader& at, MeasuredProfile& p) {
    p.overlap = number_at(at, "overlap_coe", overlap_range).value_or(1);
}

struct Section {
    const char *name, *file;   // member of the one file; how the name of its own file begins
    void (*read)(const Reader&, MeasuredProfile&);
};
constexpr Section sections[] = {
    {"computation", "computation_profiling_", read_computation},
    {"memory", "memory_profiling_", read_memory},
    {"allreduce_bandwidth", "allreduce_bandwidth_", read_all_reduce},
    {"p2p_bandwidth", "p2p_bandwidth_", read_messages},
    {"sp_time", "sp_time_", read_message_times},
    {"overlap", "overlap_coefficient", read_overlap},
};

// Of another number of devices.
bool of_other_devices(const std::string& name, int devices) {
    const auto at = name.find_last_of('_', name.find("nodes_"));
    int nodes = 0, per_node = 0;
    if (at == std::string::npos || std::sscanf(name.c_str() + at, "_%dnodes_%dgpus", &nodes, &per_node) != 2)
        return false;
    return 1LL * nodes * per_node != devices;
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (auto at = fs::recursive_directory_iterator(folder, error); !error && at != fs::recursive_directory_iterator();
         at.increment(error)) {
        if (at.depth() >= 1) at.disable_recursion_pending();
        if (at->path().extension() == ".json") files.push_back(at->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// The file of a section; notes when there is none, or several to choose from.
std::optional<fs::path> file_of(const Section& section, const std::vector<fs::path>& files, int devices,
                                const fs::path& folder, Problems& problems) {
    std::vector<fs::path> some;
    for (const fs::path& f : files)
        if (const std::string name = f.filename().string();
            name.starts_with(section.file) && !of_other_devices(name, devices))
            some.push_back(f);
    if (some.size() == 1) return some.front();
    std::string names;
    for (const fs::path& f : some) names += (f == some.front() ? "" : ", ") + f.filename().string();
    problems.push_back(
        {Severity::error, folder.string(), "",
         some.empty() ? phrase("no file {1}*.json for {2} devices in the folder or the ones it holds", section.file,
                               devices)
                      : phrase("several files to choose from, keep one of them: {1}", names)});
    return std::nullopt;
}

void add(Problems& all, const Problems& some) { all.insert(all.end(), some.begin(), some.end()); }

}  // namespace

Expected<MeasuredProfile, Problems> parse_layer_profile(std::string_view text, const std::string& name) {
    Findings findings(name);
    MeasuredProfile p;
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        if (root.object())
            for (const Section& section : sections)
                if (const auto at = required(root, section.name, phrase("what {1}*.json holds", section.file));
                    at && at->object())
                    section.read(*at, p);
    }
    if (findings.errors() > 0) return Unexpected{findings.take()};
    return p;
}

Expected<MeasuredProfile, Problems> read_layer_profile(const fs::path& path, int devices) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        const auto text = read_text(path);
        if (!text) return Unexpected{text.error()};
        return parse_layer_profile(*text, path.string());
    }
    MeasuredProfile p;
    Problems problems;
    const auto files = json_files(path);
    for (const Section& section : sections) {
        const auto file = file_of(section, files, devices, path, problems);
        if (!file) continue;
        const auto text = read_text(*file);
        if (!text) {
            add(problems, text.error());
            continue;
        }
        Findings findings(file->string());
        if (const auto json = parse(*text, findings)) {
            const Reader root(*json, "", findings);
            if (root.object()) section.read(root, p);
        }
        add(problems, findings.take());
    }
    if (has_errors(problems)) return Unexpected{problems};
    return p;
}

}  // namespace plimsoll
