#include "core/files/import/launchers.h"

#include "core/files/import/framework_reading.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <map>

namespace plimsoll::files {

namespace {

struct LauncherOption {
    std::string_view option;
    JobCount counts;
};

constexpr LauncherOption mpi_options[] = {
    {"-n", JobCount::tasks},
    {"-np", JobCount::tasks},
    {"--np", JobCount::tasks},
    {"-ppn", JobCount::tasks_per_node},
    {"--ppn", JobCount::tasks_per_node},
    {"-N", JobCount::tasks_per_node},
    {"-npernode", JobCount::tasks_per_node},
    {"--npernode", JobCount::tasks_per_node},
    {"--map-by", JobCount::tasks_per_node},
    {"-map-by", JobCount::tasks_per_node},
};
constexpr LauncherOption aprun_options[] = {
    {"-n", JobCount::tasks},
    {"-N", JobCount::tasks_per_node},
};
constexpr LauncherOption flux_options[] = {
    {"-N", JobCount::nodes},
    {"--nodes", JobCount::nodes},
    {"-n", JobCount::tasks},
    {"--ntasks", JobCount::tasks},
    {"--tasks-per-node", JobCount::tasks_per_node},
    {"-g", JobCount::devices_per_task},
    {"--gpus-per-task", JobCount::devices_per_task},
    {"--gpus-per-node", JobCount::devices_per_node},
};
constexpr LauncherOption torchrun_options[] = {
    {"--nnodes", JobCount::nodes},
    {"--nproc_per_node", JobCount::tasks_per_node},
};
constexpr LauncherOption deepspeed_options[] = {
    {"--num_nodes", JobCount::nodes},
    {"--num_gpus", JobCount::tasks_per_node},
};
constexpr LauncherOption accelerate_options[] = {
    {"--num_machines", JobCount::nodes},
    {"--num_processes", JobCount::tasks},
};

// What a launcher's words look like: whether an option takes the word after it, but for those named; how many words
// without a dash stand before the program.
struct Launcher {
    std::string_view name;
    enum class Kind { parallel, agent, around, python } kind;  // an agent starts the processes of a node
    std::span<const LauncherOption> options;
    bool takes_words;            // whether an option is followed by its value
    std::string_view otherwise;  // options of the other kind
    std::string_view takes_two = {};
    int positional = 0;
    std::string_view subcommands = {};
};

constexpr std::string_view srun_switches =
    " -l --label -u --unbuffered --exclusive --overlap -K --kill-on-bad-exit -k --no-kill -v --verbose -Q --quiet "
    "--pty "
    "-O --overcommit -s --oversubscribe --multi-prog -E --preserve-env -X --disable-status --exact -I --immediate "
    "-W0 --contiguous -H --hold --spread-job --use-min-nodes --container-mount-home --no-container-mount-home "
    "--container-writable --container-readonly --container-remap-root --no-container-remap-root "
    "--no-container-entrypoint --container-entrypoint --het-group --mem-bind-quiet ";
constexpr std::string_view mpi_switches =
    " --allow-run-as-root --oversubscribe --report-bindings --display-map --display-allocation --tag-output "
    "-tag-output -v --verbose -q --quiet -l -prepend-rank --prepend-rank --line-buffer --use-hwthread-cpus "
    "--nooversubscribe "
    "-nolocal --nolocal -bynode --bynode -byslot --bind-to-core --bind-to-none --enable-recovery --no-abort "
    "-print-rank-map ";
constexpr std::string_view container_values =
    " --bind -B --home -H --pwd --env --env-file --overlay -o --workdir -W --app --mount --scratch -S --network "
    "--hostname --add-caps --fakeroot-uid --security --image --volume -V --module ";

constexpr Launcher launchers[] = {
    {"srun", Launcher::Kind::parallel, {}, true, srun_switches},
    {"mpirun", Launcher::Kind::parallel, mpi_options, true, mpi_switches, " --mca -mca -genv -env --pmca -gmca "},
    {"mpiexec", Launcher::Kind::parallel, mpi_options, true, mpi_switches, " --mca -mca -genv -env "},
    {"mpiexec.hydra", Launcher::Kind::parallel, mpi_options, true, mpi_switches, " -genv -env "},
    {"orterun", Launcher::Kind::parallel, mpi_options, true, mpi_switches, " --mca -mca "},
    {"ibrun", Launcher::Kind::parallel, aprun_options, true, ""},
    {"aprun", Launcher::Kind::parallel, aprun_options, true, " -q "},
    {"jsrun", Launcher::Kind::parallel, {}, true, " --immediate -i -K "},
    {"flux",
     Launcher::Kind::parallel,
     flux_options,
     true,
     " --exclusive -x -l --label-io -v --verbose -u --unbuffered ",
     {},
     0,
     " run submit mini "},
    {"torchrun", Launcher::Kind::agent, torchrun_options, true,
     " --standalone --no-python --no_python -m --module --run-path --run_path --use-env --use_env "},
    {"deepspeed", Launcher::Kind::agent, deepspeed_options, true,
     " --no_python --no_local_rank --no_ssh_check --no_ssh --force_multi --bind_cores_to_rank --module --save_pid "
     "--elastic_training "},
    {"accelerate",
     Launcher::Kind::agent,
     accelerate_options,
     true,
     " --multi_gpu --cpu --use_deepspeed --use_fsdp --use_megatron_lm --tpu --use_mps_device --same_network --debug "
     "--no_python -m --module --quiet -q --multi-gpu --use-deepspeed --use-fsdp --same-network --no-python --ipex "
     "--use_xpu ",
     {},
     0,
     " launch "},
    {"python", Launcher::Kind::python, {}, false, " -W -X -m -c "},
    {"singularity", Launcher::Kind::around, {}, false, container_values, {}, 1, " exec run "},
    {"apptainer", Launcher::Kind::around, {}, false, container_values, {}, 1, " exec run "},
    {"shifter", Launcher::Kind::around, {}, false, container_values},
    {"podman-hpc", Launcher::Kind::around, {}, false, container_values, {}, 1, " run "},
    {"env", Launcher::Kind::around, {}, false, " -u --unset -C -S "},
    {"numactl", Launcher::Kind::around, {}, true, " -l --localalloc -s --show -H --hardware "},
    {"taskset", Launcher::Kind::around, {}, false, "", {}, 1},
    {"nsys", Launcher::Kind::around, {}, true, "", {}, 0, " profile "},
    {"ncu", Launcher::Kind::around, {}, true, ""},
    {"rocprof", Launcher::Kind::around, {}, true, " --stats --hip-trace --hsa-trace --sys-trace "},
    {"timeout", Launcher::Kind::around, {}, false, " -s -k --signal --kill-after ", {}, 1},
    {"stdbuf", Launcher::Kind::around, {}, false, " -o -e -i "},
    {"nice", Launcher::Kind::around, {}, false, " -n "},
    {"ionice", Launcher::Kind::around, {}, false, " -n -c "},
    {"nohup", Launcher::Kind::around, {}, false, ""},
    {"time", Launcher::Kind::around, {}, false, " -f -o "},
    {"exec", Launcher::Kind::around, {}, false, ""},
    {"setsid", Launcher::Kind::around, {}, false, ""},
    {"catchsegv", Launcher::Kind::around, {}, false, ""},
    {"unbuffer", Launcher::Kind::around, {}, false, ""},
};

// Modules of Python that are launchers.
constexpr std::pair<std::string_view, std::string_view> launcher_modules[] = {
    {"torch.distributed.run", "torchrun"},
    {"torch.distributed.launch", "torchrun"},
    {"torch.distributed.elastic", "torchrun"},
    {"deepspeed", "deepspeed"},
    {"deepspeed.launcher.runner", "deepspeed"},
    {"accelerate.commands.launch", "accelerate"},
    {"accelerate", "accelerate"},
};

std::string file_part(std::string_view path) {
    return std::string(path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1));
}

const Launcher* launcher_named(std::string_view word) {
    const std::string name = file_part(word);
    const bool python = name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == name.npos;
    const auto* found = std::ranges::find(launchers, python ? "python" : name, &Launcher::name);
    return found == std::end(launchers) ? nullptr : found;
}

bool listed(std::string_view list, std::string_view word) {
    return list.find(" " + std::string(word) + " ") != list.npos;
}

// "--nproc-per-node" as "--nproc_per_node", which torchrun, deepspeed and accelerate take alike.
std::string with_underscores(std::string word) {
    for (std::size_t i = 2; i < word.size(); ++i)
        if (word[i] == '-') word[i] = '_';
    return word;
}

class TakingApart {
public:
    TakingApart(const ShellCommand& c, const BatchRequest& b) : words_(c.words), batch_(b) {}

