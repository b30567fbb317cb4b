// Arithmetic as in $(( )): bash's operators on whole numbers of 64 bits.
#include "core/files/settings/shell_machine.h"

#include <cctype>

namespace plimsoll::files {

// Reads and works out at once; what is not taken ("0 && x++") is read with `skips_` set.
class ShellMachine::Sums {
public:
    Sums(ShellMachine& m, std::string_view text, int line, int depth)
        : m_(m), text_(text), line_(line), depth_(depth) {}

    std::optional<long long> whole() {
        skip();
        if (at_ == text_.size()) return 0;
        const long long v = comma();
        skip();
        return ok_ && at_ == text_.size() ? std::optional(v) : std::nullopt;
    }

private:
    using Number = long long;
    using Bits = unsigned long long;

    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool next(std::string_view s, std::string_view but_not_before = "") {
        skip();
        if (text_.substr(at_, s.size()) != s) return false;
        const char after = at_ + s.size() < text_.size() ? text_[at_ + s.size()] : '\0';
        if (after != '\0' && but_not_before.find(after) != but_not_before.npos) return false;
        at_ += s.size();
        return true;
    }
    Number bad() {
        ok_ = false;
        return 0;
    }
    Number comma() {
        Number v = assignment();
        while (ok_ && next(",")) v = assignment();
        return v;
    }
    Number assignment() {
        if (++nested_ > 64 || !m_.budget_.spend(1)) return bad();
        const std::size_t before = at_;
        Number v = 0;
        std::string name;
        if (const auto place = place_here()) {
            for (const std::string_view op : {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="})
                if (next(op, op == "=" ? "=" : "")) {
                    const Number right = assignment();
                    v = op == "=" ? right : skips_ ? 0 : applied(op.substr(0, op.size() - 1), value(*place), right);
                    if (ok_ && !skips_) store(*place, v);
                    --nested_;
                    return v;
                }
            at_ = before;
        }
        v = choice();
        --nested_;
        return v;
    }
    Number choice() {
        const Number condition = binary(0);
        if (!ok_ || !next("?")) return condition;
        const Number yes = unless(condition == 0, [&] { return assignment(); });
        if (!next(":")) return bad();
        const Number no = unless(condition != 0, [&] { return assignment(); });
        return condition ? yes : no;
    }
    template <class F>
    Number unless(bool skipped, F f) {
        skips_ += skipped;
        const Number v = f();
        skips_ -= skipped;
        return v;
    }

    struct Operator {
        std::string_view sign, but_not_before;
    };
    static constexpr int levels = 10;
    // From the loosest to the tightest.
    static std::initializer_list<Operator> operators(int level) {
        static const std::initializer_list<Operator> all[levels] = {{{"||", ""}},
                                                                    {{"&&", ""}},
                                                                    {{"|", "|="}},
                                                                    {{"^", "="}},
                                                                    {{"&", "&="}},
                                                                    {{"==", ""}, {"!=", ""}},
                                                                    {{"<=", ""}, {">=", ""}, {"<", "<"}, {">", ">"}},
                                                                    {{"<<", "="}, {">>", "="}},
                                                                    {{"+", "="}, {"-", "="}},
                                                                    {{"*", "*="}, {"/", "="}, {"%", "="}}};
        return all[level];
    }
    Number binary(int level) {
        if (level == levels) return power();
        Number left = binary(level + 1);
        for (bool more = true; more && ok_;) {
            more = false;
            for (const Operator& op : operators(level)) {
                if (!next(op.sign, op.but_not_before)) continue;
                const bool skipped = (level == 0 && left != 0) || (level == 1 && left == 0);
                const Number right = unless(skipped, [&] { return binary(level + 1); });
                left = level == 0 ? left || (!skipped && right)
                     : level == 1 ? left && right
                                  : applied(op.sign, left, right);
                more = true;
                break;
            }
        }
        return left;
    }
    Number applied(std::string_view op, Number a, Number b) {
        if (op == "+") return Number(Bits(a) + Bits(b));
        if (op == "-") return Number(Bits(a) - Bits(b));
        if (op == "*") return Number(Bits(a) * Bits(b));
        if (op == "/" || op == "%") {
            if (skips_) return 0;
            if (b == 0) return bad();
            if (b == -1) return op == "/" ? Number(0 - Bits(a)) : 0;
            return op == "/" ? a / b : a % b;
        }
        if (op == "<<") return Number(Bits(a) << (Bits(b) & 63));
        if (op == ">>") return a >> (Bits(b) & 63);
        if (op == "&") return a & b;
        if (op == "|") return a | b;
        if (op == "^") return a ^ b;
        if (op == "==") return a == b;
        if (op == "!=") return a != b;
        if (op == "<") return a < b;
        if (op == ">") return a > b;
        return op == "<=" ? a <= b : a >= b;
    }
    Number power() {
        const Number base = unary();
        if (!ok_ || !next("**")) return base;
        const Number exponent = unless(false, [&] { return power(); });
        if (exponent < 0 || exponent > 4096) return bad();
        Number v = 1;
        for (Number i = 0; i < exponent; ++i) v = Number(Bits(v) * Bits(base));
        return v;
    }
    Number unary() {
        if (++nested_ > 64) return bad();
        Number v = 0;
        if (next("++") || next("--")) {
            const bool up = text_[at_ - 1] == '+';
            const auto place = place_here();
            if (!place) v = bad();
            else if (!skips_) store(*place, v = Number(Bits(value(*place)) + (up ? 1 : Bits(-1))));
        } else if (next("!")) v = !unary();
        else if (next("~")) v = ~unary();
        else if (next("-")) v = Number(0 - Bits(unary()));
        else if (next("+")) v = unary();
        else v = single();
        --nested_;
        return v;
    }
    Number single() {
        if (next("(")) {
            const Number v = comma();
            return next(")") ? v : bad();
        }
        skip();
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) return digits();
        const auto place = place_here();
        if (!place) return bad();
        const bool up = next("++"), down = !up && next("--");
        const Number v = skips_ ? 0 : value(*place);
        if ((up || down) && ok_ && !skips_) store(*place, Number(Bits(v) + (up ? 1 : Bits(-1))));
        return v;
    }
    Number digits() {
        std::size_t end = at_;
        while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '#')) ++end;
        std::string_view word = text_.substr(at_, end - at_);
        at_ = end;
        int base = 10;
        if (const auto hash = word.find('#'); hash != word.npos) {
            base = 0;
            for (const char c : word.substr(0, std::min<std::size_t>(hash, 3))) base = base * 10 + (c - '0');
            word.remove_prefix(hash + 1);
        } else if (word.starts_with("0x") || word.starts_with("0X")) base = 16, word.remove_prefix(2);
        else if (word.size() > 1 && word[0] == '0') base = 8;
        if (base < 2 || base > 36 || word.empty()) return bad();
        Bits v = 0;
        for (const char c : word) {
            const int digit = std::isdigit(static_cast<unsigned char>(c)) ? c - '0' : std::tolower(c) - 'a' + 10;
            if (digit < 0 || digit >= base) return bad();
            v = v * Bits(base) + Bits(digit);
        }
        return Number(v);
    }

