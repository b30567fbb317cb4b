#include "core/files/import/launchers.h"

#include "core/files/import/plan_draft.h"
#include "core/files/import/setting_names.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

namespace {

constexpr CountedOption mpi_options[] = {
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
constexpr CountedOption aprun_options[] = {
    {"-n", JobCount::tasks},
    {"-N", JobCount::tasks_per_node},
};
constexpr CountedOption torchrun_options[] = {
    {"--nnodes", JobCount::nodes},
    {"--nproc_per_node", JobCount::tasks_per_node},
};
constexpr CountedOption deepspeed_options[] = {
    {"--num_nodes", JobCount::nodes},
    {"--num_gpus", JobCount::tasks_per_node},
    {"--include", JobCount::tasks},
    {"-i", JobCount::tasks},
};
constexpr CountedOption accelerate_options[] = {
    {"--num_machines", JobCount::nodes},
    {"--num_processes", JobCount::tasks},
};

// What a launcher's words look like: whether an option takes the word after it, but for those named; how many words
// without a dash stand before the program.
struct Launcher {
    std::string_view name;
    enum class Kind { parallel, agent, around, python } kind;  // an agent starts the processes of a node
    std::span<const CountedOption> options;
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
     {},
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
    {"tune", Launcher::Kind::agent, torchrun_options, true, " --standalone ", {}, 0, " run "},
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

const Launcher* launcher_named(std::string_view word) {
    const std::string name = last_part_of(word);
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
        } else if (l.kind == Launcher::Kind::parallel && is_letter_with_value(l, key)) {
            value = key.substr(2);  // -N4
            key.resize(2);
        } else if (listed(l.takes_two, key)) {
            for (int i = 0; i < 2 && at_ < words_.size(); ++i) value += (i ? " " : "") + words_[at_++].text;
        } else if (takes && at_ < words_.size()) value = words_[at_++].text;
        say(l, key, value, line);
    }
    static bool is_letter_with_value(const Launcher& l, const std::string& key) {
        return key.size() > 2 && key[1] != '-' && !listed(l.otherwise, key) && !listed(l.otherwise, key.substr(0, 2))
            && (l.name == "srun" || std::isdigit(static_cast<unsigned char>(key[2])));
    }
    void say(const Launcher& l, const std::string& key, const std::string& value, int line) {
        JobStatement s{JobCount::none, key, value, job_number(value), line};
        const std::string name = l.kind == Launcher::Kind::agent && key.starts_with("--") ? with_underscores(key) : key;
        s.counts = count_in(l.name == "srun" ? slurm_options() : l.name == "flux" ? flux_options() : l.options, name);
        if (key == "--gres" && value.find("gpu") == value.npos) s.counts = JobCount::none;
        if (name.ends_with("map-by")) {  // ppr:4:node
            const bool ppr = value.starts_with("ppr:") && value.find(":node") != value.npos;
            s.number = ppr ? job_number(value.substr(4, value.find(':', 4) - 4)) : std::nullopt;
            if (!ppr) s.counts = JobCount::none;
        }
        if (name == "--nproc_per_node" && (value == "gpu" || value == "auto")) s.counts = JobCount::none;
        if (l.name == "deepspeed" && (name == "--include" || name == "-i")) s.number = included(value);
        if (l.name == "jsrun") take_jsrun(s);
        if (l.name == "accelerate" && key.find("config") != key.npos) read(value);
        if (l.kind == Launcher::Kind::agent) agent_said_.push_back(s);
        else parallel_said_.push_back(s);
        p_.said.push_back(std::move(s));
    }
    // "worker-0:0,1@worker-1:0,1" names four devices; of a host alone nobody knows how many it has.
    static std::optional<int> included(const std::string& value) {
        const auto hosts = std::ranges::count(value, '@') + 1;
        if (std::ranges::count(value, ':') != hosts) return std::nullopt;
        return int(std::ranges::count(value, ',') + hosts);
    }
    // Resource sets: -n sets, -r of a host, -a tasks and -g devices of each.
    void take_jsrun(JobStatement& s) {
        const auto is = [&](std::string_view letter, std::string_view name) {
            return s.key == letter || s.key == name;
        };
        if (is("-p", "--np")) s.counts = JobCount::tasks;
        int* field = is("-n", "--nrs")          ? &sets_
                   : is("-r", "--rs_per_host")  ? &sets_a_host_
                   : is("-a", "--tasks_per_rs") ? &tasks_a_set_
                   : is("-g", "--gpu_per_rs")   ? &devices_a_set_
                                                : nullptr;
        if (field && s.number) *field = *s.number;
    }

    void program_options(std::size_t from) {
        for (std::size_t i = from; i < words_.size(); ++i) {
            const ShellWord& w = words_[i];
            const auto equals = w.text.find('=');
            if (is_option(w.text)) {
                // Some quote an option and its value as one word.
                const auto end = w.text.find_first_of("= ");
                Setting s{w.text.substr(0, end), end == w.text.npos ? "" : w.text.substr(end + 1), w.line};
                for (bool first = end == w.text.npos; i + 1 < words_.size() && goes_on(s, words_[i + 1].text, first);
                     first = false)
                    s.value += (s.value.empty() ? "" : " ") + words_[++i].text;
                if (s.key.find("config") != s.key.npos || s.key == "--deepspeed") read(s.value);
                add(std::move(s));
            } else if (equals != w.text.npos && equals > 0) {  // group.key=value
                std::string key = w.text.substr(0, equals);
                while (key.starts_with('+') || key.starts_with('~')) key.erase(0, 1);
                if (!key.empty() && key.find_first_of(" /$:{") == key.npos)
                    add({key, w.text.substr(equals + 1), w.line});
            } else read(w.text);
        }
        p_.of_training = !p_.options.empty();
    }
    void read(const std::string& file) {
        const auto syntax = syntax_of(file, "");
        if (syntax && *syntax != Syntax::arguments && *syntax != Syntax::python) p_.reads.push_back(file);
    }
    static bool is_option(const std::string& w) {
        return w.size() > 1 && w[0] == '-' && (std::isalpha(static_cast<unsigned char>(w[1])) || w.starts_with("--"))
            && w != "--";
    }
    // Whether a word belongs to the option before it: its first one, and more of a list; what follows a number that is
    // no number itself is a word of the program's own.
    static bool goes_on(const Setting& s, const std::string& word, bool first) {
        if (is_option(word)) return false;
        if (first) return true;
        const bool list = !s.value.empty() && s.value.size() < longest_list && word.find('=') == word.npos;
        if (list && has_no_effect(row_name(s.key))) return true;
        const bool number = number_of(s.value.substr(s.value.rfind(' ') + 1)).has_value();
        return list && !word.ends_with(".py") && (!number || s.value.find(' ') != s.value.npos || number_of(word));
    }
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
            const bool nodes_open = s.nodes == 0 && std::ranges::any_of(agent_said_, [](const JobStatement& one) {
                                        return one.counts == JobCount::nodes;
                                    });
            if (!s.devices && s.devices_per_node && !nodes_open)
                s.devices = product(std::max(1, s.nodes), s.devices_per_node);
            return s;
        }
        const int sets = sets_ > 0 ? sets_ : product(s.nodes, sets_a_host_);
        if (sets > 0) {
            const int each = devices_a_set_ > 0 ? devices_a_set_ : std::max(1, tasks_a_set_);
            s.devices = product(sets, each);
            if (sets_a_host_ > 0 && s.nodes == 0) s.nodes = (sets + sets_a_host_ - 1) / sets_a_host_;
            s.devices_per_node = product(each, sets_a_host_);
            return s;
        }
        // A launcher's own count of tasks goes before what the batch system was asked for.
        const int own = said_of(parallel_said_, JobCount::tasks),
                  own_a_node = said_of(parallel_said_, JobCount::tasks_per_node);
        int tasks = own ? own : own_a_node ? product(s.nodes, own_a_node) : said(JobCount::tasks);
        if (!tasks) tasks = product(s.nodes, tasks_a_node);
        if (s.nodes == 0 && tasks_a_node > 0) s.nodes = (tasks + tasks_a_node - 1) / tasks_a_node;
        const int a_task = said(JobCount::devices_per_task);
        if (a_task > 1) tasks = product(tasks, a_task);
        // One task a node that has several devices spreads over them itself.
        else if (a_node > 1 && s.nodes > 0 && tasks <= s.nodes) tasks = product(s.nodes, a_node);
        if (!tasks) tasks = said(JobCount::devices);
        s.devices = tasks;
        s.devices_per_node = a_node ? a_node : tasks_a_node ? tasks_a_node : s.nodes && tasks ? tasks / s.nodes : 0;
        return s;
    }

    static constexpr std::size_t longest_list = 4096;
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

}  // namespace

LaunchedProgram taken_apart(const ShellCommand& c, const BatchRequest& b) { return TakingApart(c, b).whole(); }

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