    LaunchedProgram whole() {
        while (at_ < words_.size()) {
            if (is_setting_of_environment(text())) {
                ++at_;
                continue;
            }
            const Launcher* l = launcher_named(text());
            if (l && !l->subcommands.empty()
                && (at_ + 1 >= words_.size() || !listed(l->subcommands, words_[at_ + 1].text)))
                l = nullptr;
            if (!l && !is_wrapper()) break;
            ++at_;
            if (!l) continue;
            if (!launcher(*l)) break;
        }
        if (!began_) began_ = at_ < words_.size() && !text().starts_with("-");
        program_options(at_ + (began_ ? 1 : 0));
        p_.shape = shape();
        return std::move(p_);
    }

private:
    const std::string& text() const { return words_[at_].text; }
    static bool is_setting_of_environment(const std::string& w) {
        const auto equals = w.find('=');
        return equals != w.npos && equals > 0 && is_name(w.substr(0, equals));
    }
    static bool is_name(std::string_view w) {
        return std::ranges::all_of(w, [](unsigned char c) { return std::isupper(c) || std::isdigit(c) || c == '_'; });
    }
    // A script of the site between launchers: "srun ./select_gpu python train.py".
    bool is_wrapper() const {
        if (text().ends_with(".py") || text().starts_with("-")) return false;
        return at_ + 1 < words_.size()
            && (launcher_named(words_[at_ + 1].text) || words_[at_ + 1].text.ends_with(".py"));
    }