    struct Place {
        std::string name, index;
        bool has_index;
    };
    std::optional<Place> place_here() {
        skip();
        std::size_t end = at_;
        while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
        if (end == at_ || std::isdigit(static_cast<unsigned char>(text_[at_]))) return std::nullopt;
        Place p{std::string(text_.substr(at_, end - at_)), {}, false};
        at_ = end;
        const std::size_t close = at_ < text_.size() && text_[at_] == '[' ? text_.find(']', at_) : text_.npos;
        if (close != text_.npos) {
            p.index = text_.substr(at_ + 1, close - at_ - 1);
            p.has_index = true;
            at_ = close + 1;
        }
        return p;
    }
    Number value(const Place& p) {
        const auto v = m_.variables_.find(p.name);
        if (v == m_.variables_.end()) return bad();  // of the site
        const auto item = v->second.items.find(p.has_index ? m_.index_of(v->second, p.index, line_, false) : 0);
        if (item == v->second.items.end()) return 0;
        if (!is_known(item->second.text) || depth_ > 12) return bad();
        const std::string text = item->second.text;
        const auto inner = Sums(m_, text, line_, depth_ + 1).whole();
        return inner ? *inner : bad();
    }
    void store(const Place& p, Number n) {
        ShellVariable& v = m_.variable(p.name, false);
        v.items[p.has_index ? m_.index_of(v, p.index, line_, true) : 0] = {std::to_string(n), true, line_};
    }

    ShellMachine& m_;
    std::string_view text_;
    std::size_t at_ = 0;
    int line_, depth_, nested_ = 0, skips_ = 0;
    bool ok_ = true;
};

std::optional<long long> ShellMachine::sum_of(std::string_view expression, int line) {
    if (!is_known(expression) || !budget_.spend((long long)expression.size())) return std::nullopt;
    return Sums(*this, expression, line, 0).whole();
}

}  // namespace plimsoll::files
