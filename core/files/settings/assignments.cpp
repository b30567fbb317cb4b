// Plain assignments of a Python file, read as text: "cfg.model.x = 8", "Config(x=8)", "def recipe(nodes: int = 1)".
#include "core/files/settings/settings.h"

#include <cctype>
#include <map>

namespace plimsoll::files {

namespace {

bool is_path(std::string_view text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
    for (const unsigned char c : text)
        if (!std::isalnum(c) && c != '_' && c != '.') return false;
    return true;
}

std::string without_blanks(std::string_view text) {
    const auto from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
    return from == text.npos ? std::string() : std::string(text.substr(from, to - from + 1));
}

class PythonFile {
public:
    explicit PythonFile(std::string_view text) : text_(text) {}

    std::optional<Settings> read() && {
        while (at_ < text_.size() && settings_.all.size() < most_settings) {
            const int line = line_;
            std::string statement = logical_line();
            const auto indent = statement.find_first_not_of(" \t");
            if (indent == statement.npos) continue;
            if (indent == 0) part_.clear();
            take_statement(without_blanks(statement), line);
            if (unfolded_ > most_unfolded_bytes) return std::nullopt;
        }
        return std::move(settings_);
    }

private:
    // One statement over all the lines that its brackets span, without comments.
    std::string logical_line() {
        std::string out;
        int depth = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
                continue;
            }
            if (c == '"' || c == '\'') {
                out += string_literal();
                continue;
            }
            ++at_;
            if (c == '\n') {
                ++line_;
                if (depth <= 0) break;
            }
            if (c == '\\' && at_ < text_.size() && text_[at_] == '\n') {
                ++at_, ++line_;
                continue;
            }
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            if (out.size() < most_settings_bytes) out += c;
        }
        return out;
    }
    // With its quotes; text over several lines is documentation and is dropped.
    std::string string_literal() {
        const char quote = text_[at_];
        if (text_.substr(at_, 3) == std::string(3, quote)) {
            const auto end = text_.find(std::string(3, quote), at_ + 3);
            const std::size_t to = end == text_.npos ? text_.size() : end + 3;
            for (; at_ < to; ++at_) line_ += text_[at_] == '\n';
            return "\"\"";
        }
        std::string out(1, text_[at_++]);
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') out += text_[at_++];
            out += text_[at_++];
        }
        if (at_ < text_.size() && text_[at_] == quote) ++at_;
        return out + quote;
    }

    void take_statement(const std::string& s, int line) {
        if (s.starts_with("def ")) {
            part_ = without_blanks(s.substr(4, s.find('(') == s.npos ? s.npos : s.find('(') - 4));
            return arguments_of(s, "", line, 0);
        }
        for (const char* other :
             {"import ", "from ", "return ", "if ", "elif ", "assert ", "for ", "while ", "with ", "class ", "@"})
            if (s.starts_with(other)) return;
        const auto equals = assignment_in(s);
        if (equals == s.npos) return arguments_of(s, "", line, 0);
        std::string left = without_blanks(std::string_view(s).substr(0, equals));
        if (const auto colon = left.find(':'); colon != left.npos) left = without_blanks(left.substr(0, colon));
        if (!is_path(left)) return;
        take_value(left, without_blanks(std::string_view(s).substr(equals + 1)), line, 0);
    }
    // The first "=" outside brackets and quotes that is no comparison.
    static std::size_t assignment_in(std::string_view s) {
        int depth = 0;
        char quote = 0;
        for (std::size_t i = 0; i < s.size(); ++i) {
            const char c = s[i];
            if (quote) {
                if (c == '\\') ++i;
                else if (c == quote) quote = 0;
                continue;
            }
            if (c == '"' || c == '\'') quote = c;
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            if (c != '=' || depth != 0) continue;
            if (i + 1 < s.size() && s[i + 1] == '=') {
                ++i;
                continue;
            }
            if (i > 0 && std::string_view("=!<>+-*/").find(s[i - 1]) != std::string_view::npos) continue;
            return i;
        }
        return s.npos;
    }

    void take_value(const std::string& key, const std::string& value, int line, int depth) {
        if (settings_.all.size() >= most_settings || unfolded_ > most_unfolded_bytes) return;
        std::string plain = value;
        if (value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0]
            && value.find(value[0], 1) == value.size() - 1)
            plain = value.substr(1, value.size() - 2);
        else if (const auto known = constants_.find(value); known != constants_.end()) plain = known->second;
        const bool as_it_stands = plain == value;
        if (plain.size() > longest_value) plain.resize(longest_value);
        unfolded_ += key.size() + part_.size() + 2 * plain.size();
        if (is_path(key) && key.find('.') == key.npos && part_.empty()) constants_[key] = plain;
        settings_.all.push_back({key, std::move(plain), line, part_});
        if (as_it_stands && value.ends_with(')')) arguments_of(value, key, line, depth + 1);
    }

    // "a=1, b=2" of a call or of a function's parameters.
    void arguments_of(const std::string& call, const std::string& key, int line, int depth) {
        const auto open = call.find('(');
        if (open == call.npos || depth > 8) return;
        int level = 0;
        char quote = 0;
        std::size_t from = open + 1;
        for (std::size_t i = open; i < call.size(); ++i) {
            const char c = call[i];
            if (quote) {
                if (c == '\\') ++i;
                else if (c == quote) quote = 0;
                continue;
            }
            if (c == '"' || c == '\'') {
                quote = c;
                continue;
            }
            level += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            if (!(level == 1 && c == ',') && level != 0) continue;
            const std::string one = call.substr(from, i - from);
            from = i + 1;
            if (const auto equals = assignment_in(one); equals != one.npos) {
                std::string name = without_blanks(one.substr(0, equals));
                if (const auto colon = name.find(':'); colon != name.npos) name = without_blanks(name.substr(0, colon));
                if (is_path(name))
                    take_value(key.empty() ? name : key + "." + name, without_blanks(one.substr(equals + 1)), line,
                               depth);
            }
            if (level == 0) return;
        }
    }

    static constexpr std::size_t longest_value = 4096;

    std::string_view text_;
    std::size_t at_ = 0, unfolded_ = 0;
    int line_ = 1;
    std::string part_;
    Settings settings_;
    std::map<std::string, std::string> constants_;
};

}  // namespace

std::optional<Settings> read_assignments(std::string_view python) { return PythonFile(python).read(); }

}  // namespace plimsoll::files
