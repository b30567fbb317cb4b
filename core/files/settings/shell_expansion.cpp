// What the words of a script become: variables, substitutions and arithmetic put in, braces unfolded, fields split.
#include "core/files/settings/shell_machine.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

namespace {

constexpr std::size_t longest_shell_value = 1 << 20, longest_shell_word = 1 << 18;

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("*?[]\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string ansi_text(std::string_view inside) {
    std::string out;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (inside[i] != '\\' || i + 1 >= inside.size()) {
            out += inside[i];
            continue;
        }
        const char c = inside[++i];
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    return out;
}

}  // namespace

std::string unknown_text(std::string_view as_written) {
    return std::string(1, unknown_begins) + without_marks(as_written) + unknown_ends;
}
std::string without_marks(std::string_view text) {
    std::string out(text);
    std::erase_if(out, [](char c) { return c == unknown_begins || c == unknown_ends; });
    return out;
}

// ---- One word on its way

class ShellMachine::Expansion {
public:
    enum class Into { fields, text, pattern, document };
    Expansion(ShellMachine& m, Into into, int line) : m_(m), into_(into), line_(line) {}

    void walk(std::string_view raw, bool quoted, bool splits = false) {
        if (++m_.depth_ > 100 || raw.size() > longest_shell_word || !m_.budget_.spend((long long)raw.size() + 1)) {
            literal(unknown_text(raw), quoted);
            --m_.depth_;
            return;
        }
        for (std::size_t i = 0; i < raw.size();) i = step(raw, i, quoted, splits);
        --m_.depth_;
    }
    Words take() {
        finish_field();
        return std::move(fields_);
    }
    std::string take_text() { return std::move(now_); }

private:
    std::size_t step(std::string_view raw, std::size_t i, bool quoted, bool splits) {
        const char c = raw[i];
        if (c == unknown_begins) {
            const std::size_t end = std::min(raw.find(unknown_ends, i), raw.size() - 1) + 1;
            literal(raw.substr(i, end - i), true);
            return end;
        }
        if (c == '\\') return backslash(raw, i, quoted);
        if (c == '\'' && !quoted) {
            const std::size_t end = shell_quote_end(raw, i);
            literal(raw.substr(i + 1, end - i - (end > i + 1 && raw[end - 1] == '\'' ? 2 : 1)), true);
            open_ = true;
            return end;
        }
        if (c == '"' && into_ != Into::document) {
            if (quoted) return i + 1;  // quotes within the default of a quoted variable
            const std::size_t end = shell_quote_end(raw, i);
            const std::string_view inside = raw.substr(i + 1, end - i - (end > i + 1 && raw[end - 1] == '"' ? 2 : 1));
            const bool was = vanished_;
            vanished_ = false;
            walk(inside, true);
            if (!vanished_) open_ = true;
            vanished_ = was;
            return end;
        }
        if (c == '`') {
            const std::size_t end = shell_quote_end(raw, i);
            std::string script;
            for (std::size_t k = i + 1; k + 1 < end; ++k) {
                if (raw[k] == '\\' && k + 2 < end
                    && std::string_view("`\\$").find(raw[k + 1]) != std::string_view::npos)
                    ++k;
                script += raw[k];
            }
            value(m_.output_of(script, line_, raw.substr(i, end - i)), quoted);
            return end;
        }
        if (c == '$') return dollar(raw, i, quoted);
        if (!quoted && c == '~' && (i == 0 || raw[i - 1] == '=' || raw[i - 1] == ':') && into_ != Into::pattern) {
            std::size_t end = i + 1;
            while (end < raw.size() && is_shell_name_char(raw[end])) ++end;
            if (end == raw.size() || raw[end] == '/') return literal(unknown_text(raw.substr(i, end - i)), true), end;
        }
        if (!quoted && (c == '<' || c == '>') && i + 1 < raw.size() && raw[i + 1] == '(' && into_ == Into::fields)
            return literal(unknown_text(raw.substr(i)), true), raw.size();
        if (splits && !quoted) value(std::string(1, c), false);
        else literal(raw.substr(i, 1), quoted);
        return i + 1;
    }
    std::size_t backslash(std::string_view raw, std::size_t i, bool quoted) {
        if (i + 1 >= raw.size()) return literal("\\", true), i + 1;
        const char next = raw[i + 1];
        if (next == '\n') return i + 2;
        const std::string_view special = into_ == Into::document ? "$`\\" : "$`\"\\";
        if (quoted && special.find(next) == special.npos) literal(raw.substr(i, 2), true);
        else literal(raw.substr(i + 1, 1), true);
        return i + 2;
    }
    std::size_t dollar(std::string_view raw, std::size_t i, bool quoted) {
        const char next = i + 1 < raw.size() ? raw[i + 1] : '\0';
        if (next == '"' && !quoted) return i + 1;
        if (next == '\'' && quoted) return literal("$", true), i + 1;
        const std::size_t end = shell_dollar_end(raw, i);
        const std::string_view whole = raw.substr(i, end - i);
        if (next == '\'') literal(ansi_text(whole.substr(2, whole.size() - 3)), true);
        else if (whole.starts_with("$((") && whole.ends_with("))")) {
            const std::string sum = m_.text_of("\"" + std::string(whole.substr(3, whole.size() - 5)) + "\"", line_);
            const auto result = is_known(sum) ? m_.sum_of(sum, line_) : std::nullopt;
            value(result ? std::to_string(*result) : unknown_text(whole), quoted);
        } else if (next == '(') value(m_.output_of(whole.substr(2, whole.size() - 3), line_, whole), quoted);
        else if (next == '{' && whole.ends_with('}')) parameter(whole.substr(2, whole.size() - 3), whole, quoted);
        else if (whole.size() > 1) parameter(whole.substr(1), whole, quoted);
        else literal("$", true);
        return end;
    }

