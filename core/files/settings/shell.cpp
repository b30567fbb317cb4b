// How the commands of a script follow each other: branches, loops, functions, pipes; and each way an undecided script
// can go.
#include "core/files/settings/shell.h"

#include "core/files/settings/shell_machine.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::files {

namespace {

constexpr long long most_shell_cost = 40'000'000;  // of all runs together
constexpr std::size_t most_runs = 96, most_commands = 256;
constexpr int most_rounds = 20000;

bool is_declaration(std::string_view word) {
    return word == "export" || word == "local" || word == "declare" || word == "typeset" || word == "readonly";
}

// What is not known stands in a file of JSON as a text between quotes, so that the rest of it can be read.
std::string as_json(const std::string& text) {
    std::string out;
    bool quoted = text.starts_with(unknown_begins);  // nothing of it is known
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == unknown_begins && !quoted) {
            const std::size_t end = std::min(text.find(unknown_ends, i), text.size() - 1);
            out += '"';
            for (const char c : without_marks(text.substr(i, end - i))) out += c == '"' || c == '\\' ? '\'' : c;
            out += '"';
            i = end;
            continue;
        }
        if (text[i] == '\\' && quoted && i + 1 < text.size()) out += text[i++];
        else if (text[i] == '"') quoted = !quoted;
        out += text[i];
    }
    return without_marks(out);
}

// Puts a value back when a command is over.
template <class T>
class Restored {
public:
    Restored(T& place, T now) : place_(place), was_(std::exchange(place, std::move(now))) {}
    ~Restored() { place_ = std::move(was_); }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;

private:
    T& place_;
    T was_;
};

}  // namespace

ShellMachine::ShellMachine(const ShellInput& in, std::vector<bool> decided, ShellBudget& budget,
                           std::map<std::string, ShellNote>& notes)
    : in_(in), decided_(std::move(decided)), budget_(budget), notes_(notes) {
    for (const auto& [name, value] : in.environment) {
        ShellVariable& v = variables_[name];
        v.items[0] = {value, true, 0};
        v.exported = true;
    }
}

ShellRun ShellMachine::run() {
    last_ = script_text(in_.script, 1, nullptr, false);
    if (budget_.left <= 0) note("$", phrase("the script takes too many steps to work out: its end is not read"), 0);
    run_.failed = flow_ == Flow::exit_ && last_.known && last_.code != 0;
    for (const auto& [name, v] : variables_)
        for (const auto& [at, item] : v.items)
            run_.variables[name].push_back({without_marks(item.text), is_known(item.text), item.line});
    std::map<std::string, std::string> written;
    for (const auto& [name, text] : run_.files)
        written[without_marks(name)] = name.ends_with(".json") ? as_json(text) : without_marks(text);
    run_.files = std::move(written);
    return std::move(run_);
}

void ShellMachine::note(const std::string& name, std::string says, int line) {
    if (notes_.size() < 64) notes_.try_emplace(name + says, ShellNote{without_marks(name), without_marks(says), line});
}

// ---- Decisions

bool ShellMachine::holds(const ShellStatus& s, int line) {
    if (s.known) return s.code == 0;
    const std::string about = without_marks(s.about).substr(0, 200);
    if (const auto known = known_decisions_.find(about); known != known_decisions_.end()) return known->second;
    const std::size_t n = run_.decisions.size();
    const bool answer = n < decided_.size() && decided_[n];
    if (n < 200) run_.decisions.push_back({line, about, answer});
    return known_decisions_[about] = answer;
}

// ---- Commands

ShellStatus ShellMachine::execute(const ShellNode& node) {
    if (stopped() || depth_ > 100 || !budget_.spend(16)) return last_;
    ++depth_;
    last_ = node.redirects.empty() || node.kind == ShellNode::Kind::function ? executed(node) : redirected(node);
    --depth_;
    return last_;
}

