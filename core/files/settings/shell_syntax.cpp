#include "core/files/settings/shell_syntax.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

namespace {

class ShellParser {
public:
    ShellParser(std::string_view text, int line) : text_(text), line_(line) {}

    ShellScript whole() {
        ShellScript s;
        s.body.line = line_;
        while (at_ < text_.size()) {
            list(s.body, {});
            if (at_ < text_.size()) fail();
            if (failed_) break;
        }
        s.broken_at = broken_at_;
        return s;
    }
    std::vector<RawWord> words() {
        std::vector<RawWord> all;
        while (at_ < text_.size()) {
            skip_blanks();
            if (at_ < text_.size() && text_[at_] == '\n') {
                take(at_ + 1);
                continue;
            }
            const std::size_t before = at_;
            RawWord w = word();
            if (at_ == before) take(at_ + 1);
            else all.push_back(std::move(w));
        }
        return all;
    }

private:
    using Kind = ShellNode::Kind;
    using Stops = std::vector<std::string_view>;

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool follows(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
    void take(std::size_t to) {
        to = std::min(to, text_.size());
        line_ += int(std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(to), '\n'));
        at_ = to;
    }
    void fail() {
        if (!failed_) broken_at_ = line_;
        failed_ = true;
        at_ = text_.size();
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (is_shell_blank(peek())) ++at_;
            else if (follows("\\\n")) take(at_ + 2);
            else if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
            else break;
        }
    }
    void end_of_line() {  // with the here-documents that begin on it
        take(at_ + 1);
        for (const Pending& p : documents_) {
            p.into->line = line_;
            while (at_ < text_.size()) {
                const std::size_t end = std::min(text_.find('\n', at_), text_.size());
                std::string_view line = text_.substr(at_, end - at_);
                if (p.tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
                take(end + 1);
                if (line == p.until) break;
                p.into->text += std::string(line) + "\n";
            }
        }
        documents_.clear();
    }
    void skip_lines() {
        for (skip_blanks(); at_ < text_.size() && (peek() == '\n' || peek() == ';'); skip_blanks())
            if (peek() == '\n') end_of_line();
            else if (follows(";;")) break;
            else ++at_;
    }
    RawWord word() {
        const std::size_t from = at_, end = shell_word_end(text_, at_);
        RawWord w{std::string(text_.substr(from, end - from)), line_};
        take(end);
        return w;
    }
    // The word that comes next, where it has no quotes.
    std::string_view next_word() const {
        std::size_t end = at_;
        while (end < text_.size() && !ends_shell_word(text_[end])) ++end;
        return text_.substr(at_, end - at_);
    }
    bool stands(std::string_view reserved) {
        skip_lines();
        if (next_word() != reserved) return false;
        take(at_ + reserved.size());
        return true;
    }
    void expect(std::string_view reserved) {
        if (!failed_ && !stands(reserved)) fail();
    }

    // Up to one of `stops` at the beginning of a command, a closing bracket or the end.
    void list(ShellNode& into, const Stops& stops) {
        for (skip_lines(); at_ < text_.size() && !failed_; skip_lines()) {
            if (peek() == ')' || follows(";;") || std::ranges::find(stops, next_word()) != stops.end()) return;
            const std::size_t before = at_;
            ShellNode one = chain();
            skip_blanks();
            if (peek() == '&' && peek(1) != '&') {
                ++at_;
                one = around(Kind::background, std::move(one));
            }
            into.parts.push_back(std::move(one));
            if (at_ == before) fail();
        }
    }

    ShellNode chain() {
        ShellNode all;
        all.kind = Kind::chain;
        all.line = line_;
        all.parts.push_back(pipeline());
        for (skip_blanks(); follows("&&") || follows("||"); skip_blanks()) {
            all.operators += peek();
            at_ += 2;
            skip_lines();
            all.parts.push_back(pipeline());
        }
        return all.parts.size() == 1 ? ShellNode(std::move(all.parts[0])) : all;
    }
    ShellNode pipeline() {
        ShellNode all;
        all.kind = Kind::pipeline;
        all.line = line_;
        bool negated = false;
        for (skip_blanks(); next_word() == "!" || next_word() == "time"; skip_blanks()) {
            negated ^= peek() == '!';
            take(at_ + next_word().size());
        }
        all.parts.push_back(command());
        for (skip_blanks(); peek() == '|' && peek(1) != '|'; skip_blanks()) {
            at_ += peek(1) == '&' ? 2 : 1;
            skip_lines();
            all.parts.push_back(command());
        }
        ShellNode one = all.parts.size() == 1 ? ShellNode(std::move(all.parts[0])) : std::move(all);
        return negated ? around(Kind::negation, std::move(one)) : one;
    }
    static ShellNode around(Kind kind, ShellNode inner) {
        ShellNode outer;
        outer.kind = kind;
        outer.line = inner.line;
        outer.parts.push_back(std::move(inner));
        return outer;
    }

    ShellNode command() {
        ShellNode node;
        skip_blanks();
        node.line = line_;
        if (++depth_ > deepest_shell) fail();
        else if (follows("((") && shell_sums_end(text_, at_ + 2) != text_.npos) sums(node);
        else if (peek() == '(') bracketed(node, Kind::subshell);
        else if (!compound(node)) simple(node);
        --depth_;
        return node;
    }
    void sums(ShellNode& node) {
        const std::size_t end = shell_sums_end(text_, at_ + 2);
        node.kind = Kind::sums;
        node.words.push_back({std::string(text_.substr(at_ + 2, end - at_ - 4)), line_});
        take(end);
        redirects(node);
    }
    void bracketed(ShellNode& node, Kind kind) {
        node.kind = kind;
        ++at_;
        list(node, {});
        skip_lines();
        if (peek() != ')') return fail();
        ++at_;
        redirects(node);
    }

    bool compound(ShellNode& node) {
        const std::string_view w = next_word();
        if (w == "if") if_(node);
        else if (w == "while" || w == "until") loop(node, w == "while" ? Kind::while_ : Kind::until_);
        else if (w == "for" || w == "select") for_(node);
        else if (w == "case") case_(node);
        else if (w == "{") {
            node.kind = Kind::group;
            take(at_ + 1);
            list(node, {"}"});
            expect("}");
        } else if (w == "[[") condition(node);
        else if (w == "function" || begins_function()) function(node, w == "function");
        else return false;
        redirects(node);
        return true;
    }
    bool begins_function() const {
        std::size_t end = at_;
        while (end < text_.size()
               && (is_shell_name_char(text_[end]) || text_[end] == '-' || text_[end] == '.' || text_[end] == ':'))
            ++end;
        if (end == at_) return false;
        while (end < text_.size() && is_shell_blank(text_[end])) ++end;
        if (end >= text_.size() || text_[end] != '(') return false;
        for (++end; end < text_.size() && is_shell_blank(text_[end]);) ++end;
        return end < text_.size() && text_[end] == ')';
    }
    void function(ShellNode& node, bool named) {
        if (named) take(at_ + 8), skip_blanks();
        node.kind = Kind::function;
        node.words.push_back(word());
        skip_blanks();
        if (peek() == '(') {
            ++at_;
            skip_blanks();
            if (peek() == ')') ++at_;
        }
        skip_lines();
        node.parts.push_back(command());
    }
    ShellNode block(const Stops& stops) {
        ShellNode body;
        body.line = line_;
        list(body, stops);
        return body;
    }
    void if_(ShellNode& node) {
        node.kind = Kind::if_;
        take(at_ + 2);
        do {
            node.parts.push_back(block({"then"}));
            expect("then");
            node.parts.push_back(block({"elif", "else", "fi"}));
        } while (!failed_ && stands("elif"));
        if (!failed_ && stands("else")) node.parts.push_back(block({"fi"}));
        expect("fi");
    }
    void loop(ShellNode& node, Kind kind) {
        node.kind = kind;
        take(at_ + 5);
        node.parts.push_back(block({"do"}));
        body_of_loop(node);
    }
    void body_of_loop(ShellNode& node) {
        expect("do");
        node.parts.push_back(block({"done"}));
        expect("done");
    }
    void for_(ShellNode& node) {
        take(at_ + next_word().size());
        skip_blanks();
        if (follows("((")) {
            const std::size_t end = shell_sums_end(text_, at_ + 2);
            if (end == text_.npos) return fail();
            node.kind = Kind::for_sums;
            std::string_view inside = text_.substr(at_ + 2, end - at_ - 4);
            for (int i = 0; i < 3; ++i) {
                const std::size_t to = std::min(inside.find(';'), inside.size());
                node.words.push_back({std::string(inside.substr(0, to)), line_});
                inside.remove_prefix(std::min(to + 1, inside.size()));
            }
            take(end);
            return body_of_loop(node);
        }
        node.kind = Kind::for_words;
        node.words.push_back(word());
        skip_blanks();
        const bool listed = next_word() == "in" || (peek() == '\n' && stands("in"));
        if (next_word() == "in") take(at_ + 2);
        if (!listed) node.words.push_back({"\"$@\"", line_});
        for (skip_blanks(); listed && at_ < text_.size() && peek() != '\n' && peek() != ';'; skip_blanks()) {
            const std::size_t before = at_;
            node.words.push_back(word());
            if (at_ == before) return fail();
        }
        body_of_loop(node);
    }
    void case_(ShellNode& node) {
        node.kind = Kind::case_;
        take(at_ + 4);
        skip_blanks();
        node.words.push_back(word());
        expect("in");
        while (!failed_ && !stands("esac")) {
            if (at_ >= text_.size()) return fail();
            if (peek() == '(') ++at_;
            std::vector<RawWord> patterns;
            for (skip_blanks(); at_ < text_.size() && peek() != ')'; skip_blanks()) {
                const std::size_t before = at_;
                if (peek() == '|') ++at_;
                else patterns.push_back(word());
                if (at_ == before) return fail();
            }
            if (at_ >= text_.size()) return fail();
            ++at_;
            node.patterns.push_back(std::move(patterns));
            node.parts.push_back(block({"esac"}));
            skip_lines();
            if (follows(";;")) at_ += peek(2) == '&' ? 3 : 2;
        }
    }
    void condition(ShellNode& node) {
        node.kind = Kind::condition;
        std::size_t end = at_ + 2;
        while (end < text_.size()) {
            const char c = text_[end];
            if (c == '\'' || c == '"' || c == '`') end = shell_quote_end(text_, end);
            else if (c == '$') end = shell_dollar_end(text_, end);
            else if (c == '\\') end += 2;
            else if (text_.substr(end, 2) == "]]" && (is_shell_blank(text_[end - 1]) || text_[end - 1] == '\n')) break;
            else ++end;
        }
        if (end >= text_.size()) return fail();
        node.words.push_back({std::string(text_.substr(at_ + 2, end - at_ - 2)), line_});
        take(end + 2);
    }

    void simple(ShellNode& node) {
        node.kind = Kind::simple;
        for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
            const char c = peek();
            if (c == '\n' || c == ';' || c == '|' || c == ')' || c == '(') break;
            if (redirect(node)) continue;
            if (c == '&') break;
            node.words.push_back(word());
        }
        if (peek() == '(') fail();
    }
    void redirects(ShellNode& node) {
        for (skip_blanks(); !failed_ && redirect(node); skip_blanks()) {}
    }
    bool redirect(ShellNode& node) {
        std::size_t at = at_;
        while (at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) && at - at_ < 3) ++at;
        const auto is = [&](std::string_view s) { return text_.substr(at, s.size()) == s; };
        ShellRedirect r;
        if (at > at_ && (is("<") || is(">"))) r.descriptor = std::stoi(std::string(text_.substr(at_, at - at_)));
        else if (at > at_) return false;
        if (is("<(") || is(">(")) return false;
        const struct {
            std::string_view sign;
            ShellRedirect::Kind kind;
            int descriptor;
        } signs[] = {{"&>>", ShellRedirect::Kind::append, 12},   {"&>", ShellRedirect::Kind::write, 12},
                     {"<<<", ShellRedirect::Kind::text, -1},     {"<<-", ShellRedirect::Kind::document, -1},
                     {"<<", ShellRedirect::Kind::document, -1},  {"<&", ShellRedirect::Kind::duplicate, -1},
                     {">&", ShellRedirect::Kind::duplicate, -1}, {">>", ShellRedirect::Kind::append, -1},
                     {">|", ShellRedirect::Kind::write, -1},     {"<>", ShellRedirect::Kind::read, -1},
                     {"<", ShellRedirect::Kind::read, -1},       {">", ShellRedirect::Kind::write, -1}};
        const auto* sign = std::ranges::find_if(signs, [&](const auto& s) { return is(s.sign); });
        if (sign == std::end(signs)) return false;
        r.kind = sign->kind;
        if (sign->descriptor != -1) r.descriptor = sign->descriptor;
        at_ = at + sign->sign.size();
        skip_blanks();
        r.target = word();
        if (r.kind == ShellRedirect::Kind::document) {
            std::string until;
            for (const char c : r.target.text)
                if (c == '\'' || c == '"' || c == '\\') r.expands = false;
                else until += c;
            r.document = std::make_shared<RawWord>();
            documents_.push_back({r.document, std::move(until), sign->sign == "<<-"});
        }
        node.redirects.push_back(std::move(r));
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_, depth_ = 0, broken_at_ = 0;
    bool failed_ = false;
    struct Pending {  // a here-document whose lines follow the end of this one
        std::shared_ptr<RawWord> into;
        std::string until;
        bool tabs;
    };
    std::vector<Pending> documents_;
};

}  // namespace

ShellScript parse_shell(std::string_view text, int first_line) { return ShellParser(text, first_line).whole(); }

std::vector<RawWord> shell_list_words(std::string_view inside, int line) { return ShellParser(inside, line).words(); }

}  // namespace plimsoll::files