    // Its options; false: the program begins here.
    bool launcher(const Launcher& l) {
        const Launcher* now = &l;
        if (l.kind == Launcher::Kind::agent || l.kind == Launcher::Kind::parallel)
            (l.kind == Launcher::Kind::agent ? agent_ : parallel_) = &l;
        if (!l.subcommands.empty()) ++at_;
        int positional = l.positional;
        while (at_ < words_.size()) {
            const std::string& w = text();
            if (w == "--") return ++at_, now->kind != Launcher::Kind::python;
            if (l.name == "env" && is_setting_of_environment(w)) {
                ++at_;
                continue;
            }
            if (!w.starts_with("-") || w == "-") {
                if (positional-- <= 0)
                    return now->kind != Launcher::Kind::python
                        && !(now->kind == Launcher::Kind::agent && !launcher_named(w));
                ++at_;
                continue;
            }
            if (l.kind == Launcher::Kind::python && w == "-m") return module();
            if (l.kind == Launcher::Kind::python && w.starts_with("--")) return false;  // it has no such options
            option(l);
        }
        return false;
    }
    bool module() {
        ++at_;
        if (at_ >= words_.size()) return false;
        for (const auto& [module, name] : launcher_modules)
            if (text() == module) {
                const Launcher* l = launcher_named(name);
                if (!l->subcommands.empty() && module != "accelerate") --at_;
                ++at_;
                return launcher(*l);
            }
        return false;
    }
    void option(const Launcher& l) {
        std::string key = text(), value;
        const int line = words_[at_].line;
        const auto equals = key.find('=');
        const bool takes = l.takes_words != listed(l.otherwise, equals == key.npos ? key : key.substr(0, equals));
        ++at_;
        if (equals != key.npos && key.starts_with("-")) {
            value = key.substr(equals + 1);
            key.resize(equals);
        } else if (l.name == "srun" && !key.starts_with("--") && key.size() > 2
                   && !listed(l.otherwise, key.substr(0, 2))) {
            value = key.substr(2);  // -N4
            key.resize(2);
        } else if (listed(l.takes_two, key)) at_ = std::min(at_ + 2, words_.size());
        else if (takes && at_ < words_.size()) value = words_[at_++].text;
        say(l, key, value, line);
    }
    void say(const Launcher& l, const std::string& key, const std::string& value, int line) {
        JobStatement s{JobCount::none, key, value, job_number(value), line};
        const std::string name = l.kind == Launcher::Kind::agent && key.starts_with("--") ? with_underscores(key) : key;
        if (l.name == "srun") s.counts = slurm_count(key);
        for (const LauncherOption& o : l.options)
            if (o.option == name) s.counts = o.counts;
        if (key == "--gres" && value.find("gpu") == value.npos) s.counts = JobCount::none;
        if (name.ends_with("map-by")) {  // ppr:4:node
            const bool ppr = value.starts_with("ppr:") && value.find(":node") != value.npos;
            s.number = ppr ? job_number(value.substr(4, value.find(':', 4) - 4)) : std::nullopt;
            if (!ppr) s.counts = JobCount::none;
        }
        if (name == "--nproc_per_node" && (value == "gpu" || value == "auto")) s.counts = JobCount::none;
        if (l.name == "jsrun") take_jsrun(s);
        if (l.kind == Launcher::Kind::agent) agent_said_.push_back(s);
        else parallel_said_.push_back(s);
        p_.said.push_back(std::move(s));
    }
    // Resource sets: -n sets, -r of a host, -a tasks and -g devices of each.
    void take_jsrun(JobStatement& s) {
        const auto is = [&](std::string_view letter, std::string_view name) {
            return s.key == letter || s.key == name;
        };
        int* field = is("-n", "--nrs")          ? &sets_
                   : is("-r", "--rs_per_host")  ? &sets_a_host_
                   : is("-a", "--tasks_per_rs") ? &tasks_a_set_
                   : is("-g", "--gpu_per_rs")   ? &devices_a_set_
                   : is("-p", "--np")           ? &sets_
                                                : nullptr;
        if (field && s.number) *field = *s.number;
    }

