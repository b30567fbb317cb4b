// What the commands of batch.h print, read.
#include "core/files/launch/batch.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace plimsoll {

namespace {

using Texts = std::vector<std::string>;

Texts lines_of(std::string_view text) {
    Texts all;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);)
        if (!trimmed(line).empty()) all.push_back(line);
    return all;
}

Texts trimmed_parts(std::string_view text, char at) {
    Texts all;
    std::istringstream in{std::string(text)};
    for (std::string part; std::getline(in, part, at);) all.emplace_back(trimmed(part));
    return all;
}

bool digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// The digits that follow `mark`.
std::optional<std::string> digits_after(std::string_view text, std::string_view mark) {
    const auto at = text.find(mark);
    if (at == text.npos) return std::nullopt;
    const std::string_view rest = text.substr(at + mark.size());
    const auto end = std::min(rest.size(), rest.find_first_not_of("0123456789"));
    return end > 0 ? std::optional(std::string(rest.substr(0, end))) : std::nullopt;
}

// "key=value" of a line whose values hold no spaces, as scontrol prints them.
std::string value_of(std::string_view line, std::string_view key) {
    std::istringstream words{std::string(line)};
    for (std::string word; words >> word;)
        if (word.starts_with(key) && word.size() > key.size() && word[key.size()] == '=')
            return word.substr(key.size() + 1);
    return {};
}

// What schedulers print where there is nothing to say.
std::string said(std::string_view text) {
    const std::string word(trimmed(text));
    return word == "-" || word == "None" || word == "(null)" || word == "0:0" ? std::string() : word;
}

struct Known {
    std::string_view word;
    JobState state;
};
template <std::size_t N>
JobState state_of(const Known (&known)[N], std::string_view word) {
    for (const Known& each : known)
        if (each.word == word) return each.state;
    return JobState::unknown;
}

using enum JobState;

// What lsf and flux print: columns with | between them, the job's state first. Unknown states have no columns.
struct StateLine {
    JobStatus status;
    Texts columns = Texts(4);
};
template <std::size_t N>
StateLine state_line(const Known (&known)[N], std::string_view printed) {
    const Texts lines = lines_of(printed);
    if (lines.empty()) return {};
    Texts columns = trimmed_parts(lines[0], '|');
    columns.resize(4);
    const JobState state = state_of(known, columns[0]);
    if (state == unknown) return {};
    return {{state, columns[0], {}}, columns};
}

// squeue(1), JOB STATE CODES; "CANCELLED by 1000" is sacct's.
JobStatus slurm(std::string_view printed) {
    static constexpr Known known[] = {
        {"PENDING", queued},       {"CONFIGURING", queued},   {"REQUEUED", queued},      {"REQUEUE_HOLD", queued},
        {"REQUEUE_FED", queued},   {"RESV_DEL_HOLD", queued}, {"SPECIAL_EXIT", queued},  {"RUNNING", running},
        {"COMPLETING", running},   {"SIGNALING", running},    {"STAGE_OUT", running},    {"SUSPENDED", running},
        {"STOPPED", running},      {"RESIZING", running},     {"COMPLETED", done},       {"CANCELLED", cancelled},
        {"REVOKED", cancelled},    {"FAILED", failed},        {"TIMEOUT", failed},       {"DEADLINE", failed},
        {"PREEMPTED", failed},     {"NODE_FAIL", failed},     {"OUT_OF_MEMORY", failed}, {"BOOT_FAIL", failed},
        {"LAUNCH_FAILED", failed}, {"RECONFIG_FAIL", failed}};
    const Texts lines = lines_of(printed);
    if (lines.empty()) return {};
    std::string word = value_of(lines[0], "JobState"), reason, code;
    if (!word.empty()) {
        reason = said(value_of(lines[0], "Reason"));
        code = said(value_of(lines[0], "ExitCode"));
    } else {
        const Texts parts = trimmed_parts(lines[0], '|');
        word = parts[0];
        if (parts.size() > 1) (parts[1].find(':') == parts[1].npos ? reason : code) = said(parts[1]);
    }
    JobStatus status{state_of(known, word.substr(0, word.find_first_of(" +"))), word, reason};
    if (status.state == JobState::unknown) return {};
    code = code.substr(0, code.find(':'));   // the rest is a signal
    if (status.state == failed && !code.empty() && code != "0")
        status.reason.append(status.reason.empty() ? "" : ", ").append("exit code ").append(code);
    return status;
}

