// Conditions: test, [ ] and [[ ]]. What hangs on something unknown is open.
#include "core/files/settings/shell_machine.h"

#include "core/files/settings/setting_words.h"

#include <algorithm>
#include <charconv>

namespace plimsoll::files {

namespace {

using Answer = std::optional<bool>;  // nothing: open

Answer both(Answer a, Answer b) {
    if ((a && !*a) || (b && !*b)) return false;
    return a && b ? Answer(true) : std::nullopt;
}
Answer either(Answer a, Answer b) {
    if ((a && *a) || (b && *b)) return true;
    return a && b ? Answer(false) : std::nullopt;
}
Answer opposite(Answer a) { return a ? Answer(!*a) : a; }

bool is_comparison(std::string_view op) {
    constexpr std::string_view all[] = {"=",   "==",  "!=",  "<",   ">",   "=~",  "-eq", "-ne",
                                        "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};
    return std::ranges::find(all, op) != std::end(all);
}
bool is_single_test(std::string_view op) {
    return op.size() == 2 && op[0] == '-'
        && std::string_view("znfdesrwxLhvptbcSgukOG").find(op[1]) != std::string_view::npos;
}

// Conditions put together of smaller ones; `Leaf` reads one and goes on in the words.
template <class Word, class Leaf>
class Condition {
public:
    Condition(const std::vector<Word>& words, Leaf leaf, std::string_view and_, std::string_view or_)
        : words_(words), leaf_(leaf), and_(and_), or_(or_) {}
    Answer whole() { return words_.empty() ? Answer(false) : any(); }

private:
    bool at(std::string_view w) const { return i_ < words_.size() && words_[i_].text == w; }
    Answer any() {
        Answer a = all();
        while (at(or_)) ++i_, a = either(a, all());
        return a;
    }
    Answer all() {
        Answer a = one();
        while (at(and_)) ++i_, a = both(a, one());
        return a;
    }
    Answer one() {
        if (++deep_ > 40) return i_ = words_.size(), std::nullopt;
        Answer a;
        if (at("!") && i_ + 1 < words_.size()) ++i_, a = opposite(one());
        else if (at("(") && i_ + 2 < words_.size()) {
            ++i_;
            a = any();
            if (at(")")) ++i_;
        } else a = leaf_(i_);
        --deep_;
        return a;
    }
    const std::vector<Word>& words_;
    Leaf leaf_;
    std::string_view and_, or_;
    std::size_t i_ = 0;
    int deep_ = 0;
};

std::string in_one_line(const std::vector<ShellWord>& words) {
    std::string text;
    for (const ShellWord& w : words)
        if (text.size() < 200) text += (text.empty() ? "" : " ") + w.text;
    return text;
}

// [[ .. ]] as words.
std::vector<RawWord> condition_words(std::string_view t, int line) {
    std::vector<RawWord> all;
    for (std::size_t i = 0; i < t.size();) {
        if (t[i] == ' ' || t[i] == '\t' || t[i] == '\n' || t[i] == '\r') {
            ++i;
            continue;
        }
        std::size_t end = i;
        if (!all.empty() && all.back().text == "=~") {
            for (int level = 0; end < t.size() && ((t[end] != ' ' && t[end] != '\n') || level > 0);) {
                if (t[end] == '"' || t[end] == '\'') {
                    end = shell_quote_end(t, end);
                    continue;
                }
                if (t[end] == '$' && end + 1 < t.size() && t[end + 1] == '{') {
                    end = shell_dollar_end(t, end);
                    continue;
                }
                level += t[end] == '(' ? 1 : t[end] == ')' ? -1 : 0;
                ++end;
            }
        } else if (t.substr(i, 2) == "&&" || t.substr(i, 2) == "||") end = i + 2;
        else if (t[i] == '(' || t[i] == ')' || t[i] == '<' || t[i] == '>') end = i + 1;
        else end = shell_word_end(t, i);
        end = std::max(end, i + 1);
        all.push_back({std::string(t.substr(i, end - i)), line});
        i = end;
    }
    return all;
}

}  // namespace

std::optional<bool> ShellMachine::single_test(const std::string& op, const std::string& a) {
    const bool known = is_known(a);
    if (op == "-n" || op == "-z") {
        if (!known && a.front() == unknown_begins && a.find(unknown_ends) == a.size() - 1) return std::nullopt;
        return (op == "-n") == !a.empty();
    }
    if (op == "-v") {
        if (!known) return std::nullopt;
        return variables_.contains(a) ? Answer(!variables_.at(a).items.empty()) : std::nullopt;
    }
    if (op == "-t" || op == "-p") return std::nullopt;
    if (a.empty()) return false;
    if (const std::string* file = file_named(a)) {
        if (op == "-f" || op == "-e" || op == "-r") return true;
        if (op == "-s") return !file->empty();
        if (op == "-d" || op == "-L" || op == "-h") return false;
    }
    return std::nullopt;
}

std::optional<bool> ShellMachine::compared(const std::string& a, const std::string& op, const std::string& b) {
    if (!is_known(a) || !is_known(b)) return std::nullopt;
    if (op == "=" || op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op[1] == 'n' && op == "-nt") return std::nullopt;
    const auto number = [](std::string_view text) -> std::optional<long long> {
        const auto from = text.find_first_not_of(" \t\n");
        if (from == text.npos) return std::nullopt;
        text = text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
        if (text.starts_with('+')) text.remove_prefix(1);
        long long v = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
        return error == std::errc{} && end == text.data() + text.size() ? std::optional(v) : std::nullopt;
    };
    const auto x = number(a), y = number(b);
    if (!x || !y) return false;  // an error for bash
    if (op == "-eq") return *x == *y;
    if (op == "-ne") return *x != *y;
    if (op == "-lt") return *x < *y;
    if (op == "-le") return *x <= *y;
    if (op == "-gt") return *x > *y;
    return op == "-ge" ? Answer(*x >= *y) : std::nullopt;
}

ShellStatus ShellMachine::test(const Words& words) {
    const auto leaf = [&](std::size_t& i) -> Answer {
        const std::size_t left = words.size() - i;
        if (left >= 3 && is_comparison(words[i + 1].text)) {
            i += 3;
            return compared(words[i - 3].text, words[i - 2].text, words[i - 1].text);
        }
        if (left >= 2 && is_single_test(words[i].text) && words[i + 1].text != "-a" && words[i + 1].text != "-o") {
            i += 2;
            return single_test(words[i - 2].text, words[i - 1].text);
        }
        if (left == 0) return false;
        return single_test("-n", words[i++].text);
    };
    const Answer a = Condition(words, leaf, "-a", "-o").whole();
    return a ? ShellStatus::of(*a) : ShellStatus::open("[ " + in_one_line(words) + " ]");
}

ShellStatus ShellMachine::condition(const ShellNode& node) {
    const std::vector<RawWord> words = condition_words(node.words[0].text, node.line);
    std::string about;
    const auto said = [&](std::string text) {
        if (about.size() < 200) about += (about.empty() ? "" : " ") + text;
        return text;
    };
    const auto leaf = [&](std::size_t& i) -> Answer {
        const std::size_t left = words.size() - i;
        if (left == 0) return false;
        if (left >= 3 && is_comparison(words[i + 1].text)) {
            const std::string& op = words[i + 1].text;
            const std::string& right = words[i + 2].text;
            i += 3;
            const std::string a = said(text_of(words[i - 3].text, node.line));
            said(op);
            if (op[0] == '-') {  // sums on both sides
                const std::string b = said(text_of(right, node.line));
                const auto x = sum_of(a, node.line), y = sum_of(b, node.line);
                return x && y ? compared(std::to_string(*x), op, std::to_string(*y)) : std::nullopt;
            }
            const std::string pattern =
                op == "<" || op == ">" ? text_of(right, node.line) : pattern_of(right, node.line);
            said(pattern);
            if (!is_known(a) || !is_known(pattern)) return std::nullopt;
            if (op == "<" || op == ">") return compared(a, op, pattern);
            budget_.spend((long long)(a.size() * (pattern.size() / 64 + 1)) + 1);
            if (op == "=~") return regex_found(pattern, a);
            return matches_pattern(pattern, a) == (op != "!=");
        }
        if (left >= 2 && is_single_test(words[i].text)) {
            i += 2;
            said(words[i - 2].text);
            return single_test(words[i - 2].text, said(text_of(words[i - 1].text, node.line)));
        }
        return single_test("-n", said(text_of(words[i++].text, node.line)));
    };
    const Answer a = Condition(words, leaf, "&&", "||").whole();
    return a ? ShellStatus::of(*a) : ShellStatus::open("[[ " + about + " ]]");
}

}  // namespace plimsoll::files
