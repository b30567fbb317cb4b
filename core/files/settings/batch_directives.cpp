#include "core/files/settings/batch_directives.h"

#include "core/files/settings/setting_words.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

constexpr CountedOption slurm[] = {
    {"-N", JobCount::nodes},
    {"--nodes", JobCount::nodes},
    {"-n", JobCount::tasks},
    {"--ntasks", JobCount::tasks},
    {"--ntasks-per-node", JobCount::tasks_per_node},
    {"--tasks-per-node", JobCount::tasks_per_node},
    {"--gpus-per-node", JobCount::devices_per_node},
    {"--gres", JobCount::devices_per_node},
    {"-G", JobCount::devices},
    {"--gpus", JobCount::devices},
    {"--gpus-per-task", JobCount::devices_per_task},
    {"-c", JobCount::cpus_per_task},
    {"--cpus-per-task", JobCount::cpus_per_task},
};
// Words of PBS, PJM and Grid Engine behind -l, -L and --mpi: "select=4:ngpus=4", "node=12x8", "rt_F=4" at ABCI.
constexpr CountedOption resources[] = {
    {"select", JobCount::nodes},
    {"nodes", JobCount::nodes},
    {"node", JobCount::nodes},
    {"mpiprocs", JobCount::tasks_per_node},
    {"ppn", JobCount::tasks_per_node},
    {"ngpus", JobCount::devices_per_node},
    {"gpus", JobCount::devices_per_node},
    {"gpu", JobCount::devices_per_node},
    {"rt_F", JobCount::nodes},
    {"rt_AF", JobCount::nodes},
    {"proc", JobCount::tasks},
    {"max-proc-per-node", JobCount::tasks_per_node},
};
constexpr CountedOption lsf[] = {
    {"-nnodes", JobCount::nodes},
    {"-n", JobCount::tasks},
    {"-gpu", JobCount::devices_per_node},
    {"-R", JobCount::tasks_per_node},
};
constexpr CountedOption flux[] = {
    {"-N", JobCount::nodes},
    {"--nodes", JobCount::nodes},
    {"-n", JobCount::tasks},
    {"--ntasks", JobCount::tasks},
    {"--nslots", JobCount::tasks},
    {"--tasks-per-node", JobCount::tasks_per_node},
    {"-g", JobCount::devices_per_task},
    {"--gpus-per-task", JobCount::devices_per_task},
    {"--gpus-per-slot", JobCount::devices_per_task},
    {"--gpus-per-node", JobCount::devices_per_node},
};

std::vector<std::string> directive_words(std::string_view line) {
    std::vector<std::string> all;
    std::string word;
    char quote = '\0';
    bool open = false;
    for (const char c : line) {
        if (quote == '\0' && c == '#' && !open) break;  // a comment of the line's own
        if (quote != '\0' ? c == quote : c == '"' || c == '\'') quote = quote == '\0' ? c : '\0', open = true;
        else if (quote == '\0' && (c == ' ' || c == '\t' || c == '\r')) {
            if (open) all.push_back(std::move(word));
            word.clear();
            open = false;
        } else word += c, open = true;
    }
    if (open) all.push_back(std::move(word));
    return all;
}