// bjobs(1): stat|exit_code|exit_reason|pend_reason. A job that bkill ended is EXIT with TERM_OWNER or TERM_ADMIN.
JobStatus lsf(std::string_view printed) {
    static constexpr Known known[] = {{"PEND", queued},     {"PSUSP", queued}, {"WAIT", queued},   {"PROV", queued},
                                      {"FWD_PEND", queued}, {"RUN", running},  {"USUSP", running}, {"SSUSP", running},
                                      {"DONE", done},       {"EXIT", failed}};
    auto [status, parts] = state_line(known, printed);
    if (status.state == queued) status.reason = said(parts[3]);
    if (status.state != failed) return status;
    status.reason = said(parts[2]);
    for (const char* ours : {"TERM_OWNER", "TERM_ADMIN", "TERM_FORCE_OWNER", "TERM_FORCE_ADMIN"})
        if (status.reason.find(ours) != status.reason.npos) status.state = cancelled;
    if (status.reason.empty() && !said(parts[1]).empty()) status.reason = "exit code " + parts[1];
    return status;
}

// A column of pjstat's table, whose width is set by its header.
std::string column(const std::string& header, const std::string& row, std::string_view name) {
    std::size_t at = 0, next = 0;
    for (std::size_t from = 0; from < header.size(); from = next) {
        at = header.find_first_not_of(' ', from);
        if (at == header.npos) return {};
        const auto end = std::min(header.size(), header.find(' ', at));
        next = std::min(header.size(), header.find_first_not_of(' ', end));
        if (std::string_view(header).substr(at, end - at) == name) {
            if (at >= row.size()) return {};
            const auto length = next == header.size() ? row.npos : next - at;
            return std::string(trimmed(std::string_view(row).substr(at, length)));
        }
    }
    return {};
}

// pjstat -v: one row a job under JOB_ID ... ST ... EC PC SN ... REASON.
JobStatus pjm(std::string_view id, std::string_view printed) {
    static constexpr Known known[] = {{"ACC", queued},  {"QUE", queued},    {"HLD", queued},  {"RNA", queued},
                                      {"SPP", running}, {"SPD", running},   {"RSM", running}, {"RNP", running},
                                      {"RUN", running}, {"RNE", running},   {"RNO", running}, {"SWO", running},
                                      {"EXT", done},    {"CCL", cancelled}, {"RJT", failed},  {"ERR", failed}};
    std::string header;
    for (const std::string& line : lines_of(printed)) {
        if (line.find("JOB_ID") != line.npos) header = line;
        std::string first;
        std::istringstream(line) >> first;
        if (header.empty() || first != id) continue;
        JobStatus status{state_of(known, column(header, line, "ST")), column(header, line, "ST"),
                         said(column(header, line, "REASON"))};
        if (status.state == JobState::unknown) return {};
        const std::string code = column(header, line, "EC");
        if (status.state == done && !code.empty() && code != "0" && code != "-") status.state = failed;
        if (status.state == failed && status.reason.empty() && !code.empty()) status.reason = "exit code " + code;
        return status;
    }
    return {};
}

