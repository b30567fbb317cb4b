// The arguments in a shell script, read and not run: variables that the script sets plainly are put in, branches and
// functions are not followed.
#include "core/files/settings/settings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace plimsoll::files {

namespace {

bool is_name(std::string_view text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
    for (const unsigned char c : text)
        if (!std::isalnum(c) && c != '_') return false;
    return true;
}

bool has_option(std::string_view text) { return text.starts_with("--") || text.find(" --") != text.npos; }

// Words after which an assignment may stand.
bool begins_a_command(std::string_view word) {
    constexpr std::string_view all[] = {"export", "local", "declare", "readonly", "then", "else", "do", "{"};
    return std::ranges::find(all, word) != std::end(all);
}

// Sums and products of whole numbers, as in $((NODES * 8)).
class Arithmetic {
public:
    explicit Arithmetic(std::string_view text) : text_(text) {}
    std::optional<long long> value() {
        const auto v = sum(0);
        return v && (skip(), at_ == text_.size()) ? v : std::nullopt;
    }

private:
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool next_is(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    static std::optional<long long> bounded(double v) {
        return v > -1e15 && v < 1e15 ? std::optional((long long)v) : std::nullopt;
    }
    std::optional<long long> sum(int depth) {
        auto v = product(depth);
        while (v) {
            const bool plus = next_is('+');
            if (!plus && !next_is('-')) break;
            const auto w = product(depth);
            v = w ? bounded(double(*v) + (plus ? 1 : -1) * double(*w)) : std::nullopt;
        }
        return v;
    }
    std::optional<long long> product(int depth) {
        auto v = single(depth);
        while (v) {
            const bool times = next_is('*');
            if (!times && !next_is('/')) break;
            const auto w = single(depth);
            if (!w || (!times && *w == 0)) return std::nullopt;
            v = times ? bounded(double(*v) * double(*w)) : bounded(double(*v / *w));
        }
        return v;
    }
    std::optional<long long> single(int depth) {
        if (depth > 16) return std::nullopt;
        if (next_is('(')) {
            const auto v = sum(depth + 1);
            return v && next_is(')') ? v : std::nullopt;
        }
        skip();
        const std::size_t from = at_;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
        return at_ == from || at_ - from > 15 ? std::nullopt : whole_of(text_.substr(from, at_ - from));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

class Script {
public:
    explicit Script(std::string_view text) : text_(text) {}

    Settings read() && {
        while (at_ < text_.size() && settings_.all.size() < most_settings) statement();
        for (const auto& [name, values] : used_with_) say_values(name, values);
        if (left_from_line_ > 0)
            settings_.remarks.push_back({Severity::warning,
                                         {},
                                         "$",
                                         "the variables stand for more text than any configuration has: from line "
                                             + std::to_string(left_from_line_) + " on they are left as they stand"});
        return std::move(settings_);
    }

private:
    struct Word {
        std::string text;
        int line;
    };

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    char take() {
        const char c = text_[at_++];
        if (c == '\n') ++line_;
        return c;
    }
    std::string_view rest_of_line() const {
        const auto end = text_.find('\n', at_);
        return text_.substr(at_, end == text_.npos ? text_.npos : end - at_);
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (peek() == ' ' || peek() == '\t' || peek() == '\r') take();
            else if (peek() == '\\' && peek(1) == '\n') take(), take();
            else if (peek() == '\\' && peek(1) == '\r' && peek(2) == '\n') take(), take(), take();
            else break;
        }
    }
    void comment() {
        const std::string line(rest_of_line());
        settings_.comments.push_back(line);
        // A scheduler's own lines: "#SBATCH --nodes=128".
        const auto space = line.find(' ');
        if (space != line.npos && line.size() > 1
            && (std::isupper(static_cast<unsigned char>(line[1])) || line.starts_with("#flux"))) {
            std::vector<Word> words;
            split(line.substr(space + 1), words);
            options(words, "#");
        }
        at_ += line.size();
    }

    // Whether so much text may still be put in for variables: a few lines that name each other could ask for any
    // amount.
    bool affords(std::size_t characters) {
        put_in_ += characters;
        if (put_in_ <= most_unfolded_bytes) return true;
        if (left_from_line_ == 0) left_from_line_ = line_;
        return false;
    }

    // Up to the end of a line or a command; assignments, lists of words, redirected documents.
    void statement() {
        std::vector<Word> words;
        std::string into, until;
        bool expands = true;
        for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
            const char c = peek();
            if (c == '#') {
                comment();
                continue;
            }
            if (c == '\n') {
                take();
                if (until.empty()) break;
                document(into, until, expands);
                until.clear();
                break;
            }
            if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
                take();
                if (until.empty()) break;
                continue;
            }
            if (c == '<' && peek(1) == '<' && peek(2) != '<') {
                take(), take();
                if (peek() == '-') take();
                skip_blanks();
                expands = peek() != '\'' && peek() != '"';
                until = word().text;
                continue;
            }
            if (c == '<' || c == '>') {
                take();
                if (peek() == c || peek() == '&') take();
                skip_blanks();
                into = word().text;
                continue;
            }
            const Word w = word();
            if (!assignment(w, words.empty())) words.push_back(w);
            if (words.size() == 1 && begins_a_command(words[0].text)) words.clear();
        }
        options(words, "");
    }