class Directives {
public:
    explicit Directives(std::string_view script) {
        int number = 0;
        while (!script.empty() && request_.said.size() < 200) {
            const std::size_t end = std::min(script.find('\n'), script.size());
            std::string_view line = script.substr(0, end);
            script.remove_prefix(std::min(end + 1, script.size()));
            ++number;
            const auto from = line.find_first_not_of(" \t\r");
            if (from == line.npos) continue;
            if (line[from] != '#') break;  // the system looks no further
            take(line.substr(from), number);
        }
        fill_environment();
    }
    BatchRequest take() { return std::move(request_); }

private:
    void take(std::string_view line, int number) {
        for (const std::string_view system : {"#SBATCH", "#PBS", "#PJM", "#BSUB", "#flux:", "# flux:", "#FLUX:", "#$ "})
            if (line.starts_with(system)) {
                system_ = system.substr(0, system.find_first_of(": ", 2));
                options(directive_words(line.substr(system.size())), number);
                return;
            }
    }
    void options(const std::vector<std::string>& words, int line) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::string key = words[i], value;
            if (!key.starts_with('-')) continue;
            const auto equals = key.starts_with("--") ? key.find('=') : key.npos;
            if (equals != key.npos) {
                value = key.substr(equals + 1);
                key.resize(equals);
            } else if (system_ == "#$" && key == "-pe" && i + 2 < words.size()) {  // its name before its number
                value = words[i += 2];
            } else if (system_ != "#BSUB" && system_ != "#$" && !key.starts_with("--") && key.size() > 2) {  // -N4
                value = key.substr(key[2] == '=' ? 3 : 2);
                key.resize(2);
            } else if (i + 1 < words.size() && !words[i + 1].starts_with('-')) value = words[++i];
            take_option(key, value, line);
        }
    }
    void take_option(const std::string& key, const std::string& value, int line) {
        const bool resources_follow = key == "-l" || key == "-L" || key == "--mpi" || key == "--rsc-list";
        if (system_ == "#PBS" || system_ == "#PJM" || system_ == "#$") {
            if (resources_follow) return take_resources(key, value, line);
            const bool slots = key == "-pe";
            return say(slots ? JobCount::tasks : JobCount::none, key, value, slots ? job_number(value) : std::nullopt,
                       line);
        }
        if (system_ == "#BSUB") return take_lsf(key, value, line);
        const JobCount counts = count_in(system_ == "#SBATCH" ? slurm_options() : flux_options(), key);
        const bool devices = key != "--gres" || value.find("gpu") != value.npos;
        say(devices ? counts : JobCount::none, key, value, job_number(value), line);
    }
    // -gpu "num=4:mode=shared", -R "span[ptile=8]".
    void take_lsf(const std::string& key, const std::string& value, int line) {
        const std::string name = key == "-gpu" ? "num=" : key == "-R" ? "ptile=" : "";
        const auto at = value.find(name);
        const bool there = at != value.npos;
        const std::string number = there ? value.substr(at + name.size()) : "";
        say(there || key != "-R" ? count_in(lsf, key) : JobCount::none, key, value,
            job_number(number.substr(0, number.find_first_not_of("0123456789"))), line);
    }
    // "select=1:ngpus=8+3:ngpus=8": chunks of nodes, of which the first says how many devices each has.
    void take_resources(const std::string& key, const std::string& value, int line) {
        std::string pieces = value.substr(0, value.find('+'));
        int more = 0;
        for (auto plus = value.find('+'); plus != value.npos; plus = value.find('+', plus + 1))
            more += job_number(value.substr(plus + 1, value.find_first_of(":+,", plus + 1) - plus - 1)).value_or(0);
        std::ranges::replace(pieces, ',', ':');
        bool any = false;
        for (std::size_t from = 0; from < pieces.size();) {
            const std::size_t end = std::min(pieces.find(':', from), pieces.size());
            const std::string piece = pieces.substr(from, end - from);
            from = end + 1;
            const auto equals = piece.find('=');
            const JobCount counts = count_in(resources, piece.substr(0, equals));
            if (equals == piece.npos || counts == JobCount::none) continue;
            any = true;
            auto n = nodes_of(piece.substr(equals + 1));
            if (n && counts == JobCount::nodes) *n += more;
            say(counts, key + " " + piece.substr(0, equals), piece.substr(equals + 1), n, line);
            if (piece.starts_with("rt_")) request_.environment["SGE_RESOURCE_TYPE"] = piece.substr(0, equals);
        }
        if (!any) say(JobCount::none, key, value, {}, line);
    }
    static std::optional<int> nodes_of(const std::string& word) {  // "12x8x2:torus"
        long long product = 1;
        for (std::size_t from = 0; from <= word.size();) {
            const std::size_t end = std::min(word.find('x', from), word.size());
            const auto n = whole_of(word.substr(from, end - from));
            if (!n || *n < 1 || *n > 1 << 20 || product > 1 << 20) return std::nullopt;
            product *= *n;
            from = end + 1;
        }
        return int(std::min(product, 1LL << 24));
    }
    void say(JobCount counts, const std::string& key, const std::string& value, std::optional<int> number, int line) {
        request_.said.push_back({counts, "#" + key, value, number, line});
    }

    int said(JobCount c) const { return said_of(request_.said, c); }
    void set(std::initializer_list<const char*> names, long long value) {
        for (const char* name : names)
            if (value > 0) request_.environment[name] = std::to_string(value);
    }
    void fill_environment() {
        const long long a_node = said(JobCount::tasks_per_node), devices = said(JobCount::devices_per_node);
        const long long said_tasks = said(JobCount::tasks), said_nodes = said(JobCount::nodes);
        const long long nodes = said_nodes ? said_nodes : a_node ? (said_tasks + a_node - 1) / a_node : 0;
        const long long tasks = said_tasks ? said_tasks : nodes * a_node;
        const long long each = a_node ? a_node : nodes ? tasks / nodes : 0;
        if (system_ == "#SBATCH") {
            set({"SLURM_NNODES", "SLURM_JOB_NUM_NODES"}, nodes);
            set({"SLURM_NTASKS", "SLURM_NPROCS"}, tasks);
            set({"SLURM_NTASKS_PER_NODE"}, a_node);
            set({"SLURM_CPUS_PER_TASK"}, said(JobCount::cpus_per_task));
            set({"SLURM_GPUS_ON_NODE"}, devices ? devices : nodes ? said(JobCount::devices) / nodes : 0);
            if (each > 0)
                request_.environment["SLURM_TASKS_PER_NODE"] =
                    std::to_string(each) + (nodes > 1 ? "(x" + std::to_string(nodes) + ")" : "");
            for (const JobStatement& s : request_.said) {  // these are as they were asked for
                if (s.key == "#--gpus-per-node") request_.environment["SLURM_GPUS_PER_NODE"] = s.value;
                if (s.counts == JobCount::devices) request_.environment["SLURM_GPUS"] = s.value;
                if (s.counts == JobCount::devices_per_task) request_.environment["SLURM_GPUS_PER_TASK"] = s.value;
            }
            fill_hosts(nullptr, nodes, 1);
        } else if (system_ == "#PBS") {
            set({"PBS_NUM_NODES"}, nodes);
            set({"PBS_NUM_PPN"}, a_node);
            fill_hosts("PBS_NODEFILE", nodes, std::max(1LL, a_node));
        } else if (system_ == "#PJM") {
            set({"PJM_NODE"}, nodes);
            set({"PJM_MPI_PROC"}, tasks);
            set({"PJM_PROC_BY_NODE"}, each);
            fill_hosts("PJM_O_NODEINF", nodes, 1);
        } else if (system_ == "#BSUB") {
            set({"LSB_DJOB_NUMPROC", "LSB_MAX_NUM_PROCESSORS"}, tasks);
            if (said_tasks) fill_hosts("LSB_DJOB_HOSTFILE", nodes, each);
        } else if (system_ == "#$") {
            set({"NHOSTS"}, nodes);
            set({"NSLOTS"}, tasks);
            fill_hosts("SGE_JOB_HOSTLIST", nodes, 1);
        } else if (!system_.empty()) {
            set({"FLUX_JOB_NNODES"}, nodes);
            set({"FLUX_JOB_SIZE"}, tasks);
        }
    }
    // The nodes' names, and the variable that names the file of them.
    void fill_hosts(const char* variable, long long nodes, long long lines_each) {
        if (nodes <= 0 || lines_each <= 0 || nodes * lines_each > 20000) return;
        if (variable) request_.host_file = request_.environment[variable] = "/var/spool/job/hosts";
        for (long long n = 1; n <= nodes; ++n)
            for (long long i = 0; i < lines_each; ++i)
                request_.hosts += "node" + std::to_string(100000 + n).substr(1) + "\n";
    }

    BatchRequest request_;
    std::string system_;
};

}  // namespace

std::optional<int> job_number(std::string_view word) {
    if (const auto paren = word.find('('); paren != word.npos) word = word.substr(0, paren);
    std::optional<int> last;
    while (!word.empty()) {
        const std::size_t end = std::min(word.find_first_of(":-"), word.size());
        if (const auto n = whole_of(word.substr(0, end)); n && *n > 0 && *n <= 1 << 24) last = int(*n);
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return last;
}
JobCount count_in(std::span<const CountedOption> all, std::string_view option) {
    const auto found = std::ranges::find(all, option, &CountedOption::option);
    return found == all.end() ? JobCount::none : found->counts;
}
std::span<const CountedOption> slurm_options() { return slurm; }
std::span<const CountedOption> flux_options() { return flux; }

int said_of(const std::vector<JobStatement>& all, JobCount counts) {
    int last = 0;
    for (const JobStatement& s : all)
        if (s.counts == counts && s.number) last = *s.number;
    return last;
}

BatchRequest read_directives(std::string_view script) { return Directives(script).take(); }

}  // namespace plimsoll::files