    void program_options(std::size_t from) {
        for (std::size_t i = from; i < words_.size(); ++i) {
            const ShellWord& w = words_[i];
            const auto equals = w.text.find('=');
            if (w.text.starts_with("--") && w.text.size() > 2) {
                // Some quote an option and its value as one word.
                const auto end = w.text.find_first_of("= ");
                Setting s{w.text.substr(0, end), end == w.text.npos ? "" : w.text.substr(end + 1), w.line};
                if (end == w.text.npos && i + 1 < words_.size() && !is_option(words_[i + 1].text))
                    s.value = words_[++i].text;
                add(std::move(s));
            } else if (equals != w.text.npos && equals > 0 && !w.text.starts_with("-")) {  // group.key=value
                std::string key = w.text.substr(0, equals);
                while (key.starts_with('+') || key.starts_with('~')) key.erase(0, 1);
                if (!key.empty() && key.find_first_of(" /$:{") == key.npos)
                    add({key, w.text.substr(equals + 1), w.line});
            }
        }
        p_.of_training = !p_.options.empty();
    }
    static bool is_option(const std::string& w) { return w.starts_with("--") && w.size() > 2; }
    void add(Setting s) {
        if (p_.options.size() < most_settings) p_.options.push_back(std::move(s));
    }

    // ---- Nodes and devices

    int said(JobCount c) const {
        const int by_launcher = said_of(parallel_said_, c);
        return by_launcher ? by_launcher : said_of(batch_.said, c);
    }
    static int product(long long a, long long b) { return int(std::min(a * b, 1LL << 24)); }
    JobShape shape() const {
        JobShape s;
        const int a_node = said(JobCount::devices_per_node), tasks_a_node = said(JobCount::tasks_per_node);
        s.nodes = said(JobCount::nodes);
        if (agent_) {
            if (const int n = said_of(agent_said_, JobCount::nodes)) s.nodes = n;
            s.devices_per_node = said_of(agent_said_, JobCount::tasks_per_node);
            s.devices = said_of(agent_said_, JobCount::tasks);
            if (!s.devices_per_node) s.devices_per_node = s.devices && s.nodes ? s.devices / s.nodes : a_node;
            if (!s.devices && s.devices_per_node) s.devices = product(std::max(1, s.nodes), s.devices_per_node);
            return s;
        }
        if (sets_ > 0) {
            s.devices = product(sets_, tasks_a_set_ > 0 ? tasks_a_set_ : std::max(1, devices_a_set_));
            if (sets_a_host_ > 0 && s.nodes == 0) s.nodes = (sets_ + sets_a_host_ - 1) / sets_a_host_;
            s.devices_per_node = sets_a_host_ > 0 ? s.devices / sets_ * sets_a_host_ : 0;
            return s;
        }
        // A launcher's own count of tasks goes before what the batch system was asked for.
        const int own = said_of(parallel_said_, JobCount::tasks),
                  own_a_node = said_of(parallel_said_, JobCount::tasks_per_node);
        int tasks = own ? own : own_a_node ? product(s.nodes, own_a_node) : said(JobCount::tasks);
        if (!tasks) tasks = product(s.nodes, tasks_a_node);
        // One task a node that has several devices spreads over them itself.
        if (a_node > 1 && s.nodes > 0 && tasks <= s.nodes) tasks = product(s.nodes, a_node);
        if (!tasks) tasks = said(JobCount::devices);
        s.devices = tasks;
        s.devices_per_node = a_node ? a_node : tasks_a_node ? tasks_a_node : s.nodes && tasks ? tasks / s.nodes : 0;
        return s;
    }