ShellStatus ShellMachine::executed(const ShellNode& node) {
    using Kind = ShellNode::Kind;
    switch (node.kind) {
        case Kind::list:
        case Kind::group:
            return list(node);
        case Kind::simple:
            return simple(node);
        case Kind::pipeline:
            return pipeline(node);
        case Kind::chain:
            return chain(node);
        case Kind::negation: {
            ShellStatus s = execute(node.parts[0]);
            s.known ? void(s.code = s.code == 0) : void(s.about = "! " + s.about);
            return s.known ? s : ShellStatus::of(!holds(ShellStatus::open(s.about.substr(2)), node.line));
        }
        case Kind::background:
        case Kind::subshell:
            return apart(node);
        case Kind::if_:
            return if_(node);
        case Kind::while_:
        case Kind::until_:
            return loop(node);
        case Kind::for_words:
            return for_words(node);
        case Kind::for_sums:
            return for_sums(node);
        case Kind::case_:
            return case_(node);
        case Kind::function:
            functions_[node.words[0].text] = &node.parts[0];
            return {};
        case Kind::sums: {
            const std::string sum = text_of("\"" + node.words[0].text + "\"", node.line);
            const auto v = sum_of(sum, node.line);
            return v ? ShellStatus::of(*v != 0) : ShellStatus::open("(( " + sum + " ))");
        }
        case Kind::condition:
            return condition(node);
    }
    return {};
}

ShellStatus ShellMachine::list(const ShellNode& node) {
    ShellStatus s;
    for (const ShellNode& part : node.parts) {
        if (stopped()) break;
        s = execute(part);
    }
    return flow_ != Flow::none ? last_ : s;
}

ShellStatus ShellMachine::chain(const ShellNode& node) {
    ShellStatus s = execute(node.parts[0]);
    for (std::size_t i = 1; i < node.parts.size() && !stopped(); ++i) {
        const bool held = holds(s, node.line);
        if (held == (node.operators[i - 1] == '&')) s = execute(node.parts[i]);
        else s = ShellStatus::of(held);
    }
    return flow_ != Flow::none ? last_ : s;
}

ShellStatus ShellMachine::if_(const ShellNode& node) {
    std::size_t i = 0;
    for (; i + 1 < node.parts.size(); i += 2) {
        const ShellStatus s = execute(node.parts[i]);
        if (stopped()) return last_;
        if (holds(s, node.parts[i].parts.empty() ? node.line : node.parts[i].parts.back().line))
            return execute(node.parts[i + 1]);
    }
    return i < node.parts.size() ? execute(node.parts[i]) : ShellStatus{};
}

bool ShellMachine::goes_on(int& rounds) {
    if (budget_.left <= 0 || flow_ == Flow::return_ || flow_ == Flow::exit_) return false;
    if (flow_ == Flow::break_ || flow_ == Flow::continue_) {
        const bool here = --levels_ <= 0, ends = flow_ == Flow::break_ || !here;
        if (here) flow_ = Flow::none;
        if (ends) return false;
    }
    return ++rounds < most_rounds;
}

ShellStatus ShellMachine::loop(const ShellNode& node) {
    int rounds = 0;
    ++loops_;
    ShellStatus result;
    while (!stopped()) {
        const ShellStatus s = execute(node.parts[0]);
        if (stopped() && flow_ != Flow::break_) break;
        if (!s.known) {
            note("while",
                 phrase("the loop of line {1} hangs on what the script does not say: {2}; it is not entered", node.line,
                        s.about.substr(0, 100)),
                 node.line);
            break;
        }
        if ((s.code == 0) != (node.kind == ShellNode::Kind::while_)) break;
        result = execute(node.parts[1]);
        if (!goes_on(rounds)) break;
    }
    --loops_;
    return result;
}

ShellStatus ShellMachine::for_words(const ShellNode& node) {
    int rounds = 0;
    ++loops_;
    ShellStatus result;
    for (const ShellWord& w : fields(node.words, 1)) {
        if (stopped()) break;
        variable(node.words[0].text, false).items = {{0, {w.text, true, node.line}}};
        result = execute(node.parts[0]);
        if (!goes_on(rounds)) break;
    }
    --loops_;
    return result;
}

ShellStatus ShellMachine::for_sums(const ShellNode& node) {
    const auto sum = [&](int i) {
        return sum_of(text_of("\"" + node.words[std::size_t(i)].text + "\"", node.line), node.line);
    };
    int rounds = 0;
    ++loops_;
    sum(0);
    ShellStatus result;
    while (!stopped()) {
        const auto more =
            node.words[1].text.find_first_not_of(" \t") == std::string::npos ? std::optional(1LL) : sum(1);
        if (!more.value_or(0)) break;
        result = execute(node.parts[0]);
        if (!goes_on(rounds)) break;
        sum(2);
    }
    --loops_;
    return result;
}

ShellStatus ShellMachine::case_(const ShellNode& node) {
    const std::string subject = text_of(node.words[0].text, node.line);
    for (std::size_t i = 0; i < node.parts.size(); ++i)
        for (const RawWord& raw : node.patterns[i]) {
            const std::string pattern = pattern_of(raw.text, raw.line);
            const bool decided = pattern == "*" || (is_known(subject) && is_known(pattern));
            budget_.spend((long long)(subject.size() * (pattern.size() / 64 + 1)) + 1);
            if (decided ? pattern == "*" || matches_pattern(pattern, subject)
                        : holds(ShellStatus::open("case " + subject + " in " + pattern), node.line))
                return execute(node.parts[i]);
        }
    return {};
}