// qstat(1B) -f: "    job_state = R". Long values go on in lines that begin with a tab.
JobStatus pbs(std::string_view printed) {
    static constexpr Known known[] = {{"Q", queued},  {"H", queued},  {"W", queued},  {"T", queued},  {"M", queued},
                                      {"R", running}, {"E", running}, {"B", running}, {"S", running}, {"U", running},
                                      {"F", done},    {"X", done},    {"C", done}};
    std::string state, code, why;
    std::string* last = nullptr;
    for (const std::string& line : lines_of(printed)) {
        const auto at = line.find(" = ");
        if (line.starts_with('\t') && last) {
            last->append(trimmed(line));
            continue;
        }
        const std::string key(trimmed(line.substr(0, at)));
        last = key == "job_state" ? &state : key == "Exit_status" ? &code : key == "comment" ? &why : nullptr;
        if (last && at != line.npos) *last = trimmed(line.substr(at + 3));
    }
    JobStatus status{state_of(known, state), state, why};
    if (status.state == JobState::unknown) return {};
    if (status.state != done || code == "0") return status;
    // 256 and above: ended by a signal, SIGTERM from qdel; without a code it never began.
    const bool deleted = code.empty() || code == "271" || code == "265";
    status.state = deleted ? cancelled : failed;
    if (!deleted) status.reason.append(why.empty() ? "" : ", ").append("exit code ").append(code);
    return status;
}

// flux-jobs(1), JOB STATUS: status|returncode|exception.type|exception.note
JobStatus flux(std::string_view printed) {
    static constexpr Known known[] = {{"DEPEND", queued},   {"PRIORITY", queued},   {"SCHED", queued},
                                      {"PENDING", queued},  {"RUN", running},       {"CLEANUP", running},
                                      {"RUNNING", running}, {"COMPLETED", done},    {"FAILED", failed},
                                      {"TIMEOUT", failed},  {"CANCELED", cancelled}};
    auto [status, parts] = state_line(known, printed);
    status.reason = said(parts[2]);
    if (const std::string note = said(parts[3]); !note.empty())
        status.reason.append(status.reason.empty() ? "" : ": ").append(note);
    if (status.state == failed && status.reason.empty() && !said(parts[1]).empty())
        status.reason = "exit code " + parts[1];
    return status;
}

// "ƒ2oLkTLb", or f for the florin where the terminal has none.
bool flux_id(std::string_view word) {
    if (word.starts_with("ƒ")) word.remove_prefix(std::string_view("ƒ").size());
    return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c); });
}

}  // namespace

std::optional<std::string> job_id(BatchKind kind, std::string_view printed) {
    const Texts lines = lines_of(printed);
    if (kind == BatchKind::lsf) return digits_after(printed, "Job <");  // "Job <1234> is submitted to queue <batch>."
    if (kind == BatchKind::pjm)
        return digits_after(printed, "pjsub Job ");  // "[INFO] PJM 0000 pjsub Job 7280061 submitted."
    if (kind == BatchKind::slurm)
        if (auto id = digits_after(printed, "Submitted batch job ")) return id;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {                 // notices come before it
        std::string word(trimmed(*line));
        if (kind == BatchKind::slurm) word = word.substr(0, word.find(';'));         // --parsable: "1234;cluster"
        if (is_job_id(kind, word)) return word;
    }
    return std::nullopt;
}

bool is_job_id(BatchKind kind, std::string_view id) {
    if (kind == BatchKind::flux) return flux_id(id);
    if (kind != BatchKind::pbs) return digits(id);
    const auto dot = id.find('.');  // "6174.polaris-pbs-01.example.org"
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
    return digits(id.substr(0, dot)) && id.find_first_not_of(letters) == id.npos;
}

JobStatus job_status(BatchKind kind, std::string_view id, std::string_view printed) {
    switch (kind) {
        case BatchKind::slurm: return slurm(printed);
        case BatchKind::lsf: return lsf(printed);
        case BatchKind::pjm: return pjm(id, printed);
        case BatchKind::pbs: return pbs(printed);
        case BatchKind::flux: return flux(printed);
        case BatchKind::grid_engine: break;
    }
    return {};
}

std::string_view name_of(JobState state) {
    constexpr std::string_view names[] = {"queued", "running", "done", "failed", "cancelled", "unknown"};
    return names[std::size_t(state)];
}

std::string say(const JobStatus& status) {
    std::string text(name_of(status.state));
    if (!status.words.empty()) text.append(" (").append(status.words).append(")");
    if (!status.reason.empty()) text.append(": ").append(status.reason);
    return text;
}

}  // namespace plimsoll