    // NAME=value, NAME=( a b ), NAME+=...
    bool assignment(const Word& w, bool allowed) {
        const auto equals = w.text.find('=');
        if (!allowed || equals == w.text.npos) return false;
        const bool more = equals > 0 && w.text[equals - 1] == '+';
        const std::string name = w.text.substr(0, equals - (more ? 1 : 0));
        if (!is_name(name)) return false;
        std::string value = w.text.substr(equals + 1);
        std::vector<Word> words;
        if (value.empty() && peek() == '(') {
            words = list();
            for (const Word& each : words)
                if (value.size() < longest_value) value += (value.empty() ? "" : " ") + each.text;
        } else if (has_option(value)) {
            split(value, words, w.line);
        }
        if (has_option(value)) options(words, "");
        if (more && affords(variables_[name].size())) value = variables_[name] + " " + value;
        if (value.size() > longest_value) value.resize(longest_value);
        if (auto& values = values_[name]; values.size() < 16) values.insert(value.substr(0, 1000));
        if (!has_option(value) && settings_.all.size() < most_settings)
            settings_.all.push_back({"$" + name, value, w.line});
        variables_[name] = std::move(value);
        return true;
    }
    std::vector<Word> list() {
        std::vector<Word> all;
        take();
        while (at_ < text_.size() && peek() != ')') {
            skip_blanks();
            if (peek() == '#') {
                comment();
                continue;
            }
            if (peek() == '\n') {
                take();
                continue;
            }
            if (at_ >= text_.size() || peek() == ')') break;
            const std::size_t before = at_;
            Word w = word();
            if (at_ == before) take();
            if (all.size() < most_settings) all.push_back(std::move(w));
        }
        if (peek() == ')') take();
        return all;
    }

    // The lines up to `until`, as the file that the script would write.
    void document(const std::string& into, const std::string& until, bool expands) {
        std::string body;
        while (at_ < text_.size()) {
            const std::string line(rest_of_line());
            at_ += line.size();
            if (at_ < text_.size()) take();
            if (line == until) break;
            body += (expands ? expanded(line, 0) : line) + "\n";
        }
        if (settings_.documents.size() < 16) settings_.documents.emplace_back(into, body);
    }

