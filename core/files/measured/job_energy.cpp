#include "core/files/measured/job_energy.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace plimsoll {

namespace {

using Fields = std::vector<std::string_view>;

constexpr std::string_view whole_nodes =
    "all nodes of the job, whole: right only where the job had them to itself; without switches and cooling";
constexpr const char* no_data =
    "0 joules, which Slurm says where no plug-in counts energy (AcctGatherEnergyType=none, as \"scontrol show config\" "
    "tells): no data";

Fields fields_of(std::string_view text, char separator) {
    Fields fields;
    for (std::size_t end = 0; end != text.npos; text.remove_prefix(std::min(end + 1, text.size()))) {
        end = text.find(separator);
        fields.push_back(text.substr(0, end));
    }
    return fields;
}

constexpr double most_of_anything = 1e18, most_nodes = 1e7, longest_job = 1e9;   // seconds: thirty years

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || !(value >= 0)
        || value > most_of_anything)
        return std::nullopt;
    return value;
}

// "[DAYS-]HOURS:MINUTES:SECONDS[.PART]", as sacct prints Elapsed.
std::optional<Seconds> duration(std::string_view text) {
    double days = 0;
    if (const auto dash = text.find('-'); dash != text.npos) {
        const auto n = number(text.substr(0, dash));
        if (!n) return std::nullopt;
        days = *n;
        text.remove_prefix(dash + 1);
    }
    double seconds = 0;
    for (const std::string_view part : fields_of(text, ':')) {
        const auto n = number(part);
        if (!n) return std::nullopt;
        seconds = 60 * seconds + *n;
    }
    const double all = 86400 * days + seconds;
    return all <= longest_job ? std::optional(all * second) : std::nullopt;
}

// A node of eight accelerators draws up to 15 kW, an empty one of a laptop's kind some 20 W. Counters that wrap, and
// plug-ins that add up a rack or count nothing for part of the job, lie far outside.
constexpr double most_of_a_node = 30e3, least_of_a_node = 5;

std::string doubt_of(Watts node) {
    const double watts = node / watt;
    if (watts >= least_of_a_node && watts <= most_of_a_node) return {};
    return std::string("that is ")
        .append(say(node))
        .append(watts > most_of_a_node ? " a node, more than any draws" : " a node, less than any at rest")
        .append(": the counter or the plug-in behind it was wrong, and the number is not to be used");
}

// Reads line by line: the job's own line counts, steps lie in it. Until it has a number, the sum of its steps stands
// in.
class Job {
public:
    explicit Job(const Fields& names) : names_(names) {}
    void take(const Fields& fields, long line);
    JobEnergy result();
    Problems problems;

private:
    std::string_view field(const Fields& fields, std::string_view name) const {
        const auto at = std::find(names_.begin(), names_.end(), name);
        const auto i = std::size_t(at - names_.begin());
        return at == names_.end() || i >= fields.size() ? std::string_view{} : fields[i];
    }
    void say(long line, std::string message) {
        problems.push_back(
            {Severity::error, "", "", phrase("line {1}: {2}", line, message)});
    }
    void take_job(const Fields& fields, long line);

    const Fields names_;
    JobEnergy job_;
    double steps_J_ = 0;
    bool zero_ = false;
};

void Job::take(const Fields& fields, long line) {
    const std::string id(field(fields, "JobID"));
    const std::size_t dot = id.find('.');
    const std::string job = id.substr(0, dot);
    if (job_.job.empty()) job_.job = job;
    if (job != job_.job)
        return say(line, phrase("job {1} after job {2}: one job at a time (-j ID)", job, job_.job));
    const std::string_view raw = field(fields, "ConsumedEnergyRaw");
    const double joules = raw.empty() ? 0 : number(raw).value_or(-1);
    if (joules < 0) return say(line, phrase("{1} is \"{2}\", not a number of joules", "ConsumedEnergyRaw", raw));
    zero_ = zero_ || (!raw.empty() && joules == 0);
    if (dot != id.npos) {
        steps_J_ += joules;
        return;
    }
    if (joules > 0) job_.energy = joules * joule;
    take_job(fields, line);
}

void Job::take_job(const Fields& fields, long line) {
    if (const auto text = field(fields, "Elapsed"); !text.empty()) {
        job_.elapsed = duration(text);
        if (!job_.elapsed) say(line, phrase("{1} is \"{2}\", not [days-]hours:minutes:seconds", "Elapsed", text));
    }
    if (const auto text = field(fields, "NNodes"); !text.empty()) {
        const auto n = number(text);
        if (n && *n >= 1 && *n <= most_nodes) job_.nodes = int(*n);
        else say(line, phrase("{1} is \"{2}\", not a count of nodes", "NNodes", text));
    }
}

JobEnergy Job::result() {
    if (!job_.energy && steps_J_ > 0) {
        job_.energy = steps_J_ * joule;
        job_.of_steps = true;
    }
    if (job_.energy && job_.elapsed && job_.nodes > 0) job_.doubt = doubt_of(*job_.energy / *job_.elapsed / job_.nodes);
    if (job_.energy) job_.scope = whole_nodes;
    else
        job_.reason = zero_ ? no_data
                            : "Slurm has no energy of this job: it is asked for with "
                              "--format=JobID,Elapsed,NNodes,ConsumedEnergyRaw, after the job has begun";
    return job_;
}

Unexpected<Problems> refused(std::string message) {
    return Unexpected<Problems>{{{Severity::error, "", "", std::move(message)}}};
}

}  // namespace

Expected<JobEnergy, Problems> read_job_energy(std::string_view text) {
    const Fields lines = fields_of(text, '\n');
    const auto trimmed = [](std::string_view line) {
        return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    };
    const Fields names = fields_of(trimmed(lines.front()), '|');
    for (const std::string_view wanted : {"JobID", "ConsumedEnergyRaw"})
        if (std::find(names.begin(), names.end(), wanted) == names.end())
            return refused(phrase("line 1: no column {1}; what is read is {2}, or sstat likewise", wanted,
                                  "sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P"));
    Job job(names);
    long taken = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::string_view line = trimmed(lines[i]);
        if (line.empty()) continue;
        job.take(fields_of(line, '|'), long(i) + 1);
        ++taken;
    }
    if (taken == 0) return refused(
            phrase("a heading and no job below it: Slurm knows no job of this id, or it is not yours"));
    if (!job.problems.empty()) return Unexpected<Problems>{job.problems};
    return job.result();
}

std::string say(const JobEnergy& job) {
    if (!job.energy) return std::string("The batch system has no joules of the job: ").append(job.reason).append(".");
    std::string text = std::string("The batch system counted ").append(say(*job.energy)).append(" for the whole job");
    if (job.elapsed) {
        text.append(" (").append(say(*job.elapsed));
        if (job.nodes > 0)
            text.append(" on ").append(std::to_string(job.nodes)).append(job.nodes == 1 ? " node" : " nodes");
        text.append(")");
    }
    if (job.of_steps) text.append(", summed over its steps");
    text.append(": ").append(job.scope).append(".");
    return job.doubt.empty() ? text : text.append(" But ").append(job.doubt).append(".");
}

}  // namespace plimsoll
