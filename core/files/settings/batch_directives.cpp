#include "core/files/settings/batch_directives.h"

#include "core/files/settings/settings.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

struct CountedOption {
    std::string_view option;
    JobCount counts;
};

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
// Words of PBS and PJM behind -l, -L and --mpi: "select=4:ngpus=4", "node=12x8".
constexpr CountedOption resources[] = {
    {"select", JobCount::nodes},
    {"nodes", JobCount::nodes},
    {"node", JobCount::nodes},
    {"mpiprocs", JobCount::tasks_per_node},
    {"ppn", JobCount::tasks_per_node},
    {"ngpus", JobCount::devices_per_node},
    {"gpus", JobCount::devices_per_node},
    {"proc", JobCount::tasks},
    {"max-proc-per-node", JobCount::tasks_per_node},
};
constexpr CountedOption lsf[] = {
    {"-nnodes", JobCount::nodes},
    {"-n", JobCount::tasks},
    {"-gpu", JobCount::devices_per_node},
};
constexpr CountedOption flux[] = {
    {"-N", JobCount::nodes},
    {"--nodes", JobCount::nodes},
    {"-n", JobCount::tasks},
    {"--ntasks", JobCount::tasks},
    {"--nslots", JobCount::tasks},
    {"-g", JobCount::devices_per_task},
    {"--gpus-per-task", JobCount::devices_per_task},
    {"--gpus-per-slot", JobCount::devices_per_task},
    {"--gpus-per-node", JobCount::devices_per_node},
};

template <std::size_t n>
JobCount count_in(const CountedOption (&all)[n], std::string_view option) {
    const auto* found = std::ranges::find(all, option, &CountedOption::option);
    return found == std::end(all) ? JobCount::none : found->counts;
}

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
        for (const std::string_view system : {"#SBATCH", "#PBS", "#PJM", "#BSUB", "#flux:", "# flux:", "#FLUX:"})
            if (line.starts_with(system)) {
                system_ = system.substr(0, system.ends_with(':') ? system.size() - 1 : system.size());
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
            } else if (system_ != "#BSUB" && !key.starts_with("--") && key.size() > 2) {  // -N4
                value = key.substr(2);
                key.resize(2);
            } else if (i + 1 < words.size() && !words[i + 1].starts_with('-')) value = words[++i];
            take_option(key, value, line);
        }
    }
    void take_option(const std::string& key, const std::string& value, int line) {
        if (system_ == "#PBS" || system_ == "#PJM") {
            if (key == "-l" || key == "-L" || key == "--mpi") return take_resources(key, value, line);
            return say(JobCount::none, key, value, {}, line);
        }
        if (system_ == "#BSUB") {
            const auto at = value.find("num=");
            return say(count_in(lsf, key), key, value,
                       key == "-gpu" ? at == value.npos ? std::nullopt
                                                        : job_number(value.substr(at + 4, value.find(':', at) - at - 4))
                                     : job_number(value),
                       line);
        }
        const JobCount counts = system_ == "#SBATCH" ? slurm_count(key) : count_in(flux, key);
        const bool devices = key != "--gres" || value.find("gpu") != value.npos;
        say(devices ? counts : JobCount::none, key, value, job_number(value), line);
    }
    void take_resources(const std::string& key, const std::string& value, int line) {
        std::string pieces = value;
        std::ranges::replace(pieces, ',', ':');
        bool any = false;
        for (std::size_t from = 0; from < pieces.size();) {
            const std::size_t end = std::min(pieces.find(':', from), pieces.size());
            const std::string piece = pieces.substr(from, end - from);
            from = end + 1;
            const auto equals = piece.find('=');
            if (equals == piece.npos) continue;
            const JobCount counts = count_in(resources, piece.substr(0, equals));
            if (counts == JobCount::none) continue;
            any = true;
            say(counts, key + " " + piece.substr(0, equals), piece.substr(equals + 1),
                nodes_of(piece.substr(equals + 1)), line);
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
    void set(const char* name, long long value) {
        if (value > 0) request_.environment[name] = std::to_string(value);
    }
    void fill_environment() {
        const long long nodes = said(JobCount::nodes), per_node = said(JobCount::tasks_per_node);
        const long long tasks = said(JobCount::tasks) ? said(JobCount::tasks) : nodes * per_node;
        const long long devices = said(JobCount::devices_per_node);
        if (system_ == "#SBATCH") {
            for (const char* name : {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"}) set(name, nodes);
            for (const char* name : {"SLURM_NTASKS", "SLURM_NPROCS"}) set(name, tasks);
            set("SLURM_NTASKS_PER_NODE", per_node);
            set("SLURM_CPUS_PER_TASK", said(JobCount::cpus_per_task));
            for (const char* name : {"SLURM_GPUS_ON_NODE"})
                set(name, devices ? devices : nodes ? said(JobCount::devices) / nodes : 0);
            for (const JobStatement& s : request_.said) {  // these are as they were asked for
                if (s.key == "#--gpus-per-node") request_.environment["SLURM_GPUS_PER_NODE"] = s.value;
                if (s.counts == JobCount::devices) request_.environment["SLURM_GPUS"] = s.value;
                if (s.counts == JobCount::devices_per_task) request_.environment["SLURM_GPUS_PER_TASK"] = s.value;
            }
            fill_hosts(nodes, 1);
        } else if (system_ == "#PBS") {
            set("PBS_NUM_NODES", nodes);
            set("PBS_NUM_PPN", per_node);
            request_.host_file = request_.environment["PBS_NODEFILE"] = "/var/spool/pbs/nodes";
            fill_hosts(nodes, std::max(1LL, per_node));
        } else if (system_ == "#PJM") {
            set("PJM_NODE", nodes);
            set("PJM_MPI_PROC", tasks);
            set("PJM_PROC_BY_NODE", per_node ? per_node : nodes ? tasks / nodes : 0);
        } else if (system_ == "#BSUB") {
            set("LSB_DJOB_NUMPROC", tasks);
            set("LSB_MAX_NUM_PROCESSORS", tasks);
        } else if (!system_.empty()) {
            set("FLUX_JOB_NNODES", nodes);
            set("FLUX_JOB_SIZE", tasks);
        }
    }
    void fill_hosts(long long nodes, long long lines_each) {
        if (nodes <= 0 || nodes * lines_each > 20000) return;
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
JobCount slurm_count(std::string_view option) { return count_in(slurm, option); }

int said_of(const std::vector<JobStatement>& all, JobCount counts) {
    int last = 0;
    for (const JobStatement& s : all)
        if (s.counts == counts && s.number) last = *s.number;
    return last;
}

BatchRequest read_directives(std::string_view script) { return Directives(script).take(); }

}  // namespace plimsoll::files