    const std::vector<ShellWord>& words_;
    const BatchRequest& batch_;
    std::size_t at_ = 0;
    bool began_ = false;
    LaunchedProgram p_;
    const Launcher* agent_ = nullptr;
    const Launcher* parallel_ = nullptr;
    std::vector<JobStatement> agent_said_, parallel_said_;
    int sets_ = 0, sets_a_host_ = 0, tasks_a_set_ = 0, devices_a_set_ = 0;
};

// ---- What a script starts

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

// A script that starts nothing: the lists of options that it sets.
LaunchedProgram set_aside(const ShellRun& run, const BatchRequest& batch) {
    ShellCommand c;
    for (const auto& [name, v] : run.variables) {
        std::size_t from = 0;
        while (v.text.find("--") != v.text.npos && from < v.text.size() && c.words.size() < most_settings) {
            const std::size_t end = std::min(v.text.find_first_of(" \t\n", from), v.text.size());
            if (end > from) c.words.push_back({v.text.substr(from, end - from), v.known, v.line});
            from = end + 1;
        }
    }
    return taken_apart(c, batch);
}

class ScriptInTurn {
public:
    ScriptInTurn(const Settings& s, const std::string& file) : s_(s), file_(file) {}

    ScriptReading whole() {
        for (const ShellRun& run : s_.script.runs) {
            ways_.push_back(training_of(run, s_.batch));
            if (!ways_.back().of_training) ways_.back() = set_aside(run, s_.batch);
        }
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
            if (!same(in(way), in(0)))
                return remark(SettingFate::missing, key, shown(in(way)) + " | " + shown(in(0)),
                              phrase("{1} or {2}, by the condition of line {3}: none is taken; state it",
                                     shown(in(way)), shown(in(0)), line_of(way)),
                              one.line);
    }

    void devices() {
        r_.shape = ways_[0].shape;
        for (std::size_t way = 1; way < ways_.size(); ++way) {
            const JobShape& other = ways_[way].shape;
            if (other == ways_[0].shape) continue;
            r_.shape = {};
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
        const auto n = found != variables.end() && found->second.known ? whole_of(found->second.text) : std::nullopt;
        if (!n || *n < 1 || *n > 1 << 24 || s_.script.runs.size() > 1) return;
        if (r_.shape.devices == 0) r_.shape.devices = int(*n);
        else if (r_.shape.devices != *n)
            remark(SettingFate::assumed, "$WORLD_SIZE", std::to_string(*n),
                   phrase("it says {1} devices, and what starts the program makes {2}: {2} are taken", *n,
                          r_.shape.devices),
                   found->second.line);
    }

    const Settings& s_;
    const std::string& file_;
    std::vector<LaunchedProgram> ways_;
    ScriptReading r_;
};

}  // namespace

LaunchedProgram taken_apart(const ShellCommand& c, const BatchRequest& b) { return TakingApart(c, b).whole(); }

ScriptReading read_launches(const Settings& script, const std::string& file) {
    return ScriptInTurn(script, file).whole();
}

// ---- The same in the words of a program or a file

namespace {

template <int PlanDraft::*field>
bool job_count(PlanDraft& d, const Setting& s) {
    return take_whole(d.*field, s);
}

constexpr SettingRow job_rows[] = {
    {"nnodes", "nodes", job_count<&PlanDraft::nodes>},
    {"num_nodes", "nodes", job_count<&PlanDraft::nodes>},
    {"nodes", "nodes", job_count<&PlanDraft::nodes>},
    {"nproc_per_node", "layout.devices", job_count<&PlanDraft::devices_per_node>},
    {"ntasks_per_node", "layout.devices", job_count<&PlanDraft::devices_per_node>},
    {"gpus_per_node", "layout.devices", job_count<&PlanDraft::devices_per_node>},
    {"num_gpus_per_node", "layout.devices", job_count<&PlanDraft::devices_per_node>},
    {"devices", "layout.devices", job_count<&PlanDraft::devices_per_node>},
    {"world_size", "layout.devices", job_count<&PlanDraft::devices>},
};

}  // namespace

std::span<const SettingRow> launcher_rows() { return job_rows; }

}  // namespace plimsoll::files