ShellStatus ShellMachine::pipeline(const ShellNode& node) {
    Input flowing;
    ShellStatus s;
    for (std::size_t i = 0; i < node.parts.size() && !stopped(); ++i) {
        std::string output;
        Input given = flowing;
        const bool last = i + 1 == node.parts.size();
        Restored<Input*> input(input_, i == 0 ? input_ : &given);
        Restored<std::string*> out(out_, last ? out_ : &output);
        s = apart(node.parts[i]);
        budget_.spend((long long)output.size());
        flowing = {std::move(output), 0};
    }
    return s;
}

ShellStatus ShellMachine::apart(const ShellNode& node) {
    const std::size_t bytes = std::accumulate(variables_.begin(), variables_.end(), std::size_t(0),
                                              [](std::size_t n, const auto& v) { return n + v.second.bytes(); });
    if (!budget_.spend((long long)bytes / 8)) return last_;
    Variables variables = variables_;
    Words arguments = arguments_;
    const bool called = called_;
    ShellStatus s;
    if (node.kind == ShellNode::Kind::subshell || node.kind == ShellNode::Kind::background) s = list(node);
    else s = execute(node);
    if (flow_ == Flow::exit_ || flow_ == Flow::return_) {
        s = last_;
        flow_ = Flow::none;
    }
    variables_ = std::move(variables);
    arguments_ = std::move(arguments);
    called_ = called;
    return s;
}

ShellStatus ShellMachine::redirected(const ShellNode& node) {
    Input given;
    std::string output, to;
    bool writes = false, adds = false;
    Restored<Input*> input(input_, input_);
    Restored<std::string*> out(out_, out_);
    for (const ShellRedirect& r : node.redirects) {
        using Kind = ShellRedirect::Kind;
        if (r.kind == Kind::document && r.document) {
            given = {r.expands ? document_of(r.document->text, r.document->line) : r.document->text, 0};
            input_ = &given;
            continue;
        }
        const std::string target = text_of(r.target.text, r.target.line);
        if (r.kind == Kind::text) given = {target + "\n", 0}, input_ = &given;
        else if (r.kind == Kind::read) {
            const std::string* file = file_named(target);
            given = {file ? *file : unknown_text("$(< " + target + ")"), 0};
            input_ = &given;
        } else if (r.kind == Kind::duplicate) {
            if (target == "2" && r.descriptor != 2) out_ = nullptr;
        } else if (r.descriptor != 2) {
            writes = true;
            adds = r.kind == Kind::append;
            to = target;
            out_ = &output;
        }
    }
    const ShellStatus s = executed(node);
    if (writes && to != "/dev/null" && run_.files.size() < 64 && budget_.spend((long long)output.size())) {
        std::string& file = run_.files[to];
        if (!adds) file.clear();
        if (file.size() + output.size() < (1 << 20)) file += output;
    }
    return s;
}

ShellStatus ShellMachine::script_text(std::string_view text, int line, const Words* arguments, bool in_a_shell) {
    if (depth_ > 60 || !budget_.spend((long long)text.size() + 16)) return ShellStatus::open("a script");
    scripts_.push_back(parse_shell(text, line));
    const ShellScript& script = scripts_.back();
    if (script.broken_at > 0)
        note("$", phrase("from line {1} on the script cannot be parsed", script.broken_at), script.broken_at);
    Restored<Words> given(arguments_, arguments ? *arguments : arguments_);
    Restored<bool> called(called_, called_ || arguments);
    ++depth_;
    const ShellStatus s = in_a_shell ? apart(script.body) : list(script.body);
    --depth_;
    return s;
}

std::string ShellMachine::output_of(std::string_view script, int line, std::string_view as_written) {
    if (script.starts_with("<") && !script.starts_with("<<") && !script.starts_with("<(")) {
        const auto from = script.find_first_not_of(" \t", 1);
        const std::string* file = from == script.npos ? nullptr : file_named(text_of(script.substr(from), line));
        if (!file) return unknown_text(as_written);
        std::string text = *file;
        while (text.ends_with('\n')) text.pop_back();
        return text;
    }
    std::string output;
    const Flow before = flow_;
    {
        Restored<std::string*> out(out_, &output);
        last_ = script_text(script, line, nullptr, true);
    }
    flow_ = before;
    if (!budget_.spend((long long)output.size()) || depth_ > 60) return unknown_text(as_written);
    while (output.ends_with('\n')) output.pop_back();
    return output;
}