    Word word() {
        Word w{{}, line_};
        while (at_ < text_.size()) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';' || c == '&' || c == '|' || c == '('
                || c == ')' || c == '<' || c == '>')
                break;
            if (c == '\\') {
                take();
                if (at_ >= text_.size()) break;
                if (peek() == '\n') {
                    take();
                    break;
                }
                w.text += take();
            } else if (c == '\'') {
                take();
                while (at_ < text_.size() && peek() != '\'') w.text += take();
                if (at_ < text_.size()) take();
            } else if (c == '"') {
                w.text += quoted();
            } else if (c == '$') {
                w.text += expanded(dollar(), 0);
            } else {
                w.text += take();
            }
            if (w.text.size() > longest_value) w.text.resize(longest_value);
        }
        return w;
    }
    std::string quoted() {
        std::string text;
        take();
        while (at_ < text_.size() && peek() != '"') {
            if (peek() == '\\' && peek(1) == '\n') {
                take(), take();
                continue;
            }
            if (peek() == '\\' && at_ + 1 < text_.size()) {
                take();
                text += take();
                continue;
            }
            if (peek() == '$') text += expanded(dollar(), 0);
            else text += take();
            if (text.size() > longest_value) text.resize(longest_value);
        }
        if (at_ < text_.size()) take();
        return text;
    }
    // "$NAME", "${...}", "$(...)" or "$((...))" as it stands.
    std::string dollar() {
        std::string text(1, take());
        const char open = peek(), close = open == '{' ? '}' : ')';
        if (open == '{' || open == '(') {
            int depth = 0;
            do {
                const char c = take();
                depth += c == open ? 1 : c == close ? -1 : 0;
                text += c;
            } while (depth > 0 && at_ < text_.size() && text.size() < longest_value);
            return text;
        }
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_'))
            text += take();
        return text;
    }

    // With variables put in; what is not known stays as it stands.
    std::string expanded(const std::string& text, int depth) {
        if (!affords(text.size())) return text;
        std::string out;
        for (std::size_t i = 0; i < text.size() && out.size() < longest_value;) {
            if (text[i] != '$' || depth > 8) {
                out += text[i++];
                continue;
            }
            std::size_t end = i + 1;
            const char open = end < text.size() ? text[end] : '\0';
            if (open == '{' || open == '(') {
                const char close = open == '{' ? '}' : ')';
                int level = 0;
                do {
                    level += text[end] == open ? 1 : text[end] == close ? -1 : 0;
                    ++end;
                } while (level > 0 && end < text.size());
            } else {
                while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
                    ++end;
            }
            out += value_of(text.substr(i, end - i), depth);
            i = end;
        }
        return out;
    }
    std::string value_of(const std::string& dollar, int depth) {
        if (dollar.starts_with("$((") && dollar.ends_with("))")) return calculated(dollar, depth);
        if (dollar.starts_with("$(")) return dollar;
        std::string inside =
            dollar.starts_with("${") && dollar.ends_with("}") ? dollar.substr(2, dollar.size() - 3) : dollar.substr(1);
        std::string otherwise = dollar;
        for (const char* mark : {":-", ":=", "-", "="})
            if (const auto at = inside.find(mark); at != inside.npos && at > 0) {
                otherwise = expanded(inside.substr(at + std::string_view(mark).size()), depth + 1);
                inside.resize(at);
                break;
            }
        if (const auto at = inside.find("[@]"); at != inside.npos) inside.resize(at);
        if (const auto at = inside.find("[*]"); at != inside.npos) inside.resize(at);
        std::erase_if(otherwise, [](char c) { return c == '"' || c == '\''; });
        const auto found = variables_.find(inside);
        if (found == variables_.end()) return otherwise;
        if (!affords(found->second.size())) return dollar;
        if (const auto& values = values_[inside]; values.size() > 1) used_with_[inside] = values;
        return has_option(found->second) ? std::string() : found->second;  // its options were read where it was set
    }
    std::string calculated(const std::string& dollar, int depth) {
        std::string sum, inside = dollar.substr(3, dollar.size() - 5);
        for (std::size_t i = 0; i < inside.size();) {  // names need no dollar in there
            std::size_t end = i;
            while (end < inside.size() && (std::isalnum(static_cast<unsigned char>(inside[end])) || inside[end] == '_'))
                ++end;
            const std::string name = inside.substr(i, end - i);
            if (is_name(name) && variables_.contains(name)
                && (i == 0 || (inside[i - 1] != '$' && inside[i - 1] != '{'))) {
                if (!affords(variables_[name].size())) return dollar;
                sum += variables_[name];
            } else {
                sum += end > i ? name : std::string(1, inside[end++]);
            }
            if (sum.size() > longest_value) return dollar;
            i = end;
        }
        const auto value = Arithmetic(expanded(sum, depth + 1)).value();
        return value ? std::to_string(*value) : dollar;
    }

    static void split(const std::string& text, std::vector<Word>& words, int line = 0) {
        std::string word;
        for (const char c : text + ' ') {
            if (!std::isspace(static_cast<unsigned char>(c))) {
                word += c;
                continue;
            }
            if (!word.empty() && words.size() < most_settings) words.push_back({word, line});
            word.clear();
        }
    }
    // "--name value", "--name=value" and switches among the words.
    void options(const std::vector<Word>& given, const char* prefix) {
        std::vector<Word> words;
        for (const Word& w : given) {
            if (has_option(w.text)) split(w.text, words, w.line);
            else words.push_back(w);
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string& w = words[i].text;
            if (!w.starts_with("--") || w.size() < 3 || !std::isalpha(static_cast<unsigned char>(w[2]))) continue;
            if (settings_.all.size() >= most_settings) return;
            Setting s{prefix + w, {}, words[i].line ? words[i].line : line_};
            if (const auto equals = w.find('='); equals != w.npos) {
                s.key = prefix + w.substr(0, equals);
                s.value = w.substr(equals + 1);
            } else if (i + 1 < words.size() && !words[i + 1].text.starts_with("--")) {
                s.value = words[i + 1].text;
            }
            settings_.all.push_back(std::move(s));
        }
    }

    void say_values(const std::string& name, const std::set<std::string>& values) {
        std::string list;
        for (const std::string& v : values) list += (list.empty() ? "" : ", ") + v.substr(0, 40);
        settings_.remarks.push_back({Severity::warning,
                                     {},
                                     "$" + name,
                                     "is set more than once (" + list.substr(0, 200) + "); the last value is taken"});
    }

    static constexpr std::size_t longest_value = 1 << 16;

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::size_t put_in_ = 0;
    int left_from_line_ = 0;
    Settings settings_;
    std::map<std::string, std::string> variables_;
    std::map<std::string, std::set<std::string>> values_, used_with_;
};

}  // namespace

Settings read_arguments(std::string_view script) { return Script(script).read(); }

}  // namespace plimsoll::files