    // ---- Parameters

    struct Found {
        Words values;
        bool set = false, outer = false;       // outer: the script does not set it, so that only the site knows
        bool several = false, joined = false;  // [@], [*]
    };
    Found found(const std::string& name, std::string_view index, bool has_index) {
        Found f;
        if (name == "@" || name == "*") {
            f.several = true;
            f.joined = name == "*";
            f.values = m_.arguments_;
            f.set = !f.values.empty();
            return f;
        }
        f.several = has_index && (index == "@" || index == "*");
        f.joined = f.several && index == "*";
        const auto v = m_.variables_.find(name);
        if (v != m_.variables_.end() && f.several) {
            for (const auto& [at, item] : v->second.items) f.values.push_back(item);
            f.set = !f.values.empty();
            return f;
        }
        if (v != m_.variables_.end()) {
            const auto item = v->second.items.find(has_index ? m_.index_of(v->second, index, line_, false) : 0);
            if (item == v->second.items.end()) return f;
            f.values.push_back(item->second);
            f.set = true;
            return f;
        }
        if (const auto special = m_.value_of(name)) {
            f.values.push_back({*special, true, 0});
            f.set = true;
        } else f.outer = !f.several;
        return f;
    }
    void parameter(std::string_view inside, std::string_view whole, bool quoted) {
        const bool length =
            inside.size() > 1 && inside[0] == '#'
            && (is_shell_name_char(inside[1]) || inside[1] == '@' || inside[1] == '*');
        const bool indirect = inside.size() > 1 && inside[0] == '!' && is_shell_name_char(inside[1]);
        if (length || indirect) inside.remove_prefix(1);
        std::size_t end = 0;
        if (!inside.empty() && std::isdigit(static_cast<unsigned char>(inside[0])))
            while (end < inside.size() && std::isdigit(static_cast<unsigned char>(inside[end]))) ++end;
        else
            while (end < inside.size() && is_shell_name_char(inside[end])) ++end;
        if (end == 0 && !inside.empty()) end = 1;
        std::string name(inside.substr(0, end));
        std::string_view rest = inside.substr(end), index;
        const bool has_index = rest.starts_with('[') && rest.find(']') != rest.npos;
        if (has_index) {
            index = rest.substr(1, rest.find(']') - 1);
            rest.remove_prefix(index.size() + 2);
        }
        if (indirect && has_index && (index == "@" || index == "*")) return keys(name, quoted);
        if (indirect) {
            const auto named = m_.value_of(name);
            if (!named || !is_shell_name(*named)) return value(unknown_text(whole), quoted);
            name = *named;
        }
        Found f = found(name, index, has_index);
        if (length) return count(f, whole, quoted);
        apply(f, name, rest, whole, quoted);
    }
    void keys(const std::string& name, bool quoted) {
        Words all;
        if (const auto v = m_.variables_.find(name); v != m_.variables_.end()) {
            if (v->second.associative)
                for (const auto& [key, at] : v->second.keys) all.push_back({key, true, line_});
            else
                for (const auto& [at, item] : v->second.items) all.push_back({std::to_string(at), true, line_});
        }
        values(all, false, quoted);
    }
    void count(const Found& f, std::string_view whole, bool quoted) {
        if (f.outer || (!f.several && !f.values.empty() && !is_known(f.values[0].text)))
            return value(unknown_text(whole), quoted);
        value(std::to_string(f.several ? f.values.size() : f.values.empty() ? 0 : f.values[0].text.size()), quoted);
    }
    void apply(Found& f, const std::string& name, std::string_view rest, std::string_view whole, bool quoted) {
        const bool colon =
            rest.size() > 1 && rest[0] == ':' && std::string_view("-=+?").find(rest[1]) != std::string_view::npos;
        if (colon) rest.remove_prefix(1);
        const char op = rest.empty() ? '\0' : rest[0];
        if (op != '\0' && std::string_view("-=+?").find(op) != std::string_view::npos) {
            const bool open =
                f.set && colon && !f.several && f.values[0].text.size() > 0 && without_known(f.values[0].text).empty();
            const bool there = f.set && (!colon || f.several || !f.values[0].text.empty());
            if (open && op != '?') return value(f.values[0].text, quoted, f.values[0].line);
            if (op == '+') {
                if (f.outer) m_.note(name, phrase("is not set in the script: taken as not set"), line_);
                if (there) walk(rest.substr(1), quoted, true);
                return;
            }
            if (there) return emit(f, quoted);
            if (op == '?') return value(unknown_text(whole), quoted);
            const std::string other = m_.text_of(rest.substr(1), line_);
            if (f.outer)
                m_.note(name, phrase("is not set in the script: {1} stands for it", without_marks(other)), line_);
            if (op == '=') m_.variables_[name].items[0] = {other, true, line_};
            return walk(rest.substr(1), quoted, true);
        }
        if (f.outer) return value(unknown_text(whole), quoted);
        if (op == ':') slice(f, rest.substr(1), whole);
        else if (op != '\0')
            for (ShellWord& w : f.values) w.text = changed(w.text, rest, whole);
        emit(f, quoted);
    }
    // What of a value stands outside of the marks.
    static std::string without_known(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == unknown_begins) i = std::min(text.find(unknown_ends, i), text.size());
            else out += text[i];
        return out;
    }
    void slice(Found& f, std::string_view rest, std::string_view whole) {
        const std::size_t colon = rest.find(':');
        const auto at = m_.sum_of(m_.text_of("\"" + std::string(rest.substr(0, colon)) + "\"", line_), line_);
        const auto length = colon == rest.npos
                              ? std::optional(1LL << 40)
                              : m_.sum_of(m_.text_of("\"" + std::string(rest.substr(colon + 1)) + "\"", line_), line_);
        if (!at || !length || (!f.several && !f.values.empty() && !is_known(f.values[0].text))) {
            f.values.assign(1, {unknown_text(whole), true, line_});
            return;
        }
        const long long size = f.several        ? (long long)f.values.size()
                             : f.values.empty() ? 0
                                                : (long long)f.values[0].text.size();
        long long from = *at < 0 ? size + *at : *at;
        if (f.several && f.values.data() != nullptr && whole.starts_with("${@") && from > 0) --from;
        if (from < 0 || from > size) {
            f.values.clear();
            return;
        }
        const long long to = std::clamp(*length < 0 ? size + *length : from + std::min(*length, size), from, size);
        if (f.several) f.values = Words(f.values.begin() + from, f.values.begin() + to);
        else if (!f.values.empty())
            f.values[0].text = f.values[0].text.substr(std::size_t(from), std::size_t(to - from));
    }
    std::string changed(const std::string& text, std::string_view rest, std::string_view whole) {
        if (!is_known(text)) return unknown_text(whole);
        const char op = rest[0];
        const bool twice = rest.size() > 1 && rest[1] == op;
        if (op == '^' || op == ',') {
            std::string out = text;
            for (std::size_t i = 0; i < out.size() && (twice || i == 0); ++i) {
                const unsigned char c = static_cast<unsigned char>(out[i]);
                out[i] = char(op == '^' ? std::toupper(c) : std::tolower(c));
            }
            return out;
        }
        if (op != '#' && op != '%' && op != '/') return unknown_text(whole);
        const std::string pattern_and_more(rest.substr(twice ? 2 : 1));
        if (op == '/') return replaced(text, pattern_and_more, twice, whole);
        const std::string pattern = m_.pattern_of(pattern_and_more, line_);
        if (!is_known(pattern)) return unknown_text(whole);
        const std::size_t n = text.size();
        for (std::size_t i = 0; i <= n; ++i) {
            const std::size_t length = twice ? n - i : i;  // the longest first, or the shortest
            const std::string_view part =
                op == '#' ? std::string_view(text).substr(0, length) : std::string_view(text).substr(n - length);
            if (!m_.budget_.spend((long long)(length / 8 + pattern.size() / 8 + 1))) return unknown_text(whole);
            if (matches_pattern(pattern, part)) return op == '#' ? text.substr(length) : text.substr(0, n - length);
        }
        return text;
    }
    std::string replaced(const std::string& text, std::string_view rest, bool all, std::string_view whole) {
        char anchor = '\0';
        if (!all && !rest.empty() && (rest[0] == '#' || rest[0] == '%')) anchor = rest[0], rest.remove_prefix(1);
        std::size_t slash = all && !rest.empty() && rest[0] == '/' ? 1 : 0;
        while (slash < rest.size() && rest[slash] != '/') {
            if (rest[slash] == '\\') slash += 2;
            else if (rest[slash] == '\'' || rest[slash] == '"') slash = shell_quote_end(rest, slash);
            else if (rest[slash] == '$') slash = shell_dollar_end(rest, slash);
            else ++slash;
        }
        slash = std::min(slash, rest.size());
        const std::string pattern = m_.pattern_of(rest.substr(0, slash), line_);
        const std::string by = slash < rest.size() ? m_.text_of(rest.substr(slash + 1), line_) : std::string();
        if (!is_known(pattern) || pattern.empty()) return pattern.empty() ? text : unknown_text(whole);
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length =
                anchor == '#' && at > 0 ? 0 : longest_match(pattern, std::string_view(text).substr(at), anchor == '%');
            if (m_.budget_.left <= 0 || out.size() > longest_shell_value) return unknown_text(whole);
            if (length == 0) {
                out += text[at++];
                continue;
            }
            out += by;
            at += length;
            if (!all) return out + text.substr(at);
        }
        return out;
    }
    // How much of the beginning is as the pattern says; 0: nothing.
    std::size_t longest_match(std::string_view pattern, std::string_view text, bool whole) {
        if (pattern.find_first_of("*?[\\") == pattern.npos) {
            m_.budget_.spend(1);
            return text.starts_with(pattern) && (!whole || pattern.size() == text.size()) ? pattern.size() : 0;
        }
        for (std::size_t n = text.size(); n > 0; --n) {
            if (!m_.budget_.spend((long long)(n / 8 + pattern.size() / 8 + 1))) return 0;
            if (matches_pattern(pattern, text.substr(0, n))) return n;
            if (whole) return 0;
        }
        return 0;
    }
    void emit(const Found& f, bool quoted) {
        if (f.several) return values(f.values, f.joined, quoted);
        if (!f.values.empty()) value(f.values[0].text, quoted, f.values[0].line);
    }

    // ---- Fields

    void values(const Words& all, bool joined, bool quoted) {
        if (into_ != Into::fields || (quoted && joined)) {
            std::string text;
            for (std::size_t i = 0; i < all.size(); ++i) text += (i ? separator() : "") + all[i].text;
            return value(text, quoted || into_ != Into::fields, all.empty() ? 0 : all[0].line);
        }
        if (quoted && all.empty() && !open_ && now_.empty()) vanished_ = true;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i > 0) finish_field();
            value(all[i].text, quoted, all[i].line);
            if (quoted) open_ = true;
        }
    }
    std::string separator() const {
        const auto ifs = m_.value_of("IFS");
        return !ifs ? " " : ifs->substr(0, 1);
    }
    void value(const std::string& text, bool quoted, int line = 0) {
        if (!m_.budget_.spend((long long)text.size() / 4 + 1) || now_.size() + text.size() > longest_shell_value)
            return;
        if (quoted || into_ != Into::fields) {
            if (line && now_.empty()) field_line_ = line;
            return literal(text, quoted);
        }
        const std::string ifs = m_.value_of("IFS").value_or(" \t\n");
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] == unknown_begins) {
                const std::size_t end = std::min(text.find(unknown_ends, i), text.size() - 1) + 1;
                open_ = true;
                now_.append(text, i, end - i);
                i = end;
            } else if (ifs.find(text[i]) == ifs.npos) {
                if (now_.empty() && line) field_line_ = line;
                open_ = true;
                now_ += text[i++];
            } else {
                if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n') open_ = true;
                finish_field();
                ++i;
            }
        }
    }
    void literal(std::string_view text, bool quoted) {
        if (now_.size() + text.size() > longest_shell_value) return;
        if (into_ == Into::pattern && quoted) now_ += escaped(text);
        else now_ += text;
        if (!text.empty()) open_ = true;
    }
    void finish_field() {
        if (open_ && fields_.size() < 200000)
            fields_.push_back({std::move(now_), true, field_line_ ? field_line_ : line_});
        now_.clear();
        open_ = false;
        field_line_ = 0;
    }

    ShellMachine& m_;
    Into into_;
    int line_;
    Words fields_;
    std::string now_;
    bool open_ = false, vanished_ = false;
    int field_line_ = 0;
};

// ---- Words for the rest of the machine

ShellMachine::Words ShellMachine::fields(const std::vector<RawWord>& raw, std::size_t from) {
    Words all;
    for (std::size_t i = from; i < raw.size() && budget_.left > 0; ++i)
        for (const std::string& one : unfolded_braces(raw[i].text)) {
            Expansion e(*this, Expansion::Into::fields, raw[i].line);
            e.walk(one, false);
            for (ShellWord& w : e.take()) all.push_back(std::move(w));
        }
    return all;
}
std::string ShellMachine::text_of(std::string_view raw, int line) {
    Expansion e(*this, Expansion::Into::text, line);
    e.walk(raw, false);
    return e.take_text();
}
std::string ShellMachine::pattern_of(std::string_view raw, int line) {
    Expansion e(*this, Expansion::Into::pattern, line);
    e.walk(raw, false);
    return e.take_text();
}
std::string ShellMachine::document_of(std::string_view raw, int line) {
    Expansion e(*this, Expansion::Into::document, line);
    e.walk(raw, true);
    return e.take_text();
}

}  // namespace plimsoll::files