ShellStatus ShellMachine::call(const ShellNode& body, const Words& words) {
    Restored<Words> given(arguments_, Words(words.begin() + 1, words.end()));
    Restored<bool> called(called_, true);
    local_.emplace_back();
    ShellStatus s = execute(body);
    if (flow_ == Flow::return_) {
        flow_ = Flow::none;
        s = last_;
    }
    for (auto& [name, was] : local_.back()) {
        if (was) variables_[name] = std::move(*was);
        else variables_.erase(name);
    }
    local_.pop_back();
    return s;
}

ShellStatus ShellMachine::simple(const ShellNode& node) {
    std::size_t first = 0;
    while (first < node.words.size() && shell_assigned_name_end(node.words[first].text) != std::string::npos) ++first;
    if (first == node.words.size()) {
        last_ = {};
        for (const RawWord& w : node.words) assign(w.text, w.line, false, false);
        return last_;
    }
    const RawWord& head = node.words[first];
    if (is_declaration(head.text) && first == 0) return declare(node.words, node.line);
    std::vector<std::pair<std::string, std::optional<ShellVariable>>> before;
    const Words words = fields(node.words, first);
    for (std::size_t i = 0; i < first; ++i) {
        const std::string name = node.words[i].text.substr(0, shell_assigned_name_end(node.words[i].text));
        const auto old = variables_.find(name);
        before.emplace_back(name, old == variables_.end() ? std::nullopt : std::optional(old->second));
        assign(node.words[i].text, node.words[i].line, true, false);
    }
    const ShellStatus s = words.empty() ? ShellStatus{} : words_run(words, node.line);
    for (std::size_t i = words.empty() ? 0 : before.size(); i-- > 0;) {
        if (before[i].second) variables_[before[i].first] = std::move(*before[i].second);
        else variables_.erase(before[i].first);
    }
    return s;
}

ShellStatus ShellMachine::words_run(const Words& words, int line) {
    if (const auto f = functions_.find(words[0].text); f != functions_.end()) return call(*f->second, words);
    if (auto s = command(words, line)) return *s;
    return outside(words, line);
}

// ---- Every way that it can go

namespace {

bool same_outcome(const ShellRun& a, const ShellRun& b) {
    return a.commands == b.commands && a.files == b.files && a.failed == b.failed;
}

}  // namespace

ShellRuns run_shell(const ShellInput& in) {
    ShellRuns result;
    ShellBudget budget{most_shell_cost};
    std::map<std::string, ShellNote> notes;
    struct Open {
        std::vector<bool> decided;
        std::size_t parent;
    };
    std::vector<Open> queue{{{}, 0}};
    std::set<std::string> idle;  // conditions that were seen to change nothing
    std::size_t n = 0;
    for (; n < queue.size() && n < most_runs && (n == 0 || budget.left > 0); ++n) {
        const Open open = queue[n];
        ShellRun run = ShellMachine(in, open.decided, budget, notes).run();
        if (n > 0 && budget.left <= 0) break;
        const bool first = n == 0;
        if (!first && same_outcome(run, result.runs[open.parent])) {
            if (!open.decided.empty() && open.decided.size() <= run.decisions.size())
                idle.insert(run.decisions[open.decided.size() - 1].about);
            continue;
        }
        for (std::size_t i = open.decided.size(); i < run.decisions.size(); ++i) {
            if (idle.contains(run.decisions[i].about)) continue;
            std::vector<bool> other;
            for (std::size_t k = 0; k < i; ++k) other.push_back(run.decisions[k].holds);
            other.push_back(true);
            queue.push_back({std::move(other), result.runs.size()});
        }
        result.runs.push_back(std::move(run));
    }
    if (n < queue.size())
        notes["$ways"] = {"$",
                          phrase("its conditions leave more ways open than are worked out: {1} were, and what the "
                                 "others change is not known",
                                 n),
                          0};
    // A way that ends in an error of the script's own, or starts nothing, is not the one that is meant.
    const auto meant = [](const ShellRun& r) { return !r.failed && !r.commands.empty(); };
    if (std::ranges::any_of(result.runs, meant))
        std::erase_if(result.runs, [&](const ShellRun& r) { return !meant(r); });
    for (auto& [name, note] : notes) result.notes.push_back(std::move(note));
    return result;
}

}  // namespace plimsoll::files
